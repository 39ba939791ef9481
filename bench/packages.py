"""Generated packages: as many lines as asked for, in the proportions of the bundled games."""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

MANIFEST = """name = "generated"
version = "0.1.0"
type = "system"
title = "A Generated Country"
tale = 1
locales = ["en"]
"""

WORDS = """# The words of the country. Nothing happens in this file.

option harsh_winter: yes | no = no "Travel costs one more"

type Season = spring | summer | autumn | winter

role Traveller 1..4 is Figure named p:
    vigour: track 0..9 start 6:
        below 0: go to lost_in_the_snow
    bundle: pile of Good max 4
    rested: yes | no = yes

kind Region is Place:
    season: Season
    toll: int = 0

kind Good is Card:
    worth: 0..12
    use: effect(user: Traveller)

kind Rumour is Card:
    steps: 1..3
    text: effect(teller: Traveller)

extend Ending:
    result: victory | defeat

deck goods of Good = all Good
pile worn_goods of Good
deck rumours of Rumour = all Rumour
pile told_rumours of Rumour

track weather 0..20 start 2 if harsh_winter otherwise 0:
    at 20: go to lost_in_the_snow

state rounds: int = 0
state guide: Traveller or none = none

table weariness: 0..2 -> 0; 3..5 -> 1; 6..9 -> 2

value awake = all Traveller where it.rested
value toll_of(r: Region) = r.toll
modify toll_of(r) when harsh_winter and r.season is winter: + 1

action game:
    setup
    repeat:
        round

action setup:
    shuffle goods
    shuffle rumours
    guide = random Traveller
    for each p in Traveller:
        place p at region_1
        move 2 from goods to p.bundle

action round:
    rounds + 1
    for each p in Traveller starting with guide where it.rested: turn by p
    weather + weariness(min(9, rounds))
    if rounds >= 30: go to home_again

menu days(p: Traveller)

action turn by p: Traveller:
    open up to 1 days(p) by p "How do you spend the day?"
    listen by p

offer "Rest" in days(p): rest by p
action rest by p: Traveller:
    requires p.vigour < 9
    p.vigour + 1
    p.rested = yes

offer "Use {g}" in days(p): use g by p
action use g: Good by p: Traveller:
    requires g in p.bundle and possible(do g.use(p))
    do g.use(p)
    move g to worn_goods

action listen by p: Traveller:
    if rumours is empty:
        move each told_rumours to rumours
        shuffle rumours
    let heard = do draw from rumours
    move heard to told_rumours
    repeat heard.steps times: tire p by 1
    do heard.text(p)

action tire p: Traveller by n: int:
    p.vigour - n

action cheer p: Traveller by n: int:
    p.vigour + n

action arrive p: Traveller at r: Region:
    tire p by toll_of(r)
    place p at r

Ending lost_in_the_snow "Lost in the Snow":
    \"\"\"
    The track ends where the drifts begin. Somebody will find the bundles in spring, and wonder
    who packed a lamp and no oil.
    \"\"\"
    result: defeat

Ending home_again "Home Again":
    \"\"\"
    The kettle is where it was left. So is the letter, and now there is time to answer it.
    \"\"\"
    result: victory
"""

_PLACES = (
    "the mill", "the ford", "the salt road", "the orchard", "the ferry", "the quarry", "the long wall",
    "the beacon", "the drowned lane", "the toll house", "the glass works", "the rookery",
)  # fmt: skip
_SENTENCES = (
    "Nobody at {place} remembers the war, but all of them remember who carried the flag away.",
    "A boy at {place} sells maps that his sister draws from memory, and her memory is kind.",
    "They ring a bell at {place} when the fog comes in, and another when it does not.",
    "The keeper of {place} has a list of names and will not say what it is a list of.",
    "Whoever sleeps at {place} dreams of the same staircase, one step further down each night.",
    "The well at {place} was dug twice: once for water, and once to get the first digger out.",
    "Since the thaw the dogs of {place} bark at the north wall and at nothing else.",
    "There is a chair at {place} that is kept free, swept daily, and never spoken about.",
)
_GOODS = ("lamp oil", "rye bread", "a coil of rope", "boots", "a brass whistle", "dried apples", "a blanket")
_SEASONS = ("spring", "summer", "autumn", "winter")


def prose(random: Random, sentences: int, indent: str = "    ") -> list[str]:
    """A paragraph of prose between its quotes."""
    lines = [f'{indent}"""']
    for _ in range(sentences):
        lines.append(indent + random.choice(_SENTENCES).format(place=random.choice(_PLACES)))
    return [*lines, f'{indent}"""']


def region(random: Random, index: int, regions: int) -> list[str]:
    """A place of its own, with a value that others ask for."""
    title = f"{random.choice(_PLACES).title()} of the {index}. Ward"
    return [
        f"# ---------------------------------------------------------------- ward {index}",
        f'Region region_{index} "{title}":',
        *prose(random, random.randint(2, 4)),
        f"    season: {random.choice(_SEASONS)}",
        f"    toll: {random.randint(0, 2)}",
        "",
        f"value company_{index} = count(Traveller in region_{index})",
        f"value lonely_{index}(p: Traveller) = p in region_{index} and company_{index} == 1",
        f"value next_to_{index}: Region = region_{index % regions + 1}",
        f"state quarrels_{index}: int = 0",
        "",
    ]


