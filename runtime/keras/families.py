"""Families of classes and functions that programs name by strings, and tables of parameters."""

from __future__ import annotations

import difflib
import inspect
import re
import textwrap
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NoReturn, Self

import runtime as tf
from runtime.keras.base.names import snake_case
from runtime.keras.saving import registry


class Configured(tf.types.experimental.Observed):
    """An object that `get_config` describes by the arguments of its constructor."""

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Create an object from the result of `get_config`.

        Args:
          config: the arguments of the constructor by name.

        Returns:
          The object.

        Raises:
          TypeError: if the constructor does not take these arguments.
        """
        return registry.create(cls, config)


class Described(Configured):
    """A function whose public attributes are the arguments of its constructor."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the result; a subclass overrides it."""
        raise NotImplementedError(f"{type(self).__name__} does not define `__call__`.")

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal object."""
        return {key: value for key, value in vars(self).items() if not key.startswith("_")}


class Family:
    """Classes and functions of one kind, keyed by name: classes also in snake case.

    `kind` is what messages call a member. The alias None is the member for no identifier.

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
        computed: dict[Any, Any] = {each.__name__: each for each in functions}
        self._functions = {*computed, *(aliases or {})}
        named = computed | {each.__name__: each for each in classes}
        other = {key: each for name, each in named.items() for key in (snake_case(name), name)}
        lower = {name.lower(): each for name, each in named.items()}
        self._members: dict[Any, Any] = {None: None, **other, **(aliases or {})}
        self._any_case = lower | self._members

    def get(self, identifier: object) -> Any:
        """Return the member for a name, a config or a class; objects and functions as they are.

        Args:
          identifier: a name, a config, a class, a function or an object; None.

        Raises: ValueError for an unknown name or another type; it names the nearest names.

        >>> from runtime import keras
        >>> keras.activations.get("relu") is keras.activations.relu
        True
        >>> keras.regularizers.get("l2").l2
        0.01
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
        known = self._any_case
        member = (name and registry.get_registered_object(name)) or known.get(name)
        if member is None and name is not None:
            member = known.get(name.lower())
            if member is None:
                remedy = suggestion(name, sorted(key for key in self._members if key))
                raise ValueError(f"Could not interpret {self._kind} identifier: {name!r}. {remedy}")
        return member() if inspect.isclass(member) else member

    def serialize(self, member: object) -> Any:
        """Return the name of a function of the family, else a config.

        Args:
          member: a function or an object of the family.

        >>> from runtime import keras
        >>> keras.activations.serialize(keras.activations.relu)
        'relu'
        >>> keras.initializers.serialize(keras.initializers.Constant(2.0))["config"]
        {'value': 2.0}
        """
        name = getattr(member, "__name__", None)
        is_own = str(getattr(member, "__module__", "")).startswith("runtime.")
        return name if name and is_own and name in self._functions else registry.serialize(member)

    def deserialize(self, config: Any) -> Any:
        """Create what `serialize` described.

        Args:
          config: a config, or a name.

        Returns:
          The function, or a new object.

        Raises:
          ValueError: for an unknown name.
          TypeError: for a config of an unknown class.

        >>> from runtime import keras
        >>> config = keras.initializers.serialize(keras.initializers.Constant(2.0))
        >>> keras.initializers.deserialize(config).value
        2.0
        """
        return registry.deserialize(config) if isinstance(config, dict) else self.get(config)


_INTERNAL = ("families", "base.conversion", "base.names", "saving.registry")


def public_names(namespace: Mapping[str, Any]) -> list[str]:
    """Return the names in the globals of a module of `keras` but modules and imports."""
    hidden = {f"runtime.keras.{name}" for name in _INTERNAL}

    def is_public(value: object) -> bool:
        module = str(getattr(value, "__module__", ""))
        return inspect.ismethod(value) or (module.startswith("runtime.") and module not in hidden)

    return sorted(
        name for name, value in namespace.items() if not name.startswith("_") and is_public(value)
    )


def namespace(
    names: Mapping[str, Any], instead: str, *others: str
) -> tuple[Callable[[], list[str]], Callable[[str], NoReturn]]:
    """Return `__dir__` and `__getattr__` of a module of `keras`.

    `names` are the globals of the module, `others` further names that `dir` shows; `instead` is
    what a program writes in place of a class or function that is left out.
    """

    def missing(name: str) -> NoReturn:
        message = f"module {names['__name__']!r} has no attribute {name!r}"
        if not name.startswith("_"):
            near = difflib.get_close_matches(name, public_names(names), 1, 0.7)
            if not near or near[0].lower() != name.lower():
                message += f", which few programs need: {instead}"
            message += f". Did you mean {near[0]!r}?" if near else "."
        raise AttributeError(message, name=name)

    return lambda: sorted({*others, *public_names(names)}), missing


def suggestion(name: str, names: Iterable[str]) -> str:
    """Return a sentence with the names nearest to a misspelt one, or with all of them."""
    known = [*names]
    begun = [each for each in known if each.startswith(name)]
    nearest = difflib.get_close_matches(name, known, 3, 0.5) or begun[:3]
    if nearest:
        return f"Did you mean {' or '.join(map(repr, nearest))}?"
    return f"The names are {', '.join(known)}."


def check_choice(name: str, value: object, choices: Collection[Any]) -> None:
    """Raise ValueError if the value of an argument is none of the choices."""
    if value not in choices:
        known = ", ".join(map(repr, choices))
        raise ValueError(f"`{name}` must be one of {known}. Received: {name}={value!r}")


def signature_of(defaults: Mapping[str, Any]) -> inspect.Signature:
    """Return a signature of parameters with defaults, `inspect.Parameter.empty` for none."""
    kind: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters: list[inspect.Parameter] = []
    for name, default in defaults.items():
        if name == "*":
            kind = inspect.Parameter.KEYWORD_ONLY
        else:
            parameters.append(inspect.Parameter(name, kind, default=default))
    return inspect.Signature(parameters)


def bind_arguments(
    kind: str, signature: inspect.Signature, args: Any, kwargs: dict[str, Any]
) -> dict[str, Any]:
    """Return the arguments of a constructor by name, defaults included.

    Raises: TypeError for an unknown, a repeated or a missing argument; it names the class, `kind`.
    """
    for name in kwargs:
        if name not in signature.parameters:
            remedy = suggestion(name, signature.parameters)
            raise TypeError(f"{kind} has no argument {name!r}. {remedy}")
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        is_call = any(hasattr(type(each), "shape") for each in args)
        remedy = f" Create it first, and call it on a tensor: {kind}(...)(x)." if is_call else ""
        raise TypeError(f"{kind}: {error}.{remedy}") from None
    bound.apply_defaults()
    return dict(bound.arguments)


def constructor(base: Any, signature: inspect.Signature) -> Any:
    """Return a constructor that shows a signature, and passes its arguments to that of `base`."""

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        base.__init__(self, *args, **kwargs)

    return show_signature(__init__, signature)


def show_signature(function: Any, signature: inspect.Signature, first: str = "self") -> Any:
    """Set the signature that readers see, after a parameter `first`; `**kwargs` is left out."""
    own = [
        each
        for each in signature.parameters.values()
        if each.name != "self" and each.kind is not each.VAR_KEYWORD
    ]
    before = inspect.Parameter(first, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    function.__signature__ = inspect.Signature([before, *own])
    return function


def documented(doc: str | None) -> dict[str, str]:
    """Return the texts of the section `Args` of a docstring, keyed by parameter."""
    _, _, section = inspect.cleandoc(doc or "").partition("\nArgs:\n")
    # An entry begins with two spaces, its further lines with four.
    entries = re.sub(r"\n {4,}", " ", section.partition("\n\n")[0]).splitlines()
    pairs = (entry.strip().split(": ", 1) for entry in entries)
    return {name: text for names, text in pairs for name in names.split(", ")}


_ARGS_END = re.compile(r"(\n\n(?=Returns|Raises|>>> )|\Z)")


def add_args(doc: str | None, texts: Mapping[str, str]) -> str:
    """Return a docstring whose `Args` also has the parameters of `texts` that it lacks."""
    head, end, tail = re.split(_ARGS_END, inspect.cleandoc(doc or ""), maxsplit=1)
    known = documented(head)
    names: dict[str, list[str]] = {}
    for name, text in texts.items():
        if name not in known:
            names.setdefault(text, []).append(name)
    lines = [
        textwrap.fill(f"{', '.join(same)}: {text}", 92, subsequent_indent="  ")
        for text, same in names.items()
    ]
    section = [] if known or not lines else ["", "Args:"]
    return (
        "\n".join([head, *section, *(textwrap.indent(each, "  ") for each in lines)]) + end + tail
    )


def class_of_function(
    module: str,
    base: Any,
    function: Callable[..., Any],
    parameters: Mapping[str, Any],
    example: tuple[object, object, object],
) -> Any:
    """Create a class whose constructor calls that of `base` with a function and its arguments.

    Its name is that of the function, in the style of classes. `parameters` are as in
    `signature_of`; the docstrings of function and base document them. `example` are labels,
    predictions, and the result for them.
    """
    signature = signature_of(parameters)
    name = function.__name__.title().replace("_", "")

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        base.__init__(self, function, **bind_arguments(name, signature, args, kwargs))

    sentence = (inspect.getdoc(function) or "").partition("\n")[0].removeprefix("Return ")
    texts = documented(base.__doc__) | documented(function.__doc__)
    y_true, y_pred, shown = example
    doc = add_args(
        f"{sentence[:1].upper()}{sentence[1:]}\n\n"
        f">>> print({name}()({y_true}, {y_pred}).numpy().round(3))\n{shown}\n",
        {each: texts[each] for each in signature.parameters},
    )
    own = {"__init__": show_signature(__init__, signature), "__doc__": doc, "__module__": module}
    return type(name, (base,), own)
