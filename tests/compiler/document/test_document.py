"""The document: its schemas, what refuses a wrong one, and that it is the same everywhere."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import orjson
import pytest
from referencing import Registry, Resource

from talewright.compiler.checks import catalogue
from talewright.compiler.document.document_builder import from_elsewhere, write
from talewright.compiler.in_memory import compile_text
from talewright.compiler.passes import compile_package
from talewright.compiler.symbols import core
from talewright.dsl.diagnostics import Diagnostic
from talewright.schemas import loading, schema_files
from talewright.schemas.core import CORE_FIELD_NAMES
from talewright.schemas.kinds import kind_schemas
from talewright.schemas.nodes.arguments import CoreArguments, DoneProperty
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.forms import OneOf, all_classes, parts
from talewright.schemas.nodes.reads import DieProperty, PoolProperty, Property, SpotProperty
from talewright.schemas.problems import NAMES
from talewright.schemas.reading import MAX_DEPTH

from .document_sample import SAMPLE, sample_bytes, sample_document

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = sorted(str(path.parent.relative_to(ROOT)) for path in (ROOT / "scenarios").rglob("tale.toml"))


@cache
def scenario(name: str) -> dict[str, Any]:
    """The document of a bundled package, as it is read back."""
    result = compile_package(ROOT / name)
    assert result.document is not None, [d.message for d in result.diagnostics if d.severity == "error"]
    document: dict[str, Any] = orjson.loads(write(result.document))
    return document


@cache
def reference() -> jsonschema.Draft202012Validator:
    """The reference validator over the same schemas."""
    schemas = {name: loading.schema(name) for name in loading.FILES}
    resources = [(made["$id"], Resource.from_contents(made)) for made in schemas.values()]
    return jsonschema.Draft202012Validator(schemas["document"], registry=Registry().with_resources(resources))


def findings(document: Any) -> list[Diagnostic]:
    """What is found in a document once written."""
    return from_elsewhere(orjson.dumps(document), "game.json")[1]


# -------------------------------------------------------------- the schemas
def test_the_generated_files_are_up_to_date() -> None:
    stale = [path.name for path, text in schema_files.files().items() if path.read_text("utf-8") != text]
    assert stale == [], "run: python -m talewright.schemas.schema_files"


@pytest.mark.parametrize("name", loading.FILES)
def test_the_schemas_are_valid_schemas(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(loading.schema(name))


def test_every_op_that_the_compiler_writes_is_a_node() -> None:
    known = {cls.declared.word for cls in all_classes()}
    written = set()
    for path in (ROOT / "compiler").rglob("*.py"):
        if path.parent.name != "checks":
            written |= set(re.findall(r'"(?:op|rule|step)": "([a-z_]+)"', path.read_text("utf-8")))
    assert len(written) > 100
    assert written - known == set()


@pytest.mark.parametrize("name", PACKAGES)
def test_the_documents_of_the_bundled_packages_are_valid(name: str) -> None:
    assert [found.message for found in findings(scenario(name))] == []


def test_the_reference_validator_agrees() -> None:
    document = sample_document()
    assert list(reference().iter_errors(document)) == []
    document["content"]["actions"][0]["body"][0]["op"] = "explode"
    document["content"]["things"][0]["copies"] = "many"
    wrong = {tuple(error.absolute_path) for error in reference().iter_errors(document)}
    assert wrong == {("content", "actions", 0, "body", 0, "op"), ("content", "things", 0, "copies")}
    assert {problem.path for problem in loading.wrong_shapes(document)} == wrong


# -------------------------------------------------------------- kinds as schemas
@pytest.mark.parametrize("name", PACKAGES)
def test_things_satisfy_the_schemas_of_their_kinds(name: str) -> None:
    document = scenario(name)
    parents = {kind["id"]: kind["parents"] for kind in document["content"]["kinds"]}
    assert set(document["schemas"]) == set(parents)
    validators = {kind: jsonschema.Draft202012Validator(made) for kind, made in document["schemas"].items()}
    for thing in document["content"]["things"]:
        for kind in (thing["kind"], *parents[thing["kind"]]):
            assert validators[kind].is_valid(thing), thing["id"]


def test_the_schemas_of_kinds_are_valid_schemas() -> None:
    for made in sample_document()["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(made)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("nerve", {"op": "int", "v": 4}),
        ("nerve", {"op": "word", "v": "calm"}),
        ("mood", {"op": "word", "v": "merry"}),
        ("motto", {"op": "int", "v": 1}),
        ("strikes", {"op": "text", "parts": ["ouch"]}),
    ],
)
def test_a_field_of_another_type_is_refused_by_its_kind(field: str, value: dict[str, Any]) -> None:
    document = sample_document()
    rook = next(thing for thing in document["content"]["things"] if thing["id"] == "rook")
    rook["fields"][field] = value
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(rook, document["schemas"]["Guard"])
    assert "D811" in {found.code for found in findings(document)}


def test_a_computed_field_is_left_alone_by_its_kind() -> None:
    document = sample_document()
    rook = next(thing for thing in document["content"]["things"] if thing["id"] == "rook")
    rook["fields"]["nerve"] = {"op": "count", "of": {"op": "kind", "id": "Hall"}}
    assert findings(document) == []


def test_kinds_that_descend_from_each_other_do_not_hang() -> None:
    kinds = [{"id": "A", "parents": ["B"]}, {"id": "B", "parents": ["A"]}]
    assert set(kind_schemas({"kinds": kinds})) == {"A", "B"}


# -------------------------------------------------------------- refused, each with its code and place
def test_a_good_document_has_no_findings() -> None:
    assert from_elsewhere(sample_bytes(), "game.json")[1] == []


def nested(depth: int) -> bytes:
    """Lists in lists."""
    return b"[" * depth + b"]" * depth


@pytest.mark.parametrize(
    ("data", "code", "line", "column"),
    [
        (b"", "D801", 1, 1),
        (b"  \n ", "D801", 1, 1),
        (b"\x00\xff\x13", "D801", 1, 2),
        (b'{"format": "talewright document",\n "version" 1}', "D801", 2, 12),
        (sample_bytes()[:-40], "D801", 1, None),
        (b"\xef\xbb\xbf{}", "D801", 1, 1),
        (b'{"version": NaN}', "D801", 1, None),
        (b"[]", "D802", 1, 1),
        (b'"talewright document"', "D802", 1, 1),
        (b'{\n "format": "something else"\n}', "D802", 2, 12),
        (b'{"format": "talewright document",\n\n "version": 99}', "D803", 3, 13),
        (b'{"format": "talewright document", "version": -1}', "D803", 1, 46),
        (b'{"format": "talewright document", "version": true}', "D803", 1, 46),
        (b'{"format": "talewright document", "version": "1"}', "D803", 1, 46),
        (b'{"format": "talewright document"}', "D803", 1, 1),
        (b'{"format": "talewright document", "version": 1, "x": 1.5}', "D805", 1, 54),
        (b'{"format": "talewright document", "version": 1, "x": 1e400}', None, 1, None),
        (b'{"format": "talewright document", "version": 1, "x": 99999999999999999999999}', "D805", 1, 54),
        (b'{"format": "talewright document", "version": 0}', "D805", 1, 1),
        (b'{"format": "talewright document", "version": 0, "content": []}', "D805", 1, 1),
        (b'{"format": "talewright document", "version": 0, "content": {"options": [1]}}', "D805", 1, 1),
        (nested(5000), "D804", 1, MAX_DEPTH + 1),
        (b'{"format": "talewright document", "x": ' + nested(100_000) + b"}", "D804", 1, None),
        (b"[" * 100_000, "D804", 1, MAX_DEPTH + 1),
        (b'{"a":' * 5000, "D804", 1, None),
        (b'"' + b'\\"' * 1_000_000, "D801", 1, None),
        (b'"' + b"\\" * 999_999, "D801", 1, None),
    ],
)
def test_bytes_that_are_no_document(data: bytes, code: str | None, line: int, column: int | None) -> None:
    found = from_elsewhere(data, "game.json")[1]
    assert found[0].severity == "error"
    assert code is None or found[0].code == code
    assert found[0].span.line == line
    assert column is None or found[0].span.column == column


def deep_action(depth: int) -> str:
    """Blocks in blocks, and calls in calls inside the innermost."""
    blocks = "".join("    " * (at + 1) + "if 1 == 1:\n" for at in range(depth))
    return f"action dig:\n{blocks}{'    ' * (depth + 1)}let x = {'least(1, ' * 40}1{')' * 40}\n"


def test_a_package_nested_too_deeply_is_refused_when_it_is_compiled() -> None:
    fine = compile_text(deep_action(10)).document
    assert fine is not None
    assert from_elsewhere(write(fine), "game.json")[1] == []
    deep = compile_text(deep_action(50))
    assert deep.document is None
    assert [(d.code, d.span.line) for d in deep.diagnostics if d.severity == "error"] == [("D804", 1)]


def test_a_document_just_deep_enough_is_read() -> None:
    document = sample_document()
    node: dict[str, Any] = {"op": "truth", "v": True}
    for _ in range(MAX_DEPTH - 5):
        node = {"op": "not", "of": node}
    document["content"]["checks"][0]["if"] = node
    assert findings(document) == []
    document["content"]["checks"][0]["if"] = {"op": "not", "of": node}
    assert [found.code for found in findings(document)] == ["D804"]


def test_brackets_in_texts_do_not_count_as_nesting() -> None:
    document = sample_document()
    document["content"]["things"][0]["title"] = '\\"[{' * 500
    assert findings(document) == []


Edit = Callable[[dict[str, Any]], object]


def thing(content: dict[str, Any], name: str) -> dict[str, Any]:
    """A thing of the sample."""
    return next(one for one in content["things"] if one["id"] == name)


def action(content: dict[str, Any]) -> dict[str, Any]:
    """The one action of the sample."""
    found: dict[str, Any] = content["actions"][0]
    return found


def rule(content: dict[str, Any], form: str) -> dict[str, Any]:
    """A loose rule of the sample."""
    return next(one for one in content["rules"] if one["rule"] == form)


WRONG: list[tuple[str, Edit, str, str]] = [
    ("an unknown op", lambda c: action(c)["body"][0].update(op="explode"), "D805", ".op"),
    ("a field missing", lambda c: action(c)["body"][0].pop("if"), "D805", "body[0]"),
    ("a field too many", lambda c: action(c)["body"][0].update(code="import os"), "D805", ".code"),
    ("a node of the wrong sort", lambda c: action(c)["body"].append({"op": "int", "v": 1}), "D805", ".op"),
    ("null for a node", lambda c: action(c)["body"].append(None), "D805", "body[5]"),
    (
        "a number too large",
        lambda c: action(c)["body"].append(
            {"op": "let", "n": 0, "value": {"op": "int", "v": 10**12}, "at": 0}
        ),
        "D805",
        ".value.v",
    ),
    ("a text too long", lambda c: thing(c, "rook").update(title="x" * 300_000), "D804", ".title"),
    (
        "a wrong part of a verb",
        lambda c: action(c)["body"][3]["args"].update(into={"op": "none"}),
        "D805",
        ".into",
    ),
    ("a section missing", lambda c: c.pop("tables"), "D805", "content"),
    ("values and bodies at once", lambda c: c["values"][0].update(body=[]), "D805", "values[0]"),
    ("an unknown kind", lambda c: thing(c, "rook").update(kind="Dragon"), "D806", ".kind"),
    (
        "an unknown thing",
        lambda c: thing(c, "rook")["fields"].update(nerve={"op": "thing", "id": "crow_4"}),
        "D806",
        ".id",
    ),
    (
        "an unknown sort",
        lambda c: thing(c, "rook")["fields"].update(nerve={"op": "sort", "id": "rook"}),
        "D806",
        ".id",
    ),
    ("an unknown field", lambda c: thing(c, "rook")["fields"].update(wings={"op": "none"}), "D806", ".wings"),
    ("an unknown action", lambda c: rule(c, "after").update(action="fly/by"), "D806", ".action"),
    ("an unknown verb of the core", lambda c: rule(c, "after").update(action="core:fly"), "D806", ".action"),
    ("an unknown value", lambda c: action(c)["body"][4]["value"].update(id="fame"), "D806", ".value.id"),
    ("an unknown text", lambda c: action(c)["body"][1]["prompt"].update(id="nowhere"), "D806", ".prompt.id"),
    ("an unknown moment", lambda c: c["menus"][0].update(once_per="verb:fly"), "D806", ".once_per"),
    ("an unknown trait", lambda c: thing(c, "rook")["traits"][0].update(id="Winged"), "D806", ".id"),
    ("an unknown token", lambda c: c["kinds"][-3].update(holds=[{"token": "gem"}]), "D806", ".token"),
    (
        "an unknown kind in a type",
        lambda c: action(c)["params"][0].update(type=["thing", "Dragon", []]),
        "D806",
        "type[1]",
    ),
    (
        "a seat too many",
        lambda c: c["tests"][0]["steps"][1]["body"][0]["target"]["of"].update(n=5),
        "D806",
        ".n",
    ),
    ("a local beyond the end", lambda c: action(c)["body"][1].update(n=99), "D807", ".n"),
    ("a local nobody binds", lambda c: c["values"][0].update(params=[]), "D807", ".n"),
    ("a place beyond the end", lambda c: action(c)["body"][0].update(at=10**6), "D808", ".at"),
    (
        "an argument too many",
        lambda c: action(c)["body"][4]["value"]["args"].append({"op": "none"}),
        "D809",
        ".args",
    ),
    ("a parameter nobody has", lambda c: rule(c, "after")["slots"][0].update(param=7), "D809", ".param"),
    (
        "a trait without its argument",
        lambda c: thing(c, "rook")["traits"][0]["args"].append({"op": "none"}),
        "D809",
        ".args",
    ),
    ("a verb without what it needs", lambda c: action(c)["body"][3].update(args={}), "D809", ".args"),
    (
        "a plan with a place that nobody declared",
        lambda c: c["plans"].append({"id": "moor", "ring": False, "rows": [[".", ["nowhere", "<"]]]}),
        "D806",
        "rows[0][1]",
    ),
    (
        "a tile of a place that nobody declared",
        lambda c: thing(c, "rook")["fields"].update(plan={"op": "rows", "rows": [["nowhere"]]}),
        "D806",
        "rows[0][0]",
    ),
    ("two of one id", lambda c: c["tokens"].append({"id": "coin", "count": 1}), "D810", "tokens[1].id"),
    ("a kind above itself", lambda c: c["kinds"][0].update(parents=["Guard"]), "D812", ".parents"),
    (
        "as usual elsewhere",
        lambda c: action(c)["body"].append({"op": "as_usual", "at": 0}),
        "D812",
        "body[5]",
    ),
    ("a result elsewhere", lambda c: action(c)["body"][4].update(value={"op": "result"}), "D812", ".value"),
    ("a track upside down", lambda c: c["tracks"][0].update(low=5, high=0), "D812", ".high"),
    ("a box without end", lambda c: thing(c, "crow").update(copies=10**6), "D804", "things"),
]


@pytest.mark.parametrize(("edit", "code", "place"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_a_wrong_document_is_refused_with_code_and_place(edit: Edit, code: str, place: str) -> None:
    document = sample_document()
    edit(document["content"])
    found = [one for one in findings(document) if one.code == code]
    assert found, [(one.code, one.message) for one in findings(document)]
    assert any(place in one.message.rsplit("(at ", 1)[-1] for one in found), [one.message for one in found]
    loaded = loading.load(orjson.dumps(document))
    assert loaded.document is None
    assert code in {problem.code for problem in loaded.problems}


def test_the_place_of_a_finding_is_where_the_value_stands() -> None:
    document = sample_document()
    document["content"]["actions"][0]["body"][3]["verb"] = "sing"
    text = orjson.dumps(document, option=orjson.OPT_INDENT_2).decode()
    found = from_elsewhere(text.encode(), "game.json")[1][0]
    line = text.splitlines()[found.span.line - 1]
    assert line[found.span.column - 1 : found.span.end_column - 1] == '"sing"'
    assert (
        found.message
        == "there is no verb of the core `sing` in this document (at `content.actions[0].body[3].verb`)"
    )


def test_a_good_document_is_loaded_as_it_is() -> None:
    assert loading.load(sample_bytes()).document == sample_document()


def test_copies_and_dice_have_numbered_ids() -> None:
    document = sample_document()
    body = document["content"]["actions"][0]["body"]
    body.append({"op": "go_to", "target": {"op": "thing", "id": "crow_3"}, "at": 0})
    assert findings(document) == []


def test_every_code_has_a_page() -> None:
    assert {code for code in catalogue() if code.startswith("D")} == set(NAMES)


def test_the_document_knows_what_the_compiler_knows_of_the_core() -> None:
    assert {kind: tuple(fields) for kind, fields in core.CORE_FIELDS.items()} == CORE_FIELD_NAMES
    things = {*core.PROPERTIES, *core.JOINT_PROPERTIES, *core.PIECE_PROPERTIES}
    wanted: dict[type[Node], set[str]] = {
        Property: things,
        DoneProperty: things,
        DieProperty: set(core.DIE_PROPERTIES),
        PoolProperty: set(core.POOL_PROPERTIES),
        SpotProperty: set(core.SPOT_PROPERTIES),
    }
    for cls, known in wanted.items():
        (form,) = [held.form for held in parts(cls) if held.part.name == "name"]
        assert isinstance(form, OneOf)
        assert set(form.values) == known
    parts_of_verbs = {name for verb in core.VERBS for name, _ in verb.parts} | {"first", "token"}
    assert {part.key for part in CoreArguments.declared.parts} == parts_of_verbs


# -------------------------------------------------------------- the same everywhere
def package(folder: Path, names: list[str]) -> Path:
    """The sample as a package on disk, cut into files that are written in the order given."""
    folder.mkdir(parents=True)
    pieces = SAMPLE.split("kind Page is Chapter\n")
    texts = {"a_words.tale": pieces[0], "b_story.tale": "kind Page is Chapter\n" + pieces[1]}
    manifest = (
        'name = "sample"\nversion = "0.1.0"\ntitle = "A Sample"\ntype = "system"\nlocales = ["en", "fr"]\n'
    )
    for name in names:
        (folder / name).write_text({**texts, "tale.toml": manifest}[name], "utf-8")
    return folder


def compiled_elsewhere(path: str, folder: Path, seed: str) -> bytes:
    """The document as another process writes it."""
    script = (
        "import sys; from talewright.compiler.passes import compile_package;"
        "from talewright.compiler.document.document_builder import write;"
        "sys.stdout.buffer.write(write(compile_package(sys.argv[1], cache=False).document))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    made = subprocess.run(
        [sys.executable, "-c", script, path], cwd=folder, env=environment, capture_output=True, check=True
    )
    return made.stdout


def test_the_same_bytes_in_any_process_folder_and_order_of_files(tmp_path: Path) -> None:
    first = package(tmp_path / "one" / "sample", ["tale.toml", "a_words.tale", "b_story.tale"])
    second = package(tmp_path / "two" / "deep" / "other", ["b_story.tale", "a_words.tale", "tale.toml"])
    written = {
        compiled_elsewhere(str(first), tmp_path, "0"),
        compiled_elsewhere("sample", first.parent, "1"),
        compiled_elsewhere(".", second, "4711"),
    }
    assert len(written) == 1
    document = orjson.loads(written.pop())
    assert document["sources"]["files"] == ["sample/a_words.tale", "sample/b_story.tale"]
    assert document["locales"] == ["en", "fr"]


def test_a_bundled_package_gives_the_same_bytes_under_any_hash_seed() -> None:
    name = min(PACKAGES, key=lambda one: sum(f.stat().st_size for f in (ROOT / one).rglob("*.tale")))
    assert compiled_elsewhere(name, ROOT, "3") == compiled_elsewhere(name, ROOT, "77")


def test_no_path_of_the_machine_is_in_the_document(tmp_path: Path) -> None:
    folder = package(tmp_path / "sample", ["tale.toml", "a_words.tale", "b_story.tale"])
    result = compile_package(folder, cache=False)
    assert result.document is not None
    assert tmp_path.name.encode() not in write(result.document)
    shutil.rmtree(folder)
