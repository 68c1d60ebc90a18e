"""Compilation databases that are broken: see broken."""

from __future__ import annotations

import codecs
import json
import os
from pathlib import Path
from random import Random

from broken import SPECIAL, TOLERATED, Maker, archive, cut, elf, inserted

_UNREADABLE = "not a compilation database"
_WRONG = (None, True, 3, -1.5, [], {}, [[]], {"a": {}})


def _entry(root: Path, name: str = "good.cpp", /, **changes: object) -> dict[str, object]:
    folder = str(root.parent.parent)
    arguments = ["c++", "-DGOOD=1", f"-I{folder}", "-c", name]
    return {"directory": folder, "file": name, "arguments": arguments, **changes}


def _text(file: Path) -> str:
    return json.dumps([_entry(file), _entry(file, "other.cpp")], indent=1)


def _write(file: Path, content: object, reason: str = TOLERATED) -> str:
    if not isinstance(content, bytes):
        text = content if isinstance(content, str) else json.dumps(content)
        content = text.encode()
    file.write_bytes(content)
    return reason


def _among(file: Path, rng: Random, *odd: object) -> list[object]:
    """Good entries with some odd ones between them."""
    entries: list[object] = [_entry(file), _entry(file, "other.cpp")]
    for each in odd:
        entries.insert(rng.randrange(len(entries) + 1), each)
    return entries


# -- bytes ----------------------------------------------------------------------------------------


def truncated(file: Path, rng: Random) -> str:
    return _write(file, cut(_text(file).encode(), rng), _UNREADABLE)


def empty(file: Path, rng: Random) -> str:
    return _write(file, rng.choice([b"", b"\n", codecs.BOM_UTF8, b" \t\r\n"]), _UNREADABLE)


def nul(file: Path, rng: Random) -> str:
    return _write(file, _text(file).encode() + bytes(rng.randrange(1, 5000)), _UNREADABLE)


def not_utf8(file: Path, rng: Random) -> str:
    data = inserted(_text(file).encode(), bytes([rng.randrange(0x80, 0xC0)]), rng)
    return _write(file, data, _UNREADABLE)


def binary(file: Path, rng: Random) -> str:
    return _write(file, rng.choice([elf, archive])(rng), _UNREADABLE)


def not_quite_json(file: Path, rng: Random) -> str:
    text = _text(file)
    odd = [
        text.replace("}", "},"), text.replace('"', "'"), f"// by hand\n{text}", text + text,
        text.replace(",", ""), text.replace(":", "="), f"<<<<<<< HEAD\n{text}", f"{text}]",
        json.dumps(_entry(file)) + "\n" + json.dumps(_entry(file)),
    ]  # fmt: skip
    return _write(file, rng.choice(odd), _UNREADABLE)


def nested(file: Path, rng: Random) -> str:
    return _write(file, rng.choice(["[", '{"a":', '[{"a":[']) * 200_000, _UNREADABLE)


def endless_number(file: Path, rng: Random) -> str:
    digits = "9" * rng.randrange(5000, 50_000)
    return _write(file, _text(file)[:-1] + f", {digits}]", _UNREADABLE)


def odd_and_legal_bytes(file: Path, rng: Random) -> str:
    text = _text(file)
    odd = [
        codecs.BOM_UTF8 + text.encode(), text.encode("utf-16"), text.encode("utf-32"),
        text.replace("\n", "\r\n").encode(), b"\n\n" + text.encode() + b"\n\n",
    ]  # fmt: skip
    return _write(file, rng.choice(odd))


# -- values ---------------------------------------------------------------------------------------


def no_list(file: Path, rng: Random) -> str:
    content = rng.choice([None, True, 3, "text", {}, _entry(file), {"commands": [_entry(file)]}])
    return _write(file, json.dumps(content), "a list of commands is expected")


def entry_of_another_type(file: Path, rng: Random) -> str:
    odd = rng.choice([x for x in (*_WRONG, "text") if not isinstance(x, dict)])
    return _write(file, _among(file, rng, odd), "not an object")


def no_file(file: Path, rng: Random) -> str:
    odd = _entry(file, file=rng.choice(_WRONG))
    if rng.random() < 0.5:
        del odd["file"]
    return _write(file, _among(file, rng, odd), "no file")


def no_command(file: Path, rng: Random) -> str:
    odd = _entry(file, "third.cpp", arguments=None, command=rng.choice(_WRONG))
    return _write(file, _among(file, rng, odd), "neither command nor arguments")


def wrong_arguments(file: Path, rng: Random) -> str:
    wrong = rng.choice(["c++ -c a.cpp", 3, {}, True, ["c++", 3], ["c++", None], [["c++"]]])
    odd = _entry(file, "third.cpp", arguments=wrong)
    return _write(file, _among(file, rng, odd), "arguments are not a list of strings")


def wrong_directory(file: Path, rng: Random) -> str:
    odd = _entry(file, "third.cpp", directory=rng.choice(_WRONG))
    return _write(file, _among(file, rng, odd), "directory is not a string")


