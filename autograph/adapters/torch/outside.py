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
from contextlib import contextmanager
from typing import Any

import torch
from torch import DisableTorchFunction
from torch.fx.experimental.proxy_tensor import get_proxy_mode, track_tensor_tree
from torch.overrides import TorchFunctionMode
from torch.utils.weak import WeakTensorKeyDictionary

from autograph.adapters.possibly import Held
from autograph.adapters.refusals import refusal
from autograph.adapters.torch.arrays import (
    copied_as,
    map_tensors,
    place,
    tensors_in,
    untraced,
    version_of,
)
from autograph.adapters.torch.gradients import detached, transformation_inside
from autograph.adapters.torch.histories import as_assigned
from autograph.adapters.torch.indices import ROW, narrowed, selected, with_sizes
from autograph.adapters.torch.modules import copying_buffers
from autograph.adapters.torch.no_grad import (
    OTHER_TENSOR,
    SET_GRAD_ENABLED,
    around_program,
    in_own_function,
    is_in_place,
    name_of,
    run,
    switch,
    without_inference,
)
from autograph.adapters.torch.numbers import (
    MAKING,
    OUT_OF_PLACE,
    given_way,
    is_loose,
    loosen,
    note_number,
)
from autograph.adapters.torch.objects import refused_changes
from autograph.adapters.torch.refusals import (
    ASSIGNS_GRAD,
    changed_in_place,
    changed_in_vmap,
    changed_start,
    is_unknown_size,
    left_out,
    other_tensor,
    own_backward,
    refuse_histories,
    refuse_unknown_shape,
    refuse_unknown_slice,
    transformed,
    transformed_inside,
    two_names,
)
from autograph.adapters.torch.values import STAGED, UNCHECKED, of_items
from autograph.errors import StagingError
from autograph.staging import library_of_class, trace

_tensor_class: Any = torch.Tensor
_GET_DATA = _tensor_class.data.__get__
_DETACHED = (torch.detach, torch.Tensor.detach)
_OF_DTYPES = (torch.promote_types, torch.result_type, torch.can_cast)
_ITEMS = (torch.Tensor.__getitem__, torch.Tensor.__setitem__)


class _Inside(threading.local):
    def __init__(self) -> None:
        self.scopes: list[Scope] = []
        self.staged = 0


_inside = _Inside()


def is_traced(value: object) -> bool:
    """Return whether the value is a tensor, or decided by one, and a trace is running."""
    if isinstance(value, Held) or is_unknown_size(value):
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
    with (
        around_program(),
        _builtins_of_python(),
        copying_buffers(),
        Scope(own, inputs).entered() as scope,
    ):
        yield scope


