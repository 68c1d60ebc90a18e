"""Baselines that are broken: see broken."""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from random import Random

from broken import SPECIAL, TOLERATED, Maker, archive, cut, dangling, elf, inserted

_UNREADABLE = "not a baseline"
_WRONG = (None, True, 3, -1.5, "text", [], [[]])


def _entry(number: int = 0, **changes: object) -> dict[str, object]:
    """Something that was known once, and is gone."""
    return {
        "file": "good.cpp",
        "rule": "lock-order-cycle",
        "fingerprint": f"{number:016x}",
        "message": "gone",
        "count": 1,
        **changes,
    }


def _file(*entries: object, **changes: object) -> str:
    body = {"format": "lockorder-baseline", "version": 1, "findings": [*entries], **changes}
    return json.dumps(body, indent=1) + "\n"


def _write(file: Path, content: str | bytes, reason: str = TOLERATED) -> str:
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return reason


def _good(rng: Random) -> str:
    return _file(*(_entry(n) for n in range(rng.randrange(1, 5))))


# -- bytes ----------------------------------------------------------------------------------------


def truncated(file: Path, rng: Random) -> str:
    return _write(file, cut(_good(rng).encode(), rng), _UNREADABLE)


def empty(file: Path, rng: Random) -> str:
    return _write(file, rng.choice([b"", b"\n", codecs.BOM_UTF8, b" \t\r\n"]), _UNREADABLE)


def nul(file: Path, rng: Random) -> str:
    return _write(file, _good(rng).encode() + bytes(rng.randrange(1, 5000)), _UNREADABLE)


def not_utf8(file: Path, rng: Random) -> str:
    odd = bytes([rng.randrange(0x80, 0xC0)])
    return _write(file, _good(rng).encode().replace(b"gone", b"gone" + odd), _UNREADABLE)


def binary(file: Path, rng: Random) -> str:
    return _write(file, rng.choice([elf, archive])(rng), _UNREADABLE)


def another_encoding(file: Path, rng: Random) -> str:
    text = _good(rng)
    odd = [codecs.BOM_UTF8 + text.encode(), text.encode("utf-16"), text.encode("utf-32")]
    return _write(file, rng.choice(odd), _UNREADABLE)


def not_quite_json(file: Path, rng: Random) -> str:
    text = _good(rng)
    odd = [
        text.replace("}", ",}"), text.replace('"', "'"), f"// by hand\n{text}", text + text,
        text.replace(",", ""), text.replace(":", "="), f"<<<<<<< HEAD\n{text}", f"{text}]",
        text.replace("1", "NaN"), text.replace("1", "01"),
    ]  # fmt: skip
    return _write(file, rng.choice(odd), _UNREADABLE)


def stray_byte(file: Path, rng: Random) -> str:
    return _write(file, inserted(_good(rng).encode().rstrip(), b"\x01", rng), _UNREADABLE)


def nested(file: Path, rng: Random) -> str:
    deep = rng.choice(["[", '{"a":'])
    return _write(file, _file(3).replace("3", deep * 200_000), _UNREADABLE)


def endless_number(file: Path, rng: Random) -> str:
    digits = "9" * rng.randrange(4400, 50_000)
    return _write(file, _file(_entry(count=77)).replace("77", digits), _UNREADABLE)


def odd_and_legal(file: Path, rng: Random) -> str:
    text = _good(rng)
    double = text.replace('"count": 1', '"count": "x", "count": 1')
    extra = _file(_entry(extra=[1], line=3), later={"a": None}, comment="by hand")
    odd = [text.replace("\n", "\r\n"), f"\n\n{text}\n\n", text.replace("\n", ""), double, extra]
    return _write(file, rng.choice(odd))


def merge(file: Path, rng: Random) -> str:
    """What two branches left together: entries twice, nothing sorted."""
    entries = [_entry(rng.randrange(3), count=rng.randrange(1, 9)) for _ in range(20)]
    return _write(file, _file(*entries))


def nothing_known(file: Path, rng: Random) -> str:
    text = _file()
    return _write(file, rng.choice([text, text.replace('"findings": []', '"x": 0')]))


# -- the file as a whole --------------------------------------------------------------------------


def no_object(file: Path, rng: Random) -> str:
    return _write(file, json.dumps(rng.choice(_WRONG)), _UNREADABLE)


