"""What a traced JAX program does besides computing: it raises and prints, by callbacks.

A failed check raises in a callback on the host. JAX reports that as `jax.errors.JaxRuntimeError`
with the user's exception, file and line as its text, and as the exception itself where it runs
operations one by one. Under `functional_checks` it is an error of `checkify` instead. JAX runs no
Python after a compiled program, so only `raising`, around it, gives the exception itself.
"""

from __future__ import annotations

import re
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from types import FunctionType
from typing import Any, NoReturn

import jax
import jax.numpy as jnp
from jax import lax, tree_util
from jax.custom_batching import custom_vmap
from jax.experimental import checkify
from jax.extend import core as extended

from autograph.adapters.failures import Failures
from autograph.adapters.jax.arrays import truth
from autograph.adapters.refusals import Place, place_of, refusal

_core = extended if hasattr(extended, "get_opaque_trace_state") else jax.core  # before JAX 0.10
FAILURES = Failures(jnp.where, truth, _core.get_opaque_trace_state)


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
def program() -> Iterator[Callable[[Any], Any]]:
    """Surround the trace of a program; yield the function that completes its result."""
    before = _mode.ordered
    _mode.ordered = False
    try:
        with FAILURES.program() as finish, FAILURES.block():
            yield finish
    finally:
        _mode.ordered = before


# ---- between devices ----


def refuse_waiting(test: Any, *effects: Iterable[Any]) -> None:
    """Refuse a block that exchanges values between devices, and that only some of them may run.

    Args:
      test: the type of the test; under `shard_map` it has the axes along which devices differ.
      effects: those of the blocks.
    """
    of_axes = getattr(test, "manual_axis_type", None)
    differs = of_axes.varying if of_axes else getattr(test, "vma", ())  # `vma` before JAX 0.10
    axes = {str(each.name) for each in chain(*effects) if getattr(each, "name", None) in differs}
    if axes:
        raise refusal(
            f"devices along {' and '.join(sorted(axes))} decide for themselves whether they run a "
            "staged block in which they exchange values, as `psum` and the gradient with respect "
            "to an array that they share do: they would wait for one another forever.",
            "Let all decide alike, for instance by `jax.lax.pmax` of the value that is tested.",
            RuntimeError,
        )


# ---- checks ----


class _Operand:
    """Holds the place of a value that is known when the program runs."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __repr__(self) -> str:
        return f"\0{self._number}\0"


def fail_when(condition: object, error: BaseException) -> None:
    """Raise the error when the program runs and the condition holds."""
    place = place_of(error)
    leaves, tree = tree_util.tree_flatten((error.args, vars(error)))
    traced = [position for position, leaf in enumerate(leaves) if _is_tracer(leaf)]
    values = [lax.stop_gradient(leaves[position]) for position in traced]
    for number, position in enumerate(traced):
        leaves[position] = _Operand(number)
    _give_parts(error, tree, leaves)
    _forget_frames(error)

    def throw(fails: object, *values: object) -> None:
        if fails:
            known = dict(zip(traced, values, strict=True))
            each = [known.get(position, leaf) for position, leaf in enumerate(leaves)]
            _give_parts(error, tree, each)
            _raised.append((place, error))
            _raise_at(place, error)

    if _mode.functional:
        text = f"{type(error).__name__}: {error}" + (f"\n  {place}" if place else "")
        escaped = text.replace("{", "{{").replace("}", "}}")
        named = {f"v{number}": value for number, value in enumerate(values)}
        checkify.check(jnp.logical_not(condition), re.sub("\0(\\d+)\0", r"{v\1}", escaped), **named)
    else:
        _report(throw, _mode.ordered)(jnp.asarray(condition), *values)
    FAILURES.fail(condition, 1)


def _give_parts(error: BaseException, tree: object, leaves: Sequence[Any]) -> None:
    error.args, attributes = tree_util.tree_unflatten(tree, leaves)
    vars(error).update(attributes)


def _report(throw: Callable[..., None], ordered: bool) -> Callable[..., Any]:
    """Call back where a condition holds; of several at once that `vmap` made, with the first."""

    @custom_vmap
    def report(fails: object, *operands: object) -> tuple[()]:
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


def _is_tracer(value: object) -> bool:
    return isinstance(value, jax.core.Tracer)


def _forget_frames(error: BaseException | None) -> None:
    """Free the frames of the trace, and the tracers in them."""
    while error is not None:
        error.__traceback__ = error.__context__ = None
        error = error.__cause__


def _raise(error: BaseException) -> NoReturn:
    raise error


def _raise_at(place: Place | None, error: BaseException) -> NoReturn:
    """Raise from a frame that shows the user's line."""
    if place is None:
        raise error
    error.__traceback__ = None
    # The `raise` is in the line after the first.
    code = _raise.__code__.replace(
        co_filename=place.filename, co_firstlineno=place.line - 1, co_name=place.function
    )
    raise FunctionType(code, {})(error)


_raised: deque[tuple[Place | None, BaseException]] = deque(maxlen=16)
"""The last exceptions of failed checks, of all threads: JAX calls back in threads of its own."""


def call_raising(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call a compiled function and wait for it; raise what its check raised."""
    try:
        result = jax.block_until_ready(function(*args, **kwargs))
        jax.effects_barrier()
    except jax.errors.JaxRuntimeError as reported:
        found = [each for each in _raised if _shown(each[1]) in str(reported)]
        if not found:
            raise
    else:
        return result
    _raised.remove(found[-1])
    _raise_at(*found[-1])


def _shown(error: BaseException) -> str:
    """Return an exception as JAX shows it."""
    return f"{type(error).__name__}: {error}".rstrip(": ")


# ---- printing ----


def write(text: object, stream: str) -> None:
    """Write text to `sys.stdout` or `sys.stderr`, in the order of the program."""
    if jax.sharding.get_abstract_mesh().size > 1:
        raise refusal(
            "print writes in the order of the program, which several devices do not have.",
            "Use jax.debug.print, which writes in any order.",
        )
    FAILURES.begin_effect()
    _mode.ordered = True
    leaves, tree = tree_util.tree_flatten(text)

    def print_values(*values: object) -> None:
        getattr(sys, stream).write(str(tree_util.tree_unflatten(tree, values)))

    @custom_vmap
    def shown(reached: object, *values: object) -> tuple[()]:
        lax.cond(
            reached,
            lambda: jax.debug.callback(print_values, *values, ordered=True),
            lambda: None,
        )
        return ()

    @shown.def_vmap
    def shown_each(
        size: int, batched: Sequence[bool], *values: object
    ) -> tuple[tuple[()], tuple[()]]:
        each = [
            value if is_batched else jnp.broadcast_to(value, (size, *jnp.shape(value)))
            for value, is_batched in zip(values, batched, strict=True)
        ]
        lax.scan(lambda _, row: (None, shown(*row)), None, each)
        return (), ()

    shown(jnp.asarray(FAILURES.reached()), *map(lax.stop_gradient, leaves))
