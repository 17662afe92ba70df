"""Computation in 16 bits with variables in 32 bits."""

from runtime.keras.base.policy import DTypePolicy as DTypePolicy
from runtime.keras.base.policy import DTypePolicy as Policy  # noqa: F401 - the older name
from runtime.keras.base.policy import dtype_policy as dtype_policy
from runtime.keras.base.policy import dtype_policy as global_policy  # noqa: F401
from runtime.keras.base.policy import set_dtype_policy as set_dtype_policy
from runtime.keras.base.policy import set_dtype_policy as set_global_policy  # noqa: F401
from runtime.keras.optimizers import LossScaleOptimizer as LossScaleOptimizer
