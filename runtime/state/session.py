"""Sessions: extract the part of a graph that a run needs, and run it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.context import get_default_graph, recording
from runtime.core.errors import InvalidArgumentError
from runtime.core.graph import Graph
from runtime.core.operation import EffectOrder, Operation
from runtime.core.shapes import bracketed
from runtime.core.structural import PLACEHOLDER
from runtime.core.structure import flatten, unflatten
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor, copied
from runtime.core.thread import STATE, temporarily
from runtime.engines.engine import Compiled
from runtime.ops.base.values import to_array
from runtime.passes.rewriting import Rewriting
from runtime.state.cells import VAR_HANDLE, NamedCell

Element = SymbolicTensor | Operation


class _Program(Compiled):
    """A part of a graph, compiled at its first run."""

    def __init__(self, graph: Graph, fetches: Sequence[Element], feeds: Sequence[Any]) -> None:
        part = Part(graph, fetches, feeds)
        self.names = [op.attrs["shared_name"] for op in part.handles]
        self.captured = [tensor.array for tensor in part.captured]
        super().__init__(part.graph)


class Session:
    """Runs parts of a graph and keeps the values of its variables.

    Args:
      target: only "", this process.
      graph: the graph; None: the default graph.
      config: ignored.

    Raises: InvalidArgumentError for another target.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     x = tf.compat.v1.placeholder(tf.float32)
    ...     y = x * 2.0
    ...     with tf.compat.v1.Session() as session:
    ...         print(session.run({"x": x, "both": [y, "mul:0"]}, {x: 3.0}))
    {'x': np.float32(3.0), 'both': [np.float32(6.0), np.float32(6.0)]}
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config: object = None) -> None:
        if target:
            raise InvalidArgumentError.of(f"a Session runs in this process, not {target}")
        self._graph = get_default_graph() if graph is None else graph
        self._cells: dict[str, NamedCell] = {}
        self._programs: dict[Any, _Program] = {}
        self._closed = False
        self._entered: list[ExitStack] = []

    @property
    def graph(self) -> Graph:
        """The graph."""
        return self._graph

    @property
    def graph_def(self) -> Any:
        """The graph as a `GraphDef`."""
        return self._graph.as_graph_def()

    def run(
        self,
        fetches: object,
        feed_dict: Mapping[Any, Any] | None = None,
        options: object = None,
        run_metadata: object = None,
    ) -> Any:
        """Run the fetched elements and their dependencies, nothing else.

        Effects happen in program order.

        Args:
          fetches: a tensor, operation, variable or name, or a structure of them.
          feed_dict: values that replace those of placeholders and other tensors.
          options, run_metadata: ignored.

        Returns: The same structure with NumPy values, None for operations.

        Raises:
          TypeError: if a key cannot be fed, or a fetch is neither a string nor an element of a
            graph.
          ValueError: if a fetch or a feed does not fit the graph.
          InvalidArgumentError: if a required placeholder is not fed.
          FailedPreconditionError: if a variable is read before it is initialized.
          RuntimeError: if the Session is closed.
        """
        self._require_runnable()
        leaves, node = flatten(fetches)
        elements = [self._fetched(leaf) for leaf in leaves]
        feeds = self._feeds(feed_dict or {})
        program = self._program(elements, [tensor for tensor, _ in feeds])
        cells = [self._cell(name) for name in program.names]
        arrays = [array for _, array in feeds]
        with recording(None):
            results = iter(program.executable(*arrays, *cells, *program.captured))
        values = [
            copied(next(results)) if isinstance(element, SymbolicTensor) else None
            for element in elements
        ]
        return unflatten(node, values)

    def _require_runnable(self) -> None:
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if not self._graph.operations:
            raise RuntimeError(
                "The Session graph is empty. Add operations to the graph before calling run()."
            )

    def _program(self, elements: Sequence[Element], feeds: Sequence[Any]) -> _Program:
        key = (tuple(map(id, elements)), tuple(map(id, feeds)))
        program = self._programs.get(key)
        if program is None:
            program = self._programs[key] = _Program(self._graph, elements, feeds)
        return program

    def _cell(self, name: str) -> NamedCell:
        return self._cells.setdefault(name, NamedCell(name))

    def _fetched(self, fetch: object) -> Element:
        if fetch is None:
            raise TypeError('Argument `fetch` = None has invalid type "NoneType". Cannot be None')
        try:
            return self._graph.as_graph_element(fetch)
        except TypeError as error:
            raise TypeError(
                f'Argument `fetch` = {fetch} has invalid type "{type(fetch).__name__}" must be a '
                f"string or Tensor. ({error})"
            ) from None
        except (ValueError, KeyError) as error:
            raise ValueError(
                f"Argument `fetch` = {fetch} cannot be interpreted as a Tensor. ({error})"
            ) from None

    def _feeds(self, feed_dict: Mapping[Any, Any]) -> list[tuple[SymbolicTensor, Any]]:
        if not isinstance(feed_dict, Mapping):
            raise TypeError(
                f"feed_dict must be a dictionary from tensors to values, not {feed_dict!r}"
            )
        values: dict[int, tuple[SymbolicTensor, Any]] = {}
        for key, value in feed_dict.items():
            for tensor, part in _pairs(key, value):
                own = self._fed(tensor)
                values[id(own)] = (own, _array(own, part))
        return list(values.values())

    def _fed(self, key: object) -> SymbolicTensor:
        held = key.deref() if hasattr(key, "deref") else key
        try:
            element = self._graph.as_graph_element(held)
        except (TypeError, ValueError, KeyError) as error:
            raise TypeError(f"Cannot interpret feed_dict key as Tensor: {error.args[0]}") from None
        if not isinstance(element, SymbolicTensor):
            raise TypeError(f"Cannot interpret feed_dict key as Tensor: {held!r} is an Operation.")
        return element

    @contextmanager
    def as_default(self) -> Iterator[Session]:
        """Make this Session the default one for `Tensor.eval` and `Operation.run`.

        Returns: A context manager.
        """
        with temporarily(sessions=(*STATE.sessions, self)):
            yield self

    def __enter__(self) -> Session:
        stack = ExitStack()
        stack.enter_context(self._graph.as_default())
        stack.enter_context(self.as_default())
        self._entered.append(stack)
        return self

    def __exit__(self, *details: object) -> None:
        self._entered.pop().close()
        self.close()

    def close(self) -> None:
        """Release the values of the variables; the Session cannot run afterwards."""
        self._closed = True
        self._cells.clear()
        self._programs.clear()


