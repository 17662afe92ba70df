"""The canonical form of call arguments, independent of how they are passed.

Of a retrace it names the argument that differs, and the remedy.
"""

from __future__ import annotations

import functools
import inspect
import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from inspect import Parameter
from operator import is_
from types import FunctionType, MethodType
from typing import Any

from runtime.core.errors import DTypeMismatchError
from runtime.core.places import user_place
from runtime.core.spec import TensorSpec
from runtime.core.structure import Node, children, flatten, rebuild
from runtime.functions.trace_type import CallType, Identity, Instance, LeafType, Literal, in_words
from runtime.ops.base.convert import convert_to_tensor

_CONTAINERS = (list, tuple, dict)
_BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


class Signature:
    """The parameters of a Python function, with the specs of an input signature, or None.

    Raises: TypeError if the specs do not fit the parameters.
    """

    def __init__(self, function: Callable[..., Any], specs: Any = None) -> None:
        """Read the parameters of the function."""
        self._function = function
        self._written = _written(function)
        self._read()
        self.specs = None if specs is None else _checked_specs(specs)
        self.prescribed = {} if self.specs is None else self._assigned(list(self.specs))

    def _read(self) -> None:
        self._defaults = _defaults_of(self._written)
        self._python = inspect.signature(self._function)

    @property
    def python(self) -> inspect.Signature:
        """The parameters with their current defaults, which a program may reassign."""
        now = _defaults_of(self._written)
        if len(now) != len(self._defaults) or not all(map(is_, now, self._defaults)):
            self._read()
        return self._python

    def _assigned(self, specs: list[Any]) -> dict[str, Any]:
        """Return the spec of each parameter; a tuple of specs for `*args`."""
        assigned: dict[str, Any] = {}
        for name, parameter in self.python.parameters.items():
            if name == "self" and not assigned:
                continue
            if parameter.kind is Parameter.VAR_POSITIONAL:
                assigned[name], specs = tuple(specs), []
            elif parameter.kind in _BY_POSITION and specs:
                assigned[name] = specs.pop(0)
            elif parameter.default is Parameter.empty and parameter.kind in _BY_POSITION:
                raise TypeError(f"input_signature missing type constraint for {name}")
            elif parameter.default is Parameter.empty and parameter.kind is Parameter.KEYWORD_ONLY:
                raise TypeError(
                    f"Since input_signature is defined, keyword-only parameter `{name}` must have "
                    "a default value"
                )
        if specs:
            raise TypeError(
                f"input_signature contains {len(specs)} extra type constraints. Give one for each "
                f"parameter of {name_of(self._function)}{self.python}."
            )
        return assigned

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Return the value of each parameter, defaults included.

        Raises: TypeError if the arguments do not fit the parameters or the input signature.
        """
        python = self.python
        try:
            bound = python.bind(*args, **kwargs)
            bound.apply_defaults()
            arguments = dict(bound.arguments)
            if self.specs is not None:
                self._prescribe(arguments)
        except TypeError as error:
            raise type(error)(*_reworded(error, self._failure(error, args, kwargs))) from None
        return arguments

    def _failure(self, error: TypeError, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        passed = tuple(arg for arg in args if not isinstance(arg, Instance))
        return (
            f"Binding inputs to tf.function failed due to `{_cause(error)}`. Received args: "
            f"{passed} and kwargs: {kwargs} for signature: {self}."
        )

    def _prescribe(self, arguments: dict[str, Any]) -> None:
        for name, value in arguments.items():
            if name in self.prescribed:
                spec = self.prescribed[name]
                if self.python.parameters[name].kind is Parameter.VAR_POSITIONAL:
                    _check_count(name, spec, value)
                arguments[name] = _fitted(name, spec, value)
            elif not isinstance(value, Instance) and name != "self":
                _check_default(name, self.python.parameters[name], value)

    def input_names(self, name: str, value: Any) -> list[str]:
        """Return the input names of an argument, one for each leaf.

        The name of the parameter; entries of `*args` are numbered, entries of `**kwargs` have
        names.
        """
        kind = self.python.parameters[name].kind
        if kind is Parameter.VAR_POSITIONAL:
            parts = [(f"{name}_{number}", part) for number, part in enumerate(value)]
        elif kind is Parameter.VAR_KEYWORD:
            parts = list(value.items())
        else:
            parts = [(name, value)]
        return [label for label, part in parts for _ in flatten(part)[0]]

    def spread(self, arguments: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Convert the result of `bind` to positional and keyword arguments."""
        positional: list[Any] = []
        named: dict[str, Any] = {}
        for name, value in arguments.items():
            kind = self.python.parameters[name].kind
            plain = value.value if isinstance(value, Instance) else value
            if kind is Parameter.VAR_POSITIONAL:
                positional += (v.value if isinstance(v, Instance) else v for v in plain)
            elif kind is Parameter.VAR_KEYWORD:
                named.update(plain)
            elif kind is Parameter.KEYWORD_ONLY:
                named[name] = plain
            else:
                positional.append(plain)
        return positional, named

    def __str__(self) -> str:
        return f"({', '.join(self._shown())})"

    def _shown(self) -> Iterator[str]:
        stars: dict[Any, str] = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}
        before: Any = Parameter.POSITIONAL_OR_KEYWORD
        for name, parameter in self.python.parameters.items():
            if name == "self":
                continue
            if before is Parameter.POSITIONAL_ONLY is not parameter.kind:
                yield "/"
            if parameter.kind is Parameter.KEYWORD_ONLY and before in _BY_POSITION:
                yield "*"
            before = parameter.kind
            if name in self.prescribed:
                yield f"{name}: {in_words(self.prescribed[name])}"
            elif parameter.default is not Parameter.empty:
                yield self._with_default(name, parameter.default)
            else:
                yield f"{stars.get(parameter.kind, '')}{name}"

    def _with_default(self, name: str, default: object) -> str:
        if self.specs is None:
            return f"{name}=<captured_default_value>"
        return f"{name}: {in_words(default)} = <captured_default_value>"


