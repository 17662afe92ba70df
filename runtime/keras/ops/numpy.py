"""Python's operators on symbolic tensors, as operations that configs of models hold."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Self

import runtime as tf
from runtime.keras.base.names import auto_name
from runtime.keras.base.symbolic import (
    KerasTensor,
    Node,
    Operation,
    holds_keras_tensor,
    output_spec,
)


class NumpyOperation(Operation):
    """An operator in a functional model.

    Args:
      name: the name; None: a new one.
    """

    compute: Callable[..., Any]

    def __init__(self, name: str | None = None) -> None:
        """Gives the operation its name."""
        self._name = name or auto_name(type(self).__name__)
        self.nodes: list[Node] = []

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    def __call__(self, *args: Any) -> Any:
        """Apply the operator to tensors, or record it for symbolic ones."""
        compute = type(self).compute
        if not holds_keras_tensor(args, {}):
            return compute(*args)
        return self.record(args, {}, output_spec(compute, args, {}))

    def get_config(self) -> dict[str, Any]:
        """Return the name."""
        return {"name": self.name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Create the operation from `get_config`."""
        return cls(**config)


def _item(tensor: Any, key: Any) -> Any:
    return tensor[tuple(key) if isinstance(key, list) else key]


_OPERATORS: dict[str, tuple[str, Callable[..., Any]]] = {
    "add": ("Add", operator.add),
    "sub": ("Subtract", operator.sub),
    "mul": ("Multiply", operator.mul),
    "truediv": ("TrueDivide", operator.truediv),
    "floordiv": ("FloorDivide", operator.floordiv),
    "mod": ("Mod", operator.mod),
    "pow": ("Power", operator.pow),
    "matmul": ("Matmul", tf.matmul),
    "neg": ("Negative", operator.neg),
    "abs": ("Absolute", tf.abs),
    "eq": ("Equal", tf.equal),
    "ne": ("NotEqual", tf.not_equal),
    "lt": ("Less", operator.lt),
    "le": ("LessEqual", operator.le),
    "gt": ("Greater", operator.gt),
    "ge": ("GreaterEqual", operator.ge),
    "and": ("LogicalAnd", operator.and_),
    "or": ("LogicalOr", operator.or_),
    "xor": ("LogicalXor", operator.xor),
    "invert": ("LogicalNot", operator.invert),
    "getitem": ("GetItem", _item),
}
"""For each operator of Python the name of the operation in Keras, and what it computes."""

_REFLECTED = (
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "matmul",
    "and",
    "or",
    "xor",
)


def _operation(name: str, compute: Callable[..., Any]) -> type[NumpyOperation]:
    names = {
        "__module__": __name__,
        "__doc__": f"The operator `{name}` in a functional model.",
        "compute": staticmethod(compute),
    }
    return type(name, (NumpyOperation,), names)


def _bind(sign: str, kind: type[NumpyOperation]) -> None:
    """Have an operator on symbolic tensors record an operation."""
    setattr(KerasTensor, f"__{sign}__", lambda *operands: kind()(*operands))
    if sign in _REFLECTED:
        setattr(KerasTensor, f"__r{sign}__", lambda right, left: kind()(left, right))


for _sign, (_name, _compute) in _OPERATORS.items():
    globals()[_name] = _operation(_name, _compute)
    _bind(_sign, globals()[_name])
