# Everything goes through .venv, made by the first target that needs it and kept until the dependencies change.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.stamp

.DEFAULT_GOAL := help
.PHONY: help demo test test-all clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(STAMP) ## set up if needed, then decide every kernel in examples/; verdicts and Lean files land in devsem-out/
	@cd examples && ../$(BIN)/devsem verify --out ../devsem-out; code=$$?; \
	test $$code -eq 1 || { echo "make demo: some examples are wrong on purpose, so exit code 1 was expected, not $$code" >&2; exit 1; }

test: $(STAMP) ## set up if needed, then style, types and the fast tests
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/pytest

test-all: $(STAMP) ## the same with the slow tests
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/pytest -m ""

clean: ## remove the environment and everything generated
	rm -rf $(VENV) devsem-out build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(STAMP): pyproject.toml constraints.txt
	$(BIN)/python -c '' 2>/dev/null || $(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@
