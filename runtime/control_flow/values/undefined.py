"""Variables that are undefined unless a branch was taken or a loop ran."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.operators.alternatives import asked_by_own_code
from runtime.control_flow.values.forms import Form, Formed, FormOf, Leaf
from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.handlers import refuse_handled
from runtime.core.places import instead_of_return, user_place
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Operators, Tensor
from runtime.core.thread import STATE
from runtime.ops.base.convert import constant_of, convert_to_tensor, weakened, weakness
from runtime.ops.effects.output import raise_when
from runtime.ops.math.elementwise import logical_not


class PossiblyUndefined(Operators, Formed):
    """A tensor that is defined at run time only if `defined` is true.

    A use as an operand raises at run time if it is undefined, with Python's exception.
    """

    def __init__(self, value: Tensor, defined: Tensor, variable: str) -> None:
        self.held = value
        self.defined = defined
        self.variable = variable
        self._place = user_place()

    @property
    def __autograph_defined__(self) -> Tensor:
        """A bool of Python, as a tensor: whether the variable has a value."""
        return weakened(self.defined)

    @property
    def __autograph_value__(self) -> Tensor:
        """The value, without a check that it is defined."""
        return self.held

    def form(self, form_of: FormOf) -> Form:
        """Return the form: a tensor that may be undefined."""
        return Leaf(self.spec, weakness(self.held), self.variable)

    @property
    def spec(self) -> TensorSpec:
        """Dtype and shape."""
        return self.held.spec

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        return self.held.dtype

    @property
    def shape(self) -> TensorShape:
        """The static shape."""
        return self.held.shape

    def __tf_tensor__(self, dtype: DType | None, name: str | None) -> Tensor:
        """Return the value as an operand, after a check that it is defined."""
        held = self.__autograph_read__()
        return held if dtype is None else convert_to_tensor(held, dtype)

    def __autograph_read__(self) -> Tensor:
        """Return the value, after a check that it is defined."""
        error = unbound_error(self.variable)
        refuse_handled(error, "Use hasattr(), getattr() with a default, or a value from the start.")
        with instead_of_return(self._place):
            raise_when(logical_not(self.defined), error)
        return self.held

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """The class of the value for `isinstance` in the program, after the check."""
        return type(self if asked_by_own_code() else self.__autograph_read__())

    def __repr__(self) -> str:
        STATE.texts_shown += 1
        return f"<{self.variable}: {self.spec}, possibly undefined>"


# Python's own messages show the class name to users.
PossiblyUndefined.__name__ = PossiblyUndefined.__qualname__ = "Tensor"


def unbound_error(label: str) -> Exception:
    """Return the exception that Python raises for a read of an undefined variable or attribute.

    >>> unbound_error("box.v")
    AttributeError("'box.v' has no value: the code that assigns it did not run")
    """
    if "." in label:
        return AttributeError(f"{label!r} has no value: the code that assigns it did not run")
    return UnboundLocalError(
        f"cannot access local variable {label!r} where it is not associated with a value"
    )


def placeholder(spec: TensorSpec) -> Tensor:
    """Return a tensor of the spec to carry instead of a value."""
    return constant_of(any_array(spec))


def any_array(spec: TensorSpec) -> Any:
    """Return a placeholder of the spec for a value that nothing reads."""
    dims = tuple(dim or 0 for dim in spec.dims or ())
    empty: Any = b"" if spec.dtype is dtypes.string else 0
    return np.full(dims, empty, spec.dtype.numpy_dtype)
