"""Subscripts: `a[i]` as a value and as a target.

The index may be staged although `a` is a Python list. And `a` may be an immutable tensor: then an
assignment to its item rebinds the variable, attribute or item that refers to `a`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph.errors import StagingError
from autograph.operators.aliases import after_change, before_change
from autograph.operators.attributes import delete_attribute
from autograph.operators.frames import leave_out
from autograph.operators.moved import check_searched, held, resolve
from autograph.operators.sizes import program_method
from autograph.operators.sorted_lists import compares_as_tuple
from autograph.operators.world import refuse_store
from autograph.staging import (
    ATOMS,
    PLAIN,
    StagingLibrary,
    is_one_of,
    library_among,
    library_of,
    library_within,
    ongoing,
    optional,
    trace,
)
from autograph.values import Value


class _Index:
    """An object that returns its index: `s_[1:2, ...]` is `(slice(1, 2), ...)`."""

    def __getitem__(self, index: object) -> Any:
        return index


s_ = _Index()


def get_item(target: Value, index: Value) -> Any:
    """Return `target[index]`.

    >>> get_item([1, 2], -1)
    2
    """
    try:
        if ongoing:
            target = resolve(target)
        if type(index) in ATOMS:
            return target[index]
        if is_one_of(index) and not hasattr(type(target), "__autograph_checks_index__"):
            return index.__autograph_split__(partial(get_item, target))
        library = _library_for(target, index)
        if library is not None:
            item = _method(library, target)(target, index)
            if item is not NotImplemented:
                return item
        return target[index]
    except BaseException as error:
        leave_out(error)
        raise


METHODS: dict[type, frozenset[str]] = {
    list: frozenset({"count", "extend", "index", "insert", "pop", "remove"}),
    dict: frozenset({"get"}),
}
"""Methods of Python's containers that read values, which may be staged."""

SEARCHES = ("index", "count")
"""Methods that compare items. Of tuples, and of objects, see `ordering`."""


def method_of_container(method: Any) -> Callable[..., Any] | None:
    """Return the replacement of a list or dict method; None if it has none.

    >>> method_of_container({1: 2}.get)(1)
    2
    >>> method_of_container([].append) is None
    True
    """
    owner, name = method.__self__, method.__name__
    for kind, names in METHODS.items():
        if isinstance(owner, kind):
            if name in names and not (name in SEARCHES and _are_compared(owner)):
                return partial(_call_method, method)
            if type(owner) is kind and name in BY_METHOD:
                return partial(BY_METHOD[name], owner)
    return None


def _are_compared(items: Value) -> bool:
    """Return whether an item is compared by an `__eq__` of the program, or part by part."""
    return any(compares_as_tuple(type(each)) or program_method(each, "__eq__") for each in items)


def _call_method(method: Any, /, *args: Any, **kwargs: Any) -> Any:
    try:
        owner = method.__self__
        check_searched(method)
        args = tuple(map(held, args))
        if args and is_one_of(args[0]):
            return args[0].__autograph_split__(partial(_with_key, method, args[1:], kwargs))
        if isinstance(owner, dict) and args:  # asked by its key; Python returns any default
            library = library_among(args[0] if type(args[0]) is tuple else args[:1])
        else:
            library = library_among((*args, *kwargs.values()))
        if library is None and isinstance(owner, list):
            library = library_within(owner)
        if library is not None:
            call = _method(library, owner, "call_method")
            result = call(owner, method.__name__, *args, **kwargs)
            if result is not NotImplemented:
                return result
        return method(*args, **kwargs)
    except BaseException as error:
        leave_out(error)
        raise


def _with_key(method: object, others: tuple[Any, ...], kwargs: dict[str, Any], key: Value) -> Any:
    return _call_method(method, key, *others, **kwargs)


def _library_for(target: Value, index: Value) -> StagingLibrary | None:
    """Return the library of a staged index into an unstaged object."""
    kind = type(index)
    if kind in ATOMS:
        return None
    if kind is slice:
        library = library_among((index.start, index.stop, index.step))
    elif kind is tuple:
        library = library_among(index)
    else:
        library = library_of(index)
    return None if library is None or library_of(target) is not None else library


_CONTAINERS = (list, tuple, dict, str, bytes, range)


