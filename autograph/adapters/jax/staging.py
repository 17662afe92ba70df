"""JAX: what converted code does with tracers, under `jit`, `vmap`, `grad` and the rest.

Arrays with values take the plain Python path; only tracers are staged.

A failed `assert` and a `raise` in a branch raise when the program runs: `JaxRuntimeError`, with
the user's exception, file and line as its text. `raising(f)` raises the exception itself, and
`checkify(f)` returns functional errors.

>>> import autograph
>>> space = autograph.exec("def f(x):\\n    while x < 100:\\n        x = 2 * x\\n    return x\\n")
>>> print(jax.jit(autograph.to_graph(space["f"]))(3))
192
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, tree_util
from jax.experimental import checkify as jax_checkify

from autograph.adapters import builtin_functions
from autograph.adapters.jax import effects
from autograph.adapters.jax.arrays import FORMS, is_array, truth, weakened
from autograph.adapters.jax.control_flow import WAYS, is_traced, numbered
from autograph.adapters.jax.indices import numbers_by_axis, signed
from autograph.adapters.jax.texts import JaxText, refuse_text, text_of
from autograph.adapters.library import Library, value_of
from autograph.adapters.names import CONVERSION_ERRORS
from autograph.adapters.refusals import Unsettled, places_of, refusal
from autograph.errors import StagingError
from autograph.staging import CannotRoll, own_choices, trace
from autograph.values import Value

_UNTRACEABLE = (jax.errors.JAXTypeError, jax.errors.JAXIndexError, jax.errors.UnexpectedTracerError)

_SHOWS_TRACER = re.compile(r"Tracer\(|unhashable type: '\w*Tracer'")

_HOLDERS_OF_NUMBERS = (list, tuple, dict, range, np.ndarray)
"""Of the objects with items that are not traced; `x.at` is none of these."""


class JaxStaging(Library):
    """The staging library of JAX; see `autograph.staging.StagingLibrary`."""

    name = "jax"
    arrays = "traced arrays"
    namespace = jnp
    several_truths = ValueError
    tree_map = staticmethod(tree_util.tree_map)
    reports_leaks = True

    def leaves(self, values: Sequence[Any]) -> list[Any]:
        """Return the leaves of pytrees."""
        return tree_util.tree_leaves(values)

    def around_call(self, *_: object) -> AbstractContextManager[Callable[[Any], Any]]:
        """Relate the checks of a program to each other."""
        return effects.program()

    def lent(self, function: Callable[..., Any]) -> Any:
        """Return what JAX gets for a function: at the end of its trace nothing may refer to it."""
        if not jax.config.jax_check_tracer_leaks:
            return function
        trace_now = self.failures.trace
        outer = trace_now()

        @functools.wraps(function)
        def call(*args: object, **kwargs: object) -> Any:
            if trace_now() == outer:
                return function(*args, **kwargs)
            known = trace.changed_places, trace.found
            trace.changed_places, trace.found = {}, None
            try:
                with own_choices():
                    return function(*args, **kwargs)
            finally:
                trace.changed_places, trace.found = known

        return call

    def numbered(self, items: Sequence[Any]) -> Callable[[Any], Any] | None:
        """From a traced position to the item there; None for unlike items."""
        return numbered(items)

    def negated(self, truth: object) -> Any:
        """`not truth`."""
        return jnp.logical_not(truth)

    def flipped(self, array: object) -> Any:
        """Return the array with its last row first."""
        return jnp.flip(array, 0)

    def least(self, a: object, b: object) -> Any:
        """Return the smaller of two lengths."""
        return jnp.minimum(a, b)

    def stacked(self, items: Sequence[Any]) -> Any:
        """One array with these rows. Raises Unsettled."""
        numbers = (bool, int, float, complex)
        if items and all(is_array(item) or type(item) in numbers for item in items):
            shapes = {jnp.shape(item) for item in items}
            if len(shapes) == 1:
                return jnp.stack([jnp.asarray(item) for item in items])
        raise Unsettled("the items of a list do not make one array")

    def count(self, start: Value, stop: Value, step: Value) -> Any:
        """Return the number of items of a range."""
        for bound in (start, stop, step):
            if not jnp.issubdtype(jnp.result_type(bound), jnp.integer):
                shown = f"{jnp.result_type(bound)}[{','.join(map(str, jnp.shape(bound)))}]"
                raise TypeError(f"range takes integers, not an array {shown}")
        if not is_traced(step) and step == 0:
            raise ValueError("range() arg 3 must not be zero")
        if is_traced(step):
            self.raise_when(step == 0, ValueError("range() arg 3 must not be zero"))
        return jnp.maximum(-((start - stop) // step), 0)

    def contains(self, container: Value, item: Value) -> Any:
        """`item in container`."""
        container, item = value_of(container), value_of(item)
        if is_array(container):
            return jnp.any(jnp.asarray(container) == item)
        if isinstance(container, range):
            near = (item - container.start) % container.step == 0
            return near & (item >= min(container, default=1)) & (item <= max(container, default=0))
        return super().contains(container, item)

    def fail_when(self, condition: object, error: BaseException) -> None:
        """Raise on the host; what JAX itself cannot trace is refused now."""
        if isinstance(error, Exception) and _tells_of_trace(error):
            for place in places_of(error):  # the frames end at the statement
                error.add_note(f"  {place}")
            raise StagingError(str(error), error)
        effects.fail_when(condition, error)

    def builtin(self, name: str, *args: object, **kwargs: object) -> Any:
        """Call the built-in function on arrays; of text it is refused."""
        if any(isinstance(each, JaxText) for each in args):
            refuse_text()
        return super().builtin(name, *args, **kwargs)

    def text(self, value: object, conversion: str, spec: object) -> Any:
        """Text that is made when the program runs."""
        return text_of(value_of(value), conversion, spec)

    def join_text(self, parts: Sequence[Any]) -> Any:
        """Text of several parts."""
        return JaxText(tuple(parts))

    def print_text(self, text: object, stream: str) -> None:
        """Print text when the program runs."""
        if trace.rolling:
            raise CannotRoll
        effects.write(text, stream)

    def number(self, value: Value) -> Any:
        """Return a scalar of JAX's own dtype of floats."""
        return _BUILTINS["float"](value) if is_array(value) else jnp.asarray(float(value))

    def scalar_index(self, index: object) -> Any:
        """An index as an integer scalar of JAX's own dtype. Raises TypeError for other values."""
        if jnp.ndim(index) or jnp.result_type(index).kind not in "iub":
            raise TypeError("Only integer scalar arrays can be converted to a scalar index.")
        return signed(index)

    def stack(self, arrays: Sequence[Any]) -> Any:
        """One array with these rows."""
        return jnp.stack(arrays)

    def row(self, array: object, position: object) -> Any:
        """Return the row at a position."""
        return lax.dynamic_index_in_dim(array, position, keepdims=False)

    def with_row(self, array: object, position: object, row: object) -> Any:
        """Another array, with another row."""
        return lax.dynamic_update_index_in_dim(array, row, position, 0)

    def key_error(self, key: object) -> KeyError:
        """KeyError of the key."""
        return KeyError(key)

    def get_item(self, target: object, index: object) -> Any:
        """`target[index]` of a container of Python's or an array of NumPy's."""
        if trace.rolling and isinstance(target, _HOLDERS_OF_NUMBERS):
            raise CannotRoll  # Python would compute with the item in double precision
        if isinstance(target, np.ndarray):
            self._check_index(target, index)
            return jnp.asarray(target)[index]
        return super().get_item(target, index)

    def set_array_item(self, array: jax.Array, index: Value, value: Value) -> Any:
        """Return the array with other elements. Raises IndexError for an index outside of it."""
        if isinstance(array, np.ndarray):
            raise refusal(
                "an item of a NumPy array is assigned at an index that is a traced array.",
                "Make it an array of JAX before, by jnp.asarray.",
            )
        self._check_index(array, index)
        return array.at[index].set(jnp.asarray(value).astype(array.dtype))

    def _check_index(self, array: jax.Array, index: object) -> None:
        """Raise IndexError for numbers outside of an array; for traced ones when it runs."""
        for axis, entry in numbers_by_axis(array, index):
            size = array.shape[axis]
            if isinstance(entry, int):
                if not -size <= entry < size:
                    raise IndexError(
                        f"index {entry} is out of bounds for axis {axis} with size {size}"
                    )
                continue
            number = signed(entry)
            outside = (number < -size) | (number >= size)
            if jnp.ndim(number):
                number = number.ravel()[jnp.argmax(outside)] if number.size else 0
            shown = self.text(number, "", "")
            parts = ("index ", shown, f" is out of bounds for axis {axis} with size {size}")
            self.raise_when(jnp.any(outside), IndexError(self.join_text(parts)))


