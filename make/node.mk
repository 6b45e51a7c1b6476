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

# bundle.go digests these files into every bundle's first line, and the program refuses a bundle made from others.
$(NODE_BUNDLES): $(NODE_MODULES) $(wildcard $(NODE_SDKS)/js/*.mjs $(NODE_SDKS)/bundler/*) $(addprefix $(NODE_SDKS)/,bundle.go release.go replacement.go)
	cd $(NODE_SDKS) && go run ./bundler
	touch $@

# The whole comparison with the real SDKs: every probe in every chunking, and 20,000 mutated streams an API. It takes
# about twenty minutes on two cores; make test has a part of it.
conformance-node: bundles
	go test -count=1 -v -timeout 2h -run 'Conformance|Reference|Mutations|JSONParse' ./$(NODE_SDKS) -args -all
