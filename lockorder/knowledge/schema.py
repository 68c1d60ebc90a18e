"""The tables of a knowledge file: one form for lockorder/knowledge and users' configurations.

Functions, methods and types are qualified names without template arguments
(``std::mutex``, ``c10d::Store::get``).  An *object* of a call is given by the number of an argument
(from 0) or by ``"this"``.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from lockorder.model import How, LockKind, Mode

#: Which object of a call: an argument by number, or the one the method is called on.
Which = int | Literal["this"]


class LockType(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"try_": "try"}):
    """Lock classes and the names of the methods that take and release them.

    *count* is the constructor's argument that says how many threads a semaphore lets in at once.
    """

    types: list[str]
    kind: LockKind = LockKind.MUTEX
    count: int | None = None
    #: tasks wait for it, and never their thread
    tasks: bool = False
    #: a thread of a pool, of one thread or of several: only who waits for a task waits for it
    worker: Literal["", "one", "several"] = ""
    lock: list[str] = []
    try_: list[str] = []
    timed: list[str] = []
    unlock: list[str] = []
    lock_shared: list[str] = []
    try_shared: list[str] = []
    timed_shared: list[str] = []
    unlock_shared: list[str] = []
    #: methods that return a guard which owns the lock (folly::Synchronized::wlock)
    guard_lock: list[str] = []
    guard_shared: list[str] = []
    #: methods that run their callable argument under the lock (folly::Synchronized::withWLock)
    with_lock: list[str] = []
    with_shared: list[str] = []


class Lockable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"try_": "try"}):
    """Methods that lock, of a class that is only declared: it must have some that unlock, too.

    *any_class*: they do of whatever a template's parameter stands for, and of a class that is a
    lock by what its methods do.
    """

    lock: list[str] = []
    try_: list[str] = []
    unlock: list[str] = []
    lock_shared: list[str] = []
    try_shared: list[str] = []
    unlock_shared: list[str] = []
    any_class: bool = False


class GuardType(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"try_": "try"}):
    """RAII types: the constructor takes the locks among its arguments, the destructor releases.

    ``all``: every argument is a lock and they are taken together, deadlock-free ([thread.lock]).
    ``of``: the named lock it is about, instead of its arguments.  ``inverse``: the constructor
    releases and the destructor takes again (pybind11::gil_scoped_release).
    """

    types: list[str]
    mode: Mode = Mode.EXCLUSIVE
    all: bool = False
    of: str = ""
    inverse: bool = False
    lock: list[str] = []
    try_: list[str] = []
    timed: list[str] = []
    unlock: list[str] = []
    release: list[str] = []
    owns: list[str] = []
    adopt: list[str] = []
    defer: list[str] = []
    try_tag: list[str] = []
    #: methods that give (a pointer to) the lock
    lends: list[str] = []
    #: its methods mean the same of a guard whose type is not known
    any_class: bool = False


class LockFunction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A function that takes or releases a lock: an argument, its object, or a named lock.

    One that does both takes it and gives it up again before it returns.
    ``yields``: a named lock that, if it is held, may be given up and taken again meanwhile.
    ``returns_guard``: the result is a guard that owns the lock.
    """

    names: list[str]
    acquires: int | str | None = None
    releases: int | str | None = None
    #: what *releases* names is given up however often the thread has it; taking it restores that
    every_level: bool = False
    yields: str = ""
    #: returns whether the calling thread has the named lock
    checks: str = ""
    #: what *yields* does is possible and rare
    rarely: bool = False
    returns_guard: bool = False
    mode: Mode = Mode.EXCLUSIVE
    how: How = How.BLOCKING
    #: the returned value that means success, for how = "try" and "timed" (default: true)
    succeeds_with: int | None = None


class LockEnd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Functions that end a lock, their argument number *lock*: nobody holds it any more."""

    names: list[str]
    lock: int = 0


class Counted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Functions that begin a semaphore, an argument or their result.

    *count* is the argument that says how many threads it lets in at once.
    """

    names: list[str]
    count: int
    lock: int | Literal["result"] = 0


