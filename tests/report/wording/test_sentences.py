"""Sentences that compose: what a piece of Tale reads like."""

from __future__ import annotations

import pytest

from talewright.compiler.in_memory import compile_text
from talewright.report.wording.cards import Cards
from talewright.report.wording.phrases import MOST_SIGNS
from talewright.schemas.nodes.codec import read_document

GAME = """
role Keeper 1..4 is Figure named p reads "keeper|keepers":
    breath: track 0..5 start 5 reads "breath"
    satchel: pile of Book max 3
    spare: pile of Book reads "the other five"
    dry: yes | no = yes
    has_lamp: yes | no = no
    is_late: yes | no = no
    coins: int = 0
    glass: int = 0
    pence: int = 0 reads "penny|pence"
kind Room is Place:
    wet: yes | no = no
    shelf: pile of Book
    holds lamp
Room hall "the Great Hall"
Room vault "the Vault"
plan house: hall vault
kind Book is Card:
    weight: 1..3 = 1
    teaches: effect(reader: Keeper)
deck stacks of Book face_down = all Book
pile lost of Book reads "the lost books"
track water 0..10 reads "the water"
token lamp * 4 reads "lamp|lamps"
trait Weary(n: int) reads "Weary {n}"
trait Watcher
Figure ada "Ada, the Keeper of the Lamp"
Book psalms "The Psalms, Damp"
Book atlas "Atlas"
action file books: set of Book reads "file {books}": water - 1
action count_in n: int from who: set of Keeper reads "{n} of {who} sing": water - n
value soaked(k: Keeper) reads "{k is|are} wet to the skin" = not k.dry
value price(k: Keeper) reads "the price of a book" = 1
action chill k: Keeper by n: int reads "{k loses|lose} {n breath|breaths}": k.breath - n
action bail n: int by k: Keeper or none = none reads "bail {n bucket|buckets}[, with {k} helping]": water - n
action flood r: Room reads "{r is|are} flooded": r.wet = yes
action kindle n: int = 1 reads "{n lamp is|lamps are} lit": water - n
action snuff n: int reads "{n lamp goes|lamps go} out": water + n
value wet_books(r: Room) reads "wet book in {r}|wet books in {r}" = all Book in r.shelf
value drowned(r: Room) = r.wet and r is not vault
value oars(k: Keeper) reads "{k}'s oars for rowing" = 2
state omens: int = 0 reads "omens"
state has_key: yes | no = no
track marks 0..9
action keeper_turn k: Keeper reads "{k}'s turn begins": nothing
action game: nothing
"""

SAMPLES = {
    "until end of next keeper_turn:\n    modify price(k): + 1": (
        "Until the end of the next keeper's turn, the price of a book is 1 higher."
    ),
    "for each r in spots(lamp): flood r": "Each of the places with a lamp is flooded.",
    "chill reader by 1": "Lose 1 breath.",
    "reader.coins + 1": "Gain 1 coin.",
    "reader.coins - 2": "Lose 2 coins.",
    "reader.coins + water": "Gain coins equal to the water.",
    "reader.glass + 1": "Gain 1 glass.",
    "reader.pence + 1": "Gain 1 penny.",
    "reader.pence + 2": "Gain 2 pence.",
    "marks + 1": "Gain 1 mark.",
    "marks - 2": "Lose 2 marks.",
    "has_key = yes": "From now on “has key” is true.",
    "has_key = no": "From now on “has key” is not true.",
    "if not has_key: water + 1": "If “has key” is not true, the water rises by 1.",
    "reader.has_lamp = yes": "You now have lamp.",
    "reader.has_lamp = no": "You no longer have lamp.",
    "if reader.is_late: water + 1": "If you are late, the water rises by 1.",
    "reader.is_late = no": "You are no longer late.",
    "chill reader by 2; water + 1": "Lose 2 breaths. The water rises by 1.",
    "bail 3": "Bail 3 buckets.",
    "bail 1 by reader": "Bail 1 bucket, with you helping.",
    "draw 2 from stacks into reader.satchel": "Draw 2 books from the stacks into your satchel.",
    "put 1 lamp on hall": "Put 1 lamp on the Great Hall.",
    "put 2 lamp on hall": "Put 2 lamps on the Great Hall.",
    "take hall.lamp lamp from hall": "Take all lamps from the Great Hall.",
    "shuffle stacks": "Shuffle the stacks.",
    "move each Book in reader.satchel to lost": "Move all books in your satchel to the lost books.",
    "chill each Keeper where not it.dry by 1": "Each keeper that is not dry loses 1 breath.",
    "flood vault": "The Vault is flooded.",
    "reader gains Weary(2)": "You gain Weary 2.",
    "reader may chill reader by 1": "You may lose 1 breath.",
    "nothing": "Nothing happens.",
    "snuff 1": "1 lamp goes out.",
    "kindle": "1 lamp is lit.",
    "move each Book in reader.spare to lost": "Move all books in your other five to the lost books.",
    "kindle 2": "2 lamps are lit.",
    "snuff 3": "3 lamps go out.",
    "flood hall; flood vault": "The Great Hall is flooded. The Vault is flooded.",
    "chill reader by (2 if soaked(reader) otherwise 1)":
        "If you are wet to the skin, lose 2 breaths; otherwise lose 1 breath.",
}  # fmt: skip

