"""What converted code calls in place of a function: `ag__.converted(f)(x)` for `f(x)`.

Nothing of the user's runs while that is decided: callables are asked for their exact class, and
what a class defines is looked up in the dictionaries of its bases.

Methods are converted where they are called by name. For what Python itself calls, for instance the
getter of a property or `__add__`, a class that is met while something is traced is handed on.
"""

from __future__ import annotations

import functools
import operator
import os
import sys
from collections import deque
from collections.abc import Callable
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

from autograph.code_objects import CONVERTED, names_in, tests_identity
from autograph.errors import StagingError
from autograph.names import OPERATORS
from autograph.operators.aliases import after_change, before_change
from autograph.operators.builtins import overload_of
from autograph.operators.frames import leave_out
from autograph.operators.items import method_of_container
from autograph.operators.moved import resolve, with_items
from autograph.operators.sorted_lists import MODULES as SORTED_LISTS
from autograph.operators.sorted_lists import PARTS, PROGRAMS
from autograph.operators.texts import method_overload, overload_of_print, refusing_symbols
from autograph.operators.world import MODULES, Effect, check_call, row_of
from autograph.staging import is_one_of, ongoing, optional, trace, watched

Convert = Callable[[FunctionType], Any]
Meet = Callable[[type], None]
Overload = Callable[[Any, Callable[[Any], Any]], Callable[..., Any] | None]


class Known:
    """Remembers, on a function, what to call in its place.

    Decorators copy the attributes of a function to others, so it names the function it is for. A
    function that is called itself is named by its number: a reference would keep it alive.
    """

    __slots__ = ("converted", "number", "owner", "target", "token")

    def __init__(self, owner: Any, token: Any, target: Any) -> None:
        """For `owner`, called with the options that `token` identifies, call `target`."""
        itself = owner is target
        self.owner = None if itself else owner
        self.number = id(owner) if itself else 0
        self.token = token
        self.target = None if itself else target
        self.converted = not itself or (type(owner) is FunctionType and is_converted(owner))

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied or pickled, it remembers nothing."""
        return (Known, (None, None, None))


class Fixed:
    """Says, on a function, that there is nothing to decide, and what to call in its place."""

    __slots__ = ("owner", "target")

    def __init__(self, owner: Any, target: Callable[[], Any] | None) -> None:
        """For `owner`, call what `target` returns; None: `owner` itself."""
        self.owner = owner
        self.target = target

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied or pickled, it says nothing."""
        return (Fixed, (None, None))


KNOWN = "__autograph__"
FIXED = "__autograph_fixed__"


def fix(function: FunctionType, target: Callable[[], Any] | None = None) -> None:
    """Decides for good what converted code calls in place of a function.

    Args:
      function: the function.
      target: returns the callable; None: the function itself.
    """
    function.__dict__[FIXED] = Fixed(function, target)


def forget(function: FunctionType) -> None:
    """Takes off what came along when the attributes of another function were copied."""
    function.__dict__.pop(KNOWN, None)
    function.__dict__.pop(FIXED, None)


def fixed(function: FunctionType) -> Fixed | None:
    """What was decided for good about a function, or None."""
    found = function.__dict__.get(FIXED)
    return found if type(found) is Fixed and found.owner is function else None


