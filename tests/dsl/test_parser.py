"""Good texts: every construct parses, and every node knows exactly where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lark import Lark

from talewright.dsl.grammar.lark_parser import GRAMMAR, Blocks
from talewright.dsl.parser import parse
from talewright.dsl.source import Source
from talewright.dsl.tree import nodes as tree

CONSTRUCTS = Path(__file__).with_name("constructs.md").read_text(encoding="utf-8")
SAMPLES = re.findall(r"^```tale ?(\w*)\n(.*?)^```$", CONSTRUCTS, re.MULTILINE | re.DOTALL)
AROUND = {"member": "kind X:\n", "item": "X x:\n", "stmt": "action x:\n", "line": 'test "x":\n'}


def whole(place: str, sample: str) -> str:
    """A sample with what must stand around it."""
    if not place:
        return sample
    return AROUND[place] + "".join(f"    {line}\n" if line else "\n" for line in sample.splitlines())


def nodes(item: Any) -> Iterator[tree.Node]:
    """Every node below an item."""
    if isinstance(item, list | tuple):
        for child in item:
            yield from nodes(child)
    elif isinstance(item, tree.Node | tree.ContainerOptions):
        if isinstance(item, tree.Node):
            yield item
        for name in item.__match_args__:
            yield from nodes(getattr(item, name))


def test_there_are_samples_of_everything() -> None:
    assert len(SAMPLES) > 60
    assert {place for place, _ in SAMPLES} == {"", *AROUND}


@pytest.mark.parametrize(("place", "sample"), SAMPLES)
def test_every_construct_parses(place: str, sample: str) -> None:
    file, findings = parse(Source("x.tale", whole(place, sample)))
    assert findings == []
    assert file.declarations
    assert file.broken_names == set()


@pytest.mark.parametrize(("place", "sample"), SAMPLES)
def test_words_and_names_stand_where_they_say(place: str, sample: str) -> None:
    text = whole(place, sample)
    file, _ = parse(Source("x.tale", text))
    seen = 0
    for node in nodes(file.declarations):
        if isinstance(node, tree.Word):
            assert text[node.start : node.end] == node.text
            seen += 1
        elif isinstance(node, tree.Name | tree.Capital):
            assert text[node.start : node.end] == node.name
            seen += 1
        elif isinstance(node, tree.Dot):
            assert text[node.name_start :].startswith(node.name)
        elif isinstance(node, tree.Number):
            assert int(text[node.start : node.end].replace(" ", "")) == node.value
    assert seen


def test_spans_of_expressions_are_exact() -> None:
    text = "value a = count(Door where it.open) + 2 * (n - 1)\n"
    file, _ = parse(Source("x.tale", text))
    declaration = file.declarations[0]
    assert isinstance(declaration, tree.ValueDecl)
    value = declaration.value
    assert isinstance(value, tree.Binary)
    assert text[value.start : value.end] == "count(Door where it.open) + 2 * (n - 1)"
    assert text[value.left.start : value.left.end] == "count(Door where it.open)"
    assert text[value.right.start : value.right.end] == "2 * (n - 1)"


def test_spans_of_statements_are_exact() -> None:
    text = "action go by h: Hero:\n    if h.ready: rest h\n    otherwise:\n        let n = do roll 2d6 by h\n"
    file, _ = parse(Source("x.tale", text))
    declaration = file.declarations[0]
    assert isinstance(declaration, tree.ActionDecl)
    choice = declaration.body[0]
    assert isinstance(choice, tree.If)
    assert text[choice.start :].startswith("if h.ready")
    assert choice.otherwise is not None
    let = choice.otherwise[0]
    assert text[let.start : let.end] == "let n = do roll 2d6 by h"


def test_the_grammar_has_no_conflict() -> None:
    made = Lark(
        GRAMMAR.read_text(encoding="utf-8"), parser="lalr", lexer="contextual", strict=True, postlex=Blocks()
    )
    assert made.terminals


def test_a_conflict_would_be_seen() -> None:
    with pytest.raises(Exception, match=r"Reduce/Reduce|Shift/Reduce|Collision"):
        Lark('start: a | b\na: "x"\nb: "x"\n', parser="lalr", strict=True)


@pytest.mark.parametrize("text", ["", "\n", "   \n\n", "# only a remark", "    # an indented remark\n"])
def test_nothing_is_fine(text: str) -> None:
    file, findings = parse(Source("x.tale", text))
    assert file.declarations == []
    assert findings == []


def test_crlf_is_fine_and_offsets_count_it() -> None:
    text = 'kind Door:\r\n    open = no\r\n\r\n    """One\r\n    two."""\r\nkind Wall\r\n'
    file, findings = parse(Source("x.tale", text))
    assert findings == []
    wall = file.declarations[1]
    assert isinstance(wall, tree.KindDecl)
    assert text[wall.name.start : wall.name.end] == "Wall"


def test_the_last_line_needs_no_newline() -> None:
    file, findings = parse(Source("x.tale", "kind Door:\n    open = no"))
    assert findings == []
    assert len(file.declarations) == 1
