"""Files that belong to a model."""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Collection
from itertools import count
from typing import Any

from runtime.core.errors import DataLossError, NotFoundError
from runtime.core.tensor import Tensor
from runtime.io.file_system import Named, makedirs, reported
from runtime.io.value_file import ValueFile, replacing
from runtime.state.variable import Variable

DIRECTORY = "assets"


class Asset:
    """A file that is saved with a model, and whose path functions of the model use.

    Args:
      path: the file.

    >>> import runtime as tf
    >>> asset = tf.saved_model.Asset("words.txt")
    >>> print(asset.asset_path)
    tf.Tensor(b'words.txt', shape=(), dtype=string)
    """

    def __init__(self, path: Named) -> None:
        # A function that is recorded captures a variable, and would copy the text of a tensor.
        self._path = Variable(os.fsdecode(path), trainable=False, name="asset_path")

    @property
    def asset_path(self) -> Tensor:
        """The path, a string tensor: that of the file here, or in the folder of a loaded model."""
        return self._path.read_value()

    @property
    def variable(self) -> Variable:
        """The variable that holds the path."""
        return self._path


def copy_asset(asset: Asset, folder: str, taken: Collection[str]) -> str:
    """Copy the file of an asset into the folder of a model; return its name, none of those `taken`.

    Raises: NotFoundError if there is no such file.
    """
    source = os.fsdecode(asset.variable.numpy())
    if not os.path.isfile(source):
        raise NotFoundError.of(f"the asset {source} is not a file, so it cannot be saved")
    makedirs(os.path.join(folder, DIRECTORY))
    stem, suffix = os.path.splitext(os.path.basename(source))
    names = (f"{stem}_{number}{suffix}" if number else f"{stem}{suffix}" for number in count())
    for name in (name for name in names if name not in taken):
        target = os.path.join(folder, DIRECTORY, name)
        # The model that is there keeps its own file until the new one has taken its place.
        if not os.path.exists(target):
            with reported(source), open(source, "rb") as content, replacing(target) as file:
                shutil.copyfileobj(content, file)
            break
        if filecmp.cmp(source, target, shallow=False):
            break
    return name


def asset_file(folder: str, name: object) -> str:
    """Return the path of an asset of a model.

    Raises: ValueError for a name that leads out of the folder, or that no file has.
    """
    directory = os.path.join(folder, DIRECTORY)
    if not isinstance(name, str) or os.path.basename(name) != name or name in ("", ".", ".."):
        raise ValueError(f"{name!r} is not the name of an asset")
    path = os.path.join(directory, name)
    if os.path.islink(path) or not os.path.isfile(path):
        raise ValueError(f"the asset {name!r} is missing")
    return path


def asset_names(path: str) -> list[Any]:
    """Return the names of the assets of the model in a file; none if no model can be read."""
    if not os.path.isfile(path):
        return []
    try:
        structure = ValueFile(path).structure
    except DataLossError:
        return []
    nodes = structure.get("nodes", ()) if isinstance(structure, dict) else ()
    return [node.get("file") for node in nodes if isinstance(node, dict)]


def remove_assets(folder: str, names: Collection[Any]) -> None:
    """Remove the files of assets that have these names."""
    directory = os.path.join(folder, DIRECTORY)
    for name in os.listdir(directory) if os.path.isdir(directory) else ():
        if name in names:
            with reported(name):
                os.remove(os.path.join(directory, name))
