"""Every bound of the static analysis, with the reason for it; and what was cut at one.

A bound keeps the analysis of generated or hostile code from taking for ever.  Each is far above
what real code reaches, each cut is counted by the function in which it happened, told in the
coverage, and lowers the confidence of the findings that go through that function.  There are no
others: what limits a result and does not stand here is a bug.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Bound(NamedTuple):
    """At most *limit* of *what*, because of *why*.

    What is left out can make a finding that is told less sure, but where it *only_hides*.
    """

    what: str
    limit: int
    why: str
    only_hides: bool = False


RANK_STEPS = Bound(
    "expressions and statements that one rank's program is run for on paper",
    20_000,
    "a program that is run from its beginning may do anything, and each of nine ranks runs it",
    only_hides=True,
)
RANK_PART = Bound(
    "expressions and statements that a function is run for on paper, where nobody calls it",
    8_000,
    "every function that nobody calls is a beginning of its own, and so there are many",
    only_hides=True,
)
PYTHON_KINDS = Bound(
    "classes, functions and containers that one name of a Python source can stand for",
    24,
    "a call that can mean so many things says nothing of any of them",
    only_hides=True,
)
RANK_CALLS = Bound(
    "calls inside of each other, or of a function in itself, while a rank's program is run",
    24,
    "what recursion issues depends on when it ends, which is not known",
    only_hides=True,
)
RANK_ANSWERS = Bound(
    "sets of answers to what a rank's program asks",
    24,
    "each is a job of its own that is played; every question is answered both ways, but not in "
    "all combinations",
    only_hides=True,
)
RANK_TALK = Bound(
    "plays of a job in which messages decide what ranks do next",
    200,
    "each shows what ranks receive next; programs that end come to their end in far fewer",
    only_hides=True,
)
RANK_OPERATIONS = Bound(
    "operations that one rank issues",
    4000,
    "a job is played operation by operation",
    only_hides=True,
)
STATES = Bound(
    "ways to one point of a function",
    48,
    "each is walked on its own; they differ in what is locked or about to be destroyed, and "
    "twice as many conditions that guard locks would make the square of them",
)
#: Past so many, what differs only in what it gave up is taken as one that gave up what all did.
FEW_WAYS = 8

OUTCOMES = Bound(
    "ways a call can end", 48, "each makes a way of its own in every caller, after every call"
)
VALUES = Bound(
    "things one expression can be",
    16,
    "each lock operation counts for every one, and a chain of pointers multiplies them",
)
VARIANTS = Bound(
    "sets of locks under which one lock is taken in a call",
    64,
    "each is handed to every caller; only sets that contain no other one are kept",
)
DISTANT = Bound(
    "ways over other objects to one lock of a class in a call",
    16,
    "objects that point to each other are reached in as many ways as their members can be put in "
    "rows; longer ways lead to some object of the class, which may be one that is held already",
    only_hides=True,
)
DEFERRED = Bound(
    "calls of what only a caller knows",
    512,
    "each is resolved at every call of the function, and again in its callers",
)
CALLBACK_DEPTH = Bound(
    "callables that are handed in to one another",
    12,
    "a callable that is given itself would be followed for ever",
)
TARGETS = Bound(
    "functions that a call of a stored callable may run (it is not followed then)",
    64,
    "that it is none of nearly all of them is not seen: whatever they do says nothing of the call",
)
CLOSURES = Bound(
    "closures of which one dies with the callable that it is in (none is taken to die then)",
    12,
    "that it is none of most of them is not seen: what they have captured says nothing of the end",
)
ROUNDS = Bound(
    "rounds over functions that call each other",
    400,
    "a fixed point is reached as soon as the longest way round is known; the bound is there for "
    "a mistake in the analysis",
)
GATES = Bound(
    "locks held around one event",
    32,
    "deeper nests are generated code, and all pairs of them would cost the cube of the depth",
)
ORDERS = Bound(
    "places that show one order",
    200,
    "one is enough for a finding; the others are there for those that gates exclude",
    only_hides=True,
)
CONTEXTS = Bound(
    "sets of locks that callers hold around a function",
    32,
    "only sets that contain no other one are kept; each is tried against each in a cycle",
)
LABELS = Bound(
    "labels of a switch that are known not to fit in its default",
    256,
    "each is a condition of its own on the way to the default",
)
NESTED = Bound(
    "members inside members that are made or destroyed",
    12,
    "a class that holds itself through a container would be followed for ever",
)
QUESTIONS = Bound(
    "callers that are asked whether something can happen",
    1000,
    "each with what must be so there; where more would have to be asked, it is told",
)
LOOPS = Bound(
    "rounds through a loop",
    5,
    "a loop is walked until a round brings no new way; each lock that it takes may make one more",
)
STEPS = Bound(
    "members on the way from a name to a lock",
    12,
    "a member that leads to another object of the same kind counts once; more than these are "
    "generated code",
)
INSTANCES = Bound(
    "copies of a template, one for each list of arguments",
    1_000,
    "a template can call itself with arguments that grow, and what ends that may be unknown here; "
    "compilers stop at some thousand, too",
)
NAMESAKES = Bound(
    "functions that a call means which names one by its bare name",
    4,
    "where no declaration of it was read, any of them may be meant; of more of them each is "
    "hardly more than a guess",
)
LATE = Bound(
    "calls that only a walk finds, one inside another",
    16,
    "the call graph does not have them, and what is called is walked in the midst of its caller; "
    "where it calls that caller again, nothing is known of it there",
)
#: An expression that can be more objects than these is some object of their class (no cut: it is
#: each of them still, and which one it is decides nothing any more).
FEW_OBJECTS = 4
#: What lies over more pointers and elements than these from a name is in some object of its class
#: (no cut: objects that point to each other are reached in as many ways as members can be put in
#: rows, and by which of them says nothing of the last object or of what it has inside).
NEAR_OBJECTS = 2
#: Bytes that a process may have which reads sources.  Files of the largest projects need a tenth;
#: where libclang wants more it will want all, and has crashed: that is told with its file.
READING_MEMORY = 4 << 30


class Cuts:
    """Which bounds were hit, and in which functions (by USR)."""

    def __init__(self) -> None:
        self.functions: dict[Bound, set[str]] = {}

    def note(self, bound: Bound, function: str) -> None:
        """Something was left out at *bound* in *function*."""
        self.functions.setdefault(bound, set()).add(function)

    def everywhere(self) -> frozenset[str]:
        """All functions in which something was left out that findings rest on."""
        return frozenset().union(*(f for b, f in self.functions.items() if not b.only_hides))

    def rows(self) -> Iterable[tuple[Bound, frozenset[str]]]:
        """Bounds that were hit, by what they count."""
        for bound in sorted(self.functions):
            yield bound, frozenset(self.functions[bound])
