"""`cond`: `true_fn() if pred else false_fn()`; both are traced, one runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from autograph.steps import Steps, calling, run
from runtime.control_flow.branches import (
    RESULT,
    Arm,
    Branch,
    Choice,
    Outputs,
    infer,
    record_branches,
    results_of,
)
from runtime.control_flow.gradients.branch_gradients import branches_backward
from runtime.control_flow.tracing import Surfacing, control_op
from runtime.control_flow.truth import truth
from runtime.control_flow.values import layouts
from runtime.core.aliases import Array
from runtime.core.opdef import BOOL, MIXED, Control
from runtime.core.static import static_value
from runtime.core.tensor import TensorLike
from runtime.core.thread import STATE
from runtime.ops.base.convert import convert_to_tensor

Function = Callable[[], Any]


def _run(
    xp: object,
    pred: Array,
    *captured: Array,
    then_branch: Callable[..., Any],
    else_branch: Callable[..., Any],
) -> Any:
    return (then_branch if pred else else_branch)(*captured)


_STATELESS_IF, _IF = (
    control_op(name, {"cond": BOOL, "*input": MIXED}, infer, _run, branches_backward, Control.IF)
    for name in ("StatelessIf", "If")
)

_CHOICE = Choice(
    _STATELESS_IF,
    _IF,
    name="cond",
    statement="a tensor `if`",
    every="Either",
    remedy="in both, or before the `if`",
    opening="true_fn and false_fn arguments to tf.cond must have the same number, type, and "
    "overall structure of return values. ",
    dtypes=" '{}' has dtype {} in the main branch, but dtype {} in the else branch.",
)


def staged_cond(
    pred: TensorLike, if_fn: Branch, else_fn: Branch, names: tuple[str, ...], name: str = "cond"
) -> Outputs:
    """Trace both branches and return the outputs of the one that will run, one for each name.

    Raises:
      StagingError: if no form covers both values of a variable; names the variable.
    """
    return run(partial(cond_steps, pred, calling(if_fn), calling(else_fn), names, name))


def cond_steps(
    pred: TensorLike,
    if_steps: Callable[[], Steps[Outputs]],
    else_steps: Callable[[], Steps[Outputs]],
    names: tuple[str, ...],
    name: str = "cond",
) -> Steps[Outputs]:
    """Run the steps of `staged_cond`, for branches given as steps.

    If the predicate follows from constants and static shapes, only the selected branch is traced: a
    test of a shape guards code for this shape only.
    """
    with Surfacing():
        test = truth(pred)
        decided = static_value(test)
        if decided is not None:
            outputs = yield from (if_steps() if decided else else_steps())
            return tuple(map(layouts.referred, outputs))
        arms = (
            Arm(if_steps, "then_branch", "true", "the `if` branch"),
            Arm(else_steps, "else_branch", "false", "the `else` branch"),
        )
        return (yield from record_branches(replace(_CHOICE, name=name), test, arms, names))


def cond(
    pred: TensorLike,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """Return `true_fn()` if `pred` is true, else `false_fn()`.

    A returned operation such as `no_op()` is not a result: it has run.

    Args:
      pred: a scalar, with Python's truth.
      true_fn, false_fn: functions without parameters; their results have equal structure and
        dtypes.
      name: the name of the operation; None: "cond".

    Returns: The result of the selected function.

    Raises:
      TypeError: if `true_fn` or `false_fn` is not callable, or `pred` is; if outputs differ in
        dtype or structure, or for a Python bool during tracing.
      ValueError: if `pred` is None or has several elements.

    >>> print(cond(2 > 1, lambda: 10.0, lambda: 20.0))
    10.0
    """
    for argument, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if function is None:
            raise TypeError(f"cond(): '{argument}' argument required")
        if not callable(function):
            raise TypeError(f"'{argument}' must be callable.")
    assert true_fn is not None and false_fn is not None
    if pred is None:
        raise ValueError("None values not supported: the predicate of cond is None")
    if callable(pred):
        raise TypeError(f"pred must be a value, but it is the function {pred!r}. Call it.")
    if isinstance(pred, (list, tuple)):
        pred = convert_to_tensor(pred)  # Python takes each list with an item for true
    if STATE.graph is None:
        return true_fn() if truth(pred) else false_fn()
    if isinstance(pred, bool):
        raise TypeError(
            f"pred must not be a Python bool: {pred} is known while the graph is recorded, so "
            "write `true_fn() if pred else false_fn()`."
        )
    instead = None if STATE.graph.building_function else pred
    if_fn, else_fn = results_of((true_fn, false_fn), instead)
    return staged_cond(pred, if_fn, else_fn, (RESULT,), name or "cond")[0]
