"""How much memory a process that reads sources may have.

Clang's recovery from errors can need tens of gigabytes for a small file (a lambda in a macro in
another lambda, with a type that no header declares).  A machine without memory ends programs as
it likes; a process that may not have more ends alone, and its file is read by other means, as after
any crash of libclang.
"""

from __future__ import annotations

import contextlib
import resource

from lockorder.bounds import READING_MEMORY


def limit() -> None:
    """This process, and those that it starts, may have `READING_MEMORY` bytes of address space."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = READING_MEMORY if most == resource.RLIM_INFINITY else min(READING_MEMORY, most)
    with contextlib.suppress(OSError, ValueError):  # where there is no such limit
        resource.setrlimit(resource.RLIMIT_AS, (wanted, most))
