"""The language server: the compiler, shown where people type.

`server` speaks the protocol and is the only module that needs the extra `editor`. All others are plain
functions from texts and the compiler's result to what an editor shows, in character offsets.
"""
