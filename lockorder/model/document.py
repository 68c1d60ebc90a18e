"""The versioned JSON form that static results and recorded runs share."""

from __future__ import annotations

import msgspec

from lockorder.model.comparison import Comparison
from lockorder.model.coverage import Coverage
from lockorder.model.finding import Accepted, Finding
from lockorder.model.graph import LockGraph
from lockorder.model.hang import ProcessState
from lockorder.model.locks import EdgeWitness, LeftOut, Lock, LockKind, LockSites
from lockorder.model.run import Run
from lockorder.model.timeline import Timeline

#: Raised whenever a reader of the previous form would misread the new one.
FORMAT_VERSION = 1
_FORMAT = "lockorder-result"
#: What msgspec raises for bytes that are no JSON, no UTF-8, or nested beyond all reason.
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


class DocumentError(ValueError):
    """The bytes are not a lockorder result, or not one of a version that is understood."""


class Document(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A result: the lock-order graph, the findings on it, and what was seen to make it.

    ``origin`` is ``static``, ``recorded``, ``hung`` or ``compared``; a static one has
    ``coverage``, ``sites`` and what was ``left_out`` of the graph, a recorded one a ``run``, one
    that was compared with runs a ``comparison``.  ``accepted`` are findings that do not count.
    ``problems`` are what could not be analysed, ``notes`` what is known in less detail than it
    could be.  Of a hung job ``headline`` is what it hangs on in one sentence, and ``processes``
    are as they were found.  ``timeline`` is of the processes that the findings speak of, or the
    first ones, and of each its newest spans.
    """

    format: str = _FORMAT
    version: int = FORMAT_VERSION
    tool: str = ""
    origin: str = "static"
    locks: tuple[Lock, ...] = ()
    writers: tuple[str, ...] = ()
    edges: tuple[EdgeWitness, ...] = ()
    sites: tuple[LockSites, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    findings: tuple[Finding, ...] = ()
    accepted: tuple[Accepted, ...] = ()
    coverage: Coverage | None = None
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    run: Run | None = None
    comparison: Comparison | None = None
    headline: str = ""
    processes: tuple[ProcessState, ...] = ()
    timeline: Timeline | None = None

    @property
    def lock_count(self) -> int:
        """How many locks there are: threads that stand among them are none."""
        return sum(lock.kind is not LockKind.THREAD for lock in self.locks)

    def graph(self) -> LockGraph:
        """Rebuild the lock-order graph; raises DocumentError where an edge names no lock."""
        graph = LockGraph()
        for lock in self.locks:
            graph.add_lock(lock)
        for writer in self.writers:
            graph.add_writer(writer)
        for witness in self.edges:
            try:
                graph.add_witness(witness)
            except KeyError as missing:
                raise DocumentError(f"an edge names an {missing.args[0]}") from None
        return graph

    @classmethod
    def from_graph(cls, graph: LockGraph, places: bool = False, **rest: object) -> Document:
        """A document that holds *graph*; *rest* are the other fields.

        With *places*, an order is written once for its two places, however many ways of calling
        lead there: in large trees these are most of what there would be to write.
        """
        evidence = graph.places if places else graph.witnesses
        return cls(
            locks=tuple(graph.locks[i] for i in sorted(graph.locks)),
            writers=tuple(sorted(graph.writers)),
            edges=tuple(w for edge in graph.edges() for w in evidence(*edge)),
            **rest,  # type: ignore[arg-type]
        )


class _Header(msgspec.Struct):
    format: str = ""
    version: int = 0


def encode(document: Document) -> bytes:
    """JSON, keys in a fixed order, indented, with a final newline: the same bytes every time.

    Fields that hold their default are left out, apart from the two that identify the form.
    """
    # Written out here: plain dictionaries of a large result would take as long as all the rest.
    head = msgspec.json.encode({"format": document.format, "version": document.version})
    body = msgspec.json.encode(
        msgspec.structs.replace(document, format=_FORMAT, version=FORMAT_VERSION)
    )
    comma = b"," if len(body) > len(b"{}") else b""
    return msgspec.json.format(head[:-1] + comma + body[1:], indent=1) + b"\n"


def decode(data: bytes) -> Document:
    """Read what ``encode`` wrote.

    Raises DocumentError with a reason for anything else: not JSON, another format, a newer
    version, a field of the wrong type.
    """
    try:
        header = msgspec.json.decode(data, type=_Header)
    except _UNREADABLE as error:
        raise DocumentError(f"not a lockorder result: {error}") from None
    if header.format != _FORMAT:
        raise DocumentError("not a lockorder result: no format field of that name")
    if header.version != FORMAT_VERSION:
        raise DocumentError(
            f"result version {header.version}, this lockorder reads {FORMAT_VERSION}: "
            "write it again with the same version"
        )
    try:
        return msgspec.json.decode(data, type=Document)
    except _UNREADABLE as error:
        raise DocumentError(f"damaged lockorder result: {error}") from None
