"""What a frame of Python's is inside of: the ``with`` blocks that it has entered.

A ``with`` leaves the bound ``__exit__`` (or ``__aexit__``) of its object on its frame's own stack
until the block is left.  How much of that stack is in use is not written down while a frame runs,
what is above is left over from before, and what is being entered is there, too.  But each block has
a handler that begins with this very method on the top: the handlers around the present instruction
(3.11 and newer: in the code's exception table; before that, on the frame's stack of blocks) say
where the methods of the blocks are that were entered, and are not being left.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from lockorder.hang import pylines
from lockorder.hang.pyframes import Look, PyFrame

_EXITS = ("__exit__", "__aexit__")
_BLOCK = struct.Struct("<3i")  # PyTryBlock: type, handler, level
_BLOCKS, _STACK = 20, 1 << 12
#: Up to 3.10 (opcode.h): instructions that enter a block, and the one that lengthens arguments.
_SETUP_WITH, _SETUP_ASYNC_WITH, _EXTENDED = 143, 154, 144
_SETUP_FINALLY = 122  # the type of a block; 257: a handler that runs
#: The second instruction of a handler of a ``with``, by 3.x.
_WITH_EXCEPT_START = {11: 49, 12: 49, 13: 44}
#: Kinds of objects that have a frame of their own while nobody runs them.
GENERATORS = ("generator", "coroutine", "async_generator")
_CALLBACKS, _NESTED = 256, 16


class Held(NamedTuple):
    """An object that *frame* is inside of; ``line`` is where it went in, 0: not known."""

    object: int
    frame: PyFrame
    line: int


class _Block(NamedTuple):
    """``depth``: how many values there are below a block; ``line`` is where it was entered."""

    depth: int
    line: int


def held(look: Look, frame: PyFrame) -> list[Held]:
    """The objects whose ``with`` block *frame* is inside of, outermost first.

    Where such an object has entered others in its turn (contextlib's generators and stacks), these
    come behind it.
    """
    return list(_held(look, frame, _NESTED))


def _held(look: Look, frame: PyFrame, depth: int) -> Iterator[Held]:
    blocks = _older(look, frame) if look.layout.version <= 10 else _newer(look, frame)
    for block in sorted(set(blocks)):
        if not 0 < block.depth <= min(frame.code.stack_size, _STACK):
            continue
        held = _bound(look, look.memory.word(frame.stack + 8 * (block.depth - 1)))
        if held:
            yield Held(held, frame, block.line)
            if depth:
                yield from _inside(look, Held(held, frame, block.line), depth - 1)


def _inside(look: Look, outer: Held, depth: int) -> Iterator[Held]:
    """What an object of contextlib's is inside of."""
    objects = look.objects
    generator = objects.attribute(outer.object, "gen")
    frame = suspended(look, generator) if generator else None
    if frame is not None:
        yield from _held(look, frame, depth)
    callbacks = objects.attribute(outer.object, "_exit_callbacks")
    for pair in (objects.items(callbacks) or [])[:_CALLBACKS] if callbacks else ():
        inside = objects.items(pair) or [0]
        if objects.type_name(inside[-1]) == "method":
            held = look.memory.word(inside[-1] + look.layout["PyMethodObject.im_self"])
            if objects.type_of(held):
                yield outer._replace(object=held)
                if depth:
                    yield from _inside(look, outer._replace(object=held), depth - 1)


def _bound(look: Look, method: int) -> int:
    """The object that a bound ``__exit__`` is of; 0: *method* is none."""
    memory, layout, objects = look.memory, look.layout, look.objects
    kind = objects.type_name(method)
    if kind == "builtin_function_or_method":
        definition = memory.word(method + layout["PyCFunctionObject.m_ml"])
        name = memory.string(memory.word(definition)) if definition else ""
        owner = memory.word(method + layout["PyCFunctionObject.m_self"])
    elif kind == "method":
        function = memory.word(method + layout["PyMethodObject.im_func"])
        name = _name_of(look, function)
        owner = memory.word(method + layout["PyMethodObject.im_self"])
    else:
        return 0
    return owner if name in _EXITS and objects.type_of(owner) else 0


def _name_of(look: Look, function: int) -> str:
    objects = look.objects
    field = {
        "function": "PyFunctionObject.func_name", "method_descriptor": "PyDescrObject.d_name"
    }.get(objects.type_name(function))  # fmt: skip
    if field is None:
        # Extensions have callables of their own: they are called as their class calls them.
        return objects.text(objects.attribute(function, "__name__")) or ""
    return objects.text(look.memory.word(function + look.layout[field])) or ""


# -- blocks ---------------------------------------------------------------------------------------


def _newer(look: Look, frame: PyFrame) -> list[_Block]:
    """The ``with`` blocks around the present instruction by the exception table.

    The code of a block's handler is in the next block around it.  A block's range may be in pieces,
    around others that are in it, and the first piece is behind the instruction that enters it.
    """
    handlers = list(pylines.handlers(frame.code.handlers))
    found: list[_Block] = []
    unit = frame.unit
    for _ in range(len(handlers)):
        handler = next((h for h in handlers if h.start <= unit < h.end), None)
        if handler is None:
            break
        if _is_with(look, frame, handler.target):
            first = min(h.start for h in handlers if h.target == handler.target)
            line = look.line(frame.code, first - 1) if first else 0
            found.append(_Block(handler.depth, line))
        unit = handler.target
    return found


def _is_with(look: Look, frame: PyFrame, target: int) -> bool:
    """Whether the handler at *target* is that of a ``with``."""
    second = look.memory.number(frame.code.start + 2 * (target + 1), 1, signed=False)
    return second == _WITH_EXCEPT_START.get(look.layout.version)


def _older(look: Look, frame: PyFrame) -> list[_Block]:
    """The blocks that are on a frame's stack of blocks, those of handlers that run left out."""
    memory, layout = look.memory, look.layout
    count = memory.number(frame.address + layout["PyFrameObject.f_iblock"]) or 0
    content = memory.read(
        frame.address + layout["PyFrameObject.f_blockstack"],
        _BLOCK.size * max(0, min(count, _BLOCKS)),
    )
    blocks = list(_BLOCK.iter_unpack(content)) if content else []
    if not blocks:
        return []
    code = look.objects.bytes_of(memory.word(frame.code.address + layout["PyCodeObject.co_code"]))
    entered = _entered(code or b"", layout.version)
    found = []
    for kind, handler, level in blocks:
        unit = entered.get(handler, -1)
        if kind == _SETUP_FINALLY and unit >= 0:
            found.append(_Block(level, look.line(frame.code, unit)))
    return found


def _entered(code: bytes, version: int) -> dict[int, int]:
    """By the place of the handler, where the ``with`` is that it belongs to, in code units."""
    found = {}
    argument = 0
    for unit, (operation, low) in enumerate(zip(code[::2], code[1::2], strict=False)):
        argument = (argument << 8 | low) & 0xFFFFFFFF
        if operation in (_SETUP_WITH, _SETUP_ASYNC_WITH):
            jump = argument if version >= 10 else argument // 2
            handler = unit + 1 + jump
            found[handler if version >= 10 else 2 * handler] = unit
        argument = argument if operation == _EXTENDED else 0
    return found


# -- generators -----------------------------------------------------------------------------------


def suspended(look: Look, generator: int) -> PyFrame | None:
    """The frame of a generator or a coroutine that does not run now; None: it has none."""
    if look.objects.type_name(generator) not in GENERATORS:
        return None
    layout = look.layout
    if layout.version <= 10:
        frame = look.memory.word(generator + layout["PyGenObject.gi_frame"])
        return look.frame(frame) if frame else None
    state = look.memory.number(generator + layout["PyGenObject.gi_frame_state"], 1)
    if state is None or state >= 0:
        return None
    return look.frame(generator + layout["PyGenObject.gi_iframe"])
