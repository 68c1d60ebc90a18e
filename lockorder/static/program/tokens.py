"""Sets of tokens as integers: a bit for each, so that what is new in one is one operation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


class Tokens:
    """Numbers tokens; a set of them is an integer with the bits of their numbers."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._tokens: list[str] = []
        self._masks: dict[str, int] = {}
        self._known: dict[tuple[int, str], tuple[str, ...]] = {}

    def bit(self, token: str) -> int:
        """The set of *token* alone."""
        number = self._numbers.get(token)
        if number is None:
            number = self._numbers[token] = len(self._tokens)
            self._tokens.append(token)
            kind = token[: token.index(":") + 1]
            self._masks[kind] = self._masks.get(kind, 0) | 1 << number
        return 1 << number

    def named(self, tokens: int, kind: str) -> tuple[str, ...]:
        """What stands behind the *kind* in those of *tokens* that begin with it, sorted."""
        chosen = tokens & self._masks.get(kind, 0)
        if not chosen:
            return ()
        found = self._known.get((chosen, kind))
        if found is None:
            found = self._known[chosen, kind] = tuple(sorted(self.each(chosen, kind)))
        return found

    def all_of(self, kinds: Iterable[str]) -> int:
        """All tokens that there are of these kinds."""
        found = 0
        for kind in kinds:
            found |= self._masks.get(kind, 0)
        return found

    def moved(self, tokens: int, kind: str, other: str) -> int:
        """Those of *tokens* that begin with *kind*, with *other* in its place."""
        found = 0
        for name in self.each(tokens, kind):
            found |= self.bit(other + name)
        return found

    def __contains__(self, token: str) -> bool:
        return token in self._numbers

    def each(self, tokens: int, kind: str) -> Iterator[str]:
        """The same as `named` in the order of the numbers; nothing is remembered."""
        for number in _bits(tokens & self._masks.get(kind, 0)):
            yield self._tokens[number][len(kind) :]


def _bits(number: int) -> Iterator[int]:
    """The places of the bits that are set."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest
