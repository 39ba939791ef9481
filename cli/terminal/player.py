"""The player's side of `tale play`: what the screen shows and what can be typed."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from talewright.cli.output import called
from talewright.cli.terminal.answers import IDLE, Answers, no_option, option_text
from talewright.cli.terminal.news import Level, News
from talewright.cli.terminal.remote_seats import Waiting
from talewright.cli.terminal.save_files import Chronicler, Keeper
from talewright.cli.terminal.screen import MOST_BRIEF, Screen
from talewright.cli.terminal.table_changes import TableChanges, without_heading
from talewright.report.explain.trace import Choice
from talewright.report.table.prose import clean, in_columns, wrapped
from talewright.report.table.tabletop import table_lines
from talewright.report.table.visibility import Seat, secrets_between
from talewright.runtime.faults import Fault
from talewright.runtime.observe.trace import Detail
from talewright.runtime.session import Decision, Leave, Session, Undo
from talewright.schemas.records import replace

HELP = """\
  a number       takes that option
  some letters   takes the option they fit, or shows those they fit
  Enter          shows the options again
  all            shows every option in full
  table          shows the whole table
  look NAME      looks at a card, a place, a person or a track
  look N         looks at option N
  why            what is refused now, and by which rule
  why N          why option N is there
  why NAME       what makes up a value, a track, or a FIELD of a THING
  log [N]        the last decisions
  undo [N]       takes back your last decision, or the last N
  save [FILE]    writes the game so far to a file
  help           shows this
  quit           leaves; the game is saved"""
COMMANDS = frozenset(("?", "all", "exit", "help", "log", "look", "quit", "save", "table", "undo", "why"))

# More lines than an option ever has.
MANY = 20
# Short options stand in so many columns at most.
MOST_BESIDE = 4
CUT_SHORT = "  (to fit, some are cut: `all` shows them whole, `look N` one)"


class Terminal:
    """One terminal at the table, for as many people as share it."""

    def __init__(
        self,
        session: Session,
        keeper: Keeper,
        path: str,
        again: str,
        chronicler: Chronicler,
        level: Level = "usual",
    ) -> None:
        self.session = session
        self.game = session.game
        self.document = session.program.document
        self.keeper = keeper
        self.chronicler = chronicler
        self.path = path
        self.again = again
        self.own = ""
        self.screen = Screen()
        self.news = News(self.game, level)
        self.answers = Answers(self.game, self.news.narrator.cards)
        self.remotes: list[Waiting] = []
        self.game.listener = self._hear
        session.on_going_back = self._cut
        self.person = _Person(self)
        self.viewer: Seat = None
        self.changes = TableChanges()
        self.away = ""
        """Who decides elsewhere now, as those who sit here were told."""
        self.loaded = bool(session.script)
        self.taken_back = False
        self.watching = False

    def _hear(self, kind: str, detail: Detail | Choice) -> None:
        self.news(kind, detail)
        for remote in self.remotes:
            remote.news(kind, detail)
        if self.watching and kind in ("say", "decide") and not self.session.replaying:
            self._tell_on()

    def _cut(self, left: int, after: int | None) -> None:
        for news in (self.news, *(remote.news for remote in self.remotes)):
            news.cut(left, after)
        for remote in self.remotes:
            remote.changes.forget()

    def _tell_on(self) -> None:
        """Nobody here is asked anything, so nobody is waited for: what happens is told as it happens."""
        if self.loaded:
            self.news.skip(1)
            self.loaded = False
        self.screen.write_all(self.news.tell(self.viewer, self.own, self.screen.width))

    # -------------------------------------------------------------- beginning and end
    def welcome(self) -> None:
        """The title, and how to begin."""
        title = clean(self.document["package"]["title"])
        self.screen.write("", Text(title, style="bold"), Text("=" * min(len(title), self.screen.width)))
        about = f"Seed {self.session.seed}; {self._who_plays()}."
        if not self.watching:
            about += " Type `help` for what you can say."
        self.screen.write_all(wrapped(Text(about, style="dim"), self.screen.width))
        self.screen.write()
        for remote in self.remotes:
            remote.invite()

    def _who_plays(self) -> str:
        """Who sits where: `you are p1; bots play p2, p3`."""
        seats = self.session.program.taken_seats
        names = {seat: self.game.title(seat) for seat in seats}
        sitting = {seat: self.session.seats.get(seat, self.session.default) for seat in seats}
        here = [names[seat] for seat in seats if sitting[seat] is self.person]
        away = [names[seat] for seat in seats if sitting[seat] in self.remotes]
        bots = [names[seat] for seat in seats if names[seat] not in (*here, *away)]
        if not names:
            return "nobody has a seat"
        told = [f"at the table: {', '.join(names.values())}"] if not here and not away else []
        if len(here) == 1:
            told.append(f"you are {here[0]}")
        elif here:
            told.append(f"at this keyboard: {', '.join(here)}")
        told += [f"elsewhere: {', '.join(away)}"] if away else []
        if bots and (here or away):
            told.append(f"a bot plays {bots[0]}" if len(bots) == 1 else f"bots play {', '.join(bots)}")
        return "; ".join(told)

    def farewell(self, outcome: str) -> None:
        """The last page."""
        self.screen.write_all(self.news.tell(self.viewer, self.own, self.screen.width))
        node = next((n for n in self.document["story"]["nodes"] if n["id"] == outcome), None)
        result = f": {node['result'].replace('_', ' ')}" if node and node.get("result") else ""
        ending = f"-- {clean(node['title']) if node else outcome}{result} --"
        self.screen.write("", *wrapped(Text(ending, style="bold"), self.screen.width))
        self.screen.write_all(self.chronicler.write(self.session))
        for remote in self.remotes:
            remote.end(outcome, clean(node["title"]) if node else outcome)

    def kept(self) -> list[str]:
        """Keeps the game and says where it is, whatever happens."""
        path = self.keeper.keep_somewhere()
        if path is None:
            return ["The game could not be saved anywhere: every place refuses to be written."]
        return [f"The game is saved in {path}", f"Go on with: {self.again} --load {path}"]

    def fault(self, fault: Fault) -> None:
        """An error of play: what, where, and the save that shows it again."""
        self.screen.write_all(self.news.tell(self.viewer, self.own, self.screen.width))
        self.screen.write(
            "", *wrapped(Text(f"The game broke off. {fault}", style="bold red"), self.screen.width)
        )
        for frame in reversed(fault.frames[-8:]):
            self.screen.write(Text(f"  in {frame.what}, {frame.file}:{frame.line}"))
        path = self.keeper.keep_somewhere()
        if path is None:
            self.screen.write("The game could not be saved anywhere: every place refuses to be written.")
        else:
            self.screen.write(
                Text(f"The game up to here is saved in {path}"),
                Text(f"See it again with: {called()} replay {path} --package {self.path} --trace"),
            )

    # -------------------------------------------------------------- asking
    def ask(self, decision: Decision) -> int:
        """Shows a decision and reads the answer."""
        self.watching = False
        self.away = ""
        for remote in self.remotes:
            remote.waits_for(decision.who)
        # Of several who decide together, bots and people elsewhere do not look at this screen.
        here = self._here()
        decision = replace(decision, readers=tuple(seat for seat in decision.seats if seat in here))
        alone = self._hand_over(decision)
        if self.loaded or self.taken_back:
            self.news.skip(1 if self.loaded else 0)
            self.loaded = self.taken_back = False
        own = decision.who if alone else self.own
        self.own = decision.who
        news = list(self.news.tell(decision.seat, own, self.screen.width, alone))
        height = self.screen.height
        view, screen = self.game.view(), self.screen
        table = self.changes.lines(view, decision.seat, screen.width, height, screen.signs)
        news = without_heading(news, table)
        asked = self._asked(decision, range(len(decision.options)), height - 2 - min(len(news), height // 3))
        screen.write_all(table)
        screen.read_aloud(news, len(asked) + 1, is_command)
        self.screen.write_all(asked)
        while True:
            chosen = self._take(self.screen.read().strip(), decision)
            if chosen is not None:
                return chosen

    def decides_elsewhere(self, who: str, there: Waiting) -> None:
        """Tells everybody else, once, for whom they wait."""
        if self._here() and self.away != who:
            self.screen.write(Text(f"  ({who} decides elsewhere)", style="dim"))
        self.away = who
        for remote in self.remotes:
            if remote is not there:
                remote.waits_for(who)

    def _hand_over(self, decision: Decision) -> bool:
        """Hides what the last person saw when the next one may not see it; whether it had to."""
        before = self.viewer
        if before is None:
            # Somebody else may have been here before the game was loaded, or before the first question.
            hidden = any(
                secrets_between(self.game.view(), other, decision.seat) for other in self._others(decision)
            )
        else:
            hidden = before != decision.seat and secrets_between(self.game.view(), before, decision.seat)
        if not hidden:
            self.viewer = decision.seat
            return False
        self.changes.forget(decision.seat)
        if before is not None:
            self.screen.clear()
        self.screen.write(Text(f"-- Hand the keyboard to {decision.who}. --", style="bold"))
        if self.screen.is_terminal:
            self._pause(decision)
            self.screen.clear()
        self.viewer = decision.seat
        return True

    def _others(self, decision: Decision) -> list[int]:
        """Those who share this keyboard with whoever decides."""
        return [seat for seat in self._here() if seat not in decision.seats]

    def _here(self) -> list[int]:
        """The seats of people at this keyboard."""
        seats = self.session.program.taken_seats
        return [seat for seat in seats if self.session.seats.get(seat, self.session.default) is self.person]

    def _pause(self, decision: Decision) -> None:
        """Waits for the next person. What can be said before is about the game, and shows nothing of the table."""
        while True:
            line = self.screen.read(f"{decision.who}, press Enter when you are there. ").strip()
            word, _, rest = line.partition(" ")
            match word.lower():
                case "":
                    return
                case "undo":
                    # Nobody knows who types this: whoever is asked again is called back to the keyboard first.
                    self.viewer = decision.seat
                    self._undo(rest.strip(), decision)
                case "save":
                    self._save(rest.strip())
                case "quit" | "exit":
                    raise Leave
                case _:
                    self.screen.write(
                        "Before it is shown: Enter goes on, `undo` takes back the last decision, `quit` leaves."
                    )

    def _whole_table(self, decision: Decision) -> None:
        """All of the table, for somebody who asks for it."""
        self._pages(table_lines(self.game.view(), decision.seat, self.screen.width, self.screen.signs))

    def _several(self, decision: Decision) -> bool:
        """Whether a decision is one of several picks."""
        return any(p.id == decision.name and p.several for p in self.session.program.lowered.points)

    def _pages(self, lines: list[Text]) -> None:
        """Lines that somebody has asked for: more than a screen of them waits for the reader."""
        page = self.screen.height - 2
        while self.screen.is_terminal and len(lines) > page:
            self.screen.write_all(lines[:page])
            lines = lines[page:]
            self.screen.wait(is_command)
        self.screen.write_all(lines)

    def _asked(self, decision: Decision, which: Iterable[int], room: int) -> list[Text]:
        """The question and its options in so many lines: in full, else each in one line, else the first of them."""
        width, shown = self.screen.width, list(which)
        picked = self.news.picked(decision) if self._several(decision) else []
        question = [Text(), *wrapped(self.answers.question(decision, picked), width)]
        hanging = len(str(len(decision.options))) + 4
        # What goes to a file or another program is not cut to the height of a screen.
        shown_now = shown[: max(room * MOST_BESIDE, 1)] if self.screen.is_terminal else shown
        lines = self.answers.options(decision, shown_now, picked)
        beside = in_columns(lines, width, MOST_BESIDE)
        if len(beside) <= room - len(question):
            lines = beside
        full = [piece for line in lines for piece in wrapped(line, width, hanging)]
        most = max(MOST_BRIEF, room - len(question))
        if not self.screen.is_terminal or len(full) <= most:
            return question + full
        cut = len(full) > len(lines)
        # What would do nothing is cut first.
        for shortened in ([line for line in lines if IDLE in line.plain], lines):
            for line in shortened:
                line.truncate(width, overflow="ellipsis")
            full = [piece for line in lines for piece in wrapped(line, width, hanging)]
            if len(full) + cut <= most:
                return question + full + [Text(CUT_SHORT, style="dim")] * cut
        more = (
            f"  ... and {len(shown) - most + 1} more: type letters to narrow them down, or `all` to see them"
        )
        return [*question, *lines[: most - 1], *wrapped(Text(more, style="dim"), width, 4)]

    def _options(self, decision: Decision, which: Iterable[int], everything: bool = False) -> None:
        room = len(decision.options) * MANY if everything else self.screen.height - 2
        self.screen.write_all(self._asked(decision, which, room))

    # -------------------------------------------------------------- what is typed
    def _take(self, line: str, decision: Decision) -> int | None:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        match word.lower():
            case "":
                self._options(decision, range(len(decision.options)))
            case "help" | "?":
                self.screen.write_all(HELP.splitlines())
            case "quit" | "exit":
                raise Leave
            case "undo":
                self._undo(rest, decision)
            case "save":
                self._save(rest)
            case "table":
                self._whole_table(decision)
                self._options(decision, range(len(decision.options)))
            case "all" if not rest:
                self._options(decision, range(len(decision.options)), everything=True)
            case "log":
                self._log(rest, decision)
            case "look":
                self._pages(self.answers.look(rest, decision, self.screen.width))
            case "why":
                self._pages(self.answers.why(rest, decision, self.screen.width))
            case _:
                return self._chosen(line, decision)
        return None

    def _chosen(self, line: str, decision: Decision) -> int | None:
        if line.isdecimal():
            number = int(line) - 1 if len(line) < 9 else -1
            if 0 <= number < len(decision.options):
                return number
            self.screen.write(no_option(line, len(decision.options)))
            return None
        if line.replace(",", " ").replace(" ", "").isdecimal():
            self.screen.write("Take one option at a time: type one number.")
            return None
        wanted = line.lower()
        labels = [option_text(decision, index).lower() for index in range(len(decision.options))]
        fitting = [i for i, text in enumerate(labels) if text == wanted]
        fitting = fitting or [i for i, text in enumerate(labels) if text.startswith(wanted)]
        fitting = fitting or [
            i for i, text in enumerate(labels) if all(part in text for part in wanted.split())
        ]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            self._options(decision, fitting)
        else:
            self.screen.write("No option has that in it. Type `help` for what you can say.")
        return None

    def _undo(self, rest: str, decision: Decision) -> None:
        if rest and not rest.isdecimal():
            self.screen.write("Say how many decisions: `undo 2`.")
        elif not self.session.people:
            self.screen.write("There is nothing of yours to take back.")
        else:
            count = max(1, min(int(rest[:9] or 1), len(self.session.people)))
            for remote in self.remotes:
                if not remote.agrees(decision.who, count):
                    self.screen.write(f"{remote.name} does not agree to take it back.")
                    return
            self.screen.write("Taken back.")
            self.going_back()
            raise Undo(count)

    def going_back(self) -> None:
        """The game goes back: what was shown is shown again."""
        self.taken_back = True
        self.changes.forget()

    def agrees(self, who: str, count: int) -> bool:
        """Asks whoever sits here whether somebody elsewhere may take decisions back; yes where nobody does."""
        if not self._here():
            return True
        question = f"{who} wants to take back {count_of(count)}. Agreed? (yes or no) "
        while True:
            line = self.screen.read(question).strip().lower()
            if line in ("yes", "y"):
                self.going_back()
                return True
            if line in ("no", "n"):
                return False

    def _save(self, name: str) -> None:
        try:
            path = self.keeper.keep(name) if name else self.keeper.keep_somewhere()
        except (OSError, ValueError) as problem:
            reason = getattr(problem, "strerror", None) or str(problem) or "it fails"
            self.screen.write(f"It cannot be saved there: {reason.lower()}. The game goes on.")
            return
        self.screen.write(
            Text(f"Saved in {path}" if path else "It cannot be saved anywhere. The game goes on.")
        )

    def _log(self, rest: str, decision: Decision) -> None:
        count = int(rest[:6]) if rest.isdecimal() else 10
        choices = self.news.choices()
        first = max(0, len(choices) - count)
        for number, heard in enumerate(choices[first:], first + 1):
            line = Text(f"  {number:>4}  {self.news.choice(heard, decision.seat)}")
            self.screen.write_all(wrapped(line, self.screen.width, 8))
        if not choices:
            self.screen.write("Nothing has been decided yet.")


class _Person:
    """A seat that asks at the terminal."""

    person = True

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal

    def __call__(self, decision: Decision) -> int:
        return self.terminal.ask(decision)


def is_command(line: str) -> bool:
    """Whether a line says something else than which option to take."""
    word, _, rest = line.strip().lower().partition(" ")
    return word in COMMANDS and not (word == "all" and rest.strip())


def count_of(count: int) -> str:
    """So many decisions, in words."""
    return "the last decision" if count == 1 else f"the last {count} decisions"
