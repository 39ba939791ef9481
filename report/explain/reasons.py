"""Why a number is what it is, why something is offered, and why something is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from talewright.report.explain.certainty import certain, whole
from talewright.report.source_lines import place_text
from talewright.report.table.visibility import Seat, open_field, secret, value_text, visible, words
from talewright.runtime.game import Decision, Game
from talewright.runtime.labels import is_part
from talewright.runtime.whys import Refusal, Whys

FEW = 12
LAST = ("at least", "at most")


@dataclass(frozen=True, slots=True)
class Change:
    """What one modifier does now: its sign, its amount or none while its condition fails, and whose it is."""

    sign: str
    amount: Any
    counts: bool
    bearer: Any
    at: int


# ------------------------------------------------------------------ refusals
def refusals(game: Game, whys: Whys, seat: Seat) -> list[str]:
    """What is not offered now, and the calls refused since the last decision, with the rules' own reasons."""
    lines = certain(game, seat, lambda: _refusals(game, whys, seat))
    return [line for line in lines if not secret(game, line, seat)]


def _refusals(game: Game, whys: Whys, seat: Seat) -> list[str]:
    lines: list[str] = []
    for offer in whys.withheld():
        tried = ", ".join(
            value_text(game, value, kind, seat) for value, kind in zip(offer.values, offer.kinds, strict=True)
        )
        lines.append(
            f"  {offer.label}{f' [{tried}]' if tried else ''}: {_because(game, offer.refusals, seat)}"
        )
    seen: set[str] = set()
    for action, args, reason in game.refusals[-FEW:]:
        text = reason() if callable(reason) else reason
        if not text and None in args:
            continue  # a call with nothing to do: no rule stands in the way
        found = () if text or action not in game.program.actions else tuple(whys.refusals(action, args))
        why = str(text) if text else _because(game, found, seat)
        line = f"  {call_text(game, action, args, seat)}: {why}"
        if line not in seen:
            seen.add(line)
            lines.append(line)
    return lines[: 2 * FEW]


def _because(game: Game, found: tuple[Refusal, ...], seat: Seat) -> str:
    if not found:
        return "its conditions did not hold"
    told = []
    for refusal in found:
        by = f", by {_thing_name(game, refusal.bearer, seat)}" if isinstance(refusal.bearer, int) else ""
        where = _rule_place(game, refusal.at, refusal.bearer, seat)
        told.append(f"{refusal.reason or 'its condition does not hold'}{by}{where}")
    return "; ".join(told)


def _rule_place(game: Game, at: int, bearer: Any, seat: Seat) -> str:
    """Where a rule stands in the text, unless that would name a thing the seat does not know."""
    if isinstance(bearer, int) and not visible(game, bearer, seat):
        return ""
    return place_text(game.program, at)


def call_text(game: Game, action: str, args: tuple[Any, ...], seat: Seat) -> str:
    """A call in words."""
    params = game.program.actions[action]["params"] if action in game.program.actions else []
    shown = []
    for index, value in enumerate(args):
        kind = params[index]["type"] if index < len(params) else None
        shown.append(
            "..." if callable(value) or isinstance(value, tuple) else value_text(game, value, kind, seat)
        )
    return " ".join([words(action.partition("/")[0].removeprefix("core:")), *shown])


# ------------------------------------------------------------------ options
def option_reasons(game: Game, decision: Decision, index: int, seat: Seat) -> list[str]:
    """Why an option is there: who asks, which rule offers it, and which rules would have a say in it."""
    return certain(game, seat, lambda: _option_reasons(game, decision, index, seat))


def _option_reasons(game: Game, decision: Decision, index: int, seat: Seat) -> list[str]:
    option, program = decision.options[index], game.program
    lines = [f"  {option.text()}"]
    point = next((p for p in program.points if p["id"] == decision.id.partition("#")[0]), None)
    if point is not None and point["at"] >= 0:
        lines.append(f"    asked by {decision.id.partition('.')[0]}{place_text(program, point['at'])}")
    if decision.form != "menu" or option.value is None:
        return lines
    entry = option.value[0]
    rule = program.rules[int(entry[2].__name__[1:])]
    by = f" by {_thing_name(game, entry[1], seat)}" if isinstance(entry[1], int) else ""
    lines.append(f"    offered{by}{_rule_place(game, rule.ir['at'], entry[1], seat)}")
    call = rule.ir["body"][0]
    if call["op"] == "call":
        lines.append(
            f"    it does: {words(call['action'].partition('/')[0])}{_action_place(game, call['action'])}"
        )
        lines += _attached(game, call["action"], seat)
    return lines


