"""Hooks for the creation of variables; names of collections, enumerations of placement."""

from __future__ import annotations

import enum
import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from runtime.core.thread import STATE


class GraphKeys:
    """Standard names of collections.

    >>> GraphKeys.LOSSES
    'losses'
    """

    GLOBAL_VARIABLES = "variables"
    LOCAL_VARIABLES = "local_variables"
    METRIC_VARIABLES = "metric_variables"
    MODEL_VARIABLES = "model_variables"
    MOVING_AVERAGE_VARIABLES = "moving_average_variables"
    TRAINABLE_VARIABLES = "trainable_variables"
    VARIABLES = "variables"
    WEIGHTS = "weights"
    BIASES = "biases"
    ACTIVATIONS = "activations"
    GLOBAL_STEP = "global_step"
    INIT_OP = "init_op"
    LOCAL_INIT_OP = "local_init_op"
    LOSSES = "losses"
    READY_OP = "ready_op"
    REGULARIZATION_LOSSES = "regularization_losses"
    SAVERS = "savers"
    SUMMARIES = "summaries"
    SUMMARY_OP = "summary_op"
    TABLE_INITIALIZERS = "table_initializer"
    TRAIN_OP = "train_op"
    UPDATE_OPS = "update_ops"


class Creation(type):
    """The metaclass of variables: applies the creators of `variable_creator_scope`.

    Only a class that defines `asks_creators` itself uses them; subclasses do not inherit it.
    """

    def __call__(cls, *args: object, **kwargs: object) -> Any:
        """Create a variable, or return the result of the creators."""
        if not STATE.creators or not cls.__dict__.get("asks_creators", False):
            return super().__call__(*args, **kwargs)
        bound = inspect.signature(cls.__dict__["__init__"]).bind(None, *args, **kwargs)
        bound.apply_defaults()
        _, *settings = bound.arguments.items()
        create: Callable[..., Any] = super().__call__
        for creator in STATE.creators:
            create = functools.partial(creator, create)
        return create(**dict(settings))

    @property
    def __signature__(cls) -> inspect.Signature:
        """The signature of the constructor."""
        init = next(vars(kind)["__init__"] for kind in cls.__mro__ if "__init__" in vars(kind))
        constructor = inspect.signature(init)
        return constructor.replace(parameters=[*constructor.parameters.values()][1:])


@contextmanager
def variable_creator_scope(variable_creator: Callable[..., Any]) -> Iterator[None]:
    """Call a function for each variable that this thread creates inside.

    Args:
      variable_creator: receives the next creator and all arguments of `Variable` by name. Returns a
        variable, usually the result of the next creator. The innermost scope is called first.

    >>> import runtime as tf
    >>> def frozen(next_creator, **kwargs):
    ...     return next_creator(**{**kwargs, "trainable": False})
    >>> with variable_creator_scope(frozen):
    ...     tf.Variable(1.0).trainable
    False
    """
    before = STATE.creators
    STATE.creators = (*before, variable_creator)
    try:
        yield
    finally:
        STATE.creators = before


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
