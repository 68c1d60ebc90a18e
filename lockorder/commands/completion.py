"""``lockorder completion``: a script that completes this command line in a shell.

What an argument takes is read off the name that the parser shows for it (FILE, DIR, RULE), so an
option that is new is completed without a word here.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import shtab

from lockorder.commands.common import CLEAN
from lockorder.rules import RULES

Completer = dict[str, str | dict[str, str]]

_RULES = " ".join(rule.id for rule in RULES)

#: One rule.
_RULE: Completer = {
    "bash": "_lockorder_rule",
    "zsh": f"({_RULES})",
    "fish": _RULES,
    "tcsh": f"({_RULES})",
    "preamble": {"bash": f'_lockorder_rule() {{\n  compgen -W "{_RULES}" -- "$1"\n}}'},
}
#: Rules between commas: what stands before the last comma is kept. tcsh completes the first.
_RULE_LIST: Completer = {
    "bash": "_lockorder_rules",
    "zsh": f"_values -s , rule {_RULES}",
    "fish": "(_lockorder_rules)",
    "tcsh": f"({_RULES})",
    "preamble": {
        "bash": f"""\
_lockorder_rules() {{
  local before=""
  [[ "$1" == *,* ]] && before="${{1%,*}},"
  compgen -P "$before" -W "{_RULES}" -- "${{1##*,}}"
}}""",
        "fish": f"""\
function _lockorder_rules
  set -l before (string replace -r '[^,]*$' '' -- (commandline -ct))
  for rule in {_RULES}
    echo $before$rule
  end
end""",
    },
}
#: A process of this machine.
_PROCESS: Completer = {
    "bash": "_lockorder_process",
    "zsh": "_pids",
    "fish": "(__fish_complete_pids)",
    "preamble": {
        "bash": """\
_lockorder_process() {
  (cd /proc 2>/dev/null && compgen -G "$1[0-9]*"; compgen -G "$1")
}"""
    },
}
#: A command, its options and its files.
_COMMAND: Completer = {
    "bash": "_lockorder_command",
    "zsh": "_lockorder_command",
    "fish": "(__fish_complete_subcommand --fcs-skip=2)",
    "tcsh": "c",
    "preamble": {
        "bash": '_lockorder_command() {\n  compgen -c -f -- "$1"\n}',
        "zsh": """\
_lockorder_command() {
  [[ $words[1] == -- ]] && { shift words; (( CURRENT -= 1 )) }
  (( CURRENT > 0 )) && _normal
}""",
    },
}
#: A name that git knows for a state of the sources.
_NAMES = "git for-each-ref --format='%(refname:short)' 2>/dev/null"
_REVISION: Completer = {
    "bash": "_lockorder_revision",
    "zsh": f"($({_NAMES}))",
    "fish": f"({_NAMES})",
    "preamble": {"bash": f'_lockorder_revision() {{\n  compgen -W "$({_NAMES})" -- "$1"\n}}'},
}

_BY_METAVAR: dict[str, Completer] = {
    "FILE": shtab.FILE,
    "PATH": shtab.FILE,
    "WHERE": shtab.FILE,
    "INPUT": shtab.FILE,
    "FILE ... -- CMD": shtab.FILE,
    "DIR": shtab.DIRECTORY,
    "BUILD_DIR": shtab.DIRECTORY,
    "RULE": _RULE,
    "RULE,...": _RULE_LIST,
    "PID": _PROCESS,
    "REV": _REVISION,
    "CMD": _COMMAND,
}


def run(args: argparse.Namespace) -> int:
    """Print the script of the shell that was asked for."""
    from lockorder.cli import parser  # noqa: PLC0415 - the command line names this module

    print(script(parser(), args.shell))
    return CLEAN


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """What *shell* (one of common.SHELLS) has to read to complete the command line of *parser*."""
    for action in _actions(parser):
        name = action.metavar if isinstance(action.metavar, str) else ""
        if name in _BY_METAVAR:
            action.complete = _BY_METAVAR[name]  # type: ignore[attr-defined]
    return shtab.complete(parser, shell)


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for verb in action.choices.values():
                yield from _actions(verb)
