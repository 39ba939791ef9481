"""Components, texts, knowledge, tests and style: what the samples of the checks do not show."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talewright.compiler import compile_package
from talewright.compiler.checks import catalogue
from talewright.compiler.checks._drawn_pieces import read
from talewright.compiler.checks._drawn_plans import components
from talewright.compiler.checks._payments import Way, uncovered
from talewright.compiler.checks.covers_wrong import catalogue_of
from talewright.compiler.in_memory import compile_text, compile_together, memory_package, plain
from talewright.dsl.format.formatter import layout_findings
from talewright.dsl.packages.loader import bundled_packages
from talewright.dsl.source import Source
from talewright.report.findings import apply_fixes
from talewright.schemas.records import replace

from .marked_lines import MARK, check, found, lines, marked

SAMPLE = Path(__file__).parents[2] / "dsl/format/samples/harbour.tale"

# ---------------------------------------------------------------- components
BEASTS = """
kind Beast is Figure
Beast hound "Hound" * 2
Beast wolf "Wolf"
token torch * 4
plan fen: reeds bank hill
"""


def test_copies_are_counted_over_all_lines_of_a_cast() -> None:
    text = """
Chapter dusk "Dusk":
    cast:
        hound at reeds
        hound_2 at bank
        hound at hill  # <-
Chapter dawn "Dawn":
    cast:
        2 hound at reeds
"""
    check("C501", BEASTS + text)


def test_more_of_a_sort_than_there_is_can_not_be_taken() -> None:
    text = """
kind Tool
Tool dagger "Dagger" * 3
pile shelf of Tool
action game:
    move dagger * 3 to shelf
    move dagger * 9 to shelf  # <-
"""
    check("C501", text)


def test_copies_that_depend_on_the_seats_are_not_counted() -> None:
    text = """
role Walker 1..4 named w
kind Pawn is Figure
Pawn pawn "Pawn" per Walker
plan fen: reeds bank
Chapter dusk "Dusk":
    cast:
        3 pawn at reeds
"""
    assert found("C501", text) == []


def test_two_of_a_single_figure_are_too_many_and_one_twice_is_misplaced() -> None:
    twice = "Chapter dusk:\n    cast:\n        wolf at reeds\n        wolf at hill  # <-\n"
    double = "Chapter dusk:\n    cast:\n        2 wolf at reeds  # <-\n"
    check("C504", BEASTS + twice)
    assert found("C501", BEASTS + twice) == []
    check("C501", BEASTS + double)
    assert found("C504", BEASTS + double) == []


def test_tokens_are_counted_in_casts_and_in_runs_of_put() -> None:
    text = """
Chapter dusk "Dusk":
    cast:
        3 torch at reeds
        2 torch at bank  # <-
action burn: take 4 torch from reeds
action game:
    put 3 torch on reeds
    burn
    put 3 torch on bank
    put 1 torch on hill
    put 1 torch on reeds  # <-
    put 5 torch on reeds
    go to dusk
"""
    check("C502", BEASTS + text)


def test_a_tile_brings_the_places_drawn_on_it() -> None:
    text = """
kind Tile:
    plan: plan
kind Scene is Chapter:
    map: plan
Tile dyke "Dyke":
    plan:
        road bank
Tile shore "Shore":
    plan:
        reeds mud
Figure wat "Wat"
Figure tom "Tom"
Place cellar "Cellar"
Figure pip "Pip"
Scene one "One":
    map:
        dyke
    cast:
        wat at bank
        tom at mud  # <-
        pip at cellar
"""
    check("C503", text)


def test_symbols_can_be_worn_out_by_number_and_by_limit() -> None:
    text = """
kind Symbol
Symbol sun, moon
die Fate * 2:
    faces: sun, sun, moon, moon
bag dice of Fate = all Fate
token favour * 1
kind Altar
Altar altar "Altar"
kind Deed is Card:
    cost: list of Symbol
Deed small "Small": cost: sun, sun
Deed middling "Middling": cost: sun, sun, moon
Deed large "Large": cost: sun, sun, moon, moon  # <-
payment fates:
    Fate d for s when d.face is s
    favour on altar for s
value price(d: Deed) = d.cost
action game:
    for each d in Deed: pay price(d) from dice using fates
