"""`reads "..."`: what the document keeps, what the catalogue names, what is refused."""

from __future__ import annotations

import pytest

from talewright.compiler.in_memory import compile_text
from talewright.schemas.wording import Hole, OptionalPart, WordingError, noun_forms, read_wording

TEXT = """
role Sailor 1..2 named p reads "sailor|sailors":
    gold: int = 0 reads "gold"
token rum * 3 reads "rum"
track storm 0..9 reads "the storm"
action pay n: int by s: Sailor reads "{s pays|pay} {n} gold": s.gold - n
value rich(s: Sailor) reads "{s is|are} rich" = s.gold > 3
kind Chest is Card:
    opens: effect(s: Sailor)
Chest black "A Black Chest":
    opens reads "Be robbed": pay 1 by s
    after pay n by s reads "Whoever pays {n} sighs": say "Ah."
Chest white "A White Chest":
    reads "Nothing to see"
"""


def test_the_document_keeps_wordings_and_the_catalogue_names_them() -> None:
    result = compile_text(TEXT)
    assert result.document is not None, [d.message for d in result.diagnostics]
    texts = result.document["texts"]
    assert texts["action.pay/by.reads"] == "{s pays|pay} {n} gold"
    assert texts["value.rich.reads"] == "{s is|are} rich"
    assert texts["kind.Sailor.reads"] == "sailor|sailors"
    assert texts["kind.Sailor.gold.reads"] == "gold"
    assert texts["token.rum.reads"] == "rum"
    assert texts["track.storm.reads"] == "the storm"
    assert texts["thing.black.opens.reads"] == "Be robbed"
    assert texts["thing.white.reads"] == "Nothing to see"
    assert "Whoever pays {n} sighs" in texts.values()


@pytest.mark.parametrize("wrong", ["{n", "n}", "[a [b]]", "[a", "a]", "{}", "{n card}", "{n a|b|c}", "{N}"])
def test_a_wording_that_cannot_be_read(wrong: str) -> None:
    with pytest.raises(WordingError):
        read_wording(wrong)


def test_pieces_of_a_wording() -> None:
    assert read_wording("{s pays|pay} {n}[ to {t}] \\{gold\\}") == (
        Hole("s", "pays", "pay"), " ", Hole("n"), OptionalPart((" to ", Hole("t"))), " ", "{", "gold", "}",
    )  # fmt: skip
    assert noun_forms("die|dice") == ("die", "dice")
    assert noun_forms("story") == ("story", "stories")
