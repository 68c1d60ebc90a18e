"""The frames of Python's threads, read from a process' memory, alive or in a core file.

Nothing is stopped, and nobody is attached.  A process that runs meanwhile may show frames that
never were at once: only what two looks show alike is believed.  Interpreters that are not known
(see `lockorder.hang.pylayouts`) give None, and other tools may be asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import NamedTuple

from lockorder.hang import pylayouts, pylines
from lockorder.hang.image import Image
from lockorder.hang.pylayouts import Layout
from lockorder.hang.pymemory import Memory
from lockorder.hang.pyobjects import Objects
from lockorder.hang.pythons import Python
from lockorder.hang.stacks import Stacks, ThreadStack
from lockorder.model import Frame

TOOL = "memory"
#: Looks at a process that runs meanwhile, until no frame has gone while it was read.
_LOOKS = 3
#: Ends of chains that damaged memory may make endless: a stack's frames, a process' threads, a
#: frame's variables.
_FRAMES, _THREADS, _VARIABLES = 20_000, 20_000, 1 << 16
#: Who a frame belongs to (pycore_frame.h, _frameowner): a call of C's has no function in it.
_OF_GENERATOR, _OF_C = 1, 3
#: Kinds of a variable that may be in a cell (pycore_code.h, CO_FAST_CELL and CO_FAST_FREE).
_IN_CELL = 0xC0
_WRAPPED = 16  # where a classmethod or a property has its function
_UNIT = 2  # bytes of an instruction
_REFERENCE = ~7  # 3.14 marks references in their lowest bits


class Code(NamedTuple):
    """A code object; ``names`` are its variables', of which those ``in_cells`` may be in one."""

    address: int
    name: str
    qualified: str
    file: str
    first: int
    arguments: int
    stack_size: int
    names: tuple[str, ...]
    in_cells: tuple[bool, ...]
    lines: bytes
    handlers: bytes
    #: The first instruction, where they are in the object itself, and the first one of the
    #: program's own: what is before makes the frame.
    start: int
    begins: int


class PyFrame(NamedTuple):
    """One function's frame: ``variables`` is where its local variables begin, ``unit`` its place.

    ``stack`` is where its values begin that are in no variable.
    """

    address: int
    code: Code
    function: str
    line: int
    unit: int
    names: int
    variables: int
    stack: int

    @property
    def shown(self) -> Frame:
        """As it is told."""
        return Frame(self.function, self.code.file, self.line)


class Thread(NamedTuple):
    """A thread of an interpreter's: ``frames`` are innermost first; ``ident`` is threading's.

    ``tid`` 0: the thread is not there, as it is in a child of a fork.
    """

    tid: int
    ident: int
    name: str
    state: int
    interpreter: int
    frames: tuple[PyFrame, ...]
    whole: bool


def stacks(image: Image, python: Python, tids: Collection[int] | None = None) -> Stacks | None:
    """What every thread of Python's is in; None: the interpreter is not known.

    Args:
        image: the process.
        python: the interpreter in it, by `lockorder.hang.pythons.find`.
        tids: the threads that live, where the caller knows them.
    """
    look = look_at(image, python, tids)
    return look.stacks() if look is not None else None


def look_at(image: Image, python: Python, tids: Collection[int] | None = None) -> Look | None:
    """One look at an interpreter; None: it is not known."""
    layout = pylayouts.of_image(image, python.runtime, python.version)
    if layout is None:
        return None
    if tids is None:
        tids = {t.tid for t in image.threads() if t.state not in ("Z", "X")}
    for _ in range(_LOOKS):
        look = Look(image, python, layout, tids)
        if all(thread.whole for thread in look.threads):
            break
    return look


