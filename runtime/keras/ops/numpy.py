"""Python's operators on symbolic tensors, as operations that configs of models hold."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import runtime as tf
from runtime.keras.base.names import auto_name
from runtime.keras.base.symbolic import KerasTensor, Operation, holds_keras_tensor, output_spec
from runtime.keras.families import Described


class NumpyOperation(Operation, Described):
    """An operator in a functional model."""

    compute: Callable[..., Any]

    def __init__(self, name: str | None = None) -> None:
        self._name = name or auto_name(type(self).__name__)
        self.nodes = []

    def __call__(self, *args: Any) -> Any:
        """Apply the operator to tensors, or record it for symbolic ones."""
        compute = type(self).compute
        if not holds_keras_tensor(args, {}):
            return compute(*args)
        return self.record(args, {}, output_spec(compute, args, {}))

    def get_config(self) -> dict[str, Any]:
        """Return the name."""
        return {"name": self.name}


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
    "and": ("LogicalAnd", operator.and_),
    "or": ("LogicalOr", operator.or_),
    "xor": ("LogicalXor", operator.xor),
}
"""For each operator that Python can reflect its name in Keras, and what it computes."""

_PLAIN: dict[str, tuple[str, Callable[..., Any]]] = {
    "neg": ("Negative", operator.neg),
    "abs": ("Absolute", tf.abs),
    "eq": ("Equal", tf.equal),
    "ne": ("NotEqual", tf.not_equal),
    "lt": ("Less", operator.lt),
    "le": ("LessEqual", operator.le),
    "gt": ("Greater", operator.gt),
    "ge": ("GreaterEqual", operator.ge),
    "invert": ("LogicalNot", operator.invert),
    "getitem": ("GetItem", _item),
}
"""The other operators."""


def _bind(sign: str, name: str, compute: Callable[..., Any]) -> None:
    """Create the class of an operator, and have it record operators on symbolic tensors."""
    names = {
        "__module__": __name__,
        "__doc__": f"The operator `{name}` in a functional model.",
        "compute": staticmethod(compute),
    }
    kind: Any = type(name, (NumpyOperation,), names)
    globals()[name] = kind
    setattr(KerasTensor, f"__{sign}__", lambda *operands: kind()(*operands))
    if sign in _OPERATORS:
        setattr(KerasTensor, f"__r{sign}__", lambda right, left: kind()(left, right))


for _sign, (_name, _compute) in (_OPERATORS | _PLAIN).items():
    _bind(_sign, _name, _compute)
