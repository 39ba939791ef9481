"""From JSON to nodes and back. A reader for each class is made once, from its declaration."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast, get_args

from talewright.schemas.garbage import no_collection
from talewright.schemas.node_walk import children
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.document import Document
from talewright.schemas.nodes.expressions import Expression
from talewright.schemas.nodes.forms import (
    Either,
    Form,
    Listed,
    Nodes,
    Nullable,
    OwnLocals,
    Plain,
    Row,
    Table,
    Typed,
    all_classes,
    parts,
)
from talewright.schemas.nodes.leaves import Named, Reference
from talewright.schemas.nodes.types import read_type, write_type
from talewright.schemas.records import field, record

Json = Any
Made = TypeVar("Made", bound=Node)
Turn = Callable[[Any], Any]  # from JSON to what a part holds, or back


def read_document(value: Json) -> Document:
    """The nodes of a document that has the right shape."""
    return read(Document, value)


def read(cls: type[Made], value: Json) -> Made:
    """The node of a class that stands in a part of a document of the right shape."""
    with no_collection():
        return cast(Made, _readers()[cls](value))


def write(node: Node) -> Json:
    """A node, with all that is in it, as JSON."""
    return _writers()[type(node)](node)


# -------------------------------------------------------------- reading
@record
class _Rows:
    """How the parts of a class are read: key, reader if it is not taken as it is, and default."""

    required: list[tuple[str, Turn | None]] = field(default_factory=list)
    optional: list[tuple[str, Turn | None, object]] = field(default_factory=list)


@cache
def _readers() -> dict[type[Node], Turn]:
    rows = {cls: _Rows() for cls in all_classes()}
    readers = {cls: _node_reader(cls, rows[cls]) for cls in rows}
    for cls, found in rows.items():
        for held in parts(cls):
            part, turn = held.part, _reader(held.form, readers)
            if part.required:
                found.required.append(("" if part.flat else part.key, turn))
            else:
                found.optional.append((part.key, turn, part.default))
    return readers


def _node_reader(cls: type[Node], rows: _Rows) -> Turn:
    required, optional = rows.required, rows.optional

    def read_node(value: Json) -> Node:
        return cls(
            *[value[key] if turn is None else turn(value[key]) for key, turn in required],
            *[
                default if key not in value else value[key] if turn is None else turn(value[key])
                for key, turn, default in optional
            ],
        )

    def read_flat(value: Json) -> Node:
        return read_node({**value, "": value})

    if cls.declared.plain is not None:
        return _plain_if_computed(read_node, cls.declared.plain)
    return read_flat if any(part.flat for part in cls.declared.parts) else read_node


def _plain_if_computed(read_node: Turn, plain: type[Node]) -> Turn:
    """Reads a conversion of a result as the plain conversion if nothing inside is done."""
    computed = frozenset(get_args(Expression))

    def read_conversion(value: Json) -> Node:
        made: Node = read_node(value)
        if any(type(child) not in computed for child in children(made)):
            return made
        return plain(*[getattr(made, part.name) for part in made.declared.parts])

    return read_conversion


def _reader(form: Form, readers: dict[type[Node], Turn]) -> Turn | None:
    """The reader of a part; none where JSON and part are the same."""
    match form:
        case Nodes(classes):
            return _union_reader(classes, readers)
        case Typed():
            return read_type
        case OwnLocals(item):
            return _reader(item, readers)
        case Listed(item):
            return _list_reader(_reader(item, readers))
        case Row(items):
            turns = [_reader(item, readers) for item in items]
            return lambda value: tuple(
                [one if turn is None else turn(one) for one, turn in zip(value, turns, strict=True)]
            )
        case Table(item):
            return _table_turn(_reader(item, readers))
        case Nullable(item):
            return _nullable(_reader(item, readers))
        case Either(first, second):
            return _either(_is_first(first), _reader(first, readers), _reader(second, readers))
        case _:
            return None


def _list_reader(inner: Turn | None) -> Turn:
    return tuple if inner is None else lambda value: tuple([inner(one) for one in value])


def _nullable(inner: Turn | None) -> Turn | None:
    return None if inner is None else lambda value: None if value is None else inner(value)


def _table_turn(inner: Turn | None) -> Turn:
    return dict if inner is None else lambda value: {key: inner(one) for key, one in value.items()}


def _union_reader(classes: tuple[type[Node], ...], readers: dict[type[Node], Turn]) -> Turn:
    if len(classes) == 1:
        return readers[classes[0]]
    tag = next(cls.declared.tag for cls in classes if cls.declared.tag)
    table = {cls.declared.word: readers[cls] for cls in classes if cls.declared.tag}
    for cls in classes:
        if not cls.declared.tag:
            # The one without a word is what has no tag.
            wordless = readers[cls]
            return lambda value: (table[value[tag]] if tag in value else wordless)(value)
    return lambda value: table[value[tag]](value)


def _is_first(first: Form) -> type:
    return str if isinstance(first, (Plain, Named, Reference)) else int


def _either(kind: type, first: Turn | None, second: Turn | None) -> Turn:
    def turn(value: Any) -> Any:
        chosen = first if isinstance(value, kind) else second
        return value if chosen is None else chosen(value)

    return turn


# -------------------------------------------------------------- writing
@cache
def _writers() -> dict[type[Node], Turn]:
    return {cls: _node_writer(cls) for cls in all_classes()}


def _node_writer(cls: type[Node]) -> Turn:
    made = cls.declared
    rows = [(held.part, _writer(held.form)) for held in parts(cls)]

    def write_node(node: Node) -> Json:
        value: dict[str, Json] = {made.tag: made.word} if made.word else {}
        left_out: tuple[str, ...] = ()
        settled: tuple[str, ...] = ()
        if made.either:
            first, second = made.either
            settled, left_out = (second, first) if getattr(node, first[0]) is None else (first, second)
        for part, turn in rows:
            held = getattr(node, part.name)
            if part.name in left_out:
                continue
            if not part.required and held == part.default and part.name not in settled:
                continue
            written = held if turn is None or held is None else turn(held)
            if part.flat:
                value.update(written)
            else:
                value[part.key] = written
        return value

    return write_node


def _writer(form: Form) -> Turn | None:
    """The writer of a part; none where JSON and part are the same."""
    match form:
        case Nodes():
            return write
        case Typed():
            return write_type
        case OwnLocals(item) | Nullable(item):
            return _writer(item)
        case Listed(item):
            return _list_writer(_writer(item))
        case Row(items):
            turns = [_writer(item) for item in items]
            return lambda held: [
                one if turn is None or one is None else turn(one)
                for one, turn in zip(held, turns, strict=True)
            ]
        case Table(item):
            return _table_turn(_writer(item))
        case Either(first, second):
            return _either(_is_first(first), _writer(first), _writer(second))
        case _:
            return None


def _list_writer(inner: Turn | None) -> Turn:
    return list if inner is None else lambda held: [None if one is None else inner(one) for one in held]
