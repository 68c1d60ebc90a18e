"""Configurations that are broken: see broken."""

from __future__ import annotations

import codecs
from pathlib import Path
from random import Random

from broken import SPECIAL, TOLERATED, Maker, archive, elf

GOOD = """\
# what the project wants
order = ["good_first", "good_second"]
ignore = ["blocking-under-lock"]
exclude = ["third_party/"]
footprint_limit_mib = 512

[[path]]
match = ["tests/"]
level = {lock-order-cycle = "note"}

[[lock]]
types = ["ns::Spin"]
lock = ["take"]
unlock = ["give"]
"""
_WRONG = (
    "3",
    "-1.5",
    "true",
    "{a = 1}",
    "[[1]]",
    "[{}]",
    "1979-05-27",
    "07:32:00",
    "nan",
    '"\\u0000"',
)


def _write(file: Path, text: str | bytes, reason: str = TOLERATED) -> str:
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return reason


def _with(file: Path, line: str, reason: str) -> str:
    """The good configuration with *line* before all else."""
    return _write(file, f"{line}\n{GOOD}", reason)


# -- bytes ----------------------------------------------------------------------------------------


def cut_in_a_list(file: Path, rng: Random) -> str:
    at = GOOD.index("[", rng.choice([0, 60, 90]))
    return _write(file, GOOD[: rng.randrange(at + 1, GOOD.index("]", at))], "lockorder.toml:")


def not_utf8(file: Path, rng: Random) -> str:
    odd = bytes(rng.randrange(0x80, 0xC0) for _ in range(rng.randrange(1, 9)))
    return _write(file, b"# " + odd + b"\n" + GOOD.encode(), "not UTF-8")


def nul(file: Path, rng: Random) -> str:
    at = rng.randrange(1, len(GOOD))
    return _write(file, GOOD[:at] + "\0" + GOOD[at:], "lockorder.toml:")


def binary(file: Path, rng: Random) -> str:
    return _write(file, rng.choice([elf, archive])(rng) + b"\xff", "not UTF-8")


def byte_order_mark(file: Path, rng: Random) -> str:
    if rng.random() < 0.5:
        return _write(file, codecs.BOM_UTF8 + GOOD.encode(), "byte order mark")
    return _write(file, GOOD.encode("utf-16"), "not UTF-8")


def odd_and_legal(file: Path, rng: Random) -> str:
    odd = ["", "\n", "# nothing\n", GOOD.replace("\n", "\r\n"), GOOD + "\n" * 9, " \t\n" + GOOD]
    return _write(file, rng.choice(odd))


def another_format(file: Path, rng: Random) -> str:
    odd = ['{"select": []}', "select: []\n", "select = lock-order-cycle\n", "<toml/>", "[[[a]]]\n",
           "select =\n", "= 3\n", "select\n", "select = [\n", "a.b.c = \n", 'a = "\\q"\n',
           GOOD.replace("\n", "\r"), f"<<<<<<< HEAD\n{GOOD}"]  # fmt: skip
    return _write(file, rng.choice(odd), "lockorder.toml:")


def keys_twice(file: Path, rng: Random) -> str:
    odd = ["ignore = []", 'exclude = ["a"]\nselect = []\nselect = []', "order.x = 1"]
    return _with(file, rng.choice(odd), "lockorder.toml:")


def nested(file: Path, rng: Random) -> str:
    return _with(file, f"select = {rng.choice(['[', '{a = ']) * 100_000}", "nested")


def endless_number(file: Path, rng: Random) -> str:
    digits = "9" * rng.randrange(5000, 20_000)
    return _with(file, f"footprint_communicators = {digits}", "digits")


def bad_date(file: Path, rng: Random) -> str:
    odd = rng.choice(["2020-13-45", "2020-02-30T25:61:00Z", "99:99:99"])
    return _with(file, f"baseline = {odd}", "lockorder.toml:")


# -- keys and types -------------------------------------------------------------------------------


def unknown_key(file: Path, rng: Random) -> str:
    key = rng.choice(["selct", "Ignore", "baselines", "''", '"a b"', "x.y.z", "tool.lockorder"])
    return _with(file, f"{key} = 1", "unknown key")


def unknown_table(file: Path, rng: Random) -> str:
    name = rng.choice(["[rules]", "[[locks]]", "[lockorder]", "[tool.lockorder]"])
    return _write(file, f"{GOOD}\n{name}\nx = 1\n", "unknown key")


def unknown_key_inside(file: Path, rng: Random) -> str:
    table = rng.choice(["path", "lock", "guard", "function", "callback", "wait", "entry", "group"])
    key = rng.choice(["mach", "typ", "lok", "x"])
    return _write(file, f"{GOOD}\n[[{table}]]\n{key} = {rng.choice(_WRONG)}\n", f"{table}[")


def wrong_type(file: Path, rng: Random) -> str:
    key = rng.choice(["select", "order", "path", "lock", "guard", "function"])
    rest = "".join(x for x in GOOD.splitlines(keepends=True) if x.startswith("footprint"))
    wrong = rng.choice([x for x in _WRONG if x != '"\\u0000"'])
    return _write(file, f"{key} = {wrong}\n{rest}", f"{key}")


