"""Compatibility with version 1 and with programs that run on several versions."""

import importlib
import typing
from typing import Any

from runtime.compat.horizon import forward_compatibility_horizon as forward_compatibility_horizon
from runtime.compat.horizon import forward_compatible as forward_compatible
from runtime.compat.lengths import dimension_at_index as dimension_at_index
from runtime.compat.lengths import dimension_value as dimension_value
from runtime.compat.texts import as_bytes as as_bytes
from runtime.compat.texts import as_str as as_str
from runtime.compat.texts import as_str_any as as_str_any
from runtime.compat.texts import as_text as as_text
from runtime.compat.texts import bytes_or_text_types as bytes_or_text_types
from runtime.compat.texts import complex_types as complex_types
from runtime.compat.texts import integral_types as integral_types
from runtime.compat.texts import path_to_str as path_to_str
from runtime.compat.texts import real_types as real_types
from runtime.core import namespaces
from runtime.state import variable as _variable

if typing.TYPE_CHECKING:
    from runtime.compat import v1 as v1


def _variables_of_graphs() -> type[_variable.Variable]:
    module = importlib.import_module("runtime.compat.v1.variables")
    return module.GraphVariable  # type: ignore[no-any-return]


_variable.bind_variables_of_graphs(_variables_of_graphs)


def __getattr__(name: str) -> Any:
    """Return the names of version 1 or 2, loaded on first use.

    Raises:
      AttributeError: for any other name.
    """
    if name == "v1":
        return importlib.import_module("runtime.compat.v1")
    if name == "v2":
        return importlib.import_module("runtime")
    raise AttributeError(f"module 'runtime.compat' has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, including packages that are not loaded yet."""
    return namespaces.public_names(globals(), ("v1", "v2"))
