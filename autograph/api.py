"""The public functions: convert a text, a function or a class."""

from __future__ import annotations

import builtins
import enum
import functools
import inspect
from collections.abc import Callable, Iterable
from types import FunctionType, MethodType
from typing import Any, TypeVar, overload

from autograph import staging
from autograph.adapters.compiling import Compiled, refuse_compiled, refuse_conversion
from autograph.boundary import boundary
from autograph.conversion.cache import Conversions
from autograph.conversion.class_facts import CACHED
from autograph.conversion.entities import (
    ConvertedFunction,
    ConvertedWithDefaults,
    function_of,
    instance_of,
    of_user,
    written_in,
)
from autograph.conversion.entrance import Entrance
from autograph.conversion.guard import guarded
from autograph.conversion.libraries import is_converted, stays_python
from autograph.conversion.refusals import remember_function
from autograph.errors import NoSourceError
from autograph.operators.alternatives import splitting
from autograph.operators.calls import CallConverter
from autograph.operators.computed import line_of_cached
from autograph.operators.namespace import Operators
from autograph.operators.ordering import traced_overload
from autograph.operators.replacements import fix, fixed, forget, has_defaults
from autograph.operators.wrappers import is_transforming, uses_transforms, wrapped_by
from autograph.options import ConversionOptions, Feature, Replacements, feature_set
from autograph.texts import register_text

F = TypeVar("F", bound=Callable[..., Any])
Features = Feature | Iterable[Feature] | None

# ---- the conversions of this process ----


def operators(conversions: Conversions, options: ConversionOptions) -> Operators:
    """Return a new `ag__` object for code that these conversions convert."""
    converter = CallConverter(
        lambda function: conversions.callee(function, options),
        options.recursive,
        conversions.adoption.adopt,
        Feature.BUILTIN_FUNCTIONS in options.optional_features,
        traced_overload,
        conversions.adoption.adopt_wrapped,
        options.replacements,
        splitting,
        options.of_tracers,
    )
    return Operators(converter.converted, (operators_for, (options,)), options.of_tracers)


CONVERSIONS = Conversions(operators)


def operators_for(options: ConversionOptions) -> Operators:
    """Return the `ag__` object for these options; the same object on each call."""
    return CONVERSIONS.operators(options)  # type: ignore[no-any-return]


ag__ = operators_for(ConversionOptions())
"""The operators of modules that were converted ahead of time."""

# ---- text ----


def convert_source(
    text: str,
    *,
    filename: str = "<string>",
    strict: bool = False,
    only: Iterable[str] | None = None,
) -> str:
    """Return the converted text of a module, without executing it.

    Args:
      text: Python source.
      filename: the file name in error messages.
      strict: raise if any statement would stay Python.
      only: qualified names of the functions to convert. None: all.

    Returns:
      The text with every function converted. A text with nothing to convert, or one that is
      already converted, is returned unchanged.

    Raises:
      SyntaxError: if the text is not Python.
      ConversionError: in strict mode, for the first statement that would stay Python.

    >>> print(convert_source("def f(x):\\n    return x and -x"))
    from autograph import ag__
    <BLANKLINE>
    <BLANKLINE>
    def f(x):
        return ag__.and_(x, lambda: -x)
    """
    # Import late: its parsers take longer to import than everything else together.
    from autograph import pipeline

    names = None if only is None else frozenset(only)
    conversion = pipeline.convert_text(text, filename=filename, strict=strict, only=names)
    return conversion.text


def to_code(
    entity: object,
    recursive: bool = True,
    experimental_optional_features: Features = None,
    *,
    source: str | None = None,
    strict: bool = False,
) -> str:
    """Return the converted text of a function.

    Args:
      entity: a function, method, lambda, `functools.partial`, object with `__call__`, a library
        object that refers to its function by `__wrapped__`, or a class. A class returns the text
        of all its methods.
      recursive: has no effect on the text; kept for TensorFlow's signature.
      experimental_optional_features: as for `to_graph`.
      source: the text that defines the function, if it cannot be found.
      strict: raise if any statement would stay Python.

    Returns:
      The converted definition, without the import of `ag__`.

    Raises:
      NoSourceError: if the function has no source text.
      StaleSourceError: if the text found is not the code that is running.
      ConversionError: in strict mode, for the first statement that would stay Python.
      TypeError: if `entity` has no Python function.

    >>> space = exec("def f(x):\\n    return x and -x\\n")
    >>> print(to_code(space["f"]))
    def f(x):
        return ag__.and_(x, lambda: -x)
    <BLANKLINE>
    """
    options = _options(recursive, experimental_optional_features, strict)
    if isinstance(entity, type):
        values = map(of_user, vars(entity).values())
        functions = [each for value in values for each in written_in(entity, value)]
        if not functions:
            raise TypeError(f"{entity.__qualname__} defines no methods")
    else:
        functions = [function_of(of_user(entity))]
    texts = [CONVERSIONS.conversion(each, options, source).conversion.text for each in functions]
    return "\n".join(texts)


