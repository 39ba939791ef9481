"""Why a number is what it is, and why something was refused."""

from __future__ import annotations

from typing import Any

from talewright.runtime.game import Decision, Game


def refusals(game: Game) -> list[str]:
    """The calls refused since the last decision, with the reasons the rules give."""
    lines = []
    for action, args, reason in game.refusals[-12:]:
        what = " ".join([action.partition("/")[0].replace("_", " "), *(_shown(game, action, i, a) for i, a in enumerate(args))])
        text = reason() if callable(reason) else reason
        lines.append(f"  {what}: {text or 'its conditions do not hold'}")
    return lines


def reasons(game: Game, name: str, decision: Decision) -> list[str]:
    """What makes up a value: its definition, then every modifier in force, in the order they count."""
    key = name.strip().replace(" ", "_")
    value = game.program.values.get(key)
    if value is None:
        known = [v for v, ir in game.program.values.items() if len(ir["params"]) <= 1 and ":" not in v]
        return [f"  No value is called so. There are: {', '.join(known[:20])}"]
    number = game.program.value_number(key)
    args: tuple[Any, ...] = ()
    if len(value["params"]) == 1:
        seat = decision.seat if isinstance(decision.seat, int) else None
        args = (seat,)
    elif value["params"]:
        return ["  That value depends on several things; look at one of them instead."]
    space = game.space
    base = space.get(f"B{number}", space[f"V{number}"])
    lines = [f"  {name}: {_plain(game, space[f'V{number}'](*args), value['type'])}"]
    lines.append(f"    {_plain(game, base(*args), value['type'])} by itself")
    for rule in game.program.modifiers.get(key, ()):
        lines += _modifier(game, rule, args)
    return lines


def _modifier(game: Game, rule: Any, args: tuple[Any, ...]) -> list[str]:
    space = game.space
    bearers: list[Any] = [None]
    if not rule.static:
        bearers = [e[1] for e in space["ENTRIES"] if e[3] and e[2] is space[f"N{rule.number}"]]
    lines = []
    for bearer in bearers:
        amount = space[f"N{rule.number}"](bearer, *args)
        if amount is not space["NOT_NOW"]:
            spots = game.program.document["sources"]
            file, line = spots["spots"][rule.ir["at"]][:2]
            who = f" by {game.title(bearer)}" if bearer is not None else ""
            lines.append(f"    {rule.ir['change']} {_plain(game, amount[0], None)}{who} ({spots['files'][file]}:{line})")
    return lines


def _plain(game: Game, value: Any, kind: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(game.title(v) if isinstance(v, int) else str(v) for v in value) or "nothing"
    tag = kind[0] if isinstance(kind, list) else kind
    if tag == "thing" or (tag == "optional" and isinstance(value, int) and kind[2][0][0] == "thing"):
        return game.title(value) if value is not None else "none"
    if value is True or value is False:
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _shown(game: Game, action: str, index: int, value: Any) -> str:
    params = game.program.actions[action]["params"] if action in game.program.actions else []
    kind = params[index]["type"] if index < len(params) else None
    return _plain(game, value, kind)
