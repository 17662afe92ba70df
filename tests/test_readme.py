"""What the README shows is what happens."""

from __future__ import annotations

import doctest
import re
from itertools import takewhile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"


def test_the_examples_of_the_readme_run() -> None:
    results = doctest.testfile(
        str(README), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )
    assert results.attempted >= 5
    assert results.failed == 0


def modules_and_folders(package: str) -> set[str]:
    entries = (path for path in (ROOT / package).iterdir() if path.suffix in {"", ".py"})
    names = {path.name + "/" * path.is_dir() for path in entries}
    return names - {"__init__.py", "__pycache__/", "py.typed"}


def named_in_the_architecture(package: str) -> set[str]:
    text = README.read_text(encoding="utf-8").partition("## Architecture")[2]
    _, _, part = text.partition(f"    {package}/\n")
    lines = part.partition("\n\n")[0].split("\n")
    inside = [line[6:] for line in takewhile(lambda line: line.startswith(" " * 6), lines)]
    entry = re.compile(r"\w+(?:/|\.py)(?= |$)")
    return {name for line in inside if line[0] != " " for name in entry.findall(line)}


@pytest.mark.parametrize("package", ["autograph", "runtime"])
def test_the_architecture_names_every_module_and_folder_of(package: str) -> None:
    assert named_in_the_architecture(package) == modules_and_folders(package)
