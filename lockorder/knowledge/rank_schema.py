"""The tables of ``lockorder/knowledge/ranks``: what calls mean to the other ranks of a job.

Names are whole (``torch.distributed.all_reduce``, ``MPI_Bcast``); ``X()`` is what calling ``X``
gives, so that ``accelerate.Accelerator().wait_for_everyone`` is a method of such an object.
Parameters are named in their order; other keys say which of them has which part.  ``self`` is the
object of a method, ``return`` what the call gives.
"""

from __future__ import annotations

from typing import Literal

import msgspec

#: Values that a rank has, or that all have, in a job of a known size.
Told = Literal[
    "", "rank", "size", "local_rank", "local_size", "node", "nodes", "first", "local_first",
    "last", "not_first", "world", "self_world", "no_world", "local", "uniform", "through",
    "argument", "pair", "decorator", "any", "nobody", "any_peer", "root", "remote_size",
    "undefined", "memory", "thread", "drawn", "seed", "order", "any time", "zero", "true", "files",
    "self", "together",
]  # fmt: skip


class RankCall(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Calls of one form."""

    names: list[str]
    parameters: list[str] = []
    #: what it does with other ranks
    does: Literal[
        "", "collective", "send", "recv", "sendrecv", "wait", "open", "close", "begin", "probe",
        "batch", "persistent", "start", "wait_some", "members", "join", "lock", "unlock", "epoch",
        "ready", "arrived", "test", "cancel", "thread", "joined",
        "task", "freed",
    ] = ""  # fmt: skip
    #: the parameter with the communicator, ``self``, or empty for the whole job
    comm: str = ""
    #: a name that all functions of one collective share (``Bcast`` of two interfaces)
    operation: str = ""
    #: parameters on which all ranks must agree
    agreed: list[str] = []
    #: of a collective: the parameter with the rank of the whole job that is its root
    root: str = ""
    #: of a send: to whom; of a receive: from whom
    to: str = ""
    source: str = ""
    tag: str = ""
    receive_tag: str = ""
    #: of a message: the parameter that says how many elements are sent, or how many there is room
    #: for, and the one with their type; of a send and receive in one, the same of what is received
    counts: str = ""
    element: str = ""
    receive_counts: str = ""
    receive_element: str = ""
    #: of a receive: which part of the message a parameter of *unequal* (or ``return``) gets that
    #: does not get its data: ``source``, or nothing for the envelope; of a wait for one of several
    #: also ``index`` (which one it was) and ``some`` (how many)
    says: dict[str, Literal["", "source", "index", "some"]] = {}
    #: a send that returns only once it is received, one that may, or one that never waits
    waits: Literal["", "always", "maybe", "never"] = ""
    #: it only begins; the parameter, or ``return``, that has the request
    request: str = ""
    #: it only begins where this parameter is true
    asynchronous: str = ""
    #: a communicator that is made: ``new`` of *ranks*, ``split`` by *color*, ``copy`` of *comm*
    makes: Literal[
        "", "new", "split", "copy", "local", "world", "unknown", "inter", "merge", "other_job"
    ] = ""
    ranks: str = ""
    #: what the methods of the communicator that is made are declared by
    of_type: str = ""
    color: str = ""
    key: str = ""
    #: the parameter that gets what it gives, or ``return``
    out: str = "return"
    gives: Told = ""
    #: parameters whose contents are the same on all ranks afterwards
    equal: list[str] = []
    #: parameters whose contents each rank has to itself afterwards
    unequal: list[str] = []
    #: it ends: this rank, or the whole job (by a failure)
    ends: Literal["", "rank", "job"] = ""
    #: it calls this parameter, or this member of its object (``self.x``); *handed* says with what,
    #: in order: parameters, the ``rank``, something ``new``, ``*`` for all arguments
    runs: str = ""
    handed: list[str] = []
    #: the function it decorates runs on one rank only
    only: Literal["", "first", "local_first", "last"] = ""
    #: calling what it gives is a collective, and so is ``backward`` of what comes of that
    model: bool = False
    #: calling such a model is one as well: its parameters are gathered
    forward: bool = False
    #: calling such a model whose module has buffers is one, too, but where this parameter is false
    syncs: str = ""
    #: it is a module with buffers
    buffers: bool = False
    #: only where this parameter is given, and not false
    unless_missing: str = ""
    #: a context manager: what goes on inside of it is no collective
    quiet: bool = False
    #: a context manager that this rank leaves before the others enter it
    around: Literal["", "first", "local_first"] = ""
    #: a value that is looked at, and not called
    attribute: bool = False
    #: the function that gives the communicator it speaks of; one of the same object, behind a dot
    of_group: str = ""
    #: what it gives has as many parts as a file or folder says that a rank may have to itself
    reads: bool = False
    #: what it gives has as many parts as its arguments say
    sized: bool = False
    #: of what makes a tensor: its sizes are ``all`` arguments, the ``first`` or the ``last``, the
    #: only ``one``, those of its first argument (``like``), of a row that it joins, or what it has
    #: ``found`` in its data
    shape: Literal["", "all", "first", "last", "one", "like", "joined", "found"] = ""
    #: the parameter whose tensors must have as many elements on all ranks, but for a call that is
    #: handed how much it takes from each rank and sends to each (*splits*)
    shaped: str = ""
    splits: list[str] = []
    #: it makes a tensor or an array of its first argument
    holds: bool = False
    #: of MPI's collectives that share out: whose sendcount must be whose recvcount
    shares: Literal["", "scatter", "gather", "all"] = ""
    #: who may say that its data lies where the result goes: ``all`` or none, or the ``root`` alone
    in_place: Literal["", "all", "root"] = ""
    #: the parameter that the root alone may give
    root_only: str = ""
    #: of a test: it gives what has come beside its answer
    pair: bool = False
    #: of a lock: nobody else has it meanwhile, where nothing else is said
    exclusive: bool = False
    #: what it does in an epoch of a window of which both sides name the others
    epoch: Literal["", "post", "start", "complete", "wait"] = ""
    #: what it makes of groups of ranks, or tells of them: its parameters have MPI's names
    group: Literal[
        "", "all", "incl", "excl", "range_incl", "range_excl", "union", "intersection",
        "difference", "rank", "size",
    ] = ""  # fmt: skip
    #: it makes a type of elements: its parameters have MPI's names
    makes_type: Literal[
        "", "contiguous", "vector", "indexed", "subarray", "record", "same", "committed"
    ] = ""  # fmt: skip
    #: parameters whose handles stand for nothing afterwards, and the constant that says so
    nulls: dict[str, str] = {}
    #: what it does with ranks in a grid: its parameters have MPI's names
    grid: Literal[
        "", "sizes", "create", "shift", "place", "rank", "part", "mesh", "axis", "length", "edges"
    ] = ""
    #: what ranks hand over is put side by side, so that each may have its own
    beside: bool = False
    #: the parameter with this process's rank
    is_rank: str = ""
    #: the parameter that says how many ranks the job has
    size: str = ""
    #: where this parameter is true, only those who are in the new communicator make it
    members_if: str = ""
    #: peers are ranks of the whole job, whatever the communicator
    absolute: bool = False
    #: cannot fail on one rank alone
    safe: bool = False
    #: returns an error code that is no question of one rank (0 where all went well)
    status: bool = False
    #: a finding about it is a warning, as it is a collective in some settings only
    perhaps: bool = False
    #: a program begins with it, before it knows anything of its rank
    begins: bool = False
    #: nothing of its library may be called behind it
    last: bool = False
    #: does not wait for other ranks, and is none of their business
    apart: bool = False


class RankAlias(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Other names of a module or class."""

    names: list[str]
    of: str


class RankHook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the methods of a class are handed that comes of one of *bases*: parameters to types.

    A parameter is named, or counted: 1 is the first behind the object.
    """

    bases: list[str]
    parameters: dict[str, str]


class RankDuck(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Members that only one class of a library has: what has one of them is of that class."""

    members: list[str]
    type: str


class RankPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Members and functions that give a part of a message: of its envelope, or all its data."""

    of: Literal["source", "tag", "count", "data"]
    #: methods and functions
    names: list[str] = []
    #: members of an envelope
    members: list[str] = []


class RankElement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Types of what is sent: those of one *kind* and size are received as each other."""

    names: list[str]
    #: ``raw`` for bytes of any kind
    kind: str
    bytes: int


class RankReduction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Operations that reduce elements, and the kinds of them (RankElement) that they are for."""

    names: list[str]
    kinds: list[str] = []


class RankOperator(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An operator that makes of something of one of *types*, on its left, another one of them.

    *of* is its name in Python's syntax tree.
    """

    types: list[str]
    of: Literal["Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "BitOr", "BitAnd"]


class RankOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A library by which programs read their options.

    *names* make, by *form*: a parser whose options are declared one by one, one of records whose
    fields are options, a record itself, a flag that is a member of *values*, a parameter of the
    function that they decorate, or the default itself (a value).
    """

    names: list[str]
    form: Literal["parser", "records", "record", "flag", "decorator", "value"]
    #: methods of a parser that declare an option, that give a part of it, that set defaults
    declares: list[str] = []
    parts: list[str] = []
    usual: list[str] = []
    #: methods that give the options as members; the same with what is left beside them
    parses: list[str] = []
    pairs: list[str] = []
    #: whose members flags are
    values: str = ""


class RankFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file."""

    call: list[RankCall] = []
    alias: list[RankAlias] = []
    hook: list[RankHook] = []
    duck: list[RankDuck] = []
    part: list[RankPart] = []
    element: list[RankElement] = []
    reduction: list[RankReduction] = []
    #: how names begin of calls that fail on a communicator of nobody
    refuses_null: list[str] = []
    option: list[RankOptions] = []
    operator: list[RankOperator] = []
