"""What import-linter cannot say: an allow-list for the rules, and that no game knows another."""

import ast
import sys
from pathlib import Path

import pytest

from games.catalog import CURRENT

ROOT = Path(__file__).resolve().parent.parent
SHARED_BY_GAMES = {"games.rules.cards", "games.rules.contract"}
GAME_MODULES = {type(rules).__module__ for rules in CURRENT.values()}


def imported(file):
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module


@pytest.mark.parametrize("file", sorted((ROOT / "games" / "rules").rglob("*.py")), ids=lambda file: file.stem)
def test_rules_import_only_the_standard_library_msgspec_and_what_games_share(file):
    foreign = {
        name
        for name in imported(file)
        if name not in SHARED_BY_GAMES and name.split(".")[0] not in {*sys.stdlib_module_names, "msgspec"}
    }
    assert foreign == set()


@pytest.mark.parametrize("file", sorted((ROOT / "games" / "rules").rglob("*.py")), ids=lambda file: file.stem)
def test_rules_know_no_clock_and_no_chance_of_their_own(file):
    tree = ast.parse(file.read_text())
    assert {"time", "datetime", "secrets", "os"}.isdisjoint(imported(file))
    calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    assert {call for call in calls if call.startswith(("random.", "Random"))} == set()


def product_files():
    for package in ("accounts", "cardsite", "games"):
        yield from (ROOT / package).rglob("*.py")


def test_only_the_catalog_knows_the_games():
    knowing = {
        file.relative_to(ROOT).as_posix()
        for file in product_files()
        if not GAME_MODULES.isdisjoint(imported(file))
    }
    assert knowing == {"games/catalog.py"}


def test_nothing_outside_the_rules_names_a_game_in_code():
    slugs = set(CURRENT)
    naming = {
        (file.relative_to(ROOT).as_posix(), node.value)
        for file in product_files()
        if "rules" not in file.parts and "migrations" not in file.parts
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Constant) and node.value in slugs
    }
    assert naming == set()


def test_there_are_no_signals_and_no_logic_in_save():
    for file in product_files():
        tree = ast.parse(file.read_text())
        assert "django.dispatch" not in imported(file), file
        assert "django.db.models.signals" not in imported(file), file
        defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
        assert "save" not in defined, file
