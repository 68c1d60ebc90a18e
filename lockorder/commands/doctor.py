"""``lockorder doctor``: what a run will not see, said before it."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path

from rich.console import Console

from lockorder.commands.common import CLEAN, FOUND, UsageError, say
from lockorder.commands.settings import settings
from lockorder.doctor import examine, machine
from lockorder.doctor.check import Check, serious
from lockorder.report import doctor as report
from lockorder.static.cache.folder import CacheError

#: Width of the text where it does not go to a terminal.
_WIDTH = 120


def run(args: argparse.Namespace) -> int:
    """Look, and tell; 1 where something is more than a note."""
    files, command = _targets(args.targets)
    checks: list[Check] = []
    try:
        if args.static:
            checks += _static(args)
        elif args.build_dir is not None:
            raise UsageError("-p is for sources: lockorder doctor --static PATH -p BUILD_DIR")
        elif not files and args.pid is None:
            checks += machine.checks(args.output_dir)
        for path in files:
            checks += examine.file(path)
        if args.pid is not None:
            checks += examine.process(args.pid)
        if command:
            checks += examine.command(command)
        elif not (files or args.static or args.pid is not None):
            checks += examine.default_python()
    except examine.ExamineError as error:
        raise UsageError(str(error)) from None
    _emit(checks, args.format, args.output)
    say([report.summary(checks)], args.quiet)
    return FOUND if serious(checks) else CLEAN


def _static(args: argparse.Namespace) -> list[Check]:
    # Loading the compiler takes longer than all else that doctor does.
    from lockorder.doctor import sources  # noqa: PLC0415

    missing = [str(p) for p in args.static if not p.exists()]
    if missing:
        raise UsageError(f"{missing[0]}: no such file or folder")
    config = settings(None, [str(p) for p in args.static])
    options = config.options(args.build_dir)
    try:
        return sources.examine(args.static, options)
    except CacheError as error:
        raise UsageError(str(error)) from None


def _targets(words: list[str]) -> tuple[list[str], list[str]]:
    """Files, and the command behind ``--``."""
    cut = words.index("--") if "--" in words else len(words)
    files, command = words[:cut], words[cut + 1 :]
    wrong = next((word for word in files if word.startswith("-")), None)
    if wrong is not None:
        raise UsageError(f"{wrong}: options come before files: lockorder doctor [options] FILE ...")
    if cut < len(words) and not command:
        raise UsageError("no command: lockorder doctor [options] -- CMD ...")
    return files, command


def _emit(checks: list[Check], fmt: str, output: Path | None) -> None:
    if fmt == "json":
        data = report.encode(checks)
    else:
        if output is None:
            width = None if sys.stdout.isatty() else _WIDTH
            report.write(checks, Console(highlight=False, width=width))
            return
        lines = io.StringIO()
        report.write(checks, Console(file=lines, width=_WIDTH, highlight=False))
        data = lines.getvalue().encode()
    if output is None:
        sys.stdout.buffer.write(data)
        return
    try:
        output.write_bytes(data)
    except OSError as error:
        raise UsageError(f"{output}: cannot write: {error.strerror or error}") from None
