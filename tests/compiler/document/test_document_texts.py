"""The text catalogue, and older documents brought up to the present version."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as some

from talewright.compiler.document.document_builder import from_elsewhere, write
from talewright.compiler.in_memory import compile_text
from talewright.schemas.loading import load
from talewright.schemas.texts import add_texts, slug, template
from talewright.schemas.upgrade import upgrade

from .document_sample import SAMPLE, sample_document


def texts_of(source: str) -> dict[str, str]:
    """The catalogue of a system of one file."""
    result = compile_text(source)
    assert result.document is not None, [found.message for found in result.diagnostics]
    found: dict[str, str] = result.document["texts"]
    return found


def blocks(source: str) -> list[str]:
    """The declarations of a text, each with the lines inside it."""
    made: list[str] = []
    for line in source.splitlines(keepends=True):
        if line[0] in " \t":
            made[-1] += line
        else:
            made.append(line)
    return made


# -------------------------------------------------------------- ids
def test_texts_have_ids_made_of_names_and_words() -> None:
    texts = texts_of(SAMPLE)
    assert texts["thing.rook.title"] == "The Rook"
    assert texts["thing.rook.motto"] == 'Nobody passes {1}, "ever".'
    assert texts["thing.feint.text"] == "Look over there. {1} of them do."
    assert texts["thing.feint.offer.play_the_feint"] == "Play the feint"
    assert texts["thing.first_night.choice.go_in"] == "Go in"
    assert texts["action.play_trick/by.choice.hold_your_ground"] == "Hold your ground"
    assert texts["option.duel.text"] == "Two rivals"
    assert texts["menu.acting.pass"] == "Wait"
    assert texts["kind.Guard.text"] == "Somebody who watches."
    digested = {name.rsplit("-", 1)[0]: text for name, text in texts.items() if "-" in name}
    assert digested["action.play_trick/by.prompt.whom_do_you_fool"] == "Whom do you fool?"
    assert digested["action.play_trick/by.said.fools"] == "{1} fools {2}."
    assert (
        digested["action.play_trick/by.reason.an_empty_purse_buys_nothing"] == "An empty purse buys nothing."
    )
    assert digested["rule.forbid.play_trick/by.reason.everybody_is_awake"] == "Everybody is awake."


def test_every_text_of_the_content_carries_an_id_of_the_catalogue() -> None:
    document = sample_document()
    stack: list[Any] = [value for key, value in document["content"].items() if key not in ("tests", "checks")]
    seen = 0
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if item.get("op") == "text":
                seen += 1
                assert document["texts"][item["id"]] == template(item["parts"])
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    assert seen == 13


def test_ids_survive_new_lines_another_order_and_other_cards() -> None:
    before = texts_of(SAMPLE)
    assert texts_of("# a remark\n\n" + SAMPLE.replace("kind Hall", "\n\n# halls\nkind Hall")) == before
    assert texts_of("".join(reversed(blocks(SAMPLE)))) == before
    more = 'Card bluff "A Bluff":\n    offer "Play the feint" in acting(t):\n        play_trick by t\n'
    after = texts_of(more + SAMPLE)
    assert {name: text for name, text in after.items() if not name.startswith("thing.bluff.")} == before
    assert after["thing.bluff.offer.play_the_feint"] == "Play the feint"


def test_a_new_option_above_changes_no_other_id() -> None:
    before = texts_of(SAMPLE)
    wider = SAMPLE.replace(
        '        "Hold your ground"',
        '        "Hide" -> alarm - 1\n        "hold your ground" -> alarm + 2\n        "Hold your ground"',
    )
    after = texts_of(wider)
    assert before.items() < after.items()
    assert sorted(after.keys() - before.keys())[0].startswith("action.play_trick/by.choice.hide")
    assert len(after) == len(before) + 2


def test_a_changed_text_keeps_the_id_of_its_name_and_loses_the_id_of_its_words() -> None:
    after = texts_of(SAMPLE.replace('"The Rook"', '"The Old Rook"').replace('"Go in"', '"Go inside"'))
    assert after["thing.rook.title"] == "The Old Rook"
    assert "thing.first_night.choice.go_in" not in after
    assert after["thing.first_night.choice.go_inside"] == "Go inside"


@given(some.text(max_size=80), some.text(max_size=80))
def test_two_texts_never_share_a_slug(one: str, other: str) -> None:
    assert (slug(one) == slug(other)) == (one == other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Hold your ground", "hold_your_ground"), ("Wait", "wait"), ("2 coins", "2_coins")],
)
def test_plain_words_are_their_own_slug(text: str, expected: str) -> None:
    assert slug(text) == expected


def test_slugs_of_other_texts_end_in_a_digest() -> None:
    for text in (
        "hold your ground",
        "Hold your ground!",
        "Hold  your ground",
        "",
        "Ça",
        "one two three " * 9,
    ):
        assert len(slug(text).rsplit("-", 1)[-1]) == 6


def test_signs_of_a_template_are_told_from_plain_ones() -> None:
    assert template(["a {1} \\ b ", {"op": "show"}, {"op": "show"}]) == "a \\{1} \\\\ b {1}{2}"


def test_a_catalogue_that_shows_too_much_is_refused() -> None:
    document = sample_document()
    document["texts"]["thing.rook.motto"] = "{2} and {1}"
    found = from_elsewhere(orjson.dumps(document), "game.json")[1]
    assert [one.code for one in found] == ["D806"]
    document["texts"]["thing.rook.motto"] = "only {1}, and \\{2}"
    assert from_elsewhere(orjson.dumps(document), "game.json")[1] == []


def test_adding_texts_twice_changes_nothing() -> None:
    document = sample_document()
    before = orjson.dumps(document)
    assert add_texts(document["content"]) == document["texts"]
    assert orjson.dumps(document) == before


# -------------------------------------------------------------- older versions
def every_object(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every object in the content of a document."""
    stack: list[Any] = [document["content"]]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            yield item
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


