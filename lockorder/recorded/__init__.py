"""Recorded runs in the model's terms: from trace files to orders, cycles and what the rules see.

Cycles are looked for among the lock instances of each process, and told by lock classes, so that
the same one in 512 ranks is one finding.
"""
