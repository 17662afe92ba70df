"""Tensors that a staged branch or body takes from outside: what represents them, and who changes.

PyTorch's operators trace functions of tensors. Every tensor that a function takes from outside
has to be an operand, and an operand cannot be changed. So a function runs once, in a trace of its
own, in which a copy represents each tensor from outside: that tells which of them are taken, and
which are changed. Its graph is what the operator traces: operands take the place of the tensors
from outside. Those that are changed are outputs too, and what changed is written back after the
statement: `x.copy_(output)`, which every other name of the tensor sees.

User code always sees the tensor from outside itself, so that `x is y` stays what it is.

Where a change cannot be written back it is refused. That is where PyTorch would change
another tensor depending on what runs: `x += 1` after `if c: x = 2 * x` changes the first `x`
where `c` is false.
"""

from __future__ import annotations

import builtins
import functools
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from torch._C import DisableTorchFunction
from torch._functorch._aot_autograd.utils import register_buffer_assignment_hook
from torch.fx import GraphModule, Interpreter
from torch.fx.experimental.proxy_tensor import (
    get_proxy_mode,
    make_fx,
    track_tensor_tree,
)
from torch.fx.experimental.symbolic_shapes import free_unbacked_symbols
from torch.nn.modules.module import _global_buffer_registration_hooks
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from autograph.adapters.possibly import Possibly, resolved
from autograph.adapters.refusals import refusal
from autograph.adapters.torch_arrays import FORMS, untraced
from autograph.adapters.torch_gradients import transformation_inside
from autograph.adapters.torch_watching import (
    OUT_OF_PLACE,
    Watching,
    is_loose,
    loosen,
    note_number,
)
from autograph.staging import trace

_tensor_class: Any = torch.Tensor
_GET_DATA = _tensor_class.data.__get__


class _Inside(threading.local):
    def __init__(self) -> None:
        self.interceptions: list[_Finding] = []
        self.lifted: _Interception | None = None
        self.staged = 0
        self.outermost: Watching | None = None
        self.has_grad = False
        self.grad_mode = True


_inside = _Inside()


def is_traced(value: object) -> bool:
    """Return whether the value is a tensor and a trace is running."""
    if isinstance(value, Possibly):
        return True
    if not isinstance(value, torch.Tensor):
        return False
    return get_proxy_mode() is not None


def in_function() -> bool:
    """Return whether a branch or a body is being traced."""
    return bool(_inside.interceptions)


def note_statement() -> None:
    """Count a statement or a check that is staged."""
    _inside.staged += 1


@contextmanager
def staged_statements() -> Iterator[Callable[[], int]]:
    """Return a context manager for a function that gives how many statements were staged in it."""
    before = _inside.staged
    yield lambda: _inside.staged - before


# ---- around all staged statements ----


class _Outermost(TorchFunctionMode):
    """Sees every use of a tensor around all staged statements."""

    def __init__(self, watching: Watching) -> None:
        super().__init__()
        self._watching = watching

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if in_function():
            return func(*args, **(kwargs or {}))
        if func is torch._C._set_grad_enabled:
            return _run(func, args, kwargs or {})
        for leaf in pytree.tree_leaves((args, kwargs)):
            self._watching.check_use(leaf)
        other = _out_of_place(func, args)
        func = other or _of_values(func)
        result = _run(func, args, kwargs or {})
        note_number(func, args, result)
        if other is not None:
            self._watching.retire(args[0])
        self._watching.check()
        return result


def _of_values(func: Any) -> Any:
    """What gives a value of Python in PyTorch gives a tensor that represents it."""
    return _STAGED.get(func, func)


def _item(tensor: Any) -> Any:
    note_statement()
    if tensor.numel() != 1:
        raise RuntimeError(f"a Tensor with {tensor.numel()} elements cannot be converted to Scalar")
    number = tensor.reshape(()).clone()
    loosen(number)
    return number


