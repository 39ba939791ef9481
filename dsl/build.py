"""Grammar reductions to syntax tree nodes: one small method for each rule of `tale.lark`."""

from __future__ import annotations

from typing import Any

from talewright.dsl import tree as t

# A token of Lark, or a light one of our own: both are texts with a sort and a place.
Token = Any

Children = list[Any]


def _start(child: Any) -> int:
    return int((child.start_pos or 0) if isinstance(child, str) else child.start)  # type: ignore[attr-defined]


def _end(children: Children) -> int:
    for child in reversed(children):
        if child is None:
            continue
        if isinstance(child, str):
            if type(child) is str:
                continue  # a word that some method has already taken out of its token
            return int(child.end_pos or 0)  # type: ignore[attr-defined]
        if isinstance(child, list):
            if child:
                return _end(child)
            continue
        if isinstance(child, tuple):
            return _end(list(child))
        if isinstance(child, t.Node):
            return child.end
    return 0


def _word(token: Token) -> t.Word:
    return t.Word(token.start_pos or 0, token.end_pos or 0, str(token))


def _string(token: Token | None) -> t.Text | None:
    if token is None:
        return None
    return t.Text(token.start_pos or 0, token.end_pos or 0, token[1:-1])


def _prose(token: Token) -> t.Text:
    return t.Text(token.start_pos or 0, token.end_pos or 0, token[3:-3], True)


def _body(block: Any) -> list[t.Stmt]:
    return block if isinstance(block, list) else [block]


def _number(item: Any) -> int:
    return item.value if isinstance(item, t.Number) else int(item)


def _fold(op: str) -> str:
    return op if " " not in op and "\t" not in op else " ".join(op.split())


