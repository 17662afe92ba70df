"""Which autograph this is."""

from __future__ import annotations

import functools
import importlib.metadata
from pathlib import Path


@functools.cache
def version() -> str:
    """The installed version, or where the code lies that runs without being installed."""
    try:
        return importlib.metadata.version("autograph-numpy")
    except importlib.metadata.PackageNotFoundError:
        return f"in {Path(__file__).parent}, not installed"
