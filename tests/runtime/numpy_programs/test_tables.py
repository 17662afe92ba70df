"""The tables from functions of NumPy to operations, and what the README says of them."""

from __future__ import annotations

import re
from pathlib import Path

import runtime as tf
from runtime.numpy_programs.program import TABLES

README = Path(tf.__file__).parents[1] / "README.md"


def names() -> set[str]:
    found = {ufunc.__name__ for ufunc in TABLES.ufuncs}
    for function in TABLES.functions:
        module = function.__module__.removeprefix("numpy").lstrip(".")
        found.add(f"{module}.{function.__name__}".lstrip("."))
    return found


def test_the_readme_lists_the_functions_with_operations() -> None:
    section = README.read_text(encoding="utf-8").partition("## NumPy programs")[2]
    rows = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    table = " ".join(row for row in rows if not row.startswith(("| of NumPy", "| methods")))
    assert set(re.findall(r"`([\w.]+)`", table)) == names()
