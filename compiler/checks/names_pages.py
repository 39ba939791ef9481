"""Pages about names: what was written must have been declared, and only once."""

from __future__ import annotations

from talewright.compiler.checks._finding_page import page

CHECKS = (
    page(
        "N201",
        """Every name stands for something that a package declares: a thing, a track, a state, a pile, a
        token, a value. Nobody declared this one. Most often it is misspelt; sometimes its declaration
        is still missing, or stands in a package that `uses` in `tale.toml` does not name.

        A name made by `let`, `choose` or `for each` can be read only in its own block, below the line
        that makes it. What a chapter declares can be read only in that chapter.""",
        """
        track danger 0..9 start 0
        action ring_alarm:
            dangr + 1  # <-
        """,
        """
        track danger 0..9 start 0
        action ring_alarm:
            danger + 1
        """,
    ),
    page(
        "N202",
        """A line that does something begins with a verb, and the verb must be an action of the package,
        of a package it uses, or of the core (`move`, `put`, `draw`, `roll`, ...). Rules name actions
        too: nothing can come before or after an action that does not exist.""",
        """
        action ring_alarm:
            nothing
        action night:
            rign_alarm  # <-
        """,
        """
        action ring_alarm:
            nothing
        action night:
            ring_alarm
        """,
    ),
    page(
        "N203",
        """A capitalised word names a kind, a trait, a role, a type or a numbered card, and a field's
        type is one of these or a word such as `int` and `text`. Nothing of this name is declared. What
        belongs to an unknown kind cannot be checked any further, so mend this first.""",
        """
        kind Boat
        Bota skiff "The Skiff"  # <-
        """,
        """
        kind Boat
        Boat skiff "The Skiff"
        """,
    ),
    page(
        "N204",
        """A thing has the fields that its kind, and the kinds above it, declare. Giving or reading
        another one is mostly a misspelling. If the field is new, declare it in the kind: then every
        thing of the kind has it.

        After a dot may also stand a property that the core gives to all things (`place`, `title`,
        `owner`, ...), a token that is counted, or a value with one parameter.""",
        """
        kind Boat:
            seats: int = 2
        Boat skiff "The Skiff":
            saets: 4  # <-
        """,
        """
        kind Boat:
            seats: int = 2
        Boat skiff "The Skiff":
            seats: 4
        """,
    ),
    page(
        "N205",
        """A name directly before `(` asks for a value, a table or a function of the core, and this one
        is none of them. A value without parameters is written without parentheses; an action is a verb
        and is written with a blank before what it acts on.""",
        """
        value fare(miles: int): int = miles * 2
        value long_trip = fear(9)  # <-
        """,
        """
        value fare(miles: int): int = miles * 2
        value long_trip = fare(9)
        """,
    ),
    page(
        "N206",
        """A thing gets traits behind `is`, and gains or loses them in play. A trait must be declared
        with `trait`, here or in a package that is used; a kind is no trait, because a thing cannot
        change what it is.""",
        """
        trait Leaky
        kind Boat
        Boat skiff "The Skiff" is Laeky  # <-
        """,
        """
        trait Leaky
        kind Boat
        Boat skiff "The Skiff" is Leaky
        """,
    ),
    page(
        "N207",
        """`open` shows a menu, and `offer` adds to one. The menu itself must be declared once with
        `menu`, so that it is known who may add to it and what it is about.""",
        """
        role Captain 1..4 named captain
        menu sailing
        action day:
            open saling by captain1  # <-
        """,
        """
        role Captain 1..4 named captain
        menu sailing
        action day:
            open sailing by captain1
        """,
    ),
    page(
        "N208",
        """A field or state of words holds one of the words its type lists, and nothing else. This word
        is not in the list. Use one that is, or add it: in the list itself, or with `extend type` if the
        type belongs to another package. A die, too, shows only the faces it was given.""",
        """
        kind Boat:
            size: small | large = small
        Boat skiff "The Skiff":
            size: lagre  # <-
        """,
        """
        kind Boat:
            size: small | large = small
        Boat skiff "The Skiff":
            size: large
        """,
    ),
    page(
        "N209",
        """One name means one thing, whatever it is: a track and a card cannot share a name either, and
        neither can a thing and one of the numbered copies of another (`hound * 2` makes `hound_1` and
        `hound_2`). A name that the core gives, such as `north`, cannot be taken. To change something
        that another package declares, use `extend`, `modify` or a rule instead of declaring it again.""",
        """
        kind Boat
        Boat skiff "The Old Skiff"
        Boat skiff "The New Skiff"  # <-
        """,
        """
        kind Boat
        Boat old_skiff "The Old Skiff"
        Boat new_skiff "The New Skiff"
        """,
    ),
    page(
        "N210",
        """The verb is known, but not with these parts. An action is called with the prepositions of its
        declaration, in any order; only a part with a default may be left out. The help shows the forms
        there are: what stands in brackets there can be left out.""",
        """
        kind Boat
        Boat skiff "The Skiff"
        action sail boat: Boat to distance: int:
            nothing
        action day:
            sail skiff for 3  # <-
        """,
        """
        kind Boat
        Boat skiff "The Skiff"
        action sail boat: Boat to distance: int:
            nothing
        action day:
            sail skiff to 3
        """,
    ),
    page(
        "N211",
        """Where an amount is followed by a name, the name is a token: `put 2 coin on chest`. Tokens are
        declared with `token`, and with how many of them lie in the box.""",
        """
        token coin * 10
        kind Boat:
            holds coin
        Boat skiff "The Skiff"
        action load:
            put 2 coni on skiff  # <-
        """,
        """
        token coin * 10
        kind Boat:
            holds coin
        Boat skiff "The Skiff"
        action load:
            put 2 coin on skiff
        """,
    ),
    page(
        "N212",
        """`go to`, the arrows of `outcome` and `choice`, and the `start` of a test lead to a chapter or
        an ending: a thing of the kind `Chapter` or `Ending`, or of a kind below them. Anything else is
        no place in the story.""",
        """
        kind Boat
        Boat skiff "The Skiff"
        Chapter harbour "The Harbour":
            outcome: otherwise -> skiff  # <-
        """,
        """
        Ending out_at_sea "Out at Sea"
        Chapter harbour "The Harbour":
            outcome: otherwise -> out_at_sea
        """,
    ),
    page(
        "N213",
        """Several actions may share a verb if their prepositions tell them apart. Here one call would
        fit both, since a part with a default may be left out, so nobody could say which of them is
        meant.""",
        """
        kind Boat
        action sail boat: Boat:
            nothing
        action sail boat: Boat to distance: int = 1:  # <-
            nothing
        """,
        """
        kind Boat
        action sail boat: Boat:
            nothing
        action sail boat: Boat to distance: int:
            nothing
        """,
    ),
    page(
        "N214",
        """A kind may have several parents if their fields do not clash. Two parents declare a field of
        the same name, each in its own way, and a thing can have only one of them. Rename one, or move
        the field up into a kind that both descend from.""",
        """
        kind Boat:
            speed: int = 4
        kind Cart:
            speed: int = 2
        kind Ferry is Boat, Cart  # <-
        """,
        """
        kind Vehicle:
            speed: int = 2
        kind Boat is Vehicle
        kind Cart is Vehicle
        kind Ferry is Boat, Cart
        """,
    ),
    page(
        "N215",
        """`kind A is B` says that every A is also a B. Following these words upwards must come to an
        end; here it leads back to where it began. Decide which of the kinds is the more general one and
        let it stand alone.""",
        """
        kind Boat is Ship
        kind Ship is Boat  # <-
        """,
        """
        kind Ship
        kind Boat is Ship
        """,
    ),
    page(
        "N216",
        """A rule, a `modify`, an `offer` or a `movement` names the places of what it belongs to: the
        parts of an action, the parameters of a value, the clauses of a movement. It names one that is
        not there, or the wrong number of them. Parts that do not matter to a rule can be left out.""",
        """
        kind Boat
        action sail boat: Boat:
            nothing
        after sail boat to shore:  # <-
            nothing
        """,
        """
        kind Boat
        action sail boat: Boat:
            nothing
        after sail boat:
            nothing
        """,
    ),
    page(
        "N217",
        """A test starts a chapter with the settings behind `with`: `players`, `seed`, and the options
        that the packages declare. A setting nobody declared would change nothing, and the test would
        show less than it seems to.""",
        """
        option fog: yes | no = no
        Chapter harbour "The Harbour"
        test "fog hides the harbour":
            start harbour with fgo yes  # <-
            expect fog
        """,
        """
        option fog: yes | no = no
        Chapter harbour "The Harbour"
        test "fog hides the harbour":
            start harbour with fog yes
            expect fog
        """,
    ),
    page(
        "N218",
        """`per`, `until`, `stop`, `during` and `once per` name a stretch of the game: an action while
        it runs, or a `period`. There is no action and no period of this name, so the moment would never
        come.""",
        """
        action day:
            nothing
        state tired: yes | no = no per dya  # <-
        """,
        """
        action day:
            nothing
        state tired: yes | no = no per day
        """,
    ),
    page(
        "N219",
        """`it` is the element that a `where`, `having` or `ordered by` looks at, one after the other.
        Outside of them there is no element.

        The usual cause: `where` takes one test, so in `any Boat where it.seats > 1 and not it.leaky`
        the `and` already stands outside. Put a longer test in parentheses.""",
        """
        kind Boat:
            seats: int = 2
            leaky: yes | no = no
        Boat skiff "The Skiff"
        value safe = any Boat where it.seats > 1 and not it.leaky  # <-
        """,
        """
        kind Boat:
            seats: int = 2
            leaky: yes | no = no
        Boat skiff "The Skiff"
        value safe = any Boat where (it.seats > 1 and not it.leaky)
        """,
    ),
    page(
        "N220",
        """`as usual with n = 2` runs the replaced rule with one part of the call changed. The name
        before `=` is a part that the line of `instead of` names; the action has none that goes by this
        name here.""",
        """
        action mend with n: int:
            nothing
        instead of mend with n:
            as usual with hours = n + 1  # <-
        """,
        """
        action mend with n: int:
            nothing
        instead of mend with n:
            as usual with n = n + 1
        """,
    ),
    page(
        "N221",
        """Capitalised names are of several sorts, and each has its place. Things are of a kind; a kind
        descends from other kinds; containers hold things of a kind; traits are gained and lost; a type
        lists words; a team is made of a role. This name is declared, but as something else than what is
        needed here.""",
        """
        trait Leaky
        Leaky skiff "The Skiff"  # <-
        """,
        """
        trait Leaky
        kind Boat
        Boat skiff "The Skiff" is Leaky
        """,
    ),
    page(
        "N222",
        """Several values may share a name if the kinds of their parameters tell them apart: the one for
        the narrowest kinds is meant. Here a thing can be of kinds that fit two of them, and neither is
        narrower than the other. Declare a third value for the kind that fits both, or rename one.""",
        """
        kind Boat
        kind House
        kind Houseboat is Boat, House
        value worth(b: Boat) = 2
        value worth(h: House) = 3  # <-
        """,
        """
        kind Boat
        kind House
        kind Houseboat is Boat, House
        value worth(b: Boat) = 2
        value worth(h: House) = 3
        value worth(b: Houseboat) = 4
        """,
    ),
    page(
        "N223",
        """`d4` and `2d6` are dice wherever they stand. A thing, state or table of such a name could be declared
        and never be named again: every line that means it would mean the dice.""",
        """
        kind Door
        Door d4 "The Fourth Door"  # <-
        """,
        """
        kind Door
        Door door_4 "The Fourth Door"
        """,
    ),
    page(
        "N224",
        """Two kinds declare a field of the same name, each for itself, and here a thing may be of either. A line means
        one field: a thing of the other kind reads as none, and a change leaves it alone. Declare the field once, in a
        kind that both descend from.""",
        """
        kind Dog is Figure:
            strength: int = 2
        kind Cat is Figure:
            strength: int = 3
        trait Fierce
        action feed:
            for each x in Fierce: x.strength + 1  # <-
        """,
        """
        kind Animal is Figure:
            strength: int = 2
        kind Dog is Animal
        kind Cat is Animal:
            strength = 3
        trait Fierce
        action feed:
            for each x in Fierce: x.strength + 1
        """,
    ),
)