"""
    check("C505", text)
    (finding,) = found("C505", text)
    assert (
        finding.message == "nobody can pay the `cost` of `large`: of its 4 symbols at most 3 can be covered"
    )
    cheaper = text + "modify price(d): without sun\n"
    assert found("C505", cheaper) == []


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 2), max_size=5),
    st.lists(
        st.tuples(st.sampled_from("ab"), st.integers(0, 2), st.sets(st.integers(0, 2))),
        min_size=1,
        max_size=3,
    ),
    st.tuples(st.integers(0, 3), st.integers(0, 3)),
)
def test_paying_leaves_over_as_little_as_trying_everything(
    symbols: list[int], rules: list[tuple[str, int, set[int]]], supply: tuple[int, int]
) -> None:
    stock = dict(zip("ab", supply, strict=True))
    ways = []
    for source, limit, covered in rules:
        tests = [
            {"op": "same", "a": {"op": "local", "n": 1}, "b": {"op": "int", "v": symbol}}
            for symbol in covered
        ]
        test: dict[str, object] = {"op": "truth", "v": False}
        for one in tests:
            test = {"op": "or", "a": test, "b": one}
        ways.append(Way(source, stock[source], limit, {"symbol": 1, "when": test}, []))
    best = 0
    for choice in product(range(len(ways) + 1), repeat=len(symbols)):
        used = [choice.count(number) for number in range(len(ways))]
        fits = all(n == len(ways) or symbols[i] in rules[n][2] for i, n in enumerate(choice))
        within = all(used[n] <= rules[n][1] for n in range(len(ways)))
        spent = {s: sum(used[n] for n in range(len(ways)) if rules[n][0] == s) for s in "ab"}
        if fits and within and all(spent[s] <= stock[s] for s in "ab"):
            best = max(best, sum(used))
    assert len(uncovered([("int", symbol) for symbol in symbols], ways)) == len(symbols) - best


def test_a_ring_hangs_together_and_a_gap_does_not() -> None:
    assert len(components([["a", "b"], ["c", "d"]])) == 1
    assert components([["a", ".", "b"]]) == [["a"], ["b"]]
    assert len(components([["a"], ["b"], ["c"]], ring=True)) == 1
    assert len(components([["a", "a", "."], [".", "a", "b"]])) == 1


def test_a_package_that_links_places_may_draw_them_apart() -> None:
    apart = "plan isles:  # <-\n    north_isle . south_isle\n"
    check("C506", apart)
    linked = apart.replace(MARK, "") + "action game: link north_isle with south_isle\n"
    assert found("C506", linked) == []


def test_joints_are_read_from_the_drawing() -> None:
    drawing = read(["#AA#", "#..B", "s..B", "C###"])
    assert drawing.joints == {"A": 2, "B": 2, "C": 1}
    assert drawing.marks == {"s"}
    assert drawing.wrong == {}
    bent = read(["AA.", "A..", ".B."])
    assert set(bent.wrong) == {"A"}
    assert set(read(["...", ".A.", "..."]).wrong) == {"A"}


def test_a_field_left_out_counts_unless_play_a_face_or_a_cast_fills_it_in() -> None:
    text = """
kind Potion is Card:
    price: int
    brewer: Figure
    side: good | bad
    stirred: int
Figure ann "Ann"
Potion tonic "Tonic":
    price: 1
    brewer: ann
    side: good
Potion syrup "Syrup":  # <-
    price: 2
    brewer: ann
Potion draught "Draught":  # <-
    price: 3
    side: bad
Potion brew "Brew":
    price: 4
    brewer: ann
    face a "Clear":
        side: good
action stir p: Potion: p.stirred = 1
value sum = total(Potion, it.price) + count(Potion where (it.side is good and it.brewer is ann))
value stirs = total(Potion, it.stirred)
"""
    check("C509", text)


def test_a_pile_that_is_only_counted_is_never_seen() -> None:
    text = """
kind Omen is Card
Omen crow "Crow" * 4
deck omens of Omen = all Omen
pile buried of Omen face_down  # <-
pile waiting of Omen face_down
kind Well:
    depths: pile of Omen face_down  # <-
Well well "Well"
action game:
    move 1 from omens to buried
    if count(buried) > 2 and any well.depths: move 1 from omens to well.depths
    move 1 from omens to waiting
    draw from waiting into omens
"""
    check("C508", text)


# ---------------------------------------------------------------- texts and tests
def test_unknown_names_in_texts_have_a_code_of_their_own() -> None:
    text = """
track gold 0..9 start 3
Figure ann "Ann"
action game:
    say "{gld}"  # <-
    say "{ann.weight}"  # <-
    say "{}"  # <-
    say "{gold} and {ann.title}"
"""
    check("X601", text)
    outside = compile_text("action game: gld + 1\n").diagnostics
    assert "N201" in {d.code for d in outside}


def test_braces_are_balanced_line_by_line() -> None:
    text = '''
track gold 0..9 start 3
Chapter night "Night":
    """
    You own {gold} coins.
    You owe {gold  # <-
    coins} to the baker.  # <-
    """
action game:
    say "\\\\{ is a brace"  # { this is a comment
    go to night
'''
    assert lines("X604", text.replace("\\\\", "\\")) == marked(text)


def test_titles_of_parts_and_of_other_kinds_may_be_alike() -> None:
    text = """
