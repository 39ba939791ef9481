"""What things do, in words: the lines of a card, its keywords, what an option brings, what waits on a track."""

from __future__ import annotations

from talewright.report.table.visibility import Seat, value_text, visible
from talewright.report.wording.cards import Cards
from talewright.report.wording.phrases import Phrase, without_article, words
from talewright.report.wording.surroundings import Surroundings
from talewright.report.wording.templates import filled, pieces_of
from talewright.runtime.host.decisions import Option
from talewright.runtime.observe.traits import bears_trait, trait_parameter
from talewright.runtime.observe.view import View

MOST = 24
LONGEST_BRIEF = 110


def wording(view: View, thing: int, cards: Cards) -> list[str]:
    """The lines in which a thing says what it does; empty where it does nothing."""
    known = view.thing(thing)
    if view.is_part(thing):
        part = f"{known.id.rpartition('.')[2]}."
        lines = cards.lines(view.sort(known.owner))
        return [f"{_label(line.label)}: {line.text}" for line in lines if line.field.startswith(part)]
    return [str(line) for line in cards.lines(view.sort(thing))][:MOST]


def _label(whole: str) -> str:
    """What a field of a part is called, without the part before it."""
    return whole.rpartition(" ")[2].capitalize()


def part_wording(view: View, option: Option, seat: Seat, cards: Cards) -> str:
    """What an option that is part of something brings with it, as the price of a stall; empty if nothing."""
    thing = _offered(view, option, seat)
    if not thing or not view.is_part(thing):
        return ""
    lines = wording(view, thing, cards)
    return f" ({'; '.join(line[:1].lower() + line[1:].rstrip('.') for line in lines)})" if lines else ""


def option_wording(view: View, option: Option, seat: Seat, cards: Cards) -> str:
    """What an option that is a card does, in brief; empty for what does nothing, or lies face down."""
    thing = _offered(view, option, seat)
    if not thing or view.is_part(thing):
        return ""
    effects = [line for line in cards.lines(view.sort(thing)) if line.field]
    if len(effects) != 1 or len(effects[0].text) > LONGEST_BRIEF:
        return ""
    return f": {effects[0].text}"


def _offered(view: View, option: Option, seat: Seat) -> int:
    """The thing that an option is, if the seat knows it; else 0."""
    thing = view.number(option.id)
    return thing if thing and thing == option.value and visible(view, thing, seat) else 0


def trait_lines(view: View, thing: int, seat: Seat, cards: Cards) -> list[str]:
    """The keywords a thing has now, each with its arguments and what it means."""
    made = []
    for name, trait in cards.speaker.vocabulary.traits.items():
        if name not in view.program.world.traits or not bears_trait(view.evaluator, thing, name):
            continue
        given = {}
        for parameter in trait.params:
            value = trait_parameter(view.evaluator, thing, name, parameter.name)
            given[parameter.name] = Phrase(value_text(view, value, parameter.type, seat))
        said = filled(pieces_of(trait.reads), given.get) if trait.reads else ""
        shown = ", ".join(phrase.text for phrase in given.values())
        meaning = " ".join((trait.text or "").split())
        made.append(f"{said or f'{words(name)} {shown}'.strip()}{f'. {meaning}' if meaning else ''}")
    return made


def track_lines(view: View, name: str, cards: Cards) -> list[str]:
    """A track looked at: where it stands, and what waits on its spaces; empty where none is called so."""
    wanted = name.strip().lower()
    present = view.thing(view.chapter).id if view.chapter else ""
    for track in cards.document.content.tracks:
        owner, _, id_ = track.id.rpartition(":")
        called = track_name(cards, track.id)
        at = view.program.layout.track_cells.get(track.id)
        if wanted not in (words(id_).lower(), called.lower()) or owner not in ("", present) or at is None:
            continue
        shown = f"{called[:1].upper()}{called[1:]}"
        lines = [f"{shown} (track): {view.memory[at]}, from {track.low} to {track.high}"]
        for hook in track.hooks:
            spaces = ", ".join(map(str, hook.spaces))
            done = cards.speaker.statements.sentences(hook.body, Surroundings(hook.locals))
            lines.append(f"  {hook.when.capitalize()} {spaces}: {done or 'Nothing happens.'}")
        return lines
    return []


def track_name(cards: Cards, id_: str) -> str:
    """What a track is called on the table."""
    said = cards.speaker.vocabulary.noun("track", id_)
    return without_article(said.rpartition("|")[2]) if said else words(id_)
