"""Recursion in staged branches and loops: one graph for each type of call.

    def fact(n):                                Recursion(n; f: a graph that calls itself)
        return 1 if n <= 1 else n * fact(n - 1)

Tracing `fact` inside `fact` would never end. So a call of a function that is already being traced,
with arguments of the same types, becomes a graph of its own. Calls inside it are operations of type
`Recur`; calls with arguments of other types get further graphs. All graphs are traced again until
result types and captures reach a fixpoint; initially the types follow from the branches that do not
recur.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from inspect import BoundArguments
from types import MethodType
from typing import Any

from autograph.errors import signals
from autograph.operators.frames import PASSERS
from autograph.operators.results import TAKERS
from autograph.reach.walk import Reach
from autograph.staging import ProgramName, StagingLibrary, staged_block, trace
from runtime.control_flow.changed_objects import ChangedObjects
from runtime.control_flow.gradients.recursion_gradients import recur_backward, recursion_backward
from runtime.control_flow.tracing import Unsettled, control_op
from runtime.control_flow.values import forms, joins, layouts
from runtime.control_flow.values.argument_forms import bound, forms_of, joined
from runtime.control_flow.values.carried import Carried, restored
from runtime.control_flow.values.forms import Form
from runtime.control_flow.values.joins import Mismatch
from runtime.core.aliases import Array
from runtime.core.context import recording
from runtime.core.errors import StagingError
from runtime.core.graph import Graph
from runtime.core.naming import label
from runtime.core.opdef import MIXED, Control, Effect, OpDef
from runtime.core.operation import Callee
from runtime.core.places import user_line
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE

_MOST_NESTED = 200
"""Maximum depth of traces of a function inside itself, if it cannot become its own graph."""

_MOST_ALIKE = 40
"""The same for calls with arguments of the same types: only objects that the function changes could
end them. They are counted at each multiple of this depth, since each call is compared with all."""

_UNTIL_CONSTANTS_VARY = 8
"""After this many calls, Python numbers and strings that differ between calls become tensors."""

_LONGEST_CYCLE = 16
"""Number of enclosing calls whose types a call is compared with."""

_MOST_SIGNATURES = 64
_MOST_ROUNDS = 12
_REMEDY = "Write the recursion as a loop."


def _infer_call(
    *args: Tensor, callees: tuple[Callee, ...], f: Graph, **others: Graph
) -> tuple[TensorSpec, ...]:
    return tuple(tensor.spec for tensor in f.outputs)


def _call(
    xp: object, *args: Array, callees: object, f: Callable[..., Any], **others: object
) -> Any:
    return f(*args)


def _infer_recur(
    *args: Tensor, callee: Callee, specs: tuple[TensorSpec, ...]
) -> tuple[TensorSpec, ...]:
    return specs


def _recur(xp: object, *args: Array, callee: Callable[..., Any], specs: object) -> Any:
    """Engines bind the callee to a function on arrays."""
    return callee(*args)


_ARGS = {"*args": MIXED}
RECURSION = control_op(
    "Recursion", _ARGS, _infer_call, _call, recursion_backward, Control.RECURSION
)
RECUR = control_op("Recur", _ARGS, _infer_recur, _recur, recur_backward, Control.RECUR)
STATEFUL_RECUR = control_op(
    "StatefulRecur", _ARGS, _infer_recur, _recur, recur_backward, Control.RECUR, Effect.WRITE
)


class _Activation:
    """A call of a function that is traced inline.

    Attributes:
      function: the function.
      arguments: the values of its parameters.
      graph: the graph being recorded at the call.
    """

    def __init__(self, function: Callable[..., Any], arguments: BoundArguments) -> None:
        self.function = function
        self.arguments = arguments
        self.graph = STATE.graph


class _Stack(threading.local):
    """The functions that this thread traces.

    Attributes:
      activations: inlined calls, the innermost last.
      clusters: recursive functions, the innermost last.
      refused: the reason why a function cannot be its own graph, by `id`.
      recursive: the argument forms of functions that are recursive, by `id`.
      kept: references to these functions, so that their ids stay valid.
    """

    def __init__(self) -> None:
        self.activations: list[_Activation] = []
        self.clusters: list[_Cluster] = []
        self.refused: dict[int, StagingError] = {}
        self.recursive: dict[int, list[Form]] = {}
        self.kept: list[Callable[..., Any]] = []

    def begin(self) -> None:
        """Reset the results of earlier outermost calls."""
        if not self.activations:
            self.refused.clear()
            self.recursive.clear()
            self.kept.clear()


_STACK = _Stack()


def call(
    function: Callable[..., Any],
    target: Callable[..., Any],
    endless: bool,
    /,
    *args: object,
    **kwargs: object,
) -> Any:
    """Call a function of the program while a branch or loop is traced.

    Args:
      function: the function, which identifies recursive calls.
      target: what to call: the function or its converted form.
      endless: whether a direct call inside itself, without a branch or loop between, never ends.
      args, kwargs: the arguments.

    Returns: The result of the function.

    Raises:
      StagingError: if the recursion does not end, or no call matches an enclosing one; surfaces as
        RecursionError.
    """
    arguments = bound(function, args, kwargs)
    if arguments is None:
        return target(*args, **kwargs)
    _STACK.begin()
    for cluster in reversed(_STACK.clusters):
        if cluster.knows(function):
            return cluster.recur(cluster.signature(function, target, arguments), arguments)
    around = [
        each
        for each in _STACK.activations
        if each.function is function and (endless or each.graph is not STATE.graph)
    ]
    if len(around) > _MOST_NESTED or _alike(around, function, arguments) >= _MOST_ALIKE:
        raise _endless(function)
    inputs = _inputs(around, function, arguments)
    if inputs is not None:
        mark = signals.mark()
        try:
            library = trace.block or trace.library
            assert library is not None
            return _Cluster(function, target, arguments, inputs).record(library, arguments)
        except StagingError as error:
            if error.public is RecursionError:
                raise
            signals.forget(mark)
            _STACK.refused[id(function)] = error
            _STACK.kept.append(function)
    with _noted(_Activation(function, arguments)):
        try:
            return target(*args, **kwargs)
        except StagingError as error:
            # The stack may end before the depth is reached: more stack would not help.
            deep = error.public is RecursionError and id(function) in _STACK.refused
            if not deep or around:
                raise
            raise _endless(function) from None


PASSERS.add(call.__code__)


@contextmanager
def _noted(activation: _Activation) -> Iterator[None]:
    _STACK.activations.append(activation)
    try:
        yield
    finally:
        _STACK.activations.pop()


def noted_call(
    function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> AbstractContextManager[None]:
    """Notes, inside, that a function or method is being traced with these arguments."""
    if isinstance(function, MethodType):
        args = (function.__self__, *args)
        function = function.__func__
    _STACK.begin()
    arguments = bound(function, tuple(args), kwargs)
    return nullcontext() if arguments is None else _noted(_Activation(function, arguments))


def _inputs(
    around: list[_Activation], function: Callable[..., Any], arguments: BoundArguments
) -> list[Form] | None:
    """Return the argument forms of a recursive call; None if it is not known to be recursive.

    A call is recursive if an enclosing call has arguments of the same types, or if the function is
    known to be recursive.
    """
    key = id(function)
    if key in _STACK.refused or not (around or key in _STACK.recursive):
        return None
    own = forms_of(arguments)
    known = _STACK.recursive.get(key)
    if known is not None:
        general = joined(known, own, constants_vary=False) or own
        if general == known or any(map(layouts.specs, own)):
            return general
    vary = len(around) >= _UNTIL_CONSTANTS_VARY
    nearest = reversed(around[-_LONGEST_CYCLE:])
    found = (joined(forms_of(each.arguments), own, vary) for each in nearest)
    return next((inputs for inputs in found if inputs is not None), None)


def _alike(
    around: list[_Activation], function: Callable[..., Any], arguments: BoundArguments
) -> int:
    """Return how many enclosing calls of a function without a graph have arguments of these types.

    Numbers and strings of Python count by their values.
    """
    if id(function) not in _STACK.refused or not around or len(around) % _MOST_ALIKE:
        return 0
    own = forms_of(arguments)
    same = (joined(forms_of(each.arguments), own, constants_vary=False) for each in around)
    return sum(each is not None for each in same)


class _Signature:
    """A function with the types of its arguments, and its graph.

    Attributes:
      inputs: the forms of the arguments.
      result: the form of the result; None while it is unknown.
      stateful: whether the graph has effects.
      callee: represents the graph in calls.
      graph: the graph.
      calls: the signatures that the graph calls.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        target: Callable[..., Any],
        arguments: BoundArguments,
        inputs: list[Form],
    ) -> None:
        self.function = function
        self.target = target
        self.arguments = arguments
        self.inputs = inputs
        self.result: Form | None = None
        self.stateful = False
        self.name = getattr(function, "__name__", "function")
        self.callee = Callee(self.name)
        self.graph: Graph | None = None
        self.calls: list[_Signature] = []