def converter_of_calls(
    convert: Convert,
    recursive: bool,
    meet: Meet | None = None,
    prints_values: bool = False,
    traced_overload: Overload | None = None,
) -> Callable[[Any], Any]:
    """The operator `converted` for one set of options.

    Args:
      convert: from a function of the user's to what is called in its place.
      recursive: whether functions that converted code calls are converted too. If not, only
        built-in functions and functions decorated with `convert` are replaced.
      meet: is given the classes whose objects are made or called while something is traced.
      prints_values: whether `print` shows staged values when the program runs, outside staged
        statements too.
      traced_overload: returns what is called in place of a built-in function while something is
        traced, or None; its second argument is this operator.
    """
    own_print = overload_of_print(everywhere=True) if prints_values else None
    token = object()
    meets = meet if recursive else None

    def converted(f: Any) -> Any:
        """The callable to call in place of `f`; `f` itself where nothing is to be converted."""
        target = target_of(f)
        return _splitters[0](target_of, f, target) if ongoing and _is_split(f) else target

    def target_of(f: Any) -> Any:
        if type(f) is FunctionType:
            try:
                known = f.__autograph__  # type: ignore[attr-defined]
                if known.token is token:
                    if known.owner is f:
                        return watched(f, known.target) if ongoing else known.target
                    if known.number == id(f):
                        return watched(f, f) if known.converted and ongoing else with_items(f)
            except AttributeError:
                pass
            return _decide(f)
        return _resolve(f)

    def _decide(function: FunctionType) -> Any:
        if row_of(function) is not None:
            # Nothing is remembered on the function, so each trace comes here again.
            return _watched(function)
        if recursive and function in PROGRAMS:
            return _program(function)
        if recursive and _is_higher_order(function):
            return functools.partial(_call_with_converted, function, converted)
        decided = fixed(function)
        if decided is not None:
            target = function if decided.target is None else decided.target()
        elif not recursive or (stays_python(function) and function not in PARTS):
            target = function
        else:
            target = convert(function)
        known = function.__dict__[KNOWN] = Known(function, token, target)
        return watched(function, target) if known.converted and ongoing else with_items(target)

    def _program(function: Any) -> Any:
        return converted(PROGRAMS[function]) if ongoing else function

    def _resolve(f: Any) -> Any:
        kind = type(f)
        if ongoing:
            found = _watched(f)
            if found is not f:
                return found
            f = _of_items(f)
            kind = type(f)
        if kind is functools._lru_cache_wrapper:
            return watched(f, f) if ongoing else f
        if kind is MethodType:
            function = f.__func__
            if ongoing and hasattr(type(f.__self__), "__autograph_carried__"):
                if f.__name__ in _CHANGING:
                    before_change(f.__self__)
                overload = None if traced_overload is None else traced_overload(f, converted)
                return overload or f
            target = converted(function)
            if ongoing and meets is not None:
                meets(type(f.__self__))
            return f if target is function else MethodType(target, f.__self__)
        if kind is BuiltinFunctionType or kind is type:
            if recursive and f in PROGRAMS:
                return _program(f)
            overload = overload_of(f)
            if ongoing and traced_overload is not None:
                overload = traced_overload(f, converted) or overload
            if overload is not None:
                return own_print if f is print and own_print is not None else overload
            if recursive and (f is functools.reduce or f.__module__ == _CALLING):
                return functools.partial(_call_with_converted, f, converted)
            if ongoing and kind is BuiltinFunctionType:
                return method_overload(f) or f
            if kind is type and recursive:
                if ongoing and meets is not None:
                    meets(f)
                return _constructor(f)
        if ongoing and kind is MethodWrapperType and f.__name__ in _EQUALITY:
            return functools.partial(converted(_EQUALITY[f.__name__]), f.__self__)
        if kind is functools.partial:
            target = converted(f.func)
            if target is f.func and not trace.moved:
                return f
            return functools.partial(with_items(target), *f.args, **f.keywords)
        if kind is staticmethod:
            return converted(f.__func__)
        if not recursive or kind is BuiltinFunctionType:
            return f
        if type(kind) is type and kind in _without_python_code:
            return f
        if ongoing and meets is not None:
            meets(f if is_base(type, kind) else kind)
        if is_base(type, kind):
            return _constructor(f)
        call = _look_up(kind, "__call__")
        if type(call) is not FunctionType:
            if is_static(kind):
                _without_python_code.add(kind)
            return f
        target = converted(call)
        return f if target is call else MethodType(target, f)

    def _constructor(kind: type) -> Any:
        """What `kind(...)` does, with the user's `__new__` and `__init__` converted."""
        if is_static(kind):
            return kind
        if type(kind) is not type:
            call = _look_up(type(kind), "__call__")
            if call is not _TYPE_CALL:
                target = converted(call) if type(call) is FunctionType else call
                return kind if target is call else MethodType(target, kind)
        new, init = _makers(kind)
        new_target = converted(new) if type(new) is FunctionType else new
        init_target = converted(init) if type(init) is FunctionType else init
        if new_target is new and init_target is init:
            return kind
        return functools.partial(_construct, kind, new_target, init_target)

    def _construct(
        kind: type, new: Callable[..., Any], init: Any, /, *args: Any, **kwargs: Any
    ) -> Any:
        made = new(kind, *args, **kwargs)
        own = type(made)
        if own is not kind:
            if not is_base(kind, own):
                return made
            init = _look_up(own, "__init__")
            init = converted(init) if type(init) is FunctionType else init
        result = init(made, *args, **kwargs)
        if result is not None:
            raise TypeError(f"__init__() should return None, not '{type(result).__name__}'")
        return made

    return converted


HIGHER_ORDER = frozenset(
    {"associative_scan", "case", "checkpoint", "cond", "eval_shape", "foldl", "foldr",
     "fori_loop", "grad", "hessian", "jacfwd", "jacrev", "jit", "jvp", "linearize",
     "make_jaxpr", "map", "map_fn", "map_structure", "reduce", "remat", "scan", "switch",
     "switch_case", "tree_map", "value_and_grad", "vectorized_map", "vjp", "vmap",
     "while_loop"}
)  # fmt: skip
"""Names of functions of libraries that call the functions which are given to them."""