def name_of(function: object) -> str:
    """Return the name of a function, a `functools.partial` aside; else that of the class."""
    while isinstance(function, functools.partial):
        function = function.func
    return getattr(function, "__name__", type(function).__name__)


def _written(function: object) -> FunctionType | None:
    """Return the function whose defaults `inspect.signature` reports, if it has a Python one."""
    while not isinstance(function, FunctionType) or hasattr(function, "__wrapped__"):
        if hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        elif isinstance(function, MethodType):
            function = function.__func__
        elif isinstance(function, functools.partial):
            function = function.func
        else:
            call = inspect.getattr_static(type(function), "__call__", None)
            return call if isinstance(call, FunctionType) else None
    return function


def _defaults_of(function: FunctionType | None) -> tuple[Any, ...]:
    if function is None:
        return ()
    named = function.__kwdefaults__ or {}
    return (function.__defaults__, *named, *named.values())


def _checked_specs(specs: object) -> tuple[Any, ...]:
    if not isinstance(specs, (list, tuple)):
        raise TypeError(f"input_signature must be either a tuple or a list, got {type(specs)}.")
    leaves = flatten(list(specs))[0]
    wrong = [leaf for leaf in leaves if not isinstance(leaf, TensorSpec)]
    if wrong:
        raise TypeError(
            "input_signature must be a possibly nested sequence of TensorSpec objects, got "
            f"invalid args {wrong} with types {list(map(type, wrong))}."
        )
    return tuple(specs)


def _cause(error: TypeError) -> str:
    return error.message if isinstance(error, DTypeMismatchError) else str(error)


def _reworded(error: TypeError, text: str) -> tuple[Any, ...]:
    return (None, None, text) if isinstance(error, DTypeMismatchError) else (text,)


def _check_count(name: str, specs: tuple[Any, ...], values: tuple[Any, ...]) -> None:
    if len(values) < len(specs):
        raise TypeError(f"missing a required argument: '{name}_{len(values)}'")
    if len(values) > len(specs):
        raise TypeError("too many positional arguments")


def _check_default(name: str, parameter: Parameter, value: Any) -> None:
    """Refuse a value that differs from the default: an input signature allows one graph only."""
    if parameter.kind is Parameter.VAR_KEYWORD and value:
        raise TypeError(f"got an unexpected keyword argument '{next(iter(value))}'")
    default = parameter.default
    if default is Parameter.empty or value is default:
        return
    if type(value) is not type(default) or repr(value) != repr(default):
        raise TypeError(
            f"Can not cast {value!r} to {in_words(default)}: `{name}` has no entry in "
            "input_signature, so it keeps its default"
        )


def _fitted(name: str, spec: object, value: object) -> Any:
    if not isinstance(spec, TensorSpec):
        return _fitted_parts(name, spec, value)
    if isinstance(value, TensorSpec):
        found: Any = value
    else:
        try:
            found = convert_to_tensor(value, dtype_hint=spec.dtype)
        except (TypeError, ValueError) as error:
            raise TypeError(f"argument `{name}` must be a tensor {spec}: {error}") from error
    if found.dtype is not spec.dtype or not found.shape.is_compatible_with(spec.dims):
        own = found if isinstance(found, TensorSpec) else found.spec
        raise DTypeMismatchError.of(
            f"Can not cast {own!r} to {spec!r}: argument `{name}` must be {spec} "
            f"(input_signature), but it is {own}",
        )
    return found


