"""Models and variables as files.

A `.keras` file is a zip archive of three members: `metadata.json` (the format and its version),
`config.json` (what `to_json` returns) and `variables.safetensors` (the values of all variables). A
file of weights is a safetensors file. Keys are `model/N/PATH` and `optimizer/N/PATH`: the position
of the variable and its path. Files contain no code. Files named `.h5` or `.hdf5` have the same
format.

Source of the tensor format: https://github.com/huggingface/safetensors, section "Format".
"""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load, save

import runtime as tf
from runtime.keras.base.names import path_of
from runtime.keras.saving.registry import deserialize, serialize

_ENDINGS = (".keras", ".h5", ".hdf5")
_MEMBERS = ("metadata.json", "config.json", "variables.safetensors")
_METADATA = {"format": "runtime.keras", "version": 1}
_DAMAGED_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError)
"""Exceptions of `zipfile` for a damaged file."""


def path_of_model(filepath: Any) -> Path:
    """Return the path of a saved model. Raises ValueError for another ending."""
    path = Path(os.fspath(filepath))
    if path.suffix not in _ENDINGS:
        raise ValueError(
            f"Invalid filepath '{filepath}': the name of a saved model ends with `.keras`. Write "
            f"model.save('{path.with_suffix('.keras')}'), or `model.export(path)` for a SavedModel."
        )
    return path


def save_model(model: Any, filepath: Any) -> None:
    """Save a model with architecture, variables and the state of its optimizer.

    Raises: ValueError for another ending.
    """
    path = path_of_model(filepath)
    tensors = _tensors("model", model.weights)
    optimizer = getattr(model, "optimizer", None)
    if optimizer is not None and optimizer.built:
        tensors |= _tensors("optimizer", optimizer.variables)
    texts = (json.dumps(each).encode() for each in (_METADATA, serialize(model)))
    contents = (*texts, save(tensors))
    with _replaced(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for name, content in zip(_MEMBERS, contents, strict=True):
            archive.writestr(name, content)


def load_model(
    filepath: object, custom_objects: Mapping[str, Any] | None = None, compile: bool = True
) -> Any:
    """Load a model that `save_model` saved.

    Args:
      filepath: path of the file.
      custom_objects: classes and functions of the program, by name.
      compile: whether to restore optimizer, losses and metrics.

    Returns:
      The model.

    Raises:
      ValueError: if there is no such file, or it has another format.
      TypeError: for a class that is not known.

    >>> import tempfile
    >>> from runtime import keras
    >>> model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3)])
    >>> with tempfile.TemporaryDirectory() as home:
    ...     model.save(f"{home}/model.keras")
    ...     load_model(f"{home}/model.keras").output_shape
    (None, 3)
    """
    path = _existing(filepath)
    content = io.BytesIO(path.read_bytes())
    if not zipfile.is_zipfile(content):
        raise ValueError(
            f"'{filepath}' is not a zip archive: it is truncated, or not a file of `model.save`."
        )
    with _readable(path), zipfile.ZipFile(content) as archive:
        metadata, config, tensors = (archive.read(name) for name in _MEMBERS)
        description, version = json.loads(config), json.loads(metadata)["version"]
    if version != _METADATA["version"]:
        raise ValueError(
            f"'{filepath}' has version {version} of the format, this package reads version "
            f"{_METADATA['version']}. Load it with the version of the package that saved it."
        )
    if not compile:
        description.pop("compile_config", None)
    model = deserialize(description, custom_objects)
    if not hasattr(model, "weights"):
        raise ValueError(
            f"'{filepath}' is damaged, or was not saved by this package: its config describes no "
            "model."
        )
    values = _arrays(path, tensors)
    _assign(model.weights, _of("model", values), f"model '{model.name}'")
    state = _of("optimizer", values)
    optimizer = getattr(model, "optimizer", None)
    if state and optimizer is not None:
        optimizer.build(model.trainable_variables)
        _assign(optimizer.variables, state, f"the optimizer of model '{model.name}'")
    return model


def save_weights(model: Any, filepath: Any) -> None:
    """Save the variables of a model; see `Model.save_weights`."""
    with _replaced(Path(os.fspath(filepath))) as temporary:
        temporary.write_bytes(save(_tensors("model", model.weights)))


def load_weights(model: Any, filepath: Any) -> None:
    """Load the variables of a model; see `Model.load_weights`."""
    path = _existing(filepath, FileNotFoundError)
    content = path.read_bytes()
    _assign(model.weights, _of("model", _arrays(path, content)), f"model '{model.name}'")


def _existing(filepath: Any, error: type[Exception] = ValueError) -> Path:
    """Return the path of a file; `error` is what Keras raises if there is none."""
    path = Path(os.fspath(filepath))
    if path.is_dir():
        raise ValueError(
            f"'{filepath}' is a directory. A SavedModel is loaded by `saved_model.load`, or as a "
            "layer by `keras.layers.TFSMLayer`."
        )
    if not path.is_file():
        raise error(f"File not found: filepath={filepath}.")
    return path


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Name the file in errors of what reads it."""
    try:
        yield
    except (SafetensorError, KeyError, ValueError, *_DAMAGED_ZIP) as error:
        raise ValueError(
            f"'{path}' is damaged, or was not saved by this package: {error}. No variable has "
            "changed."
        ) from error


def _arrays(path: Path, content: bytes) -> dict[str, Any]:
    with _readable(path):
        return load(content)


def _tensors(owner: str, variables: Any) -> dict[str, Any]:
    return {
        f"{owner}/{number}/{path_of(variable)}": np.asarray(variable.numpy())
        for number, variable in enumerate(variables)
    }


def _of(owner: str, values: dict[str, Any]) -> list[tuple[str, Any]]:
    """Paths and values of the variables of an owner, in order."""
    own = [key.split("/", 2) for key in values if key.startswith(f"{owner}/")]
    own.sort(key=lambda parts: int(parts[1]))
    return [(path, values[f"{owner}/{number}/{path}"]) for _, number, path in own]


def _assign(variables: Any, values: list[tuple[str, Any]], owner: str) -> None:
    if len(variables) != len(values):
        raise ValueError(
            f"{owner[0].upper()}{owner[1:]} has {len(variables)} variables, and the file has "
            f"{len(values)}: {[path for path, _ in values]}. Build the model before it is loaded, "
            "with the layers that it had when it was saved."
        )
    for variable, (path, value) in zip(variables, values, strict=True):
        if tuple(variable.shape) != value.shape:
            raise ValueError(
                f"A shape mismatch occurred for {owner}: variable '{path_of(variable)}' has shape "
                f"{tuple(variable.shape)}, and '{path}' of the file has shape {value.shape}."
            )
    for variable, (_, value) in zip(variables, values, strict=True):
        variable.assign(tf.cast(value, variable.dtype))


@contextmanager
def _replaced(path: Path) -> Iterator[Path]:
    """Yield a temporary file, which replaces `path` when it is complete."""
    if not path.parent.is_dir():
        raise FileNotFoundError(f"There is no directory '{path.parent}' for '{path.name}'.")
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
