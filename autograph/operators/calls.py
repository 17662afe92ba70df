"""Calls in converted code: `ag__.converted(f)(x)` replaces `f(x)`.

The replacement of a callable is found without running user code: by its exact class, and by look-up
in the dictionaries of its bases.

Methods are converted when called by name. For methods that Python calls implicitly, such as a
property getter or `__add__`, each class met during a trace is passed to `meet`.
"""

from __future__ import annotations

import functools
import operator
import re
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

from autograph.code_objects import BY_OPERATORS
from autograph.conversion.class_facts import CACHED, is_base, is_static, look_up
from autograph.conversion.libraries import calls_users, is_known_library, stays_python
from autograph.errors import StagingError
from autograph.operators.aliases import after_change, before_change
from autograph.operators.builtins import OVERLOADS, overload_of
from autograph.operators.callers import COUNTING
from autograph.operators.computed import unchanging
from autograph.operators.frames import leave_out
from autograph.operators.higher_order import (
    CALLED,
    CALLING,
    call_with_called,
    call_with_converted,
    is_higher_order,
)
from autograph.operators.items import method_of_container
from autograph.operators.iterations import end_attempt
from autograph.operators.moved import check_searched, comparing, resolve, with_items
from autograph.operators.replacements import KNOWN, Known, fixed, follow_defaults, has_defaults
from autograph.operators.sorted_lists import MODULES as SORTED_LISTS
from autograph.operators.sorted_lists import PARTS, PROGRAMS
from autograph.operators.texts import method_overload, overload_of_print, refusing_symbols
from autograph.operators.world import MODULES, Effect, check_call, refuse_store, row_of
from autograph.operators.wrappers import is_transform, wrapped_by
from autograph.options import Replacements
from autograph.staging import on_staged_values, ongoing, optional, trace

Convert = Callable[[FunctionType], Any]
Meet = Callable[[type], None]
Overload = Callable[[Any, Callable[[Any], Any]], Callable[..., Any] | None]
Splitter = Callable[[Callable[[Any], Any], object, Any], Callable[..., Any]]


_METHOD_OF_RE = type(re.compile("").match)
"""The class of methods of types that live on the heap, as those of `re`."""


