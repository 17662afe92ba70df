"""Tensors that a staged branch or body takes from outside: what represents them, and who changes.

PyTorch's operators trace functions of tensors. Every tensor that a function takes from outside
has to be an operand, and an operand cannot be changed. So a function runs once, in a trace of its
own, in which a copy represents each tensor from outside: that tells which of them are taken, and
which are changed. Its graph is what the operator traces: operands take the place of the tensors
from outside. Those that are changed are outputs too, and what changed is written back after the
statement: `x.copy_(output)`, which every other name of the tensor sees.

User code always sees the tensor from outside itself, so that `x is y` stays what it is.

Where it depends on what runs whether two tensors show the same elements, they are entangled: when
one of them changes, the other must not be used any more. `x += 1` after `if c: x = 2 * x` changes
the first `x` where `c` is false.
"""

from __future__ import annotations

import builtins
import functools
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from torch._C import DisableTorchFunction  # Nothing public turns off modes of PyTorch itself.
from torch.fx import GraphModule, Interpreter
from torch.fx.experimental.proxy_tensor import get_proxy_mode, make_fx, track_tensor_tree
from torch.fx.experimental.symbolic_shapes import free_unbacked_symbols
from torch.nn.modules.module import _global_buffer_registration_hooks
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree
from torch.utils.weak import WeakTensorKeyDictionary

from autograph.adapters.possibly import Possibly, resolved
from autograph.adapters.refusals import refusal
from autograph.adapters.torch_arrays import FORMS, untraced
from autograph.adapters.torch_gradients import detached, transformation_inside
from autograph.adapters.torch_indices import ROW, selected
from autograph.adapters.torch_numbers import OUT_OF_PLACE, is_loose, loosen, note_number
from autograph.errors import StagingError
from autograph.operators.moved import Parted
from autograph.staging import trace

_tensor_class: Any = torch.Tensor
_GET_DATA = _tensor_class.data.__get__
_DETACHED = (torch.detach, torch.Tensor.detach)
_SET_GRAD_ENABLED = "_set_grad_enabled"
"""What `no_grad` and `enable_grad` call; PyTorch has no public name for it."""


class _Inside(threading.local):
    def __init__(self) -> None:
        self.scopes: list[Scope] = []
        self.staged = 0
        self.has_grad = False
        self.grad_mode = True


_inside = _Inside()


def is_traced(value: object) -> bool:
    """Return whether the value is a tensor and a trace is running."""
    if isinstance(value, Possibly):
        return True
    return isinstance(value, torch.Tensor) and get_proxy_mode() is not None


def in_function() -> bool:
    """Return whether a branch or a body is being traced."""
    return bool(_inside.scopes) and _inside.scopes[-1].tracer is not None


def note_statement() -> None:
    """Count a statement or a check that is staged."""
    _inside.staged += 1


@contextmanager
def staged_statements() -> Iterator[Callable[[], int]]:
    """Return a context manager for a function that gives how many statements were staged in it."""
    before = _inside.staged
    yield lambda: _inside.staged - before


# ---- around a program ----


@contextmanager
def program(inputs: Iterable[tuple[Any, Any]] = (), own: Sequence[Any] = ()) -> Iterator[Scope]:
    """Surround the trace of a converted program.

    Args:
      inputs: pairs of a tensor from outside and the input of the graph that represents it.
      own: the inputs that the program itself is given.
    """
    around = _inside.has_grad
    _inside.has_grad = torch.is_grad_enabled()
    try:
        with (
            _in_grad_mode(torch.is_grad_enabled()),
            _builtins_of_python(),
            Scope(own, inputs).entered() as scope,
        ):
            yield scope
    finally:
        _inside.has_grad = around


@contextmanager
def call() -> Iterator[Callable[[Any], Any] | None]:
    """Surround a call of a converted program; give what checks its result."""
    if _inside.scopes:
        yield None
        return
    with program() as scope:
        yield scope.leaving


@contextmanager
def _builtins_of_python() -> Iterator[None]:
    """Undo what `torch.export` does to `max` and `min`, which converted code has functions for.

    PyTorch's are others for NaN, and have another gradient where both arguments are equal.
    """
    replaced = {
        name: value
        for name in ("max", "min")
        if isinstance(value := getattr(builtins, name), functools.partial)
    }
    for name, value in replaced.items():
        setattr(builtins, name, value.keywords["real_callable"])
    try:
        yield
    finally:
        for name, value in replaced.items():
            setattr(builtins, name, value)


