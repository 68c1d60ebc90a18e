"""What is taken where the program ends itself because it has failed: told, and not as an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.commands.checked import to_document
from lockorder.rules import RULES
from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options

PROGRAM = """
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
static int entries, lines;

static void write_line(void)
{
    pthread_mutex_lock(&journal);
    ++lines;
    pthread_mutex_unlock(&journal);
}

static void print_table(void)
{
    pthread_mutex_lock(&table);
    lines += entries;
    pthread_mutex_unlock(&table);
}

static void end(int code)
{
    write_line();
    print_table();
    END
}

void add(int n)
{
    pthread_mutex_lock(&table);
    entries += n;
    if (entries < 0)
        end(2);
    MORE
    pthread_mutex_unlock(&table);
}

void rotate(void)
{
    pthread_mutex_lock(&journal);
    pthread_mutex_lock(&table);
    entries = 0;
    pthread_mutex_unlock(&table);
    pthread_mutex_unlock(&journal);
}
"""


def levels(folder: Path, end: str, more: str = "") -> dict[str, str]:
    source = folder / "table.c"
    source.write_text(PROGRAM.replace("END", end).replace("MORE", more))
    analysis = analyse([source], Options(inline=True))
    document = to_document(analysis, select=frozenset(r.id for r in RULES))
    return {f.rule: f.level.value for f in document.findings}


@pytest.mark.parametrize(
    "end",
    [
        "abort();",
        "do { abort(); } while (0);",
        "if (code) { abort(); } else { __builtin_trap(); abort(); }",
        "{ lines = code; abort(); }",
    ],
)
def test_failed(tmp_path: Path, end: str) -> None:
    assert levels(tmp_path, end) == {"self-deadlock": "warning", "lock-order-cycle": "warning"}


@pytest.mark.parametrize(
    "end",
    [
        "exit(code);",
        "if (code == 3) return; abort();",
        "if (code) { abort(); }",
        "while (code--) { abort(); }",
        "for (;;) { if (code) break; abort(); }",
    ],
)
def test_not_failed(tmp_path: Path, end: str) -> None:
    assert levels(tmp_path, end) == {"self-deadlock": "error", "lock-order-cycle": "error"}


def test_also_without_failure(tmp_path: Path) -> None:
    assert levels(tmp_path, "abort();", "write_line();")["lock-order-cycle"] == "error"
