"""Everything that is asked about a hung job, from wherever it is: processes, cores, snapshots."""

from __future__ import annotations

import contextlib
import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from lockorder.hang import (
    examine,
    nccl_counts,
    pyframes,
    pythons,
    ras,
    services,
    stacks,
    wording,
)
from lockorder.hang.collected import Collected
from lockorder.hang.core_ends import Core, CoreEnds, core_of
from lockorder.hang.corefile import CoreError, CoreImage
from lockorder.hang.looks import PATIENCE, Looks, is_python
from lockorder.hang.procfs import tree
from lockorder.hang.ranks import rank_of
from lockorder.hang.waits_names import Names
from lockorder.model import (
    ProcessState,
)
from lockorder.waitgraph import WaitGraph

#: Seconds between the two looks at live processes.
PAUSE = 2.0


def live(
    pids: Sequence[int],
    children: bool,
    say: Callable[[str], None],
    pause: float = PAUSE,
    *,
    attach: bool = True,
    until: float = math.inf,
) -> Collected:
    """The state of processes that run here, with all below them where *children* says so.

    They are looked at twice, *pause* seconds apart, and none is stopped or attached to before the
    second look: that would wake it.  Nor is it after that unless *attach*.  From *until* on (of
    the monotonic clock) native stacks are done without.
    """
    found = Collected()
    wanted = list(dict.fromkeys(p for pid in pids for p in (tree(pid) if children else [pid])))
    asked_for = frozenset(pids) if children else frozenset(wanted)
    looks = Looks(found, asked_for, say, attach=attach, until=until)
    looks.open(wanted)
    looks.open(looks.others())
    asked = [services.Recorder(p, looks.environments[p], looks.ranks[p]) for p in looks.images]
    asked_until = time.monotonic() + services.PATIENCE
    first = looks.take()
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(nccl_counts.ask, looks)
        time.sleep(max(0.0, first.at + pause - time.monotonic()))
        second = looks.take()
        answer, _ = asking.result()
    again, said = nccl_counts.ask(looks) if answer else (answer, [])
    states = nccl_counts.launched(looks.states(first, second), answer, again)
    has_time = time.monotonic() + PATIENCE < until
    if has_time and _is_for_the_gpu(states) and not ras.lasting(answer, again):
        # A long step looks so, too: give it time.
        say("all ranks wait for the GPU: looking for longer")
        first, before = looks.take(), again
        time.sleep(max(0.0, PATIENCE - pause))
        second = looks.take()
        again, said = nccl_counts.ask(looks) if answer else (answer, [])
        states = nccl_counts.launched(looks.states(first, second), before, again)
    found.said += said
    found.processes += states
    found.launches += nccl_counts.launches(answer, again, states)
    found.absent += nccl_counts.absent(again, states)
    found.dumps += [path for each in asked if (path := each.dump(asked_until)) is not None]
    return found


def _is_for_the_gpu(states: Sequence[ProcessState]) -> bool:
    """Whether all ranks wait, and some of them for the GPU: a step may take that long."""
    graph = WaitGraph(states)
    mains = [m for s in states if s.role == "rank" and (m := graph.main(s)) is not None]
    kinds = [m.wait.kind if m.wait is not None else "" for m in mains]
    return "gpu" in kinds and set(kinds) <= {"gpu", "ranks"}


def cores(pairs: Iterable[tuple[Path, Path | None]], say: Callable[[str], None]) -> Collected:
    """The state of processes in core files, each with its program where that is given."""
    found = Collected()
    pairs = list(pairs)
    known = _known_of(pairs)
    family = {each.core.pid: each.core for each in known}
    names = {each.core.pid: each.name for each in known}
    for core, exe in pairs:
        try:
            with CoreImage(core, exe) as image:
                say(f"looking at {core}")
                program = exe or (Path(image.exe) if image.exe else None)
                stack = stacks.of_core(core, program, is_python(image))
                symbols = Names(image)
                python = pythons.find(image, symbols)
                look = pyframes.look_at(image, python) if python is not None else None
                if look is not None:
                    stack = stacks.merged(look.stacks(), stack)
                around = examine.Around(
                    host="", source="core", rank=rank_of(image.environment()), python=look,
                    addresses=symbols, label=core.name, parent=image.parent, names=names,
                    kernel=CoreEnds(image.pid, family) if image.pid in family else None,
                )  # fmt: skip
                state = examine.examine(image, stack, around)
        except CoreError as error:
            found.problems.append(str(error))
            continue
        found.processes.append(state)
    return found


class _Known(NamedTuple):
    """What is asked of a core before any is examined: how its process is called."""

    core: Core
    name: str


def _known_of(pairs: Sequence[tuple[Path, Path | None]]) -> list[_Known]:
    """Of each core that can be read, its family; two of one pid are of other machines, or days."""
    found: list[_Known] = []
    for path, exe in pairs if len(pairs) > 1 else ():
        with contextlib.suppress(CoreError), CoreImage(path, exe) as image:
            name = wording.process_name(image.pid, rank_of(image.environment()), "", "")
            found.append(_Known(core_of(image, image.parent), f"{name} ({path.name})"))
    often = Counter(known.core.pid for known in found)
    return [known for known in found if often[known.core.pid] == 1]
