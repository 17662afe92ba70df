"""`compat.v1.nn`: layers under the arguments of version 1."""

from typing import Any

from runtime import nn as _later
from runtime.compat.v1 import pools
from runtime.compat.v1.activations import crelu as crelu
from runtime.compat.v1.activations import dropout as dropout
from runtime.compat.v1.activations import log_softmax as log_softmax
from runtime.compat.v1.activations import relu_layer as relu_layer
from runtime.compat.v1.activations import (
    sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits,
)
from runtime.compat.v1.activations import softmax as softmax
from runtime.compat.v1.activations import (
    softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits,
)
from runtime.compat.v1.activations import (
    softmax_cross_entropy_with_logits_v2 as softmax_cross_entropy_with_logits_v2,
)
from runtime.compat.v1.activations import (
    sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
)
from runtime.compat.v1.activations import (
    weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits,
)
from runtime.compat.v1.activations import xw_plus_b as xw_plus_b
from runtime.compat.v1.convolutions import conv1d as conv1d
from runtime.compat.v1.convolutions import conv2d as conv2d
from runtime.compat.v1.convolutions import conv2d_transpose as conv2d_transpose
from runtime.compat.v1.convolutions import conv3d as conv3d
from runtime.compat.v1.convolutions import conv3d_transpose as conv3d_transpose
from runtime.compat.v1.convolutions import convolution as convolution
from runtime.compat.v1.convolutions import depthwise_conv2d as depthwise_conv2d
from runtime.compat.v1.convolutions import depthwise_conv2d_native as depthwise_conv2d_native
from runtime.compat.v1.convolutions import separable_conv2d as separable_conv2d
from runtime.compat.v1.numbers import in_top_k as in_top_k
from runtime.compat.v1.pools import avg_pool as avg_pool
from runtime.compat.v1.pools import max_pool as max_pool
from runtime.compat.v1.pools import max_pool_with_argmax as max_pool_with_argmax
from runtime.compat.v1.pools import pool as pool
from runtime.compat.v1.shapes import depth_to_space as depth_to_space
from runtime.compat.v1.shapes import space_to_depth as space_to_depth
from runtime.compat.v1.statistics import (
    batch_norm_with_global_normalization as batch_norm_with_global_normalization,
)
from runtime.compat.v1.statistics import embedding_lookup as embedding_lookup
from runtime.compat.v1.statistics import moments as moments
from runtime.compat.v1.statistics import sufficient_statistics as sufficient_statistics
from runtime.compat.v1.statistics import weighted_moments as weighted_moments
from runtime.compat.v1.windows import dilation2d as dilation2d
from runtime.compat.v1.windows import erosion2d as erosion2d
from runtime.compat.v1.windows import space_to_batch as space_to_batch
from runtime.ops import average_pooling, max_pooling

avg_pool2d = pools.avg_pool
avg_pool_v2 = average_pooling.avg_pool
max_pool_v2 = max_pooling.max_pool


def __getattr__(name: str) -> Any:
    """What means the same in both versions. Raises AttributeError if there is no such name."""
    return getattr(_later, name)


def __dir__() -> list[str]:
    """The names of both versions."""
    return sorted({*globals(), *dir(_later)})
