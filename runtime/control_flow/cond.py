"""`cond`: one of two functions, as a tensor decides.

Equals `true_fn() if pred else false_fn()`, with both recorded and one run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.control_flow import forms
from runtime.control_flow.forms import Fixed, Form, Mismatch
from runtime.control_flow.ordering import ordered_like
from runtime.control_flow.tracing import call_in, inner_graph, share_captures
from runtime.control_flow.truth import truth
from runtime.core import dtypes
from runtime.core.context import recording
from runtime.core.dispatch import record
from runtime.core.errors import StagingError, VariantError
from runtime.core.graph import Graph
from runtime.core.opdef import BOOL, MIXED, Effect, OpDef, register
from runtime.core.operation import Operation
from runtime.core.places import user_place
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Reference, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.casting import cast
from runtime.ops.comparison import equal
from runtime.ops.convert import convert_to_tensor, weakened
from runtime.ops.output import Assert

Outputs = tuple[Any, ...]
Branch = Callable[[], Outputs]

_RESULT = "the result"
"""What messages call the output of `cond`."""


def _infer(*inputs: Tensor, then_branch: Graph, else_branch: Graph) -> tuple[TensorSpec, ...]:
    return tuple(
        a.spec if a.spec == b.spec else _common(a.spec, b.spec)
        for a, b in zip(then_branch.outputs, else_branch.outputs, strict=True)
    )


def _common(a: TensorSpec, b: TensorSpec) -> TensorSpec:
    joined = forms.join("output", forms.Leaf(a), forms.Leaf(b))
    assert isinstance(joined, forms.Leaf)
    return joined.spec


def _run(xp: Any, pred: Any, *captured: Any, then_branch: Any, else_branch: Any) -> Any:
    return (then_branch if pred else else_branch)(*captured)


def _define(name: str) -> OpDef:
    inputs = {"cond": BOOL, "*input": MIXED}
    return register(OpDef(name, inputs, _infer, _run, outputs=None))


IF = _define("If")
STATELESS_IF = _define("StatelessIf")


def staged_cond(
    pred: TensorLike, if_fn: Branch, else_fn: Branch, names: tuple[str, ...]
) -> Outputs:
    """Records both branches and gives the outputs of the one that will run.

    Where the test follows from constants and known shapes, only the branch that it chooses is
    recorded: so a test of a shape guards code that fits this shape only.

    Args:
      pred: what decides; its truth is taken as Python takes it.
      if_fn, else_fn: functions of nothing that give as many outputs as there are names.
      names: the user's names of the outputs.

    Raises: StagingError that names the variable if no form covers both of its values.
    """
    test = truth(pred)
    decided = static_value(test)
    if decided is not None:
        return if_fn() if decided else else_fn()
    outer = STATE.graph
    assert outer is not None
    with inner_graph("cond_true") as then_graph:
        if_values = call_in(then_graph, if_fn)
    with inner_graph("cond_false") as else_graph:
        else_values = call_in(else_graph, else_fn)
    joined = [_joined(name, a, b) for name, a, b in zip(names, if_values, else_values, strict=True)]
    _set_outputs(then_graph, joined, if_values)
    _set_outputs(else_graph, joined, else_values)
    captured = share_captures((then_graph, else_graph))
    effects = {then_graph.effect, else_graph.effect}
    definition = STATELESS_IF if effects == {Effect.NONE} else IF
    attrs = {"then_branch": then_graph, "else_branch": else_graph}
    source = iter(_weakened(record(outer, definition, (test, *captured), attrs, "cond"), joined))
    return tuple(forms.value_from(form, source) for form in joined)


def _weakened(outputs: tuple[Tensor, ...], joined: list[Form]) -> tuple[Tensor, ...]:
    weak = [flag for form in joined for _, flag in forms.specs(form)]
    for tensor, flag in zip(outputs, weak, strict=True):
        weakened(tensor, flag)
    return outputs


def _set_outputs(graph: Graph, joined: list[Form], values: Outputs) -> None:
    with recording(graph):
        flat = [
            tensor
            for form, value in zip(joined, values, strict=True)
            for tensor in forms.tensors(form, value)
        ]
        graph.outputs = [graph.capture(tensor) for tensor in flat]


def _joined(name: str, if_value: Any, else_value: Any) -> Form:
    if if_value is else_value:
        return Fixed(if_value)
    try:
        return forms.join(name, forms.form_of(if_value), forms.form_of(else_value))
    except Mismatch as mismatch:
        raise _refusal(mismatch) from None


def _refusal(mismatch: Mismatch) -> StagingError:
    left, right = mismatch.left, mismatch.right
    for form, branch in ((left, "`if`"), (right, "`else`")):
        if forms.is_undefined(form):
            return _staging_error(
                f"`{mismatch.path}` has no value after the {branch} branch, and {_other(mismatch)} "
                "after the other.",
                f"Either branch of a tensor `if` may run: assign `{mismatch.path}` in both, or "
                "before the `if`.",
            )
        if forms.is_none(form):
            return _staging_error(
                f"{_of_cond(mismatch.path)}`{mismatch.path}` is None after the {branch} branch, "
                f"and {_other(mismatch)} after the other.",
                "A tensor `if` cannot choose between None and a value. Use a value of the same "
                "dtype in place of None, and a bool variable that says whether it is set.",
            )
    reason = f" ({mismatch.reason})" if mismatch.reason else ""
    kinds = forms.describe(left), forms.describe(right)
    return _staging_error(
        f"{_of_cond(mismatch.path)}`{mismatch.path}` is {kinds[0]} after the `if` branch and "
        f"{kinds[1]} after the `else` branch{reason}.",
        f"Either branch of a tensor `if` may run, so `{mismatch.path}` needs one type. "
        f"{_agreement(kinds)}, or test a Python value, which is decided while tracing.",
    )


def _of_cond(path: str) -> str:
    """What stands before the message where `cond` itself was called."""
    if not path.startswith(_RESULT):
        return ""
    return (
        "true_fn and false_fn arguments to tf.cond must have the same number, type, and overall "
        "structure of return values. "
    )


def _agreement(kinds: tuple[str, str]) -> str:
    """What makes two branches agree, given what each of them leaves behind."""
    if any("the Python" in kind for kind in kinds):
        return "Leave tensors, or a tuple or dataclass of tensors, behind in both"
    if any(kind.startswith("string") for kind in kinds):
        return "Convert one side, for instance with runtime.strings.as_string"
    return "Convert one side, for instance with runtime.cast"


def _other(mismatch: Mismatch) -> str:
    hidden = forms.is_undefined(mismatch.left) or forms.is_none(mismatch.left)
    return forms.describe(mismatch.right if hidden else mismatch.left)


def _staging_error(what: str, remedy: str) -> StagingError:
    place = user_place()
    where = f"\n  {place}" if place else ""
    return StagingError(f"{what}{where}\n{remedy}", public=VariantError)


def cond(
    pred: TensorLike,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """What `true_fn()` gives if `pred` is true, else what `false_fn()` gives.

    Args:
      pred: a scalar; its truth is taken as Python takes it.
      true_fn, false_fn: functions of nothing; both give a structure of the same dtypes.
      name: has no effect.

    An operation that a function gives, such as `no_op()`, is no result: it has run.

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
    given: list[Any] = []

    def branch(function: Callable[[], Any]) -> Outputs:
        value = function()
        value = instead if isinstance(value, Operation) else value
        given.append(ordered_like(given[0], value) if given else value)
        return (given[-1],)

    return staged_cond(pred, lambda: branch(true_fn), lambda: branch(false_fn), (_RESULT,))[0]


