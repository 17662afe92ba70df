"""`cond` and `case`: predicates choose one of several functions.

`cond` equals `true_fn() if pred else false_fn()`; both are traced, one runs. `case` evaluates its
predicates in order, so it is nested branches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
    check_pair,
    infer,
    record_branches,
    results_of,
)
from runtime.control_flow.gradients.branch_gradients import branches_backward
from runtime.control_flow.tracing import Surfacing, control_op
from runtime.control_flow.truth import truth
from runtime.control_flow.values import layouts
from runtime.core import dtypes
from runtime.core.context import control_dependencies, name_scope
from runtime.core.opdef import BOOL, MIXED, Control
from runtime.core.static import static_value
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Reference, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.array.joining import stack
from runtime.ops.base.convert import cast_to
from runtime.ops.effects.output import Assert
from runtime.ops.math.comparison import less_equal
from runtime.ops.reduce.reduction import reduce_sum

Function = Callable[[], Any]


def _run(xp: object, pred: Any, *captured: Any, then_branch: Any, else_branch: Any) -> Any:
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
    """Trace both branches and return the outputs of the one that will run.

    Args:
      pred: the predicate, with Python's truth.
      if_fn, else_fn: functions without parameters that return one output for each name.
      names: the user's names of the outputs.
      name: the name of the operation.

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

    Returns:
      The result of the selected function.

    Raises:
      TypeError: if a function is not callable, if outputs differ in dtype or structure, or for a
        Python bool during tracing.
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


def case(
    pred_fn_pairs: object,
    default: Function | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """Return the result of the function of the first true predicate.

    Args:
      pred_fn_pairs: pairs of a bool scalar and a function without parameters, or a dict from
        references of the scalars to functions.
      default: the function if no predicate is true; None: this is an error.
      exclusive: whether several true predicates are an error. Without a default, the last pair is
        the default and is not checked.
      strict: ignored: results keep their structure.
      name: name scope of the operations.

    Returns:
      The result of the function.

    Raises:
      TypeError: if an entry is not a pair, a predicate is not a bool tensor, or a function is not
        callable.
      ValueError: if there are no pairs, or for a dict in eager mode unless `exclusive`.
      InvalidArgumentError: if no predicate is true and there is no default, or if several are true
        and `exclusive`.

    >>> import runtime as tf
    >>> x = tf.constant(3)
    >>> case([(x < 2, lambda: 1), (x < 5, lambda: 2)])
    2
    """
    pairs = _pairs(pred_fn_pairs, exclusive)
    if default is not None and not callable(default):
        raise TypeError("default must be callable: 'false_fn' must be callable.")
    with name_scope(name or "case"):
        last = default
        if last is None:
            predicates = [predicate for predicate, _ in pairs]
            last = _required(predicates, pairs.pop()[1])
        for predicate, function in reversed(pairs):
            last = _either(predicate, function, last)
        waits = _at_most_one([predicate for predicate, _ in pairs]) if exclusive else []
        with control_dependencies(waits):
            return last()


def _pairs(pred_fn_pairs: object, exclusive: bool) -> list[tuple[Tensor, Function]]:
    if not isinstance(pred_fn_pairs, (list, tuple, dict)):
        raise TypeError(
            f"'pred_fn_pairs' must be a list, tuple, or dict. Received: {type(pred_fn_pairs)}"
        )
    if isinstance(pred_fn_pairs, dict) and not exclusive and STATE.graph is None:
        raise ValueError(
            "Unordered dictionaries are not supported for the 'pred_fn_pairs' argument when "
            "`exclusive=False` and eager mode is enabled: pass a list of pairs."
        )
    pairs = pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs
    if not pairs:
        raise ValueError("case needs at least one pair of predicate and function")
    return [_checked(pair) for pair in pairs]


def _checked(pair: Any) -> tuple[Tensor, Function]:
    check_pair("pred_fn_pairs", pair)
    predicate, function = pair
    if isinstance(predicate, Reference):
        predicate = predicate.deref()
    if not isinstance(predicate, Tensor):
        raise TypeError(f"pred must be a Tensor, got: {predicate}")
    if predicate.dtype is not dtypes.bool:
        raise TypeError(f"pred must be Tensor of type bool: {predicate}")
    if not callable(function):
        raise TypeError(f"fn for pred {predicate} must be callable.")
    return predicate, function


def _either(predicate: Tensor, function: Function, otherwise: Function) -> Function:
    return lambda: cond(predicate, function, otherwise)


def _required(predicates: Sequence[Tensor], function: Function) -> Function:
    """Return the function of the last predicate, with a check that the predicate is true."""

    def checked() -> Any:
        held = stack(predicates, name="preds_c")
        waits = Assert(predicates[-1], ["Input error: None of conditions evaluated as True:", held])
        with control_dependencies([] if waits is None else [waits]):
            return function()

    return checked


def _at_most_one(predicates: Sequence[Tensor]) -> list[Any]:
    """Check that at most one predicate is true; return the control inputs of dependent
    operations.
    """
    if not predicates:
        return []
    held = stack(predicates, name="preds_c")
    number = reduce_sum(cast_to(held, dtypes.int32), name="num_true_conds")
    names = ", ".join(_name(predicate) for predicate in predicates)
    text = f"Input error: exclusive=True: more than 1 conditions ({names}) evaluated as True:"
    checked = Assert(less_equal(number, 1), [text, held])
    return [] if checked is None else [checked]


def _name(predicate: Tensor) -> str:
    return predicate.name if isinstance(predicate, SymbolicTensor) else "?"
