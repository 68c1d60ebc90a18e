"""What functions do that run once, as a part of main, while none of their threads runs.

It is kept until all is walked: main, which calls them, is walked after them, and knows whether it
was alone when it did.
"""

from __future__ import annotations

from lockorder.static.interp.collected import Collected
from lockorder.static.interp.contexts import CallSite, Contexts
from lockorder.static.interp.summary import Order
from lockorder.static.parse import facts as f
from lockorder.static.program import mains
from lockorder.static.program.link import Program


class MainParts:
    """Such functions, and what they did at that time."""

    def __init__(self, program: Program, main: str, taken: set[str]) -> None:
        self._main = main
        self._callers = mains.find(program, main, taken)
        #: One of them is walked, and none of its threads runs.
        self.may_be_alone = False
        self._called_alone: dict[str, bool] = {}
        self._orders: list[tuple[f.Function, Order]] = []
        self._calls: list[CallSite] = []

    def has(self, function: str) -> bool:
        """Whether *function* is one of them."""
        return function in self._callers

    def called(self, caller: str, callee: str, alone: bool) -> None:
        """*caller* comes to *callee*; it may be *alone* then."""
        if self._callers.get(callee) == caller:
            self._called_alone[callee] = alone

    def keep_order(self, function: f.Function, order: Order) -> None:
        """An order of one of them, from a time when it may be alone."""
        self._orders.append((function, order))

    def keep_call(self, site: CallSite) -> None:
        """A call of one of them, from that time."""
        self._calls.append(site)

    def _is_alone(self, function: str) -> bool:
        """Whether main is alone where it comes to *function*."""
        while function in self._callers:
            if not self._called_alone.get(function):
                return False
            function = self._callers[function]
        return function == self._main

    def settle(self, found: Collected, contexts: Contexts) -> None:
        """Say what was done alone, and what was not: all is walked."""
        for function, order in self._orders:
            if self._is_alone(function.usr):
                found.alone(function, order)
            else:
                found.order(function, order)
        for site in self._calls:
            if self._is_alone(site.caller):
                contexts.startup.add(site.callee)
            else:
                contexts.add(site)
