# Streams that are made to hang, crash or bloat the program, through every SDK in every version and through check as a
# whole, with the time and the memory that each took; make test leaves out what takes long.

.PHONY: hostile

hostile: bundles
	go test -count=1 -v -timeout 2h -run Hostile ./internal/hostile ./cmd/reassay -args -all
