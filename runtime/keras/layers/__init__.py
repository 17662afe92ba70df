"""Layers."""

from runtime.keras.base.input import Input as Input
from runtime.keras.base.input import InputLayer as InputLayer
from runtime.keras.base.layer import Layer as Layer
