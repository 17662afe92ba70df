"""The type of a value of the program."""

from __future__ import annotations

from typing import Any

Value = Any
"""A value of the program: any Python object, or one of a tensor library."""
