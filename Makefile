# Everything runs in .venv, which the first target that needs it makes. `make help` lists all.

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test node registry check generate golden bench package clean

VENV := .venv
BIN := $(VENV)/bin
NEEDED := import sys; sys.exit(sys.version_info < (3, 11))

# The first interpreter that runs and is new enough; `make PYTHON=/a/python test` overrides.
PYTHON ?= $(firstword $(foreach each,python3.11 python3.12 python3.13 python3,\
	$(shell $(each) -c "$(NEEDED)" 2>/dev/null && echo $(each))))

PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
WORKERS ?= auto

help: ## List the targets.
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | \
		while IFS='|' read -r name text; do printf '  make %-12s %s\n' "$$name" "$$text"; done

# Two installations in one environment: what the program needs, then what its authors need.
$(VENV)/.runtime: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed; name it with PYTHON=..."; exit 1; }
	@test -x $(BIN)/python || { echo "making $(VENV) with $(PYTHON)"; $(PYTHON) -m venv $(VENV); }
	@$(PIP) hatchling
	@$(PIP) --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime
	@echo "installing what developing needs"
	@$(PIP) --no-build-isolation --editable '.[dev]'
	@touch $@

demo: $(VENV)/.runtime ## Compile the examples into build/demo.
	@rm -rf build/demo
	$(BIN)/fleet compile examples/*/*.taskset.yaml examples/*/*.environment.yaml -o build/demo
	@printf '%s\n' '' 'What to look at next:' \
		'  examples/small/log-triage.taskset.yaml   Tasks and Verifiers written by hand' \
		'  examples/dataset/                        a Task for each row of a data file' \
		'  examples/environment/                    an Environment of its own' \
		'  examples/fleet.lock                      what terminal@v1 is pinned to' \
		'  build/demo/index.json                    the compiled roots by name: an OCI image layout' \
		'  README.md                                how to write a TaskSet of your own' '' \
		'Run `make demo` again, or elsewhere: the digests stay the same. Break an example, and see.'

test: $(VENV)/.dev ## Run the tests.
	$(BIN)/python -m pytest -n $(WORKERS)

node: ## Install the node tools that some tests use.
	@sh tools/install_node.sh

registry: ## Install skopeo and a registry, which some tests use.
	@sh tools/install_registry.sh

check: $(VENV)/.dev ## Lint, types, generated files, schemas that only accept more, documented examples.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m codegen check
	$(BIN)/python -m tools.check_schemas
	$(BIN)/python -m tools.check_generations
	$(BIN)/python -m tools.check_docs
	$(BIN)/python -m tools.check_diagnostics

generate: $(VENV)/.dev ## Write what is generated from the schemas.
	$(BIN)/python -m codegen write

golden: $(VENV)/.dev ## Rewrite golden files and documented output; read the diff.
	FLEET_GOLDEN=write $(BIN)/python -m pytest -n $(WORKERS)
	$(BIN)/python -m tools.check_docs --write
	$(BIN)/python -m tools.check_diagnostics --write

bench: $(VENV)/.dev ## Measure against peers.
	$(BIN)/python -m tools.bench

package: $(VENV)/.dev ## Build the wheel and the source distribution into dist/.
	@rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist .

clean: ## Remove everything that make made.
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
