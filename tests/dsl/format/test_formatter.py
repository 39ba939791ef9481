"""The one layout, rule by rule."""

from __future__ import annotations

from textwrap import dedent

import pytest

from talewright.dsl.format import formatter
from talewright.dsl.format.formatter import LAYOUT_CODES, format_text, layout_findings
from talewright.dsl.parser import parse
from talewright.dsl.source import Source
from talewright.dsl.tree.equivalence import same_tree
from talewright.dsl.tree.prose_literals import prose_text, rebased


def laid_out(text: str) -> str:
    new, findings = format_text(text, "a.tale")
    assert findings == []
    return new


LINES = [
    ("value v=1", "value v = 1"),
    ("value   v  =  a  or   b", "value v = a or b"),
    ("Boat a: does: f  ( a )", "Boat a: does: f (a)"),
    ("value v = f( a ,b )", "value v = f(a, b)"),
    ("value v = not (a)", "value v = not (a)"),
    ("value v = { }", "value v = {}"),
    ("value v = { a ,b }", "value v = {a, b}"),
    ("value v = a . b [ i ] . c", "value v = a.b[i].c"),
    ("value v = a+b*c-d/e%2", "value v = a + b * c - d / e % 2"),
    ("value v = a<b and c>=d", "value v = a < b and c >= d"),
    ("value v = 4+", "value v = 4+"),
    ("value v = 4+1", "value v = 4 + 1"),
    ("value v = f(4+ , 5+ )", "value v = f(4+, 5+)"),
    ("value v = - 3", "value v = -3"),
    ("value v = a -3", "value v = a - 3"),
    ("value v = f(a, - 3)", "value v = f(a, -3)"),
    ("value v = a in 1 .. 4", "value v = a in 1..4"),
    ("value v = a in low .. high", "value v = a in low..high"),
    ("value v = a in b+1..b+2", "value v = a in b + 1 .. b + 2"),
    ("value v = a in b.low..4", "value v = a in b.low .. 4"),
    ("value v = a in 1..f(4)", "value v = a in 1 .. f(4)"),
    ("value v = a in 1..4 and b", "value v = a in 1..4 and b"),
    ("value v = a in - 3 .. -1", "value v = a in -3..-1"),
    ("value v = a in b -3..- 1", "value v = a in b - 3 .. -1"),
    ("value v = a== - 1", "value v = a == -1"),
    ('value v = f("a  b" ,  c)', 'value v = f("a  b", c)'),
    ("table t: .. 4->0 ;5 .. 7-> -1; 8 ..->2", "table t: ..4 -> 0; 5..7 -> -1; 8.. -> 2"),
    ("type T=a|b", "type T = a | b"),
    ("type T=a<b", "type T = a < b"),
    ("type T = - 1|0", "type T = -1 | 0"),
    ("modify v: +1", "modify v: + 1"),
    ("modify v:-1", "modify v: - 1"),
    ("modify v: =-1", "modify v: = -1"),
    ("modify v of K k when  a: at   least 2", "modify v of K k when a: at least 2"),
    ("Boat a ,b", "Boat a, b"),
    ('Boat a "A"*3 is Fast( 2 ),Wet', 'Boat a "A" * 3 is Fast(2), Wet'),
    ("Boat a: does: danger +1 ;steps -2", "Boat a: does: danger + 1; steps - 2"),
    ("kind A is B,C : rank=5", "kind A is B, C: rank = 5"),
    ("plan p   ring :  a   b .  c", "plan p ring: a b . c"),
    ("action go a:A->B by h: H gives x|y : nothing", "action go a: A -> B by h: H gives x | y: nothing"),
    ("value v = 1    # why", "value v = 1  # why"),
    ("value v = 1# why", "value v = 1  # why"),
    ("value v = 1  #why\t", "value v = 1  #why"),
]


@pytest.mark.parametrize(("untidy", "tidy"), LINES, ids=[untidy for untidy, _ in LINES])
def test_blanks(untidy: str, tidy: str) -> None:
    assert laid_out(untidy) == tidy + "\n"