def wrong_type_inside(file: Path, rng: Random) -> str:
    wrong = rng.choice([x for x in _WRONG if x != '"\\u0000"'])
    table, key = rng.choice([("path", "match"), ("lock", "types"), ("guard", "types"),
                             ("path", "level"), ("function", "names")])  # fmt: skip
    return _write(file, f"[[{table}]]\n{key} = {wrong}\n", f"{table}[0]")


def out_of_range(file: Path, rng: Random) -> str:
    key = rng.choice(["footprint_limit_mib", "footprint_communicators"])
    rest = GOOD.replace("footprint_limit_mib = 512\n", "")
    wrong = rng.choice([-1, 0, -(2**63), 2**63, 2**64, 10**40, "1e400", "inf", "-0.5"])
    return _write(file, f"{key} = {wrong}\n{rest}", key)


def table_of_nothing(file: Path, rng: Random) -> str:
    odd = rng.choice(["[[path]]", "[[path]]\nmatch = []", '[[path]]\nignore = ["x"]'])
    return _write(file, f"{odd}\n", "path[0]")


# -- names, patterns, orders ----------------------------------------------------------------------


def unknown_rule(file: Path, rng: Random) -> str:
    name = rng.choice(["lock-order", "LOCK-ORDER-CYCLE", "", "*", "\\u0000", "self-deadlock "])
    line = rng.choice([f'select = ["{name}"]', f'[[path]]\nmatch = ["a"]\nselect = ["{name}"]',
                       f'[[path]]\nmatch = ["a"]\nlevel = {{"{name}" = "note"}}'])  # fmt: skip
    return _write(file, f"{line}\n", "no rule is called")


def unknown_level(file: Path, rng: Random) -> str:
    level = rng.choice(['"fatal"', '"Error"', '""', "3", "[]"])
    text = f'[[path]]\nmatch = ["a"]\nlevel = {{lock-order-cycle = {level}}}\n'
    return _write(file, text, "path[0].level.lock-order-cycle")


def bad_pattern(file: Path, rng: Random) -> str:
    pattern = rng.choice(
        ["", " ", "#x", "../x", "a/../../b", "a\\nb", "[z-a]", "!", "/", "a/[9-0]/b"]
    )
    line = rng.choice([f'exclude = ["ok", "{pattern}"]', f'[[path]]\nmatch = ["{pattern}"]'])
    return _write(file, f"{line}\n", line.split(" ", 1)[0].strip("[]\n").split("]")[0])


def contradiction(file: Path, rng: Random) -> str:
    names = [f"lock{n}" for n in range(rng.randrange(1, 9))]
    order = "".join(f'"{n}", ' for n in [*names, names[0]])
    return _write(file, f"order = [{order}]\n", "lockorder.toml")


def useless_order(file: Path, rng: Random) -> str:
    odd = ['["a"]', '[["a", "b"], ["c"]]', '["a", ["b", "c"]]', '["a", ""]', "[[]]", "[[], []]"]
    return _write(file, f"order = {rng.choice(odd)}\n", "order: ")


def unnamed_lock(file: Path, rng: Random) -> str:
    key = rng.choice(["acquires", "releases"])
    text = f'[[function]]\nnames = ["f"]\n{key} = "nobody{rng.randrange(99)}"\n'
    return _write(file, text, "no lock is named")


# -- pyproject.toml -------------------------------------------------------------------------------


def shared_with_a_broken_table(file: Path, rng: Random) -> str:
    odd = [("[tool]\nlockorder = 3\n", "tool.lockorder"),
           ("[[tool.lockorder]]\n", "tool.lockorder"),
           ("[tool.lockorder]\nselct = []\n", "tool.lockorder.selct"),
           ("[tool.lockorder]\nselect = [\n", "pyproject.toml:"),
           ("[tool.lockorder]\n[tool.lockorder]\n", "pyproject.toml:"),
           ('[tool.lockorder]\norder = ["a"]\n', "tool.lockorder.order")]  # fmt: skip
    text, reason = rng.choice(odd)
    return _write(file.with_name("pyproject.toml"), text, reason)


def shared_that_is_not_ours(file: Path, rng: Random) -> str:
    odd = [
        "[project\n",
        "\0",
        "tool = 3 # lockorder\n",
        "[tool]\n# lockorder\n",
        "[tool.other]\nx = 1\n",
    ]
    return _write(file.with_name("pyproject.toml"), rng.choice(odd))


def shared_beside_our_own(file: Path, rng: Random) -> str:
    file.write_text(GOOD)
    odd = ["[tool.lockorder]\nselct = 1\n", "[tool.lockorder\n"]
    return _write(file.with_name("pyproject.toml"), rng.choice(odd))


MAKERS: list[Maker] = [
    cut_in_a_list, not_utf8, nul, binary, byte_order_mark, odd_and_legal, another_format,
    keys_twice, nested, endless_number, bad_date, unknown_key, unknown_table, unknown_key_inside,
    wrong_type, wrong_type_inside, out_of_range, table_of_nothing, unknown_rule, unknown_level,
    bad_pattern, contradiction, useless_order, unnamed_lock, shared_with_a_broken_table,
    shared_that_is_not_ours, shared_beside_our_own, *SPECIAL,
]  # fmt: skip