def _action_place(game: Game, action: str) -> str:
    return (
        place_text(game.program, game.program.actions[action]["at"]) if action in game.program.actions else ""
    )


def _attached(game: Game, action: str, seat: Seat) -> list[str]:
    """The rules in force that look at an action."""
    space, lines = game.space, []
    for rule in game.program.rules_of.get(action, ()):
        bearers = [None] if rule.static else [
            e[1] for e in space["ENTRIES"] if e[3] and getattr(e[2], "__name__", "") == f"N{rule.number}"
        ]  # fmt: skip
        for bearer in bearers:
            by = f" by {_thing_name(game, bearer, seat)}" if isinstance(bearer, int) else ""
            where = _rule_place(game, rule.ir["at"], bearer, seat)
            lines.append(f"    in force: {words(rule.ir['rule'])}{by}{where}")
    return lines


# ------------------------------------------------------------------ numbers
def reasons(game: Game, name: str, decision: Decision, seat: Seat) -> list[str]:
    """What makes up a value, a track or a field of a thing."""
    wanted, _, of = name.partition(" of ")
    if not of and "." in wanted:
        of, _, wanted = wanted.rpartition(".")
    key = wanted.strip().replace(" ", "_")
    thing = find_thing(game, of.strip(), seat) if of.strip() else None
    if of.strip() and thing is None:
        return [f"  Nothing you know of is called {of.strip()}."]
    if key in game.program.values:
        return whole(game, seat, lambda: _value(game, key, thing, decision, seat))
    if f"track:{key}" in game.layout.scalars:
        return _track(game, key)
    if thing is None and isinstance(decision.seat, int):
        thing = decision.seat
    if thing is not None:
        field = game.layout.fields_of(game.layout.things[thing].kind).get(key)
        if field is not None and visible(game, thing, seat):
            if not open_field(game, thing, field, seat):
                return [f"  The {words(key)} of {game.title(thing)} is hidden from you."]
            return whole(game, seat, lambda: _field(game, field, key, thing, seat))
    return _unknown(game, decision)


def find_thing(game: Game, name: str, seat: Seat) -> int | None:
    """A thing the seat knows of, by its title or id or a part of the title."""
    things = things_called(game, name, seat)
    return things[0] if things else None


def things_called(game: Game, name: str, seat: Seat) -> list[int]:
    """The things the seat knows of that fit a name, those in play and those that fit exactly first."""
    wanted = name.strip().lower()
    if not wanted:
        return []
    found = [
        t.number for t in game.layout.things
        if wanted in _called(game, t.number) and visible(game, t.number, seat)
    ]  # fmt: skip

    def order(thing: int) -> tuple[bool, bool, int]:
        exact = wanted in (game.title(thing).lower(), game.layout.things[thing].id.lower())
        return not exact, game.space["LOC"][thing] == game.space["BOX"], thing

    return sorted(found, key=order)


def _called(game: Game, thing: int) -> str:
    """What a thing can be called: its title, and its id if that is its own and not that of what it is a part of."""
    name = "" if is_part(game, thing) else game.layout.things[thing].id
    return f"{game.title(thing)}\n{name}".lower()


def _unknown(game: Game, decision: Decision) -> list[str]:
    values = [words(v) for v, ir in game.program.values.items() if len(ir["params"]) <= 1 and ":" not in v]
    tracks = [words(t["id"]) for t in game.program.content["tracks"]]
    seats = (decision.seat,) if isinstance(decision.seat, int) else decision.seat
    fields: dict[str, None] = {}
    for seat in seats:
        fields.update(dict.fromkeys(game.layout.fields_of(game.layout.things[seat].kind)))
    known = [*tracks, *(words(f) for f in fields), *values]
    lines = ["  No number is called so. Ask for a track, a value, or `FIELD of THING`."]
    return lines + ([f"  There are: {', '.join(known[:24])}"] if known else [])