def case(
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """What the function beside the first true predicate gives.

    Args:
      pred_fn_pairs: pairs of a bool scalar and a function of nothing, or a dict of them.
      default: the function if none is true; None: that is an error.
      exclusive: whether it is an error if several predicates are true.
      strict, name: have no effect.

    Raises: TypeError for anything that is no pair, predicates that are no bool tensors, and
      functions that cannot be called; ValueError if there are no pairs, and for a dict where its
      order counts and nothing is recorded; InvalidArgumentError if no predicate is true and there
      is no default.

    >>> import runtime as tf
    >>> x = tf.constant(3)
    >>> case([(x < 2, lambda: 1), (x < 5, lambda: 2)])
    2
    """
    if not isinstance(pred_fn_pairs, (list, tuple, dict)):
        raise TypeError(
            f"'pred_fn_pairs' must be a list, tuple, or dict. Received: {type(pred_fn_pairs)}"
        )
    if isinstance(pred_fn_pairs, dict) and not exclusive and STATE.graph is None:
        raise ValueError(
            "Unordered dictionaries are not supported for the 'pred_fn_pairs' argument when "
            "`exclusive=False` and eager mode is enabled: pass a list of pairs."
        )
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    pairs = [_checked_case(pair) for pair in pairs]
    if not pairs:
        raise ValueError("case needs at least one pair of predicate and function")
    if default is not None and not callable(default):
        raise TypeError("default must be callable: 'false_fn' must be callable.")
    chosen = default
    if exclusive:
        _check_exclusive([pred for pred, _ in pairs])
    if chosen is None:
        pred, function = pairs.pop()
        chosen = _required(pred, [each for each, _ in pairs], function)
    for pred, function in reversed(pairs):
        chosen = _either(pred, function, chosen)
    return chosen()


def _checked_case(pair: Any) -> tuple[Tensor, Callable[[], Any]]:
    _check_pair("pred_fn_pairs", pair)
    pred, function = pair
    if isinstance(pred, Reference):
        pred = pred.deref()
    if not isinstance(pred, Tensor):
        raise TypeError(f"pred must be a Tensor, got: {pred}")
    if pred.dtype is not dtypes.bool:
        raise TypeError(f"pred must be Tensor of type bool: {pred}")
    if not callable(function):
        raise TypeError(f"fn for pred {pred} must be callable.")
    return pred, function


def _check_exclusive(preds: list[Tensor]) -> None:
    names = ", ".join(getattr(pred, "name", "?") if STATE.graph else "?" for pred in preds)
    several = f"more than 1 conditions ({names}) evaluated as True:"
    count = sum((cast(pred, dtypes.int32) for pred in preds), start=convert_to_tensor(0))
    Assert(count < 2, [f"Input error: exclusive=True: {several}", *preds], summarize=len(preds))


def _check_pair(argument: str, pair: Any) -> None:
    if not isinstance(pair, tuple) or len(pair) != 2:
        raise TypeError(f"Each entry in '{argument}' must be a 2-tuple. Received {pair}.")


def _required(pred: Any, others: list[Any], function: Callable[[], Any]) -> Callable[[], Any]:
    def checked() -> Any:
        Assert(pred, ["Input error: None of conditions evaluated as True:", *others, pred])
        return function()

    return checked


def _either(
    pred: Any, function: Callable[[], Any], otherwise: Callable[[], Any]
) -> Callable[[], Any]:
    return lambda: cond(pred, function, otherwise)


def switch_case(
    branch_index: TensorLike,
    branch_fns: Any,
    default: Callable[[], Any] | None = None,
    name: str = "switch_case",
) -> Any:
    """What function number `branch_index` gives.

    Args:
      branch_index: an integer scalar tensor.
      branch_fns: functions of nothing, or pairs (or a dict) of the numbers from 0 and functions.
      default: the function for other numbers; None: the one with the highest number.
      name: has no effect.

    Raises: TypeError for a number that is no integer, and for functions that cannot be called;
      ValueError if there are no functions, or their numbers have gaps.

    >>> import runtime as tf
    >>> switch_case(tf.constant(1), [lambda: "a", lambda: "b"])
    'b'
    """
    functions = _numbered(branch_fns)
    if not isinstance(branch_index, Tensor):
        raise TypeError(f"'branch_index' must be a Tensor, got {type(branch_index)}")
    index = convert_to_tensor(branch_index)
    if not index.dtype.is_integer:
        raise TypeError(f"'branch_index' must be an integer Tensor, got {index.dtype!s}")
    last = functions[-1] if default is None else default
    if not callable(last):
        raise TypeError("default must be callable.")
    pairs = [(equal(index, number), function) for number, function in enumerate(functions)]
    return case(pairs, last)


def _numbered(branch_fns: Any) -> list[Callable[[], Any]]:
    """The functions in the order of their numbers."""
    if not isinstance(branch_fns, (list, tuple, dict)):
        raise TypeError(
            f"'branch_fns' must be a list, tuple, or dict. Received: {type(branch_fns)}"
        )
    entries = list(branch_fns.items() if isinstance(branch_fns, dict) else branch_fns)
    if not entries:
        raise ValueError("Must provide at least one item in 'branch_fns'")
    if all(callable(entry) for entry in entries):
        return entries
    for entry in entries:
        _check_pair("branch_fns", entry)
        if not isinstance(entry[0], int):
            raise TypeError(f"key must be a Python `int`, got {type(entry[0])}")
        if not callable(entry[1]):
            raise TypeError(f"fn for key {entry[0]} must be callable.")
    keys = sorted(key for key, _ in entries)
    if keys != list(range(len(entries))):
        raise ValueError(
            f"branch indices (keys) must form contiguous range of [0 to {len(entries)}) but found "
            f"{{{','.join(map(str, keys))}}}"
        )
    return [function for _, function in sorted(entries, key=lambda entry: entry[0])]
