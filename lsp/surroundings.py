"""What the lines around a place say about it: the thing, cast or field in whose block it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from talewright.compiler.symbols.symbol_table import FieldSymbol, KindSymbol, ThingSymbol
from talewright.compiler.types.lookups import Work
from talewright.compiler.types.model import Type, item_of, strip
from talewright.schemas.records import record

_THING_HEAD = re.compile(r"([A-Z][A-Za-z0-9_]*)[ \t]+[A-Za-z0-9_]+.*:$")
_CAST_HEAD = re.compile(r"(?:.*[ \t,])?([a-z_]\w*)[ \t]+at\b.*:$")
_INLINE_HEAD = re.compile(r"([a-z_]\w*)[ \t]+[A-Za-z0-9_]+(?:[ \t]+\"[^\"]*\")?[ \t]*:$")
_FIELD = re.compile(r"[ \t]*([a-z_]\w*)(?:[ \t]+reads[ \t]+\"[^\"]*\")?[ \t]*:(?P<value>.*)$")
# Where the next word is a value of its own, or the first of a row.
_VALUE_BEGINS = re.compile(r"(?:^|->|[,{(+:]|\bor)[ \t]*$")


@record(frozen=True)
class Surroundings:
    """The kind of thing whose items stand here, whether they are lines of a cast, and the field whose value they are."""

    kind: str = ""
    is_cast: bool = False
    field: FieldSymbol | None = None
    # What is written of the field's value on this line, without the word that is being written.
    before: str = ""

    def begins_value(self) -> bool:
        """Whether a new value may be written here."""
        return _VALUE_BEGINS.search(self.before) is not None


def surroundings(text: str, offset: int, work: Work) -> Surroundings | None:
    """What a place belongs to; none outside of things, and in the code of their rules."""
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:offset]
    if not line[:1].isspace():
        return None
    heads = list(_heads(text, start, len(line) - len(line.lstrip())))
    match = _THING_HEAD.match(heads[-1]) if heads else None
    if match is None or not isinstance(work.table.kinds.get(match.group(1)), KindSymbol):
        return None
    found: Surroundings | None = Surroundings(match.group(1))
    for head in reversed(heads[:-1]):
        found = _inside(found, head, work) if found is not None else None
    if found is None:
        return None
    stem = re.sub(r"[A-Za-z0-9_]*$", "", line)
    if found.field is not None:
        return Surroundings(found.kind, False, found.field, stem.strip())
    value = _FIELD.match(stem)
    if value is not None and not found.is_cast:
        known = work.field_of(found.kind, value.group(1))
        return (
            Surroundings(found.kind, False, known[0], value["value"].strip()) if known is not None else None
        )
    return found


def _heads(text: str, start: int, depth: int) -> Iterator[str]:
    """The lines that open the blocks around a line, innermost first, without their indent and comment."""
    while depth > 0 and start > 0:
        end = start - 1
        start = text.rfind("\n", 0, end) + 1
        line = text[start:end]
        bare = line.strip()
        indent = len(line) - len(line.lstrip())
        if bare and not bare.startswith("#") and indent < depth:
            yield re.sub(r"[ \t]+#[^\"]*$", "", bare)
            depth = indent


def _inside(around: Surroundings, head: str, work: Work) -> Surroundings | None:
    """What a block belongs to that a line opens."""
    if around.field is not None:
        return around
    if around.is_cast:
        match = _CAST_HEAD.match(head)
        symbol = work.table.names.get(match.group(1)) if match is not None else None
        return Surroundings(symbol.kind) if isinstance(symbol, ThingSymbol) else None
    if head == "cast:":
        return Surroundings(around.kind, True)
    inline = _INLINE_HEAD.match(head)
    value = _FIELD.match(head) if inline is None else None
    name = inline or value
    known = work.field_of(around.kind, name.group(1)) if name is not None else None
    if known is None:
        return None
    if inline is None:
        return Surroundings(around.kind, False, known[0])
    kind = thing_in(known[0].type)
    return Surroundings(kind) if kind else None


def thing_in(type_: Type) -> str:
    """The kind of the things that a value of a type is made of; empty when it is made of something else."""
    inner = strip(type_)
    while inner.tag in ("list", "set", "bands"):
        inner = strip(item_of(inner))
    return inner.name if inner.tag in ("thing", "pile") else ""
