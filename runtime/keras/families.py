"""Families of classes and functions that programs name by strings: `get`, `serialize`, ..."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from runtime.keras.base.names import snake_case
from runtime.keras.saving.registry import (
    deserialize_keras_object,
    get_registered_object,
    serialize_keras_object,
)


class Family:
    """Classes and functions of one kind, keyed by name.

    Args:
      kind: what messages call a member, such as `optimizer`.
      classes: classes, known by their own name and by that name in snake case.
      functions: functions, known by their own name.
      aliases: further names of members. The alias None is the member for no identifier.

    >>> def double(x):
    ...     return 2 * x
    >>> family = Family("scale", functions=[double], aliases={"x2": double})
    >>> family.get("x2") is double, family.serialize(double)
    (True, 'double')
    """

    def __init__(
        self,
        kind: str,
        classes: Iterable[type] = (),
        functions: Iterable[Callable[..., Any]] = (),
        aliases: Mapping[str | None, Any] | None = None,
    ) -> None:
        self._kind = kind
        self._functions = {function.__name__: function for function in functions}
        named = {member.__name__: member for member in classes}
        snake = {snake_case(name): member for name, member in named.items()}
        lower = {name.lower(): member for name, member in named.items()}
        self._members: dict[Any, Any] = {None: None, **snake, **lower, **self._functions, **named}
        self._members |= aliases or {}

    def get(self, identifier: Any) -> Any:
        """Return the member that an identifier means.

        Args:
          identifier: name, config, class, or an object or function, which is returned as it is.

        Raises: ValueError for an unknown name or another type; it names the nearest names.
        """
        if isinstance(identifier, dict):
            return self.deserialize(identifier)
        if identifier is None or isinstance(identifier, str):
            return self._named(identifier)
        if inspect.isclass(identifier):
            return identifier()
        if callable(identifier) or hasattr(identifier, "get_config"):
            return identifier
        raise ValueError(
            f"Could not interpret {self._kind} identifier: {identifier!r} of type "
            f"{type(identifier).__name__}. Pass a name, an object or a function."
        )

    def _named(self, name: str | None) -> Any:
        member = get_registered_object(name) if name else None
        if member is None:
            member = self._members.get(name)
        if member is None and name is not None and name.lower() in self._members:
            member = self._members[name.lower()]
        if member is None and name is not None:
            names = sorted(key for key in self._members if key)
            nearest = difflib.get_close_matches(name, names, 3, 0.5)
            remedy = (
                f"Did you mean {' or '.join(map(repr, nearest))}?"
                if nearest
                else (f"The names are {', '.join(names)}.")
            )
            raise ValueError(f"Could not interpret {self._kind} identifier: {name!r}. {remedy}")
        return member() if inspect.isclass(member) else member

    def serialize(self, member: Any) -> Any:
        """Return the name of a function of the family, else a config."""
        name = getattr(member, "__name__", None)
        if name is not None and self._functions.get(name) is member:
            return name
        return serialize_keras_object(member)

    def deserialize(self, config: Any, custom_objects: Mapping[str, Any] | None = None) -> Any:
        """Create what `serialize` described.

        Args:
          config: name or config.
          custom_objects: classes and functions of the program, by name.
        """
        if not isinstance(config, dict):
            custom = (custom_objects or {}).get(config)
            return self.get(config if custom is None else custom)
        name = str(config.get("class_name"))
        own = self._members.get(name)
        if inspect.isclass(own) and not config.get("registered_name"):
            inner = config.get("config", {})
            if name not in (custom_objects or {}) and get_registered_object(name) is None:
                return own.from_config(inner)  # type: ignore[attr-defined]
        return deserialize_keras_object(config, custom_objects)


def class_of_function(
    base: type,
    name: str,
    module: str,
    function: Callable[..., Any],
    doc: str,
    parameters: list[inspect.Parameter],
) -> Any:
    """Create a class whose objects call a function with arguments given to the constructor.

    Args:
      base: the base class, whose constructor reads its arguments by `constructor_arguments`.
      name, module: name and module of the class.
      function: the function.
      doc: first sentence of the docstring.
      parameters: parameters of the constructor, those of `base` included.
    """

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        base.__init__(self, *args, **kwargs)  # type: ignore[misc]

    lines = [f"{p.name}: default {p.default!r}." for p in parameters]
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    __init__.__signature__ = inspect.Signature([own, *parameters])  # type: ignore[attr-defined]
    body = {
        "__init__": __init__,
        "__doc__": f"{doc}\n\n    Args:\n      " + "\n      ".join(lines) + "\n    ",
        "__module__": module,
        "function": staticmethod(function),
        "parameters": inspect.Signature(parameters),
    }
    return type(name, (base,), body)


def constructor_arguments(obj: Any, args: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a constructor by name, defaults included."""
    bound = obj.parameters.bind(*args, **kwargs)
    bound.apply_defaults()
    return dict(bound.arguments)


def first_sentence(function: Callable[..., Any]) -> str:
    """Return the first line of a docstring without the verb."""
    text = (inspect.getdoc(function) or "").partition("\n")[0].removeprefix("Return ")
    return f"{text[:1].upper()}{text[1:]}"


def own_parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """Return the parameters after labels and predictions."""
    return list(inspect.signature(function).parameters.values())[2:]


def parameter(name: str, default: Any) -> inspect.Parameter:
    """Create a parameter that is given by position or by name."""
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)