class _Cluster:
    """A recursive function and its graphs, which share their captured tensors."""

    def __init__(
        self,
        function: Callable[..., Any],
        target: Callable[..., Any],
        arguments: BoundArguments,
        inputs: list[Form],
    ) -> None:
        self._function = function
        self._target = target
        self._first = inputs
        self._outer = STATE.graph
        self._objects = ChangedObjects(target, arguments.arguments)
        self._signatures: list[_Signature] = []
        self._captures: list[Tensor] = []
        self._changed: _Signature | None = None
        self._tracing: list[_Signature] = []
        self._reach: Reach | None = None

    def knows(self, function: Callable[..., Any]) -> bool:
        """Return whether the cluster belongs to the function."""
        return self._function is function

    def signature(
        self, function: Callable[..., Any], target: Callable[..., Any], arguments: BoundArguments
    ) -> _Signature:
        """Return the signature of a call: an existing one, generalized if necessary, or a new
        one.
        """
        own = self._objects.inputs(forms_of(arguments), arguments.arguments.values())
        vary = len(self._signatures) >= _UNTIL_CONSTANTS_VARY
        for known in self._signatures:
            inputs = joined(known.inputs, own, vary)
            if inputs is not None:
                if inputs != known.inputs:
                    known.inputs, self._changed = inputs, known
                return known
        if len(self._signatures) == _MOST_SIGNATURES:
            raise _endless(function)
        self._signatures.append(_Signature(function, target, arguments, own))
        return self._signatures[-1]

    def recur(self, signature: _Signature, arguments: BoundArguments) -> Any:
        """Record a recursive call inside one of the graphs. Raises Unsettled if its result is
        unknown.
        """
        assert self._reach is not None
        finds = self._objects.finds(self._reach)
        self._tracing[-1].calls.append(signature)
        if finds or signature.result is None:
            raise Unsettled
        contents = self._objects.state.passed()
        if self._objects.join(contents):
            self._changed = signature
            raise Unsettled
        specs = tuple(each.spec for each in self._tensors(contents))
        specs = (*(spec for spec, _ in layouts.specs(signature.result)), *specs)
        attrs = {"callee": signature.callee, "specs": specs}
        definition = STATEFUL_RECUR if signature.stateful else RECUR
        result, *changed = self._recorded(definition, signature, arguments, contents, attrs)
        self._objects.state.assign(tuple(changed))
        return result

    def record(self, library: StagingLibrary, arguments: BoundArguments) -> Any:
        """Trace the graphs and record the outermost call.

        Raises:
          StagingError: if types do not converge, or if the function changes an object in a way
            that its graphs cannot.
        """
        first = self._objects.while_found(library, partial(self._traced, arguments))
        _STACK.recursive[id(self._function)] = first.inputs
        _STACK.kept.append(self._function)
        reached = _reached(first)
        graphs = {f"f_{i}" if i else "f": each.graph for i, each in enumerate(reached)}
        attrs = {"callees": tuple(each.callee for each in reached), **graphs}
        contents = self._objects.state.passed()
        result, *changed = self._recorded(RECURSION, first, arguments, contents, attrs)
        return self._objects.state.finish(tuple(changed), result)

    def _traced(self, arguments: BoundArguments) -> _Signature:
        """Return the signature of the outermost call, after all graphs are traced."""
        inputs = self._objects.inputs(self._first, arguments.arguments.values())
        first = _Signature(self._function, self._target, arguments, inputs)
        self._signatures = [first]
        self._captures = []
        _STACK.clusters.append(self)
        try:
            self._settle()
        finally:
            _STACK.clusters.pop()
        return first

    def _settle(self) -> None:
        changed = self._signatures[0]
        for _ in range(_MOST_ROUNDS):
            self._changed = None
            for signature in self._signatures:  # which gets longer on the way
                self._trace(signature)
            if self._changed is None:
                self._require_results()
                return
            changed = self._changed
        taken = ", ".join(map(forms.describe, changed.inputs))
        raise StagingError(
            f"the types of what `{changed.name}` takes or returns change with each call of "
            f"itself: after {_MOST_ROUNDS} rounds it takes ({taken}).",
            public=TypeError,
            remedy=_REMEDY,
        )

    def _require_results(self) -> None:
        for signature in self._signatures:
            if signature.result is None:
                raise StagingError(
                    f"`{signature.name}` calls itself on every way through it.",
                    public=RecursionError,
                    remedy="Return without such a call in one branch.",
                )

    def _trace(self, signature: _Signature) -> None:
        graph = Graph(signature.name, self._outer)
        signature.calls = []
        self._tracing.append(signature)
        try:
            with restored(), recording(graph), staged_block(trace.block):
                for tensor in self._captures:
                    graph.capture(tensor)
                value, contents = self._returned(signature, graph)
                result = _result(signature, forms.form_of(value))
                generalized = self._objects.join(contents)
                outputs = [*layouts.tensors(result, value), *self._tensors(contents)]
                graph.outputs = list(map(graph.capture, outputs))
        except Unsettled:
            self._objects.require_all()
            return
        finally:
            self._tracing.pop()
        stateful = graph.effect is not Effect.NONE
        before = signature.result, signature.stateful, len(self._captures)
        if generalized or (result, stateful, len(graph.captures)) != before:
            self._changed = signature
        signature.result, signature.stateful = result, stateful
        self._captures = list(graph.captures)
        signature.graph = graph

    def _returned(self, signature: _Signature, graph: Graph) -> tuple[Any, tuple[Any, ...]]:
        """Return the result of the function for inputs of the graph, and what it changed."""
        given = _given(signature, graph)
        passed = BoundArguments(signature.arguments.signature, given)
        entries = map(
            partial(layouts.argument, graph), self._objects.state.names, self._objects.forms
        )
        self._objects.begin(tuple(entries))
        outer, self._reach = self._reach, self._objects.own(given)
        try:
            value = signature.target(*passed.args, **passed.kwargs)
            self._objects.finds(self._reach)
            contents = self._objects.end(value)
        finally:
            self._reach.restore()
            self._objects.state.restore()
            self._reach = outer
        return (value.copy() if isinstance(value, Carried) else value), contents

    def _tensors(self, contents: tuple[Any, ...]) -> list[Tensor]:
        return layouts.all_tensors(self._objects.forms, contents)

    def _recorded(
        self,
        definition: OpDef,
        signature: _Signature,
        arguments: BoundArguments,
        contents: tuple[Any, ...],
        attrs: dict[str, Any],
    ) -> tuple[Any, ...]:
        """Record a call; return its result and the contents of the changed places."""
        graph = STATE.graph
        assert graph is not None and signature.result is not None
        passed = layouts.all_tensors(signature.inputs, arguments.arguments.values())
        passed += self._tensors(contents)
        outputs = graph.record(definition, (*passed, *self._captures), attrs, label(signature.name))
        return layouts.results([signature.result, *self._objects.forms], outputs)


