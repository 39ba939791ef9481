"""What can be asked at a decision: the options in words, `look` and `why`, as the seat that decides may know it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rich.text import Text

from talewright.report.explain.certainty import certain
from talewright.report.explain.explanations import option_reasons, reasons, refusals, things_called
from talewright.report.table.choices import question_of
from talewright.report.table.effect_text import (
    idle_options,
    idle_reasons,
    lent_wording,
    offer_lines,
    option_wording,
    part_wording,
    things_of_offer,
    track_lines,
    trait_lines,
    wording,
)
from talewright.report.table.prose import clean, emphasis, wrapped
from talewright.report.table.tabletop import pile_lines, printed_lists, thing_lines, token_lines
from talewright.report.table.visibility import Seat, marks, visible
from talewright.report.wording.cards import Cards
from talewright.runtime.host.decisions import Option
from talewright.runtime.observe.view import View
from talewright.runtime.session import Decision, Game

# What is asked where the text of the game asks nothing.
THE_CHAPTER = ("chapter", "page", "goal", "story")
IDLE = " (would do nothing now)"
# What stands for "none of these" once something was picked.
ENOUGH = "No more"


class Answers:
    """Words for one game's decisions; the same for whoever sits here and whoever plays from elsewhere."""

    def __init__(self, game: Game, cards: Cards) -> None:
        self.game = game
        self.cards = cards

    # -------------------------------------------------------------- the question and its options
    def question(self, decision: Decision, picked: Sequence[str] = ()) -> Text:
        """Who is asked what."""
        question = clean(question_of(self.game.view(), decision))
        text = Text(f"{decision.who}: ", style="bold yellow") + emphasis(question, "bold")
        if picked:
            text.append(clean(f" (so far: {', '.join(picked)})"), style="dim")
        return text

    def options(self, decision: Decision, which: Iterable[int], picked: Sequence[str] = ()) -> list[Text]:
        """Some options, each with its number and what it brings; `picked` is what was picked before in the same answer."""
        view, seat = self.game.view(), decision.seat
        shown = list(which)
        digits = len(str(len(decision.options)))
        idle = idle_options(view, decision, shown, self.cards)
        alike = Counter(option.text() for option in decision.options)
        lines = []
        for index in shown:
            option = decision.options[index]
            line = Text(f"  {index + 1:>{digits}}  ", style="bold")
            told = ENOUGH if picked and option.id == "none" else option_text(decision, index)
            told += self._apart(view, option, seat) if alike[option.text()] > 1 else ""
            line.append_text(emphasis(clean(told), "not bold"))
            brings = printed_lists(view, option, seat) or part_wording(view, option, seat, self.cards)
            brings += option_wording(view, option, decision, self.cards)
            # It stands before the rest, which may not fit into the line.
            line.append(clean((IDLE if index in idle else "") + brings), style="dim")
            lines.append(line)
        return lines

    def _apart(self, view: View, option: Option, seat: Seat) -> str:
        """What has become of a thing, and the tokens on it, where it is not alone with its name: ` (1 wound)`."""
        thing = view.number(option.id)
        if not thing or thing != option.value or not visible(view, thing, seat):
            return ""
        forms = {token: self.cards.speaker.vocabulary.token(token) for token in view.tokens(thing)}
        tokens = [f"{n} {forms[token][n != 1]}" for token, n in view.tokens(thing).items()]
        told = [*marks(view, thing, seat), *tokens]
        return f" ({', '.join(told)})" if told else ""

    # -------------------------------------------------------------- looking
    def look(self, name: str, decision: Decision, width: int) -> list[Text]:
        """A thing, a track, a pile, the chapter or an option, looked at closely."""
        if not name:
            return _lines(["Say at what: `look NAME`, or `look N` for option N."], width)
        view = self.game.view()
        if name.isdecimal():
            return self._option(view, int(name[:9]) - 1, decision, width)
        if name.lower() in THE_CHAPTER and view.chapter:
            return self._thing(view, view.chapter, decision, width)
        waits = track_lines(view, name, decision.seat, self.cards)
        if waits:
            return _lines(waits, width)
        # What can be chosen just now is meant rather than a copy elsewhere, but the very name rather than a word of one, and a
        # word rather than a part of one.
        offered = {o.value for o in decision.options if o.value and view.number(o.id) == o.value}
        found = things_called(view, name, decision.seat)
        wanted = name.strip().lower()
        found.sort(key=lambda thing: (*_unlike(view.title(thing).lower(), wanted), thing not in offered))
        exact = bool(found) and view.title(found[0]).lower() == wanted
        opened = pile_lines(view, name, decision.seat, width) or token_lines(view, name, decision.seat, width)
        if opened and not exact:
            return opened
        if not found:
            return _lines(["Nothing you know of is called so."], width)
        lines = self._namesakes(view, found[0], decision, width)
        # What has no title of its own, or still lies in the box, is nothing to look at now.
        near = [thing for thing in found if view.where(thing) != view.box and "_" not in view.title(thing)]
        titles = dict.fromkeys(view.title(thing) for thing in near)
        others = [title for title in titles if title != view.title(found[0])]
        if others and not exact:
            lines += wrapped(Text(f"  (also: {', '.join(others[:6])})", style="dim"), width, 4)
        return lines

    def _option(self, view: View, index: int, decision: Decision, width: int) -> list[Text]:
        if not 0 <= index < len(decision.options):
            return _lines([f"{no_option(str(index + 1), len(decision.options))} Or try `look NAME`."], width)
        option = decision.options[index]
        if option.value and view.number(option.id) == option.value:
            return self._namesakes(view, option.value, decision, width)
        told = offer_lines(view, option, decision, self.cards)
        lines = _lines([option_text(decision, index), *(f"  {line}" for line in told)], width)
        for thing in things_of_offer(view, option):
            lines += self._thing(view, thing, decision, width)
        return lines

    def _namesakes(self, view: View, thing: int, decision: Decision, width: int) -> list[Text]:
        """A thing, and what else has its title: the card of a place, and the place."""
        lines = self._thing(view, thing, decision, width)
        if not visible(view, thing, decision.seat):
            return lines
        kinds = {view.thing(thing).kind}
        for other in things_called(view, view.title(thing), decision.seat):
            kind = view.thing(other).kind
            if view.title(other) == view.title(thing) and kind not in kinds and view.where(other) != view.box:
                kinds.add(kind)
                lines += self._thing(view, other, decision, width)
        return lines

    def _thing(self, view: View, thing: int, decision: Decision, width: int) -> list[Text]:
        """A thing with all that can be read on it, and what lies on it if it is a part that holds one thing."""
        lines = self._face(view, thing, decision, width)
        held = view.held_by(thing) if view.is_part(thing) else []
        if len(held) == 1 and visible(view, held[0], decision.seat):
            lines += self._face(view, held[0], decision, width)
        return lines

    def _face(self, view: View, thing: int, decision: Decision, width: int) -> list[Text]:
        lines = thing_lines(view, thing, decision.seat, width)
        if visible(view, thing, decision.seat):
            keywords = trait_lines(view, thing, decision.seat, self.cards)
            says = wording(view, thing, self.cards) or lent_wording(view, thing, decision.seat, self.cards)
            lines += _lines([f"  {line}" for line in [*keywords, *says]], width)
        return lines

    # -------------------------------------------------------------- reasons
    def why(self, name: str, decision: Decision, width: int) -> list[Text]:
        """Why a number is what it is, why an option is there, or what is refused now."""
        view, seat = self.game.view(), decision.seat
        if name.isdecimal():
            number = int(name[:9])
            if not 1 <= number <= len(decision.options):
                return _lines([f"  {no_option(name, len(decision.options))}"], width)
            lines = self._why_option(view, decision, number - 1)
        elif name:
            lines = track_lines(view, name, seat, self.cards) or self._why_choice(view, name, decision)
            lines = lines or reasons(view, name, decision, seat, self.cards)
        else:
            lines = self._refused(view, seat) or ["  Nothing is refused just now."]
        return _lines(lines, width)

    def _refused(self, view: View, seat: Seat, about: str = "") -> list[str]:
        return refusals(view, self.game.refused, seat, self.cards, about)

    def _why_option(self, view: View, decision: Decision, index: int) -> list[str]:
        """Why an option is there, and why it would do nothing now."""
        lines = option_reasons(view, decision, index, decision.seat, self.cards)
        if index in idle_options(view, decision, [index], self.cards):
            because = certain(
                view,
                decision.seat,
                lambda: [found.reason for found in idle_reasons(view, decision, index, self.cards)],
            )
            told = " ".join(dict.fromkeys(reason.strip() for reason in because if reason))
            lines.append(f"    it would do nothing now{f': {told}' if told else ''}")
        return lines

    def _why_choice(self, view: View, name: str, decision: Decision) -> list[str]:
        """Why an option of this name is there, or why there is none."""
        wanted = name.strip().lower()
        texts = [option_text(decision, index).lower() for index in range(len(decision.options))]
        for index, text in enumerate(texts):
            if wanted in (text, text.removeprefix("the ")):
                return self._why_option(view, decision, index)
        return self._refused(view, decision.seat, wanted)


def _unlike(title: str, wanted: str) -> tuple[bool, bool]:
    """How far a title is from what is looked for: another title, and without it as words of its own."""
    return title != wanted, f" {wanted} " not in f" {title.replace(',', ' ')} "


def no_option(number: str, count: int) -> str:
    """What is said of a number that none of so many options has."""
    return f"There is no option {number[:9]}; they go from 1 to {count}."


def option_text(decision: Decision, index: int) -> str:
    """An option as it is read: the question already says what `yes` means."""
    option = decision.options[index]
    return "Yes" if decision.form == "yes" and option.id == "yes" else option.text()


def _lines(lines: Iterable[str], width: int) -> list[Text]:
    return [piece for line in lines for piece in wrapped(Text(clean(line)), width, _hanging(line))]


def _hanging(line: str) -> int:
    return len(line) - len(line.lstrip()) + 2
