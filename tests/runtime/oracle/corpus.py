"""The programs of the corpus: functions of a library, which do everything through its names."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.runtime.oracle import programs

Program = Callable[[Any], Any]


@dataclass(frozen=True)
class Difference:
    """How a program is meant to end otherwise than with TensorFlow, and why.

    `tensorflow` and `here` are what the outcomes begin with, as `outcomes.shown` writes them.
    """

    reason: str
    tensorflow: str
    here: str


def differs(reason: str, *, tensorflow: str, here: str) -> Callable[[Program], Program]:
    """Declares that a program ends otherwise than with TensorFlow."""

    def declare(program: Program) -> Program:
        program.difference = Difference(reason, tensorflow, here)  # type: ignore[attr-defined]
        return program

    return declare


def graph_only(reason: str) -> Callable[[Program], Program]:
    """Declares that a program is about graphs: run without them it does something else."""

    def declare(program: Program) -> Program:
        program.graph_only = reason  # type: ignore[attr-defined]
        return program

    return declare


def all_programs() -> Iterator[tuple[str, Program]]:
    """Name and function of every program."""
    for module_info in pkgutil.iter_modules(programs.__path__):
        module = importlib.import_module(f"{programs.__name__}.{module_info.name}")
        for name, member in inspect.getmembers(module, inspect.isfunction):
            if member.__module__ == module.__name__ and not name.startswith("_"):
                yield f"{module_info.name}.{name}", member
