"""What calls on windows, on messages in parts and tests of requests issue.

A post tells each origin that it may begin, and a completion tells each target that it is over: both
are messages that nobody waits for when they are sent (MPI 4.1, 12.5.2).
"""

from __future__ import annotations

from collections.abc import Callable

from lockorder.ranks.effects import Op, operations
from lockorder.ranks.operations import Issued, Operations
from lockorder.ranks.values import (
    LOCAL,
    Class,
    Const,
    Function,
    Group,
    Obj,
    Tested,
    Tup,
    Unknown,
    Value,
    counting,
    named,
)


class Epochs(Operations):
    """Windows, parts and tests."""

    def handlers(self) -> dict[str, Callable[[Issued], Value | None]]:
        return {
            **super().handlers(),
            "lock": self._lock, "unlock": self._lock, "epoch": self._epoch,
            "ready": self._part, "arrived": self._part, "test": self._test,
            "thread": self._thread, "joined": self._plain_op, "task": self._task,
        }  # fmt: skip

    # -- windows ----------------------------------------------------------------------------------

    def _lock(self, call: Issued) -> None:
        told, kind = call.told, call.given["lock_type"]
        self.issue(Op(
            kind=told.does, name=call.name, chain=self.chain(), comm=call.comm,
            peer=call.given[told.to], refuses=self.known.refuses(call.path),
            exclusive=told.exclusive if kind is None else (
                isinstance(kind, Unknown) and kind.path.endswith("EXCLUSIVE")
            ),
        ))  # fmt: skip

    def _epoch(self, call: Issued) -> None:
        """An epoch of which both sides say who the others are."""
        what = call.told.epoch
        key = (0, f"epoch {'post' if what in ('post', 'wait') else 'start'} {call.comm.id}")
        if what in ("post", "start"):
            self.set(key, self.led_to(call.given["group"]) or Unknown(f"members of {call.name}"))
        others = self.get(key)
        sends = what in ("post", "complete")
        tag = Const("post" if what in ("post", "start") else "complete")
        if not isinstance(others, Group):
            self._signal(call, sends, Unknown(f"members of {call.name}"), tag, 0)
            return
        numbers: list[int] = []
        for rank in others.members:
            self.requests += 1
            numbers.append(self.requests)
            self._signal(call, sends, Const(rank), tag, self.requests)
        if not sends and numbers:
            self.issue(Op(kind="wait", name=call.name, chain=self.chain(), waits=tuple(numbers)))

    def _signal(self, call: Issued, sends: bool, peer: Value, tag: Value, number: int) -> None:
        self.issue(Op(
            kind="send" if sends else "recv", name=call.name, chain=self.chain(), comm=call.comm,
            peer=peer, tag=tag, buffered=sends, request=0 if sends else number, absolute=True,
        ))  # fmt: skip

    # -- messages in parts ------------------------------------------------------------------------

    def _part(self, call: Issued) -> Value | None:
        """Parts of a message are ready, or a question whether one has arrived."""
        numbers = self.numbers_of(call.given["request"])
        which = self._which(call)
        if call.told.does == "ready":
            self.issue(Op(
                kind="ready", name=call.name, chain=self.chain(), waits=numbers, which=which
            ))  # fmt: skip
            return None
        op = Op(kind="arrived", name=call.name, chain=self.chain(), waits=numbers, which=which)
        self._flag(call, (op,) if numbers else ())
        return None

    def _which(self, call: Issued) -> frozenset[int]:
        """The parts that a call is about; none stands for all, as where nobody knows."""
        given = call.given
        first, last = self.whole(given["partition_low"]), self.whole(given["partition_high"])
        if first is not None and last is not None:
            return frozenset(range(first, last + 1))
        one = self.whole(given["partition"])
        if one is not None:
            return frozenset((one,))
        row = self.settled(given["partitions"])
        items = self.items(row) if row is not None else None
        found = [self.whole(x) for x in items or ()]
        return frozenset(x for x in found if x is not None) if None not in found else frozenset()

    # -- threads ----------------------------------------------------------------------------------

    def _thread(self, call: Issued) -> None:
        """A function that runs beside what comes next: what it writes is open from here on."""
        start, handed = self._started(call)
        if not isinstance(start, Function):
            return
        kept, self.out = self.out, []
        self.open()
        try:
            self.invoked([start, *handed])
        finally:
            changed = self.close()
            items, self.out = self.out, kept
        for key, value in changed.items():
            if isinstance(value, Const | Unknown):
                self.set(key, Unknown(named(f"{call.name}:{key[1]}"), value.depends))
        ops = tuple(op for op in operations(items) if op.kind == "collective")
        self.issue(Op(kind="thread", name=call.name, chain=self.chain(), beside=ops))

    def _started(self, call: Issued) -> tuple[Value | None, list[Value]]:
        """What a thread runs, and what it is handed."""
        names, base = call.told.parameters, call.base
        if "start" in names:
            start = self.led_to(call.given["start"])
            handed = [call.given[name] for name in names[names.index("start") + 1 :]]
            return start, [h for h in handed if h is not None]
        if isinstance(base, Obj) and isinstance(base.cls, Class):  # a class of threads
            return self.member(base, "run"), []
        return self.tasks.get(base.id if base is not None else "", (None, []))

    def _task(self, call: Issued) -> Value:
        """A thread that is not started yet."""
        args = call.given["args"]
        items = self.items(args) if args is not None else ()
        self.requests += 1
        found = Unknown(f"{self.label(call.path)}#{self.requests}", path=f"{call.path}()")
        if items is not None:
            self.tasks[found.id] = call.given["target"], list(items)
        return found

    #: by what was made: the functions of threads that are not started yet, and their arguments
    tasks: dict[str, tuple[Value | None, list[Value]]]

    def invoked(self, what: list[Value]) -> Value:
        """Call a function, or one of an object, with what comes behind it."""
        raise NotImplementedError

    # -- tests ------------------------------------------------------------------------------------

    def _test(self, call: Issued) -> Value | None:
        """What is asked for once; a loop that asks until it is so waits for it."""
        told, given = call.told, call.given
        if told.source:
            self.receipt = self.label(f"{call.path}@{self.top.line}")
            ops: tuple[Op, ...] = (Op(
                kind=told.operation or "probe", name=call.name, chain=self.chain(), comm=call.comm,
                peer=given[told.source] or Const("any"), tag=given[told.tag], receipt=self.receipt,
            ),)  # fmt: skip
        elif "index" in told.parameters:
            self.ended_in(given[told.comm])
            some = self.some_of(call)
            self.tested.update(some.waits if some is not None else ())
            ops = (some,) if some is not None else ()
        else:
            held = call.base if told.comm == "self" else given[told.comm]
            numbers = self.numbers_of(held, given["count"])
            self.ended_in(held)
            self.asks_for(numbers)
            self.tested.update(numbers)
            waits = Op(kind="wait", name=call.name, chain=self.chain(), waits=numbers)
            ops = (waits,) if numbers else ()
        found = self._flag(call, ops)
        if "flag" in told.parameters:
            return None
        return Tup((found, Unknown(f"{found.id}.message"))) if told.pair else found

    def _flag(self, call: Issued, ops: tuple[Op, ...]) -> Value:
        name = named(f"{self.label(call.path)}@{self.top.line}")
        deps = counting(frozenset((LOCAL + call.path,)))
        found = Tested(name, deps, f"{call.path}()", ops=ops)
        self.put(call.given, "flag", found)
        return found
