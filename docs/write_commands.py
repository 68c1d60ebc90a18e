"""Prints docs/commands.md: what each verb's --help says, from the program (`make docs`)."""

from __future__ import annotations

import argparse
import os

from lockorder.cli import parser

WIDTH = 100
HEAD = """\
# Commands

What `lockorder --help` and each verb's `--help` print; written by `make docs`. Examples are in the
[README](../README.md), settings in [configuration.md](configuration.md), what CI systems need in
[ci/README.md](ci/README.md).
"""


def main() -> None:
    os.environ |= {"COLUMNS": str(WIDTH), "NO_COLOR": "1"}
    top = parser()
    print(HEAD)
    show("lockorder", top)
    for verbs in top._actions:
        if isinstance(verbs, argparse._SubParsersAction):
            for verb, inner in verbs.choices.items():
                print()
                show(f"lockorder {verb}", inner)


def show(name: str, what: argparse.ArgumentParser) -> None:
    print(f"## {name}\n\n```\n{what.format_help().rstrip()}\n```")


if __name__ == "__main__":
    main()
