"""Features of Python that random programs use, one a file."""
