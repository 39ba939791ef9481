"""From JSON to nodes and back. A reader for each class is made once, from its declaration.

Reading accepts only what the JSON Schemas accept, which come from the same declarations.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

from talewright.schemas.garbage import no_collection
from talewright.schemas.limits import MAX_NAME, MAX_NUMBER, MAX_TEXT
from talewright.schemas.node_walk import children
from talewright.schemas.nodes.declaration import Expression, Node
from talewright.schemas.nodes.document import Document
from talewright.schemas.nodes.forms import (
    TYPE_ARGUMENTS,
    Either,
    Form,
    Listed,
    Nodes,
    Nullable,
    OneOf,
    OwnLocals,
    Plain,
    Row,
    Table,
    Typed,
    core_arguments,
    parts,
)
from talewright.schemas.nodes.leaves import BindsLocal, Named, Place, ReadsLocal, Reference, Whole
from talewright.schemas.nodes.statements import CoreCall
from talewright.schemas.nodes.types import TAGS, Type, write_type

Json = Any
Made = TypeVar("Made", bound=Node)
Turn = Callable[[Any], Any]  # from JSON to what a part holds, or back


def read_document(value: Json) -> Document:
    """The nodes of a document; a `Misshapen`, `LookupError` or `TypeError` if it has not the right shape."""
    return read(Document, value)


def read(cls: type[Made], value: Json) -> Made:
    """The node of a class that stands in a part of a document."""
    with no_collection():
        return cast(Made, _reader_of(cast(type[Node], cls))(value))


def write(node: Node) -> Json:
    """A node, with all that is in it, as JSON."""
    turn = _WRITERS.get(type(node))
    if turn is None:
        turn = _WRITERS[type(node)] = _node_writer(type(node))
    return turn(node)


# -------------------------------------------------------------- reading
class Misshapen(ValueError):
    """Something in a document has not the shape that its declaration gives; the schemas say what and where."""


_Rows = tuple[list[tuple[str, Turn]], list[tuple[str, Turn, object]]]


def _rows(cls: type[Node]) -> _Rows:
    """How the parts of a class are read that must be there, and those that may be missing: key, reader, and default."""
    required: list[tuple[str, Turn]] = []
    optional: list[tuple[str, Turn, object]] = []
    for held in parts(cls):
        part = held.part
        if part.flat:
            assert isinstance(held.form, Nodes)
            required.append(("", _union_reader(held.form.classes, whole=False)))
        elif part.required:
            required.append((part.key, _reader(held.form)))
        elif part.default is False:
            optional.append((part.key, _holds, False))
        else:
            # What may be missing is never null.
            form = held.form.item if isinstance(held.form, Nullable) else held.form
            optional.append((part.key, _reader(form), part.default))
    return required, optional


_READERS: dict[type[Node], Turn] = {}
_WRITERS: dict[type[Node], Turn] = {}


def _reader_of(cls: type[Node]) -> Turn:
    """The reader of a class."""
    found = _READERS.get(cls)
    if found is None:
        found = _READERS[cls] = _node_reader(cls)
    return found


def _node_reader(cls: type[Node]) -> Turn:
    """How the parts of a class are read is found out with its first node."""
    rows: _Rows | None = None
    made = cls.declared
    tag, word = made.tag, made.word
    keys = {part.name: part.key for part in made.parts}
    groups = [[keys[name] for name in group] for group in made.either]

    def read_node(value: Json, whole: bool = True) -> Node:
        if type(value) is not dict or (word and value[tag] != word):
            raise Misshapen
        nonlocal rows
        if rows is None:
            rows = _rows(cls)
        required, optional = rows
        known = len(required) + (1 if word else 0)
        arguments = [turn(value[key]) for key, turn in required]
        for key, turn, default in optional:
            if key in value:
                known += 1
                arguments.append(turn(value[key]))
            else:
                arguments.append(default)
        if whole and known != len(value):
            raise Misshapen
        if groups:
            first, second = groups
            asked = first if first[0] in value else second
            if not all(key in value for key in asked) or (asked is first and second[0] in value):
                raise Misshapen
        return cls(*arguments)

    def read_flat(value: Json) -> Node:
        """The parts of what is flat stand among the others, and it has all keys but those of the others."""
        own = {part.key for part in made.parts if not part.flat}
        node = read_node({**{key: value[key] for key in own if key in value}, "": value})
        flat = next(part.name for part in made.parts if part.flat)
        inner = getattr(node, flat).declared
        if not value.keys() <= own | {inner.tag} | {part.key for part in inner.parts}:
            raise Misshapen
        return node

    def read_call(value: Json) -> Node:
        """Which parts a verb of the core has depends on the verb."""
        node: Node = read_node(value)
        if not value["args"].keys() <= _core_keys().get(value["verb"], value["args"].keys()):
            raise Misshapen
        return node

    if cls is CoreCall:
        return read_call
    if made.plain is not None:
        return _plain_if_computed(read_node, made.plain)
    return read_flat if any(part.flat for part in made.parts) else read_node


@cache
def _core_keys() -> dict[str, set[str]]:
    return {verb: {held.part.key for held in parts} for verb, parts in core_arguments().items()}


def _plain_if_computed(read_node: Turn, plain: type[Node]) -> Turn:
    """Reads a conversion of a result as the plain conversion if nothing inside is done."""

    def read_conversion(value: Json) -> Node:
        made: Node = read_node(value)
        if not all(isinstance(child, Expression) for child in children(made)):
            return made
        return plain(*[getattr(made, part.name) for part in made.declared.parts])

    return read_conversion


def _reader(form: Form) -> Turn:
    """The reader of a part."""
    match form:
        case Nodes(classes):
            return _union_reader(classes)
        case Typed():
            return _read_type
        case OwnLocals(item):
            return _reader(item)
        case Listed(item):
            return _list_reader(_reader(item))
        case Row(items):
            return _row_reader([_reader(item) for item in items])
        case Table(item):
            return _table_reader(_reader(item))
        case Nullable(item):
            inner = _reader(item)
            return lambda value: None if value is None else inner(value)
        case Either(first, second):
            return _either(_is_first(first), _reader(first), _reader(second))
        case OneOf(values):
            return _one_of(values)
        case Whole(low, high):
            return _whole(low, high)
        case ReadsLocal() | BindsLocal() | Place():
            return _whole(0, MAX_NUMBER)
        case Named() | Reference():
            return _text(MAX_NAME)
        case Plain("text"):
            return _text(MAX_TEXT)
        case Plain("truth"):
            return _of_type(bool)
        case _:
            return _of_type(dict)


def _list_reader(inner: Turn) -> Turn:
    def read_list(value: Json) -> object:
        if type(value) is not list and type(value) is not tuple:
            raise Misshapen
        return tuple([inner(one) for one in value])

    return read_list


def _row_reader(turns: list[Turn]) -> Turn:
    def read_row(value: Json) -> object:
        if (type(value) is not list and type(value) is not tuple) or len(value) != len(turns):
            raise Misshapen
        return tuple([turn(one) for one, turn in zip(value, turns, strict=True)])

    return read_row


def _table_reader(inner: Turn) -> Turn:
    name = _text(MAX_NAME)

    def read_table(value: Json) -> object:
        if type(value) is not dict:
            raise Misshapen
        return {name(key): inner(one) for key, one in value.items()}

    return read_table


@cache
def _union_reader(classes: tuple[type[Node], ...], *, whole: bool = True) -> Turn:
    """The reader of a node by its word; where not all of a value is the node's, other keys may stand beside it."""
    if len(classes) == 1:
        return _reader_of(classes[0])
    tag = next(cls.declared.tag for cls in classes if cls.declared.tag)
    table = {cls.declared.word: _reader_of(cls) for cls in classes if cls.declared.tag}
    if not whole:
        return lambda value: table[value[tag]](value, False)  # type: ignore[call-arg]
    for cls in classes:
        if not cls.declared.tag:
            # The one without a word is what has no tag.
            wordless = _reader_of(cls)
            return lambda value: (table[value[tag]] if tag in value else wordless)(value)
    return lambda value: table[value[tag]](value)


