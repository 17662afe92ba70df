"""The options of a conversion."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol


class Feature(enum.Enum):
    """Optional features of TensorFlow's conversion, with TensorFlow's names.

    They exist so that programs for TensorFlow run. Only `BUILTIN_FUNCTIONS` has an effect, on
    `print`:

    - `ASSERT_STATEMENTS`: always on; `assert` on a staged value becomes an operation.
    - `BUILTIN_FUNCTIONS`: always on; `len`, `range`, `max` and the like are staged. Asked for by
      name, `print` shows staged values when the program runs; otherwise it does so in staged
      statements only, and shows once, while it is traced, what represents them elsewhere.
    - `LISTS`: always on; a list to which a staged loop appends grows while the program runs.
    - `EQUALITY_OPERATORS`: `==` and `!=` keep the meaning that the class of the operands gives
      them, in plain and in converted code; chains of comparisons are staged.
    - `AUTO_CONTROL_DEPS`: the order of effects is kept by the library that stages, not here.
    - `NAME_SCOPES`: no effect; converted code opens no scopes.
    - `ALL`: all of these.

    >>> Feature("LISTS")
    <Feature.LISTS: 'LISTS'>
    """

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"


class Replacements(Protocol):
    """A library's own versions of the functions that converted code calls."""

    def concern(self, value: object) -> bool:
        """Return whether calls of a value, or of the members of a module, are converted."""

    def of(self, function: object) -> Callable[..., Any] | None:
        """Return the version of a function; None: the function itself."""


@dataclass(frozen=True)
class ConversionOptions:
    """The options of one conversion.

    Args:
      recursive: whether to convert called functions, too.
      user_requested: has no effect; kept for TensorFlow's signature.
      optional_features: the requested features.
      strict: raise if any statement would stay Python.
      replacements: versions of the functions that converted code calls; None: the functions.
      of_tracers: whether the code is of a library that is written for traced values: there
        `is True` asks whether the traced value is that object, and not whether Python would have
        it; and what a call reads from outside, such as a random name, is meant for the trace.

    >>> ConversionOptions(strict=True).recursive
    True
    """

    recursive: bool = True
    user_requested: bool = True
    optional_features: frozenset[Feature] = frozenset()
    strict: bool = False
    replacements: Replacements | None = None
    of_tracers: bool = False


def feature_set(features: Feature | Iterable[Feature] | None) -> frozenset[Feature]:
    """Return one, several or no features as a set.

    Args:
      features: what the program passed.

    Raises:
      TypeError: if an item is no Feature.

    >>> feature_set(Feature.LISTS) == feature_set([Feature.LISTS])
    True
    """
    if features is None:
        return frozenset()
    found = frozenset([features] if isinstance(features, Feature) else features)
    for each in found:
        if not isinstance(each, Feature):
            raise TypeError(f"{each!r} is no feature; the features are {', '.join(_NAMES)}")
    return found


_NAMES = [f"Feature.{each.name}" for each in Feature]
