# make run    serve the app                     make test   every check and test
# make bench  measurements                      make clean  remove what make made
# make browser  Debian's Chromium for the browser tests
# make test-scale  the tests on PostgreSQL, Redis and nginx; as root on Debian they are installed first
# make bench-live  open streams, from commit to phone, rounds a second, kill -9, tap to verdict
# make lock   write requirements*.txt anew      make audit  known vulnerabilities
# make words  collect new texts for translation
# make runtime  the engine that plays on a phone, into static/runtime
#
# Needs Python 3.11 or newer; everything else is installed into .venv, once.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
PIP_INSTALL := $(PY) -m pip install -qq --disable-pip-version-check --require-hashes
WORKERS ?= 2

# A caller's own Python settings must not reach the app or its tests.
unexport PYTHONPATH PYTHONHOME PYTHONSTARTUP VIRTUAL_ENV MYPYPATH PYTEST_ADDOPTS

# A .venv whose Python is gone (upgraded, moved) is made anew.
ifeq ($(shell $(PY) -c "" 2>/dev/null && echo works),)
$(shell rm -rf $(VENV))
endif

.DEFAULT_GOAL := help
.PHONY: help run test test-scale services check bench bench-live browser runtime lock audit words clean

help:
	@sed -n '/^# make/s/^# //p' Makefile

# Without the engine for phones, which needs more than Python to build, practice is played on the server.
run: $(VENV)/.app
	@$(PY) scripts/make_runtime.py --if-possible
	@exec $(PY) app.py

runtime: $(VENV)/.app
	@$(PY) scripts/make_runtime.py

# The checks come first: they take seconds.
test: $(VENV)/.dev check
	@echo "== pytest"
	@$(PY) -m pytest -n $(WORKERS) --dist loadgroup

# The same tests as `make test` on the other database, and two app processes behind nginx.
test-scale: $(VENV)/.dev services
	@echo "== pytest, with PostgreSQL, Redis and nginx"
	@SCOREKEEPER_SCALE=1 $(PY) -m pytest -n $(WORKERS) --dist loadgroup -m scale

# Debian would start what it installs, and keep it running: policy-rc.d says no for as long as it takes.
SERVICES := postgresql redis-server nginx
services:
	@if ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && command -v redis-server >/dev/null && \
	  PATH="$$PATH:/usr/sbin" command -v nginx >/dev/null; then :; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  echo "== installing $(SERVICES)"; policy=/usr/sbin/policy-rc.d; \
	  if [ ! -e $$policy ]; then trap "rm -f $$policy" EXIT; printf '#!/bin/sh\nexit 101\n' >$$policy; chmod +x $$policy; fi; \
	  apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $(SERVICES) >/dev/null; \
	else echo "PostgreSQL, Redis and nginx are missing. As root on Debian: apt-get install $(SERVICES)" >&2; exit 1; fi

CHECKED := $(wildcard app.py scorekeeper bench tests)

check: $(VENV)/.dev
	@echo "== ruff" && $(PY) -m ruff check .
	@echo "== mypy" && $(PY) -m mypy $(CHECKED)
ifneq ($(wildcard templates),)
	@echo "== djlint" && $(PY) -m djlint --lint --quiet templates
endif

bench: $(VENV)/.dev
	@$(PY) -m bench.run $(if $(ONLY),--only $(ONLY))

bench-live: $(VENV)/.dev services
	@$(PY) -m bench.run --only live kills tap

browser:
	@if command -v chromium || command -v chromium-browser || command -v google-chrome; then :; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium; \
	else echo "Chromium is missing. As root on Debian: apt-get install chromium" >&2; exit 1; fi

# Without any index address, so that a lock installs from wherever the machine gets its packages.
LOCK := .venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-emit-find-links --no-annotate --no-header --upgrade
lock:
	@[ -x .venv-lock/bin/uv ] || { $(PYTHON) -m venv .venv-lock && .venv-lock/bin/python -m pip install --quiet uv; }
	$(LOCK) requirements.in -o requirements.txt
	$(LOCK) -c requirements.txt requirements-scale.in -o requirements-scale.txt
	$(LOCK) -c requirements.txt -c requirements-scale.txt requirements-dev.in -o requirements-dev.txt
	$(LOCK) requirements-node.in -o requirements-node.txt

audit: $(VENV)/.dev
	@$(PY) -m pip_audit --require-hashes --disable-pip -r requirements-dev.txt

# New texts into every language's catalogue; what is only nearly the same is left to be translated.
# Of the header only the language, its plurals and the encoding are kept: no dates, no names.
words: $(VENV)/.app
	@$(PY) -m babel.messages.frontend -q extract -F translations/babel.cfg -k N_ --omit-header --sort-output \
	  --no-location -o translations/messages.pot .
	@$(PY) -m babel.messages.frontend -q update -i translations/messages.pot -d translations --ignore-obsolete --no-fuzzy-matching
	@rm translations/messages.pot
	@sed -i.old -E -e '1{/^$$/d;}' -e '/^"(Project-Id|Report|POT-Creation|PO-Revision|Last-Translator|Language-Team|Generated)/d' \
	  translations/*/LC_MESSAGES/messages.po
	@rm translations/*/LC_MESSAGES/messages.po.old

clean:
	rm -rf $(VENV) .venv-lock .pyodide static/runtime .mypy_cache .ruff_cache .pytest_cache .hypothesis test-results
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3 ..." >&2; exit 1; }
	@echo "== making $(VENV)"
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "Python's venv module is missing. On Debian: apt-get install python3-venv" >&2; exit 1; }

# Stamps: a second run installs nothing.
$(VENV)/.app: requirements.txt | $(PY)
	@echo "== installing what the app needs: about 30 MB, once"
	@$(PIP_INSTALL) -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements.txt requirements-dev.txt | $(PY)
	@echo "== installing what the app and its tests need: about 160 MB, once"
	@$(PIP_INSTALL) -r requirements-dev.txt
	@touch $@ $(VENV)/.app
