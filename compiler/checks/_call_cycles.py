"""Actions that are certain to call each other, with the rules that take part."""

from __future__ import annotations

from typing import Any

from talewright.compiler.checks._constant_folding import is_constant, key
from talewright.compiler.checks._control_flow import certain_calls
from talewright.compiler.checks.check import Context
from talewright.compiler.checks.usage_index import Rule, Unit, index
from talewright.schemas.records import record

IR = dict[str, Any]

# What makes a place of a pattern match some calls only.
_NARROWING = frozenset(("is", "kind", "sort", "trait"))


@record
class Step:
    """One certain call from an action to another; `rule` if a rule of the action makes it."""

    start: str
    end: str
    call: IR
    rule: bool


def rings(context: Context) -> list[list[Step]]:
    """Every ring of certain calls, each once, as the steps that close it."""
    made = context.notes.get("calling")
    if made is None:
        made = context.notes["calling"] = _find_rings(_steps(context))
    return list(made)


def _steps(context: Context) -> dict[str, list[Step]]:
    seen = index(context)
    hooked = _hooked(context)
    replaced: dict[str, list[Rule]] = {}
    forbidden: set[str] = set()
    for rule in seen.rules:
        action = rule.ir.get("action")
        if action and rule.ir["rule"] == "instead_of":
            replaced.setdefault(action, []).append(rule)
        elif action and rule.ir["rule"] == "forbid":
            forbidden.add(action)
    steps: dict[str, list[Step]] = {}
    params = {unit.id: unit.ir["params"] for unit in seen.by_form("action")}

    def add(start: str, body: list[IR], rule: IR | None, own: set[int]) -> None:
        for call in certain_calls(body, hooked):
            end = call["action"] if call["op"] == "call" else f"core:{call['verb']}"
            if end in forbidden or not _goes_through(call, params.get(end), own):
                continue
            # A rule for some calls only is certain to come again only when it makes such a call itself.
            if rule is not None and _is_narrow(rule) and not (end == start and _meets(call, rule)):
                continue
            steps.setdefault(start, []).append(Step(start, end, call, rule is not None))

    for unit in seen.by_form("action"):
        if unit.id not in replaced:
            add(unit.id, unit.ir["body"], None, {param["n"] for param in unit.ir["params"]})
    for rule in seen.rules:
        action = rule.ir.get("action")
        if not action or rule.nested or "when" in rule.ir or "while" in rule.ir or "body" not in rule.ir:
            continue
        if rule.unit.owner_form and not _always_in_force(context, rule.unit):
            continue
        if action in replaced and (rule.ir["rule"] != "instead_of" or len(replaced[action]) > 1):
            continue
        add(action, rule.ir["body"], rule.ir, {slot["n"] for slot in rule.ir["slots"] if "n" in slot})
    return steps


def _is_narrow(rule: IR) -> bool:
    return any(_NARROWING & slot.keys() for slot in rule["slots"])


def _hooked(context: Context) -> set[str]:
    """The tracks whose hooks may put an end to it."""
    found = {track["id"] for track in context.content.get("tracks", ()) if track.get("hooks")}
    for kind in (*context.content.get("kinds", ()), *context.content.get("traits", ())):
        for field in kind.get("fields", ()):
            if field.get("track", {}).get("hooks"):
                found.add(f"{kind['id']}.{field['name']}")
    return found


def _always_in_force(context: Context, unit: Unit) -> bool:
    if unit.owner_form != "thing":
        return False
    symbol = context.work.thing(unit.owner)
    if symbol is None or context.work.is_a(symbol.kind, "Chapter"):
        return symbol is not None
    kinds = {kind["id"]: kind for kind in context.content["kinds"]}
    return not any("in_force" in kinds.get(above, {}) for above in context.work.lineage(symbol.kind))


def _goes_through(call: IR, params: list[IR] | None, own: set[int]) -> bool:
    """Whether no argument of a call can be none where something is needed, which would refuse it."""
    if call["op"] != "call" or params is None:
        return True
    for arg, param in zip(call["args"], params, strict=False):
        kind = param["type"]
        if arg is None or (isinstance(kind, list) and kind[0] in ("optional", "set", "list", "effect")):
            continue
        if not never_none(arg, own):
            return False
    return True


def never_none(code: IR, own: set[int]) -> bool:
    """Whether code always gives something; `own` are the locals that are known to hold something."""
    op = code.get("op")
    if op == "local":
        return code["n"] in own
    if op == "field":
        return not code.get("maybe") and never_none(code["of"], own)
    if op in ("add", "sub", "mul"):
        return never_none(code["a"], own) and never_none(code["b"], own)
    return op in (
        "int",
        "word",
        "thing",
        "self",
        "track",
        "count",
        "truth",
        "set",
        "seat",
        "block",
        "kind",
        "text",
    )


def _meets(call: IR, rule: IR) -> bool:
    """Whether a call made by a rule matches the rule's own pattern."""
    for slot in rule["slots"]:
        if not _NARROWING & slot.keys():
            continue
        arg = _argument(call, slot["param"])
        if arg is None:
            return False
        if arg.get("op") == "local" and arg["n"] == slot.get("n"):
            continue
        if "is" in slot and key(arg) == key(slot["is"]) and (is_constant(arg) or arg.get("op") == "self"):
            continue
        return False
    return True


def _argument(call: IR, param: Any) -> IR | None:
    if call["op"] == "call":
        args = call["args"]
        return args[param] if isinstance(param, int) and param < len(args) else None
    found = call["args"].get(param)
    return found if isinstance(found, dict) else None


def _find_rings(steps: dict[str, list[Step]]) -> list[list[Step]]:
    found: list[list[Step]] = []
    done: set[str] = set()
    for start in steps:
        if start in done:
            continue
        path: list[Step] = []
        on_path = {start: 0}
        stack = [iter(steps[start])]
        names = [start]
        while stack:
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
                name = names.pop()
                on_path.pop(name)
                done.add(name)
                if path:
                    path.pop()
            elif step.end in on_path:
                found.append([*path[on_path[step.end] :], step])
            elif step.end in steps and step.end not in done:
                path.append(step)
                on_path[step.end] = len(path)
                names.append(step.end)
                stack.append(iter(steps[step.end]))
    return found


def show(name: str) -> str:
    """An action as a designer calls it."""
    return name.removeprefix("core:").partition("/")[0].rpartition(":")[2]
