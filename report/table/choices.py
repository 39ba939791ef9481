"""A choice as others hear of it: the question in brief and the answer, to those who may know them."""

from __future__ import annotations

from talewright.report.table.visibility import ALL, Seat, named_in, private, untold, visible, words
from talewright.report.wording.phrases import says, without_article
from talewright.runtime.host.decisions import Decision
from talewright.runtime.observe.view import View

LONGEST = 60
BRIEFLY = {"pay": "Pay with", "next": "Next"}
# Actions that every game has: they tell nothing.
CORE = ("game", "play", "follow", "menu")


class Told:
    """What somebody chose, and who knows it: those who saw it then, or what came of it before the next choice."""

    def __init__(self, view: View, decision: Decision, index: int) -> None:
        option = decision.options[index]
        self.who = ", ".join(map(view.title, decision.seats))
        self.deciders = decision.seats
        self.place = decision.name
        self.question = _question(decision)
        yes = decision.form == "yes" and option.id == "yes"
        self.answer = "Yes" if yes else option.text()
        thing = view.number(option.id)
        self.thing = thing if thing == option.value else 0
        self.agreed = [view.title(thing) for thing in named_in(view, self.question)] if yes else []
        """Of a yes, what the question names."""
        self.declined = option.value is None
        """Whether nothing was chosen where something could be."""
        self.named = (named_in(view, self.question), named_in(view, self.answer))
        self.open: dict[Seat, tuple[bool, bool]] = {}
        self.look(view)

    def look(self, view: View) -> None:
        """Who may know question and answer as the table lies now, beside those who may already."""
        for seat in (None, *view.seats):
            asked, told = self.open.get(seat, (False, False))
            asked = asked or not private(view, self.named[0], self.deciders, seat)
            self.open[seat] = (asked, told or self._open(view, seat))

    def _open(self, view: View, seat: Seat) -> bool:
        if not self.thing:
            return not private(view, self.named[1], self.deciders, seat)
        return visible(view, self.thing, seat) and not untold(view, self.named[1], seat)

    def belongs_to(self, decision: Decision) -> bool:
        """Whether another decision asks the same of the same."""
        return self.place == decision.name and self.deciders == decision.seats

    def _known(self, seat: Seat) -> tuple[bool, bool]:
        seats = seat if isinstance(seat, tuple) else (seat,)
        known = [(True, True) if s == ALL else self.open.get(s, (False, False)) for s in seats]
        return all(a for a, _ in known), all(t for _, t in known)

    def told(self, seat: Seat) -> str:
        """The answer, for those who may know it."""
        return self.answer if self._known(seat)[1] else "(in secret)"

    def is_in(self, text: str, seat: Seat) -> bool:
        """Whether a sentence names what was chosen, to a seat that may know it; an entry of a menu begins with its verb."""
        if not self._known(seat)[1]:
            return False
        if self.agreed:
            return all(title in text for title in self.agreed)
        named = self.answer.rpartition(": ")[2]
        if not self.question:
            return says(text, named.partition(" ")[2])
        return bool(named) and without_article(named).lower() in text.lower()

    def text(self, seat: Seat) -> str:
        """The choice in words for a seat, for several who look together, or for whoever only watches."""
        asked, told = self._known(seat)
        question = self.question if asked else ""
        if not told:
            return (
                f"{self.who}: {question} (chosen in secret)" if question else f"{self.who} chooses in secret"
            )
        if not question:
            return f"{self.who}: {self.answer}{'' if asked else ' (asked in secret)'}"
        return f"{self.who}: {question}{'' if question[-1] in '?!.:' else ':'} {self.answer}"


def _question(decision: Decision) -> str:
    """What was asked, in brief; where nothing was, the action it was asked for."""
    if decision.form == "menu":
        return ""  # offers say themselves what they do
    asked = " ".join(decision.prompt.split())
    if decision.form == "yes" and asked and not asked.endswith(("?", ".", "!")):
        asked += "?"
    action = decision.id.partition(".")[0]
    if not asked and decision.form in BRIEFLY:
        asked = BRIEFLY[decision.form]
    elif not asked and decision.form != "options" and action not in CORE:
        asked = words(action)
    if len(asked) <= LONGEST:
        return asked
    cut = asked[: LONGEST - 3]
    return f"{cut.rpartition(' ')[0] or cut}...{'?' if asked.endswith('?') else ''}"
