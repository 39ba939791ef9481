"""The syntax tree of Tale. Every node knows the offsets in its text where it starts and ends."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeAlias, dataclass_transform

from talewright.schemas.records import field, record, storing


@dataclass_transform(eq_default=False)
class _Makes(type):
    """The metaclass of nodes: it makes light records that share one `__eq__` and one `__repr__`."""

    def __new__(cls, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> Any:
        own = tuple(space.get("__annotations__", ()))
        names = (*getattr(bases[0], "__match_args__", ()), *own) if bases else own
        defaults = tuple(space.pop(part) for part in own if part in space)
        code = storing(len(names)).__code__.replace(co_varnames=("self", *names), co_names=names)
        space["__init__"] = FunctionType(code, {}, "__init__", defaults)
        space["__slots__"] = own
        # For `match`, and for code that walks over a tree.
        space["__match_args__"] = names
        return super().__new__(cls, name, bases, space)


class Bodies:
    """The bodies of one cached file. They are unpacked only when one is read, since few are."""

    __slots__ = ("_found", "fetch")

    def __init__(self) -> None:
        self.fetch: Callable[[], list[Any]] | None = None
        self._found: list[Any] | None = None

    def __getitem__(self, number: int) -> Any:
        if self._found is None:
            assert self.fetch is not None
            self._found = self.fetch()
        return self._found[number]


class Later:
    """Stands for a body that is not unpacked yet; its start and what it declares are known."""

    __slots__ = ("bodies", "light", "number", "start")

    def __init__(self, bodies: Bodies, number: int, start: int | None, light: list[Any]) -> None:
        self.bodies = bodies
        self.number = number
        self.start = start
        self.light = light


# Classes whose last part may be a `Later`, and how to read that part without unpacking it.
PACKED: dict[Any, Callable[[Any], Any]] = {}


def _unpacked_when_read(cls: Any) -> Any:
    name = cls.__match_args__[-1]
    slot = cls.__dict__[name]
    take, put = slot.__get__, slot.__set__

    def read(node: Any) -> Any:
        body = take(node)
        if type(body) is Later:
            body = body.bodies[body.number]
            put(node, body)
        return body

    setattr(cls, name, property(read, put))
    PACKED[cls] = take
    return cls


def body_start(node: Any) -> int | None:
    """Where the body of a declaration begins, without unpacking it."""
    take = PACKED.get(type(node))
    body = take(node) if take is not None else node.body
    if isinstance(body, Later):
        return body.start
    return int(body[0].start) if body else None


def light(node: Any) -> list[Any]:
    """The part of a body that other files need: what it declares, and what it covers."""
    take = PACKED.get(type(node))
    body = take(node) if take is not None else node.items
    if isinstance(body, Later):
        return body.light
    heavy = (FieldValue, Prose) if isinstance(node, ThingDecl | InlineThing) else ()
    return [item for item in body if not isinstance(item, heavy) and (heavy or isinstance(item, Covers))]


class Node(metaclass=_Makes):
    """Anything in the tree: `start` and `end` are character offsets into the source."""

    start: int
    end: int

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in type(self).__match_args__)

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in type(self).__match_args__)
        return f"{type(self).__name__}({parts})"


class Word(Node):
    """A name where it is declared or pointed at."""

    text: str


# ------------------------------------------------------------------ expressions
class Name(Node):
    """A lower-case name, read."""

    name: str


class Capital(Node):
    """A capitalised name or a chapter number, read."""

    name: str


class Number(Node):
    """A whole number, maybe negative."""

    value: int


class Target(Node):
    """`4+`: a number to reach."""

    value: int


class Dice(Node):
    """`2d6`: so many dice of so many sides."""

    count: int
    sides: int


class Size(Node):
    """`2x2`: a base of squares."""

    width: int
    height: int


class Text(Node):
    """A string or prose as written, without its quotes; may hold `{expression}`."""

    raw: str
    prose: bool = False


class Truth(Node):
    """`yes` or `no`."""

    value: bool


class Nothing(Node):
    """`none`."""


class CallValue(Node):
    """`f(x)`: a value, a table or a function of the core."""

    name: str
    args: list[Expr]


class TraitValue(Node):
    """`Guardian(3)` as a value."""

    name: str
    args: list[Expr]


class Ask(Node):
    """`possible(call)` and its sisters."""

    question: str
    subject: Stmt


class New(Node):
    """`new Kind`."""

    kind: str


class Braces(Node):
    """`{a, b}` or `{spider 2, wolf 1}`."""

    entries: list[Expr]


class EntryPair(Node):
    """`spider 2` or `3 2` inside braces, `spider 2` in a field."""

    key: Word
    amount: Expr

    def key_expression(self) -> Name | Number:
        """The key as an expression: a number or a name."""
        if self.key.text.isdecimal():
            return Number(self.key.start, self.key.end, int(self.key.text))
        return Name(self.key.start, self.key.end, self.key.text)


class Group(Node):
    """An expression in parentheses."""

    inner: Expr


class Dot(Node):
    """`x.field`."""

    base: Expr
    name: str
    name_start: int


class Of(Node):
    """`field of x`."""

    name: Word
    base: Expr


class Index(Node):
    """`x[i]`."""

    base: Expr
    index: Expr


class Binary(Node):
    """Two operands and what stands between them, blanks folded."""

    op: str
    left: Expr
    right: Expr


class Within(Node):
    """`S within n of x`."""

    left: Expr
    distance: Expr
    right: Expr


class InSpan(Node):
    """`x in a..b`."""

    value: Expr
    low: Expr
    high: Expr


class Not(Node):
    """`not x`."""

    inner: Expr


class Pick(Node):
    """`a if c otherwise b`."""

    yes: Expr
    condition: Expr
    no: Expr


class Agreed(Node):
    """`agreed "question" by team`."""

    text: Text
    by: Expr


class During(Node):
    """`during fight`, `during turn of p`."""

    name: Word
    of: Expr | None


class Key(Node):
    """`highest x`, `lowest x` or `random` in an order."""

    direction: str
    value: Expr | None


class Suffixes(Node):
    """What narrows and orders a set."""

    named: Word | None
    where: Expr | None
    having: list[Key]
    ordered: list[Key]


class Query(Node):
    """A set, narrowed or ordered; `quantifier` is the word before it, or none."""

    quantifier: str | None
    base: Expr
    suffixes: Suffixes | None


Expr: TypeAlias = (
    "Name | Capital | Number | Target | Dice | Size | Text | Truth | Nothing | CallValue | TraitValue | Ask | New"
    " | Braces | EntryPair | Group | Dot | Of | Index | Binary | Within | InSpan | Not | Pick | Agreed | During | Query"
)


# ------------------------------------------------------------------ types
class WordsType(Node):
    """`int`, `text`, or words to choose from."""

    words: list[Word]


class KindType(Node):
    """A kind, role or named type."""

    name: str


class RangeType(Node):
    """`1..3`."""

    low: int
    high: int


class DiceType(Node):
    """`d6` as the type of a key."""

    sides: int


class ManyType(Node):
    """`list of`, `set of`, `bands of`, `plan of`."""

    form: str
    item: TypeNode


class MapType(Node):
    """`A -> B`."""

    key: TypeNode
    value: TypeNode


class ContainerType(Node):
    """`deck of Card face_down max 3 reshuffles from discard`."""

    form: str
    kind: Word
    options: ContainerOptions


class EffectType(Node):
    """`effect(h: Hero)`."""

    params: list[Param]


class OrNone(Node):
    """`T or none`."""

    inner: TypeNode


TypeNode: TypeAlias = (
    "WordsType | KindType | RangeType | DiceType | ManyType | MapType | ContainerType | EffectType | OrNone"
)


@record
class ContainerOptions:
    """What is said after the kind of a container."""

    max: Expr | None = None
    face: str | None = None
    returning: bool = False
    reshuffles: Word | None = None


class Param(Node):
    """`name: type = default`."""

    name: Word
    type: TypeNode
    default: Expr | None


# ------------------------------------------------------------------ statements
class Elements(Node):
    """Several elements with commas: data, never statements."""

    items: list[Stmt]


class Call(Node):
    """A verb, its arguments and its parts. `token` is the second word in `put 1 light`."""

    verb: Word
    first: Expr | None
    token: Word | None
    parts: list[tuple[str, Expr]]
    until: Expr | None = None


class CallBlock(Node):
    """A call with a block below it."""

    call: Call
    body: list[Stmt]


class DoEffect(Node):
    """`do x.effect` or `do x.effect(a)`."""

    target: Expr
    args: list[Expr] | None


class Do(Node):
    """`do` before a call or an effect."""

    what: Call | DoEffect


class Assign(Node):
    """`x = value` or `x = do call`."""

    target: Expr
    value: Expr | Do


class Let(Node):
    """`let x = value` or `let x = do call`."""

    name: Word
    value: Expr | Do


class Amount(Node):
    """How many to choose: `exactly`, `up to` or `at least`."""

    mode: str
    value: Expr


class Choose(Node):
    """`choose x from S by p "prompt"`."""

    amount: Amount | None
    name: Word
    source: Expr
    by: Expr
    prompt: Text | None


class Open(Node):
    """`open menu(args) by p`."""

    up_to: Expr | None
    menu: MenuUse
    by: Expr
    prompt: Text | None
    until_passed: bool


class MenuUse(Node):
    """A menu with its arguments."""

    name: Word
    args: list[Expr]


class Give(Node):
    """`give x`."""

    value: Expr


class Stop(Node):
    """`stop` or `stop action`."""

    name: Word | None


class GoTo(Node):
    """`go to chapter`."""

    target: Expr


class AsUsual(Node):
    """`as usual`, maybe with one parameter changed."""

    name: Word | None
    value: Expr | None


class DoNothing(Node):
    """`nothing`."""


class May(Node):
    """`p may call` or `p may "label": block`."""

    who: Expr
    label: Text | None
    body: list[Stmt]


class Retrait(Node):
    """`x becomes A, B`, `gains`, `loses`."""

    change: str
    target: Expr
    traits: list[TraitUse]


class ArrowKey(Node):
    """What stands before an arrow: an expression, an open range or `otherwise`."""

    form: str
    value: Expr | None
    when: Expr | None


class Arrow(Node):
    """`key -> body`."""

    key: ArrowKey
    body: list[Stmt]


class Requires(Node):
    """`requires C, "reason"`."""

    condition: Expr
    reason: Text | None


class If(Node):
    """`if`, its `otherwise if` branches and `otherwise`."""

    branches: list[tuple[Expr, list[Stmt]]]
    otherwise: list[Stmt] | None


class ForEach(Node):
    """`for each x, y in S, chosen by R:`."""

    name: Word
    second: Word | None
    source: Expr
    chosen_by: Expr | None
    body: list[Stmt]


class Repeat(Node):
    """`repeat:`, `repeat while C:`, `repeat n times:`."""

    condition: Expr | None
    count: Expr | None
    body: list[Stmt]


class ChooseOne(Node):
    """`choose one by p "prompt":` with arrows below."""

    by: Expr
    optional: bool
    prompt: Text | None
    body: list[Stmt]


class Until(Node):
    """`until end of X:` a block of rules."""

    edge: str
    name: Word
    rules: list[Rule]


class Together(Node):
    """`together:`."""

    body: list[Stmt]


class Possible(Node):
    """`first possible:` or `all possible:`."""

    mode: str
    body: list[Stmt]


Stmt: TypeAlias = (
    "Expr | Elements | Call | CallBlock | DoEffect | Do | Assign | Let | Choose | Open | Give | Stop | GoTo | AsUsual"
    " | DoNothing | May | Retrait | Arrow | Requires | If | ForEach | Repeat | ChooseOne | Until | Together | Possible"
)


# ------------------------------------------------------------------ rules
class Slot(Node):
    """One place of a pattern: a name, a kind with a name, a number, or `_`."""

    kind: Word | None
    name: Word | None
    number: int | None = None


class Pattern(Node):
    """A verb with the places a rule looks at."""

    verb: Word
    first: Slot | None
    token: Word | None
    parts: list[tuple[str, Slot]]


@_unpacked_when_read
class ActionRule(Node):
    """`before`, `after`, `instead of`, `at start of`, `at end of` a pattern."""

    timing: str
    pattern: Pattern
    when: Expr | None
    reads: Text | None
    body: list[Stmt]


class StateRule(Node):
    """`when C becomes true:`."""

    condition: Expr
    body: list[Stmt]
    reads: Text | None = None


class Forbid(Node):
    """`forbid pattern when C, "reason"`."""

    pattern: Pattern
    when: Expr | None
    reason: Text | None
    reads: Text | None = None


class Modify(Node):
    """`modify value(params) when C: + 1` or `modify field of slot: ...`."""

    name: Word
    params: list[Word] | None
    slot: Slot | None
    when: Expr | None
    change: str
    amount: Expr
    reads: Text | None = None


class Grant(Node):
    """`grant Trait to S when C`."""

    traits: list[Expr]
    to: Expr
    when: Expr | None
    reads: Text | None = None


@_unpacked_when_read
class Offer(Node):
    """`offer "label" in menu(args) when C: block`."""

    label: Text
    menu: MenuUse
    when: Expr | None
    reads: Text | None
    body: list[Stmt]


Rule: TypeAlias = "ActionRule | StateRule | Forbid | Modify | Grant | Offer"


# ------------------------------------------------------------------ declarations
class Prose(Node):
    """Prose standing alone."""

    text: Text


class FieldDecl(Node):
    """`names: type = default per X`, maybe with a default body."""

    names: list[Word]
    type: TypeNode
    default: Expr | None
    per: list[Word]
    flags: list[str]
    body: list[Stmt] | None
    reads: Text | None = None


class TrackDecl(Node):
    """A track, at top level or as a field (then maybe of several names)."""

    names: list[Word]
    low: int
    high: int
    begin: Expr | None
    per: list[Word]
    flags: list[str]
    hooks: list[Hook]
    is_field: bool
    reads: Text | None = None


class Hook(Node):
    """`at 5, 8: block` of a track; `when` is at, on, below or above."""

    when: str
    spaces: list[int]
    body: list[Stmt]


class Default(Node):
    """`field = value` in a kind."""

    name: Word
    value: Expr


class Holds(Node):
    """`holds token max n`."""

    token: Word
    max: Expr | None


class Lies(Node):
    """`lies face_down`."""

    face: str


class InForce(Node):
    """`in force while C`."""

    condition: Expr


class KindDecl(Node):
    """`kind K is A, B:`."""

    name: Word
    parents: list[Word]
    members: list[Member]
    reads: Text | None = None


class ExtendKind(Node):
    """`extend K:`."""

    name: Word
    members: list[Member]


class TypeDecl(Node):
    """`type T = a | b`, or `extend type T = c`."""

    name: Word
    words: list[Word]
    ordered: bool
    extends: bool


class TraitDecl(Node):
    """`trait T(n: int):`."""

    name: Word
    params: list[Param]
    members: list[Member]
    reads: Text | None = None


class TraitUse(Node):
    """A trait with its arguments."""

    name: str
    args: list[Expr]


class FieldValue(Node):
    """`path: value` in a thing; the value is neutral until its type is known."""

    path: list[Word]
    body: list[Stmt]
    form: str
    reads: Text | None = None


class InlineThing(Node):
    """`field id "Title":` items."""

    field: Word
    id: Word
    title: Text | None
    items: list[Item]


class CastLine(Node):
    """`2 hound at reeds is Hunter:` items."""

    groups: list[tuple[int, Word]]
    place: Expr
    traits: list[TraitUse]
    items: list[Item]


class Cast(Node):
    """A chapter's figures."""

    lines: list[CastLine]


