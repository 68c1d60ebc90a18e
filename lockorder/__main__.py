"""``python -m lockorder``."""

import sys

from lockorder.cli import program

sys.exit(program())
