# Every target does its own set-up; a second run finds it done.
#
#   PYTHON=python3.12   the interpreter to make the environment with
#   PIP_ARGS="…"        more arguments for pip, such as another index for the CPU build of torch (see README)
#   ARGS="…"            arguments of the program that the target starts (keepsake, pytest, a benchmark)

SHELL := /bin/bash
PY := .venv/bin/python
ARGS ?=
BENCHMARKS ?= startup embedding responsiveness closing context durability adding conversations
export PYTHON PIP_ARGS

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev run test lint format bench screenshots bundle clean

help:
	@echo "make run          set up, then open Keepsake"
	@echo "make test         set up, then run all tests"
	@echo "make lint         style, types and the direction of imports"
	@echo "make format       put the code in the project's style"
	@echo "make bench        every benchmark, one after the other; BENCHMARKS=startup for one"
	@echo "make screenshots  draw docs/screenshots anew"
	@echo "make bundle       freeze the app into dist/keepsake and check it"
	@echo "make setup        the set-up of make run alone"
	@echo "make clean        remove what the other targets made, except .venv"

setup:
	@packaging/setup.sh run

setup-dev:
	@packaging/setup.sh test

run: setup
	@$(PY) -m assistant $(ARGS)

test: setup-dev
	tests/with_secret_service.sh $(PY) -m pytest $(ARGS)

lint: setup-dev
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	.venv/bin/lint-imports

format: setup-dev
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

bench: setup-dev
	@for name in $(BENCHMARKS); do echo "== $$name"; $(PY) -m benchmarks.$$name $(ARGS) || exit 1; done

screenshots: setup-dev
	$(PY) -m docs.make_screenshots $(ARGS)

bundle: setup-dev
	@echo "Preparing the models."
	$(PY) packaging/prepare_models.py build/models
	$(PY) -m PyInstaller --noconfirm --log-level WARN build.spec
	packaging/check_bundle.sh

clean:
	rm -rf build dist *.egg-info .mypy_cache .ruff_cache .hypothesis .pytest_cache .import_linter_cache .cache
	find . -name __pycache__ -not -path './.venv/*' -prune -exec rm -rf {} +
