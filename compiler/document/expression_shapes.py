"""The shape of the document: expressions."""

from __future__ import annotations

from talewright.compiler.document.shape_kinds import (
    BINDS,
    DOING,
    EXPRESSION,
    EXPRESSIONS_LIST,
    LOCAL,
    MOMENT,
    NAME,
    NULL,
    NUMBER,
    STRING,
    TEXT,
    TRUTH,
    WORD,
    YES,
    Kind,
    Shape,
    either,
    many,
    one_of,
    ref,
    row,
    shape,
    whole,
)
from talewright.compiler.symbols import core


def _unary(**rows: str) -> dict[str, Shape]:
    return {name: Shape(says, {"of": EXPRESSION}) for name, says in rows.items()}


def _binary(**rows: str) -> dict[str, Shape]:
    return {name.rstrip("_"): Shape(says, {"a": EXPRESSION, "b": EXPRESSION}) for name, says in rows.items()}


def _named(**rows: str) -> dict[str, Shape]:
    return {name: Shape(says, {"id": ref(name)}) for name, says in rows.items()}


_LITERALS: dict[str, Shape] = {
    "int": Shape("a number, or a target such as `5+`", {"v": NUMBER}),
    "truth": Shape("yes or no", {"v": TRUTH}),
    "none": Shape("nothing at all", {}),
    "word": Shape("one word of a type", {"v": WORD}),
    "mark": Shape("the mark of a joint or a cell", {"v": WORD}),
    "dice": Shape("`2d6`", {"n": whole(1, 1000), "sides": whole(1, 10**6)}),
    "size": Shape("`2x1`", {"w": whole(0, 99), "h": whole(0, 99)}),
    "text": Shape(
        "a text; `id` finds it in `texts`, the parts are plain texts and `show` nodes",
        {"id?": ref("text"), "parts": many(either(STRING, shape("show")))},
    ),
    "set": Shape("things in order; `drop` leaves out nones", {"items": many(EXPRESSION), "drop?": YES}),
    "map": Shape("keys and what they bring", {"rows": many(row(EXPRESSION, EXPRESSION))}),
}

_NAMES: dict[str, Shape] = {
    **_named(
        thing="one thing",
        sort="a thing of which there are several copies",
        pile="a container at top level",
        state="a state",
        track="a track",
        option="an option",
        token="a token",
        die="a named die",
        team="a team",
        plan="a plan",
        movement="a way of moving",
        payment="a way to pay",
        kind="all things of a kind",
    ),
    "kind_name": Shape("a kind itself", {"id": ref("kind")}),
    "local": Shape("a local name, by its number in `locals`", {"n": LOCAL}),
    "trait_param": Shape("a parameter of the trait around", {"name": NAME}),
    "way": Shape("a value of three parameters used as a way of moving", {"value": ref("value name")}),
    "self": Shape("the thing whose rule, field or chapter this is", {}),
    "result": Shape("what the action gave, in an `after` rule", {}),
    "chapter": Shape("the chapter being played", {}),
    "ended": Shape("the ending reached, or none", {}),
    "area": Shape("board, play, supply or box", {"name": one_of("board", "play", "supply", "box")}),
    "value": Shape("a declared value", {"id": ref("value"), "args": EXPRESSIONS_LIST}),
    "table": Shape(
        "a row of a table; what is looked up comes first", {"id": ref("table"), "args": EXPRESSIONS_LIST}
    ),
    "seat": Shape("a seat of a role, counted from 1", {"role": ref("kind"), "n": whole(1, 64)}),
    "trait": Shape("a trait with its arguments", {"id": ref("trait"), "args": EXPRESSIONS_LIST}),
    "bearers": Shape("all things that have a trait", {"trait": ref("trait")}),
    "offers": Shape("what a menu without parameters offers now", {"menu": ref("menu")}),
}

_READING: dict[str, Shape] = {
    "field": Shape(
        "a field; `maybe` when the thing may be none or lack it",
        {"of": EXPRESSION, "owner": ref("owner"), "name": NAME, "maybe?": YES},
    ),
    "prop": Shape(
        "a property that every thing has",
        {
            "of": EXPRESSION,
            "name": one_of(*sorted({*core.PROPERTIES, *core.JOINT_PROPERTIES, *core.PIECE_PROPERTIES})),
        },
    ),
    "late": Shape("a field found only in play", {"of": EXPRESSION, "name": NAME}),
    "pool_prop": Shape(
        "a property of rolled dice", {"of": EXPRESSION, "name": one_of(*sorted(core.POOL_PROPERTIES))}
    ),
    "die_prop": Shape(
        "a property of one die", {"of": EXPRESSION, "name": one_of(*sorted(core.DIE_PROPERTIES))}
    ),
    "spot_prop": Shape(
        "a property of a spot", {"of": EXPRESSION, "name": one_of(*sorted(core.SPOT_PROPERTIES))}
    ),
    "tokens": Shape("how many tokens lie on a thing", {"of": EXPRESSION, "token": ref("token")}),
    "tokens_at": Shape("how many tokens lie somewhere", {"token": EXPRESSION, "where": EXPRESSION}),
    "look_up": Shape("the entry of a map", {"of": EXPRESSION, "key": EXPRESSION}),
    "band": Shape("what the band of a number brings", {"of": EXPRESSION, "at": EXPRESSION}),
    "slice": Shape(
        "entries from one position to another", {"of": EXPRESSION, "low": EXPRESSION, "high": EXPRESSION}
    ),
    "nth": Shape("the entry at a position, counted from 1", {"of": EXPRESSION, "n": EXPRESSION}),
    "decider": Shape("who decides for a thing", {"of": EXPRESSION, "kind": ref("owner")}),
    **_unary(
        content="the one thing in a slot",
        items="the things in a container",
        copies="the copies of a sort",
        one_of="any one copy of a sort",
        spread="each member of a set, inside another set",
        pool_total="the sum of dice",
        pool_dice="the dice of a pool",
        die_value="the number a die shows",
        fixed_dice="a number standing where dice may stand",
        holds="whether a condition kept in a field is true",
        as_pool="a set of dice as a pool",
        as_int="1 for yes, 0 for no",
        each_die="the number of each die",
        base="a value or field before any `modify`",
        **{f"pile_{name}": f"the {name} of a container" for name in sorted(core.PILE_PROPERTIES)},
    ),
}

