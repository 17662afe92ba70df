"""`runtime.nn`: neural networks."""

from runtime.ops.activations import crelu as crelu
from runtime.ops.activations import elu as elu
from runtime.ops.activations import gelu as gelu
from runtime.ops.activations import leaky_relu as leaky_relu
from runtime.ops.activations import log_softmax as log_softmax
from runtime.ops.activations import relu as relu
from runtime.ops.activations import relu6 as relu6
from runtime.ops.activations import selu as selu
from runtime.ops.activations import silu as silu
from runtime.ops.activations import softmax as softmax
from runtime.ops.activations import softplus as softplus
from runtime.ops.activations import softsign as softsign
from runtime.ops.activations import swish as swish
from runtime.ops.counting import zero_fraction as zero_fraction
from runtime.ops.elementwise import sigmoid as sigmoid
from runtime.ops.elementwise import tanh as tanh
from runtime.ops.lengths import l2_loss as l2_loss
from runtime.ops.lengths import l2_normalize as l2_normalize
from runtime.ops.ranking import in_top_k as in_top_k
from runtime.ops.ranking import top_k as top_k
