"""Paragraphs of `docs/language.md` about words of the language."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from talewright.compiler.symbols.core import FUNCTIONS, VERBS_BY_NAME
from talewright.dsl.grammar.reserved_words import CORE_NAMES, DECLARATION_WORDS, RESERVED
from talewright.lsp.meaning import WORDS_OF_LINES

PAGE = Path(__file__).parent / "language.md"
_ROW = re.compile(r"^\| `(?P<call>[^`]+)` \| (?P<does>[^|]+?) \|", re.MULTILINE)
_CODE = re.compile(r"`([^`]*)`")
# Words that many paragraphs mention: how the one begins that says what they mean.
_BEGINS = {
    "all": "- **Quantifiers**", "any": "- **Quantifiers**", "no": "- **Quantifiers**",
    "first": "- **Quantifiers**", "last": "- **Quantifiers**", "random": "- **Quantifiers**",
    "in": "- **Operators between sets", "is": "`+ - * / %`", "named": "- **`where`**",
    "deck": "A container holds", "type": "A **named type**", "as": "Replaces an action",
    "gains": "`gains` adds", "loses": "`gains` adds", "becomes": "`gains` adds",
}  # fmt: skip
# Words that a sample shows best: the section about them.
_SECTIONS = {
    "if": "If and match", "for": "Loops", "each": "Loops", "repeat": "Loops", "while": "Loops", "may": "May",
    "forbid": "Forbid", "instead": "Instead of", "until": "Rules for a while", "when": "When something becomes true",
}  # fmt: skip
# Words of a line that is explained as a whole.
_LINES = {"players": "start", "seed": "start"}


@cache
def about(word: str) -> str:
    """What the page says about a reserved word, a word that opens a declaration, a core verb or a core function."""
    page = _page()
    if word in VERBS_BY_NAME or word in FUNCTIONS:
        rows = [row for row in _ROW.finditer(page) if re.match(rf"{word}\b", row["call"])]
        if rows:
            return "\n".join(f"- `{row['call']}`: {row['does'].strip()}" for row in rows)
    if word in _SECTIONS:
        return _section(_SECTIONS[word])
    if word in _BEGINS:
        return next((block for _, block in _paragraphs() if block.startswith(_BEGINS[word])), "")
    if word in RESERVED or word in DECLARATION_WORDS:
        return _paragraph(word)
    if word in CORE_NAMES:
        return _row_about("Names", word, 0)
    return _paragraph(_LINES.get(word, word)) if word in WORDS_OF_LINES else ""


def calls_of(function: str) -> list[str]:
    """How a function of the core is called."""
    calls = (row["call"] for row in _ROW.finditer(_page()))
    return [call for call in calls if call.startswith(f"{function}(")]


def about_field(name: str) -> str:
    """What the page says about a field that things of the core have."""
    return about_property(name) or _paragraph(name)


def about_property(word: str) -> str:
    """What the page says about what every thing, die or container has."""
    return _row_about("Properties", word, 1)


def about_kind(name: str) -> str:
    """What the page says about a kind of the core."""
    return _row_about("Kinds of the core", name, 0)


def _row_about(heading: str, word: str, column: int) -> str:
    """The row of the table below a heading that has a word in a column, without its empty cells."""
    for line in _page().partition(f"\n### {heading}\n")[2].partition("\n#")[0].splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) > column and f"`{word}`" in cells[column]:
            return " · ".join(cell.replace("\\|", "|") for cell in cells if cell)
    return ""


def _section(heading: str) -> str:
    """What stands below a heading, its samples too."""
    text = _page().partition(f"\n### {heading}\n")[2]
    text = re.split(r"\n#{1,3} ", text)[0]
    text = re.sub(r"<!--.*?-->|<a [^\n]*", "", text, flags=re.DOTALL)
    return re.sub(r"```tale[^\n]*", "```tale", text).strip()


@cache
def _page() -> str:
    try:
        return PAGE.read_text(encoding="utf-8")
    except OSError:
        return ""


@cache
def _paragraphs() -> list[tuple[str, str]]:
    """Every paragraph of running text, with the heading it stands under; samples and tables are left out."""
    found: list[tuple[str, str]] = []
    heading = ""
    page = re.sub(r"```.*?```|<!--.*?-->", "\n\n", _part_for_writers(), flags=re.DOTALL)
    for block in re.split(r"\n[ \t]*\n|\n(?=- )", page):
        block = "\n".join(line for line in block.strip().splitlines() if not line.startswith("<a "))
        if block.startswith("#"):
            first, _, block = block.partition("\n")
            heading = re.sub(r"^#+ (\d+\. )?", "", first)
        if block and not block.startswith("|"):
            found.append((heading, block.strip()))
    return found


def _part_for_writers() -> str:
    """The chapters that say what to write; those behind say exactly what it means."""
    page = _page()
    return page[page.find("\n## 2. ") :].partition("\n## 20. ")[0]


def _paragraph(word: str) -> str:
    """The row of a table about a word, else the paragraph that says most about it."""
    row = next(
        (row for row in _ROW.finditer(_part_for_writers()) if re.match(rf"{word}\b", row["call"])), None
    )
    if row is not None:
        return f"`{row['call']}`: {row['does'].strip()}"
    best, weight = "", 0
    forms = "(?:die|dice)" if word == "die" else f"{word}s?"
    for heading, block in _paragraphs():
        codes = [re.findall(r"[a-z_]+", code) for code in _CODE.findall(block)]
        begins = any(code[:1] == [word] for code in codes)
        holds = any(word in code for code in codes)
        titled = re.search(rf"\b{forms}\b", heading, re.IGNORECASE) is not None
        bold = re.search(rf"\*\*(A |An |The )?`?{forms}\b[^*]*\*\*", block, re.IGNORECASE) is not None
        score = 12 * bold + 5 * begins + 3 * holds + 4 * (titled and (holds or bold)) + titled
        if score > weight:
            best, weight = block, score
    return best
