"""The whole of a document for certain settings, as a module of the low-level form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from talewright.runtime.faults import misfit
from talewright.runtime.ir.build import const
from talewright.runtime.ir.header import NOWHERE
from talewright.runtime.ir.nodes import Const, Expression, Function, Slot
from talewright.runtime.kernel.components.until import ARMED
from talewright.runtime.lower.builds.options import lay_out_options
from talewright.runtime.lower.code import Code, Scope
from talewright.runtime.lower.locating import located
from talewright.runtime.lower.rules.watched import find_watched
from talewright.runtime.model.deferred import Deferring
from talewright.runtime.model.facts import Facts, find_facts
from talewright.runtime.model.grids import Grid
from talewright.runtime.model.layout import Layout
from talewright.runtime.model.maps import places_of
from talewright.runtime.model.settings import NotedOptions, OptionValue, settle
from talewright.runtime.model.world import Pile, Pool, RuleEntry, World, build_world
from talewright.runtime.space.board import Board
from talewright.runtime.space.plans import Plan
from talewright.schemas.node_walk import walk
from talewright.schemas.nodes.arguments import EffectBlock
from talewright.schemas.nodes.components import MovementClause
from talewright.schemas.nodes.declared import (
    ActionDeclaration,
    MenuDeclaration,
    OrderDeclaration,
    TableDeclaration,
    ValueDeclaration,
)
from talewright.schemas.nodes.document import Content, Document
from talewright.schemas.nodes.literals import Text
from talewright.schemas.nodes.names import TraitRef
from talewright.schemas.nodes.queries import Question
from talewright.schemas.nodes.reads import FieldOf
from talewright.schemas.nodes.rules import (
    AfterRule,
    BeforeRule,
    ForbidRule,
    InsteadOfRule,
    ModifyRule,
    OfferRule,
)
from talewright.schemas.nodes.statements import Body, Call, ChooseOne, CoreCall, Repeat
from talewright.schemas.nodes.things import Code as CodeNode
from talewright.schemas.nodes.things import Edge
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import field, record
from talewright.schemas.records import replace as changed

if TYPE_CHECKING:
    from talewright.runtime.lower.rules.traits import Site

# So many calls may run inside each other.
MOST_RUNNING = 1024


# What writes the body of a function.
Write = Callable[["Code"], Function | None]

# What the cell of a state rule holds while its bearer is not in force.
NOT_IN_FORCE = 3


@record(frozen=True)
class Build:
    """What a program can do besides playing."""

    events: bool = False
    """Whether what is said is written down for the host."""
    traced: bool = False
    """Whether calls, refusals, rules, rolls and writes are written down, too."""
    tested: bool = False
    """Whether tests set the table: rules can be put to sleep."""
    bots: bool = False
    """Whether bots that think can play."""
    checked: bool = False
    """Whether the package's checks are looked at after every action."""
    counted: bool = False
    """Whether what games meet is counted."""
    tests: tuple[int, ...] = ()
    """The tests whose steps are part of the program."""
    values: bool = False
    """Whether every declared value can be called from outside, as `value:ID`."""
    looked_at: bool = False
    """Whether it is run over copies that somebody looks at, in which rules can be left out of account."""
    checks: bool = False
    """Whether the checks of the package can be asked, too."""
    switches: int = 0
    """How many places can be broken on purpose."""
    open_options: bool = False
    """Whether options are read from cells, so that one program serves many settings."""


@record(frozen=True)
class Point:
    """A place where somebody is asked."""

    id: str
    form: str
    type: Type | None
    spot: int
    prompt: int = 0
    """The number of the text that is asked, or 0."""
    counter: int = 0
    """The cell that counts how often somebody came here, where anybody reads."""
    several: bool = False
    """Whether several things are picked here, one after another."""
    reads: Mapping[int, Type] = field(default_factory=dict)
    """The locals that the question or its answers read, with their types."""
    owner: str = ""
    """The kind or trait that `self` is known to be of here."""


