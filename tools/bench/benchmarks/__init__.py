"""One benchmark in each file: a docstring that says what is measured, and `run(session)`."""
