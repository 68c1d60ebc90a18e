"""Tables of lines and handlers against what each interpreter says of its own library's code."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

import pytest

from hung import interpreters
from lockorder.hang import pylines

_TOLD = """
import dis, json, sys, threading, queue, asyncio.tasks, subprocess, argparse, typing, types
told = []
def tell(code):
    newer = sys.version_info >= (3, 10)
    table = code.co_linetable if newer else code.co_lnotab
    if newer:
        lines = [[a, b, line or 0] for a, b, line in code.co_lines() if a < b]
    else:
        starts = list(dis.findlinestarts(code))
        ends = [at for at, _ in starts[1:]] + [len(code.co_code)]
        lines = [[at, end, line] for (at, line), end in zip(starts, ends)]
    handlers = []
    if sys.version_info >= (3, 11):
        parsed = dis._parse_exception_table(code)
        handlers = [[e.start, e.end, e.target, e.depth] for e in parsed]
    told.append([table.hex(), code.co_firstlineno, lines,
                 getattr(code, "co_exceptiontable", b"").hex(), handlers])
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            tell(each)
for module in (threading, queue, asyncio.tasks, subprocess, argparse, typing):
    tell(compile(open(module.__file__, encoding="utf-8").read(), module.__file__, "exec"))
print(json.dumps([sys.version_info[1], told]))
"""


@pytest.mark.parametrize("python", interpreters(), ids=str)
def test_tables(python: Path) -> None:
    version, told = json.loads(subprocess.check_output([python, "-c", _TOLD], text=True))
    assert len(told) > 500
    for table, first, lines, exceptions, handlers in told:
        content = bytes.fromhex(table)
        for start, end, line in lines:
            for unit in {start // 2, (start + end - 2) // 4, end // 2 - 1}:
                assert pylines.line(version, content, first, unit) == line
        assert pylines.line(version, content, first, -1) == first
        found = [[2 * h.start, 2 * h.end, 2 * h.target, h.depth] for h in _of(exceptions)]
        assert found == handlers


def _of(table: str) -> list[pylines.Handler]:
    return list(pylines.handlers(bytes.fromhex(table)))


def test_damaged() -> None:
    """Any bytes are a table: some number comes out, and soon."""
    chosen = random.Random(1)
    for length in (0, 1, 2, 7, 100, 4000):
        for _ in range(20):
            table = chosen.randbytes(length)
            for version in range(9, 14):
                for unit in (-1, 0, 1, 1000, 1 << 20):
                    assert isinstance(pylines.line(version, table, 1, unit), int)
            assert len(list(pylines.handlers(table))) <= length
    assert len(list(pylines.handlers(b"\xff" * 100))) < 100
