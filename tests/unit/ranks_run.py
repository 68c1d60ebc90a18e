"""Small programs run on paper: what each rank of a small job issues, in words.

A test writes sources below ``tmp_path`` and asks ``issued`` for a row of words a rank: ``barrier``
for a collective of the whole job, ``barrier{0,1}`` for one of a group, ``send>1`` and ``recv<0``
for messages, ``open``, ``close``, ``wait`` and ``join`` for the rest.  ``stories`` gives what a
check tells.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from lockorder.python import modules
from lockorder.python.modules import Program, Source
from lockorder.ranks import c_tree
from lockorder.ranks.c_statements import Machine
from lockorder.ranks.check import Ranked, analyse, gather
from lockorder.ranks.effects import Item, Op
from lockorder.ranks.flatten import Answers, Flattener, Row, number
from lockorder.ranks.knowledge import builtin
from lockorder.ranks.machine import Tables, World
from lockorder.ranks.values import Comm, Const

C_ENDINGS = (".c", ".cpp", ".cc", ".cu")
#: What most programs begin with.
TORCH = "import torch\nimport torch.distributed as dist\nrank = dist.get_rank()\n"
MPI_C = """\
#include <mpi.h>
#include <stdio.h>
"""
Sources = str | Mapping[str, str]


def write(folder: Path, sources: Sources) -> list[Path]:
    """Write *sources*, a text or several by their names; a text alone is ``main.py``."""
    texts = {"main.py": sources} if isinstance(sources, str) else sources
    found = []
    for name, text in texts.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text), encoding="utf-8")
        found.append(file)
    return found


def read(folder: Path, sources: Sources) -> Program:
    """The program that the sources make."""
    files = write(folder, sources)
    program = modules.read([f for f in files if f.suffix not in C_ENDINGS])
    return c_tree.read([f for f in files if f.suffix in C_ENDINGS], program)


def machines(
    program: Program, size: int = 2, per_node: int = 0, defaults: bool = False
) -> list[Machine]:
    """A machine for each rank, which follow all calls; options may have their *defaults*."""
    world, tables = World(size, per_node or size), Tables(colors={})
    found = [Machine(world, r, program, builtin(), tables) for r in range(size)]
    for machine in found:
        machine.defaults = defaults
    return found


def effects(
    folder: Path, sources: Sources, size: int = 2, per_node: int = 0, entry: str = "",
    defaults: bool = False,
) -> list[list[Item]]:  # fmt: skip
    """What each rank does; *entry* is a function (``Class.method``) of the first source.

    Without one the first source is run as the program.
    """
    program = read(folder, sources)
    first = folder / ("main.py" if isinstance(sources, str) else next(iter(sources)))
    source = program.by_file[str(first)]
    ranks = machines(program, size, per_node, defaults)
    found: list[list[Item]] = []
    for _ in range(4):
        ranks[0].tables.changed = False
        found = [_run(m, source, entry) for m in ranks]
        if not ranks[0].tables.changed:
            break
    return found


def _run(machine: Machine, source: Source, entry: str) -> list[Item]:
    if not entry:
        return machine.script(source)
    path = []
    body = source.tree.body
    for name in entry.split("."):
        path.append(next(n for n in body if getattr(n, "name", "") == name))
        body = path[-1].body
    return machine.function(source, path)


def rows(
    found: Sequence[list[Item]],
    given: Mapping[str, bool] | None = None,
    odd: tuple[int, str] = (-1, ""),
) -> list[Row]:
    """The rows of all ranks: *given* answers by parts of questions, *odd* one that differs.

    A question is answered by the first part of *given* that it contains.
    """
    answers = Answers(given={}, asked={}, usual={})
    for _ in range(20):
        made = [Flattener(answers, r == odd[0]).run(items) for r, items in enumerate(found)]
        wanted = {
            key: truth
            for key, question in answers.asked.items()
            for part, truth in (given or {}).items()
            if part in key or part in question.written
        }
        name = next(
            (
                k
                for k, q in answers.asked.items()
                if odd[1] and (odd[1] in k or odd[1] in q.written)
            ),
            "",
        )
        if wanted == answers.given and name == answers.odd:
            return made
        answers = Answers(given=wanted, odd=name, asked={}, usual={})
    raise AssertionError("answers lead to new questions without end")


def word(op: Op) -> str:
    """One operation in words."""
    if op.kind in ("send", "recv", "probe"):
        peer = getattr(op.peer, "value", None) if number(op.peer) is None else number(op.peer)
        sign = ">" if op.kind == "send" else "<"
        return f"{op.kind}{sign}{'?' if peer is None else peer}"
    if op.kind != "collective":
        return op.kind
    comm = op.comm
    if isinstance(comm, Comm) and comm.name == "the whole job":
        return op.name
    if isinstance(comm, Comm) and comm.members is not None:
        return f"{op.name}{{{','.join(map(str, comm.members))}}}"
    return f"{op.name}{{?}}"


def words(row: Row) -> list[str]:
    """A row in words."""
    return [word(op) for op in row.ops]


def issued(
    folder: Path, sources: Sources, size: int = 2, per_node: int = 0, entry: str = "",
    given: Mapping[str, bool] | None = None, odd: tuple[int, str] = (-1, ""),
    defaults: bool = False,
) -> list[list[str]]:  # fmt: skip
    """What each rank issues, in words; see ``effects`` and ``rows``."""
    found = effects(folder, sources, size, per_node, entry, defaults)
    return [words(r) for r in rows(found, given, odd)]


def roots(folder: Path, sources: Sources, key: str, size: int = 2) -> list[list[object]]:
    """What each rank's collectives give for the agreed parameter *key* (None: not known)."""
    found = rows(effects(folder, sources, size))
    return [
        [
            v.value if isinstance(v, Const) else None
            for op in r.ops
            for k, v in op.agreed
            if k == key
        ]
        for r in found
    ]


def gathered(files: Sequence[Path]) -> Program:
    """The program of a check of *files*."""
    python = [f for f in files if f.suffix not in C_ENDINGS]
    return gather(python, [f for f in files if f.suffix in C_ENDINGS], builtin())


def checked(folder: Path, sources: Sources, jobs: int = 1) -> Ranked:
    """What a check of the sources finds."""
    return analyse(gathered(write(folder, sources)), folder, builtin(), jobs=jobs)


def stories(folder: Path, sources: Sources) -> list[tuple[str, str, str]]:
    """What a check tells: how it ends, and the two operations."""
    return [
        (d.kind, d.sides[0].call, d.sides[1].call) for d in checked(folder, sources).divergences
    ]
