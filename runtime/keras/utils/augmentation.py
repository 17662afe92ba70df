"""Batches of randomly rotated images."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime.keras.families import check_choice
from runtime.keras.utils.arrays import img_to_array, load_img, to_categorical

_ENDINGS = (".png", ".jpg", ".jpeg", ".bmp", ".ppm", ".tif", ".tiff")


class ImageDataGenerator:
    """Generator of randomly augmented batches of images.

    Args:
      rotation_range: largest angle in degrees by which an image is turned, in either direction.
      rescale: factor of the numbers of an image; None: 1.

    >>> images = np.zeros((6, 4, 4, 1))
    >>> batches = ImageDataGenerator(rescale=1 / 255).flow(images, np.arange(6), batch_size=4)
    >>> len(batches), next(batches)[0].shape
    (2, (4, 4, 4, 1))
    """

    def __init__(self, *, rotation_range: float = 0, rescale: float | None = None) -> None:
        """Set the range of angles and the factor."""
        self.rotation_range = rotation_range
        self.rescale = rescale

    def flow(
        self,
        x: Any,
        y: Any = None,
        batch_size: int = 32,
        shuffle: bool = True,
        *,
        seed: int | None = None,
    ) -> ImageBatches:
        """Return batches of arrays.

        Args:
          x: images of shape [n, height, width, channels].
          y: n labels, or None.
          batch_size: images in a batch.
          shuffle: whether each pass has a new order.
          seed: seed of orders and angles; None: those of `numpy.random`.

        Raises: ValueError for another shape or number.
        """
        images = np.asarray(x, np.float32)
        if images.ndim != 4:
            raise ValueError(
                f"`x` must have shape [n, height, width, channels]. Received: {images.shape}"
            )
        labels = None if y is None else np.asarray(y)
        if labels is not None and len(labels) != len(images):
            raise ValueError(f"`x` has {len(images)} images, and `y` has {len(labels)}.")
        read, count = images.__getitem__, len(images)
        return ImageBatches(read, self._changed, count, labels, batch_size, shuffle, seed)

    def flow_from_directory(
        self,
        directory: Any,
        target_size: tuple[int, int] = (256, 256),
        *,
        class_mode: str | None = "categorical",
        batch_size: int = 32,
        shuffle: bool = True,
        seed: int | None = None,
    ) -> ImageBatches:
        """Return batches of the images in a directory, which has one directory for each class.

        Args:
          directory: its path.
          target_size: height and width to which images are resized, by nearest pixels.
          class_mode: `categorical` for one-hot labels, `binary` and `sparse` for numbers, None for
            no labels.
          batch_size, shuffle, seed: as for `flow`.

        Raises: ValueError for another mode; FileNotFoundError if there is no such directory.
        """
        check_choice("class_mode", class_mode, ("categorical", "binary", "sparse", None))
        home = os.fspath(directory)
        names = sorted(entry.name for entry in os.scandir(home) if entry.is_dir())
        files = [
            (os.path.join(home, name, file), number)
            for number, name in enumerate(names)
            for file in sorted(os.listdir(os.path.join(home, name)))
            if file.lower().endswith(_ENDINGS)
        ]
        print(f"Found {len(files)} images belonging to {len(names)} classes.")

        def read(rows: Any) -> Any:
            paths = (files[row][0] for row in rows)
            return np.stack([img_to_array(load_img(p, target_size=target_size)) for p in paths])

        numbers: Any = np.array([number for _, number in files], np.int32)
        if class_mode == "categorical":
            numbers = to_categorical(numbers, len(names))
        labels = None if class_mode is None else numbers.astype(np.float32)
        batches = ImageBatches(read, self._changed, len(files), labels, batch_size, shuffle, seed)
        batches.class_indices = {name: number for number, name in enumerate(names)}
        return batches

    def _changed(self, image: Any, numbers: Any) -> Any:
        angle = 0.0
        if self.rotation_range:
            angle = numbers.uniform(-self.rotation_range, self.rotation_range)
        numbers.random_sample(2)  # Keras draws whether to mirror, even if it may not.
        image = turned(image, angle) if angle else image
        return image if self.rescale is None else image * np.float32(self.rescale)


@dataclass
class ImageBatches:
    """Batches of images without end, in passes over all of them: an iterator.

    Attributes:
      read: returns the images of some rows.
      change: returns an image, changed with numbers of a source of random ones.
      samples: the number of images.
      labels: their labels, or None.
      batch_size: images in a batch; the last one of a pass may have less.
      shuffle, seed: as for `ImageDataGenerator.flow`.
      class_indices: numbers of classes by name, if the images come from a directory.
    """

    read: Callable[[Any], Any]
    change: Callable[[Any, Any], Any]
    samples: int
    labels: Any
    batch_size: int
    shuffle: bool
    seed: int | None
    class_indices: dict[str, int] = field(default_factory=dict)
    _seen: int = 0
    _order: Any = None

    def __post_init__(self) -> None:
        """Raise ValueError if there are no images."""
        if not self.samples:
            raise ValueError("There are no images.")

    def __len__(self) -> int:
        """Return the number of batches in a pass."""
        return -(-self.samples // self.batch_size)

    def __iter__(self) -> Iterator[Any]:
        """Return the batches themselves."""
        return self

    def __next__(self) -> Any:
        """Return the next batch: images, or a tuple of images and labels."""
        seed = self.seed
        numbers: Any = np.random if seed is None else np.random.RandomState(seed + self._seen)
        place = self._seen % len(self)
        if place == 0:
            rows = np.arange(self.samples)
            self._order = numbers.permutation(self.samples) if self.shuffle else rows
        self._seen += 1
        rows = self._order[place * self.batch_size : (place + 1) * self.batch_size]
        images = np.stack([self.change(image, numbers) for image in self.read(rows)])
        return images if self.labels is None else (images, self.labels[rows])


def turned(image: Any, degrees: float) -> Any:
    """Rotate an image about its center.

    Args:
      image: array of shape [height, width, channels].
      degrees: the angle, counterclockwise. Pixels are interpolated between the four nearest ones;
        those from outside are the nearest of the image.

    >>> turned(np.array([[[1.0], [2.0]], [[3.0], [4.0]]]), 90)[..., 0]
    array([[2., 4.],
           [1., 3.]])
    """
    height, width = image.shape[:2]
    angle = np.deg2rad(degrees)
    down, right = np.mgrid[:height, :width].astype(np.float64)
    down -= (height - 1) / 2
    right -= (width - 1) / 2
    rows = np.cos(angle) * down + np.sin(angle) * right + (height - 1) / 2
    columns = np.cos(angle) * right - np.sin(angle) * down + (width - 1) / 2
    rows, columns = rows.clip(0, height - 1), columns.clip(0, width - 1)
    top, left = rows.astype(int), columns.astype(int)
    bottom, side = (top + 1).clip(max=height - 1), (left + 1).clip(max=width - 1)
    low, far = (rows - top)[..., None], (columns - left)[..., None]
    above = image[top, left] * (1 - far) + image[top, side] * far
    below = image[bottom, left] * (1 - far) + image[bottom, side] * far
    return (above * (1 - low) + below * low).astype(image.dtype)
