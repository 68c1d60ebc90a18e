"""Abstract interpretation: what functions do to locks."""