def _equal(a: Any, b: Any) -> Any:
    note_statement()
    if a.shape != b.shape:
        return False
    return _as_truth((a == b).all())


def _all_close(*args: Any, **options: Any) -> Any:
    note_statement()
    return _as_truth(torch.isclose(*args, **options).all())


def _as_truth(truth: Any) -> Any:
    loosen(truth)
    return truth


_STAGED: dict[Any, Callable[..., Any]] = {
    torch.Tensor.item: _item,
    torch.Tensor.equal: _equal,
    torch.equal: _equal,
    torch.Tensor.allclose: _all_close,
    torch.allclose: _all_close,
}
"""In place of the functions of PyTorch that need the values of a tensor."""


def _refuse_unknown_shape(func: object, result: object) -> None:
    """Raise StagingError for a tensor in a branch or loop whose shape depends on values."""
    if isinstance(result, torch.Tensor) and any(map(free_unbacked_symbols, result.shape)):
        name = getattr(func, "__name__", "an operation")
        what = "a boolean mask" if name == "__getitem__" else f"`{name}`"
        raise refusal(
            f"{what} in a staged statement makes a tensor whose shape depends on its values.",
            "Choose elements by torch.where, with a value that does not count for the others.",
        )


def _out_of_place(func: object, args: Sequence[Any]) -> Any:
    """What `x += y` does where `x` represents a Python number; None for all else."""
    if not args or not is_loose(args[0]):
        return None
    return OUT_OF_PLACE.get(getattr(func, "__name__", ""))


@contextmanager
def outermost() -> Iterator[None]:
    """Stands around a call of a converted program, while it is traced."""
    around = _inside.outermost, _inside.has_grad
    _inside.outermost, _inside.has_grad = Watching(), torch.is_grad_enabled()
    try:
        with (
            _Outermost(_inside.outermost),
            _in_grad_mode(torch.is_grad_enabled()),
            _builtins_of_python(),
        ):
            yield
    finally:
        _inside.outermost, _inside.has_grad = around


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


def _run(func: object, args: object, kwargs: object) -> Any:
    """Call a function of PyTorch; under `no_grad`, which graphs forget, detach its result.

    What is changed in place keeps the gradient that it had before.
    """
    with without_inference():
        return _run_as_no_grad(func, args, kwargs)


def _run_as_no_grad(func: Any, args: Any, kwargs: Any) -> Any:
    if func is torch._C._set_grad_enabled:
        _inside.grad_mode = args[0]
    if not drops_gradients() or get_proxy_mode() is None:
        return func(*args, **kwargs)
    name = getattr(func, "__name__", "")
    if name in _IN_PLACE or (name.endswith("_") and name[0] != "_" and name not in _OTHER_TENSOR):
        detached = pytree.tree_map_only(torch.Tensor, torch.Tensor.detach, (args, kwargs))
        result = func(*detached[0], **detached[1])
        return None if result is None else args[0]
    given = {id(leaf) for leaf in pytree.tree_leaves((args, kwargs))}

    def detached_leaf(leaf: Any) -> Any:
        return leaf if id(leaf) in given else leaf.detach()

    return pytree.tree_map_only(torch.Tensor, detached_leaf, func(*args, **kwargs))


_IN_PLACE = frozenset(
    {"__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__", "__ifloordiv__",
     "__imod__", "__ipow__", "__iand__", "__ior__", "__ixor__", "__ilshift__", "__irshift__"}
)  # fmt: skip


def _watching() -> Watching | None:
    return _inside.interceptions[-1].watching if in_function() else _inside.outermost


def watch(tensor: object, others: Sequence[Any] | None, what: str) -> None:
    """Refuse changes of a tensor where the trace is now; see `Watch`."""
    watching = _watching()
    if watching is not None:
        watching.watch(stand_in(tensor), others, what)


def retire(tensor: object) -> None:
    """Refuse uses of a tensor where the trace is now."""
    watching = _watching()
    if watching is not None:
        watching.retire(tensor)


