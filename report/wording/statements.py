"""Statements as clauses and sentences: what happens, in order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from talewright.report.wording.conditions import negated
from talewright.report.wording.expressions import IT
from talewright.report.wording.phrases import (
    Clause,
    Phrase,
    head_noun,
    imperative,
    is_order,
    is_plural,
    is_so,
    keyword,
    listed,
    sentence,
    singular,
    third_person,
    words,
)
from talewright.report.wording.surroundings import Referent, Surroundings, always
from talewright.report.wording.templates import clause, needed
from talewright.schemas.nodes import arguments, literals, names, operators, reads, rules, tables
from talewright.schemas.nodes import statements as st
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.declared import ActionDeclaration
from talewright.schemas.nodes.literals import IntLiteral
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import replace

if TYPE_CHECKING:
    from talewright.report.wording.speaker import Speaker

NOTHING = "nothing happens"
_SET = re.compile(r"([^,:;.]+) becomes (\d+)")
# An action without wording reads as what it does if that is at most so many statements.
MOST_INLINED = 3
_CALLS = (st.Call, st.CoreCall, st.RunEffect, st.RunTable, st.ForEach, st.DoNothing)
_QUIET = ("say", "next_line", "record")
_DONE = (
    arguments.DonePoolTotal, arguments.DoneDieValue, arguments.DoneSlotContent, arguments.DonePileItems,
    arguments.DoneSortCopies, arguments.DonePoolDice, arguments.DoneFixedDice, arguments.DoneOneCopy,
    arguments.DoneProperty, arguments.DoneEachDie,
)  # fmt: skip


class Statements:
    """Words for statements."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker = speaker

    # -------------------------------------------------------------- whole bodies
    def sentences(self, body: Sequence[Node], around: Surroundings) -> str:
        """A body as sentences, one after the other."""
        return " ".join(sentence(said) for said in self.clauses(body, around) if said)

    def clauses(self, body: Sequence[Node], around: Surroundings) -> list[str]:
        """What a body does, each step as a clause; a choice and what is done with it are one step."""
        made: list[str] = []
        joined = False
        for statement in body:
            for said in self.steps(statement, around):
                if joined and made and not said.startswith(("if ", "until ", "choose one")):
                    order = made[-1].startswith("choose ") and is_order(said)
                    made[-1] += f" and {said}" if order else f"; {said}"
                else:
                    made.append(said)
            joined = isinstance(statement, st.Choose)
        return _counted(_set_together(made))

    def joined(self, body: Sequence[Node], around: Surroundings) -> str:
        """A body as one clause: `do this, then that`."""
        return self._told(body, around) or NOTHING

    def _told(self, body: Sequence[Node], around: Surroundings) -> str:
        """As `joined`; empty where players are told nothing."""
        return ", then ".join(said.rstrip(".") for said in self.clauses(body, around))

    def steps(self, node: Node, around: Surroundings) -> list[str]:
        """The clauses of one statement; none where players are told nothing."""
        if around.too_deep:
            return ["..."]
        lifted = _without_pick(node)
        if lifted is not None:
            return self.steps(lifted, around)
        around.depth += 1
        try:
            return [said for said in self._steps(node, around) if said]
        finally:
            around.depth -= 1

    def _steps(self, node: Node, around: Surroundings) -> list[str]:
        phrase = self.speaker.expressions.phrase
        match node:
            case st.Call() | st.CoreCall() | st.RunEffect() | st.RunTable():
                return self._done(node, around)
            case st.ForEach():
                return self._for_each(node, around)
            case st.DoNothing():
                return [NOTHING]
            case st.Let():
                return self._let(node, around)
            case st.Assign() | st.Change() if self._remembered(node.target):
                return []
            case st.Assign():
                return [self._assigned(node, around)]
            case st.Change():
                return [self.change(node, around).finite()]
            case st.Extend() | st.Fill():
                return [f"add {phrase(node.items, around).text} to {phrase(node.target, around).text}"]
            case st.Shrink():
                return [f"take {phrase(node.items, around).text} from {phrase(node.target, around).text}"]
            case st.Choose():
                return [self._choose(node, around)]
            case st.OpenMenu():
                who = phrase(node.by, around)
                times = f" up to {phrase(node.up_to, around).text} times" if node.up_to is not None else ""
                what = f" from the {words(node.menu.id)}{times}"
                return [Clause(who, "chooses", "choose", what).finite()]
            case st.Give():
                return []
            case st.Stop():
                return [f"end {self.speaker.vocabulary.moment(node.moment)}" if node.moment else "stop"]
            case st.GoTo():
                return [self._gone_to(node.target, around)]
            case st.AsUsual():
                return [self._as_usual(node, around)]
            case st.May():
                return [self._may(node, around)]
            case st.Retrait():
                return [self._retrait(node, around)]
            case st.Requires():
                return []
            case st.If():
                return [self._if(node, around)]
            case st.Repeat():
                return [self._repeat(node, around)]
            case st.ChooseOne():
                return [self._choose_one(node, around)]
            case st.Until():
                return self._until(node, around)
            case st.Together():
                return self.clauses(node.body, around)
            case st.Possible():
                members = [self.joined([member], around) for member in node.members]
                if node.mode == "all":
                    return [", and then ".join(members) + ", as far as possible"]
                return ["do the first of these that is possible: " + "; or ".join(members)]
            case st.Branch():
                return [self._branch(node, around)]
        return []

    def _gone_to(self, node: Node, around: Surroundings) -> str:
        """A way to another page; an ending is told with how it counts."""
        page = self._page(node, around)
        found = self.speaker.vocabulary.things.get(node.id) if isinstance(node, names.ThingRef) else None
        if found is None or not self.speaker.vocabulary.is_a(found.kind, "Ending"):
            return f"go to {page}"
        result = (found.fields or {}).get("result")
        counts = f" ({words(result.value)})" if isinstance(result, literals.WordLiteral) else ""
        return f"the game ends: {page}{counts}"

    def _page(self, node: Node, around: Surroundings) -> str:
        """A chapter or ending by its whole title."""
        found = self.speaker.vocabulary.things.get(node.id) if isinstance(node, names.ThingRef) else None
        if found is not None and found.title:
            return f"“{found.title}”"
        return self.speaker.expressions.phrase(node, around).text

    # -------------------------------------------------------------- calls
    def _done(self, node: Node, around: Surroundings) -> list[str]:
        if isinstance(node, st.CoreCall) and node.verb in _QUIET:
            return []
        if isinstance(node, st.Call):
            inlined = self._inlined(node, around)
            if inlined is not None:
                return inlined
            action = self.speaker.vocabulary.actions.get(node.action)
            if action is not None and action.reads == "":
                return []
        return [self.doing(node, around).finite()]

    def doing(self, node: Node, around: Surroundings) -> Clause:
        """A call as a clause."""
        phrase = self.speaker.expressions.phrase
        match node:
            case st.Call():
                return self.call(node, around)
            case st.CoreCall():
                return self.speaker.core_verbs.call(node, around)
            case st.RunEffect():
                return imperative(self._effect(node, around))
            case st.RunTable():
                return imperative(f"look up {phrase(node.of, around).text}")
            case st.ForEach():
                return imperative(", then ".join(self._for_each(node, around)))
            case st.DoNothing():
                return imperative("do nothing")
            case arguments.DoneFunction():
                return self.doing(node.args[0], around)
            case arguments.DoneSet():
                return self.doing(node.items[0], around) if node.items else imperative("do nothing")
        if isinstance(node, _DONE):
            return self.doing(node.of, around)
        return imperative(f"find {phrase(node, around).text}")

    def _effect(self, node: st.RunEffect, around: Surroundings) -> str:
        of = node.of
        if isinstance(of, names.LocalRef) and of.number in around.known:
            return around.known[of.number].mention().text
        return f"carry out {self.speaker.expressions.phrase(of, around).text}"

    def arguments_of(
        self, action: ActionDeclaration, args: Sequence[Node | None], around: Surroundings
    ) -> dict[str, Phrase]:
        """The phrases for the parameters that a call gives, by name."""
        made: dict[str, Phrase] = {}
        always_shown = needed(action.reads or "")
        for parameter, arg in zip(action.params, args, strict=False):
            if arg is None and parameter.name in always_shown and isinstance(parameter.default, IntLiteral):
                arg = parameter.default
            if arg is not None:
                made[parameter.name] = self._argument(arg, around)
        return made

    def _argument(self, arg: Node, around: Surroundings) -> Phrase:
        match arg:
            case arguments.Anything():
                return Phrase("anything")
            case arguments.AnyOf():
                return self.speaker.vocabulary.group(arg.kind).some()
            case arguments.EffectBlock():
                return Phrase(self.joined(arg.body, around))
        group = self.speaker.expressions.group(arg, around)
        if group is not None and not isinstance(arg, names.SortRef):
            return group.whole() if isinstance(arg, reads.PileItems | names.ThingsOfKind) else group.plain()
        return self.speaker.expressions.phrase(arg, around)

    def call(self, node: st.Call, around: Surroundings) -> Clause:
        """A call of a declared action: as it reads, or by its verb and parts."""
        action = self.speaker.vocabulary.actions.get(node.action)
        if action is None:
            return imperative(words(node.action))
        return self.worded(action, self.arguments_of(action, node.args, around))

    def worded(self, action: ActionDeclaration, given: dict[str, Phrase]) -> Clause:
        """An action with phrases for some of its parameters."""
        if action.reads is not None:
            return clause(action.reads, given.get)
        subject: Phrase | None = None
        rest = ""
        for parameter in action.params:
            phrase = given.get(parameter.name)
            if phrase is None:
                continue
            if parameter.preposition == "by" and self._decides(parameter.type) and subject is None:
                subject = phrase
            elif parameter.preposition:
                rest += f" {parameter.preposition} {phrase.text}"
            else:
                rest += f" {phrase.text}"
        verb, _, more = words(action.verb).partition(" ")
        more = f" {more}" if more else ""
        return Clause(subject, third_person(verb) + more, verb + more, rest)

    def _decides(self, type_: Type) -> bool:
        kind = self.speaker.vocabulary.typed(type_)
        return type_.tag == "role" or (bool(kind) and self.speaker.vocabulary.is_role(kind))

    def _inlined(self, node: st.Call, around: Surroundings) -> list[str] | None:
        """What an action without wording does, where that is short; none where it is not."""
        action = self.speaker.vocabulary.actions.get(node.action)
        if (
            action is None
            or action.reads is not None
            or action.id in around.inlined
            or len(around.inlined) > 2
        ):
            return None
        body = [one for one in action.body if not isinstance(one, st.Requires | st.Give)]
        if not 0 < len(body) <= MOST_INLINED or not all(isinstance(one, _SIMPLE) for one in body):
            return None
        known: dict[int, Referent] = {}
        for parameter, arg in zip(action.params, node.args, strict=False):
            value = arg if arg is not None else parameter.default
            if value is not None:
                phrase = self._argument(value, around)
                known[parameter.local] = Referent(phrase, phrase)
        inner = Surroundings(action.locals, known, around.own, around.traits, around.depth + 1)
        inner.inlined = (*around.inlined, action.id)
        return self.clauses(body, inner)

    # -------------------------------------------------------------- changes
    def change(self, node: st.Change, around: Surroundings) -> Clause:
        """A number that goes up or down."""
        amount = self.speaker.expressions.phrase(node.by, around)
        target = node.target
        if isinstance(target, reads.FieldOf):
            noun = self._counted(
                self.speaker.vocabulary.field_noun(target.owner, target.name),
                self.speaker.vocabulary.is_worded(target.owner, target.name),
                amount,
            )
            of = self.speaker.expressions.phrase(target.of, around)
            one, many = ("gains", "gain") if node.sign > 0 else ("loses", "lose")
            if amount.number is None and amount.person == "number":
                return Clause(of, one, many, f" {noun} equal to {amount.text}")
            return Clause(of, one, many, f" {amount.text} {noun}")
        phrase = self.speaker.expressions.phrase(target, around)
        if isinstance(target, names.TrackRef) and not phrase.text.startswith("the "):
            verb = "gain" if node.sign > 0 else "lose"
            said = self.speaker.vocabulary.noun("track", target.id)
            phrase = Phrase(self._counted(said or phrase.text, said is not None, amount))
            if amount.number is None and amount.person == "number":
                return imperative(f"{verb} {phrase.text} equal to {amount.text}")
            return imperative(f"{verb} {amount.text} {phrase.text}")
        one, many = ("rises", "rise") if node.sign > 0 else ("falls", "fall")
        subject = Phrase(phrase.text, "many" if is_plural(phrase.text) else "one")
        return Clause(subject, one, many, f" by {amount.text}")

    def _counted(self, noun: str, worded: bool, amount: Phrase) -> str:
        """What so many of something are called: in the forms that its wording gives; a plural that is only its name in the code
        has a singular."""
        one, bar, many = noun.partition("|")
        if amount.number == 1:
            return singular(one) if not worded and is_plural(one) else one
        return many if bar else one

    def _remembered(self, target: Node) -> bool:
        """Whether it is a state or field that reads as nothing: what only the table remembers."""
        if isinstance(target, reads.FieldOf):
            return self.speaker.vocabulary.is_silent(target.owner, target.name)
        return isinstance(target, names.StateRef) and self.speaker.vocabulary.noun("state", target.id) == ""

    def _assigned(self, node: st.Assign, around: Surroundings) -> str:
        target, value = node.target, node.value
        if isinstance(target, reads.FieldOf) and isinstance(value, literals.TruthLiteral):
            of = self.speaker.expressions.phrase(target.of, around)
            noun = self.speaker.vocabulary.field_noun(target.owner, target.name)
            return is_so(of, noun, "now" if value.value else "no longer")
        shown = self.speaker.expressions.phrase(target, around).text
        if isinstance(target, names.StateRef) and isinstance(value, literals.TruthLiteral):
            said = self.speaker.conditions.clause(target, around)
            return f"from now on {said if value.value else negated(said)}"
        if isinstance(value, st.Call | st.CoreCall | st.RunEffect):
            return f"{self.doing(value, around).finite()}: that is {shown}"
        return f"{shown} becomes {self.speaker.expressions.phrase(value, around).text}"

    def _retrait(self, node: st.Retrait, around: Surroundings) -> str:
        who = self.speaker.expressions.phrase(node.target, around)
        traits = [self.speaker.expressions.phrase(one, around).text for one in node.traits]
        if node.change == "becomes" and len(traits) > 1:
            return Clause(who, "now has", "now have", f" {listed(traits)}").told()
        if node.change == "becomes":
            return Clause(who, "becomes", "become", f" {keyword(traits[0])}").told()
        one, many = {"gains": ("gains", "gain"), "loses": ("loses", "lose")}[node.change]
        return Clause(who, one, many, f" {listed(traits)}").told()

    def _let(self, node: st.Let, around: Surroundings) -> list[str]:
        value = node.value
        kind = self._local_kind(node.local, around)
        short = Phrase(f"that {kind}") if kind else IT
        if isinstance(value, (*_CALLS, *_DONE)):
            said = self.doing(value, around).finite()
            inner: Node = value
            while isinstance(inner, _DONE):
                inner = inner.of
            rolled = isinstance(inner, st.CoreCall) and inner.verb == "roll"
            around.known[node.local] = always(Phrase("the roll", "number") if rolled else IT)
            return [said]
        phrase = self.speaker.expressions.phrase(value, around)
        around.known[node.local] = Referent(phrase, short if kind else phrase)
        return []

    def _local_kind(self, local: int, around: Surroundings) -> str:
        if local >= len(around.locals):
            return ""
        kind = self.speaker.vocabulary.typed(around.locals[local].type)
        return self.speaker.vocabulary.group(kind).one if kind else ""

    # -------------------------------------------------------------- decisions
    def _choose(self, node: st.Choose, around: Surroundings) -> str:
        who = self.speaker.expressions.phrase(node.by, around)
        group = self.speaker.expressions.group(node.source, around)
        amount = self.speaker.expressions.phrase(node.amount, around) if node.amount is not None else None
        several = amount is not None and amount.number != 1
        if group is None:
            kind = self.speaker.vocabulary.typed(node.type)
            source = self.speaker.expressions.phrase(node.source, around).text
            if kind:
                group = self.speaker.vocabulary.group(kind).with_test(f"among {source}")
        if group is None:
            what = f" {self.speaker.expressions.phrase(node.source, around).text}"
        elif several and amount is not None:
            how = {"up to": "up to ", "at least": "at least "}.get(node.mode or "", "")
            what = f" {how}{amount.text} {group.plain().text}"
        elif node.mode in ("up to", "optional"):
            what = f" up to one {group.one}{group.tail}"
        else:
            what = f" {group.some().text}"
        noun = self.speaker.vocabulary.typed(node.type) if self._is_person(node.type) else ""
        short = Phrase(f"that {self.speaker.vocabulary.group(noun).one}") if noun else IT
        if several:
            short = Phrase("them", "many")
        around.known[node.local] = always(short)
        return Clause(who, "chooses", "choose", what).finite()

    def _is_person(self, type_: Type) -> bool:
        kind = self.speaker.vocabulary.typed(type_)
        return bool(kind) and self.speaker.vocabulary.is_a(kind, "Figure")

    def _may(self, node: st.May, around: Surroundings) -> str:
        who = self.speaker.expressions.phrase(node.by, around)
        if len(node.body) == 1 and isinstance(node.body[0], st.Call | st.CoreCall | st.Change):
            one = node.body[0]
            done = self.change(one, around) if isinstance(one, st.Change) else self.doing(one, around)
            if done.subject is None or done.subject.text in (who.text, IT.text):
                return f"{who.text} may {done.base()}"
            return f"{who.text} may have {done.subject.text} {done.base()}"
        return f"{who.text} may {self.joined(node.body, around)}"

    def _choose_one(self, node: st.ChooseOne, around: Surroundings) -> str:
        who = self.speaker.expressions.phrase(node.by, around)
        options = []
        for option in node.options:
            label = self.speaker.expressions.text(option.label, around).strip().rstrip(".")
            when = (
                f" (if {self.speaker.conditions.clause(option.when, around)})"
                if option.when is not None
                else ""
            )
            done = self.joined(option.body, around.with_names({}))
            options.append(f"“{label}”{when}" if done == NOTHING else f"“{label}”{when}: {done}")
        how = "may choose" if node.optional else "choose" if not who.singular else "chooses"
        if who.person == "you" and not node.optional:
            return f"choose one: {'; '.join(options)}"
        return f"{who.text} {how} one: {'; '.join(options)}"

    # -------------------------------------------------------------- branches and loops
    def _if(self, node: st.If, around: Surroundings) -> str:
        told: list[tuple[Node, str, str]] = []
        for test, body in node.branches:
            condition = self.speaker.conditions.clause(test, around)
            told.append((test, condition, self._told(body, around.with_names({}))))
        otherwise = self._told(node.otherwise, around.with_names({})) if node.otherwise else ""
        otherwise = "" if otherwise == NOTHING else otherwise
        while told and not told[-1][2] and not otherwise:
            told.pop()
        if not told:
            return otherwise
        if all(not done for _, _, done in told):
            # Players are told nothing of what happens then: they are told when the rest happens.
            unless = " and ".join(self.speaker.conditions.opposite(test, around) for test, _, _ in told)
            return f"if {unless}, {otherwise}"
        said = ""
        for index, (_, condition, done) in enumerate(told):
            word = "if" if index == 0 else "; otherwise, if"
            said += f"{word} {condition}, {done or NOTHING}"
        return f"{said}; otherwise {otherwise}" if otherwise else said

    def _for_each(self, node: st.ForEach, around: Surroundings) -> list[str]:
        group = self.speaker.expressions.group(node.of, around)
        if group is not None and node.second is None:
            later = f"that {head_noun(group.one)}"
            around.known[node.local] = Referent(group.each(), Phrase(later))
            made = _subject_once(self.clauses(node.body, around), group.each().text, later)
            if made and group.each().text not in " ".join(made):
                return [f"for {group.each().text}, {', then '.join(made)}"]
            return [", then ".join(made)] if made else []
        of = self.speaker.expressions.phrase(node.of, around)
        around.known[node.local] = Referent(Phrase(f"each of {of.text}"), IT)
        if node.second is not None:
            around.known[node.second] = always(Phrase("its partner"))
        return self.clauses(node.body, around)

    def _repeat(self, node: st.Repeat, around: Surroundings) -> str:
        done = self.joined(node.body, around)
        if node.times is not None:
            times = self.speaker.expressions.phrase(node.times, around)
            if times.number == 2:
                return f"{done}, twice"
            return f"{done}, {times.text} times"
        if node.guard is not None:
            return f"as long as {self.speaker.conditions.clause(node.guard, around)}, {done}"
        return f"again and again: {done}"

    def _branch(self, node: st.Branch, around: Surroundings) -> str:
        of = node.of
        if isinstance(of, (*_CALLS, *_DONE)):
            head = self.doing(of, around).finite()
        else:
            head = f"by {self.speaker.expressions.phrase(of, around).text}"
        arms = []
        for arm in node.arms:
            done = self._told(arm.body, around.with_names({}))
            if not done or (done == NOTHING and isinstance(arm.pattern, tables.OtherwisePattern)):
                continue
            when = f" if {self.speaker.conditions.clause(arm.when, around)}" if arm.when is not None else ""
            arms.append(f"{self._pattern(arm.pattern, around)}{when}, {done}")
        if not arms:
            return "" if head.startswith("by ") else head
        return f"{head}: {'; '.join(arms)}"

    def _pattern(self, pattern: Node, around: Surroundings) -> str:
        phrase = self.speaker.expressions.phrase
        match pattern:
            case tables.RangePattern():
                if pattern.low is None and pattern.high is not None:
                    return f"on {phrase(pattern.high, around).text} or less"
                if pattern.high is None and pattern.low is not None:
                    return f"on {phrase(pattern.low, around).text} or more"
                if pattern.low is not None and pattern.high is not None:
                    return f"on {phrase(pattern.low, around).text} to {phrase(pattern.high, around).text}"
            case tables.KindPattern():
                return f"for {self.speaker.vocabulary.group(pattern.kind).some().text}"
            case tables.ConditionPattern():
                return f"if {self.speaker.conditions.clause(pattern.condition, around)}"
            case tables.ValuePattern():
                return f"on {phrase(pattern.value, around).text}"
        return "otherwise"

    # -------------------------------------------------------------- rules for a while
    def _until(self, node: st.Until, around: Surroundings) -> list[str]:
        edge = node.edge.removeprefix("until ").removesuffix(" next")
        moment = self.speaker.vocabulary.moment(node.moment)
        if node.edge.endswith("next"):
            moment = f"the next {moment.removeprefix('the ')}"
        until = f"until the {edge} {moment}"
        made = [self.speaker.rules.clause(rule, around) for rule in node.rules]
        return [f"{until}, {said}" for said in made if said]

    def _as_usual(self, node: st.AsUsual, around: Surroundings) -> str:
        if node.changed is None:
            return "it happens as usual"
        number, value = node.changed
        name = around.locals[number].name if number < len(around.locals) else "it"
        return f"it happens with {words(name)} {self.speaker.expressions.phrase(value, around).text}"