BLOCKS = {
    "if soaked(reader): chill reader by 1\notherwise: water + 2":
        "If you are wet to the skin, lose 1 breath; otherwise the water rises by 2.",
    "if not soaked(reader): water - 1": "If you are not wet to the skin, the water falls by 1.",
    "if count(reader.satchel) >= 2: water + 1": "If there are at least 2 books in your satchel, the water rises by 1.",
    "if no Room where it.wet: water + 1": "If there is no room that is wet, the water rises by 1.",
    "choose b from reader.satchel by reader\nmove b to lost":
        "Choose a book in your satchel and move it to the lost books.",
    "choose k from Keeper by reader\nchill k by 1": "Choose a keeper; that keeper loses 1 breath.",
    "choose r from Room having lowest distance(it, reader) by reader\nflood r":
        "Choose a room nearest to you; it is flooded.",
    "if hall.wet and not (hall is vault): water + 1":
        "If the Great Hall is wet and not the Vault, the water rises by 1.",
    "if hall is not vault and hall.wet: water + 1":
        "If the Great Hall is not the Vault and is wet, the water rises by 1.",
    "if reader.breath > 0: water + 1": "If you have any breath, the water rises by 1.",
    "if not reader.breath == 0: water + 1": "If you have any breath, the water rises by 1.",
    "if reader.breath == 0: water + 1": "If you have no breath, the water rises by 1.",
    "for each k in Keeper where it.breath > 0: chill k by 1":
        "Each keeper that has any breath loses 1 breath.",
    "if holder of psalms is holder of atlas: water + 1":
        "If Atlas's holder carries “The Psalms, Damp”, the water rises by 1.",
    "if reader.dry and (hall.wet or vault.wet): water + 1":
        "If you are dry and either the Great Hall is wet or the Vault is wet, the water rises by 1.",
    "if not (hall.wet and vault.wet) and reader.dry: water + 1":
        "If either the Great Hall is not wet or the Vault is not wet and you are dry, the water rises by 1.",
    "if not drowned(hall): water + 1": "If the Great Hall is not wet or the Great Hall is the Vault, the water rises by 1.",
    "until end of game:\n    modify oars(k): + 1":
        "Until the end of the game, a keeper has 1 more oar for rowing.",
    "until end of game:\n    modify oars(k) when k is reader: - 2":
        "Until the end of the game, you have 2 fewer oars for rowing.",
    "water = 3\nomens = 3\nreader.breath = 2": "The water and omens become 3. Your breath becomes 2.",
    "if omens > 3: water + 1": "If omens are more than 3, the water rises by 1.",
    "if hall.wet or place of reader is vault: water + 1":
        "If the Great Hall is wet or you are in the Vault, the water rises by 1.",
    "if reader in hall or reader in vault: water + 1":
        "If you are in the Great Hall or you are in the Vault, the water rises by 1.",
    "choose one by reader:\n    \"Sing\" -> water - 1\n    \"Swim\" when reader.dry -> chill reader by 1":
        "Choose one: “Sing”: the water falls by 1; “Swim” (if you are dry): lose 1 breath.",
    "for each r in Room where it.wet: move each r.shelf to lost":
        "Move all books in the shelf of each room that is wet to the lost books.",
    "repeat 2 times: water + 1": "The water rises by 1, twice.",
    "chill reader by 1\nchill reader by 1": "Lose 1 breath, twice.",
    "until end of game:\n    forbid flood r when r is hall": "Until the end of the game, the Great Hall cannot be flooded.",
    "until end of game:\n    modify price(k): + 1": "Until the end of the game, the price of a book is 1 higher.",
    "until end of game:\n    after flood r: water + 1":
        "Until the end of the game, after a room is flooded, the water rises by 1.",
    "if soaked(reader): say \"Brr.\"\notherwise: water + 1":
        "If you are not wet to the skin, the water rises by 1.",
    "if soaked(reader): say \"Brr.\"\nwater + 1": "The water rises by 1.",
    "match omens:\n    1 -> say \"Hush.\"\n    2 -> water + 1\n    otherwise -> nothing": "By omens: on 2, the water rises by 1.",
    "for each k in Keeper:\n    chill k by 1\n    k gains Weary(1)": "Each keeper loses 1 breath, then gains Weary 1.",
    "for each k in Keeper:\n    chill k by 1\n    water + 1\n    k gains Weary(1)":
        "Each keeper loses 1 breath, then the water rises by 1, then that keeper gains Weary 1.",
    "ada becomes Watcher": "Ada becomes a Watcher.",
    "ada becomes Watcher, Weary(2)": "Ada now has Watcher and Weary 2.",
    "if ada is Watcher: move psalms to lost":
        "If Ada is a Watcher, move “The Psalms, Damp” to the lost books.",
    "file {psalms, atlas}": "File “The Psalms, Damp” and “Atlas”.",
    "count_in 2 from Keeper": "2 of the keepers sing.",
    "let n = do roll 2d6\nif n >= 7: water + 1": "Roll 2d6. If the roll is at least 7, the water rises by 1.",
}  # fmt: skip


