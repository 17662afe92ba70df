"""Python functions as operations, differentiated by a tape that records their run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from runtime.autodiff.recording import Tape, gradients_on, noting
from runtime.backprop.walk import Step, carries_gradient, dense, or_zeros
from runtime.core import dtypes
from runtime.core.opdef import MIXED, DTypes, Effect, sample
from runtime.core.operation import Operation
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.array.creation import zeros_like
from runtime.ops.base.define import Op, define_op
from runtime.ops.effects.python import (
    FLOAT,
    RUNS_PYTHON,
    call_on_tensors,
    called,
    decorator,
    specs_of,
)

_NOTED = spec_of(dtypes.variant, ())


class _Noted(NamedTuple):
    """A recorded run of a function.

    Attributes:
      tape: the tape; gradients of any order are computed on it too.
      inputs: a tensor for each input of the operation.
      outputs: the results.
      size: zero: the gradient of a run (a variant, like a tensor list) is an empty list.
    """

    tape: Tape
    inputs: list[EagerTensor]
    outputs: list[EagerTensor]
    size: int = 0


def _tensors(arrays: Sequence[Any]) -> list[EagerTensor]:
    return [EagerTensor(np.asarray(array)) for array in arrays]


def _run(
    xp: object, *arrays: object, func: Callable[..., Any], specs: tuple[TensorSpec, ...]
) -> Any:
    return tuple(tensor.array for tensor in call_on_tensors(func, _tensors(arrays), specs))


def _run_noted(
    xp: object, *arrays: object, func: Callable[..., Any], specs: tuple[TensorSpec, ...]
) -> Any:
    tensors, tape = _tensors(arrays), Tape(None, follows_variables=False, orders=2)
    with noting(tape, watched=tensors):
        outputs = call_on_tensors(func, tensors, specs)
    return (*(tensor.array for tensor in outputs), _Noted(tape, tensors, outputs))


def _gradients(noted: _Noted, seeds: Sequence[Tensor], asked: Sequence[bool]) -> list[EagerTensor]:
    """Return the gradients by the requested inputs, with zeros for missing ones."""
    targets = list(filter(carries_gradient, noted.outputs))
    sources = [tensor for tensor, flag in zip(noted.inputs, asked, strict=True) if flag]
    made = gradients_on(noted.tape, targets, seeds, sources)
    pairs = zip(made, sources, strict=True)
    whole = [zeros_like(source) if each is None else dense(each) for each, source in pairs]
    return cast(list[EagerTensor], whole)


def _run_gradients(
    xp: object,
    noted: _Noted,
    *arrays: object,
    asked: tuple[bool, ...],
    specs: tuple[TensorSpec, ...],
) -> Any:
    seeds = _tensors(arrays[len(noted.inputs) :])
    return tuple(tensor.array for tensor in _gradients(noted, seeds, asked))


def _run_gradients_noted(
    xp: object,
    noted: _Noted,
    *arrays: object,
    asked: tuple[bool, ...],
    specs: tuple[TensorSpec, ...],
) -> Any:
    seeds = _tensors(arrays[len(noted.inputs) :])
    with noting(noted.tape, watched=seeds):
        outputs = _gradients(noted, seeds, asked)
    again = _Noted(noted.tape, [*noted.inputs, *seeds], outputs)
    return (*(tensor.array for tensor in outputs), again)


def _backward(
    step: Step, gradients: Sequence[Tensor | None], wanted: Sequence[bool]
) -> list[Tensor | None]:
    """Return the gradients of a function, or of its gradients, on the tape of its run."""
    noted = _noted_by(step)
    count = len(step.attrs["specs"])
    own = [_is_run(tensor) for tensor in step.inputs]
    inputs = [tensor for tensor, flag in zip(step.inputs, own, strict=True) if not flag]
    asked = [flag for flag, run in zip(wanted, own, strict=True) if not run]
    seeds = map(or_zeros, gradients[:count], step.outputs[:count])
    again = STATE.graph is None and STATE.tapes
    made = iter(
        (_GRADIENT_ON_TAPE if again else _GRADIENT).outputs(
            noted,
            *inputs,
            *(each for each in seeds if each is not None),
            asked=tuple(asked),
            specs=tuple(tensor.spec for tensor, flag in zip(inputs, asked, strict=True) if flag),
        )
    )
    return [next(made) if flag and not run else None for flag, run in zip(wanted, own, strict=True)]


def _is_run(tensor: Tensor) -> bool:
    return tensor.dtype is dtypes.variant


def _noted_by(step: Step) -> Tensor:
    """Return the recorded run of a step; replaces a graph operation by its recording variant."""
    on_tape = {_EAGER.definition: _ON_TAPE, _GRADIENT.definition: _GRADIENT_ON_TAPE}
    if isinstance(step, Operation) and step.definition in on_tape:
        step.definition = on_tape[step.definition].definition
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
        local=RUNS_PYTHON,
        backward=_backward,
        samples=(sample(1.5, func=lambda x: x, specs=(FLOAT,)),),
    )


def _define_gradient(name: str, infer: Any, kernel: Any, boxed: bool) -> Op:
    return define_op(
        name,
        {"noted": DTypes("a run of a function", dtypes.variant), "*input": MIXED},
        infer,
        kernel,
        outputs=None,
        boxed=boxed,
        local=RUNS_PYTHON,
        backward=_backward,
    )


_EAGER = _define("EagerPyFunc", specs_of, _run, boxed=False)
_ON_TAPE = _define(
    "EagerPyFuncOnTape", lambda *x, func, specs: (*specs, _NOTED), _run_noted, boxed=True
)
_GRADIENT = _define_gradient(
    "EagerPyFuncGradient", lambda *x, asked, specs: specs, _run_gradients, boxed=False
)
_GRADIENT_ON_TAPE = _define_gradient(
    "EagerPyFuncGradientOnTape",
    lambda *x, asked, specs: (*specs, _NOTED),
    _run_gradients_noted,
    boxed=True,
)


def py_function(
    func: Callable[..., Any] | None = None,
    inp: Sequence[TensorLike] | None = None,
    Tout: Any = None,
    name: str | None = None,
) -> Any:
    """Run a Python function on eager tensors, each time the program reaches this call.

    In a graph the call keeps its place in the order of effects.

    Args:
      func: takes a tensor for each entry of `inp` and returns values that match `Tout`. None:
        return a decorator.
      inp: the arguments.
      Tout: dtype or `TensorSpec` of the result; a list for several or no results.
      name: the name of the operation.

    Returns: A tensor, or a list if `Tout` is a list.

    Raises:
      ValueError: if `func` is not callable.
      InvalidArgumentError: if results do not match `Tout`, or `func` raises ValueError or
        TypeError.
      UnknownError: for most other errors.

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
