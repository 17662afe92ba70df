"""Functions in, converted functions out: what users call."""

from __future__ import annotations

import builtins
import enum
import functools
import inspect
import sys
from collections.abc import Callable, Iterable
from types import CodeType, FunctionType, MethodType
from typing import Any, TypeVar, overload

from autograph import staging
from autograph.conversions import CONVERSIONS, called_from_outside
from autograph.errors import NoSourceError, StaleSourceError, boundary
from autograph.guard import guarded
from autograph.libraries import is_converted, is_known_library, stays_python
from autograph.operators.calls import fix, fixed, forget
from autograph.operators.computed import CACHED, line_of_cached
from autograph.operators.results import PASSERS
from autograph.options import ConversionOptions, Feature, feature_set
from autograph.refusals import remember_function
from autograph.texts import register_text

F = TypeVar("F", bound=Callable[..., Any])
Features = Feature | Iterable[Feature] | None

# ---- text ----


def convert_source(
    text: str,
    *,
    filename: str = "<string>",
    strict: bool = False,
    only: Iterable[str] | None = None,
) -> str:
    """The converted text of a module; nothing in it is executed.

    Args:
      text: Python source.
      filename: the name for error messages.
      strict: refuse a text of which any statement would stay Python.
      only: the qualified names of the functions to convert; None: all.
    Returns: the text with every function converted; a text without anything to convert, or one
      that is converted already, unchanged.
    Raises: SyntaxError if the text is not Python; ConversionError in strict mode.

    >>> convert_source("x = 1")
    'x = 1'
    """
    # The parsers behind it take longer to import than everything else together.
    from autograph import pipeline

    names = None if only is None else frozenset(only)
    conversion = pipeline.convert_text(text, filename=filename, strict=strict, only=names)
    return conversion.text


def to_code(
    entity: Any,
    recursive: bool = True,
    experimental_optional_features: Features = None,
    *,
    source: str | None = None,
    strict: bool = False,
) -> str:
    """The converted text of a function, as a person reads it.

    Args:
      entity: a function, method, lambda, `functools.partial`, object with `__call__`, what a
        library made of a function and names by `__wrapped__`, or a class, which gives the text of
        all its methods.
      recursive: as for `to_graph`; the text is the same.
      experimental_optional_features: as for `to_graph`.
      source: the text that defines the function, where it cannot be found.
      strict: refuse a function of which any statement would stay Python.
    Raises: NoSourceError, StaleSourceError, ConversionError; TypeError if there is no Python
      function in `entity`.
    """
    options = _options(recursive, experimental_optional_features, strict)
    if isinstance(entity, type):
        values = map(_of_user, vars(entity).values())
        functions = [each for value in values for each in _written_in(entity, value)]
        if not functions:
            raise TypeError(f"{entity.__qualname__} defines no methods")
    else:
        functions = [_function_of(_of_user(entity))]
    texts = [CONVERSIONS.conversion(each, options, source).conversion.text for each in functions]
    return "\n".join(texts)


def _of_user(entity: Any) -> Any:
    """What an object of a library wraps, if the library's own code is what it would run."""
    if isinstance(entity, MethodType) and not isinstance(entity.__func__, FunctionType):
        return _of_user(entity.__func__)
    call = inspect.getattr_static(type(entity), "__call__", None)
    of_library = not isinstance(call, FunctionType) or is_known_library(call.__globals__)
    wrapped = getattr(entity, "__wrapped__", None)
    is_function = isinstance(entity, (FunctionType, MethodType, staticmethod, classmethod))
    return _of_user(wrapped) if of_library and callable(wrapped) and not is_function else entity


# ---- functions ----


