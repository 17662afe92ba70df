"""Files that belong to a model."""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Collection
from typing import Any

from runtime.core.errors import NotFoundError
from runtime.core.tensor import Tensor
from runtime.io.file_system import Named, makedirs, reported, text_of
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
        """Take the path."""
        # A function that is recorded captures a variable, and would copy the text of a tensor.
        self._path = Variable(text_of(path), trainable=False, name="asset_path")

    @property
    def asset_path(self) -> Tensor:
        """The path, a string tensor: that of the file here, or in the folder of a loaded model."""
        return self._path.read_value()

    @property
    def variable(self) -> Variable:
        """The variable that holds the path."""
        return self._path


def copy_asset(asset: Asset, folder: str, taken: Collection[str]) -> str:
    """Copy the file of an asset into the folder of a model; return its name there.

    Args:
      asset: the asset.
      folder: the folder.
      taken: names of other assets.

    Raises: NotFoundError if there is no such file.
    """
    source = text_of(asset.variable.numpy())
    if not os.path.isfile(source):
        raise NotFoundError(None, None, f"the asset {source} is no file, so it cannot be saved")
    makedirs(os.path.join(folder, DIRECTORY))
    stem, suffix = os.path.splitext(os.path.basename(source))
    for number in range(len(taken) + len(os.listdir(os.path.join(folder, DIRECTORY))) + 1):
        name = f"{stem}_{number}{suffix}" if number else f"{stem}{suffix}"
        target = os.path.join(folder, DIRECTORY, name)
        if name in taken:
            continue
        # The model that is there keeps its own file until the new one has taken its place.
        if not os.path.exists(target):
            with reported(target):
                shutil.copyfile(source, target)
            return name
        if filecmp.cmp(source, target, shallow=False):
            return name
    raise AssertionError("one of so many names is free")


def asset_file(folder: str, name: Any) -> str:
    """Return the path of an asset of a model.

    Raises: ValueError for a name that leads out of the folder, or that no file has.
    """
    directory = os.path.join(folder, DIRECTORY)
    if not isinstance(name, str) or os.path.basename(name) != name or name in ("", ".", ".."):
        raise ValueError(f"{name!r} is no name of an asset")
    path = os.path.join(directory, name)
    if os.path.islink(path) or not os.path.isfile(path):
        raise ValueError(f"the asset {name!r} is missing")
    return path


def remove_others(folder: str, names: Collection[str]) -> None:
    """Remove the files of assets that a model does not have any more."""
    directory = os.path.join(folder, DIRECTORY)
    for name in os.listdir(directory) if os.path.isdir(directory) else ():
        if name not in names:
            with reported(name):
                os.remove(os.path.join(directory, name))
