# What a contributor does. Needs python3 (with venv), make and a C compiler;
# `make setup` fetches everything else into .venv.

PYTHON ?= python3
PYTEST_ARGS ?= -n auto
BIN := .venv/bin
STAMP := .venv/.setup-done
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

C_SOURCES := $(wildcard csrc/*.c csrc/*.h csrc/*.def csrc/CMakeLists.txt)
# selftest_gil.c needs Python's headers, which need not be installed.
SELFTEST_C := $(filter-out %/selftest_gil.c,$(wildcard tests/selftest/programs/*.c))
C_STYLED := $(wildcard csrc/*.[ch] tests/selftest/programs/*.[ch] tests/selftest/programs/*.cpp)
# Copied into the package when it is installed: see force-include in pyproject.toml.
DEMO_SOURCES := $(shell find fixtures/cpp/miniature -type f 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-torch test-aarch64 test-environments test-programs gpu-test lint format bench-static bench-growth bench-crashes bench-probe bench-analyze bench-live bench-metamorphic bench-hangs bench-trees chaos docs clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## make .venv with lockorder and its development tools

# Again only when what an editable install builds or copies has changed.
$(STAMP): pyproject.toml $(C_SOURCES) $(DEMO_SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { \
	  echo "lockorder needs Python 3.10 or newer: make PYTHON=/path/to/python3 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make virtual environments." >&2; \
	  echo "Debian, Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "setup: installing lockorder into .venv" >&2
	@$(BIN)/python -c '' 2>/dev/null || $(PYTHON) -m venv --clear .venv
	@$(PIP) install --editable '.[dev]'
	@touch $@

demo: setup ## the main job end to end, no GPU needed
	@$(BIN)/lockorder demo

test: setup ## all tests, spread over the cores; PYTEST_ARGS= runs them one by one
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

test-torch: setup ## real PyTorch (CPU) under the probe; fetches it into .venv-torch
	@test -x .venv-torch/bin/python || $(PYTHON) -m venv .venv-torch
	@.venv-torch/bin/python -c 'import torch' 2>/dev/null || \
	  .venv-torch/bin/python -m pip --disable-pip-version-check --quiet install 'torch==2.13.0' numpy
	@LOCKORDER_TORCH_PYTHON=$(CURDIR)/.venv-torch/bin/python $(BIN)/python -m pytest -q tests/torch

test-aarch64: setup ## the self-test's C programs for aarch64, under qemu-user
	@$(BIN)/python -m pytest -q $(PYTEST_ARGS) tests/aarch64

test-environments: setup ## the wheel beside PyTorch, CUDA, jax, conda,...; LOCKORDER_TEST_TREES="FOLDER,PATH:..."
	@PYTHONPATH=tests $(BIN)/python -m environments.matrix $(ENVIRONMENTS_ARGS)

gpu-test: setup ## on a machine with NVIDIA GPUs and PyTorch: the probe's cost and findings there
	@PYTHON=$${TORCH_PYTHON:-python3} tests/gpu/hazard.sh build/gpu
	@PYTHON=$${TORCH_PYTHON:-python3} tests/gpu/collectives.sh build/gpu
	@PYTHON=$${TORCH_PYTHON:-python3} tests/gpu/overhead.sh build/gpu
	@$(BIN)/python tests/gpu/footprint.py build/gpu/footprint

test-programs: setup ## well-known programs under the probe: same output, no error; what is not installed is named
	@$(BIN)/python tests/programs/run.py $(PROGRAMS)

lint: setup ## ruff, mypy --strict, clang-format, a C build with -Werror
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict
	$(BIN)/clang-format --dry-run -Werror $(C_STYLED)
	@$(BIN)/cmake -S csrc -B build/lint -G "Unix Makefiles" -DLOCKORDER_WERROR=ON >/dev/null
	$(BIN)/cmake --build build/lint --clean-first
	$(CC) -std=c11 -Wall -Wextra -Werror -fsyntax-only $(SELFTEST_C)

format: setup ## rewrite the sources as `make lint` wants them
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(C_STYLED)

bench-static: setup ## the static analysis' speed, as ratios
	@$(BIN)/python tests/bench/bench_static.py

bench-crashes: setup ## what crashes of libclang cost and lose; TREE=folder PATHS="src"
	@$(BIN)/python tests/bench/bench_crashes.py $(or $(TREE),fixtures/cpp/fleet) $(or $(PATHS),.)

bench-growth: setup ## time and memory on generated programs of 1k to 100k functions
	@$(BIN)/python tests/bench/bench_growth.py

bench-trees: setup ## time and memory on real trees: TREES="NAME=folder:src,lib ..." BENCH_ARGS="--plot cost.svg" (needs matplotlib)
	@PYTHONPATH=tests/bench $(BIN)/python tests/bench/bench_trees.py $(BENCH_ARGS) $(TREES)

bench-analyze: setup ## 4,096 ranks' traces merged: time, CPU, memory; 1.2 GB in TMPDIR
	@$(BIN)/python tests/bench/bench_analyze.py $(BENCH_ARGS)

bench-probe: setup ## what a lock costs under the probe, ThreadSanitizer, Helgrind and DRD
	@$(BIN)/python tests/bench/bench_probe.py

bench-live: setup ## what `run --live` costs the job, and of a core
	@$(BIN)/python tests/bench/bench_live.py

bench-metamorphic: setup ## programs written differently have the same findings; PROGRAMS="a/b.cpp" TREES="folder" BENCH_ARGS="--seed 2"
	@PYTHONPATH=tests $(BIN)/python -m metamorphic.campaign $(BENCH_ARGS) $(TREES:%=--tree %) $(PROGRAMS)

bench-hangs: setup ## what `hang` says first of 300 programs; BENCH_ARGS="--only locks --looks 10"
	@$(BIN)/python tests/hangs/table.py $(BENCH_ARGS)

chaos: setup ## ten minutes of everything at once under the probe; CHAOS_ARGS="--minutes 1 --seed 5"
	@$(BIN)/python tests/bench/chaos.py $(CHAOS_ARGS)

docs: setup ## write docs/rules/, docs/commands.md and the configuration's schema
	@$(BIN)/python -m lockorder.config_schema > .schema.tmp
	@mv .schema.tmp lockorder/config.schema.json
	@mkdir -p docs/rules
	@set -e; rules=$$($(BIN)/lockorder explain | awk '/^[a-z0-9]+(-[a-z0-9]+)*([ \t]|$$)/ { print $$1 }'); \
	for rule in $$rules; do $(BIN)/lockorder explain $$rule > docs/rules/$$rule.md; done
	@$(BIN)/python docs/write_commands.py > docs/commands.md

clean: ## remove .venv and everything that was built
	rm -rf .venv .venv-torch build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find lockorder runtime_probe tests -name __pycache__ -type d -prune -exec rm -rf {} +
