"""Run graphs as plans whose parts are machine code where possible."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from runtime.core.graph import Graph
from runtime.engines import parted
from runtime.engines.native.boundary import NativeFunction
from runtime.engines.native.exact import is_exact_elementwise
from runtime.engines.native.exact import rule_for as exact_rule_for
from runtime.engines.native.lists import as_arrays, with_stacked_results


def executable(graph: Graph) -> Callable[..., tuple[Any, ...]]:
    """Return a function from input arrays to output arrays; see `plan.executable`."""
    return parted.executable(_with_arrays(graph), NativeFunction, in_loops=True)


def _with_arrays(graph: Graph) -> Graph:
    return with_stacked_results(as_arrays(graph))


def with_exact_parts(graph: Graph) -> Callable[..., tuple[Any, ...]]:
    """Compile only loops, elementwise operations and pooling, and only those that give the results
    of the plan, bit for bit.
    """
    compiler = functools.partial(NativeFunction, rules=exact_rule_for)
    return parted.with_parts(with_stacked_results(graph), compiler, is_exact_elementwise)


def source(graph: Graph) -> str:
    """Return the source text of the plan, with the calls of compiled parts."""
    return parted.source(_with_arrays(graph), NativeFunction, in_loops=True)
