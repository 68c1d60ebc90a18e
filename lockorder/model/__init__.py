"""The one model that static analysis, recorded runs and hung jobs share.

Nothing in this package knows where evidence came from or how it is printed; it imports nothing
else of lockorder.  All types are frozen msgspec structs, so a value can be hashed, compared,
written as JSON and read back without loss.
"""

from lockorder.model.communicators import (
    End,
    Issued,
    Launch,
    Membership,
    Operation,
    RankLog,
    Steps,
)
from lockorder.model.comparison import (
    Comparison,
    JoinedLock,
    LiveOrder,
    UnjoinedLock,
    Verdict,
)
from lockorder.model.coverage import Coverage, Cut, FileCoverage, HeaderOrigin
from lockorder.model.document import FORMAT_VERSION, Document, DocumentError, decode, encode
from lockorder.model.finding import (
    CONFIRMED,
    DECLARED,
    Accepted,
    Confidence,
    Finding,
    Level,
    Participant,
    Table,
    fingerprint,
)
from lockorder.model.graph import LockGraph, circular
from lockorder.model.hang import (
    SNAPSHOT_VERSION,
    Launches,
    LaunchSide,
    ProcessState,
    Snapshot,
    ThreadState,
)
from lockorder.model.locks import (
    Acquisition,
    Between,
    Certainty,
    EdgeWitness,
    Frame,
    HeldLock,
    How,
    Instance,
    LeftOut,
    Lock,
    LockKind,
    LockSites,
    Mode,
)
from lockorder.model.run import LockStatistics, ProcessSummary, Run, duration, ordinal, ranges
from lockorder.model.timeline import Arrow, Span, SpanKind, Timeline
from lockorder.model.waits import Owner, Wait

__all__ = [
    "CONFIRMED",
    "DECLARED",
    "FORMAT_VERSION",
    "SNAPSHOT_VERSION",
    "Accepted",
    "Acquisition",
    "Arrow",
    "Between",
    "Certainty",
    "Comparison",
    "Confidence",
    "Coverage",
    "Cut",
    "Document",
    "DocumentError",
    "EdgeWitness",
    "End",
    "FileCoverage",
    "Finding",
    "Frame",
    "HeaderOrigin",
    "HeldLock",
    "How",
    "Instance",
    "Issued",
    "JoinedLock",
    "Launch",
    "LaunchSide",
    "Launches",
    "LeftOut",
    "Level",
    "LiveOrder",
    "Lock",
    "LockGraph",
    "LockKind",
    "LockSites",
    "LockStatistics",
    "Membership",
    "Mode",
    "Operation",
    "Owner",
    "Participant",
    "ProcessState",
    "ProcessSummary",
    "RankLog",
    "Run",
    "Snapshot",
    "Span",
    "SpanKind",
    "Steps",
    "Table",
    "ThreadState",
    "Timeline",
    "UnjoinedLock",
    "Verdict",
    "Wait",
    "circular",
    "decode",
    "duration",
    "encode",
    "fingerprint",
    "ordinal",
    "ranges",
]
