"""The table of offsets against the debug information of the interpreters that are here."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from tools.python_layouts import offsets

from hung import interpreters
from lockorder.hang.pylayouts import TABLE, VERSIONS, of_version

_LIBRARY = (
    "import sys, sysconfig; print(sys.version_info[1], sysconfig.get_config_var('LIBDIR'), "
    "sysconfig.get_config_var('INSTSONAME'))"
)


@pytest.mark.parametrize("python", interpreters(), ids=str)
def test_table(python: Path) -> None:
    if shutil.which("gdb") is None:
        pytest.skip("gdb reads debug information")
    said = subprocess.check_output([python, "-c", _LIBRARY], text=True).split()
    version, library = int(said[0]), Path(said[1], said[2])
    program = library if library.is_file() else python
    found = offsets(program)
    if all(offset < 0 for offset in found.values()):
        pytest.skip(f"{program} has no debug information")
    column = VERSIONS.index(version)
    assert found == {row: columns[column] for row, columns in TABLE.items()}


def test_unknown() -> None:
    for version in (0, 8, 15, 99):
        assert of_version(version) is None
    known = of_version(12)
    assert known is not None
    assert known["PyCodeObject.co_lnotab"] == 136  # by the first of its names
