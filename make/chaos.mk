# make chaos    judges many exchanges while whatever can be killed is killed, and demands one verdict each; make test has a
#               short form

CHAOS_EXCHANGES ?= 10000
# How often a daemon is killed at each step between fetch and ack.
CHAOS_ROUNDS    ?= 5
CHAOS_SEED      ?= 1

.PHONY: chaos

chaos: bundles
	$(GO) test ./cmd/reassay -run '^TestChaos' -count=1 -v -timeout 3h \
	  -chaos-exchanges $(CHAOS_EXCHANGES) -chaos-rounds $(CHAOS_ROUNDS) -chaos-seed $(CHAOS_SEED)
