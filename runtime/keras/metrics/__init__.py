"""Metrics: numbers about the samples that a model has seen."""

from runtime.keras.families import Family
from runtime.keras.losses import BCE as BCE
from runtime.keras.losses import KLD as KLD
from runtime.keras.losses import MAE as MAE
from runtime.keras.losses import MAPE as MAPE
from runtime.keras.losses import MSE as MSE
from runtime.keras.losses import MSLE as MSLE
from runtime.keras.losses import binary_crossentropy as binary_crossentropy
from runtime.keras.losses import categorical_crossentropy as categorical_crossentropy
from runtime.keras.losses import hinge as hinge
from runtime.keras.losses import kl_divergence as kl_divergence
from runtime.keras.losses import mae as mae
from runtime.keras.losses import mean_absolute_error as mean_absolute_error
from runtime.keras.losses import mean_absolute_percentage_error as mean_absolute_percentage_error
from runtime.keras.losses import mean_squared_error as mean_squared_error
from runtime.keras.losses import mean_squared_logarithmic_error as mean_squared_logarithmic_error
from runtime.keras.losses import mse as mse
from runtime.keras.losses import poisson as poisson
from runtime.keras.losses import sparse_categorical_crossentropy as sparse_categorical_crossentropy
from runtime.keras.losses import squared_hinge as squared_hinge
from runtime.keras.metrics import confusion, functions
from runtime.keras.metrics.confusion import AUC as AUC
from runtime.keras.metrics.confusion import Precision as Precision
from runtime.keras.metrics.confusion import Recall as Recall
from runtime.keras.metrics.functions import Accuracy as Accuracy
from runtime.keras.metrics.functions import BinaryAccuracy as BinaryAccuracy
from runtime.keras.metrics.functions import BinaryCrossentropy as BinaryCrossentropy
from runtime.keras.metrics.functions import CategoricalAccuracy as CategoricalAccuracy
from runtime.keras.metrics.functions import CategoricalCrossentropy as CategoricalCrossentropy
from runtime.keras.metrics.functions import Hinge as Hinge
from runtime.keras.metrics.functions import KLDivergence as KLDivergence
from runtime.keras.metrics.functions import LogCoshError as LogCoshError
from runtime.keras.metrics.functions import MeanAbsoluteError as MeanAbsoluteError
from runtime.keras.metrics.functions import (
    MeanAbsolutePercentageError as MeanAbsolutePercentageError,
)
from runtime.keras.metrics.functions import MeanSquaredError as MeanSquaredError
from runtime.keras.metrics.functions import (
    MeanSquaredLogarithmicError as MeanSquaredLogarithmicError,
)
from runtime.keras.metrics.functions import Poisson as Poisson
from runtime.keras.metrics.functions import RootMeanSquaredError as RootMeanSquaredError
from runtime.keras.metrics.functions import SparseCategoricalAccuracy as SparseCategoricalAccuracy
from runtime.keras.metrics.functions import (
    SparseCategoricalCrossentropy as SparseCategoricalCrossentropy,
)
from runtime.keras.metrics.functions import SquaredHinge as SquaredHinge
from runtime.keras.metrics.functions import binary_accuracy as binary_accuracy
from runtime.keras.metrics.functions import categorical_accuracy as categorical_accuracy
from runtime.keras.metrics.functions import (
    sparse_categorical_accuracy as sparse_categorical_accuracy,
)
from runtime.keras.metrics.metric import Mean as Mean
from runtime.keras.metrics.metric import MeanMetricWrapper as MeanMetricWrapper
from runtime.keras.metrics.metric import Metric as Metric
from runtime.keras.metrics.metric import Sum as Sum

FAMILY = Family(
    "metric",
    (Mean, Sum, *functions.CLASSES, *confusion.CLASSES),
    aliases={
        **{"mse": MeanSquaredError, "mae": MeanAbsoluteError, "bce": BinaryCrossentropy},
        **{"mape": MeanAbsolutePercentageError, "msle": MeanSquaredLogarithmicError},
        **{"MSE": MeanSquaredError, "MAE": MeanAbsoluteError, "BCE": BinaryCrossentropy},
        **{"MAPE": MeanAbsolutePercentageError, "MSLE": MeanSquaredLogarithmicError},
        **{"rmse": RootMeanSquaredError, "RMSE": RootMeanSquaredError},
        **{"kld": KLDivergence, "logcosh": LogCoshError},
    },
)
get = FAMILY.get
serialize = FAMILY.serialize
deserialize = FAMILY.deserialize
