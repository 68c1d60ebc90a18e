"""Which of the environment's variables multiply what a communicator costs, in this NCCL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec

from lockorder.footprint import size, version_text
from lockorder.knowledge.schema import Setting

#: How people call the memory that a setting is about.
_WORDS = {"pinned": "pinned host memory", "host": "host memory", "shared": "shared memory",
          "device": "device memory", "threads": "threads and sockets"}  # fmt: skip


class Effect(msgspec.Struct, frozen=True):
    """A variable that is set, and what that means.

    ``multiplies``: communicators cost more by it, each ``bytes`` of pinned memory where that is
    known.  ``text`` says it for people.
    """

    name: str
    value: str
    text: str
    multiplies: bool = False
    bytes: int = 0


def effects(
    variables: Mapping[str, str], version: int, known: Mapping[str, Setting]
) -> list[Effect]:
    """What the *variables* do to NCCL *version* (its own number, 0 not known)."""
    found = []
    for name in sorted(variables):
        setting = known.get(name)
        if setting is not None:
            effect = _effect(name, variables[name], setting, version)
            if effect is not None:
                found.append(effect)
    return found


def multiplying(found: Iterable[Effect]) -> list[Effect]:
    """Those that make communicators cost more."""
    return [e for e in found if e.multiplies]


def _effect(name: str, value: str, setting: Setting, version: int) -> Effect | None:
    said = f"{name}={value}"
    if version and not _exists(setting, version):
        bound = f"gone as of {setting.until}" if _is_past(setting, version) else "not there yet"
        return Effect(name, value, f"{said} does nothing in NCCL {version_text(version)}: {bound}")
    if setting.lowers:
        return None
    number = _number(value)
    if setting.matters:
        if value not in setting.matters:
            return None
        text = f"{said}: {setting.what}"
    elif number is None or number <= setting.default:
        return None
    else:
        usual = f" ({setting.default:,} by default)" if setting.default else ""
        text = f"{said}: {setting.what}{usual}"
    amount = _bytes(number, setting)
    if amount:
        text += f", {size(amount)} of {_WORDS[setting.memory]}"
    if not version and (setting.since or setting.until):
        text += f", in NCCL {_versions(setting)}"
    return Effect(name, value, text, True, amount if setting.memory == "pinned" else 0)


def _bytes(number: int | None, setting: Setting) -> int:
    if number is None or not setting.bytes:
        return 0
    if setting.power_of_two and number & (number - 1):
        number = setting.default
    return setting.bytes * min(number, setting.most or number)


def _number(value: str) -> int | None:
    """As strtoll(3) reads it, which NCCL uses with base 0."""
    match = re.match(r"\s*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)", value)
    if match is None:
        return None
    sign, digits = match.groups()
    base = 16 if digits[:2] in ("0x", "0X") else 8 if digits[0] == "0" else 10
    return int(digits, base) * (-1 if sign == "-" else 1)


def _parts(version: int) -> tuple[int, ...]:
    return tuple(int(part) for part in version_text(version).split("."))


def _bound(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def _is_past(setting: Setting, version: int) -> bool:
    return bool(setting.until) and _parts(version) >= _bound(setting.until)


def _exists(setting: Setting, version: int) -> bool:
    begun = not setting.since or _parts(version) >= _bound(setting.since)
    return begun and not _is_past(setting, version)


def _versions(setting: Setting) -> str:
    if setting.since and setting.until:
        return f"{setting.since} and newer, before {setting.until}"
    return f"before {setting.until}" if setting.until else f"{setting.since} and newer"
