"""What a traced JAX program does besides computing: it raises and prints, by callbacks.

A failed check raises in a callback on the host. JAX reports that as `jax.errors.JaxRuntimeError`
with the user's exception, file and line as its text, and as the exception itself where it runs
operations one by one. Under `functional_checks` it is an error of `checkify` instead.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import FunctionType
from typing import Any, NoReturn

import jax
import jax.numpy as jnp
from jax import lax, tree_util
from jax.custom_batching import custom_vmap
from jax.experimental import checkify
from jax.extend.core import get_opaque_trace_state

from autograph.adapters.failures import Failures
from autograph.adapters.jax_arrays import truth
from autograph.adapters.refusals import Place, place_of

FAILURES = Failures(jnp.where, truth, get_opaque_trace_state)


class _Mode(threading.local):
    functional = False
    ordered = False


_mode = _Mode()


@contextmanager
def functional_checks() -> Iterator[None]:
    """Programs that are traced now give their errors to `checkify`."""
    before = _mode.functional
    _mode.functional = True
    try:
        yield
    finally:
        _mode.functional = before


@contextmanager
def program() -> Iterator[None]:
    """A program, while it is traced."""
    before = _mode.ordered
    _mode.ordered = False
    try:
        with FAILURES.block():
            yield
    finally:
        _mode.ordered = before


# ---- checks ----


def operands(error: BaseException) -> tuple[Any, ...]:
    """The traced values among the arguments and attributes of an exception."""
    return tuple(filter(_is_tracer, tree_util.tree_leaves((error.args, vars(error)))))


def give_operands(error: BaseException, values: Iterable[Any]) -> None:
    """Puts values in place of the traced ones."""
    source = iter(values)
    parts = error.args, vars(error)
    _assign(error, parts, lambda leaf: next(source) if _is_tracer(leaf) else leaf)


def _assign(error: BaseException, parts: Any, change: Callable[[Any], Any]) -> None:
    error.args, attributes = tree_util.tree_map(change, parts)
    vars(error).update(attributes)


class _Operand:
    """Holds the place of a value that is known when the program runs."""


def fail_when(condition: Any, error: BaseException) -> None:
    """Raises the error when the program runs and the condition holds."""
    place = place_of(error)
    text = f"{type(error).__name__}: {error}" + (f"\n  {place}" if place else "")
    values = list(map(lax.stop_gradient, operands(error)))
    places = [_Operand() for _ in values]
    give_operands(error, places)
    parts = error.args, dict(vars(error))
    _forget_frames(error)

    def throw(fails: Any, *values: Any) -> None:
        if not fails:
            return
        known = dict(zip(places, values, strict=True))
        _assign(error, parts, lambda leaf: known[leaf] if type(leaf) is _Operand else leaf)
        _raise_at(place, error)

    if _mode.functional:
        checkify.check(jnp.logical_not(condition), text.replace("{", "{{").replace("}", "}}"))
    else:
        _report(throw, _mode.ordered)(condition, *values)
    FAILURES.fail(condition, 1)


def _report(throw: Callable[..., None], ordered: bool) -> Callable[..., Any]:
    """Calls back where a condition holds; of several at once that `vmap` made, with the first."""

    @custom_vmap
    def report(fails: Any, *operands: Any) -> tuple[()]:
        def call() -> None:
            jax.debug.callback(throw, fails, *operands, ordered=ordered)

        lax.cond(fails, call, lambda: None)
        return ()

    @report.def_vmap
    def report_first(
        size: int, batched: Sequence[bool], *operands: Any
    ) -> tuple[tuple[()], tuple[()]]:
        fails = jnp.broadcast_to(operands[0], (size,)) if not batched[0] else operands[0]
        first = jnp.argmax(fails)
        chosen = [
            each[first] if is_b else each for each, is_b in zip(operands, batched, strict=True)
        ]
        # Without `jit` the values are known, and Python raises by itself.
        call = report if any(map(_is_tracer, chosen)) else throw
        call(*chosen)
        return (), ()

    return report


def _is_tracer(value: Any) -> bool:
    return isinstance(value, jax.core.Tracer)


def _forget_frames(error: BaseException | None) -> None:
    """Frees the frames of the trace, and the tracers in them."""
    while error is not None:
        error.__traceback__ = error.__context__ = None
        error = error.__cause__


def _raise(error: BaseException) -> NoReturn:
    raise error


def _raise_at(place: Place | None, error: BaseException) -> NoReturn:
    """Raises from a frame that shows the user's line."""
    if place is None:
        raise error
    # The `raise` is in the line after the first.
    code = _raise.__code__.replace(
        co_filename=place.filename, co_firstlineno=place.line - 1, co_name=place.function
    )
    raise FunctionType(code, {})(error)


# ---- printing ----


def show(print_values: Callable[..., None], operands: Sequence[Any]) -> None:
    """Calls a function with values of these arrays, in the order of the program."""
    FAILURES.begin_effect()
    _mode.ordered = True

    @custom_vmap
    def shown(reached: Any, *values: Any) -> tuple[()]:
        lax.cond(
            reached,
            lambda: jax.debug.callback(print_values, *values, ordered=True),
            lambda: None,
        )
        return ()

    @shown.def_vmap
    def shown_each(size: int, batched: Sequence[bool], *values: Any) -> tuple[tuple[()], tuple[()]]:
        each = [
            value if is_batched else jnp.broadcast_to(value, (size, *jnp.shape(value)))
            for value, is_batched in zip(values, batched, strict=True)
        ]
        lax.scan(lambda _, row: (None, shown(*row)), None, each)
        return (), ()

    shown(jnp.asarray(FAILURES.reached()), *map(lax.stop_gradient, operands))
