"""Saves: whole, refused when they are not, and of the right game only."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from talewright.runtime.session import resume
from talewright.runtime.session.saves import Save, SaveError, document_hash, load_file, read_save, write_save
from talewright.schemas.loading import schema

from .island import document, session


def finished(seed: int = 1) -> Save:
    made = session(seed)
    made.run()
    return made.save()


def test_what_is_written_is_what_is_read() -> None:
    save = finished()
    assert save.decisions
    assert read_save(write_save(save)) == save


def test_the_schema_describes_what_is_written() -> None:
    import jsonschema

    whole = json.loads(write_save(finished()))
    jsonschema.Draft202012Validator.check_schema(schema("save"))
    jsonschema.validate(whole, schema("save"))
    assert set(whole) == set(schema("save")["required"])


@pytest.mark.parametrize("part", [0.1, 0.5, 0.99])
def test_a_save_cut_short_is_refused(part: float) -> None:
    data = write_save(finished())
    with pytest.raises(SaveError, match="cut short"):
        read_save(data[: int(len(data) * part)])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda w: w.update(seed=w["seed"] + 1), "altered"),
        (lambda w: w["decisions"].pop(), "altered"),
        (lambda w: w["decisions"][0].__setitem__(1, "Dive"), "altered"),
        (lambda w: w.update(version=2), "format version 2"),
        (lambda w: w.update(format="a shopping list"), "not a save"),
        (lambda w: w.pop("seed"), "damaged"),
        (lambda w: w.update(decisions="none"), "damaged: `decisions`: .* holds every decision in order"),
        (lambda w: w["decisions"][0].__setitem__(1, 5), r"damaged: `decisions\[0\]\[1\]`: 5 is not of type"),
        # Of several errors the one that tells most: what is missing, not what is wrong in a part.
        (lambda w: (w.pop("seed"), w.update(options={"x": [1]})), "damaged: 'seed' is a required"),
        (lambda w: w.update(options={"x": [1]}), "damaged"),
        (lambda w: w.update(extra=1), "damaged"),
    ],
)
def test_an_altered_save_is_refused(change: Callable[[dict[str, Any]], Any], reason: str) -> None:
    whole = json.loads(write_save(finished()))
    change(whole)
    with pytest.raises(SaveError, match=reason):
        read_save(json.dumps(whole).encode())


@pytest.mark.parametrize("data", [b"", b"   ", b"[]", b"null", b"\xff\xfe", b"hello", b"{" * 5000])
def test_what_is_no_save_is_refused(data: bytes) -> None:
    with pytest.raises(SaveError):
        read_save(data)


def test_a_save_fits_a_package_whose_tests_lines_and_titles_have_changed() -> None:
    changed = json.loads(json.dumps(document()))
    changed["package"]["title"] = "The Island at High Tide"
    changed["content"]["tests"] = []
    changed["sources"]["spots"].insert(0, changed["sources"]["spots"][0])
    _shift(changed["content"])
    again = resume(changed, finished())
    assert again.changed is None
    assert again.run() == finished().outcome


def _shift(node: Any) -> None:
    """Everything stands one spot further on, as after a new line."""
    for key, part in node.items() if isinstance(node, dict) else enumerate(node):
        if key == "at" and isinstance(part, int):
            node[key] = part + 1
        elif isinstance(part, dict | list):
            _shift(part)


def test_a_save_of_other_rules_is_tried_and_says_so() -> None:
    changed = json.loads(json.dumps(document()))
    changed["content"]["tracks"][0]["high"] += 1
    again = resume(changed, finished())
    assert again.changed is not None
    assert "the package has changed since" in again.changed
    assert again.run() == finished().outcome


def test_every_number_of_the_rules_is_part_of_what_a_save_is_compared_by() -> None:
    whole = document_hash(document())
    for track in range(len(document()["content"]["tracks"])):
        changed = json.loads(json.dumps(document()))
        changed["content"]["tracks"][track]["start"] = {"op": "int", "v": 77}
        assert document_hash(changed) != whole


def test_a_save_of_another_package_is_refused() -> None:
    with pytest.raises(SaveError, match="the save is of `island`, not of `stuck`"):
        resume(document("stuck"), finished())


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="no such file"):
        load_file(tmp_path / "nothing.json")
    with pytest.raises(SaveError, match="cannot read"):
        load_file(tmp_path)
