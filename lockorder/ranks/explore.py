"""For which answers a job ends in ranks that wait for ever: entries, worlds and questions."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterable, Iterator

import msgspec

from lockorder import bounds
from lockorder.model import Frame
from lockorder.python.modules import Program, Source
from lockorder.ranks import conditions
from lockorder.ranks.agreement import is_unknown
from lockorder.ranks.c_statements import Machine
from lockorder.ranks.conditions import Condition
from lockorder.ranks.effects import (
    Attempt,
    Choice,
    Decision,
    Item,
    Loop,
    Op,
    Scope,
    acts,
    operations,
    turns,
)
from lockorder.ranks.flatten import Answers, Row
from lockorder.ranks.interest import Entry, Interest, interest_of
from lockorder.ranks.knowledge import Known
from lockorder.ranks.machine import Tables, World
from lockorder.ranks.simulate import peer_of, play
from lockorder.ranks.stories import Trouble, odd_parting, story
from lockorder.ranks.talk import Talk
from lockorder.ranks.values import (
    CAUGHT,
    FILES,
    FOLDER,
    LOCAL,
    NONE,
    OF_FILE,
    RANK,
    Comm,
    Either,
    Unknown,
    Value,
    differs,
    named,
)

#: Jobs that are tried: the smallest, one with a rank in the middle, one of two nodes.
WORLDS = (World(2, 2), World(4, 2), World(3, 3))
#: Sets of answers that are tried for one entry in one world.
TRIED = bounds.RANK_ANSWERS.limit
#: Rounds in which ranks tell each other how they split communicators.
PASSES = 4


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
    #: entries of which messages decide what comes next, again and again
    talks: set[str] = set()
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
    interest: Interest | None = None,
) -> Report:
    """All troubles of a program.

    Programs and functions that nobody calls come first, then functions that none of them has come
    to.  Of several *parts* it does every so many of the first, or, where *skip* names what all
    parts together have come to, of the others: what is found does not depend on their number.
    *interest* is what ``interest_of`` says of the program, where somebody has asked already.
    """
    report = Report()
    interest = interest or interest_of(program, known)
    interesting, followed = interest.functions, interest.followed
    places = {n: _place(source, path[-1]) for n, (source, path) in interesting.items()}
    jobs = Jobs(program, known, followed)
    first, later = interest.first, interest.later
    if skip is None:
        _explored(first[part::parts], jobs, places, report, progress)
        skip = frozenset(report.walked) if parts == 1 else None
    if skip is not None:
        rest = [e for e in later if _place(e.source, e.path[-1]) not in skip]
        _explored(rest[part::parts], jobs, places, report, progress)
    return report


class Jobs:
    """The ranks of all jobs that are tried, as machines; *defaults*: options have theirs."""

    def __init__(
        self, program: Program, known: Known, followed: set[int], defaults: bool = False
    ) -> None:
        self.made = program, known, followed
        self.tables = {w: Tables(colors={}) for w in WORLDS}
        self.machines: dict[World, list[Machine]] = {}
        for world in WORLDS:
            table = self.tables[world]
            rows = [Machine(world, r, program, known, table) for r in range(world.size)]
            for machine in rows:
                machine.interesting = followed
                machine.defaults = defaults
            self.machines[world] = rows

    @functools.cached_property
    def with_defaults(self) -> Jobs:
        """The same jobs, of a program whose options have their defaults."""
        return Jobs(*self.made, defaults=True)


def _place(source: Source, node: ast.AST) -> str:
    """Names a function in the same way in every process."""
    return f"{source.file}:{getattr(node, 'lineno', 0)}:{getattr(node, 'name', '')}"


def _explored(
    entries: list[Entry],
    jobs: Jobs,
    places: dict[int, str],
    report: Report,
    progress: Callable[[str, int, int], None] | None,
) -> None:
    """Look at some entries, and add to *report* what is found."""
    for i, entry in enumerate(entries):
        if progress is not None:
            progress("ranks", i, len(entries))
        report.entries += 1
        look = _looked(entry, jobs, report)
        troubles = look.troubles
        if look.opted and not look.spent and _is_open(look):
            troubles = _judged_by(look, _looked(entry, jobs.with_defaults, report))
        report.troubles += troubles
        if not look.spent:
            report.walked |= {places[n] for n in look.walked if n in places}


class _Look(msgspec.Struct):
    """What was seen of one entry."""

    troubles: list[Trouble] = []
    #: by job: what each rank does there
    seen: dict[World, list[list[Item]]] = {}
    walked: set[int] = set()
    spent: bool = False
    #: options decide something here that have defaults
    opted: bool = False


def _looked(entry: Entry, jobs: Jobs, report: Report) -> _Look:
    """Look at one entry in all jobs."""
    look = _Look(troubles=[], seen={}, walked=set())
    found_in: dict[World, list[Trouble]] = {}
    for world in WORLDS:
        rows = jobs.machines[world]
        found = _items(entry, world, rows, jobs.tables[world])
        for machine in rows:
            look.walked |= machine.walked
            machine.walked.clear()
            report.cut |= machine.cut
            machine.cut.clear()
            look.spent |= machine.spent
            look.opted |= machine.opted
            machine.opted = False  # not every rank is run for every entry
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
        look.seen[world] = found
        found_in[world] = list(_troubles(entry, world, found, report))
        if entry.path and not _parts(found):
            break
        if (
            world is WORLDS[1]
            and not entry.source.c
            and not any(op.is_message for items in found for op in operations(items))
        ):
            # One rank in the middle more is of interest for messages between neighbours only.
            break
    written = frozenset().union(*(m.written for rows in jobs.machines.values() for m in rows))
    for trouble in _chosen({w: (rows, look.seen[w]) for w, rows in found_in.items()}):
        slight = _is_slight(trouble) or _is_of_files_alone(trouble, written)
        look.troubles.append(msgspec.structs.replace(trouble, slight=slight))
    return look


def _is_open(look: _Look) -> bool:
    """Whether more would be known if options had their values: who is in which group, or sends.

    Other questions are asked, and answered either way.
    """
    every = (op for found in look.seen.values() for items in found for op in operations(items))
    return any(op.is_message or not _is_settled(op.comm) for op in every)


def _is_settled(comm: Value | None) -> bool:
    """Whether it is known who is in a communicator."""
    if isinstance(comm, Either):
        return _is_settled(comm.first) and _is_settled(comm.second)
    return comm is None or (
        isinstance(comm, Comm) and not comm.adopted and comm.members is not None
    )


def _judged_by(look: _Look, usual: _Look) -> list[Trouble]:
    """The troubles of one entry, whose options have any value, or their defaults.

    What rests on a group of which nobody knows the members is told only where it is so with the
    defaults; but for code that they do not lead to, or in which the group is not known either.
    """
    known: dict[Place, bool] = {}
    for found in usual.seen.values():
        for items in found:
            for op in operations(items):
                place, settled = op.chain[-1:], _is_settled(op.comm)
                known[place] = known.get(place, True) and settled
            for chain in turns(items):
                known.setdefault(chain[-1:], True)
    troubles = [
        t
        for t in look.troubles
        if not _rests_on_members(t) or not all(known.get(place) for place in _places(t))
    ]
    for trouble in usual.troubles:
        alone = not any(_is_same(trouble, t) and t.sure >= trouble.sure for t in troubles)
        troubles.append(msgspec.structs.replace(trouble, defaults=alone))
    return troubles


#: The innermost frame of a way.
Place = tuple[Frame, ...]


def _places(trouble: Trouble) -> set[Place]:
    """Where ranks wait, and where they part."""
    return {one.chain[-1:] for one in (*trouble.ops, *trouble.parting) if one is not None}


def _rests_on_members(trouble: Trouble) -> bool:
    """Whether nobody knows who is in the group that ranks wait in, or that decides."""
    settled = all(_is_settled(op.comm) for op in trouble.ops if op is not None)
    decided = NONE.union(*(one.deps for one in trouble.parting if one is not None))
    return not settled or any(d.startswith(RANK + ":") for d in decided)


def _is_same(first: Trouble, second: Trouble) -> bool:
    """Whether two troubles are told of one place."""
    ours, theirs = ({op.chain[-1:] for op in t.ops if op is not None} for t in (first, second))
    return first.p2p == second.p2p and bool(ours & theirs)


def _is_slight(trouble: Trouble) -> bool:
    """Whether nothing is known by which ranks would part, but that they might.

    A call that may fail, for all that is known on one rank alone; or a question of which nothing
    says that ranks answer it differently.
    """
    if trouble.sure or trouble.odd is None:
        return False
    if any(op is not None and op.begins for op in trouble.ops):
        return True
    why = {d for d in trouble.why if differs(frozenset((d,)))}
    return why <= {LOCAL + CAUGHT}


def _is_of_files_alone(trouble: Trouble, written: frozenset[str]) -> bool:
    """Whether ranks part by a file alone that nothing which they run makes or removes.

    Ranks mostly share their file system: such a file is there for all of them, or for none.
    """
    why = [d for d in trouble.why if differs(frozenset((d,)))]
    if trouble.odd is None or not why or not all(d.startswith(FILES) for d in why):
        return False
    return not any(_may_be(*d.partition(OF_FILE)[::2], w) for d in why for w in written)


def _may_be(question: str, path: str, made: str) -> bool:
    """Whether what is asked of *path* may be so because something is made there."""
    folder = made.removeprefix(FOLDER)
    if folder != made and question.endswith(("isfile", "is_file", "getsize")):
        return False
    return bool(path and folder) and (path in folder or folder in path)


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
    ranges = {w for w, (rows, _) in seen.items() if any(t.outcome.kind == "range" for t in rows)}
    for world, (rows, items) in seen.items():
        for trouble in rows:
            if trouble.p2p and world in outside and len(outside) < len(seen):
                continue
            if trouble.outcome.kind == "range" and len(ranges) < len(seen):
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
        for op in operations(items)
        if op.is_message and op.peer is not None
    }
    sites = [{op.chain[-1:] for op in operations(items) if op.is_message} for items in found]
    # What the third rank does and the second does not was written for a third one.
    own = any(sites[r] - sites[1] for r in range(2, len(sites)))
    return bool(peers) and peers <= {(0, False), (1, False)} and not own


def _items(entry: Entry, world: World, machines: list[Machine], tables: Tables) -> list[list[Item]]:
    """What each rank issues; until all know how the others split communicators."""
    found = _issued(entry, machines, tables)
    comms = {op.comm.id: op.comm for items in found for op in operations(items) if op.comm}
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


# -- questions ------------------------------------------------------------------------------------


def _troubles(
    entry: Entry, world: World, found: list[list[Item]], report: Report
) -> Iterable[Trouble]:
    """Every way in which the ranks of one world get stuck."""
    talk = Talk(found)
    seen: set[tuple[object, ...]] = set()
    queue: list[dict[str, bool]] = [{}]
    known: set[frozenset[tuple[str, bool]]] = {frozenset()}
    tried = 0
    while queue and tried < TRIED:
        given = queue.pop(0)
        tried += 1
        answers = Answers(given=given, asked={}, usual={})
        rows = talk.rows(answers)
        if any(row.cut for row in rows):
            talks = any(row.talks_on for row in rows)
            (report.talks if talks else report.wide).add(entry.name)
        # An answer that only some ranks ask for may go with others of which nobody here knows.
        alone = any(
            key not in row.asked and not conditions.is_pin(key) for key in given for row in rows
        )
        strictly = functools.partial(talk.rows, answers, strict=True)
        for trouble in _judged(entry, world, rows, None, strictly=strictly):
            if alone and not trouble.p2p:
                continue
            if len(given) > 1:
                # It takes several answers that may never be given together.
                trouble = msgspec.structs.replace(trouble, sure=False)
            key = _key(trouble)
            if key not in seen:
                seen.add(key)
                yield trouble
        fine = play(rows).kind in ("done", "failed")
        asked = dict(answers.asked)
        for name, condition in asked.items():
            before = answers.usual.get(name, name.startswith("again "))
            flipped = {**given, name: not given.get(name, before)}
            if condition.pinned is not None:
                if answers.of(condition, False):
                    continue
                flipped = conditions.with_pin(given, condition)
            mark = frozenset(flipped.items())
            if mark not in known and len(known) < TRIED * 8:
                known.add(mark)
                if not name.startswith(("again ", "raise ")):
                    queue.append(flipped)
            if not fine or not condition.differs:
                continue
            for odd in {0, world.size - 1}:
                attempt = Answers(given=given, odd=name, asked={}, usual=dict(answers.usual))
                other = talk.rows(attempt, odd)
                strictly = functools.partial(talk.rows, attempt, odd, strict=True)
                for trouble in _judged(entry, world, other, condition, odd, strictly):
                    key = _key(trouble)
                    if key not in seen:
                        seen.add(key)
                        yield trouble
    if queue:
        report.many.add(entry.name)


def _key(trouble: Trouble) -> tuple[object, ...]:
    def site(op: Op | None) -> object:
        return op.chain if op is not None else None

    def parted(decision: Decision | None) -> object:
        return (decision.chain, decision.written) if decision is not None else None

    sites = frozenset(str(site(o)) for o in trouble.ops)
    return sites, str(parted(trouble.parting[0])), trouble.p2p, trouble.outcome.what


def _judged(
    entry: Entry, world: World, rows: list[Row], odd: Condition | None, who: int = -1,
    strictly: Callable[[], list[Row]] | None = None,
) -> Iterator[Trouble]:  # fmt: skip
    """How ranks get stuck in *rows*; *strictly* makes them where every send waits."""
    if any(row.cut for row in rows):
        return
    has_p2p = any(o.is_message for row in rows for o in row.ops)
    unknown = has_p2p and any(o.is_message and not _known_peer(o) for row in rows for o in row.ops)
    if has_p2p and any(row.by_message for row in rows):
        unknown = True
    # One rank sends as often as nobody knows, and another goes on until it is told to end.
    unknown = unknown or (any(r.loose for r in rows) and any(r.talked for r in rows))
    if has_p2p and not entry.is_program and _same_messages(rows):
        unknown = True
    if unknown or (has_p2p and not entry.is_program and not _pairs(rows)):
        if any(row.end in ("goes on", "asks") for row in rows):
            return  # what ends the loop is not known, nor what comes behind it
        rows = [_without_p2p(row) for row in rows]
        has_p2p = False
    outcome = play(rows)
    strict = False
    if outcome.kind == "failed":
        return
    if outcome.kind == "done" and has_p2p:
        if strictly is not None and any(row.talked for row in rows):
            rows = strictly()  # a wildcard may get another message then, and all that follows
            if any(row.cut or row.by_message for row in rows):
                return
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
    if odd is not None:
        round_again = outcome.kind == "stuck" and rows[who].end == "goes on"
        if round_again and outcome.at.get(who) is None:
            return  # it answers anew in each round, and comes to it in one of them
        rest = [_without_group_of(row, odd) for row in rows]
        if rest != rows and play(rest).kind in ("done", "failed"):
            return
    trouble = story(entry, world, rows, outcome, strict, odd, who)
    if trouble is not None and trouble.p2p and odd is not None:
        return  # of a message nobody knows whether the other side is told of the same
    if trouble is not None:
        yield trouble


def _without_group_of(row: Row, odd: Condition) -> Row:
    """The row without what is issued in a group, where the question is whether a rank has it.

    A rank that is not in the group has none, and does not come to what its members do there.
    """

    def none_of(nothing: str, comm: Value) -> str:
        """The question whether there is none, as it is asked in Python, and in C."""
        return named("eq({},{})".format(*sorted((nothing, comm.id))))

    steps = [
        s
        for s in row.steps
        if isinstance(s, Decision)
        or s.comm is None
        or not is_unknown(s.comm)
        or odd.key not in (none_of("None", s.comm), none_of("none", s.comm))
    ]
    return Row(steps=steps, end=row.end, cut=row.cut) if len(steps) < len(row.steps) else row


def _groups_of(rows: list[Row], who: int) -> set[str]:
    """The groups whose ranks decide differently, where they alone decide."""
    found: set[str] = set()
    for row in rows:
        for one in odd_parting(rows[who], row):
            for dep in one.deps if one is not None else ():
                if not dep.startswith(RANK + ":"):
                    return set()
                found.add(dep[len(RANK) + 1 :])
    return found


def _only(row: Row, groups: set[str]) -> Row:
    steps = [
        s
        for s in row.steps
        if isinstance(s, Decision) or (s.comm is not None and s.comm.id in groups)
    ]
    return Row(steps=steps, end=row.end, cut=row.cut)


def _same_messages(rows: list[Row]) -> bool:
    """Whether all ranks send at some place to the same one, itself among them.

    A function that does so is not told which rank it runs on by anything that is known here.
    """
    found = [
        {
            (o.chain[-1:], o.kind, peer_of(o.peer))
            for o in row.ops
            if o.is_message and o.peer is not None and not o.peer.depends
        }
        for row in rows
    ]
    common = found[0].intersection(*found[1:]) if len(rows) > 1 else set()
    return any(isinstance(peer, int) for *_, peer in common)


def _known_peer(op: Op) -> bool:
    return peer_of(op.peer) is not None


def _pairs(rows: list[Row]) -> bool:
    """Whether both sides of messages are there."""
    kinds = {o.kind for row in rows for o in row.ops}
    return "send" in kinds and "recv" in kinds


def _without_p2p(row: Row) -> Row:
    numbers = {o.request for o in row.ops if o.is_message and o.request}
    steps: list[Op | Decision] = []
    for step in row.steps:
        if isinstance(step, Op) and step.is_message:
            continue
        if isinstance(step, Op) and step.kind == "wait" and set(step.waits) <= numbers:
            continue
        steps.append(step)
    return Row(steps=steps, end=row.end, cut=row.cut, asked=row.asked)
