"""`runtime.errors`: what operations and graphs raise."""

from runtime.core.errors import ALREADY_EXISTS as ALREADY_EXISTS
from runtime.core.errors import DATA_LOSS as DATA_LOSS
from runtime.core.errors import FAILED_PRECONDITION as FAILED_PRECONDITION
from runtime.core.errors import INTERNAL as INTERNAL
from runtime.core.errors import INVALID_ARGUMENT as INVALID_ARGUMENT
from runtime.core.errors import NOT_FOUND as NOT_FOUND
from runtime.core.errors import OK as OK
from runtime.core.errors import OUT_OF_RANGE as OUT_OF_RANGE
from runtime.core.errors import PERMISSION_DENIED as PERMISSION_DENIED
from runtime.core.errors import RESOURCE_EXHAUSTED as RESOURCE_EXHAUSTED
from runtime.core.errors import UNAVAILABLE as UNAVAILABLE
from runtime.core.errors import UNIMPLEMENTED as UNIMPLEMENTED
from runtime.core.errors import UNKNOWN as UNKNOWN
from runtime.core.errors import AlreadyExistsError as AlreadyExistsError
from runtime.core.errors import AssertionFailedError as AssertionFailedError
from runtime.core.errors import ConversionError as ConversionError
from runtime.core.errors import DataLossError as DataLossError
from runtime.core.errors import DivisionByZeroError as DivisionByZeroError
from runtime.core.errors import DTypeMismatchError as DTypeMismatchError
from runtime.core.errors import FailedPreconditionError as FailedPreconditionError
from runtime.core.errors import InaccessibleTensorError as InaccessibleTensorError
from runtime.core.errors import IncompatibleShapesError as IncompatibleShapesError
from runtime.core.errors import IndexOutOfBoundsError as IndexOutOfBoundsError
from runtime.core.errors import InternalError as InternalError
from runtime.core.errors import InvalidArgumentError as InvalidArgumentError
from runtime.core.errors import NoArrayInGraphError as NoArrayInGraphError
from runtime.core.errors import NotFoundError as NotFoundError
from runtime.core.errors import OperatorNotAllowedInGraphError as OperatorNotAllowedInGraphError
from runtime.core.errors import OpError as OpError
from runtime.core.errors import OutOfRangeError as OutOfRangeError
from runtime.core.errors import PermissionDeniedError as PermissionDeniedError
from runtime.core.errors import RecursionDepthError as RecursionDepthError
from runtime.core.errors import ResourceExhaustedError as ResourceExhaustedError
from runtime.core.errors import UnavailableError as UnavailableError
from runtime.core.errors import UnimplementedError as UnimplementedError
from runtime.core.errors import UnknownError as UnknownError
from runtime.core.errors import VariantError as VariantError

# A traceback shows the name by which a program catches an error.
for _value in list(vars().values()):
    if isinstance(_value, type):
        _value.__module__ = __name__

del _value
