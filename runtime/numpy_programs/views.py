"""Views of traced arrays: a view reads from its base and writes into it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Protocol

from autograph.operators.aliases import before_change
from runtime.control_flow.values.carried import Carried
from runtime.control_flow.values.forms import Form, Formed, FormOf
from runtime.core.graph import Graph
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.numpy_programs.attempts import note_view
from runtime.numpy_programs.values import VIEW, Array, item_number


class Step(Protocol):
    """The way from the elements of an array to those of a view."""

    def read(self, tensor: Tensor) -> Tensor:
        """Return the elements of the view."""

    def write(self, tensor: Tensor, value: Tensor) -> Tensor:
        """Return the elements of the array after the view got others."""

    def of_caller(self, array: TensorLike) -> Any:
        """Return the view of an array of NumPy's; None if only the running graph knows which."""


class _Once:
    """Read the elements of a view once in each graph that is traced."""

    def __init__(self, step: Step) -> None:
        self._step = step
        self._graph: Graph | None = None
        self._base: Tensor | None = None
        self._elements: Tensor

    def __call__(self, base: Tensor) -> Tensor:
        """Return the elements of the view from those of the array."""
        if self._base is not base or self._graph is not STATE.graph:
            self._elements = self._step.read(base)
            self._base, self._graph = base, STATE.graph
        return self._elements


class View(Array, Formed):
    """A part of an array, or its elements in another shape.

    Where a staged statement decides whether a variable refers to it, the variable gets a copy: it
    can be read until an array changes that may be the base.

    Args:
      viewed: the array.
      step: the way from its elements to these.
    """

    held_in = "viewed"
    viewed: Array
    __autograph_shows_parts__: ClassVar[bool] = True
    """A change of the base is a change of the view."""

    def __init__(self, viewed: Array, step: Step) -> None:
        """Store base and step."""
        self.viewed = viewed
        self.step = step
        self.mark = viewed.mark
        self._read = _Once(step)
        Carried.__init__(self)
        self._read(viewed.tensor)  # an error of the index is one of this line

    @property
    def tensor(self) -> Tensor:
        """The elements now."""
        return self._read(self.viewed.tensor)

    @property
    def is_decided(self) -> bool:
        """True if only the running graph knows of which array it is a view."""
        return self.viewed.is_decided

    def store(self, tensor: Tensor) -> None:
        """Replace these elements of the base."""
        before_change(self)
        self.viewed.store(self.step.write(self.viewed.tensor, tensor))

    def as_item(self, has_moved: bool = False) -> Array:
        """Return the copy as an item of a growing list: from now on the base cannot change."""
        base = owner(self)
        base.mark.kept = True
        if isinstance(base.number, int):  # what another trace of a loop that changes it finds
            base.number = item_number(base.number)
        return self.contents().as_item(has_moved)

    def parts(self) -> dict[Any, Any]:
        """Return the base, which statements carry."""
        return {"viewed": self.viewed}

    def put_part(self, key: object, value: TensorLike) -> None:
        """Replace the base."""
        self.viewed = value

    def contents(self) -> Array:  # type: ignore[override]
        """Return the copy, with the elements as they are now."""
        note_view()
        made = Array(self.tensor, VIEW)
        made.may_be_view = True
        return made

    def mapped(self, function: Callable[[Any], Any]) -> Any:
        """Return the copy: tensors are not parts."""
        return self.contents()

    def form(self, form_of: FormOf) -> Form:
        """Return the form of the copy."""
        return form_of(self.contents())

    def __tensor_flatten__(self) -> tuple[tuple[Any, int | Tensor], str]:
        """Return the parts of the copy."""
        return self.contents().__tensor_flatten__()


def owner(array: Array) -> Array:
    """Return the array that holds the elements of a view."""
    while isinstance(array, View):
        array = array.viewed
    return array


class SnapshotView(View):
    """A view that NumPy may give as a copy, depending on the layout, or that is read-only.

    It can be read as long as its base does not change.
    """

    def __init__(self, viewed: Array, step: Step, why: str) -> None:
        """Record the elements of the base."""
        super().__init__(viewed, step)
        self.before = viewed.tensor
        self._content = owner(viewed).tensor
        self.why = why

    @property
    def tensor(self) -> Tensor:
        """The elements. Raises StagingError if the base has changed."""
        if owner(self.viewed).tensor is not self._content:
            raise self.refusal(f"{self.why}, and its base has changed since", "Make a copy of it.")
        return self._read(self.before)

    def store(self, tensor: Tensor) -> None:
        """Raise: it depends on the layout whether the base changes."""
        raise self.refusal(f"{self.why}, and is changed", "Change the base, or a copy.")
