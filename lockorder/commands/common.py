"""What the verbs share: exit codes, output, problems."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from rich.console import Console

from lockorder.commands import writing
from lockorder.model import Document, Level
from lockorder.report import text
from lockorder.report.excerpts import Excerpts
from lockorder.report.formats import WIDTH, render, write_text

CLEAN, FOUND, FAILED = 0, 1, 2
#: Shells that `lockorder completion` writes for.
SHELLS = ("bash", "zsh", "fish", "tcsh")


class UsageError(Exception):
    """Something the user asked for cannot be done; the text says what to do instead."""


def emit(
    document: Document,
    fmt: str,
    output: Path | None,
    root: Path,
    base: Path | None = None,
    *,
    text_to_stderr: bool = False,
    verbose: bool = False,
) -> None:
    """Write *document* to *output*, or to stdout; files are named from *base* (default: here).

    With *text_to_stderr* what is made for people goes there: stdout is another program's.

    Raises UsageError where the file cannot be written.
    """
    if fmt == "text" and output is None:
        console = console_of(sys.stderr if text_to_stderr else sys.stdout)
        write_text(document, Excerpts(root, base), console, verbose)
        return
    data, cut = render(document, fmt, Excerpts(root, base), verbose)
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    else:
        write(output, data)
    say(f"lockorder: warning: {line}" for line in cut)


def emit_all(
    document: Document,
    args: argparse.Namespace,
    root: Path,
    *,
    text_to_stderr: bool = False,
    silent: bool = False,
) -> None:
    """Write the report that was asked for, and every one that was asked for also.

    With *silent* only the latter.  Raises UsageError where one cannot be written; the others are.
    """
    verbose: bool = args.verbose
    if not silent:
        emit(
            document, args.format, args.output, root, text_to_stderr=text_to_stderr, verbose=verbose
        )
    failed: list[UsageError] = []
    for fmt, file in args.also:
        try:
            emit(document, fmt, file, root, verbose=verbose)
        except UsageError as error:
            failed.append(error)
    if failed:
        say(f"lockorder: error: {error}" for error in failed[:-1])
        raise failed[-1]


def console_of(stream: TextIO) -> Console:
    """What writes text for people to *stream*."""
    # What goes to no terminal is the same for everybody, whatever COLUMNS says.
    width = None if stream.isatty() else WIDTH
    return _Console(file=stream, width=width, highlight=False)


class _Console(Console):
    """rich leaves on a broken pipe by itself, with an exit code of its own."""

    def on_broken_pipe(self) -> None:
        """Let the command line decide."""
        raise BrokenPipeError


def write(path: Path, data: bytes) -> None:
    """Write a file that was asked for; raises UsageError where it cannot be written."""
    try:
        writing.write(path, data)
    except OSError as error:
        raise UsageError(f"{path}: cannot write: {error.strerror or error}") from None


def say(lines: Iterable[str], quiet: bool = False) -> None:
    """Progress and summaries go to stderr."""
    if not quiet:
        for line in lines:
            print(text.printable(line), file=sys.stderr)


def exit_code(document: Document, problems: bool, exit_zero: bool) -> int:
    """The contract: 2 for what could not be analysed, 1 for errors and warnings, else 0."""
    if problems:
        return FAILED
    serious = any(f.level in (Level.ERROR, Level.WARNING) for f in document.findings)
    return FOUND if serious and not exit_zero else CLEAN
