"""For which answers a job ends in ranks that wait for ever: entries, worlds and questions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

import msgspec

from lockorder import bounds
from lockorder.python.modules import Program, Source
from lockorder.ranks.c_statements import Machine
from lockorder.ranks.conditions import Condition
from lockorder.ranks.effects import Attempt, Choice, Decision, Item, Loop, Op, Scope, acts
from lockorder.ranks.flatten import Answers, Flattener, Row
from lockorder.ranks.knowledge import Known
from lockorder.ranks.machine import Tables, World
from lockorder.ranks.simulate import Outcome, is_unknown, play
from lockorder.ranks.values import FILES, OF_FILE, RANK, Comm, Deps, Unknown, differs

#: Jobs that are tried: the smallest, one with a rank in the middle, one of two nodes.
WORLDS = (World(2, 2), World(4, 2), World(3, 3))
#: Sets of answers that are tried for one entry in one world.
TRIED = bounds.RANK_ANSWERS.limit
#: Rounds in which ranks tell each other how they split communicators.
PASSES = 4


class Entry(msgspec.Struct, frozen=True, eq=False):
    """Where a rank begins: a file that is run, or a function that nobody here calls."""

    source: Source
    path: tuple[ast.AST, ...] = ()

    @property
    def name(self) -> str:
        names = [getattr(n, "name", "") for n in self.path]
        return ".".join([self.source.name, *names])

    @property
    def is_program(self) -> bool:
        return not self.path


class Interest(msgspec.Struct, eq=False):
    """What is looked at in a program: functions by the number of their node, and entries.

    *followed*: those of which calls are followed.
    """

    functions: dict[int, tuple[Source, tuple[ast.AST, ...]]]
    followed: set[int]
    first: list[Entry]
    later: list[Entry]


#: By program (its number while it lives): found once, for all processes that are forked with it.
_interests: dict[int, tuple[Program, Interest]] = {}


def interest_of(program: Program, known: Known) -> Interest:
    """What is of interest in a program; kept for the last one that was asked for."""
    kept = _interests.get(id(program))
    if kept is None:
        functions = relevant(program, known)
        followed = set(functions) | set(_telling(program, known))
        found = Interest(functions, followed, *_entries(program, functions, known))
        _interests.clear()
        kept = _interests[id(program)] = program, found
    return kept[1]


class Trouble(msgspec.Struct, frozen=True, eq=False):
    """Ranks that wait for ever.

    *waiting* is who waits where, or *ops* two operations that do not fit; *parting* where the two
    ranks go different ways: the decision of each.
    """

    entry: Entry
    world: World
    outcome: Outcome
    ranks: tuple[int, int]
    ops: tuple[Op | None, Op | None]
    parting: tuple[Decision | None, Decision | None]
    #: what the ranks differ in, where it is not the rank itself
    why: Deps
    #: point to point
    p2p: bool
    strict: bool = False
    sure: bool = True
    #: a question that one rank answers otherwise
    odd: Condition | None = None
    #: it needs a file that is there for some ranks only, though nothing here makes it
    slight: bool = False


class Report(msgspec.Struct):
    """What was found, and what was not looked at in full."""

    troubles: list[Trouble] = []
    #: functions whose calls were not followed, entries that were too long, and that ask too much
    cut: set[str] = set()
    long: set[str] = set()
    parts: set[str] = set()
    many: set[str] = set()
    #: entries that issue too many operations
    wide: set[str] = set()
    entries: int = 0
    #: functions that entries have come to, by their places
    walked: set[str] = set()


def explore(
    program: Program,
    known: Known,
    progress: Callable[[str, int, int], None] | None = None,
    part: int = 0,
    parts: int = 1,
    skip: frozenset[str] | None = None,
) -> Report:
    """All troubles of a program.

    Programs and functions that nobody calls come first, then functions that none of them has come
    to.  Of several *parts* it does every so many of the first, or, where *skip* names what all
    parts together have come to, of the others: what is found does not depend on their number.
    """
    report = Report()
    interest = interest_of(program, known)
    interesting, followed = interest.functions, interest.followed
    places = {n: _place(source, path[-1]) for n, (source, path) in interesting.items()}
    machines: dict[World, list[Machine]] = {}
    tables = {w: Tables(colors={}) for w in WORLDS}
    for world in WORLDS:
        machines[world] = [
            Machine(world, r, program, known, tables[world]) for r in range(world.size)
        ]
        for machine in machines[world]:
            machine.interesting = followed
    first, later = interest.first, interest.later
    if skip is None:
        _explored(first[part::parts], machines, tables, places, report, progress)
        skip = frozenset(report.walked) if parts == 1 else None
    if skip is not None:
        rest = [e for e in later if _place(e.source, e.path[-1]) not in skip]
        _explored(rest[part::parts], machines, tables, places, report, progress)
    return report


def _place(source: Source, node: ast.AST) -> str:
    """Names a function in the same way in every process."""
    return f"{source.file}:{getattr(node, 'lineno', 0)}:{getattr(node, 'name', '')}"


def _explored(
    entries: list[Entry],
    machines: dict[World, list[Machine]],
    tables: dict[World, Tables],
    places: dict[int, str],
    report: Report,
    progress: Callable[[str, int, int], None] | None,
) -> None:
    """Look at some entries, and add to *report* what is found."""
    for i, entry in enumerate(entries):
        if progress is not None:
            progress("ranks", i, len(entries))
        walked: set[int] = set()
        spent = False
        report.entries += 1
        seen: dict[World, tuple[list[Trouble], list[list[Item]]]] = {}
        for world in WORLDS:
            rows = machines[world]
            found = _items(entry, world, rows, tables[world])
            for machine in rows:
                walked |= machine.walked
                machine.walked.clear()
                report.cut |= machine.cut
                machine.cut.clear()
                spent |= machine.spent
                if machine.spent:
                    (report.parts if entry.path else report.long).add(entry.name)
            if not any(acts(items) for items in found):
                if world is WORLDS[0] and entry.path:
                    break
                continue
            if any(machine.spent for machine in rows):
                break  # what comes after the end is not known, so that nothing can be said
            if any(machine.excluded for machine in rows):
                continue
            if entry.path and not _parts(found):
                seen[world] = list(_troubles(entry, world, found, report)), found
                break
            if (
                world is WORLDS[1]
                and not entry.source.c
                and not any(
                    op.kind in ("send", "recv", "probe")
                    for items in found
                    for op in _operations(items)
                )
            ):
                # One rank in the middle more is of interest for messages between neighbours only.
                seen[world] = list(_troubles(entry, world, found, report)), found
                break
            seen[world] = list(_troubles(entry, world, found, report)), found
        written = frozenset().union(*(m.written for rows in machines.values() for m in rows))
        for trouble in _chosen(seen):
            slight = _is_of_files_alone(trouble, written)
            report.troubles.append(msgspec.structs.replace(trouble, slight=slight))
        if not spent:
            report.walked |= {places[n] for n in walked if n in places}


def _is_of_files_alone(trouble: Trouble, written: frozenset[str]) -> bool:
    """Whether ranks part by a file alone that nothing which they run makes or removes.

    Ranks mostly share their file system: such a file is there for all of them, or for none.
    """
    why = [d for d in trouble.why if differs(frozenset((d,)))]
    if trouble.odd is None or not why or not all(d.startswith(FILES) for d in why):
        return False
    paths = [d.partition(OF_FILE)[2] for d in why]
    return not any(p and w and (p in w or w in p) for p in paths for w in written)


def _parts(found: list[list[Item]]) -> bool:
    """Whether ranks may do different things at all."""
    todo = [item for items in found for item in items]
    while todo:
        item = todo.pop()
        if isinstance(item, Decision):
            return True
        if isinstance(item, Op):
            values = [item.peer, *(v for _, v in item.agreed)]
            if item.kind != "collective" or any(v is not None and v.depends for v in values):
                return True
            if isinstance(item.comm, Comm) and item.comm.members is not None and item.comm.deps:
                return True
        elif isinstance(item, Choice):
            if differs(item.deps):
                return True
            todo += [*item.first, *item.second]
        elif isinstance(item, Loop):
            if differs(item.deps):
                return True
            todo += [*item.body, *item.orelse]
        elif isinstance(item, Scope):
            todo += item.body
        elif isinstance(item, Attempt):
            todo += [*item.body, *(item.handler or []), *item.final]
        else:
            return True
    return False


def _chosen(seen: dict[World, tuple[list[Trouble], list[list[Item]]]]) -> list[Trouble]:
    """The troubles of one entry, without those of jobs for which the program is not meant."""
    found: list[Trouble] = []
    outside = {w for w, (rows, _) in seen.items() if any(t.outcome.kind == "outside" for t in rows)}
    for world, (rows, items) in seen.items():
        for trouble in rows:
            if trouble.p2p and world in outside and len(outside) < len(seen):
                continue
            if trouble.p2p and world.size > 2 and _for_two(items):
                pair = [w for w in seen if w.size == 2]
                if pair and not any(t.p2p for t in seen[pair[0]][0]):
                    continue
            found.append(trouble)
    return found


def _for_two(found: list[list[Item]]) -> bool:
    """Whether messages only go between the first two ranks, whatever the number of ranks."""
    peers = {
        (getattr(op.peer, "value", None), bool(op.peer.depends))
        for items in found
        for op in _operations(items)
        if op.kind in ("send", "recv", "probe") and op.peer is not None
    }
    sites = [
        {op.chain[-1:] for op in _operations(items) if op.kind in ("send", "recv", "probe")}
        for items in found
    ]
    # What the third rank does and the second does not was written for a third one.
    own = any(sites[r] - sites[1] for r in range(2, len(sites)))
    return bool(peers) and peers <= {(0, False), (1, False)} and not own


def _operations(items: list[Item]) -> Iterator[Op]:
    for item in items:
        if isinstance(item, Op):
            yield item
        elif isinstance(item, Choice):
            yield from _operations(item.first)
            yield from _operations(item.second)
        elif isinstance(item, Loop | Scope):
            yield from _operations(item.body)
        elif isinstance(item, Attempt):
            yield from _operations([*item.body, *(item.handler or []), *item.final])


def _items(entry: Entry, world: World, machines: list[Machine], tables: Tables) -> list[list[Item]]:
    """What each rank issues; until all know how the others split communicators."""
    found = _issued(entry, machines, tables)
    comms = {op.comm.id: op.comm for items in found for op in _operations(items) if op.comm}
    if len(comms) == 1:
        # All happens on one communicator: whose members are is no matter, they are the job.
        (only,) = comms.values()
        if isinstance(only, Unknown):
            for machine in machines:
                machine.adopted = frozenset((only.id,))
            found = _issued(entry, machines, tables)
            for machine in machines:
                machine.adopted = frozenset()
    return found


def _issued(entry: Entry, machines: list[Machine], tables: Tables) -> list[list[Item]]:
    found: list[list[Item]] = []
    for _ in range(PASSES):
        tables.changed = False
        found = []
        for machine in machines:
            if len(found) == 1 and not acts(found[0]) and not machines[0].parted:
                # It does nothing with others, and no other rank would go another way.
                return [[] for _ in machines]
            if any(m.spent for m in machines[: len(found)]):
                found.append([])
                continue
            if entry.path:
                found.append(machine.function(entry.source, list(entry.path)))
            else:
                found.append(machine.script(entry.source))
        if not tables.changed:
            break
    return found


# -- what is of interest --------------------------------------------------------------------------


def _definitions(source: Source) -> Iterator[tuple[tuple[ast.AST, ...], ast.AST]]:
    todo: list[tuple[tuple[ast.AST, ...], ast.AST]] = [((), n) for n in source.tree.body]
    while todo:
        around, node = todo.pop(0)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (*around, node), node
        elif isinstance(node, ast.ClassDef):
            todo += [((*around, node), n) for n in node.body]
        elif isinstance(node, ast.If | ast.Try):
            todo += [(around, n) for n in ast.iter_child_nodes(node) if isinstance(n, ast.stmt)]


def _words(node: ast.AST) -> set[str]:
    found: set[str] = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute):
            found.add(inner.attr)
        elif isinstance(inner, ast.Name):
            found.add(inner.id)
    return found


def relevant(program: Program, known: Known) -> dict[int, tuple[Source, tuple[ast.AST, ...]]]:
    """Functions in which a rank may do something with others, directly or by a call."""
    words: dict[int, set[str]] = {}
    where: dict[int, tuple[Source, tuple[ast.AST, ...]]] = {}
    names: dict[str, set[int]] = {}
    for source in program.sources:
        for path, node in _definitions(source):
            if source.c and not path[:-1] and node.name == "main":  # type: ignore[attr-defined]
                continue
            words[id(node)] = _words(node)
            where[id(node)] = source, path
            names.setdefault(node.name, set()).add(id(node))  # type: ignore[attr-defined]
            if node.name in ("__init__", "__call__", "forward", "__enter__"):  # type: ignore[attr-defined]
                for outer in path[:-1]:
                    names.setdefault(outer.name, set()).add(id(node))  # type: ignore[attr-defined]
    users: dict[str, set[int]] = {}
    for number, used in words.items():
        for word in used:
            users.setdefault(word, set()).add(number)
    found: set[int] = set()
    todo = [
        n
        for word, roots in known.roots.items()
        for n in users.get(word, ())
        if _may_mean(word, roots, where[n][0])
    ]
    while todo:
        number = todo.pop()
        if number in found:
            continue
        found.add(number)
        source, path = where[number]
        mine = {path[-1].name}  # type: ignore[attr-defined]
        if path[-1].name in ("__init__", "__call__", "forward", "__enter__"):  # type: ignore[attr-defined]
            mine |= {p.name for p in path[:-1]}  # type: ignore[attr-defined]
        for name in mine:
            todo += users.get(name, ())
    return {n: where[n] for n in found}


def _may_mean(word: str, roots: set[str], source: Source) -> bool:
    """Whether a word in a file may be a library's; a usual one only where that is imported."""
    if source.c or "_" in word or not word.islower():
        return True
    return bool(roots & source.imports)