class Look:
    """One moment of an interpreter: what is asked twice is answered alike."""

    def __init__(self, image: Image, python: Python, layout: Layout, tids: Collection[int]) -> None:
        self.memory = Memory(image)
        self.objects = Objects(self.memory, layout)
        self.layout, self._python, self._tids = layout, python, tids
        self._codes: dict[int, Code | None] = {}
        self._lines: dict[tuple[int, int], int] = {}
        self._methods: dict[tuple[int, int], str] = {}

    def stacks(self) -> Stacks:
        """The threads' stacks as other tools give them."""
        holders = {gil.holder for gil in self._python.gils(self._tids)}
        found: dict[int, ThreadStack] = {}
        cut = []
        # A thread may run an interpreter inside of another: the oldest is the last one.
        for thread in reversed(self.threads):
            tid = thread.tid
            if not tid:
                continue
            chain = tuple(frame.shown for frame in reversed(thread.frames))
            outer = found.get(tid, ThreadStack(tid, thread.name))
            chain, name = outer.chain + chain, outer.name or thread.name
            found[tid] = ThreadStack(tid, name, chain, (), tid in holders, python=bool(chain))
            if not thread.whole:
                cut.append(f"thread {tid}: its outermost frames could not be read")
        return Stacks(found, TOOL, tuple(cut))

    # -- threads ----------------------------------------------------------------------------------

    @cached_property
    def threads(self) -> list[Thread]:
        """All threads of all interpreters."""
        found = []
        for interpreter in self._python.interpreters():
            names = self._names(interpreter)
            for state in self._states(interpreter):
                ident = self.memory.word(state + self.layout["PyThreadState.thread_id"])
                frames, whole = self._frames(state)
                tid = self._python.thread(state, self._tids)
                name = names.get(ident, "")
                found.append(Thread(tid, ident, name, state, interpreter, frames, whole))
        return found

    def _states(self, interpreter: int) -> Iterator[int]:
        """The PyThreadStates of an interpreter."""
        layout = self.layout
        head = layout["PyInterpreterState.tstate_head"]
        # In 3.12.0 it is eight bytes earlier than in 3.12.1.
        for offset in (head, head - 8, head + 8):
            state = self.memory.word(interpreter + offset)
            if self._is_of(state, interpreter):
                break
        seen: set[int] = set()
        while self._is_of(state, interpreter) and state not in seen and len(seen) < _THREADS:
            seen.add(state)
            yield state
            state = self.memory.word(state + layout["PyThreadState.next"])

    def _is_of(self, state: int, interpreter: int) -> bool:
        at = state + self.layout["PyThreadState.interp"]
        return bool(state) and self.memory.word(at) == interpreter

    def modules(self, interpreter: int) -> int:
        """The dict of an interpreter's modules; 0: it was not found."""
        place = interpreter + self.layout["PyInterpreterState.modules"]
        for at in (place, place - 8, place + 8):
            modules = self.memory.word(at)
            if modules and self.objects.entry(modules, "sys"):
                return modules
        return 0

    def module(self, interpreter: int, name: str) -> int:
        """An imported module; 0: there is none of that name."""
        modules = self.modules(interpreter)
        return self.objects.entry(modules, name) if modules else 0

    def thread_objects(self, interpreter: int) -> dict[int, int]:
        """The ``threading.Thread`` objects by their idents."""
        threading = self.module(interpreter, "threading")
        active = self.objects.attribute(threading, "_active") if threading else 0
        found = {}
        for key, value in (self.objects.entries(active) or ()) if active else ():
            ident = self.objects.integer(key)
            if ident is not None:
                found[ident] = value
        return found

    def _names(self, interpreter: int) -> dict[int, str]:
        """The names that threading has for threads, by their idents."""
        objects = self.objects
        return {
            ident: objects.text(objects.attribute(thread, "_name")) or ""
            for ident, thread in self.thread_objects(interpreter).items()
        }

    # -- frames -----------------------------------------------------------------------------------

    def _frames(self, state: int) -> tuple[tuple[PyFrame, ...], bool]:
        """The frames of a thread, innermost first, and whether these are all."""
        memory, layout = self.memory, self.layout
        if layout.version <= 10:
            at = memory.word(state + layout["PyThreadState.frame"])
            previous = layout["PyFrameObject.f_back"]
        else:
            if layout.version >= 13:
                place = state + layout["PyThreadState.current_frame"]
            else:
                frames = memory.word(state + layout["PyThreadState.cframe"])
                place = frames + layout["_PyCFrame.current_frame"]
            at, previous = memory.word(place), layout["_PyInterpreterFrame.previous"]
        found: list[PyFrame] = []
        seen: set[int] = set()
        while at and at not in seen and len(seen) < _FRAMES:
            seen.add(at)
            if not self._is_of_c(at):
                frame = self.frame(at)
                if frame is None:
                    return tuple(found), False
                if frame.unit >= frame.code.begins or frame.unit < 0 or self._owner(at):
                    found.append(frame)
            at = memory.word(at + previous)
        return tuple(found), not at

    def _owner(self, at: int) -> int:
        if self.layout.version <= 10:
            return 0
        return self.memory.number(at + self.layout["_PyInterpreterFrame.owner"], 1) or 0

    def _is_of_c(self, at: int) -> bool:
        return self._owner(at) >= _OF_C

    def frame(self, at: int) -> PyFrame | None:
        """The frame at an address; None: there is none."""
        memory, layout = self.memory, self.layout
        kind = "PyFrameObject" if layout.version <= 10 else "_PyInterpreterFrame"
        reference = memory.word(at + layout[f"{kind}.f_code"])
        code = self.code(reference & _REFERENCE if layout.version >= 14 else reference)
        if code is None:
            return None
        if layout.version <= 10:
            place = memory.number(at + layout["PyFrameObject.f_lasti"])
            unit = -1 if place is None else place
            if layout.version == 9:
                unit = unit // _UNIT
            variables = at + layout["PyFrameObject.f_localsplus"]
            stack = memory.word(at + layout["PyFrameObject.f_valuestack"])
        else:
            now = memory.word(at + layout["_PyInterpreterFrame.prev_instr"])
            unit = (now - code.start) // _UNIT
            variables = at + layout["_PyInterpreterFrame.localsplus"]
            stack = variables + 8 * len(code.names)
        if not -2 < unit < 1 << 28:
            return None
        line = self.line(code, unit)
        names = memory.word(at + layout[f"{kind}.f_globals"])
        function = code.qualified or self._of_class(code, variables)
        return PyFrame(at, code, function, line, unit, names, variables, stack)

    def line(self, code: Code, unit: int) -> int:
        """The line of an instruction; 0: it has none."""
        place = code.address, unit
        if place not in self._lines:
            version = self.layout.version
            self._lines[place] = pylines.line(version, code.lines, code.first, unit)
        return self._lines[place]

    def code(self, at: int) -> Code | None:
        """The code object at an address; None: there is none."""
        if at not in self._codes:
            self._codes[at] = self._read_code(at)
        return self._codes[at]

    def _read_code(self, at: int) -> Code | None:
        if self.objects.type_name(at) != "code":
            return None
        memory, layout, objects = self.memory, self.layout, self.objects

        def field(name: str) -> int:
            return at + layout[f"PyCodeObject.{name}"]

        def text(name: str) -> str:
            return objects.text(memory.word(field(name))) or ""

        def number(name: str) -> int:
            return memory.number(field(name)) or 0

        variables = self._variables(at)
        lines = objects.bytes_of(memory.word(field("co_lnotab")))
        if variables is None or lines is None or not text("co_name"):
            return None
        newer = layout.version >= 11
        handlers = objects.bytes_of(memory.word(field("co_exceptiontable"))) if newer else b""
        return Code(
            address=at, name=text("co_name"), qualified=text("co_qualname") if newer else "",
            file=text("co_filename"), first=number("co_firstlineno"),
            arguments=number("co_argcount"), stack_size=number("co_stacksize"),
            names=variables[0], in_cells=variables[1], lines=lines, handlers=handlers or b"",
            start=field("co_code_adaptive") if newer else 0,
            begins=number("_co_firsttraceable") if newer else 0,
        )  # fmt: skip

    def _variables(self, at: int) -> tuple[tuple[str, ...], tuple[bool, ...]] | None:
        """The names of a code's variables, and which of them are in cells."""
        memory, layout, objects = self.memory, self.layout, self.objects
        if layout.version >= 11:
            place = at + layout["PyCodeObject.co_localsplusnames"]
            names = objects.items(memory.word(place))
            kinds = objects.bytes_of(memory.word(at + layout["PyCodeObject.co_localspluskinds"]))
            if names is None or kinds is None or len(names) != len(kinds):
                return None
            cells = [bool(kind & _IN_CELL) for kind in kinds]
        else:
            names, cells = [], []
            for part in ("co_varnames", "co_cellvars", "co_freevars"):
                some = objects.items(memory.word(at + layout[f"PyCodeObject.{part}"]))
                if some is None:
                    return None
                names += some
                cells += [part != "co_varnames"] * len(some)
        if len(names) > _VARIABLES:
            return None
        return tuple(objects.text(each) or "" for each in names), tuple(cells)

    def _of_class(self, code: Code, variables: int) -> str:
        """The name of a function with its class, for versions whose code does not say it.

        It is a method if the class of the first argument, or a base of it, has it under its name;
        where a decorator has put something else there, the name ``self`` is believed.
        """
        objects = self.objects
        first = self._variable(code, variables, 0) if code.names and code.arguments else 0
        if not first and code.names and code.names[0] in code.names[1:]:
            # Functions inside of this one have it, too: it has moved to a cell.
            first = self._variable(code, variables, code.names.index(code.names[0], 1))
        kind = first if objects.is_class(first) else objects.type_of(first)
        if (kind, code.address) not in self._methods:
            self._methods[kind, code.address] = self._method(kind, code)
        return self._methods[kind, code.address]

    def _method(self, kind: int, code: Code) -> str:
        objects = self.objects
        likely = 0
        for base in objects.mro(kind):
            function = objects.class_attribute(base, code.name)
            if function and self._is_function_of(function, code):
                return f"{objects.qualified(base)}.{code.name}"
            likely = likely or (base if function else 0)
        if likely and code.names[0] in ("self", "cls"):
            return f"{objects.qualified(likely)}.{code.name}"
        return code.name

    def _is_function_of(self, function: int, code: Code) -> bool:
        wrapped = self.objects.type_name(function) in ("staticmethod", "classmethod", "property")
        function = self.memory.word(function + _WRAPPED) if wrapped else function
        at = function + self.layout["PyFunctionObject.func_code"]
        is_function = self.objects.type_name(function) == "function"
        return is_function and self.memory.word(at) == code.address

    # -- variables --------------------------------------------------------------------------------

    def locals(self, frame: PyFrame) -> dict[str, int]:
        """Where the objects are that a frame has in its variables, by names; unset ones are not."""
        found = {}
        for number, name in enumerate(frame.code.names):
            value = self._variable(frame.code, frame.variables, number)
            if value:
                found[name] = value
        if not found:
            inside = self._own_names(frame)
            found.update(inside)
        return found

    def globals(self, frame: PyFrame) -> dict[str, int]:
        """Where the objects are that a frame's module has, by names."""
        return self.objects.by_text(frame.names) or {}

    def _own_names(self, frame: PyFrame) -> dict[str, int]:
        """What a class' body has, or text that was executed; a module's are its globals."""
        kind = "PyFrameObject" if self.layout.version <= 10 else "_PyInterpreterFrame"
        names = self.memory.word(frame.address + self.layout[f"{kind}.f_locals"])
        if not names or names == frame.names:
            return {}
        return self.objects.by_text(names) or {}

    def _variable(self, code: Code, variables: int, number: int) -> int:
        value = self.memory.word(variables + 8 * number)
        if self.layout.version >= 14:
            value &= _REFERENCE
        if value and code.in_cells[number] and self.objects.type_name(value) == "cell":
            value = self.memory.word(value + self.layout["PyCellObject.ob_ref"])
        return value