_CALLING = "itertools"
"""A module of Python's whose classes call the functions which are given to them."""


def _is_higher_order(function: FunctionType) -> bool:
    return function.__name__ in HIGHER_ORDER and is_known_library(function.__globals__)


def _call_with_converted(
    function: Callable[..., Any], converted: Callable[[Any], Any], /, *args: Any, **kwargs: Any
) -> Any:
    """Call a function of a library with what is called in place of the functions given to it."""

    def given(value: Any) -> Any:
        kind = type(value)
        if kind is list or kind is tuple:
            return kind(map(given, value))
        if kind is dict:
            return {key: given(item) for key, item in value.items()}
        if is_one_of(value) or isinstance(value, type) or not callable(value):
            return value
        return converted(value)

    try:
        named = {name: given(value) for name, value in kwargs.items()}
        return function(*map(given, args), **named)
    except BaseException as error:
        leave_out(error)
        raise


_CHANGING = frozenset(
    {"append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "update",
     "setdefault", "popitem", "appendleft", "popleft", "extendleft", "rotate", "__setitem__",
     "__delitem__", "__iadd__", "__ior__", "__imul__", "add", "discard", "difference_update",
     "intersection_update", "symmetric_difference_update"}
)  # fmt: skip
"""Methods that change a list or dict."""

_ADDING = frozenset({"add", "update", "setdefault", "__setitem__", "__ior__"})
"""Those that may give a dict new keys, or a set new members."""


def _of_items(f: Any) -> Any:
    """What takes the place of a method of a list or dict, if anything does; else `f` itself.

    Another object may hold the items of a list, and keys may be staged values.
    """
    owner = f.__self__ if type(f) is BuiltinFunctionType else None
    holder = resolve(owner)
    if owner is not None and f.__name__ in _CHANGING:
        if type(owner) is set and f.__name__ == "pop":
            _refuse_pop(owner)
        before_change(holder)
    if holder is not owner:
        return getattr(holder, f.__name__)
    if owner is None:
        return f
    method = method_of_container(f) or f
    adds = f.__name__ in _ADDING and trace.choices.knows(owner)
    return functools.partial(_adding_keys, owner, method) if adds else method


