"""A SavedModel as a layer."""

from __future__ import annotations

import os
from typing import Any

import runtime as tf
from runtime.keras.base.layer import Layer


class TFSMLayer(Layer):
    """The computation of a SavedModel.

    Args:
      filepath: path of the directory.
      call_endpoint: the function, or the signature, that `call` runs.
      call_training_endpoint: the one that it runs while training; None: the same.
      trainable: whether the variables are trained.
      name: the name; None: a new one.
      dtype: the dtype of computation.

    Raises:
      ValueError: if the SavedModel has no function of the name.
    """

    def __init__(
        self,
        filepath: Any,
        call_endpoint: str = "serve",
        call_training_endpoint: str | None = None,
        trainable: bool = True,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        """Loads the SavedModel."""
        super().__init__(trainable=trainable, name=name, dtype=dtype)
        self.filepath = os.fspath(filepath)
        self.call_endpoint = call_endpoint
        self.call_training_endpoint = call_training_endpoint
        self._loaded = tf.saved_model.load(self.filepath)
        self._endpoints = {
            each: self._endpoint(each)
            for each in (call_endpoint, call_training_endpoint)
            if each is not None
        }
        self.built = True

    _not_in_config = frozenset({"trainable", "name", "dtype"})

    def _endpoint(self, name: str) -> Any:
        found = getattr(self._loaded, name, None)
        if found is None and name in self._loaded.signatures:
            found = self._loaded.signatures[name]
        if found is None:
            raise ValueError(
                f"The endpoint '{name}' is neither an attribute of the reloaded SavedModel, nor an "
                f"entry in its signatures: {list(self._loaded.signatures)}. Pass another one as "
                "`call_endpoint`."
            )
        return found

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Run the function of the SavedModel."""
        name = (self.call_training_endpoint if training else None) or self.call_endpoint
        return self._endpoints[name](inputs)
