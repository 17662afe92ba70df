"""Small tools of programs that train models."""

from runtime.keras import families
from runtime.keras.base.seeds import set_random_seed as set_random_seed
from runtime.keras.saving.registry import custom_object_scope as custom_object_scope
from runtime.keras.saving.registry import register_keras_serializable as register_keras_serializable
from runtime.keras.utils.arrays import array_to_img as array_to_img
from runtime.keras.utils.arrays import img_to_array as img_to_array
from runtime.keras.utils.arrays import load_img as load_img
from runtime.keras.utils.arrays import pad_sequences as pad_sequences
from runtime.keras.utils.arrays import to_categorical as to_categorical
from runtime.keras.utils.files import get_file as get_file
from runtime.keras.utils.plotting import plot_model as plot_model

__dir__, __getattr__ = families.namespace(
    globals(), "write a function", "custom_object_scope", "register_keras_serializable"
)
