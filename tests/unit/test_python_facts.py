"""Python's locks in a few lines each: what has to be told, and what must not be."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from lockorder import bounds
from lockorder.knowledge import builtin
from lockorder.model import Cut
from lockorder.python import modules
from lockorder.python.facts import facts_of
from python_run import findings


def rules_of(folder: Path, **files: str) -> list[str]:
    """The rules of what is told of some sources, notes left out."""
    paths = []
    for name, text in files.items():
        path = folder / f"{name}.py"
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        paths.append(path)
    return sorted(f.rule for f in findings(folder, paths))


CYCLE = """
    import threading

    class Store:
        def __init__(self):
            self.a = threading.{kind}()
            self.b = threading.{kind}()

        def put(self):
            {first}

        def take(self):
            {second}
"""
NESTED = "with self.{0}:\n                with self.{1}:\n                    pass"
WAYS = {
    "nested": NESTED,
    "one with": "with self.{0}, self.{1}:\n                pass",
    "calls": "self.{0}.acquire()\n            self.{1}.acquire()\n"
    "            self.{1}.release()\n            self.{0}.release()",
    "finally": "self.{0}.acquire()\n            try:\n                with self.{1}:\n"
    "                    return 1\n            finally:\n                self.{0}.release()",
    "tried": "if self.{0}.acquire(timeout=None):\n                with self.{1}:\n"
    "                    pass\n                self.{0}.release()",
}


@pytest.mark.parametrize("kind", ["Lock", "RLock"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("other", WAYS)
def test_two_orders(tmp_path: Path, kind: str, way: str, other: str) -> None:
    first, second = WAYS[way].format("a", "b"), WAYS[other].format("b", "a")
    text = CYCLE.format(kind=kind, first=first, second=second)
    assert "lock-order-cycle" in rules_of(tmp_path, store=text)
    same = CYCLE.format(kind=kind, first=first, second=WAYS[other].format("a", "b"))
    assert rules_of(tmp_path, store=same) == []


TAKEN_AGAIN = """
    import threading
    lock = threading.{kind}()

    def outer():
        with lock:
            {call}

    def inner():
        with lock:
            pass

    def stop(f):
        return f

    class Both:
        @property
        def size(self):
            with lock:
                return 1

        def __len__(self):
            with lock:
                return 1

        def __enter__(self):
            lock.acquire()

        def __exit__(self, *why):
            lock.release()

    both = Both()
"""


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("inner()", True),
        ("(lambda: inner())()", True),
        ("both.size", True),
        ("len(both)", True),
        ("sorted([1], key=lambda _: inner())", True),
        ("x = inner; x()", True),
        ("stop(inner)()", True),
        ("[inner() for _ in range(3)]", True),
        ("vars(inner)", False),
        ("stop(inner)", False),
        ("print(inner)", False),
        ("if lock.acquire(blocking=False): inner", False),
    ],
)
def test_taken_again(tmp_path: Path, call: str, told: bool) -> None:
    found = rules_of(tmp_path, again=TAKEN_AGAIN.format(kind="Lock", call=call))
    assert ("self-deadlock" in found) is told
    assert "self-deadlock" not in rules_of(
        tmp_path, again=TAKEN_AGAIN.format(kind="RLock", call=call)
    )


def test_a_version_that_is_called_by_super_is_that_version(tmp_path: Path) -> None:
    text = """
        import threading

        class Base:
            def __init__(self):
                self.lock = threading.Lock()

            def put(self):
                pass

        class Derived(Base):
            def put(self):
                with self.lock:
                    super().put()
    """
    assert rules_of(tmp_path, both=text) == []


def test_a_coroutine_that_is_not_awaited_waits_for_nobody(tmp_path: Path) -> None:
    text = """
        import asyncio

        class Server:
            def __init__(self):
                self.lock = asyncio.Lock()
                self.event = asyncio.Event()

            async def serve(self):
                async with self.lock:
                    {wait}

            async def stop(self):
                async with self.lock:
                    self.event.set()
    """
    assert rules_of(tmp_path, x=text.format(wait="await self.event.wait()")) == [
        "blocking-under-lock"
    ]
    kept = text.format(wait="self.task = asyncio.create_task(self.event.wait())")
    assert rules_of(tmp_path, x=kept) == []


def test_locks_and_functions_of_other_modules(tmp_path: Path) -> None:
    first = """
        import threading
        import second
        LOCK = threading.Lock()

        def here():
            with LOCK:
                second.there()

        def back():
            with LOCK:
                pass
    """
    other = """
        import threading
        from first import back
        GUARD = threading.Lock()

        def there():
            with GUARD:
                pass

        def away():
            with GUARD:
                back()
    """
    assert rules_of(tmp_path, first=first, second=other) == ["lock-order-cycle"]


def test_what_leads_to_no_lock_is_not_looked_at(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("def f(x):\n    return x.strip().strip()\n")
    assert facts_of(modules.read([tmp_path / "plain.py"]), builtin()) == []


def test_values_that_grow_with_each_round_end(tmp_path: Path) -> None:
    """Paths of libraries are kept only as far as anything is known of them."""
    text = """
        import threading
        import text
        lock = threading.Lock()

        def more(x):
            while x:
                x = x.strip().lower()
                y = [x, [x]]
                x = y
            return more(text.of(x))
    """
    assert rules_of(tmp_path, x=text) == []


def test_conditions_are_written_down_once(tmp_path: Path) -> None:
    """A chain of conditions with calls does not double with each of them."""
    chain = "\n".join(
        f"        {'if' if not n else 'elif'} f({n}) and g({n}) or h({n}):\n            x = {n}"
        for n in range(40)
    )
    text = (
        f"import threading\nlock = threading.Lock()\ndef many(f, g, h):\n    with lock:\n{chain}\n"
    )
    path = tmp_path / "x.py"
    path.write_text(text)
    (unit,) = facts_of(modules.read([path]), builtin())
    assert len(str(unit.functions)) < 200_000


def test_names_that_stand_for_too_much_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are anything then, in whichever order they are found, and so is what comes of them."""
    monkeypatch.setattr(bounds, "PYTHON_KINDS", bounds.PYTHON_KINDS._replace(limit=3))
    classes = "".join(f"class C{n}:\n    def go(self):\n        pass\n" for n in range(5))
    calls = "".join(f"run(C{n}())\n" for n in range(5))
    text = f"import threading\nlock = threading.Lock()\n{classes}\ndef run(x):\n    x.go()\n{calls}"
    (tmp_path / "x.py").write_text(text)
    cuts: list[Cut] = []
    facts_of(modules.read([tmp_path / "x.py"]), builtin(), cuts)
    assert [(c.what, c.functions, c.places) for c in cuts] == [
        (bounds.PYTHON_KINDS.what, 1, ("x",))
    ]


