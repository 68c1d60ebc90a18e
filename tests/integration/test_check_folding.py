"""Findings of one cause are told as one, and no finding hides another that nobody has accepted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CLEAN, FOUND = 0, 1

BLOCKING = """
#include <future>
#include <mutex>
#include <thread>
std::mutex table;
void settle(std::thread &t, std::future<int> &f) { f.get(); t.join(); }
void close(std::thread &t, std::future<int> &f)
{
    std::lock_guard<std::mutex> guard(table);
    settle(t, f);
%s
}
"""
#: A class with a mistake of its own, and another one with a global lock.
STORE = """
#include <mutex>
std::mutex registry;
using Hold = std::lock_guard<std::mutex>;
struct Store {
    std::mutex inner;
    void enter() { Hold a(inner); Hold b(registry); }
    void leave() { Hold a(registry); Hold b(inner); }
    void merge(Store *other)
    {
        Hold a(inner);
        Hold b(other->inner);
    }
%s
};
"""
TWICE = "    void twice() { Hold a(inner); Hold b(inner); }\n"
#: Three callers of a function that takes what they hold.
CALLERS = """
#include <mutex>
std::mutex state;
using Hold = std::lock_guard<std::mutex>;
void fail()
{
    Hold hold(state);
}
void send()
{
    Hold hold(state);
    fail();
}
void receive()
{
    Hold hold(state);
    fail();
}
void ping()
{
    Hold hold(state);
    fail();
}
"""


class Folder:
    """A folder with one source, and the command on it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def put(self, text: str) -> None:
        (self.path / "a.cpp").write_text(text)

    def check(self, *options: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "lockorder", "check", "a.cpp", *options],
            capture_output=True, text=True, check=False, cwd=self.path,
            env={**os.environ, "LOCKORDER_CACHE_DIR": str(self.path / "cache")},
        )  # fmt: skip

    def findings(self, *options: str) -> list[dict[str, Any]]:
        done = self.check("--format", "json", *options)
        found: list[dict[str, Any]] = json.loads(done.stdout).get("findings", [])
        assert done.returncode == (FOUND if found else CLEAN), done.stderr
        return found

    def told(self, *options: str) -> list[str]:
        return sorted(f["message"] for f in self.findings(*options))


@pytest.fixture
def folder(tmp_path: Path) -> Callable[[str], Folder]:
    def make(text: str) -> Folder:
        made = Folder(tmp_path)
        made.put(text)
        return made

    return make


OBJECTS = "two objects' Store::inner are taken in no fixed order"
CIRCLE = "Store::inner and registry are taken in opposite orders"
AGAIN = "Store::inner is taken again by the thread that holds it"


# One cause is one finding.


def test_calls_behind_one_step_are_one_finding(folder: Callable[[str], Folder]) -> None:
    (finding,) = folder(BLOCKING % "").findings()
    (other,) = finding["folded"]
    assert finding["message"].startswith("std::future::get")
    assert other["message"].startswith("std::thread::join")
    assert other["fingerprint"] != finding["fingerprint"]


def test_two_steps_are_two_findings(folder: Callable[[str], Folder]) -> None:
    assert len(folder(BLOCKING % "    f.wait();").findings()) == 2


def test_a_mistake_by_every_caller_is_one_finding(folder: Callable[[str], Folder]) -> None:
    (finding,) = folder(CALLERS).findings()
    assert [f["rule"] for f in finding["folded"]] == 2 * ["self-deadlock"]
    prints = {f["fingerprint"] for f in (finding, *finding["folded"])}
    assert len(prints) == 3


def test_text_names_the_others_and_verbose_lists_them(folder: Callable[[str], Folder]) -> None:
    made = folder(CALLERS)
    short = made.check()
    assert "  and 2 more with the same cause: a.cpp:16, a.cpp:21\n" in short.stdout
    assert "folded: 2 more, which share a cause with 1 of these (-v lists them)" in short.stderr
    assert "lockorder: 1 error, 0 warnings" in short.stderr
    long = made.check("-v")
    assert "  and 2 more with the same cause:\n" in long.stdout
    assert long.stdout.count("state is taken again by the thread that holds it") == 3