def _holds(value: Json) -> bool:
    """A truth that is only written where it holds."""
    if value is not True:
        raise Misshapen
    return True


def _one_of(values: tuple[str | int, ...]) -> Turn:
    def read_one(value: Json) -> object:
        if value not in values or type(value) is bool or type(value) is float:
            raise Misshapen
        return value

    return read_one


def _whole(low: int, high: int) -> Turn:
    def read_whole(value: Json) -> object:
        if type(value) is not int or not low <= value <= high:
            raise Misshapen
        return value

    return read_whole


def _text(most: int) -> Turn:
    def read_text(value: Json) -> object:
        if type(value) is not str or len(value) > most:
            raise Misshapen
        return value

    return read_text


def _of_type(kind: type) -> Turn:
    def read_plain(value: Json) -> object:
        if type(value) is not kind:
            raise Misshapen
        return value

    return read_plain


def _read_type(value: Json) -> Type:
    """A type: its tag alone, or tag, name and arguments."""
    if type(value) is str:
        return _bare_types()[value]
    tag, name, arguments = value
    turn = _type_arguments().get(tag)
    if turn is None:
        if len(arguments) or type(arguments) not in (list, tuple):
            raise Misshapen
        return Type(_bare_types()[tag].tag, _text(MAX_NAME)(name))
    return Type(tag, _text(MAX_NAME)(name), turn(arguments))


@cache
def _bare_types() -> dict[str, Type]:
    return {tag: Type(tag) for tag in TAGS}


@cache
def _type_arguments() -> dict[str, Turn]:
    return {tag: _reader(form) for tag, form in TYPE_ARGUMENTS.items()}


def _is_first(first: Form) -> type:
    return str if isinstance(first, (Plain, Named, Reference)) else int


def _either(kind: type, first: Turn | None, second: Turn | None) -> Turn:
    def turn(value: Any) -> Any:
        chosen = first if isinstance(value, kind) else second
        return value if chosen is None else chosen(value)

    return turn


# -------------------------------------------------------------- writing
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
            return _table_writer(_writer(item))
        case Either(first, second):
            return _either(_is_first(first), _writer(first), _writer(second))
        case _:
            return None


def _list_writer(inner: Turn | None) -> Turn:
    return list if inner is None else lambda held: [None if one is None else inner(one) for one in held]


def _table_writer(inner: Turn | None) -> Turn:
    return dict if inner is None else lambda held: {key: inner(one) for key, one in held.items()}
