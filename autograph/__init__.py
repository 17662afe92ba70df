"""AutoGraph without TensorFlow: rewrite plain Python control flow into functional, stageable code.

`to_code(f)` returns the converted text of a function, `to_graph(f)` the converted function, and
`convert` is the decorator. `convert_source(text)` converts the text of a module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograph import errors, experimental, staging
from autograph.api import (
    adopt,
    convert,
    convert_source,
    exec,
    to_code,
    to_graph,
)
from autograph.directives import do_not_convert, set_loop_options
from autograph.errors import (
    AutographError,
    ConversionError,
    FrozenValueWarning,
    NoSourceError,
    SideEffectWarning,
    StagingError,
    StaleSourceError,
)
from autograph.options import ConversionOptions, Feature
from autograph.verbosity import set_verbosity, trace
from autograph.version import __version__

if TYPE_CHECKING:
    from autograph.converted import ag__
    from autograph.importer import importing, install_import_hook

__all__ = [
    "AutographError",
    "ConversionError",
    "ConversionOptions",
    "Feature",
    "FrozenValueWarning",
    "NoSourceError",
    "SideEffectWarning",
    "StagingError",
    "StaleSourceError",
    "__version__",
    "adopt",
    "ag__",
    "convert",
    "convert_source",
    "do_not_convert",
    "errors",
    "exec",
    "experimental",
    "importing",
    "install_import_hook",
    "set_loop_options",
    "set_verbosity",
    "staging",
    "to_code",
    "to_graph",
    "trace",
]

# Imported on first use: most programs never use these.
_LATER = {
    "ag__": "autograph.converted",
    "importing": "autograph.importer",
    "install_import_hook": "autograph.importer",
}


def __getattr__(name: str) -> Any:
    """Import a name of `_LATER`."""
    if name not in _LATER:
        raise AttributeError(f"module 'autograph' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(_LATER[name]), name)
    globals()[name] = value
    return value
