"""The command line: parses and dispatches, nothing else."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import lockorder
from lockorder import uncollected
from lockorder.commands.common import FAILED, SHELLS, UsageError, say
from lockorder.help_text import Parser
from lockorder.report.formats import EXPORTS, FORMATS

#: Options that name a file to write; --also may do so several times
_WRITTEN = ("output", "snapshot", "write-baseline")


def parser() -> Parser:
    """The whole command line."""
    top = Parser(
        prog="lockorder",
        description="Finds what can deadlock in GPU communication stacks.",
        epilog="Exit codes: 0 no finding, 1 errors or warnings found, "
        "2 something asked for could not be done.",
    )
    top.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    verbs = top.add_subparsers(dest="verb", required=True, metavar="COMMAND")

    one = verbs.add_parser("check", help="analyse C, C++ and CUDA sources")
    one.add_argument("paths", nargs="*", default=["."], metavar="PATH", help="files or folders")
    one.add_argument("-p", dest="build_dir", type=Path, metavar="BUILD_DIR",
                     help="folder with compile_commands.json (default: flags guessed)")  # fmt: skip
    _common(one)
    one.add_argument("--list-files", action="store_true",
                     help="only say which files would be analysed")  # fmt: skip
    one.add_argument("--require-complete", action="store_true",
                     help="missing headers are an error (exit 2)")  # fmt: skip
    one.add_argument("--changed-since", metavar="REV",
                     help="only what has come, or is touched, since this git revision")  # fmt: skip
    one.add_argument("--with-run", type=Path, action="append", metavar="DIR",
                     help="put what this recorded run confirms first; may be repeated")  # fmt: skip
    one.add_argument("--no-cache", action="store_true",
                     help="read everything again, and keep nothing for later runs")  # fmt: skip
    one.add_argument("--dask", default="", metavar="ADDRESS",
                     help="read on the workers of the Dask scheduler there")  # fmt: skip
    one.set_defaults(run=_command("check"))

    live = verbs.add_parser(
        "run",
        help="run a command under the probe, then analyse what was recorded",
        usage="lockorder run [options] -- CMD ...",
        epilog="Returns the command's own exit code (128+N where signal N killed it).",
    )
    live.add_argument("-o", "--output-dir", type=Path, metavar="DIR",
                      help="folder for the traces (default: lockorder-run-DATE-TIME)")  # fmt: skip
    live.add_argument("--live", action="store_true",
                      help="show threads, locks and orders while it runs")  # fmt: skip
    live.add_argument("--hang-timeout", type=float, default=0.0, metavar="S",
                      help="when nothing moves for S seconds: say why, as `hang` does")  # fmt: skip
    live.add_argument("--on-hang", choices=("report", "kill"), default="report",
                      help="then: leave the job alone, or end it and return 124")  # fmt: skip
    live.add_argument("--budget", type=_share, metavar="N%",
                      help="of CPU time: the most that recording locks may take")  # fmt: skip
    live.add_argument("--error-exitcode", type=int, metavar="N",
                      help="return N where errors or warnings are found")  # fmt: skip
    _all(live)
    _common(live)
    live.add_argument("command", nargs=argparse.REMAINDER, metavar="CMD", help="after --")
    live.set_defaults(run=_command("run"))

    runs = verbs.add_parser("analyze", help="analyse recorded runs, all ranks together")
    runs.add_argument("folders", nargs="+", metavar="DIR",
                      help="folders with traces, or PyTorch's flight-recorder dumps")  # fmt: skip
    _all(runs)
    _common(runs)
    runs.add_argument("--dask", default="", metavar="ADDRESS",
                      help="read on the workers of the Dask scheduler there")  # fmt: skip
    runs.set_defaults(run=_command("analyze"))

    _compare(verbs)

    stuck = verbs.add_parser(
        "hang",
        help="why is this job stuck: processes, core files, recorded runs, dumps, snapshots",
        epilog="Without arguments all jobs of this machine are looked at. Processes are looked at "
        "twice and are not stopped; only where native stacks are needed a tool attaches, after "
        "that. Attaching ends some calls which wait with EINTR, as SIGSTOP does (epoll_wait, "
        "sigwaitinfo, semop: signal(7)); a program that takes this for an error may end.",
    )
    stuck.add_argument(
        "--pid", type=_process, nargs="+", action="extend", metavar="PID", help="live processes"
    )
    stuck.add_argument("--no-children", action="store_true",
                       help="only these, and not all that are below them")  # fmt: skip
    stuck.add_argument("--children", action="store_true", help=argparse.SUPPRESS)  # as always now
    stuck.add_argument("--wait", type=_seconds, default=2.0, metavar="S",
                       help="seconds between the two looks (2)")  # fmt: skip
    stuck.add_argument(
        "--core", type=Path, nargs="+", action="extend", metavar="FILE", help="core files"
    )
    stuck.add_argument("--exe", type=Path, nargs="+", action="extend", metavar="FILE",
                       help="their programs, in the same order")  # fmt: skip
    stuck.add_argument("--snapshot", type=Path, metavar="FILE",
                       help="also save what was found, for `lockorder hang DIR` later")  # fmt: skip
    _common(stuck)
    stuck.add_argument("inputs", type=Path, nargs="*", metavar="DIR",
                       help="folders with traces, dumps or snapshots")  # fmt: skip
    stuck.set_defaults(run=_command("hang"))

    _export(verbs.add_parser(
        "export",
        help="a result or a recorded run as a page, or for other programs",
        epilog="html goes into a file that is named after INPUT, other forms to stdout; "
        "--output - is stdout. Exit codes: 0 written, 2 INPUT could not be read, or not whole.",
    ))  # fmt: skip

    _doctor(verbs.add_parser(
        "doctor",
        help="what a run or a check will not see, said beforehand",
        usage="lockorder doctor [options] [--pid PID] [--static PATH] [FILE ...] [-- CMD ...]",
        epilog="Exit codes: 0 nothing, or notes only; 1 warnings or problems; 2 something "
        "asked for could not be looked at.",
    ))  # fmt: skip

    _debug(verbs.add_parser(
        "debug",
        help="look inside a check: what was read, what functions do to locks, why a place has "
        "no finding",
        epilog="facts: what was read of a function. summary: what it does to locks, for its "
        "callers. orders: between which locks, and why they make no cycle. why: of a place or a "
        "function, who comes there with what, which calls have no target, what was left out. "
        "Exit codes: 0 answered; 2 there is no such place or function, or something could not be "
        "analysed.",
    ))  # fmt: skip
    _config(verbs.add_parser("config", help="which configuration counts; is it in order"))
    _without_options(verbs)
    return top


def _command(name: str) -> Callable[[argparse.Namespace], int]:
    """A verb's function; its module is loaded when it is called, for the others cost time."""

    def run(args: argparse.Namespace) -> int:
        code: int = importlib.import_module(f"lockorder.commands.{name}").run(args)
        return code

    return run


