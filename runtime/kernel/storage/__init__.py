"""Where cells are kept: lists on the stack, blocks of the heap, frames, running calls, copies of a game."""
