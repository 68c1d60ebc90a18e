"""Whatever is edited, a result with the cache is the result without."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lockorder.commands.checked import check_sources, to_document
from lockorder.config import Config
from lockorder.model import encode
from lockorder.static.analyse import analyse
from lockorder.static.discovery import inputs
from lockorder.static.driver import workers
from lockorder.static.driver.options import Options

DECLARED = """\
struct pthread_mutex_t { int word; };
extern "C" int pthread_mutex_lock(pthread_mutex_t *);
extern "C" int pthread_mutex_unlock(pthread_mutex_t *);
extern pthread_mutex_t red, green, blue;
"""
#: Where a header of the name may be, first looked into first; gone where the text is None.
PLACES = ("project/locks.h", "first/locks.h", "second/locks.h")
HEADERS = (
    DECLARED,
    "#pragma once\n" + DECLARED + "#define OUTER green\n",
    DECLARED + "#include <deep.h>\n",
    DECLARED + "#if __has_include(<deep.h>)\n#define OUTER blue\n#endif\n",
    "",
    None,
)
DEEP = ("#define INNER blue\n", "#define OUTER blue\n#define INNER red\n", None)
INCLUDES = ('#include "locks.h"\n', "#include <locks.h>\n", "#include <deep.h>\n", "")
BODIES = (("red", "green"), ("green", "red"), ("OUTER", "INNER"), ("blue", "red"))


def text(includes: list[str], body: tuple[str, str], name: str) -> str:
    first, second = body
    return "".join(includes) + (
        "#ifndef OUTER\n#define OUTER red\n#endif\n#ifndef INNER\n#define INNER green\n#endif\n"
        f"void {name}() {{\n  pthread_mutex_lock(&{first});\n  pthread_mutex_lock(&{second});\n"
        f"  pthread_mutex_unlock(&{second});\n  pthread_mutex_unlock(&{first});\n}}\n"
    )


def sources(name: str) -> st.SearchStrategy[tuple[str, str | None]]:
    lines = st.lists(st.sampled_from(INCLUDES), max_size=2)
    made = st.builds(text, lines, st.sampled_from(BODIES), st.just(name))
    return st.tuples(st.just(f"project/{name}.cpp"), made)


edits = st.one_of(
    sources("one"),
    sources("two"),
    st.tuples(st.sampled_from(PLACES), st.sampled_from(HEADERS)),
    st.tuples(st.sampled_from(("first/deep.h", "second/deep.h")), st.sampled_from(DEEP)),
)


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("LOCKORDER_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(inputs, "GRACE", 0)  # what is written here is read a moment later
    workers.allow_depth()  # before hypothesis notes what the limit was
    return tmp_path


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.lists(edits, min_size=1, max_size=3), min_size=1, max_size=5))
def test_cached_is_uncached(place: Path, rounds: list[list[tuple[str, str | None]]]) -> None:
    root = Path(tempfile.mkdtemp(dir=place))
    for folder in ("project/.git", "first", "second"):
        (root / folder).mkdir(parents=True)
    (root / "project" / "locks.h").write_text(DECLARED)
    for name in ("one", "two"):
        (root / "project" / f"{name}.cpp").write_text(text([*INCLUDES[:3]], BODIES[2], name))
    extra = ("-I", str(root / "first"), "-I", str(root / "second"))
    for batch in [[], *rounds]:
        for name, content in batch:
            if content is None:
                (root / name).unlink(missing_ok=True)
            else:
                (root / name).write_text(content)
        results = [
            encode(
                to_document(analyse([root / "project"], Options(inline=True, extra=extra, cache=c)))
            )
            for c in (True, True, False)
        ]
        results += [
            encode(
                check_sources(
                    [root / "project"], Options(inline=True, extra=extra), Config()
                ).document
            )
            for _ in range(2)  # the second time it may be a whole result that was kept
        ]
        assert all(each == results[0] for each in results)
    shutil.rmtree(root)
