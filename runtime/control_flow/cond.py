"""`cond`: one of two functions, as a tensor decides.

Equals `true_fn() if pred else false_fn()`, with both recorded and one run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from autograph.steps import Steps, calling, run
from runtime.control_flow.branch_gradients import branches_backward
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
from runtime.control_flow.partial_dicts import bind_choice
from runtime.control_flow.tracing import Surfacing
from runtime.control_flow.truth import truth
from runtime.core.opdef import BOOL, MIXED, Control, OpDef, register
from runtime.core.static import static_value
from runtime.core.tensor import TensorLike
from runtime.core.thread import STATE


def _run(xp: Any, pred: Any, *captured: Any, then_branch: Any, else_branch: Any) -> Any:
    return (then_branch if pred else else_branch)(*captured)


def _define(name: str) -> OpDef:
    inputs = {"cond": BOOL, "*input": MIXED}
    return register(
        OpDef(
            name, inputs, infer, _run, outputs=None, backward=branches_backward, control=Control.IF
        )
    )


_CHOICE = Choice(
    _define("StatelessIf"),
    _define("If"),
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
    """Records both branches and returns the outputs of the one that will run.

    Args:
      pred: what decides; its truth is taken as Python takes it.
      if_fn, else_fn: functions without arguments that return as many outputs as there are names.
      names: the user's names of the outputs.
      name: of the operation.

    Raises: StagingError that names the variable if no form covers both of its values.
    """
    return run(partial(cond_steps, pred, calling(if_fn), calling(else_fn), names, name))


def cond_steps(
    pred: TensorLike,
    if_steps: Callable[[], Steps[Outputs]],
    else_steps: Callable[[], Steps[Outputs]],
    names: tuple[str, ...],
    name: str = "cond",
) -> Steps[Outputs]:
    """The steps of `staged_cond`, of functions that return those of the branches.

    Where the test follows from constants and known shapes, only the branch that it chooses is
    recorded: so a test of a shape guards code that fits this shape only.
    """
    with Surfacing():
        test = truth(pred)
        decided = static_value(test)
        if decided is not None:
            return (yield from (if_steps() if decided else else_steps()))
        arms = (
            Arm(if_steps, "then_branch", "true", "the `if` branch"),
            Arm(else_steps, "else_branch", "false", "the `else` branch"),
        )
        return (yield from record_branches(replace(_CHOICE, name=name), test, arms, names))


bind_choice(staged_cond)


def cond(
    pred: TensorLike,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """What `true_fn()` returns if `pred` is true, else what `false_fn()` returns.

    Args:
      pred: a scalar; its truth is taken as Python takes it.
      true_fn, false_fn: functions without arguments; both return a structure of the same dtypes.
      name: the name of the operation; None: "cond".

    An operation that a function returns, such as `no_op()`, is no result: it has run.

    Raises: TypeError if a function cannot be called, and if the outputs differ in dtype or
      structure, and for a Python bool while a graph is recorded; ValueError for None, and for a
      predicate of several elements.

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
