"""The command line: exit codes, what goes to stdout and what to stderr, options, formats."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lockorder import __version__
from lockorder.model import decode
from lockorder.rules import RULES

CLEAN, FOUND, FAILED = 0, 1, 2
RULE = "lock-order-cycle"

DEADLOCK = """\
#include <mutex>
std::mutex alpha;
std::mutex beta;
void forward() {
    std::lock_guard<std::mutex> outer(alpha);
    std::lock_guard<std::mutex> inner(beta);
}
void backward() {
    std::lock_guard<std::mutex> outer(beta);
    std::lock_guard<std::mutex> inner(alpha);
}
"""
ORDERED = """\
#include <mutex>
std::mutex gamma_lock;
std::mutex delta_lock;
void both() {
    std::lock_guard<std::mutex> outer(gamma_lock);
    std::lock_guard<std::mutex> inner(delta_lock);
}
"""

Done = subprocess.CompletedProcess[bytes]
Run = Callable[..., Done]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {**os.environ, "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


@pytest.fixture
def lockorder(tmp_path: Path, environment: dict[str, str]) -> Run:
    """Runs `lockorder ARGUMENTS` in a project with a deadlock and a clean file."""
    (tmp_path / ".git").mkdir()  # marks the project's root, whatever the folders above hold
    (tmp_path / "deadlock.cpp").write_text(DEADLOCK)
    (tmp_path / "ordered.cpp").write_text(ORDERED)

    def run(*arguments: str, **changed: str) -> Done:
        return subprocess.run(
            [sys.executable, "-m", "lockorder", *arguments],
            cwd=tmp_path,
            env={**environment, **changed},
            capture_output=True,
            timeout=60,
            check=False,
        )

    return run


# -- exit codes and streams -------------------------------------------------------------------


def test_a_cache_size_that_is_none(lockorder: Run) -> None:
    done = lockorder("check", "ordered.cpp", LOCKORDER_CACHE_SIZE="lots")
    assert (done.returncode, done.stdout) == (FAILED, b"")
    assert done.stderr.startswith(b"lockorder: error: LOCKORDER_CACHE_SIZE=lots: a number of MiB")


def test_clean(lockorder: Run) -> None:
    done = lockorder("check", "ordered.cpp")
    assert (done.returncode, done.stdout) == (CLEAN, b"")
    assert done.stderr.startswith(b"lockorder: 0 errors")
    assert b"1 orders" in done.stderr or b"1 order " in done.stderr


def test_found(lockorder: Run) -> None:
    done = lockorder("check", "deadlock.cpp")
    assert done.returncode == FOUND
    report = done.stdout.decode()
    assert report.splitlines()[0].endswith(f"[{RULE}]")
    for part in ("alpha", "beta", "forward", "backward", "deadlock.cpp:6", "deadlock.cpp:10"):
        assert part in report


def test_the_report_is_on_stdout_and_the_summary_on_stderr(lockorder: Run) -> None:
    done = lockorder("check", "deadlock.cpp")
    assert b"coverage:" not in done.stdout
    assert b"1 error," not in done.stdout
    assert RULE.encode() not in done.stderr
    assert b"lockorder: 1 error," in done.stderr
    assert b"coverage: 1 files" in done.stderr or b"coverage: 1 file," in done.stderr


def test_no_terminal_no_escapes(lockorder: Run) -> None:
    done = lockorder("check", "deadlock.cpp", TERM="xterm-256color")
    assert b"\x1b" not in done.stdout + done.stderr
    assert b"\r" not in done.stderr, "a progress bar"


def test_failed(lockorder: Run) -> None:
    done = lockorder("check", "ordered.cpp", "gone.cpp")
    assert done.returncode == FAILED
    assert b"lockorder: error: gone.cpp: no such file" in done.stderr


@pytest.mark.parametrize(
    ("paths", "code"),
    [(["deadlock.cpp"], CLEAN), (["deadlock.cpp", "gone.cpp"], FAILED), (["gone.cpp"], FAILED)],
)
def test_exit_zero_hides_findings_and_nothing_else(
    lockorder: Run, paths: list[str], code: int
) -> None:
    done = lockorder("check", "--exit-zero", *paths)
    assert done.returncode == code
    assert (RULE.encode() in done.stdout) == ("deadlock.cpp" in paths)


def test_without_a_path_the_current_folder_is_checked(lockorder: Run) -> None:
    assert lockorder("check").stdout == lockorder("check", ".").stdout != b""


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "COMMAND"),
        (["chekc"], "invalid choice"),
        (["check", "-j", "0"], "not a positive number"),
        (["check", "-j", "many"], "-j"),
        (["check", "--format", "xml"], "--format"),
        (["check", "-q", "-v"], "not allowed with"),
        (["check", "--no-such-option"], "--no-such-option"),
    ],
)
def test_usage_errors(lockorder: Run, arguments: list[str], reason: str) -> None:
    done = lockorder(*arguments)
    assert (done.returncode, done.stdout) == (FAILED, b"")
    assert reason in done.stderr.decode()


def test_version_and_help(lockorder: Run) -> None:
    assert lockorder("--version").stdout.decode() == f"lockorder {__version__}\n"
    for arguments in (["--help"], ["check", "--help"], ["explain", "--help"]):
        done = lockorder(*arguments)
        assert (done.returncode, done.stderr) == (CLEAN, b"")
        assert done.stdout.startswith(b"usage: lockorder")


# -- options of check -------------------------------------------------------------------------


def test_quiet_drops_the_summary_but_no_error(lockorder: Run) -> None:
    assert lockorder("check", "-q", "deadlock.cpp").stderr == b""
    assert lockorder("check", "-q", "gone.cpp").stderr.startswith(b"lockorder: error: gone.cpp")


def test_verbose_names_every_missing_header(lockorder: Run, tmp_path: Path) -> None:
    names = [f"gone{i}.h" for i in range(12)]
    (tmp_path / "lonely.cpp").write_text("".join(f'#include "{n}"\n' for n in names) + ORDERED)
    short = lockorder("check", "lonely.cpp").stderr.decode()
    assert "headers not found: 12" in short
    assert "more" in short
    full = lockorder("check", "-v", "lonely.cpp").stderr.decode()
    assert all(n in full for n in names)
    assert not all(n in short for n in names)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("GLOBAL_LOCK(table);", True),
        ("std::lock_guard<std::mutex> hold(table);", False),
        ("struct Access { std::unique_lock<std::mutex> kept{table}; } access;", False),
    ],
)
def test_no_locks_where_headers_are_missing_is_no_clean_result(
    lockorder: Run, tmp_path: Path, body: str, told: bool
) -> None:
    head = '#include <mutex>\n#include "made_by_a_build.h"\nstd::mutex table;\n'
    (tmp_path / "built.cpp").write_text(head + f"void f() {{ {body} }}\n")
    summary = lockorder("check", "built.cpp").stderr.decode()
    assert ("no lock acquisition was found" in summary) is told


def test_require_complete(lockorder: Run, tmp_path: Path) -> None:
    (tmp_path / "lonely.cpp").write_text('#include "gone.h"\n' + ORDERED)
    assert lockorder("check", "lonely.cpp").returncode == CLEAN
    done = lockorder("check", "--require-complete", "lonely.cpp")
    assert done.returncode == FAILED
    assert b"gone.h" in done.stderr
    assert b"--require-complete" in done.stderr
    assert lockorder("check", "--require-complete", "ordered.cpp").returncode == CLEAN
    hidden = lockorder("check", "--require-complete", "--exit-zero", "lonely.cpp")
    assert hidden.returncode == FAILED


def test_select_and_ignore(lockorder: Run) -> None:
    assert lockorder("check", "--select", RULE).returncode == FOUND
    assert lockorder("check", "--select", "self-deadlock").returncode == CLEAN
    assert lockorder("check", "--ignore", RULE).returncode == CLEAN
    assert lockorder("check", "--ignore", "self-deadlock").returncode == FOUND
    assert lockorder("check", "--select", f"self-deadlock, {RULE}").returncode == FOUND
    assert lockorder("check", "--select", RULE, "--ignore", RULE).returncode == CLEAN


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_an_unknown_rule(lockorder: Run, option: str) -> None:
    done = lockorder("check", option, f"{RULE},no-such-rule", "deadlock.cpp")
    assert (done.returncode, done.stdout) == (FAILED, b"")
    assert b"no-such-rule" in done.stderr


def test_json_is_a_document(lockorder: Run) -> None:
    done = lockorder("check", "--format", "json")
    assert done.returncode == FOUND
    document = decode(done.stdout)
    assert [f.rule for f in document.findings] == [RULE]
    assert {lock.name for lock in document.locks} == {"alpha", "beta", "gamma_lock", "delta_lock"}
    assert document.coverage is not None
    assert [f.file for f in document.coverage.files] == ["deadlock.cpp", "ordered.cpp"]


def test_json_names_what_could_not_be_analysed(lockorder: Run) -> None:
    document = decode(lockorder("check", "--format", "json", "ordered.cpp", "gone.cpp").stdout)
    assert any("gone.cpp" in problem for problem in document.problems)


def test_json_is_the_same_bytes_every_time(lockorder: Run, tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"more{number}.cpp").write_text(
            re.sub(r"\b(alpha|beta|forward|backward)\b", rf"\g<1>{number}", DEADLOCK)
        )
    (tmp_path / "bad1.cpp").write_bytes(b"\0")
    (tmp_path / "bad2.cpp").write_bytes(b"\0")
    first = lockorder("check", "--format", "json", "-j", "1", PYTHONHASHSEED="1").stdout
    assert len(decode(first).findings) == 7
    for jobs, seed in (("1", "2"), ("2", "3"), ("4", "4")):
        again = lockorder("check", "--format", "json", "-j", jobs, PYTHONHASHSEED=seed)
        assert again.stdout == first, f"-j {jobs}"


@pytest.mark.parametrize("form", ["json", "text"])
def test_output_goes_to_the_file(lockorder: Run, tmp_path: Path, form: str) -> None:
    target = tmp_path / "result"
    done = lockorder("check", "--format", form, "--output", str(target), "deadlock.cpp")
    assert (done.returncode, done.stdout) == (FOUND, b"")
    assert b"lockorder: 1 error" in done.stderr
    assert target.read_bytes() == lockorder("check", "--format", form, "deadlock.cpp").stdout


@pytest.mark.parametrize("form", ["json", "text"])
@pytest.mark.parametrize("target", [".", "no/such/folder/result"])
def test_an_unwritable_output(lockorder: Run, form: str, target: str) -> None:
    done = lockorder("check", "--format", form, "--output", target, "ordered.cpp")
    assert (done.returncode, done.stdout) == (FAILED, b"")
    assert b"cannot write" in done.stderr
    assert b"Traceback" not in done.stderr


def test_a_terminal_that_is_not_utf8(lockorder: Run, tmp_path: Path) -> None:
    (tmp_path / "accents.cpp").write_text(DEADLOCK.replace("alpha", "älphä"), "utf-8")
    done = lockorder("check", "accents.cpp", PYTHONIOENCODING="ascii")
    assert b"Traceback" not in done.stderr
    assert done.returncode == FOUND
    assert RULE.encode() in done.stdout


# -- other commands ---------------------------------------------------------------------------


def test_explain_lists_every_rule(lockorder: Run) -> None:
    done = lockorder("explain")
    assert (done.returncode, done.stderr) == (CLEAN, b"")
    listed = [line.split()[:2] for line in done.stdout.decode().splitlines()]
    assert listed == [[rule.id, rule.level.value] for rule in RULES]


@pytest.mark.parametrize("rule", [r.id for r in RULES])
def test_explain_shows_a_page(lockorder: Run, rule: str) -> None:
    done = lockorder("explain", rule)
    assert (done.returncode, done.stderr) == (CLEAN, b"")
    head, _, body = done.stdout.decode().partition("\n")
    assert head.startswith(f"# {rule} ")
    assert len(body.split()) > 50


def test_explain_an_unknown_rule(lockorder: Run) -> None:
    near = lockorder("explain", "lock-order-cycel")
    assert (near.returncode, near.stdout) == (FAILED, b"")
    assert b"did you mean lock-order-cycle?" in near.stderr
    far = lockorder("explain", "zzz")
    assert (far.returncode, far.stdout) == (FAILED, b"")
    assert b"lockorder explain" in far.stderr


def test_demo(lockorder: Run) -> None:
    done = lockorder("demo")
    assert (done.returncode, done.stderr) == (CLEAN, b"")
    before, found, after = done.stdout.partition(b"$ lockorder check after")
    assert found
    assert RULE.encode() in before
    checked, live, ran = after.partition(b"$ lockorder run -- before")
    finding = b"[" + RULE.encode() + b"]"
    assert finding not in checked
    if b"not run under the probe" not in checked:
        assert live
        wrong, twin, right = ran.partition(b"$ lockorder run -- after")
        assert twin
        assert finding in wrong
        right, _, stuck = right.partition(b"$ lockorder hang --pid ")
        assert finding not in right
        if b"(no deadlock was made" not in right and b"not looked at" not in right:
            first = stuck.split(b"\n")[1]
            assert b" are deadlocked: thread " in first
            assert b"CachingAllocator" in first


# -- streams that end early -------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "deadlock.cpp"],
        ["check", "--format", "json", "deadlock.cpp"],
        ["explain"],
        ["explain", RULE],
        ["demo"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_a_reader_that_goes_away(
    lockorder: Run, tmp_path: Path, environment: dict[str, str], arguments: list[str]
) -> None:
    command = [sys.executable, "-m", "lockorder", *arguments]
    reader, writer = os.pipe()
    os.close(reader)  # as `| true` does, but never too late
    try:
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, stdout=writer, stderr=subprocess.PIPE,
            timeout=60, check=False,
        )  # fmt: skip
    finally:
        os.close(writer)
    assert b"Traceback" not in done.stderr
    assert b"Exception ignored" not in done.stderr
    assert done.returncode in (CLEAN, FOUND, FAILED)


def test_the_first_line_of_a_long_report(
    lockorder: Run, tmp_path: Path, environment: dict[str, str]
) -> None:
    command = f"{sys.executable} -m lockorder check deadlock.cpp | head -n 1"
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, env=environment, capture_output=True,
        timeout=60, check=False,
    )  # fmt: skip
    assert done.stdout.rstrip().endswith(f"[{RULE}]".encode())
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
@pytest.mark.parametrize("form", ["text", "json"])
def test_a_full_disk_behind_stdout(
    lockorder: Run, tmp_path: Path, environment: dict[str, str], form: str
) -> None:
    command = [sys.executable, "-m", "lockorder", "check", "--format", form, "deadlock.cpp"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, stdout=full, stderr=subprocess.PIPE,
            timeout=60, check=False,
        )  # fmt: skip
    assert b"Traceback" not in done.stderr
    assert done.returncode == FAILED, "a lost report is not a report"
    assert b"No space left" in done.stderr
