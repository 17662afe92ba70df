"""`runtime.errors`: what operations and graphs raise."""

from runtime.core.errors import DTypeMismatchError as DTypeMismatchError
from runtime.core.errors import FailedPreconditionError as FailedPreconditionError
from runtime.core.errors import InaccessibleTensorError as InaccessibleTensorError
from runtime.core.errors import InternalError as InternalError
from runtime.core.errors import InvalidArgumentError as InvalidArgumentError
from runtime.core.errors import NotFoundError as NotFoundError
from runtime.core.errors import OperatorNotAllowedInGraphError as OperatorNotAllowedInGraphError
from runtime.core.errors import OpError as OpError
from runtime.core.errors import OutOfRangeError as OutOfRangeError
from runtime.core.errors import UnimplementedError as UnimplementedError