PAGES = {
    "blocks are four spaces deep": (
        """
        kind A:
          x: int
          arrives: effect:
           if a:
                 b + 1
           otherwise: c + 1
        kind B
        """,
        """
        kind A:
            x: int
            arrives: effect:
                if a:
                    b + 1
                otherwise: c + 1
        kind B
        """,
    ),
    "one blank line is kept, never two, and none where a block begins": (
        """


        kind A:

            x: int



            y: int

        kind B


        kind C
        """,
        """
        kind A:
            x: int

            y: int

        kind B

        kind C
        """,
    ),
    "comments go with what follows": (
        """
        kind A:
        # about x
            x: int
          # about B
        kind B
        # the end
        """,
        """
        kind A:
            # about x
            x: int
        # about B
        kind B
        # the end
        """,
    ),
    "comments at the end of a block stay in it": (
        """
        kind A:
          arrives: effect:
             b + 1
             # still of the effect
            # still of the effect or of the kind
          # of the kind

        # of B
        kind B:
           x: int
           # of B, last
        """,
        """
        kind A:
            arrives: effect:
                b + 1
                # still of the effect
            # still of the effect or of the kind
            # of the kind

        # of B
        kind B:
            x: int
            # of B, last
        """,
    ),
    "rulers stay as they are": (
        """
        # ------------------------- a
        kind A
        #==========================
        """,
        """
        # ------------------------- a
        kind A
        #==========================
        """,
    ),
    "comments in one column stay in one column": (
        """
        kind A:
            x: int          # one
            longer: int     # two
            y: int # three
            z: int      # four

            w: int      # five
        """,
        """
        kind A:
            x: int       # one
            longer: int  # two
            y: int  # three
            z: int  # four

            w: int  # five
        """,
    ),
    "comments of another block have a column of their own": (
        """
        kind A:             # one
            x: int          # two
        kind B              # three
        """,
        """
        kind A:  # one
            x: int  # two
        kind B  # three
        """,
    ),
    "lines inside brackets hang": (
        """
        value v = f(
         a,
              g(
           b  # why

           ,c

           ),
          # last
           d
                )
        value w = f(g(
        a
        ))
        value x = (a
          or b)
        """,
        """
        value v = f(
            a,
            g(
                b  # why

                , c
            ),
            # last
            d
        )
        value w = f(g(
            a
        ))
        value x = (a
            or b)
        """,
    ),
    "prose moves with its block": (
        '''
        kind A:
          """
              One.

                Two, deeper.
          """
          plan = """
           #A#
             #.#
             """
        kind B:
              """One.
          Two."""
        ''',
        '''
        kind A:
            """
            One.

              Two, deeper.
            """
            plan = """
                #A#
                  #.#
                """
        kind B:
            """One.
            Two."""
        ''',
    ),
    "drawings have columns": (
        """
        Tile t:
          map:
            dyke  chapel   .  # north
            shore >  pens mere^
            # south
            . long_name
          closed: north
        """,
        """
        Tile t:
            map:
                dyke   chapel    .  # north
                shore> pens      mere^
                # south
                .      long_name
            closed: north
        """,
    ),
}


@pytest.mark.parametrize("name", PAGES)
def test_pages(name: str) -> None:
    untidy, tidy = (dedent(text).removeprefix("\n") for text in PAGES[name])
    assert laid_out(untidy) == tidy
    assert laid_out(tidy) == tidy


@pytest.mark.parametrize("text", ["", "\n", "\n\n \n", "\ufeff", "\r\n"])
def test_nothing_stays_nothing(text: str) -> None:
    assert laid_out(text) == ""


def test_line_ends_marks_and_tabs() -> None:
    untidy = '\ufeffkind A:   \r\n\tx: int\r\n\t"""One.\r\n\tTwo."""\r\n\r\nkind B # b\t c'
    assert laid_out(untidy) == 'kind A:\n    x: int\n    """One.\n    Two."""\n\nkind B  # b     c\n'


def test_blanks_at_the_ends_of_prose_lines_are_kept() -> None:
    text = 'kind A:\n    """\n    One,  \n    two.\n    """\n'
    assert laid_out(text) == text


def test_a_text_with_errors_comes_back_with_them() -> None:
    text = "kind A :\n   x:int\n\nkind kind kind\n"
    new, findings = format_text(text, "a.tale")
    assert new == text
    assert [(found.severity, found.span.file, found.span.line) for found in findings] == [
        ("error", "a.tale", 4)
    ]


