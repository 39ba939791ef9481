"""Tokens: counts on things, and one supply for each token."""

from __future__ import annotations

from talewright.runtime.kernel.memory import DIRTY, TOKEN_CELL, TOKEN_SUPPLY, WIDTH, M, token_limit


def tokens_on(token: int, thing: int) -> int:
    """How many tokens lie on a thing."""
    cell = M[TOKEN_CELL + token * WIDTH + thing]
    if cell == 0:
        return 0
    return M[cell]


def put_token(count: int, token: int, thing: int) -> int:
    """Tokens from the supply onto a thing, as many as there are and fit; gives how many."""
    cell = M[TOKEN_CELL + token * WIDTH + thing]
    if thing == 0 or cell == 0:
        return 0
    if count > M[TOKEN_SUPPLY + token]:
        count = M[TOKEN_SUPPLY + token]
    most = token_limit(token, thing)
    if most >= 0 and count > most - M[cell]:
        count = most - M[cell]
    if count <= 0:
        return 0
    M[cell] += count
    M[TOKEN_SUPPLY + token] -= count
    M[DIRTY] = 1
    return count


def take_token(count: int, token: int, thing: int) -> int:
    """Tokens from a thing back to the supply; gives how many."""
    cell = M[TOKEN_CELL + token * WIDTH + thing]
    if thing == 0 or cell == 0:
        return 0
    if count > M[cell]:
        count = M[cell]
    if count <= 0:
        return 0
    M[cell] -= count
    M[TOKEN_SUPPLY + token] += count
    M[DIRTY] = 1
    return count


def can_put_token(count: int, token: int, thing: int) -> int:
    """Whether at least one token would move."""
    cell = M[TOKEN_CELL + token * WIDTH + thing]
    if thing == 0 or cell == 0 or count < 1 or M[TOKEN_SUPPLY + token] < 1:
        return 0
    most = token_limit(token, thing)
    return most < 0 or M[cell] < most


def can_take_token(count: int, token: int, thing: int) -> int:
    """Whether at least one token would come off."""
    if thing == 0 or count < 1:
        return 0
    return tokens_on(token, thing) > 0
