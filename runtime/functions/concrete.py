"""A graph together with its arguments, results and captures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph.forks import Lock
from autograph.operators.alternatives import for_caller
from runtime.backprop.calls import BOXED, CALL, STATEFUL_CALL, call_on_tapes
from runtime.control_flow import forms
from runtime.control_flow.forms import Form, Leaf, Nest
from runtime.core.descriptions import describe
from runtime.core.dispatch import record
from runtime.core.graph import Graph
from runtime.core.opdef import Effect, OpDef
from runtime.core.spec import TensorSpec
from runtime.core.structure import flatten, map_structure
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE
from runtime.engines import plan
from runtime.engines.engine import executable, optimized
from runtime.functions.arguments import Arguments
from runtime.functions.array_arguments import assigned_arguments
from runtime.functions.atomic import AtomicFunction
from runtime.functions.effects import SideEffect
from runtime.functions.function_type import FunctionType, type_of
from runtime.functions.guards import Guards
from runtime.functions.outside import Source, Written, read_results, write_pending
from runtime.functions.sharing import Path, part_at, refilled, replaced, with_shared_parts
from runtime.functions.watched_arrays import ReferredArray
from runtime.state.cells import Cell
from runtime.state.variable import Variable
from runtime.state.variable_type import VariableType


class ConcreteFunction:
    """One graph of a function.

    Attributes:
      graph: the graph as it was recorded.
      name: the name of the Python function.
      arguments: what it takes.
      result: the form of what the function returned.
      assigned: the inputs of which it assigns items, see `assigned_arguments`.

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
        """Wraps a graph.

        Args:
          graph: the recorded graph.
          arguments: what it takes.
          result: the form of what the function returned.
        """
        self.graph = graph
        self.name = graph.name
        self.arguments = arguments
        self.result = result
        self._places = _places(result)
        self.assigned = assigned_arguments(graph)
        self.guards: Guards | None = None
        self.written: list[Written] = []
        self.effects: list[SideEffect] = []
        self._referred = [
            (position, tensor.place)
            for position, tensor in enumerate(graph.captures)
            if isinstance(tensor, ReferredArray)
        ]
        self.shared: list[tuple[Path, Path]] = []
        self.returned: list[tuple[Source, Path]] = []
        self._constants: list[Tensor] | None = None
        self._executable: Callable[..., tuple[Any, ...]] | None = None
        self._compiling = Lock()
        self._captured: tuple[Any, ...] | None = None
        if not self.is_bound:
            self._captured = tuple(t.array for t in graph.captures)  # type: ignore[attr-defined]
        self._single = _is_plain(result)
        self._row = _row_of_plain(result)

    @property
    def is_bound(self) -> bool:
        """Whether it uses tensors of the graph in which it was recorded, and works only there."""
        return any(isinstance(tensor, SymbolicTensor) for tensor in self.graph.captures)

    def is_current(self) -> bool:
        """Whether the graph may run: what it read from outside its arguments is still the same.

        A tensor that is a constant of the graph must not be watched by a tape.
        """
        if STATE.tapes and self._watched_constant() is not None:
            return False
        return self.guards is None or self.guards.hold()

    @property
    def inputs(self) -> list[SymbolicTensor]:
        """The inputs of the graph, captured ones last."""
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
        """The variables that the graph uses and that are no arguments of it.

        >>> import runtime as tf
        >>> v = tf.Variable(2.0)
        >>> tf.function(lambda: v + 1.0, autograph=False).get_concrete_function().variables
        (<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=2.0>,)
        """
        return tuple(self._variables_of(self.graph.captures))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of `variables` that are trainable."""
        return tuple(variable for variable in self.variables if variable.trainable)

    @property
    def structured_outputs(self) -> Any:
        """What the function returns, with the outputs of the graph for the tensors."""
        return self._value(self.graph.outputs)

    @property
    def output_shapes(self) -> Any:
        """The shapes of what the function returns, in its structure.

        >>> import runtime as tf
        >>> f = tf.function(lambda x: [x, x[0]], autograph=False)
        >>> f.get_concrete_function(tf.TensorSpec([2], tf.int32)).output_shapes
        [TensorShape([2]), TensorShape([])]
        """
        return map_structure(
            lambda leaf: leaf.shape if isinstance(leaf, Tensor) else leaf, self.structured_outputs
        )

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of what the function returns, in its structure.

        >>> import runtime as tf
        >>> f = tf.function(lambda x: [x, x > 1], autograph=False)
        >>> f.get_concrete_function(tf.TensorSpec([2], tf.int32)).output_dtypes
        [tf.int32, tf.bool]
        """
        return map_structure(
            lambda leaf: leaf.dtype if isinstance(leaf, Tensor) else leaf, self.structured_outputs
        )

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Positional and keyword arguments, with a named `TensorSpec` for each tensor."""
        return self.arguments.structured

    @property
    def function_type(self) -> FunctionType:
        """Parameters, result and captured tensors.

        >>> import runtime as tf
        >>> f = tf.function(lambda x: (x, None), autograph=False)
        >>> f.get_concrete_function(tf.TensorSpec([], tf.int32)).function_type
        Input Parameters:
          x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(), dtype=tf.int32, name=None)
        Output Type:
          Tuple[TensorSpec(shape=(), dtype=tf.int32, name=None), Literal[None]]
        Captures:
          None
        """
        captures = {id(tensor): tensor.spec for tensor in self.graph.captures}
        specs = (tensor.spec for tensor in self.graph.outputs)
        return FunctionType(self.arguments.parameters, captures, type_of(self._value(specs)))

    @property
    def inference_fn(self) -> AtomicFunction:
        """The graph as a function of tensors alone."""
        return AtomicFunction(self)

    @property
    def function_def(self) -> Any:
        """The graph as a function of a `GraphDef`.

        Raises: UnimplementedError that names the operation and its line if there is one that a
          GraphDef cannot say.

        >>> import runtime as tf
        >>> f = tf.function(lambda x: x + 1.0, autograph=False)
        >>> written = f.get_concrete_function(tf.TensorSpec([], tf.float32)).function_def
        >>> [arg.name for arg in written.signature.input_arg], [n.op for n in written.node_def]
        (['x'], ['Const', 'AddV2', 'Identity'])
        """
        return describe("function_def", self.graph)

    @property
    def optimized_graph(self) -> Graph:
        """The graph that runs."""
        return optimized(self.graph)

    @property
    def plan_source(self) -> str:
        """The Python text that runs for the graph, with the lines of the program beside it.

        >>> import runtime as tf
        >>> double = tf.function(lambda x: x + x, autograph=False)
        >>> concrete = double.get_concrete_function(tf.TensorSpec([3], tf.float32))
        >>> print(concrete.plan_source)  # doctest: +ELLIPSIS
        def lambda_2(x):
            add = x + x  # ...
            return (add,)
        <BLANKLINE>
        """
        return plan.source(self.optimized_graph)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the graph.

        Arguments go by the parameters of the function, or else by the inputs of the graph. Those
        that were Python values when it was recorded may be left out.

        Raises: TypeError for arguments that do not fit; InvalidArgumentError, which is a TypeError
          too, for a tensor of another dtype or shape.
        """
        return self.call_flat(self.arguments.inputs(args, kwargs))

    def call_flat(self, tensors: list[Tensor]) -> Any:
        """Runs the graph on its tensor arguments, in order."""
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
        """A tensor that a tape watches and of which the graph has no gradient."""
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
        """Runs the graph for tapes, if any of them follows what the graph reads."""
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

    def run(self, arrays: list[Any]) -> Any:
        """Runs the graph on the arrays of its tensor arguments."""
        executable = self._executable or self._compiled()
        assert self._captured is not None
        if self._referred:
            results = self._run_on_referred(executable, arrays)
        else:
            results = executable(*arrays, *self._captured)
        if self._single:
            return EagerTensor(results[0])
        return self._structured(results)

    def _run_on_referred(
        self, executable: Callable[..., tuple[Any, ...]], arrays: list[Any]
    ) -> tuple[Any, ...]:
        """Runs the graph on what the arrays outside hold now; nothing keeps their memory."""
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

    def _compiled(self) -> Callable[..., tuple[Any, ...]]:
        with self._compiling:
            if self._executable is None:
                self._executable = executable(self.optimized_graph, self)
            return self._executable

    def forget_executable(self) -> None:
        """Has the graph compiled again at the next call, as the engine of then wants it."""
        self._executable = None

    def _structured(self, results: tuple[Any, ...]) -> Any:
        if self._row is not None and not self.shared and not self.returned:
            return self._row(map(EagerTensor, results))
        tensors = (
            EagerTensor(value, tensor.spec if tensor.dtype in BOXED else None)
            for value, tensor in zip(results, self.graph.outputs, strict=True)
        )
        return self._with_returned(self._value(tensors))

    def _with_returned(self, value: Any) -> Any:
        """A result with the objects in it that outlive the call."""
        for source, path in self.returned:
            value = replaced(value, path, source())
        return value

    def _value(self, outputs: Iterable[Any]) -> Any:
        """Return the structure of the result with these tensors as the outputs of the graph."""
        if self._places is not None:
            held = list(outputs)
            outputs = [held[place] for place in self._places]
        value = forms.value_from(self.result, iter(outputs))
        return with_shared_parts(value, self.shared) if self.shared else value

    def _record(self, graph: Graph, tensors: list[Tensor]) -> Any:
        definition = CALL if self.graph.effect is Effect.NONE else STATEFUL_CALL
        write_pending(graph, self.written)
        value = self.record_call(graph, definition, (*tensors, *self.graph.captures))
        read_results(graph, self.written)
        return self._with_returned(value)

    def record_call(
        self, graph: Graph, definition: OpDef, inputs: Sequence[Tensor], name: str | None = None
    ) -> Any:
        """Add an operation that runs this graph, its attribute `f`; return its results.

        Args:
          graph: the graph that is being recorded.
          definition: the op type.
          inputs: what it reads, captured tensors last.
          name: the name of the operation.
        """
        return for_caller(self._value(record(graph, definition, inputs, {"f": self.graph}, name)))

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """Parameters and results, one a line.

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
        """Return `ConcreteFunction` and the signature."""
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    def __repr__(self) -> str:
        """Return `<ConcreteFunction f(x) at 0x...>`."""
        return f"<ConcreteFunction {self.pretty_printed_signature(verbose=False)} at {id(self):#x}>"


def _constants(graph: Graph) -> Iterator[Tensor]:
    """The tensors from outside that are constants of a graph, or of one that it carries."""
    yield from graph.constants
    for op in graph.operations:
        for inner in op.subgraphs():
            yield from _constants(inner)


def _places(form: Form) -> list[int] | None:
    """Where each tensor of a result is among the outputs, if they stand in another order."""
    order = forms.places_by_key(form)
    places = sorted(range(len(order)), key=order.__getitem__)
    return None if order == sorted(order) else places


def _is_plain(form: Form) -> bool:
    """Whether a result is a tensor that needs nothing but its array."""
    return isinstance(form, Leaf) and not form.maybe and form.spec.dtype not in BOXED


def _row_of_plain(form: Form) -> type[tuple[Any, ...]] | type[list[Any]] | None:
    """`tuple` or `list` if a result is one of such tensors alone."""
    if isinstance(form, Nest) and form.kind in (tuple, list) and all(map(_is_plain, form.parts)):
        return form.kind
    return None


class _Words(str):
    def __repr__(self) -> str:
        return str(self)


def _in_words(value: Any) -> str:
    def words(leaf: Any) -> Any:
        if isinstance(leaf, TensorSpec):
            return _Words(f"{leaf.dtype.name} Tensor, shape={leaf.shape}")
        if isinstance(leaf, VariableType):
            return _Words(f"{leaf.spec.dtype.name} Variable, shape={leaf.spec.shape}")
        return leaf

    return str(map_structure(words, value))
