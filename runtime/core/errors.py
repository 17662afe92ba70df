"""The exceptions that operations and graphs raise, under TensorFlow's names."""

from __future__ import annotations

from typing import Any, Self

from autograph.errors import StagingError as StagingError
from autograph.errors import Unwinding

OK = 0
UNKNOWN = 2
INVALID_ARGUMENT = 3
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15


class OpError(Exception):
    """The base class of errors of operations.

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

    def __init__(
        self, node_def: object, op: object, message: str, error_code: int, *args: object
    ) -> None:
        super().__init__(message)
        self.node_def = node_def
        self.op = op
        self.message = message
        self.error_code = error_code

    def with_message(self, message: str, op: object = None) -> Self:
        """Return the same error with another message."""
        return type(self)(self.node_def, op or self.op, message, self.error_code)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle message and code; the operation stays in its process."""
        return type(self), (None, None, self.message, self.error_code)


class StatusError(OpError):
    """An `OpError` with the error code of its class.

    >>> NotFoundError(None, None, "no such file").error_code
    5
    """

    code: int = UNKNOWN

    def __init__(self, node_def: object, op: object, message: str, *args: object) -> None:
        super().__init__(node_def, op, message, self.code, *args)

    @classmethod
    def of(cls, message: str, op: object = None) -> Self:
        """Return the error with a message, without a definition.

        >>> NotFoundError.of("no such file").message
        'no such file'
        """
        return cls(None, op, message)


class UnknownError(StatusError):
    """A failure without a known cause."""

    code = UNKNOWN


class InvalidArgumentError(StatusError):
    """An operation got an invalid argument."""

    code = INVALID_ARGUMENT


class DTypeMismatchError(InvalidArgumentError, TypeError, ValueError):
    """A tensor does not have the required dtype.

    It is an `InvalidArgumentError`, a `TypeError` and a `ValueError`, so that a program catches it
    alike in eager code, in traced code and in a conversion.

    >>> import runtime as tf
    >>> try:
    ...     tf.constant(1.0) + tf.constant(1)
    ... except TypeError as error:
    ...     print(type(error).__name__)
    DTypeMismatchError
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


class IndexOutOfBoundsError(IncompatibleShapesError, IndexError):
    """An index is not in the range of an axis.

    It is an `InvalidArgumentError`, as in TensorFlow, and Python's `IndexError`, which an array of
    NumPy raises.

    >>> import runtime as tf
    >>> try:
    ...     tf.constant([1, 2])[2]
    ... except IndexError as error:
    ...     print(type(error).__name__)
    IndexOutOfBoundsError
    """


class PositionError(InvalidArgumentError, IndexError):
    """An index of a gather or scatter is out of range, which is Python's `IndexError` in NumPy.

    Programs that print its name print TensorFlow's.

    >>> import runtime as tf
    >>> try:
    ...     tf.gather([1, 2], [2])
    ... except IndexError as error:
    ...     print(type(error).__name__)
    InvalidArgumentError
    """


PositionError.__name__ = InvalidArgumentError.__name__


class AssertionFailedError(InvalidArgumentError, AssertionError):
    """An `assert` of a traced program, or a check of `runtime.debugging`, does not hold.

    It is an `InvalidArgumentError`, as in TensorFlow, and Python's `AssertionError`, which
    `assert` raises in eager code.

    >>> import runtime as tf
    >>> try:
    ...     tf.debugging.assert_positive(tf.constant(-4.0))
    ... except AssertionError as error:
    ...     print(type(error).__name__)
    AssertionFailedError
    """


class DivisionByZeroError(InvalidArgumentError, ZeroDivisionError):
    """A Python number that a staged statement computes is divided by zero.

    It is an `InvalidArgumentError`, as for tensors of ints in TensorFlow, and Python's
    `ZeroDivisionError`. Tensors of floats become infinite or NaN instead.

    >>> import runtime as tf
    >>> issubclass(tf.errors.DivisionByZeroError, ZeroDivisionError)
    True
    """


class ConversionError(TypeError, ValueError):
    """A Python value cannot be converted to a tensor.

    >>> import runtime as tf
    >>> try:
    ...     tf.constant([[1], [2, 3]])
    ... except ValueError as error:
    ...     print(type(error).__name__)
    ConversionError
    """


class VariantError(TypeError, ValueError):
    """A variable has different types on the paths of a staged branch or loop.

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


class NotFoundError(StatusError):
    """A requested entity does not exist."""

    code = NOT_FOUND


class AlreadyExistsError(StatusError):
    """An entity to be created exists already."""

    code = ALREADY_EXISTS


class PermissionDeniedError(StatusError):
    """The program lacks the permission."""

    code = PERMISSION_DENIED


class ResourceExhaustedError(StatusError):
    """Memory or another resource is exhausted."""

    code = RESOURCE_EXHAUSTED


class RecursionDepthError(ResourceExhaustedError, RecursionError):
    """A function of the program recurses deeper than Python allows.

    It is a `ResourceExhaustedError` and Python's `RecursionError`.

    >>> import runtime as tf
    >>> issubclass(tf.errors.RecursionDepthError, RecursionError)
    True
    """


class FailedPreconditionError(StatusError):
    """The state does not allow the operation, for instance a read before the first write."""

    code = FAILED_PRECONDITION


class OutOfRangeError(StatusError):
    """A read past the end."""

    code = OUT_OF_RANGE


class UnimplementedError(StatusError):
    """The operation does not support these arguments."""

    code = UNIMPLEMENTED


class InternalError(StatusError):
    """An invariant of the runtime is broken, for instance a graph fails verification."""

    code = INTERNAL


class UnavailableError(StatusError):
    """A service is unavailable at the moment."""

    code = UNAVAILABLE


class DataLossError(StatusError):
    """Stored data is corrupt."""

    code = DATA_LOSS


class OperatorNotAllowedInGraphError(TypeError):
    """Python asked a symbolic tensor for its value during tracing.

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
"""Description of a tensor that is used after its function, branch or loop."""


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
"""Exceptions of kernels other than `OpError`: invalid arguments, exhausted memory."""


class Raised(Unwinding):
    """Carries an exception of the program out of a graph; engines raise `error` in its place."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(error)
        self.error = error