def _adding_keys(owner: Any, method: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a method of a dict that may get new keys by it."""
    try:
        result = method(*args, **kwargs)
        after_change(owner)
        return result
    except BaseException as error:
        leave_out(error)
        raise


def _refuse_pop(members: set[Any]) -> None:
    """Raise for a set from outside of a staged statement: its members are put back after a trace,
    but not in the places in the table of Python's, by which `pop` takes one.
    """
    if trace.reach is not None and trace.reach.holds(members):
        raise StagingError(
            "`pop` of a set takes any member, and is called in a staged statement, which is traced "
            "whether or not it will run.",
            remedy="Take a member out by `discard` or `remove`, or use a list or deque.",
            public=TypeError,
        )


def _watched(function: Any) -> Any:
    """What is called for a function of a library; warns of calls that a trace cannot record."""
    row = check_call(function)
    return refusing_symbols(function) if row and row.effect is Effect.SHOWS else function


_EQUALITY = {"__eq__": operator.eq, "__ne__": operator.ne}
"""Methods whose argument may be a list that another object holds the items of."""

_MISSING = object()
_TYPE_CALL = type.__dict__["__call__"]
bases_of: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__
dictionary_of: Callable[[type], dict[str, Any]] = type.__dict__["__dict__"].__get__


_flags: Callable[[type], int] = type.__dict__["__flags__"].__get__
_HEAP_TYPE = 1 << 9
_without_python_code: set[type] = set()


def is_static(kind: type) -> bool:
    """Whether a class is written in C, for good."""
    return not _flags(kind) & _HEAP_TYPE


# Unlike issubclass, it asks no metaclass: is the second class derived from the first?
is_base: Callable[[type, type], bool] = type.__subclasscheck__


def _look_up(kind: type, name: str) -> Any:
    """What the class defines under a name, without binding it."""
    for base in bases_of(kind):
        found = dictionary_of(base).get(name, _MISSING)
        if found is not _MISSING:
            return found
    return None


_MAKER_KINDS = (FunctionType, BuiltinFunctionType, WrapperDescriptorType)


def _makers(kind: type) -> tuple[Any, Any]:
    """`__new__` and `__init__` of a class, as functions."""
    if type(kind) is type:
        # Python remembers what it found; only what the user binds in a way of his own is not it.
        new, init = _attribute(kind, "__new__"), _attribute(kind, "__init__")
        if type(new) in _MAKER_KINDS and type(init) in _MAKER_KINDS:
            return new, init
    return _function_in(_look_up(kind, "__new__")), _look_up(kind, "__init__")


_attribute: Callable[[type, str], Any] = type.__getattribute__


def _function_in(found: Any) -> Any:
    return found.__func__ if type(found) is staticmethod else found


# ---- what is left alone ----

Splitter = Callable[[Callable[[Any], Any], Any, Any], Callable[..., Any]]
_splitters: list[Splitter] = []


def split_calls_by(splitter: Splitter) -> None:
    """Says what is called where an argument may be one of several; called once, by its module."""
    _splitters.append(splitter)


def _is_split(f: Any) -> bool:
    """Whether a call is one for each value of an argument that is one of several.

    Converted code asks for None by operators, but for parameters. Methods of lists and dicts, and
    classes, put their arguments away as they are.
    """
    if not optional(trace.library, "chooses_objects", False):
        return False
    if type(f) is MethodType:
        return _is_split(f.__func__)
    if type(f) is FunctionType:
        known = f.__dict__.get(KNOWN)
        target = f if known is None or known.target is None else known.target
        return not is_converted(target) or tests_identity(target.__code__)
    if type(f) is BuiltinFunctionType:
        return not isinstance(f.__self__, list | dict | set | deque)
    return not isinstance(f, type) or is_static(f)


LEFT_ALONE = frozenset(
    {
        "autograph", "runtime",
        "IPython", "_pytest", "astor", "coverage", "gast", "hypothesis", "ipykernel", "jax",
        "jaxlib", "libcst", "matplotlib", "mypy", "numpy", "pandas", "pip", "pkg_resources",
        "pluggy", "pytest", "rich", "scipy", "setuptools", "tensorflow", "torch",
    }
)  # fmt: skip
"""Top-level modules whose functions run as they are: libraries without anything to stage."""

_STANDARD_LIBRARY = os.path.dirname(os.__file__)


def stays_python(function: FunctionType) -> bool:
    """Whether a function runs as it is: it belongs to a known library, or is converted already.

    >>> stays_python(os.path.join)
    True
    """
    return is_converted(function) or is_known_library(function.__globals__)


def is_converted(function: FunctionType) -> bool:
    """Whether a function is converted, or is part of a function or a module that is.

    A module is converted as a whole. In a notebook or at a prompt only the functions that use the
    operators are.
    """
    code, names = function.__code__, function.__globals__
    if CONVERTED in code.co_consts:
        return True
    operators = {name for name in OPERATORS if type(names.get(name)) in _namespaces}
    if operators and names.get("__name__") == "__main__" and "__file__" not in names:
        return not operators.isdisjoint(names_in(code))
    return bool(operators)


def is_known_library(names: dict[str, Any]) -> bool:
    """Whether the names are those of a module whose functions run as they are."""
    name = names.get("__name__")
    root = name.partition(".")[0] if type(name) is str else ""
    return root in LEFT_ALONE or (root in sys.stdlib_module_names and _is_standard(names))


def needs_no_conversion(value: Any) -> bool:
    """Whether calls of a value, or of what a module holds, can be left as they are.

    >>> needs_no_conversion(os), needs_no_conversion(os.path.join), needs_no_conversion(len)
    (True, True, False)
    >>> needs_no_conversion([].append)
    False
    """
    kind = type(value)
    if kind is ModuleType:
        special = value in SORTED_LISTS or value.__name__ in (*MODULES, _CALLING)
        return is_known_library(value.__dict__) and not special
    if row_of(value) is not None or value is functools.reduce:
        return False
    if kind in (FunctionType, BuiltinFunctionType) and (value in PROGRAMS or value in PARTS):
        return False
    if kind is FunctionType:
        if _is_higher_order(value):
            return False
        return fixed(value) is None and stays_python(value)
    if kind is not BuiltinFunctionType or overload_of(value) is not None:
        return False
    # A method of a list may change it; a function of a module has the module there.
    return type(value.__self__) in (ModuleType, type(None))


def _is_standard(names: dict[str, Any]) -> bool:
    # A program may have a module with the name of one of Python's.
    file = names.get("__file__")
    return type(file) is not str or (
        file.startswith(_STANDARD_LIBRARY) and "site-packages" not in file
    )


_namespaces: set[type] = set()


def mark_converted_modules_by(namespace: type) -> None:
    """Modules whose global `ag__`, `ag__1`, ... is of this class count as converted."""
    _namespaces.add(namespace)