class Drawn(Node):
    """`plan:` or `map:` with rows of names; a turn sign may follow a name."""

    name: Word
    rows: list[list[tuple[Word, str]]]


class OwnWording(Node):
    """`reads "..."` in a thing: a text of its own in place of the generated one."""

    text: Text


class EndsWhen(Node):
    """`ends when C`."""

    condition: Expr


@_unpacked_when_read
class ThingDecl(Node):
    """`Kind id "Title" * n is Trait:` items."""

    kind: Word
    ids: list[Word]
    title: Text | None
    copies: int
    copies_per: Word | None
    traits: list[TraitUse]
    items: list[Item]


class ContainerDecl(Node):
    """`deck name of Kind = content`."""

    form: str
    name: Word
    kind: Word
    options: ContainerOptions
    content: Expr | None
    reads: Text | None = None


class TokenDecl(Node):
    """`token a, b * n`."""

    names: list[Word]
    count: int
    reads: Text | None = None


class DieDecl(Node):
    """`die name: faces` or `die Kind * n:` items."""

    name: Word
    copies: int
    items: list[Item]
    faces: list[Stmt]


class TableDecl(Node):
    """`table name(params): arrows`."""

    name: Word
    params: list[Param]
    body: list[Stmt]


class RoleDecl(Node):
    """`role Kind 1..4 is Figure named p:`."""

    name: Word
    low: int
    high: int
    parents: list[Word]
    seat: Word | None
    members: list[Member]
    reads: Text | None = None


