# make build    bin/reassay, with the Node SDKs bundled into it
# make demo     build, then replay the recorded exchanges and print the corruption report
# make test     every test
# make measure  plants faults and allowed changes into ideal translations: how many are found, how many mistaken (in-sample)
#
# A fresh machine needs Go, Node with npm, Python 3 with venv, git and make; package registries are all that is fetched.

GO      ?= go
PACKAGE ?= ./...
# How long each fuzz target runs in make fuzz.
FUZZTIME ?= 20s
# A package's tests may take this long: those against the real SDKs are minutes of work on a busy machine.
TIMEOUT ?= 20m

.PHONY: build demo test check conformance bench fuzz race clean
.DEFAULT_GOAL := build

# node.mk: bundles, the Node SDKs bundled for goja. python.mk: python-venvs, the Python SDKs for the conformance tests.
# measure.mk: measure, the in-sample measurement of the rules. chaos.mk: chaos, everything that can be killed is killed.
# backpressure.mk: backpressure, the daemon's memory.
include make/node.mk make/python.mk make/hostile.mk make/measure.mk make/chaos.mk make/backpressure.mk

build: bundles
	$(GO) build -buildvcs=auto -o bin/reassay ./cmd/reassay

demo: build
	bin/reassay replay fixtures/captures/*.jsonl --brief --fail-on never

test: check bundles python-venvs
	$(GO) test -timeout $(TIMEOUT) ./...
	cd mirror && $(GO) test ./...

# What needs no run: formatting and vet.
check: bundles
	@unformatted=$$(find . -name '*.go' -not -path '*/node_modules/*' -not -path './.venv*' | xargs gofmt -l); \
	  if [ -n "$$unformatted" ]; then echo "gofmt would change: $$unformatted"; exit 1; fi
	$(GO) vet ./...
	cd mirror && $(GO) vet ./...

# The whole comparison of the emulated SDKs with the real ones; hours on two cores, of which make test has a part. One
# SDK's alone: conformance-node and conformance-python.
conformance: conformance-node conformance-python

bench: bundles
	$(GO) test -run '^$$' -bench . -benchmem $(PACKAGE)

# Every fuzz target, one after the other.
fuzz: bundles
	@for package in $$($(GO) list $(PACKAGE)); do \
	  for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz'); do \
	    echo "$$package $$target"; \
	    $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$package || exit 1; \
	  done; \
	done

race: bundles python-venvs
	$(GO) test -race -timeout 60m $(PACKAGE)
	cd mirror && $(GO) test -race ./...

clean:
	rm -rf bin build
