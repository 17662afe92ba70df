"""Assertions inside a traced function: they run with the graph."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from runtime.core.context import inside_function
from runtime.core.errors import Raised
from runtime.core.structure import flatten, unflatten
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.ops.effects.python import numpy_function

Check = TypeVar("Check", bound=Callable[..., None])


def at_run_time(check: Check) -> Check:
    """Make an assertion part of the function being traced, if there is one.

    Args:
      check: a method of a test that takes tensors and returns None.
    """

    @functools.wraps(check)
    def checked(self: object, *args: object, **kwargs: object) -> None:
        leaves, node = flatten((args, kwargs)) if inside_function() else ([], None)
        places = [at for at, leaf in enumerate(leaves) if _symbolic(leaf)]
        if not places:
            check(self, *args, **kwargs)
            return

        def run(*values: object) -> Any:
            for at, value in zip(places, values, strict=True):
                leaves[at] = value
            plain_args, plain_kwargs = unflatten(node, leaves)
            try:
                check(self, *plain_args, **plain_kwargs)
            except AssertionError as error:  # it fails the test as it is, not as a failed operation
                raise Raised(error) from None
            return np.int32(0)

        numpy_function(run, [leaves[at] for at in places], np.int32)

    return checked  # type: ignore[return-value]


def _symbolic(leaf: object) -> bool:
    return isinstance(leaf, SymbolicTensor) or (
        hasattr(leaf, "handle") and not isinstance(leaf, Tensor)
    )
