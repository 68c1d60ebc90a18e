"""A hundred and more broken inputs, from a generator: no traceback, and nothing else is lost.

Sources, compilation databases, configurations and baselines, each broken in every way that the
generator knows (tests/unit/broken.py), which also says what has to come of it.

LOCKORDER_BROKEN_ROUNDS=20 tries every way so many times, each time broken elsewhere.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from broken import KINDS, Broken, input_of, program, ways
from lockorder.cli import main

CLEAN, FOUND, FAILED = 0, 1, 2
ROUNDS = int(os.environ.get("LOCKORDER_BROKEN_ROUNDS", "1"))
CASES = [(kind, n) for kind in KINDS for n in range(ROUNDS * len(ways(kind)))]
#: Seconds after which a run counts as hung.
PATIENCE = 60
#: What a run must leave alone that comes to nothing.
KEPT = ("report.json", "known.json")


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def folder(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to run in, for a limited time."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOCKORDER_CACHE_DIR", str(cache))

    def late(*_: object) -> None:
        raise AssertionError("the run hangs")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(PATIENCE)
    yield tmp_path
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def check(capfd: pytest.CaptureFixture[str], *arguments: str) -> Done:
    """The command, in this process."""
    capfd.readouterr()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        code = main(["check", ".", *arguments])
    assert [str(w.message) for w in caught] == []
    return Done(code, *capfd.readouterr())


def in_a_process(*arguments: str) -> Done:
    """The command as a user starts it, with the interpreter's own warnings on."""
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-m", "lockorder", "check", ".", *arguments],
        capture_output=True, encoding="utf-8", errors="replace", timeout=PATIENCE, check=False,
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr)


def judge(broken: Broken, done: Done) -> None:
    """Whether the run came to what the generator states."""
    assert "Traceback" not in done.stderr + done.stdout, done.stderr
    assert "Warning:" not in done.stderr, done.stderr
    assert "\x1b" not in done.stderr
    if not broken.reason:
        assert done.returncode in (CLEAN, FOUND), done.stderr
        return
    assert done.returncode == FAILED, done.stderr
    errors = [x for x in done.stderr.splitlines() if x.startswith("lockorder: error: ")]
    wanted = [x for x in errors if broken.reason in x and broken.file in x]
    assert wanted, (broken, done.stderr[:2000])
    assert all(len(x) < 1000 for x in errors), "an error that nobody will read"
    assert len(errors) <= 10
    assert len(errors) == len(set(errors))


def found(done: Done) -> set[str]:
    """Names of the programs whose deadlock is in the report."""
    findings = json.loads(done.stdout).get("findings", [])
    cycles = [f for f in findings if f["rule"] == "lock-order-cycle"]
    return {lock.rpartition("::")[2].split("_")[0] for f in cycles for lock in f["locks"]}


def _case(case: tuple[str, int]) -> str:
    kind, number = case
    makers = ways(kind)
    return f"{kind}-{number}-{makers[number % len(makers)].__name__.strip('_')}"


def test_there_are_a_hundred_and_more() -> None:
    assert all(len({m.__name__ for m in ways(kind)}) >= 25 for kind in KINDS)
    assert len(CASES) >= 100


@pytest.mark.parametrize("case", CASES, ids=_case)
def test_a_broken_input(
    case: tuple[str, int], folder: Path, capfd: pytest.CaptureFixture[str], cache: Path
) -> None:
    broken = input_of(*case, folder)
    if broken.kind == "configuration" and broken.reason:
        _changes_nothing(broken, folder, capfd, cache)
        return
    done = check(capfd, "--format", "json", *broken.arguments)
    judge(broken, done)
    assert "good" in found(done)
    if broken.reason:
        said = json.loads(done.stdout).get("problems", [])
        assert any(broken.reason in problem for problem in said), "the result says so, too"


def _changes_nothing(
    broken: Broken, folder: Path, capfd: pytest.CaptureFixture[str], cache: Path
) -> None:
    """Under a configuration that nobody can know, nothing is analysed, and nothing is lost."""
    for name in KEPT:
        (folder / name).write_text("as it was")
    before = sorted(cache.rglob("*"))
    done = check(capfd, "--output", KEPT[0], "--write-baseline", KEPT[1], "--exit-zero")
    judge(broken, done)
    assert done.stdout == ""
    assert [(folder / name).read_text() for name in KEPT] == ["as it was"] * 2
    assert sorted(cache.rglob("*")) == before


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", [3, 8])
def test_in_a_process_of_its_own(kind: str, number: int, folder: Path) -> None:
    broken = input_of(kind, number, folder)
    done = in_a_process("--format", "json", *broken.arguments)
    judge(broken, done)
    if kind != "configuration":
        assert "good" in found(done)


