"""Models as SavedModels: their computation and variables, without the classes of the program."""

from __future__ import annotations

import os
from typing import Any

import runtime as tf


def serving_function(model: Any, inputs: Any) -> Any:
    """Return the computation of a model outside training, for symbolic inputs."""
    signature = tf.nest.map_structure(
        lambda each: tf.TensorSpec(each.shape, each.dtype, each.name), inputs
    )

    def serving_default(inputs: Any) -> Any:
        return model(inputs, training=False)

    return tf.function(serving_default, input_signature=[signature])


def export(model: Any, filepath: Any) -> None:
    """Save the computation of a model; see `Model.export`."""
    if not model.built:
        raise ValueError(
            f"The layer provided has not yet been built. Call model '{model.name}' on data, or "
            "`build(input_shape)`, before it is exported."
        )
    archive = tf.Module()
    archive.model_variables = list(model.weights)  # type: ignore[attr-defined]
    archive.serve = serving_function(model, model.symbolic_inputs())  # type: ignore[attr-defined]
    tf.saved_model.save(archive, os.fspath(filepath))
