"""The only use of the converter: functions are converted before they are traced."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import autograph
from autograph import staging
from autograph.api import CONVERSIONS
from autograph.boundary import boundary, hide_frames_of, without_converter
from autograph.conversion.libraries import is_known_library as is_known_library
from runtime.core.context import is_traceback_filtering_enabled
from runtime.core.tensor import Tensor

hide_frames_of("runtime", inside="numpy")


def converted(python_function: Callable[..., Any], features: Any = None) -> Callable[..., Any]:
    """Return the converted function; the functions that it calls are converted too."""
    convert = autograph.convert(recursive=True, optional_features=features, user_requested=True)
    return convert(python_function)


def adopt(objects: Iterable[Any]) -> None:
    """Convert properties and operators of the objects' classes during the trace."""
    CONVERSIONS.adoption.adopt_reached(objects)


def end_of_trace(outermost: bool) -> AbstractContextManager[None]:
    """Enclose a trace: errors become the exceptions that users see.

    Inside another trace they stay staging errors, because user code there must not catch them.
    """
    return boundary() if outermost else nullcontext()


def show_user_frames(error: BaseException) -> None:
    """Keep only the user's frames in the traceback of an error about to be re-raised.

    All frames stay if the program disabled the filter.
    """
    if is_traceback_filtering_enabled():
        error.__traceback__ = without_converter(error.__traceback__)


class Mode:
    """The values of traced programs: tensors. A derived class traces other programs."""

    def prepared(self, python_function: Callable[..., Any], features: Any) -> Callable[..., Any]:
        """Return the function of tensors that a trace calls."""
        return converted(python_function, features)

    def tracing(self) -> AbstractContextManager[None]:
        """Enclose the traced call, inside `end_of_trace`, and mark it as a trace for converted
        functions.
        """
        return staging.tracing(Tensor)


TENSORS = Mode()
"""Programs on tensors."""
