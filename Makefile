# Everything runs in a virtual environment built from requirements.lock.
# Another place for it:  make VENV=/some/folder test      Another Python:  make PYTHON=python3 test

VENV   ?= .venv
PYTHON ?=
ARGS   ?=

BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

SYSTEM := chromium curl fonts-dejavu-core

.PHONY: help setup browser demo quick faults test thorough pythons lint types reference pictures frozen kill-story soak page-soak bench lock clean
.DEFAULT_GOAL := help

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 8

setup: $(STAMP)  ## build the virtual environment, when the lock or pyproject.toml changed

# PyBullet follows numpy: compiled without it, it returns pictures as tuples, which are slow to read.
# To GCC 14, its calls of numpy are errors; without debug symbols it is compiled sooner.
OPTIMISED := -O2 -DNDEBUG -fno-strict-overflow
FLAGS     := CXXFLAGS='$(OPTIMISED)' CFLAGS='$(OPTIMISED) -Wno-incompatible-pointer-types'
$(STAMP): requirements.lock pyproject.toml
	@python=$$(.ci/find-python "$(PYTHON)") && "$$python" .ci/check_python.py && \
	"$$python" -m venv $(if $(wildcard $(VENV)/pyvenv.cfg),--clear) $(VENV)
	$(PIP) install 'setuptools>=71' $$(grep '^numpy==' requirements.lock)
	$(FLAGS) $(PIP) install --no-build-isolation $$(grep '^pybullet==' requirements.lock)
	$(PIP) install -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation -e .
	$(BIN)/python -c 'import spatial_reasoner.tick.reasoner, spatial_reasoner.sight.gl_sight; from spatial_reasoner.kernels.compiled import prepare; prepare()'
	@touch $@

demo: $(STAMP)  ## play Sally and Anne, in the terminal and on a page (ARGS="--case watching")
	$(BIN)/mindboard demo sally-anne $(ARGS)

browser:  ## install what the tests want of the system: Debian's Chromium, and curl
	@{ command -v chromium && command -v curl; } >/dev/null || \
	  { test "$$(id -u)" = 0 && command -v apt-get >/dev/null && { apt-get -qq update || true; } && \
	  DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3 \
	  install -y --no-install-recommends $(SYSTEM) >/dev/null; } || \
	  echo 'make: without Chromium the page is not tested: apt-get install $(SYSTEM)' >&2

quick: $(STAMP)  ## run the tests of each change, at most 90 s (tests/quick/selection.txt names them)
	$(BIN)/python -m pytest -n 2 --dist loadfile $$(grep -v '^#' tests/quick/selection.txt) $(ARGS)

faults: $(STAMP)  ## try which of 60 one-line faults the tests catch (ARGS=--quick: the quick tests)
	$(BIN)/python -m tests.quick $(ARGS)

# Test folders that have the machine to themselves: their docstring has a line "Runs alone: why".
ALONE = $(patsubst %/__init__.py,%,$(shell grep -l '^Runs alone: ' tests/*/__init__.py))

test: $(STAMP) browser  ## run all the tests (ARGS="-k expiry" for some)
ifeq ($(ARGS),)
	$(BIN)/python -m pytest -n 2 --dist loadfile $(ALONE:%=--ignore=%)
	$(BIN)/python -m pytest $(ALONE)
else
	$(BIN)/python -m pytest $(ARGS)
endif

thorough: $(STAMP) browser  ## run all the tests with every example of each law, for hours
	THOROUGH=1 $(BIN)/python -m pytest --timeout 3600 $(ARGS)

pythons:  ## run the quick tests under Python 3.12 and 3.13, as far as the machine has them
	@ran=; for version in 3.12 3.13; do \
	  python=$$(.ci/find-python $$version) || continue; \
	  $(MAKE) VENV=$(VENV)-$$version PYTHON="$$python" quick && ran=yes || exit; \
	done; test -n "$$ran"

lint: $(STAMP)  ## check the style
	$(BIN)/ruff check .

types: $(STAMP)  ## check the types, strictly
	$(BIN)/mypy

reference: $(STAMP)  ## make docs/reference anew from the code
	$(BIN)/python -m docs.generator

pictures: $(STAMP) browser  ## take the pictures of the page anew
	$(BIN)/python -m docs.generator.pictures

frozen: $(STAMP)  ## record all facts of a revision and of this tree, and compare them (BASE=HEAD)
	$(BIN)/python -m tests.frozen against $(or $(BASE),HEAD) $(ARGS)

kill-story: $(STAMP)  ## kill a server fifty times under load, and look for what is lost
	KILLS=50 $(BIN)/python -m pytest tests/service/test_kills.py --timeout 600 $(ARGS)

soak: $(STAMP)  ## ten minutes of mixed load, and what grows (ARGS="--seconds 60")
	$(BIN)/python -m tests.soak $(ARGS)

page-soak: $(STAMP) browser  ## ten minutes of the page of a busy board, and what of it grows
	$(BIN)/python -m benchmarks.page_soak $(ARGS)

bench: $(STAMP) browser  ## measure against peers, and print the table
	$(BIN)/python -m benchmarks $(ARGS)

lock:  ## resolve the newest versions into requirements.lock
	@new=$$(mktemp -d) && trap 'rm -rf "$$new"' EXIT && \
	"$$(.ci/find-python "$(PYTHON)")" -m venv $$new && $$new/bin/pip install --quiet -e '.[dev]' && \
	$$new/bin/pip freeze --exclude-editable > $$new/lock && cp $$new/lock requirements.lock

clean:  ## remove the virtual environments and what tools leave behind
	rm -rf $(VENV) $(VENV)-3.* build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
