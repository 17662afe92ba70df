"""Enumerations of TensorFlow's replicated variables; there is one device here."""

from __future__ import annotations

import enum


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
