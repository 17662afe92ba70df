"""Changes of Python objects by a traced program: they happen once, and no graph repeats them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FunctionType
from typing import Any

import torch

from autograph.adapters import refusals
from autograph.errors import StagingError
from autograph.reach.places import Place
from autograph.reach.reads import Reads
from autograph.reach.walk import Reach
from autograph.writes import last_name, line_of_write, reads_attribute


def walk(
    written: Callable[..., Any], values: Mapping[str, Any]
) -> tuple[list[torch.nn.Module], Reads]:
    """Return the modules that a function reaches, and what it reads.

    Args:
      written: the function.
      values: its arguments, by name.
    """
    names = {**values, _name_of(written): written}
    modules: dict[int, torch.nn.Module] = {}
    while True:
        reads = Reads(names)
        found = [each for each in reads.objects() if isinstance(each, torch.nn.Module)]
        fresh = {id(each): each for top in found for each in top.modules()}
        if fresh.keys() <= modules.keys():
            return list(modules.values()), reads
        modules.update(fresh)
        for number, module in enumerate(modules.values()):
            names[f"{_name_of(module)} {number}"] = module
            names[f"forward {number}"] = module.forward


def _name_of(value: object) -> str:
    return getattr(value, "__name__", type(value).__name__)


@contextmanager
def refused_changes(
    written: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Iterator[None]:
    """Refuse changes of objects by a call that becomes an exported program.

    An attribute of a module that no code reads may change: the program computes the same without.

    Args:
      written: the function as the user wrote it.
      args, kwargs: the arguments of the call.
    """
    values = dict(inspect.signature(written).bind_partial(*args, **kwargs).arguments)
    modules, reads = walk(written, values)
    values.update({f"{_name_of(each)} {number}": each for number, each in enumerate(modules)})
    before = Reach([written], values)
    yield
    for place in before.changed():
        if _is_read(place, modules, reads.functions):
            before.restore()
            raise changed_object("an exported program", place.label, written, reads.functions)


def _is_read(
    place: Place, modules: Iterable[torch.nn.Module], functions: Iterable[FunctionType]
) -> bool:
    of_module = any(place.owner is vars(each) for each in modules)
    return not of_module or reads_attribute(functions, last_name(place.label))


def changed_object(
    program: str, label: str, written: Callable[..., Any], functions: Iterable[FunctionType]
) -> StagingError:
    """Return the error for a change of an object.

    Args:
      program: what messages call the traced program.
      label: what the program calls the object.
      written: its function, as the user wrote it.
      functions: others that it reaches.
    """
    line = line_of_write(written, functions, label)
    return refusals.refusal(
        f"`{label}` is changed by {program}, once, while it is traced.",
        "Return the new value, or keep a tensor in a buffer of a module (`register_buffer`).",
        place=refusals.Place(*line) if line else place_of_function(written),
    )


def place_of_function(written: Callable[..., Any]) -> refusals.Place | None:
    """Return the line that defines a function; None for an object that is called."""
    code = getattr(written, "__code__", None)
    return code and refusals.Place(code.co_filename, code.co_firstlineno, code.co_name)