def _tells_of_trace(error: BaseException | None) -> bool:
    """Return whether an error, or one that it comes from, is that of a trace alone."""
    if error is None:
        return False
    text = error.args[0] if error.args else None
    return (
        type(error).__name__ in CONVERSION_ERRORS
        or isinstance(error, _UNTRACEABLE)
        or (isinstance(text, str) and _SHOWS_TRACER.search(text) is not None)
        or _tells_of_trace(error.__cause__)
    )


# ---- functions that are refused ----


def _filter(function: object, iterable: object) -> Any:
    raise refusal(
        "filter over a traced array gives a number of items that is known only when the program "
        "runs, which JAX cannot stage.",
        "Loop over the array with an `if` inside, or use jnp.where.",
    )


# ---- numbers ----


def _number(name: str, dtype: object) -> Callable[..., Any]:
    def convert(value: Value, *rest: object) -> Any:
        if rest or jnp.size(value) != 1:
            raise TypeError(f"{name}() takes an array of one element, not shape {value.shape}")
        return lax.convert_element_type(jnp.reshape(value, ()), dtype)

    return convert


def _round(number: object, ndigits: int | None = None) -> Any:
    if ndigits is None:
        return lax.convert_element_type(jnp.round(number), int)
    return jnp.round(number, ndigits)