def _method(library: StagingLibrary, target: object, name: str = "get_item") -> Callable[..., Any]:
    """Return the method of a library for subscripts of Python containers.

    Raises:
      StagingError: if the library has no such method and the target is a list, dict, ...
    """
    method: Callable[..., Any] | None = optional(library, name)
    if method is not None and optional(library, "get_item") is not None:
        return method
    searches = name == "call_method" and not isinstance(target, dict)  # by `==`, which may raise
    if searches or not isinstance(target, _CONTAINERS):
        return lambda *args: NotImplemented
    raise StagingError(
        f"a {type(target).__name__} of Python's gets an index that is a value of "
        f"{library.name}, which cannot choose among Python values.",
        remedy="Index a tensor, or use a Python number.",
        public=TypeError,
    )


def set_item(target: Value, index: Value, value: Value) -> Any:
    """Do `target[index] = value`; return the value of `target` afterwards.

    >>> set_item([1, 2], 0, 5)
    [5, 2]
    """
    try:
        if ongoing:
            target = resolve(target)
        elif type(target) in PLAIN and type(index) in ATOMS:
            target[index] = value
            return target
        if is_one_of(target):
            target[index] = value
            return target
        library = library_of(target)
        if library is not None:
            kind = type(target)
            if hasattr(kind, "__autograph_carried__") and not hasattr(kind, "__autograph_notes__"):
                before_change(target)
            result = library.set_item(target, index, value)
            after_change(target)
            return result
        if is_one_of(index):
            index.__autograph_split__(partial(_store, target, value))
            return target
        library = _library_for(target, index)
        if library is not None:
            before_change(target)
            result = _method(library, target, "set_item")(target, index, value)
            if result is not NotImplemented:
                return result
        if ongoing:
            refuse_store(target)
            before_change(target)
        target[index] = value
        if ongoing:
            after_change(target)
        return target
    except BaseException as error:
        leave_out(error)
        raise


def _store(target: Value, value: Value, index: Value) -> None:
    set_item(target, index, value)


_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.iadd,
    "-": operator.isub,
    "*": operator.imul,
    "/": operator.itruediv,
    "//": operator.ifloordiv,
    "%": operator.imod,
    "**": operator.ipow,
    "@": operator.imatmul,
    "&": operator.iand,
    "|": operator.ior,
    "^": operator.ixor,
    "<<": operator.ilshift,
    ">>": operator.irshift,
}


def update_item(target: object, index: object, op: str, value: Callable[[], Any]) -> Any:
    """Do `target[index] op= value()`, in Python's order; return the value of `target` afterwards.

    >>> update_item([1, 2], 0, "+", lambda: 5)
    [6, 2]
    """
    try:
        item = get_item(target, index)
        operand = value()
        trace.updated = item
        try:
            result = _IN_PLACE[op](item, operand)
        finally:
            trace.updated = None
        return set_item(target, index, result)
    except BaseException as error:
        leave_out(error)
        raise


class _Path(tuple[Any, ...]):
    """One object of a path, with the object that holds it.

    Its parts are the object; the path before it; the attribute or index there; and a function that
    stores another value at that place and returns the object there afterwards. At the start there
    is only the object. Outside of traces the lists and dicts of a path are `_Items`.
    """

    # A tuple is made without a call of Python code.
    __slots__ = ()

    def __getattribute__(self, name: str) -> Any:
        try:
            value = getattr(_part_of(self, 0), name)
            if type(value) in PLAIN and not ongoing:
                return _Items(value)
            return _Path((value, self, name, _put_attribute))
        except BaseException as error:
            leave_out(error)
            raise

    def __getitem__(self, index: object) -> Any:
        try:
            return _step(get_item(_part_of(self, 0), index), self, index, set_item)
        except BaseException as error:
            leave_out(error)
            raise

    def __setitem__(self, index: object, value: object) -> None:
        try:
            own = _part_of(self, 0)
            result = set_item(own, index, value)
            if result is not own:
                _hold(self, result)
        except BaseException as error:
            leave_out(error)
            raise

    def __delattr__(self, name: str) -> None:
        try:
            delete_attribute(_part_of(self, 0), name)
        except BaseException as error:
            leave_out(error)
            raise

    def __delitem__(self, index: Value) -> None:
        try:
            held = _part_of(self, 0)
            if is_one_of(held):
                del held[index]
                return
            if ongoing:
                refuse_store(held)
                before_change(held)
            if is_one_of(index):
                index.__autograph_split__(partial(delete_item, held))
                return
            library = _library_for(held, index)
            if library is not None:
                call = _method(library, held, "call_method")
                if call(held, "__delitem__", index) is not NotImplemented:
                    return
            del held[index]
        except BaseException as error:
            leave_out(error)
            raise