def good(random: Random, name: str, index: int) -> list[str]:
    """A card with something to do on it."""
    effects = (
        ["    use: cheer user by " + str(random.randint(1, 3))],
        [
            "    use:",
            f"        requires user in region_{index}",
            f"        if company_{index} > 1: cheer user by {random.randint(1, 2)}",
            "        otherwise: cheer user by 1",
        ],
        [
            "    use:",
            f'        choose way from {{region_{index}, next_to_{index}}} by user "Which way now?"',
            "        arrive user at way",
        ],
        [
            "    use:",
            "        for each p in awake where it is not user: cheer p by 1",
            f"        quarrels_{index} + 1",
        ],
    )
    title = f"{random.choice(_GOODS)}, {name.replace('_', ' ')}"
    lines = [f'Good {name} "{title}" * {random.randint(1, 3)}:', *prose(random, random.randint(1, 3))]
    return [*lines, f"    worth: {random.randint(0, 12)}", *random.choice(effects), ""]


def rumour(random: Random, name: str, index: int) -> list[str]:
    """A card that is turned, with a choice or a test on it."""
    effects = (
        [
            "    text:",
            f"        if lonely_{index}(teller): tire teller by 1",
            "        otherwise: weather + 1",
        ],
        [
            "    text:",
            '        choose one by teller "Do you believe it?":',
            f'            "Yes" -> arrive teller at region_{index}',
            f'            "No" -> tire teller by min(2, company_{index})',
        ],
        [
            "    text:",
            f"        if rounds > {random.randint(2, 20)} and quarrels_{index} > 0:",
            f"            quarrels_{index} - 1",
            f'            say "They have made it up again at {{region_{index}}}."',
            "        otherwise: cheer teller by 1",
        ],
    )
    title = f"What They Say of {random.choice(_PLACES).title()}, {name.replace('_', ' ')}"
    lines = [f'Rumour {name} "{title}":', *prose(random, random.randint(2, 4))]
    return [*lines, f"    steps: {random.randint(1, 3)}", *random.choice(effects), ""]


def action(random: Random, name: str, index: int) -> list[str]:
    """Something a traveller can do in one place, offered in the menu of the day."""
    least = random.randint(1, 6)
    return [
        f'offer "{name.replace("_", " ").capitalize()}" in days(p): {name} by p',
        f"action {name} by p: Traveller:",
        f"    requires p in region_{index} and p.vigour > {least}",
        f"    let price = toll_of(region_{index}) + weariness(min(9, rounds))",
        "    tire p by min(price, p.vigour)",
        "    if any p.bundle where it.worth > price:",
        f'        choose up to 1 gift from p.bundle where it.worth > price by p "Leave what at {name}?"',
        "        move gift to worn_goods",
        f"        quarrels_{index} - 1",
        f"    otherwise if lonely_{index}(p):",
        "        for each q in awake:",
        "            if q is not p and q.vigour < 3: cheer q by 1",
        "    otherwise: weather + 1",
        "",
    ]


def rule(random: Random, index: int) -> list[str]:
    """Rules that change what happens in one place."""
    return [
        f"before tire p by n when p in region_{index} and quarrels_{index} > {random.randint(2, 5)}: n + 1",
        f"after rest by p when p in region_{index}: quarrels_{index} - 1",
        f"modify toll_of(r) when r is region_{index} and rounds > {random.randint(5, 25)}: + 1",
        f"modify toll_of(r) when r is next_to_{index} and weather > {random.randint(10, 18)}: + 1",
        "",
    ]


def chapter(random: Random, index: int, after: int | None) -> list[str]:
    """A page of the story with ways on."""
    onward = f"chapter_{after}" if after is not None else "home_again"
    return [
        f'Chapter chapter_{index} "The {index}. Evening":',
        *prose(random, random.randint(3, 6)),
        f'    goal: "Bring everybody to {random.choice(_PLACES)}."',
        f"    ends when company_{index} == count(Traveller)",
        "    outcome:",
        f"        quarrels_{index} > 3 -> lost_in_the_snow",
        f"        otherwise -> {onward}",
        "",
    ]


def test(random: Random, name: str, index: int, chapter_index: int) -> list[str]:
    """A test of one region."""
    vigour = random.randint(2, 6)
    return [
        f'test "a day of rest in ward {index}, {name}":',
        f"    start chapter_{chapter_index} with players 2, seed {random.randint(1, 99)}",
        "    given:",
        f"        place p1 at region_{index}",
        f"        p1.vigour = {vigour}",
        f"        quarrels_{index} = 1",
        "    when rest by p1",
        f"    expect p1.vigour == {vigour + 1}",
        f"    expect quarrels_{index} == 0",
        "",
    ]


def ward(random: Random, index: int, lines_wanted: int, wards: int) -> list[str]:
    """One file of the country."""
    lines = region(random, index, wards) + rule(random, index)
    lines += chapter(random, index, index + 1 if index < wards else None)
    number = 0
    makers = (good, rumour, action, rumour, good, action, action)
    while len(lines) < lines_wanted - 12:
        number += 1
        if number % 5 == 0:
            lines += test(random, f"case {number}", index, index)
            continue
        maker = makers[number % len(makers)]
        lines += maker(random, f"{maker.__name__}_{index}_{number}", index)
    return [*lines, *test(random, "last of all", index, index)]


def write_package(folder: Path, lines: int, files: int, seed: int = 1) -> int:
    """Writes a package of about so many lines in so many files; gives the lines written."""
    random = Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tale.toml").write_text(MANIFEST, encoding="utf-8")
    (folder / "words.tale").write_text(WORDS, encoding="utf-8")
    total = WORDS.count("\n")
    wards = max(1, files - 1)
    for index in range(1, wards + 1):
        wanted = max(40, (lines - total) // (wards - index + 1))
        text = "\n".join(ward(random, index, wanted, wards)).rstrip("\n") + "\n"
        (folder / f"ward_{index:03}.tale").write_text(text, encoding="utf-8")
        total += text.count("\n")
    return total


def main() -> None:
    """Writes a package where the command line says."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(write_package(given.folder, given.lines, given.files, given.seed), "lines")


if __name__ == "__main__":
    main()
