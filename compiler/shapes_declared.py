"""The shape of the document, continued: its parts, what packages declare, and the document itself."""

from __future__ import annotations

from talewright.compiler import core
from talewright.compiler.shape_kinds import (
    BINDS,
    BODY,
    EXPRESSION,
    FIELD_VALUE,
    LOCALS,
    MOMENT,
    NAME,
    PARAMS,
    RULE,
    SPOT,
    STEP,
    STRING,
    TEXT,
    TRUTH,
    TYPE,
    WORD,
    YES,
    Fields,
    Kind,
    Shape,
    apart,
    either,
    many,
    one_of,
    ref,
    row,
    shape,
    table,
    whole,
)

_FACE = one_of("face_up", "face_down")
_PLACES: Kind = many(many(either(NAME, row(NAME, STRING))))
_FLAGS: Kind = many(one_of("lasting", "hidden", "on_back", "lends all", "parameter"))
_WHERE: Fields = {"at": SPOT, "while?": many(apart(EXPRESSION)), "chapter?": ref("thing")}
_CONTAINER: Fields = {
    "form": one_of("pile", "deck", "bag", "hand", "slot"),
    "max?": shape("measured"),
    "face?": _FACE,
    "returning?": YES,
    "reshuffles?": apart(EXPRESSION),
}
_TRACK: Fields = {
    "low": whole(-(10**6), 10**6),
    "high": whole(-(10**6), 10**6),
    "start?": shape("measured"),
    "hooks?": many(shape("hook")),
}

PARTS: dict[str, Shape] = {
    "show": Shape("an expression inside a text", {"op": one_of("show"), "of": EXPRESSION, "type": TYPE}),
    "local": Shape("a local and its type", {"name": NAME, "type": TYPE}),
    "measured": Shape("an expression with its own locals", {"value": EXPRESSION, "locals": LOCALS}),
    "menu use": Shape("a menu with its arguments", {"id": ref("menu"), "args": many(EXPRESSION)}),
    "choice": Shape(
        "one option of `choose one`",
        {"id": STRING, "label": TEXT, "when?": EXPRESSION, "body": BODY, "at": SPOT},
    ),
    "slot": Shape(
        "what a rule asks of one part of an action, and the name it gets",
        {
            "param": either(whole(0, 99), NAME),
            "n?": BINDS,
            "is?": EXPRESSION,
            "sort?": EXPRESSION,
            "kind?": ref("kind"),
            "trait?": ref("trait"),
        },
    ),
    "parameter": Shape("a parameter with the number of its local", {"n": BINDS, "name": NAME, "type": TYPE}),
    "side": Shape(
        "one side of an expectation, to be shown", {"text": STRING, "value": EXPRESSION, "type": TYPE}
    ),
    "edge": Shape(
        "one way on, by a condition, a label or both",
        {
            "otherwise?": YES,
            "label?": TEXT,
            "id?": STRING,
            "if?": EXPRESSION,
            "to": EXPRESSION,
            "locals": LOCALS,
            "at": SPOT,
        },
    ),
    "hook": Shape(
        "what a space of a track does",
        {
            "when": one_of("at", "on", "below", "above"),
            "spaces": many(whole(-(10**6), 10**6)),
            "body": BODY,
            "locals": LOCALS,
            "at": SPOT,
        },
    ),
    "condition": Shape("a condition that is watched", {"if": EXPRESSION, "locals": LOCALS, "at": SPOT}),
    "held": Shape("tokens a thing may hold", {"token": ref("token"), "max?": apart(EXPRESSION)}),
    "container": Shape("what kind of container", _CONTAINER),
    "track body": Shape("the spaces of a track", _TRACK),
    "field declared": Shape(
        "a field of a kind or trait",
        {
            "name": NAME,
            "type": TYPE,
            "per?": many(MOMENT),
            "flags?": _FLAGS,
            "track?": shape("track body"),
            "pile?": shape("container"),
            "default?": ("default",),
        },
    ),
    "seats": Shape("how many play a role", {"low": whole(0, 64), "high": whole(0, 64), "seat?": NAME}),
    "faces": Shape(
        "the faces of dice that are things",
        {"copies": whole(0, 9999), "faces": many(EXPRESSION), "opposite?": apart(EXPRESSION)},
    ),
    "face": Shape(
        "one face of a thing",
        {
            "id": NAME,
            "title?": STRING,
            "text?": apart(TEXT),
            "fields?": table(FIELD_VALUE),
            "rules?": many(RULE),
            "ends?": many(shape("condition")),
            "cast?": many(shape("cast line")),
        },
    ),
    "cast line": Shape(
        "figures of a chapter, where they stand and what they bring",
        {
            "groups": many(shape("group")),
            "place": EXPRESSION,
            "traits?": many(EXPRESSION),
            "text?": apart(TEXT),
            "fields?": table(FIELD_VALUE),
            "rules?": many(RULE),
            "ends?": many(shape("condition")),
            "faces?": many(shape("face")),
            "locals": LOCALS,
            "at": SPOT,
        },
    ),
    "group": Shape(
        "so many things or tokens",
        {
            "count": either(("null",), whole(0, 10**6)),
            "thing?": ref("thing or sort"),
            "token?": ref("token"),
            "at": SPOT,
        },
        (("thing",), ("token",)),
    ),
    "clause": Shape(
        "one clause of a movement",
        {
            "clause": one_of("blocked by", "halts at", "trades with", "costs at"),
            "mover": BINDS,
            "cell": BINDS,
            "things?": EXPRESSION,
            "value?": EXPRESSION,
            "locals": LOCALS,
            "at": SPOT,
        },
        (("things",), ("value",)),
    ),
    "coin": Shape(
        "what pays for a symbol: dice of a kind, or tokens on a thing",
        {
            "kind?": ref("kind"),
            "n?": BINDS,
            "token?": EXPRESSION,
            "on?": EXPRESSION,
            "symbol": BINDS,
            "when?": EXPRESSION,
            "at_most?": whole(0, 10**6),
            "locals": LOCALS,
            "at": SPOT,
        },
        (("kind", "n"), ("token", "on")),
    ),
    **{
        f"parts {verb.id}": Shape(
            f"the parts of `{verb.verb}`",
            {
                **({"first?": ("union", "argument")} if verb.first else {}),
                **({"token?": EXPRESSION} if verb.token else {}),
                **{f"{name}?": ("union", "argument") for name, _ in verb.parts},
            },
        )
        for verb in core.VERBS
    },
}

