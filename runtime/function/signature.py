"""The arguments of a call in one canonical form, whichever way they are passed."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from runtime.core.errors import DTypeMismatchError
from runtime.core.spec import TensorSpec
from runtime.core.structure import children, rebuild
from runtime.function.trace_type import Instance
from runtime.ops.convert import convert_to_tensor


class Signature:
    """The parameters of a Python function, with the specs that are prescribed for them.

    Args:
      function: the function.
      specs: for the first parameters `TensorSpec`s or structures of them; None: none prescribed.
    """

    def __init__(self, function: Callable[..., Any], specs: Any = None) -> None:
        """Reads the parameters of the function."""
        self.python = inspect.signature(function)
        self.specs = None if specs is None else tuple(specs)

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The value of each parameter, defaults included.

        Raises: TypeError, as Python does, if arguments do not fit the parameters, or a tensor does
          not fit the spec that is prescribed for it.
        """
        bound = self.python.bind(*args, **kwargs)
        bound.apply_defaults()
        arguments = dict(bound.arguments)
        if self.specs is not None:
            self._prescribe(arguments)
        return arguments

    def _prescribe(self, arguments: dict[str, Any]) -> None:
        assert self.specs is not None
        names = [name for name in arguments if not isinstance(arguments[name], Instance)]
        for position, spec in enumerate(self.specs):
            if position >= len(names):
                raise TypeError(
                    f"input_signature has {len(self.specs)} entries for {len(names)} parameters"
                )
            name = names[position]
            kind = self.python.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                rest = self.specs[position:]
                values = arguments[name]
                arguments[name] = tuple(
                    _fitted(f"{name}[{i}]", s, v)
                    for i, (s, v) in enumerate(zip(rest, values, strict=True))
                )
                return
            arguments[name] = _fitted(name, spec, arguments[name])

    def call(self, function: Callable[..., Any], arguments: dict[str, Any]) -> Any:
        """Calls a function with what `bind` gave."""
        positional: list[Any] = []
        named: dict[str, Any] = {}
        for name, value in arguments.items():
            kind = self.python.parameters[name].kind
            plain = value.value if isinstance(value, Instance) else value
            if kind is inspect.Parameter.VAR_POSITIONAL:
                positional += plain
            elif kind is inspect.Parameter.VAR_KEYWORD:
                named.update(plain)
            elif kind is inspect.Parameter.KEYWORD_ONLY:
                named[name] = plain
            else:
                positional.append(plain)
        return function(*positional, **named)


def _fitted(name: str, spec: Any, value: Any) -> Any:
    if not isinstance(spec, TensorSpec):
        return _fitted_parts(name, spec, value)
    if isinstance(value, TensorSpec):
        found: Any = value
    else:
        try:
            found = convert_to_tensor(value, dtype_hint=spec.dtype)
        except (TypeError, ValueError) as error:
            raise TypeError(f"argument `{name}` must be a tensor {spec}: {error}") from error
    if found.dtype is not spec.dtype or not found.shape.is_compatible_with(spec.dims):
        raise DTypeMismatchError(
            None,
            None,
            f"argument `{name}` must be {spec} (input_signature), but it is "
            f"{found if isinstance(found, TensorSpec) else found.spec}",
        )
    return found


def _fitted_parts(name: str, spec: Any, value: Any) -> Any:
    wanted, given = children(spec), children(value)
    if wanted is None or given is None or len(wanted[1]) != len(given[1]):
        raise TypeError(f"argument `{name}` must have the structure {spec!r} (input_signature)")
    parts = [
        _fitted(f"{name}[{i}]", s, v)
        for i, (s, v) in enumerate(zip(wanted[1], given[1], strict=True))
    ]
    return rebuild(type(value), given[0], parts, value)
