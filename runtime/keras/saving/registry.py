"""Objects as JSON and back, in the format of Keras 3.

An object becomes `{"module", "class_name", "config", "registered_name"}`; `config` is what its
`get_config` returns. Classes of this package are found under their public module, those of a
program under the name that it registered or passes as `custom_objects`. Nothing is unpickled.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

import runtime as tf

Registered = TypeVar("Registered", bound=Callable[..., Any])
Created = TypeVar("Created")

_PACKAGE = "runtime.keras"
_MODULES = {
    "keras.base": "keras.layers",
    "keras.models": "keras",
    "keras.ops": "keras.src.ops.numpy",
    "keras.optimizers.schedules": "keras.optimizers.schedules",
    "keras.saving": "keras",
}
"""Public modules of classes, for those that differ from the place of the class."""

_CLASSES = {"DTypePolicy": "keras", "Functional": "keras.src.models.functional"}
"""Public modules of classes that are not those of their neighbors."""

_registry: dict[str, Any] = {}
_names: dict[Any, str] = {}
_scopes: list[Mapping[str, Any]] = []


def register_keras_serializable(
    package: str = "Custom", name: str | None = None
) -> Callable[[Registered], Registered]:
    """Decorate a class or function so that models that use it can be loaded.

    Args:
      package: prefix of the registered name.
      name: the name after the prefix; None: that of the class or function.

    Returns:
      A decorator.

    Raises: ValueError at the decoration, if a class has no `get_config`.

    >>> @register_keras_serializable("mine")
    ... def double(x):
    ...     return 2 * x
    >>> get_registered_object("mine>double") is double
    True
    """

    def register(item: Registered) -> Registered:
        if inspect.isclass(item) and not hasattr(item, "get_config"):
            raise ValueError(
                f"Cannot register {item.__name__}: a class that can be saved has a `get_config()` "
                "method. Define one that returns the arguments of the constructor."
            )
        _names[item] = f"{package}>{name or item.__name__}"
        _registry[_names[item]] = item
        return item

    return register


def get_registered_object(name: str) -> Any:
    """Return the class or function of a name, or None."""
    for known in (*reversed(_scopes), _registry):
        if name in known:
            return known[name]
    return None


@contextmanager
def custom_object_scope(custom_objects: Mapping[str, Any]) -> Iterator[None]:
    """Make classes and functions known by name inside a `with` statement.

    Args:
      custom_objects: classes and functions by name.

    Returns:
      A context manager.

    >>> with custom_object_scope({"Double": dict}):
    ...     get_registered_object("Double") is dict
    True
    """
    _scopes.append(dict(custom_objects))
    try:
        yield
    finally:
        _scopes.pop()


def _array_config(array: object) -> dict[str, Any]:
    array = np.asarray(array)
    return {"value": array.tolist(), "dtype": array.dtype.name}


_TAGS: dict[str, tuple[Any, Callable[[Any], dict[str, Any]], Callable[[Any], Any]]] = {
    "__tuple__": (
        tuple,
        lambda value: {"value": [serialize(each) for each in value]},
        lambda config: tuple(deserialize(config["value"])),
    ),
    "__slice__": (
        slice,
        lambda value: {"start": value.start, "stop": value.stop, "step": value.step},
        lambda config: slice(config["start"], config["stop"], config["step"]),
    ),
    "__ellipsis__": (type(...), lambda value: {}, lambda config: ...),
    "__numpy__": (
        np.ndarray,
        _array_config,
        lambda config: np.array(config["value"], config["dtype"]),
    ),
    "__tensor__": (tf.Tensor, _array_config, lambda config: tf.constant(**config)),
}
"""Encoders and decoders of types, by the name of the class in a config."""


def serialize(obj: object) -> Any:
    """Return an object as JSON-compatible values.

    Args:
      obj: layer, initializer, dtype policy, function, tensor, array, or a structure of them.

    Raises:
      ValueError: for a lambda, whose code cannot be saved.
      TypeError: for an object without `get_config`.

    >>> serialize({"rates": (0.1, None)})
    {'rates': {'class_name': '__tuple__', 'config': {'value': [0.1, None]}}}
    """
    if obj is None or isinstance(obj, (str, bool, int, float)):
        return obj
    if isinstance(obj, np.generic):
        return obj.item()
    if isinstance(obj, Mapping):
        return {key: serialize(value) for key, value in obj.items()}
    if isinstance(obj, list):
        return [serialize(item) for item in obj]
    if isinstance(obj, tf.DType):
        return obj.name
    if isinstance(obj, tf.TensorShape):
        return obj.as_list()
    for name, (kind, encode, _) in _TAGS.items():
        if isinstance(obj, kind):
            return {"class_name": name, "config": encode(obj)}
    return _function_config(obj) if isinstance(obj, FunctionType) else _object_config(obj)


def _public_module(kind: Any) -> str | None:
    """Return the public module of a class or function of this package; None for others."""
    module = str(kind.__module__)
    if not module.startswith(f"{_PACKAGE}."):
        return None
    module = module.partition(".")[2]
    public = ".".join(module.split(".")[:2])
    return _CLASSES.get(kind.__name__) or _MODULES.get(module) or _MODULES.get(public, public)


def _function_config(function: FunctionType) -> dict[str, Any]:
    if function.__name__ == "<lambda>":
        raise ValueError(
            f"Cannot save a lambda (line {function.__code__.co_firstlineno} of "
            f"{function.__code__.co_filename}): files of models contain no code. Give the function "
            "a name with `def`, and register it with @keras.saving.register_keras_serializable()."
        )
    name = _names.get(function) or function.__name__
    module = _public_module(function) or "builtins"
    return {"module": module, "class_name": "function", "config": name, "registered_name": name}


def _object_config(obj: object) -> dict[str, Any]:
    kind = type(obj)
    if not hasattr(obj, "get_config"):
        raise TypeError(
            f"Cannot serialize object {obj!r} of type {kind}. To be serializable, a class has a "
            "`get_config()` method that returns the arguments of the constructor."
        )
    module = _public_module(kind)
    is_known = module is not None and "src" not in module
    found = {
        "module": module,
        "class_name": kind.__name__,
        "config": plain(obj.get_config()),
        "registered_name": None if is_known else _names.get(kind, kind.__name__),
    }
    for part in ("build", "compile"):
        config = getattr(obj, f"get_{part}_config", lambda: None)()
        if config is not None:
            found[f"{part}_config"] = plain(config)
    return found


def plain(config: object) -> Any:
    """Return the values of a config; tuples stay tuples, which JSON writes as lists."""
    if isinstance(config, (tuple, list)):
        items = [plain(item) for item in config]
        return tuple(items) if isinstance(config, tuple) else items
    if isinstance(config, dict):
        return {key: plain(value) for key, value in config.items()}
    return serialize(config)


def deserialize(config: object, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Create the object that `serialize` described.

    Args:
      config: the description.
      custom_objects: classes and functions by name.

    Returns:
      The object; values without a description as they are.

    Raises: TypeError if no class or function has the name.

    >>> deserialize({"class_name": "__tuple__", "config": {"value": [1, 2]}})
    (1, 2)
    """
    if custom_objects:
        with custom_object_scope(custom_objects):
            return deserialize(config)
    if isinstance(config, list):
        return [deserialize(item) for item in config]
    if not isinstance(config, dict):
        return config
    if "class_name" not in config or "config" not in config:
        return {key: deserialize(value) for key, value in config.items()}
    name, inner = config["class_name"], config["config"]
    if name in _TAGS:
        return _TAGS[name][2](inner)
    module, registered = config.get("module"), config.get("registered_name")
    if name == "function":
        return _located(module, inner, registered)
    kind = _located(module, name, registered)
    obj = kind.from_config(inner)
    for part in ("build", "compile"):
        details = config.get(f"{part}_config")
        restore = getattr(obj, f"{part}_from_config", None)
        if details and restore is not None:
            restore(details)
    return obj


