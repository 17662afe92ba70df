"""Python functions on tensors as operations, whose gradients a tape finds that notes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.autodiff.tape import GradientTape
from runtime.backprop.walk import Step, carries_gradient, or_zeros
from runtime.core import dtypes
from runtime.core.opdef import MIXED, DTypes, Effect, sample
from runtime.core.operation import Operation
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.define import Op, define_op
from runtime.ops.python import FLOAT, call_on_tensors, called, decorator, specs_of

_NOTED = spec_of(dtypes.variant, ())


class _Noted(NamedTuple):
    """A run of a function, for its gradient."""

    tape: GradientTape
    inputs: list[EagerTensor]
    outputs: list[EagerTensor]


def _run(xp: Any, *arrays: Any, func: Callable[..., Any], specs: tuple[TensorSpec, ...]) -> Any:
    tensors = [EagerTensor(np.asarray(array)) for array in arrays]
    return tuple(tensor.array for tensor in call_on_tensors(func, tensors, specs))


def _run_noted(
    xp: Any, *arrays: Any, func: Callable[..., Any], specs: tuple[TensorSpec, ...]
) -> Any:
    tensors = [EagerTensor(np.asarray(array)) for array in arrays]
    with GradientTape(persistent=True) as tape:
        tape.watch(list(filter(carries_gradient, tensors)))
        outputs = call_on_tensors(func, tensors, specs)
    noted = _Noted(tape, tensors, outputs)
    return (*(tensor.array for tensor in outputs), noted)


def _gradients(
    xp: Any, noted: _Noted, *seeds: Any, asked: tuple[bool, ...], specs: tuple[TensorSpec, ...]
) -> Any:
    targets = list(filter(carries_gradient, noted.outputs))
    sources = [tensor for tensor, flag in zip(noted.inputs, asked, strict=True) if flag]
    given = [EagerTensor(np.asarray(seed)) for seed in seeds]
    made = noted.tape.gradient(targets, sources, given, unconnected_gradients="zero")
    return tuple(EagerTensor(each.array).array for each in made)


def _backward(
    step: Step, gradients: Sequence[Tensor | None], wanted: Sequence[bool]
) -> list[Tensor | None]:
    """The gradients of a function, by the tape that noted it when it ran."""
    noted = _noted_by(step)
    count = len(step.attrs["specs"])
    full = map(or_zeros, gradients[:count], step.outputs[:count])
    sources = [tensor for tensor, flag in zip(step.inputs, wanted, strict=True) if flag]
    made = iter(
        _GRADIENT.outputs(
            noted,
            *(each for each in full if each is not None),
            asked=tuple(wanted),
            specs=tuple(tensor.spec for tensor in sources),
        )
    )
    return [next(made) if flag else None for flag in wanted]


def _noted_by(step: Step) -> Tensor:
    """The run of a function; in a graph the operation is made one that gives it."""
    if isinstance(step, Operation) and step.definition is _EAGER.definition:
        step.definition = _ON_TAPE.definition
        step.outputs = (*step.outputs, SymbolicTensor(step, len(step.outputs), _NOTED, False))
    return step.outputs[-1]


def _define(name: str, infer: Any, kernel: Any, boxed: bool) -> Op:
    return define_op(
        name,
        {"*input": MIXED},
        infer,
        kernel,
        outputs=None,
        effect=Effect.WRITE,
        boxed=boxed,
        backward=_backward,
        samples=(sample(1.5, func=lambda x: x, specs=(FLOAT,)),),
    )


_EAGER = _define("EagerPyFunc", specs_of, _run, boxed=False)
_ON_TAPE = _define(
    "EagerPyFuncOnTape", lambda *x, func, specs: (*specs, _NOTED), _run_noted, boxed=True
)
_GRADIENT = define_op(
    "EagerPyFuncGradient",
    {"noted": DTypes("a run of a function", dtypes.variant), "*gradient": MIXED},
    lambda noted, *seeds, asked, specs: specs,
    _gradients,
    outputs=None,
)


def py_function(
    func: Callable[..., Any] | None = None,
    inp: Sequence[TensorLike] | None = None,
    Tout: Any = None,
    name: str | None = None,
) -> Any:
    """Runs a Python function on tensors with values, each time the program comes here.

    Args:
      func: None: a decorator is returned, of a function that is called with `inp` one by one. It
        takes as many tensors as `inp` has entries, gives what `Tout` says. In a graph it runs
        in the order of effects, once each time.
      inp: what it gets.
      Tout: dtype or `TensorSpec` of the result; a list for several or no results.
      name: the name of the operation.

    Returns: a tensor, or a list if `Tout` is one.
    Raises: ValueError if `func` cannot be called; InvalidArgumentError for results that do not fit
      `Tout`, and for a ValueError or TypeError in `func`; UnknownError for most other errors.

    >>> import runtime as tf
    >>> @tf.function
    ... def f(x):
    ...     return py_function(lambda t: float(t) ** 2, [x], tf.float32)
    >>> print(f(tf.constant(3.0)))
    tf.Tensor(9.0, shape=(), dtype=float32)
    """
    if func is None:
        return decorator(lambda function, given: py_function(function, given, Tout, name))
    if STATE.graph is not None or not STATE.tapes:
        return called(_EAGER, func, inp, Tout, name)
    several = isinstance(Tout, (list, tuple))
    found = called(_ON_TAPE, func, inp, list(Tout) if several else [Tout], name)[:-1]
    return found if several else found[0]
