# Each target sets up what it needs in .venv, once, and again when pyproject.toml changes.
# ANTHROPI_PYTHON=python3 make TARGET  uses that Python as it is and installs nothing (machines without a network).

PYTHON ?= python3

ifdef ANTHROPI_PYTHON
PY    := PYTHONPATH=src $(ANTHROPI_PYTHON)
ready :=
else
PY    := .venv/bin/python
ready  = .venv/.ready-$(1)
endif

.PHONY: help walk studio examples gallery portraits test quick house lint bench soak gpu wheel docs clean
.DEFAULT_GOAL := help
unexport PYTHONDONTWRITEBYTECODE  # kept bytecode halves the time that pytest takes to collect
.NOTPARALLEL:            # two pips in one .venv would trip over each other

help:                    ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

walk: $(call ready,plots)  ## simulate a person who walks: a summary, and a page in out/
	@$(PY) examples/walk.py

studio: $(call ready,studio)  ## open the studio in a browser with a walking person
	@$(PY) -m anthropi.cli studio

examples: $(call ready,plots)  ## run every example; pages and pictures are saved in out/
	@$(PY) examples/_all.py

gallery: $(call ready,plots)  ## write live pages of ten scenes and an index to out/gallery
	@$(PY) tools/gallery.py

portraits: $(call ready,plots)  ## write the pictures of people in docs/pictures
	@$(PY) tools/portraits.py

test: lint               ## check format, lint and types; run every test except GPU tests and soak tests
	$(PY) -m pytest -n 2 --dist worksteal -m "not gpu and not soak"

quick: $(call ready,dev) ## run ruff and the fast tests; TESTS=tests/unit/gait selects a part
	$(PY) -m ruff format --check -q .
	$(PY) -m ruff check -q .
	HYPOTHESIS_PROFILE=quick $(PY) -m pytest -q -n 2 --dist worksteal --cases 2 -m "not slow and not gpu and not soak and not oracle" $(TESTS)

house: $(call ready,dev) ## measure the source tree: files, import cycles, type annotations, forbidden names
	@$(PY) tools/house.py

lint: $(call ready,dev)  ## run ruff and mypy only
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy

bench: $(call ready,dev) ## run every benchmark; each prints its claim and the measured numbers
	@failed=; for file in benchmarks/[!_]*.py; do \
	    [ -e "$$file" ] || continue; \
	    echo; echo "== $$file"; $(PY) "$$file" || failed="$$failed $$file"; \
	done; [ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

soak: $(call ready,dev)  ## run the property tests with 2000 examples each, and the tests marked soak; JOBS=16 TESTS=tests/unit
	HYPOTHESIS_PROFILE=soak $(PY) -m pytest -n $(or $(JOBS),0) -m soak $(TESTS)

gpu: $(call ready,dev) $(call ready,gpu)  ## run the tests that need an NVIDIA GPU
	$(PY) -m pytest -m gpu tests/kernels

wheel: $(call ready,plots)  ## build the wheel in dist/, check it, install it in a clean environment and simulate a walk
	$(PY) tools/wheel.py

docs:                    ## check the links and rebuild the tables in docs/ (needs no .venv)
	$(PYTHON) docs/build.py

clean:                   ## remove .venv, caches and pictures
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist out
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.ready-%: pyproject.toml
	@echo "Setting up .venv with anthropi[$*] ..."
	@.venv/bin/python -c "" 2>/dev/null || $(PYTHON) -m venv --clear .venv
	@.venv/bin/python -m pip install -qq --disable-pip-version-check -e ".[$*]"
	@touch $@
