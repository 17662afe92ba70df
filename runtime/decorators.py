"""The decorator `function`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, ParamSpec, TypedDict, TypeVar, Unpack, overload

from runtime import numpy_programs
from runtime.engines.engine import AUTO, jit_engine
from runtime.functions.polymorphic import Function

P = ParamSpec("P")
R = TypeVar("R")
JitCompile = bool | Literal["auto"] | None


class _Options(TypedDict, total=False):
    """The options of `function`, for type checkers."""

    autograph: bool
    jit_compile: JitCompile
    reduce_retracing: bool
    experimental_implements: object
    experimental_autograph_options: object
    experimental_attributes: object
    experimental_relax_shapes: bool | None
    experimental_compile: bool | None
    experimental_follow_type_hints: bool | None
    numpy: bool


@overload
def function(
    func: Callable[P, R], input_signature: object = None, **options: Unpack[_Options]
) -> Function[P, R]: ...
@overload
def function(
    func: None = None, input_signature: object = None, **options: Unpack[_Options]
) -> Callable[[Callable[P, R]], Function[P, R]]: ...
def function(
    func: Callable[..., Any] | None = None,
    input_signature: object = None,
    autograph: bool = True,
    jit_compile: JitCompile = None,
    reduce_retracing: bool = False,
    experimental_implements: object = None,
    experimental_autograph_options: object = None,
    experimental_attributes: object = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
    *,
    numpy: bool = False,
) -> Any:
    """Make a Python function run as a graph, as a decorator or as a call.

    The first call of each type traces the function; later calls run the graph. Tensors are
    distinguished by dtype and shape, Python values by value, other objects by identity. A graph for
    unknown dimensions accepts all shapes that it includes.

    Args:
      func: the function; None: return a decorator.
      input_signature: `TensorSpec`s for the parameters; all calls then share one graph.
      autograph: whether to convert `if`, `while`, `for`, ... on tensors to graph operations.
      experimental_autograph_options: a `Feature` of the converter, or several.
      jit_compile: whether the native engine runs it, or the XLA engine if llvmlite is not
        installed, see `config.set_engine`; None, False: the selected engine does, and
        `config.optimizer.set_jit` says when it compiles; "auto": the selected engine runs it a
        hundred times, and then the native engine does, if llvmlite is installed.
      experimental_compile: another name of `jit_compile`.
      experimental_implements, experimental_attributes, experimental_follow_type_hints: ignored.
      experimental_relax_shapes: another name of `reduce_retracing`.
      reduce_retracing: whether a call with a second shape traces a graph for both shapes.
      numpy: whether the program computes with NumPy: its arrays are traced with NumPy's dtypes,
        calls of NumPy become operations, assigned items change the caller's arrays, and the
        results are arrays and scalars of NumPy.

    Returns: A `Function`, or a decorator if `func` is None.

    Raises:
      TypeError: if `func` is not callable, or `input_signature` does not fit its parameters.
      ValueError: for another `jit_compile`.
      ImportError: for `jit_compile=True` without llvmlite and JAX.

    >>> import runtime as tf
    >>> @tf.function
    ... def f(x):
    ...     return x * 2.0
    >>> print(f(tf.constant([1.0, 2.0])))
    tf.Tensor([2. 4.], shape=(2,), dtype=float32)
    >>> import numpy as np
    >>> @tf.function(numpy=True)
    ... def halve(x):
    ...     x[x > 1] *= 0.5
    ...     return x.sum()
    >>> x = np.array([1.0, 2.0, 4.0])
    >>> print(halve(x), x)
    4.0 [1. 1. 2.]
    """
    kind: type[Function[Any, Any]] = numpy_programs.NumPyFunction if numpy else Function
    if isinstance(jit_compile, str) and jit_compile != AUTO:
        raise ValueError(f'jit_compile is True, False, None or "auto", not {jit_compile!r}')
    engine: str | None = AUTO if jit_compile == AUTO else None
    if engine is None and (jit_compile or experimental_compile):
        engine = jit_engine()

    def decorate(python_function: Callable[P, R]) -> Function[P, R]:
        return kind(
            python_function,
            input_signature=input_signature,
            autograph=autograph,
            reduce_retracing=reduce_retracing or bool(experimental_relax_shapes),
            features=experimental_autograph_options,
            engine=engine,
        )

    return decorate if func is None else decorate(func)
