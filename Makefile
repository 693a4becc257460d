# Everything is built into build/ (ignored by git). `make` alone lists the targets.
GO ?= go

# What the program is made of: `make run` builds again only when one of these is newer.
SOURCES := go.mod go.sum $(shell find mockserver schemas -name node_modules -prune -o -name testdata -prune -o \
	-type f \( -name '*.go' -o -name '*.json' -o -name '*.sql' -o -name '*.html' -o -name '*.css' \) ! -name '*_test.go' -print)

# What the page is made of: its own sources, the package, the bundle and the core in it, and the schemas of the payloads.
PAGE := $(shell find web wasm actions schemas/actions \( -name node_modules -o -name dist -o -name testdata -o -name test -o -name bench \) -prune -o \
	-type f ! -name '*_test.go' ! -name '*.md' -print) docs/.vitepress/bundled.mjs

# What the documents are made of: docs/ with the generator of the site, and the documents of the other folders.
DOCS := $(shell find . \( -name node_modules -o -name build -o -name dist -o -name .git -o -path ./docs/test \) -prune -o \
	-type f \( -name '*.md' -o -path './docs/*' \) -print)

.PHONY: help run generate notices test soak repeat check bench wasm aar xcframework clean
.DEFAULT_GOAL := help
.DELETE_ON_ERROR: # a page that was built in part is not built

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'

run: ## build and serve the mock export API on http://localhost:8080; its page and the documents follow when they are built
	@exec sh .ci/up

# The page needs npm; without it the server shows a plain page with the first commands.
.PHONY: page guide
page: build/web/index.html
guide: build/web/guide/index.html

build/web/index.html: $(PAGE) web/node_modules/.package-lock.json
	npm run --silent --prefix web build -w playground

# What the page is built of, and nothing of it built.
.PHONY: fetched viewer
fetched: web/node_modules/.package-lock.json viewer

viewer:
	@node web/viewer/fetch.mjs

# What the build of the page needs: 60 packages.
web/node_modules/.package-lock.json: web/package-lock.json
	npm ci --prefix web --omit=dev --no-audit --no-fund --silent
	@touch -r $< $@

# The same with what tests, checks and the build of types need. The page need not be built anew for it; whoever wants both asks for this first.
web/node_modules/.tools: web/package-lock.json
	npm ci --prefix web --no-audit --no-fund --silent
	@touch -r $< web/node_modules/.package-lock.json && touch $@

# All that the viewer of the API document is made of: for the notices alone.
web/viewer/node_modules/.package-lock.json: web/viewer/package-lock.json
	npm ci --prefix web/viewer --no-audit --no-fund --silent --ignore-scripts
	@touch $@

# The documents are a site, which the server shows at /guide/.
.PHONY: docs
docs: build/docs/index.html ## build the documents, a site in build/docs

build/docs/index.html: $(DOCS) docs/node_modules/.package-lock.json
	npm run --silent --prefix docs build

build/web/guide/index.html: build/docs/index.html | build/web/index.html
	@rm -rf build/web/guide.new && cp -R build/docs build/web/guide.new && touch build/web/guide.new/index.html && sh .ci/place build/web/guide

.PHONY: picture
picture: web/node_modules/.tools build/web/index.html build/mockserver ## take docs/playground.png, the picture of the README, anew (needs Chromium and pngquant)
	MOCKSERVER=build/mockserver node web/playground/test/picture.mjs
	pngquant --force --output docs/playground.png build/playground/picture.png

