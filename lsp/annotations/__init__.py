"""What an editor shows beside the text: hints for types and bands, lenses over tests and chapters, links, and who calls what.

`requests` answers the protocol with the other modules.
"""