class ConvertedFunction(functools.partial):  # type: ignore[type-arg]
    """What `to_graph` gives: calls like a function, and can be pickled.

    A plain function could be pickled by name only, and its name is that of the original. This
    one is pickled as the original and the options, and converted again where it is loaded.
    """

    __wrapped__: Any
    __qualname__: str
    _entity: Any
    _options: ConversionOptions

    def __new__(
        cls, function: Callable[..., Any], entity: Any, options: ConversionOptions
    ) -> ConvertedFunction:
        """Wraps a converted function, which `entity` and `options` give again."""
        self = super().__new__(cls, function)
        functools.update_wrapper(self, function)
        self.__dict__.update(__wrapped__=entity, _entity=entity, _options=options)
        return self

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """Binds as a function does, where it stands in a class."""
        return self if instance is None else MethodType(self, instance)

    def __reduce__(self) -> Any:
        """By its own name where that leads here, else by the name of the original."""
        if _named(self.__module__, self.__qualname__) is self:
            return self.__qualname__
        return _convert_again, (self._entity, self._options)

    def __repr__(self) -> str:
        """Says which function it is."""
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


def _convert_again(entity: Any, options: ConversionOptions) -> Any:
    return _converted(entity, options, None)


def _named(module: str, qualname: str) -> Any:
    found: Any = sys.modules.get(module)
    for name in qualname.split("."):
        found = getattr(found, name, None)
    return found


def to_graph(
    entity: Any,
    recursive: bool = True,
    experimental_optional_features: Features = None,
    *,
    source: str | None = None,
    strict: bool = False,
) -> Any:
    """The converted function: stages its control flow, or does what the original does.

    Args:
      entity: a function, method, lambda, `functools.partial` or object with `__call__`; or a
        class, which gives a subclass of the same name with all methods, properties and
        operators converted.
      recursive: convert the functions that it calls too.
      experimental_optional_features: a `Feature` or several.
      source: the text that defines the function, where it cannot be found.
      strict: refuse a function of which any statement would stay Python.
    Raises: NoSourceError, StaleSourceError, ConversionError; TypeError if there is no Python
      function in `entity`.

    >>> space = exec("def double(x):\\n    return 2 * x if x > 0 else x\\n")
    >>> to_graph(space["double"])(4)
    8
    """
    options = _options(recursive, experimental_optional_features, strict)
    if isinstance(entity, ConvertedFunction):
        return entity
    if isinstance(entity, type):
        return _converted_class(entity, options)
    return _converted(entity, options, source)


def _converted(entity: Any, options: ConversionOptions, source: str | None) -> Any:
    if isinstance(entity, functools.partial) and not isinstance(entity, ConvertedFunction):
        function = _converted(entity.func, options, source)
        return functools.partial(function, *entity.args, **entity.keywords)
    function = _convert(_function_of(entity), options, source)
    instance = _instance_of(entity)
    target = function if instance is None else MethodType(function, instance)
    return ConvertedFunction(target, entity, options)


def _convert(function: FunctionType, options: ConversionOptions, source: str | None) -> Any:
    decided = fixed(function)
    if decided is not None:
        return function if decided.target is None else decided.target()
    if source is None and is_converted(function):
        return function
    return CONVERSIONS.entry(function, options, source)


def _options(recursive: bool, features: Features, strict: bool) -> ConversionOptions:
    return ConversionOptions(
        recursive=recursive, optional_features=feature_set(features), strict=strict
    )


def _function_of(entity: Any) -> FunctionType:
    """The Python function that a callable runs, as its author wrote it."""
    if isinstance(entity, FunctionType):
        decorated = fixed(entity)
        original = entity.__dict__.get("__wrapped__")
        is_ours = decorated is not None and decorated.target is not None
        return original if is_ours and isinstance(original, FunctionType) else entity
    if isinstance(entity, ConvertedFunction):
        return _function_of(entity.__wrapped__)
    if isinstance(entity, functools.partial):
        return _function_of(entity.func)
    if isinstance(entity, (MethodType, staticmethod, classmethod)):
        return _function_of(entity.__func__)
    if type(entity) is CACHED:
        name = getattr(entity, "__qualname__", "f")
        raise TypeError(
            f"`{name}` caches its results by functools, which a converted function cannot: tensors "
            f"are no keys.\n  {line_of_cached(entity)}\n"
            f"Convert `{name}.__wrapped__`, or a function that calls it."
        )
    call = inspect.getattr_static(type(entity), "__call__", None)
    if isinstance(call, FunctionType):
        return _function_of(call)
    raise TypeError(
        f"{entity!r} is no Python function, method, lambda, class or object with a __call__ "
        "written in Python, so there is no text to convert"
    )