# ---- gradients that the program switches off ----


@contextmanager
def _in_grad_mode(enabled: bool) -> Iterator[None]:
    """Surrounds code of the program: PyTorch's operators trace it in a mode of their own."""
    around, _inside.grad_mode = _inside.grad_mode, enabled
    differs = enabled is not torch.is_grad_enabled()
    try:
        with torch.set_grad_enabled(enabled) if differs else nullcontext():
            yield
    finally:
        _inside.grad_mode = around


@contextmanager
def without_inference() -> Iterator[None]:
    """Surround operations of a trace: `inference_mode` of the program is `no_grad` for them.

    The tensors of `inference_mode` have no version, by which changes in place are seen, and a graph
    forgets the mode.
    """
    if torch.is_inference_mode_enabled():
        with torch.inference_mode(False), _in_grad_mode(False):
            yield
    else:
        yield


def drops_gradients() -> bool:
    """Return whether the program has switched gradients off where the trace is now."""
    return _inside.has_grad and not _inside.grad_mode


def _run(func: Any, args: Any, kwargs: Any) -> Any:
    """Call a function of PyTorch; under `no_grad`, which graphs forget, detach its result.

    What is changed in place keeps the gradient that it had before.
    """
    if not drops_gradients() or get_proxy_mode() is None:
        return func(*args, **kwargs)
    name = _name(func)
    if name in _IN_PLACE or (name.endswith("_") and name[0] != "_" and name not in _OTHER_TENSOR):
        without, options = pytree.tree_map_only(torch.Tensor, detached, (args, kwargs))
        result = func(*without, **options)
        return None if result is None else args[0]
    given = {id(leaf) for leaf in pytree.tree_leaves((args, kwargs))}

    def detached_leaf(leaf: Any) -> Any:
        return leaf if id(leaf) in given else detached(leaf)

    return pytree.tree_map_only(torch.Tensor, detached_leaf, func(*args, **kwargs))


def _name(func: object) -> str:
    return getattr(func, "__name__", "")


_IN_PLACE = frozenset(
    {"__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__", "__ifloordiv__",
     "__imod__", "__ipow__", "__iand__", "__ior__", "__ixor__", "__ilshift__", "__irshift__"}
)  # fmt: skip
_OTHER_TENSOR = frozenset(
    {"__set__", "detach_", "requires_grad_", "resize_", "resize_as_", "set_", "share_memory_"}
)

# ---- functions of PyTorch that need the values of a tensor ----


def _item(tensor: Any) -> Any:
    if tensor.numel() != 1:
        raise RuntimeError(f"a Tensor with {tensor.numel()} elements cannot be converted to Scalar")
    return detached(tensor.reshape(())).clone()


def _equal(a: Any, b: Any) -> Any:
    return (a == b).all() if a.shape == b.shape else False


def _all_close(*args: Any, **options: Any) -> Any:
    return torch.isclose(*args, **options).all()


_STAGED: dict[Any, Callable[..., Any]] = {
    torch.Tensor.item: _item,
    torch.Tensor.equal: _equal,
    torch.equal: _equal,
    torch.Tensor.allclose: _all_close,
    torch.allclose: _all_close,
}
"""What gives a value of Python in PyTorch gives a tensor that represents it."""

# ---- what represents tensors ----


def place(tensor: Any) -> int:
    """What tensors have in common that show the same elements."""
    with DisableTorchFunction():
        try:
            return id(tensor.untyped_storage())
        except NotImplementedError:  # Sparse tensors have none.
            return id(tensor)


def copied(tensor: Any) -> Any:
    """Return a copy that may leave a function: contiguous, and without shared memory."""
    return tensor.clone(memory_format=torch.contiguous_format)


def _copied_as(layout: Any, tensor: Any) -> Any:
    """Return a copy of the layout of another tensor: it decides which operations give views."""
    if layout.layout is not torch.strided or layout.is_contiguous() or _overlaps(layout):
        return tensor.clone()
    strides = layout.size(), layout.stride()
    return torch.empty_strided(*strides, dtype=tensor.dtype, device=tensor.device).copy_(tensor)


def _overlaps(tensor: Any) -> bool:
    sizes = zip(tensor.shape, tensor.stride(), strict=True)
    return any(size > 1 and not stride for size, stride in sizes)


