"""What a module that was converted ahead of time imports."""

from __future__ import annotations

from autograph.conversion.cache import CONVERSIONS
from autograph.options import ConversionOptions

ag__ = CONVERSIONS.operators(ConversionOptions())
"""The operators of modules that were converted ahead of time."""
