from runtime.ops.conv.convolution import conv1d as conv1d
from runtime.ops.conv.convolution import conv2d as conv2d
from runtime.ops.conv.convolution import conv2d_transpose as conv2d_transpose
from runtime.ops.conv.convolution import convolution as convolution
from runtime.ops.conv.pooling import avg_pool as avg_pool
from runtime.ops.conv.pooling import avg_pool1d as avg_pool1d
from runtime.ops.conv.pooling import avg_pool2d as avg_pool2d
from runtime.ops.conv.pooling import max_pool as max_pool
from runtime.ops.conv.pooling import max_pool1d as max_pool1d
from runtime.ops.conv.pooling import max_pool2d as max_pool2d
from runtime.ops.math.elementwise import sigmoid as sigmoid
from runtime.ops.math.elementwise import tanh as tanh
from runtime.ops.nn.activations import elu as elu
from runtime.ops.nn.activations import gelu as gelu
from runtime.ops.nn.activations import leaky_relu as leaky_relu
from runtime.ops.nn.activations import log_softmax as log_softmax
from runtime.ops.nn.activations import relu as relu
from runtime.ops.nn.activations import relu6 as relu6
from runtime.ops.nn.activations import selu as selu
from runtime.ops.nn.activations import silu as silu
from runtime.ops.nn.activations import softmax as softmax
from runtime.ops.nn.activations import softplus as softplus
from runtime.ops.nn.activations import softsign as softsign
from runtime.ops.nn.activations import swish as swish
from runtime.ops.nn.losses import (
    sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits,
)
from runtime.ops.nn.losses import (
    softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits,
)
from runtime.ops.nn.losses import (
    sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
)
from runtime.ops.nn.normalization import batch_normalization as batch_normalization
from runtime.ops.nn.normalization import dropout as dropout
from runtime.ops.nn.normalization import moments as moments
from runtime.ops.nn.normalization import weighted_moments as weighted_moments
from runtime.ops.reduce.lengths import l2_loss as l2_loss
from runtime.ops.reduce.ordering import top_k as top_k
