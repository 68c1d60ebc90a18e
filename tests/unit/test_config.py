"""The configuration: where it is found, what it may say, and what is said of mistakes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.config import Config, ConfigError, find, load
from lockorder.knowledge import builtin
from lockorder.model import How, Level, LockKind


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def own(tmp_path: Path, text: str) -> Config:
    return load(write(tmp_path / "lockorder.toml", text))


# -- which file -----------------------------------------------------------------------------------


def test_the_nearest_file_upwards_counts(tmp_path: Path) -> None:
    write(tmp_path / "lockorder.toml", 'ignore = ["top"]')
    write(tmp_path / "a/pyproject.toml", '[tool.lockorder]\nignore = ["a"]')
    source = write(tmp_path / "a/b/c/x.cpp", "")
    for start in (source, source.parent, tmp_path / "a", tmp_path / "a/b/gone.cpp"):
        assert find(start).ignore == ("a",)
    assert find(tmp_path).ignore == ("top",)


def test_in_one_folder_the_own_file_comes_first(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.lockorder]\nignore = ["shared"]')
    assert find(tmp_path).ignore == ("shared",)
    write(tmp_path / "lockorder.toml", 'ignore = ["own"]')
    assert find(tmp_path).ignore == ("own",)


@pytest.mark.parametrize("text", ["[tool.ruff]\n", "", "{{ cookiecutter }} [", "[tool]\nx = 1\n"])
def test_a_pyproject_without_the_table_is_passed_over(tmp_path: Path, text: str) -> None:
    write(tmp_path / "lockorder.toml", 'ignore = ["top"]')
    write(tmp_path / "a/pyproject.toml", text)
    assert find(tmp_path / "a").ignore == ("top",)
    with pytest.raises(ConfigError, match=r"no \[tool.lockorder\] table"):
        load(tmp_path / "a/pyproject.toml")


def test_an_empty_table_ends_the_search(tmp_path: Path) -> None:
    write(tmp_path / "lockorder.toml", 'ignore = ["top"]')
    write(tmp_path / "a/lockorder.toml", "")
    assert find(tmp_path / "a").ignore == ()


# -- what it says ---------------------------------------------------------------------------------


def test_orders_with_their_lines(tmp_path: Path) -> None:
    text = """\