_SIMPLE = (
    st.Call, st.CoreCall, st.Change, st.Assign, st.Retrait, st.GoTo, st.If, st.ChooseOne, st.Until,
)  # fmt: skip


def _set_together(clauses: list[str]) -> list[str]:
    """Clauses in which numbers that are set alike are set together: `Hope and Mercy become 6`."""
    made: list[str] = []
    alike: list[str] = []
    value = ""
    for said in [*clauses, ""]:
        found = _SET.fullmatch(said)
        if alike and (found is None or found[2] != value):
            verb = "becomes" if len(alike) == 1 else "become"
            made.append(f"{listed(alike)} {verb} {value}")
            alike = []
        if found is not None:
            alike.append(found[1])
            value = found[2]
        elif said:
            made.append(said)
    return made


def _counted(clauses: list[str]) -> list[str]:
    """Clauses in which nothing is said twice: `place 1 Light, twice`."""
    made: list[tuple[str, int]] = []
    for said in clauses:
        if made and made[-1][0] == said:
            made[-1] = (said, made[-1][1] + 1)
        else:
            made.append((said, 1))
    return [_times(said, count) for said, count in made]


def _times(said: str, count: int) -> str:
    """What is done so often; where it lists things itself, how often stands before it."""
    if count == 1:
        return said
    times = "twice" if count == 2 else f"{count} times"
    return f"{times}, {said}" if ":" in said or ";" in said else f"{said}, {times}"


def _subject_once(clauses: list[str], first: str, later: str) -> list[str]:
    """Clauses of which each says who does it, with whoever is meant named once."""
    made: list[str] = []
    same = False
    for said in clauses:
        again = said.startswith(f"{later} ")
        made.append(said.removeprefix(f"{later} ") if again and same else said)
        same = said.startswith(f"{first} ") or (again and same)
    return made


def _without_pick(node: Node) -> Node | None:
    """A call whose argument is one of two values, as two calls behind a condition."""
    match node:
        case st.Call():
            for index, arg in enumerate(node.args):
                if isinstance(arg, operators.Pick):
                    made = [
                        replace(node, args=(*node.args[:index], value, *node.args[index + 1 :]))
                        for value in (arg.yes, arg.no)
                    ]
                    return st.If(((arg.condition, (made[0],)),), (made[1],), node.at)
        case st.Change(by=operators.Pick() as pick):
            yes, no = replace(node, by=pick.yes), replace(node, by=pick.no)
            return st.If(((pick.condition, (yes,)),), (no,), node.at)
    return None


__all__ = ["Statements", "rules"]