def _telling(program: Program, known: Known) -> dict[int, tuple[Source, tuple[ast.AST, ...]]]:
    """Functions that may tell what ranks do not share, directly or by a call."""
    users: dict[str, set[int]] = {}
    where: dict[int, tuple[Source, tuple[ast.AST, ...]]] = {}
    for source in program.sources:
        for path, node in _definitions(source):
            where[id(node)] = source, path
            for word in _words(node):
                users.setdefault(word, set()).add(id(node))
    found: set[int] = set()
    todo = [n for word in known.telling for n in users.get(word, ())]
    while todo:
        number = todo.pop()
        if number in found:
            continue
        found.add(number)
        todo += users.get(where[number][1][-1].name, ())  # type: ignore[attr-defined]
    return {n: where[n] for n in found}


def _entries(
    program: Program, interesting: dict[int, tuple[Source, tuple[ast.AST, ...]]], known: Known
) -> tuple[list[Entry], list[Entry]]:
    """Programs and functions that nobody calls; and functions that somebody does."""
    programs: list[Entry] = []
    called: set[str] = set()
    for _, path in interesting.values():
        called |= _words(path[-1]) - {path[-1].name}  # type: ignore[attr-defined]
    for source in program.sources:
        for node in source.tree.body:
            main = source.c and getattr(node, "name", "") == "main"
            if main or not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                called |= _words(node)
    names = {path[-1].name for _, path in interesting.values()}  # type: ignore[attr-defined]
    names |= {p.name for _, path in interesting.values() for p in path[:-1]}  # type: ignore[attr-defined]
    for source in program.sources:
        if not _is_program(source):
            continue
        if source.words & names or any(
            _may_mean(w, known.roots[w], source) for w in source.words & known.words
        ):
            programs.append(Entry(source))
    ordered = sorted(
        interesting.values(), key=lambda x: (x[0].file, getattr(x[1][-1], "lineno", 0))
    )
    first = [x for x in ordered if x[1][-1].name not in called]  # type: ignore[attr-defined]
    later = [x for x in ordered if x[1][-1].name in called]  # type: ignore[attr-defined]
    return [*programs, *(Entry(s, p) for s, p in first)], [Entry(s, p) for s, p in later]


