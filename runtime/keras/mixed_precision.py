"""Computation in 16 bits with variables in 32 bits."""

from runtime.keras import families
from runtime.keras.base.variable import DTypePolicy as Policy  # noqa: F401 - a public name
from runtime.keras.base.variable import set_global_policy as set_global_policy
from runtime.keras.optimizers import LossScaleOptimizer as LossScaleOptimizer

__dir__, __getattr__ = families.namespace(globals(), "read the `dtype_policy` of a layer")
