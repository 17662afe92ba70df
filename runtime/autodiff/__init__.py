"""Gradients: of what tapes note and of whole graphs; the walk back knows no op by name.

`runtime.autodiff` offers `ForwardAccumulator`; what is here besides it is the machinery.
"""

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    """Loads `ForwardAccumulator` when it is asked for: it needs loops, whose gradients are here."""
    if name == "ForwardAccumulator":
        return importlib.import_module("runtime.autodiff.forward").ForwardAccumulator
    raise AttributeError(f"module 'runtime.autodiff' has no attribute {name!r}")


def __dir__() -> list[str]:
    """The public names."""
    return ["ForwardAccumulator"]
