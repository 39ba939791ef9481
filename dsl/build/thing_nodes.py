"""Things and components as nodes of the syntax tree."""

from __future__ import annotations

from talewright.dsl.build.node_parts import Children, body_of, end_of, prose_at, start_of, string_at, word_at
from talewright.dsl.tree import nodes as t


class Things:
    """Things and components of a game."""

    # -------------------------------------------------------------- things
    def thing_decl(self, c: Children) -> t.ThingDecl:
        kind, ids, title, copies, traits, items = c
        count, per = copies or (1, None)
        return t.ThingDecl(
            kind.start_pos,
            end_of(c),
            word_at(kind),
            ids,
            string_at(title),
            int(count),
            per,
            traits or [],
            items,
        )

    def ids(self, c: Children) -> list[t.Word]:
        return [word_at(i) for i in c]

    def copies(self, c: Children) -> tuple[str, None]:
        return c[0], None  # the token, which knows where it ends

    def copies_per(self, c: Children) -> tuple[int, t.Word]:
        return 1, word_at(c[0])

    def traits(self, c: Children) -> list[t.TraitUse]:
        return c

    def trait_use(self, c: Children) -> t.TraitUse:
        return t.TraitUse(start_of(c[0]), end_of(c), str(c[0]), c[1] if len(c) > 1 else [])

    def thing_body(self, c: Children) -> list[t.Item]:
        return c

    def inline_thing(self, c: Children) -> t.InlineThing:
        return t.InlineThing(start_of(c[0]), end_of(c), word_at(c[0]), word_at(c[1]), string_at(c[2]), c[3:])

    def cast(self, c: Children) -> t.Cast:
        return t.Cast(start_of(c[0]), end_of(c), c[1:])

    def drawn(self, c: Children) -> t.Drawn:
        return t.Drawn(start_of(c[0]), end_of(c), word_at(c[0]), c[1:])

    def ends_when(self, c: Children) -> t.EndsWhen:
        return t.EndsWhen(start_of(c[0]), end_of(c), c[1])

    def own_reads(self, c: Children) -> t.OwnWording:
        text = string_at(c[0])
        assert text is not None
        return t.OwnWording(text.start, text.end, text)

    def field(self, c: Children) -> t.FieldValue:
        path, reads, (form, body) = c
        end = end_of(body) or path[-1].end
        return t.FieldValue(path[0].start, end, path, body, form, string_at(reads))

    def path(self, c: Children) -> list[t.Word]:
        return [word_at(n) for n in c]

    def value_line(self, c: Children) -> tuple[str, list[t.Stmt]]:
        return "line", c[0]

    def value_prose(self, c: Children) -> tuple[str, list[t.Stmt]]:
        return "prose", [prose_at(c[0])]

    def value_block(self, c: Children) -> tuple[str, list[t.Stmt]]:
        return "block", c[0]

    def value_possible(self, c: Children) -> tuple[str, list[t.Stmt]]:
        return "block", [c[0]]

    def cast_line(self, c: Children) -> t.CastLine:
        groups, place, traits, items = c
        return t.CastLine(groups[0][1].start, end_of(c), groups, place, traits or [], items)

    def groups(self, c: Children) -> list[tuple[int, t.Word]]:
        return c

    def group(self, c: Children) -> tuple[int, t.Word]:
        return (1 if c[0] is None else int(c[0])), word_at(c[1])

    def row(self, c: Children) -> list[tuple[t.Word, str]]:
        return c

    def cell(self, c: Children) -> tuple[t.Word, str]:
        return word_at(c[0]), str(c[1]) if len(c) > 1 and c[1] is not None else ""

    # -------------------------------------------------------------- components
    def container_decl(self, c: Children) -> t.ContainerDecl:
        return t.ContainerDecl(
            start_of(c[0]),
            end_of(c),
            str(c[0]),
            word_at(c[1]),
            word_at(c[2]),
            c[3],
            c[4],
            string_at(c[5]),
        )

    def token_decl(self, c: Children) -> t.TokenDecl:
        return t.TokenDecl(start_of(c[0]), end_of(c), c[1], int(c[2]), string_at(c[3]))

    def track_decl(self, c: Children) -> t.TrackDecl:
        keyword, name, (low, high, end), begin, (per, flags), reads, hooks = c
        return t.TrackDecl(
            keyword.start_pos,
            end,
            [word_at(name)],
            low,
            high,
            begin,
            per,
            flags,
            hooks,
            False,
            string_at(reads),
        )

    def track_body(self, c: Children) -> list[t.Hook]:
        return c

    def hook(self, c: Children) -> t.Hook:
        return t.Hook(start_of(c[0]), end_of(c), str(c[0]), [int(n) for n in c[1:-1]], body_of(c[-1]))

    def die_decl(self, c: Children) -> t.DieDecl:
        count = int(c[2][0]) if c[2] else 1
        line = c[3] if isinstance(c[3], list) else []
        return t.DieDecl(start_of(c[0]), end_of(c), word_at(c[1]), count, [] if line else c[3:], line)

    def table_decl(self, c: Children) -> t.TableDecl:
        params = c[2] if len(c) == 4 else []
        return t.TableDecl(start_of(c[0]), end_of(c), word_at(c[1]), params, c[-1])

    def role_decl(self, c: Children) -> t.RoleDecl:
        keyword, name, span, parents, seat, reads, members = c
        low, high = (span[0], span[1]) if span else (1, 1)
        return t.RoleDecl(
            keyword.start_pos,
            end_of(c),
            word_at(name),
            low,
            high,
            parents or [],
            word_at(seat) if seat else None,
            members,
            string_at(reads),
        )

    def team_decl(self, c: Children) -> t.TeamDecl:
        return t.TeamDecl(
            start_of(c[0]), end_of(c), word_at(c[1]), word_at(c[2]), word_at(c[3]) if c[3] else None
        )

    def option_decl(self, c: Children) -> t.OptionDecl:
        return t.OptionDecl(start_of(c[0]), end_of(c), word_at(c[1]), c[2], c[3], string_at(c[4]))

    def state_decl(self, c: Children) -> t.StateDecl:
        per, flags = c[4]
        said = string_at(c[5])
        return t.StateDecl(start_of(c[0]), end_of(c[:4]), word_at(c[1]), c[2], c[3], per, flags, said)

    def plan_decl(self, c: Children) -> t.PlanDecl:
        return t.PlanDecl(start_of(c[0]), end_of(c), word_at(c[1]), c[2] is not None, c[3:])

    def movement_decl(self, c: Children) -> t.MovementDecl:
        return t.MovementDecl(
            start_of(c[0]), end_of(c), word_at(c[1]), word_at(c[2]) if c[2] else None, c[3:]
        )

    def clause(self, c: Children) -> t.Clause:
        return t.Clause(start_of(c[0]), end_of(c), word_at(c[0]), str(c[1]), c[2])

    def payment_decl(self, c: Children) -> t.PaymentDecl:
        return t.PaymentDecl(start_of(c[0]), end_of(c), word_at(c[1]), c[2:])

    def pay_thing(self, c: Children) -> t.PayRule:
        most = int(c[5]) if c[5] is not None else None
        return t.PayRule(
            start_of(c[0]), end_of(c), word_at(c[0]), None, word_at(c[1]), word_at(c[2]), c[3], most
        )

    def pay_token(self, c: Children) -> t.PayRule:
        most = int(c[5]) if c[5] is not None else None
        return t.PayRule(
            start_of(c[0]), end_of(c), word_at(c[0]), word_at(c[1]), None, word_at(c[2]), c[3], most
        )

    def period_decl(self, c: Children) -> t.PeriodDecl:
        return t.PeriodDecl(start_of(c[0]), end_of(c), word_at(c[1]), c[2], string_at(c[3]))

    def menu_decl(self, c: Children) -> t.MenuDecl:
        params = c[2] if len(c) == 5 else []
        once, passing = c[-2], c[-1]
        return t.MenuDecl(
            start_of(c[0]),
            end_of(c),
            word_at(c[1]),
            params,
            word_at(once) if once else None,
            string_at(passing),
        )

    def anytime_decl(self, c: Children) -> t.AnytimeDecl:
        return t.AnytimeDecl(start_of(c[0]), end_of(c), c[1], c[2], body_of(c[3]))

    def while_decl(self, c: Children) -> t.WhileDecl:
        return t.WhileDecl(start_of(c[0]), end_of(c), c[1], c[2:])

    def check_decl(self, c: Children) -> t.CheckDecl:
        return t.CheckDecl(start_of(c[0]), end_of(c), c[1], string_at(c[2]))

    def measure_decl(self, c: Children) -> t.MeasureDecl:
        return t.MeasureDecl(start_of(c[0]), end_of(c), word_at(c[1]), c[2])

    def order_decl(self, c: Children) -> t.OrderDecl:
        return t.OrderDecl(start_of(c[0]), end_of(c), word_at(c[1]), c[2])

    def start_after(self, c: Children) -> t.StartAfterDecl:
        return t.StartAfterDecl(start_of(c[0]), end_of(c), word_at(c[1]))