select = ["lock-order-cycle"]  # order = ["X", "Y"]
order = [  # "no name"
  ["A", 'B',
   "C"],
  [
    "D",
    "E"
  ],
]
"""
    found = own(tmp_path, text)
    assert [(d.before, d.after, d.line) for d in found.orders] == [
        ("A", "B", 3),
        ("B", "C", 4),
        ("D", "E", 7),
    ]
    assert found.select == ("lock-order-cycle",)
    assert {d.file for d in found.orders_seen_from(tmp_path)} == {"lockorder.toml"}
    assert {d.file for d in found.orders_seen_from(tmp_path / "a")} == {
        str(tmp_path / "lockorder.toml")
    }


@pytest.mark.parametrize(
    "text",
    [
        '[x]\norder = ["no"]\n[tool.lockorder]\norder = ["A", "B"]\n',
        '\n\n[tool]\nlockorder.order = ["A", "B"]\n',
    ],
)
def test_the_line_in_a_pyproject(tmp_path: Path, text: str) -> None:
    found = load(write(tmp_path / "pyproject.toml", text))
    assert [(d.before, d.after, d.line) for d in found.orders] == [("A", "B", 4)]


def test_declarations_are_laid_over_the_built_in_knowledge(tmp_path: Path) -> None:
    found = own(
        tmp_path,
        """
        [[lock]]
        types = ["my::Mutex", "std::mutex"]
        kind = "recursive"
        lock = ["Take"]
        try = ["TryTake"]

        [[guard]]
        types = ["my::Holder"]
        """,
    ).knowledge()
    mine = found.operation("my::Mutex", "TryTake")
    assert mine is not None
    assert mine.how is How.TRY
    assert found.locks["std::mutex"].kind is LockKind.RECURSIVE
    assert found.operation("std::mutex", "lock") is None  # replaced, not added to
    assert found.operation("std::timed_mutex", "lock") is not None
    assert "my::Holder" in found.guards
    assert builtin().operation("std::mutex", "lock") is not None
    assert builtin().locks["std::mutex"].kind is LockKind.MUTEX


def test_without_declarations_the_built_in_knowledge_serves(tmp_path: Path) -> None:
    assert own(tmp_path, "").knowledge() is builtin()


def test_settings_by_path(tmp_path: Path) -> None:
    found = own(
        tmp_path,
        """
        exclude = ["third_party/**"]
        [[path]]
        match = ["csrc/legacy/*.cpp", "!csrc/legacy/new.cpp"]
        ignore = ["self-deadlock"]
        level = { "blocking-under-lock" = "note" }
        [[path]]
        match = ["tests/"]
        select = ["lock-order-cycle"]
        """,
    )
    assert found.folder == tmp_path
    assert found.excluded.match(tmp_path / "third_party/a/b.cpp")
    assert not found.excluded.match(tmp_path / "csrc/b.cpp")
    assert [t.match[0] for t in found.path] == ["csrc/legacy/*.cpp", "tests/"]
    assert found.path[0].level == {"blocking-under-lock": Level.NOTE}
    assert found.path[1].select == ("lock-order-cycle",)


def test_callbacks_are_numbered_by_table(tmp_path: Path) -> None:
    found = own(
        tmp_path,
        """
        callback = [
            { registers = ["a", "b"], runs = ["r"], arguments = [1] },
            { registers = ["b"], thread = true, holds = "Python GIL" },
        ]
        """,
    ).knowledge()
    first = len(builtin().callbacks)
    assert {n: found.registers[n] for n in "ab"} == {"a": [first], "b": [first, first + 1]}
    assert found.runs["r"] == [first]
    assert found.callbacks[first + 1].holds == "Python GIL"


def test_named_locks_of_ones_own(tmp_path: Path) -> None:
    text = """
    [[named]]
    name = "loop lock"
    [[function]]
    names = ["run"]
    acquires = "loop lock"
    releases = "loop lock"
    [[guard]]
    types = ["Hold"]
    of = "loop lock"
    """
    assert own(tmp_path, text).knowledge().functions["run"].releases == "loop lock"


# -- mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('ordr = ["A", "B"]', ["unknown key 'ordr'", "did you mean 'order'?"]),
        ("xyzzy = 1", ["unknown key 'xyzzy'", "known are", "guard"]),
        ('[[lock]]\ntypes = ["T"]\n[[lock]]\ntypes = []\nunlok = []',
         ["unknown key 'lock[1].unlok'", "'unlock'"]),
        ('order = "A"', ["order: Expected `array`, got `str`"]),
        ("order = [1]", ["order[0]: Expected `str | array`, got `int`"]),
        ('order = ["A", ["B", "C"]]', ["order: names, or lists of names"]),
        ('order = [["A"]]', ["an order is of two locks or more", "['A']"]),
        ('order = ["A", ""]', ["empty name"]),
        ("[[lock]]\n", ["lock[0]", "missing required field `types`"]),
        ('[[lock]]\ntypes = ["T"]\nkind = "mutx"', ["lock[0].kind: Invalid enum value 'mutx'"]),
        ("lock = {}", ["lock: Expected `array`"]),
        ("a = = 1", [":1:5: "]),
        ('\n\norder = ["A"', [":3", "Unclosed array"]),
        ("\udcff", ["not UTF-8"]),
        ('order = [\n"A",\n"B",\n"C",\n"A"]',
         ["contradicts itself", "A before B", "lockorder.toml:3", "lockorder.toml:5"]),
        ('order = [["A", "B"], ["B", "A"]]', ["A before B", "B before A"]),
        ('[[path]]\nmatch = ["a"]\nignor = []',
         ["unknown key 'path[0].ignor'", "did you mean 'ignore'?"]),
        ('path = [{ match = ["a"] }, { mach = ["a"] }]',
         ["unknown key 'path[1].mach'", "did you mean 'match'?"]),
        ('[path]\nmatch = ["a"]', ["path: Expected `array`, got `object`"]),
        ("[[path]]\nignore = []", ["path[0]", "missing required field `match`"]),
        ("[[path]]\nmatch = []", ["path[0].match", "length >= 1"]),
        ('[[path]]\nmatch = "a"', ["path[0].match: Expected `array`, got `str`"]),
        ('[[path]]\nmatch = ["a", 3]', ["path[0].match[1]: Expected `str`, got `int`"]),
        ('[[path]]\nmatch = [" "]', ["path[0].match: ' ': an empty pattern"]),
        ('[[path]]\nmatch = ["#a"]', ["path[0].match: '#a': ", "comment"]),
        ('[[path]]\nmatch = ["a/../b"]', ["path[0].match", "nothing above it"]),
        ('[[path]]\nmatch = ["a["]', ["path[0].match: 'a[': this pattern matches nothing"]),
        ('[[path]]\nmatch = ["a\\\\"]', ["path[0].match: ", "Invalid git pattern"]),
        ('[[path]]\nmatch = ["a"]\nlevel = { "x" = "note", "y" = "nope" }',
         ["path[0].level.y: Invalid enum value 'nope'"]),
        ('[[path]]\nmatch = ["a"]\nlevel = { "x" = 3 }', ["path[0].level.x: "]),
        ('[[path]]\nmatch = ["a"]\nlevel = "note"',
         ["path[0].level: Expected `object`, got `str`"]),
        ("exclude = [3]", ["exclude[0]: Expected `str`, got `int`"]),
        ('exclude = ["/"]', ["exclude: '/': this pattern matches nothing"]),
        ('callback = { registers = ["a"] }', ["callback: Expected `array`"]),
        ('callback = [{ registers = ["a"], run = ["b"] }]',
         ["unknown key 'callback[0].run'", "did you mean 'runs'?"]),
        ('[[callback]]\nregisters = ["a"]', ["callback[0]: who runs what is registered?"]),
        ('[[callback]]\nregisters = ["a"]\nthread = 1',
         ["callback[0].thread: Expected `bool`, got `int`"]),
        ('[[callback]]\nregisters = ["a"]\nthread = true\narguments = [-1]',
         ["callback[0].arguments[0]: Expected `int` >= 0"]),
        ('[[callback]]\nregisters = ["a"]\nthread = true\nholds = "GIL"',
         ["callback[0].holds: no lock is named 'GIL'", "did you mean 'Python GIL'"]),
        ('[[named]]\nname = "loop lock"\n[[function]]\nnames = ["f"]\nacquires = "lop lock"',
         ["function[0].acquires: no lock is named 'lop lock'", "did you mean 'loop lock'"]),
        ('[[guard]]\ntypes = ["T"]\nof = "zzz"',
         ["guard[0].of: no lock is named 'zzz': is a [[named]] table missing?"]),
        ('[[entry]]\nholds = "Gil"\nnames = ["f"]', ["entry[0].holds: no lock is named 'Gil'"]),
    ],
)  # fmt: skip
def test_mistakes_are_named_with_their_place(tmp_path: Path, text: str, parts: list[str]) -> None:
    file = tmp_path / "lockorder.toml"
    file.write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(ConfigError) as caught:
        load(file)
    said = str(caught.value)
    assert str(file) in said
    for part in parts:
        assert part in said


def test_places_in_a_pyproject_are_whole(tmp_path: Path) -> None:
    file = write(tmp_path / "pyproject.toml", "[tool.lockorder]\nselect = 3\n")
    with pytest.raises(ConfigError, match=r"tool\.lockorder\.select: Expected `array`"):
        load(file)
    write(file, "[tool.lockorder]\nignor = []\n")
    with pytest.raises(ConfigError, match=r"'tool\.lockorder\.ignor': did you mean 'ignore'"):
        load(file)
    write(file, "[tool]\nlockorder = 3\n")
    with pytest.raises(ConfigError, match=r"tool\.lockorder: Expected `object`"):
        load(file)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        load(tmp_path / "gone.toml")
