# ZimoScope. The two that matter:
#   make run    install what is missing, build, open the window on a live demo session
#   make test   install what tests need, run all of them
# make help lists the others.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
MAKEFLAGS += --no-builtin-rules --no-print-directory

VERSION ?= 0.1.0
COMMIT  ?= $(shell git rev-parse --short HEAD 2>/dev/null)

# Version and commit come from here, so a checkout that git refuses to read still builds.
export GOFLAGS := $(GOFLAGS) -buildvcs=false
LDFLAGS     := -s -w -X zimoscope/app.Version=$(VERSION) -X zimoscope/app.Commit=$(COMMIT)
# webkit2_41 is not optional: without it calls from the page lose their bodies.
WINDOW_TAGS := desktop,production,webkit2_41
TEST_TIME   := 8m
SLOW_TIME   := 60m
# How long make fuzz gives each target.
FUZZTIME    ?= 1m

BIN      := build/bin/zimoscope
HEADLESS := build/bin/zimoscope-headless
FRONT    := frontend/dist/index.html
MODULES  := frontend/node_modules/.package-lock.json

# What each build is made of. Everything in these folders counts, because Go embeds files of any kind.
GO_SOURCES    := go.mod go.sum $(wildcard *.go) \
                 $(shell find app backend e2e/check e2e/run -type f -not -name '*_test.go' -not -path '*/testdata/*')
FRONT_SOURCES := $(shell find frontend -type f -not -path 'frontend/node_modules/*' -not -path 'frontend/dist/*' \
                   -not -path 'frontend/test/*')

.PHONY: help
help: ## List the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-11s %s\n", $$1, $$2}'

# ---- run and build ----

.PHONY: run build serve
run: build ## Build, and open the window on the demo session (without a display: serve it)
	@if [ -n "$${DISPLAY:-}$${WAYLAND_DISPLAY:-}" ]; then exec $(BIN) --demo; fi; \
	echo "There is no display; open this address in a browser. Ctrl-C ends it." >&2; \
	exec $(BIN) serve --demo

build: $(BIN) ## Build the program with its window

serve: $(HEADLESS) ## Build without the window, and serve the demo session to a browser
	@exec $(HEADLESS) serve --demo

$(BIN): $(GO_SOURCES) $(FRONT) | setup-run
	go build -tags $(WINDOW_TAGS) -trimpath -ldflags "$(LDFLAGS)" -o $@ .

$(HEADLESS): $(GO_SOURCES) $(FRONT) | setup-serve
	go build -trimpath -ldflags "$(LDFLAGS)" -o $@ .

$(FRONT): $(FRONT_SOURCES) $(MODULES)
	cd frontend && npm run build
	@touch $@

# npm ci refuses the whole lock file where a registry lacks one optional package of another system; npm install then
# takes the same locked versions without it.
$(MODULES): frontend/package.json $(wildcard frontend/package-lock.json)
	cd frontend && { npm ci --no-audit --no-fund --silent || npm install --no-save --no-audit --no-fund; }
	@touch $@

.PHONY: setup-run setup-serve setup-test
setup-run setup-serve: setup-%:
	@scripts/setup.sh $*

# Tests that need what could not be installed say so and are skipped; all others run.
setup-test:
	@scripts/setup.sh test || echo "make: going on without the packages named above; tests that need them are skipped" >&2

# ---- test ----

.PHONY: test test-frontend test-go test-browser test-window test-bench test-slow proof-kv proof bench bench-ui shots fuzz fuzz-quick
test: setup-test test-frontend test-go test-browser test-window test-bench fuzz-quick ## Install what tests need, run all tests
	@echo "make test: all passed"

test-frontend: $(MODULES)
	cd frontend && npm run lint && npm run typecheck && npm test
	@$(MAKE) $(FRONT)

test-go: $(FRONT)
	go vet ./...
	go vet -tags window,browser ./e2e/...
	go test -race -timeout $(TEST_TIME) ./...

test-browser: $(FRONT) ## Drive the program in Chromium (BROWSER_ARGS="hostile" runs one file)
	frontend/node_modules/.bin/tsc -p e2e/browser
	go test -tags browser -count=1 -v -timeout $(TEST_TIME) ./e2e/browser