def create(kind: Callable[..., Created], config: Mapping[str, Any]) -> Created:
    """Call a class with the arguments in a config.

    Raises: TypeError that says what to change, if the constructor does not take these arguments.

    >>> create(complex, {"real": 1, "imag": 2})
    (1+2j)
    """
    try:
        return kind(**{name: deserialize(value) for name, value in config.items()})
    except TypeError as error:
        name = getattr(kind, "__name__", str(kind))
        raise TypeError(
            f"Cannot create {name} from the config {config}: {error}. {_remedy(kind, config)}"
        ) from error


def _remedy(kind: Any, config: Mapping[str, Any]) -> str:
    """Return how a constructor takes a config: its base class may add arguments to it."""
    unknown = config.keys() - inspect.signature(kind.__init__).parameters
    bases = [inspect.signature(base.__init__).parameters for base in kind.__mro__[1:]]
    if unknown and any(unknown <= parameters.keys() for parameters in bases):
        return (
            f"Let `{kind.__name__}.__init__` take `**kwargs`, and call "
            "`super().__init__(**kwargs)`."
        )
    return "`get_config()` returns the arguments of the constructor."


def _public_place(path: str) -> Any:
    """Load and return the public module at a path such as `runtime.keras.layers`; None: no such."""
    place: Any = sys.modules[_PACKAGE]
    for part in path.split(".")[2:]:
        place = getattr(place, part, None)
    return place


def _located(module: str | None, name: str, registered_name: str | None) -> Any:
    """Return a class or function of the program, or else of this package."""
    for known in (registered_name, name):
        item = get_registered_object(known) if known else None
        if item is not None:
            return item
    module = module or "keras.layers"
    if module.partition(".")[0] == "keras":
        own = f"runtime.{module.replace('keras.src.', 'keras.')}"
        places = map(_public_place, (own, own.rpartition(".")[0], _PACKAGE))
        found = next((getattr(place, name) for place in places if hasattr(place, name)), None)
        if str(getattr(found, "__module__", "")).startswith(f"{_PACKAGE}."):
            return found
    raise TypeError(
        f"Could not locate '{registered_name or name}'. Make sure that custom classes and "
        "functions are decorated with `@keras.saving.register_keras_serializable()`, or pass "
        f"them: custom_objects={{'{name}': {name.rpartition('>')[2]}}}."
    )
