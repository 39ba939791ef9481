"""Options, states, tracks, dice, containers, plans, movements, payments, periods, menus and measures."""

from __future__ import annotations

from typing import Any

from talewright.compiler.lower.blocks import Blocks
from talewright.compiler.lower.expressions.conversions import (
    as_number,
    as_set,
)
from talewright.compiler.lower.expressions.dispatcher import Expressions
from talewright.compiler.lower.expressions.membership import Members
from talewright.compiler.lower.expressions.name_resolution import Names
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.lower.field_values import FieldValues
from talewright.compiler.lower.provenance import Provenance
from talewright.compiler.lower.wordings import add_wording
from talewright.compiler.symbols.generated_names import scoped_id
from talewright.compiler.symbols.scope import IR, Scope, Unit
from talewright.compiler.symbols.symbol_table import (
    ContainerSymbol,
    DieSymbol,
    KindSymbol,
    MeasureSymbol,
    MovementSymbol,
    OptionSymbol,
    PaymentSymbol,
    PlanSymbol,
    StateSymbol,
    TeamSymbol,
    TokenSymbol,
    TrackSymbol,
    TraitSymbol,
)
from talewright.compiler.types.model import (
    ANY,
    CELL,
    TRUTH,
    Type,
    describe,
    is_many,
    is_number,
    many,
    strip,
    thing,
    type_json,
)
from talewright.dsl.tree import nodes as t

MOST_DICE = 999