class MemoryEnd(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Functions that give the memory of an object back, their argument number *memory*."""

    names: list[str]
    memory: int = 0


class Atomic(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Functions that change a number that several threads see, in one step.

    *object* is the number, *sets* the argument that it becomes (without one it becomes true where
    there is a result, and false where there is none); it does so only where it is what the argument
    *expects* says.  *result* is what comes back: the old number, or whether it was changed.
    A number that is swapped in a loop and given back is a lock.
    """

    names: list[str]
    object: Which = 0
    sets: int | None = None
    expects: int | None = None
    result: Literal["", "old", "success"] = ""


class Wait(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Waiting on a condition: *lock* is released, and taken again before the return."""

    names: list[str]
    lock: Which
    condition: Which | None = None
    timed: bool = False
    #: as in [[blocks]]
    suspends: bool = False
    #: the lock is given up however often its holder has taken it
    every_level: bool = False


class Notify(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Waking who waits on *condition*.

    *types* are classes whose objects are woken or waited for: one of them may be known by another.
    """

    names: list[str]
    condition: Which = "this"
    types: list[str] = []


class Once(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Runs *callable* with the arguments after it, once, while others wait for *flag*."""

    names: list[str]
    flag: Which = 0
    callable: int = 1


class Owner(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Types whose end is the end of what they own: smart pointers and containers.

    Their template arguments are owned; of a *pointer* the first one alone, as a derived class
    where its destructor is virtual, by a deleter where one is given.  *shared*: perhaps not the
    last owner.  *destroys*: methods that destroy what is owned.  *makes*: methods that construct
    an element from their arguments.  *takes*: methods that copy or move their arguments into it.
    *fixed*: has all of its elements from its beginning on, and is never empty.
    *goes_on*: methods that end the element at an iterator, and return the one to the next element.
    *replaces*: methods of a *map* that end the value of the key that they are given, if it has one.
    *takes_out*: methods whose result has an element from then on, and ends it if nobody takes it.
    Of the methods that destroy, *fills* put something else there if they have arguments, and
    *empties* leave nothing.
    """

    types: list[str]
    pointer: bool = False
    shared: bool = False
    #: owns the closure that is in it, and what that has captured
    callable: bool = False
    #: has what it owns in itself, and not elements: an optional
    single: bool = False
    #: an element is of its second argument, and `x[key]` makes one where there is none
    map: bool = False
    #: has one element of each argument, by number
    numbered: bool = False
    #: *numbered*: names of those elements
    parts: list[str] = []
    fixed: bool = False
    destroys: list[str] = []
    makes: list[str] = []
    takes: list[str] = []
    replaces: list[str] = []
    goes_on: list[str] = []
    takes_out: list[str] = []
    fills: tuple[str, ...] = ("operator=", "reset", "assign")
    empties: tuple[str, ...] = ("reset", "clear")
    #: a *single* one's: constants, and types of such, that it is begun with to have nothing
    nothing: tuple[str, ...] = ()
    #: methods of a *pointer* that hand on what it owns, which it owns no more
    gives_up: tuple[str, ...] = ("release",)
    #: methods of a *pointer* that return a plain one
    plain: tuple[str, ...] = ("get",)
    #: methods of a *shared* one that say how many have what it owns
    counts: tuple[str, ...] = ("use_count",)


class Pointer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Class templates that point to an object of their first argument, which they do not own.

    *shares*: methods that return an *owner* of it.  *empties*: methods that leave it null.
    """

    types: list[str]
    shares: list[str] = []
    owner: str = ""
    empties: tuple[str, ...] = ("reset",)


class Maps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the names of class templates end that lead from keys to values, if nothing else is known
    of them: their elements are values.

    *looks_up*: methods of all maps that say whether a key is there: their result is false, or what
    one of *ends* returns, where it is not.
    """

    endings: list[str] = []
    looks_up: list[str] = []
    ends: list[str] = []


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Types whose end waits as the call *waits* does; only of objects *made_by*, if that is given.

    What those functions return is of the first of *types*.  Methods *shared_by* give what it stands
    for to what has several owners: then it does not wait at its end.
    """

    types: Annotated[list[str], msgspec.Meta(min_length=1)]
    waits: str
    made_by: list[str] = []
    shared_by: list[str] = []


class Content(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Types that may have, or stand for, nothing: containers, futures, threads.

    Methods in *whether* say that there is something, those in *empty* that there is nothing; after
    those in *empties* there is nothing.  Others that are not const may have put something there or
    taken it away, but for those in *keeps*.
    """

    types: list[str]
    whether: list[str] = []
    empty: list[str] = []
    empties: list[str] = []
    keeps: list[str] = []


class Swap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Functions whose two arguments change places.

    *likewise*: names of functions and methods, of whatever class or namespace, that do it with
    guards, smart pointers and plain pointers.
    """

    names: list[str] = []
    likewise: list[str] = []


class OwnThread(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a thread tells itself from others.

    *names* give the id of the thread that calls them, methods in *ids* that of the thread which
    their object stands for; *equal* and *unequal* compare two ids.
    """

    names: list[str]
    ids: list[str] = []
    equal: list[str] = []
    unequal: list[str] = []


class Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Functions that compare two texts, by what they return where these are the same.

    *equal* return true then, *unequal* false, and *ordered* zero; of methods the object is one.
    """

    equal: list[str] = []
    unequal: list[str] = []
    ordered: list[str] = []


class Compare(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Functions that put two objects in order, by their addresses mostly.

    *less* and *greater* say whether the first one is; *min* and *max* return one of the two, *both*
    the lesser and then the greater.
    """

    less: list[str] = []
    greater: list[str] = []
    min: list[str] = []
    max: list[str] = []
    both: list[str] = []


class Namespace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Namespaces of a standard library.

    Where nothing else is said of them, their functions keep nothing that they are given, take no
    lock of the program and run callables before they return; where nothing declares a name, it may
    be one of theirs.
    """

    names: list[str]


class NamedLock(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lock that is no object of the program, such as Python's global interpreter lock."""

    name: str
    kind: LockKind = LockKind.MUTEX


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Functions that are entered with the named lock *holds* held.

    Those stored in an object of one of *types* (PyMethodDef), those handed to one of *binders*
    (pybind11::class_::def) unless an argument's type is in *unless*; members of a class handed to
    a binder as template argument where it is in *holders* are destroyed with it held as well.
    So is every function of *namespaces* that does not take the lock first, but for those *but*
    names, themselves or their class; and every function that calls one of *calling* before it takes
    the lock.
    """

    holds: str
    calling: list[str] = []
    types: list[str] = []
    binders: list[str] = []
    #: class templates whose first argument's destructor runs with the lock held
    holders: list[str] = []
    unless: list[str] = []
    names: list[str] = []
    namespaces: list[str] = []
    but: list[str] = []


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Macros that leave the function where what they check fails, by name alone.

    Only looked at where the header that defines them is not there.  The first argument is a
    condition (*condition*) or a call whose result is zero on success.
    """

    names: list[str]
    leaves: Literal["throw", "return"]
    condition: bool = False


class Recursive(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a lock is made one that its holder may take again (or that answers with an error).

    *initialisers* are macros.  *set* functions make their argument *attribute* such an attribute
    if their last argument is one of *values*; *init* functions make the lock that is their first
    argument from an attribute or from one of *values*.
    """

    initialisers: list[str] = []
    set: list[str] = []
    init: list[str] = []
    values: list[str] = []


class Blocks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Calls that wait for somebody else.

    ``waits_for`` says for whom; ``device_sync``: it synchronises the whole device implicitly
    (cudaFree); ``explicit_sync``: it waits for a stream, an event or the device on purpose;
    ``launch_end``: it ends an NCCL launch region.  ``joins``: the object whose thread or
    asynchronous function is waited for.  ``timed``: gives up after a time limit.  ``ready``: what a
    timed one returns (literals) where what it waits for has come; after that, an untimed one with
    the same does not wait.  ``waker``: the object by which others end the wait, who do what
    ``[[notify]]`` says; ``all``: all of them have to.  ``started``: functions whose callables have
    to be over first; with a ``waker`` those whose first argument is that object (a stream).
    """

    names: list[str]
    waits_for: Literal[
        "a thread",
        "the GPU",
        "the driver's lock",
        "other ranks",
        "the network",
        "a process",
        "a store",
        "a signal",
        "other tasks",
    ]
    #: the thread goes on with other tasks: what only tasks wait for may be held
    suspends: bool = False
    device_sync: bool = False
    explicit_sync: bool = False
    launch_end: bool = False
    #: it waits for nobody but those who are in a call that synchronises the device
    behind_syncs: bool = False
    joins: Which | None = None
    started: list[str] = []
    waker: Which | None = None
    all: bool = False
    timed: bool = False
    ready: list[str] = []
    #: [argument, value]: does not wait at all if that argument is 0 or null ("0"), or not ("!0")
    immediate: tuple[int, Literal["0", "!0"]] | None = None
    #: [argument, bits]: does not wait at all if that argument has one of the bits
    unless: tuple[int, str] | None = None
    #: the member that has those bits, of what that argument points to
    unless_in: str = ""
    #: functions that get the same and say whether it is over: to ask until it is, is to wait
    asked: list[str] = []
    #: what *errors* give where the call would have had to wait, and its object does not
    would_wait: list[str] = []
    errors: list[str] = []


class Collective(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Calls that launch work of a communicator, which is argument number *communicator*."""

    names: list[str]
    communicator: int
    #: collectives must be in one order on all ranks; point-to-point calls need a partner
    p2p: bool = False


class Group(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Calls between *begin* and *end* are launched together; *alone* must not be mixed in."""

    name: str
    begin: list[str]
    end: list[str]
    #: communicator initialisation: several of them may share a group, but nothing else with them
    alone: list[str] = []


class Starter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What runs its callable argument in another thread.

    Its result stands for the thread, or what argument number *handle* points to.  Of the types that
    stand for one, those are *single* that take no other thread before theirs is over.
    """

    names: list[str] = []
    types: list[str] = []
    single: bool = False
    #: starts none if this is the first argument: whoever asks for the result runs it
    unless: str = ""
    handle: Annotated[int, msgspec.Meta(ge=0)] | None = None
    #: methods, of whatever class, that begin the coroutine that their object stands for elsewhere
    coroutines: list[str] = []


class Perhaps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Functions that may run their first argument before they return, and *why* only perhaps."""

    names: list[str]
    why: str


class Fork(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Functions that make a copy of the process, which runs their first argument.

    ``begins``: functions that say that a thread which runs their first argument goes on from there
    (its start may have been written down before).  ``spares``: functions whose first argument is a
    lock that is in order in every copy.
    """

    names: list[str]
    begins: list[str] = []
    spares: list[str] = []


class Callback(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Functions of a library that keep a callable, and who runs it later.

    *registers* keep every callable among their arguments, or among those whose numbers *arguments*
    gives.  Each of *runs* calls all that were kept, on its caller's thread and with its caller's
    locks; with *thread* a thread of the library's own does, with nothing held.  *holds*: a named
    lock that the library holds meanwhile.  With *interrupts* a signal does, in any thread and with
    whatever that holds, unless one of *masks* keeps it off; *members* of structures keep such
    callables, too.  One of *masks* whose first argument is among *unblocks* lets signals in again,
    as does one with *restores* after another.
    """

    registers: list[str]
    runs: list[str] = []
    thread: bool = False
    arguments: list[Annotated[int, msgspec.Meta(ge=0)]] = []
    holds: str = ""
    interrupts: bool = False
    members: list[str] = []
    masks: list[str] = []
    unblocks: list[str] = []
    restores: list[str] = []

    def __post_init__(self) -> None:
        """A callable that nobody runs would say nothing."""
        if not (self.runs or self.thread or self.interrupts):
            raise ValueError(
                "who runs what is registered? Give `runs`, `thread = true` or `interrupts = true`"
            )


class Same(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Calls that hand on an object: *names* their first argument; on *types*, *methods* the object
    itself and *elements* one of its elements."""

    names: list[str] = []
    #: functions that do so, and leave nothing of it behind: `std::move`
    moves: list[str] = []
    #: functions that return what they found there, and leave their second argument: `std::exchange`
    puts: list[str] = []
    #: functions that return that element of a tuple which a template argument numbers
    parts: list[str] = []
    #: functions that return a pointer of their argument's kind to their template argument
    casts: list[str] = []
    types: list[str] = []
    methods: list[str] = []
    #: those of *methods* whose truth is whether there is an object
    asks: list[str] = []
    elements: list[str] = []
    #: those of *elements* that begin at the last one, and go back from there
    backward: list[str] = []
    #: templates of two types that say whether these are the same: `std::is_same`
    same_type: list[str] = []


class Names(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A plain set of functions and types."""

    names: list[str] = []
    types: list[str] = []


class Exit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Functions that end the program and run the destructors of its globals.

    Argument number *status* is not 0 where the program has failed.
    """

    names: list[str]
    status: int = 0


class Setting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Environment variables of NCCL that change what a communicator costs.

    They exist from version *since* on and before version *until* (``"2.22"``; empty: no bound).
    *memory* is of what they cost more, *what* says what the value means.  Where *bytes* is given,
    a communicator has that many for each unit of the value, which counts as *most* at most and
    where *power_of_two* is not met as the *default*.  *lowers*: a setting that saves; *matters*:
    values that cost more, where the value is no amount.
    """

    names: list[str]
    memory: Literal["host", "pinned", "shared", "device", "threads"]
    what: str
    since: str = ""
    until: str = ""
    default: int = 0
    bytes: int = 0
    most: int = 0
    power_of_two: bool = False
    lowers: bool = False
    matters: list[str] = []


class Library(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whose a recorded place is: that of a library, by patterns (fnmatch) of file names.

    ``modules``: of mapped objects, without their folders.  ``files``: of Python sources, and of
    mapped objects with their folders.  ``standard``: Python's standard library.  ``inner``: nobody
    who runs a job can change it, so that what happens inside of it alone is not told.  ``sampled``:
    what it takes for itself is not recorded while nothing of the job's is held, and of its calls
    under the job's locks one in 64 is (csrc/passing.c).
    """

    name: str
    modules: list[str] = []
    files: list[str] = []
    standard: bool = False
    inner: bool = False
    sampled: bool = False


class KnowledgeFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file, or the same keys in a user's configuration."""

    library: list[Library] = []
    lock: list[LockType] = []
    lockable: list[Lockable] = []
    guard: list[GuardType] = []
    function: list[LockFunction] = []
    lock_end: list[LockEnd] = []
    memory_end: list[MemoryEnd] = []
    atomic: list[Atomic] = []
    wait: list[Wait] = []
    thread: list[Starter] = []
    fork: list[Fork] = []
    perhaps: list[Perhaps] = []
    callback: list[Callback] = []
    same: list[Same] = []
    #: functions that do not return: exit and its like
    never_returns: list[Names] = []
    #: functions that do not return because the program has failed
    aborts: list[Names] = []
    #: functions that end the thread
    thread_ends: list[Names] = []
    #: functions and types that run something when the thread ends
    cleanups: list[Names] = []
    #: functions that end the program and run the destructors of its globals
    exits: list[Exit] = []
    #: functions that pass the time, and do nothing else
    idle: list[Names] = []
    #: functions that read a number which others write
    reads: list[Names] = []
    #: functions that keep a callable and do not run it before they return
    keeps: list[Names] = []
    notify: list[Notify] = []
    once: list[Once] = []
    owner: list[Owner] = []
    pointer: list[Pointer] = []
    map: list[Maps] = []
    end: list[End] = []
    content: list[Content] = []
    swap: list[Swap] = []
    compare: list[Compare] = []
    own_thread: list[OwnThread] = []
    texts: list[Texts] = []
    standard: list[Namespace] = []
    #: functions that hand what they are given to nobody and keep nothing of it
    harmless: list[Names] = []
    #: functions that return memory which nobody else has
    allocates: list[Names] = []
    #: functions that always throw
    throws: list[Names] = []
    named: list[NamedLock] = []
    entry: list[Entry] = []
    blocks: list[Blocks] = []
    collective: list[Collective] = []
    recursive: list[Recursive] = []
    counted: list[Counted] = []
    check: list[Check] = []
    group: list[Group] = []
    setting: list[Setting] = []
    #: names that half of all classes have: of an object of unknown class they say nothing
    usual: list[Names] = []
    #: functions that make communicators
    creates: list[Names] = []
