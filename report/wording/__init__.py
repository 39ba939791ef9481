"""Effects and rules of a document in plain words.

`speaker` joins the parts; `vocabulary` knows the nouns of a document; `expressions`, `conditions`, `statements` and
`rules` word the nodes of those names; `templates` fills the wordings that packages give; `cards` words whole things;
`questions` finds where somebody is asked something, `uses` says which choices use what is chosen.
Only the document is read: no game is needed, and nothing a package says is ever run.
"""