test-window:
	@if pkg-config --exists gtk+-3.0 webkit2gtk-4.1; then \
	  $(MAKE) $(BIN); go vet -tags $(WINDOW_TAGS) . ./app/window; \
	else echo "make: the window can't be built here, its smoke test will be skipped" >&2; fi
	go test -tags window -count=1 -v -timeout $(TEST_TIME) ./e2e/window

test-bench: ## Run every benchmark once, to see that it runs
	go test -run xxx -bench . -benchtime 1x -timeout $(TEST_TIME) ./...
	go run ./internal/bench -quick

# All seeds run with test-go; this looks a little further where a target builds quickly. By count, not by time: it ends
# the same way on a busy machine.
fuzz-quick:
	scripts/fuzz.sh 20000x "./backend/zimoos ./backend/requestview/wire"

fuzz: $(FRONT) ## Fuzz each target for FUZZTIME (1m), such as: make fuzz FUZZTIME=1h
	scripts/fuzz.sh $(FUZZTIME)

test-slow: setup-test $(FRONT) ## Run the long tests too (crashes, large sessions, soak)
	ZIMOSCOPE_SLOW=1 go test -race -count=1 -timeout $(SLOW_TIME) ./...

proof-kv: ## Hold predicted cache reuse against a true KV cache (needs npm, git, cmake, ninja, g++; a network at first)
	scripts/kv/engine.sh
	ZIMOSCOPE_SLOW=1 go test -count=1 -v -timeout $(SLOW_TIME) -run PredictedReuse ./e2e/kv

proof: proof-kv ## Print every figure of docs/reliability.md and of the KV cache (long: crashes, torn files, the soak)
	ZIMOSCOPE_SLOW=1 go test -count=1 -v -timeout $(SLOW_TIME) ./e2e/faults ./e2e/soak

bench: $(FRONT) ## Measure, with the figures to compare against in the same run
	go run ./internal/bench

shots: $(HEADLESS) ## Take the pictures of README and guide anew, from the running program
	cd frontend && node scripts/pictures.mjs ../$(HEADLESS) ../docs/images

bench-ui: $(HEADLESS) ## Measure the window in Chromium on a session of 10,000 requests (make bench-ui ONLY=body)
	go build -o build/bin/make-session ./e2e/browser/make
	cd frontend && node scripts/bench-ui.mjs ../$(HEADLESS) ../build/bin/make-session
	@if [ -x $(BIN) ]; then ZIMOSCOPE_LONG_SESSION=$${TMPDIR:-/tmp}/zimoscope-bench-ui-10000 \
	  go test -tags window -count=1 -v -timeout $(TEST_TIME) -run FiguresOfTheRealWindow ./e2e/window; \
	else echo "make: the figures of the real window are left out, build it first (make build)" >&2; fi

# ---- care ----

.PHONY: gen lint fmt clean wails dist dist-check vuln
gen: ## Write what is generated: the front end's types, the icon
	go run ./app/api/gen
	go run ./scripts/icon

lint: $(MODULES) ## Check form and style
	@bad=$$(gofmt -l app backend e2e scripts *.go); if [ -n "$$bad" ]; then echo "gofmt these (make fmt): $$bad"; exit 1; fi
	go vet ./...
	@if command -v golangci-lint >/dev/null; then golangci-lint run ./...; else echo "golangci-lint is not installed: left out"; fi
	cd frontend && npm run lint && npm run typecheck

fmt: ## Format the Go code
	gofmt -w app backend e2e scripts *.go

clean: ## Remove what was built
	rm -rf build/bin build/artifacts dist frontend/node_modules
	find frontend/dist -mindepth 1 -not -name .gitkeep -delete

wails: setup-test $(FRONT) ## Build by the framework's own tool, wails build, to see that it takes this tree (needs a network)
	VERSION=$(VERSION) COMMIT=$(COMMIT) scripts/wails-build.sh

dist: setup-run $(FRONT) ## Pack the program: .deb and tarball for this Linux, one for servers, one for Windows
	VERSION=$(VERSION) COMMIT=$(COMMIT) scripts/dist.sh

dist-check: dist ## Check what is in the packages; as root, install, start and remove the .deb too
	VERSION=$(VERSION) COMMIT=$(COMMIT) scripts/dist-check.sh

vuln: $(MODULES) ## Look for known weaknesses of what is built in (needs a network)
	scripts/vuln.sh
