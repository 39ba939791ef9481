"""What somebody is offered or told may rest only on what they know."""

from __future__ import annotations

import pytest

from .marked_lines import check, lines, marked

TILES = """
role Seeker 1..2 named p:
    cards: hand of Tile
team seekers of Seeker
kind Tile is Card:
    trapped: yes | no = no
    colour: red | blue = red on_back
Tile floor "Floor" * 3
Tile pit "Pit": trapped: yes
deck tiles of Tile = all Tile
pile stack of Tile face_down
pile shown of Tile face_up
kind Door is Place:
    behind: slot of Tile face_down
    rumour: int = 0 hidden
state cursed: Door or none = none hidden
Door left "Left"
Door right "Right"
menu doors(p: Seeker)
action enter d: Door by p: Seeker: reveal d.behind
"""

LOOKS = {
    "a field": ("choose d from Door where it.behind.trapped by p", True),
    "a sort": ("choose d from Door where it.behind is floor by p", True),
    "a certain thing": ("choose d from Door where it.behind is pit by p", True),
    "a pile that may hold it": ("choose d from Door where pit in stack by p", True),
    "the top of a pile": ('choose d from Door by p "Under {stack.top.title}"', True),
    "an order": ("choose t from stack having highest (1 if it.trapped otherwise 0) by p", True),
    "a pile against a set": ("choose d from Door where stack is {pit} by p", True),
    "a hidden state": ("choose d from Door where it is cursed by p", True),
    "whether a hidden state holds anything": ("choose d from Door where cursed is not none by p", False),
    "a hidden field": ("choose d from Door where it.rumour > 1 by p", True),
    "through a value": ("choose d from Door where deadly(it) by p", True),
    "through two values": ("choose d from Door where safe(it) by p", True),
    "what is on the back": ("choose d from Door where it.behind.colour is red by p", False),
    "that it lies there": ("choose d from Door where it.behind is not none by p", False),
    "how many": ("choose d from Door where count(stack) > 1 by p", False),
    "that it is face down": ("choose d from Door where it.behind is face_down by p", False),
    "what is known": ("choose d from Door where (p knows it.behind and it.behind.trapped) by p", False),
    "what is open": ("choose d from Door where (it.behind is face_up and deadly(it)) by p", False),
    "an open pile": ("choose t from shown where it.trapped by p", False),
    "a deck, which lies face down": ("choose t from tiles where it.trapped by p", True),
    "a blind pick": ("choose t from stack by p", False),
    "the own hand": ("choose t from p.cards where it.trapped by p", False),
    "an other's hand": ("choose t from q.cards where it.trapped by p", True),
    "a team's question": ('if agreed "Take {stack.top}?" by seekers: nothing', True),
    "a loop in an order of choice": ("for each d in Door where deadly(it), chosen by p: nothing", True),
    "a loop without choice": ("for each d in Door where deadly(it): nothing", False),
}


@pytest.mark.parametrize("look", LOOKS)
def test_a_choice_may_not_rest_on_what_is_hidden(look: str) -> None:
    statement, hidden = LOOKS[look]
    text = f"""
value deadly(d: Door) = d.behind.trapped
value safe(d: Door) = not deadly(d)
action seek by p: Seeker with q: Seeker:
    {statement}  # {"<-" if hidden else "fine"}
"""
    check("X605", TILES + text)


def test_offers_options_and_heads_are_looked_at() -> None:
    text = """
offer "Enter {d}" in doors(p) when left.behind is pit: enter left by p  # <-
offer "Probe" in doors(p): probe left by p  # <-
offer "Search" in doors(p) when p knows left.behind and left.behind is pit: enter left by p
action probe d: Door by p: Seeker:
    requires not d.behind.trapped
    reveal d.behind
forbid enter d by p when d.behind is pit
action seek by p: Seeker:
    p may enter right by p  # <-
    choose one by p "What now?":
        "Go left" when left.behind.trapped -> nothing  # <-
        "Go right" -> enter right by p
    choose one by p "Behind it lies {left.behind}":  # <-
        "Good" -> nothing
    open doors(p) by p
"""
    text = text.replace('"Enter {d}"', '"Enter"')
    result = lines("X605", TILES + text)
    # `forbid enter` shapes every option that enters: the third offer too, which knows only the left door.
    assert result == marked(TILES + text)


def test_what_was_revealed_before_may_be_read() -> None:
    text = """
action seek by p: Seeker:
    let card = stack.top
    p may "Burn {card}": nothing  # <-
    reveal card
    p may "Keep {card}": nothing
action peek by p: Seeker:
    if left.behind is face_down: stop
    p may "Step over {left.behind}": nothing
value grim(d: Door):
    if d.behind is face_down: give no
    give d.behind.trapped
action doubt by p: Seeker:
    choose d from Door where grim(it) by p
"""
    check("X605", TILES + text)


def test_what_is_shuffled_or_drawn_from_is_no_better_known() -> None:
    text = """
action seek by p: Seeker:
    shuffle stack
    draw 1 from stack into p.cards
    choose t from stack where it.trapped by p  # <-
    reveal stack
    choose u from stack where it.trapped by p
    shuffle stack
    choose v from stack where it.trapped by p  # <-
"""
    check("X605", TILES + text)


def test_things_that_lie_face_down_by_kind_hide_their_fields() -> None:
    text = """
role Seeker 1..2 named p
kind Patch:
    yields: 1..3
    lies face_down
Patch herbs "Herbs": yields: 1
Patch grove "Grove": yields: 3
action pick by p: Seeker:
    choose a from Patch by p "Where?"
    choose b from Patch where it.yields > 1 by p "Where?"  # <-
    let sum = total(Patch, it.yields)
"""
    check("X605", text)
