"""Prose set for a terminal: paragraphs, headings, lists, quotations; emphasis as style, never as signs."""

from __future__ import annotations

import re
from io import StringIO
from itertools import groupby

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from talewright.dsl.text_sanitizer import harmless

_INLINE = re.compile(
    r"\*\*(?=\S)(.+?)(?<=\S)\*\*|\*(?=\S)(.+?)(?<=\S)\*|(?<!\w)_(?=\S)(.+?)(?<=\S)_(?!\w)|`([^`]+)`",
    re.DOTALL,
)
_ITEM = re.compile(r"(?:[-*+]|\d+[.)])\s+")
# So many columns lie between two lines that stand side by side.
GAP = 2
# So many lines stay one below the other.
FEW = 8
_SETTER = Console(file=StringIO(), width=80, color_system=None)


def prose_lines(text: str, width: int = 72) -> list[Text]:
    """A text in lines of at most `width` columns, with an empty line between paragraphs."""
    lines: list[Text] = []
    for paragraph in re.split(r"\n\s*\n", clean(text).strip()):
        if lines:
            lines.append(Text())
        lines += _paragraph(paragraph, width)
    return lines


def is_item(text: str) -> bool:
    """Whether a text is an item of a list."""
    return _ITEM.match(text) is not None


def is_heading(text: str) -> bool:
    """Whether a text is the title of what follows."""
    return text.startswith("#")


def clean(text: str) -> str:
    """A text without signs that would command the terminal."""
    return harmless(text.replace("\r\n", "\n").replace("\t", " ")).replace("\ufffd", "")


def emphasis(text: str, style: str = "") -> Text:
    """One run of text with its emphasis as style."""
    made = Text(style=style)
    at = 0
    for found in _INLINE.finditer(text):
        made.append(text[at : found.start()])
        strong, light, low, code = found.groups()
        made.append(
            strong or light or low or code, style="bold" if strong else "italic" if light or low else ""
        )
        at = found.end()
    made.append(text[at:])
    return made


def wrapped(text: Text, width: int, hanging: int = 0) -> list[Text]:
    """A text in lines; all but the first stand in by so many columns."""
    width = max(8, width)
    first, *rest = text.wrap(_SETTER, width) if hanging == 0 else _hang(text, width, hanging)
    return [_trimmed(first), *(_trimmed(line) for line in rest)]


def in_columns(lines: list[Text], width: int, most: int) -> list[Text]:
    """Lines with those that are short side by side, downwards first, where many of them follow each other."""
    made: list[Text] = []
    for short, group in groupby(lines, key=lambda line: cell_len(line.plain) + GAP <= width // 2):
        run = list(group)
        made += _beside(run, width, most) if short and len(run) > FEW else run
    return made


def _beside(lines: list[Text], width: int, most: int) -> list[Text]:
    room = max(cell_len(line.plain) for line in lines) + GAP
    rows = -(-len(lines) // min(most, (width + GAP) // room))
    made = []
    for row in range(rows):
        whole = Text()
        for line in lines[row::rows]:
            whole.append(" " * (-cell_len(whole.plain) % room))
            whole.append_text(line)
        made.append(whole)
    return made


def _hang(text: Text, width: int, hanging: int) -> list[Text]:
    first = text.wrap(_SETTER, width)[0]
    # The wrapper takes away the blank it breaks at: the rest begins after it.
    used = len(first.plain.rstrip())
    rest = text[used:]
    blank = len(rest.plain) - len(rest.plain.lstrip())
    rest = rest[blank:]
    if not rest.plain:
        return [first]
    return [first, *(Text(" " * hanging) + line for line in rest.wrap(_SETTER, max(8, width - hanging)))]


def _trimmed(line: Text) -> Text:
    line.rstrip()
    return line


def _paragraph(paragraph: str, width: int) -> list[Text]:
    source = [line.strip() for line in paragraph.splitlines()]
    if source[0].startswith("#"):
        return wrapped(emphasis(" ".join(source).lstrip("# "), "bold"), width)
    if source[0].startswith(">"):
        quoted = emphasis(" ".join(line.lstrip("> ") for line in source))
        return [Text("    ") + line for line in wrapped(quoted, width - 4)]
    if is_item(source[0]):
        items: list[str] = []
        for line in source:
            if is_item(line) or not items:
                items.append(line)
            else:
                items[-1] += f" {line}"
        return [line for item in items for line in wrapped(Text("  ") + emphasis(item), width, 4)]
    return wrapped(emphasis(" ".join(source)), width)
