"""What a stack of Python's means to the people who wrote the program.

Their own line is the innermost frame that is in no library: neither Python's own, nor installed.
What it is in is the function that this line called, by the name that its library gives it
(``Queue.get``, ``Thread.join``, ``all_reduce``), and not the lock three calls further in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from lockorder.model import Frame

_INSTALLED = re.compile(r"/(?:site|dist)-packages/")
_STANDARD = re.compile(
    r"/(?:lib|lib64|Lib|libexec)/python3(?:\.\d+)?t?/(?!(?:site|dist)-packages/)"
)
#: Modules that are in the program and in no file: parts of the interpreter.
_FROZEN = re.compile(r"<frozen |<__array_function__|<decorator-gen|<string>$")
_BASE = re.compile(r"^_?Base(?=[A-Z])")
_LOCAL = re.compile(r".*<locals>\.")
#: How threads of Python's begin, and processes of multiprocessing.
BEGINS = ("_bootstrap", "_bootstrap_inner", "run")
BEGINNINGS = ("/threading.py", "/multiprocessing/process.py")
#: What runs when a program is over: it waits for threads, queues and pools that it has not ended.
_ENDS = ("_shutdown", "_exit_function", "_python_exit", "_run_exitfuncs")
#: Headers of the system and of compilers, and sources of their libraries.
_HEADER = re.compile(r"^/usr/(?:local/)?(?:include|lib)|/include/c\+\+/|^/build/|/glibc-|/gcc-\d")
#: How glibc calls its own functions inside.
_INTERNAL = re.compile(r"_+(?:GI_|libc_)")
_UNDERSCORES = re.compile(r"_+(?:GI_+)?(?:libc_+)?")
#: How it splits the waits of one documented function: ``__new_sem_wait_slow64`` is ``sem_wait``.
_SPLIT = re.compile(r"_*new_(sem_\w+?)(?:_slow)?(?:64)?$")
_ARGUMENTS = re.compile(r"<[^<>]*>")
#: What wraps any function, and so names none.
_WRAPPERS = ("wrapper", "wrapped", "inner", "decorate_context", "_fn", "call_function", "__call__")


class Meaning(NamedTuple):
    """``line`` is the program's own frame, None: there is none; ``operation`` what it is in."""

    line: Frame | None
    operation: str


def is_python(frame: Frame) -> bool:
    """Whether a frame is of a function of Python's."""
    return frame.file.endswith((".py", ".pyx")) or frame.file.startswith("<")


def is_standard(file: str) -> bool:
    """Whether a file is of Python's own library."""
    return bool(_STANDARD.search(file) or _FROZEN.match(file))


def is_own(frame: Frame) -> bool:
    """Whether a frame is of the program itself, as far as its file's place tells."""
    return is_python(frame) and not (is_standard(frame.file) or _INSTALLED.search(frame.file))


def of(chain: Sequence[Frame]) -> Meaning:
    """What *chain*, outermost first, means.

    Where all is installed (a trainer that is a package), the line is the innermost frame that is
    in another package than what it waits in.
    """
    frames = _of_python(chain)
    if not frames:
        return _native(chain)
    own = [at for at, frame in enumerate(frames) if is_own(frame)]
    if own:
        at = own[-1]
        return Meaning(frames[at], operation(frames[at + 1 :]))
    package = _package(frames[-1].file) if frames else ""
    for at in range(len(frames) - 1, -1, -1):
        file = frames[at].file
        if not is_standard(file) and _package(file) != package:
            return Meaning(frames[at], operation(frames[at + 1 :]))
    return Meaning(None, operation(frames))


def since_fork(chain: Sequence[Frame]) -> Sequence[Frame]:
    """A stack without what it was in where multiprocessing forked: that is the parent's."""
    begun = (
        at
        for at in range(len(chain) - 1, -1, -1)
        if chain[at].file.endswith("/multiprocessing/process.py")
        and chain[at].function.rpartition(".")[2] == "_bootstrap"
    )
    return chain[next(begun, -1) + 1 :]


