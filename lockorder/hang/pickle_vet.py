"""Whether a pickle is plain enough for C's unpickler, told from its opcodes alone.

Python's documentation says that unpickling runs whatever the file asks for (library reference,
"pickle", the warning at the top), and an unpickler whose ``find_class`` refuses is not enough: an
extension code that the process used before comes from a cache without asking; ``LONG_BINPUT`` with
a large number makes and clears a table of that size; a key of tuples in tuples, each twice the
same, takes exponential time to hash.  So the stream is split into opcodes first, and only one of
nothing but the opcodes below is given on:

* constants, lists, dictionaries, marks, and the memo with small numbers;
* tuples that are not put into the memo, so that none is in two places: hashing one takes no longer
  than reading it;
* integers of up to eight bytes: those of one remainder modulo 2**61 - 1 have the same hash, and a
  dictionary of n of them takes n * n / 2 comparisons, but of eight bytes there are no nine alike.

That is what PyTorch's own pickler writes (torch/csrc/jit/serialization/pickler.cpp).  Everything
else goes to ``pickle_reader``, which is ten times slower and has its own answer to each of these.

The run of opcodes of fixed length is matched by one expression, at C's speed; only strings and
frames, whose length is data, and large memo numbers are looked at one by one.
"""

from __future__ import annotations

import re
from collections.abc import Callable

MEMORY = 4 << 30  # bytes that an unpickled dump may need

# What an opcode costs at most, in bytes of memory, beyond the file's own (CPython, 64 bits).
_COSTS = {
    b"}": 72,  # an empty dictionary
    b"]": 72,
    b"s": 240,  # a dictionary's first table
    b"u": 240,
    b"t": 72,
    b"\x85": 72,
    b"\x86": 72,
    b"\x87": 80,
}
_A_BYTE = 24  # a place on the stack, one in a list or a table, a number's object

_FIXED = re.compile(
    rb"""(?:
      [hqK].                        # BINGET, BINPUT, BININT1
    | [(}\])N\x88\x89aesu\x94]+     # marks, containers, None, True, False, their filling; MEMOIZE
    | [t\x85\x86\x87](?![qr\x94])   # tuples that are not remembered
    | j.{4} | r.{2}\0\0             # LONG_BINGET; LONG_BINPUT up to 65,535
    | M.{2} | J.{4} | G.{8}         # BININT2, BININT, BINFLOAT
    | \x8a(?:\0 | \x01. | \x02.{2} | \x03.{3} | \x04.{4} | \x05.{5} | \x06.{6} | \x07.{7}
          | \x08.{8})                # LONG1
    ){1,4096}                       # bounded: what it may go back over takes memory
    """,
    re.VERBOSE | re.DOTALL,
)


def is_plain(data: bytes) -> bool:
    """Whether C's unpickler can be trusted with *data*, a whole pickle."""
    if data[:1] != b"\x80" or data[1:2] not in (b"\x02", b"\x03", b"\x04", b"\x05"):
        return False
    if memory_bound(data) > MEMORY:
        return False
    match: Callable[..., re.Match[bytes] | None] = _FIXED.match
    length = len(data)
    memo = length // 2  # remembering something takes two bytes
    at = 2
    while at < length:
        if found := match(data, at):
            at = found.end()
            continue
        code = data[at]
        if code == 0x58:  # BINUNICODE
            at += 5 + int.from_bytes(data[at + 1 : at + 5], "little")
        elif code == 0x8C:  # SHORT_BINUNICODE
            at += 2 + int.from_bytes(data[at + 1 : at + 2], "little")
        elif code == 0x95:  # FRAME: its length is asked for in one piece
            at += 9
            if at + int.from_bytes(data[at - 8 : at], "little") > length:
                return False
        elif code == 0x72:  # LONG_BINPUT
            if int.from_bytes(data[at + 1 : at + 5], "little") > memo:
                return False
            at += 5
        else:
            return code == 0x2E  # STOP; what follows is not read
    return False


def memory_bound(data: bytes) -> int:
    """Bytes of memory that unpickling *data* may take, from above.

    Each opcode takes a byte of its own, so the count of a byte bounds the opcodes of that value.
    """
    size = len(data)
    if size * (max(_COSTS.values()) + _A_BYTE) <= MEMORY:
        return size * (max(_COSTS.values()) + _A_BYTE)
    return size * _A_BYTE + sum(data.count(code) * cost for code, cost in _COSTS.items())
