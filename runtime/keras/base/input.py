"""Inputs of functional models."""

from __future__ import annotations

from typing import Any

from runtime.keras.base.standard import StandardLayer
from runtime.keras.base.symbolic import KerasTensor


class InputLayer(StandardLayer):
    """The layer whose output is an input of a model; see `Input`.

    Args:
      shape: the shape without the batch dimension.
      dtype: the dtype; None: float32.
      batch_shape: the shape with the batch dimension, in place of `shape`.
      name: the name; None: a new one.

    Raises: ValueError without a shape, or with both.

    >>> InputLayer(shape=(3,)).output.shape
    TensorShape([None, 3])
    """

    parameters = {"shape": None, "*": None, "dtype": None, "batch_shape": None, "name": None}

    def _set_up(self) -> None:
        whole = self.batch_shape or self._batch_shape
        if isinstance(self.shape, int):
            raise ValueError(
                f"Cannot convert '{self.shape}' to a shape. Write it as a tuple: "
                f"shape=({self.shape},)."
            )
        if self.shape is not None and self.batch_shape is not None:
            raise ValueError(
                "You cannot pass both `shape` and `batch_shape`: the latter has the batch dimension"
                f", too. Received: shape={self.shape}, batch_shape={self.batch_shape}."
            )
        if whole is None and self.shape is None:
            raise ValueError("You must pass a `shape` argument.")
        self.batch_shape: Any = tuple((None, *self.shape) if whole is None else whole)
        self._batch_shape = None
        output = KerasTensor(self.batch_shape, self._dtype or "float32", self.name)
        self._dtype: Any = output.dtype.name
        self.built = True
        self.record((), {}, output)

    @property
    def dtype(self) -> str:
        """The dtype of the input."""
        return str(self._dtype)

    @dtype.setter
    def dtype(self, value: object) -> None:
        self._dtype = value

    def call(self, *args: Any) -> Any:
        """Return the input."""
        return args[0]

    def get_config(self) -> dict[str, Any]:
        """Return the arguments of the constructor."""
        return {name: getattr(self, name) for name in ("batch_shape", "dtype", "name")}


def Input(
    shape: object = None,
    *,
    dtype: object = None,
    batch_shape: object = None,
    name: str | None = None,
) -> KerasTensor:
    """Create a symbolic tensor, from which layers compute others.

    Args:
      shape, dtype, batch_shape, name: as of `InputLayer`.

    Returns:
      A symbolic tensor of float32 unless `dtype` says otherwise.

    Raises: ValueError without a shape, or with both.

    >>> Input((28, 28), name="image")
    <KerasTensor shape=(None, 28, 28), dtype=float32, sparse=False, ragged=False, name=image>
    """
    layer = InputLayer(shape, dtype=dtype, batch_shape=batch_shape, name=name)
    output: KerasTensor = layer.output
    return output
