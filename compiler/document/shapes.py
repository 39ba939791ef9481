"""The shape of the document: what each node is called and what stands in it.

This table is the one source of truth: the JSON Schemas, the load check's table and the tables of
`docs/document.md` are written from it by `schema_files.py`.
"""

from __future__ import annotations

from talewright.compiler.document.expression_shapes import EXPRESSIONS
from talewright.compiler.document.shape_kinds import (
    ARGUMENT,
    BINDS,
    BODY,
    DOING,
    EXPRESSION,
    EXPRESSIONS_LIST,
    FIELD_VALUE,
    LOCAL,
    LOCALS,
    MOMENT,
    NAME,
    NULL,
    PARAMS,
    RULE,
    SPOT,
    STRING,
    TARGET,
    TEXT,
    TRUTH,
    TYPE,
    YES,
    Fields,
    Shape,
    apart,
    either,
    many,
    one_of,
    ref,
    row,
    shape,
    whole,
)

ARGUMENTS: dict[str, Shape] = {
    "anything": Shape("a part that may be anything", {}),
    "any_of": Shape("anything of a kind or with a trait", {"kind": ref("owner")}),
    "block": Shape("statements handed over as an effect", {"params?": PARAMS, "body": BODY}),
}

# Changes of type that may stand around a call whose result is kept.
DONE: dict[str, Shape] = {
    **{
        name: Shape(f"{EXPRESSIONS[name].says}, of a result", {"of": DOING})
        for name in (
            "pool_total",
            "die_value",
            "content",
            "items",
            "copies",
            "pool_dice",
            "fixed_dice",
            "one_of",
        )
    },
    "prop": Shape("a property of a result", {**EXPRESSIONS["prop"].fields, "of": DOING}),
    "set": Shape("a result as a set", {"items": many(DOING), "drop?": YES}),
}

TARGETS = ("local", "field", "late", "state", "track", "look_up", "pile", "prop")

_AT: Fields = {"at": SPOT}
UNTIL = ("until start of", "until end of", "until start of next", "until end of next")

CALLS: dict[str, Shape] = {
    "call": Shape(
        "a call of a declared action, its arguments in the order of its parameters; null is left out",
        {"action": ref("action"), "args": many(either(NULL, ARGUMENT)), "until?": MOMENT, **_AT},
    ),
    "core_call": Shape(
        "a verb of the core; `n` is the element that `until` looks at, `many` says that a set is handled",
        {
            "verb": ref("core verb"),
            "args": ("by", "verb", "parts"),
            "until?": either(MOMENT, EXPRESSION),
            "n?": BINDS,
            "many?": YES,
            **_AT,
        },
    ),
    "run_effect": Shape(
        "runs what a field or a parameter holds",
        {"of": EXPRESSION, "args": EXPRESSIONS_LIST, "until?": MOMENT, **_AT},
    ),
    "run_table": Shape("runs the row of a table", {"of": EXPRESSION, **_AT}),
    "for_each": Shape(
        "once for each; with `pairs` two names; `chosen_by` settles the order of what is of a `type`",
        {
            "of": EXPRESSION,
            "n": BINDS,
            "second?": BINDS,
            "pairs?": YES,
            "chosen_by?": EXPRESSION,
            "type?": TYPE,
            "body": BODY,
            **_AT,
        },
    ),
    "nothing": Shape("does nothing", {}),
}

