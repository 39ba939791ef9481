"""The screen of `tale play`: styled lines in the width the terminal has now, plain without colour."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence

from rich.console import Console
from rich.text import Text

from talewright.dsl.text_sanitizer import harmless
from talewright.report.table.board_map import ASCII, FINE, Lines
from talewright.report.table.prose import clean, wrapped

WIDEST = 90
NARROWEST = 20
# However small the screen, so many lines of news or options are shown at once.
MOST_BRIEF = 5
# A terminal hands over one line at a time, and no longer one.
LONGEST_LINE = 4096


class _Lines(Console):
    """A console that lets a closed pipe be known instead of ending the process."""

    def on_broken_pipe(self) -> None:
        """Called while the error is handled: it goes on to whoever plays."""
        raise


class Screen:
    """Writes lines and reads what is typed."""

    def __init__(self) -> None:
        for stream in (sys.stdout, sys.stdin):
            # A sign the terminal cannot show, or a stray byte typed, must not end a game.
            with contextlib.suppress(AttributeError, ValueError):
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        self.is_terminal = sys.stdout.isatty() and sys.stdin.isatty()
        self.signs: Lines = FINE if (sys.stdout.encoding or "").lower().replace("-", "") == "utf8" else ASCII
        self.typed = ""
        """A line that was typed before it was asked for."""
        if self.is_terminal:
            with contextlib.suppress(ImportError):
                # Imported for what it does to `input`: the line can be edited.
                import readline  # noqa: F401

    @property
    def width(self) -> int:
        """Columns to write in; asked anew each time, for terminals change."""
        return max(NARROWEST, min(WIDEST, shutil.get_terminal_size((80, 24)).columns))

    @property
    def height(self) -> int:
        """Lines that can be seen at once."""
        return max(8, shutil.get_terminal_size((80, 24)).lines)

    def write(self, *lines: Text | str) -> None:
        """Lines to the screen: texts as they are, plain strings set in its width."""
        console = _Lines(file=sys.stdout, highlight=False, markup=False, emoji=False, width=200)
        for line in lines or ("",):
            if isinstance(line, Text):
                line = line.copy()
                line.plain = harmless(line.plain)
                console.print(line, soft_wrap=True)
                continue
            indent = len(line) - len(line.lstrip())
            for text in wrapped(Text(clean(line)), self.width, indent + 2 if indent else 0):
                console.print(text, soft_wrap=True)
        sys.stdout.flush()

    def write_all(self, lines: Iterable[Text | str]) -> None:
        """Several lines."""
        for line in lines:
            self.write(line)

    def clear(self) -> None:
        """Wipes the screen and what can be scrolled back to, where that means anything."""
        if self.is_terminal and os.environ.get("TERM", "dumb") != "dumb":
            sys.stdout.write("\033[2J\033[3J\033[H")
            sys.stdout.flush()
        else:
            self.write("")

    def read_aloud(self, news: Sequence[Text], below: int, is_command: Callable[[str], bool]) -> None:
        """What happened. More than a screen of it waits for the reader, so that its end stands above the lines below it."""
        last = max(MOST_BRIEF, self.height - below)
        while self.is_terminal and len(news) > last:
            page = min(self.height - 2, len(news) - last)
            self.write_all(news[:page])
            news = news[page:]
            self.wait(is_command)
        self.write_all(news)

    def wait(self, is_command: Callable[[str], bool]) -> None:
        """Waits for Enter. A command typed instead is read next; an answer is not, for its question may not be seen yet."""
        line = self.read("-- Enter for more -- ")
        self.typed = line if is_command(line) else ""

    def pass_over_unasked(self, is_command: Callable[[str], bool]) -> None:
        """Passes over the lines that were typed before a question is seen, up to a command, which is read next."""
        # Where a terminal cannot be asked whether something was typed, nothing is passed over.
        with contextlib.suppress(OSError, ValueError):
            while self.is_terminal and not self.typed and select.select([sys.stdin], [], [], 0)[0]:
                line = os.read(sys.stdin.fileno(), LONGEST_LINE).decode(errors="replace")
                if not line:
                    break
                self.typed = line if is_command(line) else ""

    def read(self, prompt: str = "> ") -> str:
        """One line typed; the end of input is an error of its own."""
        if self.typed:
            line, self.typed = self.typed, ""
            self.write(f"{prompt}{line.rstrip()}")
            return line
        if self.is_terminal:
            return input(prompt)
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        # Piped input is not echoed: the line ends here, so that a transcript stays readable.
        sys.stdout.write(f"{line.rstrip()}\n")
        return line
