# Every target sets up what it needs: a virtual environment in .venv, filled by pip.
# PIP_FLAGS= passes your own index, for a CPU-only torch say.
PYTHON ?= python3
PIP_FLAGS ?=
DEMO_FLAGS ?=
BIN := .venv/bin
# one thread a test process: two processes share two cores
TEST_ENVIRONMENT := OMP_NUM_THREADS=1

.PHONY: setup demo test check format slow

setup: .venv/installed

.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --disable-pip-version-check --quiet $(PIP_FLAGS) --constraint constraints.txt --editable ".[dev]"
	touch $@

demo: setup
	$(BIN)/seq2see demo $(DEMO_FLAGS)

test: setup
	$(TEST_ENVIRONMENT) $(BIN)/python -m pytest -n 2 -m "not slow"

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

slow: setup
	$(BIN)/python -m pip install --disable-pip-version-check --quiet $(PIP_FLAGS) --constraint constraints.txt --editable ".[benchmarks]"
	$(BIN)/python -m pytest -m slow -s
