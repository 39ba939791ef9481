"""Statements as nodes of the syntax tree."""

from __future__ import annotations

from talewright.dsl.build.node_parts import Children, body_of, end_of, folded, start_of, string_at, word_at
from talewright.dsl.tree import nodes as t


class Statements:
    """Statements."""

    # -------------------------------------------------------------- statements
    def stmts(self, c: Children) -> list[t.Stmt]:
        body: list[t.Stmt] = []
        for item in c:
            if isinstance(item, list):
                body.extend(item)
            else:
                body.append(item)
        return body

    def line(self, c: Children) -> list[t.Stmt]:
        if len(c) == 1:
            return c
        # On one line, what follows `;` belongs to the arrow before it unless it has its own.
        body: list[t.Stmt] = []
        for item in c:
            if body and isinstance(body[-1], t.Arrow) and not isinstance(item, t.Arrow):
                body[-1].body.append(item)
                body[-1].end = item.end
            else:
                body.append(item)
        return body

    def elems(self, c: Children) -> t.Stmt:
        return c[0] if len(c) == 1 else t.Elements(c[0].start, c[-1].end, c)

    def arrow(self, c: Children) -> t.Arrow:
        return t.Arrow(c[0].start, c[1].end, c[0], [c[1]])

    def arrow_block(self, c: Children) -> t.Arrow:
        return t.Arrow(c[0].start, end_of(c), c[0], c[1])

    def key_expr(self, c: Children) -> t.ArrowKey:
        return t.ArrowKey(c[0].start, end_of(c), "value", c[0], c[1])

    def key_from(self, c: Children) -> t.ArrowKey:
        return t.ArrowKey(c[0].start, c[0].end + 2, "from", c[0], None)

    def key_to(self, c: Children) -> t.ArrowKey:
        return t.ArrowKey(c[0].start - 2, c[0].end, "to", c[0], None)

    def key_otherwise(self, c: Children) -> t.ArrowKey:
        return t.ArrowKey(start_of(c[0]), end_of(c), "otherwise", None, None)

    def _retrait(self, change: str, c: Children) -> t.Retrait:
        return t.Retrait(c[0].start, end_of(c), change, c[0], c[1])

    def becomes(self, c: Children) -> t.Retrait:
        return self._retrait("becomes", c)

    def gains(self, c: Children) -> t.Retrait:
        return self._retrait("gains", c)

    def loses(self, c: Children) -> t.Retrait:
        return self._retrait("loses", c)

    def requires(self, c: Children) -> t.Requires:
        return t.Requires(start_of(c[0]), end_of(c), c[1], string_at(c[2]))

    def if_(self, c: Children) -> t.If:
        branches: list[tuple[t.Expr, list[t.Stmt]]] = [(c[1], body_of(c[2]))]
        otherwise: list[t.Stmt] | None = None
        for item in c[3:]:
            if len(item) == 2:
                branches.append(item)
            else:
                otherwise = item[0]
        return t.If(start_of(c[0]), end_of(c), branches, otherwise)

    def or_if(self, c: Children) -> tuple[t.Expr, list[t.Stmt]]:
        return c[0], body_of(c[1])

    def otherwise(self, c: Children) -> tuple[list[t.Stmt]]:
        return (body_of(c[0]),)

    def for_each(self, c: Children) -> t.ForEach:
        _, name, second, source, _chosen, by, block = c
        return t.ForEach(
            start_of(c[0]),
            end_of(c),
            word_at(name),
            word_at(second) if second else None,
            source,
            by,
            body_of(block),
        )

    def repeat_forever(self, c: Children) -> t.Repeat:
        return t.Repeat(start_of(c[0]), end_of(c), None, None, body_of(c[1]))

    def repeat_while(self, c: Children) -> t.Repeat:
        return t.Repeat(start_of(c[0]), end_of(c), c[1], None, body_of(c[2]))

    def repeat_times(self, c: Children) -> t.Repeat:
        return t.Repeat(start_of(c[0]), end_of(c), None, c[1], body_of(c[2]))

    def choose_one(self, c: Children) -> t.ChooseOne:
        return t.ChooseOne(start_of(c[0]), end_of(c), c[1], "up" in c[0], string_at(c[2]), c[3])

    def may_block(self, c: Children) -> t.May:
        return t.May(c[0].start, end_of(c), c[0], string_at(c[1]), body_of(c[2]))

    def may(self, c: Children) -> t.May:
        return t.May(c[0].start, end_of(c), c[0], None, [c[1]])

    def call_block(self, c: Children) -> t.CallBlock:
        return t.CallBlock(c[0].start, end_of(c), c[0], body_of(c[1]))

    def until_edge(self, c: Children) -> t.Until:
        return t.Until(start_of(c[0]), end_of(c), folded(str(c[0])), word_at(c[1]), c[2:])

    def together(self, c: Children) -> t.Together:
        return t.Together(start_of(c[0]), end_of(c), body_of(c[1]))

    def possible(self, c: Children) -> t.Possible:
        return t.Possible(start_of(c[0]), end_of(c), c[0].split()[0], body_of(c[1]))

    def assign(self, c: Children) -> t.Assign:
        return t.Assign(c[0].start, c[1].end, c[0], c[1])

    def assign_do(self, c: Children) -> t.Assign:
        do = t.Do(start_of(c[1]), c[2].end, c[2])
        return t.Assign(c[0].start, c[2].end, c[0], do)

    def let(self, c: Children) -> t.Let:
        return t.Let(start_of(c[0]), c[2].end, word_at(c[1]), c[2])

    def let_do(self, c: Children) -> t.Let:
        return t.Let(start_of(c[0]), c[3].end, word_at(c[1]), t.Do(start_of(c[2]), c[3].end, c[3]))

    def do(self, c: Children) -> t.Do:
        return t.Do(start_of(c[0]), c[1].end, c[1])

    def choose(self, c: Children) -> t.Choose:
        return t.Choose(start_of(c[0]), end_of(c), c[1], word_at(c[2]), c[3], c[4], string_at(c[5]))

    def open(self, c: Children) -> t.Open:
        _, _up_to, count, menu, by, prompt, passed = c
        return t.Open(start_of(c[0]), end_of(c), count, menu, by, string_at(prompt), passed is not None)

    def give(self, c: Children) -> t.Give:
        return t.Give(start_of(c[0]), c[1].end, c[1])

    def stop(self, c: Children) -> t.Stop:
        return t.Stop(start_of(c[0]), end_of(c), word_at(c[1]) if c[1] else None)

    def go_to(self, c: Children) -> t.GoTo:
        return t.GoTo(start_of(c[0]), c[1].end, c[1])

    def as_usual(self, c: Children) -> t.AsUsual:
        return t.AsUsual(start_of(c[0]), end_of(c), word_at(c[1]) if c[1] else None, c[2])

    def nothing(self, c: Children) -> t.DoNothing:
        return t.DoNothing(start_of(c[0]), end_of(c))

    def qty_exactly(self, c: Children) -> t.Amount:
        return t.Amount(c[0].start, c[0].end, "exactly", c[0])

    def qty_up_to(self, c: Children) -> t.Amount:
        return t.Amount(start_of(c[0]), c[1].end, "up to", c[1])

    def qty_at_least(self, c: Children) -> t.Amount:
        return t.Amount(start_of(c[0]), c[1].end, "at least", c[1])

    def do_effect(self, c: Children) -> t.DoEffect:
        return t.DoEffect(c[0].start, c[0].end, c[0], None)

    def do_effect_call(self, c: Children) -> t.DoEffect:
        base, name, args, close = c
        target = t.Dot(base.start, name.end_pos, base, str(name), name.start_pos)
        return t.DoEffect(base.start, close.end_pos, target, args or [])

    def call(self, c: Children) -> t.Call:
        verb, first, token, parts, until = c
        return t.Call(
            verb.start_pos,
            end_of(c),
            word_at(verb),
            first,
            word_at(token) if token is not None else None,
            parts,
            until,
        )

    def call_parts(self, c: Children) -> t.Call:
        return t.Call(start_of(c[0]), end_of(c), word_at(c[0]), None, None, c[1], c[2])

    def parts(self, c: Children) -> list[tuple[str, t.Expr]]:
        return c

    def some_parts(self, c: Children) -> list[tuple[str, t.Expr]]:
        return c

    def part(self, c: Children) -> tuple[str, t.Expr]:
        return str(c[0]), c[1]
