"""Plain data out of a pickle, nothing executed, whatever the file says.

``loads`` gives a pickle that ``pickle_vet`` finds plain to C's unpickler, with everything refused
that could look up code.  Any other is read here, opcode by opcode: only data can come out, because
there is nothing else in the table (opcodes and their meaning: CPython, Lib/pickletools.py).  What a
file that breaks off had said until then is kept.
"""

from __future__ import annotations

import contextlib
import gc
import io
import pickle
import struct
from collections.abc import Callable, Iterator
from pickletools import opcodes
from typing import Any, NoReturn

from lockorder.hang.errors import DataError
from lockorder.hang.pickle_vet import is_plain

_BLOCK = 1 << 17
STEPS = 10_000_000  # opcodes: ten seconds, and some hundred bytes for each
_KEY = (1 << 61) - 1  # an integer below this is its own hash, so no two collide


class _Nothing(pickle.Unpickler):
    """C's unpickler without a way to anything that is not in the file."""

    def find_class(self, module: str, name: str, /) -> NoReturn:
        raise DataError(f"it asks for {module}.{name}, which is not data")

    def persistent_load(self, _: object, /) -> NoReturn:
        raise DataError("it refers to objects outside of it")


@contextlib.contextmanager
def without_collection() -> Iterator[None]:
    """Nothing that is being made is garbage: looking for some doubles the time."""
    on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if on:
            gc.enable()


def loads(data: bytes) -> tuple[Any, bool]:
    """The value of the pickle *data*, and whether it breaks off before its end.

    Values are None, bool, int, float, str, bytes, list, tuple and dict.  Raises ``DataError`` for
    a pickle that is damaged, that wants more than data, or that is too large to be read.
    """
    if is_plain(data):
        try:
            with without_collection():
                # With peek(), the unpickler reads blocks and not single bytes.
                file = io.BufferedReader(io.BytesIO(data), _BLOCK)
                return _Nothing(file).load(), False
        except DataError:
            raise
        except Exception as error:
            # Damage shows as any of a dozen types, MemoryError for a length among them.
            raise DataError(f"its pickle is damaged ({type(error).__name__})") from None
    return _Reader(data).read()


class _End(Exception):
    """The data ends, perhaps within an opcode."""