class CallConverter:
    """The operator `converted` for one set of options.

    Args:
      convert: returns the converted form of a user function.
      recursive: whether to convert the functions that converted code calls. If not, replace only
        built-in functions and functions decorated with `convert`.
      meet: is called with each class whose objects are created or called during a trace.
      adopt: is called with each wrapper that a tensor library put around user functions.
      prints_values: whether `print` shows staged values at run time outside staged statements too.
      traced_overload: returns the replacement of a built-in function during a trace, or None. Its
        second argument is `converted`.
      replacements: versions of functions that a library has for its traces.
      split: returns the replacement of a function that splits calls over `Alternatives`; see
        `alternatives.splitting`.
      of_tracers: whether the code is of a library that is written for traced values.
    """

    __slots__ = (
        "_adopt",
        "_convert",
        "_known",
        "_made",
        "_meet",
        "_of_tracers",
        "_overloads",
        "_recursive",
        "_replacements",
        "_split",
        "_token",
        "_traced_overload",
        "converted",
    )

    def __init__(
        self,
        convert: Convert,
        recursive: bool,
        meet: Meet | None = None,
        prints_values: bool = False,
        traced_overload: Overload | None = None,
        adopt: Callable[[Any], None] | None = None,
        replacements: Replacements | None = None,
        split: Splitter | None = None,
        of_tracers: bool = False,
    ) -> None:
        self._adopt = adopt
        self._of_tracers = of_tracers
        self._split = split
        self._replacements = replacements
        self._convert = convert
        self._recursive = recursive
        self._meet = meet if recursive else None
        self._overloads = OVERLOADS
        self._known: dict[Any, Any] = {}  # replacements outside of traces, of what is written in C
        self._made: dict[type, tuple[Any, Any, Any]] = {}  # and of classes
        if prints_values:
            self._overloads = {**OVERLOADS, print: overload_of_print(everywhere=True)}
        self._traced_overload = traced_overload
        self._token = object()
        self.converted = self._operator()

    def _operator(self) -> Callable[[Any], Any]:
        """Return the operator: a function of its own, which Python calls faster than a method."""
        known_builtins = self._known
        made = self._made
        token = self._token

        def converted(f: Any) -> Any:
            """Return the callable to call in place of `f`; `f` itself if that stays as it is."""
            if ongoing:
                return self._while_tracing(f)
            kind = type(f)
            if kind is BuiltinFunctionType and type(f.__self__) is not ModuleType:
                return f  # a method of a list, dict, ...
            if kind is FunctionType or kind is MethodType:
                function: Any = f if kind is FunctionType else f.__func__
                try:
                    known = function.__autograph__
                    if known.token is not token or known.code is not function.__code__:
                        target = self.target_of(function)
                    elif known.owner is function and not known.has_defaults:
                        target = known.target
                    elif known.number == id(function) and (known.converted or not trace.moved):
                        return f
                    else:
                        target = self.target_of(function)
                except AttributeError:
                    target = self.target_of(function)
                if kind is FunctionType:
                    return target
                return f if target is function else MethodType(target, f.__self__)
            if kind is type:
                known = made.get(f)
                if known is not None and known[0] is f.__new__ and known[1] is f.__init__:
                    return known[2]
            if kind is BuiltinFunctionType or kind is type:
                known = known_builtins.get(f)
                if known is not None:
                    return known
                if kind is BuiltinFunctionType or is_static(f):
                    known = known_builtins[f] = self._builtin(f, traced=False)
                    return known
                return self._maker(f)
            return f if kind is _METHOD_OF_RE else self.target_of(f)

        return converted

    def _while_tracing(self, f: object) -> Any:
        if self._replacements is not None:
            replacement = self._replacements.of(f)
            if replacement is not None:
                return replacement
        called = getattr(type(f), "__autograph_called__", None)
        if called is not None:
            f = called(f)
        target = self.target_of(f)
        split = self._split
        return target if split is None or not _is_split(f) else split(self.target_of, f, target)

    def target_of(self, f: object) -> Any:
        """Return the replacement of `f`, without a look at its arguments."""
        if type(f) is FunctionType:
            try:
                known = f.__autograph__  # type: ignore[attr-defined]
                if known.token is self._token and known.code is f.__code__:
                    if known.owner is f:
                        if known.has_defaults or ongoing:
                            follow_defaults(known.target, f)
                        return _traced(f, known.target) if ongoing else known.target
                    if known.number == id(f):
                        if known.converted:
                            return _traced(f, f) if ongoing else f
                        return with_items(f)
            except AttributeError:
                pass
            return self._decide(f)
        return self._resolve(f)

    def _decide(self, function: FunctionType) -> Any:
        if row_of(function) is not None:
            # Not cached: each trace must check the call.
            return self._watched(function)
        if function in COUNTING:
            return COUNTING[function]
        if self._recursive and function in PROGRAMS:
            return self._program(function)
        if self._recursive and is_higher_order(function):
            return functools.partial(call_with_converted, function, self.converted)
        if self._recursive and wrapped_by(function):
            return self._wrapper(function)
        decided = fixed(function)
        if decided is not None:
            target = function if decided.target is None else decided.target()
        elif not self._recursive or (stays_python(function) and function not in PARTS):
            target = function
        else:
            target = self._convert(function)
        known = function.__dict__[KNOWN] = Known(function, self._token, target)
        return _traced(function, target) if known.converted and ongoing else with_items(target)

    def _watched(self, function: Any) -> Any:
        """Return the replacement of a library function; warn of calls that a trace cannot record.

        What is written for traced values reads a clock or a random name once, and means to.
        """
        if self._of_tracers and (row := row_of(function)) and row.effect is Effect.READS:
            return function
        row = check_call(function)
        return refusing_symbols(function) if row and row.effect is Effect.SHOWS else function

    def _program(self, function: Any) -> Any:
        return self.converted(PROGRAMS[function]) if ongoing else function

    def _resolve(self, f: Any) -> Any:
        """Return the replacement of a callable that is no Python function."""
        if ongoing:
            found = self._watched(f)
            if found is not f:
                return found
            f = _of_items(f)
        kind = type(f)
        if kind is CACHED:
            return _traced(f, f) if ongoing else f
        if kind is MethodType:
            return self._method(f)
        if kind is BuiltinFunctionType or kind is type:
            return self._builtin(f, traced=bool(ongoing))
        if ongoing and kind is MethodWrapperType and f.__name__ in _EQUALITY:
            return functools.partial(self.converted(_EQUALITY[f.__name__]), f.__self__)
        if kind is functools.partial:
            target = self.converted(f.func)
            if target is f.func and not trace.moved:
                return f
            return functools.partial(with_items(target), *f.args, **f.keywords)
        if kind is staticmethod:
            return self.converted(f.__func__)
        if kind is operator.methodcaller:
            return functools.partial(_call_method, f, self.converted)
        if not self._recursive:
            return f
        return self._wrapper(f) if wrapped_by(f) else self._instance(f)

    def _wrapper(self, f: Any) -> Any:
        """Return what to call in place of a library's wrapper: the functions inside are adopted."""
        if self._adopt is not None:
            self._adopt(f)
        return f if ongoing else functools.partial(_call_wrapper, f)

    def _method(self, f: MethodType) -> Any:
        kind = type(f.__self__)
        if ongoing and hasattr(kind, "__autograph_carried__"):
            if f.__name__ in _CHANGING:
                before_change(f.__self__)
            return self._overload(f) or f
        target = self.converted(f.__func__)
        self._meet_class(kind)
        return f if target is f.__func__ else MethodType(target, f.__self__)

    def _builtin(self, f: Any, traced: bool) -> Any:
        """Return the replacement of a built-in function, or of a class without a metaclass."""
        if self._recursive and f in PROGRAMS:
            return self._program(f) if traced else f
        overload = (self._overload(f) if traced else None) or self._overloads.get(f)
        if overload is not None:
            return overload
        if self._recursive and f in CALLED:
            return functools.partial(call_with_called, f, self.converted)
        if type(f) is BuiltinFunctionType:
            return self._of_builtin(f) if traced else f
        if not self._recursive:
            return f
        if is_transform(f):
            return functools.partial(call_with_converted, f, self.converted)
        self._meet_class(f)
        return self._constructor(f)

    def _of_builtin(self, f: Any) -> Any:
        """Return the replacement of a built-in function or method without an overload."""
        check_searched(f)
        return method_overload(f) or comparing(f)

    def _overload(self, f: object) -> Callable[..., Any] | None:
        if self._traced_overload is None or not ongoing:
            return None
        return self._traced_overload(f, self.converted)

    def _meet_class(self, kind: type) -> None:
        if ongoing and self._meet is not None:
            self._meet(kind)

    def _instance(self, f: Any) -> Any:
        """Return the replacement of a class with a metaclass, or of an object with `__call__`."""
        kind = type(f)
        if type(kind) is type and kind in _without_python_code:
            return f
        self._meet_class(f if is_base(type, kind) else kind)
        if is_base(type, kind):
            return self._constructor(f)
        call = look_up(kind, "__call__")
        if type(call) is not FunctionType:
            if is_static(kind):
                _without_python_code.add(kind)
            return f
        target = self.converted(call)
        return f if target is call else MethodType(target, f)

    def _constructor(self, kind: type) -> Any:
        """Return a callable that creates a `kind` by its converted `__new__` and `__init__`."""
        if is_static(kind):
            return kind
        if type(kind) is not type:
            call = look_up(type(kind), "__call__")
            if call is not _TYPE_CALL:
                target = self.converted(call) if type(call) is FunctionType else call
                return kind if target is call else MethodType(target, kind)
        new, init = _makers(kind)
        new_target = self.converted(new) if type(new) is FunctionType else new
        init_target = self.converted(init) if type(init) is FunctionType else init
        if new_target is new and init_target is init:
            return kind
        return functools.partial(self._construct, kind, new_target, init_target)

    def _maker(self, kind: type) -> Any:
        """Return the replacement of a class outside of traces; found again by what creates it."""
        new, init = _makers(kind)
        known = self._made.get(kind)
        if known is not None and known[0] is new and known[1] is init:
            return known[2]
        target = self.target_of(kind)
        if target is kind or not any(map(_may_change, (new, init))):
            if len(self._made) >= _MOST_CLASSES:
                self._made.clear()  # otherwise classes created at run time would never be freed
            self._made[kind] = new, init, target
        return target

    def _construct(
        self, kind: type, new: Callable[..., Any], init: Any, /, *args: Any, **kwargs: Any
    ) -> Any:
        try:
            made = new(kind, *args, **kwargs)
            own = type(made)
            if own is not kind:
                if not is_base(kind, own):
                    return made
                init = look_up(own, "__init__")
                init = self.converted(init) if type(init) is FunctionType else init
            result = init(made, *args, **kwargs)
            if result is not None:
                raise TypeError(f"__init__() should return None, not '{type(result).__name__}'")
            return made
        except BaseException as error:
            leave_out(error)
            raise