def _sum(values: Any, start: Any = 0) -> Any:
    total = builtin_functions.total(LIBRARY, values, start)
    if not (is_array(values) and values.ndim):
        return total
    first = jnp.zeros((), values.dtype) + start
    return weakened(total) if first.weak_type else total


_BUILTINS: dict[str, Callable[..., Any]] = {
    "filter": _filter,
    "float": _number("float", float),
    "int": _number("int", int),
    "round": _round,
    "sum": _sum,
}

LIBRARY = JaxStaging(WAYS, effects.FAILURES, FORMS, is_array, truth, _BUILTINS, (JaxText,))
"""The staging library of JAX's tracers."""


def checkify(function: Callable[..., Any], errors: object = jax_checkify.user_checks) -> Any:
    """Like `jax.experimental.checkify.checkify`, also for the checks of converted code.

    Args:
      function: a converted function, not yet transformed by `jax.jit`.
      errors: what to check, as for JAX.

    Returns:
      A function that gives (error, result); `error.throw()` raises what failed.

    >>> import autograph
    >>> space = autograph.exec("def f(x):\\n    assert x > 0, 'low'\\n    return x\\n")
    >>> error, _ = jax.jit(checkify(autograph.to_graph(space["f"])))(-1)
    >>> print(error.get().partition("\\n")[0])
    AssertionError: low
    """

    def checked(*args: object, **kwargs: object) -> Any:
        with effects.functional_checks():
            return function(*args, **kwargs)

    return jax_checkify.checkify(checked, errors)


def raising(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose failed checks raise the exception of the program, at its line.

    The compiled program alone raises `JaxRuntimeError` with that exception in its text. A call
    waits for the result.

    Args:
      function: a compiled function, such as `jax.jit(autograph.convert()(f))`.

    >>> import autograph
    >>> space = autograph.exec("def f(x):\\n    assert x > 0, 'low'\\n    return x\\n")
    >>> raising(jax.jit(autograph.to_graph(space["f"])))(-1)
    Traceback (most recent call last):
    AssertionError: low
    """

    @functools.wraps(function)
    def call(*args: object, **kwargs: object) -> Any:
        return effects.call_raising(function, args, kwargs)

    return call
