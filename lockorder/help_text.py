"""Help as this command line shows it: the same text from every version of Python.

argparse has changed how it breaks a long usage and how it names an option with a value; what is
printed here is part of the documentation (docs/commands.md), so both are said here.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

#: Where the words about an argument begin.
_COLUMN = 28


class _Formatter(argparse.HelpFormatter):
    def __init__(self, prog: str, **settings: Any) -> None:
        super().__init__(prog, **{"max_help_position": _COLUMN, **settings})
        self._action_max_length = _COLUMN  # one column everywhere, whatever is in a list

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        """Where no usage is given: the arguments, and that there are options, which follow."""
        if usage is None:
            options = any(a.option_strings for a in actions)  # none: the name of a verb is made
            shown = [self._format_args(a, a.dest) for a in actions if not a.option_strings]
            usage = " ".join(["%(prog)s", *(["[options]"] if options else []), *shown])
        super().add_usage(usage, actions, groups, prefix)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        """``-o, --output FILE``: what it takes is named once."""
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        default = self._get_default_metavar_for_optional(action)
        return f"{', '.join(action.option_strings)} {self._format_args(action, default)}"


class Parser(argparse.ArgumentParser):
    """A parser, and through it its verbs, with that help."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"formatter_class": _Formatter, **settings})
