"""`runtime.random`: random numbers."""

from runtime.ops.random import normal as normal
from runtime.ops.random import set_seed as set_seed
from runtime.ops.random import shuffle as shuffle
from runtime.ops.random import uniform as uniform
