"""The name space of a game as it is made: the lists of its state, the fixed part, the generated code, the first state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from talewright.runtime import outfit
from talewright.runtime.binding import bound
from talewright.runtime.chance import Chance
from talewright.runtime.leanasking import OFTEN_TAKEN
from talewright.runtime.setbook import FEW_TURNS
from talewright.runtime.tables import fill, prepare

if TYPE_CHECKING:
    from talewright.runtime.game import Game

LIMIT = 1_000_000


def spawn(game: Game) -> None:
    """Makes the name space of a game: its state, the fixed part, the generated code."""
    layout, program = game.layout, game.program
    count = len(layout.things)
    space = game.space
    piles = layout.piles
    limbo, nowhere = len(piles), len(piles) + 1
    seats = [t.number for t in layout.things if t.kind in layout.seats]
    occupants = dict(layout.occupants)
    space.update(
        S=[None] * (len(layout.scalars) + 1),
        ITEMS=[[] for _ in range(len(piles) + 2)],
        LOC=[0] * count,
        UP=[1] * count,
        KNOWN=[-1] * count,
        SORT=[t.sort for t in layout.things],
        THINGS=layout.things,
        NUMBERS=game.numbers,
        TITLES=[t.title for t in layout.things],
        OWNER=[t.owner for t in layout.things],
        KIND_OF=[t.kind for t in layout.things],
        PILE_MAX=[None] * (len(piles) + 2),
        PILE_FACE=[*(_pile_face(game, p) for p in piles), None, None],
        PILE_DECK=[*(p.form == "deck" for p in piles), False, False],
        PILE_LOOSE=[*(p.loose for p in piles), False, False],
        PILE_OWNER=[*(p.owner for p in piles), None, None],
        PILE_SOURCE=[None] * (len(piles) + 2),
        PILE_NAME=[
            *(f"{'bag' if p.form == 'bag' else 'pile'}:{p.id}" for p in piles),
            "pile:limbo",
            "pile:nowhere",
        ],
        PILE_RETURNS=[*(bool(p.source.get("returning")) for p in piles), False, False],
        OCCUPANTS=occupants,
        PLACE_OF_PILE={pile: place for place, pile in occupants.items()},
        STANDS_ON=_places_by_pile(occupants, len(piles) + 2),
        PLAIN_PILES={},
        PILE_WATCH={},
        FAST_MENUS={},
        SORTS={name: list(numbers) for name, numbers in layout.sorts.items()},
        TOKENS={t["id"]: [0] * count for t in program.content["tokens"]},
        SUPPLY={t["id"]: t["count"] for t in program.content["tokens"]},
        TOKEN_MAX={},
        WATCH=[None] * count,
        POINTS=program.points,
        COUNTS=[0] * (len(program.points) + 1),
        FRAMES=[],
        PENDING=[],
        SEAT_BIT={seat: 1 << index for index, seat in enumerate(seats)},
        CHANCE=Chance(0),
        GAME=game,
        LOG=game.log,
        TAKEN=[("", index) for index in range(OFTEN_TAKEN)],
        TURNS=[(None,) * turns for turns in range(FEW_TURNS + 1)],
        SAID=game.said,
        CHECK=layout.scalars["check"],
        CHAPTER=layout.scalars["chapter"],
        ENDED=layout.scalars["ended"],
        STEPS=layout.scalars["steps"],
        BOX=0,
        LIMBO=limbo,
        NOWHERE=nowhere,
        LIMIT=LIMIT,
        GROUPS=[],
        PLACE_ORDER=dict(program.place_order),
        RINGS=program.rings,
        ANYTHING=object(),
        NOT_NOW=object(),
        FACES={},
        TURNED=[0] * count,
        NAMESPACE=space,
    )
    _kind_lists(game, space)
    for field in layout.fields.values():
        space[f"F{field.number}"] = [None] * count
        space[f"FD{field.number}"] = []
    _rule_tables(game, space)
    outfit.add_names(game, space)
    outfit.read_books(game, space)
    game._after_kernel(space)
    space.update(program.writer.constants)
    # Where people or bots think, making the program quick would take longer than it saves.
    code = program.code if game.hurried else program.plain_code
    if game.hurried and program.tuned is not None:
        constants = program.writer.constants
        game.streams = [(name, constants[stream]) for name, stream in program.tuned.streams.items()]
        game.use_chance(space["CHANCE"])
        prepare(program.tuned.tables, space)
        code = bound(code, program.references, space)
    exec(game.text(code), space)
    game._connect(space)
    if game.program.checked:
        from talewright.runtime.verifying import watch_checks

        watch_checks(game)
    if game.program.interrupted:
        from talewright.runtime.interrupting import interrupt_decisions

        interrupt_decisions(game)


def _places_by_pile(occupants: dict[int, int], count: int) -> list[int | None]:
    places: list[int | None] = [None] * count
    for place, pile in occupants.items():
        places[pile] = place
    return places


def _pile_face(game: Game, pile: Any) -> int | None:
    if pile.form == "place":
        return None
    return game.program.face_of(pile.form, pile.source)


def _kind_lists(game: Game, space: dict[str, Any]) -> None:
    order = game.program.place_order
    for kind in game.layout.kinds:
        number = game.program.kind_number(kind)
        things = game.layout.of_kind(kind)
        things.sort(key=lambda t: (order.get(t, 10**9), t))
        space[f"K{number}"] = things
        space[f"Q{number}"] = set(things)


def _rule_tables(game: Game, space: dict[str, Any]) -> None:
    program = game.program
    lists: dict[str, list[Any]] = {"state": [], "grant": []}
    for number in range(len(program.actions)):
        for letter, timing in (("F", "forbid"), ("I", "instead_of"), ("B", "before"), ("A", "after")):
            name = f"R{letter}{number}"
            space[name] = lists[name] = []
            del timing
    for number in range(len(program.values)):
        space[f"M{number}"] = lists[f"M{number}"] = []
    for field in game.layout.fields.values():
        space[f"MF{field.number}"] = lists[f"MF{field.number}"] = []
    for menu in program.content["menus"]:
        lists[f"menu:{menu['id']}"] = []
    for key in program.modifiers:
        if key.startswith("core:"):
            lists[f"MC:{key[5:]}"] = []
    for verb in program.core_hooks:
        for timing in ("forbid", "instead_of", "before", "after"):
            lists[f"core:{verb}:{timing}"] = []
    for period in program.content["periods"]:
        lists[f"period:{period['id']}:start"] = []
        lists[f"period:{period['id']}:end"] = []
    count = len(game.layout.things)
    space.update(
        LISTS=lists,
        ENTRIES=[],
        BEARER_RULES={},
        ACTIVE=[False] * count,
        FORCE=[None] * count,
        CELLS={},
        STATE_RULES=lists["state"],
        PERIODS=[],
        PERIOD_RULES={},
        MENUS={},
        MENU_INFO={
            m["id"]: {"pass": m.get("pass"), "used": program.once_cells.get(m["id"])}
            for m in program.content["menus"]
        },
        CORE_RULES={},
        TRAITS=[[] for _ in range(count)],
        TRAIT_PARAMS={t["id"]: [p["name"] for p in t["params"]] for t in program.content["traits"]},
        TRAIT_RULES={},
        RULE_FUNCTIONS={},
        ANYTIME=[],
        TIES=[],
    )


def connect(game: Game, space: dict[str, Any]) -> None:
    """Fields, limits and rules get their first state."""
    layout, program = game.layout, game.program
    items, loc = space["ITEMS"], space["LOC"]
    for pile in layout.piles:
        if pile.owner is not None and pile.field:
            field = layout.fields_of(layout.things[pile.owner].kind)[pile.field]
            space[f"F{field.number}"][pile.owner] = pile.number
    tables = program.tuned.tables if game.hurried and program.tuned is not None else []
    fill(tables, space, late=False)
    for thing in layout.things:
        home = 0
        if any(layout.is_a(thing.kind, k) for k in ("Place", "Chapter", "Ending", "Direction")):
            home = space["NOWHERE"]
        if thing.owner is not None and thing.owner in layout.occupants and layout.is_a(thing.kind, "Place"):
            home = layout.occupants[thing.owner]
        items[home].append(thing.number)
        loc[thing.number] = home
    state = space["S"]
    state[space["STEPS"]] = 0
    state[layout.scalars["rounds"]] = 0
    state[space["STEPS"] + 1] = set()
    state[space["CHECK"]] = False
    space["init_limits"]()
    space["init_scalars"]()
    for pile in layout.piles:
        face = space["PILE_FACE"][pile.number]
        if pile.number and space["PILE_MAX"][pile.number] is None and pile.form != "deck" and face != 0:
            space["PLAIN_PILES"][pile.number] = face == 1
    space["init_things"]()
    outfit.whole_faces(space)
    for thing_number in space["FACES"]:
        game._show_face(thing_number)
    _token_limits(game, space)
    space["init_piles"]()
    _hide(game, space)
    outfit.begin(game, space)
    fill(tables, space, late=True)
    for field in layout.fields.values():
        space[f"FD{field.number}"] = list(space[f"F{field.number}"])
    for name in program.groups:
        columns = [
            space[f"F{f.number}"] for f in layout.fields.values()
            if f.mutable_now(program) and any(layout.is_a(k, f.owner) for k in layout.kinds if layout.is_a(k, name))
        ]  # fmt: skip
        space["GROUPS"].append([*columns, *outfit.telling_columns(game, name)])
    game._entries(space)
    game._watches(space)
    space["born_with"]()


def _hide(game: Game, space: dict[str, Any]) -> None:
    """Which of the things in a bag is which nobody can tell, unless all are alike."""
    for pile in game.layout.piles:
        items = space["ITEMS"][pile.number]
        if pile.form == "bag" and len({space["SORT"][thing] for thing in items}) > 1:
            for thing in items:
                if not space["UP"][thing]:
                    space["KNOWN"][thing] = 0


def _token_limits(game: Game, space: dict[str, Any]) -> None:
    limits: dict[str, dict[str, Any]] = space["TOKEN_MAX"]
    for kind in game.layout.kinds:
        for owner in game.layout.lineage[kind]:
            for held in game.layout.kinds[owner].get("holds", ()):
                if "max" in held:
                    most = (
                        held["max"]["v"]
                        if held["max"]["op"] == "int"
                        else space["TOKEN_LIMITS"][owner, held["token"]]
                    )
                    limits.setdefault(held["token"], {})[kind] = most
