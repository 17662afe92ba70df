"""The metaclass of variables; enumerations of placement."""

from __future__ import annotations

import enum
import inspect


class Shown(type):
    """The metaclass of variables: shows the parameters of `__init__`, not those of `__new__`."""

    @property
    def __signature__(cls) -> inspect.Signature:
        """The signature of the constructor."""
        init = next(vars(kind)["__init__"] for kind in cls.__mro__ if "__init__" in vars(kind))
        constructor = inspect.signature(init)
        return constructor.replace(parameters=[*constructor.parameters.values()][1:])


class VariableSynchronization(enum.Enum):
    """When replicas of a variable are synchronized; `Variable` accepts it without effect.

    >>> VariableSynchronization.AUTO
    <VariableSynchronization.AUTO: 0>
    """

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(enum.Enum):
    """How replicas of a variable are combined; `Variable` accepts it without effect.

    >>> VariableAggregation.SUM
    <VariableAggregation.SUM: 1>
    """

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
