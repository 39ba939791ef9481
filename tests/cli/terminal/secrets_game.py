"""A game of nothing but secrets: hands, a face-down deck, a face-down pile, hidden fields, a card that was shown."""

from __future__ import annotations

from collections.abc import Sequence

NAMES = (
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "iota",
    "kappa",
    "lambda",
    "mu",
)


def secrets(order: Sequence[str] = NAMES) -> str:
    """The text of the game with its cards declared in an order: one seed always mixes them in the same way."""
    cards = "\n".join(f'Leaf {name} "{name.title()}": weight: {NAMES.index(name) + 1}' for name in order)
    return f"""
role Player 2..2 named p:
    hold: hand of Leaf
    debt: int = 3 hidden
    guilt: track 0..9 start 0 hidden
kind Leaf is Card:
    weight: int = 1
    dust: track 0..9 start 0
    in force while any Player where self in it.hold
    modify luck(q) when self in q.hold: + self.weight
{cards}
deck stock of Leaf = all Leaf
pile cellar of Leaf face_down
pile table of Leaf
kind Page is Chapter
Page only "Only"
Ending done "Done"
value strength(q: Player) = total(q.hold, it.weight)
value owed(q: Player) = q.debt + 1
value luck(q: Player) = 0
value next_weight = stock.top.weight
value left_over = count(stock)
action show_off by q: Player:
    requires stock.top.weight > 99, "The {{stock.top}} is too light."
    nothing
action game: go to only
instead of play Page page:
    shuffle stock
    for each q in Player:
        draw 2 from stock into q.hold
        q.debt = total(q.hold, it.weight)
        q.guilt + q.hold.top.weight
        q.hold.top.dust + 1
    stock.top.dust + 1
    show stock.top to p1
    for each q in Player:
        q may "Burn {{q.hold.top}}":
            q.guilt - 1
        choose c from q.hold by q "Bury which first?"
        move c to cellar
        show_off by q
    choose k from (1..3) by p2 "How many?"
    choose c from p2.hold by p2 "Which goes on the table?"
    move c to table
    choose k from (1..3) by p1 "How many?"
    go to done
"""