class Scope(TorchFunctionMode):
    """A program, or a function of a staged statement, while it is traced: it sees what tensors do.

    Args:
      own: the arguments of the function.
      pairs: tensors from outside, each with what represents it.

    Attributes:
      tracer: of the function; None for a program.
      outside: the tensors from outside that were used, by their identity.
      changed: those of them that were changed.
      own_changed: the errors for arguments that were changed, by their identity.
      made: the tensors that were made here, each with the one that it is a view of, or None.
    """

    def __init__(self, own: Sequence[Any], pairs: Iterable[tuple[Any, Any]] = ()) -> None:
        super().__init__()
        self.tracer: Any = None
        self._transformation = transformation_inside()
        self._not_exported: StagingError | None = None
        self._parent = _inside.scopes[-1] if _inside.scopes else None
        self.outside: dict[int, Any] = {}
        self.changed: dict[int, Any] = {}
        self.own_changed: dict[int, StagingError] = {}
        self._own = {id(tensor): tensor for tensor in own}
        self._stand_ins: dict[int, Any] = {}
        self._represented: dict[int, Any] = {}
        self.made: Any = WeakTensorKeyDictionary()
        self._entangled: dict[int, list[tuple[Any, Any, str]]] = {}
        self._retired: dict[int, tuple[Any, StagingError]] = {}
        for tensor, stand_in in pairs:
            self._represent(tensor, stand_in)

    @contextmanager
    def entered(self) -> Iterator[Scope]:
        """Surround the code that it sees."""
        _inside.scopes.append(self)
        try:
            with self:
                yield self
        finally:
            _inside.scopes.pop()

    def _represent(self, tensor: Any, stand_in: Any) -> None:
        # Both live as long as this.
        self.outside[id(tensor)] = tensor
        self._stand_ins[id(tensor)] = stand_in
        if id(stand_in) not in self._own:
            self._represented[id(stand_in)] = tensor

    def stand_in(self, tensor: object) -> Any:
        """What represents a tensor, or the tensor."""
        return self._stand_ins.get(id(tensor), tensor)

    def take(self, tensor: Any) -> Any:
        """Return what represents a tensor that is used: a copy of one from outside."""
        if self._retired:
            _, error = self._retired.get(place(self.stand_in(tensor)), (None, None))
            if error is not None:
                raise error
        is_new = self.tracer is not None and id(tensor) not in self._stand_ins
        if is_new and self._is_from_outside(tensor):
            self._represent(tensor, self._copy(tensor))
        return self.stand_in(tensor)

    def _is_from_outside(self, tensor: Any) -> bool:
        return id(tensor) not in self._own and tensor not in self.made

    def _copy(self, tensor: Any) -> Any:
        """Return a copy that is an input of the graph."""
        outside = tensor if self._parent is None else self._parent.take(tensor)
        with untraced():
            copy = _copied_as(outside, outside)  # Other modes see this.
            with DisableTorchFunction():
                proxy = self.tracer.create_proxy("placeholder", _operand(tensor), (), {})
                track_tensor_tree(copy, proxy, constant=None, tracer=self.tracer)
        return copy

    # ---- what is seen ----

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if _inside.scopes[-1] is not self:
            return func(*args, **(kwargs or {}))
        with without_inference():
            return self._seen(func, args, kwargs or {})

    def _seen(self, func: Any, args: Any, kwargs: Any) -> Any:
        name = _name(func)
        self._note_transformation()
        if name == _SET_GRAD_ENABLED:
            _inside.grad_mode = args[0]
            return func(*args)
        if name in _OTHER_TENSOR and self.tracer is not None and self._is_from_outside(args[0]):
            raise _other_tensor()
        taken, kwargs = pytree.tree_map_only(torch.Tensor, self.take, (args, kwargs))
        if args and args[0] is trace.updated:
            # A row is assigned afterwards, which is what changes the tensor; other items are views.
            where = place(taken[0])
            held = self._entangled.pop(where, [])
            self._entangled[where] = [each for each in held if each[1] is not None]
        tensors = [leaf for leaf in pytree.tree_leaves((taken, kwargs)) if torch.is_tensor(leaf)]
        versions = list(map(_version, tensors))
        number = name in OUT_OF_PLACE and is_loose(args[0])
        if number:
            func = OUT_OF_PLACE[name]
        result = self._called(func, taken, kwargs)
        if number:
            self.retire(args[0], _two_names())
        for tensor, version in zip(tensors, versions, strict=True):
            if _version(tensor) != version:
                self._note_change(tensor)
        note_number(_name(func), args, result)
        known = set(map(id, tensors))
        shown = {place(tensor): tensor for tensor in tensors}
        for leaf in filter(torch.is_tensor, pytree.tree_leaves(result)):
            if id(leaf) not in known:
                note_made([leaf], shown.get(place(leaf)))
        return pytree.tree_map_only(torch.Tensor, self._given, result)

    def _note_transformation(self) -> None:
        transformation, mode = transformation_inside(), get_proxy_mode()
        if transformation == self._transformation:
            return
        if self.tracer is not None:
            raise refusal(
                "a staged statement calls a transformation of `torch.func`, the operations of "
                "which PyTorch does not trace there.",
                "Call it outside of the statement, or write the operations out.",
                RuntimeError,
            )
        if mode is not None and mode.pre_dispatch and transformation != "Vmap":
            self._not_exported = self._not_exported or refusal(
                "an exported program calls a transformation of `torch.func`, the operations of "
                "which PyTorch does not export.",
                "Compile the program by torch.compile, or write the derivative out.",
                RuntimeError,
            )

    def _called(self, func: Any, args: Any, kwargs: Any) -> Any:
        if func in _STAGED:
            note_statement()
            result = _run(_STAGED[func], args, kwargs)
            if result is not False:
                loosen(result)
            return result
        if func is torch.Tensor.__getitem__:
            row = _run(selected, args, kwargs)
            if row is not None:
                note_statement()
                self.entangle(row, None, ROW)
                return row
        if func in _DETACHED or func == _GET_DATA:  # `data` hides changes from a trace.
            func = detached
        result = _run(func, args, kwargs)
        if self.tracer is not None:
            _refuse_unknown_shape(_name(func), result)
        return result

    def _given(self, tensor: Any) -> Any:
        """Return what the program gets for a tensor, which may represent another one."""
        return self._represented.get(id(tensor), tensor)

    # ---- changes ----

    def _note_change(self, tensor: Any) -> None:
        where = place(tensor)
        for key, outside in self.outside.items():
            if place(self._stand_ins[key]) == where:
                self.changed[key] = outside
                if self._stand_ins[key].shape != outside.shape:
                    raise _other_tensor()
        for key, own in self._own.items():
            if place(own) == where:
                self.own_changed.setdefault(key, _changed_start())
        for _, other, what in self._entangled.pop(where, ()):
            error = _changed(what)
            if other is None or self._is_seen_outside(other):
                raise error
            self.retire(other, error)

    def _is_seen_outside(self, tensor: Any) -> bool:
        """Return whether the tensor, or what it is a view of, was not made here."""
        while tensor in self.made:
            tensor = self.made[tensor]
            if tensor is None:
                return False
        return True

    def entangle(self, tensor: Any, other: Any, what: str) -> None:
        """Refuse uses of one of two tensors after a change of the other one.

        Args:
          tensor: one of them.
          other: the other one; None: any change is refused.
          what: the beginning of the sentence that refuses it.
        """
        partners = [] if other is None else [each for each, _ in self.partners(other)]
        for each in (other, *(each for each in partners if each is not tensor)):
            for one, another in ((tensor, each), (each, tensor)):
                if one is not None:
                    where = place(self.stand_in(one))
                    self._entangled.setdefault(where, []).append((one, another, what))

    def partners(self, tensor: Any) -> list[tuple[Any, str]]:
        """Return what a tensor is entangled with."""
        found = self._entangled.get(place(self.stand_in(tensor)), ())
        return [(other, what) for _, other, what in found]

    def retire(self, tensor: Any, error: StagingError) -> None:
        """Refuse uses of a tensor from now on."""
        self._retired.setdefault(place(self.stand_in(tensor)), (tensor, error))

    def retired(self) -> list[tuple[Any, StagingError]]:
        """What must not be used any more."""
        return [(self._given(tensor), error) for tensor, error in self._retired.values()]

    def leaving(self, result: Any) -> Any:
        """Return what a program returns. Raises StagingError for what must not be used."""
        if self._not_exported is not None:
            raise self._not_exported
        for leaf in pytree.tree_leaves(result, is_leaf=_is_not_looked_into):
            if isinstance(leaf, torch.Tensor) and not is_loose(leaf):
                self.take(leaf)
        return result