def get_default_session() -> Session | None:
    """Return the default Session of this thread, or None.

    >>> get_default_session() is None
    True
    """
    return STATE.sessions[-1] if STATE.sessions else None


def _pairs(key: object, value: object) -> list[tuple[Any, Any]]:
    if not isinstance(key, tuple):
        return [(key, value)]
    if not isinstance(value, (list, tuple)) or len(value) != len(key):
        raise ValueError(f"feed_dict maps {key!r} to {value!r}, which has another structure")
    return [pair for one, part in zip(key, value, strict=True) for pair in _pairs(one, part)]


def _array(tensor: SymbolicTensor, value: object) -> Any:
    if isinstance(value, Tensor):
        hint = " Use its `.numpy()`." if isinstance(value, EagerTensor) else ""
        raise TypeError(
            "The value of a feed cannot be a tf.Tensor object. Acceptable feed values include "
            "Python scalars, strings, lists, or numpy ndarrays. For reference, the tensor object "
            f"was {value} which was passed to the argument `feed_dict` with key {tensor}.{hint}"
        )
    array = _converted(tensor, value)
    if not tensor.shape.is_compatible_with(np.shape(array)):
        raise ValueError(
            f"Cannot feed value of shape {np.shape(array)} for Tensor {tensor.name}, which has "
            f"shape {tensor.shape}"
        )
    return array


