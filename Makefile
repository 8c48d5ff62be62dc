# Two commands: `make up` serves, `make test` tests. Both need Python 3.11 or newer with venv, and nothing else.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
PIP := $(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes
PORT ?= 8000
HOST ?= 127.0.0.1

KEYWORDS := -k phrase -k phrases:1,2 -k words -k IllegalMove:2 -k IllegalOptions:2

.PHONY: up test lint schema words lock clean

up: $(VENV)/.runtime
	exec $(RUN) manage.py serve --host $(HOST) --port $(PORT)

test: $(VENV)/.dev
	$(RUN) -m pytest

lint: $(VENV)/.dev
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(RUN) -m mypy
	$(VENV)/bin/lint-imports

schema: $(VENV)/.dev
	$(RUN) manage.py spectacular --validate --fail-on-warn --file docs/openapi.yml

# What the rules say, and then what the pages say, collected for translation and compiled; translate what is new in
# locale/*/LC_MESSAGES/django.po and in cardsite/locale.
words: $(VENV)/.dev
	$(VENV)/bin/pybabel --quiet extract $(KEYWORDS) --no-location --sort-output --omit-header \
		--ignore-dirs 'pages .*' -o locale/django.pot games
	$(VENV)/bin/pybabel --quiet update --domain django --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date \
		-i locale/django.pot -d locale
	$(VENV)/bin/pybabel --quiet compile --domain django -d locale
	$(RUN) -m babel.messages.frontend --quiet extract -F babel.cfg -k gettext_lazy --no-location --sort-output --omit-header \
		-o cardsite/locale/django.pot cardsite accounts games/pages games/templates
	$(VENV)/bin/pybabel --quiet update --domain django --no-fuzzy-matching --ignore-obsolete --ignore-pot-creation-date \
		-i cardsite/locale/django.pot -d cardsite/locale
	$(VENV)/bin/pybabel --quiet compile --domain django -d cardsite/locale

# Pins with hashes, and no name of an index in them.
lock: $(VENV)/.dev
	$(RUN) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header pyproject.toml -o requirements.txt
	$(RUN) -m uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --extra dev pyproject.toml -o requirements-dev.txt

$(VENV)/.runtime: requirements.txt | $(VENV)/bin/python
	$(PIP) -r requirements.txt
	touch $@

$(VENV)/.dev: requirements-dev.txt | $(VENV)/bin/python
	$(PIP) -r requirements-dev.txt
	touch $@ $(VENV)/.runtime

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=…")'
	$(PYTHON) -m venv $(VENV)

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis staticfiles