class TreeBuilder:
    """Given to the parser, so that no intermediate tree is ever built."""

    def start(self, c: Children) -> list[Any]:
        return c

    # -------------------------------------------------------------- kinds, traits, types
    def kind_decl(self, c: Children) -> t.KindDecl:
        return t.KindDecl(_start(c[0]), _end(c), _word(c[1]), c[2] or [], c[3])

    def extend_kind(self, c: Children) -> t.ExtendKind:
        return t.ExtendKind(_start(c[0]), _end(c), _word(c[1]), c[2])

    def extend_type(self, c: Children) -> t.TypeDecl:
        words, ordered = c[2]
        return t.TypeDecl(_start(c[0]), _end(words), _word(c[1]), words, ordered, True)

    def type_decl(self, c: Children) -> t.TypeDecl:
        words, ordered = c[2]
        return t.TypeDecl(_start(c[0]), _end(words), _word(c[1]), words, ordered, False)

    def trait_decl(self, c: Children) -> t.TraitDecl:
        params = c[2] if len(c) == 4 else []
        return t.TraitDecl(_start(c[0]), _end(c), _word(c[1]), params, c[-1])

    def words_any(self, c: Children) -> tuple[list[t.Word], bool]:
        return [self._type_word(w) for w in c], False

    def words_ordered(self, c: Children) -> tuple[list[t.Word], bool]:
        return [self._type_word(w) for w in c], True

    def _type_word(self, item: Any) -> t.Word:
        if isinstance(item, t.Number):
            return t.Word(item.start, item.end, str(item.value))
        return _word(item)

    def kinds(self, c: Children) -> list[t.Word]:
        return [_word(k) for k in c]

    def kind_body(self, c: Children) -> list[t.Member]:
        return c

    def prose(self, c: Children) -> t.Prose:
        return t.Prose(_start(c[0]), _end(c), _prose(c[0]))

    def field_decl(self, c: Children) -> t.FieldDecl:
        names, type_, default, mods, body = c
        per, flags = mods
        return t.FieldDecl(names[0].start, _end(c[:3]), names, type_, default, per, flags, body)

    def track_field(self, c: Children) -> t.TrackDecl:
        names, _, (low, high, end), begin, (per, flags), hooks = c
        return t.TrackDecl(names[0].start, end, names, low, high, begin, per, flags, hooks, True)

    def default(self, c: Children) -> t.Default:
        value = _prose(c[1]) if isinstance(c[1], str) else c[1]
        return t.Default(_start(c[0]), value.end, _word(c[0]), value)

    def holds(self, c: Children) -> t.Holds:
        return t.Holds(_start(c[0]), _end(c), _word(c[1]), c[2])

    def lies(self, c: Children) -> t.Lies:
        return t.Lies(_start(c[0]), _end(c), str(c[1]))

    def in_force(self, c: Children) -> t.InForce:
        return t.InForce(_start(c[0]), _end(c), c[1])

    def effect_body(self, c: Children) -> list[t.Stmt] | None:
        return _body(c[0]) if c else None

    def mods(self, c: Children) -> tuple[list[t.Word], list[str]]:
        per: list[t.Word] = []
        flags: list[str] = []
        for item in c:
            if isinstance(item, list):
                per.extend(item)
            else:
                flags.append(_fold(str(item)))
        return per, flags

    def per(self, c: Children) -> list[t.Word]:
        return c[0]  # type: ignore[no-any-return]

    def names(self, c: Children) -> list[t.Word]:
        return [_word(n) for n in c]

    # -------------------------------------------------------------- types
    def or_none(self, c: Children) -> t.OrNone:
        return t.OrNone(c[0].start, _end(c), c[0])

    def type_map(self, c: Children) -> t.MapType:
        return t.MapType(c[0].start, c[1].end, c[0], c[1])

    def type_kind(self, c: Children) -> t.KindType:
        return t.KindType(_start(c[0]), _end(c), str(c[0]))

    def type_range(self, c: Children) -> t.RangeType:
        low, high, end = c[0]
        return t.RangeType(end - len(f"{low}..{high}"), end, low, high)

    def type_dice(self, c: Children) -> t.DiceType:
        return t.DiceType(_start(c[0]), _end(c), int(c[0].partition("d")[2]))

    def type_many(self, c: Children) -> t.ManyType:
        return t.ManyType(_start(c[0]), c[1].end, c[0].split()[0], c[1])

    def type_container(self, c: Children) -> t.ContainerType:
        return t.ContainerType(_start(c[0]), _end(c[:2]), str(c[0]), _word(c[1]), c[2])

    def type_effect(self, c: Children) -> t.EffectType:
        return t.EffectType(_start(c[0]), _end(c), c[1] or [])

    def choice_type(self, c: Children) -> t.WordsType:
        words = [self._type_word(w) for w in c]
        return t.WordsType(words[0].start, words[-1].end, words)

    def range(self, c: Children) -> tuple[int, int, int]:
        return int(c[0]), int(c[1]), c[1].end_pos

    def container_opts(self, c: Children) -> t.ContainerOptions:
        options = t.ContainerOptions()
        for item in c:
            if isinstance(item, str):
                if item.type == "RETURNING":  # type: ignore[attr-defined]
                    options.returning = True
                else:
                    options.face = str(item)
            elif isinstance(item, t.Word):
                options.reshuffles = item
            else:
                options.max = item[0]
        return options

    def opt_max(self, c: Children) -> Children:
        return c

    def opt_reshuffles(self, c: Children) -> t.Word:
        return _word(c[0])

    def params(self, c: Children) -> list[t.Param]:
        return c

    def param(self, c: Children) -> t.Param:
        return t.Param(_start(c[0]), _end(c), _word(c[0]), c[1], c[2])

    # -------------------------------------------------------------- things
    def thing_decl(self, c: Children) -> t.ThingDecl:
        kind, ids, title, copies, traits, items = c
        count, per = copies or (1, None)
        return t.ThingDecl(
            kind.start_pos, _end(c), _word(kind), ids, _string(title), count, per, traits or [], items
        )

    def ids(self, c: Children) -> list[t.Word]:
        return [_word(i) for i in c]

    def copies(self, c: Children) -> tuple[int, None]:
        return int(c[0]), None

    def copies_per(self, c: Children) -> tuple[int, t.Word]:
        return 1, _word(c[0])

    def traits(self, c: Children) -> list[t.TraitUse]:
        return c

    def trait_use(self, c: Children) -> t.TraitUse:
        return t.TraitUse(_start(c[0]), _end(c), str(c[0]), c[1] if len(c) > 1 else [])

    def thing_body(self, c: Children) -> list[t.Item]:
        return c

    def inline_thing(self, c: Children) -> t.InlineThing:
        return t.InlineThing(_start(c[0]), _end(c), _word(c[0]), _word(c[1]), _string(c[2]), c[3:])

    def cast(self, c: Children) -> t.Cast:
        return t.Cast(_start(c[0]), _end(c), c[1:])

    def drawn(self, c: Children) -> t.Drawn:
        return t.Drawn(_start(c[0]), _end(c), _word(c[0]), c[1:])

    def ends_when(self, c: Children) -> t.EndsWhen:
        return t.EndsWhen(_start(c[0]), _end(c), c[1])

    def field(self, c: Children) -> t.FieldValue:
        path, (form, body) = c
        return t.FieldValue(path[0].start, _end(body) or path[-1].end, path, body, form)

    def path(self, c: Children) -> list[t.Word]:
        return [_word(n) for n in c]

    def value_line(self, c: Children) -> tuple[str, list[t.Stmt]]:
        return "line", c[0]

    def value_prose(self, c: Children) -> tuple[str, list[t.Stmt]]:
        return "prose", [_prose(c[0])]

    def value_block(self, c: Children) -> tuple[str, list[t.Stmt]]:
        return "block", c[0]

    def value_possible(self, c: Children) -> tuple[str, list[t.Stmt]]:
        return "block", [c[0]]

    def cast_line(self, c: Children) -> t.CastLine:
        groups, place, traits, items = c
        return t.CastLine(groups[0][1].start, _end(c), groups, place, traits or [], items)

    def groups(self, c: Children) -> list[tuple[int, t.Word]]:
        return c

    def group(self, c: Children) -> tuple[int, t.Word]:
        return (1 if c[0] is None else int(c[0])), _word(c[1])

    def row(self, c: Children) -> list[tuple[t.Word, str]]:
        return c

    def cell(self, c: Children) -> tuple[t.Word, str]:
        return _word(c[0]), str(c[1]) if len(c) > 1 and c[1] is not None else ""

    # -------------------------------------------------------------- components
    def container_decl(self, c: Children) -> t.ContainerDecl:
        return t.ContainerDecl(_start(c[0]), _end(c), str(c[0]), _word(c[1]), _word(c[2]), c[3], c[4])

    def token_decl(self, c: Children) -> t.TokenDecl:
        return t.TokenDecl(_start(c[0]), _end(c), c[1], int(c[2]))

    def track_decl(self, c: Children) -> t.TrackDecl:
        keyword, name, (low, high, end), begin, (per, flags), hooks = c
        return t.TrackDecl(keyword.start_pos, end, [_word(name)], low, high, begin, per, flags, hooks, False)

    def track_body(self, c: Children) -> list[t.Hook]:
        return c

    def hook(self, c: Children) -> t.Hook:
        return t.Hook(_start(c[0]), _end(c), str(c[0]), [int(n) for n in c[1:-1]], _body(c[-1]))

    def die_decl(self, c: Children) -> t.DieDecl:
        count = c[2][0] if c[2] else 1
        line = c[3] if isinstance(c[3], list) else []
        return t.DieDecl(_start(c[0]), _end(c), _word(c[1]), count, [] if line else c[3:], line)

    def table_decl(self, c: Children) -> t.TableDecl:
        params = c[2] if len(c) == 4 else []
        return t.TableDecl(_start(c[0]), _end(c), _word(c[1]), params, c[-1])

    def role_decl(self, c: Children) -> t.RoleDecl:
        keyword, name, span, parents, seat, members = c
        low, high = (span[0], span[1]) if span else (1, 1)
        return t.RoleDecl(
            keyword.start_pos,
            _end(c),
            _word(name),
            low,
            high,
            parents or [],
            _word(seat) if seat else None,
            members,
        )

    def team_decl(self, c: Children) -> t.TeamDecl:
        return t.TeamDecl(_start(c[0]), _end(c), _word(c[1]), _word(c[2]), _word(c[3]) if c[3] else None)

    def option_decl(self, c: Children) -> t.OptionDecl:
        return t.OptionDecl(_start(c[0]), _end(c), _word(c[1]), c[2], c[3], _string(c[4]))

    def state_decl(self, c: Children) -> t.StateDecl:
        per, flags = c[4]
        return t.StateDecl(_start(c[0]), _end(c[:4]), _word(c[1]), c[2], c[3], per, flags)

    def plan_decl(self, c: Children) -> t.PlanDecl:
        return t.PlanDecl(_start(c[0]), _end(c), _word(c[1]), c[2] is not None, c[3:])

    def movement_decl(self, c: Children) -> t.MovementDecl:
        return t.MovementDecl(_start(c[0]), _end(c), _word(c[1]), _word(c[2]) if c[2] else None, c[3:])

    def clause(self, c: Children) -> t.Clause:
        return t.Clause(_start(c[0]), _end(c), _word(c[0]), str(c[1]), c[2])

    def payment_decl(self, c: Children) -> t.PaymentDecl:
        return t.PaymentDecl(_start(c[0]), _end(c), _word(c[1]), c[2:])

    def pay_thing(self, c: Children) -> t.PayRule:
        most = int(c[5]) if c[5] is not None else None
        return t.PayRule(_start(c[0]), _end(c), _word(c[0]), None, _word(c[1]), _word(c[2]), c[3], most)

    def pay_token(self, c: Children) -> t.PayRule:
        most = int(c[5]) if c[5] is not None else None
        return t.PayRule(_start(c[0]), _end(c), _word(c[0]), _word(c[1]), None, _word(c[2]), c[3], most)

    def period_decl(self, c: Children) -> t.PeriodDecl:
        return t.PeriodDecl(_start(c[0]), _end(c), _word(c[1]), c[2])

    def menu_decl(self, c: Children) -> t.MenuDecl:
        params = c[2] if len(c) == 5 else []
        once, passing = c[-2], c[-1]
        return t.MenuDecl(
            _start(c[0]), _end(c), _word(c[1]), params, _word(once) if once else None, _string(passing)
        )

    def anytime_decl(self, c: Children) -> t.AnytimeDecl:
        return t.AnytimeDecl(_start(c[0]), _end(c), c[1], c[2], _body(c[3]))

    def while_decl(self, c: Children) -> t.WhileDecl:
        return t.WhileDecl(_start(c[0]), _end(c), c[1], c[2:])

    def check_decl(self, c: Children) -> t.CheckDecl:
        return t.CheckDecl(_start(c[0]), _end(c), c[1], _string(c[2]))

    def measure_decl(self, c: Children) -> t.MeasureDecl:
        return t.MeasureDecl(_start(c[0]), _end(c), _word(c[1]), c[2])

    def order_decl(self, c: Children) -> t.OrderDecl:
        return t.OrderDecl(_start(c[0]), _end(c), _word(c[1]), c[2])

    def start_after(self, c: Children) -> t.StartAfterDecl:
        return t.StartAfterDecl(_start(c[0]), _end(c), _word(c[1]))

    # -------------------------------------------------------------- actions, values, rules
    def action_decl(self, c: Children) -> t.ActionDecl:
        keyword, verb, first, parts, gives, block = c
        return t.ActionDecl(keyword.start_pos, _end(c), _word(verb), first, parts, gives, _body(block))

    def parts_decl(self, c: Children) -> list[tuple[str, t.Param]]:
        return c

    def part_decl(self, c: Children) -> tuple[str, t.Param]:
        return str(c[0]), c[1]

    def value_decl(self, c: Children) -> t.ValueDecl:
        params = c[2] if len(c) == 5 else []
        last = c[-1]
        block = last if isinstance(last, list) else None
        return t.ValueDecl(
            _start(c[0]), _end(c), _word(c[1]), params, c[-2], None if block is not None else last, block
        )

    def _action_rule(self, timing: str, c: Children) -> t.ActionRule:
        return t.ActionRule(_start(c[0]), _end(c), timing, c[1], c[2], _body(c[3]))

    def before(self, c: Children) -> t.ActionRule:
        return self._action_rule("before", c)

    def after(self, c: Children) -> t.ActionRule:
        return self._action_rule("after", c)

    def instead_of(self, c: Children) -> t.ActionRule:
        return self._action_rule("instead of", c)

    def at_edge(self, c: Children) -> t.ActionRule:
        return self._action_rule("at start of" if "start" in c[0] else "at end of", c)

    def becomes_true(self, c: Children) -> t.StateRule:
        return t.StateRule(_start(c[0]), _end(c), c[1], _body(c[3]))

    def forbid(self, c: Children) -> t.Forbid:
        return t.Forbid(_start(c[0]), _end(c), c[1], c[2], _string(c[3]))

    def modify(self, c: Children) -> t.Modify:
        keyword, (name, params, slot), when, (change, amount) = c
        return t.Modify(keyword.start_pos, amount.end, name, params, slot, when, change, amount)

    def modified_value(self, c: Children) -> tuple[t.Word, list[t.Word], None]:
        return _word(c[0]), c[1] if len(c) > 1 else [], None

    def modified_field(self, c: Children) -> tuple[t.Word, None, t.Slot]:
        return _word(c[0]), None, c[1]

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
        return t.Grant(_start(c[0]), _end(c), c[1:-2], c[-2], c[-1])

    def offer(self, c: Children) -> t.Offer:
        label = _string(c[1])
        assert label is not None
        return t.Offer(_start(c[0]), _end(c), label, c[2], c[3], _body(c[4]))

    def pattern(self, c: Children) -> t.Pattern:
        return t.Pattern(_start(c[0]), _end(c), _word(c[0]), c[1], None, c[2])

    def pattern_token(self, c: Children) -> t.Pattern:
        first = self.slot([c[1]])
        return t.Pattern(_start(c[0]), _end(c), _word(c[0]), first, _word(c[2]), c[3])

    def pattern_parts(self, c: Children) -> list[tuple[str, t.Slot]]:
        return c

    def pattern_part(self, c: Children) -> tuple[str, t.Slot]:
        return str(c[0]), c[1]

    def slot(self, c: Children) -> t.Slot:
        head = c[0]
        start, end = _start(head), _end(c)
        if head.type == "INT":
            return t.Slot(start, end, None, None, int(head))
        if head.type == "NAME":
            return t.Slot(start, end, None, _word(head))
        name = c[1] if len(c) > 1 else None
        return t.Slot(start, end, _word(head), _word(name) if name is not None else None)

    def menu_use(self, c: Children) -> t.MenuUse:
        return t.MenuUse(_start(c[0]), _end(c), _word(c[0]), c[1] if len(c) > 1 else [])

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
        return t.Arrow(c[0].start, _end(c), c[0], c[1])

    def key_expr(self, c: Children) -> t.ArrowKey:
        return t.ArrowKey(c[0].start, _end(c), "value", c[0], c[1])

    def key_from(self, c: Children) -> t.ArrowKey:
        return t.ArrowKey(c[0].start, c[0].end + 2, "from", c[0], None)

    def key_to(self, c: Children) -> t.ArrowKey:
        return t.ArrowKey(c[0].start - 2, c[0].end, "to", c[0], None)

    def key_otherwise(self, c: Children) -> t.ArrowKey:
        return t.ArrowKey(_start(c[0]), _end(c), "otherwise", None, None)

    def _retrait(self, change: str, c: Children) -> t.Retrait:
        return t.Retrait(c[0].start, _end(c), change, c[0], c[1])

    def becomes(self, c: Children) -> t.Retrait:
        return self._retrait("becomes", c)

    def gains(self, c: Children) -> t.Retrait:
        return self._retrait("gains", c)

    def loses(self, c: Children) -> t.Retrait:
        return self._retrait("loses", c)

    def requires(self, c: Children) -> t.Requires:
        return t.Requires(_start(c[0]), _end(c), c[1], _string(c[2]))

    def if_(self, c: Children) -> t.If:
        branches: list[tuple[t.Expr, list[t.Stmt]]] = [(c[1], _body(c[2]))]
        otherwise: list[t.Stmt] | None = None
        for item in c[3:]:
            if len(item) == 2:
                branches.append(item)
            else:
                otherwise = item[0]
        return t.If(_start(c[0]), _end(c), branches, otherwise)

    def or_if(self, c: Children) -> tuple[t.Expr, list[t.Stmt]]:
        return c[0], _body(c[1])

    def otherwise(self, c: Children) -> tuple[list[t.Stmt]]:
        return (_body(c[0]),)

    def for_each(self, c: Children) -> t.ForEach:
        _, name, second, source, _chosen, by, block = c
        return t.ForEach(
            _start(c[0]), _end(c), _word(name), _word(second) if second else None, source, by, _body(block)
        )

    def repeat_forever(self, c: Children) -> t.Repeat:
        return t.Repeat(_start(c[0]), _end(c), None, None, _body(c[1]))

    def repeat_while(self, c: Children) -> t.Repeat:
        return t.Repeat(_start(c[0]), _end(c), c[1], None, _body(c[2]))

    def repeat_times(self, c: Children) -> t.Repeat:
        return t.Repeat(_start(c[0]), _end(c), None, c[1], _body(c[2]))

    def choose_one(self, c: Children) -> t.ChooseOne:
        return t.ChooseOne(_start(c[0]), _end(c), c[1], "up" in c[0], _string(c[2]), c[3])

    def may_block(self, c: Children) -> t.May:
        return t.May(c[0].start, _end(c), c[0], _string(c[1]), _body(c[2]))

    def may(self, c: Children) -> t.May:
        return t.May(c[0].start, _end(c), c[0], None, [c[1]])

    def call_block(self, c: Children) -> t.CallBlock:
        return t.CallBlock(c[0].start, _end(c), c[0], _body(c[1]))

    def until_edge(self, c: Children) -> t.Until:
        return t.Until(_start(c[0]), _end(c), _fold(str(c[0])), _word(c[1]), c[2:])

    def together(self, c: Children) -> t.Together:
        return t.Together(_start(c[0]), _end(c), _body(c[1]))

    def possible(self, c: Children) -> t.Possible:
        return t.Possible(_start(c[0]), _end(c), c[0].split()[0], _body(c[1]))

    def assign(self, c: Children) -> t.Assign:
        return t.Assign(c[0].start, c[1].end, c[0], c[1])

    def assign_do(self, c: Children) -> t.Assign:
        do = t.Do(_start(c[1]), c[2].end, c[2])
        return t.Assign(c[0].start, c[2].end, c[0], do)

    def let(self, c: Children) -> t.Let:
        return t.Let(_start(c[0]), c[2].end, _word(c[1]), c[2])

    def let_do(self, c: Children) -> t.Let:
        return t.Let(_start(c[0]), c[3].end, _word(c[1]), t.Do(_start(c[2]), c[3].end, c[3]))

    def do(self, c: Children) -> t.Do:
        return t.Do(_start(c[0]), c[1].end, c[1])

    def choose(self, c: Children) -> t.Choose:
        return t.Choose(_start(c[0]), _end(c), c[1], _word(c[2]), c[3], c[4], _string(c[5]))

    def open(self, c: Children) -> t.Open:
        _, _up_to, count, menu, by, prompt, passed = c
        return t.Open(_start(c[0]), _end(c), count, menu, by, _string(prompt), passed is not None)

    def give(self, c: Children) -> t.Give:
        return t.Give(_start(c[0]), c[1].end, c[1])

    def stop(self, c: Children) -> t.Stop:
        return t.Stop(_start(c[0]), _end(c), _word(c[1]) if c[1] else None)

    def go_to(self, c: Children) -> t.GoTo:
        return t.GoTo(_start(c[0]), c[1].end, c[1])

    def as_usual(self, c: Children) -> t.AsUsual:
        return t.AsUsual(_start(c[0]), _end(c), _word(c[1]) if c[1] else None, c[2])

    def nothing(self, c: Children) -> t.DoNothing:
        return t.DoNothing(_start(c[0]), _end(c))

    def qty_exactly(self, c: Children) -> t.Amount:
        return t.Amount(c[0].start, c[0].end, "exactly", c[0])

    def qty_up_to(self, c: Children) -> t.Amount:
        return t.Amount(_start(c[0]), c[1].end, "up to", c[1])

    def qty_at_least(self, c: Children) -> t.Amount:
        return t.Amount(_start(c[0]), c[1].end, "at least", c[1])

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
            _end(c),
            _word(verb),
            first,
            _word(token) if token is not None else None,
            parts,
            until,
        )

    def call_parts(self, c: Children) -> t.Call:
        return t.Call(_start(c[0]), _end(c), _word(c[0]), None, None, c[1], c[2])

    def parts(self, c: Children) -> list[tuple[str, t.Expr]]:
        return c

    def some_parts(self, c: Children) -> list[tuple[str, t.Expr]]:
        return c

    def part(self, c: Children) -> tuple[str, t.Expr]:
        return str(c[0]), c[1]

    # -------------------------------------------------------------- expressions
    def name(self, c: Children) -> t.Name:
        token = c[0]
        return t.Name(token.start_pos, token.end_pos, str(token))

    def capital(self, c: Children) -> t.Capital:
        token = c[0]
        return t.Capital(token.start_pos, token.end_pos, str(token))

    def number(self, c: Children) -> t.Number:
        token = c[0]
        return t.Number(token.start_pos, token.end_pos, _whole(token))

    def negative(self, c: Children) -> t.Number:
        token = c[-1]
        return t.Number(_start(c[0]) - (len(c) == 1), token.end_pos, -_whole(token))

    def target(self, c: Children) -> t.Target:
        token = c[0]
        return t.Target(token.start_pos, token.end_pos, _whole(token[:-1]))

    def dice(self, c: Children) -> t.Dice:
        token = c[0]
        count, _, sides = token.partition("d")
        return t.Dice(token.start_pos, token.end_pos, _whole(count or "1"), _whole(sides))

    def size(self, c: Children) -> t.Size:
        token = c[0]
        width, _, height = token.partition("x")
        return t.Size(token.start_pos, token.end_pos, _whole(width), _whole(height))

    def string(self, c: Children) -> t.Text:
        token = c[0]
        return t.Text(token.start_pos, token.end_pos, token[1:-1])

    def yes(self, c: Children) -> t.Truth:
        return t.Truth(c[0].start_pos, c[0].end_pos, True)

    def no(self, c: Children) -> t.Truth:
        return t.Truth(c[0].start_pos, c[0].end_pos, False)

    def none(self, c: Children) -> t.Nothing:
        return t.Nothing(c[0].start_pos, c[0].end_pos)

    def call_value(self, c: Children) -> t.CallValue:
        return t.CallValue(c[0].start_pos, c[2].end_pos, str(c[0]), c[1] or [])

    def trait_value(self, c: Children) -> t.TraitValue:
        return t.TraitValue(c[0].start_pos, c[2].end_pos, str(c[0]), c[1])

    def ask(self, c: Children) -> t.Ask:
        return t.Ask(c[0].start_pos, c[2].end_pos, str(c[0]), c[1])

    def new(self, c: Children) -> t.New:
        return t.New(c[0].start_pos, c[1].end_pos, str(c[1]))

    def group_(self, c: Children) -> t.Group:
        return t.Group(c[0].start_pos, c[2].end_pos, c[1])

    def set_literal(self, c: Children) -> t.Braces:
        return t.Braces(c[0].start_pos, c[2].end_pos, c[1] or [])

    def args(self, c: Children) -> list[t.Expr]:
        return c

    def entries(self, c: Children) -> list[t.Expr]:
        return c

    def entry_pair(self, c: Children) -> t.EntryPair:
        return t.EntryPair(c[0].start_pos, c[1].end, _word(c[0]), c[1])

    def dot(self, c: Children) -> t.Dot:
        name = c[2]
        return t.Dot(c[0].start, name.end_pos, c[0], str(name), name.start_pos)

    def of(self, c: Children) -> t.Of:
        return t.Of(c[0].start_pos, c[1].end, _word(c[0]), c[1])

    def index(self, c: Children) -> t.Index:
        return t.Index(c[0].start, c[2].end_pos, c[0], c[1])

    def binary(self, c: Children) -> t.Binary:
        left, op, right = c
        return t.Binary(left.start, right.end, _fold(str(op)), left, right)

    def is_not(self, c: Children) -> t.Binary:
        return t.Binary(c[0].start, c[3].end, "is not", c[0], c[3])

    def within(self, c: Children) -> t.Within:
        return t.Within(c[0].start, c[2].end, c[0], c[1], c[2])

    def in_span(self, c: Children) -> t.InSpan:
        return t.InSpan(c[0].start, c[2].end, c[0], c[1], c[2])

    def not_(self, c: Children) -> t.Not:
        return t.Not(c[0].start_pos, c[1].end, c[1])

    def pick(self, c: Children) -> t.Pick:
        return t.Pick(c[0].start, c[2].end, c[0], c[1], c[2])

    def agreed(self, c: Children) -> t.Agreed:
        text = _string(c[1])
        assert text is not None
        return t.Agreed(c[0].start_pos, c[2].end, text, c[2])

    def during(self, c: Children) -> t.During:
        return t.During(c[0].start_pos, _end(c), _word(c[1]), c[2])

    def query(self, c: Children) -> t.Query:
        return t.Query(c[0].start, c[1].end, None, c[0], c[1])

    def quantified(self, c: Children) -> t.Query:
        return t.Query(c[0].start_pos, _end(c), str(c[0]), c[1], c[2])

    def quantified_bare(self, c: Children) -> t.Query:
        return t.Query(c[0].start_pos, c[1].end, str(c[0]), c[1], None)

    def not_quantified(self, c: Children) -> t.Not:
        inner = t.Query(c[1].start_pos, c[2].end, str(c[1]), c[2], None)
        return t.Not(c[0].start_pos, inner.end, inner)

    def suffixes(self, c: Children) -> t.Suffixes:
        suffixes = t.Suffixes(c[0][1], c[-1][2], None, None, [], [])
        for form, _, _, value in c:
            setattr(suffixes, form, value)
        return suffixes

    def named(self, c: Children) -> tuple[str, int, int, t.Word]:
        word = _word(c[0])
        return "named", word.start, word.end, word

    def where(self, c: Children) -> tuple[str, int, int, t.Expr]:
        return "where", c[0].start_pos, c[1].end, c[1]

    def having(self, c: Children) -> tuple[str, int, int, list[t.Key]]:
        return "having", c[0].start, c[-1].end, c

    def ordered(self, c: Children) -> tuple[str, int, int, list[t.Key]]:
        return "ordered", c[0].start_pos, c[-1].end, c[1:]

    def shuffled(self, c: Children) -> t.Key:
        return t.Key(c[0].start_pos, c[0].end_pos, "random", None)

    def key_highest(self, c: Children) -> t.Key:
        return t.Key(c[0].start_pos, c[1].end, "highest", c[1])

    def key_lowest(self, c: Children) -> t.Key:
        return t.Key(c[0].start_pos, c[1].end, "lowest", c[1])

    # -------------------------------------------------------------- tests
    def test_decl(self, c: Children) -> t.TestDecl:
        title = _string(c[1])
        assert title is not None
        return t.TestDecl(_start(c[0]), _end(c), title, c[2:])

    def covers(self, c: Children) -> t.Covers:
        return t.Covers(_start(c[0]), _end(c), [_word(i) for i in c[1:]])

    def start_at(self, c: Children) -> t.StartAt:
        settings = [s for s in c[2:] if s is not None]
        return t.StartAt(_start(c[0]), _end(c), _word(c[1]), settings)

    def setting(self, c: Children) -> tuple[t.Word, t.Expr]:
        return _word(c[0]), c[1]

    def given(self, c: Children) -> t.Given:
        return t.Given(_start(c[0]), _end(c), _body(c[1]))

    def rig(self, c: Children) -> t.Rig:
        return t.Rig(_start(c[0]), _end(c), _word(c[1]), c[2])

    def answer(self, c: Children) -> t.Answer:
        return t.Answer(_start(c[0]), _end(c), c[1], c[2], c[3])

    def prompt(self, c: Children) -> t.Text:
        if c[0].type == "STRING":
            return t.Text(c[0].start_pos, c[0].end_pos, c[0][1:-1], True)
        return t.Text(c[0].start_pos, c[-1].end_pos, ".".join(c))

    def when_(self, c: Children) -> t.When:
        return t.When(_start(c[0]), _end(c), c[1:])

    def moment_bare(self, c: Children) -> t.Moment:
        return t.Moment(_start(c[0]), _end(c), _word(c[0]), _word(c[1]) if c[1] else None)

    def expect(self, c: Children) -> t.Expect:
        return t.Expect(_start(c[0]), _end(c), c[1])

    def scene(self, c: Children) -> t.Scene:
        return t.Scene(_start(c[0]), _end(c), _word(c[1]) if c[1] else None, _prose(c[2]), False)

    def expect_scene(self, c: Children) -> t.Scene:
        return t.Scene(_start(c[0]), _end(c), _word(c[2]) if c[2] else None, _prose(c[3]), True)

    def marks(self, c: Children) -> t.Marks:
        return t.Marks(_start(c[0]), _end(c), c[1:])

    def mark(self, c: Children) -> tuple[t.Word, t.Word]:
        return _word(c[0]), _word(c[1])


def _whole(digits: str) -> int:
    # A longer number would be refused by Python itself; the compiler reports anything this big.
    return int(digits) if len(digits) < 19 else 10**18
