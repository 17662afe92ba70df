"""Text of traced values: a pytree of the values, which is a string where they are known.

So it goes through branches and loops as its values do, and what a traced function returns, or
what a callback of it gets, is a string.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import jax
import jax.numpy as jnp
from jax import tree_util

from autograph.adapters.jax.arrays import Spent, is_array
from autograph.adapters.refusals import refusal
from autograph.values import Value

_CONVERSIONS: dict[str, Callable[[Any], Any]] = {"s": str, "r": repr, "a": ascii}

_UNKNOWN = (jax.core.Tracer, Spent)


class _Field:
    """One value in a text.

    Args:
      value: an array, or text.
      conversion, spec: as `StagingLibrary.text` takes them.
      shape: of the array.
    """

    def __init__(self, value: Value, conversion: str, spec: Value, shape: object) -> None:
        self.value = value
        self.conversion = conversion
        self.spec = spec
        self.shape = shape

    @property
    def is_one(self) -> bool:
        """Whether the value has the shape that it had in the program; `vmap` adds dimensions."""
        if self.shape is None or not is_array(self.value):
            return True
        return bool(jnp.shape(self.value) == self.shape)

    def __str__(self) -> str:
        value, spec = self.value, str(self.spec)
        if isinstance(value, _UNKNOWN) or not self.is_one:
            refuse_text()
        if isinstance(value, JaxText):
            value = str(value)
        if self.conversion == "%":
            return spec % (value,)
        return format(_CONVERSIONS.get(self.conversion, _same)(value), spec)


def _same(value: Value) -> Any:
    return value


class JaxText:
    """Strings and fields, one after the other."""

    def __init__(self, parts: tuple[Any, ...]) -> None:
        """Store the parts: strings, fields and texts."""
        self.parts = parts

    def __str__(self) -> str:
        """Return the string. Raises StagingError if a value is not known."""
        return "".join(map(str, self.parts))

    def __add__(self, other: Value) -> Any:
        """Append text."""
        return JaxText((self, other)) if isinstance(other, (str, JaxText)) else NotImplemented

    def __radd__(self, other: Value) -> Any:
        """Prepend text."""
        return JaxText((other, self)) if isinstance(other, str) else NotImplemented

    def __getattr__(self, name: str) -> Any:
        """Refuse the methods of strings."""
        if hasattr(str, name):
            refuse_text()
        raise AttributeError(name)


def refuse_text(*_: object) -> NoReturn:
    """Raise StagingError: Python cannot wait for the text."""
    raise refusal(
        "Python asks for text of traced values, which is known only when the program runs.",
        "Use the values, and make the text in `print`, `raise` or `assert`.",
    )


for _method in ("eq", "ne", "lt", "le", "gt", "ge", "len", "bool", "iter", "contains", "getitem",
                "hash", "mul", "mod", "format", "repr"):  # fmt: skip
    setattr(JaxText, f"__{_method}__", refuse_text)


def text_of(value: Value, conversion: str, spec: Value) -> Any:
    """Return the text of a traced value; see `StagingLibrary.text`."""
    if isinstance(value, JaxText) and conversion in ("", "s") and spec == "":
        return value
    shape = jnp.shape(value) if is_array(value) else None
    return JaxText((_Field(value, conversion, spec, shape),))


def _flatten(text: JaxText) -> tuple[list[Any], Any]:
    children: list[Any] = []
    layout: list[Any] = []
    for part in text.parts:
        if isinstance(part, str):
            layout.append(part)
        elif isinstance(part, JaxText):
            layout.append(None)
            children.append(part)
        else:
            staged = not isinstance(part.spec, str)
            layout.append((part.conversion, None if staged else part.spec, part.shape))
            children += [part.value, part.spec] if staged else [part.value]
    return children, tuple(layout)


def _unflatten(layout: Any, children: Sequence[Any]) -> Any:
    source = iter(children)
    parts: list[Any] = []
    for part in layout:
        if isinstance(part, str):
            parts.append(part)
        elif part is None:
            parts.append(next(source))
        else:
            conversion, spec, shape = part
            value = next(source)
            parts.append(_Field(value, conversion, next(source) if spec is None else spec, shape))
    text = JaxText(tuple(parts))
    return str(text) if all(map(_is_known, parts)) else text


def _is_known(part: object) -> bool:
    if not isinstance(part, _Field):
        return isinstance(part, str)
    if not isinstance(part.spec, str) or isinstance(part.value, _UNKNOWN):
        return False
    return isinstance(part.value, str) or (is_array(part.value) and part.is_one)


tree_util.register_pytree_node(JaxText, _flatten, _unflatten)
