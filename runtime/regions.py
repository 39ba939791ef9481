"""Which pieces of a document run which others, and after which of them the checkpoint has anything to look at.

A region is a body of statements: an action, a rule, the hooks of a track, all effects of fields together, all
offers together. What cannot be told apart counts as run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.runtime.faults import LoadError
from talewright.runtime.layout import IR, constant

EFFECTS, OFFERS, TABLES = "effects", "offers", "tables"
WRITES = ("assign", "change", "extend", "shrink", "fill")
# Cells that are written by more than statements, or by so many of them that nothing is gained.
RESTLESS = ("loc:", "at:", "face:", "frames", "chapter", "traits", "tokens", "any")


class Regions:
    """The bodies of a document under one combination of options."""

    def __init__(self, program: Any) -> None:
        self.program = program
        self.bodies: dict[str, list[Any]] = {EFFECTS: [], OFFERS: [], TABLES: []}
        self._gather()
        self.runs: dict[str, set[str]] = {name: self._runs(name) for name in self.bodies}

    # -------------------------------------------------------------- bodies
    def _gather(self) -> None:
        program, content = self.program, self.program.content
        for name, action in program.actions.items():
            self.bodies[name] = [action["body"]]
        for rule in program.rules:
            where = OFFERS if rule.ir["rule"] == "offer" else f"rule {rule.number}"
            self.bodies.setdefault(where, []).append(rule.ir.get("body", []))
        for ir in self.every([content["things"], content["kinds"], content["traits"]]):
            if ir.get("op") == "code":
                self.bodies[EFFECTS].append(ir.get("body", []))
            if "track" in ir:
                self._add_hooks(f"hooks of field {ir['name']}", ir["track"])
        for track in content["tracks"]:
            self._add_hooks(f"hooks of track {track['id']}", track)
        for table in content["tables"]:
            self.bodies[TABLES].extend(row.get("body", []) for row in table["rows"])
        for body in list(self.bodies.values()):
            for ir in self.every(body):
                if ir.get("op") == "block":
                    self.bodies[EFFECTS].append(ir["body"])

    def _add_hooks(self, name: str, track: IR) -> None:
        self.bodies.setdefault(name, []).extend(hook["body"] for hook in track.get("hooks", ()))

    def every(self, ir: Any) -> Iterator[IR]:
        """Every node below one, without branches that the options rule out."""
        stack = [ir]
        while stack:
            item = stack.pop()
            if isinstance(item, list):
                stack.extend(item)
            elif isinstance(item, dict):
                yield item
                if item.get("op") == "if":
                    for test, body in item["branches"]:
                        if self.settled(test) is not False:
                            stack.extend((test, body))
                    stack.append(item["otherwise"])
                else:
                    stack.extend(item.values())

    def settled(self, test: IR) -> Any:
        """What a condition comes to under the options, or none if play decides."""
        try:
            return constant(test, self.program.layout.options)
        except (LoadError, KeyError):
            return None

    def _runs(self, name: str) -> set[str]:
        program = self.program
        found: set[str] = set()
        for ir in self.every(self.bodies[name]):
            match ir.get("op"):
                case "call":
                    found.add(ir["action"])
                case "run_effect" | "holds":
                    found.add(EFFECTS)
                case "run_table" | "table":
                    found.add(TABLES)
                case "change" | "assign":
                    target = ir["target"]
                    found.add(f"hooks of {target['op']} {target.get('id', target.get('name'))}")
                case "open" | "offers":
                    found.add(OFFERS)
                case "core_call":
                    if ir["verb"] == "run":
                        found.add(EFFECTS)
                    found |= {f"rule {r.number}" for r in program.core_hooks.get(ir["verb"], ())}
        if name in program.actions:
            found |= {f"rule {r.number}" for r in program.rules_of.get(name, ())}
        return found & self.bodies.keys()

    def reaches(self, start: str) -> set[str]:
        """Every region that may run while one does."""
        seen: set[str] = set()
        stack = list(self.runs[start])
        while stack:
            name = stack.pop()
            if name not in seen:
                seen.add(name)
                stack.extend(self.runs[name])
        return seen

    # -------------------------------------------------------------- checkpoints
    def unsettled(self) -> set[str] | None:
        """The regions during which the checkpoint may have something to look at; none when it may be all."""
        program = self.program
        cells = program.check_cells
        if program.interrupted or program.makes or program.grants:
            return None
        if any(cell.startswith(RESTLESS) or cell.endswith(".face") for cell in cells):
            return None
        found = {name for name in self.bodies if self._writes(name, cells)}
        grown = True
        while grown:
            before = len(found)
            for name, runs in self.runs.items():
                if name in found:
                    found |= runs
                # An action looks for itself before it ends; all others leave that to whoever ran them.
                elif any(run in found and run not in program.actions for run in runs):
                    found.add(name)
            grown = len(found) > before
        leaves = any(ir.get("op") == "go_to" for name in found for ir in self.every(self.bodies[name]))
        return None if leaves else found

    def _writes(self, name: str, cells: set[str]) -> bool:
        for ir in self.every(self.bodies[name]):
            op = ir.get("op")
            if op in WRITES and _cell(ir["target"]) in cells:
                return True
            if op == "core_call" and ir["verb"] in ("add", "remove"):
                if any(_cell(part) in cells for part in ir["args"].values() if isinstance(part, dict)):
                    return True
            elif op in ("retrait", "new") or (op == "core_call" and ir["verb"] in _FLAGGING):
                return True
        return False

    # -------------------------------------------------------------- cells that are reset
    def written(self, op: str, name: str) -> bool:
        """Whether any statement changes a state, or a field of this name."""
        for body in self.bodies.values():
            for ir in self.every(body):
                if ir.get("op") in WRITES:
                    target = _whole(ir["target"])
                    if target.get("op") == op and target.get("id", target.get("name")) == name:
                        return True
        sides = (side for thing in self.program.content["things"] for side in thing.get("faces", ()))
        return any("cast" in thing for thing in self.program.content["things"]) or any(
            name in side.get("fields", {}) for side in sides
        )


_FLAGGING = ("put_token", "take_token", "pay", "play", "follow", "chapter", "end_chapter", "run")


def _whole(target: IR) -> IR:
    while target.get("op") == "look_up":
        target = target["of"]
    return target


def _cell(target: IR) -> str:
    target = _whole(target)
    match target.get("op"):
        case "field":
            return f"field:{target['owner']}.{target['name']}"
        case "state" | "track":
            return f"{target['op']}:{target['id']}"
    return ""
