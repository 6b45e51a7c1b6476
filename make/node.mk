# The Node SDKs: their packages from the lockfile, and the bundles of them that sdkemu/node embeds.

NODE_SDKS := sdkemu/node
# A stamp of our own: npm also rewrites its hidden lockfile when only package-lock.json is to change.
NODE_MODULES := $(NODE_SDKS)/js/node_modules/.installed
NODE_BUNDLES := $(NODE_SDKS)/bundles/.stamp

.PHONY: node-modules bundles conformance-node

node-modules: $(NODE_MODULES)

$(NODE_MODULES): $(NODE_SDKS)/js/package.json $(NODE_SDKS)/js/package-lock.json
	cd $(NODE_SDKS)/js && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

bundles: $(NODE_BUNDLES)

# A bundle's header names what it was made from (bundle.go), and the program refuses a bundle made from anything else.
# The bundler then lets every bundle read a sound stream, for which it needs the prelude and the package's code.
$(NODE_BUNDLES): $(NODE_MODULES) $(wildcard $(NODE_SDKS)/js/*.mjs $(NODE_SDKS)/bundler/* $(NODE_SDKS)/prelude/* $(NODE_SDKS)/*.js) $(filter-out %_test.go,$(wildcard $(NODE_SDKS)/*.go))
	cd $(NODE_SDKS) && go run ./bundler
	touch $@

# The whole comparison with the real SDKs, for every version: every stream of the fixtures and every probe in every
# chunking and both modes, 20,000 mutated streams a version, which lines of the SDKs' streaming code the streams reach,
# and JSON.parse. It takes hours on two cores; make test has a part of it. For one version, and for one kind:
#
#	make conformance-node NODE_RUN='Mutations/openai-node@7.59.0'
NODE_RUN ?= Conformance|Reference|Mutations|StreamingCoverage|JSONParse|Divergences

conformance-node: bundles
	go test -count=1 -v -timeout 12h -run '$(NODE_RUN)' ./$(NODE_SDKS) -args -all