def _is_program(source: Source) -> bool:
    """Whether a file does something when it is run."""
    if source.c:
        return any(isinstance(n, ast.FunctionDef) and n.name == "main" for n in source.tree.body)
    for node in source.tree.body:
        if isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.Try):
            return True
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            return True
    return False


# -- questions ------------------------------------------------------------------------------------


def _rows(found: list[list[Item]], answers: Answers, odd: int = -1) -> list[Row]:
    return [Flattener(answers, r == odd).run(items) for r, items in enumerate(found)]


def _troubles(
    entry: Entry, world: World, found: list[list[Item]], report: Report
) -> Iterable[Trouble]:
    """Every way in which the ranks of one world get stuck."""
    seen: set[tuple[object, ...]] = set()
    queue: list[dict[str, bool]] = [{}]
    known: set[frozenset[tuple[str, bool]]] = {frozenset()}
    tried = 0
    while queue and tried < TRIED:
        given = queue.pop(0)
        tried += 1
        answers = Answers(given=given, asked={}, usual={})
        rows = _rows(found, answers)
        if any(row.cut for row in rows):
            report.wide.add(entry.name)
        # An answer that only some ranks ask for may go with others of which nobody here knows.
        alone = any(key not in row.asked for key in given for row in rows)
        for trouble in _judged(entry, world, rows, None):
            if alone and not trouble.p2p:
                continue
            if len(given) > 1:
                # It takes several answers that may never be given together.
                trouble = msgspec.structs.replace(trouble, sure=False)
            key = _key(trouble)
            if key not in seen:
                seen.add(key)
                yield trouble
        fine = not any(_stuck(rows, strict) for strict in (False,))
        asked = dict(answers.asked)
        for name, condition in asked.items():
            before = answers.usual.get(name, name.startswith("again "))
            flipped = {**given, name: not given.get(name, before)}
            mark = frozenset(flipped.items())
            if mark not in known and len(known) < TRIED * 8:
                known.add(mark)
                if not name.startswith(("again ", "raise ")):
                    queue.append(flipped)
            if not fine or not condition.differs:
                continue
            for odd in {0, world.size - 1}:
                attempt = Answers(given=given, odd=name, asked={}, usual=dict(answers.usual))
                other = _rows(found, attempt, odd)
                for trouble in _judged(entry, world, other, condition, odd):
                    key = _key(trouble)
                    if key not in seen:
                        seen.add(key)
                        yield trouble
    if queue:
        report.many.add(entry.name)


