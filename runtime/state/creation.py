"""How a program takes part in the making of each variable."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from runtime.core.thread import STATE


class Creation(type):
    """The class of the classes of variables: asks what `variable_creator_scope` was told.

    Only a class that says so itself, by `asks_creators`, asks; classes derived from it do not.
    """

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Makes a variable, or gives what the creators make in its place."""
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
        """The arguments of the constructor."""
        init = next(vars(kind)["__init__"] for kind in cls.__mro__ if "__init__" in vars(kind))
        constructor = inspect.signature(init)
        return constructor.replace(parameters=[*constructor.parameters.values()][1:])


@contextmanager
def variable_creator_scope(variable_creator: Callable[..., Any]) -> Iterator[None]:
    """Lets a function make, or change, each variable that is made inside, in this thread.

    Args:
      variable_creator: takes the next creator and by name all arguments of `Variable`, and gives a
        variable, in general what the next creator gives for them. The innermost is asked first.

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
