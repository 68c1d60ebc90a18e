"""The sources of a check that several ranks run: which they are, and what was found in them."""

from __future__ import annotations

import concurrent.futures
import contextlib
import multiprocessing
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from lockorder import bounds
from lockorder.model import Cut, FileCoverage, Frame
from lockorder.python import modules
from lockorder.python.modules import Program
from lockorder.ranks import c_tree
from lockorder.ranks.effects import Decision, Op
from lockorder.ranks.explore import Report, explore
from lockorder.ranks.interest import interest_of, relevant
from lockorder.ranks.knowledge import Known
from lockorder.ranks.stories import Trouble
from lockorder.ranks.values import FILES, LOCAL, OF_FILE, RANK, Comm
from lockorder.rules.evidence import Divergence, RankSide

Progress = Callable[[str, int, int], None]
#: Places that are named of those in which a bound was reached.
_NAMED = 5


class Ranked(msgspec.Struct):
    """What was found."""

    divergences: tuple[Divergence, ...] = ()
    rows: tuple[FileCoverage, ...] = ()
    cut: tuple[Cut, ...] = ()
    problems: tuple[str, ...] = ()
    entries: int = 0


def gather(python: Iterable[Path], others: Iterable[Path], known: Known) -> Program:
    """The program that the *python* sources make, and those of *others* that communicate (C, C++).

    Its ``files`` and ``folders`` are all that what is found in it depends on.
    """
    program = modules.read(python)
    units: dict[Path, c_tree.Unit] = {}
    return c_tree.read(of_interest(others, known, units), program, units)


def analyse(
    program: Program,
    root: Path,
    known: Known,
    progress: Progress | None = None,
    jobs: int = 0,
) -> Ranked:
    """Run what was gathered on paper."""
    found = _Found()
    if any(s.words & known.words for s in program.sources):
        found = _explored(program, known, root, progress, jobs or os.cpu_count() or 1)
    rows = tuple(
        FileCoverage(_relative(s.file, root), s.calls, s.calls) for s in program.sources if not s.c
    )
    problems = tuple(_relative(p, root) for p in program.problems)
    return Ranked(tuple(_folded(found.stories)), rows, _cuts(found), problems, found.entries)


class _Found(msgspec.Struct):
    """What one process found."""

    stories: list[Divergence] = []
    cut: set[str] = set()
    long: set[str] = set()
    parts: set[str] = set()
    many: set[str] = set()
    wide: set[str] = set()
    talks: set[str] = set()
    walked: set[str] = set()
    entries: int = 0


def _explored(
    program: Program, known: Known, root: Path, progress: Progress | None, jobs: int
) -> _Found:
    """Explore in several processes, where there is enough to do."""
    enough = sum(len(s.words) for s in program.sources) > _WORDS_FOR_A_PROCESS
    if jobs == 1 or not enough or "fork" not in multiprocessing.get_all_start_methods():
        return _told(explore(program, known, progress), root)
    _shared[:] = [program, known, root, interest_of(program, known)]
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(jobs, context) as pool:
        found = list(pool.map(_in_process, [(i, jobs, None) for i in range(jobs)]))
        skip = frozenset().union(*(one.walked for one in found))
        found += pool.map(_in_process, [(i, jobs, skip) for i in range(jobs)])
    _shared.clear()
    whole = _Found()
    for one in found:
        whole.stories += one.stories
        whole.cut |= one.cut
        whole.long |= one.long
        whole.parts |= one.parts
        whole.many |= one.many
        whole.wide |= one.wide
        whole.talks |= one.talks
        whole.entries += one.entries
    return whole


#: The program and what is of interest in it, for processes that are forked with them.
_shared: list[Any] = []
#: With fewer words in all sources another process costs more than it brings.
_WORDS_FOR_A_PROCESS = 3000


def _in_process(part: tuple[int, int, frozenset[str] | None]) -> _Found:
    program, known, root, interest = _shared
    at, parts, skip = part
    return _told(explore(program, known, None, at, parts, skip, interest), root)


def _told(report: Report, root: Path) -> _Found:
    stories = [_story(t, root) for t in report.troubles]
    return _Found(
        stories,
        report.cut,
        report.long,
        report.parts,
        report.many,
        report.wide,
        report.talks,
        report.walked,
        report.entries,
    )


def of_interest(files: Iterable[Path], known: Known, units: dict[Path, c_tree.Unit]) -> list[Path]:
    """Sources of C and C++ that communicate, and those that call what they define.

    Those are read into *units*.
    """
    chosen: set[Path] = set()
    others: list[Path] = []
    for file in files:
        with contextlib.suppress(OSError):
            (chosen.add if known.in_c.search(file.read_bytes()) else others.append)(file)
    words: dict[Path, frozenset[str]] = {}
    for file in others if chosen else ():
        with contextlib.suppress(OSError):
            words[file] = c_tree.words_of(file.read_bytes())
    more = set(chosen)
    while more:
        acting = relevant(c_tree.read(chosen, units=units), known).values()
        names = {path[-1].name for _, path in acting}  # type: ignore[attr-defined]
        more = {f for f, found in words.items() if f not in chosen and found & names}
        chosen |= more
    return sorted(chosen)


