"""The player's side of `tale play`: what the screen shows and what can be typed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

from talewright.report.table import prose_lines, table_lines, thing_lines, visible
from talewright.runtime.faults import Fault
from talewright.runtime.game import Decision
from talewright.runtime.saves import write_save
from talewright.runtime.session import Leave, Session, Undo

HELP = """\
  a number         takes that option
  some letters     takes the option they fit, or shows those they fit
  Enter            shows the options again
  table            shows the table
  look NAME        looks at a card, place or person
  why [NAME]       what was refused just now and why; what makes up a number
  undo [N]         takes back your last decision, or the last N
  save [FILE]      writes the game so far to a file
  help             shows this
  quit             leaves; the game is saved
"""


class Terminal:
    """One terminal at the table."""

    def __init__(self, session: Session, document: dict[str, Any]) -> None:
        self.session = session
        self.document = document
        self.said = 0
        self.person = _Person(self)
        self.shown_table = ""

    @property
    def width(self) -> int:
        """Columns to write in."""
        return max(40, min(100, shutil.get_terminal_size((80, 24)).columns))

    def write(self, text: str = "") -> None:
        """One line to the screen."""
        print(text, flush=True)

    # -------------------------------------------------------------- beginning and end
    def welcome(self) -> None:
        """The title, and how to begin."""
        package = self.document["package"]
        self.write()
        self.write(package["title"])
        self.write("=" * len(package["title"]))
        seats = len(self.session.game.everybody())
        self.write(f"seed {self.session.seed}, {seats} seat{'s' if seats != 1 else ''}. Type `help` for what you can say.")
        self.write()

    def farewell(self, outcome: str) -> None:
        """The last page."""
        self.news()
        node = next((n for n in self.document["story"]["nodes"] if n["id"] == outcome), None)
        result = f": {node['result'].replace('_', ' ')}" if node and node.get("result") else ""
        self.write()
        self.write(f"-- {node['title'] if node else outcome}{result} --")

    def leave(self) -> None:
        """Keeps the game when somebody goes."""
        path = self.keep(None)
        self.write()
        self.write(f"The game is saved in {path}. Go on with: tale play PATH --load {path}")

    def fault(self, fault: Fault) -> None:
        """An error of play: what, where, and the save that shows it again."""
        path = self.keep(None)
        self.write(f"The game broke off. {fault}")
        for frame in fault.frames[-6:]:
            self.write(f"  at {frame.file}:{frame.line}")
        self.write(f"The game up to here is saved in {path}; `tale replay {path}` shows it again.")

    def keep(self, name: str | None) -> str:
        """Writes a save and gives its path."""
        path = Path(name) if name else Path(f"{self.document['package']['name']}-{self.session.seed}.save.json")
        path.write_bytes(write_save(self.session.save()))
        return str(path)

    def news(self) -> None:
        """What was said since the screen was last written."""
        said = self.session.game.said
        for text in said[self.said :]:
            for line in prose_lines(text, min(76, self.width - 2)):
                self.write(line)
            self.write()
        self.said = len(said)

    # -------------------------------------------------------------- asking
    def ask(self, decision: Decision) -> int:
        """Shows a decision and reads the answer."""
        self.said = min(self.said, len(self.session.game.said))
        self.news()
        seat = decision.seat if isinstance(decision.seat, int) else None
        table = "\n".join(table_lines(self.session.game, seat, self.width))
        if table != self.shown_table:
            self.write(table)
            self.shown_table = table
        self._options(decision, range(len(decision.options)))
        while True:
            line = self._read()
            chosen = self._take(line.strip(), decision)
            if chosen is not None:
                return chosen

    def _options(self, decision: Decision, which: Any) -> None:
        self.write()
        prompt = decision.prompt if decision.form != "yes" else f"{decision.prompt}?" if not decision.prompt.endswith("?") else decision.prompt
        self.write(f"{decision.who}: {prompt}".rstrip(": "))
        for index in which:
            option = decision.options[index]
            text = "Yes" if decision.form == "yes" and option.id == "yes" else option.text()
            self.write(f"  {index + 1:>2}  {text}")

    def _read(self) -> str:
        sys.stdout.write("> ")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    def _take(self, line: str, decision: Decision) -> int | None:
        if not line:
            self._options(decision, range(len(decision.options)))
            return None
        word, _, rest = line.partition(" ")
        match word.lower():
            case "help" | "?":
                self.write(HELP)
            case "quit" | "exit":
                raise Leave
            case "undo":
                raise Undo(int(rest) if rest.strip().isdigit() else 1)
            case "save":
                self._save(rest.strip() or None)
            case "table":
                seat = decision.seat if isinstance(decision.seat, int) else None
                self.write("\n".join(table_lines(self.session.game, seat, self.width)))
            case "look":
                self._look(rest.strip(), decision)
            case "why":
                self._why(rest.strip(), decision)
            case _:
                return self._chosen(line, decision)
        return None

    def _chosen(self, line: str, decision: Decision) -> int | None:
        if line.isdigit():
            number = int(line) - 1
            if 0 <= number < len(decision.options):
                return number
            self.write(f"There are {len(decision.options)} options.")
            return None
        wanted = line.lower()
        labels = [o.text().lower() for o in decision.options]
        exact = [i for i, text in enumerate(labels) if text == wanted]
        fitting = exact or [i for i, text in enumerate(labels) if wanted in text]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            self._options(decision, fitting)
        else:
            self.write("No option has that in it. Type `help` for what you can say.")
        return None

    def _save(self, name: str | None) -> None:
        try:
            self.write(f"Saved in {self.keep(name)}.")
        except OSError as problem:
            self.write(f"It cannot be saved there: {(problem.strerror or 'it fails').lower()}.")

    def _look(self, name: str, decision: Decision) -> None:
        game = self.session.game
        seat = decision.seat if isinstance(decision.seat, int) else None
        wanted = name.lower()
        found = [
            t.number for t in game.layout.things
            if wanted and (wanted in game.title(t.number).lower() or wanted == t.id) and visible(game, t.number, seat)
        ]  # fmt: skip
        if not found:
            self.write("Nothing you know of is called so.")
            return
        exact = [t for t in found if game.title(t).lower() == wanted]
        for line in thing_lines(game, (exact or found)[0], seat, self.width):
            self.write(line)
        others = list(dict.fromkeys(game.title(t) for t in found if game.title(t) != game.title((exact or found)[0])))
        if others and not exact:
            self.write(f"  (also: {', '.join(others[:6])})")

    def _why(self, name: str, decision: Decision) -> None:
        from talewright.report.reasons import reasons, refusals

        lines = reasons(self.session.game, name, decision) if name else refusals(self.session.game)
        for line in lines or ["Nothing was refused just now."]:
            self.write(line)


class _Person:
    """A seat that asks at the terminal."""

    person = True

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal

    def __call__(self, decision: Decision) -> int:
        return self.terminal.ask(decision)