def stand_in(tensor: object) -> Any:
    """What represents a tensor in the function that is being traced."""
    return _around().stand_in(tensor)


def _taken(tensor: Any) -> Any:
    """Return what represents a tensor that the function uses here."""
    tensor.size()  # The function sees this use.
    return stand_in(tensor)


def _around() -> _Interception:
    """Return what sees the tensors of the function that is being traced."""
    return [_inside.lifted or _NOWHERE, *_inside.interceptions][-1]


# ---- what represents tensors ----


def _storage(tensor: Any) -> int:
    """What tensors have in common that show the same elements."""
    with DisableTorchFunction():
        try:
            return int(tensor.untyped_storage()._cdata)
        except NotImplementedError:  # Sparse tensors have none.
            return id(tensor)


def copied(tensor: Any) -> Any:
    """Return a copy that may leave a function: contiguous, and without shared memory."""
    return tensor.clone(memory_format=torch.contiguous_format)


def apart(tensors: Iterable[Any]) -> list[Any]:
    """Return the tensors; copies where two share elements, as operators refuse."""
    places: set[int] = set()
    operands = []
    for tensor in tensors:
        place = _storage(tensor)
        operands.append(tensor.clone() if place in places else tensor)
        places.add(place)
    return operands


def _copied_as(layout: Any, tensor: Any) -> Any:
    """Return a copy of the layout of another tensor: it decides which operations give views."""
    if layout.layout is not torch.strided or layout.is_contiguous() or _overlaps(layout):
        return tensor.clone()
    strides = layout.size(), layout.stride()
    return torch.empty_strided(*strides, dtype=tensor.dtype, device=tensor.device).copy_(tensor)


def _overlaps(tensor: Any) -> bool:
    sizes = zip(tensor.shape, tensor.stride(), strict=True)
    return any(size > 1 and not stride for size, stride in sizes)


class _Interception(TorchFunctionMode):
    """Puts what represents a tensor in its place, in every use of it.

    Args:
      own: the arguments of the function.
      standing_in: what represents tensors from outside, by their identity.
    """

    def __init__(self, own: Sequence[Any], standing_in: Mapping[int, tuple[Any, Any]]) -> None:
        super().__init__()
        self.watching = Watching()
        self._own = {id(tensor): tensor for tensor in own}
        self._standing_in = dict(standing_in)
        self._outside = {
            id(stand_in): tensor
            for tensor, stand_in in standing_in.values()
            if id(stand_in) not in self._own
        }

    def stand_in(self, tensor: object) -> Any:
        """What represents a tensor, or the tensor."""
        known = self._standing_in.get(id(tensor))
        return tensor if known is None else known[1]

    def _taken(self, leaf: object) -> Any:
        """What represents a leaf where it is used."""
        return self.stand_in(leaf) if isinstance(leaf, torch.Tensor) else leaf

    def _given(self, leaf: object) -> Any:
        return self._outside.get(id(leaf), leaf)

    def __torch_function__(
        self, func: object, types: object, args: object = (), kwargs: object = None
    ) -> Any:
        with without_inference():
            return self._intercepted(func, args, kwargs or {})

    def _intercepted(self, func: Any, args: Any, kwargs: Any) -> Any:
        other = _out_of_place(func, args)
        retired = args[0] if other is not None else None
        func = other or func
        func = _of_values(func)
        if func is torch.Tensor.__getitem__ and positions(*args) is not None:
            func = self._selected
        if func == _GET_DATA:
            # A trace sees the latter only, which also tells of changes.
            func = torch.Tensor.detach
        taken, kwargs = pytree.tree_map(self._taken, (args, kwargs))
        result = _run(func, taken, kwargs)
        if in_function():
            _refuse_unknown_shape(func, result)
        if retired is not None:
            self.watching.retire(retired)
        if isinstance(result, torch.Tensor):
            note_number(func, args, result)
            return self._given(result)
        if any(id(leaf) in self._outside for leaf in pytree.tree_leaves(result)):
            return pytree.tree_map(self._given, result)
        return result

    def _selected(self, array: object, index: object) -> Any:
        note_statement()
        return selected(array, index)