.PHONY: shots
shots: web/node_modules/.tools build/web/index.html build/mockserver ## take the pictures of the stories in docs/tutorials anew, by their test (needs Chromium and pngquant)
	MOCKSERVER=$(CURDIR)/build/mockserver SHOTS=docs/tutorials/pictures npm run --silent --prefix web stories -w playground
	pngquant --force --ext .png 64 docs/tutorials/pictures/*.png

docs/node_modules/.package-lock.json: docs/package-lock.json
	npm ci --prefix docs --no-audit --no-fund --silent
	@touch $@

# Without PostgreSQL, C and debugging data it takes a third less of the processor from empty caches, and is there sooner. With
# PROGRAM_FLAGS= it is of the same packages as tests, for who compiles these anyway. Modules are fetched while one processor compiles what
# everything else waits for.
PROGRAM_FLAGS ?= -tags nopostgres -gcflags=all=-dwarf=false

build/mockserver: export CGO_ENABLED = 0
build/mockserver: $(SOURCES)
	@mkdir -p build
	@[ -e $@ ] || { $(GO) build $(PROGRAM_FLAGS) runtime & $(GO) list $(PROGRAM_FLAGS) -deps ./mockserver/cmd/mockserver >/dev/null; wait; }
	$(GO) build $(PROGRAM_FLAGS) -ldflags="-s -w" -o $@ ./mockserver/cmd/mockserver

generate: ## write anew what is made from other files and checked in
	$(GO) generate ./...

notices: build/web/index.html build/docs/index.html web/viewer/node_modules/.package-lock.json ## write THIRD_PARTY_NOTICES and the bill of materials anew, after a change of dependencies
	$(GO) -C .ci/tools run ./notices $(NOTICES) "$(CURDIR)"

# TEST_LEVEL is quick, change or nightly.
test: ## run the tests that need Go only, and name the areas that the change touches besides
	@TEST_LEVEL=$${TEST_LEVEL:-quick} sh .ci/test

AREAS := test-web test-mobile test-api test-dist test-docs
.PHONY: $(AREAS)
test-web: ## test the actions on a web page and the playground, in browsers
test-mobile: ## test the bindings and hosts for Android and iOS
test-api: ## test the schemas and the API document with tools of other languages
test-dist: ## test what is published, installed as users do
test-docs: ## test the documents as a site
$(AREAS): test-%:
	@sh .ci/test $*

.PHONY: nightly
nightly: ## run everything with full counts and set up what it needs, in hours (SEED=N)
	@sh .ci/nightly

soak: ## for nightly runs: everything that can go wrong while clients work (SOAK=2m for each of twelve phases, RACE=20s with the race detector), ten million rows of random worlds (ROWS=N), long load (LOAD=N), forty worlds asked in SQL (WORLDS=N), fuzzing (FUZZ=1m); SEED=N
	@seed=$${SEED:-$$(date +%s)}; echo "SEED=$$seed"; \
	TEST_ROWS=$${ROWS:-10000000} TEST_CHAOS=$${SOAK:-2m} TEST_LOAD=$${LOAD:-2000} TEST_SEED=$$seed TEST_LEVEL=nightly \
	$(GO) test -count=1 -timeout 3h -v -run 'TestChaos|TestWorldsAreCoherent|TestLoad|TestIdleConnections|TestSlowClients' ./mockserver/e2e && \
	TEST_RACE=1 TEST_CHAOS=$${RACE:-20s} TEST_SEED=$$seed $(GO) test -count=1 -timeout 1h -v -run 'TestChaos' ./mockserver/e2e && \
	WORLDS=$${WORLDS:-40} SEED=$$seed sh mockserver/conformance/run.sh rules
	@for each in FuzzAcceptor FuzzSchema FuzzPattern; do $(GO) test -run '^$$' -fuzz "^$$each$$" -fuzztime $${FUZZ:-1m} ./schemas/acceptor || exit 1; done

repeat: ## run every Go test RUNS=100 times, with the race detector and without; it goes on where it was stopped
	@RUNS=$(RUNS) sh .ci/repeat

check: ## format, vet, staticcheck, known vulnerabilities, tidy modules, house rules
	@sh .ci/check

bench: ## measure the server, the files, the actions and the page, each figure beside its aim
	$(GO) run ./mockserver/bench
	@sh mobile/bench.sh
	@if command -v npm >/dev/null && command -v chromium >/dev/null; then $(MAKE) --no-print-directory bench-web; \
	else echo "actions on a web page: not measured, npm or chromium is not there"; fi

.PHONY: bench-web
bench-web: web/node_modules/.tools
	npm run --silent --prefix web bench -w actions
	@$(MAKE) --no-print-directory build/web/index.html build/mockserver
	@[ -e web/playground/bench/node_modules ] || npm ci --prefix web/playground/bench --no-audit --no-fund --silent
	MOCKSERVER=build/mockserver node web/playground/bench/run.mjs

wasm: web/node_modules/.tools ## build the web package with its bundles, in web/actions/dist
	npm run --silent --prefix web build -w actions

.PHONY: lite lite-compare
lite: ## make wasm/lite anew, the checked-in program of the lite bundle, after a change of the core (needs TinyGo)
	node web/actions/lite.mjs make

lite-compare: ## make the lite program again and compare it with wasm/lite, byte for byte (needs TinyGo)
	node web/actions/lite.mjs compare

aar: ## build the Android library, build/rehearsal.aar (needs the Android SDK and NDK)
	@mkdir -p build && $(GO) build -o build/pack ./mobile/pack && build/pack aar

xcframework: ## build the iOS library, a Swift package in build/rehearsal-ios (needs a Mac with Xcode)
	@mkdir -p build && $(GO) build -o build/pack ./mobile/pack && build/pack xcframework

.PHONY: dist
dist: ## make everything that is published, in build/dist, with the same bytes each time (VERSION=0.1.0)
	@VERSION=$(VERSION) sh .ci/dist

clean: ## remove everything that was built, and the state of `make run`
	rm -rf build schemas/dist web/actions/dist docs/.vitepress/cache
	find . -name node_modules -type d -prune -exec rm -rf {} +
