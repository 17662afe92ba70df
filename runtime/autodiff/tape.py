"""`GradientTape`: notes what a program computes, and finds gradients of it."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from runtime.autodiff.rows import Slopes, rows_of
from runtime.backprop.walk import Gradient, Step, carries_gradient, walk_back
from runtime.core import nest
from runtime.core.dispatch import Ran
from runtime.core.graph import Graph
from runtime.core.logger import get_logger
from runtime.core.places import user_place
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE
from runtime.ops.array.creation import ones_like, zeros, zeros_like
from runtime.ops.array.dimensions import shape, size
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import reshape, transpose
from runtime.ops.base.convert import convert_to_tensor
from runtime.state.variable import Variable


class UnconnectedGradients(enum.Enum):
    """What the gradient by a source is on which a target does not depend.

    >>> UnconnectedGradients("zero")
    <UnconnectedGradients.ZERO: 'zero'>
    """

    NONE = "none"
    ZERO = "zero"


class Tape:
    """What was computed of the tensors that are followed.

    Args:
      graph: the graph that is being recorded, of which operations are noted; None: what runs at
        once is.
      follows_variables: whether a trainable variable is followed from its first use.
      orders: how often it may take a gradient of a gradient of the same call, at most.
    """

    def __init__(self, graph: Graph | None, follows_variables: bool, orders: int) -> None:
        """Follows nothing yet."""
        self.orders = orders
        self.steps: list[Step] = []
        self.variables: dict[int, Variable] = {}
        self._graph = graph
        self._follows_variables = follows_variables
        self._followed: dict[int, Tensor] = {}

    def own(self, tensor: Tensor) -> Tensor:
        """The tensor under which the tape notes `tensor`: in a graph the one that stands for it."""
        if self._graph is None:
            return tensor
        if isinstance(tensor, SymbolicTensor) and not self._knows(tensor.graph):
            return tensor
        return self._graph.capture(tensor)

    def _knows(self, graph: Graph) -> bool:
        return self._graph is graph or (self._graph is not None and self._graph.is_inside(graph))

    def follow(self, tensor: Tensor) -> None:
        """Notes from now on what depends on a tensor."""
        own = self.own(tensor)
        self._followed[id(own)] = own

    def watches(self, tensor: Tensor) -> bool:
        """Whether what depends on a tensor with a value is noted, here or in the graph."""
        own = tensor if self._graph is None else self._graph.known(tensor)
        return id(own) in self._followed

    def follows(self, tensors: Iterable[Tensor]) -> list[bool]:
        """For each tensor that has a value whether what depends on it is noted."""
        if self._graph is not None:
            return [False for _ in tensors]
        return [id(tensor) in self._followed for tensor in tensors]

    def note(self, graph: Graph | None, step: Step) -> None:
        """Notes what was recorded in a graph, or ran at once, if it depends on what is followed."""
        if graph is not self._graph:
            return
        if not any(id(tensor) in self._followed for tensor in step.inputs):
            return
        made = [tensor for tensor in step.outputs if carries_gradient(tensor)]
        if isinstance(step, Ran) and made and _has_no_rule(step):
            step = step._replace(place=user_place())
        self._followed.update((id(tensor), tensor) for tensor in made)
        self.steps.append(step)

    def accessed(self, variable: Variable) -> None:
        """Follows a variable that is read, if it is trainable and that is wanted."""
        if self._follows_variables and variable.trainable:
            self.follow_variable(variable)

    def follow_variable(self, variable: Variable) -> None:
        """Follows a variable."""
        self.variables[id(variable.handle)] = variable
        self.follow(variable.handle)


def _has_no_rule(step: Step) -> bool:
    return step.definition.grad is None and step.definition.backward is None


@contextmanager
def noting(tape: Tape, watched: Iterable[Tensor] = ()) -> Iterator[None]:
    """Note on a tape what the code inside computes of the watched tensors."""
    for tensor in filter(carries_gradient, watched):
        tape.follow(tensor)
    before = STATE.tapes
    STATE.tapes = (*before, tape)
    try:
        yield
    finally:
        STATE.tapes = before


class GradientTape:
    """Notes what a program computes inside of it, to find gradients afterwards.

    Args:
      persistent: whether gradients may be asked for more than once; what was noted is kept as long
        as the tape is.
      watch_accessed_variables: whether trainable variables are watched from their first use.

    Variables that are trainable are watched; tensors are if `watch` says so. Works alike where
    operations run at once and inside `function`, and across calls of functions, whose graphs of
    gradients are recorded once.

    >>> import runtime as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * x
    >>> print(tape.gradient(y, x))
    tf.Tensor(6.0, shape=(), dtype=float32)
    """

    def __init__(self, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        """Makes a tape that notes nothing before `with` enters it."""
        self._persistent = persistent
        self._watches_variables = watch_accessed_variables
        self._tape: Tape | None = None
        self._watched: tuple[Variable, ...] = ()
        self._recording = False

    def __enter__(self) -> GradientTape:
        """Begins to note. Raises ValueError if the tape does already."""
        if self._recording:
            raise ValueError("Tape is still recording, this can happen if you try to re-enter an "
                             "already-active tape.")  # fmt: skip
        self._begin()
        return self

    def __exit__(self, *details: object) -> None:
        """Ends noting."""
        if self._recording:
            self._end()

    def _begin(self) -> None:
        if self._tape is None:
            self._tape = Tape(STATE.graph, self._watches_variables, 1 + self._persistent)
        STATE.tapes = (*STATE.tapes, self._tape)
        self._recording = True

    def _end(self) -> None:
        STATE.tapes = tuple(tape for tape in STATE.tapes if tape is not self._tape)
        self._recording = False

    def watch(self, tensor: Any) -> None:
        """Notes from now on what depends on a tensor, or on each in a structure.

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
                raise _no_tensor(leaf)

    def _open_tape(self) -> Tape:
        if self._tape is None:
            raise RuntimeError(
                "A non-persistent GradientTape can only be used to compute one set of gradients "
                "(or jacobians). Make it with persistent=True, or ask for all gradients at once: "
                "tape.gradient(target, [a, b])."
            )
        return self._tape

    @contextmanager
    def stop_recording(self) -> Iterator[None]:
        """Notes nothing of what is computed inside.

        Raises: ValueError if the tape is not recording.

        >>> import runtime as tf
        >>> x = tf.Variable(3.0)
        >>> with tf.GradientTape() as tape:
        ...     y = x * x
        ...     with tape.stop_recording():
        ...         print(float(y))
        9.0
        """
        if not self._recording:
            raise ValueError(
                "Tape is not recording. Call stop_recording inside of `with tf.GradientTape()`."
            )
        self._end()
        try:
            yield
        finally:
            self._begin()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Notes nothing of what is computed inside, if the tape notes anything."""
        if not self._recording:
            yield
            return
        with self.stop_recording():
            yield

    def reset(self) -> None:
        """Forgets what was noted and watched, as if the tape were entered anew."""
        recording = self._recording
        if recording:
            self._end()
        self._tape = None
        if recording:
            self._begin()

    def watched_variables(self) -> tuple[Variable, ...]:
        """The variables that are watched, in the order in which that began."""
        if self._tape is not None:
            self._watched = tuple(self._tape.variables.values())
        return self._watched

    def gradient(
        self,
        target: Any,
        sources: Any,
        output_gradients: Any = None,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
    ) -> Any:
        """The gradients of a target by sources.

        Args:
          target: a tensor, or a structure of them, whose gradients are added.
          sources: tensors or variables that were watched, or a structure of them.
          output_gradients: for each target tensor what its gradients are multiplied by, of its
            shape; None: ones.
          unconnected_gradients: what the gradient by a source is on which no target depends.

        Returns: a structure like `sources`.
        Raises: RuntimeError if the tape is not persistent and was asked before; ValueError for a
          source that is no tensor; UnimplementedError for an op without a gradient, with its line.

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
        found = gradients_on(tape, targets, _seeds(leaves, output_gradients), chosen)
        self._use_up()
        filled = [
            zeros_like(leaf) if each is None and unconnected is UnconnectedGradients.ZERO else each
            for leaf, each in zip(held, found, strict=True)
        ]
        return nest.pack_sequence_as(sources, filled)

    def _pause(self) -> None:
        """Notes nothing of the gradients, unless the tape is persistent and still open."""
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
        sources: Any,
        unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE,
        parallel_iterations: int | None = None,
        experimental_use_pfor: bool = True,
    ) -> Any:
        """The gradient of each element of a target by each element of sources.

        Args:
          target: a tensor.
          sources: tensors or variables that were watched, or a structure of them.
          unconnected_gradients: what stands for a source on which the target does not depend.
          parallel_iterations, experimental_use_pfor: have no effect.

        Returns: a structure like `sources`; each entry has the shape of the target, then that of
          the source.
        Raises: as `gradient`.

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
        """The jacobian of each row of a target by the row of the source with the same number.

        Args:
          target, source: tensors with equal first dimensions; a row of the target must depend on
            no other row of the source.
          unconnected_gradients, parallel_iterations, experimental_use_pfor: as for `jacobian`.

        Returns: of shape `[batch, *target.shape[1:], *source.shape[1:]]`.
        Raises: ValueError if ranks or first dimensions do not fit; others as `gradient`.

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


