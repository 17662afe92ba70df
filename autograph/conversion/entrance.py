"""The way into a decorated function that runs converted where something is staged."""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

from autograph import staging
from autograph.code_objects import names_in
from autograph.conversion.cache import called_from_outside
from autograph.errors import StaleSourceError
from autograph.operators.callers import COUNTING
from autograph.operators.frames import PASSERS
from autograph.operators.wrappers import hands_over


class Entrance:
    """The slow path of a decorated function: it looks at the arguments and converts.

    Args:
      original: the function as it is written.
      convert: returns the converted function.
      adopt: is called with the arguments of a call that is not plain Python.
    """

    __slots__ = (
        "_adopt",
        "_code",
        "_convert",
        "_converted",
        "_decorated",
        "_original",
        "_runs_converted",
    )

    def __init__(
        self,
        original: Callable[..., Any],
        convert: Callable[[], Any],
        adopt: Callable[..., None],
    ) -> None:
        self._original = original
        self._convert = convert
        self._adopt = adopt
        self._converted: Any = None
        self._decorated: FunctionType | None = None
        self._code: CodeType | None = None
        self._runs_converted: bool | None = None  # also where nothing is staged

    def guards(self, decorated: FunctionType) -> None:
        """Record the decorated function and its current code."""
        self._decorated = decorated
        self._code = decorated.__code__
        PASSERS.add(self._code)

    def target(self) -> Any:
        """Return the converted function.

        Raises:
          StaleSourceError: if the code of the decorated function was replaced since.
        """
        if self._decorated is not None and self._decorated.__code__ is not self._code:
            raise StaleSourceError(
                f"The code of {self._decorated.__qualname__} was replaced after it was decorated, "
                "as reloading in a notebook does. Run what decorates it again."
            )
        if self._converted is None:
            self._converted = self._convert()
        return self._converted

    def __call__(self, /, *args: object, **kwargs: object) -> Any:
        """Call the function as it is written, or converted where something is staged."""
        values = (*args, *kwargs.values())
        if staging.stages_nothing(values) and staging.library_inside(values) is None:
            if self._runs_converted is None:
                counts = _counts_frames(self._original)
                self._runs_converted = counts or hands_over(self._original, *values)
            if self._runs_converted:
                return called_from_outside(self._original, self.target(), *args, **kwargs)
            return self._original(*args, **kwargs)
        if staging.active:
            return self.target()(*args, **kwargs)
        with staging.on_staged_values():
            self._adopt(*values)
            return called_from_outside(self._original, self.target(), *args, **kwargs)

    PASSERS.add(__call__.__code__)


# `stack` alone is mostly a function on arrays.
_COUNTING = frozenset(each.__name__ for each in COUNTING) - {"stack"} | {"inspect"}


def _counts_frames(function: object) -> bool:
    """Return whether a function may count frames: those of the way into it must not count."""
    code = getattr(function, "__code__", None)
    return code is not None and not _COUNTING.isdisjoint(names_in(code))
