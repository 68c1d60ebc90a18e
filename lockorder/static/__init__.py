"""Static front end: C++ sources to a lock-order graph.  See docs/architecture.md."""