def _instance_of(entity: Any) -> Any:
    if isinstance(entity, MethodType):
        return entity.__self__
    return None if isinstance(entity, (FunctionType, staticmethod, classmethod)) else entity


# ---- classes ----


def _functions_of(value: Any) -> list[FunctionType]:
    """The functions behind one attribute of a class."""
    if isinstance(value, FunctionType):
        return [_function_of(value)]
    if isinstance(value, (staticmethod, classmethod)):
        return _functions_of(value.__func__)
    if isinstance(value, property):
        parts = (value.fget, value.fset, value.fdel)
        return [each for part in parts for each in _functions_of(part)]
    if isinstance(value, functools.cached_property):
        return _functions_of(value.func)
    return []


def _written_in(entity: type, value: Any) -> list[FunctionType]:
    """The functions behind one attribute of a class that its author wrote.

    Not those that a library put there, as `Enum` does, or generated, as `dataclass` does.
    """
    return [each for each in _functions_of(value) if not _is_generated(each, entity)]


def _is_generated(function: FunctionType, owner: type) -> bool:
    code = function.__code__
    own = code.co_qualname.startswith(f"{owner.__qualname__}.")
    return is_known_library(function.__globals__) or (code.co_filename == "<string>" and not own)


def _converted_class(entity: type, options: ConversionOptions) -> type:
    if issubclass(entity, enum.Enum) and list(entity):
        raise TypeError(
            f"{entity.__qualname__} is an enumeration with members, which has no subclasses: "
            "convert the functions that use it"
        )
    members = {
        name: _converted_member(value, options)
        for name, value in vars(entity).items()
        if _written_in(entity, value)
    }
    members.update(
        __module__=entity.__module__, __qualname__=entity.__qualname__, __doc__=entity.__doc__
    )
    if "__slots__" in vars(entity):
        members["__slots__"] = ()
    return type(entity)(entity.__name__, (entity,), members)


def _converted_member(value: Any, options: ConversionOptions) -> Any:
    if isinstance(value, FunctionType):
        return CONVERSIONS.callee(_function_of(value), options, CONVERSIONS.entry)
    if isinstance(value, (staticmethod, classmethod)):
        return type(value)(_converted_member(value.__func__, options))
    if isinstance(value, property):
        parts = (value.fget, value.fset, value.fdel)
        return property(*(part and _converted_member(part, options) for part in parts))
    if isinstance(value, functools.cached_property):
        return functools.cached_property(_converted_member(value.func, options))
    return value


# ---- decorators ----


@overload
def convert(recursive: F) -> F: ...


@overload
def convert(
    recursive: bool = False,
    optional_features: Features = None,
    user_requested: bool = True,
    strict: bool = False,
) -> Callable[[F], F]: ...


def convert(
    recursive: Any = False,
    optional_features: Features = None,
    user_requested: bool = True,
    strict: bool = False,
) -> Any:
    """A decorator: the function is converted when something in it is to be staged.

    It runs as written as long as no argument is a value that its library stages and no library
    is tracing; then it costs what the original costs, and one look at each argument.

    Args:
      recursive: convert the functions that it calls too.
      optional_features: a `Feature` or several.
      user_requested: has no effect; kept for TensorFlow's signature.
      strict: refuse a function of which any statement would stay Python.
    Raises: at the decoration StaleSourceError, and TypeError for a class; at the first
      conversion ConversionError.

    >>> @convert()
    ... def double(x):
    ...     return 2 * x if x > 0 else x
    >>> double(3)
    6
    """
    if not isinstance(recursive, bool):
        return convert()(recursive)
    options = ConversionOptions(recursive, user_requested, feature_set(optional_features), strict)
    return functools.partial(_decorated, options=options)


