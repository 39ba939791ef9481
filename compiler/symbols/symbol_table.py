"""What a set of packages declares: every name, verb, kind, trait, word and number."""

from __future__ import annotations

from typing import Any

from talewright.compiler.types.model import ANY, Type
from talewright.dsl.source import Source
from talewright.dsl.tree import nodes as t
from talewright.schemas.records import field, record


@record(repr=False, eq=False)
class Origin:
    """Where a declaration stands: its text, package, layer, chapter and the options around it."""

    source: Source
    package: str
    layer: str
    chapter: str | None = None
    conditions: tuple[t.Expr, ...] = ()
    owner: str | None = None


@record(repr=False, eq=False)
class Symbol:
    """Something with a name."""

    name: str
    node: t.Node
    origin: Origin

    @property
    def form(self) -> str:
        """What it is, as a designer would say."""
        return FORMS[type(self)]


@record(repr=False, eq=False)
class FieldSymbol(Symbol):
    """A field of a kind or trait."""

    owner: str
    decl: t.FieldDecl | t.TrackDecl | None
    type: Type = ANY
    per: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


@record(repr=False, eq=False)
class KindSymbol(Symbol):
    """A kind, a role or a kind of dice; `extensions` come from `extend`."""

    parents: list[str]
    members: list[tuple[t.Member, Origin]]
    fields: dict[str, FieldSymbol] = field(default_factory=dict)
    defaults: dict[str, t.Default] = field(default_factory=dict)
    role: t.RoleDecl | None = None
    die: t.DieDecl | None = None
    core: bool = False


@record(repr=False, eq=False)
class TraitSymbol(Symbol):
    """A trait and its parameters."""

    params: list[t.Param]
    members: list[tuple[t.Member, Origin]]
    fields: dict[str, FieldSymbol] = field(default_factory=dict)


@record(repr=False, eq=False)
class TypeSymbol(Symbol):
    """Named words."""

    words: list[str]
    ordered: bool


@record(repr=False, eq=False)
class ThingSymbol(Symbol):
    """A thing, or a sort with copies; `inside` is the thing an inline one belongs to."""

    kind: str
    title: str | None
    copies: int
    per: str | None
    decl: t.ThingDecl | t.InlineThing | None
    inside: str | None = None
    field: str | None = None
    sort: str | None = None


@record(repr=False, eq=False)
class ContainerSymbol(Symbol):
    """A pile, deck, bag, hand or slot at top level."""

    decl: t.ContainerDecl


@record(repr=False, eq=False)
class TokenSymbol(Symbol):
    """A token and how many the box holds."""

    count: int


@record(repr=False, eq=False)
class TrackSymbol(Symbol):
    """A track at top level."""

    decl: t.TrackDecl


@record(repr=False, eq=False)
class DieSymbol(Symbol):
    """A named die."""

    decl: t.DieDecl


@record(repr=False, eq=False)
class TableSymbol(Symbol):
    """A table."""

    decl: t.TableDecl
    type: Type | None = None


@record(repr=False, eq=False)
class TeamSymbol(Symbol):
    """A team."""

    decl: t.TeamDecl


@record(repr=False, eq=False)
class SeatSymbol(Symbol):
    """A seat of a role: p1, p2 ..."""

    role: str
    number: int


@record(repr=False, eq=False)
class OptionSymbol(Symbol):
    """An option."""

    decl: t.OptionDecl
    type: Type = ANY


@record(repr=False, eq=False)
class StateSymbol(Symbol):
    """A named cell of state."""

    decl: t.StateDecl
    type: Type = ANY


@record(repr=False, eq=False)
class PlanSymbol(Symbol):
    """A plan at top level."""

    decl: t.PlanDecl


@record(repr=False, eq=False)
class MovementSymbol(Symbol):
    """A movement profile."""

    decl: t.MovementDecl


@record(repr=False, eq=False)
class PaymentSymbol(Symbol):
    """A way to pay."""

    decl: t.PaymentDecl


@record(repr=False, eq=False)
class PeriodSymbol(Symbol):
    """A period."""

    decl: t.PeriodDecl


@record(repr=False, eq=False)
class MenuSymbol(Symbol):
    """A menu."""

    decl: t.MenuDecl


@record(repr=False, eq=False)
class ValueSymbol(Symbol):
    """A value; `type` is declared or inferred on first use."""

    decl: t.ValueDecl
    id: str = ""
    type: Type | None = None
    params: list[tuple[str, Type]] | None = None


@record(repr=False, eq=False)
class ActionSymbol(Symbol):
    """An action: verb and prepositions."""

    decl: t.ActionDecl
    id: str = ""
    type: Type | None = None
    params: list[ParamSymbol] | None = None


@record(repr=False, eq=False)
class ParamSymbol:
    """One parameter of an action: the preposition it stands behind, its name, type and default."""

    preposition: str
    name: str
    type: Type
    default: t.Expr | None


@record(repr=False, eq=False)
class MeasureSymbol(Symbol):
    """A measure."""

    decl: t.MeasureDecl


FORMS: dict[type[Any], str] = {
    FieldSymbol: "field", KindSymbol: "kind", TraitSymbol: "trait", TypeSymbol: "type", ThingSymbol: "thing",
    ContainerSymbol: "container", TokenSymbol: "token", TrackSymbol: "track", DieSymbol: "die", TableSymbol: "table",
    TeamSymbol: "team", SeatSymbol: "seat", OptionSymbol: "option", StateSymbol: "state", PlanSymbol: "plan",
    MovementSymbol: "movement", PaymentSymbol: "payment", PeriodSymbol: "period", MenuSymbol: "menu",
    ValueSymbol: "value", ActionSymbol: "action", MeasureSymbol: "measure",
}  # fmt: skip


@record(repr=False, eq=False)
class Rules:
    """A free-standing rule or other unnamed declaration, with where it stands."""

    node: Any
    origin: Origin


@record(repr=False, eq=False)
class Table:
    """Everything declared, by name space."""

    kinds: dict[str, KindSymbol | TraitSymbol | TypeSymbol] = field(default_factory=dict)
    names: dict[str, Symbol] = field(default_factory=dict)
    scoped: dict[tuple[str, str], Symbol] = field(default_factory=dict)
    functions: dict[str, list[ValueSymbol | TableSymbol]] = field(default_factory=dict)
    verbs: dict[str, list[ActionSymbol]] = field(default_factory=dict)
    menus: dict[str, MenuSymbol] = field(default_factory=dict)
    periods: dict[str, PeriodSymbol] = field(default_factory=dict)
    words: dict[str, list[str]] = field(default_factory=dict)
    loose: list[Rules] = field(default_factory=list)
    tests: list[Rules] = field(default_factory=list)
    children: dict[str, list[str]] = field(default_factory=dict)
    things_of: dict[str, list[ThingSymbol]] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    start_after: Rules | None = None
    conditions: list[Rules] = field(default_factory=list)