def test_one_input_of_every_kind_at_once(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for number, kind in enumerate(("source", "database", "baseline")):
        (folder / kind).mkdir()
        input_of(kind, 2 + number, folder / kind)
    arguments = ["-p", "database/build", "--baseline", "baseline/base.json", "--format", "json"]
    done = check(capfd, *arguments)
    assert done.returncode == FAILED
    for name in ("bad.cpp", "compile_commands.json", "base.json"):
        assert any(name in x for x in done.stderr.splitlines() if "error: " in x)
    assert "good" in found(done)


# -- what a broken database leaves ----------------------------------------------------------------


def test_good_entries_of_a_broken_database_are_used(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "good.cpp").write_text(f"#ifdef WITH_IT_ON\n{program('good')}#endif\nint x;\n")
    entry = {"directory": str(folder), "file": "good.cpp"}
    entries = [3, {**entry, "arguments": ["c++", "-UWITH_IT_ON", "-c", "good.cpp"]}, None]
    (folder / "build").mkdir()
    (folder / "build" / "compile_commands.json").write_text(json.dumps(entries))
    done = check(capfd, "-p", "build", "--format", "json")
    assert done.returncode == FAILED
    assert found(done) == set(), "guessed flags would have turned the macro on"
    assert "entry 0: not an object" in done.stderr
    assert "entry 2: not an object" in done.stderr
    done = check(capfd, "--format", "json")
    assert done.returncode == CLEAN, "nobody asked for this database"
    assert "note: build/compile_commands.json: entry 0" in done.stderr


def test_a_database_of_another_tree_is_said(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "good.cpp").write_text(program("good"))
    entries = [{"directory": "/elsewhere", "file": "a.cpp", "command": "c++ a.cpp"}]
    (folder / "there.json").write_text(json.dumps(entries))
    done = check(capfd, "-p", "there.json", "--format", "json")
    assert done.returncode == FOUND
    assert "there.json: names none of the 1 sources: flags are guessed" in done.stderr


# -- what is written ------------------------------------------------------------------------------


def test_a_baseline_with_broken_entries_is_not_written_over(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "good.cpp").write_text(program("good"))
    text = '{"format": "lockorder-baseline", "version": 1, "findings": [3]}'
    (folder / "base.json").write_text(text)
    done = check(capfd, "--write-baseline", "base.json")
    assert done.returncode == FAILED
    assert "it is not written over" in done.stderr
    assert (folder / "base.json").read_text() == text


def test_a_run_that_lost_something_takes_nothing_out_of_a_baseline(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What a broken database hides is not gone."""
    (folder / "good.cpp").write_text(program("good"))
    assert check(capfd, "--write-baseline", "base.json").returncode == CLEAN
    before = (folder / "base.json").read_bytes()
    (folder / "good.cpp").write_text(f"#ifdef _ONLY_THERE\n{program('good')}#endif\nint x;\n")
    (folder / "broken.json").write_text("{")
    done = check(capfd, "-p", "broken.json", "--baseline", "base.json")
    assert done.returncode == FAILED
    assert "stale" not in done.stderr
    done = check(capfd, "-p", "broken.json", "--write-baseline", "base.json")
    assert done.returncode == FAILED
    assert (folder / "base.json").read_bytes() == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_what_cannot_be_written_whole_leaves_the_old(folder: Path) -> None:
    (folder / "good.cpp").write_text(program("good"))
    (folder / "report.json").write_text("as it was")
    command = f"ulimit -f 1; exec {sys.executable} -m lockorder check . --format json --no-cache"
    done = subprocess.run(
        ["bash", "-c", f"trap '' XFSZ; {command} --output report.json"],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == FAILED, done.stderr
    assert "report.json: cannot write: " in done.stderr
    assert (folder / "report.json").read_text() == "as it was"
    assert sorted(p.name for p in folder.iterdir()) == ["good.cpp", "report.json"]


def test_further_reports(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "good.cpp").write_text(program("good"))
    done = check(capfd, "--format", "json", "--also", "json=.", "--also", "sarif=good.sarif",
                 "--also", "json=no/such/folder.json")  # fmt: skip
    assert done.returncode == FAILED
    assert "good" in found(done)
    assert ".: cannot write: Is a directory" in done.stderr
    assert "no/such/folder.json: cannot write: No such file" in done.stderr
    assert json.loads((folder / "good.sarif").read_text())["runs"]


@pytest.mark.parametrize("value", ["nope=x.json", "json", "json=", "=x.json", "", "JSON=x", "=="])
def test_a_further_report_of_no_format(value: str, folder: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["check", ".", "--also", value])
    assert ended.value.code == FAILED
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("--also", "json=a.json", "--also", "sarif=./a.json"),
        ("--output", "a.json", "--also", "json=a.json"),
        ("--output", "a.json", "--write-baseline", "a.json"),
        ("--baseline", "a.json", "--output", "a.json"),
        ("--baseline", "link.json", "--also", "json=a.json"),
    ],
)
def test_one_file_for_two_things(
    arguments: tuple[str, ...], folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "good.cpp").write_text(program("good"))
    (folder / "a.json").write_text("as it was")
    (folder / "link.json").symlink_to("a.json")
    done = check(capfd, *arguments)
    assert done.returncode == FAILED
    assert "a.json: named by " in done.stderr
    assert (folder / "a.json").read_text() == "as it was"


# -- revisions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "revision", ["", " ", "-", "--help", "-n1", "HEAD:good.cpp", "HEAD^{tree}", "HEAD..HEAD", "\n",
                 "@{-1}", "HEAD~99999", "0" * 40, "\N{RIGHT-TO-LEFT OVERRIDE}", "*", "x" * 5000,
                 "HEAD HEAD", "$(touch made)", ":/nothing"],
)  # fmt: skip
def test_odd_revisions(revision: str, folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "good.cpp").write_text(program("good"))
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "one"]):
        subprocess.run(["git", *identity, *arguments], check=True)
    done = check(capfd, f"--changed-since={revision}", "--format", "json")
    assert "Traceback" not in done.stderr
    assert done.returncode == FAILED, (revision, done.stderr)
    assert not (folder / "made").exists()
