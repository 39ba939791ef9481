"""Tests written in the language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.lower.action_calls import ActionCalls
from talewright.compiler.lower.blocks import Blocks
from talewright.compiler.lower.expressions.dispatcher import Expressions
from talewright.compiler.lower.expressions.membership import Members
from talewright.compiler.lower.expressions.name_resolution import Names
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import (
    ContainerSymbol,
    DieSymbol,
    KindSymbol,
    OptionSymbol,
    Origin,
    ThingSymbol,
)
from talewright.compiler.types.model import Type, thing, type_json
from talewright.dsl.tree import nodes as t

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "is", "is not", "in", "not in", "includes")


class TaleTests:
    """Lowers tests, with the names of the chapter in scope."""

    def __init__(
        self,
        work: FactRecorder,
        expressions: Expressions,
        names: Names,
        members: Members,
        blocks: Blocks,
        calls: ActionCalls,
    ) -> None:
        self.work = work
        self.expressions = expressions
        self.names = names
        self.members = members
        self.blocks = blocks
        self.calls = calls

    def test(self, node: t.TestDecl, origin: Origin) -> IR:
        scope = Scope(origin, lenient=True)
        ir: IR = {"title": node.title.raw, "covers": [], "steps": []}
        for line in node.lines:
            step = self._test_line(line, scope, ir)
            if step is not None:
                step["at"] = self.work.at(line, scope)
                ir["steps"].append(step)
        ir["locals"] = scope.unit.locals
        ir["at"] = self.work.at(node.title, scope)
        return ir

    def _test_line(self, line: t.TestLine, scope: Scope, ir: IR) -> IR | None:
        match line:
            case t.Covers():
                ir["covers"].extend(w.text for w in line.ids)
                return None
            case t.StartAt():
                return self._start(line, scope)
            case t.Given():
                return {"step": "given", "body": self.blocks.statements(line.body, scope)}
            case t.Rig():
                return self._rig(line, scope)
            case t.Answer():
                return self._answer(line, scope)
            case t.When():
                return {
                    "step": "when",
                    "moments": [m for s in line.moments if (m := self._moment(s, scope)) is not None],
                }
            case t.Expect() if self._refuses_start(line.condition, ir):
                return None
            case t.Expect():
                inner = scope.inner()
                return {
                    "step": "expect",
                    "if": self.expressions.condition(line.condition, inner),
                    "sides": self._sides(line.condition, inner),
                }
            case t.Scene():
                step: IR = {"step": "expect_scene" if line.expected else "scene", "rows": line.text.raw}
                if line.on is not None:
                    step["on"] = self.expressions.typed(
                        t.Name(line.on.start, line.on.end, line.on.text), scope, thing("Thing"), "the place"
                    )
                return step
            case t.Marks():
                marks = []
                for sign, name in line.marks:
                    value, _ = self.expressions.expr(t.Name(name.start, name.end, name.text), scope)
                    marks.append([sign.text, value])
                return {"step": "marks", "marks": marks}

    def _refuses_start(self, node: t.Expr, ir: IR) -> bool:
        """Notes `refused(start)`: with these settings, the game must not begin."""
        about_start = (
            isinstance(node, t.Ask)
            and node.question == "refused"
            and isinstance(node.subject, t.Name)
            and node.subject.name == "start"
            and "start" not in self.work.table.verbs
        )
        for step in reversed(ir["steps"]) if about_start else ():
            if step["step"] == "start":
                step["refused"] = True
                return True
        return False

    def _sides(self, node: t.Expr, scope: Scope) -> list[IR]:
        """What a condition compares, so that a failing expectation can show it."""
        before, clean = len(self.work.findings), self.work.facts.clean
        sides: dict[str, IR] = {}
        for side, want in self._compared(node, scope):
            value, kind = self.expressions.expr(side, scope, want)
            # What is written out needs no showing.
            if value["op"] not in (
                "int",
                "text",
                "truth",
                "none",
                "word",
                "thing",
                "sort",
                "seat",
                "kind",
                "set",
            ):
                text = scope.origin.source.text[side.start : side.end]
                sides.setdefault(text, {"text": text, "value": value, "type": type_json(kind)})
        # The condition itself was lowered before: nothing is lost, and the file can be kept.
        del self.work.findings[before:]
        self.work.facts.clean = clean
        return list(sides.values())

    def _compared(self, node: t.Expr, scope: Scope) -> Iterator[tuple[t.Expr, Type | None]]:
        match node:
            case t.Group() | t.Not():
                yield from self._compared(node.inner, scope)
            case t.Binary() if node.op in ("and", "or"):
                yield from self._compared(node.left, scope)
                yield from self._compared(node.right, scope)
            case t.Binary() if node.op in _COMPARISONS:
                yield node.left, None
                if not isinstance(node.right, t.Capital):
                    yield node.right, self.expressions.expr(node.left, scope)[1]
            case t.InSpan():
                yield node.value, None
            case t.Name() | t.Dot() | t.Index() | t.CallValue() | t.Ask():
                yield node, None

    def _start(self, line: t.StartAt, scope: Scope) -> IR:
        ir: IR = {"step": "start", "settings": self._settings(line, scope)}
        if line.chapter is not None:
            self._start_chapter(line.chapter, scope)
            ir["chapter"] = line.chapter.text
        return ir

    def _start_chapter(self, page: t.Word, scope: Scope) -> None:
        symbol = self.work.lookup(page.text, None)
        if isinstance(symbol, ThingSymbol) and (
            self.work.is_a(symbol.kind, "Chapter") or self.work.is_a(symbol.kind, "Ending")
        ):
            scope.chapter = symbol.name
        elif page.text not in self.work.table.broken:
            chapters = [
                n
                for n, s in self.work.table.names.items()
                if isinstance(s, ThingSymbol) and self.work.is_a(s.kind, "Chapter")
            ]
            help = self.work.suggest(page.text, chapters)
            if not chapters:
                help = "this package has no chapter: leave it out, as in `start with players 2`"
            self.work.report("N212", scope.origin, page, f"there is no chapter `{page.text}`", help)

    def _settings(self, line: t.StartAt, scope: Scope) -> IR:
        """What the game of a test is played with."""
        settings: IR = {}
        for word, value in line.settings:
            if word.text in ("players", "seed"):
                settings[word.text] = self.expressions.number(value, scope, f"`{word.text}`")
                continue
            option = self.work.table.names.get(word.text)
            if not isinstance(option, OptionSymbol):
                options = [
                    "players",
                    "seed",
                    *(n for n, s in self.work.table.names.items() if isinstance(s, OptionSymbol)),
                ]
                hint = (
                    self.work.suggest(word.text, options)
                    or "`players`, `seed` and the options of the packages can be set"
                )
                self.work.report("N217", scope.origin, word, f"there is no option `{word.text}`", hint)
                continue
            self.work.used.add(word.text)
            settings[word.text] = self.expressions.typed(value, scope, option.type, f"`{word.text}`")
        return settings

    def _rig(self, line: t.Rig, scope: Scope) -> IR:
        name = line.what.text
        want: Type | None = None
        symbol = self.work.lookup(name, scope.chapter)
        if isinstance(symbol, ContainerSymbol):
            want = thing(symbol.decl.kind.text)
            kind = self.work.table.kinds.get(symbol.decl.kind.text)
            if isinstance(kind, KindSymbol) and kind.die is not None:
                want = self.members.face_type(kind.name)
        elif isinstance(symbol, DieSymbol):
            kind_of = self.calls.die_type(symbol)
            want = kind_of if kind_of.tag == "words" else None
        elif symbol is None and name != "random" and not _is_dice(name):
            self.work.report(
                "N201",
                scope.origin,
                line.what,
                f"there is no pile or die called `{name}`",
                self.work.suggest(name, self.work.table.names),
            )
            return {"step": "rig", "what": name, "values": []}
        values = []
        for value in line.values:
            if (
                isinstance(symbol, DieSymbol)
                and isinstance(value, t.Name)
                and value.name not in self.work.table.names
            ):
                values.append({"op": "word", "v": value.name})
                continue
            ir, _ = self.expressions.expr(value, scope, want)
            values.append(ir)
        return {"step": "rig", "what": name, "values": values}

    def _answer(self, line: t.Answer, scope: Scope) -> IR:
        ir: IR = {"step": "answer"}
        if line.prompt is not None:
            ir["prompt"] = line.prompt.raw
            ir["by_text"] = line.prompt.prose
        if line.by is not None:
            ir["by"] = self.expressions.decider(line.by, scope)
        values = []
        for value in line.values:
            if isinstance(value, t.Text):
                values.append({"op": "text", "parts": [value.raw]})
            else:
                values.append(self.expressions.expr(value, scope)[0])
        ir["values"] = values
        return ir

    def _moment(self, node: Any, scope: Scope) -> IR | None:
        if isinstance(node, t.Moment):
            ir = self.blocks.statement(t.Name(node.name.start, node.name.end, node.name.text), scope)
            if ir is not None and node.until is not None:
                ir = {**ir, "until": self.names.moment(node.until, scope)}
            return ir
        return self.blocks.statement(node, scope)


def _is_dice(name: str) -> bool:
    return name.lstrip("0123456789").startswith("d") and name.rstrip("0123456789").endswith("d")
