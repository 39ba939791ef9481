"""The file of a campaign: what its games have left for the next, in JSON that nobody needs to trust."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs
import orjson

from talewright.runtime.campaign import PLAIN, THINGS, Record, lasting_states, taken_apart
from talewright.runtime.program import Program
from talewright.runtime.reading import read_file
from talewright.schemas.loading import schema

FORMAT = "talewright campaign"
VERSION = 1
MAX_BYTES = 16 * 1024 * 1024
FARTHEST = 10**9


class CampaignError(Exception):
    """A campaign cannot be gone on with, and why."""


def write_campaign(record: Record, packages: list[str]) -> bytes:
    """A record as bytes, with the packages whose games were played, in their order."""
    whole = {"format": FORMAT, "version": VERSION, "packages": packages, "record": record}
    return orjson.dumps(whole, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def load_campaign(path: Path) -> tuple[Record, list[str]]:
    """The record in a file, and the packages played so far."""
    return read_file(path, MAX_BYTES, "campaign", read_campaign, CampaignError)


def read_campaign(data: bytes) -> tuple[Record, list[str]]:
    """The record in some bytes; what is no campaign is refused with the reason."""
    try:
        whole = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise CampaignError(f"the file is not a campaign: it is not whole JSON ({error})") from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise CampaignError("the file is not a campaign of this toolkit")
    if whole.get("version") != VERSION:
        raise CampaignError(
            f"the campaign has format version {whole.get('version')}; this toolkit reads version {VERSION}"
        )
    problem = next(iter(_validator().iter_errors(whole)), None)
    if problem is not None:
        where = ".".join(str(p) for p in problem.instance_path)
        raise CampaignError(
            f"the campaign is damaged{f' at `{where}`' if where else ''}: {problem.message[:200]}"
        )
    return whole["record"], whole["packages"]


@cache
def _validator() -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(schema("campaign"))


# ------------------------------------------------------------------ whether it fits a game
def look_over(program: Program, record: Record) -> None:
    """Refuses a record with a value that its cell cannot hold. What the game does not know is no harm."""
    layout = program.layout
    for name, fields in record["fields"].items():
        thing = layout.number.get(name)
        if thing is not None:
            _fields_fit(program, layout.things[thing].kind, fields, name)
    for entry in record["roster"]:
        _fields_fit(program, entry["kind"], entry["fields"], entry["title"])
    for name, kind in lasting_states(program).items():
        if name in record["states"]:
            _must_fit(program, kind, record["states"][name], name)


def _fields_fit(program: Program, kind: str, fields: dict[str, Any], whose: str) -> None:
    for name, field in program.lasting.get(kind, {}).items():
        if name not in fields:
            continue
        if field.tag == "pile":
            if not isinstance(fields[name], list) or not all(_names_a_thing(v) for v in fields[name]):
                raise CampaignError(f"`{name}` of {whose} must be a list of things")
        else:
            _must_fit(program, field.type, fields[name], f"{name}` of `{whose}")


def _must_fit(program: Program, kind: Any, value: Any, where: str) -> None:
    if not _fits(program, kind, value):
        shown = orjson.dumps(value).decode()[:60]
        raise CampaignError(f"`{where}` cannot be {shown}: it must be {_in_words(kind)}")


def _fits(program: Program, kind: Any, value: Any) -> bool:
    if isinstance(kind, list) and kind[0] == "optional" and value is None:
        return True
    tag, parts = taken_apart(kind)
    if tag in ("list", "set"):
        return isinstance(value, list) and all(_fits(program, parts[0], item) for item in value)
    if tag == "map":
        return isinstance(value, list) and all(
            isinstance(pair, list)
            and len(pair) == 2
            and _fits(program, parts[0], pair[0])
            and _fits(program, parts[1], pair[1])
            for pair in value
        )
    if tag in THINGS:
        return _is_thing(program, kind, value)
    if tag == "truth":
        return isinstance(value, bool)
    if tag == "words":
        return value in parts
    if tag == "text":
        return isinstance(value, str)
    if tag == "sort":
        return isinstance(value, str) and any(t.sort == value for t in program.layout.things)
    if tag not in PLAIN or isinstance(value, bool) or not isinstance(value, int) or abs(value) > FARTHEST:
        return False
    return parts[0] <= value <= parts[1] if tag == "range" else tag != "ints" or value in parts


def _names_a_thing(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and len(value) == 1
        and all(key in ("thing", "copy") and isinstance(name, str) for key, name in value.items())
    )


def _is_thing(program: Program, kind: Any, value: Any) -> bool:
    """Whether a value names a thing of a kind; a thing that this game does not have will be none, where none may be."""
    optional = isinstance(kind, list) and kind[0] == "optional"
    if not _names_a_thing(value):
        return False
    layout = program.layout
    bare = kind[2][0] if optional else kind
    wanted = bare[1] if isinstance(bare, list) else ""
    name = next(iter(value.values()))
    if "copy" in value:
        models = [t for t in layout.things if t.sort == name]
    else:
        number = layout.number.get(name)
        models = [] if number is None else [layout.things[number]]
    if not models:
        return optional
    return not wanted or wanted == "Thing" or layout.is_a(models[0].kind, wanted)


def _in_words(kind: Any) -> str:
    tag, parts = taken_apart(kind)
    many = {
        "list": "a list",
        "set": "a list",
        "map": "a list of pairs",
        "truth": "true or false",
        "text": "a text",
    }
    if tag in THINGS:
        bare = kind[2][0] if kind[0] == "optional" else kind
        return f"a {bare[1] if isinstance(bare, list) else 'thing'} of the game"
    if tag == "words":
        return "one of " + ", ".join(f'"{word}"' for word in parts)
    if tag == "range":
        return f"a whole number from {parts[0]} to {parts[1]}"
    return many.get(tag, "a whole number")
