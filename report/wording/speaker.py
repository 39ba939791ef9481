"""Joins what puts a document into words."""

from __future__ import annotations

from talewright.report.wording.conditions import Conditions
from talewright.report.wording.core_verbs import CoreVerbs
from talewright.report.wording.expressions import Expressions
from talewright.report.wording.phrases import with_article
from talewright.report.wording.rules import Rules
from talewright.report.wording.statements import Statements
from talewright.report.wording.vocabulary import Vocabulary
from talewright.schemas.nodes.document import Document


class Speaker:
    """Words for everything in a document; each part words one sort of node."""

    def __init__(self, document: Document) -> None:
        self.vocabulary = Vocabulary(document)
        self.expressions = Expressions(self)
        self.conditions = Conditions(self)
        self.core_verbs = CoreVerbs(self)
        self.statements = Statements(self)
        self.rules = Rules(self)

    def vocabulary_article(self, noun: str) -> str:
        """A noun with its article."""
        return with_article(noun)
