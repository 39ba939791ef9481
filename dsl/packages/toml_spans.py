"""Finds the places of keys and values in a TOML text, which `tomllib` does not tell."""

from __future__ import annotations

import re

from talewright.dsl.source import Source, Span
from talewright.schemas.records import field, record

Path = tuple[str | int, ...]

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"""|' + r"'''.*?'''|"
    r'"(?:\\.|[^"\\\n])*"|' + r"'[^'\n]*'|#[^\n]*|\n|[ \t\r]+|"
    r"""[\[\]{}=,]|[^\s\[\]{}=,#"']+|.""",
    re.DOTALL,
)


@record
class Places:
    """The places of one valid TOML text, by path of keys and list positions."""

    source: Source
    keys: dict[Path, Span] = field(default_factory=dict)
    values: dict[Path, Span] = field(default_factory=dict)

    def value(self, path: Path) -> Span:
        """The place of the value at a path, or of the nearest thing around it."""
        return self._nearest(self.values, path)

    def key(self, path: Path) -> Span:
        """The place of the key at a path, or of the nearest thing around it."""
        return self._nearest(self.keys, path)

    def _nearest(self, first: dict[Path, Span], path: Path) -> Span:
        while path:
            found = first.get(path) or self.values.get(path) or self.keys.get(path)
            if found is not None:
                return found
            path = path[:-1]
        return self.source.span(0, 0)


def find_places(source: Source) -> Places:
    """Reads the places of all keys, values and items of top-level lists."""
    places = Places(source)
    line: list[re.Match[str]] = []
    depth = 0
    prefix: Path = ()
    for token in _TOKEN.finditer(source.text):
        text = token.group()
        if text == "\n" and depth == 0:
            prefix = _read_line(line, prefix, places)
            line = []
            continue
        if text.isspace() or text.startswith("#"):
            continue
        depth += (text in "[{") - (text in "]}")
        line.append(token)
    _read_line(line, prefix, places)
    return places


def _read_line(line: list[re.Match[str]], prefix: Path, places: Places) -> Path:
    """Notes one line's places; gives the table that the following lines belong to."""
    if not line:
        return prefix
    if line[0].group() == "[":
        inner = [token for token in line if token.group() not in "[]"]
        path = _key(inner)
        if inner:
            places.keys.setdefault(path, _span(places, inner))
        return path
    equals = next((at for at, token in enumerate(line) if token.group() == "="), len(line))
    path = prefix + _key(line[:equals])
    value = line[equals + 1 :]
    if line[:equals]:
        places.keys[path] = _span(places, line[:equals])
    if value:
        places.values[path] = _span(places, value)
        if value[0].group() == "[":
            _read_items(value[1:], path, places)
    return prefix


def _read_items(value: list[re.Match[str]], path: Path, places: Places) -> None:
    """Notes the items of a list, given what follows its opening bracket."""
    depth = 0
    item: list[re.Match[str]] = []
    position = 0
    for token in value:
        text = token.group()
        if depth == 0 and text in ",]":
            if item:
                places.values[(*path, position)] = _span(places, item)
            position += 1
            item = []
            continue
        depth += (text in "[{") - (text in "]}")
        item.append(token)


def _key(tokens: list[re.Match[str]]) -> Path:
    parts: list[str] = []
    for token in tokens:
        text = token.group()
        parts += [text[1:-1]] if text[0] in "\"'" else [part for part in text.split(".") if part]
    return tuple(parts)


def _span(places: Places, tokens: list[re.Match[str]]) -> Span:
    return places.source.span(tokens[0].start(), tokens[-1].end())
