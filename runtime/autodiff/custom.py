"""Custom gradients: functions that define their own gradient."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from types import MethodType
from typing import Any

from runtime.backprop.calls import call_graph
from runtime.backprop.walk import Step, carries_gradient, or_zeros
from runtime.core import nest
from runtime.core.context import recording
from runtime.core.dispatch import Ran
from runtime.core.graph import Graph
from runtime.core.naming import label
from runtime.core.opdef import MIXED, Marks, OpDef, register
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE, temporarily
from runtime.ops.base.convert import convert_to_tensor
from runtime.state.variable import Variable

GradientFunction = Callable[..., Any]


class _Accesses:
    """A tape that records which variables a function reads, and no operations."""

    orders = 0

    def __init__(self) -> None:
        self.variables: dict[int, Variable] = {}

    def accessed(self, variable: Variable) -> None:
        if variable.trainable:
            self.variables[id(variable.handle)] = variable

    def note(self, graph: Graph | None, step: Step) -> None:
        """Ignore the step."""

    def watches(self, tensor: Tensor) -> bool:
        return False

    def follows(self, tensors: Iterable[Tensor]) -> list[bool]:
        return [False for _ in tensors]


@contextmanager
def _noting_accesses() -> Iterator[dict[int, Variable]]:
    """Collect the trainable variables that the code inside reads, by `id` of their handle."""
    accesses = _Accesses()
    try:
        with temporarily(tapes=(*STATE.tapes, accesses)):
            yield accesses.variables
    finally:
        for variable in accesses.variables.values():
            variable.note_access()


def noting_only_accesses() -> AbstractContextManager[None]:
    """Hide the operations inside from the tapes."""
    return temporarily(tapes=tuple(tape for tape in STATE.tapes if isinstance(tape, _Accesses)))


def custom_gradient(f: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """Define the gradient of a function.

    In a graph the gradient function is traced together with the function. Higher-order gradients
    differentiate the gradient function: through its arguments, and through the values of `f` that
    it uses.

    Args:
      f: returns a tensor or a structure of tensors, and a gradient function. The gradient function
        takes the gradient of each result tensor. It returns the gradient of each positional
        argument, in order; `self` and keyword arguments have none. If `f` reads trainable
        variables, it also takes a list `variables` and returns a pair: the gradients of the
        arguments, and those of the variables.

    Returns: A function of the same arguments that returns the first result of `f`.

    Raises:
      TypeError: if `f` reads variables and the gradient function does not accept them.
      ValueError: if the number of gradients differs from the number of arguments.

    >>> import runtime as tf
    >>> @tf.custom_gradient
    ... def log1pexp(x):
    ...     e = tf.exp(x)
    ...     return tf.math.log(1.0 + e), lambda upstream: upstream * (1.0 - 1.0 / (1.0 + e))
    >>> x = tf.constant(100.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = log1pexp(x)
    >>> print(tape.gradient(y, x))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    if f is None:
        return custom_gradient

    @functools.wraps(f)
    def decorated(*args: object, **kwargs: object) -> Any:
        if args and _is_method(decorated, args[0]):
            return _call(MethodType(f, args[0]), args[1:], kwargs)
        return _call(f, args, kwargs)

    return decorated


def _is_method(function: Callable[..., Any], instance: object) -> bool:
    """Return whether the function is a method of the object's class."""
    return any(function in vars(kind).values() for kind in type(instance).__mro__[:-1])


def _call(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    leaves = nest.flatten(list(args))
    given = [*leaves, *nest.flatten(list(kwargs.values()))]
    with _noting_accesses() as read:
        result, gradient_function = _result_of(f, args, kwargs)
        results = [convert_to_tensor(leaf) for leaf in nest.flatten(result)]
    handles = {id(leaf.handle) for leaf in given if isinstance(leaf, Variable)}
    variables = [variable for key, variable in read.items() if key not in handles]
    if variables and not _takes_variables(gradient_function):
        raise TypeError(
            "If using @custom_gradient with a function that uses variables, then grad_fn must "
            f"accept a 'variables' keyword argument. `{_name(f)}` reads "
            f"{', '.join(variable.name for variable in variables)}."
        )
    rule = _Rule(_name(f), gradient_function, list(map(is_source, leaves)), variables)
    sources = [leaf for leaf in leaves if is_source(leaf)] + variables
    inputs = [leaf.handle if isinstance(leaf, Variable) else leaf for leaf in sources]
    outputs = (_ran if STATE.graph is None else _recorded)(rule, results, inputs)
    return nest.pack_sequence_as(result, list(outputs))


def is_source(leaf: object) -> bool:
    """Return whether a leaf is a tensor or a variable, which have gradients."""
    return isinstance(leaf, (Tensor, Variable))


def _name(f: Callable[..., Any]) -> str:
    return getattr(f, "__name__", type(f).__name__)


def _result_of(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, GradientFunction]:
    returned = f(*args, **kwargs)
    if not isinstance(returned, (tuple, list)) or len(returned) != 2 or not callable(returned[1]):
        raise ValueError(
            f"`{_name(f)}` has to return a pair: its result, and a function for the gradient. It "
            f"returned {returned!r}."
        )
    return returned[0], returned[1]


def _takes_variables(function: GradientFunction) -> bool:
    parameters = inspect.signature(function).parameters
    any_name = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    return any_name or "variables" in parameters


class _Rule:
    """The gradient function of one call; `sources` says which positional arguments are tensors."""

    def __init__(
        self,
        name: str,
        function: GradientFunction,
        sources: Sequence[bool],
        variables: Sequence[Variable],
    ) -> None:
        self.name = name
        self._function = function
        self._sources = sources
        self._variables = list(variables)

    def __call__(self, *gradients: object) -> list[Any]:
        """Return the gradients of the tensor arguments, then of all variables."""
        if not self._variables:
            return self._of_arguments(self._function(*gradients))
        made, of_variables = self._function(*gradients, variables=self._variables)
        of_variables = list(nest.flatten(of_variables))
        if len(of_variables) != len(self._variables):
            raise self._wrong_number("variables", len(self._variables), len(of_variables))
        return self._of_arguments(made) + of_variables

    def _of_arguments(self, made: object) -> list[Any]:
        flat = list(nest.flatten(made))
        if len(flat) != len(self._sources):
            raise self._wrong_number("arguments", len(self._sources), len(flat))
        return [each for each, flag in zip(flat, self._sources, strict=True) if flag]

    def _wrong_number(self, what: str, wanted: int, found: int) -> ValueError:
        return ValueError(
            f"custom_gradient function expected to return {wanted} gradients, but returned "
            f"{found} instead: `{self.name}` has {wanted} {what}. Give None for one without."
        )


def _ran(rule: _Rule, results: Sequence[Tensor], inputs: Sequence[Tensor]) -> list[Tensor]:
    """Return copies of the result tensors and record the rule on the tapes."""
    own: list[Tensor] = [
        EagerTensor(tensor._a, tensor.spec)  # type: ignore[attr-defined]
        for tensor in results
    ]
    for tape in STATE.tapes:
        tape.note(None, Ran(_RAN, tuple(inputs), {"rule": rule}, tuple(own)))
    return own


def _back(
    step: Step, gradients: Sequence[Tensor | None], wanted: Sequence[bool]
) -> Sequence[Tensor | None]:
    full = map(or_zeros, gradients, step.outputs)
    rule: _Rule = step.attrs["rule"]
    return rule(*(each for each in full if each is not None))


def _recorded(rule: _Rule, results: Sequence[Tensor], inputs: Sequence[Tensor]) -> Sequence[Tensor]:
    """Record an operation that returns the results and carries the backward graph."""
    outer: Graph = STATE.graph
    backward = Graph(f"{rule.name}_gradient", outer)
    with recording(backward):
        given = [
            backward.add_input(tensor.spec, "gradient")
            for tensor in results
            if carries_gradient(tensor)
        ]
        made = rule(*given)
        flags = tuple(each is not None for each in made)
        tensors = [convert_to_tensor(each) for each in made if each is not None]
        backward.outputs = [backward.capture(tensor) for tensor in tensors]
    inputs = (*results, *inputs, *backward.captures)
    attrs = {"backward": backward, "count": len(results), "made": flags}
    return outer.record(_RECORDED, inputs, attrs, label(rule.name))


def _back_in_graph(
    step: Step, gradients: Sequence[Tensor | None], wanted: Sequence[bool]
) -> list[Tensor | None]:
    backward, count, flags = (step.attrs[key] for key in ("backward", "count", "made"))
    full = map(or_zeros, gradients, step.outputs)
    reads = step.inputs[count + len(flags) :]
    made = iter(call_graph(backward, [*(each for each in full if each is not None), *reads]))
    own = [next(made) if flag else None for flag in flags]
    return [*[None] * count, *own, *[None] * len(reads)]


_RAN = OpDef("CustomGradient", {"*input": MIXED}, lambda *x: (), lambda xp, *x: (), backward=_back)
_RECORDED = register(
    OpDef(
        "CustomGradient",
        {"*input": MIXED},
        lambda *inputs, backward, count, made: tuple(x.spec for x in inputs[:count]),
        lambda xp, *inputs, backward, count, made: inputs[:count],
        outputs=None,
        backward=_back_in_graph,
        marks=Marks.GRADIENT,
    )
)
