# Everything here sets itself up: a plain clone, python3 (3.11 or newer) and make are enough.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo bench test test-all test-asan format format-check lint types imports unit docs clean

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.cli ## Show the main job: one robot by every formulation, then compiled, on a million states
	@$(BIN)/python examples/demo.py

bench: $(VENV)/.dev ## Measure speed beside Pinocchio and MuJoCo, and write the tables of the documentation anew
	$(BIN)/linkwise bench --save docs/measured/benchmark.md

test: format-check lint types imports unit ## Check format, lint, types, import rules and run the tests

test-all: $(VENV)/.dev ## Run the tests with those that take minutes
	$(BIN)/pytest -n auto -m "slow or not slow"

test-asan: $(VENV)/.dev ## Test the call layer under gcc's address and undefined-behaviour sanitisers
	$(BIN)/python tests/kernel/sanitised.py

format: $(VENV)/.dev ## Put the code in the common format, mend what lint can mend
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

format-check: $(VENV)/.dev
	$(BIN)/ruff format --check

lint: $(VENV)/.dev ## Look for mistakes with ruff
	$(BIN)/ruff check

types: $(VENV)/.dev ## Check the types with pyright
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright

imports: $(VENV)/.dev ## Check which room of the house imports which
	$(BIN)/lint-imports

unit: $(VENV)/.dev ## Run the tests
	$(BIN)/pytest -n auto

docs: $(VENV)/.dev docs/generated/counts.md ## Build the documentation in docs/_build/html, warnings as errors
	$(BIN)/sphinx-build -W --keep-going -n -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

docs/generated/counts.md: docs/count_tables.py $(wildcard src/linkwise/*.py src/linkwise/*/*) | $(VENV)/.dev
	@echo "Counting operations, about a minute ..."
	@mkdir -p $(@D)
	@$(BIN)/python docs/count_tables.py > $@

clean: ## Remove the environment and everything that was built
	rm -rf $(VENV) docs/_build docs/generated build dist .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -f src/linkwise/kernel/_call.*.so

# The environment: a stamp for each set of extras, made again when what is installed changes.

INSTALLED := pyproject.toml setup.py src/linkwise/kernel/_call.c

$(VENV)/.cli: $(INSTALLED)
	$(call installed,cli)

$(VENV)/.dev: $(INSTALLED)
	$(call installed,dev)
	@touch $(VENV)/.cli

define installed
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
    echo "linkwise needs Python 3.11 or newer, and $(PYTHON) is $$($(PYTHON) --version 2>&1)." >&2; \
    echo "Name another one, for example: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
@$(PYTHON) -m venv $(VENV) || { \
    echo "$(PYTHON) cannot make a virtual environment (on Debian and Ubuntu: apt install python3-venv)." >&2; exit 1; }
@echo "Installing linkwise[$(1)] in $(VENV) ..."
@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(1)]'
@touch $@
endef
