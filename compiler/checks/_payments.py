"""What a payment can cover: symbols matched with the dice, things and tokens that pay for them."""

from __future__ import annotations

from typing import Any

from talewright.compiler.checks._content_walks import IR
from talewright.compiler.checks.check import Context
from talewright.compiler.symbols.symbol_table import KindSymbol, TokenSymbol
from talewright.schemas.records import record

PLENTY = 10**6
Sign = tuple[str, Any]
Node = tuple[str, int | str]
Room = dict[tuple[Node, Node], int]
_END: Node = ("end", 0)


@record
class Way:
    """One line of a payment: what it takes from, how much of that there is, how often it may be used."""

    source: str
    supply: int
    limit: int
    rule: IR
    faces: list[Sign]

    def covers(self, symbol: Sign) -> bool:
        """Whether some face of the source can stand for the symbol."""
        test = self.rule.get("when")
        if test is None:
            return True
        faces: list[Sign | None] = [*self.faces] or [None]
        return any(_holds(test, self.rule, face, symbol) is not False for face in faces)


def ways(context: Context, payment: IR, made: set[str]) -> list[Way]:
    """The lines of a payment; kinds that are made anew in play never run out."""
    found = []
    for rule in payment["rules"]:
        limit = rule.get("at_most", PLENTY)
        if "kind" in rule:
            kind = rule["kind"]
            supply = PLENTY if kind in made else _count(context, kind)
            found.append(Way(kind, supply, limit, rule, _faces(context, kind)))
        else:
            token = context.work.table.names.get(rule["token"].get("id", ""))
            supply = token.count if isinstance(token, TokenSymbol) else PLENTY
            found.append(Way(f"token {rule['token'].get('id')}", supply, limit, rule, []))
    return found


def _count(context: Context, kind: str) -> int:
    total = 0
    for name in context.work.descendants(kind):
        symbol = context.work.table.kinds.get(name)
        if isinstance(symbol, KindSymbol) and symbol.die is not None:
            total += symbol.die.copies
        for thing in context.work.table.things_of.get(name, ()):
            if thing.sort is None:
                total += PLENTY if thing.per is not None else thing.copies
    return total


def _faces(context: Context, kind: str) -> list[Sign]:
    for entry in context.content["kinds"]:
        if entry["id"] == kind:
            return [
                sign for face in entry.get("die", {}).get("faces", ()) if (sign := sign_of(face)) is not None
            ]
    return []


def sign_of(value: Any) -> Sign | None:
    """A fixed thing, word or number as a symbol of a cost."""
    if isinstance(value, dict):
        match value.get("op"):
            case "thing" | "sort":
                return "thing", value["id"]
            case "word":
                return "word", value["v"]
            case "int":
                return "int", value["v"]
    return None


def uncovered(symbols: list[Sign], ways: list[Way]) -> list[Sign]:
    """The symbols that no payment covers, with every die showing the best face (maximum matching)."""
    room: Room = {}
    beside: dict[Node, list[Node]] = {}

    def join(a: Node, b: Node, amount: int) -> None:
        room[a, b] = amount
        room.setdefault((b, a), 0)
        beside.setdefault(a, []).append(b)
        beside.setdefault(b, []).append(a)

    for number, way in enumerate(ways):
        join(("way", number), ("source", way.source), way.limit)
    for way in {way.source: way for way in ways}.values():
        join(("source", way.source), _END, way.supply)
    for number, symbol in enumerate(symbols):
        for other, way in enumerate(ways):
            if way.covers(symbol):
                join(("symbol", number), ("way", other), 1)
    return [
        symbol
        for number, symbol in enumerate(symbols)
        if not _push(("symbol", number), room, beside, {("symbol", number)})
    ]


def _push(node: Node, room: Room, beside: dict[Node, list[Node]], seen: set[Node]) -> bool:
    """Finds an augmenting path for one symbol (bipartite matching)."""
    if node == _END:
        return True
    for other in beside.get(node, ()):
        if other in seen or room[node, other] == 0:
            continue
        seen.add(other)
        if _push(other, room, beside, seen):
            room[node, other] -= 1
            room[other, node] += 1
            return True
    return False


def _holds(test: IR, rule: IR, face: Sign | None, symbol: Sign) -> bool | None:
    """Whether a condition holds for a die with a face and a symbol; none when that cannot be said."""
    match test.get("op"):
        case "truth":
            return bool(test["v"])
        case "and" | "or":
            a, b = _holds(test["a"], rule, face, symbol), _holds(test["b"], rule, face, symbol)
            decisive = bool(test["op"] == "or")
            if decisive in (a, b):
                return decisive
            return None if None in (a, b) else not decisive
        case "not":
            inner = _holds(test["of"], rule, face, symbol)
            return None if inner is None else not inner
        case "same" | "eq":
            left, right = _sign(test["a"], rule, face, symbol), _sign(test["b"], rule, face, symbol)
            return None if left is None or right is None else left == right
    return None


def _sign(value: IR, rule: IR, face: Sign | None, symbol: Sign) -> Sign | None:
    if value.get("op") == "local":
        return symbol if value["n"] == rule["symbol"] else None
    reads_face = value.get("op") in ("field", "prop", "die_prop") and value.get("name") == "face"
    if reads_face and value["of"].get("op") == "local" and value["of"]["n"] == rule.get("n"):
        return face
    return sign_of(value)
