"""Layers."""

from runtime.keras import families
from runtime.keras.base.input import Input as Input
from runtime.keras.base.input import InputLayer as InputLayer
from runtime.keras.base.layer import Layer as Layer
from runtime.keras.layers.core import Activation as Activation
from runtime.keras.layers.core import Dense as Dense
from runtime.keras.layers.core import Dropout as Dropout
from runtime.keras.layers.core import Embedding as Embedding
from runtime.keras.layers.core import Flatten as Flatten
from runtime.keras.layers.core import Lambda as Lambda
from runtime.keras.layers.core import LeakyReLU as LeakyReLU
from runtime.keras.layers.core import Masking as Masking
from runtime.keras.layers.core import ReLU as ReLU
from runtime.keras.layers.core import Reshape as Reshape
from runtime.keras.layers.core import Softmax as Softmax
from runtime.keras.layers.core import TFSMLayer as TFSMLayer
from runtime.keras.layers.images import AveragePooling1D as AveragePooling1D
from runtime.keras.layers.images import AveragePooling2D as AveragePooling2D
from runtime.keras.layers.images import CenterCrop as CenterCrop
from runtime.keras.layers.images import Conv1D as Conv1D
from runtime.keras.layers.images import Conv2D as Conv2D
from runtime.keras.layers.images import Conv2DTranspose as Conv2DTranspose
from runtime.keras.layers.images import DepthwiseConv2D as DepthwiseConv2D
from runtime.keras.layers.images import GlobalAveragePooling1D as GlobalAveragePooling1D
from runtime.keras.layers.images import GlobalAveragePooling2D as GlobalAveragePooling2D
from runtime.keras.layers.images import GlobalMaxPooling1D as GlobalMaxPooling1D
from runtime.keras.layers.images import GlobalMaxPooling2D as GlobalMaxPooling2D
from runtime.keras.layers.images import MaxPooling1D as MaxPooling1D
from runtime.keras.layers.images import MaxPooling2D as MaxPooling2D
from runtime.keras.layers.images import UpSampling2D as UpSampling2D
from runtime.keras.layers.images import ZeroPadding2D as ZeroPadding2D
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
from runtime.keras.layers.recurrent import GRU as GRU
from runtime.keras.layers.recurrent import LSTM as LSTM
from runtime.keras.layers.recurrent import RNN as RNN
from runtime.keras.layers.recurrent import Bidirectional as Bidirectional
from runtime.keras.layers.recurrent import LSTMCell as LSTMCell
from runtime.keras.layers.recurrent import SimpleRNN as SimpleRNN
from runtime.keras.layers.vocabulary import CategoryEncoding as CategoryEncoding
from runtime.keras.layers.vocabulary import Discretization as Discretization
from runtime.keras.layers.vocabulary import Hashing as Hashing
from runtime.keras.layers.vocabulary import IntegerLookup as IntegerLookup
from runtime.keras.layers.vocabulary import StringLookup as StringLookup
from runtime.keras.layers.vocabulary import TextVectorization as TextVectorization
from runtime.keras.saving.registry import deserialize as deserialize
from runtime.keras.saving.registry import serialize as serialize

AvgPool2D, MaxPool2D = AveragePooling2D, MaxPooling2D

__dir__, __getattr__ = families.namespace(
    globals(), "derive a class from `keras.layers.Layer`", "serialize", "deserialize"
)
