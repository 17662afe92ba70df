"""The one place at which the converter comes in: what is traced is converted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import autograph
from autograph import errors, staging
from runtime.function.trace_type import Instance


def converted(python_function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with its control flow, and that of what it calls, ready to be staged."""
    convert = autograph.convert(recursive=True, user_requested=True)
    return convert(python_function)


def adopt(arguments: Iterable[Any]) -> None:
    """Has properties and operators of the arguments' classes converted in the trace."""
    autograph.adopt(*(each.value if isinstance(each, Instance) else each for each in arguments))


@contextmanager
def around_trace(outermost: bool) -> Iterator[None]:
    """Stands around each trace.

    Args:
      outermost: whether no other trace is running around this one. Only there errors become the
        exceptions that users see, since user code inside a trace must not catch them.
    """
    with staging.tracing():
        if outermost:
            with errors.boundary():
                yield
        else:
            yield
