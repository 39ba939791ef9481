"""The quick loop over Lark's tables gives what Lark gives, place by place, or gives up."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from lark.exceptions import UnexpectedInput

from talewright.dsl.grammar import fast_parser, table_store
from talewright.dsl.grammar.indentation import RefusedError
from talewright.dsl.grammar.lark_parser import parser
from talewright.dsl.parser import parse
from talewright.dsl.recovery.guards import prepare
from talewright.dsl.source import Source
from tests.dsl.test_parser_fuzz import FENCES, edited

ROOT = Path(__file__).parents[3]
FILES = sorted([*ROOT.joinpath("scenarios").rglob("*.tale"), *ROOT.joinpath("tests").rglob("*.tale")])
EDITS = 400


def by_lark(text: str) -> Any:
    try:
        return parser().parse(text)
    except (UnexpectedInput, RefusedError):
        return None


def plain(tree: Any) -> Any:
    """A tree as lists of its parts with all places: equality of nodes would be too kind."""
    made: list[Any] = []
    stack = [tree]
    while stack:
        item = stack.pop()
        if isinstance(item, (list, tuple)):
            made.append(len(item))
            stack.extend(item)
        elif hasattr(item, "__match_args__"):
            made.append(type(item).__name__)
            stack.extend(getattr(item, name) for name in item.__match_args__)
        else:
            made.append((type(item), item))
    return made


def agree(text: str) -> bool:
    """Whether both read a text alike; gives whether they could read it."""
    made, expected = fast_parser.at_once(text), by_lark(text)
    assert (made is None) == (expected is None)
    assert made is None or plain(made) == plain(expected)
    return made is not None


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
@pytest.mark.unwatched
def test_every_file_of_ours_is_read_as_lark_reads_it(path: Path) -> None:
    text = prepare(Source("x.tale", path.read_text(encoding="utf-8"))).text
    assert text is None or isinstance(agree(text), bool)


def test_after_random_edits_both_agree() -> None:
    chance = random.Random(3)
    read = 0
    for _ in range(EDITS):
        text = chance.choice(FENCES)
        for _ in range(chance.randrange(1, 3)):
            text = edited(text, chance)
        ready = prepare(Source("x.tale", text)).text
        if ready is not None:
            read += agree(ready)
    assert EDITS // 10 < read < EDITS * 9 // 10, "both outcomes were met often"


def test_no_words_but_those_of_the_language_come_out() -> None:
    """Tokens do not outlive parsing: they would be written into the cache."""
    made = fast_parser.at_once("kind Door is Wall:\n    open = no\naction go:\n    put lamp in bag\n")
    assert all(
        kind is str
        for kind, _ in (each for each in plain(made) if isinstance(each, tuple))
        if issubclass(kind, str)
    )


def test_tables_of_another_shape_are_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    key = f"quick\n{table_store.grammar_key()}"
    table_store.save(key, {"states": {}})
    made = fast_parser._ready.__wrapped__()
    assert made.parse("kind Door\n")
    assert len(table_store.load(key)) > 4


def test_a_python_with_other_regular_expressions_compiles_its_own() -> None:
    made = fast_parser._pattern("(?P<A>a+)", 32, b"\xff" * 8, 1, {"A": 1}, (None, "A"))
    found = made.match("aab")
    assert (found.group(), found.lastgroup) == ("aa", "A")


def test_where_lark_keeps_its_tables_otherwise_lark_parses_everything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def changed() -> dict[str, Any]:
        raise AttributeError("_parse_table")

    monkeypatch.setattr(table_store, "load", lambda key: None)
    monkeypatch.setattr("talewright.dsl.grammar.parser_tables.make_tables", changed)
    fast_parser._ready.cache_clear()
    try:
        text = 'kind Lamp\nLamp old_lamp "old lamp"\n'
        assert fast_parser.at_once(text) is None
        file, findings = parse(Source("a.tale", text))
        assert findings == []
        assert len(file.declarations) == 2
    finally:
        fast_parser._ready.cache_clear()


def test_where_python_makes_regular_expressions_otherwise_they_are_compiled_at_every_start() -> None:
    assert fast_parser._pattern("a+(?P<B>b)", 0, b"", 0, {}, ()).match("aab").lastgroup == "B"
