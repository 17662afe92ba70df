"""Switches of version 1: each says what is always so here, or is an error."""

from __future__ import annotations

from runtime.core.errors import UnimplementedError


def _only(what: str) -> UnimplementedError:
    return UnimplementedError(None, None, what)


def enable_resource_variables() -> None:
    """Makes variables live outside of graphs, as all of them do here.

    >>> enable_resource_variables()
    >>> resource_variables_enabled()
    True
    """


def disable_resource_variables() -> None:
    """Refuses: there is one kind of variables.

    >>> disable_resource_variables()
    Traceback (most recent call last):
    ...
    runtime.errors.UnimplementedError: there are only resource variables
    """
    raise _only("there are only resource variables")


def resource_variables_enabled() -> bool:
    """Whether variables live outside of graphs: always.

    >>> resource_variables_enabled()
    True
    """
    return True


def enable_control_flow_v2() -> None:
    """Makes `cond` and `while_loop` operations that carry graphs, as they always are here.

    >>> enable_control_flow_v2()
    >>> control_flow_v2_enabled()
    True
    """


def disable_control_flow_v2() -> None:
    """Refuses: there is one kind of control flow.

    >>> disable_control_flow_v2()
    Traceback (most recent call last):
    ...
    runtime.errors.UnimplementedError: `cond` and `while_loop` always carry graphs
    """
    raise _only("`cond` and `while_loop` always carry graphs")


def control_flow_v2_enabled() -> bool:
    """Whether `cond` and `while_loop` are operations that carry graphs: always.

    >>> control_flow_v2_enabled()
    True
    """
    return True


def enable_tensor_equality() -> None:
    """Makes `==` compare the elements of tensors, as it always does here.

    >>> enable_tensor_equality()
    """


def disable_tensor_equality() -> None:
    """Refuses: `==` compares the elements of tensors.

    >>> disable_tensor_equality()
    Traceback (most recent call last):
    ...
    runtime.errors.UnimplementedError: `==` always compares elements; compare tensors with `is`
    """
    raise _only("`==` always compares elements; compare tensors with `is`")


def enable_v2_tensorshape() -> None:
    """Makes dimensions of shapes ints or None, as they always are here.

    >>> enable_v2_tensorshape()
    """


def disable_v2_tensorshape() -> None:
    """Refuses: dimensions of shapes are ints or None.

    >>> disable_v2_tensorshape()
    Traceback (most recent call last):
    ...
    runtime.errors.UnimplementedError: dimensions of shapes are always ints or None
    """
    raise _only("dimensions of shapes are always ints or None")
