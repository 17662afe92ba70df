"""Labels, sequences and images as arrays."""

from __future__ import annotations

import importlib
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

import runtime as tf
from runtime.keras.families import check_choice


def to_categorical(x: object, num_classes: int | None = None) -> Any:
    """Return numbers of classes as one-hot vectors.

    Args:
      x: integers of shape [...] or [..., 1].
      num_classes: number of classes; None: the largest number plus 1.

    Returns: a NumPy array of float64, shape [..., num_classes]; a tensor for a tensor.
    Raises: ValueError for a number that is not a class.

    >>> to_categorical([0, 2])
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    numbers = np.asarray(x).astype(np.int64)
    if numbers.ndim > 1 and numbers.shape[-1] == 1:
        numbers = numbers[..., 0]
    count = num_classes or int(numbers.max()) + 1
    wrong = numbers[(numbers < 0) | (numbers >= count)]
    if wrong.size:
        raise ValueError(f"`x` holds {wrong.flat[0]}, which is not a class in [0, {count}).")
    found = np.eye(count)[numbers]
    return tf.constant(found, tf.float32) if isinstance(x, tf.Tensor) else found


def pad_sequences(
    sequences: Sequence[Any],
    maxlen: int | None = None,
    dtype: Any = "int32",
    padding: str = "pre",
    truncating: str = "pre",
    value: Any = 0.0,
) -> Any:
    """Return sequences of numbers as rows of one length.

    Args:
      sequences: n sequences.
      maxlen: the length; None: that of the longest.
      dtype: the dtype of the rows.
      padding: whether `value` is before the elements (`pre`) or after them (`post`).
      truncating: whether longer sequences lose their first elements (`pre`) or last ones (`post`).
      value: what pads.

    Returns: a NumPy array of shape [n, maxlen].
    Raises: ValueError for another mode.

    >>> pad_sequences([[1], [2, 3, 4]], maxlen=2)
    array([[0, 1],
           [3, 4]], dtype=int32)
    """
    check_choice("padding", padding, ("pre", "post"))
    check_choice("truncating", truncating, ("pre", "post"))
    length = max(map(len, sequences), default=0) if maxlen is None else maxlen
    found = np.full((len(sequences), length), value, dtype)
    for out, row in zip(found, sequences, strict=True):
        part = row[:length] if truncating == "post" else row[max(len(row) - length, 0) :]
        start = length - len(part) if padding == "pre" else 0
        out[start : start + len(part)] = part
    return found


def array_to_img(x: object, *, scale: bool = True) -> Any:
    """Return an array as a Pillow image.

    Args:
      x: array of shape [height, width, 1, 3 or 4].
      scale: whether to map the range of `x` to [0, 255].

    Raises: ValueError for another shape; ImportError without Pillow.

    >>> array_to_img(np.zeros((2, 3, 1))).size
    (3, 2)
    """
    array = np.asarray(x, "float32")
    if array.ndim != 3 or array.shape[-1] not in (1, 3, 4):
        raise ValueError(
            f"Expected an image of shape [height, width, 1, 3 or 4]. Got shape: {array.shape}"
        )
    if scale:
        array = array - array.min()
        array = array * (255.0 / (array.max() or 1.0))
    pixels = array.astype("uint8")
    return _pillow().fromarray(pixels[..., 0] if pixels.shape[-1] == 1 else pixels)


def load_img(
    path: Any, *, color_mode: str = "rgb", target_size: tuple[int, int] | None = None
) -> Any:
    """Return the image in a file as a Pillow image.

    Args:
      path: path of the file.
      color_mode: `rgb`, `rgba` or `grayscale`.
      target_size: height and width to which it is resized, by nearest pixels; None: its own.

    Raises: ValueError for another mode; ImportError without Pillow.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     array_to_img(np.zeros((2, 3, 1))).save(f"{home}/black.png")
    ...     load_img(f"{home}/black.png", target_size=(8, 8)).size
    (8, 8)
    """
    modes = {"rgb": "RGB", "rgba": "RGBA", "grayscale": "L"}
    check_choice("color_mode", color_mode, modes)
    pillow = _pillow()
    with pillow.open(os.fspath(path)) as file:
        image = file.convert(modes[color_mode])
    if target_size is None:
        return image
    return image.resize(tuple(reversed(target_size)), pillow.Resampling.NEAREST)


def img_to_array(img: Any) -> Any:
    """Return a Pillow image as an array of float32, shape [height, width, channels].

    Args:
      img: the image.

    >>> img_to_array(array_to_img(np.zeros((2, 3, 1)))).shape
    (2, 3, 1)
    """
    array = np.asarray(img, "float32")
    return array[..., None] if array.ndim == 2 else array


def _pillow() -> Any:
    try:
        return importlib.import_module("PIL.Image")
    except ImportError as error:
        raise ImportError("Images need Pillow: pip install pillow") from error
