"""Recursion as deep as a text is nested, within the recursion limit of the process.

Python counts the frames of each thread by itself. A walk that gets deep goes on on a thread of its
own, whose stack is empty and large, while its caller waits. The recursion limit, which belongs to
the whole process, is never changed.
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
"""Bytes of a thread's stack. The parser of libcst takes about 1 KB for each level of nesting."""

_FRAMES_PER_CALL = 8
"""The frames that one step of a recursion takes at most."""

_here = threading.local()
_sizing = Lock()


def on_own_stack(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Calls a function on a thread of its own and waits for it; context variables are kept.

    Args:
      function: what to call; args, kwargs: with what.
    Returns: what it returns.
    Raises: what it raises.

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

    thread = threading.Thread(target=run, name="autograph")
    try:
        _start(thread)
    except RuntimeError:
        # No thread can be started: the program is ending, or has reached a limit of the system.
        return function(*args, **kwargs)
    thread.join()
    if errors:
        raise errors.pop()
    return results[0]


def _start(thread: threading.Thread) -> None:
    """Start a thread with a large stack.

    Python has one stack size for all threads to come. A thread that the program starts in between
    gets the large one, too: address space, of which only the pages that it touches take memory. A
    size that the program sets in between stays.
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
    """How many calls of recursive functions may be inside each other on one stack."""
    return sys.getrecursionlimit() // (2 * _FRAMES_PER_CALL)


def any_depth(function: F) -> F:
    """Decorates a recursive function, which then recurses as deep as its input is nested.

    Before the frames of a thread come near the recursion limit, a call goes on on another thread.

    >>> @any_depth
    ... def count(n):
    ...     return n and 1 + count(n - 1)
    >>> count(5000)
    5000
    """

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        depth = getattr(_here, "depth", 0)
        if depth >= calls_on_a_stack():
            return on_own_stack(call, *args, **kwargs)
        _here.depth = depth + 1
        try:
            return function(*args, **kwargs)
        finally:
            _here.depth = depth

    return call  # type: ignore[return-value]
