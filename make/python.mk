# The real Python SDKs, by name, version and hash, each in a virtual environment of its own; and what is run against
# them. CPython 3.11 is the one whose texts are emulated: name another with PYTHON=python3.11.

PYTHON ?= python3
# Packages with their versions, as sdkemu/python/release.go lists them. Each has a requirements and a schema file there.
PYTHON_SDKS := openai-2.54.0 openai-1.109.1 openai-3.57.0 anthropic-2.14.0 anthropic-0.121.0
FUZZ_STREAMS ?= 50000
FUZZ_SEED ?= 1

.PHONY: python-venvs conformance-python bench-python python-schemas

python-venvs: $(PYTHON_SDKS:%=.venvs/%/installed)

.venvs/%/installed: sdkemu/python/requirements-%.txt
	rm -rf .venvs/$*
	$(PYTHON) -m venv .venvs/$*
	.venvs/$*/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: -r $<
	cp $< $@

# Every stream of the fixtures in all chunkings, with the lines of the packages that they run; FUZZ_STREAMS mutated
# streams for each package and API, and five times as many values for the reply classes. Mutated streams that differ are
# shrunk and written to build/.
conformance-python: python-venvs
	go test ./sdkemu/python -run 'TestConformance|TestFuzz' -count=1 -timeout 0 -v -whole -fuzz-streams $(FUZZ_STREAMS) -fuzz-seed $(FUZZ_SEED) -fuzz-finds $(CURDIR)/build/python-finds.jsonl

# make bench measures the real packages beside the emulation.
bench: python-venvs

bench-python: python-venvs
	go test ./sdkemu/python -run '^$$' -bench . -benchmem

# The tables that are read off the packages and the interpreter.
python-schemas: python-venvs
	$(foreach sdk,$(PYTHON_SDKS),.venvs/$(sdk)/bin/python -B sdkemu/python/schema.py > sdkemu/python/schema-$(sdk).json;)
	.venvs/$(firstword $(PYTHON_SDKS))/bin/python -B sdkemu/python/unicode.py > sdkemu/python/unicode-python-3.11.txt
