"""Offsets of CPython's fields by the debug information of a libpython, for lockorder's table.

``python tests/tools/python_layouts.py LIBPYTHON...`` prints a line for each row of
`lockorder.hang.pylayouts.TABLE` with what each library says.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from lockorder.hang.pylayouts import TABLE

#: How types are called in some versions.
_ALIASES = {
    "PyInterpreterFrame": ("_PyInterpreterFrame", "struct _PyInterpreterFrame"),
    "_PyCFrame": ("_PyCFrame", "CFrame"),
    "PyDictValues": ("PyDictValues", "struct _dictvalues"),
    "PyWeakReference": ("PyWeakReference", "struct _PyWeakReference"),
    "_PyInterpreterFrame": ("struct _PyInterpreterFrame",),
}


def offsets(library: Path) -> dict[str, int]:
    """By the names of the table; -1 where the library has no such field."""
    found = dict.fromkeys(TABLE, -1)
    rows = [row for row in TABLE if ":" not in row]
    found.update(_said(library, rows))
    for module in sorted({row.partition(":")[0] for row in TABLE if ":" in row}):
        rows = [row for row in TABLE if row.startswith(f"{module}:")]
        # Where there is no such file, the module is in the library.
        files = [*library.parent.glob(f"python3.*/lib-dynload/{module}.*.so"), library]
        minor = re.search(r"3\.(\d+)", library.name)
        files = [f for f in files if minor is None or f"3{minor[1]}-" in f.name or f == library]
        found.update(_said(files[0], rows))
    return found


def _said(library: Path, rows: list[str]) -> dict[str, int]:
    asked = [(row, expression) for row in rows for expression in _expressions(row)]
    command = ["gdb", "-nx", "-batch"]
    for number, (_, expression) in enumerate(asked):
        command += ["-ex", f"echo #{number}:", "-ex", f"output {expression}", "-ex", "echo \\n"]
    done = subprocess.run([*command, str(library)], capture_output=True, text=True, check=False)
    found: dict[str, int] = {}
    for number, value in re.findall(r"^#(\d+):(-?\d+)$", done.stdout, re.MULTILINE):
        row, _ = asked[int(number)]
        found[row] = max(found.get(row, -1), int(value))
    return found


def _expressions(row: str) -> Iterable[str]:
    kind, _, fields = row.rpartition(":")[2].partition(".")
    for name in _ALIASES.get(kind, (kind,)):
        if not fields:
            yield f"sizeof({name})"
        for field in fields.split("|") if fields else ():
            yield f"(long)&(({name}*)0)->{field}"


def main(libraries: list[str]) -> None:
    """Print the table's rows."""
    columns = [offsets(Path(each)) for each in libraries]
    for row in TABLE:
        print(f'    "{row}": ({", ".join(str(each[row]) for each in columns)}),')


if __name__ == "__main__":
    main(sys.argv[1:])
