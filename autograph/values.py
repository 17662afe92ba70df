"""The types of values of the program."""

from __future__ import annotations

from typing import Any

Value = Any
"""A value of the program: any Python object, or one of a tensor library."""

Array = Any
"""An array or tensor of the library that an adapter is for; it may not be installed."""