class TeamDecl(Node):
    """`team name of Role, ties by x`."""

    name: Word
    role: Word
    ties: Word | None


class OptionDecl(Node):
    """`option name: type = default "what it is"`."""

    name: Word
    type: TypeNode
    default: Expr
    text: Text | None


class StateDecl(Node):
    """`state name: type = default per X`."""

    name: Word
    type: TypeNode
    default: Expr | None
    per: list[Word]
    flags: list[str]
    reads: Text | None = None


class PlanDecl(Node):
    """`plan name ring:` rows of names."""

    name: Word
    ring: bool
    rows: list[list[tuple[Word, str]]]


class Clause(Node):
    """`blocked by: S` of a movement."""

    name: Word
    preposition: str
    value: Expr


class MovementDecl(Node):
    """`movement name is parent:` clauses."""

    name: Word
    parent: Word | None
    clauses: list[Clause]


class PayRule(Node):
    """One way to cover a symbol: things of a kind, or tokens on a thing."""

    source: Word
    on: Word | None
    die: Word | None
    symbol: Word
    when: Expr | None
    at_most: int | None


class PaymentDecl(Node):
    """`payment name:` pay rules."""

    name: Word
    rules: list[PayRule]


class PeriodDecl(Node):
    """`period name while C`."""

    name: Word
    condition: Expr
    reads: Text | None = None