def test_a_layout_that_changes_the_meaning_is_never_written(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("value v = f(x)\n", "value v = (\n", ""):
        monkeypatch.setattr(formatter, "set_page", lambda rows, drawn, wrong=wrong: wrong)
        new, findings = format_text("value v = f(y)", "a.tale")
        assert new == "value v = f(y)"
        assert [(found.code, found.severity) for found in findings] == [("L702", "error")]


def test_the_finding_points_at_the_first_line_that_would_change() -> None:
    source = Source("a.tale", "kind A:\n    x: int\n    y:int\nvalue v=1\n")
    (found,) = layout_findings(source)
    assert (found.code, found.name, found.severity) == ("L701", "layout", "info")
    assert (found.span.line, found.span.column, found.span.end_line, found.span.end_column) == (3, 1, 3, 10)
    ((edit,),) = (fix.edits for fix in found.fixes)
    assert edit.text == "kind A:\n    x: int\n    y: int\nvalue v = 1\n"
    assert (edit.span.line, edit.span.column, edit.span.end_line, edit.span.end_column) == (1, 1, 5, 1)


@pytest.mark.parametrize(
    ("text", "line"), [("kind A", 1), ("kind A\n\n", 2), ("\nkind A\n", 1), ("kind A\r\n", 1)]
)
def test_line_breaks_are_findings_too(text: str, line: int) -> None:
    (found,) = layout_findings(Source("a.tale", text))
    assert found.span.line == line


@pytest.mark.parametrize("text", ["", "kind A\n", "kind kind kind :\n"])
def test_no_finding_in_a_tidy_or_broken_text(text: str) -> None:
    assert layout_findings(Source("a.tale", text)) == []


def test_the_samples_of_the_finding_are_what_they_say() -> None:
    info = LAYOUT_CODES["L701"]
    assert layout_findings(Source("a.tale", info.bad + "\n"))
    assert laid_out(info.bad) == laid_out(info.good) == info.good + "\n"


# ------------------------------------------------------------------ the same tree
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("kind A", "  kind A  # with a comment", True),
        ("value v = a.b", "value v = a . b", True),
        ("kind A", "kind B", False),
        ("kind A", "kind A\nkind B", False),
        ("value v = f(x)", "value v = f(x, y)", False),
        ("value v = 1", "value v = yes", False),
        ("value v = a - 1", "value v = a + 1", False),
        ("value v = x.a", "value v = x.b", False),
        ('check a, "b  c"', 'check a, "b c"', False),
        ('check a, "b"', "check a", False),
        ('kind A:\n """\n  B\n c\n """', 'kind A:\n   """\n     B\n    c\n   """', True),
        ('kind A:\n """\n  B\n c\n """', 'kind A:\n """\n B\n c\n """', False),
        ("Tile t:\n map:\n  a b>", "Tile t:\n map:\n  a  b >", True),
        ("Tile t:\n map:\n  a b>", "Tile t:\n map:\n  a b<", False),
        ("Tile t:\n map:\n  a b", "Tile t:\n map:\n  a\n  b", False),
    ],
)
def test_same_tree(one: str, other: str, same: bool) -> None:
    (a, problems), (b, more) = parse(Source("a.tale", one)), parse(Source("a.tale", other))
    assert problems == more == []
    assert same_tree(a, b) is same
    assert same_tree(b, a) is same


# ------------------------------------------------------------------ prose
@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("One.", "One."),
        (" One. ", "One. "),
        ("\n    One.\n      Two.\n    ", "One.\n  Two."),
        ("One.\n    Two.\n      Three.", "One.\nTwo.\n  Three."),
        ("\n\tOne.\n\t\tTwo.\n", "One.\n    Two."),
        ("\r\n  One.\r\n   \r\n  Two.\r\n", "One.\n\nTwo."),
        ("\n\n\n", ""),
        ("", ""),
    ],
)
def test_what_prose_says(raw: str, text: str) -> None:
    assert prose_text(raw) == text
    for margin in (0, 4, 8):
        assert prose_text(rebased(raw, margin)) == text
        assert rebased(rebased(raw, margin), margin) == rebased(raw, margin)
