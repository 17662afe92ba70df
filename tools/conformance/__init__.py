"""CPython's own tests, and those of well-known packages, run on converted code."""
