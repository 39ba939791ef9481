"""Loads a document: checks its format, version, shape, references and fields before it is used."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

import jsonschema_rs
import orjson

from talewright.schemas.garbage import no_collection
from talewright.schemas.kinds import kind_schemas
from talewright.schemas.known_documents import remember
from talewright.schemas.nodes.codec import Misshapen, read_document
from talewright.schemas.nodes.document import Document
from talewright.schemas.problems import Path, Problem
from talewright.schemas.reading import Reading, read
from talewright.schemas.records import record
from talewright.schemas.references import MAX_PROBLEMS, check_references

FILES = ("document", "declarations", "statements", "expressions", "types")


@record(frozen=True)
class Loaded:
    """A document ready to be used, or none, and everything noticed about it."""

    document: dict[str, Any] | None
    problems: tuple[Problem, ...]


def load(data: bytes) -> Loaded:
    """Reads and checks the bytes of a document. Never raises, whatever the bytes are."""
    reading: Reading = read(data)
    if reading.document is None:
        return Loaded(None, tuple(reading.problems))
    problems = check(reading.document)
    document = reading.document if not problems else None
    return Loaded(document, (*reading.problems, *problems))


def check(document: dict[str, Any]) -> list[Problem]:
    """Everything wrong with a document of the present version that was read from JSON."""
    return checked(document)[0]


def checked(document: dict[str, Any], digest: bytes = b"") -> tuple[list[Problem], Document | None]:
    """Everything wrong with a document, and its nodes if they could be read; `digest` names it if it is to be remembered."""
    with no_collection():
        try:
            nodes = read_document(document)
        except (Misshapen, LookupError, TypeError, ValueError):
            # What reads well has the right shape. What does not is looked at again, to say what is wrong and where.
            return wrong_shapes(document) or [
                Problem("D805", (), "this has not the shape of a document")
            ], None
        problems = check_references(nodes) or _wrong_fields(document)
        if not problems:
            remember(digest, nodes)
        return problems, nodes


def schema(name: str) -> dict[str, Any]:
    """One of the schemas of a document."""
    text = resources.files("talewright.schemas").joinpath(f"{name}.schema.json").read_bytes()
    made: dict[str, Any] = orjson.loads(text)
    return made


@cache
def _validator() -> jsonschema_rs.Draft202012Validator:
    schemas = {name: schema(name) for name in FILES}
    registry = jsonschema_rs.Registry([(made["$id"], made) for made in schemas.values()])
    return jsonschema_rs.Draft202012Validator(schemas["document"], registry=registry)


def wrong_shapes(document: Any) -> list[Problem]:
    """One problem for each place where a document does not match its schemas."""
    validator = _validator()
    if validator.is_valid(document):
        return []
    found: list[Problem] = []
    for error in validator.iter_errors(document):
        found.append(_shape_problem(error))
        if len(found) >= MAX_PROBLEMS:
            break
    return list(dict.fromkeys(found))


def _shape_problem(error: jsonschema_rs.ValidationError) -> Problem:
    path: Path = tuple(error.instance_path)
    kind, details = error.kind.name, error.kind.as_dict()
    match kind:
        case "required":
            return Problem("D805", path, f"`{details['property']}` is missing")
        case "additionalProperties":
            first, *more = details["unexpected"]
            others = f" and {len(more)} more do" if more else " does"
            return Problem("D805", (*path, first), f"`{first}`{others} not belong here")
        case "type":
            return Problem("D805", path, f"this must be {_type_words(details['types'])}")
        case "enum":
            return Problem(
                "D805", path, f"{_shown(error.instance)} is not known here", _options(details["options"])
            )
        case "constant":
            return Problem("D805", path, f"this must be {_shown(details['expected_value'])}")
        case "minimum" | "maximum":
            word = "least" if kind == "minimum" else "most"
            return Problem("D805", path, f"this number must be at {word} {details['limit']}")
        case "maxLength":
            return Problem("D804", path, f"this text is longer than {details['limit']:,} characters")
        case "not":
            return Problem("D805", path, "two things stand here that exclude each other")
    return Problem("D805", path, error.message[:200])


def _type_words(types: list[str]) -> str:
    words = {
        "object": "an object",
        "array": "a list",
        "string": "a text",
        "integer": "a whole number",
        "boolean": "true or false",
        "null": "null",
    }
    return " or ".join(words.get(name, name) for name in types)


def _options(options: list[Any]) -> str:
    return f"it may be {', '.join(_shown(option) for option in options)}" if len(options) <= 8 else ""


def _shown(value: Any) -> str:
    return f"`{json.dumps(value, ensure_ascii=False, separators=(',', ':'))[:60]}`"


def _wrong_fields(document: dict[str, Any]) -> list[Problem]:
    """Things whose fields hold what their kind does not allow."""
    content = document["content"]
    schemas = kind_schemas(content)
    found: list[Problem] = []
    if document["schemas"] != schemas:
        found.append(Problem("D811", ("schemas",), "the schemas of kinds are not those that the kinds give"))
    validators: dict[str, jsonschema_rs.Draft202012Validator] = {}
    for at, thing in enumerate(content["things"]):
        kind = thing["kind"]
        if kind not in validators:
            validators[kind] = jsonschema_rs.Draft202012Validator(schemas[kind])
        if not validators[kind].is_valid(thing):
            for error in validators[kind].iter_errors(thing):
                path: Path = ("content", "things", at, *error.instance_path)
                wrong = _shape_problem(error)
                said = "a literal of another type" if error.kind.name == "not" else wrong.message
                found.append(
                    Problem("D811", path, f"the kind `{kind}` does not allow this: {said}", wrong.help)
                )
    return found[:MAX_PROBLEMS]
