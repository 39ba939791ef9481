"""Effects and rules of a document in plain words.

`speaker` joins the parts; `vocabulary` knows the nouns of a document; `phrases` are pieces of sentences that agree,
`surroundings` what is known around a node. `expressions`, `conditions`, `statements`, `core_verbs` and `rules` word the nodes
of those names; `templates` fills the wordings that packages give; `cards` words whole things, `pages` all of them beside their
source; `questions` finds where somebody is asked something, `uses` says which choices use what is chosen. Only the document is
read: no game is needed, and nothing a package says is ever run.
"""
