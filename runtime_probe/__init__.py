"""The runtime probe: starts programs under the preloaded shim and reads what it wrote.

Knows nothing of `lockorder`; the two meet in the files that this package reads.
"""
