"""Changes of Python objects by a traced program: they happen once, and no graph repeats them."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FunctionType
from typing import Any

import torch

from autograph.adapters import refusals
from autograph.conversion.class_facts import CACHED
from autograph.conversion.guard import ENTER
from autograph.conversion.libraries import is_installed
from autograph.errors import StagingError
from autograph.reach.places import Place
from autograph.reach.reads import Reads
from autograph.reach.record import Label
from autograph.reach.walk import Reach
from autograph.writes import last_name, line_of_write, reads_attribute

HOOKS = ("_forward_hooks", "_forward_pre_hooks")
"""The hooks of a module, of which it has no public list."""

_GENERATORS = ("random", "numpy.random")
"""The names of generators that their modules share."""


def _any(_: FunctionType) -> bool:
    return True


class _Reads(Reads):
    """The places that functions read, in modules of installed packages those that code mentions.

    TorchDynamo compiles a guard for each place, and a package that computes a name has thousands.

    Args:
      values: functions and other values, keyed by the user's names.
      counts: whether what a function reads counts.
    """

    def __init__(
        self, values: dict[str, Any], counts: Callable[[FunctionType], bool] = _any
    ) -> None:
        self._counts = counts
        super().__init__(values)

    def _look_at_function(self, function: FunctionType, label: Label = "") -> None:
        if self._counts(function):
            super()._look_at_function(function, label)

    def _names_of_module(self, names: dict[str, Any]) -> set[str]:
        mentioned = set(self.vocabulary.among(names))
        return mentioned if is_installed(names) else super()._names_of_module(names)


class Walk:
    """The modules that a function reaches, and what code reads there.

    Args:
      written: the function, as the user wrote it.
      values: its arguments, by what messages call them.

    Attributes:
      modules: with those inside of others.
      reads: what the function, the modules and their hooks read.
      recalled: the cached functions that gave an earlier result in a trace.
    """

    def __init__(self, written: Callable[..., Any], values: Mapping[str, Any]) -> None:
        self.modules: list[torch.nn.Module] = []
        self.recalled: list[Any] = []
        self._written = written
        self._values = dict(values)
        self._add_modules(list(self._values.values()))
        while True:
            self.reads = self.reads_of(_any)
            if not self._add_modules(self.reads.objects()):
                break

    def reads_of(self, counts: Callable[[FunctionType], bool]) -> Reads:
        """Return what the functions read that count, of those that are reached by them."""
        return _Reads({**self._values, _name_of(self._written): self._written}, counts)

    def recalled_reads(self) -> Reads:
        """Return what may have decided the results that came from caches of functions."""
        return _Reads(
            {f"{_name_of(each)} {number}": each for number, each in enumerate(self.recalled)}
        )

    def _add_modules(self, objects: Iterable[Any]) -> bool:
        """Add the modules among objects, with those inside; return whether there are new ones."""
        found = [each for each in objects if isinstance(each, torch.nn.Module)]
        inside = {id(each): each for top in found for each in top.modules()}
        known = set(map(id, self.modules))
        fresh = [each for number, each in inside.items() if number not in known]
        for number, module in enumerate(fresh, len(known)):
            self._values.update(_of_module(f"{_name_of(module)} {number}", module))
        self.modules += fresh
        return bool(fresh)

    def snapshot(self) -> Reach:
        """Return a snapshot of all objects that the function can change."""
        self._environment = set(os.environ)
        return Reach([self._written], self._values)

    @contextmanager
    def clean_caches(self) -> Iterator[None]:
        """Surround a trace: functions cached by `functools` keep none of its tensors."""
        cached: list[Any] = [each for each in self.reads.objects() if type(each) is CACHED]
        known = [each.cache_info() for each in cached]
        try:
            yield
        finally:
            for function, before in zip(cached, known, strict=True):
                now = function.cache_info()
                if now.hits != before.hits:
                    self.recalled.append(function)
                if now.misses != before.misses:
                    function.cache_clear()

    def changed(self, before: Reach) -> list[Place | str]:
        """Return the places that changed since a snapshot, and the names of other objects."""
        fresh = [each for each in os.environ if each not in self._environment]
        # PyTorch sets variables of its own on first use, such as the folder of Inductor's cache.
        own = {each: os.environ.pop(each) for each in fresh if each.startswith("TORCH")}
        places = [place for place, _ in before.changes(sealed=False)]
        os.environ.update(own)
        return [*places, *(each.label for each in before.sealed_changes())]

    def refusal(self, program: str, changed: Place | str) -> StagingError:
        """Return the error for a change.

        Args:
          program: what messages call the traced program.
          changed: the place or object.
        """
        label = changed if isinstance(changed, str) else changed.label
        line = line_of_write(self._written, self._functions(), label)
        remedy = (
            "Draw the numbers by PyTorch, such as torch.rand, or outside of the program."
            if label in _GENERATORS
            else "Return the new value, or keep a tensor in a buffer of a module "
            "(`register_buffer`)."
        )
        return refusals.refusal(
            f"`{label}` is changed by {program}, once, while it is traced.",
            remedy,
            place=refusals.Place(*line) if line else place_of_function(self._written),
        )

    def reads_place(self, changed: Place | str) -> bool:
        """Return whether code may read what changed: no attribute that no function names."""
        if isinstance(changed, str):
            return True
        of_module = any(changed.owner is vars(each) for each in self.modules)
        name = last_name(changed.label)
        return not of_module or reads_attribute(self._functions(), name)

    def _functions(self) -> list[FunctionType]:
        return [_written(each) for each in self.reads.functions]


def _of_module(name: str, module: torch.nn.Module) -> dict[str, Any]:
    """Return a module, its function and its hooks, by what messages call them."""
    hooks = [hook for kind in HOOKS for hook in getattr(module, kind).values()]
    named = {f"hook {number} of {name}": hook for number, hook in enumerate(hooks)}
    return {name: module, f"{name}.forward": module.forward, **named}


def _written(function: FunctionType) -> FunctionType:
    """Return what the user wrote, of a function that `convert` returned; others as they are."""
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    return cells[ENTER].cell_contents.written if ENTER in cells else function


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
    named = inspect.signature(written).bind_partial(*args, **kwargs).arguments
    walk = Walk(written, named)
    before = walk.snapshot()
    with walk.clean_caches():
        yield
    for changed in walk.changed(before):
        if walk.reads_place(changed):
            before.restore()
            raise walk.refusal("an exported program", changed)


def place_of_function(written: Callable[..., Any]) -> refusals.Place | None:
    """Return the line that defines a function; None for an object that is called."""
    code = getattr(written, "__code__", None)
    return code and refusals.Place(code.co_filename, code.co_firstlineno, code.co_name)
