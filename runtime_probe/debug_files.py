"""Finds the files that describe a recorded object: the object itself, and its debug file.

The folders are those of GDB (its manual, 18.3 Debugging Information in Separate Files). A file is
only used if its build id is the recorded one: addresses in any other file mean something else.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence

from runtime_probe.elf_object import DAMAGE, ElfObject, reason

SYSTEM_DEBUG_FOLDER = "/usr/lib/debug"
ENVIRONMENT = "LOCKORDER_DEBUG_PATH"

_BUILD_ID = re.compile("(?:[0-9a-f]{2}){2,64}")


class DebugFiles:
    """Opens objects and their debug files."""

    def __init__(self, folders: Sequence[str] | None, report: Callable[[str], None]) -> None:
        """Remembers where to look.

        Args:
            folders: searched before /usr/lib/debug; None for those in LOCKORDER_DEBUG_PATH,
                separated by colons.
            report: told why a file was not used.
        """
        if folders is None:
            folders = os.environ.get(ENVIRONMENT, "").split(":")
        self._folders = [folder for folder in folders if folder] + [SYSTEM_DEBUG_FOLDER]
        self._report = report

    def object(self, path: str, build_id: str) -> ElfObject | None:
        """The recorded object, None (and a report) where it is not here or is another one."""
        try:
            elf = ElfObject(path)
        except FileNotFoundError:
            self._report(f"{path}: not on this machine")
            return None
        except DAMAGE as error:
            self._report(f"{path}: cannot be read: {reason(error)}")
            return None
        if elf.build_id != build_id.lower():
            self._report(
                f"{path}: not the file that was recorded (build id "
                f"{elf.build_id or 'none'}, recorded {build_id or 'none'})"
            )
            return None
        return elf

    def debug_file(self, build_id: str, elf: ElfObject | None) -> ElfObject | None:
        """The debug file with this build id, or the one that `elf` links to; None without one."""
        build_id = build_id.lower()
        if _BUILD_ID.fullmatch(build_id):
            for path in self._by_build_id(build_id):
                found = self._open(path)
                if found is not None:
                    if found.build_id == build_id:
                        return found
                    self._report(f"{path}: its build id is {found.build_id or 'none'}")
        return self._linked(elf) if elf is not None else None

    def _by_build_id(self, build_id: str) -> Iterator[str]:
        name = os.path.join(build_id[:2], build_id[2:] + ".debug")
        for folder in self._folders:
            yield os.path.join(folder, ".build-id", name)
            yield os.path.join(folder, name)

    def _linked(self, elf: ElfObject) -> ElfObject | None:
        try:
            link = elf.debug_link()
        except DAMAGE as error:
            self._report(f"{elf.path}: .gnu_debuglink: {reason(error)}")
            return None
        if link is None or link[0] in ("", ".", "..") or "/" in link[0]:
            return None
        name, checksum = link
        folder = os.path.dirname(os.path.realpath(elf.path))
        places = [folder, os.path.join(folder, ".debug")]
        places += [os.path.join(root, folder.lstrip("/")) for root in self._folders]
        for place in places:
            path = os.path.join(place, name)
            found = self._open(path) if path != elf.path else None
            if found is None:
                continue
            if found.build_id == elf.build_id and (elf.build_id or found.checksum() == checksum):
                return found
            self._report(f"{path}: not the debug file of {elf.path}")
        return None

    def _open(self, path: str) -> ElfObject | None:
        try:
            return ElfObject(path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except DAMAGE as error:
            self._report(f"{path}: cannot be read: {reason(error)}")
            return None
