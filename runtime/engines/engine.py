"""What an engine is, and which one runs functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core.graph import Graph
from runtime.engines import interpreter

Executable = Callable[..., tuple[Any, ...]]
"""Takes the arrays of the graph's inputs, gives those of its outputs."""

Engine = Callable[[Graph], Executable]

DEFAULT: Engine = interpreter.executable
"""The engine that runs functions."""