def _converted(tensor: SymbolicTensor, value: object) -> Any:
    dtype = tensor.dtype
    if dtype.kind == "O":
        return value if tensor.op.definition is VAR_HANDLE.definition else to_array(value, dtype)
    if isinstance(value, int) and dtype.is_integer and not dtype.min <= value <= dtype.max:
        raise TypeError(
            f"Type of feed value {value} with type {type(value)} is not compatible with Tensor "
            f"type {dtype.as_numpy_dtype}. Try explicitly setting the type of the feed tensor to a "
            "larger type (e.g. int64)."
        )
    return np.array(value, dtype.numpy_dtype)


class Part:
    """The part of a graph that a run needs.

    Attributes:
      graph: a graph with the fed tensors, `handles` and `captured` as inputs, and the fetched
        tensors and the outputs of fetched operations as outputs.
      handles: the variables of the graph that it uses.
      captured: the tensors from outside the graph that it uses.
    """

    def __init__(
        self, whole: Graph, fetches: Sequence[SymbolicTensor | Operation], feeds: Sequence[Any]
    ) -> None:
        """Copy the part from a graph, which does not change.

        Raises: InvalidArgumentError if a required placeholder is not fed.
        """
        part = Rewriting(whole)
        self.graph = part.copy
        needed = _needed(fetches, set(map(id, feeds)))
        chosen = [op for op in whole.operations if id(op) in needed]
        self.handles = [op for op in chosen if op.definition is VAR_HANDLE.definition]
        given = [op for op in chosen if op.definition is PLACEHOLDER]
        outside = zip(whole.inputs[len(whole.arguments) :], whole.captures, strict=True)
        known = {id(own.op): tensor for own, tensor in outside}
        for op in given:
            if id(op) not in known:
                raise _unfed(op)
        self.captured: list[Any] = [known[id(op)] for op in given]
        fed = [*feeds, *(op.outputs[0] for op in (*self.handles, *given))]
        inputs = {id(tensor): self.graph.add_input(tensor.spec, tensor.op.name) for tensor in fed}
        order = EffectOrder()
        for op in whole.operations:
            if id(op) not in needed or op.definition in (PLACEHOLDER, VAR_HANDLE.definition):
                part.leave_out(op)
            else:
                new = part.keep(op)
                new.control_inputs = list(dict.fromkeys((*order.before(new), *new.control_inputs)))
            for output in op.outputs:
                if id(output) in inputs:
                    part.replace_tensor(output, inputs[id(output)])
        self.graph.outputs = list(map(part.of, _outputs(fetches)))


def _needed(fetches: Sequence[SymbolicTensor | Operation], fed: set[int]) -> set[int]:
    waiting = [
        fetch if isinstance(fetch, Operation) else fetch.op
        for fetch in fetches
        if id(fetch) not in fed
    ]
    needed: set[int] = set()
    while waiting:
        op = waiting.pop()
        if id(op) not in needed:
            needed.add(id(op))
            waiting += [tensor.op for tensor in op.inputs if id(tensor) not in fed]
            waiting += op.control_inputs
    return needed


def _outputs(fetches: Sequence[SymbolicTensor | Operation]) -> list[SymbolicTensor]:
    """Return the fetched tensors, and the outputs of fetched operations, which must run."""
    tensors = [fetch for fetch in fetches if isinstance(fetch, SymbolicTensor)]
    boxed = (dtypes.resource, dtypes.variant)
    for fetch in fetches:
        if isinstance(fetch, Operation):
            tensors += [output for output in fetch.outputs if output.dtype not in boxed]
    return tensors


def _unfed(op: Operation) -> InvalidArgumentError:
    (tensor,) = op.outputs
    dims = tensor.spec.dims
    shown = "" if dims is None else f" and shape {bracketed(dims)}"
    place = f"\n  made at {op.place}" if op.place else ""
    return InvalidArgumentError.of(
        f"You must feed a value for placeholder tensor '{op.name}' with dtype "
        f"{tensor.dtype.type_word}{shown}{place}\n"
        f"\t [[{{{{node {op.name}}}}}]]",
        op,
    )
