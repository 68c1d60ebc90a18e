"""CPython's objects by their addresses: types, attributes, what is in containers.

What is read may be damaged, or change meanwhile.  So each answer fits the object's type, no size is
believed before its bytes were read, and chains have an end: what does not fit is None, or 0 for an
address, and nothing raises.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple

from lockorder.hang.pylayouts import Layout
from lockorder.hang.pymemory import Memory

_TYPE, _SIZE = 8, 16  # ob_type; ob_size
#: Bits of tp_flags (Include/object.h).
_INLINE_VALUES, _MANAGED_DICT, _HEAP = 1 << 2, 1 << 4, 1 << 9
_LONG, _LIST, _TUPLE, _BYTES, _UNICODE, _DICT, _IS_TYPE = (
    1 << n for n in (24, 25, 26, 27, 28, 29, 31)
)
#: Kinds of members that are objects (Include/structmember.h: T_OBJECT, T_OBJECT_EX).
_OBJECTS = (6, 16)
_MEMBER = struct.Struct("<QixxxxqixxxxQ")
_MEMBERS, _BASES = 512, 256
_LONGEST, _DIGITS = 1 << 16, 32
_LARGEST, _NAMES = 1 << 20, 1 << 16  # objects in a container, names in a dict
_BLOCK = 64  # objects in a deque's block
_GENERAL = 0  # dk_kind: keys have their hashes beside them


class _Type(NamedTuple):
    """What is asked of a type again and again."""

    name: str
    flags: int
    size: int
    dict_offset: int
    bases: tuple[int, ...]


class Objects:
    """Objects in *memory*, of the version that *layout* is of."""

    def __init__(self, memory: Memory, layout: Layout) -> None:
        self.memory, self.layout = memory, layout
        self._types: dict[int, _Type | None] = {}
        self._slots: dict[int, dict[str, int]] = {}
        self._keys: dict[int, list[str]] = {}

    # -- types ------------------------------------------------------------------------------------

    def type_of(self, at: int) -> int:
        """The address of an object's type, 0: there is no object."""
        kind = self.memory.word(at + _TYPE) if at and not at & 7 else 0
        return kind if kind and self._type(kind) is not None else 0

    def type_name(self, at: int) -> str:
        """The name of an object's type, with its module where it is written in C; "": no object."""
        found = self._of(at)
        return found.name if found is not None else ""

    def class_name(self, at: int) -> str:
        """The last part of the type's name: ``Lock``, ``Queue``."""
        return self.type_name(at).rpartition(".")[2]

    def bases(self, at: int) -> list[str]:
        """The names of an object's type and of all its bases."""
        found = self._of(at)
        kinds = map(self._type, found.bases) if found is not None else ()
        return [kind.name for kind in kinds if kind is not None]

    def named(self, kind: int) -> str:
        """The name of a class, with its module where it is written in C."""
        found = self._type(kind)
        return found.name if found is not None else ""

    def qualified(self, kind: int) -> str:
        """The name of a class, with those that it is defined in."""
        found = self._type(kind)
        if found is None:
            return ""
        if found.flags & _HEAP:
            name = self.text(self.memory.word(kind + self.layout["PyHeapTypeObject.ht_qualname"]))
            if name:
                return name
        return found.name.rpartition(".")[2]

    def mro(self, kind: int) -> tuple[int, ...]:
        """A class and its bases, in the order in which attributes are looked for."""
        found = self._type(kind)
        return found.bases if found is not None else ()

    def is_class(self, at: int) -> bool:
        """Whether an object is a class."""
        return self._has(at, _IS_TYPE) and self._type(at) is not None

    def _of(self, at: int) -> _Type | None:
        if not at or at & 7:
            return None
        kind = self.memory.word(at + _TYPE)
        return self._type(kind) if kind else None

    def _has(self, at: int, flag: int) -> bool:
        found = self._of(at)
        return found is not None and bool(found.flags & flag)

    def _type(self, kind: int) -> _Type | None:
        if kind not in self._types:
            self._types[kind] = None  # ends circles
            self._types[kind] = self._read_type(kind)
        return self._types[kind]

    def _read_type(self, kind: int) -> _Type | None:
        memory, layout = self.memory, self.layout
        if not kind or kind & 7:
            return None
        name = memory.string(memory.word(kind + layout["PyTypeObject.tp_name"]))
        # A type's own type is a type: ``type`` is its own.
        meta = memory.word(kind + _TYPE)
        flags = memory.word(meta + layout["PyTypeObject.tp_flags"]) if meta else 0
        if not name or not flags & _IS_TYPE:
            return None
        size = memory.word(kind + layout["PyTypeObject.tp_basicsize"])
        mro = memory.word(kind + layout["PyTypeObject.tp_mro"])
        count = memory.word(mro + _SIZE) if mro else 0
        item = layout["PyTupleObject.ob_item"]
        bases = memory.words(mro + item, count) if 0 < count <= _BASES else None
        return _Type(
            name,
            memory.word(kind + layout["PyTypeObject.tp_flags"]),
            size,
            memory.number(kind + layout["PyTypeObject.tp_dictoffset"], 8) or 0,
            bases if bases is not None else (kind,),
        )

    # -- values -----------------------------------------------------------------------------------

    def text(self, at: int) -> str | None:
        """A string; None: it is none, or very long."""
        memory, layout = self.memory, self.layout
        if not self._has(at, _UNICODE):
            return None
        length = memory.word(at + layout["PyASCIIObject.length"])
        state = memory.number(at + layout["PyASCIIObject.state"], 4, signed=False)
        if state is None or length > _LONGEST:
            return None
        kind, compact, ascii_only = state >> 2 & 7, state >> 5 & 1, state >> 6 & 1
        if kind not in (1, 2, 4):
            return None
        if compact:
            name = "PyASCIIObject" if ascii_only else "PyCompactUnicodeObject"
            start = at + layout[name]
        else:
            start = memory.word(at + layout["PyCompactUnicodeObject"])
        content = memory.read(start, length * kind)
        if content is None:
            return None
        coding = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}[kind]
        return content.decode(coding, "replace")

    def bytes_of(self, at: int) -> bytes | None:
        """A bytes object's content; None: it is none."""
        if not self._has(at, _BYTES):
            return None
        start = at + self.layout["PyBytesObject.ob_sval"]
        return self.memory.read(start, self.memory.word(at + _SIZE))

    def integer(self, at: int) -> int | None:
        """An int or a bool; None: it is none, or very large."""
        if not self._has(at, _LONG):
            return None
        if self.layout.version >= 12:
            tag = self.memory.word(at + _SIZE)
            count, sign = tag >> 3, {0: 1, 1: 0, 2: -1}.get(tag & 3, 0)
        else:
            size = self.memory.number(at + _SIZE, 8) or 0
            count, sign = abs(size), (size > 0) - (size < 0)
        content = self.memory.read(at + 24, 4 * count) if count <= _DIGITS else None
        if content is None:
            return None
        digits = struct.unpack(f"<{count}I", content)
        return sign * sum((int(digit) & (1 << 30) - 1) << 30 * n for n, digit in enumerate(digits))

    def is_none(self, at: int) -> bool:
        """Whether an object is None."""
        return self.type_name(at) == "NoneType"

    def boolean(self, at: int) -> bool | None:
        """True or False; None: it is neither."""
        return bool(self.integer(at)) if self.type_name(at) == "bool" else None

    # -- containers -------------------------------------------------------------------------------

    def items(self, at: int, most: int = _LARGEST) -> list[int] | None:
        """What is in a tuple, list, set, deque or SimpleQueue; None: it is none of them.

        Of what has more than *most* items only the first ones are read.
        """
        memory, layout = self.memory, self.layout
        found = self._of(at)
        if found is None:
            return None
        if found.flags & (_TUPLE | _LIST):
            is_tuple = found.flags & _TUPLE
            kind = "PyTupleObject" if is_tuple else "PyListObject"
            start = at + layout[f"{kind}.ob_item"]
            size = min(memory.word(at + _SIZE), most)
            words = memory.words(start if is_tuple else memory.word(start), size) if size else ()
            return list(words) if words is not None else None
        names = self.bases(at)
        if "set" in names or "frozenset" in names:
            return self._set(at, most)
        if "_queue.SimpleQueue" in names:
            return self._simple_queue(at, most)
        return self._deque(at, most) if "collections.deque" in names else None

    def _simple_queue(self, at: int, most: int) -> list[int] | None:
        memory, layout = self.memory, self.layout
        if layout.version <= 12:
            waiting = memory.word(at + layout["_queue:simplequeueobject.lst"])
            taken = memory.word(at + layout["_queue:simplequeueobject.lst_pos"])
            content = self.items(waiting, most + taken) if self._has(waiting, _LIST) else None
            return content[taken:] if content is not None else None
        ring = at + layout["_queue:simplequeueobject.buf"]
        first = memory.word(ring + layout["_queue:RingBuf.get_idx"])
        size = memory.word(ring + layout["_queue:RingBuf.items_cap"])
        count = min(memory.word(ring + layout["_queue:RingBuf.num_items"]), most)
        words = memory.words(memory.word(ring + layout["_queue:RingBuf.items"]), size)
        if words is None or not size:
            return None
        return [words[(first + number) % size] for number in range(min(count, size))]

    def _set(self, at: int, most: int) -> list[int] | None:
        mask = self.memory.word(at + self.layout["PySetObject.mask"])
        table = self.memory.word(at + self.layout["PySetObject.table"])
        words = self.memory.words(table, 2 * min(mask + 1, _LARGEST))
        # A key that was removed leaves a mark of its own type's, or an object without a type.
        if words is None:
            return None
        return list(islice((each for each in words[::2] if self.type_of(each)), most))

    def _deque(self, at: int, most: int) -> list[int] | None:
        memory, layout = self.memory, self.layout
        size = min(memory.word(at + _SIZE), most)
        block = memory.word(at + layout["dequeobject.leftblock"])
        index = memory.word(at + layout["dequeobject.leftindex"])
        found: list[int] = []
        while len(found) < size and block and index <= _BLOCK:
            count = min(_BLOCK - index, size - len(found))
            words = memory.words(block + layout["block.data"] + 8 * index, count)
            if words is None:
                return None
            found += words
            # The next block; one without an object in it only once, in an empty deque.
            block, index = memory.word(block + layout["block.rightlink"]), 0
        return found if len(found) == size else None

    def entries(self, at: int, most: int = _LARGEST) -> list[tuple[int, int]] | None:
        """The keys and values of a dict; None: it is none.

        Of one that has more than *most* only the first ones are read.
        """
        memory, layout = self.memory, self.layout
        if not self._has(at, _DICT):
            return None
        keys = memory.word(at + layout["PyDictObject.ma_keys"])
        values = memory.word(at + layout["PyDictObject.ma_values"])
        pairs = self._pairs(keys, most)
        if pairs is None:
            return None
        if values:
            split = memory.words(values + max(0, layout["PyDictValues.values"]), len(pairs))
            if split is None:
                return None
            pairs = [(key, value) for (key, _), value in zip(pairs, split, strict=True)]
        return [(key, value) for key, value in pairs if key and value]

    def by_text(self, at: int) -> dict[str, int] | None:
        """A dict's values by those of its keys that are strings; None: it is none."""
        entries = self.entries(at, _NAMES)
        if entries is None:
            return None
        named = ((self.text(key), value) for key, value in entries)
        return {name: value for name, value in named if name is not None}

    def entry(self, at: int, name: str) -> int:
        """What a dict has by a name; 0: nothing.  Faster than `by_text` for a single one."""
        length = self.layout["PyASCIIObject.length"]
        for key, value in self.entries(at, _NAMES) or ():
            if self.memory.word(key + length) == len(name) and self.text(key) == name:
                return value
        return 0

    def _pairs(self, keys: int, most: int = _LARGEST) -> list[tuple[int, int]] | None:
        """All entries of a dict's keys, those that were removed with zeros."""
        memory, layout = self.memory, self.layout
        size = memory.word(keys + layout["PyDictKeysObject.dk_size"]) if keys else 0
        count = memory.word(keys + layout["PyDictKeysObject.dk_nentries"]) if keys else 0
        width, indices = 24, 0
        if layout.version >= 11:
            indices = 1 << (size >> 8 & 0x3F)  # dk_log2_index_bytes is the second byte
            width = 24 if (size >> 16 & 0xFF) == _GENERAL else 16
        else:
            indices = size * next((n for n in (1, 2, 4) if size <= (1 << 8 * n) - 1), 8)
        count = min(count, most)
        if not keys or indices > 1 << 28:
            return None
        content = memory.read(keys + layout["PyDictKeysObject.dk_indices"] + indices, count * width)
        if content is None:
            return None
        return list(struct.iter_unpack("<8xQQ" if width == 24 else "<QQ", content))

    # -- attributes -------------------------------------------------------------------------------

    def attributes(self, at: int) -> dict[str, int]:
        """What an instance, a class or a module has itself, by names."""
        found = self._of(at)
        if found is None:
            return {}
        if found.flags & _IS_TYPE:
            inside = self.memory.word(at + self.layout["PyTypeObject.tp_dict"])
            return self.by_text(inside) or {} if inside else {}
        have: dict[str, int] = {}
        kind = self.memory.word(at + _TYPE)
        for name, offset in self._slots_of(kind, found).items():
            value = self.memory.word(at + offset)
            if value:
                have[name] = value
        have.update(self._instance(at, kind, found))
        return have

    def attribute(self, at: int, name: str) -> int:
        """What an instance has by that name, or a class, or a module; 0: nothing."""
        found = self._of(at)
        if found is None:
            return 0
        if not found.flags & _IS_TYPE:
            kind = self.memory.word(at + _TYPE)
            offset = self._slots_of(kind, found).get(name)
            if offset is not None:
                return self.memory.word(at + offset)
            return self._instance(at, kind, found).get(name, 0)
        return self.class_attribute(at, name)

    def class_attribute(self, kind: int, name: str) -> int:
        """What a class has in its own body by that name; 0: nothing."""
        if self._type(kind) is None:
            return 0
        inside = self.memory.word(kind + self.layout["PyTypeObject.tp_dict"])
        return self.entry(inside, name) if inside else 0

    def path(self, at: int, *names: str) -> int:
        """The attribute of an attribute and so on; 0: it ends before."""
        for name in names:
            at = self.attribute(at, name)
        return at

    def _instance(self, at: int, kind: int, found: _Type) -> Mapping[str, int]:
        memory, layout = self.memory, self.layout
        if found.flags & _MANAGED_DICT and layout.version >= 11:
            inside = memory.word(at - 24)
            values = 0
            if layout.version == 11:
                values = memory.word(at - 32)
            elif layout.version == 12:
                inside, values = (0, inside + 1) if inside & 1 else (inside, 0)
            elif not inside and found.flags & _INLINE_VALUES:
                values = at + 16
                valid = memory.number(values + layout["PyDictValues.valid"], 1)
                values = values if valid else 0
            if values:
                return self._inline(kind, values + layout["PyDictValues.values"])
            return self.by_text(inside) or {} if inside else {}
        offset = found.dict_offset
        if offset < 0:
            offset = self._behind(at, kind, found)
        inside = memory.word(at + offset) if offset else 0
        return self.by_text(inside) or {} if inside else {}

    def _behind(self, at: int, kind: int, found: _Type) -> int:
        """Where the dict of an object of variable size is, counted from its end."""
        size = abs(self.memory.number(at + _SIZE, 8) or 0)
        item = self.memory.word(kind + self.layout["PyTypeObject.tp_itemsize"])
        end = found.size + size * item + 7 & ~7
        return max(0, end + found.dict_offset) if end < 1 << 24 else 0

    def _inline(self, kind: int, values: int) -> dict[str, int]:
        keys = self.memory.word(kind + self.layout["PyHeapTypeObject.ht_cached_keys"])
        if keys not in self._keys:
            pairs = self._pairs(keys) if keys else None
            self._keys[keys] = [self.text(key) or "" for key, _ in pairs or ()]
        names = self._keys[keys]
        words = self.memory.words(values, len(names))
        if words is None:
            return {}
        return {name: word for name, word in zip(names, words, strict=True) if name and word}

    def _slots_of(self, kind: int, found: _Type) -> dict[str, int]:
        """Where instances of a type have what is in no dict: __slots__, and members of C's."""
        if kind not in self._slots:
            slots: dict[str, int] = {}
            for base in reversed(found.bases):
                slots.update(self._members(base, found.size))
            self._slots[kind] = slots
        return self._slots[kind]

    def _members(self, kind: int, size: int) -> dict[str, int]:
        members: dict[str, int] = {}
        at = self.memory.word(kind + self.layout["PyTypeObject.tp_members"])
        while at and len(members) < _MEMBERS:
            content = self.memory.read(at, _MEMBER.size)
            if content is None:
                break
            name, what, offset, _, _ = _MEMBER.unpack(content)
            if not name:
                break
            text = self.memory.string(name)
            if text is None:
                break
            is_object = what in _OBJECTS and text != "__dict__" and _SIZE <= offset <= size - 8
            members[text] = offset if is_object else 0
            at += _MEMBER.size
        return {name: offset for name, offset in members.items() if offset}
