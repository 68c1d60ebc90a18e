"""What runs on the GPU is no code of the host: bodies of kernels and of what they call.

A ``.cu`` file holds functions of both sides, and a kernel is launched by what looks like a call.
What its body waits for, a thread of the GPU waits for.  A function of both sides (``__host__
__device__``) stays.  Known by the qualifiers (CUDA C++ Programming Guide, "Function Execution Space
Specifiers"; HIP has the same), and by macros of the file that stand for them.
"""

from __future__ import annotations

import re

from lockorder.static.discovery import blanks

_MACRO = re.compile(rb"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+((?:\\\r?\n|[^\n])*)", re.M)
_CONDITION = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|endif)\b", re.M)
_DEVICE = re.compile(rb"\b__(?:global|device)__\b")
_HOST = re.compile(rb"\b__host__\b")
_NEXT = re.compile(rb"[(){}\[\];=:]")
_BRACE = re.compile(rb"[{}]")


def has_any(data: bytes) -> bool:
    """Whether there may be such functions in the text of a file."""
    return b"__global__" in data or b"__device__" in data


def blanked(data: bytes) -> bytes:
    """*data* with blanks for those bodies, every byte and line at its old place."""
    if not has_any(data):
        return data
    code = blanks.blanked(blanks.NOISE, data)
    names = [
        m.group(1)
        for m in _MACRO.finditer(code)
        if _DEVICE.search(m.group(2)) and not _HOST.search(m.group(2))
    ]
    plain = blanks.blanked(blanks.DIRECTIVE, code)
    qualifier = re.compile(
        rb"\b(?:__(?:global|device)__" + b"".join(b"|" + re.escape(n) for n in names) + rb")\b"
    )
    found = bytearray(data)
    end = 0
    for match in qualifier.finditer(plain):
        if match.start() < end:
            continue
        body = _body(plain, match.end())
        if body is None or _HOST.search(plain, _beginning(plain, match.start()), body[0]):
            continue
        conditions = [m.group(1) == b"endif" for m in _CONDITION.finditer(code, *body)]
        if 2 * sum(conditions) != len(conditions):
            continue  # its braces are not matched in the text
        end = body[1]
        found[body[0] : end] = blanks.blank(data[body[0] : end])
    return bytes(found)


def _beginning(code: bytes, at: int) -> int:
    """Where the declaration that *at* is in begins."""
    return 1 + max(code.rfind(mark, 0, at) for mark in (b";", b"{", b"}"))


def _body(code: bytes, start: int) -> tuple[int, int] | None:
    """What stands between the braces of the function whose qualifier ends at *start*."""
    depth, initialises, parameters = 0, False, False
    at = start - 1
    while (match := _NEXT.search(code, at + 1)) is not None:
        at, mark = match.start(), match.group(0)
        if mark in b"([":
            depth += 1
        elif mark in b")]":
            depth -= 1
            parameters = parameters or mark == b")"
            if depth < 0:
                return None
        elif depth:
            continue
        elif mark == b"{":
            end = _closing(code, at)
            before = code[start:at].rstrip()[-1:]
            if end < 0 or not parameters:
                return None
            if not (initialises and (before.isalnum() or before in (b"_", b">"))):
                return at + 1, end
            at = end  # of a member's value
        elif mark == b":":
            single = b":" not in (code[at - 1 : at], code[at + 1 : at + 2])
            initialises = initialises or (parameters and single)
        elif mark != b"=" or not code[start:at].rstrip(b"=!<>+-*/%&|^ ").endswith(b"operator"):
            return None
    return None


def _closing(code: bytes, opening: int) -> int:
    """Where the brace is that closes the one at *opening*; negative where there is none."""
    depth = 0
    for match in _BRACE.finditer(code, opening):
        depth += 1 if match.group(0) == b"{" else -1
        if depth == 0:
            return match.start()
    return -1
