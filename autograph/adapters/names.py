"""Names of tensor libraries: the only place in `autograph` that lists them."""

from __future__ import annotations

from types import FunctionType
from typing import Any

TENSOR_LIBRARIES = frozenset(
    {"jax", "jaxlib", "ml_dtypes", "numpy", "opt_einsum", "runtime", "scipy", "tensorflow", "torch"}
)
"""Top-level modules whose functions are never converted."""

CONVERSION_ERRORS = frozenset(
    {"ConcretizationTypeError", "TracerArrayConversionError", "TracerBoolConversionError",
     "TracerIntegerConversionError", "GuardOnDataDependentSymNode", "TraceContextError"}
)  # fmt: skip
"""Names of the errors by which libraries refuse what a program does with values that they trace."""

UNSTAGED = {
    "different trace level": "autograph stages no change of an object of flax.nnx: assign a local "
    "variable in the branch or loop, and that to the object after it.",
    "Recursively calling <weakref": "autograph stages no recursion: under jax.jit a function that "
    "calls itself on a traced array is traced without end. Write it as a loop.",
    "use a Tensor in some data-dependent control flow": "autograph stages a branch inside of "
    "torch.func.vmap in a compiled program only: call torch.compile(autograph.convert()(f)).",
}
"""What to do instead, by a part of the text of an error about what is not staged."""

TRANSFORMING = frozenset({"jax", "jaxlib"})
"""Top-level modules whose wrappers of functions keep the function as `__wrapped__`."""

_COMPILERS = ("torch._dynamo.",)
"""Beginnings of the names of modules whose wrappers compile a function. PyTorch has no public
test; without one, converting a compiled function would convert PyTorch's wrapper.
"""


def _jax() -> Any:
    from autograph.adapters.jax.staging import LIBRARY

    return LIBRARY


def _torch() -> Any:
    from autograph.adapters.torch.staging import LIBRARY

    return LIBRARY


ADAPTERS = {"jax": _jax, "jaxlib": _jax, "torch": _torch}
"""From a top-level module to what loads the object that stages its values, on first use."""


def is_compiled(value: object) -> bool:
    """Return whether a value is what a compiler makes of a function or module.

    >>> is_compiled(len)
    False
    """
    names = value.__globals__ if isinstance(value, FunctionType) else vars(type(value))
    module = names.get("__name__" if isinstance(value, FunctionType) else "__module__")
    return isinstance(module, str) and module.startswith(_COMPILERS)