def _stuck(rows: list[Row], strict: bool) -> bool:
    return play(rows, strict).kind not in ("done", "failed")


def _key(trouble: Trouble) -> tuple[object, ...]:
    def site(op: Op | None) -> object:
        return op.chain if op is not None else None

    def parted(decision: Decision | None) -> object:
        return (decision.chain, decision.written) if decision is not None else None

    sites = frozenset(str(site(o)) for o in trouble.ops)
    return sites, str(parted(trouble.parting[0])), trouble.p2p, trouble.outcome.what


def _judged(
    entry: Entry, world: World, rows: list[Row], odd: Condition | None, who: int = -1
) -> Iterator[Trouble]:
    if any(row.cut for row in rows):
        return
    has_p2p = any(o.kind in ("send", "recv", "probe") for row in rows for o in row.ops)
    unknown = has_p2p and any(
        o.kind in ("send", "recv", "probe") and not _known_peer(o) for row in rows for o in row.ops
    )
    if has_p2p and any(row.by_message for row in rows):
        unknown = True
    if unknown or (has_p2p and not entry.is_program and not _pairs(rows)):
        if any(row.end == "goes on" for row in rows):
            return  # what ends the loop is not known, nor what comes behind it
        rows = [_without_p2p(row) for row in rows]
        has_p2p = False
    outcome = play(rows)
    strict = False
    if outcome.kind == "failed":
        return
    if outcome.kind == "done" and has_p2p:
        outcome = play(rows, strict=True)
        strict = True
        if outcome.kind in ("done", "unmatched", "failed"):
            return
    if outcome.kind == "done":
        return
    if odd is not None and odd.differs:
        own = _groups_of(rows, who)
        if own:
            # It is decided by ranks of one group: who is in the others is not known.
            rows = [_only(row, own) for row in rows]
            outcome = play(rows)
            if outcome.kind in ("done", "failed"):
                return
    trouble = _story(entry, world, rows, outcome, strict, odd, who)
    if trouble is not None and trouble.p2p and odd is not None:
        return  # of a message nobody knows whether the other side is told of the same
    if trouble is not None:
        yield trouble


