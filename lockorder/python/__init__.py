"""Python sources: files, names, kinds of values, and the facts that the static analysis reads."""
