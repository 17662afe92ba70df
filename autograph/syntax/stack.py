"""Deep recursion without a change of the process's recursion limit.

Python counts frames per thread. A deep walk continues on a new thread with a large, empty stack,
while its caller waits.
"""

from __future__ import annotations

import contextvars
import functools
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from autograph.forks import Lock

F = TypeVar("F", bound=Callable[..., Any])

_STACK = 64 << 20
"""Stack size of a thread in bytes. libcst's parser takes about 1 KB for each level of nesting."""

_FRAMES_PER_CALL = 8
"""Maximum number of frames for one step of a recursion."""

CONVERTING = "autograph"
"""The name of these threads."""

_here = threading.local()
_sizing = Lock()


def on_own_stack(function: Callable[..., Any], /, *args: object, **kwargs: object) -> Any:
    """Call a function on a new thread and wait for it. Context variables are kept.

    Args:
      function: the function.
      *args, **kwargs: its arguments.

    Returns:
      The result of the function. Its exceptions pass through.

    >>> on_own_stack(max, 1, 2)
    2
    """
    context = contextvars.copy_context()
    results: list[Any] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(context.run(function, *args, **kwargs))
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, name=CONVERTING)
    try:
        _start(thread)
    except RuntimeError:
        # No thread can start: the interpreter is shutting down, or a system limit is reached.
        return function(*args, **kwargs)
    thread.join()
    if errors:
        raise errors.pop()
    return results[0]


def _start(thread: threading.Thread) -> None:
    """Start a thread with a large stack.

    Python has one stack size for all new threads. A thread that the program starts concurrently
    gets the large stack, too: only the pages that it touches take memory. A size that the program
    sets concurrently is kept.
    """
    with _sizing:
        before = threading.stack_size(_STACK)
        try:
            thread.start()
        finally:
            found = threading.stack_size(before)
            if found != _STACK:
                threading.stack_size(found)


def calls_on_a_stack() -> int:
    """Return the maximum depth of recursive calls on one stack."""
    return sys.getrecursionlimit() // (2 * _FRAMES_PER_CALL)


def any_depth(function: F) -> F:
    """Decorate a recursive function to recurse without a depth limit.

    Before a thread reaches the recursion limit, the recursion continues on another thread.

    >>> @any_depth
    ... def count(n):
    ...     return n and 1 + count(n - 1)
    >>> count(5000)
    5000
    """

    @functools.wraps(function)
    def call(*args: object, **kwargs: object) -> Any:
        depth = getattr(_here, "depth", 0)
        if depth >= calls_on_a_stack():
            return on_own_stack(call, *args, **kwargs)
        _here.depth = depth + 1
        try:
            return function(*args, **kwargs)
        finally:
            _here.depth = depth

    return call  # type: ignore[return-value]