class _Items:
    """A list, dict or the like in a path outside of traces: items are assigned in place.

    Args:
      own: the list or dict.
    """

    __slots__ = ("ag__own",)  # The names of all attributes are the user's.

    def __init__(self, own: Any) -> None:
        self.ag__own = own

    def __getattr__(self, name: str) -> Any:
        return getattr(_Path((self.ag__own,)), name)

    def __getitem__(self, index: object) -> Any:
        try:
            value = self.ag__own[index] if type(index) in ATOMS else get_item(self.ag__own, index)
            kind = type(value)
            if kind is list and not ongoing:
                return _Items(value)
            return value if kind in ATOMS else _step(value, self, index, set_item)
        except BaseException as error:
            leave_out(error)
            raise

    def __setitem__(self, index: object, value: object) -> None:
        try:
            if type(index) in ATOMS:
                self.ag__own[index] = value
            else:
                set_item(self.ag__own, index, value)
        except BaseException as error:
            leave_out(error)
            raise

    def __delattr__(self, name: str) -> None:
        delattr(_Path((self.ag__own,)), name)

    def __delitem__(self, index: object) -> None:
        del _Path((self.ag__own,))[index]


def store_item(target: object, index: object, value: object) -> None:
    """Do `target[index] = value` where no variable can be rebound."""
    at(target)[index] = value


def delete_item(target: object, index: object) -> None:
    """Do `del target[index]`."""
    del at(target)[index]


BY_METHOD: dict[str, Callable[..., Any]] = {
    "__getitem__": get_item,
    "__setitem__": store_item,
    "__delitem__": delete_item,
}
"""From methods of lists and dicts to functions that also take staged indices."""


def _update(function: Callable[[Any, Any], Any], target: Value, value: object, /) -> Any:
    """Call a function such as `operator.iadd`, which changes a list, dict or set in place."""
    try:
        if ongoing:
            target = resolve(target)
            refuse_store(target)
            before_change(target)
        result = function(target, value)
        if ongoing:
            after_change(target)
        return result
    except BaseException as error:
        leave_out(error)
        raise


OVERLOADS: dict[Callable[..., Any], Callable[..., Any]] = {
    operator.getitem: get_item,
    operator.setitem: store_item,
    operator.delitem: delete_item,
    **{each: partial(_update, each) for each in _IN_PLACE.values()},
}
"""Functions that read and change items."""


def at(value: object) -> Any:
    """Start a path of attributes and items that ends in an item to assign or delete.

    `at(self).w[i] = v` does `self.w[i] = v`, and rebinds `self.w` if it is a tensor.

    >>> row = [1, 2]
    >>> at([row])[0][1] += 5
    >>> row
    [1, 7]
    """
    return _Items(value) if type(value) in PLAIN and not ongoing else _Path((value,))


def _step(value: object, holder: object, key: object, put: Callable[..., Any]) -> Any:
    """Continue a path by an attribute or item; a plain value ends it."""
    if type(value) in ATOMS:
        return value
    if type(value) in PLAIN and not ongoing:
        return _Items(value)
    return _Path((value, holder, key, put))


def _in_place(name: str, function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: object, value: object) -> Any:
        try:
            return function(_own(self), value)
        except BaseException as error:
            leave_out(error)
            raise

    method.__name__ = method.__qualname__ = name
    return method


for _function in _IN_PLACE.values():
    _name = f"__{_function.__name__}__"
    setattr(_Path, _name, _in_place(_name, _function))
    setattr(_Items, _name, _in_place(_name, _function))

_part_of: Callable[[Any, Any], Any] = tuple.__getitem__


def _own(path: object) -> Any:
    """Return the object of a path."""
    return path.ag__own if type(path) is _Items else _part_of(path, 0)


def _put_attribute(owner: object, name: str, value: object) -> Any:
    try:
        setattr(owner, name, value)
        return owner
    except BaseException as error:
        leave_out(error)
        raise


def _hold(path: _Path | _Items, value: object) -> None:
    """Store another value in the holder of a path, unless the object was changed in place."""
    try:
        own = _own(path)
        if value is own or (ongoing and value is resolve(own)):
            return
        origin = () if type(path) is _Items else _part_of(path, slice(1, None))
        if not origin:
            raise StagingError(
                "an item of a tensor is assigned where no variable, attribute or item that holds "
                "the tensor can be assigned.",
                remedy="Write `x[i] = v`, or `x[i, j] = v` for `x[i][j] = v`, as a statement of "
                "its own in the function that `x` is a variable of.",
                public=TypeError,
            )
        holder, key, put = origin
        _hold(holder, put(_own(holder), key, value))
    except BaseException as error:
        leave_out(error)
        raise
