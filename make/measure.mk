# The in-sample measurement of the rules: planted faults and allowed changes. No SDK runs, so no bundle is needed.

MIN_RECALL ?= 0.95
MAX_ALARMS ?= 0.005

.PHONY: measure

measure:
	$(GO) run ./internal/measure -min-recall $(MIN_RECALL) -max-alarms $(MAX_ALARMS)

# The batches that were written without sight of the rules: their first scoring, and what the rules make of them now.
# blind2 is the second set, for the rules as they were after the misses of the first were repaired.
.PHONY: blind

blind:
	$(GO) run ./internal/measure -blind fixtures/blind
	$(GO) run ./internal/measure -blind fixtures/blind2