STATEMENTS: dict[str, Shape] = {
    **CALLS,
    "let": Shape("names a value", {"n": BINDS, "value": DOING, **_AT}),
    "assign": Shape("gives a new value", {"target": TARGET, "value": DOING, **_AT}),
    "change": Shape(
        "moves a number up or down", {"target": TARGET, "by": EXPRESSION, "sign": one_of(1, -1), **_AT}
    ),
    "extend": Shape("adds to a set", {"target": TARGET, "items": EXPRESSION, **_AT}),
    "shrink": Shape("takes from a set", {"target": TARGET, "items": EXPRESSION, **_AT}),
    "fill": Shape("puts things into a container, in a test", {"target": TARGET, "items": EXPRESSION, **_AT}),
    "choose": Shape(
        "somebody chooses; without `mode` exactly one",
        {
            "from": EXPRESSION,
            "by": EXPRESSION,
            "n": BINDS,
            "name": NAME,
            "type": TYPE,
            "amount?": EXPRESSION,
            "mode?": one_of("exactly", "up to", "at least", "optional"),
            "head?": YES,
            "prompt?": TEXT,
            **_AT,
        },
    ),
    "open": Shape(
        "opens a menu",
        {
            "menu": shape("menu use"),
            "by": EXPRESSION,
            "up_to?": EXPRESSION,
            "until_passed?": YES,
            "prompt?": TEXT,
            **_AT,
        },
    ),
    "give": Shape("gives the result", {"value": EXPRESSION, **_AT}),
    "stop": Shape("ends a loop, a block, or an action by name", {"moment?": MOMENT, "loop?": TRUTH, **_AT}),
    "go_to": Shape("goes to a chapter or ending", {"target": EXPRESSION, **_AT}),
    "as_usual": Shape(
        "does what this rule replaces; `with` changes a parameter", {"with?": row(LOCAL, EXPRESSION), **_AT}
    ),
    "may": Shape(
        "somebody may do this", {"by": EXPRESSION, "label?": TEXT, "verb?": NAME, "body": BODY, **_AT}
    ),
    "retrait": Shape(
        "changes traits",
        {
            "change": one_of("becomes", "gains", "loses"),
            "target": EXPRESSION,
            "many": TRUTH,
            "traits": many(EXPRESSION),
            **_AT,
        },
    ),
    "requires": Shape("must hold for the action to be possible", {"if": EXPRESSION, "reason?": TEXT, **_AT}),
    "if": Shape("branches in order", {"branches": many(row(EXPRESSION, BODY)), "otherwise": BODY, **_AT}),
    "repeat": Shape("again and again", {"while?": EXPRESSION, "times?": EXPRESSION, "body": BODY, **_AT}),
    "choose_one": Shape(
        "somebody chooses one of these options",
        {"by": EXPRESSION, "optional?": YES, "prompt?": TEXT, "options": many(shape("choice")), **_AT},
    ),
    "until": Shape(
        "rules in force until a moment",
        {"edge": one_of(*UNTIL), "moment": MOMENT, "rules": many(RULE), **_AT},
    ),
    "together": Shape("rules about states wait until all is done", {"body": BODY, **_AT}),
    "possible": Shape(
        "the first, or all, that can be done",
        {"mode": one_of("first", "all"), "members": BODY, **_AT},
    ),
    "branch": Shape("the arm that fits a value", {"of": DOING, "arms": many(("union", "arm")), **_AT}),
}

_RULE_TAIL: Fields = {"locals?": LOCALS, "layer?": whole(0, 6), "while?": many(apart(EXPRESSION)), **_AT}
_HOOK: Fields = {
    "action": ref("rule action"),
    "slots": many(shape("slot")),
    "when?": EXPRESSION,
    "body": BODY,
    **_RULE_TAIL,
}