def _call_wrapper(function: Callable[..., Any], /, *args: object, **kwargs: object) -> Any:
    """Call a library's wrapper outside of traces: the functions inside run converted."""
    try:
        with on_staged_values():
            return function(*args, **kwargs)
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
"""Methods that may add keys to a dict or members to a set."""


def _of_items(f: Any) -> Any:
    """Return the replacement of a list or dict method, or `f` itself.

    The items of a list may have moved to another object, and keys may be staged values.
    """
    owner = f.__self__ if type(f) in (BuiltinFunctionType, MethodWrapperType) else None
    holder = resolve(owner)
    if owner is not None and f.__name__ in _CHANGING:
        if type(owner) is set and f.__name__ == "pop":
            _refuse_pop(owner)
        refuse_store(owner)
        before_change(holder)
    if holder is not owner:
        return getattr(holder, f.__name__)
    if owner is None:
        return f
    method = method_of_container(f) or f
    adds = f.__name__ in _ADDING and trace.choices.knows(owner)
    return functools.partial(_adding_keys, owner, method) if adds else method


def _adding_keys(owner: object, method: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call a method that may add keys to a dict."""
    try:
        result = method(*args, **kwargs)
        after_change(owner)
        return result
    except BaseException as error:
        leave_out(error)
        raise


def _call_method(caller: Any, converted: Callable[[Any], Any], owner: object, /) -> Any:
    """Call the method that an `operator.methodcaller` calls, converted."""
    make, rest = caller.__reduce__()
    keywords = make.keywords if type(make) is functools.partial else {}
    name, *args = (*make.args, *rest) if keywords else rest
    try:
        return converted(getattr(owner, name))(*args, **keywords)
    except BaseException as error:
        leave_out(error)
        raise


def _refuse_pop(members: set[Any]) -> None:
    """Raise for a set from outside of a staged statement.

    After a trace its members are restored, but not their order in the hash table, which `pop` uses.
    """
    if trace.reach is not None and trace.reach.holds(members):
        raise StagingError(
            "`pop` of a set takes any member, and is called in a staged statement, which is traced "
            "whether or not it will run.",
            remedy="Take a member out by `discard` or `remove`, or use a list or deque.",
            public=TypeError,
        )


def _traced(function: Any, target: Any) -> Any:
    """Return what replaces a function of the program in a trace, given its replacement."""
    end_attempt(function)
    target = unchanging(with_items(target))
    library = trace.block or trace.library
    called = getattr(type(library), "called", None)
    return target if called is None else called(library, function, target)


_EQUALITY = {"__eq__": operator.eq, "__ne__": operator.ne}
"""Methods whose argument may be a list with moved items."""

_TYPE_CALL = type.__dict__["__call__"]
_without_python_code: set[type] = set()


_MOST_CLASSES = 4096
_MAKER_KINDS = (FunctionType, BuiltinFunctionType, WrapperDescriptorType)


def _may_change(maker: object) -> bool:
    """Return whether a program may reassign the defaults of a function."""
    return type(maker) is FunctionType and has_defaults(maker)


def _makers(kind: type) -> tuple[Any, Any]:
    """`__new__` and `__init__` of a class, as functions."""
    if type(kind) is type:
        # Fast path by Python's attribute cache; wrong only for user-defined descriptors.
        new, init = _attribute(kind, "__new__"), _attribute(kind, "__init__")
        if type(new) in _MAKER_KINDS and type(init) in _MAKER_KINDS:
            return new, init
    return _function_in(look_up(kind, "__new__")), look_up(kind, "__init__")


_attribute: Callable[[type, str], Any] = type.__getattribute__


def _function_in(found: object) -> Any:
    return found.__func__ if type(found) is staticmethod else found


# ---- splitting, and callables that need no conversion ----


def _is_split(f: object) -> bool:
    """Return whether a call is split over the values of its `Alternatives` arguments.

    Converted code tests for None by operators, except for parameters. Methods of lists and dicts,
    and classes, store their arguments unchanged.
    """
    if not optional(trace.library, "chooses_objects", False):
        return False
    if type(f) is MethodType:
        return _is_split(f.__func__)
    if type(f) is FunctionType:
        if calls_users(f):
            return True
        known = f.__dict__.get(KNOWN)
        target = f if known is None or known.target is None else known.target
        return BY_OPERATORS not in target.__code__.co_consts
    if type(f) is BuiltinFunctionType:
        return not isinstance(f.__self__, list | dict | set | deque)
    return not isinstance(f, type) or is_static(f)


def needs_no_conversion(value: Any) -> bool:
    """Return whether calls of a value, or of the members of a module, can stay unconverted.

    >>> import os
    >>> needs_no_conversion(os), needs_no_conversion(os.path.join), needs_no_conversion(len)
    (True, True, False)
    >>> needs_no_conversion([].append)
    False
    """
    kind = type(value)
    if kind is ModuleType:
        special = value in SORTED_LISTS or value.__name__ in (*MODULES, *CALLING)
        return is_known_library(value.__dict__) and not special
    if row_of(value) is not None or value is functools.reduce or value is functools.cmp_to_key:
        return False
    is_function = kind is FunctionType or kind is BuiltinFunctionType  # asks no metaclass
    if is_function and (value in PROGRAMS or value in PARTS):
        return False
    if kind is FunctionType:
        if is_higher_order(value) or wrapped_by(value):
            return False
        return fixed(value) is None and stays_python(value)
    if kind is not BuiltinFunctionType or overload_of(value) is not None:
        return False
    # A bound built-in method may change its list; a module function is bound to its module.
    return type(value.__self__) in (ModuleType, type(None))
