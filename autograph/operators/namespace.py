"""The object `ag__`: the operators of converted code."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from autograph.conversion.libraries import Namespace
from autograph.errors import StagingError
from autograph.operators import (
    alternatives,
    attributes,
    comparisons,
    comprehensions,
    control_flow,
    identity,
    items,
    logic,
    moved,
    texts,
    variables,
)

Definition = TypeVar("Definition")


def named(qualname: str) -> Callable[[Definition], Definition]:
    """Decorates a function or class that goes by its name in the user's own text.

    >>> @named("f.<locals>.g")
    ... def g(): ...
    >>> g.__qualname__
    'f.<locals>.g'
    """

    def name(definition: Definition) -> Definition:
        if isinstance(definition, FunctionType):
            definition.__qualname__ = qualname
        elif isinstance(definition, type):
            # Its metaclass may refuse assignments.
            type.__setattr__(definition, "__qualname__", qualname)
        return definition

    return name


class Operators(Namespace):
    """All operators, with `converted` for one set of options.

    Args:
      converted: returns the replacement of a callable.
      reduce: the result of `__reduce__`.
      of_tracers: see `ConversionOptions`.
    """

    def __init__(
        self,
        converted: Callable[[Any], Any],
        reduce: tuple[Callable[..., Any], tuple[Any, ...]],
        of_tracers: bool = False,
    ) -> None:
        """Bind the operators."""
        # Instance attributes: Python looks them up faster than class attributes.
        self.converted = converted
        self.if_stmt = control_flow.if_stmt
        self.if_chain = control_flow.if_chain
        self.if_exp = logic.if_exp
        self.while_stmt = control_flow.while_stmt
        self.for_stmt = control_flow.for_stmt
        self.assert_stmt = control_flow.assert_stmt
        self.and_ = logic.and_
        self.or_ = logic.or_
        self.not_ = alternatives.not_
        self.in_ = comparisons.in_
        self.not_in = comparisons.not_in
        self.eq = comparisons.eq
        self.ne = comparisons.ne
        self.is_ = identity.is_traced if of_tracers else identity.is_
        self.type_ = attributes.type_
        self.names = attributes.names
        self.is_not = identity.is_not_traced if of_tracers else identity.is_not
        self.is_none = identity.is_none
        self.not_none = identity.not_none
        self.compare = comparisons.compare
        self.items_for_python = moved.items_for_python
        self.begin = comprehensions.begin
        self.gen_exp = comprehensions.gen_exp
        self.list_comp = comprehensions.list_comp
        self.format = texts.formatted
        self.format_map = texts.format_map
        self.join = texts.join
        self.percent = texts.percent
        self.printed = texts.printed
        self.named = named
        self.undefined = variables.undefined
        self.ld = variables.ld
        self.ld_free = variables.ld_free
        self.ldu = variables.ldu
        self.s_ = items.s_
        self.get_item = items.get_item
        self.set_item = items.set_item
        self.update_item = items.update_item
        self.at = items.at
        self.StagingError = StagingError
        self._reduce = reduce

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Unpickle as the object for the same options."""
        return self._reduce

    def __repr__(self) -> str:
        """Return a short text, because debuggers show it next to the user's variables."""
        return "<operators of converted code>"