def _is_not_looked_into(value: object) -> bool:
    return isinstance(value, (Possibly, Parted))


def _version(tensor: Any) -> int:
    """Return how often the elements were changed, which there is no public way to ask for."""
    return 0 if tensor.is_inference() else int(tensor._version)


def _top() -> Scope:
    return _inside.scopes[-1] if _inside.scopes else Scope(())


def _taken(tensor: Any) -> Any:
    """Return what represents a tensor that the function uses here."""
    tensor.size()  # The scope sees this use.
    return _top().stand_in(tensor)


def entangle(tensor: object, other: object, what: str) -> None:
    """Refuse uses of one of two tensors after a change of the other one; see `Scope.entangle`."""
    _top().entangle(tensor, other, what)


def retire(tensor: object, error: StagingError) -> None:
    """Refuse uses of a tensor where the trace is now."""
    _top().retire(tensor, error)


def apart(tensors: Iterable[Any]) -> list[Any]:
    """Return the tensors; copies where two share elements, as operators refuse."""
    places: set[int] = set()
    operands = []
    for tensor in tensors:
        where = place(tensor)
        operands.append(tensor.clone() if where in places else tensor)
        places.add(where)
    return operands


# ---- refusals ----


def refuse_shared(changed: Iterable[Any], others: Sequence[Any], also_same: bool = False) -> None:
    """Raise StagingError if what is changed shares its elements with another tensor.

    Args:
      changed: tensors from outside of a staged statement.
      others: further ones that it uses.
      also_same: whether it matters, too, that one of these is changed itself.
    """
    scope = _top()
    places = [
        (each, place(scope.stand_in(each))) for each in others if isinstance(each, torch.Tensor)
    ]
    for tensor in changed:
        where = place(scope.stand_in(tensor))
        if any(other == where and (also_same or each is not tensor) for each, other in places):
            raise refusal(
                "a staged statement changes a tensor from outside in place, and uses the same "
                "elements by another tensor or a copy.",
                "Use one name for the tensor in the statement, make views of it there, or make a "
                "new tensor, for instance by `x = x + y`.",
            )
        for partner, what in scope.partners(tensor):
            if partner is not None and place(scope.stand_in(partner)) in dict(places).values():
                raise _changed(what)


