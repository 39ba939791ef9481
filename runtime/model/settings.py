"""Options and players: what is settled before a game begins."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from talewright.runtime.faults import LoadError
from talewright.schemas.nodes.declaration import Expression
from talewright.schemas.nodes.declared import OptionDeclaration
from talewright.schemas.nodes.document import Content
from talewright.schemas.nodes.literals import IntLiteral, NoneLiteral, TruthLiteral, WordLiteral
from talewright.schemas.nodes.names import OptionRef
from talewright.schemas.nodes.operators import And, Eq, Ge, Gt, Le, Lt, Ne, Not, Or, Same
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import record

OptionValue = int | bool | str | None
COMPARISONS: Final[dict[type, Callable[[int, int], bool]]] = {
    Eq: operator.eq, Ne: operator.ne, Lt: operator.lt, Le: operator.le, Gt: operator.gt, Ge: operator.ge,
}  # fmt: skip
"""What each comparison says of two numbers."""


class NotedOptions(dict[str, OptionValue]):
    """Options that note which of them somebody has read."""

    def __init__(self, options: Mapping[str, OptionValue]) -> None:
        super().__init__(options)
        self.read: dict[str, OptionValue] = {}

    def __getitem__(self, name: str) -> OptionValue:
        found = self.read[name] = super().__getitem__(name)
        return found


@record(frozen=True)
class Settings:
    """The options of one game and how many seats each role has."""

    options: Mapping[str, OptionValue]
    seats: Mapping[str, int]
    open: bool = False
    """Whether a program is for other options, too: it keeps the rules that these would leave out, each with its condition."""

    def allow(self, guards: Sequence[Expression]) -> bool:
        """Whether the options around a declaration let it exist."""
        return all(constant(guard, self.options) for guard in guards)


def settle(content: Content, chosen: Mapping[str, object], players: int | None) -> Settings:
    """Every option with its value and every role with its seats; what cannot be is refused."""
    return Settings(_options(content, chosen), _seats(content, players))


def _options(content: Content, chosen: Mapping[str, object]) -> dict[str, OptionValue]:
    known = {option.id: option for option in content.options}
    for name in chosen:
        if name not in known:
            raise LoadError(f"there is no option `{name}`; there are {', '.join(known) or 'none'}")
    settled: dict[str, OptionValue] = {}
    for name, option in known.items():
        value = chosen[name] if name in chosen else constant(option.default, settled)
        settled[name] = _option_value(option, value)
    return settled


def _option_value(option: OptionDeclaration, value: object) -> OptionValue:
    name, type_ = option.id, option.type
    match type_.tag:
        case "truth":
            if isinstance(value, str):
                if value not in ("yes", "no"):
                    raise LoadError(f"`{name}` is yes or no, not `{value}`")
                return value == "yes"
            return bool(value)
        case "int" | "range" | "ints":
            return _number(name, type_, value)
        case "words":
            if value not in type_.args:
                raise LoadError(f"`{name}` is one of {', '.join(map(str, type_.args))}, not `{value}`")
    return value if isinstance(value, int | str) else None


def _number(name: str, type_: Type, value: object) -> int:
    try:
        number = int(value)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise LoadError(f"`{name}` is a number, not `{value}`") from None
    if type_.tag == "range":
        low, high = type_.args
        if not int(low) <= number <= int(high):  # type: ignore[arg-type]
            raise LoadError(f"`{name}` lies between {low} and {high}, not {number}")
    if type_.tag == "ints" and number not in type_.args:
        raise LoadError(f"`{name}` is one of {', '.join(map(str, type_.args))}, not {number}")
    return int(number)


def constant(node: Expression, options: Mapping[str, OptionValue]) -> OptionValue:
    """The value of an expression that reads nothing but options."""
    match node:
        case IntLiteral() | TruthLiteral() | WordLiteral():
            return node.value
        case NoneLiteral():
            return None
        case OptionRef():
            return options[node.id]
        case Not():
            return not constant(node.of, options)
        case And():
            return bool(constant(node.left, options) and constant(node.right, options))
        case Or():
            return bool(constant(node.left, options) or constant(node.right, options))
        case Same() | Eq():
            return constant(node.left, options) == constant(node.right, options)
        case Ne():
            return constant(node.left, options) != constant(node.right, options)
        case Lt() | Le() | Gt() | Ge():
            left, right = constant(node.left, options), constant(node.right, options)
            if isinstance(left, int) and isinstance(right, int):
                return COMPARISONS[type(node)](left, right)
    raise LoadError("a condition around declarations may read only options")


def _seats(content: Content, players: int | None) -> dict[str, int]:
    roles = [(kind.id, kind.role) for kind in content.kinds if kind.role is not None]
    main = next((name for name, role in roles if role.high > 1), None)
    seats: dict[str, int] = {}
    for name, role in roles:
        count = role.high
        if name == main:
            count = max(role.low, 1) if players is None else players
            _fits(role.low, role.high, count)
        seats[name] = count
    if main is None and players is not None:
        _fits(sum(role.low for _, role in roles), sum(seats.values()), players)
    return seats


def _fits(low: int, high: int, count: int) -> None:
    if not low <= count <= high:
        many = f"{low} to {high} players" if low < high else "1 player" if low == 1 else f"{low} players"
        raise LoadError(f"this is for {many if high else 'nobody'}, not {count}")
