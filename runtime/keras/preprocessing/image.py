"""Images as arrays."""

from runtime.keras import families
from runtime.keras.utils.arrays import array_to_img as array_to_img
from runtime.keras.utils.arrays import img_to_array as img_to_array
from runtime.keras.utils.arrays import load_img as load_img
from runtime.keras.utils.augmentation import ImageDataGenerator as ImageDataGenerator

__dir__, __getattr__ = families.namespace(
    globals(), "read images with `tf.io` and `tf.image`, and change them in `tf.data.Dataset.map`"
)
