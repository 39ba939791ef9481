"""A choice as others hear of it: the question in brief and the answer, to those who may know them."""

from __future__ import annotations

from talewright.report.table.visibility import (
    ALL,
    Seat,
    named_in,
    private,
    untold,
    visible,
    words,
)
from talewright.report.wording.phrases import says, without_article
from talewright.runtime.host.decisions import Decision
from talewright.runtime.model.world import plain
from talewright.runtime.observe.question import scope_of_question
from talewright.runtime.observe.view import View

LONGEST = 60
USUAL = {"choose": "Which?", "next": "Which comes next?", "pay": "Pay with"}
BRIEFLY = {"next": "Next"}
# Actions that every game has: they tell nothing.
CORE = ("game", "play", "follow", "menu")


class Told:
    """What somebody chose, and who knows it: those who saw it then, or what came of it before the next choice."""

    def __init__(self, view: View, decision: Decision, index: int) -> None:
        option = decision.options[index]
        self.who = ", ".join(map(view.title, decision.seats))
        self.deciders = decision.seats
        self.place = decision.name
        self.question = _in_brief(view, decision)
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


def question_of(view: View, decision: Decision) -> str:
    """What is asked, in the words of the package where it gives some."""
    prompt = decision.prompt.strip()
    if decision.form == "yes" and not prompt.endswith(("?", ".", "!")):
        return f"{prompt}?"
    return prompt or _pay_for(view, decision) or USUAL.get(decision.form, "What now?")


def _pay_for(view: View, decision: Decision) -> str:
    """A payment with what is paid for, where its cost is that of something the deciders know."""
    if decision.form != "pay":
        return ""
    around = scope_of_question(view.evaluator)
    for local, value in around.locals.items():
        if plain(around.types[local]).tag != "thing" or not isinstance(value, int) or not value:
            continue
        own = value in decision.seats or view.decider(value) in decision.seats
        if not own and visible(view, value, decision.seats):
            return f"Pay for “{view.title(value)}” with"
    return ""


def _in_brief(view: View, decision: Decision) -> str:
    """What was asked, in brief; where nothing was, the action it was asked for."""
    if decision.form == "menu":
        return ""  # offers say themselves what they do
    action = decision.id.partition(".")[0]
    if decision.prompt.strip() or decision.form == "pay":
        brief = " ".join(question_of(view, decision).split())
    elif decision.form in BRIEFLY:
        brief = BRIEFLY[decision.form]
    else:
        brief = words(action) if decision.form != "options" and action not in CORE else ""
    if len(brief) <= LONGEST:
        return brief
    cut = brief[: LONGEST - 3]
    return f"{cut.rpartition(' ')[0] or cut}...{'?' if brief.endswith('?') else ''}"
