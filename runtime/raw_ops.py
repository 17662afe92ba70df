"""`runtime.raw_ops`: one function for each op type of graphs, with arguments by name.

>>> import runtime as tf
>>> print(tf.raw_ops.MatMul(a=[[1.0]], b=[[2.0]], transpose_a=True))
tf.Tensor([[2.]], shape=(1, 1), dtype=float32)
"""

from runtime.export.single_ops import SingleOp, single_op, single_op_types


def __getattr__(name: str) -> SingleOp:
    """The function for an op type. Raises AttributeError if the runtime has no such op type."""
    try:
        return single_op(name)
    except KeyError:
        raise AttributeError(f"module 'runtime.raw_ops' has no attribute {name!r}") from None


def __dir__() -> list[str]:
    """The op types."""
    return single_op_types()
