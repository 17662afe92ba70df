"""Inputs of functional models."""

from __future__ import annotations

from typing import Any

from runtime.keras.base.layer import Layer
from runtime.keras.base.symbolic import KerasTensor


class InputLayer(Layer):
    """The layer whose output is an input of a model; see `Input`.

    Args:
      shape: the shape without the batch dimension.
      batch_size: the batch dimension; None: any.
      dtype: the dtype; None: float32.
      sparse, ragged: False; all tensors are dense.
      batch_shape: the shape with the batch dimension, in place of `shape`.
      input_tensor: a symbolic tensor that gives shape and dtype.
      optional: whether the input may be None.
      name: the name; None: a new one.
      input_shape: the same as `shape`.
      batch_input_shape: the same as `batch_shape`.

    Raises:
      ValueError: without a shape, and for sparse or ragged inputs.

    >>> InputLayer(shape=(3,)).output.shape
    TensorShape([None, 3])
    """

    def __init__(
        self,
        shape: Any = None,
        batch_size: int | None = None,
        dtype: Any = None,
        sparse: bool = False,
        ragged: bool = False,
        batch_shape: Any = None,
        input_tensor: Any = None,
        optional: bool = False,
        name: str | None = None,
        input_shape: Any = None,
        batch_input_shape: Any = None,
    ) -> None:
        """Creates the layer with its output."""
        super().__init__(name=name)
        shape = input_shape if shape is None else shape
        whole = batch_input_shape if batch_shape is None else batch_shape
        if isinstance(shape, int):
            raise ValueError(
                f"Cannot convert '{shape}' to a shape. Write it as a tuple: shape=({shape},)."
            )
        if sparse or ragged:
            raise ValueError(f"Input '{self.name}' is sparse or ragged; all inputs are dense here.")
        if input_tensor is not None:
            whole, dtype = input_tensor.shape, dtype or input_tensor.dtype
        elif whole is None and shape is None:
            raise ValueError("You must pass a `shape` argument.")
        self.batch_shape: tuple[int | None, ...] = (
            (batch_size, *shape) if whole is None else tuple(whole)
        )
        output = KerasTensor(self.batch_shape, dtype or "float32", name)
        self.input_dtype: str = output.dtype.name
        self.optional = optional
        self.built = True
        self.record((), {}, output)

    @property
    def dtype(self) -> str:
        """The dtype of the input."""
        return self.input_dtype

    def call(self, *args: Any) -> Any:
        """Return the input."""
        return args[0]

    def get_config(self) -> dict[str, Any]:
        """Return the arguments of the constructor."""
        return {
            "batch_shape": self.batch_shape,
            "dtype": self.input_dtype,
            "sparse": False,
            "ragged": False,
            "name": self.name,
            "optional": self.optional,
        }


def Input(
    shape: Any = None,
    batch_size: int | None = None,
    dtype: Any = None,
    sparse: bool = False,
    batch_shape: Any = None,
    name: str | None = None,
    tensor: Any = None,
    optional: bool = False,
) -> KerasTensor:
    """Create a symbolic tensor, from which layers compute others.

    Args:
      shape: the shape without the batch dimension.
      batch_size: the batch dimension; None: any.
      dtype: the dtype; None: float32.
      sparse: False; all tensors are dense.
      batch_shape: the shape with the batch dimension, in place of `shape`.
      name: the name; None: a new one.
      tensor: a symbolic tensor that gives shape and dtype.
      optional: whether the input may be None.

    Raises:
      ValueError: without a shape, and for sparse inputs.

    >>> Input((28, 28), name="image")
    <KerasTensor shape=(None, 28, 28), dtype=float32, sparse=False, ragged=False, name=image>
    """
    layer = InputLayer(shape, batch_size, dtype, sparse, False, batch_shape, tensor, optional, name)
    output: KerasTensor = layer.output
    return output
