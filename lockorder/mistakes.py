"""Mistakes of lockorder's own: one of them must not cost the rest of a result.

Whoever works through many files or functions catches what one of them raises, tells it as a problem
of that one and goes on.  The problem names the place in lockorder, so that a report says enough.
"""

from __future__ import annotations

import os
import traceback

_HERE = os.path.dirname(os.path.abspath(__file__))


def told(error: BaseException) -> str:
    """A mistake in words: what was raised, where in lockorder, and what to do."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [x for x in frames if os.path.abspath(x.filename).startswith(_HERE + os.sep)]
    at = (own or frames)[-1:]
    place = f" in {os.path.relpath(at[0].filename, _HERE)}:{at[0].lineno}" if at else ""
    text = f"{type(error).__name__}: {error}".rstrip(": ").partition("\n")[0]
    return f"because of a mistake in lockorder ({text}{place}): please report it"
