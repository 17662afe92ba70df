"""The kernels of `fixtures.kernels` for each library: makers of a call without arguments.

A call copies the arguments first, because some kernels change them.
"""

from __future__ import annotations

import copy
import functools
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from fixtures.kernels import KERNELS

SIZE = 3
"""Size of the arguments."""

REFUSED_BY_NUMBA = frozenset({"game_of_life_by_slices"})
"""Kernels that numba does not compile: it has no generators of arrays."""

NATURAL_IN_JAX = frozenset({"black_scholes"})
"""Kernels that assign no items, and have no loop or branch on values."""


def _compiled(library: Any, name: str, options: dict[str, bool]) -> Callable[..., Any]:
    function = KERNELS[name].function
    if library.__name__ == "runtime":
        return library.function(function, numpy=True, **options)  # type: ignore[no-any-return]
    if library.__name__ == "numba":
        return library.njit(function)  # type: ignore[no-any-return]
    if library.__name__ == "jax":
        library.config.update("jax_enable_x64", True)
        return library.jit(_with_names_of(function, library.numpy))  # type: ignore[no-any-return]
    return function


def _with_names_of(function: Any, numpy: Any) -> Callable[..., Any]:
    """Return a function for which `np` is another module."""
    return types.FunctionType(function.__code__, {**function.__globals__, "np": numpy})


def make(name: str, library: Any, **options: bool) -> tuple[Callable[[], Any], list[Any]]:
    """Return a call of a kernel, and no arguments; `options` are those of `runtime.function`.

    Raises:
      ValueError: if its result is not that of plain NumPy.
    """
    kernel = KERNELS[name]
    arguments = kernel.arguments(np.random.default_rng(1), SIZE)
    function = _compiled(library, name, options)
    want = kernel.function(*copy.deepcopy(arguments))
    got = function(*copy.deepcopy(arguments))
    for one, other in zip(_leaves(want), _leaves(got), strict=True):
        if not np.allclose(np.asarray(one), np.asarray(other), rtol=1e-9, equal_nan=True):
            raise ValueError(f"{library.__name__} computes {other} for {name}, not {one}")
    return lambda: function(*copy.deepcopy(arguments)), []


def _leaves(value: Any) -> list[Any]:
    if not isinstance(value, (tuple, list)):
        return [value]
    return [leaf for part in value for leaf in _leaves(part)]


globals().update({name: functools.partial(make, name) for name in KERNELS})
