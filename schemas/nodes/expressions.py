"""All expressions, and what may stand where an expression stands."""

from __future__ import annotations

from typing import Annotated

from talewright.schemas.nodes.leaves import Apart
from talewright.schemas.nodes.literals import (
    DiceLiteral,
    IntLiteral,
    MapLiteral,
    MarkLiteral,
    NoneLiteral,
    SetLiteral,
    SizeLiteral,
    Text,
    TruthLiteral,
    WordLiteral,
)
from talewright.schemas.nodes.names import (
    AreaRef,
    Bearers,
    ChapterRef,
    DieRef,
    EndingRef,
    KindRef,
    LocalRef,
    MovementRef,
    Offers,
    OptionRef,
    PaymentRef,
    PileRef,
    PlanRef,
    ResultRef,
    SeatRef,
    SelfRef,
    SortRef,
    StateRef,
    TableLookUp,
    TeamRef,
    ThingRef,
    ThingsOfKind,
    TokenRef,
    TrackRef,
    TraitParam,
    TraitRef,
    ValueAsWay,
    ValueCall,
)
from talewright.schemas.nodes.operators import (
    Add,
    Adjacent,
    And,
    Between,
    Div,
    During,
    Eq,
    Ge,
    Gt,
    Includes,
    Inside,
    InsideAny,
    IsEmpty,
    IsFace,
    IsKind,
    IsNone,
    IsSort,
    IsTrait,
    Knows,
    Le,
    LiesIn,
    Lt,
    ManyDice,
    Member,
    Mod,
    Mul,
    Ne,
    Near,
    Not,
    Or,
    Pair,
    Pick,
    Rank,
    Rotate,
    Same,
    SamePile,
    SetMinus,
    SetUnion,
    SomeCopies,
    Span,
    Sub,
    Within,
)
from talewright.schemas.nodes.queries import (
    Agreed,
    Best,
    CoreFunctionCall,
    Count,
    Each,
    Exists,
    Filter,
    First,
    Greatest,
    Highest,
    Last,
    Least,
    Lowest,
    NewThing,
    Question,
    RandomOne,
    Sorted,
    Total,
)
from talewright.schemas.nodes.reads import (
    AsInt,
    AsPool,
    BandOf,
    BaseValue,
    Decider,
    DieProperty,
    DieValue,
    EachDie,
    FieldOf,
    FixedDice,
    Holds,
    LateField,
    LookUp,
    Nth,
    OneCopy,
    PileBottom,
    PileItems,
    PileTop,
    PoolDice,
    PoolProperty,
    PoolTotal,
    Property,
    Slice,
    SlotContent,
    SortCopies,
    SpotProperty,
    Spread,
    TokensAt,
    TokensOn,
)

Expression = (
    IntLiteral
    | TruthLiteral
    | NoneLiteral
    | WordLiteral
    | MarkLiteral
    | DiceLiteral
    | SizeLiteral
    | Text
    | SetLiteral
    | MapLiteral
    | ThingRef
    | SortRef
    | PileRef
    | StateRef
    | TrackRef
    | OptionRef
    | TokenRef
    | DieRef
    | TeamRef
    | PlanRef
    | MovementRef
    | PaymentRef
    | ThingsOfKind
    | KindRef
    | LocalRef
    | TraitParam
    | ValueAsWay
    | SelfRef
    | ResultRef
    | ChapterRef
    | EndingRef
    | AreaRef
    | ValueCall
    | TableLookUp
    | SeatRef
    | TraitRef
    | Bearers
    | Offers
    | FieldOf
    | Property
    | LateField
    | PoolProperty
    | DieProperty
    | SpotProperty
    | TokensOn
    | TokensAt
    | LookUp
    | BandOf
    | Slice
    | Nth
    | Decider
    | SlotContent
    | PileItems
    | SortCopies
    | OneCopy
    | Spread
    | PoolTotal
    | PoolDice
    | DieValue
    | FixedDice
    | Holds
    | AsPool
    | AsInt
    | EachDie
    | BaseValue
    | PileBottom
    | PileTop
    | And
    | Or
    | Eq
    | Ne
    | Lt
    | Le
    | Gt
    | Ge
    | Add
    | Sub
    | Mul
    | Div
    | Mod
    | Same
    | SamePile
    | SetUnion
    | SetMinus
    | Near
    | Adjacent
    | Pair
    | Not
    | Knows
    | Span
    | Between
    | Rank
    | SomeCopies
    | ManyDice
    | IsFace
    | IsKind
    | IsTrait
    | IsSort
    | Member
    | LiesIn
    | Inside
    | InsideAny
    | Within
    | Rotate
    | Includes
    | Pick
    | During
    | IsNone
    | IsEmpty
    | Filter
    | Each
    | Best
    | Sorted
    | RandomOne
    | Least
    | Greatest
    | Exists
    | First
    | Last
    | Count
    | Total
    | Highest
    | Lowest
    | CoreFunctionCall
    | NewThing
    | Agreed
    | Question
)

OwnExpression = Annotated[Expression, Apart()]
OwnText = Annotated[Text, Apart()]
Target = LocalRef | FieldOf | LateField | StateRef | TrackRef | LookUp | PileRef | Property
