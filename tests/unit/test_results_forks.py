"""Copies of the process: who may hold what the copy takes, by the order in which threads begin."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from lockorder.knowledge import builtin
from lockorder.python import modules
from lockorder.python.facts import facts_of
from lockorder.rules.evidence import LockMisuse
from lockorder.static.analyse import Read, conclude
from lockorder.static.driver.workers import Units
from lockorder.static.results import forks
from lockorder.static.results.concurrency import Concurrency
from lockorder.static.results.graph import Builder

PROGRAM = """
    import multiprocessing
    import threading

    {kind} = threading.{kind}()

    def use():
        with {kind}:
            pass

    thread = threading.Thread(target=use)

    def begin():
        thread.start()

    def copy():
        multiprocessing.Process(target=use).start()

    def main():
        {body}

    main()
"""


def held(folder: Path, body: str, kind: str = "Lock") -> list[LockMisuse]:
    path = folder / "copies.py"
    path.write_text(textwrap.dedent(PROGRAM.format(kind=kind, body=body)), encoding="utf-8")
    units = facts_of(modules.read([path]), builtin())
    engine = conclude(Read([folder], [], folder, Units([], ""), [], others=units)).engine
    builder = Builder(engine, str(folder))
    return list(forks.held_across(engine, builder, Concurrency(engine, builder)))


@pytest.mark.parametrize(
    ("body", "holders"),
    [
        ("begin(); copy()", ["copies.use"]),
        ("copy(); begin()", []),
        ("begin(); thread.join(); copy()", []),
        ("for _ in range(2): copy(); begin()", ["copies.use"]),
        ("begin()", []),
        ("copy()", []),
    ],
)
def test_a_thread_holds_it_that_has_begun(tmp_path: Path, body: str, holders: list[str]) -> None:
    found = held(tmp_path, body)
    assert [m.holder for m in found] == holders
    assert all(m.perhaps and m.rule == forks.RULE and m.who == "copies.copy" for m in found)


def test_who_copies_the_process_holds_it(tmp_path: Path) -> None:
    (found,) = held(tmp_path, "Lock.acquire(); copy(); Lock.release()")
    assert not found.perhaps
    assert found.holder == found.who


def test_the_copy_of_a_thread_takes_its_reentrant_lock_again(tmp_path: Path) -> None:
    assert held(tmp_path, "RLock.acquire(); copy(); RLock.release()", kind="RLock") == []
