"""Directives do nothing in plain Python."""

from __future__ import annotations

import autograph


def test_set_loop_options_does_nothing_in_python() -> None:
    for _ in range(2):
        autograph.experimental.set_loop_options(parallel_iterations=1, maximum_iterations=3)