class _Entrance:
    """Where a decorated function goes when its arguments hold something new."""

    __slots__ = ("_code", "_convert", "_converted", "_decorated", "_original")

    def __init__(self, original: Callable[..., Any], convert: Callable[[], Any]) -> None:
        self._original = original
        self._convert = convert
        self._converted: Any = None
        self._decorated: FunctionType | None = None
        self._code: CodeType | None = None

    def guards(self, decorated: FunctionType) -> None:
        """Remembers the function in front, and what its code is now."""
        self._decorated = decorated
        self._code = decorated.__code__
        PASSERS.add(self._code)

    def target(self) -> Any:
        """The converted function.

        Raises: StaleSourceError if the function in front has got other code since.
        """
        if self._decorated is not None and self._decorated.__code__ is not self._code:
            raise StaleSourceError(
                f"The code of {self._decorated.__qualname__} was replaced after it was decorated, "
                "as reloading in a notebook does. Run what decorates it again."
            )
        if self._converted is None:
            self._converted = self._convert()
        return self._converted

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        values = (*args, *kwargs.values())
        if staging.stages_nothing(values):
            return self._original(*args, **kwargs)
        if staging.active:
            return self.target()(*args, **kwargs)
        with staging.on_staged_values():
            adopt(*values)
            return called_from_outside(self.target(), *args, **kwargs)

    PASSERS.add(__call__.__code__)


def _decorated(entity: Any, options: ConversionOptions) -> Any:
    if isinstance(entity, FunctionType):
        return _decorated_function(entity, options)
    if isinstance(entity, (staticmethod, classmethod)):
        return type(entity)(_decorated(entity.__func__, options))
    if isinstance(entity, MethodType):
        return MethodType(_decorated(entity.__func__, options), entity.__self__)
    if isinstance(entity, functools.partial):
        function = _decorated(entity.func, options)
        return functools.partial(function, *entity.args, **entity.keywords)
    if isinstance(entity, type):
        raise TypeError(
            f"convert decorates functions, and {entity.__qualname__} is a class: decorate its "
            "methods, or use to_graph, which gives a subclass with all of them converted"
        )
    if not callable(entity):
        raise TypeError(f"convert decorates functions, and {entity!r} cannot be called")
    if not isinstance(inspect.getattr_static(type(entity), "__call__", None), FunctionType):
        return entity  # Written in C: there is nothing to convert.
    entrance = _Entrance(entity, lambda: _converted(entity, options, None))

    @functools.wraps(entity, updated=())
    def call(*args: Any, **kwargs: Any) -> Any:
        return entrance(*args, **kwargs)

    fix(call, entrance.target)  # type: ignore[arg-type]
    return call


def _decorated_function(function: FunctionType, options: ConversionOptions) -> Any:
    if fixed(function) is not None or stays_python(function):
        return function
    entrance = _Entrance(function, lambda: CONVERSIONS.callee(function, options))
    try:
        decorated = guarded(function, entrance)
    except NoSourceError as error:
        if options.strict:
            raise
        remember_function(function.__code__, str(error))
        return function
    entrance.guards(decorated)
    forget(decorated)
    fix(decorated, entrance.target)
    return decorated


def adopt(*values: Any) -> None:
    """Has what Python itself calls in the user's classes converted while something is traced.

    That is the getters of properties, operators such as `__add__`, `__init__` of a base class and
    the like. A tensor library calls it at the beginning of a trace; classes that the traced
    functions name or make objects of need no call. The functions keep their identity, and outside
    of traces they do what they did.

    Args:
      values: objects and classes, for instance the arguments of the function that is traced; what
        objects hold in attributes, lists and dicts counts too.

    >>> adopt([1, 2], {"model": object()})
    """
    with boundary():
        CONVERSIONS.adoption.adopt_types_of({f"value {i}": each for i, each in enumerate(values)})


# ---- programs without a file ----


def exec(
    text: str, namespace: dict[str, Any] | None = None, *, filename: str | None = None
) -> dict[str, Any]:
    """Runs a text as Python's `exec` does, and keeps it, so that its functions can be converted.

    Args:
      text: Python source.
      namespace: where its names go; None: a new one.
      filename: the name of the text in tracebacks; None: a new one, under which they show its
        lines.
    Returns: the namespace.
    Raises: SyntaxError, and whatever the text raises.

    >>> space = exec("def f(x):\\n    return -x if x < 0 else x\\n")
    >>> space["f"](-2)
    2
    """
    space: dict[str, Any] = {"__name__": "<autograph>"} if namespace is None else namespace
    code = compile(text, register_text(text, filename), "exec", dont_inherit=True)
    builtins.exec(code, space)
    return space
