"""All formats of a result, by name."""

from __future__ import annotations

import importlib
import io
from collections.abc import Callable

from rich.console import Console

from lockorder.model import Document, encode
from lockorder.report import comparison, exports, hang, hang_screen, run, text
from lockorder.report.excerpts import Excerpts
from lockorder.report.rendered import Rendered

_Render = Callable[[Document, Excerpts], Rendered]

#: Columns of a text that goes to no terminal: it has to be the same whoever asks for it.
WIDTH = 200


def write_text(
    document: Document, excerpts: Excerpts, console: Console, verbose: bool = False
) -> None:
    """The text for people, to a terminal or wherever *console* writes."""
    if document.headline:
        hang.write_headline(document, console)
    if document.processes and not verbose:
        hang_screen.write(document, excerpts, console)
        return
    text.write(document, excerpts, console, verbose)
    comparison.write(document, excerpts, console)
    run.write(document, console)
    hang.write(document, console)


def _text(document: Document, excerpts: Excerpts, verbose: bool = False) -> Rendered:
    lines = io.StringIO()
    console = Console(file=lines, width=WIDTH, highlight=False, color_system=None)
    write_text(document, excerpts, console, verbose)
    return Rendered(lines.getvalue().encode("utf-8", "backslashreplace"))


#: Those that are not made here are modules of that name beside this one.
FORMATS = ("text", "json", "sarif", "github", "markdown", "html")
#: What `export` writes, and how the name of a file in that form ends: forms that nobody reads in a
#: terminal go into a file of that name, where none was asked for; the others (no ending) to stdout.
EXPORTS = {"html": ".html", "json": "", "dot": "", "perfetto": ".perfetto-trace"}


def render(document: Document, fmt: str, excerpts: Excerpts, verbose: bool = False) -> Rendered:
    """*document* in the format of that name, one of ``FORMATS`` or ``EXPORTS``.

    Only text can be *verbose*: the others say the same to everybody.
    """
    if fmt == "text":
        return _text(document, excerpts, verbose)
    if fmt == "json":
        return Rendered(encode(document))
    # Loaded when asked for: the command line wants only the names, and wants them fast.
    module = importlib.import_module(f"lockorder.report.{fmt}")
    if exports.is_picture(fmt):
        return Rendered(module.render(document))
    renderer: _Render = module.render
    return renderer(document, excerpts)