def untyped() -> dict[str, Any]:
    """The sample as it is known without the types of its locals."""
    document = sample_document()
    for item in every_object(document):
        for local in item["locals"] if isinstance(item.get("locals"), list) else ():
            local["type"] = "any"
    return document


def version_1() -> dict[str, Any]:
    """The sample as version 1 wrote it: locals by name, and the verb after which tests begin."""
    document = sample_document()
    for item in every_object(document):
        if isinstance(item.get("locals"), list):
            item["locals"] = [local["name"] for local in item["locals"]]
    after = document["content"].pop("start_after")
    if after:
        document["content"]["start_after"] = after[0].partition("/")[0]
    return {**document, "version": 1}


def version_0() -> dict[str, Any]:
    """The sample as version 0 wrote it: texts without ids, no catalogue, schemas or locales."""
    document = version_1()
    for key in ("texts", "schemas", "locales"):
        del document[key]
    for item in every_object(document):
        if item.get("op") == "text":
            item.pop("id", None)
    return {**document, "version": 0}


@pytest.mark.parametrize("older", [version_0, version_1])
def test_an_older_document_becomes_the_present_one(older: Callable[[], dict[str, Any]]) -> None:
    old = older()
    before = orjson.dumps(old)
    assert write(upgrade(old)) == write(untyped())
    assert orjson.dumps(old) == before


def test_tests_begin_after_every_action_of_the_verb_that_version_1_named() -> None:
    old = version_1()
    action = old["content"]["actions"][0]
    other = {**action, "id": f"{action['verb']}/with"}
    old["content"] = {**old["content"], "actions": [action, other], "start_after": action["verb"]}
    assert upgrade(old)["content"]["start_after"] == [action["id"], other["id"]]
    del old["content"]["start_after"]
    assert upgrade(old)["content"]["start_after"] == []


def test_an_older_document_is_noted_and_used() -> None:
    found = from_elsewhere(orjson.dumps(version_0()), "game.json")[1]
    assert [(one.code, one.severity) for one in found] == [("D813", "info")]
    assert load(orjson.dumps(version_0())).document == untyped()


def test_the_present_version_needs_no_upgrade() -> None:
    document = sample_document()
    assert upgrade(document) is document


@pytest.mark.parametrize("version", [-1, 3, 99, None, "0", 1.0, True])
def test_an_unknown_version_is_not_upgraded(version: Any) -> None:
    with pytest.raises(ValueError, match="unknown version"):
        upgrade({**version_0(), "version": version})