@contextmanager
def lifted(inputs: Iterable[tuple[Any, Any]], own: Sequence[Any]) -> Iterator[Callable[[Any], Any]]:
    """Put the inputs of a graph in place of the tensors that a whole program takes from outside.

    Args:
      inputs: pairs of a tensor and the input that represents it.
      own: those inputs that the program is given as its arguments.

    Returns:
      A context manager for a function that gives what represents a tensor.
    """
    replacing = _Interception(own, {id(tensor): (tensor, each) for tensor, each in inputs})
    around, _inside.lifted = _inside.lifted, replacing
    try:
        with replacing:
            yield replacing.stand_in
    finally:
        _inside.lifted = around


_NOWHERE = _Interception((), {})


def _operand(tensor: object) -> str:
    """Return the name that a tensor from outside has in the graph of a function."""
    return f"outside_{id(tensor)}"


class _Finding(_Interception):
    """Remembers the tensors that a function takes from outside, and which of them it changes."""

    def __init__(self, own: Sequence[Any]) -> None:
        super().__init__(own, {})
        self._made: dict[int, weakref.ref[Any]] = {}
        self._looks: dict[int, tuple[Any, ...]] = {}
        self.found: dict[int, Any] = {}
        self.tracer: Any = None
        self.changed: dict[int, Any] = {}
        self.own_changed: dict[int, BaseException] = {}
        with DisableTorchFunction():
            self._versions = {key: tensor._version for key, tensor in self._own.items()}

    def _is_made_here(self, tensor: object) -> bool:
        made = self._made.get(id(tensor))
        return made is not None and made() is tensor

    def note_made(self, tensors: Iterable[Any]) -> None:
        """Remember tensors that the function makes."""
        for tensor in tensors:
            self._made[id(tensor)] = weakref.ref(tensor)

    def _taken(self, leaf: object) -> Any:
        """What represents a leaf; a copy of a tensor from outside."""
        if not isinstance(leaf, torch.Tensor):
            return leaf
        self.watching.check_use(leaf)
        if id(leaf) in self._own or self._is_made_here(leaf):
            return leaf
        if id(leaf) not in self._standing_in:
            with untraced():
                stand_in = _copied_as(leaf, leaf)
                proxy = self.tracer.create_proxy("placeholder", _operand(leaf), (), {})
                track_tensor_tree(stand_in, proxy, constant=None, tracer=self.tracer)
            self.found[id(leaf)] = leaf
            self._standing_in[id(leaf)] = leaf, stand_in
            self._outside[id(stand_in)] = leaf
            with DisableTorchFunction():
                self._looks[id(leaf)] = stand_in._version, _geometry(stand_in)
        return self.stand_in(leaf)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        with without_inference():
            if args and self._is_from_outside(args[0]):
                _refuse_other_tensor(func)
            if args and args[0] is trace.updated:
                # The item is assigned afterwards, which is what changes the tensor.
                self.watching.forget(args[0])
            result = self._intercepted(func, args, kwargs or {})
            leaves = filter(torch.is_tensor, pytree.tree_leaves(result))
            self.note_made(leaf for leaf in leaves if not self._is_known(leaf))
            self._look()
            return result

    def _is_known(self, tensor: object) -> bool:
        return id(tensor) in self.found or id(tensor) in self._own

    def _is_from_outside(self, value: object) -> bool:
        return isinstance(value, torch.Tensor) and not self._is_made_here(value)

    def _selected(self, array: object, index: object) -> Any:
        row = selected(array, index)
        self.watching.watch(row, None, ROW)
        return row

    def _look(self) -> None:
        """Record changes of tensors from outside. Raises StagingError for those refused."""
        with DisableTorchFunction():
            for key, (version, geometry) in self._looks.items():
                tensor, stand_in = self._standing_in[key]
                if key not in self.changed and stand_in._version != version:
                    self.changed[key] = tensor
                    if _geometry(stand_in) != geometry:
                        raise _other_tensor()
            for key, version in self._versions.items():
                if key not in self.own_changed and self._own[key]._version != version:
                    self.own_changed[key] = _changed_start()
        self.watching.check()
        refuse_shared(self.changed.values(), self.found.values())


