"""Conversion of what a program overrides or passes, while a function is traced."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import autograph
import runtime as tf


def user_code(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function or method as converted while a function is traced; own ones as they are."""
    inner = getattr(function, "__func__", function)
    if not tf.inside_function() or str(getattr(inner, "__module__", "")).startswith("runtime."):
        return function
    converted = _converted(inner)
    owner = getattr(function, "__self__", None)
    return converted if owner is None else functools.partial(converted, owner)


@functools.lru_cache(maxsize=1024)
def _converted(function: Callable[..., Any]) -> Callable[..., Any]:
    return autograph.convert(recursive=True)(function)
