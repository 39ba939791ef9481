"""A bad line hides neither the rest of its declaration nor of the file."""

from __future__ import annotations

from typing import Any

import pytest

from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.parser import parse
from talewright.dsl.source import Source
from talewright.dsl.tree import nodes as tree

BEFORE = "kind Wall:\n    height: int = 3\n\n"
AFTER = '\nkind Roof:\n    slope: int = 2\n\nWall north "The North Wall":\n    height: 4\n'


def read(text: str) -> tuple[tree.File, list[Diagnostic]]:
    return parse(Source("x.tale", text))


def codes(findings: list[Diagnostic]) -> list[tuple[str, int]]:
    return [(finding.code, finding.span.line) for finding in findings]


def moved(item: Any, by: int) -> Any:
    """A tree as it would be if its text stood further on."""
    if isinstance(item, list):
        return [moved(child, by) for child in item]
    if isinstance(item, tuple):
        return tuple(moved(child, by) for child in item)
    if not isinstance(item, tree.Node | tree.ContainerOptions):
        return item
    changes = {
        name: value + by
        if name in ("start", "end", "name_start") and isinstance(value := getattr(item, name), int)
        else moved(getattr(item, name), by)
        for name in item.__match_args__
    }
    return type(item)(**changes)


@pytest.mark.parametrize(
    "bad",
    [
        "kind door:::\n    open = no\n",
        "actoin go\n    wait\n",
        "value a = (1 + \n",
        'Door gate "The\n    open: no\n',
        "} ] )\n",
        "lost = 3\n",
        "table limit:\n    1 -> -> 2\n",
        "test opens\n    covers nothing\n",
        'kind Door:\n    """Never closed.\n    open = no\n',
    ],
)
def test_the_rest_of_the_file_is_read_as_if_alone(bad: str) -> None:
    first, _ = read(BEFORE)
    last, _ = read(AFTER)
    file, findings = read(BEFORE + bad + AFTER)
    assert findings
    lines = range(BEFORE.count("\n"), (BEFORE + bad).count("\n") + 1)
    assert all(finding.span.line in lines for finding in findings)
    assert file.declarations[:1] == first.declarations
    assert file.declarations[-2:] == moved(last.declarations, len(BEFORE + bad))


def test_a_bad_line_in_a_block_loses_only_itself() -> None:
    file, findings = read("action go by h: Hero:\n    rest h\n    let n = = 3\n    heal h\n")
    assert codes(findings) == [("S180", 3)]
    action = file.declarations[0]
    assert isinstance(action, tree.ActionDecl)
    assert [node.verb.text for node in action.body if isinstance(node, tree.Call)] == ["rest", "heal"]
    assert file.broken_names == {"n"}


def test_two_bad_lines_are_two_findings() -> None:
    text = "Door gate:\n    open = no\n    height: 3\n    width = 4\nDoor back:\n    open no\n"
    file, findings = read(text)
    assert codes(findings) == [("S140", 2), ("S140", 4), ("S138", 6)]
    gate, back = file.declarations
    assert isinstance(gate, tree.ThingDecl)
    assert isinstance(back, tree.ThingDecl)
    assert [field.path[0].text for field in gate.items if isinstance(field, tree.FieldValue)] == [
        "open",
        "height",
        "width",
    ]
    assert len(back.items) == 1


def test_one_line_is_one_finding() -> None:
    _, findings = read("action go by h: Hero:\n    if h.ready && h.hurt = true rest h:\n        wait\n")
    assert len(findings) == 1


def test_what_is_mended_stands_where_it_stood() -> None:
    text = "action go by h: Hero\n    h.gold += 5\n    rest h\n"
    file, findings = read(text)
    assert codes(findings) == [("S124", 1), ("S142", 2)]
    action = file.declarations[0]
    assert isinstance(action, tree.ActionDecl)
    change, rest = action.body
    assert text[change.start : change.end] == "h.gold += 5"
    assert text[rest.start : rest.end] == "rest h"


def test_the_only_line_of_a_block_may_be_bad() -> None:
    file, findings = read("action go by h: Hero:\n    let = 3\n")
    assert codes(findings) == [("S134", 2)]
    action = file.declarations[0]
    assert isinstance(action, tree.ActionDecl)
    assert action.verb.text == "go"
    file, findings = read("kind Door:\n    open :: no\n")
    assert len(findings) == 1
    kind = file.declarations[0]
    assert isinstance(kind, tree.KindDecl)
    assert kind.members == []
    file, findings = read('test "a door":\n    covers x\n')
    assert codes(findings) == [("S175", 2)]
    shown = file.declarations[0]
    assert isinstance(shown, tree.TestDecl)
    assert shown.lines == []


def test_a_bad_header_drops_its_declaration_but_not_the_findings_below() -> None:
    file, findings = read("action go by by h:\n    rest h\n    let = 3\n\nkind Wall\n")
    assert [line for _, line in codes(findings)] == [1, 3]
    assert len(file.declarations) == 1
    assert {"go", "h"} <= file.broken_names


def test_a_bad_header_inside_keeps_its_block() -> None:
    text = "action go by h: Hero:\n    if h.gold == == 3:\n        let = 4\n        rest h\n    heal h\n"
    file, findings = read(text)
    assert [line for _, line in codes(findings)] == [2, 3]
    action = file.declarations[0]
    assert isinstance(action, tree.ActionDecl)
    assert len(action.body) == 2


def test_declarations_inside_while_survive() -> None:
    file, findings = read("while hard:\n    kind Wall\n    knid Door\n    kind Roof\n")
    assert codes(findings) == [("S130", 3)]
    block = file.declarations[0]
    assert isinstance(block, tree.WhileDecl)
    assert len(block.declarations) == 3


def test_an_unindented_block_is_one_finding() -> None:
    file, findings = read("kind Door:\nopen = no\nheight = 3\n\nkind Wall\n")
    assert codes(findings) == [("S120", 2)]
    door = file.declarations[0]
    assert isinstance(door, tree.KindDecl)
    assert len(door.members) == 2
    assert len(file.declarations) == 2


def test_a_first_line_too_deep_is_one_finding() -> None:
    text = "Door gate:\n        open: no\n    height: 3\n    width: 4\n    depth: 5\n"
    file, findings = read(text)
    assert codes(findings) == [("S122", 3)]
    gate = file.declarations[0]
    assert isinstance(gate, tree.ThingDecl)
    assert len(gate.items) == 4


def test_unclosed_prose_ends_before_the_next_declaration() -> None:
    text = 'kind Door:\n    """It creaks.\n\nkind Wall:\n    """It stands."""\n\nkind Roof\n'
    file, findings = read(text)
    assert codes(findings) == [("S113", 2)]
    names = [node.name.text for node in file.declarations if isinstance(node, tree.KindDecl)]
    assert names == ["Door", "Wall", "Roof"]


def test_an_unclosed_bracket_ends_with_its_line() -> None:
    text = "action go by h: Hero:\n    h.gold = least(h.gold, 3\n    rest h\n\nkind Wall\n"
    file, findings = read(text)
    assert codes(findings) == [("S115", 2)]
    assert len(file.declarations) == 2
    assert "least" in file.broken_names


def test_there_is_an_end_to_findings() -> None:
    _, findings = read("valeu a = 3\n" * 1000)
    assert len(findings) == 200
