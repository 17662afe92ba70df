"""A variable as an operand: Python and NumPy get its value."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime.core.aliases import DTypeLike
from runtime.core.dtypes import DType
from runtime.core.tensor import Operators, Tensor
from runtime.ops.base.convert import convert_to_tensor
from runtime.state.variable_type import VariableArgument


class Shown(type):
    """The metaclass of variables: shows the parameters of `__init__`, not those of `__new__`."""

    @property
    def __signature__(cls) -> inspect.Signature:
        """The signature of the constructor."""
        init = next(vars(kind)["__init__"] for kind in cls.__mro__ if "__init__" in vars(kind))
        constructor = inspect.signature(init)
        return constructor.replace(parameters=[*constructor.parameters.values()][1:])


class Operand(VariableArgument, Operators):
    """The conversions of `Variable`: each reads the value first."""

    def __tf_tensor__(self, dtype: DType | None, name: str | None) -> Tensor:
        """Return the value as an operand."""
        value = self.read_value()
        return value if dtype is None else convert_to_tensor(value, dtype)

    def __bool__(self) -> bool:
        return bool(self.read_value())

    def __int__(self) -> int:
        return int(self.read_value())  # type: ignore[call-overload, no-any-return]

    def __float__(self) -> float:
        return float(self.read_value())  # type: ignore[arg-type]

    def __index__(self) -> int:
        return self.read_value().__index__()  # type: ignore[attr-defined, no-any-return]

    def __len__(self) -> int:
        return len(self.read_value())  # type: ignore[arg-type]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.read_value())

    def __array__(self, dtype: DTypeLike = None, copy: bool | None = None) -> Any:
        return np.array(self.numpy(), dtype=dtype)

    def __format__(self, spec: str) -> str:
        return format(self.numpy(), spec) if spec else str(self)
