"""A dump's JSON form, also where it breaks off."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from lockorder.hang.errors import DataError

MEMORY = 4 << 30  # bytes that the values may need
_CONTAINER = 72  # bytes that "{}" or "[]" takes in memory at most
_A_BYTE = 16  # bytes of memory for each other byte of a file, at most: "0," in a list

_KEY = re.compile(r'[\s,{]*"((?:[^"\\]|\\.){0,1000})"\s*:\s*')
_BETWEEN = re.compile(r"[\s,]*")


def loads(data: bytes) -> tuple[Any, bool]:
    """The value of the JSON text *data*, and whether it breaks off before its end.

    Of a text that breaks off, or is damaged, the top level's members until there, and of a member
    that is a list its whole elements.  Raises ``DataError``.
    """
    containers = data.count(b"{") + data.count(b"[")
    if containers * _CONTAINER + len(data) * _A_BYTE > MEMORY:
        raise DataError("it is too large to be read")
    try:
        return msgspec.json.decode(data), False
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass  # broken off, or with NaN, which Python writes and msgspec does not read
    except RecursionError:
        raise DataError("it is nested too deeply") from None
    text = data.decode("utf-8", "replace")
    decoder = json.JSONDecoder(parse_int=_integer)
    try:
        return decoder.decode(text), False
    except ValueError:
        return _members(decoder, text), True
    except RecursionError:
        raise DataError("it is nested too deeply") from None


def _integer(digits: str) -> int:
    """A number that no recorder writes takes quadratic time to read: it is 0."""
    return int(digits) if len(digits) < 40 else 0


def _members(decoder: json.JSONDecoder, text: str) -> dict[str, Any]:
    """The members of the object *text* until the damage."""
    found: dict[str, Any] = {}
    at = 0
    try:
        while key := _KEY.match(text, at):
            at = key.end()
            if text[at : at + 1] != "[":
                found[key[1]], at = decoder.raw_decode(text, at)
                continue
            found[key[1]] = elements = []
            at += 1
            while (at := _end(_BETWEEN, text, at)) < len(text) and text[at] != "]":
                element, at = decoder.raw_decode(text, at)
                elements.append(element)
            at += 1
    except (ValueError, RecursionError):
        pass  # here it breaks off
    return found


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at
