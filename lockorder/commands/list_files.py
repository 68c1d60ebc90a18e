"""``lockorder check --list-files``: what would be analysed, and nothing of it is."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

from lockorder.commands.common import CLEAN, FAILED, UsageError, say, write
from lockorder.globs import Globs
from lockorder.report.text import printable
from lockorder.static.discovery.listing import list_files


def show(args: argparse.Namespace, excluded: Globs) -> int:
    """Print the files, one a line or as a JSON list; the exit code says whether that is all."""
    if args.format not in ("text", "json"):
        raise UsageError(f"--list-files has no format {args.format}: text or json")
    files, problems, notes = list_files([Path(p) for p in args.paths], args.build_dir, excluded)
    if args.format == "json":
        data = msgspec.json.format(msgspec.json.encode(files), indent=1) + b"\n"
    else:
        data = "".join(f"{printable(f.file)}\n" for f in files).encode()
    if args.output is not None:
        write(args.output, data)
    else:
        sys.stdout.buffer.write(data)
    say(f"lockorder: error: {p}" for p in problems)
    say((f"lockorder: note: {n}" for n in notes), args.quiet)
    return FAILED if problems else CLEAN