def is_ending(chain: Sequence[Frame]) -> bool:
    """Whether a main thread's program is over, and Python waits for what is left of it."""
    frames = _of_python(chain)
    return bool(frames) and (
        is_standard(frames[0].file) and frames[0].function.rpartition(".")[2] in _ENDS
    )


def places(chain: Sequence[Frame]) -> tuple[tuple[str, int], ...]:
    """The program's own lines of a stack, which change where it goes on; else all of Python's."""
    own = tuple((f.file, f.line) for f in chain if is_own(f))
    return own or tuple((f.file, f.line) for f in chain if is_python(f))


def _of_python(chain: Sequence[Frame]) -> list[Frame]:
    """Python's functions of a stack, but for those that only say how it begins."""
    return [frame for frame in since_fork(chain) if is_python(frame) and not _begins(frame)]


def _begins(frame: Frame) -> bool:
    """Whether a frame only says how threads and processes of Python's begin."""
    return frame.file.endswith(BEGINNINGS) and frame.function.rpartition(".")[2] in BEGINS


def _native(chain: Sequence[Frame]) -> Meaning:
    """The innermost line that is of no library with a source, and the function that it calls."""
    for at in range(len(chain) - 1, -1, -1):
        frame = chain[at]
        # glibc's own files have no full path; what headers have inlined is nobody's line.
        if frame.file.startswith("/") and frame.line and not _HEADER.search(frame.file):
            return Meaning(frame, _called(chain[at + 1]) if at + 1 < len(chain) else "")
    return Meaning(None, "")


def is_named(function: str) -> bool:
    """Whether a function has a name: debuggers write ?? where there is none."""
    return any(c.isalpha() for c in function)


def called_at(line: Frame, chain: Sequence[Frame]) -> str:
    """The native function that *line* calls, by the whole *chain*; "" where nobody knows."""
    places = [(frame.file, frame.line) for frame in chain]
    place = (line.file, line.line)
    inner = len(places) - places[::-1].index(place) if place in places else len(places)
    return _called(chain[inner]) if inner < len(chain) else ""


def _called(frame: Frame) -> str:
    """A native function's name, one of glibc's as its documentation has it: ``pause``."""
    name = _without_arguments(frame.function).partition("(")[0].partition("@")[0].rstrip()
    if split := _SPLIT.match(name):
        return split[1]
    is_glibc = frame.file.startswith(("./", "../")) or _INTERNAL.match(name)
    return name.removeprefix(m[0]) if is_glibc and (m := _UNDERSCORES.match(name)) else name


def _without_arguments(name: str) -> str:
    """A function of a template without what the template was given."""
    while (shorter := _ARGUMENTS.sub("", name)) != name:
        name = shorter
    return name


def operation(called: Sequence[Frame]) -> str:
    """The name of what a line is in, by the frames inside of it, outermost first; "": none."""
    names = [n for n in map(_name, called) if _is_name(n.rpartition(".")[2])]
    public = next((n for n in names if not n.rpartition(".")[2].startswith("_")), "")
    if not names or names[0] == public:
        return public
    first = names[0]
    if first.startswith("_") and not first.rpartition(".")[2].startswith("__"):
        return public or first
    return f"{first} ({public})" if public else first


def _is_name(last: str) -> bool:
    """Whether the last part of a name says anything: no wrapper's, ``<module>`` or ``<lambda>``."""
    return last not in _WRAPPERS and not last.startswith("<")


def _name(frame: Frame) -> str:
    """A function's name without where it was defined inside of another: ``BaseProcess.join``."""
    name = _LOCAL.sub("", frame.function)
    return _BASE.sub("", name) if "." in name else name


def _package(file: str) -> str:
    """The installed package that a file belongs to; "" for Python's own and for the program."""
    _, found, rest = file.rpartition("-packages/")
    return rest.partition("/")[0] if found else ""