def open_quotes(file: Path, rng: Random) -> str:
    command = rng.choice(["c++ 'x", 'c++ "', 'c++ -DX="a b -c a.cpp', "c++ a.cpp\\"])
    odd = _entry(file, "third.cpp", arguments=None, command=command)
    return _write(file, _among(file, rng, odd), "No ")  # "closing quotation", "escaped character"


def half_characters(file: Path, rng: Random) -> str:
    half = chr(rng.randrange(0xD800, 0xDC00))
    key = rng.choice(["file", "directory"])
    odd = _entry(file, "third.cpp", **{key: f"/a{half}.cpp"})
    return _write(file, _among(file, rng, odd), "surrogates")


def many_broken_entries(file: Path, rng: Random) -> str:
    odd = [rng.choice(_WRONG) for _ in range(rng.randrange(6, 300))]
    return _write(file, _among(file, rng, *odd), "more of its entries are broken")


def no_good_entry(file: Path, rng: Random) -> str:
    return _write(file, [rng.choice([3, None, "x"])], "entry 0")


# -- flags ----------------------------------------------------------------------------------------


def _with_response(file: Path, rng: Random, name: str) -> None:
    flags = [f"@{name}"] if rng.random() < 0.5 else ["--options-file", name]
    odd = _entry(file, "good.cpp", arguments=["c++", *flags, "-c", "good.cpp"])
    _write(file, _among(file, rng, odd))


def response_file_missing(file: Path, rng: Random) -> str:
    _with_response(file, rng, rng.choice(["gone.rsp", "no/such/folder/x", "/gone.rsp"]))
    return "No such file"


def response_file_broken(file: Path, rng: Random) -> str:
    name = file.parent.parent / "flags.rsp"
    _with_response(file, rng, name.name)
    way = rng.randrange(4)
    if way == 0:
        name.mkdir()
        return "Is a directory"
    if way == 1:
        os.mkfifo(name)
        return "not a regular file"
    if way == 2:
        name.write_text("-DX='open")
        return "No closing quotation"
    name.write_bytes(b"-DX=\xff\xfe")
    return "can't decode"


def included_pipe(file: Path, rng: Random) -> str:
    os.mkfifo(file.parent.parent / "pipe")
    flag = rng.choice(["-include", "-imacros"])
    flags = rng.choice([[flag, "pipe"], [flag + "pipe"]])
    odd = _entry(file, "good.cpp", arguments=["c++", *flags, "-c", "good.cpp"])
    _write(file, [odd])
    return "not a regular file"


def odd_flags(file: Path, rng: Random) -> str:
    flags = [
        "-fno-such-flag", "-Xclang", "-no-such", "-Da\0b", "-D", "", "-", "--", "-I", "-include",
        "-W" * 5000, "-D" + "x" * 100_000, "\N{RIGHT-TO-LEFT OVERRIDE}", "-o", "-Xcompiler",
    ]  # fmt: skip
    flags = rng.sample(flags, 6)
    good = _entry(file, arguments=["c++", *flags, "-xc++", "-c", "good.cpp"])
    del good["directory"]
    return _write(file, [_entry(file), _entry(file, "other.cpp", arguments=["c++", *flags]), good])


def another_tree(file: Path, rng: Random) -> str:
    names = [f"/elsewhere/{rng.randrange(100)}/a{n}.cpp" for n in range(rng.randrange(1, 50))]
    return _write(file, [_entry(file, name, directory="/elsewhere") for name in names])


def files_that_do_not_exist(file: Path, rng: Random) -> str:
    return _write(file, _among(file, rng, *(_entry(file, f"gone{n}.cpp") for n in range(9))))


def odd_and_legal_entries(file: Path, rng: Random) -> str:
    good = json.dumps(_entry(file))
    odd = [
        _entry(file, arguments=[]), _entry(file, extra=_WRONG, output=3), _entry(file, "a\0.cpp"),
        _entry(file, directory=""), _entry(file, number=float("nan")), _entry(file, ""),
        _entry(file, "x" * 5000), _entry(file, arguments=None, command=""),
    ]  # fmt: skip
    text = json.dumps([*rng.sample(odd, 5), _entry(file)])
    double = good[:-1] + f', "file": "other.cpp", "directory": 3, {good[1:]}'
    return _write(file, f"{text[:-1]}, {double}]" if rng.random() < 0.5 else text)


def empty_list(file: Path, rng: Random) -> str:
    return _write(file, rng.choice(["[]", " [ ] ", "[\n]\n"]))


MAKERS: list[Maker] = [
    truncated, empty, nul, not_utf8, binary, not_quite_json, nested, endless_number,
    odd_and_legal_bytes, no_list, entry_of_another_type, no_file, no_command, wrong_arguments,
    wrong_directory, open_quotes, half_characters, many_broken_entries, no_good_entry,
    response_file_missing, response_file_broken, included_pipe, odd_flags, another_tree,
    files_that_do_not_exist, odd_and_legal_entries, empty_list, *SPECIAL,
]  # fmt: skip