def _groups_of(rows: list[Row], who: int) -> set[str]:
    """The groups whose ranks decide differently, where they alone decide."""
    found: set[str] = set()
    for row in rows:
        for one in _odd_parting(rows[who], row):
            for dep in one.deps if one is not None else ():
                if not dep.startswith(RANK + ":"):
                    return set()
                found.add(dep[len(RANK) + 1 :])
    return found


def _before(row: Row, number: int) -> list[Decision]:
    """Decisions before operation *number*."""
    found: list[Decision] = []
    at = 0
    for step in row.steps:
        if isinstance(step, Op):
            at += 1
            if at > number:
                break
        else:
            found.append(step)
    return found


def _between(row: Row, number: int) -> list[Decision]:
    """Decisions before operation *number*, and behind the one before it."""
    found: list[Decision] = []
    at = 0
    for step in row.steps:
        if isinstance(step, Op):
            at += 1
            if at > number:
                break
            found = []
        else:
            found.append(step)
    return found


def _odd_parting(first: Row, second: Row) -> tuple[Decision | None, Decision | None]:
    """The same, of questions alone: what a rank knows of itself does not count."""
    return _parting(*(
        Row(steps=[s for s in row.steps if not isinstance(s, Decision) or RANK not in s.deps])
        for row in (first, second)
    ))  # fmt: skip


