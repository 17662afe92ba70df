"""What is converted: the Python functions of callables and classes, and converted functions."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from autograph.conversion.class_facts import CACHED
from autograph.conversion.libraries import is_known_library
from autograph.operators.computed import line_of_cached
from autograph.operators.frames import PASSERS, leave_out
from autograph.operators.replacements import fixed, follow_defaults
from autograph.options import ConversionOptions


class ConvertedFunction(functools.partial):  # type: ignore[type-arg]
    """The result of `to_graph`: a callable that can be pickled.

    Pickle stores a plain function by name, and a converted function has the name of the original.
    This object is pickled as original and options, and converted again on load.
    """

    __wrapped__: Any
    __qualname__: str
    _entity: Any
    _options: ConversionOptions
    _again: Callable[[object, ConversionOptions], Any]

    def __new__(
        cls,
        function: Callable[..., Any],
        entity: object,
        options: ConversionOptions,
        again: Callable[[object, ConversionOptions], Any],
    ) -> ConvertedFunction:
        """Wrap the converted form of `entity` under `options`; `again` converts it anew."""
        self = super().__new__(cls, function)
        functools.update_wrapper(self, function)
        self.__dict__.update(__wrapped__=entity, _entity=entity, _options=options, _again=again)
        return self

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Bind to an instance as a function does."""
        return self if instance is None else MethodType(self, instance)

    def __reduce__(self) -> Any:
        """Pickle by its own name if that name refers to it, else as original and options."""
        if _named(self.__module__, self.__qualname__) is self:
            return self.__qualname__
        return self._again, (self._entity, self._options)

    def __repr__(self) -> str:
        """Name the original."""
        return f"<converted {self.__wrapped__!r}>"

    @property
    def __code__(self) -> Any:
        """The code of the converted function."""
        return self.func.__code__

    @property
    def __globals__(self) -> Any:
        """The globals of the converted function."""
        return self.func.__globals__

    @property
    def __closure__(self) -> Any:
        """The closure of the converted function."""
        return self.func.__closure__

    @property
    def __defaults__(self) -> Any:
        """The default values of the converted function."""
        return self.func.__defaults__

    @property
    def __kwdefaults__(self) -> Any:
        """The default values of keyword-only parameters of the converted function."""
        return self.func.__kwdefaults__


class ConvertedWithDefaults(ConvertedFunction):
    """A converted function with the defaults of its original, which a program may reassign."""

    def __call__(self, /, *args: object, **kwargs: object) -> Any:
        """Call the function with the current defaults of the original."""
        try:
            entity = self._entity
            original = entity if type(entity) is FunctionType else function_of(entity)
            follow_defaults(getattr(self.func, "__func__", self.func), original)
            return super().__call__(*args, **kwargs)
        except BaseException as error:
            leave_out(error)
            raise

    PASSERS.add(__call__.__code__)


def _named(module: str, qualname: str) -> Any:
    found: Any = sys.modules.get(module)
    for name in qualname.split("."):
        found = getattr(found, name, None)
    return found


def of_user(entity: object) -> Any:
    """Return the function that a library object wraps, if calling the object runs library code."""
    if isinstance(entity, MethodType) and not isinstance(entity.__func__, FunctionType):
        return of_user(entity.__func__)
    call = inspect.getattr_static(type(entity), "__call__", None)
    of_library = not isinstance(call, FunctionType) or is_known_library(call.__globals__)
    wrapped = getattr(entity, "__wrapped__", None)
    is_function = isinstance(entity, (FunctionType, MethodType, staticmethod, classmethod))
    return of_user(wrapped) if of_library and callable(wrapped) and not is_function else entity


def function_of(entity: object) -> FunctionType:
    """Return the Python function that a callable runs, as its author wrote it."""
    if isinstance(entity, FunctionType):
        decorated = fixed(entity)
        original = entity.__dict__.get("__wrapped__")
        is_ours = decorated is not None and decorated.target is not None
        return original if is_ours and isinstance(original, FunctionType) else entity
    if isinstance(entity, ConvertedFunction):
        return function_of(entity.__wrapped__)
    if isinstance(entity, functools.partial):
        return function_of(entity.func)
    if isinstance(entity, (MethodType, staticmethod, classmethod)):
        return function_of(entity.__func__)
    if type(entity) is CACHED:
        name = getattr(entity, "__qualname__", "f")
        raise TypeError(
            f"`{name}` caches its results by functools, which a converted function cannot: tensors "
            f"are no keys.\n  {line_of_cached(entity)}\n"
            f"Convert `{name}.__wrapped__`, or a function that calls it."
        )
    call = inspect.getattr_static(type(entity), "__call__", None)
    if isinstance(call, FunctionType):
        return function_of(call)
    raise TypeError(
        f"{entity!r} is no Python function, method, lambda, class or object with a __call__ "
        "written in Python, so there is no text to convert"
    )


def instance_of(entity: object) -> Any:
    """Return the object that a callable passes as `self`; None for functions."""
    if isinstance(entity, MethodType):
        return entity.__self__
    return None if isinstance(entity, (FunctionType, staticmethod, classmethod)) else entity


def _functions_of(value: object) -> list[FunctionType]:
    """Return the functions of one class attribute."""
    if isinstance(value, FunctionType):
        return [function_of(value)]
    if isinstance(value, (staticmethod, classmethod)):
        return _functions_of(value.__func__)
    if isinstance(value, property):
        parts = (value.fget, value.fset, value.fdel)
        return [each for part in parts for each in _functions_of(part)]
    if isinstance(value, functools.cached_property):
        return _functions_of(value.func)
    return []


def written_in(entity: type, value: object) -> list[FunctionType]:
    """Return the user-written functions of one class attribute.

    Functions that a library added (`Enum`) or generated (`dataclass`) are left out.
    """
    return [each for each in _functions_of(value) if not _is_generated(each, entity)]


def _is_generated(function: FunctionType, owner: type) -> bool:
    code = function.__code__
    own = code.co_qualname.startswith(f"{owner.__qualname__}.")
    return is_known_library(function.__globals__) or (code.co_filename == "<string>" and not own)