SECTIONS: dict[str, Shape] = {
    "types": Shape("named words", {"id": NAME, "words": many(WORD), "ordered": TRUTH}),
    "options": Shape(
        "what is settled before a game",
        {"id": NAME, "type": TYPE, "default": apart(EXPRESSION), "text?": STRING, **_WHERE},
    ),
    "kinds": Shape(
        "kinds, roles and dice that are things",
        {
            "id": NAME,
            "parents": many(ref("kind")),
            "fields?": many(shape("field declared")),
            "rules?": many(RULE),
            "role?": shape("seats"),
            "die?": shape("faces"),
            "defaults?": table(FIELD_VALUE),
            "holds?": many(shape("held")),
            "lies?": _FACE,
            "in_force?": shape("condition"),
            "text?": STRING,
        },
    ),
    "traits": Shape(
        "traits",
        {
            "id": NAME,
            "params": many(shape("trait parameter")),
            "fields?": many(shape("field declared")),
            "rules?": many(RULE),
            "holds?": many(shape("held")),
            "lies?": _FACE,
            "in_force?": shape("condition"),
            "text?": STRING,
        },
    ),
    "teams": Shape("teams", {"id": NAME, "role": ref("kind"), "ties?": apart(EXPRESSION)}),
    "tokens": Shape("tokens and how many the box holds", {"id": NAME, "count": whole(0, 10**9)}),
    "tracks": Shape("tracks", {"id": NAME, **_TRACK, "per?": many(MOMENT), **_WHERE}),
    "dice": Shape("named dice", {"id": NAME, "faces": many(EXPRESSION), **_WHERE}),
    "states": Shape(
        "named cells of state",
        {
            "id": NAME,
            "type": TYPE,
            "default?": EXPRESSION,
            "per?": many(MOMENT),
            "flags?": _FLAGS,
            "locals": LOCALS,
            **_WHERE,
        },
    ),
    "piles": Shape(
        "containers at top level",
        {"id": NAME, "kind": ref("owner"), **_CONTAINER, "content?": shape("measured"), **_WHERE},
    ),
    "plans": Shape("plans of places", {"id": NAME, "ring": TRUTH, "rows": _PLACES}),
    "movements": Shape(
        "ways of moving",
        {"id": NAME, "parent?": ref("movement"), "clauses": many(shape("clause")), **_WHERE},
    ),
    "payments": Shape("ways to pay", {"id": NAME, "rules": many(shape("coin")), **_WHERE}),
    "periods": Shape("periods", {"id": NAME, "while_true": EXPRESSION, "locals": LOCALS, **_WHERE}),
    "menus": Shape(
        "menus",
        {
            "id": NAME,
            "params": many(shape("parameter")),
            "once_per?": MOMENT,
            "pass?": STRING,
            "locals": LOCALS,
            **_WHERE,
        },
    ),
    "values": Shape(
        "values",
        {
            "id": NAME,
            "params": PARAMS,
            "value?": EXPRESSION,
            "body?": BODY,
            "type": TYPE,
            "locals": LOCALS,
            **_WHERE,
        },
        (("value",), ("body",)),
    ),
    "tables": Shape(
        "tables; with `effects` the rows hold statements",
        {
            "id": NAME,
            "params": PARAMS,
            "key": TYPE,
            "rows": many(("union", "table row")),
            "type": TYPE,
            "effects": TRUTH,
            "locals": LOCALS,
            **_WHERE,
        },
    ),
    "actions": Shape(
        "actions",
        {
            "id": NAME,
            "verb": NAME,
            "params": many(shape("action parameter")),
            "gives": TYPE,
            "body": BODY,
            "locals": LOCALS,
            **_WHERE,
        },
    ),
    "things": Shape(
        "things, and sorts with their copies",
        {
            "id": NAME,
            "kind": ref("kind"),
            "title?": STRING,
            "copies?": whole(0, 10**6),
            "per?": ref("kind"),
            "inside?": row(ref("thing"), NAME),
            "traits?": many(apart(EXPRESSION)),
            "text?": apart(TEXT),
            "fields?": table(FIELD_VALUE),
            "faces?": many(shape("face")),
            "cast?": many(shape("cast line")),
            "ends?": many(shape("condition")),
            "rules?": many(RULE),
            "at?": SPOT,
        },
    ),
    "anytime": Shape(
        "what somebody may do at any time",
        {
            "by": EXPRESSION,
            "when?": EXPRESSION,
            "body": BODY,
            "locals": LOCALS,
            "at": SPOT,
            "while?": many(apart(EXPRESSION)),
        },
    ),
    "orders": Shape(
        "who orders rules of one moment",
        {"moment": MOMENT, "by": apart(EXPRESSION), "at": SPOT, "while?": many(apart(EXPRESSION))},
    ),
    "checks": Shape(
        "what must hold when the package is compiled",
        {
            "if": EXPRESSION,
            "why?": STRING,
            "locals": LOCALS,
            "at": SPOT,
            "while?": many(apart(EXPRESSION)),
        },
    ),
    "measures": Shape(
        "what is counted when a game ends",
        {"id": NAME, "value": EXPRESSION, "type": TYPE, "locals": LOCALS, **_WHERE},
    ),
    "tests": Shape(
        "tests",
        {"title": STRING, "covers": many(NAME), "steps": many(STEP), "locals": LOCALS, "at": SPOT},
    ),
}