@pytest.mark.parametrize("fmt", ["github", "markdown", "html"])
def test_other_formats_name_them_too(folder: Callable[[str], Folder], fmt: str) -> None:
    assert "and 2 more with the same cause" in folder(CALLERS).check("--format", fmt).stdout


def test_sarif_has_them_as_properties(folder: Callable[[str], Folder]) -> None:
    done = folder(CALLERS).check("--format", "sarif")
    (result,) = json.loads(done.stdout)["runs"][0]["results"]
    assert [f["ruleId"] for f in result["properties"]["folded"]] == 2 * ["self-deadlock"]
    assert "And 2 more with the same cause: a.cpp:16, a.cpp:21." in result["message"]["text"]


def test_nothing_is_said_of_it_where_nothing_is_folded(folder: Callable[[str], Folder]) -> None:
    made = folder(STORE % "")
    assert all("folded" not in f for f in made.findings())
    done = made.check("-v")
    assert "same cause" not in done.stdout
    assert "folded" not in done.stderr


# No finding hides another.


def test_a_class_with_a_mistake_of_its_own(folder: Callable[[str], Folder]) -> None:
    assert folder(STORE % "").told() == [CIRCLE, OBJECTS]


def test_and_with_one_more(folder: Callable[[str], Folder]) -> None:
    made = folder(STORE % TWICE)
    assert made.told() == [CIRCLE, AGAIN, OBJECTS]
    assert made.told("--ignore", "self-deadlock") == [CIRCLE, OBJECTS]
    assert made.told("--ignore", "lock-order-cycle") == [AGAIN]


def test_what_is_in_the_baseline_hides_nothing_new(folder: Callable[[str], Folder]) -> None:
    made = folder(STORE % TWICE)
    made.check("--write-baseline", "base.json")
    base = json.loads((made.path / "base.json").read_text())
    assert made.told("--baseline", "base.json") == []
    for left_out in (OBJECTS, CIRCLE, AGAIN):
        known = [e for e in base["findings"] if e["message"] != left_out]
        (made.path / "some.json").write_text(json.dumps({**base, "findings": known}))
        assert made.told("--baseline", "some.json") == [left_out]


# What was accepted brings up what comes next.


def test_a_baseline_has_what_is_folded(folder: Callable[[str], Folder]) -> None:
    made = folder(CALLERS)
    made.check("--write-baseline", "base.json")
    base = json.loads((made.path / "base.json").read_text())
    assert len(base["findings"]) == 3
    assert made.told("--baseline", "base.json") == []


def test_a_new_caller_of_a_known_mistake_comes_up(folder: Callable[[str], Folder]) -> None:
    made = folder(CALLERS)
    made.check("--write-baseline", "base.json")
    made.put(CALLERS + "void close()\n{\n    Hold hold(state);\n    fail();\n}\n")
    (finding,) = made.findings("--baseline", "base.json")
    assert finding["participants"][0]["who"] == "close"
    assert "folded" not in finding


def test_a_comment_on_one_caller_brings_up_the_next(folder: Callable[[str], Folder]) -> None:
    made = folder(CALLERS)
    (first,) = made.findings()
    assert first["participants"][0]["who"] == "send"
    ignored = "    fail(); // lockorder: ignore[self-deadlock] it cannot fail\n"
    made.put(CALLERS.replace("    fail();\n", ignored, 1))
    (second,) = made.findings()
    assert second["participants"][0]["who"] == "receive"
    assert [f["participants"][0]["who"] for f in second["folded"]] == ["ping"]


def test_all_callers_of_an_ignored_place_are_ignored(folder: Callable[[str], Folder]) -> None:
    place = "    Hold hold(state); // lockorder: ignore[self-deadlock] known\n"
    assert folder(CALLERS.replace("    Hold hold(state);\n", place, 1)).findings() == []


def test_a_level_for_a_file_is_asked_before(folder: Callable[[str], Folder]) -> None:
    """A rule that is off for its file hides nothing; one that is a note there stays below."""
    made = folder(STORE % TWICE)
    path = '[[path]]\nmatch = ["a.cpp"]\n'
    (made.path / "lockorder.toml").write_text(f'{path}ignore = ["self-deadlock"]\n')
    assert made.told() == [CIRCLE, OBJECTS]
