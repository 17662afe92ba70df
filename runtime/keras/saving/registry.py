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

_PACKAGE = "runtime.keras"
_MODULES = {
    "keras.base": "keras.layers",
    "keras.models": "keras",
    "keras.ops": "keras.src.ops.numpy",
    "keras.optimizers.schedules": "keras.optimizers.schedules",
    "keras.saving": "keras",
}
"""Public modules of classes, for those that differ from the place of the class."""

_CLASSES = {
    "DTypePolicy": "keras",
    "Functional": "keras.src.models.functional",
}
"""Public modules of classes that are not those of their neighbors."""

_registry: dict[str, Any] = {}
_names: dict[Any, str] = {}
_scopes: list[dict[str, Any]] = []


def register_keras_serializable(
    package: str = "Custom", name: str | None = None
) -> Callable[[Registered], Registered]:
    """Decorate a class or function so that models that use it can be loaded.

    Args:
      package: prefix of the registered name.
      name: the name after the prefix; None: that of the class or function.

    Raises:
      ValueError: at the decoration, if a class has no `get_config`.

    >>> @register_keras_serializable("mine")
    ... def double(x):
    ...     return 2 * x
    >>> get_registered_name(double), get_registered_object("mine>double") is double
    ('mine>double', True)
    """

    def register(item: Registered) -> Registered:
        full = f"{package}>{name or item.__name__}"
        if inspect.isclass(item) and not hasattr(item, "get_config"):
            raise ValueError(
                f"Cannot register {item.__name__}: a class that can be saved has a `get_config()` "
                "method. Define one that returns the arguments of the constructor."
            )
        _registry[full] = item
        _names[item] = full
        return item

    return register


def get_registered_name(item: Any) -> str:
    """Return the name under which a class or function is registered; its own if it is not."""
    return _names.get(item) or str(item.__name__)


def get_registered_object(name: str, custom_objects: Mapping[str, Any] | None = None) -> Any:
    """Return the class or function of a registered name, or None."""
    for known in (*reversed(_scopes), custom_objects or {}, _registry):
        if name in known:
            return known[name]
    return None


def get_custom_objects() -> dict[str, Any]:
    """Return the registered classes and functions by name; changes of the dict take effect."""
    return _registry


@contextmanager
def custom_object_scope(custom_objects: Mapping[str, Any]) -> Iterator[None]:
    """Make classes and functions known by name inside a `with` statement.

    Args:
      custom_objects: classes and functions by name.

    >>> with custom_object_scope({"Double": dict}):
    ...     get_registered_object("Double") is dict
    True
    """
    _scopes.append(dict(custom_objects))
    try:
        yield
    finally:
        _scopes.pop()


def public_module(kind: Any) -> str | None:
    """Return the public module of a class or function of this package; None for others.

    >>> from runtime.keras.base.policy import DTypePolicy
    >>> public_module(DTypePolicy), public_module(dict)
    ('keras', None)
    """
    module = str(kind.__module__)
    if not module.startswith(f"{_PACKAGE}."):
        return None
    module = module.partition(".")[2]
    public = ".".join(module.split(".")[:2])
    return _CLASSES.get(kind.__name__) or _MODULES.get(module) or _MODULES.get(public, public)


def serialize_keras_object(obj: Any) -> Any:
    """Return an object as JSON-compatible values.

    Args:
      obj: layer, initializer, dtype policy, function, tensor, array, or a structure of them.

    Raises:
      ValueError: for a lambda, whose code cannot be saved.
      TypeError: for an object without `get_config`.

    >>> serialize_keras_object({"rates": (0.1, None)})
    {'rates': {'class_name': '__tuple__', 'config': {'value': [0.1, None]}}}
    """
    if obj is None or isinstance(obj, (str, bool, int, float)):
        return obj
    if isinstance(obj, np.generic):
        return obj.item()
    if isinstance(obj, Mapping):
        return {key: serialize_keras_object(value) for key, value in obj.items()}
    if isinstance(obj, list):
        return [serialize_keras_object(item) for item in obj]
    if isinstance(obj, tf.DType):
        return obj.name
    if isinstance(obj, tf.TensorShape):
        return obj.as_list()
    for kind, (tag, parts) in _TAGGED.items():
        if isinstance(obj, kind):
            return {"class_name": tag, "config": parts(obj)}
    if isinstance(obj, FunctionType):
        return _function_config(obj)
    return _object_config(obj)


def _array_parts(array: Any) -> dict[str, Any]:
    array = np.asarray(array)
    return {"value": array.tolist(), "dtype": array.dtype.name}


_TAGGED: dict[Any, tuple[str, Callable[[Any], Any]]] = {
    tuple: ("__tuple__", lambda value: {"value": [serialize_keras_object(v) for v in value]}),
    bytes: ("__bytes__", lambda value: {"value": value.decode()}),
    slice: (
        "__slice__",
        lambda value: {"start": value.start, "stop": value.stop, "step": value.step},
    ),
    type(...): ("__ellipsis__", lambda value: {}),
    np.ndarray: ("__numpy__", _array_parts),
    tf.Tensor: ("__tensor__", _array_parts),
}

