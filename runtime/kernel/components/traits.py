"""Traits that things have: records in the order in which they were gained, and a bit for every bearer.

A record is `[bearer, trait, site, granter, marked, when it was gained, self, what the arguments have captured ...]`; the site
says where the text of the arguments stands.
"""

from __future__ import annotations

from talewright.runtime.ir.header import TOO_MUCH
from talewright.runtime.kernel.memory import (
    DIRTY,
    FORCE_CLOCK,
    SITE_SLOT,
    SITE_TRAIT,
    TRAIT_BITS,
    TRAIT_CELLS,
    TRAIT_RECORDS,
    TRAIT_RECORDS_END,
    TRAIT_TOP,
    M,
    copy,
    fault,
)
from talewright.runtime.kernel.storage.lists import clear

BEARER = 0
TRAIT = 1
SITE = 2
GRANTER = 3
MARKED = 4
STAMP = 5
CAPTURED = 6


def trait_of(thing: int, trait: int) -> int:
    """The record of a trait that a thing has gained last, or 0."""
    at = M[TRAIT_TOP] - TRAIT_CELLS
    while at >= TRAIT_RECORDS:
        if M[at + BEARER] == thing and M[at + TRAIT] == trait:
            return at
        at -= TRAIT_CELLS
    return 0


def next_trait(thing: int, trait: int, after: int) -> int:
    """The first record of a thing behind another one, of a trait or (0) of any; 0 if there is none."""
    at = TRAIT_RECORDS
    if after != 0:
        at = after + TRAIT_CELLS
    while at < M[TRAIT_TOP]:
        if M[at + BEARER] == thing and (trait == 0 or M[at + TRAIT] == trait):
            return at
        at += TRAIT_CELLS
    return 0


def add_trait(thing: int, trait: int, site: int, granter: int, captured: int, count: int) -> int:
    """A new record; gives its address."""
    at = M[TRAIT_TOP]
    if at + TRAIT_CELLS > TRAIT_RECORDS_END:
        fault(TOO_MUCH)
    M[TRAIT_TOP] = at + TRAIT_CELLS
    M[at + BEARER] = thing
    M[at + TRAIT] = trait
    M[at + SITE] = site
    M[at + GRANTER] = granter
    M[at + MARKED] = 0
    M[FORCE_CLOCK] += 1
    M[at + STAMP] = M[FORCE_CLOCK]
    copy(at + CAPTURED, captured, count)
    clear(at + CAPTURED + count, TRAIT_CELLS - CAPTURED - count)
    set_trait_bit(thing, trait, 1)
    M[DIRTY] = 1
    return at


def drop_trait(at: int) -> None:
    """Takes a record out."""
    thing = M[at + BEARER]
    trait = M[at + TRAIT]
    top = M[TRAIT_TOP] - TRAIT_CELLS
    copy(at, at + TRAIT_CELLS, top - at)
    M[TRAIT_TOP] = top
    if trait_of(thing, trait) == 0:
        set_trait_bit(thing, trait, 0)
    M[DIRTY] = 1


def set_trait_bit(thing: int, trait: int, yes: int) -> None:
    """Whether a thing bears a trait."""
    at = M[TRAIT_BITS + trait] + (thing >> 5)
    if yes != 0:
        M[at] |= 1 << (thing & 31)
    else:
        M[at] &= -1 ^ (1 << (thing & 31))


def lose_traits(thing: int, trait: int) -> None:
    """A thing loses a trait, or (0) all that it has."""
    at = M[TRAIT_TOP] - TRAIT_CELLS
    while at >= TRAIT_RECORDS:
        if M[at + BEARER] == thing and (trait == 0 or M[at + TRAIT] == trait):
            drop_trait(at)
        at -= TRAIT_CELLS


def mark_granted(granter: int) -> None:
    """Marks what a grant has given: what is still marked later is taken back."""
    at = TRAIT_RECORDS
    while at < M[TRAIT_TOP]:
        if M[at + GRANTER] == granter and M[at + MARKED] == 0:
            M[at + MARKED] = 1
        at += TRAIT_CELLS


def drop_marked(granter: int) -> None:
    """Takes back what a grant no longer gives."""
    at = M[TRAIT_TOP] - TRAIT_CELLS
    while at >= TRAIT_RECORDS:
        if M[at + GRANTER] == granter and M[at + MARKED] != 0:
            drop_trait(at)
        at -= TRAIT_CELLS


def site_trait(site: int) -> int:
    """The trait that a site names."""
    return M[SITE_TRAIT + site]


def site_slot(site: int) -> int:
    """The number in the table of the function of the first argument at a site."""
    return M[SITE_SLOT + site]
