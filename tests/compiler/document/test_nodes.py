"""The nodes of the document: declared once, read from JSON and written back without a difference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from talewright.compiler.document.document_builder import write as write_bytes
from talewright.compiler.in_memory import compile_together, memory_package
from talewright.compiler.passes import compile_package
from talewright.schemas.known_documents import document_digest, recall
from talewright.schemas.node_walk import binders, children, walk
from talewright.schemas.nodes.arguments import DonePoolTotal
from talewright.schemas.nodes.codec import read, read_document, write
from talewright.schemas.nodes.declared import ActionDeclaration, ValueDeclaration
from talewright.schemas.nodes.forms import all_classes
from talewright.schemas.nodes.literals import IntLiteral
from talewright.schemas.nodes.operators import Add
from talewright.schemas.nodes.queries import Filter
from talewright.schemas.nodes.reads import PoolTotal
from talewright.schemas.nodes.statements import CoreCall, ForEach, Let
from talewright.schemas.nodes.types import Type

from .test_document import PACKAGES, ROOT, scenario

CONSTRUCTS = sorted((ROOT / "tests" / "conformance").glob("*.tale"))
ONE: dict[str, Any] = {"op": "int", "v": 1}
SUM: dict[str, Any] = {"op": "add", "a": ONE, "b": {"op": "local", "n": 3}}
ROLL: dict[str, Any] = {"op": "core_call", "verb": "roll", "args": {"first": ONE}, "at": 0}


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_is_the_same_after_reading_and_writing(name: str) -> None:
    assert write(read_document(scenario(name))) == scenario(name)


@pytest.mark.parametrize("path", CONSTRUCTS, ids=lambda path: path.stem)
def test_a_construct_is_the_same_after_reading_and_writing(path: Path) -> None:
    result = compile_together(memory_package({path.name: path.read_text("utf-8")}))
    assert result.document is not None
    document = orjson.loads(write_bytes(result.document))
    assert write(read_document(document)) == document


@pytest.mark.parametrize("name", PACKAGES)
def test_the_nodes_that_the_compiler_remembers_are_those_of_its_document(name: str) -> None:
    made = compile_package(ROOT / name).document
    assert made is not None
    assert recall(document_digest(made)) == read_document(made)
    made["content"]["things"].pop()
    assert recall(document_digest(made)) is None


def test_every_class_and_part_says_what_it_is() -> None:
    classes = all_classes()
    assert len(classes) > 200
    assert len({cls.__name__ for cls in classes}) == len(classes)
    silent = [cls.__name__ for cls in classes if not cls.declared.says.endswith(".")]
    silent += [
        f"{cls.__name__}.{part.name}" for cls in classes for part in cls.declared.parts if not part.says
    ]
    assert silent == []


def test_parts_have_names_of_their_own() -> None:
    made = read(Add, SUM)
    assert isinstance(made, Add)
    assert made.left == IntLiteral(1)
    assert made.left is not made.right
    assert write(made) == SUM


def test_a_part_left_out_has_its_default() -> None:
    made = read(ForEach, {"op": "for_each", "of": ONE, "n": 2, "body": [], "at": 7})
    assert isinstance(made, ForEach)
    assert (made.second, made.pairs, made.chosen_by, made.at) == (None, False, None, 7)
    assert write(made) == {"op": "for_each", "of": ONE, "n": 2, "body": [], "at": 7}


def test_a_missing_part_is_noticed() -> None:
    with pytest.raises(KeyError):
        read(Add, {"op": "add", "a": ONE})
    with pytest.raises(KeyError):
        read(Add, {"op": "add", "a": ONE, "b": {"op": "unheard_of"}})


def test_only_what_acts_is_a_converted_result() -> None:
    acting = read(Let, {"op": "let", "n": 0, "value": {"op": "pool_total", "of": ROLL}, "at": 0})
    computed = read(Let, {"op": "let", "n": 0, "value": {"op": "pool_total", "of": ONE}, "at": 0})
    assert isinstance(acting, Let)
    assert isinstance(computed, Let)
    assert isinstance(acting.value, DonePoolTotal)
    assert isinstance(acting.value.of, CoreCall)
    assert computed.value == PoolTotal(IntLiteral(1))


def test_walking_goes_through_everything_in_order() -> None:
    made = read(Filter, {"op": "filter", "of": ONE, "n": 4, "test": SUM})
    assert [type(node).__name__ for node in walk(made)] == [
        "Filter",
        "IntLiteral",
        "Add",
        "IntLiteral",
        "LocalRef",
    ]
    assert [type(node).__name__ for node in children(made)] == ["IntLiteral", "Add"]
    assert binders(made) == [4]


def test_binders_are_those_of_the_node_itself() -> None:
    inner = {"op": "for_each", "of": ONE, "n": 5, "second": 6, "body": [], "at": 0}
    made = read(ForEach, {"op": "for_each", "of": ONE, "n": 2, "body": [inner], "at": 0})
    assert binders(made) == [2]
    assert [binders(node) for node in walk(made)] == [[2], [], [5, 6], []]


TYPED = """
kind Zone is Place
kind Figure:
    speed: 1..6 = 1
Figure rook "Rook"
action wander f: Figure to z: Zone:
    let target = none
    let tries = f.speed
    let quick = all Figure where it.speed > 1
    for each other in quick:
        target = other
    if target is none: tries = tries + 1
value slower(f: Figure) = all Figure where it.speed < f.speed
"""


def _locals(owner: ActionDeclaration | ValueDeclaration) -> dict[str, Type]:
    return {local.name: local.type for local in owner.locals}


def test_locals_have_the_types_that_were_found() -> None:
    result = compile_together(memory_package({"typed.tale": TYPED}))
    assert result.document is not None, [found.message for found in result.diagnostics]
    content = read_document(result.document).content
    figure = Type("thing", "Figure")
    assert _locals(content.actions[0]) == {
        "f": figure,
        "z": Type("thing", "Zone"),
        "target": Type("optional", "", (figure,)),
        "tries": Type("int"),
        "it": figure,
        "quick": Type("set", "", (figure,)),
        "other": figure,
    }
    assert _locals(content.values[0]) == {"f": figure, "it": figure}