# ---- functions ----


def _convert_again(entity: object, options: ConversionOptions) -> Any:
    return _converted(entity, options, None)


def to_graph(
    entity: object,
    recursive: bool = True,
    experimental_optional_features: Features = None,
    *,
    source: str | None = None,
    strict: bool = False,
) -> Any:
    """Convert a function, so that control flow on staged values is staged.

    On plain Python values the converted function does what the original does.

    Args:
      entity: a function, method, lambda, `functools.partial`, object with `__call__`, or class.
      recursive: whether to convert the functions that it calls, too.
      experimental_optional_features: a `Feature` or several.
      source: the text that defines the function, if it cannot be found.
      strict: raise if any statement would stay Python.

    Returns:
      The converted callable. For a class: a subclass of the same name with all methods,
      properties and operators converted.

    Raises:
      NoSourceError: if the function has no source text.
      StaleSourceError: if the text found is not the code that is running.
      ConversionError: in strict mode, for the first statement that would stay Python.
      TypeError: if `entity` has no Python function.

    >>> space = exec("def double(x):\\n    return 2 * x if x > 0 else x\\n")
    >>> to_graph(space["double"])(4)
    8
    """
    refuse_conversion()
    options = _options(recursive, experimental_optional_features, strict)
    if isinstance(entity, ConvertedFunction):
        return entity
    if isinstance(entity, type):
        return _converted_class(entity, options)
    return _converted(entity, options, source)


def _converted(entity: object, options: ConversionOptions, source: str | None) -> Any:
    if isinstance(entity, functools.partial) and not isinstance(entity, ConvertedFunction):
        function = _converted(entity.func, options, source)
        return functools.partial(function, *entity.args, **entity.keywords)
    function = _convert(function_of(entity), options, source)
    instance = instance_of(entity)
    target = function if instance is None else MethodType(function, instance)
    kind = ConvertedWithDefaults if has_defaults(function) else ConvertedFunction
    return kind(target, entity, options, _convert_again)


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


# ---- classes ----


def _converted_class(entity: type, options: ConversionOptions) -> type:
    if issubclass(entity, enum.Enum) and list(entity):
        raise TypeError(
            f"{entity.__qualname__} is an enumeration with members, which has no subclasses: "
            "convert the functions that use it"
        )
    members = {
        name: _converted_member(value, options)
        for name, value in vars(entity).items()
        if written_in(entity, value)
    }
    members.update(
        __module__=entity.__module__, __qualname__=entity.__qualname__, __doc__=entity.__doc__
    )
    if "__slots__" in vars(entity):
        members["__slots__"] = ()
    return type(entity)(entity.__name__, (entity,), members)


def _converted_member(value: object, options: ConversionOptions) -> Any:
    if isinstance(value, FunctionType):
        return CONVERSIONS.callee(function_of(value), options, CONVERSIONS.entry)
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
    recursive: bool = True,
    optional_features: Features = None,
    user_requested: bool = True,
    strict: bool = False,
    replacements: Replacements | None = None,
) -> Callable[[F], F]: ...


def convert(
    recursive: Any = True,
    optional_features: Features = None,
    user_requested: bool = True,
    strict: bool = False,
    replacements: Replacements | None = None,
) -> Any:
    """Decorate a function to be converted when it is called with staged values or in a trace.

    With plain Python arguments, outside of traces, it runs as written. The overhead is one check
    of each argument.

    Args:
      recursive: whether to convert the functions that it calls, too.
      optional_features: a `Feature` or several.
      user_requested: has no effect; kept for TensorFlow's signature.
      strict: raise if any statement would stay Python.
      replacements: a library's own versions of functions that converted code calls.

    Returns:
      The decorated function, or the decorator if the first argument is no function.

    Raises:
      StaleSourceError: at the decoration, if the text found is not the code that is running.
      TypeError: at the decoration, for a class.
      ConversionError: at the first conversion, in strict mode.

    >>> @convert()
    ... def double(x):
    ...     return 2 * x if x > 0 else x
    >>> double(3)
    6
    """
    if not isinstance(recursive, bool):
        return convert()(recursive)
    features = feature_set(optional_features)
    options = ConversionOptions(recursive, user_requested, features, strict, replacements)
    return functools.partial(_decorated, options=options)


