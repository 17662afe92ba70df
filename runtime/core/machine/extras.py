"""Optional libraries, installed with an extra of this package."""

from __future__ import annotations

import importlib
from types import ModuleType


def load_extra(module: str, extra: str, user: str) -> ModuleType:
    """Import a module of an optional library; if it is missing, say which extra `user` needs.

    >>> load_extra("no_such_library.images", "image", "decode_png")
    Traceback (most recent call last):
    ...
    ModuleNotFoundError: decode_png needs no_such_library: pip install "autograph-numpy[image]"
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        library = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != library:
            raise
        text = f'{user} needs {library}: pip install "autograph-numpy[{extra}]"'
        raise ModuleNotFoundError(text, name=error.name) from None
