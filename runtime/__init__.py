"""Tensors, graphs and functions on NumPy, under the names of TensorFlow 2.

>>> import runtime as tf
>>> @tf.function
... def scale(x, by):
...     return x * by
>>> scale(tf.constant([1.0, 2.0]), 3.0)
<tf.Tensor: shape=(2,), dtype=float32, numpy=array([3., 6.], dtype=float32)>
"""

from autograph import namespaces
from autograph.staging import StagingLibrary, register
from runtime import operators
from runtime.absent import absent_from
from runtime.core import tensor
from runtime.ops import primitives  # noqa: F401 - op types that others call by name


def _library() -> StagingLibrary:
    # Loaded when converted code meets the first tensor: it takes as long as all else of the import.
    from runtime.staging import LIBRARY

    return LIBRARY


operators.install()
register(tensor.Staged, _library)

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__, absent_from(__name__))
