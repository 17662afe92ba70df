"""Layers, models and what trains them, under the names of Keras 3."""

from runtime.keras import activations as activations
from runtime.keras import applications as applications
from runtime.keras import backend as backend
from runtime.keras import callbacks as callbacks
from runtime.keras import constraints as constraints
from runtime.keras import datasets as datasets
from runtime.keras import initializers as initializers
from runtime.keras import layers as layers
from runtime.keras import losses as losses
from runtime.keras import metrics as metrics
from runtime.keras import mixed_precision as mixed_precision
from runtime.keras import models as models
from runtime.keras import optimizers as optimizers
from runtime.keras import preprocessing as preprocessing
from runtime.keras import regularizers as regularizers
from runtime.keras import saving as saving
from runtime.keras import utils as utils
from runtime.keras.base.input import Input as Input
from runtime.keras.base.layer import Layer as Layer
from runtime.keras.base.variable import DTypePolicy as DTypePolicy
from runtime.keras.models.model import Model as Model
from runtime.keras.models.sequential import Sequential as Sequential