_OPERATORS: dict[str, Shape] = {
    **_binary(
        and_="both",
        or_="either",
        eq="equal numbers",
        ne="different numbers",
        lt="less",
        le="at most",
        gt="more",
        ge="at least",
        add="sum",
        sub="difference",
        mul="product",
        div="quotient, rounded down",
        mod="remainder",
        same="the same thing, word or text",
        same_pile="the same container",
        union="both sets",
        minus="one set without the other",
        near="in the same or an adjacent place",
        adjacent="in an adjacent place",
        pair="two things that belong together",
    ),
    "not": Shape("the opposite", {"of": EXPRESSION}),
    "knows": Shape("whether a seat knows something", {"who": EXPRESSION, "what": EXPRESSION}),
    "span": Shape("the numbers from one to another", {"low": EXPRESSION, "high": EXPRESSION}),
    "between": Shape(
        "whether a number lies in a span", {"of": EXPRESSION, "low": EXPRESSION, "high": EXPRESSION}
    ),
    "rank": Shape("the position of a word among ordered ones", {"of": EXPRESSION, "words": many(WORD)}),
    "some_copies": Shape("so many copies of a sort", {"of": EXPRESSION, "count": EXPRESSION}),
    "many_dice": Shape("so many of the same dice", {"dice": EXPRESSION, "count": EXPRESSION}),
    "is_face": Shape("how a thing lies", {"of": EXPRESSION, "face": one_of("face_up", "face_down")}),
    "is_kind": Shape("whether a thing is of a kind", {"of": EXPRESSION, "kind": ref("kind")}),
    "is_trait": Shape("whether a thing has a trait", {"of": EXPRESSION, "trait": ref("trait")}),
    "is_sort": Shape("whether a thing is a copy of a sort", {"of": EXPRESSION, "sort": EXPRESSION}),
    "member": Shape("whether something is in a set", {"item": EXPRESSION, "of": EXPRESSION}),
    "lies_in": Shape("whether a thing is in a container", {"thing": EXPRESSION, "pile": EXPRESSION}),
    "inside": Shape("whether a thing stands in a place", {"thing": EXPRESSION, "where": EXPRESSION}),
    "inside_any": Shape(
        "whether a thing stands in one of several places", {"thing": EXPRESSION, "where": EXPRESSION}
    ),
    "within": Shape("whether two things are so near", {"a": EXPRESSION, "far": EXPRESSION, "b": EXPRESSION}),
    "rotate": Shape("a set in turn order", {"of": EXPRESSION, "from": EXPRESSION, "first": TRUTH}),
    "includes": Shape("whether a set holds all of another", {"of": EXPRESSION, "items": EXPRESSION}),
    "pick": Shape("one of two values", {"if": EXPRESSION, "yes": EXPRESSION, "no": EXPRESSION}),
    "during": Shape("whether an action or period is under way", {"moment": MOMENT, "of?": EXPRESSION}),
    **_unary(is_none="whether it is none", is_empty="whether a set has no member"),
}

_ORDERS: Kind = many(row(one_of("highest", "lowest", "random"), either(NULL, EXPRESSION)))

_QUERIES: dict[str, Shape] = {
    "filter": Shape(
        "those that pass a test; `n` is the element", {"of": EXPRESSION, "n": BINDS, "test": EXPRESSION}
    ),
    "each": Shape(
        "what each member brings; `flat` joins sets",
        {"of": EXPRESSION, "n": BINDS, "body": EXPRESSION, "flat?": YES},
    ),
    "best": Shape("those that are best, ties kept", {"of": EXPRESSION, "n": BINDS, "keys": _ORDERS}),
    "sorted": Shape("all of them in an order", {"of": EXPRESSION, "n": BINDS, "keys": _ORDERS}),
    "random": Shape("one by chance", {"of": EXPRESSION, "stream": STRING}),
    "least": Shape("the smallest of some numbers", {"items": many(EXPRESSION)}),
    "greatest": Shape("the largest of some numbers", {"items": many(EXPRESSION)}),
    **_unary(
        any="whether there is one",
        first="the first, or none",
        last="the last, or none",
        count="how many",
        total="the sum",
        highest="the largest, or none",
        lowest="the smallest, or none",
    ),
    "core": Shape("a function of the core", {"fn": ref("function"), "args": EXPRESSIONS_LIST}),
    "new": Shape("a new thing of a kind", {"kind": ref("kind")}),
    "agreed": Shape("whether all who are asked agree", {"text": TEXT, "by": EXPRESSION}),
    "ask": Shape(
        "a question about a call or an effect",
        {
            "question": one_of("possible", "offered", "affordable", "done", "refused", "replaced"),
            "call?": DOING,
            "effect?": EXPRESSION,
            "args?": EXPRESSIONS_LIST,
        },
        (("call",), ("effect", "args")),
    ),
}

EXPRESSIONS: dict[str, Shape] = {**_LITERALS, **_NAMES, **_READING, **_OPERATORS, **_QUERIES}
