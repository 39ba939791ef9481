"""The document itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from talewright.schemas.nodes.declaration import Construct, node, part

if TYPE_CHECKING:
    from collections.abc import Mapping

    from talewright.schemas.nodes.declared import (
        ActionDeclaration,
        AnytimeDeclaration,
        CheckDeclaration,
        DieDeclaration,
        KindDeclaration,
        MeasureDeclaration,
        MenuDeclaration,
        MovementDeclaration,
        OptionDeclaration,
        OrderDeclaration,
        PaymentDeclaration,
        PeriodDeclaration,
        PileDeclaration,
        PlanDeclaration,
        StateDeclaration,
        TableDeclaration,
        TeamDeclaration,
        TestDeclaration,
        ThingDeclaration,
        TokenDeclaration,
        TrackDeclaration,
        TraitDeclaration,
        TypeDeclaration,
        ValueDeclaration,
    )
    from talewright.schemas.nodes.leaves import (
        ActionId,
        KindId,
        Name,
        ThingId,
        ThingIdOrEmpty,
        ThingOrSortId,
        TokenCount,
    )
    from talewright.schemas.nodes.rules import Rule


@node()
class Package(Construct):
    """A package."""

    name: Name = part("its name")
    version: str = part("its version")
    title: str = part("its title")
    type: Literal["system", "adventure"] = part("a system or an adventure")


@node()
class StoryNode(Construct):
    """A chapter or an ending."""

    id: ThingId = part("its id")
    title: str = part("its title")
    kind: KindId = part("the kind")
    ending: bool = part("whether it is an ending")
    result: Name | None = part("won or lost", default=None)


@node()
class StoryEdge(Construct):
    """A way from one to another; an empty `from` is anywhere, `via` names the card that opens it."""

    source: ThingIdOrEmpty = part("where from", key="from")
    to: ThingId = part("where to")
    label: str = part("what the way says")
    via: ThingOrSortId | None = part("the card that opens it", default=None)


@node()
class Story(Construct):
    """The story graph."""

    nodes: tuple[StoryNode, ...] = part("chapters and endings")
    edges: tuple[StoryEdge, ...] = part("the ways between them")


@node()
class Sources(Construct):
    """Where everything stands: files, and spots as file, line, column, end line, end column."""

    files: tuple[str, ...] = part("the files")
    spots: tuple[tuple[TokenCount, TokenCount, TokenCount, TokenCount, TokenCount], ...] = part(
        "file, line, column, end line, end column"
    )


def place(sources: Sources, spot: int) -> tuple[str, int]:
    """The file and line of a spot; an empty name where it is not known."""
    if not 0 <= spot < len(sources.spots):
        return "", 0
    file, line, *_ = sources.spots[spot]
    return sources.files[file], line


def spot_of(node: object, otherwise: int) -> int:
    """Where a node stands; where something lies is called `at` too, and is no line of the text."""
    at = getattr(node, "at", None)
    return at if isinstance(at, int) else otherwise


@node()
class Content(Construct):
    """Everything the packages declare."""

    types: tuple[TypeDeclaration, ...] = part("named words")
    options: tuple[OptionDeclaration, ...] = part("what is settled before a game")
    kinds: tuple[KindDeclaration, ...] = part("kinds, roles and dice that are things")
    traits: tuple[TraitDeclaration, ...] = part("traits")
    teams: tuple[TeamDeclaration, ...] = part("teams")
    tokens: tuple[TokenDeclaration, ...] = part("tokens and how many the box holds")
    tracks: tuple[TrackDeclaration, ...] = part("tracks")
    dice: tuple[DieDeclaration, ...] = part("named dice")
    states: tuple[StateDeclaration, ...] = part("named cells of state")
    piles: tuple[PileDeclaration, ...] = part("containers at top level")
    plans: tuple[PlanDeclaration, ...] = part("plans of places")
    movements: tuple[MovementDeclaration, ...] = part("ways of moving")
    payments: tuple[PaymentDeclaration, ...] = part("ways to pay")
    periods: tuple[PeriodDeclaration, ...] = part("periods")
    menus: tuple[MenuDeclaration, ...] = part("menus")
    values: tuple[ValueDeclaration, ...] = part("values")
    tables: tuple[TableDeclaration, ...] = part("tables; with `effects` the rows hold statements")
    actions: tuple[ActionDeclaration, ...] = part("actions")
    things: tuple[ThingDeclaration, ...] = part("things, and sorts with their copies")
    anytime: tuple[AnytimeDeclaration, ...] = part("what somebody may do at any time")
    orders: tuple[OrderDeclaration, ...] = part("who orders rules of one moment")
    checks: tuple[CheckDeclaration, ...] = part("what must hold when the package is compiled")
    measures: tuple[MeasureDeclaration, ...] = part("what is counted when a game ends")
    tests: tuple[TestDeclaration, ...] = part("tests")
    rules: tuple[Rule, ...] = part("rules at top level")
    start_after: tuple[ActionId, ...] = part("the actions after which tests begin")


@node()
class Document(Construct):
    """The document."""

    format: Literal["talewright document"] = part("always the same")
    version: Literal[2] = part("the version of the format")
    package: Package = part("the main package")
    packages: tuple[Package, ...] = part("all packages, the most basic first")
    locales: tuple[Name, ...] = part("the languages, that of the texts first")
    content: Content = part("everything declared")
    story: Story = part("the story graph")
    texts: Mapping[str, str] = part("texts by id")
    schemas: Mapping[str, Mapping[str, object]] = part("a JSON Schema for the things of each kind")
    sources: Sources = part("where everything stands")