DECORATED = """
    import functools
    import threading

    def synchronized(f):
        @functools.wraps(f)
        def wrapper(self, *args):
            with self.lock:
                return f(self, *args)
        return wrapper

    class Table:
        def __init__(self):
            self.lock = threading.{kind}()

        @synchronized
        def get(self):
            return 1

        @synchronized
        def put(self):
            return self.get()
"""


def test_each_decorated_function_has_its_own_wrapper(tmp_path: Path) -> None:
    assert rules_of(tmp_path, x=DECORATED.format(kind="Lock")) == ["self-deadlock"]
    assert rules_of(tmp_path, x=DECORATED.format(kind="RLock")) == []


POOL = """
    from concurrent.futures import {made}

    POOL = {made}({size})

    def leaf(n):
        return n

    def task(n):
        {wait}

    def main():
        {start}

    main()
"""
WAITS_FOR_ONE = "return POOL.submit(leaf, n).result()"
WAITS_FOR_LISTED = """futures = []
        for k in range(n):
            futures.append(POOL.submit(leaf, k))
        return sum(f.result() for f in futures)"""
OFTEN, ONCE = "[POOL.submit(task, n) for n in range(9)]", "POOL.submit(task, 1)"


@pytest.mark.parametrize(
    ("size", "wait", "start", "told"),
    [
        ("1", WAITS_FOR_ONE, ONCE, True),
        ("4", WAITS_FOR_ONE, OFTEN, True),
        ("4", WAITS_FOR_LISTED, OFTEN, True),
        ("", "return list(POOL.map(leaf, range(n)))", OFTEN, True),
        ("4", WAITS_FOR_ONE, ONCE, False),
        ("4", "POOL.submit(leaf, n)", OFTEN, False),
        ("1", "POOL.map(leaf, range(n))", OFTEN, False),
        ("1", "return leaf(n)", OFTEN, False),
    ],
)
def test_a_task_waits_for_a_task_of_its_pool(
    tmp_path: Path, size: str, wait: str, start: str, told: bool
) -> None:
    text = POOL.format(made="ThreadPoolExecutor", size=size, wait=wait, start=start)
    assert rules_of(tmp_path, pool=text) == (["blocking-under-lock"] if told else [])


def test_tasks_of_processes_have_no_pool_to_wait_for(tmp_path: Path) -> None:
    text = POOL.format(made="ProcessPoolExecutor", size="1", wait=WAITS_FOR_ONE, start=OFTEN)
    assert rules_of(tmp_path, pool=text) == []


FORK = """
    import multiprocessing
    import os
    import threading

    lock = {lock}()

    def use():
        with lock:
            pass

    def main():
        thread = threading.Thread(target=use)
        context = multiprocessing{context}
        {body}

    main()
"""
STARTS = "thread.start()\n        context.Process(target=use).start()"