kind Omen is Card
kind Boon is Card
Omen crow "Crow"
Boon crow_boon "Crow"
Omen raven "Crow"  # <-
Omen rook, daw "Rook"
"""
    check("X602", text)


def test_a_catalogue_tells_which_rules_there_are(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text("- id: AB-ONE-01\n- id: AB-TWO-02\n", encoding="utf-8")
    package = memory_package({"a.tale": "track gold 0..9\n"})
    assert catalogue_of(package) is None
    named = package.manifest.source.text + '[test]\ncovers = "rules.yaml"\n'
    manifest = replace(package.manifest, source=Source("tale.toml", named))
    package = replace(package, folder=tmp_path, manifest=manifest)
    assert catalogue_of(package) == {"AB-ONE-01", "AB-TWO-02"}
    text = plain("""
Chapter night "Night"
track gold 0..9 start 3
action game: go to night
test "gold lies ready":
    covers AB-ONE-01, AB-TWO-03
    start night with seed 1
    expect gold == 3
""")
    result = compile_together(replace(package, sources=(Source("a.tale", text),)))
    (finding,) = [d for d in result.diagnostics if d.code == "X608"]
    assert finding.help == "did you mean `AB-TWO-02`?"
    away = replace(manifest, source=Source("tale.toml", named.replace("rules", "../rules")))
    assert catalogue_of(replace(package, manifest=away)) is None


# ---------------------------------------------------------------- style
def test_only_the_package_asked_for_is_judged_by_its_style() -> None:
    system = memory_package({"s.tale": "kind Old_Coin\n"}, name="system")
    adventure = memory_package(
        {"a.tale": 'Old_Coin a__b "Penny"\n'}, name="adventure", type="adventure", uses=("system",)
    )
    result = compile_together(system, adventure)
    assert [(d.code, d.span.file) for d in result.diagnostics if d.code == "L703"] == [("L703", "a.tale")]


def test_layout_is_mended_by_its_fix() -> None:
    text = "kind Boat :\n  seats:int=2\n"
    result = compile_text(text)
    (finding,) = [d for d in result.diagnostics if d.code == "L701"]
    assert finding.span.line == 1
    (new,) = apply_fixes(result.sources, [finding]).values()
    assert new == "kind Boat:\n    seats: int = 2\n"
    assert not [d for d in compile_text(new).diagnostics if d.code == "L701"]


def test_layout_is_not_judged_where_the_text_has_mistakes() -> None:
    assert "L701" not in {d.code for d in compile_text("kind Boat :\n  seats:int=\n").diagnostics}


@pytest.mark.parametrize("code", ["L706", "L707", "L708", "X601"])
def test_samples_of_findings_that_no_check_looks_for(code: str) -> None:
    page = catalogue()[code]
    check(code, page.bad)
    assert lines(code, page.good) == []


# ---------------------------------------------------------------- real packages
@pytest.mark.parametrize("name", sorted({str(folder) for folder in bundled_packages().values()}))
def test_bundled_packages_have_no_findings_of_weight_about_components_secrets_or_layout(name: str) -> None:
    # What is in the one layout, `tests/dsl/format` says: the check must say the same.
    heavy = [
        f"{d.span.file}:{d.span.line} {d.code} {d.message}"
        for d in compile_package(name).diagnostics
        if (d.code[0] == "C" and d.severity != "info") or d.code in ("X605", "L701")
    ]
    assert heavy == []


@pytest.mark.parametrize("change", [("    ", "  "), (": ", ":"), (" = ", "="), ("\n\n", "\n\n\n\n")])
def test_the_layout_of_a_text_is_judged_as_the_formatter_would(change: tuple[str, str]) -> None:
    text = SAMPLE.read_text(encoding="utf-8").replace(*change)
    judged = [found for found in compile_text(text).diagnostics if found.code == "L701"]
    (wanted,) = layout_findings(Source(judged[0].span.file, text))
    assert judged == [wanted]


def test_borders_between_tiles_are_judged_by_the_tiles() -> None:
    text = """
kind Tile:
    plan: plan
    red: list of pair
kind Scene is Chapter:
    map: plan
    door: list of pair
Place moor, fen, dyke, mill, lane, barn, cape
Tile left "Left":
    plan:
        moor moor fen
        dyke dyke fen
    red: moor | fen, dyke | moor
Tile right "Right":
    plan:
        mill lane barn
        mill lane lane
    red: mill | barn  # <-
Tile far "Far":
    plan:
        cape
Scene dusk "Dusk":
    map:
        left right far
    door: fen | mill, lane | mill, barn | cape
Scene dawn "Dawn":
    map:
        left right far
    door: moor | cape  # <-
Scene noon "Noon":
    map:
        far
    door: moor | dyke  # <-
"""
    check("C513", text)


def test_a_test_names_where_it_starts_if_there_is_a_chapter() -> None:
    text = """
track gold 0..9 start 3
action earn: gold + 1
test "gold is earned":
    when earn
    expect gold == 4
"""
    assert found("X607", text) == []
    check("X607", text.replace('earned":', 'earned":  # <-') + 'Chapter night "Night"\n')