def _value(game: Game, key: str, thing: int | None, decision: Decision, seat: Seat) -> list[str]:
    value = game.program.values[key]
    number = game.program.value_number(key)
    args: tuple[Any, ...] = ()
    if len(value["params"]) > 1:
        return ["  That value depends on several things at once; no single number can be shown."]
    if value["params"]:
        subject = thing if thing is not None else decision.seat if isinstance(decision.seat, int) else None
        if subject is None:
            return [f"  Of what? Ask `why {words(key)} of NAME`."]
        args = (subject,)
    space = game.space
    base = space.get(f"B{number}", space[f"V{number}"])
    try:
        now, bare = space[f"V{number}"](*args), base(*args)
    except (TypeError, KeyError, IndexError, AttributeError):
        return [f"  {words(key)} makes no sense for that."]
    of = f" of {game.title(args[0])}" if args else ""
    lines = [f"  {words(key)}{of}: {value_text(game, now, value['type'], seat)}"]
    lines.append(
        f"    {value_text(game, bare, value['type'], seat)} by itself{place_text(game.program, value['at'])}"
    )
    return lines + _changes(game, key, args, bare, value["type"], seat)


def _field(game: Game, field: Any, key: str, thing: int, seat: Seat) -> list[str]:
    bare = game.space[f"F{field.number}"][thing]
    read = game.space.get(f"field_{field.number}")
    now = read(thing) if read is not None else bare
    lines = [f"  {words(key)} of {game.title(thing)}: {value_text(game, now, field.type, seat)}"]
    if field.tag != "pile":
        lines.append(f"    {value_text(game, bare, field.type, seat)} by itself")
    name = game.program.first_name(field.owner, field.name)
    return lines + _changes(game, name, (thing,), bare, field.type, seat)


def _track(game: Game, key: str) -> list[str]:
    track = next(t for t in game.program.content["tracks"] if t["id"] == key)
    value = game.space["S"][game.layout.scalars[f"track:{key}"]]
    where = place_text(game.program, track["at"])
    lines = [f"  {words(key)}: {value}, between {track['low']} and {track['high']}{where}"]
    for hook in track.get("hooks", ()):
        spaces = ", ".join(str(s) for s in hook.get("spaces", ()))
        lines.append(f"    something happens {hook['when']} {spaces}{place_text(game.program, hook['at'])}")
    return lines


def _changes(game: Game, key: str, args: tuple[Any, ...], bare: Any, kind: Any, seat: Seat) -> list[str]:
    """Every modifier in the order they count, also those that are overruled or wait for their condition."""
    changes = [
        change for rule in game.program.modifiers.get(key, ()) for change in _modifier(game, rule, args)
    ]
    setting = [c for c in changes if c.sign == "=" and c.counts]
    steps = [c for c in changes if c.sign == "="]
    steps += [c for sign in ("with", "without") for c in changes if c.sign == sign]
    steps += [c for c in changes if c.sign in ("+", "-")] + [c for c in changes if c.sign in LAST]
    running = setting[-1].amount if setting else bare
    lines = []
    for change in steps:
        by = f" by {_thing_name(game, change.bearer, seat)}" if isinstance(change.bearer, int) else ""
        where = _rule_place(game, change.at, change.bearer, seat)
        if not change.counts:
            lines.append(f"    ({change.sign} waits: its condition does not hold{by}{where})")
            continue
        note = ""
        if change.sign == "=" and change is not setting[-1]:
            note = ", overruled by a later one"
        elif change.sign in ("+", "-") and isinstance(running, int):
            running = running + change.amount if change.sign == "+" else running - change.amount
        elif change.sign in LAST and isinstance(running, int):
            bounded = (
                max(running, change.amount) if change.sign == "at least" else min(running, change.amount)
            )
            note = ", no effect now" if bounded == running else ""
            running = bounded
        lines.append(f"    {change.sign} {value_text(game, change.amount, kind, seat)}{by}{note}{where}")
    return lines


def _modifier(game: Game, rule: Any, args: tuple[Any, ...]) -> list[Change]:
    space = game.space
    function = space.get(f"N{rule.number}")
    if function is None:
        return []
    bearers: list[Any] = [None]
    if not rule.static:
        bearers = [e[1] for e in space["ENTRIES"] if e[3] and e[2] is function]
    made = []
    for bearer in bearers:
        amount = function(bearer, *args)
        counts = amount is not space["NOT_NOW"]
        made.append(Change(rule.ir["change"], amount[0] if counts else None, counts, bearer, rule.ir["at"]))
    return made


def _thing_name(game: Game, thing: Any, seat: Seat) -> str:
    if isinstance(thing, int) and not isinstance(thing, bool) and 0 <= thing < len(game.layout.things):
        return value_text(game, thing, ["thing", "Thing", []], seat)
    return str(thing)