class Components:
    """Lowers components: named declarations without prose."""

    def __init__(
        self,
        work: FactRecorder,
        expressions: Expressions,
        names: Names,
        members: Members,
        blocks: Blocks,
        fields: FieldValues,
        provenance: Provenance,
    ) -> None:
        self.work = work
        self.expressions = expressions
        self.names = names
        self.members = members
        self.blocks = blocks
        self.fields = fields
        self.provenance = provenance

    def option(self, symbol: OptionSymbol) -> IR:
        scope = Scope(symbol.origin, pure="an option's default")
        value = self.expressions.typed(symbol.decl.default, scope, symbol.type, f"`{symbol.name}`")
        self.fields.check_range(value, symbol.type, symbol.decl.default, scope, f"`{symbol.name}`")
        ir: IR = {"id": symbol.name, "type": type_json(symbol.type), "default": value}
        if symbol.decl.text is not None:
            ir["text"] = symbol.decl.text.raw
        return self.provenance.stamp(ir, symbol, scope)

    def state(self, symbol: StateSymbol) -> IR:
        decl = symbol.decl
        scope = Scope(symbol.origin, symbol.origin.chapter, pure="a first value")
        ir: IR = {"id": scoped_id(symbol), "type": type_json(symbol.type)}
        if decl.default is not None:
            ir["default"] = self.expressions.typed(decl.default, scope, symbol.type, f"`{symbol.name}`")
            self.fields.check_range(
                ir["default"], strip(symbol.type), decl.default, scope, f"`{symbol.name}`"
            )
        if decl.per:
            ir["per"] = [self.names.moment(w, scope) for w in decl.per]
        if decl.flags:
            ir["flags"] = list(decl.flags)
        ir["locals"] = scope.unit.locals
        add_wording(self.work, ir, decl.reads, (), symbol.origin)
        return self.provenance.stamp(ir, symbol, scope)

    def team(self, symbol: TeamSymbol) -> IR:
        if self.work.need_form(symbol.decl.role, symbol.origin, KindSymbol) and not self.work.is_role(
            symbol.decl.role.text
        ):
            self.work.report(
                "N221", symbol.origin, symbol.decl.role, f"`{symbol.decl.role.text}` is a kind, and a role is needed here",
                "a team is made of the seats of a role: declare one with `role`",
            )  # fmt: skip
        ir: IR = {"id": symbol.name, "role": symbol.decl.role.text}
        if symbol.decl.ties is not None:
            node = t.Name(symbol.decl.ties.start, symbol.decl.ties.end, symbol.decl.ties.text)
            ir["ties"] = self.expressions.expr(node, Scope(symbol.origin, pure="`ties by`"))[0]
        return ir

    def token(self, symbol: TokenSymbol) -> IR:
        ir: IR = {"id": symbol.name, "count": symbol.count}
        if isinstance(symbol.node, t.TokenDecl):
            add_wording(self.work, ir, symbol.node.reads, (), symbol.origin)
        return ir

    def track(self, symbol: TrackSymbol) -> IR:
        scope = Scope(symbol.origin, symbol.origin.chapter)
        ir: IR = {"id": scoped_id(symbol), **self.track_body(symbol.decl, scope)}
        if symbol.decl.per:
            ir["per"] = [self.names.moment(w, scope) for w in symbol.decl.per]
        add_wording(self.work, ir, symbol.decl.reads, (), symbol.origin)
        return self.provenance.stamp(ir, symbol, scope)

    def track_body(self, decl: t.TrackDecl, scope: Scope) -> IR:
        ir: IR = {"low": decl.low, "high": decl.high}
        if decl.begin is not None:
            inner = scope.inner()
            inner.unit = Unit()
            inner.pure = "a first value"
            first = self.expressions.number(decl.begin, inner, "the start")
            if decl.low <= decl.high:
                self.fields.check_range(
                    first, Type("range", "", (decl.low, decl.high)), decl.begin, scope, "the start"
                )
            ir["start"] = {"value": first, "locals": inner.unit.locals}
        hooks: list[IR] = []
        for hook in decl.hooks:
            inner = scope.inner()
            inner.unit = Unit()
            inner.pure = None
            made: IR = {
                "when": hook.when,
                "spaces": hook.spaces,
                "body": self.blocks.statements(hook.body, inner),
            }
            made["locals"] = inner.unit.locals
            made["at"] = self.work.at(hook, scope)
            hooks.append(made)
            for space in hook.spaces:
                if not decl.low <= space <= decl.high:
                    self.work.report(
                        "T310",
                        scope.origin,
                        hook,
                        f"the track has no space {space}: it goes from {decl.low} to {decl.high}",
                    )
        if hooks:
            ir["hooks"] = hooks
        if decl.low > decl.high:
            self.work.report(
                "T310",
                scope.origin,
                decl,
                "a track goes from its lower to its higher end",
                f"write `{decl.high}..{decl.low}`",
            )
        return ir

    def die(self, symbol: DieSymbol) -> IR:
        scope = Scope(symbol.origin, pure="a face")
        faces: list[IR] = []
        for statement in symbol.decl.faces:
            for item in statement.items if isinstance(statement, t.Elements) else [statement]:
                if isinstance(item, t.Number):
                    faces.append({"op": "int", "v": item.value})
                elif isinstance(item, t.Name):
                    known = self.work.lookup(item.name, None)
                    faces.append(
                        self.names.symbol_value(known, item, scope)[0]
                        if known
                        else {"op": "word", "v": item.name}
                    )
                else:
                    self.work.report("T301", symbol.origin, item, "a face is a number or a name")
        return self.provenance.stamp({"id": symbol.name, "faces": faces}, symbol, scope)

    def die_items(self, decl: t.DieDecl, scope: Scope) -> IR:
        if decl.copies > MOST_DICE:
            said = f"{decl.copies:,} dice of one sort are more than a table holds"
            self.work.report("T310", scope.origin, decl.name, said, f"up to {MOST_DICE} dice of a sort")
        ir: IR = {"copies": min(decl.copies, MOST_DICE), "faces": []}
        for item in decl.items:
            if not isinstance(item, t.FieldValue):
                continue
            name = item.path[0].text
            if name == "faces":
                body: Any = item.body[0]
                nodes = body.items if isinstance(body, t.Elements) else [body]
                for node in nodes:
                    known = self.work.lookup(node.name, None) if isinstance(node, t.Name) else None
                    if known is not None:
                        ir["faces"].append(self.names.symbol_value(known, node, scope)[0])
                    elif isinstance(node, t.Number):
                        ir["faces"].append({"op": "int", "v": node.value})
                    else:
                        ir["faces"].append({"op": "word", "v": getattr(node, "name", "")})
            elif name == "opposite":
                ir["opposite"] = self.fields.list_value(
                    item.body, many(Type("pair"), "list"), scope, item, "`opposite`"
                )
            else:
                self.work.report(
                    "N204",
                    scope.origin,
                    item.path[0],
                    f"a die has no `{name}`",
                    "it has `faces` and `opposite`",
                )
        return ir

    def container_options(self, form: str, options: t.ContainerOptions, scope: Scope) -> IR:
        ir: IR = {"form": form}
        if options.max is not None:
            inner = scope.inner()
            inner.unit = Unit()
            inner.pure = "a limit"
            ir["max"] = {
                "value": self.expressions.number(options.max, inner, "`max`"),
                "locals": inner.unit.locals,
            }
        elif form == "slot":
            ir["max"] = {"value": {"op": "int", "v": 1}, "locals": []}
        if options.face is not None:
            ir["face"] = options.face
        if options.returning:
            ir["returning"] = True
        if options.reshuffles is not None:
            ir["reshuffles"] = self._reshuffles(options.reshuffles, scope)
        return ir

    def _reshuffles(self, word: t.Word, scope: Scope) -> IR:
        if scope.self_type is not None and self.work.field_of(scope.self_type.name, word.text) is not None:
            return self.members.member({"op": "self"}, scope.self_type, word, scope)[0]
        symbol = self.work.lookup(word.text, scope.chapter)
        if not isinstance(symbol, ContainerSymbol):
            if word.text not in self.work.table.broken:
                piles = [n for n, s in self.work.table.names.items() if isinstance(s, ContainerSymbol)]
                self.work.report("N201", scope.origin, word, f"there is no pile called `{word.text}`",
                            self.work.suggest(word.text, piles) or f"declare it: `pile {word.text} of ...`")  # fmt: skip
            return {"op": "none"}
        return {"op": "pile", "id": symbol.name}

    def container(self, symbol: ContainerSymbol) -> IR:
        decl = symbol.decl
        self.work.need_form(decl.kind, symbol.origin, KindSymbol, TraitSymbol)
        scope = Scope(symbol.origin)
        ir: IR = {
            "id": symbol.name,
            "kind": decl.kind.text,
            **self.container_options(decl.form, decl.options, scope),
        }
        if decl.content is not None:
            inner = scope.inner()
            inner.unit = Unit()
            inner.pure = "a first content"
            value, kind = self.expressions.expr(decl.content, inner)
            if not self.work.fits(kind, many(thing(decl.kind.text))):
                self.expressions.mismatch(
                    decl.content, inner, "the first content", kind, many(thing(decl.kind.text))
                )
            ir["content"] = {"value": as_set(value, strip(kind)), "locals": inner.unit.locals}
        add_wording(self.work, ir, decl.reads, (), symbol.origin)
        return self.provenance.stamp(ir, symbol, scope)

    def plan(self, symbol: PlanSymbol) -> IR:
        rows = [[[w.text, turn] if turn else w.text for w, turn in row] for row in symbol.decl.rows]
        return {"id": symbol.name, "ring": symbol.decl.ring, "rows": rows}

    def movement(self, symbol: MovementSymbol) -> IR:
        decl = symbol.decl
        ir: IR = {"id": symbol.name, "clauses": []}
        if decl.parent is not None:
            parent = self.work.lookup(decl.parent.text, None)
            if not isinstance(parent, MovementSymbol):
                self.work.report(
                    "N201", symbol.origin, decl.parent, f"there is no movement `{decl.parent.text}`"
                )
            ir["parent"] = decl.parent.text
        for clause in decl.clauses:
            scope = Scope(symbol.origin, pure="a movement")
            mover = scope.bind("mover", thing("Figure"))
            cell = scope.bind("cell", CELL)
            value, kind = self.expressions.expr(clause.value, scope)
            bare = strip(kind)
            name = f"{clause.name.text} {clause.preposition}"
            row: IR = {
                "clause": name,
                "mover": mover,
                "cell": cell,
                "locals": scope.unit.locals,
                "at": self.work.at(clause, scope),
            }
            if name not in ("blocked by", "halts at", "trades with", "costs at"):
                self.work.report("N216", symbol.origin, clause.name, f"a movement has no clause `{name}`",
                            "it has `blocked by`, `halts at`, `trades with`, `costs at`")  # fmt: skip
            if is_many(bare) and not is_number(bare):
                row["things"] = as_set(value, bare)
            else:
                if bare.tag not in ("truth", "any") and not is_number(bare):
                    self.expressions.mismatch(clause.value, scope, f"`{name}`", kind, TRUTH)
                row["value"] = value
            ir["clauses"].append(row)
        return self.provenance.stamp(ir, symbol, Scope(symbol.origin))

    def payment(self, symbol: PaymentSymbol) -> IR:
        rows: list[IR] = []
        for rule in symbol.decl.rules:
            scope = Scope(symbol.origin, pure="a payment")
            row: IR = {"at": self.work.at(rule, scope)}
            if rule.die is not None:
                self.work.need_kind(rule.source, symbol.origin)
                row["kind"] = rule.source.text
                row["n"] = scope.bind(rule.die.text, thing(rule.source.text))
            else:
                assert rule.on is not None
                row["token"] = self.names.token_ir(rule.source, scope)
                row["on"] = self.expressions.typed(
                    t.Name(rule.on.start, rule.on.end, rule.on.text),
                    scope,
                    thing("Thing"),
                    "what holds the tokens",
                )
            symbols = self.payment_symbol_kind(symbol.name)
            row["symbol"] = scope.bind(rule.symbol.text, symbols)
            if rule.when is not None:
                row["when"] = self.expressions.condition(rule.when, scope)
            if rule.at_most is not None:
                row["at_most"] = rule.at_most
            row["locals"] = scope.unit.locals
            rows.append(row)
        return self.provenance.stamp({"id": symbol.name, "rules": rows}, symbol, Scope(symbol.origin))

    def payment_symbol_kind(self, name: str) -> Type:
        """What a cost is made of: the faces of the dice that pay for it."""
        symbol = self.work.table.names.get(name)
        if isinstance(symbol, PaymentSymbol):
            for rule in symbol.decl.rules:
                kind = self.work.table.kinds.get(rule.source.text)
                if isinstance(kind, KindSymbol) and kind.die is not None:
                    return self.members.face_type(kind.name)
        return ANY

    def period(self, name: str) -> IR:
        symbol = self.work.table.periods[name]
        scope = Scope(symbol.origin, pure="a period")
        ir: IR = {
            "id": name,
            "while_true": self.expressions.condition(symbol.decl.condition, scope),
            "locals": scope.unit.locals,
        }
        add_wording(self.work, ir, symbol.decl.reads, (), symbol.origin)
        return self.provenance.stamp(ir, symbol, scope)

    def menu(self, name: str) -> IR:
        symbol = self.work.table.menus[name]
        decl = symbol.decl
        scope = Scope(symbol.origin)
        params = [
            {
                "n": scope.bind(
                    self.work.no_dice(p.name, symbol.origin), k := self.work.read_type(p.type, symbol.origin)
                ),
                "name": p.name.text,
                "type": type_json(k),
            }
            for p in decl.params
        ]
        ir: IR = {"id": name, "params": params, "locals": scope.unit.locals}
        if decl.once_per is not None:
            ir["once_per"] = self.names.moment(decl.once_per, scope)
        if decl.passing is not None:
            ir["pass"] = decl.passing.raw
        return self.provenance.stamp(ir, symbol, scope)

    def measure(self, symbol: MeasureSymbol) -> IR:
        scope = Scope(symbol.origin, pure="a measure")
        value, kind = self.expressions.expr(symbol.decl.value, scope)
        bare = strip(kind)
        if not is_number(bare) and bare.tag not in ("truth", "words", "any"):
            self.work.report(
                "T305",
                symbol.origin,
                symbol.decl.value,
                f"a measure is a number, a word, or yes or no, but this is {describe(bare)}",
            )
        ir: IR = {
            "id": symbol.name,
            "value": as_number(value, bare),
            "type": type_json(kind),
            "locals": scope.unit.locals,
        }
        return self.provenance.stamp(ir, symbol, scope)