def _fitted_parts(name: str, spec: Any, value: Any) -> Any:
    wanted, given = children(spec), children(value)
    assert wanted is not None
    if given is None or any(isinstance(spec, k) != isinstance(value, k) for k in _CONTAINERS):
        kind = type(spec).__name__
        words = f"{kind} type" if type(spec) in (list, tuple) else f"a {kind.capitalize()} type"
        raise TypeError(
            f"Can not cast {value!r} to {words}.: argument `{name}` must have the structure "
            f"{spec!r} (input_signature)"
        )
    if isinstance(spec, dict) and set(spec) == set(value):
        parts = [_fitted(f"{name}[{key!r}]", spec[key], value[key]) for key in spec]
        return rebuild(type(value), wanted[0], parts, value)
    if len(wanted[1]) != len(given[1]) or isinstance(spec, dict):
        what = "keys" if isinstance(spec, dict) else "length"
        raise TypeError(
            f"{value!r} has different {what} with the TraceType {in_words(spec)}.: argument "
            f"`{name}` must have the structure {spec!r} (input_signature)"
        )
    pairs = enumerate(zip(wanted[1], given[1], strict=True))
    parts = [_fitted(f"{name}[{i}]", s, v) for i, (s, v) in pairs]
    return rebuild(type(value), given[0], parts, value)


LOG = logging.getLogger("runtime.function")
"""Logger for each retrace (level INFO), with a warning if they are frequent."""

_FIRST_WARNING = 5
_WINDOW = 100
_COMPARED = 32


def difference(known: Iterable[CallType], new: CallType) -> list[str]:
    """Describe how a call differs from the most similar traced call, one text per argument.

    >>> from runtime.functions.trace_type import call_type
    >>> old, new = call_type({"x": 1, "n": 2})[0], call_type({"x": 1, "n": 3})[0]
    >>> difference([old], new)
    ['`n`: 2 -> 3 (pass a tensor where the value need not decide the graph)']
    """
    recent = deque(known, maxlen=_COMPARED)
    candidates = [_differences(old, new) for old in reversed(recent)]
    return min(candidates, key=len, default=[])


def _differences(old: CallType, new: CallType) -> list[str]:
    before, after = dict(_leaves(old)), dict(_leaves(new))
    texts = []
    for path in {**before, **after}:
        if path not in before or path not in after:
            texts.append(f"`{path}`: another structure")
        elif before[path] != after[path]:
            texts.append(f"`{path}`: {_change(before[path], after[path])}")
    return texts or ["the structure of an argument"]


def _leaves(call: CallType) -> Iterator[tuple[str, LeafType]]:
    types = iter(call.leaves)
    assert call.node is not None
    for name, part in zip(call.node.keys, call.node.parts, strict=True):
        yield from _leaves_of(str(name), part, types)


def _leaves_of(
    path: str, node: Node | None, types: Iterator[LeafType]
) -> Iterator[tuple[str, LeafType]]:
    if node is None:
        yield path, next(types)
        return
    named = isinstance(node.keys, tuple) and len(node.keys) == len(node.parts)
    for position, part in enumerate(node.parts):
        key = node.keys[position] if named else position
        yield from _leaves_of(f"{path}[{key!r}]", part, types)


def _change(old: LeafType, new: LeafType) -> str:
    text = f"{_shown(old)} -> {_shown(new)}"
    if isinstance(old, TensorSpec) and isinstance(new, TensorSpec):
        if old.dtype is new.dtype:
            return f"{text} (reduce_retracing=True or an input_signature covers both shapes)"
        return f"{text} (pass tensors of one dtype)"
    if isinstance(new, Literal) and new.kind in (bool, int, float):
        return f"{text} (pass a tensor where the value need not decide the graph)"
    if isinstance(new, Identity):
        return f"{text} (another object; pass the same object, or tensors)"
    return text


def _shown(kind: LeafType) -> str:
    if not isinstance(kind, Literal):
        return f"{kind}"
    if isinstance(kind.text, frozenset):
        return "{" + ", ".join(sorted(text for _, text in kind.text)) + "}"
    return str(kind.text)


class Retraces:
    """Counts the traces of one function and reports them.

    Attributes:
      count: the number of traces.
      last: the differences that caused the last trace, one text per argument.
    """

    def __init__(self, function: Callable[..., Any], name: str) -> None:
        self._function = function
        self._name = name
        self._at: deque[int] = deque(maxlen=_WINDOW)
        self._warn_at = _FIRST_WARNING
        self.count = 0
        self.last: list[str] = []

    def add(self, causes: list[str], seconds: float, calls: int) -> None:
        """Report one trace, with the differences from earlier calls; none for the first trace."""
        self.count += 1
        self.last = causes
        self._at.append(calls)
        if not causes:
            return
        cause = "; ".join(causes)
        LOG.info("%s is recorded again (%.1f ms): %s", self._name, seconds * 1e3, cause)
        recorded = sum(at > calls - _WINDOW for at in self._at)
        if recorded >= _FIRST_WARNING and self.count >= self._warn_at:
            self._warn_at = 2 * self.count
            self._warn(recorded, min(calls, _WINDOW), seconds, cause)

    def _warn(self, recorded: int, calls: int, seconds: float, cause: str) -> None:
        place = user_place()
        LOG.warning(
            "%d out of the last %d calls to %r triggered tf.function retracing. Tracing is "
            "expensive and the last one took %.1f ms. Its cause: %s.%s",
            recorded,
            calls,
            self._function,
            seconds * 1e3,
            cause,
            f"\n  called at {place}" if place else "",
        )