def _refuse_unknown_shape(name: str, result: object) -> None:
    """Raise StagingError for a tensor in a branch or loop whose shape depends on values."""
    if isinstance(result, torch.Tensor) and any(map(free_unbacked_symbols, result.shape)):
        what = "a boolean mask" if name == "__getitem__" else f"`{name}`"
        raise refusal(
            f"{what} in a staged statement makes a tensor whose shape depends on its values.",
            "Choose elements by torch.where, with a value that does not count for the others.",
        )


def _changed(what: str) -> StagingError:
    return refusal(
        f"{what}, and is changed in place.",
        "Make a new tensor and assign it to the variable, for instance by `x = x + y`.",
    )


def _changed_start() -> StagingError:
    return _changed("a tensor that a staged loop starts with is another one in later iterations")


def _two_names() -> StagingError:
    return refusal(
        "a tensor has two names, and is changed by one of them (as by `x += y`), where a Python "
        "number would not be; it starts as a Python number.",
        "Write `x = x + y`, or start with a tensor.",
    )


def _other_tensor() -> StagingError:
    return refusal(
        "a staged statement changes what a tensor made outside of it is, not only its elements.",
        "Make a new tensor and assign it to the variable.",
    )


# ---- functions as graphs ----


class Found:
    """A function as a graph: what it takes from outside, what it changes there, and what it gives.

    Args:
      function: of tensors; runs once.
      own: samples of its arguments.
    """

    def __init__(self, function: Callable[..., tuple[Any, ...]], own: Sequence[Any]) -> None:
        scope = Scope(own)
        self.values: tuple[Any, ...] = ()

        def run(*own: object) -> list[Any]:
            scope.tracer = getattr(get_proxy_mode(), "tracer", None)
            with scope.entered(), _unnoticed_assignments():
                self.values = resolved(function(*own))
                leaves = [leaf for each in self.values for leaf in FORMS.leaves(_held(each))]
                given = list(map(_taken, filter(torch.is_tensor, leaves)))
            return [*given, *map(scope.stand_in, scope.changed.values())]

        mode = get_proxy_mode()
        with untraced():
            above = mode.pre_dispatch or bool(transformation_inside())
            self._graph = make_fx(run, pre_dispatch=above)(*own)
        self.outside = scope.outside
        self.changed = scope.changed
        self.own_changed = scope.own_changed
        self.retired = scope.retired()
        self._stand_in = scope.stand_in
        self._partners = scope.partners
        refuse_shared(self.changed.values(), list(self.outside.values()))

    def place(self, tensor: object) -> int:
        """Where the elements of a tensor were in the function."""
        return place(self._stand_in(tensor))

    def sources(self, originals: Sequence[Any], arrays: Sequence[Any]) -> list[list[Any]]:
        """For each original the tensors from outside, and other arrays, that show its elements.

        Args:
          originals: what the function gives.
          arrays: the outputs of the statement, in that order.
        """
        places = [self._places(each) if torch.is_tensor(each) else set() for each in originals]
        known = [({self.place(each)}, each) for each in self.outside.values()]
        known += zip(places, arrays, strict=False)
        return [
            [each for others, each in known if others & own and each is not array]
            for own, array in zip(places, arrays, strict=False)
        ]

    def _places(self, tensor: Any) -> set[int]:
        """Where the elements of a tensor may have been in the function."""
        others = (other for other, _ in self._partners(tensor) if other is not None)
        return set(map(self.place, (tensor, *others)))

    def run(
        self, own: Sequence[Any], operands: Mapping[int, Any]
    ) -> tuple[tuple[Any, ...], dict[int, Any]]:
        """Run the graph of the function; return its values, and what has changed outside.

        Args:
          own: its arguments.
          operands: what represents the tensors from outside, by their identity.
        """
        given = {
            _operand(tensor): _copied_as(self._stand_in(tensor), operands[key])
            if key in self.changed
            else operands[key]
            for key, tensor in self.outside.items()
        }
        # Under `no_grad` the graph detaches what the function has computed.
        with torch.set_grad_enabled(_inside.grad_mode or _inside.has_grad):
            outputs = iter(_Run(self._graph, given).run(*own, enable_io_processing=False))
        values = tuple(_with_tensors(value, outputs) for value in self.values)
        return values, dict(zip(self.changed, outputs, strict=True))


