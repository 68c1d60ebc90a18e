"""The rows of all ranks where messages decide what ranks do.

A rank's program is written down before anybody plays it, and what it does may depend on what
another rank sends: a worker goes on until the message comes that ends it.  So the rows are made by
turns: each as far as what the rank has received says, then a play that shows what it gets next.
A wildcard receive gets the message that comes first in this one play; others are not tried.
What is sent is often not known.  It is taken to be none of the constants that ranks send, too:
these are the marks that end something.
"""

from __future__ import annotations

from lockorder.bounds import RANK_TALK
from lockorder.ranks.effects import Item, operations
from lockorder.ranks.flatten import Answers, Flattener, Heard, Row
from lockorder.ranks.simulate import Play
from lockorder.ranks.values import Const


class Talk:
    """A job of which each rank's program is written down."""

    def __init__(self, found: list[list[Item]]) -> None:
        self._found = found
        self._marks = frozenset(
            repr(op.data.value)
            for items in found
            for op in operations(items)
            if op.kind == "send" and isinstance(op.data, Const)
        )

    def rows(self, answers: Answers, odd: int = -1, strict: bool = False) -> list[Row]:
        """What each rank issues, for one answer to each question that no message answers.

        *odd* is the rank that answers one of them otherwise; *strict*: no send returns before it
        is received.
        """
        heard: list[Heard] = [{} for _ in self._found]
        known = 0
        for _ in range(RANK_TALK.limit):
            rows = [
                Flattener(answers, r == odd, each, self._marks).run(items)
                for r, (items, each) in enumerate(zip(self._found, heard, strict=True))
            ]
            if not any(row.end == "asks" for row in rows):
                return rows
            play = Play(rows, strict)
            play.run()
            heard = [play.messages(r) for r in range(len(rows))]
            now = sum(m is not None for each in heard for got in each.values() for m in got)
            if now == known:
                for r, row in enumerate(rows):
                    if row.end == "asks" and not _waits(play, r):
                        # It asks for what it has not waited for: any answer may be right.
                        rows[r] = Flattener(answers, r == odd).run(self._found[r])
                return rows
            known = now
        for row in rows:
            row.talks_on = row.end == "asks"
            row.cut |= row.talks_on
        return rows


def _waits(play: Play, rank: int) -> bool:
    """Whether a rank waits for ever in what comes before its question."""
    return play.outcome is not None or play.at[rank] < len(play.rows[rank])
