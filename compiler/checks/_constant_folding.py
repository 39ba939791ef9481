"""Constant folding: which conditions have one value in every game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from talewright.compiler.checks.check import Context
from talewright.compiler.symbols.generated_names import scoped_id
from talewright.compiler.symbols.symbol_table import (
    KindSymbol,
    StateSymbol,
    ThingSymbol,
    TrackSymbol,
    TraitSymbol,
)
from talewright.compiler.types.lookups import Work
from talewright.compiler.types.model import Type
from talewright.schemas.records import record

IR = dict[str, Any]
Range = tuple[int | None, int | None]
Names = Mapping[Any, str]

ANYTHING: Range = (None, None)
CONSTANTS = frozenset(("int", "word", "thing", "truth", "token", "seat", "none", "mark"))
_COMPARE = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))
_MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
_OPPOSITE = {"eq": "ne", "ne": "eq", "lt": "ge", "le": "gt", "gt": "le", "ge": "lt"}


def key(code: Any, names: Names | None = None) -> str:
    """The same text for code that means the same; `names` renames locals and `self`."""
    if isinstance(code, dict):
        op = code.get("op")
        if names and op == "local" and code["n"] in names:
            return names[code["n"]]
        if names and op == "self" and "self" in names:
            return names["self"]
        return "{" + ",".join(f"{k}:{key(v, names)}" for k, v in code.items() if k != "at") + "}"
    if isinstance(code, list):
        return "[" + ",".join(key(item, names) for item in code) + "]"
    return repr(code)


def thing_key(name: str) -> str:
    """The key of a thing by its name."""
    return key({"op": "thing", "id": name})


# ------------------------------------------------------------------ facts
@record(frozen=True)
class Fact:
    """Something a condition demands of one subject."""

    sort: str
    subject: str
    value: Any
    holds: bool = True


def facts_of(condition: IR, names: Names | None = None, holds: bool = True) -> list[Fact]:
    """What must all be so for a condition to hold, or not to hold."""
    op = condition.get("op")
    if op == "not":
        return facts_of(condition["of"], names, not holds)
    if (op == "and" and holds) or (op == "or" and not holds):
        return [*facts_of(condition["a"], names, holds), *facts_of(condition["b"], names, holds)]
    found = [Fact("true", key(condition, names), True, holds)]
    if op == "same":
        found.extend(_sameness(condition, names, holds))
    elif op == "is_none":
        found.append(Fact("is", key(condition["of"], names), key({"op": "none"}), holds))
    elif op == "is_sort":
        found.append(Fact("sort", key(condition["of"], names), key(condition["sort"], names), holds))
    elif op == "is_kind":
        found.append(Fact("kind", key(condition["of"], names), condition["kind"], holds))
    elif op in _COMPARE:
        found.extend(_comparison(str(op), condition, names, holds))
    elif op == "between" and holds:
        low, high = condition["low"], condition["high"]
        if low.get("op") == "int" and high.get("op") == "int":
            found.append(Fact("range", key(condition["of"], names), (low["v"], high["v"])))
    return found


def _sameness(condition: IR, names: Names | None, holds: bool) -> Iterable[Fact]:
    a, b = condition["a"], condition["b"]
    for one, other in ((a, b), (b, a)):
        if is_constant(other, names) and not is_constant(one, names):
            yield Fact("is", key(one, names), key(other, names), holds)


def is_constant(code: IR, names: Names | None = None) -> bool:
    """Whether code means the same thing, word or number at all times."""
    return code.get("op") in CONSTANTS or (code.get("op") == "self" and names is not None and "self" in names)


def _comparison(op: str, condition: IR, names: Names | None, holds: bool) -> Iterable[Fact]:
    a, b = condition["a"], condition["b"]
    if a.get("op") == "int":
        a, b, op = b, a, _MIRRORED[op]
    if b.get("op") != "int" or a.get("op") == "int":
        return
    if not holds:
        op = _OPPOSITE[op]
    value = b["v"]
    span = {
        "eq": (value, value),
        "lt": (None, value - 1),
        "le": (None, value),
        "gt": (value + 1, None),
        "ge": (value, None),
    }.get(op)
    if span is not None:
        yield Fact("range", key(a, names), span)


def contradict(facts: Iterable[Fact], work: Work) -> bool:
    """Whether no moment of play can have all these facts."""
    said: dict[tuple[str, str, Any], bool] = {}
    equal: dict[str, str] = {}
    sorts: dict[str, str] = {}
    spans: dict[str, Range] = {}
    kinds: dict[str, list[Fact]] = {}
    for fact in facts:
        if fact.sort == "range":
            span = meet(spans.get(fact.subject, ANYTHING), fact.value)
            if span[0] is not None and span[1] is not None and span[0] > span[1]:
                return True
            spans[fact.subject] = span
            continue
        if said.setdefault((fact.sort, fact.subject, fact.value), fact.holds) != fact.holds:
            return True
        if fact.sort == "kind":
            kinds.setdefault(fact.subject, []).append(fact)
        elif fact.holds and fact.sort == "is":
            if equal.setdefault(fact.subject, fact.value) != fact.value:
                return True
        elif fact.holds and fact.sort == "sort" and sorts.setdefault(fact.subject, fact.value) != fact.value:
            return True
    return any(_kinds_clash(found, equal.get(subject), work) for subject, found in kinds.items())


def _kinds_clash(facts: list[Fact], known: str | None, work: Work) -> bool:
    own = _kind_of(known, work) if known is not None else None
    for index, fact in enumerate(facts):
        if isinstance(work.table.kinds.get(fact.value), TraitSymbol):
            continue
        if own is not None and work.is_a(own, fact.value) != fact.holds:
            return True
        for other in facts[:index]:
            if fact.holds and other.holds and not work.related(fact.value, other.value):
                return True
            for yes, no in ((fact, other), (other, fact)):
                if yes.holds and not no.holds and work.is_a(yes.value, no.value):
                    return True
    return False


def _kind_of(thing: str, work: Work) -> str | None:
    start = "{op:'thing',id:'"
    if not thing.startswith(start):
        return None
    symbol = work.table.names.get(thing[len(start) : -2])
    return symbol.kind if isinstance(symbol, ThingSymbol) else None


def meet(a: Range, b: Range) -> Range:
    """What two ranges share."""
    lows = [n for n in (a[0], b[0]) if n is not None]
    highs = [n for n in (a[1], b[1]) if n is not None]
    return max(lows, default=None), min(highs, default=None)


# ------------------------------------------------------------------ constants
class Folding:
    """Answers whether a condition is the same at all times. Options are not folded: tables differ."""

    def __init__(self, context: Context) -> None:
        self.work = context.work
        table = self.work.table
        self.cells: dict[tuple[str, str], Range] = {}
        for symbol in (*table.names.values(), *table.scoped.values()):
            if isinstance(symbol, TrackSymbol):
                self.cells["track", scoped_id(symbol)] = (symbol.decl.low, symbol.decl.high)
            elif isinstance(symbol, StateSymbol):
                self.cells["state", scoped_id(symbol)] = _range_of(symbol.type)

    def settled(self, condition: IR) -> bool | None:
        """Yes or no if a condition is always so, else none."""
        op = condition.get("op")
        if op == "truth":
            return bool(condition["v"])
        if op == "not":
            inner = self.settled(condition["of"])
            return None if inner is None else not inner
        if op in ("and", "or"):
            return self._joined(condition, op == "and")
        if op in _COMPARE:
            return self._compared(str(op), self.range(condition["a"]), self.range(condition["b"]), condition)
        if op == "between":
            value = self.range(condition["of"])
            low = self._compared("ge", value, self.range(condition["low"]), condition)
            high = self._compared("le", value, self.range(condition["high"]), condition)
            return False if low is False or high is False else (True if low and high else None)
        if op == "same":
            return self._same(condition["a"], condition["b"])
        if op in ("any", "is_empty") and condition["of"].get("op") == "set" and not condition["of"]["items"]:
            return bool(op == "is_empty")
        return None

    def _joined(self, condition: IR, both: bool) -> bool | None:
        a, b = self.settled(condition["a"]), self.settled(condition["b"])
        if a is (not both) or b is (not both):
            return not both
        if a is both and b is both:
            return both
        return (not both) if contradict(facts_of(condition, None, both), self.work) else None

    def _same(self, a: IR, b: IR) -> bool | None:
        if a.get("op") in CONSTANTS and b.get("op") in CONSTANTS:
            return key(a) == key(b)
        steady = ("local", "field", "state", "self")
        return True if a.get("op") in steady and key(a) == key(b) else None

    def _compared(self, op: str, a: Range, b: Range, condition: IR) -> bool | None:
        if op in ("eq", "ne"):
            apart = _below(a, b) or _below(b, a)
            if apart:
                return op == "ne"
            if None not in a and a[0] == a[1] and a == b:
                return op == "eq"
            return None
        if op in ("gt", "ge"):
            a, b, op = b, a, _MIRRORED[op]
        if op == "lt":
            return True if _below(a, b) else (False if _not_above(b, a) else None)
        return True if _not_above(a, b) else (False if _below(b, a) else None)

    def range(self, code: IR) -> Range:
        """The numbers that an expression can give."""
        op = code.get("op")
        if op == "int":
            return code["v"], code["v"]
        if op in ("track", "state"):
            return self.cells.get((str(op), code["id"]), ANYTHING)
        if op == "field":
            return self._field(code)
        if op in ("count", "tokens", "tokens_at"):
            return 0, None
        if op in ("add", "sub"):
            a, b = self.range(code["a"]), self.range(code["b"])
            if op == "sub":
                b = (None if b[1] is None else -b[1], None if b[0] is None else -b[0])
            return _plus(a[0], b[0]), _plus(a[1], b[1])
        if op == "pick":
            a, b = self.range(code["yes"]), self.range(code["no"])
            return (
                None if None in (a[0], b[0]) else min(a[0], b[0]),  # type: ignore[type-var]
                None if None in (a[1], b[1]) else max(a[1], b[1]),  # type: ignore[type-var]
            )
        return ANYTHING

    def _field(self, code: IR) -> Range:
        owner, name = code["owner"], code["name"]
        if code.get("maybe") or f"{owner}.{name}" in self.work.modified:
            return ANYTHING
        symbol = self.work.table.kinds.get(owner)
        if isinstance(symbol, (KindSymbol, TraitSymbol)) and name in symbol.fields:
            return _range_of(symbol.fields[name].type)
        return ANYTHING


def folding(context: Context) -> Folding:
    """The folding of a package, made once."""
    made = context.notes.get("folding")
    if not isinstance(made, Folding):
        made = context.notes["folding"] = Folding(context)
    return made


def _range_of(kind: Type) -> Range:
    return (kind.of[0], kind.of[1]) if kind.tag == "range" else ANYTHING


def _plus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _below(a: Range, b: Range) -> bool:
    return a[1] is not None and b[0] is not None and a[1] < b[0]


def _not_above(a: Range, b: Range) -> bool:
    return a[1] is not None and b[0] is not None and a[1] <= b[0]