def _changed_start() -> BaseException:
    return refusal(
        "a tensor that a staged loop starts with, and that is another one in later iterations, is "
        "changed by the first, and is changed in place.",
        "Make a new tensor and assign it to the variable, for instance by `x = x + y`.",
    )


def refuse_shared(changed: Iterable[Any], others: Iterable[Any], also_same: bool = False) -> None:
    """Raise StagingError if what is changed shares its elements with another tensor.

    Args:
      changed: tensors from outside of a staged statement.
      others: further ones that it uses.
      also_same: whether it matters, too, that one of these is changed itself.
    """
    places = {_storage(stand_in(tensor)): tensor for tensor in changed}
    if places and any(_is_shared(places, each, also_same) for each in others):
        raise refusal(
            "a staged statement changes a tensor from outside in place, and uses the same elements "
            "by another tensor or a copy.",
            "Use one name for the tensor in the statement, make views of it there, or make a new "
            "tensor, for instance by `x = x + y`.",
        )


def _is_shared(places: Mapping[int, Any], tensor: object, also_same: bool) -> bool:
    if not isinstance(tensor, torch.Tensor):
        return False
    place = _storage(stand_in(tensor))
    return place in places and (also_same or places[place] is not tensor)


ROW = "a row taken by a number that is known only when the program runs is a copy"

_OTHER_TENSOR = frozenset(
    {"__set__", "detach_", "requires_grad_", "resize_", "resize_as_", "set_", "share_memory_"}
)


def _geometry(tensor: Any) -> tuple[Any, ...]:
    return tuple(tensor.shape), tensor.dtype, tensor.device


def _refuse_other_tensor(func: object) -> None:
    if getattr(func, "__name__", "") in _OTHER_TENSOR:
        raise _other_tensor()


def _other_tensor() -> BaseException:
    return refusal(
        "a staged statement changes what a tensor made outside of it is, not only its elements.",
        "Make a new tensor and assign it to the variable.",
    )


def is_position(index: object) -> bool:
    """Return whether the index is an integer scalar."""
    if not isinstance(index, torch.Tensor) or index.dim():
        return False
    return not index.dtype.is_floating_point and index.dtype is not torch.bool


def position(array: Any, index: Any) -> Any:
    """Return a scalar index as a tensor of one index that counts from the beginning."""
    return _counted_from_start(index, array.shape[0]).reshape(1)


def _counted_from_start(index: Any, size: int) -> Any:
    return torch.where(index < 0, index + size, index)


def row_of(array: object, index: object) -> Any:
    """Return a copy of a row. Indexing would ask a scalar for its value, which is not known yet."""
    return torch.index_select(array, 0, position(array, index)).squeeze(0)


def positions(array: Any, index: object) -> tuple[Any, list[tuple[int, Any]]] | None:
    """Split an index with integer scalars into one without, and a dimension for each scalar.

    None: it has no integer scalars, or others besides numbers, slices, None and `...`.
    """
    entries = list(index) if isinstance(index, tuple) else [index]
    if not any(map(is_position, entries)):
        return None
    plain: list[Any] = []
    found = []
    dimension = 0
    for entry in entries:
        if entry is ...:
            taken = sum(each is not None and each is not ... for each in entries)
            plain += [slice(None)] * (array.dim() - taken)
            dimension += array.dim() - taken
        elif is_position(entry):
            found.append((dimension, entry))
            plain.append(slice(None))
            dimension += 1
        elif entry is None or isinstance(entry, slice):
            plain.append(entry)
            dimension += 1
        elif type(entry) is int:
            plain.append(entry)
        else:
            return None
    return tuple(plain), found


