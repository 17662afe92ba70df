"""The objects that a recursive function changes: their contents enter and leave its graphs.

    def find(p, x):                         Recursion(x, p[0], ..., p[n]; f)
        if p[x] != x:                         -> find(p, x), p[0], ..., p[n]
            p[x] = find(p, p[x])
        return p[x]

A trace of the function finds the places that it changes. Then all graphs are traced again with
these places as further inputs and outputs, and arguments that are such objects are the same object
in each call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from autograph.operators.branches import Attempt
from autograph.operators.stand_ins import has_identity
from autograph.operators.state import Retrace, State
from autograph.reach.places import Place
from autograph.reach.walk import Reach
from autograph.staging import StagingLibrary
from runtime.control_flow.values import forms
from runtime.control_flow.values.forms import Fixed, Form, Leaf, Nest, Shared, Stack
from runtime.control_flow.values.joins import Mismatch, join
from runtime.core.errors import StagingError

Result = TypeVar("Result")


class ChangedObjects:
    """The objects that a recursive function changes.

    Args:
      function: the function.
      arguments: of the outermost call, by name.

    Attributes:
      state: the changed places, and what holds them.
      forms: the form of the contents of each of them.
    """

    def __init__(self, function: Callable[..., Any], arguments: dict[str, Any]) -> None:
        self._name = getattr(function, "__name__", "function")
        self.state = State(None, None, (), (function,), arguments)
        self._by_reference = False
        self._found: Retrace | None = None
        self.forms: list[Form] = []

    def while_found(self, library: StagingLibrary, trace: Callable[[], Result]) -> Result:
        """Return the result of `trace`, called again as long as it finds further places."""
        attempt = Attempt(library, self.state)
        while attempt.goes_on:
            with attempt:
                before = map(_number_as_tensor, map(forms.form_of, self.state.init))
                self.forms = list(map(self._carried, self.state.places, before))
                result = trace()
        return result

    def inputs(self, found: list[Form], values: Iterable[Any]) -> list[Form]:
        """Return the forms of arguments, given those of arguments without changed objects.

        Raises: StagingError for an argument with a changed object in it, which would be a copy.
        """
        return [
            Shared(value) if self._is_kept(value) else self._without_changed(form, value)
            for form, value in zip(found, values, strict=True)
        ]

    def _is_kept(self, value: Any) -> bool:
        """Return whether an argument is the same object in each call."""
        if not self._by_reference and not self.state.places:
            return False
        return has_identity(value) and self.state.reach.holds(value)

    def own(self, given: dict[str, Any]) -> Reach:
        """Return what is reached from the arguments that were made for the inputs of one graph."""
        made = {name: value for name, value in given.items() if not self._is_kept(value)}
        return Reach([], made)

    def _without_changed(self, form: Form, value: object) -> Form:
        self._require_unchanged_in(value)
        return form

    def _require_unchanged_in(self, value: object) -> None:
        owners = {id(place.owner): place for place in self.state.places}
        if not owners:
            return
        for each in Reach([], {"value": value}).objects():
            if id(each) in owners:
                reason = "it is returned, or is passed or returned in another object"
                raise self._refusal(owners[id(each)], reason)

    def begin(self, contents: tuple[Any, ...]) -> None:
        """Start the trace of a graph, with these contents of the places."""
        self.state.restore()
        self.state.begin(contents)

    def finds(self, reached: Reach) -> bool:
        """Return whether further objects changed.

        `reached` are the objects that were made for the inputs of one graph. An argument that is
        the same object in each call is passed by reference from then on.

        Raises: StagingError if one of `reached` changed, though others are passed by reference.
        """
        own = reached.changed()
        if own and self._by_reference:
            raise self._refusal(own[0], "it is another object in each call")
        further = self.state.further_places()
        if own or further:
            self._found = Retrace(further)
        return self._found is not None

    def require_all(self) -> None:
        """Raise Retrace if further objects changed."""
        if self._found is not None:
            found, self._found = self._found, None
            self._by_reference = True
            raise found

    def end(self, result: object) -> tuple[Any, ...]:
        """Return the contents of the places at the end of the function.

        Raises: Retrace if there are further places.
        """
        self.require_all()
        self._require_unchanged_in(result)
        return self.state.read(result=result, repeats=True)

    def join(self, contents: tuple[Any, ...]) -> bool:
        """Generalize the forms to those at a call or at the end of a graph; return whether so."""
        found = map(forms.form_of, contents)
        joined = list(map(self._joined, self.state.places, self.forms, found))
        changed, self.forms = joined != self.forms, joined
        return changed

    def _joined(self, place: Place, before: Form, found: Form) -> Form:
        try:
            return self._carried(place, join(place.label, before, found))
        except Mismatch as mismatch:
            kinds = forms.describe(mismatch.left), forms.describe(mismatch.right)
            reason = "it is {} in one call and {} in another".format(*kinds)
            raise self._refusal(place, reason) from None

    def _carried(self, place: Place, form: Form) -> Form:
        if not all(isinstance(each, (Fixed, Leaf, Stack)) for each in _parts(form)):
            raise self._refusal(place, "its length varies, or it holds one of several objects")
        return form

    def _refusal(self, place: Place, reason: str) -> StagingError:
        return StagingError(
            f"`{self._name}` calls itself and changes `{place.label}` in place: {reason}.",
            public=TypeError,
            remedy="Change an object that exists before the first call: a list or dict of fixed "
            "length with tensors or numbers, or an attribute. Or write the recursion as a loop.",
        )


def _number_as_tensor(form: Form) -> Form:
    return forms.as_leaf(form) if forms.is_number(form) else form


def _parts(form: Form) -> Iterator[Form]:
    if not isinstance(form, Nest):
        yield form
        return
    for part in form.parts:
        yield from _parts(part)
