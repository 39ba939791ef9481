"""The manifest of a package: `tale.toml`, read, checked against its schema, with exact places."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from talewright.dsl.closest_word import alike
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.packages.package_codes import finding
from talewright.dsl.packages.toml_spans import Path, Places, find_places
from talewright.dsl.source import Source, Span
from talewright.dsl.text_sanitizer import CONTROL
from talewright.schemas.records import record

if TYPE_CHECKING:
    from packaging.specifiers import SpecifierSet

LANGUAGE_VERSION = 1
_MOST_UNSEEN = 20

_USE = re.compile(r"\s*([a-z][a-z0-9_-]*)\s*(.*)", re.DOTALL)
_TOML_PLACE = re.compile(r"\s*\(at line (\d+), column (\d+)\)$|\s*\(at end of document\)$")


@record(frozen=True)
class Use:
    """One entry of `uses`: a package's name, the versions that will do, and where it says so."""

    name: str
    versions: str
    span: Span

    def specifiers(self) -> SpecifierSet:
        """The range of versions as a set of PEP 440 specifiers."""
        from packaging.specifiers import SpecifierSet

        return SpecifierSet(self.versions)

    def allows(self, version: str) -> bool:
        """Whether a version lies in the range."""
        return not self.versions or self.specifiers().contains(version, prereleases=True)


@record(frozen=True)
class Manifest:
    """What `tale.toml` says."""

    name: str
    version: str
    title: str
    type: str
    authors: tuple[str, ...]
    uses: tuple[Use, ...]
    locales: tuple[str, ...]
    tale: int
    lint: Mapping[str, str]
    playtest: Mapping[str, Any]
    # The catalogue of rule ids that tests are to cover, as a path from the package's folder.
    covers: str
    source: Source
    version_span: Span
    type_span: Span


def read_manifest(source: Source) -> tuple[Manifest | None, list[Diagnostic]]:
    """The manifest in a text; none when an error keeps it from being one."""
    try:
        data, errors = _data_of(source.text)
    except RecursionError:
        return None, [finding("P004", "the values are nested too deeply", source.span(0, 0))]
    except ValueError as problem:
        return None, [_not_toml(str(problem), source)]
    places = find_places(source)
    findings = [_schema_finding(error, places) for error in errors]
    if findings:
        return None, findings
    language = data.get("tale", LANGUAGE_VERSION)
    if language > LANGUAGE_VERSION:
        message = f"written for version {language} of the language; this toolkit reads {LANGUAGE_VERSION}"
        return None, [finding("P008", message, places.value(("tale",)), help="update the toolkit")]
    uses, findings = _read_uses(data.get("uses", []), places)
    manifest = Manifest(
        name=data["name"],
        version=data["version"],
        title=data["title"],
        type=data["type"],
        authors=tuple(data.get("authors", ())),
        uses=tuple(uses),
        locales=tuple(data.get("locales", ("en",))),
        tale=language,
        lint=MappingProxyType(dict(data.get("lint", {}))),
        playtest=MappingProxyType(dict(data.get("playtest", {}))),
        covers=str(data.get("test", {}).get("covers", "")),
        source=source,
        version_span=places.value(("version",)),
        type_span=places.value(("type",)),
    )
    return manifest, [*findings, *_unseen(data, places)]


def _unseen(data: Mapping[str, Any], places: Places) -> Iterator[Diagnostic]:
    """Characters that nobody sees, in the text or in a value that an escape brings in."""
    text = places.source.text
    found = [(at[0], places.source.span(*at.span())) for at in CONTROL.finditer(text) if at[0] != "\r"]
    for path, value in _texts(data, ()):
        found += [(at[0], places.value(path)) for at in CONTROL.finditer(value) if at[0] not in text]
    if found:
        # Only a text that has any needs the table of mistakes.
        from talewright.dsl.recovery.mistake_table import finding as mistake

        for character, span in found[:_MOST_UNSEEN]:
            said = f"a character that nobody sees stands here, U+{ord(character):04X}"
            yield mistake("S128", said, span, "take it out: what is shown has a mark in its place")


