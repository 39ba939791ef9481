"""The file of a campaign: what its games have left for the next, in JSON that nobody needs to trust."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import orjson

from talewright.runtime.lower.program import Program
from talewright.runtime.lower.statements.lasting import lasting_fields
from talewright.runtime.model.types import may_be_none
from talewright.runtime.model.world import plain
from talewright.runtime.reading import format_name, read_file, read_json
from talewright.runtime.session.campaign import Json, Record, lasting_states
from talewright.schemas.nodes.types import Type

VERSION = 1
MAX_BYTES = 16 * 1024 * 1024
FARTHEST = 10**9


class CampaignError(Exception):
    """A campaign cannot be gone on with, and why."""


def write_campaign(record: Record, packages: list[str]) -> bytes:
    """A record as bytes, with the packages whose games were played, in their order."""
    whole = {"format": format_name("campaign"), "version": VERSION, "packages": packages, "record": record}
    return orjson.dumps(whole, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def load_campaign(path: Path) -> tuple[Record, list[str]]:
    """The record in a file, and the packages played so far."""
    return read_file(path, MAX_BYTES, "campaign", read_campaign, CampaignError)


def read_campaign(data: bytes) -> tuple[Record, list[str]]:
    """The record in some bytes; what is no campaign is refused with the reason."""
    whole = read_json(data, "campaign", VERSION, CampaignError)
    return whole["record"], whole["packages"]


# ------------------------------------------------------------------ whether it fits a game
def look_over(program: Program, record: Record) -> None:
    """Refuses a record with a value that its cell cannot hold. What the game does not know is no harm."""
    world = program.world
    for name, fields in record.get("fields", {}).items():
        number = world.number.get(name)
        if number is not None:
            _fields_fit(program, world.thing(number).kind, fields, name)
    for entry in record.get("roster", ()):
        _fields_fit(program, entry["kind"], entry["fields"], entry["title"])
    for name, type_ in lasting_states(program).items():
        if name in record.get("states", {}):
            _must_fit(program, type_, record["states"][name], name)


def _fields_fit(program: Program, kind: str, fields: Mapping[str, Json], whose: str) -> None:
    for name, field in lasting_fields(program.world).get(kind, {}).items():
        if name not in fields:
            continue
        value = fields[name]
        if field.tag == "pile":
            if not isinstance(value, list) or not all(_names_a_thing(item) for item in value):
                raise CampaignError(f"`{name}` of {whose} must be a list of things")
            for item in value:
                _check_copy(program, item)
        else:
            _must_fit(program, field.type, value, f"{name}` of `{whose}")


def _must_fit(program: Program, type_: Type, value: Json, where: str) -> None:
    if not _fits(program, type_, value):
        shown = orjson.dumps(value).decode()[:60]
        raise CampaignError(f"`{where}` cannot be {shown}: it must be {_in_words(type_)}")


def _fits(program: Program, type_: Type, value: Json) -> bool:
    if value is None:
        return may_be_none(type_)
    inner = plain(type_)
    parts = [part for part in inner.args if isinstance(part, Type)]
    match inner.tag:
        case "list" | "set":
            return isinstance(value, list) and all(_fits(program, parts[0], item) for item in value)
        case "map":
            return isinstance(value, list) and all(_is_pair(program, parts, pair) for pair in value)
        case "thing" | "role":
            return _is_thing(program, type_, value)
        case "truth":
            return isinstance(value, bool)
        case "words":
            return value in inner.args
        case "text":
            return isinstance(value, str)
        case "sort":
            return isinstance(value, str) and value in program.world.sorts
        case "int" | "range" | "ints":
            return _is_number(inner, value)
    return False


def _is_number(type_: Type, value: Json) -> bool:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > FARTHEST:
        return False
    if type_.tag == "range":
        low, high = type_.args
        return isinstance(low, int) and isinstance(high, int) and low <= value <= high
    return type_.tag == "int" or value in type_.args


def _is_pair(program: Program, parts: Sequence[Type], pair: Json) -> bool:
    return (
        isinstance(pair, list)
        and len(pair) == 2
        and _fits(program, parts[0], pair[0])
        and _fits(program, parts[1], pair[1])
    )


def _names_a_thing(value: Json) -> bool:
    if not isinstance(value, dict):
        return False
    named = {key: name for key, name in value.items() if key != "fields" or "copy" not in value}
    return (
        len(named) == 1
        and all(key in ("thing", "copy") and isinstance(name, str) for key, name in named.items())
        and isinstance(value.get("fields", {}), dict)
    )


def _check_copy(program: Program, value: Json) -> None:
    """What a copy of a thing had of its own must fit, too."""
    fields = value.get("fields") if isinstance(value, dict) else None
    if isinstance(value, dict) and isinstance(fields, dict):
        name = str(value["copy"])
        for model in program.world.sorts.get(name, [])[:1]:
            _fields_fit(program, program.world.thing(model).kind, fields, name)


def _is_thing(program: Program, type_: Type, value: Json) -> bool:
    """Whether a value names a thing of a kind; a thing that this game does not have will be none, where none may be."""
    if not isinstance(value, dict) or not _names_a_thing(value):
        return False
    world, wanted = program.world, plain(type_).name
    name = str(value.get("copy", value.get("thing")))
    _check_copy(program, value)
    numbers = world.sorts.get(name, []) if "copy" in value else [world.number.get(name, 0)]
    if not numbers or not numbers[0]:
        return may_be_none(type_)
    return wanted in ("", "Thing") or world.is_a(world.thing(numbers[0]).kind, wanted)


def _in_words(type_: Type) -> str:
    inner = plain(type_)
    match inner.tag:
        case "thing" | "role":
            return f"a {inner.name or 'thing'} of the game"
        case "words":
            return "one of " + ", ".join(f'"{word}"' for word in inner.args)
        case "range":
            return f"a whole number from {inner.args[0]} to {inner.args[1]}"
        case "list" | "set":
            return "a list"
        case "map":
            return "a list of pairs"
        case "truth":
            return "true or false"
        case "text":
            return "a text"
    return "a whole number"