def _decorated(entity: object, options: ConversionOptions) -> Any:
    refuse_conversion()
    refuse_compiled(entity)
    if wrapped_by(entity):
        is_entry = is_transforming(entity)
        CONVERSIONS.adoption.adopt_wrapped(entity, always=is_entry)
        return entity if is_entry else _entered(entity, lambda: entity)
    if isinstance(entity, FunctionType):
        return _decorated_function(entity, options)
    if isinstance(entity, (staticmethod, classmethod)):
        return type(entity)(_decorated(entity.__func__, options))
    if isinstance(entity, MethodType):
        return MethodType(_decorated(entity.__func__, options), entity.__self__)
    if isinstance(entity, functools.partial):
        function = _decorated(entity.func, options)
        return functools.partial(function, *entity.args, **entity.keywords)
    library = staging.library_of_class(entity if isinstance(entity, type) else type(entity))
    convert_object = staging.optional(library, "convert_object")
    if convert_object is not None:
        converted = convert_object(entity, functools.partial(_decorated, options=options))
        if converted is not NotImplemented:
            return converted
    if isinstance(entity, type):
        raise TypeError(
            f"convert decorates functions, and {entity.__qualname__} is a class: decorate its "
            "methods, or use to_graph, which gives a subclass with all of them converted"
        )
    if isinstance(entity, (property, functools.cached_property)):
        raise TypeError(
            f"convert decorates functions, and this is a {type(entity).__name__}: write "
            f"@{type(entity).__name__} above @autograph.convert()."
        )
    if not callable(entity):
        raise TypeError(f"convert decorates functions, and {entity!r} cannot be called")
    if isinstance(entity, CACHED):
        line = line_of_cached(entity)
        raise TypeError(
            "convert decorates functions, and this one is cached by functools, which calls it as "
            f"it is written:\n  {line}\nWrite the decorator of functools above "
            "@autograph.convert()."
        )
    if not isinstance(inspect.getattr_static(type(entity), "__call__", None), FunctionType):
        return entity  # Written in C: there is nothing to convert.
    return _entered(entity, lambda: _converted(entity, options, None))


def _entered(entity: Any, convert: Callable[[], Any]) -> Any:
    """Return a function that runs what `convert` gives where there are staged values."""
    entrance = Entrance(entity, convert, adopt)
    enter = Compiled(entity, entrance)

    @functools.wraps(entity, updated=())
    def call(*args: object, **kwargs: object) -> Any:
        return enter(*args, **kwargs)

    fix(call, entrance.target)  # type: ignore[arg-type]
    return call


def _decorated_function(function: FunctionType, options: ConversionOptions) -> Any:
    if fixed(function) is not None or stays_python(function):
        return function
    entrance = Entrance(function, lambda: CONVERSIONS.callee(function, options), adopt)
    try:
        plain = staging.nothing_plain if uses_transforms(function) else staging.plain_types
        decorated = guarded(function, Compiled(function, entrance), plain)
    except NoSourceError as error:
        if options.strict:
            raise
        remember_function(function.__code__, str(error))
        return function
    entrance.guards(decorated)
    forget(decorated)
    fix(decorated, entrance.target)
    return decorated


def adopt(*values: object) -> None:
    """Convert, during traces, the methods of user classes that Python itself calls.

    Examples are property getters, operators such as `__add__`, and `__init__` of a base class. A
    tensor library calls `adopt` at the start of a trace. Classes that the traced functions name or
    instantiate need no call. The functions keep their identity, and run as written outside of
    traces.

    Args:
      values: objects and classes, such as the arguments of the traced function. Objects in their
        attributes, lists and dicts are included.

    >>> adopt([1, 2], {"model": object()})
    """
    with boundary():
        CONVERSIONS.adoption.adopt_types_of({f"value {i}": each for i, each in enumerate(values)})


# ---- programs without a file ----


def exec(
    text: str, namespace: dict[str, Any] | None = None, *, filename: str | None = None
) -> dict[str, Any]:
    """Execute a text as Python's `exec` does, and keep it, so that its functions can be converted.

    Args:
      text: Python source.
      namespace: the globals of the text. None: a new dict.
      filename: the file name in tracebacks. None: a generated name; tracebacks show the lines.

    Returns:
      The namespace.

    Raises:
      SyntaxError: if the text is not Python. Exceptions of the text pass through.

    >>> space = exec("def f(x):\\n    return -x if x < 0 else x\\n")
    >>> space["f"](-2)
    2
    """
    space: dict[str, Any] = {"__name__": "<autograph>"} if namespace is None else namespace
    code = compile(text, register_text(text, filename), "exec", dont_inherit=True)
    builtins.exec(code, space)
    return space
