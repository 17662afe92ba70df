"""A SavedModel as a layer."""

from __future__ import annotations

import os
from typing import Any

import runtime as tf
from runtime.keras.base.standard import REQUIRED, StandardLayer


class TFSMLayer(StandardLayer):
    """The computation of a SavedModel.

    Args:
      filepath: path of the directory.
      call_endpoint: the function, or the signature, that `call` runs.
      call_training_endpoint: the one that it runs while training; None: the same.

    Raises: ValueError if the SavedModel has no function of the name.
    """

    parameters = {"filepath": REQUIRED, "call_endpoint": "serve", "call_training_endpoint": None}

    filepath: Any

    def _set_up(self) -> None:
        self.filepath = os.fspath(self.filepath)
        self._loaded = tf.saved_model.load(self.filepath)
        self._endpoints = {
            name: self._endpoint(name)
            for name in (self.call_endpoint, self.call_training_endpoint)
            if name is not None
        }
        self.built = True

    def _endpoint(self, name: str) -> Any:
        signatures = self._loaded.signatures
        endpoint = getattr(self._loaded, name, None) or signatures.get(name)
        if endpoint is None:
            raise ValueError(
                f"The endpoint '{name}' is neither an attribute of the reloaded SavedModel, nor an "
                f"entry in its signatures: {list(signatures)}. Pass another one as "
                "`call_endpoint`."
            )
        return endpoint

    def call(self, inputs: Any, training: Any = False) -> Any:
        """Run the function of the SavedModel."""
        name = (self.call_training_endpoint if training else None) or self.call_endpoint
        return self._endpoints[name](inputs)