def _worded(effect: str, extra: str = "") -> str:
    head = f"Book sample:\n    teaches{extra}:"
    if "\n" in effect:
        body = head + "\n" + "\n".join(f"        {line}" for line in effect.splitlines()) + "\n"
    else:
        body = (
            f"{head} {effect}\n"
            if not effect.startswith(("if ", "until ", "choose ", "for ", "repeat "))
            else (f"{head}\n        {effect}\n")
        )
    result = compile_text(GAME + body)
    assert result.document is not None, [found.message for found in result.diagnostics]
    return " ".join(line.text for line in Cards(read_document(result.document)).lines("sample"))


@pytest.mark.parametrize("effect", list(SAMPLES))
def test_a_line(effect: str) -> None:
    assert _worded(effect) == SAMPLES[effect]


@pytest.mark.parametrize("effect", list(BLOCKS))
def test_a_block(effect: str) -> None:
    assert _worded(effect) == BLOCKS[effect]


def test_a_thing_may_say_it_in_its_own_words() -> None:
    assert _worded("water + 1", ' reads "The river listens, and {reader listens|listen} too"') == (
        "The river listens, and you listen too."
    )


def test_nothing_is_told_without_end() -> None:
    deep = "if soaked(reader): water + 1"
    for _ in range(14):
        deep = "if soaked(reader):\n" + "\n".join(f"    {line}" for line in deep.splitlines())
    assert len(_worded(deep)) <= MOST_SIGNS + 8
    many = "\n".join(f"chill reader by {n % 3 + 1}\nwater + {n % 3 + 1}" for n in range(50))
    assert (
        len(_worded("if soaked(reader):\n" + "\n".join(f"    {line}" for line in many.splitlines())))
        <= MOST_SIGNS + 8
    )


def test_a_wording_of_a_hostile_document_reaches_nothing() -> None:
    result = compile_text(GAME + "Book sample:\n    teaches: chill reader by 1\n")
    assert result.document is not None
    document = result.document
    for action in document["content"]["actions"]:
        if action["id"] == "chill/by":
            action["reads"] = "{k.__class__} {0} {k!r} %s {n:>999999} {{"
    text = Cards(read_document(document)).lines("sample")[0].text
    assert "object" not in text
    assert len(text) < MOST_SIGNS


RULES = {
    "after flood r: water + 1": "After a room is flooded, the water rises by 1.",
    "after storm r: water + 1": "After the wind gets up, the water rises by 1.",
    "before bail n when n > 2: water + 1": "Before you bail buckets, if the number is more than 2, the water rises by 1.",
    "modify price(k): + 1": "The price of a book is 1 higher.",
    "modify wet_books(r): without self": "Wet books in a room do not include this book.",
    "modify weight of holder: = 2": "Its holder's weight is 2.",
    "modify appeal_bail: + 1": "",
    "modify dread_of(k): + 1": "",
    "modify drops of Room r: = 3": "",
}
RULE_WORDS = """
extend Room:
    drops: int = 0 reads ""
value dread_of(k: Keeper) = water
value appeal_bail = dread_of(p1)
action storm r: Room reads "the wind gets up": water + 1
"""


@pytest.mark.parametrize("rule", list(RULES))
def test_a_rule(rule: str) -> None:
    result = compile_text(GAME + RULE_WORDS + f"Book sample:\n    {rule}\n")
    assert result.document is not None, [found.message for found in result.diagnostics]
    told = Cards(read_document(result.document)).lines("sample")
    assert " ".join(line.text for line in told) == RULES[rule]


def test_a_page_is_called_by_its_whole_title() -> None:
    page = 'Chapter dawn:\n    """It rains."""\nEnding dusk "A Wet End":\n    """Night."""\n'
    result = compile_text(GAME + page + "Book sample:\n    teaches: go to dusk\n")
    assert result.document is not None, [found.message for found in result.diagnostics]
    assert (
        str(Cards(read_document(result.document)).lines("sample")[0])
        == "Teaches: The game ends: “A Wet End”."
    )


DECKS = """
role Player 1..1 named p
kind Find is Card
Find out "Out"
Find bare_walls "Bare Walls"
Find the_tide "The Tide Turns"
kind Sin is Card
Sin sloth "Sloth"
Sin wrath "Wrath"
kind Ghost is Figure
Ghost drowned "One of the Drowned" * 3
kind Deed:
    does: effect
Deed look "Look": does: reveal out; reveal bare_walls; reveal sloth
Deed flee "Flee": does: remove each drowned
action game: nothing
"""


def test_a_title_of_one_word_is_quoted_where_its_fellows_are() -> None:
    result = compile_text(DECKS)
    assert result.document is not None, [d.message for d in result.diagnostics]
    cards = Cards(read_document(result.document))
    assert cards.effect("look", "does") == "Reveal “Out”. Reveal “Bare Walls”. Reveal Sloth."
    assert cards.effect("flee", "does") == "Remove all the Drowned from the game."
