"""The state of this thread during calls of layers; names of layers, paths of variables."""

from __future__ import annotations

import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class _Context(threading.local):
    training: Any = None
    calling: bool = False
    path: tuple[str, ...] = ()
    compute_dtype: Any = None
    losses: bool = False
    created: tuple[Any, ...] = ()


CONTEXT = _Context()
"""The calls that this thread is in.

`training` is that of the outermost call, None if it did not say. `calling` is true inside a call of
a layer. `path` holds the names of the layers that are being built, the outermost first. Float
variables are read in `compute_dtype`, None for their own. `losses` is true after any `add_loss`.
`created` holds the variables that layers have created in the outermost call.
"""

_counts: Counter[str] = Counter()


def snake_case(name: str) -> str:
    """Return the name of a class as Keras names its layers."""
    name = re.sub(r"\W+", "", name)
    name = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", name).lower()


def auto_name(prefix: str) -> str:
    """Return a name that no object of this process has: `dense`, `dense_1`, ..."""
    prefix = snake_case(prefix)
    _counts[prefix] += 1
    number = _counts[prefix] - 1
    return f"{prefix}_{number}" if number else prefix


def reset_names() -> None:
    """Start all counters of names anew."""
    _counts.clear()


@contextmanager
def path_scope(name: str) -> Iterator[None]:
    """Put a name before the paths of variables created inside, in this thread."""
    before = CONTEXT.path
    CONTEXT.path = (*before, name)
    try:
        yield
    finally:
        CONTEXT.path = before


def path_of(variable: Any) -> str:
    """Return the names of the layers around a variable and its own, as far as it has any."""
    return str(getattr(variable, "path", variable.name))
