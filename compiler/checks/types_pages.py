"""Pages about types: what stands somewhere must be of the sort that belongs there."""

from __future__ import annotations

from talewright.compiler.checks._finding_page import page

CHECKS = (
    page(
        "T301",
        """Every field, parameter, state and result says what it holds: a number, a text, a thing of a
        kind, one of some words. What stands here is of another sort, so it could not be used where it
        goes. The message names both: what is needed, and what is there.""",
        """
        kind Boat:
            seats: int = 2
        Boat skiff "The Skiff":
            seats: "four"  # <-
        """,
        """
        kind Boat:
            seats: int = 2
        Boat skiff "The Skiff":
            seats: 4
        """,
    ),
    page(
        "T302",
        """A value, table, trait, menu or effect takes as many arguments as its declaration lists. Too
        few or too many are given here.""",
        """
        value fare(miles: int): int = miles * 2
        value long_trip = fare(9, 2)  # <-
        """,
        """
        value fare(miles: int): int = miles * 2
        value long_trip = fare(9)
        """,
    ),
    page(
        "T303",
        """`if`, `when`, `where`, `requires` and their like ask a question that is answered by yes or
        no. A set is no answer: say whether there must be `any` or `no` member. Neither is a thing: ask
        `is not none`. Neither is a number: compare it.""",
        """
        kind Boat
        Boat skiff "The Skiff"
        action day:
            if Boat: nothing  # <-
        """,
        """
        kind Boat
        Boat skiff "The Skiff"
        action day:
            if any Boat: nothing
        """,
    ),
    page(
        "T304",
        """One thing is needed, and several stand here: a whole kind, a set, or a card with several
        copies. Say which one: the `first`, a `random` one, one that somebody chooses; or do it with
        `each` of them.""",
        """
        kind Boat
        Boat skiff "The Skiff"
        Boat punt "The Punt"
        action sail boat: Boat:
            nothing
        action day:
            sail Boat  # <-
        """,
        """
        kind Boat
        Boat skiff "The Skiff"
        Boat punt "The Punt"
        action sail boat: Boat:
            nothing
        action day:
            sail each Boat
        """,
    ),
    page(
        "T305",
        """Sums, amounts, `<` and `>`, `highest` and `lowest` work on numbers, and on words only if
        their type puts them in order with `<`. What stands here is neither. To count the members of a
        set, write `count( )`.""",
        """
        kind Boat
        Boat skiff "The Skiff"
        value crew_needed = Boat * 2  # <-
        """,
        """
        kind Boat
        Boat skiff "The Skiff"
        value crew_needed = count(Boat) * 2
        """,
    ),
    page(
        "T307",
        """A value only looks at the game: it may be read at any time, any number of times, and nothing
        changes. So do conditions, `forbid`, `modify`, defaults and the fields of things. Chance,
        choices, changes and actions have no place in them: the answer would differ each time somebody
        looks.

        Make it an action that ends in `give`, and read its result where something is done: `let x = do
        ...`.""",
        """
        kind Boat
        Boat skiff "The Skiff"
        value next_boat = random Boat  # <-
        """,
        """
        kind Boat
        Boat skiff "The Skiff"
        action pick_boat:
            give random Boat
        """,
    ),
    page(
        "T308",
        """A line of a block does something: it calls an action, changes a number (`danger + 1`), gives
        a new value (`danger = 3`). This line only looks at something and then forgets it. A comparison
        with `==` is a question; a new value takes a single `=`. A change has one amount: put a longer
        sum in parentheses.""",
        """
        track danger 0..9 start 0
        action calm_down:
            danger == 0  # <-
        """,
        """
        track danger 0..9 start 0
        action calm_down:
            danger = 0
        """,
    ),
    page(
        "T309",
        """`for each`, `any`, `choose ... from`, `count` and `includes` work on several things: a kind,
        a container, a list, a set. What stands here is a single value. To do something a number of
        times, write `repeat n times`.""",
        """
        track danger 0..9 start 0
        action storm:
            for each wave in danger: nothing  # <-
        """,
        """
        track danger 0..9 start 0
        action storm:
            repeat danger times: nothing
        """,
    ),
    page(
        "T310",
        """A range such as `1..4` lists the numbers that are allowed, and this one is not among them. A
        track has the spaces of its range, from the lower to the higher, and things can wait only at
        spaces it has.""",
        """
        kind Boat:
            seats: 1..4 = 2
        Boat skiff "The Skiff":
            seats: 9  # <-
        """,
        """
        kind Boat:
            seats: 1..4 = 2
        Boat skiff "The Skiff":
            seats: 4
        """,
    ),
    page(
        "T311",
        """Fields, states, tracks and names made by `let` can be given a new value. A value is worked
        out afresh each time it is read: change it with `modify`. A container changes when things are
        moved into it, and tokens are put and taken, so that the box never runs over.""",
        """
        value seats: int = 4
        action crowd_in:
            seats = 6  # <-
        """,
        """
        state seats: int = 4
        action crowd_in:
            seats = 6
        """,
    ),
    page(
        "T312",
        """`give` ends an action, a value or an effect with its result. A rule, or what waits on a
        track, is not called for a result. To leave early, write `stop`.""",
        """
        action sail:
            nothing
        after sail:
            give 3  # <-
        """,
        """
        action sail:
            give 3
        """,
    ),
    page(
        "T313",
        """`requires` says what must hold for the action to be possible at all. It is asked before
        anything is done, also when a menu is put together, so it stands at the head of the block: only
        other `requires` and `let` may come before it. For a question in the middle, write `if`.""",
        """
        track danger 0..9 start 0
        action flee:
            danger + 1
            requires danger < 5, "It is too late."  # <-
        """,
        """
        track danger 0..9 start 0
        action flee:
            requires danger < 5, "It is too late."
            danger + 1
        """,
    ),
    page(
        "T315",
        """`as usual` runs what an `instead of` rule replaces. Anywhere else nothing is replaced. A
        `before` or `after` rule needs no `as usual`: the action runs anyway.""",
        """
        action sail:
            nothing
        before sail:
            as usual  # <-
        """,
        """
        action sail:
            nothing
        instead of sail:
            as usual
        """,
    ),
    page(
        "T316",
        """Lines with `->` are the branches of something: of `match`, `choose one by`, a call with a
        result, a table, bands, or the ways on of a chapter. There every line is a branch; in a block of
        actions none is.""",
        """
        track danger 0..9 start 0
        action look_around:
            match danger:
                0 -> nothing
                danger + 1  # <-
        """,
        """
        track danger 0..9 start 0
        action look_around:
            match danger:
                0 -> nothing
                otherwise -> danger + 1
        """,
    ),
    page(
        "T318",
        """In a line of actions `;` separates one from the next. A comma separates the members of a
        list, and a list does nothing.""",
        """
        action ring_bell:
            nothing
        action alarm:
            ring_bell, ring_bell  # <-
        """,
        """
        action ring_bell:
            nothing
        action alarm:
            ring_bell; ring_bell
        """,
    ),
    page(
        "T319",
        """`modify` changes what is read. A number takes `+`, `-`, `at least` and `at most`; a set takes
        `with` and `without`; anything takes `=`. This change does not suit what the value or field
        holds.""",
        """
        value fare: int = 3
        modify fare: with 2  # <-
        """,
        """
        value fare: int = 3
        modify fare: + 2
        """,
    ),
    page(
        "T320",
        """`result` is what an action gave, so it is known only when the action is over: in an `after`
        rule. Before it, and elsewhere, there is none yet. To have the result of a call, write `let x =
        do ...`.""",
        """
        track danger 0..9 start 0
        action count_waves:
            give 3
        before count_waves:
            danger + result  # <-
        """,
        """
        track danger 0..9 start 0
        action count_waves:
            give 3
        after count_waves:
            danger + result
        """,
    ),
    page(
        "T321",
        """A choice needs somebody who makes it: a seat, a team, or a thing that has a field of a role,
        such as a hero with its player. What stands here is none of these.""",
        """
        role Captain 1..4 named captain
        kind Boat
        Boat skiff "The Skiff"
        Boat punt "The Punt"
        action day:
            choose boat from Boat by skiff  # <-
        """,
        """
        role Captain 1..4 named captain
        kind Boat
        Boat skiff "The Skiff"
        Boat punt "The Punt"
        action day:
            choose boat from Boat by captain1
        """,
    ),
    page(
        "T322",
        """Up to a thousand dice of up to a million sides can be rolled at once, and a map lists at most
        a thousand keys. More is nearly always a typing error.""",
        """
        action storm:
            let waves = do roll 5000d6  # <-
            give waves
        """,
        """
        action storm:
            let waves = do roll 5d6
            give waves
        """,
    ),
    page(
        "T323",
        """A set holds each member once, so a member that is written twice is there once. To keep what
        repeats, write the braces where a list is wanted: in a state, field or parameter of type `list of`,
        or in `total( )`.""",
        """
        state spins: int = 0
        action game:
            for each n in {5, 5}:  # <-
                spins + n
        """,
        """
        state throws: list of int = {5, 5}
        state spins: int = 0
        action game:
            for each n in throws:
                spins + n
        """,
    ),
    page(
        "T324",
        """`done( )`, `refused( )` and `replaced( )` count what happened since the last `when` of a test. A game at the
        table keeps no such list: what its rules must remember is a state of its own.""",
        """
        state song: int = 0
        action sing: song + 1
        action listen:
            if done(sing) > 0: song + 1  # <-
        action game: sing; listen
        """,
        """
        state song: int = 0
        state sung: yes | no = no
        action sing: song + 1
        after sing: sung = yes
        action listen:
            if sung: song + 1
        action game: sing; listen
        """,
    ),
)
