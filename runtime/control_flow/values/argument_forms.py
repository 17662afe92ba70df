"""Argument forms: which calls of a function have arguments of the same types."""

from __future__ import annotations

from collections.abc import Callable
from inspect import BoundArguments, signature
from typing import Any

import numpy as np

from autograph.errors import signals
from runtime.control_flow.values import forms, joins, layouts
from runtime.control_flow.values.forms import Fixed, Form, Leaf, Nest, Shared
from runtime.control_flow.values.joins import Mismatch
from runtime.core.dtypes import DType
from runtime.core.errors import StagingError
from runtime.core.structure import children


def bound(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> BoundArguments | None:
    """Return the values of all parameters; None if the arguments do not fit: the call then
    raises.
    """
    try:
        result = signature(function, follow_wrapped=False).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return None
    result.apply_defaults()
    return result


def forms_of(arguments: BoundArguments) -> list[Form]:
    """Return the forms of arguments; a value without tensors is the same object at each call."""
    return [_form(value) for value in arguments.arguments.values()]


def _form(value: object) -> Form:
    if isinstance(value, (np.ndarray, np.generic)):
        return Fixed(value)
    form = forms.form_of(value)
    return Fixed(value) if isinstance(form, Nest) and not layouts.specs(form) else form


def joined(known: list[Form], found: list[Form], constants_vary: bool) -> list[Form] | None:
    """Return the forms that cover the arguments of two calls; None if their types differ.

    If `constants_vary`, different Python numbers or strings become tensors.
    """
    mark = signals.mark()
    try:
        return [_joined(a, b, constants_vary) for a, b in zip(known, found, strict=True)]
    except (Mismatch, StagingError):
        signals.forget(mark)
        return None


def _joined(a: Form, b: Form, constants_vary: bool) -> Form:
    if a == b:
        return a
    if type(a) is Shared or type(b) is Shared:
        raise Mismatch("", a, b)
    a, b = _taken_apart(a), _taken_apart(b)
    if isinstance(a, Nest) and isinstance(b, Nest) and (a.kind, a.keys) == (b.kind, b.keys):
        pairs = zip(a.parts, b.parts, strict=True)
        return Nest(a.kind, a.keys, tuple(_joined(x, y, constants_vary) for x, y in pairs), a.like)
    result = joins.join("", a, b)
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Fixed) and not (
            _may_vary(one) and (constants_vary or isinstance(other, Leaf))
        ):
            raise Mismatch("", a, b)
        if isinstance(one, Leaf) and not one.weak and one.spec.dtype is not _dtype_of(result):
            raise Mismatch("", a, b)
    return result


def _taken_apart(form: Form) -> Form:
    if type(form) is Fixed and children(form.value) is not None:
        return forms.form_of(form.value)
    return form


def _dtype_of(form: Form) -> DType | None:
    return form.spec.dtype if isinstance(form, Leaf) else None


def _may_vary(form: Fixed) -> bool:
    return forms.is_number(form) or type(form.value) is str
