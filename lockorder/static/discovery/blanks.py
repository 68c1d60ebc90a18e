"""Parts of a source's text that are no code, and blanks in their place: offsets and lines stay."""

from __future__ import annotations

import re

COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.S)
#: Comments and literals.
NOISE = re.compile(
    rb"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'", re.S
)
DIRECTIVE = re.compile(rb"^[ \t]*#(?:[^\n\\]|\\.)*", re.M | re.S)
_CODE = re.compile(rb"[^\n]")


def blank(text: bytes) -> bytes:
    """Blanks, on as many lines."""
    return _CODE.sub(b" ", text)


def blanked(pattern: re.Pattern[bytes], data: bytes) -> bytes:
    """*data* with blanks wherever *pattern* is found."""
    return pattern.sub(lambda match: blank(match.group(0)), data)