RULES: dict[str, Shape] = {
    "before": Shape("runs before an action; may change its parameters", _HOOK),
    "after": Shape("runs after an action", _HOOK),
    "instead_of": Shape("runs instead of an action", _HOOK),
    "forbid": Shape(
        "makes an action impossible",
        {
            "action": ref("rule action"),
            "slots": many(shape("slot")),
            "when?": EXPRESSION,
            "reason?": TEXT,
            **_RULE_TAIL,
        },
    ),
    "state": Shape("runs when a condition becomes true", {"if": EXPRESSION, "body": BODY, **_RULE_TAIL}),
    "period": Shape(
        "runs when a period starts or ends",
        {
            "edge": one_of("start", "end"),
            "period": ref("period"),
            "when?": EXPRESSION,
            "body": BODY,
            **_RULE_TAIL,
        },
    ),
    "grant": Shape(
        "gives traits as long as it is in force",
        {"traits": many(EXPRESSION), "to": EXPRESSION, "when?": EXPRESSION, **_RULE_TAIL},
    ),
    "modify": Shape(
        "changes a value, or a field of the things that fit `of`",
        {
            "value?": ref("modified value"),
            "params?": many(either(NULL, BINDS)),
            "field?": NAME,
            "owner?": ref("owner"),
            "of?": shape("slot"),
            "when?": EXPRESSION,
            "change": one_of("+", "-", "=", "at least", "at most", "with", "without"),
            "amount": EXPRESSION,
            **_RULE_TAIL,
        },
        (("value", "params"), ("field", "owner", "of")),
    ),
    "offer": Shape(
        "an entry of a menu; `unbound` names are filled by the decider",
        {
            "menu": ref("menu"),
            "params": many(either(NULL, BINDS)),
            "id": STRING,
            "when?": EXPRESSION,
            "body": BODY,
            "unbound?": many(shape("parameter")),
            "label": TEXT,
            **_RULE_TAIL,
        },
    ),
    "several": Shape("one rule for several actions", {"rules": many(RULE)}),
}

KEYS: dict[str, Shape] = {
    "otherwise": Shape("when no other fits", {}),
    "range": Shape(
        "a number between two ends; null is open",
        {"low": either(NULL, EXPRESSION), "high": either(NULL, EXPRESSION)},
    ),
    "kind": Shape("a thing of a kind or with a trait", {"kind": ref("owner")}),
    "if": Shape("a condition", {"if": EXPRESSION}),
    "same": Shape("this value", {"value": EXPRESSION}),
}


def _keyed(extra: Fields) -> dict[str, Shape]:
    """Rows that begin with a key, each with what else stands in it."""
    return {
        key: Shape(made.says, {**made.fields, "when?": EXPRESSION, **extra, **_AT})
        for key, made in KEYS.items()
    }


ARMS = _keyed({"body": BODY})
BANDS = _keyed({"items": EXPRESSION})
TABLE_ROWS = _keyed({"value?": EXPRESSION, "result?": EXPRESSION, "body?": BODY})

STEPS: dict[str, Shape] = {
    "start": Shape(
        "where the test begins, or that it cannot begin so",
        {"chapter": ref("thing"), "settings": ("map", EXPRESSION), "refused?": TRUTH, **_AT},
    ),
    "given": Shape("what is set up, rules asleep", {"body": BODY, **_AT}),
    "rig": Shape("what chance will bring", {"what": STRING, "values": many(EXPRESSION), **_AT}),
    "answer": Shape(
        "what a seat will decide",
        {"prompt?": STRING, "by_text?": TRUTH, "by?": EXPRESSION, "values": many(EXPRESSION), **_AT},
    ),
    "when": Shape("what happens", {"moments": BODY, **_AT}),
    "expect": Shape("what must then hold", {"if": EXPRESSION, "sides": many(shape("side")), **_AT}),
    "scene": Shape("a drawing of what is set up", {"rows": STRING, "on?": EXPRESSION, **_AT}),
    "expect_scene": Shape("a drawing of what must be there", {"rows": STRING, "on?": EXPRESSION, **_AT}),
    "marks": Shape("what the signs of drawings mean", {"marks": many(row(STRING, EXPRESSION)), **_AT}),
}

FIELD_VALUES: dict[str, Shape] = {
    "code": Shape(
        "a condition, or statements with the parameters their field's type gives",
        {"if?": EXPRESSION, "params?": PARAMS, "body?": BODY, "locals": LOCALS},
        (("if",), ("params", "body")),
    ),
    "map": Shape("keys and what they bring", {"rows": many(row(EXPRESSION, FIELD_VALUE))}),
    "bands": Shape("ranges and the things they bring", {"rows": many(("union", "band"))}),
    "edges": Shape("ways on to chapters and endings", {"rows": many(shape("edge"))}),
    "drawing": Shape("a plan drawn with signs", {"rows": many(STRING)}),
    "rows": Shape("a plan drawn with names", {"rows": many(many(either(NAME, row(NAME, STRING))))}),
    "inline": Shape("things declared inside this one", {"items": many(ref("thing"))}),
}
