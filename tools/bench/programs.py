"""The programs that are measured: texts made to a size, and functions that are run."""

from __future__ import annotations

import importlib.util
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

_numbers = itertools.count()

TWENTY_LINES = """\
def {name}(xs, limit):
    total, count = 0.0, 0
    largest = None
    for x in xs:
        if x < 0:
            continue
        if x > limit:
            break
        if largest is None or x > largest:
            largest = x
        total += x
        count += 1
    step = {number}
    while total > limit:
        total = total / 2
        step += 1
        if step > 10 and count > 3:
            return total, step
    mean = total / count if count else 0.0
    return mean, largest


"""


def fresh_name() -> str:
    """A function name that no text of this run had before, so that no cache knows the text."""
    return f"program_{next(_numbers)}"


def straight(statements: int) -> str:
    """A function of plain statements, each of which uses the one before it."""
    forms = ("x{here} = x{before} * 2 - a", "x{here} = max(x{before}, b)", "x{here} = [x{before}]")
    lines = [f"def {fresh_name()}(a, b):", "    x0 = a + b"]
    for here in range(1, statements - 1):
        form = forms[here % len(forms)]
        lines.append("    " + form.format(here=here, before=here - 1))
    lines.append(f"    return x{statements - 2}")
    return "\n".join(lines) + "\n"


def elif_chain(arms: int) -> str:
    """A function that is one chain of `elif` arms."""
    lines = [f"def {fresh_name()}(x):", "    if x == 0:", "        y = 0"]
    for number in range(1, arms):
        lines += [f"    elif x == {number}:", f"        y = {number * number}"]
    lines += ["    else:", "        y = -1", "    return y"]
    return "\n".join(lines) + "\n"


def copies(count: int, directory: Path) -> tuple[Path, list[str]]:
    """A module of `count` functions of twenty lines, each new; its path and their names."""
    names = [fresh_name() for _ in range(count)]
    text = "".join(TWENTY_LINES.format(name=name, number=i) for i, name in enumerate(names))
    path = directory / f"copies_{names[0]}.py"
    path.write_text(text, encoding="utf-8")
    return path, names


def load(path: Path) -> dict[str, Any]:
    """The names that a file defines."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


def function(text: str, directory: Path) -> Callable[..., Any]:
    """The one function that a text defines, from a file of its own."""
    name = text.partition("(")[0].removeprefix("def ")
    path = directory / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    found: Callable[..., Any] = load(path)[name]
    return found
