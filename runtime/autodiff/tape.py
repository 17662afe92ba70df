"""`GradientTape`: records a computation and computes gradients of it."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from runtime.autodiff.alternatives import require_own_sources
from runtime.autodiff.recording import Tape, gradients_on
from runtime.backprop.walk import carries_gradient
from runtime.control_flow.rows import Slopes, rows_of
from runtime.core import dtypes, nest
from runtime.core.context import get_logger
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE
from runtime.ops.array.creation import ones_like, zeros, zeros_like
from runtime.ops.array.dimensions import shape, size
from runtime.ops.array.joining import concat
from runtime.ops.array.repeating import broadcast_to
from runtime.ops.array.shaping import reshape, transpose
from runtime.ops.base.convert import convert_to_tensor
from runtime.state.variable import Variable


class UnconnectedGradients(enum.Enum):
    """The gradient by a source on which the target does not depend: None or zeros.

    Attributes:
      NONE: None, the default of `GradientTape.gradient`.
      ZERO: zeros of the shape of the source.

    >>> UnconnectedGradients("zero")
    <UnconnectedGradients.ZERO: 'zero'>
    """

    NONE = "none"
    ZERO = "zero"


class GradientTape:
    """Records the computation inside it, for gradients.

    It watches trainable variables automatically, and tensors after `watch`. It works in eager mode,
    inside `function`, and across calls of functions, whose backward graphs are traced once.

    Args:
      persistent: whether `gradient` may be called several times; the recorded steps are kept as
        long as the tape.
      watch_accessed_variables: whether to watch trainable variables from their first use.

    >>> import runtime as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * x
    >>> print(tape.gradient(y, x))
    tf.Tensor(6.0, shape=(), dtype=float32)
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self._persistent = persistent
        self._watches_variables = watch_accessed_variables
        self._tape: Tape | None = None
        self._watched: tuple[Variable, ...] = ()
        self._recording = False
        self._has_begun = False

    def __enter__(self) -> GradientTape:
        """Start recording. Raises ValueError if the tape is already recording."""
        if self._recording:
            raise ValueError("Tape is still recording, this can happen if you try to re-enter an "
                             "already-active tape.")  # fmt: skip
        self._begin()
        return self

    def __exit__(self, *details: object) -> None:
        if self._recording:
            self._end()

    def _begin(self) -> None:
        if self._tape is None:
            self._tape = Tape(STATE.graph, self._watches_variables, 1 + self._persistent)
        STATE.tapes = (*STATE.tapes, self._tape)
        self._recording = self._has_begun = True

    def _end(self) -> None:
        STATE.tapes = tuple(tape for tape in STATE.tapes if tape is not self._tape)
        self._recording = False

    def watch(self, tensor: object) -> None:
        """Watch a tensor or variable, or each in a structure.

        Args:
          tensor: floating-point or complex tensors; others cause a warning.

        Raises: ValueError for anything but tensors and variables.
        """
        tape = self._open_tape()
        for leaf in nest.flatten(tensor):
            if isinstance(leaf, Variable):
                tape.follow_variable(leaf)
            elif isinstance(leaf, Tensor):
                if carries_gradient(leaf):
                    tape.follow(leaf)
                else:
                    _warn_of_dtype("watched tensor", leaf)
            else:
                raise no_tensor(leaf)

    def _open_tape(self) -> Tape:
        if not self._has_begun:
            raise RuntimeError(
                "This GradientTape has recorded nothing. Compute inside of `with "
                "tf.GradientTape() as tape:`."
            )
        if self._tape is None:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients "
                "(or jacobians). Make it with persistent=True, or ask for all gradients at once: "
                "tape.gradient(target, [a, b])."
            )
        return self._tape

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Pause recording.

        Returns: A context manager.

        Raises: ValueError if the tape is not recording.

        >>> import runtime as tf
        >>> x = tf.Variable(3.0)
        >>> with tf.GradientTape() as tape:
        ...     y = x * x
        ...     with tape.stop_recording():
        ...         print(float(y))
        9.0
        """
        self._require_recording("stop_recording")
        self._end()
        try:
            yield
        finally:
            self._begin()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Pause recording, if the tape is recording.

        Returns: A context manager.
        """
        if not self._recording:
            yield
            return
        with self.stop_recording():
            yield

    def reset(self) -> None:
        """Discard all steps and watched tensors. Raises ValueError if the tape is not recording."""
        self._require_recording("reset")
        self._end()
        self._tape = None
        self._begin()

    def _require_recording(self, method: str) -> None:
        if not self._recording:
            raise ValueError(
                f"Tape is not recording. Call {method} inside of `with tf.GradientTape()`."
            )

    def watched_variables(self) -> tuple[Variable, ...]:
        """Return the watched variables, in the order in which they were first watched."""
        if self._tape is not None:
            self._watched = tuple(self._tape.variables.values())
        return self._watched

    def gradient(
        self,
        target: object,
        sources: object,
        output_gradients: object = None,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    ) -> Any:
        """Return the gradients of a target by sources.

        Args:
          target: a tensor, or a structure of tensors whose gradients are added.
          sources: watched tensors or variables, or a structure of them.
          output_gradients: for each target tensor, the weight of its gradients, of its shape or a
            scalar; None: ones.
          unconnected_gradients: whether a source on which no target depends yields None or zeros.

        Returns: A structure like `sources`; each entry has the shape and dtype of its source.

        Raises:
          RuntimeError: if the tape is not persistent and was used before.
          ValueError: if a source is not a tensor or variable, or `output_gradients` do not fit.
          VariantError: in a graph, for a source that may be, in Python, a tensor that the target
            uses by another name.
          UnimplementedError: for an op without a gradient, with its line.

        >>> import runtime as tf
        >>> w, b = tf.Variable(2.0), tf.Variable(1.0)
        >>> with tf.GradientTape() as tape:
        ...     loss = (w * 3.0 + b) ** 2
        >>> [float(each) for each in tape.gradient(loss, [w, b])]
        [42.0, 14.0]
        """
        tape = self._open_tape()
        unconnected = UnconnectedGradients(unconnected_gradients)
        self._pause()
        leaves, held = nest.flatten(target), nest.flatten(sources)
        targets = [_handle_or_tensor(leaf, "target tensor") for leaf in leaves]
        chosen = [_handle_or_tensor(leaf, "source tensor") for leaf in held]
        require_own_sources(tape, targets, chosen)
        found = gradients_on(tape, targets, _seeds(leaves, output_gradients), chosen)
        self._use_up()
        filled = [
            zeros_like(leaf) if each is None and unconnected is UnconnectedGradients.ZERO else each
            for leaf, each in zip(held, found, strict=True)
        ]
        return nest.pack_sequence_as(sources, filled)

    def _pause(self) -> None:
        """Stop recording for the gradients, unless the tape is persistent and still open."""
        if not self._recording:
            return
        if not self._persistent:
            self._end()
            return
        get_logger().warning(
            "Calling GradientTape.gradient on a persistent tape inside its context is "
            "significantly less efficient than calling it outside the context (it causes the "
            "gradient ops to be recorded on the tape, leading to increased CPU and memory usage). "
            "Only call GradientTape.gradient inside the context if you actually want to trace the "
            "gradient in order to compute higher order derivatives."
        )

    def _use_up(self) -> None:
        if not self._persistent:
            self.watched_variables()
            self._tape = None

    def jacobian(
        self,
        target: Tensor,
        sources: object,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Return the Jacobian of a target by each source.

        Args:
          target: a tensor.
          sources: watched tensors or variables, or a structure of them.
          unconnected_gradients: whether a source on which the target does not depend yields None or
            zeros.
          parallel_iterations, experimental_use_pfor: ignored.

        Returns: A structure like `sources`; each entry has shape `[*target.shape, *source.shape]`.

        Raises: RuntimeError, ValueError, UnimplementedError as in `gradient`.

        >>> import runtime as tf
        >>> x = tf.constant([1.0, 2.0])
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> print(tape.jacobian(y, x).numpy())
        [[2. 0.]
         [0. 4.]]
        """
        tape = self._open_tape()
        unconnected = UnconnectedGradients(unconnected_gradients)
        self._pause()
        output = _value_of(target)
        held = nest.flatten(sources)
        chosen = [_handle_or_tensor(leaf, "source tensor") for leaf in held]
        rows: list[Tensor | None] = [None] * len(chosen)
        if carries_gradient(output):
            rows = rows_of(_slopes(tape, output, chosen), output, size(output))
        self._use_up()
        zero = unconnected is UnconnectedGradients.ZERO
        made = [_block(each, output, leaf, zero) for each, leaf in zip(rows, held, strict=True)]
        return nest.pack_sequence_as(sources, made)

    def batch_jacobian(
        self,
        target: Tensor,
        source: Tensor,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """Return the Jacobian of each row of a target by the same row of the source.

        Args:
          target, source: tensors with equal first dimensions; a row of the target must depend on no
            other row of the source.
          unconnected_gradients, parallel_iterations, experimental_use_pfor: as in `jacobian`.

        Returns: A tensor of shape `[batch, *target.shape[1:], *source.shape[1:]]`.

        Raises:
          ValueError: if ranks or first dimensions do not fit.
          RuntimeError, UnimplementedError: as in `gradient`.

        >>> import runtime as tf
        >>> x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
        >>> with tf.GradientTape() as tape:
        ...     tape.watch(x)
        ...     y = x * x
        >>> print(tape.batch_jacobian(y, x).numpy()[1])
        [[6. 0.]
         [0. 8.]]
        """
        tape = self._open_tape()
        unconnected = UnconnectedGradients(unconnected_gradients)
        output, entry = _value_of(target), _handle_or_tensor(source, "source tensor")
        _require_batch(output, source)
        self._pause()
        (rows,) = rows_of(_slopes(tape, output, [entry]), output, size(output[0]), batch=True)
        self._use_up()
        dims = concat([shape(output), shape(source)[1:]], 0)
        if rows is None:
            zero = unconnected is UnconnectedGradients.ZERO
            return zeros(dims, output.dtype) if zero else None
        rank = len(rows.shape)
        return reshape(transpose(rows, [1, 0, *range(2, rank)]), dims)


def _block(rows: Tensor | None, output: Tensor, source: object, zero: bool) -> Tensor | None:
    """Reshape the rows of a Jacobian to the shapes of output and source."""
    dims = concat([shape(output), shape(source)], 0)
    if rows is None:
        return zeros(dims, output.dtype) if zero else None
    return reshape(rows, dims)


def _value_of(target: object) -> Tensor:
    """Return the target of a Jacobian as a tensor."""
    value = target.read_value() if isinstance(target, Variable) else target
    return _handle_or_tensor(value, "target tensor")


def _handle_or_tensor(leaf: object, role: str) -> Tensor:
    """Return the handle of a variable, or the tensor itself.

    Raises: ValueError for anything else.
    """
    if isinstance(leaf, Variable):
        return leaf.handle
    if not isinstance(leaf, Tensor):
        raise no_tensor(leaf, role)
    if not carries_gradient(leaf):
        _warn_of_dtype(role, leaf)
    return leaf


def _warn_of_dtype(what: str, tensor: Tensor) -> None:
    get_logger().warning(
        "The dtype of the %s must be floating (e.g. tf.float32), got %r", what, tensor.dtype
    )


def no_tensor(value: object, role: str = "") -> ValueError:
    """Return the error for a value that has no gradients."""
    remedy = "Convert it with runtime.constant before it is used."
    if role == "target tensor":
        remedy = "Compute it by operations on tensors, without NumPy, `numpy()` or `float()`."
    return ValueError(
        f"Passed in object {value!r} of type {type(value).__name__!r}, not tf.Tensor or "
        f"tf.Variable or ExtensionType. {remedy}"
    )


def _seeds(targets: Sequence[Tensor | Variable], given: object) -> list[Tensor]:
    """Return the seed of each target; ones by default."""
    flat = [None] * len(targets) if given is None else nest.flatten(given)
    if len(flat) != len(targets):
        raise ValueError(
            f"{len(flat)} output_gradients for {len(targets)} targets: give one for each, or None."
        )
    return [
        _seed(target) if weight is None else _weight(weight, target)
        for target, weight in zip(targets, flat, strict=True)
    ]


def _weight(given: object, target: Tensor | Variable) -> Tensor:
    """Return the weight of a target's gradients; a scalar is that of all elements."""
    weight = convert_to_tensor(given, target.dtype)
    if weight.shape.rank == 0 and target.shape.rank != 0:
        return broadcast_to(weight, shape(target))
    if not weight.shape.is_compatible_with(target.shape):
        raise ValueError(
            f"`output_gradients` has shape {weight.shape}, and the target {target.shape}: give a "
            "weight for each element of the target, or a scalar."
        )
    return weight


def _seed(target: Tensor | Variable) -> Tensor:
    """Return ones; empty strings for text, which has no gradient."""
    return zeros_like(target) if target.dtype == dtypes.string else ones_like(target)


def _require_batch(target: Tensor, source: Tensor) -> None:
    rank = target.shape.rank
    if rank is not None and rank < 2:
        raise ValueError(
            "Need to specify a target with at least rank 2: the first dimension is that of the "
            f"batch. The target is {target.spec}."
        )
    first, other = target.shape[:1], source.shape[:1]
    if not first.is_compatible_with(other):
        raise ValueError(
            "Need first dimension of target shape and source shape to match: the target is "
            f"{target.spec}, the source {source.spec}."
        )


def _slopes(tape: Tape, output: Tensor, sources: Sequence[Tensor]) -> Slopes:
    """Return a function that computes vector-Jacobian products on a tape."""
    require_own_sources(tape, [output], sources)
    return lambda seed: gradients_on(tape, [output], [seed], sources)
