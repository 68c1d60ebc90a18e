"""The sources of a check that several ranks run: which they are, and what was found in them."""

from __future__ import annotations

import concurrent.futures
import hashlib
import multiprocessing
import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from lockorder import bounds
from lockorder.model import Cut, FileCoverage, Frame
from lockorder.ranks import c_tree, modules
from lockorder.ranks.effects import Decision, Op
from lockorder.ranks.explore import Report, Trouble, explore, relevant
from lockorder.ranks.knowledge import Known, builtin
from lockorder.ranks.modules import Program
from lockorder.ranks.values import LOCAL, RANK, Comm
from lockorder.rules.evidence import Divergence, RankSide

Progress = Callable[[str, int, int], None]
_WORD = re.compile(rb"[A-Za-z_]\w*")
#: Places that are named of those in which a bound was reached.
_NAMED = 5


class Ranked(msgspec.Struct):
    """What was found; *files* are those that were read, with digests of their contents."""

    divergences: tuple[Divergence, ...] = ()
    rows: tuple[FileCoverage, ...] = ()
    cut: tuple[Cut, ...] = ()
    problems: tuple[str, ...] = ()
    files: dict[str, str] = {}
    entries: int = 0


def analyse(
    python: Sequence[Path],
    others: Sequence[Path],
    root: Path,
    known: Known | None = None,
    progress: Progress | None = None,
    jobs: int = 0,
) -> Ranked:
    """Run the *python* sources and those of C and C++ (*others*) in which ranks communicate."""
    known = known or builtin()
    chosen, contents = of_interest(others, known)
    program = modules.read(python)
    c_tree.read(chosen, program)
    digests = {str(f): _digest(f.read_bytes()) for f in python if f.is_file()}
    digests |= contents
    found = _Found()
    if _speaks(program, known):
        found = _explored(program, known, root, progress, jobs or os.cpu_count() or 1)
    rows = tuple(
        FileCoverage(_relative(s.file, root), s.calls, s.calls) for s in program.sources if not s.c
    )
    problems = tuple(p.replace(f"{root}{os.sep}", "") for p in program.problems)
    return Ranked(
        tuple(_folded(found.stories)), rows, _cuts(found), problems, digests, found.entries
    )


class _Found(msgspec.Struct):
    """What one process found."""

    stories: list[Divergence] = []
    cut: set[str] = set()
    long: set[str] = set()
    parts: set[str] = set()
    many: set[str] = set()
    walked: set[str] = set()
    entries: int = 0


def _explored(
    program: Program, known: Known, root: Path, progress: Progress | None, jobs: int
) -> _Found:
    """Explore in several processes, where there is enough to do."""
    enough = sum(len(s.words) for s in program.sources) > _WORDS_FOR_A_PROCESS
    if jobs == 1 or not enough or "fork" not in multiprocessing.get_all_start_methods():
        return _told(explore(program, known, progress), root)
    _shared[:] = [program, known, root]
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(jobs, context) as pool:
        found = list(pool.map(_in_process, [(i, jobs, None) for i in range(jobs)]))
        skip = frozenset().union(*(one.walked for one in found))
        found += pool.map(_in_process, [(i, jobs, skip) for i in range(jobs)])
    _shared.clear()
    whole = _Found([], set(), set(), set(), set(), set(), 0)
    for one in found:
        whole.stories += one.stories
        whole.cut |= one.cut
        whole.long |= one.long
        whole.parts |= one.parts
        whole.many |= one.many
        whole.entries += one.entries
    return whole


#: The program, for processes that are forked with it.
_shared: list[Any] = []
#: With fewer words in all sources another process costs more than it brings.
_WORDS_FOR_A_PROCESS = 3000


def _in_process(part: tuple[int, int, frozenset[str] | None]) -> _Found:
    program, known, root = _shared
    at, parts, skip = part
    return _told(explore(program, known, None, at, parts, skip), root)


def _told(report: Report, root: Path) -> _Found:
    stories = [_story(t, root) for t in report.troubles]
    return _Found(
        stories, report.cut, report.long, report.parts, report.many, report.walked, report.entries
    )


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=12).hexdigest()


def _speaks(program: Program, known: Known) -> bool:
    return any(s.words & known.words for s in program.sources)


def of_interest(files: Iterable[Path], known: Known) -> tuple[list[Path], dict[str, str]]:
    """Sources of C and C++ that communicate, and those that call what they define."""
    words: dict[Path, set[str]] = {}
    digests: dict[str, str] = {}
    first: set[Path] = set()
    for file in files:
        try:
            data = file.read_bytes()
        except OSError:
            continue
        if not known.in_c.search(data):
            words[file] = set()
            continue
        first.add(file)
        digests[str(file)] = _digest(data)
    if not first:
        return [], {}
    chosen = set(first)
    for file in words:
        try:
            words[file] = {w.decode() for w in _WORD.findall(file.read_bytes())}
        except OSError:
            continue
    while True:
        names = _defined(chosen, known)
        more = [f for f, found in words.items() if f not in chosen and found & names]
        if not more:
            return sorted(chosen), digests
        for file in more:
            chosen.add(file)
            digests[str(file)] = _digest(file.read_bytes())


def _defined(files: Iterable[Path], known: Known) -> set[str]:
    """Names of functions in which a rank may do something with others."""
    program = c_tree.read(files)
    return {path[-1].name for _, path in relevant(program, known).values()}  # type: ignore[attr-defined]


def _relative(file: str, root: Path) -> str:
    prefix = f"{root}{os.sep}"
    return file.removeprefix(prefix)


def _cuts(report: _Found) -> tuple[Cut, ...]:
    found: list[Cut] = []
    for bound, places in (
        (bounds.RANK_STEPS, report.long),
        (bounds.RANK_PART, report.parts), (bounds.RANK_CALLS, report.cut),
        (bounds.RANK_ANSWERS, report.many),
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
    if op.kind in ("send", "recv"):
        peer = getattr(op.peer, "value", None)
        if isinstance(peer, int):
            return f"{op.name} {'to' if op.kind == 'send' else 'from'} rank {peer}"
    return op.name


def _story(trouble: Trouble, root: Path) -> Divergence:
    sides = (_side(trouble, 0, root), _side(trouble, 1, root))
    if not sides[0].call or (sides[1].call and _deeper(trouble)):
        sides = (sides[1], sides[0])
    op = trouble.ops[0] or trouble.ops[1]
    comm = op.comm if op is not None else None
    name = ""
    if comm is not None:
        name = (
            "the whole job"
            if isinstance(comm, Comm) and comm.name == "the whole job"
            else "a group"
        )
    why = sorted(
        d.removeprefix(LOCAL) if d.startswith(LOCAL) else "the rank"
        for d in trouble.why
        if d.startswith((LOCAL, RANK))
    )
    return Divergence(
        sides=sides, world=str(trouble.world), communicator=name, kind=trouble.outcome.kind,
        what=trouble.outcome.what, p2p=trouble.p2p, strict=trouble.strict, sure=trouble.sure,
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
    return not story.sure, len(first.chain), first.chain, second.chain, story.world, first.who


def _folded(stories: Iterable[Divergence]) -> list[Divergence]:
    """One story of each cause: the same two places and the same parting, in the smallest job."""
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
