"""A graph with its arguments, results and captures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.operators.alternatives import for_caller
from runtime.backprop.calls import BOXED, call_on_tapes
from runtime.backprop.derivative import CALL, STATEFUL_CALL
from runtime.control_flow.values import layouts
from runtime.control_flow.values.forms import Fixed, Form, Leaf, Nest
from runtime.core.errors import StagingError
from runtime.core.graph import Graph
from runtime.core.handlers import refuse_handled_in_call
from runtime.core.opdef import Effect, OpDef
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec
from runtime.core.structure import flatten, map_structure
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE
from runtime.engines.engine import Compiled, Executable, optimized, plan_source
from runtime.functions.arguments import Arguments, assigned_arguments
from runtime.functions.conversion import end_of_trace
from runtime.functions.effects import SideEffect
from runtime.functions.guards import Guards
from runtime.functions.outside_ops import Source, Written, read_results, write_pending
from runtime.functions.sharing import Path, part_at, refilled, replaced, with_shared_parts
from runtime.functions.watched_arrays import ReferredArray
from runtime.state.cells import Cell
from runtime.state.variable import Variable
from runtime.state.variable_type import VariableType


class ConcreteFunction(Compiled):
    """One graph of a function.

    Attributes:
      graph: the recorded graph, before the passes.
      name: the name of the Python function.
      arguments: its parameters.
      result: the form of the return value.
      assigned: inputs whose items the graph assigns, see `assigned_arguments`.
      appends: whether it appends to a list that the function does not read, see `appended`.
      engine: the engine that runs it, see `Compiled`.

    >>> import runtime as tf
    >>> square = tf.function(lambda x: x * x)
    >>> concrete = square.get_concrete_function(tf.TensorSpec([], tf.float32))
    >>> print(concrete(tf.constant(3.0)))
    tf.Tensor(9.0, shape=(), dtype=float32)
    """

    def __init__(
        self,
        graph: Graph,
        arguments: Arguments,
        result: Form,
    ) -> None:
        """Wrap a graph.

        Args:
          graph: the recorded graph.
          arguments: its parameters.
          result: the form of the return value.
        """
        super().__init__(graph)
        self.name = graph.name
        self.arguments = arguments
        self.result = result
        self._places = _places(result)
        self.assigned = assigned_arguments(graph)
        self.guards: Guards | None = None
        self.written: list[Written] = []
        self.continued: list[Written] = []
        self.appends = False
        self.effects: list[SideEffect] = []
        self._referred = [
            (position, tensor.place)
            for position, tensor in enumerate(graph.captures)
            if isinstance(tensor, ReferredArray)
        ]
        self.shared: list[tuple[Path, Path]] = []
        self.returned: list[tuple[Source, Path]] = []
        self._constants: list[Tensor] | None = None
        self._captured: tuple[Any, ...] | None = None
        if not self.is_bound:
            self._captured = tuple(t.array for t in graph.captures)  # type: ignore[attr-defined]
        self._single = _is_plain(result)
        self._row = _row_of_plain(result)

    @property
    def is_bound(self) -> bool:
        """True if it captures tensors of the enclosing graph, and so works only there."""
        return any(isinstance(tensor, SymbolicTensor) for tensor in self.graph.captures)

    def is_current(self) -> bool:
        """Return whether the graph may run: its guards hold, no tape watches one of its constants,
        and no graph that may read a list to which it appends is recorded.
        """
        if self.appends and STATE.graph is not None:
            return False
        if STATE.tapes and self._watched_constant() is not None:
            return False
        return self.guards is None or self.guards.hold()

    @property
    def inputs(self) -> list[SymbolicTensor]:
        """The inputs of the graph, captures last."""
        return list(self.graph.inputs)

    @property
    def outputs(self) -> list[SymbolicTensor]:
        """The outputs of the graph."""
        return list(self.graph.outputs)

    @property
    def captured_inputs(self) -> list[Tensor]:
        """The tensors from outside that the graph uses."""
        return list(self.graph.captures)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables that the graph captures.

        >>> import runtime as tf
        >>> v = tf.Variable(2.0)
        >>> tf.function(lambda: v + 1.0, autograph=False).get_concrete_function().variables
        (<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=2.0>,)
        """
        return tuple(self._variables_of(self.graph.captures))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """The trainable variables among `variables`."""
        return tuple(variable for variable in self.variables if variable.trainable)

    @property
    def structured_outputs(self) -> Any:
        """The return value of the function, with symbolic outputs as tensors."""
        return self._result()

    @property
    def output_shapes(self) -> Any:
        """The shapes of the return value, in its structure; unknown for None.

        >>> import runtime as tf
        >>> f = tf.function(lambda x: (x, x[0]))
        >>> f.get_concrete_function(tf.TensorSpec([None, 2], tf.float32)).output_shapes
        (TensorShape([None, 2]), TensorShape([2]))
        """
        return map_structure(_shape_of, self._result())

    def _result(self) -> Any:
        return self._value(self.graph.outputs)

    @property
    def inference_fn(self) -> ConcreteFunction:
        """The function that runs the graph, which programs ask for its name: this one."""
        return self

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Positional and keyword arguments, with a named `TensorSpec` for each tensor."""
        return self.arguments.structured

    @property
    def optimized_graph(self) -> Graph:
        """The graph after the passes."""
        return optimized(self.graph)

    @property
    def plan_source(self) -> str:
        """The Python source that runs for the graph, annotated with the lines of the program.

        >>> import runtime as tf
        >>> double = tf.function(lambda x: x + x, autograph=False)
        >>> concrete = double.get_concrete_function(tf.TensorSpec([3], tf.float32))
        >>> print(concrete.plan_source)  # doctest: +ELLIPSIS
        def lambda_2(x):
            add = x + x  # ...
            return (add,)
        <BLANKLINE>
        """
        return plan_source(self.optimized_graph, self.engine)

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Run the graph.

        Arguments bind to the parameters of the function, or else to the inputs of the graph.
        Arguments that were Python values during the trace are optional.

        Raises:
          TypeError: if the arguments do not fit.
          InvalidArgumentError: for a tensor of another dtype or shape; also a TypeError.
          ValueError: if the graph goes on with an object of the program, and was recorded for
            another value of it.
        """
        if self.appends and STATE.graph is not None:
            raise StagingError(
                f"a graph calls the graph of {self.name}, which appends to a list outside.",
                remedy=f"Call {self.name} itself, which records another graph.",
                public=ValueError,
            )
        if self.continued:
            with end_of_trace(STATE.graph is None):
                for place in self.continued:
                    place.require_former(self.name)
        return self.call_flat(self.arguments.inputs(args, kwargs))

    def call_flat(self, tensors: list[Tensor]) -> Any:
        """Run the graph, or record a call of it in the graph that is being traced.

        Args:
          tensors: the tensor arguments, in the order of `graph.arguments`, without captures.

        Returns: The value of the function.
        Raises: ValueError if a tape watches a tensor that is a constant of the graph.
        """
        if STATE.tapes:
            self._require_gradient()
            for variable in self._variables_of((*tensors, *self.graph.captures)):
                variable.note_access()
        if STATE.graph is not None:
            return self._record(STATE.graph, tensors)
        if STATE.tapes:
            return self._call_on_tapes(tensors)
        arrays = [tensor._a for tensor in tensors]  # type: ignore[attr-defined]
        return self.run(arrays)

    def _watched_constant(self) -> Tensor | None:
        """Return a constant of the graph that a tape watches, or None."""
        if self._constants is None:
            self._constants = list(_constants(self.graph))
        watched = (
            tensor for tensor in self._constants if any(t.watches(tensor) for t in STATE.tapes)
        )
        return next(watched, None)

    def _require_gradient(self) -> None:
        watched = self._watched_constant()
        if watched is not None:
            raise ValueError(
                f"A tape watches {watched!r}, which is a constant of the graph of `{self.name}`: "
                "the graph was recorded before the tape watched the tensor, so there would be no "
                "gradient. Call the function that made the graph, or pass the tensor to it."
            )

    def _call_on_tapes(self, tensors: list[Tensor]) -> Any:
        """Run the graph for the tapes that follow one of its inputs, if any."""
        inputs = [*tensors, *self.graph.captures]
        for position, place in self._referred:
            inputs[len(tensors) + position] = EagerTensor(place.read().copy())
        tapes = [tape for tape in STATE.tapes if any(tape.follows(inputs))]
        if not tapes:
            return self.run([tensor._a for tensor in tensors])  # type: ignore[attr-defined]
        value = self._value(call_on_tapes(self.graph, inputs, tapes))
        for source, path in self.returned:
            refilled(source(), part_at(value, path))
        return self._with_returned(value)

    @staticmethod
    def _variables_of(tensors: Iterable[Tensor]) -> list[Variable]:
        cells = (tensor.array for tensor in tensors if isinstance(tensor, EagerTensor))
        found = (cell.variable() for cell in cells if isinstance(cell, Cell))
        return [variable for variable in found if variable is not None]

    def run(self, arrays: Sequence[Any]) -> Any:
        """Run the graph on arrays.

        Args:
          arrays: the arrays of the tensor arguments, in order, without captures.

        Returns: The value of the function.
        """
        results = self.results(arrays)
        if self._single:
            return EagerTensor(results[0])
        return self.value(results)

    def results(self, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """Run the graph on arrays, without building the value of the function.

        Args:
          arrays: as for `run`.

        Returns: The arrays of the outputs, in order.
        """
        executable = self.code or self._compiled()
        if not self._captured:
            return executable(*arrays)
        if self._referred:
            return self._run_on_referred(executable, arrays)
        return executable(*arrays, *self._captured)

    @property
    def reads_places(self) -> bool:
        """True if runs read captured arrays anew."""
        return bool(self._referred)

    def fixed_code(self) -> tuple[Executable, Sequence[Any]] | None:
        """Return the code and the captured arrays; None before the first run.

        A `Place` stands for an array that runs read anew.
        """
        if self.code is None or self._captured is None:
            return None
        places = dict(self._referred)
        return self.code, [places.get(n, array) for n, array in enumerate(self._captured)]

    def value_text(self, bind: Callable[[object], str], output: Callable[[int], str]) -> str | None:
        """Return the expression of the value of the function; None if it is not a simple structure.

        Args:
          bind: returns the name of a value in the text.
          output: returns the expression of the tensor of an output.
        """
        if self.shared or self.returned:
            return None
        places = iter(self._places or range(len(self.graph.outputs)))
        return _text_of(self.result, bind, lambda: output(next(places)))

    @property
    def keeps_order(self) -> bool:
        """True if the value has one part for each output, in order, and no object from outside."""
        return self._places is None and not self.shared and not self.returned

    def _run_on_referred(self, executable: Executable, arrays: Sequence[Any]) -> tuple[Any, ...]:
        """Run the graph on the current contents of the referenced arrays, without sharing their
        memory.
        """
        captured = list(self._captured or ())
        for position, place in self._referred:
            array = place.read()
            captured[position] = array if self.graph.effect is Effect.NONE else array.copy()
        results = executable(*arrays, *captured)
        own = [captured[position] for position, _ in self._referred]
        return tuple(
            np.array(result) if any(np.may_share_memory(result, each) for each in own) else result
            for result in results
        )

    def value(self, results: Sequence[Any]) -> Any:
        """Return the value of the function for the arrays of the outputs.

        Args:
          results: the arrays of the outputs, in order.
        """
        if self._row is not None and not self.shared and not self.returned:
            return self._row(map(EagerTensor, results))
        tensors = (
            EagerTensor(value, tensor.spec if tensor.dtype in BOXED else None)
            for value, tensor in zip(results, self.graph.outputs, strict=True)
        )
        return self._with_returned(self._value(tensors))

    def _with_returned(self, value: object) -> Any:
        """Return a result with the objects in it that outlive the call."""
        for source, path in self.returned:
            value = replaced(value, path, source())
        return value

    def _value(self, outputs: Iterable[Any]) -> Any:
        """Build the return value from the outputs of the graph."""
        if self._places is not None:
            held = list(outputs)
            outputs = [held[place] for place in self._places]
        value = layouts.value_from(self.result, iter(outputs))
        return with_shared_parts(value, self.shared) if self.shared else value

    def _record(self, graph: Graph, tensors: list[Tensor]) -> Any:
        definition = CALL if self.graph.effect is Effect.NONE else STATEFUL_CALL
        refuse_handled_in_call(self.graph.raises)
        write_pending(graph, self.written)
        value = self.record_call(graph, definition, (*tensors, *self.graph.captures))
        read_results(graph, self.written)
        return self._with_returned(value)

    def record_call(
        self, graph: Graph, definition: OpDef, inputs: Sequence[Tensor], name: str | None = None
    ) -> Any:
        """Add an operation that runs this graph (its attribute `f`) and return its results.

        Args:
          graph: the graph being recorded.
          definition: the op type.
          inputs: the inputs, captured tensors last.
          name: the name of the operation.

        Returns: The value of the function, with the results of the operation.
        """
        return for_caller(self._value(graph.record(definition, inputs, {"f": self.graph}, name)))

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """Return parameters and results, one on each line.

        Args:
          verbose: False: the first line only.

        >>> import runtime as tf
        >>> f = tf.function(lambda x: x + 1.0)
        >>> print(f.get_concrete_function(tf.TensorSpec([], tf.float32)).pretty_printed_signature())
        <lambda>(x)
          Args:
            x: float32 Tensor, shape=()
          Returns:
            float32 Tensor, shape=()
        """
        shown, described = [], []
        for name, value in self.arguments.bound.items():
            if self.arguments.is_empty(name):
                continue
            if any(isinstance(leaf, (TensorSpec, VariableType)) for leaf in flatten(value)[0]):
                shown.append(name)
                described.append(f"    {name}: {_in_words(value)}")
            else:
                shown.append(f"{name}={value!r}")
        first = f"{self.name}({', '.join(shown)})"
        if not verbose:
            return first
        specs = (TensorSpec.from_tensor(tensor) for tensor in self.graph.outputs)
        returned = self._value(specs)
        described = ["  Args:", *described] if described else []
        return "\n".join([first, *described, "  Returns:", f"    {_in_words(returned)}"])

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.pretty_printed_signature(verbose=False)} at {id(self):#x}>"


def _shape_of(value: Any) -> TensorShape:
    return TensorShape(None if value is None else getattr(value, "shape", ()))


def _constants(graph: Graph) -> Iterator[Tensor]:
    """Yield the constants captured by a graph and by the graphs that it carries."""
    yield from graph.constants
    for op in graph.operations:
        for inner in op.subgraphs():
            yield from _constants(inner)


def _places(form: Form) -> list[int] | None:
    """Return the output index of each tensor of a result, or None if the orders are equal."""
    order = layouts.places_by_key(form)
    places = sorted(range(len(order)), key=order.__getitem__)
    return None if order == sorted(order) else places


def _is_plain(form: Form) -> bool:
    """Return whether a result is a single tensor that only needs its array."""
    return isinstance(form, Leaf) and not form.maybe and form.spec.dtype not in BOXED


def _row_of_plain(form: Form) -> type[tuple[Any, ...]] | type[list[Any]] | None:
    """Return `tuple` or `list` if a result is a flat sequence of plain tensors, else None."""
    if isinstance(form, Nest) and form.kind in (tuple, list) and all(map(_is_plain, form.parts)):
        return form.kind
    return None


def _text_of(form: Form, bind: Callable[[object], str], output: Callable[[], str]) -> str | None:
    """Return the expression of a value of a form; None if it is not a simple structure."""
    if _is_plain(form):
        return output()
    if isinstance(form, Fixed) and type(form.value) in _SIMPLE:
        return bind(form.value)
    if not isinstance(form, Nest) or form.kind not in (tuple, list, dict):
        return None
    parts = [_text_of(part, bind, output) for part in form.parts]
    texts = [text for text in parts if text is not None]
    if len(texts) < len(parts):
        return None
    if form.kind is dict:
        items = [f"{bind(key)}: {text}" for key, text in zip(form.keys, texts, strict=True)]
        return f"{{{', '.join(items)}}}"
    inside = "".join([f"{text}, " for text in texts])
    return f"[{inside}]" if form.kind is list else f"({inside})"


_SIMPLE = (int, bool, float, str, type(None))


class _Words(str):
    def __repr__(self) -> str:
        return str(self)


def _in_words(value: object) -> str:
    def words(leaf: object) -> Any:
        if isinstance(leaf, TensorSpec):
            return _Words(f"{leaf.dtype.name} Tensor, shape={leaf.shape}")
        if isinstance(leaf, VariableType):
            return _Words(f"{leaf.spec.dtype.name} Variable, shape={leaf.spec.shape}")
        return leaf

    return str(map_structure(words, value))
