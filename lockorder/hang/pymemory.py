"""Memory of one moment: each page is read once.

Nothing here raises: what cannot be read is None, or 0 for a word.  Two questions about one object
get answers of one moment, as far as it lies on one page.
"""

from __future__ import annotations

import struct

from lockorder.hang.image import Image

_BITS = 12
_PAGE = 1 << _BITS
_WORD = struct.Struct("<Q")
#: Bytes of one object at the most: larger ones are not looked into.
_LARGEST = 1 << 24


class Memory:
    """Reads *image*, as it is at the first look at each page."""

    def __init__(self, image: Image) -> None:
        self._image = image
        self._pages: dict[int, bytes | None] = {}

    def word(self, at: int) -> int:
        """The eight bytes at *at*; 0: they cannot be read."""
        inside = at & _PAGE - 1
        if inside <= _PAGE - 8 and 0 <= at < 1 << 63:
            page = self._page(at >> _BITS)
            if page is not None:
                return int(_WORD.unpack_from(page, inside)[0])
        content = self.read(at, 8)
        return int.from_bytes(content, "little") if content is not None else 0

    def number(self, at: int, size: int = 4, signed: bool = True) -> int | None:
        """An integer of the processor's; None: it cannot be read."""
        content = self.read(at, size)
        return int.from_bytes(content, "little", signed=signed) if content is not None else None

    def words(self, at: int, count: int) -> tuple[int, ...] | None:
        """So many words; None: not all of them can be read, or they are too many."""
        if not 0 <= count <= _LARGEST // 8:
            return None
        content = self.read(at, 8 * count)
        return struct.unpack(f"<{count}Q", content) if content is not None else None

    def string(self, at: int, most: int = 256) -> str | None:
        """The zero-terminated text at *at*, which is at most so long; None: there is none."""
        content = b""
        while len(content) < most:
            size = min(most - len(content), _PAGE - (at + len(content) & _PAGE - 1))
            more = self.read(at + len(content), size)
            if more is None:
                return None
            end = more.find(0)
            content += more if end < 0 else more[:end]
            if end >= 0:
                text = content.decode("utf-8", "replace")
                return text if text.isprintable() else None
        return None

    def read(self, at: int, size: int) -> bytes | None:
        """Some bytes; None where not all of them can be read."""
        if not 0 <= size <= _LARGEST or not 0 < at < (1 << 63) - size:
            return None
        inside = at & _PAGE - 1
        if inside + size <= _PAGE:
            page = self._page(at >> _BITS)
            if page is not None:
                return page[inside : inside + size]
        # A core may end inside of a page; and what is large is not kept.
        return self._image.read(at, size)

    def _page(self, number: int) -> bytes | None:
        if number not in self._pages:
            page = self._image.read(number << _BITS, _PAGE) if number else None
            self._pages[number] = page
        return self._pages[number]
