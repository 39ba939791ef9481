"""A text that is parsed again after an edit gives the tree and the findings of a text that was never seen."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from random import Random
from typing import Any

import pytest

from talewright.dsl import remembered as module
from talewright.dsl.parser import parse
from talewright.dsl.remembered import Remembered, moved
from talewright.dsl.source import Source

ROOT = Path(__file__).parents[2]
TYPED = 'abcdefghijklmnopqrstuvwxyz    \n:.,;(){}"#_0123456789A>'
SMALL = sorted(path for path in (ROOT / "scenarios").rglob("*.tale") if 2_000 < path.stat().st_size < 6_000)

_spec = importlib.util.spec_from_file_location("tale_test_edits", ROOT / "tests" / "compiler" / "edits.py")
assert _spec is not None
assert _spec.loader is not None
_edits = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_edits)


def edited(text: str, chance: Random) -> str:
    if chance.random() < 0.4:
        return str(_edits.edited(text, chance, 1))
    at = chance.randrange(len(text) + 1)
    return text[:at] + chance.choice(TYPED) + text[at + chance.randrange(2) :]


@pytest.mark.parametrize("seed", range(12))
def test_parsing_again_gives_the_same(seed: int) -> None:
    chance = Random(seed)
    path = chance.choice(SMALL)
    text = path.read_text(encoding="utf-8")
    known = Remembered()
    assert parse(Source("a", text), known) == parse(Source("a", text))
    now = text
    for number in range(9):
        now = edited(text if number % 4 == 0 else now, chance)
        assert parse(Source("a", now), known) == parse(Source("a", now)), (path, number, now)


def test_only_what_changed_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f'action walk{n}:\n    say "{n}"\n' for n in range(20))
    seen: list[str] = []
    whole = module.declarations_of

    def watched(part: str) -> list[Any]:
        seen.append(part)
        return whole(part)

    monkeypatch.setattr(module, "declarations_of", watched)
    known = Remembered()
    parse(Source("a", text), known)
    assert seen == [text]
    parse(Source("a", text.replace('"7"', '"seven"')), known)
    assert seen[1:] == ['action walk7:\n    say "seven"\n']
    parse(Source("a", "# a line more\n" + text), known)
    assert len(seen) == 2


def test_a_moved_tree_is_a_copy() -> None:
    text = 'Book atlas "Atlas" * 3\naction go p: Keeper:\n    if p.breath > 2: say "{p} goes"\n'
    first = parse(Source("a", text))[0].declarations
    again = parse(Source("a", "\n\n" + text))[0].declarations
    assert moved(first, 2) == again
    assert first == parse(Source("a", text))[0].declarations


def test_old_declarations_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_KEPT", 3)
    known = Remembered()
    for number in range(5):
        parse(Source("a", "".join(f"kind Boat{number}{part}\n" for part in "abcd")), known)
    assert len(known._kept) == 3


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "   \n\n"])
def test_a_text_without_declarations(text: str) -> None:
    assert parse(Source("a", text), Remembered()) == parse(Source("a", text))
