"""The core's verbs as calls into the kernel."""

from __future__ import annotations

from talewright.runtime.askcode import AskCode
from talewright.runtime.codeparts import Code
from talewright.runtime.layout import IR


class Verbs(AskCode):
    """One method a verb; each gives a Python expression."""

    def _moving(self, ir: IR, args: IR, code: Code, under: bool = False) -> str:
        into = self.into(args, code)
        first = self.x(args["first"], code)
        tail = ", True" if under else ""
        return f"put_all({first}, {into}{tail})" if ir.get("many") else f"put_in({first}, {into}{tail})"

    def core_move(self, ir: IR, args: IR, code: Code) -> str:
        return self._moving(ir, args, code)

    core_place = core_put = core_put_at = core_put_on = core_station = core_move

    def core_move_under(self, ir: IR, args: IR, code: Code) -> str:
        return self._moving(ir, args, code, True)

    def core_move_count(self, ir: IR, args: IR, code: Code) -> str:
        return f"move_count({self.x(args['first'], code)}, {self.x(args['from'], code)}, {self.into({'to': args['to']}, code)})"

    def core_discard(self, ir: IR, args: IR, code: Code) -> str:
        if "to" in args:
            return self._moving(ir, args, code)
        first = self.x(args["first"], code)
        return f"discard({first}, {bool(ir.get('many'))})"

    def core_remove(self, ir: IR, args: IR, code: Code) -> str:
        first = self.x(args["first"], code)
        if "from" in args:
            return f"remove_from({first}, {self.x(args['from'], code)}, {bool(ir.get('many'))})"
        return f"put_all({first}, BOX)" if ir.get("many") else f"put_in({first}, BOX)"

    def core_put_token(self, ir: IR, args: IR, code: Code) -> str:
        return f"put_token({self.x(args['first'], code)}, {self.x(args['token'], code)}, {self.x(args['on'], code)})"

    def core_take_token(self, ir: IR, args: IR, code: Code) -> str:
        return f"take_token({self.x(args['first'], code)}, {self.x(args['token'], code)}, {self.x(args['from'], code)})"

    def core_take(self, ir: IR, args: IR, code: Code) -> str:
        return f"take_some({self.x(args['first'], code)}, {self.x(args['from'], code)})"

    def core_draw(self, ir: IR, args: IR, code: Code) -> str:
        source = self.x(args["from"], code)
        if "until" in ir:
            name = self.bind(code, ir["n"])
            return f"draw_until({source}, lambda {name}: {self.c(ir['until'], code)})"
        if "into" in args or "under" in args:
            into = self.into({k: v for k, v in args.items() if k in ("into", "under")}, code)
            if "first" not in args:
                return f"draw_one_into({source}, {into}, {'under' in args})"
            count = self.x(args["first"], code)
            return f"draw_into({source}, {count}, {into}, {'under' in args})"
        if "first" in args:
            return f"draw_many({source}, {self.x(args['first'], code)})"
        return f"draw({source})"

    def core_roll(self, ir: IR, args: IR, code: Code) -> str:
        purpose = self.x(args["for"], code) if "for" in args else "None"
        roller = self.x(args["by"], code) if "by" in args else "None"
        first = self.x(args["first"], code)
        if "from" in args:
            into = self.into({"into": args["into"]}, code) if "into" in args else "None"
            return f"roll_things({first}, {self.x(args['from'], code)}, {into}, {purpose})"
        if "until" in ir:
            name = self.bind(code, ir["n"])
            return f"roll_until({first}, {purpose}, {roller}, lambda {name}: {self.c(ir['until'], code)})"
        return f"{'roll_counted' if self.counts_rolls else 'roll'}({first}, {purpose}, {roller})"

    counts_rolls = False

    def core_reroll(self, ir: IR, args: IR, code: Code) -> str:
        return f"reroll({self.x(args['first'], code)})"

    def core_flip(self, ir: IR, args: IR, code: Code) -> str:
        return f"flip({self.x(args['first'], code)})"

    def core_shuffle(self, ir: IR, args: IR, code: Code) -> str:
        return f"shuffle({self.x(args['first'], code)})"

    def core_reveal(self, ir: IR, args: IR, code: Code) -> str:
        first = self.x(args["first"], code)
        return f"reveal_all({first})" if ir.get("many") else f"reveal({first})"

    def core_show(self, ir: IR, args: IR, code: Code) -> str:
        first = self.x(args["first"], code)
        to = self.x(args["to"], code)
        return f"show_all({first}, {to})" if ir.get("many") else f"show({first}, {to})"

    def core_exchange(self, ir: IR, args: IR, code: Code) -> str:
        return f"exchange({self.x(args['first'], code)}, {self.x(args['with'], code)})"

    def core_say(self, ir: IR, args: IR, code: Code) -> str:
        first = args["first"]
        text = self.prompt(first, code) if first["op"] == "text" else self.x(first, code)
        if not code.page:
            return f"say({text})"
        # Stories say little else than what stands in their fields.
        return (
            f"SAID.append(t_) if type(t_ := {text}) is str and t_ and GAME.listener is None else GAME.say(t_)"
        )

    def core_match(self, ir: IR, args: IR, code: Code) -> str:
        return self.x(args["first"], code)

    def core_play(self, ir: IR, args: IR, code: Code) -> str:
        return f"play_page({self.x(args['first'], code)})"

    def core_end_chapter(self, ir: IR, args: IR, code: Code) -> str:
        return "None"

    def core_chapter(self, ir: IR, args: IR, code: Code) -> str:
        return "None"

    core_game = core_chapter
    core_next_line = core_chapter

    def core_run(self, ir: IR, args: IR, code: Code) -> str:
        return self.run_effect({"of": args["first"], "args": []}, code)

    def core_follow(self, ir: IR, args: IR, code: Code) -> str:
        return f"follow_edges({self.x(args['first'], code)}, {self.x(args['by'], code)})"

    def core_arrange(self, ir: IR, args: IR, code: Code) -> str:
        point = self.point(ir, code, "next", "arrange", None)
        group = self.group(["thing", "Thing", []])
        return f"arrange({point}, {self.x(args['by'], code)}, {self.x(args['first'], code)}, {group})"

    def core_record(self, ir: IR, args: IR, code: Code) -> str:
        return f"GAME.record({self.x(args['first'], code)})"

    def core_pay(self, ir: IR, args: IR, code: Code) -> str:
        point = self.point(ir, code, "pay", "pay", None)
        by = self.x(args["by"], code) if "by" in args else "None"
        into = self.into({"into": args["into"]}, code) if "into" in args else "None"
        cost, sources, way = (self.x(args[part], code) for part in ("first", "from", "using"))
        return f"pay({point}, {by}, {cost}, {sources}, {way}, {into})"

    def core_stage(self, ir: IR, args: IR, code: Code) -> str:
        return f"stage({self.x(args['first'], code)})"

    def core_clear(self, ir: IR, args: IR, code: Code) -> str:
        return f"clear_area({self.x(args['first'], code)})"

    def core_stand(self, ir: IR, args: IR, code: Code) -> str:
        return f"stand({self.x(args['first'], code)}, {self.x(args['at'], code)})"

    def core_walk(self, ir: IR, args: IR, code: Code) -> str:
        return f"walk({self.x(args['first'], code)}, {self.x(args['to'], code)})"

    def core_join(self, ir: IR, args: IR, code: Code) -> str:
        mark = self.x(args["at"], code) if "at" in args else "None"
        return f"join_piece({self.x(args['first'], code)}, {self.x(args['to'], code)}, {mark})"

    def core_lay(self, ir: IR, args: IR, code: Code) -> str:
        return f"lay_piece({self.x(args['first'], code)}, {self.x(args['on'], code)})"

    def core_link(self, ir: IR, args: IR, code: Code) -> str:
        return f"link_cells({self.x(args['first'], code)}, {self.x(args['with'], code)})"
