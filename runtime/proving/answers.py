"""What a test decides, matched with what is asked."""

from __future__ import annotations

from talewright.runtime.host.decisions import Decision, Option
from talewright.runtime.host.words import Words
from talewright.runtime.ir.header import NONE
from talewright.runtime.lower.statements.story import FOLLOWED
from talewright.runtime.model.cells import CHAPTER
from talewright.runtime.model.types import is_number
from talewright.runtime.model.world import plain
from talewright.runtime.proving.failures import Failure
from talewright.schemas.nodes.tests import AnswerStep
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import record

SHOWN_OPTIONS = 12


@record(frozen=True)
class Wanted:
    """What a test chooses: a cell, whose meaning its type tells, and the same in words."""

    cell: int | None
    """None where nothing is to be chosen."""
    type: Type
    text: str


def wanted(words: Words, cell: int, type_: Type) -> Wanted:
    """What the value of an answer means."""
    inner = plain(type_)
    nothing = inner.tag == "none" or cell == (NONE if is_number(inner) else 0)
    if inner.tag == "any" and cell == NONE:
        nothing = True
    if nothing:
        return Wanted(None, inner, "none")
    return Wanted(cell, inner, words.word(cell) if inner.tag == "words" else words.value(cell, inner))


@record
class Answer:
    """Answers waiting for a decision, by its id, its prompt or its seats."""

    prompt: str
    by_text: bool
    mask: int
    values: list[Wanted]
    at: int

    def fits(self, decision: Decision, page: str) -> bool:
        """Whether the answer is meant for a decision; the choice of a page is called by the page, too."""
        if self.prompt and self.by_text:
            menu = decision.name.removeprefix("menu.") if decision.name.startswith("menu.") else ""
            if self.prompt not in (decision.prompt, menu):
                return False
        elif self.prompt and self.prompt not in (decision.name, decision.id, page):
            return False
        return not self.mask or bool(self.mask & decision.mask)


def answer_of(words: Words, step: AnswerStep, cells: list[int], types: tuple[Type, ...]) -> Answer:
    """The answer that a step gives, from the values that its function has worked out."""
    mask, *values = cells
    found = [wanted(words, cell, type_) for cell, type_ in zip(values, types, strict=True)]
    return Answer(step.prompt or "", bool(step.by_text), mask, found, step.at)


class Answers:
    """All answers of a test that are still waiting, in order."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.waiting: list[Answer] = []

    def leniently(self, decision: Decision) -> int:
        """On the way to the chapter only an answer that names the decision or its prompt counts; else the first option."""
        answer = self._find(decision)
        if answer is None or not answer.prompt or (answer.by_text and answer.prompt != decision.prompt):
            return 0
        if not any(self.is_meant(option, answer.values[0]) for option in decision.options):
            return 0
        return self._take(answer, decision)

    def strictly(self, decision: Decision) -> int:
        """The number of the option that the test chooses; there must be an answer."""
        answer = self._find(decision)
        if answer is None:
            who = ", ".join(self.words.title(seat) for seat in decision.seats)
            prompt = f" {decision.prompt}" if decision.prompt else ""
            raise Failure(f"nobody answers `{decision.id}` for {who}:{prompt} [{_shown(decision)}]")
        return self._take(answer, decision)

    def left(self) -> Answer | None:
        """The first answer that nobody asked for."""
        return next((answer for answer in self.waiting if answer.values), None)

    def _find(self, decision: Decision) -> Answer | None:
        """The answer that is next; of members of a team who answer apart, the one with the last word."""
        page = self._page(decision)
        found = [answer for answer in self.waiting if answer.values and answer.fits(decision, page)]
        if not found or not decision.settles or not found[0].mask:
            return found[0] if found else None
        by_seat: dict[int, Answer] = {}
        for answer in found:
            if answer.mask.bit_count() == 1:
                by_seat.setdefault(answer.mask, answer)
        last = by_seat.pop(decision.settles, found[0])
        for answer in by_seat.values():
            if answer is not last:
                answer.values.pop(0)
        return last

    def _page(self, decision: Decision) -> str:
        """What the choice of the page that is played is called, as in a playtest; empty for any other decision."""
        chapter = self.words.cell(CHAPTER)
        return f"{self.words.thing(chapter).id}.choice" if decision.name == FOLLOWED and chapter else ""

    def _take(self, answer: Answer, decision: Decision) -> int:
        choice = answer.values.pop(0)
        for index, option in enumerate(decision.options):
            if self.is_meant(option, choice):
                return index
        raise Failure(f"`{decision.id}` has no option {choice.text}: [{_shown(decision)}]")

    def is_meant(self, option: Option, choice: Wanted) -> bool:
        """Whether a choice means an option: by its value, its id, its label, or the sort of a thing."""
        if choice.cell is None:
            return option.id in ("none", "no", "pass")
        match choice.type.tag:
            case "truth":
                return option.id == ("yes" if choice.cell else "no")
            case "text" | "words":
                if choice.text in (option.id, option.label):
                    return True
                return option.value == choice.cell and option.type.tag == choice.type.tag
            case "sort":
                if option.value is None or option.type.tag not in ("thing", "sort"):
                    return False
                number = option.value
                return self.words.column("SORT", number) == choice.cell or number == choice.cell
        return option.value == choice.cell or option.id == str(choice.cell)


def _shown(decision: Decision) -> str:
    return "; ".join(option.label for option in decision.options[:SHOWN_OPTIONS])
