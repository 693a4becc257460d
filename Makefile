# Everything is built into build/ (ignored by git). `make` alone lists the targets.
GO ?= go

# What the program is made of: `make run` builds again only when one of these is newer.
SOURCES := go.mod go.sum $(shell find mockserver schemas -name node_modules -prune -o -name testdata -prune -o \
	-type f \( -name '*.go' -o -name '*.json' -o -name '*.sql' -o -name '*.html' \) ! -name '*_test.go' -print)

.PHONY: help run test check bench wasm aar xcframework clean
.DEFAULT_GOAL := help

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'

run: build/mockserver ## build what is missing and serve the mock export API on http://localhost:8080
	@web=; [ ! -e build/web/index.html ] || web='--web build/web'; exec build/mockserver serve --state build/rehearsal.db $$web

build/mockserver: $(SOURCES)
	@mkdir -p build
	$(GO) build -trimpath -o $@ ./mockserver/cmd/mockserver

test: ## install what the tests need and run all of them
	@bash .ci/test

check: ## format, vet, staticcheck, known vulnerabilities, tidy modules, house rules
	@bash .ci/check

bench: ## measure the server and the files, as ratios against plain Go on this machine
	$(GO) run ./mockserver/bench

wasm: ## build the web bundle (not there yet: comes with the wasm folder)
	@echo "make wasm: nothing to build yet, the web bundle comes with the folder wasm/" >&2; exit 1

aar: ## build the Android library (not there yet: comes with the mobile folder)
	@echo "make aar: nothing to build yet, the Android library comes with the folder mobile/" >&2; exit 1

xcframework: ## build the iOS framework (not there yet: comes with the mobile folder)
	@echo "make xcframework: nothing to build yet, the iOS framework comes with the folder mobile/" >&2; exit 1

clean: ## remove everything that was built, and the state of `make run`
	rm -rf build schemas/node_modules schemas/dist
