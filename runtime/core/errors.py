"""The exceptions that operations and graphs raise, under TensorFlow's names."""

from __future__ import annotations

from typing import Any, Self

from autograph.errors import StagingError as StagingError

OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15
UNAUTHENTICATED = 16


class OpError(Exception):
    """An operation failed.

    Args:
      node_def: the operation's definition, or None.
      op: the operation, or None where there is none because it ran eagerly.
      message: what happened.
      error_code: one of the numbers of this module.
      args: taken, without effect.

    >>> raise InvalidArgumentError(None, None, "indices[0] = 3 is not in [0, 2)")
    Traceback (most recent call last):
    ...
    runtime.errors.InvalidArgumentError: indices[0] = 3 is not in [0, 2)
    """

    def __init__(self, node_def: Any, op: Any, message: str, error_code: int, *args: Any) -> None:
        """Stores what failed and why."""
        super().__init__(message)
        self.node_def = node_def
        self.op = op
        self.message = message
        self.error_code = error_code

    def with_message(self, message: str, op: Any = None) -> OpError:
        """The same error with another text, and with the operation if it is given."""
        return type(self)(self.node_def, op or self.op, message, self.error_code)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles message and code; the operation stays in its own process."""
        return type(self), (None, None, self.message, self.error_code)


class StatusError(OpError):
    """An `OpError` whose class tells its code: each of the classes below.

    Args:
      node_def, op, message, args: as in `OpError`.

    >>> NotFoundError(None, None, "no such file").error_code
    5
    """

    code: int = UNKNOWN

    def __init__(self, node_def: Any, op: Any, message: str, *args: Any) -> None:
        """Stores what failed and why."""
        super().__init__(node_def, op, message, self.code, *args)

    @classmethod
    def of(cls, message: str, op: Any = None) -> Self:
        """Return the error with a message, without a definition.

        >>> NotFoundError.of("no such file").message
        'no such file'
        """
        return cls(None, op, message)

    def with_message(self, message: str, op: Any = None) -> StatusError:
        """The same error with another text, and with the operation if it is given."""
        return type(self)(self.node_def, op or self.op, message)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the message; the operation stays in its own process."""
        return type(self), (None, None, self.message)


class CancelledError(StatusError):
    """An operation was cancelled."""

    code = CANCELLED


class UnknownError(StatusError):
    """Something failed of which nothing more is known."""

    code = UNKNOWN


class InvalidArgumentError(StatusError):
    """An operation got an argument that it cannot take."""

    code = INVALID_ARGUMENT


class DTypeMismatchError(InvalidArgumentError, TypeError, ValueError):
    """A tensor does not have the dtype that is needed.

    It is an `InvalidArgumentError`, a `TypeError` and a `ValueError`, so that a program catches it
    alike in eager code, in traced code and in a conversion.

    >>> import runtime as tf
    >>> tf.constant(1.0) + tf.constant(1)
    Traceback (most recent call last):
    ...
    runtime.errors.DTypeMismatchError: ...
    """


class IncompatibleShapesError(InvalidArgumentError, ValueError):
    """The shapes or static values of the inputs do not fit an operation.

    It is an `InvalidArgumentError` and a `ValueError`, so that a program catches it alike in eager
    and in traced code.

    >>> import runtime as tf
    >>> try:
    ...     tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
    ... except ValueError as error:
    ...     print(type(error).__name__)
    IncompatibleShapesError
    """


class AssertionFailedError(InvalidArgumentError, AssertionError):
    """An `assert` of a traced program, or a check of `runtime.debugging`, does not hold.

    It is an `InvalidArgumentError`, as in TensorFlow, and Python's `AssertionError`, which
    `assert` raises in eager code.

    >>> import runtime as tf
    >>> @tf.function
    ... def root(x):
    ...     assert x >= 0.0, "negative"
    ...     return tf.sqrt(x)
    >>> try:
    ...     root(tf.constant(-4.0))
    ... except AssertionError as error:
    ...     print(type(error).__name__)
    AssertionFailedError
    """


class ConversionError(TypeError, ValueError):
    """A Python value stands for no tensor.

    >>> import runtime as tf
    >>> try:
    ...     tf.constant([[1], [2, 3]])
    ... except ValueError as error:
    ...     print(type(error).__name__)
    ConversionError
    """


