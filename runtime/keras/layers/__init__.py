"""Layers."""

from collections.abc import Mapping
from typing import Any

from runtime.keras import families
from runtime.keras.base.input import Input as Input
from runtime.keras.base.input import InputLayer as InputLayer
from runtime.keras.base.layer import Layer as Layer
from runtime.keras.layers.convolution import Conv1D as Conv1D
from runtime.keras.layers.convolution import Conv2D as Conv2D
from runtime.keras.layers.convolution import Conv2DTranspose as Conv2DTranspose
from runtime.keras.layers.core import ELU as ELU
from runtime.keras.layers.core import Activation as Activation
from runtime.keras.layers.core import Dense as Dense
from runtime.keras.layers.core import Dropout as Dropout
from runtime.keras.layers.core import Embedding as Embedding
from runtime.keras.layers.core import Lambda as Lambda
from runtime.keras.layers.core import LeakyReLU as LeakyReLU
from runtime.keras.layers.core import Masking as Masking
from runtime.keras.layers.core import ReLU as ReLU
from runtime.keras.layers.core import Softmax as Softmax
from runtime.keras.layers.encoding import CategoryEncoding as CategoryEncoding
from runtime.keras.layers.encoding import Discretization as Discretization
from runtime.keras.layers.encoding import Hashing as Hashing
from runtime.keras.layers.lookup import IntegerLookup as IntegerLookup
from runtime.keras.layers.lookup import StringLookup as StringLookup
from runtime.keras.layers.lookup import TextVectorization as TextVectorization
from runtime.keras.layers.merging import Add as Add
from runtime.keras.layers.merging import Average as Average
from runtime.keras.layers.merging import Concatenate as Concatenate
from runtime.keras.layers.merging import Maximum as Maximum
from runtime.keras.layers.merging import Minimum as Minimum
from runtime.keras.layers.merging import Multiply as Multiply
from runtime.keras.layers.merging import Subtract as Subtract
from runtime.keras.layers.merging import add as add
from runtime.keras.layers.merging import average as average
from runtime.keras.layers.merging import concatenate as concatenate
from runtime.keras.layers.merging import maximum as maximum
from runtime.keras.layers.merging import minimum as minimum
from runtime.keras.layers.merging import multiply as multiply
from runtime.keras.layers.merging import subtract as subtract
from runtime.keras.layers.normalization import BatchNormalization as BatchNormalization
from runtime.keras.layers.normalization import LayerNormalization as LayerNormalization
from runtime.keras.layers.normalization import Normalization as Normalization
from runtime.keras.layers.pooling import AveragePooling1D as AveragePooling1D
from runtime.keras.layers.pooling import AveragePooling2D as AveragePooling2D
from runtime.keras.layers.pooling import GlobalAveragePooling1D as GlobalAveragePooling1D
from runtime.keras.layers.pooling import GlobalAveragePooling2D as GlobalAveragePooling2D
from runtime.keras.layers.pooling import GlobalMaxPooling1D as GlobalMaxPooling1D
from runtime.keras.layers.pooling import GlobalMaxPooling2D as GlobalMaxPooling2D
from runtime.keras.layers.pooling import MaxPooling1D as MaxPooling1D
from runtime.keras.layers.pooling import MaxPooling2D as MaxPooling2D
from runtime.keras.layers.recurrent import GRU as GRU
from runtime.keras.layers.recurrent import LSTM as LSTM
from runtime.keras.layers.recurrent import RNN as RNN
from runtime.keras.layers.recurrent import Bidirectional as Bidirectional
from runtime.keras.layers.recurrent import GRUCell as GRUCell
from runtime.keras.layers.recurrent import LSTMCell as LSTMCell
from runtime.keras.layers.recurrent import SimpleRNN as SimpleRNN
from runtime.keras.layers.recurrent import SimpleRNNCell as SimpleRNNCell
from runtime.keras.layers.saved import TFSMLayer as TFSMLayer
from runtime.keras.layers.shaping import CenterCrop as CenterCrop
from runtime.keras.layers.shaping import Flatten as Flatten
from runtime.keras.layers.shaping import Reshape as Reshape
from runtime.keras.layers.shaping import UpSampling2D as UpSampling2D
from runtime.keras.saving.registry import deserialize_keras_object, serialize_keras_object

AvgPool1D, AvgPool2D = AveragePooling1D, AveragePooling2D
MaxPool1D, MaxPool2D = MaxPooling1D, MaxPooling2D
GlobalAvgPool1D, GlobalMaxPool1D = GlobalAveragePooling1D, GlobalMaxPooling1D
GlobalAvgPool2D, GlobalMaxPool2D = GlobalAveragePooling2D, GlobalMaxPooling2D


def serialize(layer: Layer) -> Any:
    """Return the config of a layer with its class; see `deserialize`.

    >>> serialize(Dense(2))["class_name"]
    'Dense'
    """
    return serialize_keras_object(layer)


def deserialize(config: Any, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Create the layer that `serialize` described.

    Args:
      config: the result of `serialize`.
      custom_objects: classes and functions of the program, by name.

    Raises: TypeError for a class that is not known.

    >>> deserialize(serialize(Dense(2))).units
    2
    """
    return deserialize_keras_object({"module": "keras.layers", **config}, custom_objects)


__getattr__ = families.left_out(globals(), "derive a class from `keras.layers.Layer`")


def __dir__() -> list[str]:
    """Return the public names."""
    return families.public_names(globals())
