"""Values that are one of several alternatives, selected by an int32 tensor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from autograph.operators.alternatives import OneOf, checked, is_none
from autograph.reach.classes import program_class
from runtime.core.assignments import assignments
from runtime.core.dtypes import DType
from runtime.core.errors import StagingError, VariantError
from runtime.core.places import Place, user_line, user_name, user_place
from runtime.core.tensor import Tensor
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.effects.output import raise_when
from runtime.ops.math.logic import equal


class TensorOneOf(OneOf):
    """One of several values: that at `position`, an int32 scalar. Others may hold placeholders."""

    __slots__ = ("__autograph_place__", "__autograph_position__")

    def __init__(self, values: Sequence[Any], position: Tensor, name: str) -> None:
        super().__init__(values, name)
        object.__setattr__(self, "__autograph_position__", position)
        object.__setattr__(self, "__autograph_place__", user_place())

    def __autograph_is_at__(self, position: int) -> Tensor:
        """Return whether the value at a position is selected, a bool scalar."""
        return equal(self.__autograph_position__, position)

    def __autograph_with__(self, values: Iterable[Any]) -> TensorOneOf:
        """Return the same selection among other values."""
        return type(self)(tuple(values), self.__autograph_position__, self.__autograph_name__)

    def __autograph_check__(self) -> None:
        """Make the graph raise if the value is None."""
        text = (
            f"{_called(self)} is None here.{user_line()}\nA statement gives it None, or a "
            f"value:\n{self.__autograph_merge__()}\nTest it by `is None`, and use it where it has "
            "a value."
        )
        raise_when(is_none(self), TypeError(text))

    def __autograph_refusal__(self, use: str) -> StagingError:
        """Return the error of a use that needs one type."""
        shown = " or ".join(map(_shown, self.__autograph_values__))
        return StagingError(
            f"{_called(self)} is {shown}, as a tensor decides, and is {use}."
            f"{user_line()}\nA statement gives it one of them:\n"
            f"{self.__autograph_merge__()}\n"
            "In converted code, test it by `is None`, call it or a method of it, or pass it to a "
            "function, which is traced for each of them.",
            public=VariantError,
        )

    def __autograph_merge__(self) -> str:
        """Return the lines of the statement that selects, and of the values."""
        place: Place | None = self.__autograph_place__
        return "" if place is None else f"  {place}{assignments(place, self.__autograph_name__)}"

    def __tf_tensor__(self, dtype: DType | None, name: str | None) -> Tensor:
        """Return the value as an operand, after a check that it is not None."""
        value = checked(self, "used as a tensor")
        return convert_to_tensor(value, dtype)


TensorOneOf.__name__ = TensorOneOf.__qualname__ = "value"


def _called(value: TensorOneOf) -> str:
    return f"`{user_name(value) or value.__autograph_name__}`"


def _shown(value: object) -> str:
    if isinstance(value, Tensor):
        return f"{value.spec}"
    kind = program_class(type(value))
    if kind.__repr__ is object.__repr__:
        return f"an object of the class {kind.__name__}"
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
