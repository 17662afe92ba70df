"""Interfaces of earlier versions."""

from runtime.compat import v1 as v1
