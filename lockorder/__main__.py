"""``python -m lockorder``."""

import sys

from lockorder.cli import main

sys.exit(main())