class MenuDecl(Node):
    """`menu name(params) once per X: pass "label"`."""

    name: Word
    params: list[Param]
    once_per: Word | None
    passing: Text | None


class AnytimeDecl(Node):
    """`anytime by R when C: block`."""

    by: Expr
    when: Expr | None
    body: list[Stmt]


class WhileDecl(Node):
    """`while options: declarations`."""

    condition: Expr
    declarations: list[Decl]


class CheckDecl(Node):
    """`check C, "why"`."""

    condition: Expr
    why: Text | None


class MeasureDecl(Node):
    """`measure name = value`."""

    name: Word
    value: Expr


class OrderDecl(Node):
    """`order of action by R`."""

    action: Word
    by: Expr


class StartAfterDecl(Node):
    """`start after action`."""

    action: Word


@_unpacked_when_read
class ActionDecl(Node):
    """`action verb p: T by q: U gives V:` body."""

    verb: Word
    first: Param | None
    parts: list[tuple[str, Param]]
    gives: TypeNode | None
    reads: Text | None
    body: list[Stmt]


class ValueDecl(Node):
    """`value name(params): type = expression`, or a block."""

    name: Word
    params: list[Param]
    type: TypeNode | None
    value: Expr | None
    body: list[Stmt] | None
    reads: Text | None = None


