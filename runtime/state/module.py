"""Modules: objects that hold variables and other modules."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from runtime.core import nest
from runtime.core.context import name_scope
from runtime.core.observed import Observed
from runtime.state.variable import Variable

Method = TypeVar("Method", bound=Callable[..., Any])


class Module(Observed):
    """An object whose attributes hold variables, directly or in lists, tuples, dicts and modules.

    Args:
      name: a Python identifier; None: the class name in snake case.

    Raises: ValueError if `name` is not an identifier.

    >>> import runtime as tf
    >>> class Dense(tf.Module):
    ...     def __init__(self, size, name=None):
    ...         super().__init__(name=name)
    ...         self.w = tf.Variable(tf.ones([size]), name="w")
    ...         self.b = tf.Variable(0.0, name="b")
    ...     def __call__(self, x):
    ...         return tf.reduce_sum(x * self.w) + self.b
    >>> dense = Dense(3)
    >>> [v.name for v in dense.variables], dense.name
    (['b:0', 'w:0'], 'dense')
    """

    __autograph_attributes__ = True  # programs assign attributes to plain modules
    _WALKED_FOR_VARIABLES = True
    _TF_MODULE_IGNORED_PROPERTIES: frozenset[str] = frozenset()
    """Names of attributes that the search for variables skips; subclasses add their own."""

    def __init__(self, name: str | None = None) -> None:
        own = _snake_case(type(self).__name__) if name is None else name
        if not own.isidentifier():
            raise ValueError(
                f"'{own}' is not a valid module name. Module names must be valid Python "
                "identifiers (e.g. a valid class name)."
            )
        self._name = own
        with name_scope(own) as scope:
            self._scope = scope

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    @property
    def name_scope(self) -> name_scope:
        """The name scope of methods decorated with `with_name_scope`."""
        return name_scope(self._scope)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables of the module and its submodules, ordered by attribute name."""
        return tuple(self._held(Variable, {id(self)}))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """The trainable variables."""
        return tuple(variable for variable in self.variables if variable.trainable)

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """The variables that are not trainable."""
        return tuple(variable for variable in self.variables if not variable.trainable)

    @property
    def submodules(self) -> tuple[Module, ...]:
        """All nested modules."""
        return tuple(self._held(Module, {id(self)}))

    def _held(self, kind: type, seen: set[int]) -> Iterator[Any]:
        """Yield the objects of a class that attributes hold, each once; own ones first."""
        inner: list[Module] = []
        for name in sorted(vars(self)):
            if name in self._TF_MODULE_IGNORED_PROPERTIES:
                continue
            for held in _objects(vars(self)[name]):
                if id(held) in seen:
                    continue
                seen.add(id(held))
                if isinstance(held, kind):
                    yield held
                if isinstance(held, Module):
                    inner.append(held)
        for module in inner:
            yield from module._held(kind, seen)

    @classmethod
    def with_name_scope(cls, method: Method) -> Method:
        """Decorate a method to run in the name scope of its module.

        Args:
          method: the method.

        Returns: The wrapped method.

        >>> import runtime as tf
        >>> class Layer(tf.Module):
        ...     @tf.Module.with_name_scope
        ...     def __call__(self):
        ...         return tf.Variable(1.0, name="w")
        >>> Layer()().name
        'layer/w:0'
        """

        @functools.wraps(method)
        def scoped(self: Module, *args: object, **kwargs: object) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped  # type: ignore[return-value]


def _objects(value: object) -> Iterator[Any]:
    """Yield the objects in an attribute."""
    if isinstance(value, dict):
        for key in sorted(value, key=str):
            yield from _objects(value[key])
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _objects(part)
    elif nest.is_nested(value):
        for part in nest.flatten(value):
            yield from _objects(part)
    else:
        yield value


def _snake_case(name: str) -> str:
    """Convert a class name to snake case.

    >>> _snake_case("MyBigModule2D")
    'my_big_module2_d'
    """
    return re.sub(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))", r"_\1", name).lower()
