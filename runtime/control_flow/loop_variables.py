"""The forms of the variables of a staged loop, before it and in its iterations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from autograph.staging import OptionalName
from runtime.control_flow.values import forms, joins, layouts
from runtime.control_flow.values.forms import Form, Growing, Leaf, Nest
from runtime.control_flow.values.joins import Mismatch
from runtime.core.assignments import staging_error
from runtime.core.errors import StagingError
from runtime.core.shapes import includes
from runtime.core.spec import TensorSpec
from runtime.core.structure import children


def as_growing(form: Form | None, value: object) -> Any:
    """Return a list as the growing list of a form; without a form the value itself."""
    return value if form is None else layouts.value_from(form, iter(layouts.tensors(form, value)))


def grown(before: Form, after: Form) -> Form | None:
    """Return the form of a variable that is a growing list after an iteration, else None."""
    joined = joins.join_or_none("", before, after)
    return joined if isinstance(joined, Growing) else None


def none_before(
    names: tuple[str, ...], carried: list[Form], after: list[Form], settles: bool
) -> Mismatch | None:
    """Return a variable that is None before the loop and certainly a value after an iteration.

    `settles`: whether a variable that the program tests for None may be carried with a flag.
    """
    found = [
        Mismatch(*each)
        for each in zip(names, carried, after, strict=True)
        if forms.is_none(each[1]) and not forms.may_be_none(each[2])
        if not (settles and isinstance(each[0], OptionalName))
    ]
    return min(found, key=lambda each: isinstance(each.path, OptionalName), default=None)


def before_loop(value: object) -> Form:
    """Return the form before the loop; a number is a tensor from the start, because it may
    change.
    """
    form = forms.form_of(value)
    return forms.as_leaf(form) if forms.is_number(form) else form


def refusal(mismatch: Mismatch) -> StagingError:
    """Return the error for a variable whose forms have no join."""
    left, right, path = mismatch.left, mismatch.right, mismatch.path
    if forms.is_none(left):
        return staging_error(
            f"`{path}` is None before the loop and {forms.describe(right)} after an iteration.",
            "A staged loop cannot carry None in place of a value. Start with a value of the same "
            f"dtype, and with a bool variable that says whether `{path}` is set.",
            path,
        )
    if forms.is_undefined(left):
        return staging_error(
            f"`{path}` has no value before the loop and {forms.describe(right)} after an "
            "iteration.",
            f"Assign `{path}` before the loop, with the type that it has in the loop.",
            path,
        )
    if forms.is_undefined(right) or forms.is_none(right):
        return staging_error(
            f"`{path}` is {forms.describe(left)} before the loop and {forms.describe(right)} "
            "after an iteration.",
            f"Assign `{path}` a value of the same dtype on every way through the loop.",
            path,
        )
    reason = f" ({mismatch.reason})" if mismatch.reason else ""
    call = mismatch.conversion
    return staging_error(
        f"`{path}` is {forms.describe(left)} before the loop and {forms.describe(right)} after an "
        f"iteration{reason}: its type should remain constant.{_dtypes_in_words(mismatch)}",
        f"A staged loop needs one type for `{path}`. Start with a value of that type"
        f"{f', or convert, for instance with {call}' if call else ''}.",
        path,
    )


def _dtypes_in_words(mismatch: Mismatch) -> str:
    dtypes = mismatch.dtypes
    if not dtypes:
        return ""
    before, after = dtypes
    return (
        f" '{mismatch.path}' has dtype {before.name} before the loop, but dtype {after.name} after "
        "one iteration."
    )


def unsettled(names: tuple[str, ...], before: list[Form], after: list[Form]) -> StagingError:
    """Return the error for variables whose forms reach no fixpoint."""
    shown = ", ".join(
        f"`{name}` ({forms.describe(first)}, then {forms.describe(then)})"
        for name, first, then in zip(names, before, after, strict=True)
        if first != then
    )
    return staging_error(
        f"the type of a variable of the loop changes with every iteration: {shown}.",
        "A staged loop needs one type for each variable, for instance a structure of one depth.",
    )


def with_invariants(
    carried: list[Form], init: tuple[Any, ...], names: tuple[str, ...], invariants: Any
) -> list[Form]:
    """Return the forms before the loop, with the shapes that the program states."""
    if not invariants:
        return carried
    by_name = invariants if isinstance(invariants, Mapping) else {}
    pairs = [] if isinstance(invariants, Mapping) else list(invariants)
    result = []
    for name, value, form in zip(names, init, carried, strict=True):
        shapes = [by_name[name]] if name in by_name else []
        shapes += [shape for held, shape in pairs if held is value]
        result.append(_relaxed(name, form, shapes[0]) if shapes else form)
    return result


def _relaxed(name: str, form: Form, shape: object) -> Form:
    if isinstance(form, Nest) and children(shape) is not None and not hasattr(shape, "rank"):
        shapes = _shapes_of_parts(form, shape)
        parts = (_relaxed(name, p, s) for p, s in zip(form.parts, shapes, strict=True))
        return Nest(form.kind, form.keys, tuple(parts), form.like)
    if not isinstance(form, Leaf) or shape is None:
        return form
    wanted = TensorSpec(getattr(shape, "shape", shape), form.spec.dtype)
    if not includes(wanted.dims, form.spec.dims):
        raise staging_error(
            f"`{name}` has shape {form.spec.shape} before the loop, which the shape invariant "
            f"{wanted.shape} does not cover.",
            "Give an invariant with None for the dimensions that change.",
        )
    return Leaf(form.spec.with_dims(wanted.dims), form.weak)


def _shapes_of_parts(form: Nest, shapes: object) -> list[Any]:
    """Return the shapes for the parts of a structure, in order."""
    level = children(shapes)
    assert level is not None
    if not isinstance(shapes, Mapping):
        return list(level[1])
    by_key = dict(zip(level[0], level[1], strict=True))
    return [by_key[key] for key in form.keys]
