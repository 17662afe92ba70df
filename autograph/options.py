"""What can be chosen about a conversion."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass


class Feature(enum.Enum):
    """Optional parts of a conversion in TensorFlow, under the names that they have there.

    Functions take them so that programs written for TensorFlow run. Naming one changes nothing but
    what `print` does, because nothing else is optional:

    - `ASSERT_STATEMENTS`: always on; `assert` on a staged value becomes an operation.
    - `BUILTIN_FUNCTIONS`: always on; `len`, `range`, `max` and the like are staged. Asked for by
      name, `print` shows staged values when the program runs; otherwise it does so in staged
      statements only, and shows once, while it is traced, what stands for them elsewhere.
    - `LISTS`: always on; a list to which a staged loop appends grows while the program runs.
    - `EQUALITY_OPERATORS`: `==` and `!=` keep the meaning that the class of the operands gives
      them, in plain and in converted code; chains of comparisons are staged.
    - `AUTO_CONTROL_DEPS`: the order of effects is kept by the library that stages, not here.
    - `NAME_SCOPES`: no effect; converted code opens no scopes.
    - `ALL`: all of these.
    """

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"


@dataclass(frozen=True)
class ConversionOptions:
    """The options of one conversion.

    Args:
      recursive: convert the functions that are called too.
      user_requested: whether the user asked for it by name; kept for TensorFlow's signature.
      optional_features: the features asked for.
      strict: refuse a function of which anything would stay Python.
    """

    recursive: bool = True
    user_requested: bool = True
    optional_features: frozenset[Feature] = frozenset()
    strict: bool = False


def feature_set(features: Feature | Iterable[Feature] | None) -> frozenset[Feature]:
    """The features that a caller named: one, several or none.

    Raises: TypeError if something else than a feature is among them.

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