def _reached(first: _Signature) -> list[_Signature]:
    """Return the signatures reachable through calls, the first one first."""
    found = [first]
    for signature in found:  # which gets longer on the way
        found += [each for each in dict.fromkeys(signature.calls) if each not in found]
    return found


TAKERS.add(_Cluster._returned.__code__)


def _given(signature: _Signature, graph: Graph) -> dict[str, Any]:
    """Return the arguments with graph inputs for tensors."""
    parameters = zip(signature.arguments.arguments, signature.inputs, strict=True)
    return {name: layouts.argument(graph, name, form) for name, form in parameters}


def _result(signature: _Signature, form: Form) -> Form:
    """Return the form of the result, joined with that of the previous round."""
    if signature.result is None:
        return form
    try:
        return joins.join(ProgramName(f"the result of {signature.name}"), signature.result, form)
    except Mismatch as mismatch:
        raise StagingError(
            f"{mismatch.path} is {forms.describe(mismatch.left)} on one way through the function, "
            f"and {forms.describe(mismatch.right)} on another.",
            public=TypeError,
            remedy="A function that calls itself in a graph returns values of one type.",
        ) from None


def _endless(function: Callable[..., Any]) -> StagingError:
    name = getattr(function, "__name__", "function")
    reason = _STACK.refused.get(id(function))
    because = reason or "Python values among its arguments differ each time."
    remedy = "Pass tensors in place of what changes, or write the recursion as a loop."
    return StagingError(
        f"`{name}` calls itself in a staged statement, with no end in sight, and cannot be a graph "
        f"of its own.{user_line()}\n{because}",
        public=RecursionError,
        remedy=None if reason else remedy,
    )
