"""Inputs of functional models."""

from __future__ import annotations

from typing import Any

from runtime.keras.base.standard import StandardLayer
from runtime.keras.base.symbolic import KerasTensor


class InputLayer(StandardLayer):
    """The layer whose output is an input of a model; see `Input`.

    Args:
      shape: the shape without the batch dimension.
      batch_size: the batch dimension; None: any.
      dtype: the dtype; None: float32.
      batch_shape: the shape with the batch dimension, in place of `shape`.
      input_tensor: a symbolic tensor that gives shape and dtype.
      optional: whether the input may be None.
      name: the name; None: a new one.

    Raises: ValueError without a shape, and for sparse or ragged inputs.

    >>> InputLayer(shape=(3,)).output.shape
    TensorShape([None, 3])
    """

    parameters = {
        "shape": None, "batch_size": None, "dtype": None, "sparse": False, "ragged": False,
        "batch_shape": None, "input_tensor": None, "optional": False, "name": None,
    }  # fmt: skip

    batch_shape: Any
    _dtype: Any

    def _set_up(self) -> None:
        whole, dtype = self.batch_shape or self._batch_shape, self._dtype
        self._batch_shape = None
        if isinstance(self.shape, int):
            raise ValueError(
                f"Cannot convert '{self.shape}' to a shape. Write it as a tuple: "
                f"shape=({self.shape},)."
            )
        if self.input_tensor is not None:
            whole, dtype = self.input_tensor.shape, dtype or self.input_tensor.dtype
        elif whole is None and self.shape is None:
            raise ValueError("You must pass a `shape` argument.")
        self.batch_shape = tuple((self.batch_size, *self.shape) if whole is None else whole)
        output = KerasTensor(self.batch_shape, dtype or "float32", self.name)
        self._dtype = output.dtype.name
        self.built = True
        self.record((), {}, output)

    @property
    def dtype(self) -> str:
        """The dtype of the input."""
        return str(self._dtype)

    def call(self, *args: Any) -> Any:
        """Return the input."""
        return args[0]

    def get_config(self) -> dict[str, Any]:
        """Return the arguments of the constructor."""
        names = ("batch_shape", "dtype", "sparse", "ragged", "name", "optional")
        return {name: getattr(self, name) for name in names}


def Input(
    shape: object = None,
    batch_size: int | None = None,
    dtype: object = None,
    sparse: bool = False,
    ragged: bool = False,
    batch_shape: object = None,
    name: str | None = None,
    tensor: object = None,
    optional: bool = False,
) -> KerasTensor:
    """Create a symbolic tensor, from which layers compute others.

    Args:
      shape, batch_size, dtype, sparse, ragged, batch_shape, name, optional: as of `InputLayer`.
      tensor: a symbolic tensor that gives shape and dtype.

    Raises: ValueError without a shape, and for sparse inputs.

    >>> Input((28, 28), name="image")
    <KerasTensor shape=(None, 28, 28), dtype=float32, sparse=False, ragged=False, name=image>
    """
    layer = InputLayer(
        shape, batch_size, dtype, sparse, ragged, batch_shape, tensor, optional, name
    )
    output: KerasTensor = layer.output
    return output
