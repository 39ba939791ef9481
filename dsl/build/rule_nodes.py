"""Actions, values, rules and tests as nodes of the syntax tree."""

from __future__ import annotations

from talewright.dsl.build.node_parts import Children, body_of, end_of, prose_at, start_of, string_at, word_at
from talewright.dsl.tree import nodes as t


class Rules:
    """Actions, values, rules and tests."""

    # -------------------------------------------------------------- actions, values, rules
    def action_decl(self, c: Children) -> t.ActionDecl:
        keyword, verb, first, parts, gives, reads, block = c
        said = string_at(reads)
        end = end_of(c)
        return t.ActionDecl(keyword.start_pos, end, word_at(verb), first, parts, gives, said, body_of(block))

    def parts_decl(self, c: Children) -> list[tuple[str, t.Param]]:
        return c

    def part_decl(self, c: Children) -> tuple[str, t.Param]:
        return str(c[0]), c[1]

    def value_decl(self, c: Children) -> t.ValueDecl:
        params = c[2] if len(c) == 6 else []
        last = c[-1]
        block = last if isinstance(last, list) else None
        return t.ValueDecl(
            start_of(c[0]),
            end_of(c),
            word_at(c[1]),
            params,
            c[-3],
            None if block is not None else last,
            block,
            string_at(c[-2]),
        )

    def _action_rule(self, timing: str, c: Children) -> t.ActionRule:
        return t.ActionRule(start_of(c[0]), end_of(c), timing, c[1], c[2], string_at(c[3]), body_of(c[4]))

    def before(self, c: Children) -> t.ActionRule:
        return self._action_rule("before", c)

    def after(self, c: Children) -> t.ActionRule:
        return self._action_rule("after", c)

    def instead_of(self, c: Children) -> t.ActionRule:
        return self._action_rule("instead of", c)

    def at_edge(self, c: Children) -> t.ActionRule:
        return self._action_rule("at start of" if "start" in c[0] else "at end of", c)

    def becomes_true(self, c: Children) -> t.StateRule:
        return t.StateRule(start_of(c[0]), end_of(c), c[1], body_of(c[4]), string_at(c[3]))

    def forbid(self, c: Children) -> t.Forbid:
        return t.Forbid(start_of(c[0]), end_of(c), c[1], c[2], string_at(c[3]), string_at(c[4]))

    def modify(self, c: Children) -> t.Modify:
        keyword, (name, params, slot), when, reads, (change, amount) = c
        said = string_at(reads)
        return t.Modify(keyword.start_pos, amount.end, name, params, slot, when, change, amount, said)

    def modified_value(self, c: Children) -> tuple[t.Word, list[t.Word], None]:
        return word_at(c[0]), c[1] if len(c) > 1 else [], None

    def modified_field(self, c: Children) -> tuple[t.Word, None, t.Slot]:
        return word_at(c[0]), None, c[1]

    def ch_plus(self, c: Children) -> tuple[str, t.Expr]:
        return "+", c[0]

    def ch_minus(self, c: Children) -> tuple[str, t.Expr]:
        return "-", c[1]

    def ch_set(self, c: Children) -> tuple[str, t.Expr]:
        return "=", c[0]

    def ch_least(self, c: Children) -> tuple[str, t.Expr]:
        return "at least", c[1]

    def ch_most(self, c: Children) -> tuple[str, t.Expr]:
        return "at most", c[1]

    def ch_with(self, c: Children) -> tuple[str, t.Expr]:
        return "with", c[0]

    def ch_without(self, c: Children) -> tuple[str, t.Expr]:
        return "without", c[0]

    def grant(self, c: Children) -> t.Grant:
        return t.Grant(start_of(c[0]), end_of(c), c[1:-3], c[-3], c[-2], string_at(c[-1]))

    def offer(self, c: Children) -> t.Offer:
        label = string_at(c[1])
        assert label is not None
        return t.Offer(start_of(c[0]), end_of(c), label, c[2], c[3], string_at(c[4]), body_of(c[5]))

    def pattern(self, c: Children) -> t.Pattern:
        return t.Pattern(start_of(c[0]), end_of(c), word_at(c[0]), c[1], None, c[2])

    def pattern_token(self, c: Children) -> t.Pattern:
        first = self.slot([c[1]])
        return t.Pattern(start_of(c[0]), end_of(c), word_at(c[0]), first, word_at(c[2]), c[3])

    def pattern_parts(self, c: Children) -> list[tuple[str, t.Slot]]:
        return c

    def pattern_part(self, c: Children) -> tuple[str, t.Slot]:
        return str(c[0]), c[1]

    def slot(self, c: Children) -> t.Slot:
        head = c[0]
        start, end = start_of(head), end_of(c)
        if head.type == "INT":
            return t.Slot(start, end, None, None, int(head))
        if head.type == "NAME":
            return t.Slot(start, end, None, word_at(head))
        name = c[1] if len(c) > 1 else None
        return t.Slot(start, end, word_at(head), word_at(name) if name is not None else None)

    def menu_use(self, c: Children) -> t.MenuUse:
        return t.MenuUse(start_of(c[0]), end_of(c), word_at(c[0]), c[1] if len(c) > 1 else [])

    # -------------------------------------------------------------- tests
    def test_decl(self, c: Children) -> t.TestDecl:
        title = string_at(c[1])
        assert title is not None
        return t.TestDecl(start_of(c[0]), end_of(c), title, c[2:])

    def covers(self, c: Children) -> t.Covers:
        return t.Covers(start_of(c[0]), end_of(c), [word_at(i) for i in c[1:]])

    def start_at(self, c: Children) -> t.StartAt:
        settings = [s for s in c[2:] if s is not None]
        return t.StartAt(start_of(c[0]), end_of(c), word_at(c[1]), settings)

    def start_at_once(self, c: Children) -> t.StartAt:
        return t.StartAt(start_of(c[0]), end_of(c), None, c[1:])

    def setting(self, c: Children) -> tuple[t.Word, t.Expr]:
        return word_at(c[0]), c[1]

    def given(self, c: Children) -> t.Given:
        return t.Given(start_of(c[0]), end_of(c), body_of(c[1]))

    def rig(self, c: Children) -> t.Rig:
        return t.Rig(start_of(c[0]), end_of(c), word_at(c[1]), c[2])

    def answer(self, c: Children) -> t.Answer:
        return t.Answer(start_of(c[0]), end_of(c), c[1], c[2], c[3])

    def prompt(self, c: Children) -> t.Text:
        if c[0].type == "STRING":
            return t.Text(c[0].start_pos, c[0].end_pos, c[0][1:-1], True)
        return t.Text(c[0].start_pos, c[-1].end_pos, ".".join(c))

    def when_(self, c: Children) -> t.When:
        return t.When(start_of(c[0]), end_of(c), c[1:])

    def moment_bare(self, c: Children) -> t.Moment:
        return t.Moment(start_of(c[0]), end_of(c), word_at(c[0]), word_at(c[1]) if c[1] else None)

    def expect(self, c: Children) -> t.Expect:
        return t.Expect(start_of(c[0]), end_of(c), c[1])

    def scene(self, c: Children) -> t.Scene:
        return t.Scene(start_of(c[0]), end_of(c), word_at(c[1]) if c[1] else None, prose_at(c[2]), False)

    def expect_scene(self, c: Children) -> t.Scene:
        return t.Scene(start_of(c[0]), end_of(c), word_at(c[2]) if c[2] else None, prose_at(c[3]), True)

    def marks(self, c: Children) -> t.Marks:
        return t.Marks(start_of(c[0]), end_of(c), c[1:])

    def mark(self, c: Children) -> tuple[t.Word, t.Word]:
        return word_at(c[0]), word_at(c[1])
