"""Optimizers: rules that change variables against their gradients."""

from runtime.keras import families
from runtime.keras.optimizers import schedules as schedules
from runtime.keras.optimizers.optimizer import Optimizer as Optimizer
from runtime.keras.optimizers.rules import SGD as SGD
from runtime.keras.optimizers.rules import Adam as Adam
from runtime.keras.optimizers.rules import LossScaleOptimizer as LossScaleOptimizer
from runtime.keras.optimizers.rules import Nadam as Nadam
from runtime.keras.optimizers.rules import RMSprop as RMSprop

_FAMILY = families.Family("optimizer", (SGD, Adam, Nadam, RMSprop, LossScaleOptimizer))
serialize, deserialize = _FAMILY.serialize, _FAMILY.deserialize


def get(identifier: object) -> Optimizer:
    """Return the optimizer that a name, config, class or object means.

    Args:
      identifier: a name, a config, a class or an object.

    Raises: ValueError for an unknown name, or for an object that is not an optimizer.

    >>> get("adam").beta_2
    0.999
    """
    found = _FAMILY.get(identifier)
    if not isinstance(found, Optimizer):
        raise ValueError(
            f"Could not interpret optimizer identifier: {identifier!r} of type "
            f"{type(identifier).__name__}. Pass a name such as 'adam', or an object of "
            "`keras.optimizers`."
        )
    return found


__dir__, __getattr__ = families.namespace(
    globals(), "derive a class from `keras.optimizers.Optimizer`, with `update_step`", "schedules"
)
