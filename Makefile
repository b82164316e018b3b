# The main commands are `make run` and `make test`; the others are for developers.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
DATA ?= larder-data
LISTEN ?= 127.0.0.1:8080

# npm runs under the Node version in the lock file; the system's may be older.
NODE_BIN := $(CURDIR)/web/node_modules/.bin
WEB_SOURCES := $(shell find web/src web/public web/scripts web/index.html web/vite.config.ts -type f 2>/dev/null)

# Temporary test files go to memory if four gigabytes are free: 23 list tests took 48 s on a busy disk, 14 s in memory.
export TEST_TMPDIR ?= $(shell [ "$$(df --output=avail -m /dev/shm 2>/dev/null | tail -1)" -gt 4096 ] 2>/dev/null && echo /dev/shm || echo $${TMPDIR:-/tmp})

.PHONY: help run dev build package test test-rust test-web test-contract mutants test-e2e check check-rest generate bench fuzz world clean

help: ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort | column -t -s $$'\t'

run: web/dist/index.html ## Build, load the demo data into an empty folder, serve
	scripts/prerequisites build
	cargo build --profile local --locked -p larder --no-default-features --features demo
	exec target/local/larder serve --data-dir "$(DATA)" --listen "$(LISTEN)" --demo-if-empty

build: web/dist/index.html ## Build the web console and the release binary around it
	scripts/prerequisites build
	cargo build --release --locked -p larder --no-default-features --features demo,legacy

package: build ## Pack the release binary: a tarball and a Debian package with a systemd unit, in target/package
	scripts/prerequisites package
	scripts/package

dev: web/node_modules/.package-lock.json ## Serve with reload: the API on 8080, the console on 5173
	scripts/dev

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	scripts/prerequisites build
	cd web && npm ci --no-audit --no-fund
	touch $@

web/dist/index.html: web/node_modules/.package-lock.json $(WEB_SOURCES)
	cd web && npm run build

e2e/node_modules/.package-lock.json: e2e/package.json e2e/package-lock.json
	cd e2e && npm ci --no-audit --no-fund
	touch $@

# Every part runs, even if an earlier one failed; the last lines list what was skipped and why.
test: ## Everything: both database engines, the web console, the browser
	scripts/prerequisites test
	scripts/test-summary begin
	status=0; $(MAKE) --keep-going test-rust test-web test-e2e || status=$$?; scripts/test-summary; exit $$status

test-rust: web/dist/index.html ## Rules, data layer and API, on both database engines
	TMPDIR=$(TEST_TMPDIR) cargo nextest run --locked --workspace --all-features

test-web: web/node_modules/.package-lock.json ## The console's own tests
	cd web && npm test

test-contract: web/dist/index.html ## Requests made from the contract, to a real server; MINUTES=20 for longer
	scripts/prerequisites contract
	cargo build --locked --workspace --all-targets --all-features
	TMPDIR=$(TEST_TMPDIR) fuzz/run

mutants: ## Faults in what changed since BASE (a commit) that no test sees
	scripts/mutants $(or $(BASE),HEAD~1)

test-e2e: web/dist/index.html e2e/node_modules/.package-lock.json ## The whole product in Chromium
	cargo build --locked --workspace --all-targets --all-features
	cd e2e && TMPDIR=$(TEST_TMPDIR) npm test

check: web/node_modules/.package-lock.json ## Formatting, lints, types, generated files, layering
	cargo clippy --locked --workspace --all-targets --all-features -- -D warnings
	$(MAKE) check-rest

check-rest: web/node_modules/.package-lock.json
	cargo fmt --all --check
	cd web && npm run lint && npm run typecheck
	scripts/check-clock
	scripts/test-check-clock
	scripts/check-layers
	scripts/test-check-layers
	scripts/check-docs
	scripts/check-tests
	scripts/test-check-tests
	scripts/check-generated

generate: ## Regenerate openapi.json, the web console's types and its copy of the kinds
	cargo build -q --locked --workspace --all-targets --all-features
	target/debug/larder openapi > openapi.json.new
	mv openapi.json.new openapi.json
	target/debug/larder kinds > web/src/kinds.gen.ts.new
	mv web/src/kinds.gen.ts.new web/src/kinds.gen.ts
	cd web && npm run gen:api

bench: web/dist/index.html ## Benchmark, side by side with peers
	bench/run

fuzz: web/dist/index.html ## Long runs: 100,000 seeds of offline counting, hostile batches, 50 kills
	LARDER_COUNT_SEEDS=$${LARDER_COUNT_SEEDS:-100000} LARDER_COUNT_CASES=$${LARDER_COUNT_CASES:-5000} \
	LARDER_KILLS=$${LARDER_KILLS:-50} cargo nextest run --locked --workspace --all-features --test api --test killed \
	  --cargo-profile fuzz --profile fuzz \
	  -E 'test(stores::count::simulation) | test(stores::count::hostile) | binary(killed)'

world: web/dist/index.html ## 200 simulated groups, 28 days each, with every page held against the truth
	cargo build --locked --profile fuzz -p larder -p larder-world
	folder=$$(mktemp -d) && target/fuzz/larder-world --larder target/fuzz/larder --data-dir $$folder \
	  --seeds $${LARDER_WORLDS:-200} --days 28 --errors 20; status=$$?; rm -rf $$folder; exit $$status

clean: ## Remove build output; data stays
	cargo clean
	rm -rf web/dist web/embed web/node_modules e2e/node_modules
