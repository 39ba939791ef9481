"""A choice whose options or texts give away what the one who chooses cannot know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._content_walks import IR, first_line, is_own, walk
from talewright.compiler.checks._hidden_information import Look, Read, Secrets, Summary
from talewright.compiler.checks._value_numbering import Bound, Key, Locals, key_of, known_by, leaves
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index
from talewright.dsl.diagnostics import Diagnostic

_BODIES = ("body", "otherwise", "members", "rules")
_PARTS = {
    "actions": "action", "tables": "table", "rules": "rule", "anytime": "anytime", "tracks": "track",
    "kinds": "kind", "traits": "trait", "things": "thing",
}  # fmt: skip
_ASKS = ("choose", "choose_one", "may", "open", "for_each", "agreed")


def find(context: Context) -> Iterator[Diagnostic]:
    """Everything that shapes what somebody is offered, looked at for hidden faces."""
    secrets = Secrets(context)
    if not secrets.any():
        return
    items = list(_deciding(context))
    reader = _Reader(secrets, {id(node): at for node, at in walk(items).all("agreed")})
    for item in items:
        reader.whole(item)
    told: set[int] = set()
    for at, read in reader.found:
        if at not in told and is_own(context, at):
            told.add(at)
            yield CHECK.finding(
                first_line(context, at),
                f"this reads {read.what}, and whoever decides may not know it",
                "ask `... knows ...` first, or look only at what is public: that it lies there, and how many",
            )


def _deciding(context: Context) -> Iterator[IR]:
    """The declarations in which somebody decides: in all others nothing is offered or asked."""
    seen = index(context)
    units = [unit for op in _ASKS for _, unit in seen.of(op)]
    units += [rule.unit for rule in seen.rules if rule.ir["rule"] == "offer"]
    codes = {id(unit.ir) for unit in units}
    owners = {(unit.owner_form, unit.owner) for unit in units if unit.owner}
    for part, form in _PARTS.items():
        for item in context.content[part]:
            if form == "anytime" or id(item) in codes or (form, item.get("id")) in owners:
                yield item


class _Reader:
    """Goes through code in the order it runs, so that what was revealed before is known."""

    def __init__(self, secrets: Secrets, questions: dict[int, int]) -> None:
        self.secrets = secrets
        # Where each `agreed` stands, by the identity of its code.
        self.questions = questions
        self.found: list[tuple[int, Read]] = []

    # -------------------------------------------------------------- where code stands
    def whole(self, item: Any) -> None:
        """A declaration and all code inside it; each piece has locals of its own."""
        stack = [item]
        while stack:
            node = stack.pop()
            if isinstance(node, list):
                stack.extend(reversed(node))
            elif isinstance(node, dict):
                if "rule" in node:
                    self.rule(node, {}, frozenset())
                elif isinstance(node.get("body"), list):
                    if "by" in node and "op" not in node:
                        self.anytime(node)
                    self.block(node["body"], {}, frozenset())
                else:
                    stack.extend(value for value in node.values() if isinstance(value, (dict, list)))
                    continue
                stack.extend(v for k, v in node.items() if k != "body" and isinstance(v, (dict, list)))

    def rule(self, rule: IR, bound: Locals, known: frozenset[Key]) -> None:
        """A rule; an offer is an option of whoever opens its menu."""
        if rule["rule"] == "several":
            for inner in rule["rules"]:
                self.rule(inner, bound, known)
            return
        if rule["rule"] == "offer":
            look = self._look(known).under(rule.get("when"), bound)
            look.see(rule.get("when"), bound)
            look.see(rule.get("label"), bound)
            self._first_call(rule["body"], bound, look)
            self._tell(rule["at"], look.summary, None)
        inside = known | known_by(rule.get("when"), bound)
        self.block(rule.get("body", ()), dict(bound), inside)

    def anytime(self, node: IR) -> None:
        """What somebody may do at any time."""
        look = self._look(frozenset()).under(node.get("when"), {})
        look.see(node.get("when"), {})
        self._first_call(node["body"], {}, look)
        self._tell(node["at"], look.summary, key_of(node["by"], {}))

    # -------------------------------------------------------------- statements
    def block(self, body: Any, bound: Locals, known: frozenset[Key]) -> frozenset[Key]:
        """Statements in order; gives what is known after them."""
        for statement in body:
            if isinstance(statement, dict):
                known = self._statement(statement, bound, known)
        return known

    def _statement(self, node: IR, bound: Locals, known: frozenset[Key]) -> frozenset[Key]:
        match node.get("op"):
            case "let":
                self._questions(node["value"], bound, known)
                hidden = self._look(known).see(node["value"], bound)
                bound[node["n"]] = Bound(key_of(node["value"], bound), hidden)
            case "choose":
                self._choose(node, bound, known)
            case "choose_one":
                self._choose_one(node, bound, known)
            case "may":
                look = self._look(known)
                look.see(node.get("label"), bound)
                self._first_call(node["body"], bound, look)
                self._tell(node["at"], look.summary, key_of(node["by"], bound))
                self.block(node["body"], dict(bound), known)
            case "open":
                look = self._look(known)
                look.see(node.get("prompt"), bound)
                self._tell(node["at"], look.summary, key_of(node["by"], bound))
            case "for_each":
                self._for_each(node, bound, known)
            case "if":
                known = self._if(node, bound, known)
            case "requires":
                self._questions(node["if"], bound, known)
                known |= known_by(node["if"], bound)
            case "core_call" if node["verb"] == "shuffle":
                known -= {key_of(arg, bound) for arg in node["args"].values() if isinstance(arg, dict)}
            case "core_call" | "call" as op:
                known |= self._moved(node, bound, op)
                self._blocks_in(node["args"], bound, known)
            case "branch":
                for arm in node["arms"]:
                    self.block(arm["body"], dict(bound), known)
                known |= (
                    self._moved(node["of"], bound, "call") if node["of"].get("op") == "call" else frozenset()
                )
            case _:
                for name in _BODIES:
                    for inner in node.get(name) or ():
                        if isinstance(inner, dict) and "rule" in inner:
                            self.rule(inner, dict(bound), known)
                        elif isinstance(inner, dict):
                            known = self._statement(inner, bound, known)
        return known

    def _choose(self, node: IR, bound: Locals, known: frozenset[Key]) -> None:
        look = self._look(known)
        source = look.see(node["from"], bound)
        look.see(node.get("prompt"), bound)
        self._tell(node["at"], look.summary, key_of(node["by"], bound))
        bound[node["n"]] = Bound(("chosen", id(node)), source)

    def _choose_one(self, node: IR, bound: Locals, known: frozenset[Key]) -> None:
        decider = key_of(node["by"], bound)
        look = self._look(known)
        look.see(node.get("prompt"), bound)
        self._tell(node["at"], look.summary, decider)
        for option in node["options"]:
            look = self._look(known).under(option.get("when"), bound)
            look.see(option.get("when"), bound)
            look.see(option["label"], bound)
            self._tell(option["at"], look.summary, decider)
            self.block(option["body"], dict(bound), known | known_by(option.get("when"), bound))

    def _for_each(self, node: IR, bound: Locals, known: frozenset[Key]) -> None:
        look = self._look(known)
        source = look.see(node["of"], bound)
        if "chosen_by" in node:
            self._tell(node["at"], look.summary, key_of(node["chosen_by"], bound))
        inner = dict(bound)
        inner[node["n"]] = Bound(("turn", id(node)), source)
        self.block(node["body"], inner, known)

    def _if(self, node: IR, bound: Locals, known: frozenset[Key]) -> frozenset[Key]:
        without = known
        for condition, body in node["branches"]:
            self._questions(condition, bound, without)
            self.block(body, dict(bound), without | known_by(condition, bound))
            without |= known_by(condition, bound, holds=False)
        self.block(node["otherwise"], dict(bound), without)
        return without if all(leaves(body) for _, body in node["branches"]) else known

    def _moved(self, node: IR, bound: Locals, op: str) -> frozenset[Key]:
        """Whatever was handed to a call may be open to all by now, but not where a verb takes it from or to."""
        args = [node["args"].get("first")] if op == "core_call" else node["args"]
        met: set[Key] = set()
        for arg in args:
            if not isinstance(arg, dict):
                continue
            met.add(key_of(arg, bound))
            if arg.get("op") == "local" and arg["n"] in bound:
                bound[arg["n"]] = Bound(bound[arg["n"]].key)
        return frozenset(met)

    def _blocks_in(self, args: Any, bound: Locals, known: frozenset[Key]) -> None:
        for arg in args.values() if isinstance(args, dict) else args:
            if isinstance(arg, dict) and arg.get("op") == "block":
                self.block(arg["body"], dict(bound), known)

    def _questions(self, code: Any, bound: Locals, known: frozenset[Key]) -> None:
        """`agreed` stands inside conditions."""
        stack = [code] if self.questions else []
        while stack:
            item = stack.pop()
            if isinstance(item, list):
                stack.extend(item)
            elif isinstance(item, dict):
                if item.get("op") == "agreed":
                    look = self._look(known)
                    look.see(item["text"], bound)
                    self._tell(self.questions[id(item)], look.summary, key_of(item["by"], bound))
                stack.extend(value for value in item.values() if isinstance(value, (dict, list)))

    # -------------------------------------------------------------- one option
    def _look(self, known: frozenset[Key]) -> Look:
        return Look(self.secrets, Summary(), known)

    def _first_call(self, body: list[IR], bound: Locals, look: Look) -> None:
        """An option is there only if what it does is possible: its head is read too."""
        if body and body[0].get("op") == "call":
            look.see(body[0], bound)
        elif body and body[0].get("op") == "requires":
            look.requirements(body, dict(bound))

    def _tell(self, at: int, summary: Summary, decider: Key | None) -> None:
        for read in summary.reads:
            # Who holds a hand knows it; who opens a menu is not known here, so a hand is taken for theirs.
            if read.owner is not None and (decider is None or read.owner == decider or not _plain(decider)):
                continue
            self.found.append((at, read))
            return


def _plain(key: Key) -> bool:
    """Whether it is plain who decides: a named seat, or a local that is one."""
    return key[0] in ("local", "seat", "parameter", "thing")


CHECK = Check(
    code="X605",
    name="reads-what-is-hidden",
    severity="error",
    why="""What somebody is offered, and every label and prompt they read, may depend only on what
    they know: else the menu itself gives the secret away. A card that lies face down, in another's hand
    or in a `hidden` field may be counted and pointed at, but its fields, kind and title may be read
    only where `p knows x` or `x is face_up` holds.""",
    bad="""
    role Seeker 1..2 named p
    kind Tile is Card:
        trapped: yes | no = no
    Tile floor "Floor" * 3
    Tile pit "Pit": trapped: yes
    deck tiles of Tile = all Tile
    kind Door is Place:
        behind: slot of Tile face_down
    plan hall: left right
    action open_one by p: Seeker:
        choose d from Door where not it.behind.trapped by p "Which door?"  # <-
        reveal d.behind
    """,
    good="""
    role Seeker 1..2 named p
    kind Tile is Card:
        trapped: yes | no = no
    Tile floor "Floor" * 3
    Tile pit "Pit": trapped: yes
    deck tiles of Tile = all Tile
    kind Door is Place:
        behind: slot of Tile face_down
    plan hall: left right
    action open_one by p: Seeker:
        choose d from Door where not (p knows it.behind and it.behind.trapped) by p "Which door?"
        reveal d.behind
    """,
    find=find,
)
