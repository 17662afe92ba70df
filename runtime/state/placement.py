"""How copies of a variable on several devices belong together; there is one device here."""

from __future__ import annotations

import enum


class VariableSynchronization(enum.Enum):
    """When copies of a variable are brought together; accepted by `Variable`, without effect.

    >>> VariableSynchronization.AUTO
    <VariableSynchronization.AUTO: 0>
    """

    AUTO = 0
    NONE = 1
    ON_WRITE = 2
    ON_READ = 3


class VariableAggregation(enum.Enum):
    """How copies of a variable are brought together; accepted by `Variable`, without effect.

    >>> VariableAggregation.SUM
    <VariableAggregation.SUM: 1>
    """

    NONE = 0
    SUM = 1
    MEAN = 2
    ONLY_FIRST_REPLICA = 3
