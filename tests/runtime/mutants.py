"""Documents damaged at random: places exchanged, doubled, nested, taken away, and values that nobody expects put in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

Path = tuple[Any, ...]

NUMBERS = (
    0, 1, -1, 2, 3, 7, 31, 32, 64, 99, 100, 255, 1000, 9_999, 10_000, 65_536, 100_000, 10**6, 10**9, 10**9 + 1, -(10**9),
    2**31 - 1, 2**31, -(2**31), 2**53, 2**62, -(2**63), 2**64 - 1, 1e30,
)  # fmt: skip
ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    "",
    "x",
    1.5,
    [],
    {},
    "\0",
    "a/b",
    "core:move",
    0,
    [[]],
    {"op": "none"},
)
TEXTS = (
    "\x1b[2J\x1b]0;title\x07\x1b[31mred", "\r\n\t\x08\x7f\x9b", "\u202eback\u2066wards\u200b", "{0} {1} {999}", "{{}}\\{",
    "../../etc/passwd", "%s %n {x} {0.__class__}", "\ud7ff\ufffe\U0001f600" * 40, "a" * 201, "wide " * 2_000, "z" * 200_000,
    "z" * 200_001,
)  # fmt: skip
# Nothing plays tests, so that only some are kept to be damaged.
TESTS = 3
DEEP = (1, 2, 5, 20, 50, 150)
MANY = (2, 3, 10, 100, 1_000)


class Mutants:
    """Damaged copies of one document. A copy shares with the document whatever is not damaged."""

    def __init__(self, document: dict[str, Any], seed: str = "") -> None:
        content = document["content"]
        self.document = {**document, "content": {**content, "tests": content["tests"][:TESTS]}}
        self.seed = seed
        parts = ("content", "content", "story", "sources", "texts", "package", "schemas")
        self.paths = [path for part in ("content", "story") for path in _below(self.document[part], (part,))]
        self.rest = [path for part in parts[3:] for path in _below(self.document[part], (part,))]
        # What stands at a like place elsewhere often fits in shape.
        self.alike: dict[tuple[Any, type], list[Path]] = defaultdict(list)
        self.nodes: list[Path] = []
        self.declared: dict[str, list[str]] = {
            part: [row["id"] for row in rows if isinstance(row, dict) and "id" in row]
            for part, rows in self.document["content"].items()
        }
        for path in self.paths:
            value = _at(self.document, path)
            self.alike[_sort(path, value)].append(path)
            if isinstance(value, dict) and "op" in value:
                self.nodes.append(path)
        self.sorts = list(self.alike)
        self.damages: list[Callable[[Random, dict[str, Any], Path], tuple[dict[str, Any], str]]] = [
            self._take_away, self._double, self._swap, self._number, self._odd, self._like, self._like, self._like,
            self._node, self._nest, self._name_itself, self._name_another, self._text, self._empty, self._fill,
            self._multiply,
        ]  # fmt: skip

    def number(self, number: int, refused: Callable[[dict[str, Any]], bool]) -> tuple[dict[str, Any], str]:
        """A document damaged in one to three places, and how; in more, if it is not refused. The same number gives the same one."""
        draw = Random(f"{self.seed}/{number}")
        document, how = self.document, []
        for _ in range(draw.choice((1, 1, 1, 2, 3))):
            document, said = draw.choice(self.damages)(draw, document, self._place(draw))
            how.append(said)
        if not refused(document):
            for _ in range(draw.choice((0, 3, 6, 9))):
                damaged, said = draw.choice(self.damages)(draw, document, self._place(draw))
                if not refused(damaged):
                    document = damaged
                    how.append(said)
        return document, "; ".join(how)

    def _place(self, draw: Random) -> Path:
        """A place of any sort: rare sorts are chosen as often as common ones, and as often any place."""
        if draw.random() < 0.03:
            return draw.choice(self.rest)
        return draw.choice(self.paths if draw.random() < 0.5 else self.alike[draw.choice(self.sorts)])

    # -------------------------------------------------------------- damages
    def _take_away(self, draw: Random, document: dict[str, Any], path: Path) -> tuple[dict[str, Any], str]:
        return _changed(document, path, _take), f"took {path} away"

    def _double(self, draw: Random, document: dict[str, Any], path: Path) -> tuple[dict[str, Any], str]:
        def double(holder: Any, key: Any) -> None:
            if isinstance(holder, list):
                holder.insert(key, holder[key])
            else:
                holder[f"{key}_2"] = holder[key]

        return _changed(document, path, double), f"doubled {path}"

    def _swap(self, draw: Random, document: dict[str, Any], path: Path) -> tuple[dict[str, Any], str]:
        """Two neighbours change places."""

        def swap(holder: Any, key: Any) -> None:
            keys = list(holder) if isinstance(holder, dict) else range(len(holder))
            other = draw.choice(keys)
            holder[key], holder[other] = holder[other], holder[key]

        return _changed(document, path, swap), f"swapped {path} with a neighbour"

    def _number(self, draw: Random, document: dict[str, Any], path: Path) -> tuple[dict[str, Any], str]:
        numbers = [sort for sort in self.sorts if sort[1] is int]
        path = draw.choice(self.alike[draw.choice(numbers)])
        there = _at(document, path)
        near = (there + 1, there - 1, -there) if isinstance(there, int) else ()
        value = draw.choice((*NUMBERS, *near, *near, *near))
        return _changed(document, path, _put(value)), f"changed {there!r:.30} to {value} at {path}"

    def _odd(self, draw: Random, document: dict[str, Any], path: Path) -> tuple[dict[str, Any], str]:
        value = draw.choice(ODD)
        return _changed(document, path, _put(value)), f"put {value!r} at {path}"

    def _like(self, draw: Random, document: dict[str, Any], path: Path) -> tuple[dict[str, Any], str]:
        other = draw.choice(self.alike.get(_sort(path, _at(document, path))) or [path])
        return _changed(document, path, _put(_at(document, other))), f"put {other} at {path}"

    def _node(self, draw: Random, document: dict[str, Any], path: Path) -> tuple[dict[str, Any], str]:
        """Any node in the place of any other."""
        path, other = draw.choice(self.nodes), draw.choice(self.nodes)
        return _changed(document, path, _put(_at(document, other))), f"put node {other} at {path}"

    def _nest(self, draw: Random, document: dict[str, Any], path: Path) -> tuple[dict[str, Any], str]:
        """A node inside of itself, again and again."""
        path = draw.choice(self.nodes)
        whole = _at(document, path)
        inner = [below for below in _below(whole, ()) if isinstance(_at(whole, below), dict)]
        if not inner:
            return document, f"nothing to nest at {path}"
        place, times = draw.choice(inner), draw.choice(DEEP)
        made = whole
        for _ in range(times):
            made = _changed(whole, place, _put(made))
        return _changed(document, path, _put(made)), f"nested {path} in its own {place} {times} times"

    def _name_itself(self, draw: Random, document: dict[str, Any], path: Path) -> tuple[dict[str, Any], str]:
        """Something that a declaration needs becomes the declaration itself."""
        return self._name(draw, document, itself=True)

    def _name_another(self, draw: Random, document: dict[str, Any], path: Path) -> tuple[dict[str, Any], str]:
        """Something that a declaration needs becomes another of the same sort."""
        return self._name(draw, document, itself=False)

    def _name(self, draw: Random, document: dict[str, Any], *, itself: bool) -> tuple[dict[str, Any], str]:
        content = document["content"]
        part = draw.choice([part for part, names in self.declared.items() if names])
        rows, names = content.get(part), set(self.declared[part])
        if not isinstance(rows, list) or not rows:
            return document, f"{part} is gone"
        # Where one thing of this part needs another; else where any code needs one of them.
        at = draw.randrange(len(rows))
        name = (
            rows[at].get("id") if itself and isinstance(rows[at], dict) else draw.choice(self.declared[part])
        )
        start: Path = ("content", part, at)
        named = [
            (*start, *below)
            for below in _below(rows[at], ())
            if below != ("id",) and _names(rows[at], below, names)
        ]
        if not named:
            where = draw.choice(("actions", "values", "rules", "kinds", "things"))
            others = content.get(where) or [None]
            start = ("content", where, draw.randrange(len(others)))
            owner = _at(document, start)
            named = [(*start, *below) for below in _below(owner, ()) if _names(owner, below, names)]
        if not named:
            return document, f"nothing in {start} names one of {part}"
        path = draw.choice(named)
        document = _changed(document, path, _put(name))
        # A call with the right number of arguments gets further.
        holder, wanted = _at(document, path[:-1]), _parameters(rows, name)
        if isinstance(holder, dict) and holder.get("args") and wanted:
            arguments = (holder["args"] * wanted)[:wanted]
            document = _changed(document, (*path[:-1], "args"), _put(arguments))
        return document, f"named {name!r} at {path}"

    def _text(self, draw: Random, document: dict[str, Any], path: Path) -> tuple[dict[str, Any], str]:
        texts = [sort for sort in self.sorts if sort[1] is str]
        path = draw.choice(self.alike[draw.choice(texts)])
        value = draw.choice(TEXTS)
        return _changed(document, path, _put(value)), f"put {value[:30]!r} ({len(value)} letters) at {path}"

    def _empty(self, draw: Random, document: dict[str, Any], path: Path) -> tuple[dict[str, Any], str]:
        path = self._list(draw)
        return _changed(document, path, _put([])), f"emptied {path}"

    def _fill(self, draw: Random, document: dict[str, Any], path: Path) -> tuple[dict[str, Any], str]:
        """What a list holds, many times."""
        path, times = self._list(draw), draw.choice(MANY)
        there = _at(document, path)
        value = there * min(times, 20_000 // max(1, len(there))) if isinstance(there, list) else [there]
        return _changed(document, path, _put(value)), f"filled {path} {times} times"

    def _list(self, draw: Random) -> Path:
        return draw.choice(self.alike[draw.choice([sort for sort in self.sorts if sort[1] is list])])

    def _multiply(self, draw: Random, document: dict[str, Any], path: Path) -> tuple[dict[str, Any], str]:
        """A declaration many times, each time with a name of its own."""
        part = draw.choice([part for part, names in self.declared.items() if names])
        rows, times = document["content"].get(part), draw.choice(MANY)
        if not isinstance(rows, list) or not rows or not isinstance(row := draw.choice(rows), dict):
            return document, f"{part} is gone"
        fresh = [{**row, "id": f"{row.get('id')}{n}"} for n in range(times)]
        return _changed(
            document, ("content", part), _put([*rows, *fresh])
        ), f"{times} more like {row.get('id')!r:.50} in {part}"


# ------------------------------------------------------------------ places
def _sort(path: Path, value: Any) -> tuple[Any, type]:
    """What is alike: the key in an object, or that of the list around, and the type."""
    key = next((step for step in reversed(path) if isinstance(step, str)), "")
    return (key, type(value))


def _below(node: Any, path: Path) -> Iterator[Path]:
    steps = node.keys() if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for step in steps:
        yield (*path, step)
        yield from _below(node[step], (*path, step))


def _at(document: Any, path: Path) -> Any:
    node = document
    for step in path:
        if _lacks(node, step):
            return None
        node = node[step]
    return node


def _lacks(holder: Any, key: Any) -> bool:
    if isinstance(holder, dict):
        return key not in holder
    return not (isinstance(holder, list) and isinstance(key, int) and key < len(holder))


def _names(owner: Any, path: Path, names: set[str]) -> bool:
    value = _at(owner, path)
    return isinstance(value, str) and value in names


def _parameters(rows: list[Any], name: Any) -> int:
    row = next((row for row in rows if isinstance(row, dict) and row.get("id") == name), {})
    return len(row.get("params") or ())


# ------------------------------------------------------------------ changes
def _changed(document: Any, path: Path, change: Callable[[Any, Any], None]) -> Any:
    """A copy in which what holds the last step of a path is changed; an earlier damage may have taken it away."""
    if _lacks(document, path[0]):
        return document
    made = document.copy()
    if len(path) == 1:
        change(made, path[0])
    else:
        made[path[0]] = _changed(document[path[0]], path[1:], change)
    return made


def _put(value: Any) -> Callable[[Any, Any], None]:
    def put(holder: Any, key: Any) -> None:
        holder[key] = value

    return put


def _take(holder: Any, key: Any) -> None:
    del holder[key]
