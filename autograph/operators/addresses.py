"""`id`, on objects that may be chosen at run time or by the caller of a graph."""

from __future__ import annotations

from autograph.errors import StagingError
from autograph.operators.aliases import may_be
from autograph.operators.frames import leave_out
from autograph.operators.moved import Moved, resolve
from autograph.operators.variables import ld
from autograph.staging import ATOMS, is_one_of, library_of, ongoing, trace
from autograph.values import Value


def id_(*values: Value) -> int:
    """Return `id(*values)`.

    Raises:
      StagingError: if a tensor has chosen the object, or each call of the graph passes another.

    >>> id_("a") == id("a")
    True
    """
    try:
        if not ongoing or len(values) != 1 or type(values[0]) in ATOMS:
            return id(*values)
        value = ld(values[0])
        if issubclass(type(value), Moved):
            value.refuse()
        if _is_chosen(value) or trace.callers.pass_anew(value):
            raise StagingError(
                f"`id` asks for the address of a {type(value).__name__} that a tensor has chosen, "
                "or that each call of the graph passes anew.",
                remedy="Use a key or a position of your own.",
            )
        return id(resolve(value))
    except BaseException as error:
        leave_out(error)
        raise


def _is_chosen(value: Value) -> bool:
    if is_one_of(value) or hasattr(type(value), "__autograph_refers__"):
        return True
    library = library_of(value)
    decides = None if library is None else getattr(library, "may_be_one", None)
    return bool(may_be(value)) or (decides is not None and decides(value, value))