def _relative(file: str, root: Path) -> str:
    prefix = f"{root}{os.sep}"
    return file.removeprefix(prefix)


def _cuts(report: _Found) -> tuple[Cut, ...]:
    found: list[Cut] = []
    for bound, places in (
        (bounds.RANK_STEPS, report.long),
        (bounds.RANK_PART, report.parts), (bounds.RANK_CALLS, report.cut),
        (bounds.RANK_ANSWERS, report.many), (bounds.RANK_OPERATIONS, report.wide),
        (bounds.RANK_TALK, report.talks),
    ):  # fmt: skip
        if places:
            named = tuple(sorted(places)[:_NAMED])
            found.append(Cut(bound.what, bound.limit, len(places), named, bound.only_hides))
    return tuple(found)


# -- stories --------------------------------------------------------------------------------------


def _frames(chain: Iterable[Frame], root: Path) -> tuple[Frame, ...]:
    return tuple(Frame(f.function, _relative(f.file, root), f.line) for f in chain)


def _side(trouble: Trouble, at: int, root: Path) -> RankSide:
    op, decision = trouble.ops[at], trouble.parting[at]
    chain = _frames(op.chain, root) if op is not None else ()
    turn = _frames(decision.chain, root) if decision is not None else ()
    return RankSide(
        who=f"rank {trouble.ranks[at]} of {trouble.world.size}",
        call=_call(op), chain=chain, turn=turn,
        taken=decision.taken if decision is not None else True,
        written=decision.written if decision is not None else "",
    )  # fmt: skip


def _call(op: Op | None) -> str:
    if op is None:
        return ""
    if op.kind in ("send", "recv", "lock"):
        peer = getattr(op.peer, "value", None)
        if isinstance(peer, int):
            words = {"send": "to", "recv": "from", "lock": "at"}
            return f"{op.name} {words[op.kind]} rank {peer}"
    return op.name


def _story(trouble: Trouble, root: Path) -> Divergence:
    sides = (_side(trouble, 0, root), _side(trouble, 1, root))
    ours, theirs = trouble.ops
    if not sides[0].call or (sides[1].call and _deeper(trouble)):
        sides = (sides[1], sides[0])
        ours, theirs = theirs, ours
    op = ours or theirs
    comm = op.comm if op is not None else None
    name = ""
    if comm is not None:
        name = (
            "the whole job"
            if isinstance(comm, Comm) and comm.name == "the whole job"
            else "a group"
        )
    why = sorted(
        d.removeprefix(LOCAL).partition(OF_FILE if d.startswith(FILES) else "\0")[0]
        if d.startswith(LOCAL)
        else "the rank"
        for d in trouble.why
        if d.startswith((LOCAL, RANK))
    )
    return Divergence(
        sides=sides, world=str(trouble.world), communicator=name, kind=trouble.outcome.kind,
        what=trouble.outcome.what, p2p=trouble.p2p, strict=trouble.strict, sure=trouble.sure,
        slight=trouble.slight, defaults=trouble.defaults,
        why=tuple(dict.fromkeys(why)), entry=trouble.entry.name,
    )  # fmt: skip


def _deeper(trouble: Trouble) -> bool:
    """Whether the second rank's operation stands below its decision, and the first one's not."""

    def below(op: Op | None, decision: Decision | None) -> bool:
        return bool(op is not None and decision is not None and decision.taken)

    ours = below(trouble.ops[0], trouble.parting[0])
    theirs = below(trouble.ops[1], trouble.parting[1])
    return theirs and not ours


def _order(story: Divergence) -> tuple[object, ...]:
    first, second = story.sides
    return (
        not story.sure,
        story.slight,
        story.defaults,
        len(first.chain),
        first.chain,
        second.chain,
        story.world,
        first.who,
    )


def _folded(stories: Iterable[Divergence]) -> list[Divergence]:
    """One story of each cause: the same two places and the same parting, in the smallest job.

    What is not reached for sure is not told again for what some answer makes of the way there.
    """
    stories = list(stories)
    surely = {(s.sides[0].chain, s.p2p) for s in stories if s.sure}
    stories = [s for s in stories if s.sure or (s.sides[0].chain, s.p2p) not in surely]
    found: dict[object, Divergence] = {}
    for story in sorted(stories, key=_order):
        first, second = story.sides
        turn = next((s.turn[-1:] for s in story.sides if s.turn), ())
        places = frozenset((first.chain[-1:], second.chain[-1:]))
        key = (turn, story.p2p) if turn else (places, story.p2p)
        old = found.get(key)
        if old is None or (story.sure and not old.sure):
            found[key] = story
    return list(found.values())
