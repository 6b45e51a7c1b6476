# The daemon's memory with thousands of exchanges in flight, against its bound; half an hour on two cores. make test
# measures it with few.

.PHONY: backpressure

BACKPRESSURE_EXCHANGES ?= 2000

backpressure: bundles
	REASSAY_BACKPRESSURE_EXCHANGES=$(BACKPRESSURE_EXCHANGES) $(GO) test -count=1 -v -timeout 3h -run MemoryStays ./cmd/reassay
