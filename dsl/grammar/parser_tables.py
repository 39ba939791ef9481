"""What Lark has worked out about the grammar, as plain data that `fast_parser.py` can run without it."""

from __future__ import annotations

from array import array
from typing import Any

from talewright.dsl.grammar.indentation import Blocks
from talewright.dsl.grammar.lark_parser import parser

Data = dict[str, Any]


def make_tables() -> Data:
    """States, rules and scanners. In a state, a number to shift to or, below zero, the rule to reduce by."""
    made = parser()
    front: Any = made.parser
    table = front.parser._parse_table
    numbers: dict[Any, int] = {}
    rules: list[Any] = []
    states: dict[int, dict[str, int]] = {}
    for state, actions in table.states.items():
        row = states[state] = {}
        for name, (action, target) in actions.items():
            if str(action) == "Shift":
                row[str(name)] = int(target)
                continue
            if target not in numbers:
                numbers[target] = len(rules)
                rules.append(_rule(target))
            row[str(name)] = ~numbers[target]
    lexers, by_state = _lexers(front.lexer.lexer.lexers)
    blocks = Blocks()
    blocks.watch(made.terminals)
    return {
        "states": states,
        "rules": rules,
        "start": table.start_states["start"],
        "end": table.end_states["start"],
        "lexers": lexers,
        "lexer_of": by_state,
        "ignored": sorted(map(str, front.lexer_conf.ignore)),
        "watched": sorted(map(str, blocks.watched)),
    }


def _rule(rule: Any) -> tuple[int, str, str, bool, list[tuple[int, bool, int]], int]:
    """Its length, what it makes, the builder's method, and which parts that gets, with gaps where one is left out."""
    options = rule.options
    gaps = [0] * (len(rule.expansion) + 1)
    if options.empty_indices:
        text = "".join(str(int(empty)) for empty in options.empty_indices)
        gaps = [len(ones) for ones in text.split("0")]
    parts: list[tuple[int, bool, int]] = []
    missing = 0
    for number, symbol in enumerate(rule.expansion):
        missing += gaps[number]
        if options.keep_all_tokens or not (symbol.is_term and symbol.filter_out):
            parts.append((number, not symbol.is_term and symbol.name.startswith("_"), missing))
            missing = 0
    method = str(rule.alias or options.template_source or rule.origin.name)
    single = bool(options.expand1 and not rule.alias)
    return len(rule.expansion), str(rule.origin.name), method, single, parts, missing + gaps[-1]


def _lexers(given: dict[int, Any]) -> tuple[list[Any], dict[int, int]]:
    made: list[Any] = []
    numbers: dict[int, int] = {}
    by_state: dict[int, int] = {}
    for state, lexer in given.items():
        if id(lexer) not in numbers:
            numbers[id(lexer)] = len(made)
            scanner = lexer._build_scanner()
            words = {str(name): found for name, call in lexer.callback.items() if (found := _words(call))}
            made.append(([_compiled(each) for each in scanner._mres], words))
        by_state[state] = numbers[id(lexer)]
    return made, by_state


def _words(call: Any) -> dict[str, str]:
    """The words that a terminal would match but that are terminals of their own."""
    scanner = getattr(getattr(call, "callback1", call), "scanner", None)
    return (
        {str(each.pattern.value): str(each.name) for each in scanner.terminals} if scanner is not None else {}
    )


def _compiled(pattern: Any) -> tuple[str, int, bytes, int, dict[str, int], tuple[Any, ...]]:
    """All that makes a regular expression, so that it need not be compiled at every start."""
    try:
        from re import _compiler, _parser  # type: ignore[attr-defined]

        parsed = _parser.parse(pattern.pattern, 0)
        code = _compiler._code(parsed, 0)
    except (ImportError, AttributeError, TypeError):
        return pattern.pattern, 0, b"", 0, {}, ()  # this Python makes them otherwise: compiled at every start
    names = dict(parsed.state.groupdict)
    groups: list[str | None] = [None] * parsed.state.groups
    for name, number in names.items():
        groups[number] = name
    # Packed: most patterns are never asked for in one run, so their numbers need not be made.
    packed = array("I", [int(each) for each in code]).tobytes()
    return pattern.pattern, int(parsed.state.flags), packed, parsed.state.groups - 1, names, tuple(groups)