@pytest.mark.parametrize(
    ("context", "body", "told"),
    [
        ("", STARTS, True),
        ('.get_context("fork")', STARTS, True),
        ('.get_context("spawn")', STARTS, False),
        (".get_context(os.environ['HOW'])", STARTS, False),
        ("", "context.Process(target=use).start()\n        thread.start()", False),
        ("", "thread.start()\n        thread.join()\n        context.Process(target=use).start()",
         False),
        ("", "thread.start()\n        context.Pool(2).map(use, ())", True),
        ("", "with lock:\n            context.Process(target=use).start()", True),
        ("", "thread.start()\n        if os.fork() == 0:\n            use()", True),
        ("", "thread.start()\n        if not os.fork():\n            use()", True),
        ("", "thread.start()\n        if os.fork() == 0:\n            os._exit(0)\n        use()",
         False),
    ],
)  # fmt: skip
def test_a_copy_of_the_process_takes_a_lock(
    tmp_path: Path, context: str, body: str, told: bool
) -> None:
    text = FORK.format(lock="threading.Lock", context=context, body=body)
    assert rules_of(tmp_path, fork=text) == (["lock-held-across-fork"] if told else [])


def test_processes_share_their_own_locks(tmp_path: Path) -> None:
    text = FORK.format(lock="multiprocessing.Lock", context="", body=STARTS)
    assert rules_of(tmp_path, fork=text) == []


LOGGED = """
    import logging
    import threading

    lock = threading.Lock()
    log = logging.getLogger("{logger}")

    class Counter(logging.Handler):
        def emit(self, record):
            with lock:
                pass

    logging.getLogger("{handled}").addHandler(Counter())

    def work():
        with lock:
            log.{level}("x")

    threading.Thread(target=work).start()
"""


@pytest.mark.parametrize(
    ("logger", "handled", "told"),
    [("a", "a", True), ("a.b", "a", True), ("a", "a.b", False), ("ab", "a", False)],
)
def test_a_handler_runs_where_its_logger_is_called(
    tmp_path: Path, logger: str, handled: str, told: bool
) -> None:
    text = LOGGED.format(logger=logger, handled=handled, level="info")
    assert ("self-deadlock" in rules_of(tmp_path, logged=text)) is told


ENDS = """
    import threading

    class Item:
        def __init__(self, owner):
            self.owner = owner

        def __del__(self):
            self.owner.note()

    class Owner:
        def __init__(self):
            self.lock = threading.Lock()
            self.items = {{}}
            self.one = None

        def note(self):
            with self.lock:
                pass

        def add(self, key):
            item = Item(self)
            with self.lock:
                self.items[key] = item
            self.one = item

        def drop(self, key):
            with self.lock:
                {under}
            {after}

    threading.Thread(target=Owner().drop, args=(1,)).start()
"""


@pytest.mark.parametrize(
    ("under", "after", "told"),
    [
        ("del self.items[key]", "pass", True),
        ("self.items.pop(key)", "pass", True),
        ("self.items.clear()", "pass", True),
        ("self.items = {}", "pass", True),
        ("self.one = None", "pass", True),
        ("del self.one", "pass", True),
        ("gone = self.items.pop(key)", "del gone", False),
        ("gone, self.items = self.items, {}", "gone.clear()", False),
        ("pass", "self.items.clear()", False),
        ("old = self.one\n                self.one = None", "del old", False),
    ],
)
def test_the_end_of_an_object_runs_where_its_reference_goes(
    tmp_path: Path, under: str, after: str, told: bool
) -> None:
    text = ENDS.format(under=under, after=after)
    assert rules_of(tmp_path, ends=text) == (["self-deadlock"] if told else [])


def test_what_a_future_was_found_to_be_is_not_waited_for(tmp_path: Path) -> None:
    text = """
        import threading
        from concurrent.futures import ThreadPoolExecutor

        class Fetcher:
            def __init__(self):
                self.lock = threading.Lock()
                self.pool = ThreadPoolExecutor(2)
                self.future = None

            def work(self):
                with self.lock:
                    return 1

            def begin(self):
                self.future = self.pool.submit(self.work)

            def look(self):
                with self.lock:
                    if {asked}:
                        return self.future.result()
                    return None
    """
    known = text.format(asked="self.future is not None and self.future.done()")
    assert rules_of(tmp_path, fetcher=known) == []
    there = text.format(asked="self.future is not None")
    assert rules_of(tmp_path, fetcher=there) == ["blocking-under-lock"]


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("print(1)", True),
        ("os.getpid()", True),
        ("', '.join(text)", True),
        ("path = os.path.abspath('.')\n    path.strip()", True),
        ("text.strip()", False),
        ("for part in text: part.strip()", False),
        ("path = os.path.abspath('.')\n    path = text\n    path.strip()", False),
    ],
)
def test_which_calls_are_seen(tmp_path: Path, line: str, seen: bool) -> None:
    path = tmp_path / "seen.py"
    path.write_text(
        f"import os\nimport threading\nlock = threading.Lock()\ndef f(text):\n    {line}\n"
    )
    (unit,) = facts_of(modules.read([path]), builtin())
    (file,) = unit.files
    assert (file.calls_seen == file.calls) is seen