# ------------------------------------------------------------------ tests
class Covers(Node):
    """`covers ID, ID`."""

    ids: list[Word]


class StartAt(Node):
    """`start chapter with name value, ...`; without a chapter, before the first line of the game."""

    chapter: Word | None
    settings: list[tuple[Word, Expr]]


class Given(Node):
    """`given: block`."""

    body: list[Stmt]


class Rig(Node):
    """`rig name: values`."""

    what: Word
    values: list[Expr]


class Answer(Node):
    """`answer prompt by seat: values`; the prompt is a decision id or a text."""

    prompt: Text | None
    by: Expr | None
    values: list[Expr]


class When(Node):
    """`when calls`."""

    moments: list[Stmt]


class Moment(Node):
    """`action` or `action until other`."""

    name: Word
    until: Word | None


class Expect(Node):
    """`expect C`."""

    condition: Expr


class Scene(Node):
    """A drawing that sets figures, or (`expected`) that they must match."""

    on: Word | None
    text: Text
    expected: bool


class Marks(Node):
    """`marks: A -> name; ...`."""

    marks: list[tuple[Word, Word]]


TestLine: TypeAlias = "Covers | StartAt | Given | Rig | Answer | When | Expect | Scene | Marks"


@_unpacked_when_read
class TestDecl(Node):
    """`test "what it shows":` lines."""

    __test__ = False
    title: Text
    lines: list[TestLine]


Member: TypeAlias = (
    "Prose | FieldDecl | TrackDecl | Default | Holds | Lies | InForce | ActionDecl | ValueDecl | ActionRule | StateRule"
    " | Forbid | Modify | Grant | Offer"
)
Item: TypeAlias = (
    "Prose | FieldValue | InlineThing | Cast | Drawn | EndsWhen | OwnWording | ActionDecl | ValueDecl | StateDecl | TrackDecl"
    " | MenuDecl | ActionRule | StateRule | Forbid | Modify | Grant | Offer"
)
Decl: TypeAlias = (
    "KindDecl | ExtendKind | TypeDecl | ThingDecl | TraitDecl | ContainerDecl | TokenDecl | TrackDecl | DieDecl"
    " | TableDecl | RoleDecl | TeamDecl | OptionDecl | StateDecl | PlanDecl | MovementDecl | PaymentDecl | PeriodDecl"
    " | MenuDecl | ActionDecl | ValueDecl | ActionRule | StateRule | Forbid | Modify | Grant | Offer | AnytimeDecl"
    " | WhileDecl | CheckDecl | MeasureDecl | TestDecl | OrderDecl | StartAfterDecl"
)


@record
class File:
    """One parsed file; `broken_names` are the words of lines that could not be read."""

    name: str
    declarations: list[Decl]
    broken_names: set[str] = field(default_factory=set)
