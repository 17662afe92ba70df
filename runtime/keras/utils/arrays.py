"""Labels, sequences and images as arrays."""

from __future__ import annotations

import importlib
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
    Raises: ValueError for a number that is no class.

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
    """Return sequences as rows of one length.

    Args:
      sequences: n sequences of numbers, or of arrays of one shape.
      maxlen: the length; None: that of the longest.
      dtype: dtype of the result.
      padding: whether shorter sequences are filled before them (`pre`) or after them (`post`).
      truncating: whether longer ones lose their first (`pre`) or last (`post`) elements.
      value: what they are filled with.

    Returns: a NumPy array of shape [n, maxlen, ...].
    Raises: ValueError for another mode, or sequences whose elements differ in shape.

    >>> pad_sequences([[1], [2, 3, 4]], maxlen=2)
    array([[0, 1],
           [3, 4]], dtype=int32)
    """
    for name, mode in (("padding", padding), ("truncating", truncating)):
        check_choice(name, mode, ("pre", "post"))
    rows = [np.asarray(each) for each in sequences]
    length = max((len(row) for row in rows), default=0) if maxlen is None else maxlen
    shapes = {row.shape[1:] for row in rows if len(row)}
    if len(shapes) > 1:
        raise ValueError(f"The elements of `sequences` have different shapes: {sorted(shapes)}.")
    found = np.full((len(rows), length, *next(iter(shapes), ())), value, dtype)
    for out, row in zip(found, rows, strict=True):
        part = row[max(len(row) - length, 0) :] if truncating == "pre" else row[:length]
        if len(part):
            out[slice(-len(part), None) if padding == "pre" else slice(len(part))] = part
    return found


def _pillow() -> Any:
    try:
        return importlib.import_module("PIL.Image")
    except ImportError as error:
        raise ImportError("Images need Pillow: pip install pillow") from error


def load_img(path: object, *, target_size: tuple[int, int] | None = None) -> Any:
    """Load an image as a Pillow image in RGB.

    Args:
      path: path of the file, or a file.
      target_size: (height, width) of the result, by nearest neighbors; None: those of the file.

    Raises: ImportError without Pillow.
    """
    image = _pillow()
    with image.open(path) as file:
        found = file.convert("RGB")
    if target_size is None:
        return found
    height, width = target_size
    return found.resize((width, height), image.Resampling.NEAREST)


def img_to_array(img: object) -> Any:
    """Return a Pillow image as a NumPy array of float32, shape [height, width, channels]."""
    array = np.asarray(img, "float32")
    return array[..., None] if array.ndim == 2 else array


def array_to_img(x: object, *, scale: bool = True) -> Any:
    """Return an array as a Pillow image.

    Args:
      x: array of shape [height, width, 1, 3 or 4].
      scale: whether to map the range of `x` to [0, 255].

    Raises: ValueError for another shape; ImportError without Pillow.
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