PARTS["trait parameter"] = Shape("a parameter of a trait", {"name": NAME, "type": TYPE})
PARTS["action parameter"] = Shape(
    "a parameter of an action and the preposition before it",
    {"n": BINDS, "name": NAME, "type": TYPE, "preposition?": NAME, "default?": EXPRESSION},
)

PARTS["content"] = Shape(
    "everything the packages declare",
    {
        **{name: many(shape(f"in {name}")) for name in SECTIONS},
        "rules": many(RULE),
        "start_after": many(ref("action")),
    },
)
PARTS["package"] = Shape(
    "a package",
    {"name": NAME, "version": STRING, "title": STRING, "type": one_of("system", "adventure")},
)
PARTS["story"] = Shape(
    "the story graph", {"nodes": many(shape("story node")), "edges": many(shape("story edge"))}
)
PARTS["story node"] = Shape(
    "a chapter or an ending",
    {"id": ref("thing"), "title": STRING, "kind": ref("kind"), "ending": TRUTH, "result?": WORD},
)
PARTS["story edge"] = Shape(
    "a way from one to another; an empty `from` is anywhere, `via` names the card that opens it",
    {"from": ("ref", "thing or nothing"), "to": ref("thing"), "label": STRING, "via?": ref("thing or sort")},
)
PARTS["sources"] = Shape(
    "where everything stands: files, and spots as file, line, column, end line, end column",
    {"files": many(STRING), "spots": many(row(*[whole(0, 10**9)] * 5))},
)
PARTS["document"] = Shape(
    "the document",
    {
        "format": one_of("talewright document"),
        "version": one_of(2),
        "package": shape("package"),
        "packages": many(shape("package")),
        "locales": many(NAME),
        "content": shape("content"),
        "story": shape("story"),
        "texts": table(STRING),
        "schemas": ("map", ("any",)),
        "sources": shape("sources"),
    },
)