@contextmanager
def call(
    written: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Iterator[Callable[[Any], Any] | None]:
    """Surround a call of a converted program; give what checks its result.

    Args:
      written: the function as the user wrote it.
      args, kwargs: the arguments of the call.
    """
    if _inside.scopes:
        yield None
        return
    with refused_changes(written, args, kwargs), program() as scope:
        try:
            yield scope.leaving
        except AttributeError:  # PyTorch's own, for a gradient inside of `vmap`.
            if scope.not_exported is None:
                raise
            raise scope.not_exported from None


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


# ---- what is seen of a trace ----


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
      left_out: the error for what the graph leaves out, or None.
      without_backward: the error for gradients that the graph leaves out, or None.
    """

    def __init__(self, own: Sequence[Any], pairs: Iterable[tuple[Any, Any]] = ()) -> None:
        super().__init__()
        self.tracer: Any = None
        self._transformation = transformation_inside()
        self.not_exported: StagingError | None = None
        self.left_out: StagingError | None = None
        self.without_backward: StagingError | None = None
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

    def _represent(self, tensor: torch.Tensor, stand_in: object) -> None:
        # Both live as long as this.
        self.outside[id(tensor)] = tensor
        self._stand_ins[id(tensor)] = stand_in
        if id(stand_in) not in self._own:
            self._represented[id(stand_in)] = tensor

    def stand_in(self, tensor: object) -> Any:
        """What represents a tensor, or the tensor."""
        return self._stand_ins.get(id(tensor), tensor)

    def take(self, tensor: torch.Tensor) -> Any:
        """Return what represents a tensor that is used: a copy of one from outside."""
        if self._retired:
            _, error = self._retired.get(self._place(tensor), (None, None))
            if error is not None:
                raise error
        is_new = self.tracer is not None and id(tensor) not in self._stand_ins
        if is_new and self._is_from_outside(tensor):
            self._represent(tensor, self._copy(tensor))
        return self.stand_in(tensor)

    def _is_from_outside(self, tensor: torch.Tensor) -> bool:
        return id(tensor) not in self._own and tensor not in self.made

    def _copy(self, tensor: torch.Tensor) -> Any:
        """Return a copy that is an input of the graph."""
        outside = tensor if self._parent is None else self._parent.take(tensor)
        with untraced():
            copy = copied_as(outside, outside)  # Other modes see this.
            with DisableTorchFunction():
                proxy = self.tracer.create_proxy("placeholder", operand_name(tensor), (), {})
                track_tensor_tree(copy, proxy, constant=None, tracer=self.tracer)
        return copy

    # ---- what is seen ----

    def __torch_function__(
        self, func: Any, types: object, args: Any = (), kwargs: Any = None
    ) -> Any:
        if _inside.scopes[-1] is not self:
            return func(*args, **(kwargs or {}))
        with without_inference():
            return self._seen(func, args, kwargs or {})

    def _seen(self, func: Any, args: Any, kwargs: Any) -> Any:
        name = name_of(func)
        if get_proxy_mode() is not None and in_own_function():
            _inside.scopes[0].without_backward = own_backward()
        self._note_transformation()
        if self._note_left_out(func, args, kwargs) and func in ASSIGNS_GRAD:
            return None  # It would keep tensors of a trace that is given up.
        if name == SET_GRAD_ENABLED:
            switch(args[0])
            with DisableTorchFunction():  # No part of the graph: results are detached instead.
                return func(*args)
        if name in OTHER_TENSOR and self.tracer is not None and self._is_from_outside(args[0]):
            raise other_tensor()
        dtypes = given_way(name, args, kwargs, tensors_in((args, kwargs)))

        def take(tensor: torch.Tensor) -> Any:
            taken = self.take(tensor)
            if id(tensor) not in dtypes:
                return taken
            return taken.to(dtypes[id(tensor)], copy=name in MAKING)

        taken, kwargs = map_tensors(take, (args, kwargs))
        if args and args[0] is trace.updated:
            # A row is assigned afterwards, which is what changes the tensor; other items are views.
            where = place(taken[0])
            held = self._entangled.pop(where, [])
            self._entangled[where] = [each for each in held if each[1] is not None]
        tensors = tensors_in((taken, kwargs))
        if func is torch.autograd.grad and self.tracer is not None:
            refuse_histories(tensors_in(taken[:1] or kwargs["outputs"]), self._represented)
        versions = list(map(version_of, tensors))
        number = name in OUT_OF_PLACE and is_loose(args[0])
        if number:
            func = OUT_OF_PLACE[name]
        with self._left_out_if_it_fails():
            result = self._called(func, taken, kwargs)
        if number:
            self.retire(args[0], two_names())
        for tensor, version in zip(tensors, versions, strict=True):
            if version_of(tensor) != version:
                self._note_change(tensor)
        if transformation_inside() == "Vmap" and is_in_place(name_of(func)):
            # The tensors of `vmap` have no version.
            if self.tracer is not None:
                raise changed_in_vmap()
            self._note_change(taken[0])
        note_number(name_of(func), args, result)
        known = set(map(id, tensors))
        shown = {place(tensor): tensor for tensor in tensors}
        for tensor in tensors_in(result):
            if id(tensor) not in known:
                note_made([tensor], shown.get(place(tensor)))
        return map_tensors(self._given, result)

    @contextmanager
    def _left_out_if_it_fails(self) -> Iterator[None]:
        """Leave a call that raises an error out of the graph: the error is staged in its place."""
        nodes = () if self.tracer is None else self.tracer.graph.nodes
        count = len(nodes)
        try:
            yield
        except Exception:
            for node in reversed([*nodes][count:]):
                if not node.users:
                    self.tracer.graph.erase_node(node)
            raise

    def _note_transformation(self) -> None:
        transformation, mode = transformation_inside(), get_proxy_mode()
        if transformation == self._transformation:
            return
        if self.tracer is not None:
            raise transformed_inside(transformation)
        if mode is not None and mode.pre_dispatch and transformation != "Vmap":
            self.not_exported = self.not_exported or transformed()

    def _note_left_out(self, func: Any, args: Any, kwargs: Any) -> bool:
        error = None if get_proxy_mode() is None else left_out(func, args, kwargs, self.made)
        if error is not None and self.tracer is not None:
            raise _inside.scopes[0].left_out or error
        self.left_out = self.left_out or error
        return error is not None

    def _called(self, func: Any, args: Any, kwargs: Any) -> Any:
        if func in _OF_DTYPES:
            with untraced():  # A graph would hold the dtype as a number.
                return func(*args, **kwargs)
        if func in STAGED:
            note_statement()
            result = run(STAGED[func], args, kwargs)
            if result is not False:
                loosen(result)
            return result
        if func in UNCHECKED and self.tracer is not None:
            return self._solved(func, args, kwargs)
        if func is torch.Tensor.__getitem__:
            row = run(selected, args, kwargs)
            if row is not None:
                note_statement()
                self.entangle(row, None, ROW)
                return row
        made = of_items(func, args, kwargs)
        if made is not NotImplemented:
            return made
        if func in _DETACHED or func == _GET_DATA:  # `data` hides changes from a trace.
            func = detached
        if func in _ITEMS and get_proxy_mode() is not None:
            assigns = func is _ITEMS[1] and not torch.compiler.is_exporting()
            if self.tracer is not None or assigns:
                refuse_unknown_slice(args[1], assigns and self.tracer is None)
            if func is _ITEMS[0] and self.tracer is None and not torch.compiler.is_exporting():
                args = narrowed(*args)
            args = (args[0], with_sizes(args[1]), *args[2:])
        result = run(func, args, kwargs)
        if self.tracer is not None:
            refuse_unknown_shape(name_of(func), result)
        return result

    def _solved(self, func: Any, args: Any, kwargs: Any) -> Any:
        """Call a function of `torch.linalg` in a branch or loop, with a check of the program's."""
        result, failed = run(UNCHECKED[func], args, kwargs)
        note_made([failed])
        with self:  # It sees what decides that the check is reached.
            text = f"{name_of(func)}: the matrix is singular, or not positive-definite"
            staging: Any = library_of_class(torch.Tensor)
            staging.raise_when((failed != 0).any(), torch.linalg.LinAlgError(text))
        return result

    def _given(self, tensor: torch.Tensor) -> Any:
        """Return what the program gets for a tensor, which may represent another one."""
        return self._represented.get(id(tensor), tensor)

    # ---- changes ----

    def _note_change(self, tensor: torch.Tensor) -> None:
        where = place(tensor)
        for key, outside in self.outside.items():
            if place(self._stand_ins[key]) == where:
                self.changed[key] = outside
                if self._stand_ins[key].shape != outside.shape:
                    raise other_tensor()
        for key, own in self._own.items():
            if place(own) == where:
                self.own_changed.setdefault(key, changed_start())
        for _, other, what in self._entangled.pop(where, ()):
            error = changed_in_place(what)
            if other is None or self._is_seen_outside(other):
                raise error
            self.retire(other, error)

    def _is_seen_outside(self, tensor: torch.Tensor) -> bool:
        """Return whether the tensor, or what it is a view of, was not made here."""
        while tensor in self.made:
            tensor = self.made[tensor]
            if tensor is None:
                return False
        return True

    def entangle(self, tensor: torch.Tensor, other: torch.Tensor | None, what: str) -> None:
        """Refuse uses of one of two tensors after a change of the other one.

        Args:
          tensor: one of them.
          other: the other one; None: any change is refused.
          what: the beginning of the sentence that refuses it.
        """
        where = self._place(tensor)
        partners = [] if other is None else [each for each, _ in self.partners(other)]
        # What shows the same elements sees each change.
        further = [each for each in partners if each is not None and self._place(each) != where]
        for each in (other, *further):
            self._entangled.setdefault(where, []).append((tensor, each, what))
            if each is not None:
                self._entangled.setdefault(self._place(each), []).append((each, tensor, what))

    def _place(self, tensor: Any) -> int:
        return place(self.stand_in(tensor))

    def partners(self, tensor: torch.Tensor) -> list[tuple[Any, str]]:
        """Return what a tensor is entangled with."""
        found = self._entangled.get(self._place(tensor), ())
        return [(other, what) for _, other, what in found]

    def retire(self, tensor: torch.Tensor, error: StagingError) -> None:
        """Refuse uses of a tensor from now on."""
        self._retired.setdefault(self._place(tensor), (tensor, error))

    def retired(self) -> list[tuple[Any, StagingError]]:
        """What must not be used any more."""
        return [(self._given(tensor), error) for tensor, error in self._retired.values()]

    def leaving(self, result: object) -> Any:
        """Return what a program returns. Raises StagingError for what must not be used."""
        for error in (self.not_exported, self.left_out, self.without_backward):
            if error is not None:
                raise error
        for tensor in tensors_in(result):
            if not is_loose(tensor):
                self.take(tensor)
        return result


def _top() -> Scope:
    return _inside.scopes[-1] if _inside.scopes else Scope(())


def operand_name(tensor: object) -> str:
    """Return the name that a tensor from outside has in the graph of a function."""
    return f"outside_{id(tensor)}"


def taken(tensor: Any) -> Any:
    """Return what represents a tensor that the function uses here."""
    tensor.size()  # The scope sees this use.
    return _top().stand_in(tensor)


def entangle(tensor: torch.Tensor, other: torch.Tensor | None, what: str) -> None:
    """Refuse uses of one of two tensors after a change of the other one; see `Scope.entangle`."""
    _top().entangle(tensor, other, what)


def retire(tensor: torch.Tensor, error: StagingError) -> None:
    """Refuse uses of a tensor where the trace is now."""
    _top().retire(tensor, error)


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
                raise changed_in_place(what)


@contextmanager
def emitting(*tensors: Sequence[Any]) -> Iterator[list[list[Any]]]:
    """Surround an operator that becomes part of the trace; return what represents tensors for it.

    What it computes is noted by `note_made`.
    """
    given = [list(map(taken, part)) for part in tensors]
    with DisableTorchFunction():
        yield given


def note_made(tensors: Iterable[Any], viewed: object = None) -> None:
    """Tell all functions around that these tensors were made in them, as views of another one."""
    for tensor in tensors:
        for scope in _inside.scopes:
            scope.made[tensor] = viewed


def write_back(changed: Iterable[Any], outputs: Iterable[Any]) -> None:
    """Give tensors from outside the elements that they have after a statement.

    A tensor from outside of the program without a gradient gets none if the statement gives none.
    """
    scope = _top()
    for tensor, output in zip(changed, outputs, strict=True):
        start = scope.stand_in(tensor)
        if scope.tracer is None and not start.requires_grad and start not in scope.made:
            output = as_assigned(output, [start])
        tensor.copy_(output)
