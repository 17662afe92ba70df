"""The public names of a package."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import ModuleType

_FOR_ITSELF = ("__future__", "collections", "importlib", "typing")


def public_names(names: Mapping[str, object], packages: Iterable[str] = ()) -> list[str]:
    """Return the public names of a package, sorted; what its `__dir__` returns.

    Args:
      names: its `globals()`.
      packages: names of the packages inside that are public.

    >>> import math
    >>> public_names({"math": math, "pi": math.pi, "_hidden": 1, "Iterable": Iterable}, ["nn"])
    ['nn', 'pi']
    """
    own = (name for name, value in names.items() if _is_public(name, value))
    return sorted({*packages, *own})


def _is_public(name: str, value: object) -> bool:
    if name.startswith("_") or isinstance(value, ModuleType):
        return False
    origin = getattr(value, "__module__", None) or type(value).__module__
    return not origin.startswith(_FOR_ITSELF)
