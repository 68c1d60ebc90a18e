"""The matrix as people read it: a row a shape, a column a kind, ok or FAIL in between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

#: A word for each shape, for each kind.
Cells = dict[str, dict[str, str]]

#: Cases of a program's own stand side by side.
_ACROSS = 3


def picture(results: Iterable[tuple[str, str, str, str]]) -> Iterator[str]:
    """Lines for (program, kind, shape, "ok" or "FAIL"), in the order in which they come.

    A program's kinds are the columns of one table; where it has one kind only, its shapes are a
    list.
    """
    programs: dict[str, Cells] = {}
    words: list[str] = []
    for program, kind, shape, word in results:
        programs.setdefault(program, {}).setdefault(kind, {})[shape] = word
        words.append(word)
    for cells in programs.values():
        yield from _table(cells) if len(cells) > 1 else _list(cells)
        yield ""
    yield summary(words)


def summary(words: Sequence[str]) -> str:
    """One line for all."""
    failed = sum(word != "ok" for word in words)
    return f"{len(words) - failed} of {len(words)} as expected" + (
        f", {failed} FAILED" if failed else ""
    )


def _table(cells: Cells) -> Iterator[str]:
    shapes = list(dict.fromkeys(shape for each in cells.values() for shape in each))
    label = max(map(len, shapes))
    names = {kind: kind.rpartition("::")[2] for kind in cells}
    yield " ".join((" " * label, *names.values())).rstrip()
    for shape in shapes:
        row = (f"{cells[kind].get(shape, ''):>{len(name)}}" for kind, name in names.items())
        yield " ".join((f"{shape:<{label}}", *row)).rstrip()


def _list(cells: Cells) -> Iterator[str]:
    ((kind, shapes),) = cells.items()
    yield kind
    label = max(map(len, shapes))
    rows = [f"{shape:<{label}} {word:<4}" for shape, word in shapes.items()]
    for start in range(0, len(rows), _ACROSS):
        yield ("  " + "  ".join(rows[start : start + _ACROSS])).rstrip()