def _texts(value: object, path: Path) -> Iterator[tuple[Path, str]]:
    """Every text in a value, with its place."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(inner, (*path, key))
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from _texts(inner, (*path, position))


@record(frozen=True)
class _Wrong:
    """A schema error, free of the validator that found it."""

    kind: str
    path: tuple[str | int, ...]
    key: str
    wanted: str


@cache
def _schema() -> dict[str, Any]:
    import json

    spec = find_spec("talewright.schemas")
    assert spec is not None
    assert spec.submodule_search_locations
    path = FilePath(spec.submodule_search_locations[0], "package.schema.json")
    schema: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return schema


def _data_of(text: str) -> tuple[dict[str, Any], list[_Wrong]]:
    """What a manifest says, and what the schema says against it."""
    data = tomllib.loads(text)
    return data, _schema_errors(data)


def _schema_errors(data: dict[str, Any]) -> list[_Wrong]:
    # The compiled validator starts four times faster than the plain one.
    import jsonschema_rs

    found = []
    for error in jsonschema_rs.validator_for(_schema()).iter_errors(_as_json(data)):
        path, wanted = tuple(error.instance_path), _wanted(error.schema_path)
        found += [_Wrong(error.kind.name, path, key, wanted) for key in _keys(error.kind.as_dict())]
    return found


def _keys(details: dict[str, Any]) -> list[str]:
    """The keys that a schema error is about; one empty key when it is about a value."""
    if "unexpected" in details:
        return list(details["unexpected"])
    if "property" in details:
        return [details["property"]]
    return [details["error"].instance] if "error" in details else [""]


def _as_json(value: object) -> object:
    """The value with dates turned into objects: only free-form keys accept these."""
    from datetime import date, datetime, time

    if isinstance(value, dict):
        return {key: _as_json(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_as_json(inner) for inner in value]
    if isinstance(value, date | datetime | time):
        return {"date": value.isoformat()}
    return value


def _wanted(schema_path: list[str | int]) -> str:
    """The description nearest to the failing part of the schema."""
    node: Any = _schema()
    wanted = ""
    for step in schema_path:
        node = node.get(step) if isinstance(node, dict) else None
        if isinstance(node, dict):
            wanted = node.get("description", wanted)
    return wanted


def _schema_finding(error: _Wrong, places: Places) -> Diagnostic:
    known, key = list(_schema()["properties"]), error.key
    if error.kind == "required":
        wanted = _schema()["properties"][key]["description"]
        return finding(
            "P007",
            f"`{key}` is missing",
            places.source.span(0, 0),
            help=f"add a line `{key} = ...`: {wanted}",
        )
    if error.kind == "additionalProperties":
        close = alike(key, known)
        help = f"did you mean `{close}`?" if close else f"the keys are {', '.join(known)}"
        return finding("P005", f"`{key}` is no key of `tale.toml`", places.key((key,)), help=help)
    if error.kind == "propertyNames":
        place = places.key((*error.path, key))
        return finding("P005", f"`{key}` is no code of a finding", place, help=f"write {error.wanted}")
    shown = ".".join(str(step) for step in error.path if isinstance(step, str))
    part = f"an entry of `{shown}`" if isinstance(error.path[-1], int) else f"`{shown}`"
    message = f"{part} must be {error.wanted}"
    if error.kind == "uniqueItems":
        message = f"`{shown}` names something twice"
    return finding("P006", message, places.value(error.path))


def _not_toml(problem: str, source: Source) -> Diagnostic:
    match = _TOML_PLACE.search(problem)
    reason = problem[: match.start()] if match else problem
    if match and match.group(1):
        line, column = int(match.group(1)), int(match.group(2))
        span = Span(source.name, line, column, line, column + 1)
    else:
        end = len(source.text.rstrip()) if match else 0
        span = source.span(end, end)
    reason = reason[:1].lower() + reason[1:]
    return finding(
        "P004", f"`tale.toml` is not TOML: {reason}", span, help="texts stand in quotes, lists in `[ ]`"
    )


def _read_uses(entries: list[str], places: Places) -> tuple[list[Use], list[Diagnostic]]:
    uses: dict[str, Use] = {}
    findings: list[Diagnostic] = []
    for position, entry in enumerate(entries):
        span = places.value(("uses", position))
        match = _USE.fullmatch(entry)
        versions = match.group(2).strip() if match else ""
        if match is None or not _is_range(versions):
            message = f"`{entry}` is no name with a range of versions"
            help = 'write it as "name" or "name >=0.1, <1"'
            findings.append(finding("P009", message, span, help=help))
        elif match.group(1) in uses:
            message = f"`{match.group(1)}` is used twice"
            findings.append(finding("P015", message, span, help="join both ranges with a comma"))
        else:
            uses[match.group(1)] = Use(match.group(1), versions, span)
    return list(uses.values()), findings


def _is_range(versions: str) -> bool:
    if not versions:
        return True
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        SpecifierSet(versions)
    except InvalidSpecifier:
        return False
    return True
