"""Directives do nothing in plain Python."""

from __future__ import annotations

import inspect

import autograph


def test_set_loop_options_does_nothing_in_python() -> None:
    for _ in range(2):
        autograph.experimental.set_loop_options(parallel_iterations=1, maximum_iterations=3)


def test_options_of_a_loop_are_taken_as_a_call_takes_them() -> None:
    parameters = [*inspect.signature(autograph.experimental.set_loop_options).parameters]
    text = "def f(x):\n    while x > 1:\n        set_loop_options({})\n        x -= 1\n"
    for given, taken in (
        ("1, True, n", "{'parallel_iterations': 1, 'swap_memory': True, 'maximum_iterations': n}"),
        ("1, **options", "{'parallel_iterations': 1, **options}"),
        ("None, None, 2, ()", str(dict(zip(parameters, (None, None, 2, ()), strict=True)))),
    ):
        converted = " ".join(autograph.convert_source(text.format(given)).split())
        assert f"options={taken})" in converted