def _only(row: Row, groups: set[str]) -> Row:
    steps = [
        s
        for s in row.steps
        if isinstance(s, Decision) or (s.comm is not None and s.comm.id in groups)
    ]
    return Row(steps=steps, end=row.end, cut=row.cut)


def _known_peer(op: Op) -> bool:
    from lockorder.ranks.simulate import _peer  # noqa: PLC0415

    return _peer(op.peer) is not None


def _pairs(rows: list[Row]) -> bool:
    """Whether both sides of messages are there."""
    kinds = {o.kind for row in rows for o in row.ops}
    return "send" in kinds and "recv" in kinds


def _without_p2p(row: Row) -> Row:
    numbers = {o.request for o in row.ops if o.kind in ("send", "recv", "probe") and o.request}
    steps: list[Op | Decision] = []
    for step in row.steps:
        if isinstance(step, Op) and step.kind in ("send", "recv", "probe"):
            continue
        if isinstance(step, Op) and step.kind == "wait" and set(step.waits) <= numbers:
            continue
        steps.append(step)
    return Row(steps=steps, end=row.end, cut=row.cut, asked=row.asked)


def _story(
    entry: Entry, world: World, rows: list[Row], outcome: Outcome, strict: bool,
    odd: Condition | None, who: int,
) -> Trouble | None:  # fmt: skip
    """Two ranks that show it."""
    p2p = False
    if outcome.kind == "stuck":
        blocked = {r: op for r, op in outcome.at.items() if op is not None}
        begun = {r: _behind(rows[r], op) for r, op in blocked.items()}
        p2p = any(o.kind in ("send", "recv", "probe") for o in begun.values())
        pair = _pair(rows, outcome, begun, who)
    elif outcome.kind == "outside":
        p2p = True
        pair = outcome.ranks[0], outcome.ranks[0], outcome.ops[0], None
    elif outcome.kind == "differs":
        pair = (*outcome.ranks, *outcome.ops)
    else:
        op = outcome.ops[0]
        p2p = op is not None and op.kind in ("send", "recv", "probe")
        pair = (*outcome.ranks, *outcome.ops)
    first, second, ours, theirs = pair
    parting = _parting(rows[first], rows[second])
    if odd is not None:
        chosen = _deciding(rows, first, second, odd)
        parting = chosen if chosen != (None, None) else parting
    elif outcome.kind == "differs" and outcome.what == "data":
        parting = None, None
    if (not p2p and outcome.kind != "differs") or (
        outcome.kind == "differs" and outcome.what == "operation"
    ):
        after = _after(rows, first, second, parting)
        if parting != (None, None) and after != (None, None) and _site(after[0]) != _site(after[1]):
            ours, theirs = after
    deps: Deps = frozenset()
    for one in parting:
        if one is not None:
            deps |= one.deps
    alike = odd is None and not p2p and outcome.kind != "differs" and not _unlike_rows(rows)
    if alike and parting == (None, None):
        return None
    op = ours or theirs
    sure = all(o.sure for o in (ours, theirs) if o is not None)
    if op is not None and not p2p and not isinstance(op.comm, Comm):
        # Who belongs to a communicator of which nothing is known may be just those who are here.
        own = op.comm is not None and f"{RANK}:{op.comm.id}" in deps
        if not own and (
            odd is None or any(d == RANK or d.startswith(RANK + ":") for d in deps) or not deps
        ):
            return None
        sure = sure and own
    elif (
        odd is not None and op is not None and not p2p
        and op.comm is not None and is_unknown(op.comm)
        and RANK in deps and f"{RANK}:{op.comm.id}" not in deps
    ):  # fmt: skip
        return None  # which ranks of the job these are is not known: they may well answer alike
    if outcome.kind == "differs" and not _are_known(ours, theirs, outcome.what):
        sure = False
    if odd is not None or any(d is not None and d.key for d in parting):
        sure = False  # it is decided by what only a run shows
    return Trouble(
        entry,
        world,
        outcome,
        (first, second),
        (ours, theirs),
        parting,
        deps,
        p2p,
        strict,
        sure,
        odd,
    )


