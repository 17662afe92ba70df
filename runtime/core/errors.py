"""The exceptions that operations and graphs raise, under TensorFlow's names."""

from __future__ import annotations

from typing import Any

from autograph.errors import StagingError as StagingError


class OpError(Exception):
    """An operation failed.

    Args:
      node_def: the operation's definition, or None.
      op: the operation, or None where there is none because it ran eagerly.
      message: what happened.

    >>> raise InvalidArgumentError(None, None, "indices[0] = 3 is not in [0, 2)")
    Traceback (most recent call last):
    ...
    runtime.core.errors.InvalidArgumentError: indices[0] = 3 is not in [0, 2)
    """

    def __init__(self, node_def: Any, op: Any, message: str, *args: Any) -> None:
        """Stores what failed and why."""
        super().__init__(message)
        self.node_def = node_def
        self.op = op
        self.message = message

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the message; the operation stays in its own process."""
        return type(self), (None, None, self.message)


class InvalidArgumentError(OpError):
    """An operation got an argument that it cannot take."""


class DTypeMismatchError(InvalidArgumentError, TypeError):
    """Two tensors that must have one dtype have different ones.

    It is an `InvalidArgumentError` and a `TypeError`, so that a program catches it alike in eager
    and in traced code.
    """


class OutOfRangeError(OpError):
    """Something was read past its end."""


class NotFoundError(OpError):
    """Something that was asked for does not exist."""


class FailedPreconditionError(OpError):
    """The state of the system does not allow the operation, for instance before a first write."""


class UnimplementedError(OpError):
    """The operation exists, but not for these arguments."""


class InternalError(OpError):
    """The runtime itself is broken: a graph that fails verification, for instance."""


class OperatorNotAllowedInGraphError(TypeError):
    """Python asked a symbolic tensor for a value that it will have only when the graph runs."""


class InaccessibleTensorError(ValueError):
    """A symbolic tensor is used outside the function, branch or loop that it belongs to."""


class Raised(BaseException):
    """Carries the program's own exception out of a graph; engines raise `error` in its place."""

    def __init__(self, error: BaseException) -> None:
        """Holds the exception."""
        super().__init__(error)
        self.error = error