class VariantError(TypeError, ValueError):
    """A variable has no one type in a staged branch or loop.

    It is a `TypeError` and a `ValueError`, so that a program catches it alike whether a dtype, a
    shape or a structure differs.

    >>> import runtime as tf
    >>> choose = tf.function(lambda x: tf.cond(x > 0.0, lambda: 0.0, lambda: "negative"))
    >>> try:
    ...     choose(tf.constant(1.0))
    ... except TypeError as error:
    ...     print(type(error).__name__)
    VariantError
    """


class DeadlineExceededError(StatusError):
    """Something took longer than it may."""

    code = DEADLINE_EXCEEDED


class NotFoundError(StatusError):
    """Something that was asked for does not exist."""

    code = NOT_FOUND


class AlreadyExistsError(StatusError):
    """Something that was to be made exists."""

    code = ALREADY_EXISTS


class PermissionDeniedError(StatusError):
    """The program may not do what it asked for."""

    code = PERMISSION_DENIED


class ResourceExhaustedError(StatusError):
    """Memory, or another resource, is used up."""

    code = RESOURCE_EXHAUSTED


class RecursionDepthError(ResourceExhaustedError, RecursionError):
    """A function of the program calls itself more deeply than Python allows.

    It is a `ResourceExhaustedError` and Python's `RecursionError`.

    >>> import runtime as tf
    >>> issubclass(tf.errors.RecursionDepthError, RecursionError)
    True
    """


class FailedPreconditionError(StatusError):
    """The state of the system does not allow the operation, for instance before a first write."""

    code = FAILED_PRECONDITION


class AbortedError(StatusError):
    """An operation was broken off, for instance because another one disturbed it."""

    code = ABORTED


class OutOfRangeError(StatusError):
    """Something was read past its end."""

    code = OUT_OF_RANGE


class UnimplementedError(StatusError):
    """The operation exists, but not for these arguments."""

    code = UNIMPLEMENTED


class InternalError(StatusError):
    """The runtime itself is broken: a graph that fails verification, for instance."""

    code = INTERNAL


class UnavailableError(StatusError):
    """Something cannot be reached at the moment."""

    code = UNAVAILABLE


class DataLossError(StatusError):
    """Stored data is damaged."""

    code = DATA_LOSS


class UnauthenticatedError(StatusError):
    """The program has not shown who it is."""

    code = UNAUTHENTICATED


class OperatorNotAllowedInGraphError(TypeError):
    """Python asked a symbolic tensor for a value that it will have only when the graph runs.

    >>> import runtime as tf
    >>> try:
    ...     tf.function(lambda x: float(x))(tf.constant(1.0))
    ... except TypeError as error:
    ...     print(type(error).__name__)
    OperatorNotAllowedInGraphError
    """


class NoArrayInGraphError(OperatorNotAllowedInGraphError, NotImplementedError):
    """NumPy asked a symbolic tensor for its elements.

    >>> import numpy, runtime as tf
    >>> try:
    ...     tf.function(lambda x: numpy.sum(x))(tf.constant([1.0]))
    ... except NotImplementedError as error:
    ...     print(type(error).__name__)
    NoArrayInGraphError
    """


OUT_OF_SCOPE = "is out of scope and cannot be used here"
"""What messages say of a tensor that was kept beyond its function, branch or loop."""


class InaccessibleTensorError(ValueError, TypeError):
    """A symbolic tensor is used outside the function, branch or loop that it belongs to.

    It is a `TypeError` too, which is what such a tensor raises among values.

    >>> import runtime as tf
    >>> kept = []
    >>> @tf.function
    ... def keep(x):
    ...     kept.append(x + 1.0)
    >>> keep(tf.constant(1.0))
    >>> @tf.function
    ... def use():
    ...     return kept[0] * 2.0
    >>> try:
    ...     use()
    ... except ValueError as error:
    ...     print(type(error).__name__)
    InaccessibleTensorError
    """


KERNEL_FAILURES = (ValueError, TypeError, LookupError, ArithmeticError, MemoryError)
"""What kernels raise besides an `OpError`: misfit arguments, exhausted memory."""


class Raised(BaseException):
    """Carries the program's own exception out of a graph; engines raise `error` in its place."""

    def __init__(self, error: BaseException) -> None:
        """Holds the exception."""
        super().__init__(error)
        self.error = error