class _Reader:
    """The stack machine of pickle, with the opcodes that make data.

    ``stack`` holds values, ``marks`` how long it was at each MARK that is still open.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: dict[int, Any] = {}

    def read(self) -> tuple[Any, bool]:
        try:
            return self.run(), False
        except _End:
            return self.recovered(), True
        except (IndexError, KeyError):
            raise DataError("its pickle is damaged: it uses what it has not made") from None
        except (TypeError, ValueError, AttributeError, OverflowError, MemoryError) as error:
            raise DataError(f"its pickle is damaged ({type(error).__name__})") from None

    def run(self) -> Any:
        """The value at STOP."""
        table, take = _OPCODES, self.take
        for _ in range(STEPS):
            code = take(1)[0]
            if code == _STOP:
                return self.stack.pop()
            handler = table.get(code)
            if handler is None:
                raise DataError(_refusal(code))
            handler(self)
        raise DataError(f"it has more than {STEPS:,} pickle opcodes")

    def recovered(self) -> Any:
        """What the open containers have so far; a dictionary in a list only if it is whole."""
        if not self.stack:
            raise DataError("its pickle breaks off before anything was said")
        while self.marks:
            items = self.since_mark()
            if not self.stack:
                break
            container = self.stack[-1]
            if type(container) is list:
                if items and type(items[-1]) is dict and not items[-1]:
                    items.pop()  # begun, and not yet filled
                container.extend(items)
            elif type(container) is dict:
                if self.marks and self.marks[-1] and self.is_list(self.stack[self.marks[-1] - 1]):
                    self.stack.pop()
                    continue
                for key, value in zip(items[::2], items[1::2], strict=False):
                    container[_key(key)] = value
        return self.stack[0] if self.stack else None

    @staticmethod
    def is_list(value: object) -> bool:
        return type(value) is list

    def take(self, size: int) -> bytes:
        end = self.at + size
        if end > len(self.data):
            raise _End
        taken = self.data[self.at : end]
        self.at = end
        return taken

    def skip(self, size: int) -> None:
        self.take(size)

    def number(self, size: int) -> int:
        """An unsigned number of *size* bytes."""
        return int.from_bytes(self.take(size), "little")

    def since_mark(self) -> list[Any]:
        start = self.marks.pop()
        items = self.stack[start:]
        del self.stack[start:]
        return items

    def put(self, index: int) -> None:
        self.memo[index] = self.stack[-1]

    def get(self, index: int) -> None:
        self.stack.append(self.memo[index])

    def fill_list(self, items: list[Any]) -> None:
        container = self.stack[-1]
        if type(container) is not list:
            raise TypeError
        container.extend(items)

    def fill_dict(self, items: list[Any]) -> None:
        container = self.stack[-1]
        if type(container) is not dict or len(items) % 2:
            raise TypeError
        for index in range(0, len(items), 2):
            container[_key(items[index])] = items[index + 1]

    def last(self, count: int) -> list[Any]:
        if len(self.stack) < count:
            raise IndexError
        items = self.stack[-count:]
        del self.stack[-count:]
        return items


def _key(value: Any) -> Any:
    """*value* as a key: what is hashed and compared in no time, whatever its bits."""
    kind = type(value)
    if kind in (str, bytes, bool, float, type(None)) or (kind is int and -_KEY < value < _KEY):
        return value
    raise DataError(f"it has a key of type {kind.__name__}, or one that is too large")


def _refusal(code: int) -> str:
    """Why opcode *code* is not read."""
    for known in opcodes:
        if known.code == chr(code):
            return f"it has the pickle opcode {known.name}, which data has no need of"
    return f"its pickle is damaged: there is no opcode {code:#04x}"


def _pushing(value: Callable[[_Reader], Any]) -> Callable[[_Reader], None]:
    return lambda reader: reader.stack.append(value(reader))


def _text(size: int) -> Callable[[_Reader], None]:
    """A string whose length takes *size* bytes."""
    # As C's unpickler does: a lone surrogate is a character of its own.
    return _pushing(lambda reader: str(reader.take(reader.number(size)), "utf-8", "surrogatepass"))


def _old_text(size: int) -> Callable[[_Reader], None]:
    """A string of Python 2, of bytes that have no encoding."""
    return _pushing(lambda reader: str(reader.take(reader.number(size)), "latin-1"))


def _raw(size: int) -> Callable[[_Reader], None]:
    return _pushing(lambda reader: reader.take(reader.number(size)))


def _long(size: int) -> Callable[[_Reader], None]:
    return _pushing(
        lambda reader: int.from_bytes(reader.take(reader.number(size)), "little", signed=True)
    )


def _tuple(count: int) -> Callable[[_Reader], None]:
    return _pushing(lambda reader: tuple(reader.last(count)))


def _float(reader: _Reader) -> float:
    value: float = struct.unpack(">d", reader.take(8))[0]
    return value


def _int(reader: _Reader) -> int:
    return int.from_bytes(reader.take(4), "little", signed=True)


_STOP = 0x2E
_OPCODES: dict[int, Callable[[_Reader], None]] = {
    0x80: lambda reader: _protocol(reader.number(1)),  # PROTO
    0x95: lambda reader: reader.skip(8),  # FRAME
    0x28: lambda reader: reader.marks.append(len(reader.stack)),  # MARK
    0x4E: _pushing(lambda _: None),  # NONE
    0x88: _pushing(lambda _: True),  # NEWTRUE
    0x89: _pushing(lambda _: False),  # NEWFALSE
    0x4B: _pushing(lambda reader: reader.number(1)),  # BININT1
    0x4D: _pushing(lambda reader: reader.number(2)),  # BININT2
    0x4A: _pushing(_int),  # BININT
    0x8A: _long(1),  # LONG1
    0x8B: _long(4),  # LONG4
    0x47: _pushing(_float),  # BINFLOAT
    0x8C: _text(1),  # SHORT_BINUNICODE
    0x58: _text(4),  # BINUNICODE
    0x8D: _text(8),  # BINUNICODE8
    0x55: _old_text(1),  # SHORT_BINSTRING
    0x54: _old_text(4),  # BINSTRING
    0x43: _raw(1),  # SHORT_BINBYTES
    0x42: _raw(4),  # BINBYTES
    0x8E: _raw(8),  # BINBYTES8
    0x7D: _pushing(lambda _: {}),  # EMPTY_DICT
    0x5D: _pushing(lambda _: []),  # EMPTY_LIST
    0x29: _pushing(lambda _: ()),  # EMPTY_TUPLE
    0x85: _tuple(1),
    0x86: _tuple(2),
    0x87: _tuple(3),
    0x74: lambda reader: reader.stack.append(tuple(reader.since_mark())),  # TUPLE
    0x61: lambda reader: reader.fill_list([reader.stack.pop()]),  # APPEND
    0x65: lambda reader: reader.fill_list(reader.since_mark()),  # APPENDS
    0x73: lambda reader: reader.fill_dict(reader.last(2)),  # SETITEM
    0x75: lambda reader: reader.fill_dict(reader.since_mark()),  # SETITEMS
    0x71: lambda reader: reader.put(reader.number(1)),  # BINPUT
    0x72: lambda reader: reader.put(reader.number(4)),  # LONG_BINPUT
    0x94: lambda reader: reader.put(len(reader.memo)),  # MEMOIZE
    0x68: lambda reader: reader.get(reader.number(1)),  # BINGET
    0x6A: lambda reader: reader.get(reader.number(4)),  # LONG_BINGET
}


def _protocol(number: int) -> None:
    if number > pickle.HIGHEST_PROTOCOL:
        raise DataError(f"it is of pickle protocol {number}, which does not exist yet")
