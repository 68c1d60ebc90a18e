"""All units of a check: plans, processes, what is kept of each."""
