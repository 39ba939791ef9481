"""A thing that leaves out what its kind asks for."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._content_walks import IR, own_files, own_things
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index, is_whole
from talewright.compiler.symbols.symbol_table import FieldSymbol, KindSymbol
from talewright.dsl.diagnostics import Diagnostic, Label
from talewright.dsl.source import Span
from talewright.dsl.tree import nodes as tree

# Of these an empty one means something: nothing listed, nothing done, nothing said.
_NEEDED = frozenset(("int", "range", "ints", "target", "words", "truth", "size", "mark"))


def find(context: Context) -> Iterator[Diagnostic]:
    """Fields without a default that are read somewhere, written nowhere in play, and not given here."""
    if not is_whole(context):
        return
    written = {
        (node["target"].get("owner"), node["target"].get("name"))
        for op in ("assign", "change")
        for node, _ in index(context).of(op)
        if node["target"].get("op") == "field"
    }
    in_casts = _given_in_casts(context)
    given_by_some = _given_by_some(context)
    yield from _never_filled(context, written | given_by_some)
    needed: dict[str, list[FieldSymbol]] = {}
    for thing in own_things(context):
        kind = thing["kind"]
        for owner in (kind, *_kinds_of_parts(context, thing).values()):
            if owner not in needed:
                needed[owner] = [f for f in _required(context, owner) if (f.owner, f.name) not in written]
        for name, owner in _kinds_of_parts(context, thing).items():
            inner = {key.split(".")[1] for key in thing["fields"] if key.startswith(f"{name}.")}
            for symbol in needed[owner]:
                if symbol.name not in inner and symbol.type.tag in _NEEDED:
                    yield _left_out(context, thing, f"{thing['id']}.{name}", symbol)
        given = _given(thing) | in_casts.get(thing["id"], set())
        for symbol in needed[kind]:
            # A field of a kind may be a part that comes with the thing: then nobody gives it.
            part = symbol.type.tag == "thing" and (symbol.owner, symbol.name) not in given_by_some
            if symbol.name not in given and not part:
                yield _left_out(context, thing, thing["id"], symbol)


def _left_out(context: Context, thing: IR, name: str, symbol: FieldSymbol) -> Diagnostic:
    line = f"{name}.{symbol.name}".partition(".")[2]
    return CHECK.finding(
        context.span(thing["at"]),
        f"`{name}` does not say its `{symbol.name}`",
        f"add a line `{line}: ...`, or give the field a default in `{symbol.owner}`",
        [Label(_place(symbol), "asked for here")],
    )


def _kinds_of_parts(context: Context, thing: IR) -> dict[str, str]:
    """The parts that a thing writes into, by field, with their kinds."""
    found = {}
    for key in thing.get("fields", {}):
        name, dot, _ = key.partition(".")
        symbol = context.work.field_of(thing["kind"], name) if dot else None
        if symbol is not None and symbol[0].type.tag == "thing":
            found[name] = symbol[0].type.name
    return found


def _never_filled(context: Context, filled: set[tuple[str, str]]) -> Iterator[Diagnostic]:
    """Fields for a thing that no thing fills and nothing in play writes, and that are read all the same."""
    things = list(own_things(context))
    in_parts = set()
    for thing in context.content["things"]:
        for name in _kinds_of_parts(context, thing):
            found = context.work.field_of(thing["kind"], name)
            if found is not None:
                in_parts.add((found[0].owner, name))
    seen: set[tuple[str, str]] = set()
    for kind in sorted({thing["kind"] for thing in things}):
        for symbol in _required(context, kind):
            key = (symbol.owner, symbol.name)
            own = symbol.origin.source.name in own_files(context)
            if not own or symbol.type.tag != "thing" or key in seen | filled | in_parts:
                continue
            seen.add(key)
            yield CHECK.finding(
                _place(symbol),
                f"no `{symbol.owner}` says its `{symbol.name}`, so that it is always none",
                f"fill it in where a `{symbol.owner}` is declared, or take it away with what reads it",
            )


def _required(context: Context, kind: str) -> list[FieldSymbol]:
    work = context.work
    defaults: set[str] = set()
    for name in work.lineage(kind):
        above = work.table.kinds.get(name)
        if isinstance(above, KindSymbol):
            defaults.update(above.defaults)
    return [
        symbol
        for symbol in work.all_fields(kind).values()
        if isinstance(symbol.decl, tree.FieldDecl)
        and symbol.decl.default is None
        and symbol.name not in defaults
        and (symbol.type.tag in _NEEDED or symbol.type.tag == "thing")
        and f"{symbol.owner}.{symbol.name}" in work.used
    ]


def _given(thing: IR) -> set[str]:
    """The fields a thing fills in, itself or on one of its faces."""
    names = {key.partition(".")[0] for key in thing.get("fields", {})}
    for face in thing.get("faces", ()):
        names |= {key.partition(".")[0] for key in face.get("fields", {})}
    return names


def _given_in_casts(context: Context) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for thing in context.content["things"]:
        for line in thing.get("cast", ()):
            for group in line["groups"] if "fields" in line else ():
                found.setdefault(group.get("thing", ""), set()).update(_given(line))
    return found


def _given_by_some(context: Context) -> set[tuple[str, str]]:
    """The fields, by owner and name, that some thing fills in as a whole."""
    pairs = {
        (thing["kind"], name)
        for thing in context.content["things"]
        for name in thing.get("fields", {})
        if "." not in name
    }
    found = set()
    for kind, name in pairs:
        symbol = context.work.field_of(kind, name)
        if symbol is not None:
            found.add((symbol[0].owner, name))
    return found


def _place(symbol: FieldSymbol) -> Span:
    assert symbol.decl is not None
    word = next((w for w in symbol.decl.names if w.text == symbol.name), symbol.decl.names[0])
    return symbol.origin.source.span(word.start, word.end)


CHECK = Check(
    code="C509",
    name="field-left-out",
    severity="warning",
    why="""A field with neither a default nor `or none` asks every thing of its kind for a value. A
    thing that leaves it out has none, and whatever reads it goes wrong in play. A field for a thing that
    nobody fills at all is always none.""",
    bad="""
    kind Potion is Card:
        price: int
    Potion elixir "Elixir": price: 3
    Potion tonic "Tonic"  # <-
    value dearest = highest(Potion, it.price)
    """,
    good="""
    kind Potion is Card:
        price: int
    Potion elixir "Elixir": price: 3
    Potion tonic "Tonic": price: 1
    value dearest = highest(Potion, it.price)
    """,
    find=find,
)
