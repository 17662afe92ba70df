"""Functions that share the variables that they make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.compat.v1.collections import GraphKeys, get_collection
from runtime.compat.v1.scopes import VariableScope, variable_scope
from runtime.core.errors import UnimplementedError


class Template:
    """A function that makes its variables in its first call and keeps them."""

    def __init__(self, name: str, func: Callable[..., Any], unique_name: str | None) -> None:
        """Takes the function and the name of its scope."""
        self._func = func
        self._scope: VariableScope | None = None
        self._name = name
        self._unique_name = unique_name

    def create_scope(self) -> None:
        """Fixes the scope of the variables."""
        with variable_scope(self._unique_name, self._name) as scope:
            self._scope = scope

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls the function in the scope. Raises ValueError if a later call makes variables."""
        later = self._scope is not None and bool(self.variables)
        if self._scope is None:
            with variable_scope(self._unique_name, self._name) as self._scope:
                return self._func(*args, **kwargs)
        with variable_scope(self._scope, reuse=later or None):
            return self._func(*args, **kwargs)

    @property
    def name(self) -> str:
        """The name that was asked for."""
        return self._name

    @property
    def func(self) -> Callable[..., Any]:
        """The function."""
        return self._func

    @property
    def variable_scope(self) -> VariableScope | None:
        """The scope of the variables, once it is known."""
        return self._scope

    @property
    def variables(self) -> list[Any]:
        """The variables that were made so far, local ones too."""
        return self._of(GraphKeys.GLOBAL_VARIABLES) + self._of(GraphKeys.LOCAL_VARIABLES)

    @property
    def global_variables(self) -> list[Any]:
        """Those that are not local."""
        return self._of(GraphKeys.GLOBAL_VARIABLES)

    @property
    def trainable_variables(self) -> list[Any]:
        """Those that are trainable."""
        return self._of(GraphKeys.TRAINABLE_VARIABLES)

    def _of(self, key: str) -> list[Any]:
        return [] if self._scope is None else get_collection(key, f"{self._scope.name}/")


def make_template(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Any = None,
    **kwargs: Any,
) -> Template:
    """A function that makes variables in its first call, and has the same ones in later calls.

    Args:
      name_: the scope of the variables, made unique.
      func_: the function; it makes variables by `get_variable`.
      create_scope_now_: whether the scope is fixed now, not in the first call.
      unique_name_: a scope that is not made unique, in place of `name_`.
      custom_getter_: must be None.
      kwargs: arguments that `func_` gets in each call.

    Raises: UnimplementedError for a getter.

    >>> import runtime.compat.v1 as tf
    >>> with tf.Graph().as_default():
    ...     scaled = tf.make_template("scaled", lambda x: x * tf.get_variable("w", []))
    ...     a, b = scaled(tf.constant(1.0)), scaled(tf.constant(2.0))
    ...     [v.name for v in tf.global_variables()]
    ['scaled/w:0']
    """
    if custom_getter_ is not None:
        raise UnimplementedError(
            None, None, "`custom_getter_` is not supported: `get_variable` makes the variables"
        )
    bound = (lambda *args, **own: func_(*args, **{**kwargs, **own})) if kwargs else func_
    template = Template(name_, bound, unique_name_)
    if create_scope_now_:
        template.create_scope()
    return template