_UNTAGGED: dict[str, Callable[[Any], Any]] = {
    "__bytes__": lambda config: config["value"].encode(),
    "__slice__": lambda config: slice(config["start"], config["stop"], config["step"]),
    "__ellipsis__": lambda config: ...,
    "__numpy__": lambda config: np.array(config["value"], config["dtype"]),
    "__tensor__": lambda config: tf.constant(config["value"], config["dtype"]),
}


def _function_config(function: FunctionType) -> dict[str, Any]:
    if function.__name__ == "<lambda>":
        raise ValueError(
            f"Cannot save a lambda (line {function.__code__.co_firstlineno} of "
            f"{function.__code__.co_filename}): files of models contain no code. Give the function "
            "a name with `def`, and register it with @keras.saving.register_keras_serializable()."
        )
    name = get_registered_name(function)
    module = public_module(function)
    return {
        "module": module or "builtins",
        "class_name": "function",
        "config": name,
        "registered_name": name,
    }


def _object_config(obj: Any) -> dict[str, Any]:
    kind = type(obj)
    if not hasattr(obj, "get_config"):
        raise TypeError(
            f"Cannot serialize object {obj!r} of type {kind}. To be serializable, a class has a "
            "`get_config()` method that returns the arguments of the constructor."
        )
    module = public_module(kind)
    found = {
        "module": module,
        "class_name": kind.__name__,
        "config": plain(obj.get_config()),
        "registered_name": None if module and "src" not in module else get_registered_name(kind),
    }
    for part in ("build", "compile"):
        config = getattr(obj, f"get_{part}_config", lambda: None)()
        if config is not None:
            found[f"{part}_config"] = plain(config)
    return found


def plain(config: Any) -> Any:
    """Return the values of a config; tuples stay tuples, which JSON writes as lists.

    >>> plain({"size": (1, 2)})
    {'size': (1, 2)}
    """
    if isinstance(config, tuple):
        return tuple(plain(item) for item in config)
    if isinstance(config, list):
        return [plain(item) for item in config]
    if isinstance(config, dict):
        return {key: plain(value) for key, value in config.items()}
    return serialize_keras_object(config)


def deserialize_keras_object(
    config: Any, custom_objects: Mapping[str, Any] | None = None, safe_mode: bool = True
) -> Any:
    """Create the object that `serialize_keras_object` described.

    Args:
      config: the description.
      custom_objects: classes and functions by name.
      safe_mode: has no effect; files contain no code in either case.

    Raises:
      TypeError: if no class or function has the name.

    >>> deserialize_keras_object({"class_name": "__tuple__", "config": {"value": [1, 2]}})
    (1, 2)
    """
    if custom_objects:
        with custom_object_scope(custom_objects):
            return deserialize_keras_object(config)
    if isinstance(config, list):
        return [deserialize_keras_object(item) for item in config]
    if not isinstance(config, dict):
        return config
    if "class_name" not in config or "config" not in config:
        return {key: deserialize_keras_object(value) for key, value in config.items()}
    name, inner = config["class_name"], config["config"]
    if name == "__tuple__":
        return tuple(deserialize_keras_object(item) for item in inner["value"])
    if name in _UNTAGGED:
        return _UNTAGGED[name](inner)
    if name == "function":
        return _locate(config.get("module"), inner, config.get("registered_name"))
    return _object_from(config)


def _object_from(config: dict[str, Any]) -> Any:
    kind = _locate(config.get("module"), config["class_name"], config.get("registered_name"))
    if not hasattr(kind, "from_config"):
        raise TypeError(
            f"Cannot create an object of {kind!r} from a config: it has no `from_config()` method."
        )
    obj = kind.from_config(config["config"])
    for part in ("build", "compile"):
        details = config.get(f"{part}_config")
        restore = getattr(obj, f"{part}_from_config", None)
        if details and restore is not None:
            restore(details)
    return obj


def _locate(module: str | None, name: str, registered_name: str | None) -> Any:
    for known in (registered_name, name):
        item = get_registered_object(known) if known else None
        if item is not None:
            return item
    item = library_object(module, name)
    if item is None:
        raise TypeError(
            f"Could not locate '{registered_name or name}'. Make sure that custom classes and "
            "functions are decorated with `@keras.saving.register_keras_serializable()`, or pass "
            f"them: custom_objects={{'{name}': {name.rpartition('>')[2]}}}."
        )
    return item


def library_object(module: str | None, name: str) -> Any:
    """Return a class or function of this package by public module and name, or None.

    >>> library_object("keras.base.policy", "DTypePolicy").__name__
    'DTypePolicy'
    """
    if not module or module.partition(".")[0] != "keras":
        return None
    own_module = f"runtime.{module.replace('keras.src.', 'keras.')}"
    place = sys.modules.get(own_module) or sys.modules.get(_PACKAGE)
    found = vars(place).get(name) or vars(sys.modules[_PACKAGE]).get(name) if place else None
    own = str(getattr(found, "__module__", "")).startswith(f"{_PACKAGE}.")
    return found if own else None