@record(frozen=True)
class CountedSite:
    """A place of the text that is counted: a rule, offer, row, hook, effect or action."""

    kind: str
    name: str
    at: int
    owner: str = ""


@record(frozen=True)
class Passage:
    """A piece of the text behind a number that cells hold, for whoever reads it instead of running it."""

    node: CodeNode | EffectBlock | TraitRef | Edge | MovementClause
    types: Mapping[int, Type]
    """The types of its locals."""
    owner: str
    """The kind or trait that `self` is known to be of."""
    captured: tuple[int, ...] = ()
    """The locals around it that it reads."""


@record(frozen=True)
class Trial:
    """A step of a test: the number of its function, and the types of the values that it gives."""

    number: int
    types: tuple[Type, ...] = ()


@record(eq=False)
class Program(Deferring):
    """What is known while a document is lowered; the functions are written on demand."""

    document: Document
    """Without the steps of tests that are not part of the program."""
    world: World
    facts: Facts
    layout: Layout
    build: Build
    verbs_asked: frozenset[str] = field(default_factory=frozenset)
    """The verbs of the core of which a test asks how often they were done."""
    actions: dict[str, ActionDeclaration] = field(default_factory=dict)
    values: dict[str, ValueDeclaration] = field(default_factory=dict)
    tables: dict[str, TableDeclaration] = field(default_factory=dict)
    menus: dict[str, MenuDeclaration] = field(default_factory=dict)
    action_rules: dict[tuple[str, str], list[RuleEntry]] = field(default_factory=dict)
    """The rules of an action by timing and action, lowest first."""
    modifiers: dict[str, list[RuleEntry]] = field(default_factory=dict)
    offers: dict[str, list[RuleEntry]] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    table: list[Slot] = field(default_factory=lambda: [Slot("nothing")])
    points: list[Point] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    first_values: list[str] = field(default_factory=list)
    """What first values are worked out for, in order."""
    sets_up: bool = False
    """Whether the action `game` leads to the page that play begins with: no page is played before."""
    own_texts: int = 0
    """How many texts the document has; those behind them came from outside."""
    effect_slots: dict[tuple[int, str], int] = field(default_factory=dict)
    """The numbers in the table of effects and conditions of fields, by the identity of their node and the form of the field."""
    passages: dict[int, Passage] = field(default_factory=dict)
    """The text of effects and conditions by their number in the table."""
    site_passages: dict[int, Passage] = field(default_factory=dict)
    """The text of traits that are named, by the number of the site."""
    blocks: list[str] = field(default_factory=list)
    menu_points: dict[int, MenuDeclaration] = field(default_factory=dict)
    choice_points: dict[int, ChooseOne] = field(default_factory=dict)
    way_points: set[int] = field(default_factory=set)
    trials: dict[tuple[int, int], Trial] = field(default_factory=dict)
    """The functions of the steps of tests, by the number of the test and the position of the step."""
    unplayable: dict[int, str] = field(default_factory=dict)
    """Tests that cannot be lowered, and why."""
    dice: dict[str, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    """Kinds of dice by name: number and faces."""
    purposes: set[str] = field(default_factory=set)
    """The words that dice are rolled for."""
    opposites: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Faces of dice and their opposites in turn, by the number of the die."""
    until_around: dict[int, tuple[dict[int, Type], str]] = field(default_factory=dict)
    """For each rule of an `until`: the types of the locals around it, and whose text it stands in."""
    sites: dict[int, Site] = field(default_factory=dict)
    """Places of the text where traits are named, by the identity of their node."""
    maps: dict[int, Board] = field(default_factory=dict)
    """The map that is always there, under 0, and those of chapters."""
    map_blocks: dict[int, int] = field(default_factory=dict)
    sites_counted: dict[CountedSite, int] = field(default_factory=dict)
    effect_owners: dict[int, str] = field(default_factory=dict)
    """The sorts in whose fields effects stand, by the identity of their nodes."""
    grid: Grid | None = None
    plans: dict[int, Plan] = field(default_factory=dict)
    """The drawings of pieces."""
    option_cells: dict[str, int] = field(default_factory=dict)
    """Where the options lie, if they are read from cells."""
    known_options: Mapping[str, OptionValue] = field(default_factory=dict)
    """The options that had to be known: the program is for no others."""
    players: int | None = None
    """How many were said to play."""
    _round: str | None = None
    _force_fields: set[str] | None = None
    _watched: frozenset[str] | None = None
    _watched_known: bool = False
    _writing: Code | None = None
    """The function that was begun last."""
    _cells: dict[str, int] = field(default_factory=dict)
    _numbers: dict[str, dict[str, int]] = field(default_factory=dict)
    _slots: dict[str, int] = field(default_factory=dict)
    _known: set[str] = field(default_factory=set)
    _pending: list[tuple[str, Callable[[], Function]]] = field(default_factory=list)
    _text_numbers: dict[object, int] = field(default_factory=dict)
    _kept_nodes: list[object] = field(default_factory=list)
    _copies: dict[str, bool] = field(default_factory=dict)
    function_spots: dict[str, int] = field(default_factory=dict)
    """Where the functions of the finished program stand in the text."""

    # ------------------------------------------------------------------ functions on demand
    def function(
        self, name: str, parameters: int, write: Write, gives: bool = True, scope: Scope | None = None
    ) -> str:
        """Sees to it that a function is written, later; gives its name."""
        if name not in self._known:
            self._known.add(name)
            self._pending.append((name, lambda: self.written(name, parameters, write, gives, scope)))
        return name

    def written(
        self, name: str, parameters: int, write: Write, gives: bool = True, scope: Scope | None = None
    ) -> Function:
        """A function, written now; what writes its body may end it in another way than others."""
        code = self.code(name, parameters, gives, scope)
        return write(code) or code.function()

    def write_needed(self) -> None:
        """Writes the functions that were asked for, and those which they ask for."""
        while self._pending:
            name, make = self._pending.pop()
            with self.located():
                self.functions[name] = make()

    def located(self) -> AbstractContextManager[None]:
        """Whatever goes wrong inside is said with the place that was being lowered."""
        return located(
            self.document.sources, lambda: self._writing.spot if self._writing is not None else NOWHERE
        )

    def slot(self, name: str, asks: bool = False) -> int:
        """The number of a function in the table."""
        if name not in self._slots:
            self._slots[name] = len(self.table)
            self.table.append(Slot(name, asks))
        return self._slots[name]

    def code(self, name: str, parameters: int, gives: bool = True, scope: Scope | None = None) -> Code:
        """A new function."""
        self._writing = Code(self, name, parameters, gives, scope or Scope({}))
        return self._writing

    # ------------------------------------------------------------------ numbers
    def thing(self, name: str) -> Const:
        """The number of a thing."""
        number = self.world.number.get(name)
        if number is None:
            raise misfit(f"there is no thing `{name}`")
        return const(number)

    def text_number(self, text: Text) -> int:
        """The number of a text, counted from 1; texts that show nothing are the same if their words are."""
        plain = "".join(text.parts) if all(isinstance(part, str) for part in text.parts) else None  # type: ignore[arg-type]
        key: object = id(text) if plain is None else plain
        found = self._text_numbers.get(key)
        if found is None:
            self.texts.append(text)
            found = self._text_numbers[key] = len(self.texts)
        return found

    def point(self, point: Point) -> int:
        """The number of a decision."""
        self.points.append(point)
        return len(self.points) - 1

    @property
    def counted_sites(self) -> list[CountedSite]:
        """The places of the text that are counted, by number."""
        return list(self.sites_counted)

    def site(self, site: CountedSite) -> int:
        """The number of a place that is counted."""
        return self.sites_counted.setdefault(site, len(self.sites_counted))

    def sort_number(self, name: str) -> int:
        """The number of a sort: that of its first copy; sorts without a copy have one of their own."""
        copies = self.world.sorts.get(name)
        return copies[0] if copies else self.layout.word(f"sort {name}")

    def number(self, space: str, name: str) -> int:
        """A number for a name, counted from 1 in each space of names."""
        numbers = self._numbers.setdefault(space, {})
        return numbers.setdefault(name, len(numbers) + 1)

    def names_of(self, space: str) -> dict[int, str]:
        """The names of a space by their numbers."""
        return {number: name for name, number in self._numbers.get(space, {}).items()}

    def node_number(self, space: str, node: object) -> int:
        """A number for a node of the document or one made on the way, which stays, so that no other takes its identity."""
        self._kept_nodes.append(node)
        return self.number(space, str(id(node)))

    def verb_number(self, verb: str) -> int:
        """The number of a verb."""
        return self.number("verb", verb)

    def action_number(self, action: str) -> int:
        """The number of an action or verb of the core."""
        return self.number("action", action)

    # ------------------------------------------------------------------ cells on demand
    def cell(self, name: str, count: int = 1, first: int = 0) -> int:
        """The address of some cells of the state that have a name."""
        if name not in self._cells:
            self._cells[name] = self.layout.reserve([first] * count)
        return self._cells[name]

    def known_cell(self, name: str) -> int | None:
        """The address of cells that somebody has asked for; none if nobody has."""
        return self._cells.get(name)

    def period_cell(self, period: str) -> int:
        """The cell that says whether a period lasts."""
        return self.cell(f"period {period}")

    def parameter_cell(self, index: int) -> int:
        """A cell through which a `before` rule hands back a parameter."""
        return self.cell("changed parameters", 32) + index

    def trait_bits(self, trait: str) -> int:
        """The cells with a bit for every thing that has a trait; containers can be asked, too, and have none."""
        return self.cell(f"trait {trait}", self.layout.locations // 32 + 1)

    def run_end(self) -> int:
        """The end of the stack of running calls."""
        return self.layout.names["RUN"] + 2 * MOST_RUNNING

    def armed_cell(self, entry: RuleEntry, me: Expression) -> Expression:
        """The cell that says whether a state rule of a bearer waits to become true."""
        if entry.bearer == "until":
            return me + ARMED
        if entry.bearer in ("", "chapter"):
            return const(self.cell(f"armed {entry.number}"))
        low, high = self._bearers(entry)
        return me + (self.cell(f"armed {entry.number}", high - low + 1, NOT_IN_FORCE) - low)

    def _bearers(self, entry: RuleEntry) -> tuple[int, int]:
        """Between which numbers the things lie that can bear a rule."""
        numbers = self.world.numbers_of_kind(entry.owner) if entry.bearer == "kind" else ()
        return (min(numbers), max(numbers)) if numbers else (0, self.layout.things)

    def once_cell(self, entry: RuleEntry, me: Expression) -> Expression:
        """The cell that says whether an offer of a bearer was taken already."""
        if entry.bearer in ("", "chapter"):
            return const(self.cell(f"once {entry.number}"))
        return me + self.cell(f"once {entry.number}", self.layout.width)

    def once_cells(self, menu: str) -> list[tuple[int, int]]:
        """Where the cells begin that say whether offers of a menu were taken, and how many each has."""
        counts = [
            (f"once {entry.number}", 1 if entry.bearer in ("", "chapter") else self.layout.width)
            for entry in self.offers.get(menu, [])
        ]
        return [(self.cell(name, count), count) for name, count in counts]

    # ------------------------------------------------------------------ seats
    def seat_count(self) -> int:
        """How many seats there are."""
        return len(self.world.seats)

    def all_seats(self) -> int:
        """A bit for every seat."""
        return (1 << self.seat_count()) - 1

    def seat_bit(self, thing: int) -> int:
        """The bit of a seat."""
        return 1 << list(self.world.seats.values()).index(thing)

    def team_mask(self, team: str) -> int:
        """The bits of the seats of a team."""
        declared = next(t for t in self.world.content.teams if t.id == team)
        return sum(self.seat_bit(number) for number in self.world.of_kind(declared.role))

    @property
    def has_tiles(self) -> bool:
        """Whether places can be parts of larger places."""
        return any(entry.tag == "plan" for entry in self.world.fields.values())

    def has_copies(self, kind: str) -> bool:
        """Whether things of a kind can be alike, or lie hidden."""
        name = kind if kind in self.world.kinds else "Thing"
        if name not in self._copies:
            self._copies[name] = self._find_copies(name)
        return self._copies[name]

    def _find_copies(self, name: str) -> bool:
        world = self.world
        kinds = {thing.kind for thing in world.things if world.is_a(thing.kind, name)}
        if any(thing.copy and not thing.owner for thing in world.things if thing.kind in kinds):
            return True
        if any(pool.copies for pool in world.pools_of(name)):
            return True
        return any(
            pile_lies(pile) == 0 and any(world.is_a(k, pile.kind) for k in kinds) for pile in world.piles[2:]
        )

    def order_of(self, verb: str) -> OrderDeclaration | None:
        """Who puts the rules about a verb in order."""
        for declared in self.document.content.orders:
            if declared.moment == f"verb:{verb}" and self.world.allows(declared.guards):
                return declared
        return None

    def round_action(self) -> str:
        """The action whose calls are counted as rounds."""
        if self._round is None:
            self._round = find_round(self)
        return self._round

    def is_watched(self, *names: str) -> bool:
        """Whether periods or state rules look at any of these."""
        if not self._watched_known:
            self._watched, self._watched_known = find_watched(self), True
        return self._watched is None or not self._watched.isdisjoint(names)

    def interrupts(self) -> bool:
        """Whether something may be done at any time."""
        return any(self.world.allows(declared.guards) for declared in self.world.anytime)

    def is_fixed(self, kind: str) -> bool:
        """Whether the things of a kind, and their order, stay the same all through a game."""
        return not self.order_changes(kind) and not self.world.pools_of(kind)

    def force_fields(self) -> set[str]:
        """The fields that say whether rules are in force."""
        if self._force_fields is None:
            self._force_fields = {
                self.world.fields[node.owner, node.name].first
                for kind in self.world.kinds.values()
                if kind.in_force is not None
                for node in walk(kind.in_force)
                if isinstance(node, FieldOf) and (node.owner, node.name) in self.world.fields
            }
        return self._force_fields

    def made_cell(self, pool: Pool) -> int:
        """The cell that counts the things of a kind that were made in play."""
        return self.cell(f"made {pool.kind}")

    def order_changes(self, kind: str) -> bool:
        """Whether the order of the things of a kind depends on the map that is played on."""
        return len(self.maps) > 1 and self.world.is_a(kind, "Place")

    def in_order(self, kind: str) -> list[int]:
        """The things of a kind: places of the map in reading order, all others in order of declaration."""
        numbers = self.world.of_kind(kind)
        if 0 not in self.maps or not self.world.is_a(kind, "Place"):
            return numbers
        order = {place: index for index, place in enumerate(places_of(self.world, self.maps[0]))}
        return sorted(numbers, key=lambda number: (order.get(number, len(order)), number))

    def die_number(self, name: str, faces: list[int]) -> int:
        """The number of a kind of dice, counted from 1, with the cells of its faces."""
        if name not in self.dice:
            self.dice[name] = (len(self.dice) + 1, tuple(faces))
        return self.dice[name][0]


def find_round(program: Program) -> str:
    """The action that is a round: the one called `round`, else what the outermost endless `repeat` calls, else any `repeat`."""
    named = next((a.id for a in program.actions.values() if a.verb == "round" and not a.chapter), "")
    return named or _repeated(program, endless=True) or _repeated(program, endless=False)


def _repeated(program: Program, endless: bool) -> str:
    """What the first `repeat` on the way from the beginning of a game calls."""
    places: list[Body] = [a.body for a in program.actions.values() if a.verb in ("game", "play")]
    for entry in program.world.rules:
        if (
            isinstance(entry.rule, BeforeRule | AfterRule | InsteadOfRule)
            and entry.rule.action == "core:play"
        ):
            places.append(entry.rule.body)
    seen: set[str] = set()
    while places:
        called: list[str] = []
        for body in places:
            for node in (inner for statement in body for inner in walk(statement)):
                if isinstance(node, Call):
                    called.append(node.action)
                if isinstance(node, Repeat) and (node.times is None) == endless:
                    for inner in node.body:
                        if isinstance(inner, Call):
                            return inner.action
        fresh = [name for name in dict.fromkeys(called) if name not in seen and name in program.actions]
        seen.update(fresh)
        places = [program.actions[name].body for name in fresh]
    return ""


def pile_lies(pile: Pile) -> int:
    """How things lie in a container: 0 down, 1 up, 2 as they lay before."""
    face = None if pile.declaration is None else pile.declaration.face
    if face is not None:
        return int(face == "face_up")
    if pile.id == "limbo":
        return 2
    return 0 if pile.form in ("deck", "bag", "hand") else 1


def prepare(document: Document, options: Mapping[str, object], players: int | None, build: Build) -> Program:
    """Everything that is known before the first function is lowered."""
    content = _with_tests(document.content, build.tests)
    settings = settle(content, options, players)
    noted = NotedOptions(settings.options)
    if build.open_options:
        settings = changed(settings, options=noted, open=True)
    world = build_world(content, settings)
    facts = find_facts(world)
    layout = Layout(world, facts)
    layout.build()
    program = Program(changed(document, content=content), world, facts, layout, build)
    program.known_options = noted.read if build.open_options else settings.options
    program.players = players
    if build.open_options:
        program.option_cells = lay_out_options(layout, content, dict(settings.options))
    if build.traced:
        program.verbs_asked = _verbs_asked(content)
    program.actions = {a.id: a for a in content.actions if world.allows(a.guards)}
    program.values = {v.id: v for v in content.values if world.allows(v.guards)}
    program.tables = {t.id: t for t in content.tables if world.allows(t.guards)}
    program.menus = {m.id: m for m in content.menus if world.allows(m.guards)}
    for entry in world.rules:
        _attach(program, entry)
    for rules in (*program.action_rules.values(), *program.modifiers.values(), *program.offers.values()):
        rules.sort(key=lambda entry: (entry.layer, entry.bearer == "until", entry.number))
    return program


def _verbs_asked(content: Content) -> frozenset[str]:
    """The verbs of the core of which a test asks how often they were done."""
    questions = (node for test in content.tests for node in walk(test) if isinstance(node, Question))
    return frozenset(asked.call.verb for asked in questions if isinstance(asked.call, CoreCall))


def _with_tests(content: Content, wanted: tuple[int, ...]) -> Content:
    """The content with the steps of those tests only that are part of the program: the others write and roll nothing."""
    kept = frozenset(wanted)
    tests = tuple(
        test if index in kept else changed(test, steps=()) for index, test in enumerate(content.tests)
    )
    return changed(content, tests=tests)


def _attach(program: Program, entry: RuleEntry) -> None:
    match entry.rule:
        case BeforeRule():
            program.action_rules.setdefault(("before", entry.rule.action), []).append(entry)
        case AfterRule():
            program.action_rules.setdefault(("after", entry.rule.action), []).append(entry)
        case InsteadOfRule():
            program.action_rules.setdefault(("instead_of", entry.rule.action), []).append(entry)
        case ForbidRule():
            program.action_rules.setdefault(("forbid", entry.rule.action), []).append(entry)
        case ModifyRule():
            program.modifiers.setdefault(modified(program.world, entry.rule), []).append(entry)
        case OfferRule():
            program.offers.setdefault(entry.rule.menu, []).append(entry)


def modified(world: World, rule: ModifyRule) -> str:
    """What a rule modifies: the id of a value, or a field by the kind that declared it first."""
    if rule.value is not None:
        return rule.value
    assert rule.owner is not None
    assert rule.field is not None
    found = world.fields.get((rule.owner, rule.field))
    return found.first if found is not None else f"{rule.owner}.{rule.field}"
