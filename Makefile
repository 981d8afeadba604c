# Rumrunner. `make run` serves it, `make test` checks it; `make help` lists the rest.
SHELL := /bin/bash
PY := .venv/bin/python
PYTEST := $(PY) -m pytest
# Tests and tools run from the checkout; nothing here needs a service that is already running.
.DEFAULT_GOAL := help
.PHONY: help setup dev browser options images compiled runtime run quick test coverage lint format types peers bench soak screenshots lock clean

help: ## Say what each target does
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: .venv/.service runtime ## Make .venv, install what the service needs, and the sandbox folder
	@echo "Ready. 'make run' serves; '.venv/bin/rumrunner --help' is for bot authors."

.venv/.service: requirements.txt requirements-runtime.txt scripts/setup
	@scripts/setup service

.venv/.dev: .venv/.service requirements-dev.txt
	@scripts/setup dev

dev: .venv/.dev ## Install what tests and linters need, too

browser: .venv/.dev ## Get a Chromium for the browser tests where that is possible
	@scripts/setup browser

options: .venv/.service ## Install what optional settings need (RUMRUNNER_SENTRY_DSN, RUMRUNNER_STORE_URL, log-in by others)
	@scripts/setup options

images: ## Build the web and worker images without Docker, into build/images (root, debootstrap, buildah)
	@docker/build

compiled: .venv/.service ## Compile the engines where a C compiler is found; without, they run as plain Python
	@$(PY) scripts/compile_engines.py

runtime: .venv/.service ## Bring the sandbox folder up to date with engines/ and bots/kit/
	@$(PY) -m arena.sandbox.runtime

run: setup ## Serve the ladder on http://127.0.0.1:8000 (PORT=… for another port); Ctrl-C stops it
	@exec $(PY) manage.py up

quick: dev runtime ## The tests for daily use, at most 5 minutes
	$(PYTEST) -q -m "not slow and not service and not browser and not soak"

test: dev compiled runtime browser ## All tests, at most 25 minutes on 2 cores
	$(PYTEST) -q -m "not soak"

coverage: dev runtime browser ## All tests once more, slower, with the lines that no test reached
	$(PYTEST) -q -m "not soak" --cov --cov-report=term:skip-covered

lint: dev ## ruff, import-linter, djlint, yamllint
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/lint-imports --no-cache
	.venv/bin/djlint --check --lint --quiet ladder/web/templates
	.venv/bin/yamllint -s docker deploy .yamllint.yml

format: dev ## Put the code into the house's format
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .
	-.venv/bin/djlint --reformat --quiet ladder/web/templates

types: dev ## mypy
	.venv/bin/mypy engines arena bots ladder benchmarks/{engines,arena,ladder,ratings}

peers: .venv/.service ## Install the peers that benchmarks compare with (1.6 GB, in .peers)
	@scripts/setup peers

bench: dev compiled runtime ## Measure speed against floors and peers; docs/ says how to read it
	@scripts/bench

soak: dev runtime browser ## The long forms: kills, fuzz, scale (PART=tests/engines for some); writes docs/13-soak.md
	$(PYTEST) -q -m soak -n 1 --timeout 7200 -p tests.soak_page $(PART)

screenshots: dev runtime browser ## Every page in both themes and three widths, into screenshots/
	$(PY) scripts/screenshots.py

lock: dev ## Pin requirements/*.in with hashes
	@scripts/lock

clean: ## Remove what setup made; var/ with the data stays
	rm -rf .venv .peers .runtime engines/_compiled build dist *.egg-info screenshots .mypy_cache .ruff_cache .pytest_cache .hypothesis
