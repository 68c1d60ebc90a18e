"""Makes sequences of operations into tokens as csrc/nccl_tokens.c does, for traces of tests.

Slow and plain: positions of contexts in lists, and no table that two of them share.
"""

from __future__ import annotations

from collections.abc import Iterable

from runtime_probe.nccl_sequences import COPY, WINDOW

_CANDIDATES, _CONTEXT, _CHANGES, _KEPT = 32, 512, 32, 8


class Compressor:
    """Tokens, [what, length] each, of the symbols that were added."""

    def __init__(self) -> None:
        self.tokens: list[list[int]] = []
        self._symbols: list[int] = [0]  # none stands before the first
        self._distance = 0
        self._places: dict[tuple[int, ...], list[int]] = {}  # of pairs and of longer contexts
        self._latest: dict[int, int] = {}

    def add(self, symbol: int) -> None:
        """The next symbol."""
        if self._foreseen() == symbol:
            self.tokens[-1][1] += 1
        else:
            self._distance = self._find(symbol)
            self.tokens.append([COPY + self._distance if self._distance else symbol, 1])
        self._latest[symbol] = len(self._symbols)
        for context in self._contexts(symbol):
            self._places.setdefault(context, []).append(len(self._symbols))
        self._symbols.append(symbol)

    def _contexts(self, symbol: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return (*self._symbols[1 - _KEPT :], symbol), (self._symbols[-1], symbol)

    def _foreseen(self) -> int:
        if not self.tokens:
            return -1
        return self._symbols[-self._distance] if self._distance else self.tokens[-1][0]

    def _find(self, symbol: int) -> int:
        """How far back the copy begins that has most in common with what came just now."""
        now = len(self._symbols)
        best = most = 0
        for context in self._contexts(symbol):
            for position in self._places.get(context, [])[: -_CANDIDATES - 1 : -1]:
                length = self._common(now - position) if now - position < WINDOW else 0
                if length > most:
                    best, most = now - position, length
            if most:
                break
        equal = 0
        while equal < min(_CONTEXT, now - 1) and self._symbols[now - 1 - equal] == symbol:
            equal += 1
        if equal and most <= equal:
            return 1
        latest = now - self._latest.get(symbol, now)
        return best or (latest if latest < WINDOW else 0)

    def _common(self, distance: int) -> int:
        now = len(self._symbols)
        length = changes = 0
        while (
            length < _CONTEXT
            and now - 1 - length > distance
            and length + 1 + distance < WINDOW
            and self._symbols[now - 1 - length] == self._symbols[now - 1 - length - distance]
        ):
            changes += length > 0 and self._symbols[now - 1 - length] != self._symbols[now - length]
            if changes == _CHANGES:
                return _CONTEXT
            length += 1
        return length


def compress(symbols: Iterable[int]) -> list[tuple[int, int]]:
    """The tokens of *symbols*."""
    compressor = Compressor()
    for symbol in symbols:
        compressor.add(symbol)
    return [(what, length) for what, length in compressor.tokens]