def _are_known(ours: Op | None, theirs: Op | None, what: str) -> bool:
    """Whether both values on which two operations do not agree are known, and not only that one
    depends on what ranks have to themselves."""
    values = [dict(op.agreed).get(what) for op in (ours, theirs) if op is not None]
    return all(v is None or not (isinstance(v, Unknown) and v.deps) for v in values)


def _deciding(
    rows: list[Row], first: int, second: int, odd: Condition
) -> tuple[Decision | None, Decision | None]:
    """Where the one rank answers the question otherwise."""
    found: list[Decision | None] = []
    for rank in (first, second):
        mine = [s for s in rows[rank].steps if isinstance(s, Decision) and s.key == odd.key]
        found.append(mine[0] if mine else None)
    ours, theirs = found
    if ours is not None and theirs is not None and ours.taken == theirs.taken:
        return None, None
    return ours, theirs


def _after(
    rows: list[Row], first: int, second: int, parting: tuple[Decision | None, Decision | None]
) -> tuple[Op | None, Op | None]:
    """The first operations of two ranks behind the decision in which they part."""
    before = 0
    for rank, decision in zip((first, second), parting, strict=True):
        for step in rows[rank].steps:
            if decision is not None and step is decision:
                break
            before += isinstance(step, Op) and decision is not None
        if decision is not None:
            break
    found: list[Op | None] = []
    for rank in (first, second):
        rest = [o for o in rows[rank].ops[before:] if o.kind not in ("open", "close", "wait")]
        found.append(rest[0] if rest else None)
    return found[0], found[1]


def _site(op: Op | None) -> object:
    return op.chain if op is not None else None


def _unlike_rows(rows: list[Row]) -> bool:
    return len({tuple((o.name, o.kind) for o in row.ops) for row in rows}) > 1


def _behind(row: Row, op: Op) -> Op:
    """What a wait or the end of a group waits for."""
    if op.kind == "wait":
        for other in row.ops:
            if other.request and other.request in op.waits:
                return msgspec.structs.replace(other, chain=op.chain)
    if op.kind == "close":
        before = row.ops[: row.ops.index(op)]
        for other in reversed(before):
            if other.kind != "open":
                return other
    return op


def _pair(
    rows: list[Row], outcome: Outcome, begun: dict[int, Op], who: int
) -> tuple[int, int, Op | None, Op | None]:
    """Who waits, and for whom: best a collective, with somebody who does not come to it."""
    from lockorder.ranks.simulate import Play  # noqa: PLC0415

    members = Play(rows, False).members_of
    for rank, op in sorted(begun.items()):
        if op.kind != "collective":
            continue
        for other in members(op.comm):
            if other == rank or other >= len(rows):
                continue
            theirs = begun.get(other)
            if (
                theirs is None
                or theirs.kind != "collective"
                or theirs.comm is None
                or op.comm is None
                or theirs.comm.id != op.comm.id
            ):
                return rank, other, op, theirs
    rank, op = sorted(begun.items())[0]
    from lockorder.ranks.simulate import _peer  # noqa: PLC0415

    peer = _peer(op.peer)
    other = (rank + 1) % len(rows)
    if isinstance(peer, int) and 0 <= peer < len(rows):
        other = peer
    return rank, other, op, begun.get(other)


def _parting(first: Row, second: Row) -> tuple[Decision | None, Decision | None]:
    """The first decision in which two ranks go different ways."""
    pairs = zip(first.ops, second.ops, strict=False)
    alike = 0
    for a, b in pairs:
        if a.name != b.name or a.chain[-1:] != b.chain[-1:]:
            break
        alike += 1
    ours, theirs = _between(first, alike), _between(second, alike)
    if [d.taken for d in ours] == [d.taken for d in theirs]:
        ours, theirs = _before(first, alike), _before(second, alike)
    for one, other in zip(ours, theirs, strict=False):
        if one.chain[-1:] != other.chain[-1:]:
            return one, None
        if one.taken != other.taken:
            return one, other
    if len(ours) != len(theirs):
        rest = (ours if len(ours) > len(theirs) else theirs)[min(len(ours), len(theirs))]
        return (rest, None) if len(ours) > len(theirs) else (None, rest)
    return None, None