def _block(rows: Tensor | None, output: Tensor, source: Any, zero: bool) -> Tensor | None:
    """The jacobian by one source, from one row for each element of the output."""
    dims = concat([shape(output), shape(source)], 0)
    if rows is None:
        return zeros(dims, output.dtype) if zero else None
    return reshape(rows, dims)


def _value_of(target: Any) -> Tensor:
    """The target of a jacobian as a tensor."""
    value = target.read_value() if isinstance(target, Variable) else target
    return _handle_or_tensor(value, "target tensor")


def _handle_or_tensor(leaf: Any, role: str) -> Tensor:
    """The handle of a variable, or the tensor itself.

    Raises: ValueError for anything else.
    """
    if isinstance(leaf, Variable):
        return leaf.handle
    if not isinstance(leaf, Tensor):
        raise _no_tensor(leaf)
    if not carries_gradient(leaf):
        _warn_of_dtype(role, leaf)
    return leaf


def _warn_of_dtype(what: str, tensor: Tensor) -> None:
    get_logger().warning(
        "The dtype of the %s must be floating (e.g. tf.float32), got %r", what, tensor.dtype
    )


def _no_tensor(value: Any) -> ValueError:
    return ValueError(
        f"Passed in object {value!r} of type {type(value).__name__!r}, not tf.Tensor or "
        "tf.Variable or ExtensionType. Convert it with runtime.constant before it is used."
    )


def _seeds(targets: Sequence[Tensor | Variable], given: Any) -> list[Tensor]:
    """The gradient of each target, by default ones."""
    flat = [None] * len(targets) if given is None else nest.flatten(given)
    if len(flat) != len(targets):
        raise ValueError(
            f"{len(flat)} output_gradients for {len(targets)} targets: give one for each, or None."
        )
    return [
        ones_like(target) if seed is None else convert_to_tensor(seed, target.dtype)
        for target, seed in zip(targets, flat, strict=True)
    ]


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


def gradients_on(
    tape: Tape, targets: Sequence[Tensor], seeds: Sequence[Tensor], sources: Sequence[Tensor]
) -> list[Gradient | None]:
    """The gradients of targets by sources, from the steps that a tape noted."""
    own = [tape.own(target) for target in targets]
    return walk_back(tape.steps, own, seeds, [tape.own(source) for source in sources])


def _slopes(tape: Tape, output: Tensor, sources: Sequence[Tensor]) -> Slopes:
    """From weights of the elements of a tensor to the gradients of their sum."""
    return lambda seed: gradients_on(tape, [output], [seed], sources)