def _without_options(verbs: argparse._SubParsersAction[Parser]) -> None:
    two = verbs.add_parser("explain", help="what a rule means; without a rule, the list")
    two.add_argument("rule", nargs="?", metavar="RULE")
    two.set_defaults(run=_command("explain"))

    shell = verbs.add_parser("completion", help="a script that completes lockorder in a shell",
                             epilog="For one bash: . <(lockorder completion bash)")  # fmt: skip
    shell.add_argument("shell", choices=SHELLS)
    shell.set_defaults(run=_command("completion"))

    three = verbs.add_parser("demo", help="a bundled deadlock, found; no GPU needed")
    three.set_defaults(run=_command("demo"))


def _export(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("inputs", type=Path, nargs="+", metavar="INPUT",
                      help="a result (--format json) of check, analyze or hang, or folders "
                      "with traces or flight-recorder dumps")  # fmt: skip
    verb.add_argument("--to", choices=tuple(EXPORTS), required=True, help="the form")
    verb.add_argument("--output", type=Path, metavar="FILE", help="write there")
    verb.add_argument("--sources", type=Path, metavar="DIR",
                      help="the folder that the result's files are named from "
                      "(default: here, or the repository around)")  # fmt: skip
    verb.add_argument("--config", type=Path, metavar="FILE",
                      help="configuration (default: the nearest file that has one)")  # fmt: skip
    verb.add_argument("-j", dest="jobs", type=_positive, default=0, metavar="N",
                      help="worker processes (default: one a core)")  # fmt: skip
    verb.add_argument("-q", "--quiet", action="store_true", help="do not say what was written")
    verb.set_defaults(run=_command("export"))


def _doctor(before: argparse.ArgumentParser) -> None:
    before.add_argument("-o", "--output-dir", type=Path, default=Path(), metavar="DIR",
                        help="where the traces would go (default: here)")  # fmt: skip
    before.add_argument("--pid", type=_positive, metavar="PID", help="a process that runs")
    before.add_argument("--static", type=Path, action="append", metavar="PATH",
                        help="sources: what a check of them will see and miss")  # fmt: skip
    before.add_argument("-p", dest="build_dir", type=Path, metavar="BUILD_DIR",
                        help="with --static: folder with a compile_commands.json")  # fmt: skip
    before.add_argument("--format", choices=("text", "json"), default="text")
    before.add_argument("--output", type=Path, metavar="FILE", help="write there, not to stdout")
    before.add_argument("-q", "--quiet", action="store_true", help="no summary")
    before.add_argument("targets", nargs=argparse.REMAINDER, metavar="FILE ... -- CMD",
                        help="programs or libraries; a command, after --")  # fmt: skip
    before.set_defaults(run=_command("doctor"))


def _config(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("path", nargs="?", default=".", metavar="PATH", help="what is to be checked")
    verb.add_argument("--schema", action="store_true",
                      help="print the JSON Schema of a lockorder.toml")  # fmt: skip
    verb.set_defaults(run=_command("config"))


def _debug(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("what", choices=("facts", "summary", "orders", "why"), metavar="QUESTION",
                      help="facts, summary, orders or why")  # fmt: skip
    verb.add_argument("where", metavar="WHERE",
                      help="FILE:LINE, or a function's name; for orders also a lock's")  # fmt: skip
    verb.add_argument("paths", nargs="*", default=["."], metavar="PATH",
                      help="files or folders, as for check (default: .)")  # fmt: skip
    verb.add_argument("-p", dest="build_dir", type=Path, metavar="BUILD_DIR",
                      help="folder with compile_commands.json")  # fmt: skip
    verb.add_argument("--format", choices=("text", "json"), default="text")
    verb.add_argument("--output", type=Path, metavar="FILE", help="write there, not to stdout")
    verb.add_argument("--config", type=Path, metavar="FILE",
                      help="configuration (default: the nearest file that has one)")  # fmt: skip
    verb.add_argument("--no-cache", action="store_true",
                      help="read everything again, and keep nothing for later runs")  # fmt: skip
    verb.add_argument("-j", dest="jobs", type=_positive, default=0, metavar="N",
                      help="worker processes (default: one a core)")  # fmt: skip
    verb.add_argument("-q", "--quiet", action="store_true", help="no notes")
    verb.set_defaults(run=_command("debug"))


def _compare(verbs: argparse._SubParsersAction[Parser]) -> None:
    both = verbs.add_parser(
        "compare",
        help="what was predicted from sources, beside what ran",
        epilog="A result is what --format json --output FILE writes.",
    )
    both.add_argument("static", type=Path, metavar="STATIC",
                      help="sources, or the result of a check")  # fmt: skip
    both.add_argument("runs", type=Path, nargs="+", metavar="RUN",
                      help="folders with traces, or results of analyze")  # fmt: skip
    _common(both)
    both.set_defaults(run=_command("compare"))


def _share(text: str) -> float:
    """A share that is written as a percentage, from above 0 to 1."""
    with contextlib.suppress(ValueError):
        share = float(text.removesuffix("%")) / 100
        if text.endswith("%") and 0 < share <= 1:
            return share
    raise argparse.ArgumentTypeError(f"{text} is no share above 0% and up to 100%, such as 1%")


def _all(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--all", action="store_true",
                      help="also tell what only happens inside of libraries")  # fmt: skip


def _common(verb: argparse.ArgumentParser) -> None:
    verb.add_argument("--format", choices=FORMATS, default="text")
    verb.add_argument("--output", type=Path, metavar="FILE", help="write there, not to stdout")
    verb.add_argument("--also", type=_also, action="append", default=[], metavar="FORMAT=FILE",
                      help="a further report of the same run; may be repeated")  # fmt: skip
    verb.add_argument("--config", type=Path, metavar="FILE",
                      help="configuration (default: the nearest file that has one)")  # fmt: skip
    verb.add_argument("--select", metavar="RULE,...", help="only these rules")
    verb.add_argument("--ignore", metavar="RULE,...", help="not these rules")
    verb.add_argument("--baseline", type=Path, metavar="FILE",
                      help="what is in it is known, and does not count")  # fmt: skip
    verb.add_argument("--write-baseline", type=Path, metavar="FILE",
                      help="write what is found now into a baseline")  # fmt: skip
    verb.add_argument("--exit-zero", action="store_true", help="findings do not fail the run")
    verb.add_argument("-j", dest="jobs", type=_positive, default=0, metavar="N",
                      help="worker processes (default: one a core)")  # fmt: skip
    loud = verb.add_mutually_exclusive_group()
    loud.add_argument("-v", "--verbose", action="store_true", help="say more")
    loud.add_argument("-q", "--quiet", action="store_true", help="no summary")


class _Version(argparse.Action):
    """As argparse's own, but the version is looked up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        print(f"lockorder {lockorder.__version__}")
        parser.exit()


def _also(text: str) -> tuple[str, Path]:
    fmt, _, file = text.partition("=")
    if fmt not in FORMATS or not file:
        raise argparse.ArgumentTypeError(f"{text}: FORMAT=FILE, FORMAT of {', '.join(FORMATS)}")
    return fmt, Path(file)


def _process(text: str) -> int | Path:
    """A process, or what is to be looked at beside it: ``--pid 17 DIR``."""
    return Path(text) if not text.isdecimal() and os.path.exists(text) else _positive(text)


def _seconds(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0.0 < number < 3600.0:
        raise argparse.ArgumentTypeError(f"{text} is no time between 0 and 3600 seconds")
    return number


def _positive(text: str) -> int:
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number


def _check_files(args: argparse.Namespace) -> None:
    """Raises UsageError where one file is to hold two things, or is the baseline to be read."""
    given = vars(args)
    named = [(f"--{key}", given.get(key.replace("-", "_"))) for key in _WRITTEN]
    named += [("--also", file) for _, file in given.get("also", ())]
    taken: dict[str, str] = {}
    if given.get("baseline") is not None:
        taken[os.path.realpath(given["baseline"])] = "--baseline"
    for option, file in named:
        if file is None or (file.exists() and not file.is_file()):
            continue  # a pipe or a device takes as much as comes
        full = os.path.realpath(file)
        other = taken.get(full, "")
        if other and (other, option) != ("--baseline", "--write-baseline"):
            raise UsageError(f"{file}: named by {other} and by {option}: one would be lost")
        taken[full] = option


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a name that cannot be shown is escaped
            stream.reconfigure(errors="backslashreplace")
    try:
        args = parser().parse_args(argv)
        _check_files(args)
        code: int = args.run(args)
        if sys.stdout is not None:
            sys.stdout.flush()
    except UsageError as error:
        say([f"lockorder: error: {error}"])
        return FAILED
    except BrokenPipeError:
        # The reader of our output (head, less) went away: nobody is left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        print(f"lockorder: error: cannot write: {error.strerror or error}", file=sys.stderr)
        with contextlib.suppress(OSError):  # or the interpreter would try to flush it again
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except KeyboardInterrupt:
        print("lockorder: interrupted", file=sys.stderr)
        return 130
    return code


def program() -> int:
    """Run one command in a process that ends with it; returns the exit code."""
    uncollected.for_good()
    code = main()
    uncollected.end()
    return code


if __name__ == "__main__":
    sys.exit(program())