def selected(array: Any, index: object) -> Any:
    """Return a copy of the elements at an index with integer scalars; see `positions`."""
    parts = positions(array, index)
    assert parts is not None
    result = array[parts[0]]
    for dimension, entry in reversed(parts[1]):
        at = _counted_from_start(entry, result.shape[dimension])
        result = torch.index_select(result, dimension, at.reshape(1)).squeeze(dimension)
    return result


def assigned(array: Any, index: object, value: Any) -> bool:
    """Assign elements at an index with integer scalars; return whether it is such an index."""
    parts = positions(array, index)
    if parts is None:
        return False
    part = array[parts[0]]
    dimensions = [dimension for dimension, _ in parts[1]]
    rows = [_counted_from_start(entry, part.shape[dimension]) for dimension, entry in parts[1]]
    # The dimensions of scalars come first, as rows that `index_put_` assigns.
    part = part.movedim(dimensions, list(range(len(dimensions))))
    value = torch.as_tensor(value, dtype=array.dtype, device=array.device)
    part.index_put_(tuple(row.to(torch.int64) for row in rows), value)
    return True


# ---- functions as graphs ----


@contextmanager
def _intercepting(interception: _Finding) -> Iterator[None]:
    _inside.interceptions.append(interception)
    try:
        with interception, _unnoticed_assignments():
            yield
    finally:
        _inside.interceptions.pop()


@contextmanager
def _unnoticed_assignments() -> Iterator[None]:
    """Keeps what notes assignments of buffers in an exported program out of its functions.

    It knows the tensors of the program itself only. There the buffer is assigned once more.
    """
    removed = {
        key: hook
        for key, hook in _global_buffer_registration_hooks.items()
        if hook.__module__ == register_buffer_assignment_hook.__module__
    }
    for key in removed:
        del _global_buffer_registration_hooks[key]
    try:
        yield
    finally:
        _global_buffer_registration_hooks.update(removed)


class Found:
    """A function as a graph: what it takes from outside, what it changes there, and what it gives.

    Args:
      function: of tensors; runs once.
      own: samples of its arguments.
    """

    def __init__(self, function: Callable[..., tuple[Any, ...]], own: Sequence[Any]) -> None:
        finding = _Finding(own)
        self.values: tuple[Any, ...] = ()

        def run(*own: object) -> list[Any]:
            finding.tracer = getattr(get_proxy_mode(), "tracer", None)
            with _intercepting(finding):
                self.values = resolved(function(*own))
                leaves = [leaf for each in self.values for leaf in FORMS.leaves(_held(each))]
                given = list(map(_taken, filter(torch.is_tensor, leaves)))
            return [*given, *map(finding.stand_in, finding.changed.values())]

        mode = get_proxy_mode()
        with untraced():
            above = mode.pre_dispatch or bool(transformation_inside())
            self._graph = make_fx(run, pre_dispatch=above)(*own)
        self.outside = finding.found
        self.changed = finding.changed
        self.own_changed = finding.own_changed
        self.retired = finding.watching.retired
        self._stand_in = finding.stand_in
        refuse_shared(self.changed.values(), self.outside.values())

    def place(self, tensor: object) -> int:
        """Where the elements of a tensor were in the function."""
        return _storage(self._stand_in(tensor))

    def sources(self, place: int) -> list[Any]:
        """Return the tensors from outside whose elements were at a place."""
        return [each for each in self.outside.values() if self.place(each) == place]

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
        if target is torch._C._set_grad_enabled:
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


def note_made(tensors: Sequence[Any]) -> None:
    """Tell the functions around that these tensors were made in them."""
    for interception in _inside.interceptions:
        interception.note_made(tensors)


def write_back(changed: Iterable[Any], outputs: Iterable[Any]) -> None:
    """Return the tensors from outside the elements that they have after a statement."""
    for tensor, output in zip(changed, outputs, strict=True):
        tensor.copy_(output)
