"""Objects that hold variables, and other such objects."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from runtime.core import nest
from runtime.core.context import name_scope
from runtime.state.variable import Variable

Method = TypeVar("Method", bound=Callable[..., Any])


class Module:
    """An object whose attributes hold variables, also in lists, tuples, dicts and other modules.

    Args:
      name: the name, a Python identifier; None: that of the class in snake case.

    Raises: ValueError for a name that is no identifier.

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

    def __init__(self, name: str | None = None) -> None:
        """Gives the module its name."""
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
        """The scope in which `with_name_scope` runs a method."""
        return name_scope(self._scope)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables of the module and the modules in it, by the names of the attributes."""
        return tuple(self._flatten(lambda held: isinstance(held, Variable)))

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """The variables that are trainable."""
        return tuple(variable for variable in self.variables if variable.trainable)

    @property
    def non_trainable_variables(self) -> tuple[Variable, ...]:
        """The variables that are not trainable."""
        return tuple(variable for variable in self.variables if not variable.trainable)

    @property
    def submodules(self) -> tuple[Module, ...]:
        """All modules in this one, also in those."""
        return tuple(self._flatten(lambda held: isinstance(held, Module)))

    def _flatten(self, wanted: Callable[[Any], bool]) -> Iterator[Any]:
        """What is wanted among the attributes, each once; first that of the module itself."""
        seen: set[int] = {id(self)}
        pending: list[Module] = [self]
        while pending:
            inner: list[Module] = []
            for held in _held(pending.pop(0)):
                if id(held) in seen or not isinstance(held, (Variable, Module)):
                    continue
                seen.add(id(held))
                if wanted(held):
                    yield held
                if isinstance(held, Module):
                    inner.append(held)
            pending = inner + pending

    @classmethod
    def with_name_scope(cls, method: Method) -> Method:
        """Has a method run in the scope of its module, for the names of what it makes.

        >>> import runtime as tf
        >>> class Layer(tf.Module):
        ...     @tf.Module.with_name_scope
        ...     def __call__(self):
        ...         return tf.Variable(1.0, name="w")
        >>> Layer()().name
        'layer/w:0'
        """

        @functools.wraps(method)
        def scoped(self: Module, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return scoped  # type: ignore[return-value]


def _held(module: Module) -> Iterator[Any]:
    """The objects in the attributes of a module, in the order of the names."""
    for _, value in sorted(vars(module).items()):
        yield from _objects(value)


def _objects(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for key in sorted(value, key=str):
            yield from _objects(value[key])
    elif nest.is_nested(value):
        for part in nest.flatten(value) if not isinstance(value, (list, tuple)) else value:
            yield from _objects(part)
    else:
        yield value


def _snake_case(name: str) -> str:
    """The name of a class as that of a module.

    >>> _snake_case("MyBigModule2D")
    'my_big_module2_d'
    """
    return re.sub(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))", r"_\1", name).lower()
