"""Orders of operations on communicators, compared across ranks."""
