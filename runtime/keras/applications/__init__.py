"""Nets for images, with the variables of a local file."""

from runtime.keras import families
from runtime.keras.applications import mobilenet as mobilenet
from runtime.keras.applications import vgg19 as vgg19
from runtime.keras.applications.mobilenet import MobileNet as MobileNet
from runtime.keras.applications.vgg19 import VGG19 as VGG19

__dir__, __getattr__ = families.namespace(
    globals(),
    "build the layers with `keras.Sequential`, and read variables with `model.set_weights`",
)
