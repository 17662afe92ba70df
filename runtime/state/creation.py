"""Hooks for the creation of variables."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from runtime.core.thread import STATE


class Creation(type):
    """The metaclass of variables: applies the creators of `variable_creator_scope`.

    Only a class that defines `asks_creators` itself uses them; subclasses do not inherit it.
    """

    def __call__(cls, *args: object, **kwargs: object) -> Any:
        """Create a variable, or return the result of the creators."""
        if not STATE.creators or not cls.__dict__.get("asks_creators", False):
            return super().__call__(*args, **kwargs)
        bound = inspect.signature(cls.__dict__["__init__"]).bind(None, *args, **kwargs)
        bound.apply_defaults()
        _, *settings = bound.arguments.items()
        create: Callable[..., Any] = super().__call__
        for creator in STATE.creators:
            create = functools.partial(creator, create)
        return create(**dict(settings))

    @property
    def __signature__(cls) -> inspect.Signature:
        """The signature of the constructor."""
        init = next(vars(kind)["__init__"] for kind in cls.__mro__ if "__init__" in vars(kind))
        constructor = inspect.signature(init)
        return constructor.replace(parameters=[*constructor.parameters.values()][1:])


@contextmanager
def variable_creator_scope(variable_creator: Callable[..., Any]) -> Iterator[None]:
    """Call a function for each variable that this thread creates inside.

    Args:
      variable_creator: receives the next creator and all arguments of `Variable` by name. Returns a
        variable, usually the result of the next creator. The innermost scope is called first.

    >>> import runtime as tf
    >>> def frozen(next_creator, **kwargs):
    ...     return next_creator(**{**kwargs, "trainable": False})
    >>> with variable_creator_scope(frozen):
    ...     tf.Variable(1.0).trainable
    False
    """
    before = STATE.creators
    STATE.creators = (*before, variable_creator)
    try:
        yield
    finally:
        STATE.creators = before