def another_format(file: Path, rng: Random) -> str:
    odd = [
        _file(format=rng.choice(_WRONG)), _file(format="lockorder-result"), "{}",
        json.dumps({"version": "2.1.0", "runs": []}), json.dumps({"findings": [_entry()]}),
        _file().replace('"format"', '"Format"'),
    ]  # fmt: skip
    return _write(file, rng.choice(odd), _UNREADABLE)


def another_version(file: Path, rng: Random) -> str:
    version = rng.choice([0, -1, 2, 17, 2**31, 2**63 - 1])
    return _write(file, _file(_entry(), version=version), f"baseline version {version}")


def version_of_another_type(file: Path, rng: Random) -> str:
    version = rng.choice(["1", None, 1.5, [1], {}, True])
    return _write(file, _file(_entry(), version=version), _UNREADABLE)


def findings_of_another_type(file: Path, rng: Random) -> str:
    wrong = rng.choice([None, True, 3, "text", {}, {"a": _entry()}])
    return _write(file, _file(findings=wrong), _UNREADABLE)


# -- entries --------------------------------------------------------------------------------------


def _among(rng: Random, *odd: object) -> str:
    entries: list[object] = [_entry(1), _entry(2)]
    for each in odd:
        entries.insert(rng.randrange(len(entries) + 1), each)
    return _file(*entries)


def entry_of_another_type(file: Path, rng: Random) -> str:
    return _write(file, _among(rng, rng.choice(_WRONG)), "findings[")


def no_fingerprint(file: Path, rng: Random) -> str:
    odd = _entry()
    del odd["fingerprint"]
    return _write(file, _among(rng, odd), "fingerprint")


def wrong_field(file: Path, rng: Random) -> str:
    key = rng.choice(["file", "rule", "fingerprint", "message"])
    wrong = rng.choice([x for x in _WRONG if x != "text"])
    return _write(file, _among(rng, _entry(**{key: wrong})), f"$.{key}")


def count_that_is_none(file: Path, rng: Random) -> str:
    count = rng.choice([0, -1, -(2**63), 2**64, 10**9 + 1, 10**4000])
    return _write(file, _among(rng, _entry(count=count)), "count is not a number from 1 to")


def count_of_another_type(file: Path, rng: Random) -> str:
    wrong = rng.choice(["1", None, True, 1.5, [], {}])
    return _write(file, _among(rng, _entry(count=wrong)), "$.count")


def count_beyond_numbers(file: Path, rng: Random) -> str:
    count = rng.choice(["1e400", "-1e999", "1" + "0" * 5000])
    return _write(file, _file(_entry(count=77)).replace("77", count), _UNREADABLE)


def large_count(file: Path, rng: Random) -> str:
    return _write(file, _among(rng, _entry(count=rng.choice([10**9, 10**6]))))


def many_broken_entries(file: Path, rng: Random) -> str:
    odd = [rng.choice(_WRONG) for _ in range(rng.randrange(6, 300))]
    return _write(file, _among(rng, *odd), "more of its entries are broken")


def half_characters(file: Path, rng: Random) -> str:
    half = f"\\ud8{rng.randrange(0x10, 0x100):02x}"
    return _write(file, _file(_entry(message="HALF")).replace("HALF", half), _UNREADABLE)


def odd_texts(file: Path, rng: Random) -> str:
    texts = ["", "\0", "\x1b[31m", "\N{RIGHT-TO-LEFT OVERRIDE}", "x" * 10_000, "../..", "[red]a"]
    entries = [
        _entry(n, file=rng.choice(texts), rule=rng.choice(texts), message=rng.choice(texts))
        for n in range(9)
    ]
    return _write(file, _file(*entries))


def missing(file: Path, rng: Random) -> str:
    if rng.random() < 0.5:
        file.symlink_to("gone.json")
    return "no such baseline"


MAKERS: list[Maker] = [
    truncated, empty, nul, not_utf8, binary, another_encoding, not_quite_json, stray_byte, nested,
    endless_number, odd_and_legal, merge, nothing_known, no_object, another_format,
    another_version, version_of_another_type, findings_of_another_type, entry_of_another_type,
    no_fingerprint, wrong_field, count_that_is_none, count_of_another_type, count_beyond_numbers,
    large_count, many_broken_entries, half_characters, odd_texts, missing,
    *(maker for maker in SPECIAL if maker is not dangling),
]  # fmt: skip
