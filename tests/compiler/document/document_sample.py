"""A small system that uses most of the language, and the document it becomes."""

from __future__ import annotations

from functools import cache
from typing import Any

import orjson

from talewright.compiler.document.document_builder import write
from talewright.compiler.in_memory import compile_text

SAMPLE = r'''
type Mood = calm | grim
option duel: yes | no = no "Two rivals"
token coin * 20
track alarm 0..5 start 1:
    at 5: go to caught
kind Guard is Figure:
    """Somebody who watches."""
    nerve: 1..3 = 1
    mood: Mood = calm
    motto: text
    strikes: effect(v: Figure)
    holds coin max 3
kind Hall is Place
trait Armed(n: int):
    modify nerve of holder: + n
role Thief 1..4 is Figure named p:
    loot: int = 0
team crew of Thief
Hall gate "The Gate"
Hall yard "The Yard"
Guard rook "The Rook" is Armed(2):
    nerve: 2
    motto: "Nobody passes {rook.title}, \"ever\"."
    strikes: move v to yard
Guard crow "The Crow" * 3
deck tricks of Card = Card
Card feint "A Feint":
    """Look over there. {count(Guard)} of them do."""
    offer "Play the feint" in acting(t) when t.loot > 0:
        play_trick by t
menu acting(t: Thief): pass "Wait"
value worth(t: Thief): int = t.loot + count(Guard where it.nerve > 1)
table haul: 1..2 -> 1; 3.. -> 2
action play_trick by t: Thief:
    requires t.loot > 0, "An empty purse buys nothing."
    choose g from Guard by t "Whom do you fool?"
    choose one by t "And then?":
        "Hold your ground" -> t.loot + haul(2)
        "Run!" -> alarm + 1
    say "{t.title} fools {g.title}."
    give worth(t)
after play_trick by t when result > 2: t.loot - 1
instead of play_trick by t when duel: as usual
forbid play_trick by t when alarm > 4, "Everybody is awake."
kind Page is Chapter
Page first_night "The First Night":
    """The yard lies still."""
    choice:
        "Go in" -> caught
        otherwise -> free
Ending caught "Caught":
    """So it ends."""
Ending free "Free"
measure purse = total(Thief, it.loot)
check count(Hall) == 2, "two halls are drawn"
test "a feint costs nothing":
    start first_night with players 2, seed 1
    given: p1.loot = 2
    expect p1.loot == 2
'''.lstrip()


@cache
def sample_bytes() -> bytes:
    """The bytes of the sample's document."""
    result = compile_text(SAMPLE)
    assert result.document is not None, [found.message for found in result.diagnostics]
    return write(result.document)


def sample_document() -> dict[str, Any]:
    """A fresh copy of the sample's document."""
    document: dict[str, Any] = orjson.loads(sample_bytes())
    return document