@contextmanager
def _unnoticed_assignments() -> Iterator[None]:
    """Keep what notes assignments of buffers in an exported program out of its functions.

    It knows the tensors of the program itself only, where the buffer is assigned once more.
    PyTorch has no public way to remove it.
    """
    hooks = dict(_global_buffer_registration_hooks)
    for key, hook in hooks.items():
        if hook.__module__.startswith("torch."):
            del _global_buffer_registration_hooks[key]
    try:
        yield
    finally:
        _global_buffer_registration_hooks.update(hooks)


def _operand(tensor: object) -> str:
    """Return the name that a tensor from outside has in the graph of a function."""
    return f"outside_{id(tensor)}"


class _Run(Interpreter):
    """Runs the graph of a function on its arguments and on operands, given by name."""

    def __init__(self, graph: GraphModule, operands: Mapping[str, Any]) -> None:
        super().__init__(graph)
        self._operands = operands

    def placeholder(self, target: Any, args: Any, kwargs: Any) -> Any:
        """Return an operand or an argument."""
        if target in self._operands:
            return self._operands[target]
        return super().placeholder(target, args, kwargs)

    def call_function(self, target: Any, args: Any, kwargs: Any) -> Any:
        """Call an operation. Gradients are switched off by detaching, and stay on here."""
        if _name(target) == _SET_GRAD_ENABLED:
            return None
        return super().call_function(target, args, kwargs)


def _with_tensors(value: Any, tensors: Iterator[Any]) -> Any:
    """Return a value with other tensors."""
    if isinstance(value, Possibly):
        return type(value)(_with_tensors(value.held, tensors), value.name, value.guards)
    return FORMS.map(lambda leaf: next(tensors) if torch.is_tensor(leaf) else leaf, value)


def _held(value: object) -> Any:
    return value.held if isinstance(value, Possibly) else value


@contextmanager
def emitting(*tensors: Sequence[Any]) -> Iterator[list[list[Any]]]:
    """Surround an operator that becomes part of the trace; return what represents tensors for it.

    What it computes is noted by `note_made`.
    """
    given = [list(map(_taken, part)) for part in tensors]
    with DisableTorchFunction():
        yield given


def note_made(tensors: Iterable[Any], viewed: Any = None) -> None:
    """Tell all functions around that these tensors were made in them, as views of another one."""
    for tensor in tensors:
        for scope in _inside.scopes:
            scope.made[tensor] = viewed


def write_back(changed: Iterable[Any], outputs: Iterable[Any]) -> None:
    """Return the tensors from outside the elements that they have after a statement."""
    for tensor, output in zip(changed, outputs, strict=True):
        tensor.copy_(output)
