"""Nesting of any depth converts, and the recursion limit of the process stays what it was."""

from __future__ import annotations

import ast
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import autograph
import runtime as tf
from autograph.pipeline import convert_text
from autograph.syntax import stack

DEEP = {
    "elif": lambda n: (
        "def f(x):\n    y = -1\n    if x == 0: y = 0\n"
        + "".join(f"    elif x == {i}: y = {i}\n" for i in range(1, n))
        + "    return y\n"
    ),
    "elif that returns": lambda n: (
        "def f(x):\n    if x == 0: return 0\n"
        + "".join(f"    elif x == {i}: return {i}\n" for i in range(1, n))
        + "    else: return -1\n"
    ),
    "elif of Python values": lambda n: (
        "def f(x):\n    if x is None: return 0\n"
        + "".join(f"    elif x is ...: return {i}\n" for i in range(1, n))
        + "    return x if x in range(LAST + 1) else -1\n".replace("LAST", str(n - 1))
    ),
    "guards": lambda n: (
        "def f(x):\n"
        + "".join(f"    if x == {i}:\n        return x\n" for i in range(n))
        + "    return -1\n"
    ),
    "guards with work between": lambda n: (
        "def f(x):\n    y = x\n"
        + "".join(f"    y = y - 1\n    if y == -1:\n        return {i}\n" for i in range(n))
        + "    return -1\n"
    ),
    "match": lambda n: (
        "def f(x):\n    y = -1\n    match x:\n"
        + "".join(f"        case {i}: y = {i}\n" for i in range(n))
        + "    return y\n"
    ),
}


def call_in_thread(function: Callable[[], object]) -> list[object]:
    found: list[object] = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join()
    return found


@pytest.mark.parametrize("size", [3, 16, 17, 18, 40])
@pytest.mark.parametrize("kind", DEEP)
def test_long_chains_do_what_plain_python_does(kind: str, size: int) -> None:
    f = autograph.exec(DEEP[kind](size))["f"]
    converted, staged = autograph.to_graph(f), tf.function(f)
    for x in {-1, 0, 1, 15, 16, 17, 31, 32, 33, size - 1, size}:
        expected = f(x)
        assert converted(x) == expected
        assert staged(tf.constant(x)).numpy() == expected


@pytest.mark.parametrize("kind", DEEP)
def test_hundreds_of_arms_convert_and_run(kind: str) -> None:
    f = autograph.exec(DEEP[kind](250))["f"]
    converted = autograph.to_graph(f)
    assert [converted(x) for x in (0, 249, 250)] == [f(x) for x in (0, 249, 250)] == [0, 249, -1]


@pytest.mark.parametrize("kind", ["guards", "elif that returns", "guards with work between"])
def test_hundreds_of_jumps_are_staged(kind: str) -> None:
    f = autograph.exec(DEEP[kind](80))["f"]
    staged = tf.function(f)
    assert [int(staged(tf.constant(x))) for x in (0, 79, 80)] == [0, 79, -1]


EXPRESSIONS = {
    "sum": lambda n: " + ".join(["x"] * n),
    "sum of calls": lambda n: " + ".join(["int(x)"] * n),
    "difference on the right": lambda n: "x - " * n + "x",
    "and": lambda n: " and ".join(["x"] * n),
    "or of and": lambda n: " or ".join(["x and not x"] * n),
    "text": lambda n: "(" + " ".join(["'a'"] * n) + ")",
    "attributes": lambda n: "x" + ".real" * n,
    "comparison": lambda n: " <= ".join(["x"] * n),
}


@pytest.mark.parametrize("kind", EXPRESSIONS)
def test_long_expressions_convert_and_run(kind: str) -> None:
    f = autograph.exec(f"def f(x):\n    return {EXPRESSIONS[kind](500)}\n")["f"]
    assert autograph.to_graph(f)(1) == f(1)


def test_a_caller_deep_in_a_recursion_can_convert() -> None:
    text = "def f(x):\n    return x and x\n"

    def descend(left: int) -> str:
        try:
            return descend(left - 1) if left else convert_text(text).text
        except RecursionError:
            return "too deep"

    assert "ag__.and_" in descend(sys.getrecursionlimit() - 250)


def test_nothing_changes_the_recursion_limit() -> None:
    limit = sys.getrecursionlimit()
    during: list[int] = []
    finished = threading.Event()

    def watch() -> None:
        while not finished.is_set():
            during.append(sys.getrecursionlimit())
            time.sleep(0.001)

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        f = autograph.exec(DEEP["elif"](200))["f"]
        assert autograph.to_graph(f)(7) == 7
        assert int(tf.function(lambda x: -x if x < 0 else x)(tf.constant(-2))) == 2
    finally:
        finished.set()
        watching.join()
    assert {*during, sys.getrecursionlimit()} == {limit}


def test_the_packages_do_not_use_the_recursion_limit_of_the_process() -> None:
    root = Path(autograph.__file__).parent.parent
    for package in ("autograph", "runtime"):
        for path in (root / package).rglob("*.py"):
            nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
            names = {getattr(node, "attr", getattr(node, "id", None)) for node in nodes}
            assert "setrecursionlimit" not in names, path  # messages may name it as a remedy


def test_threads_that_recurse_survive_conversions() -> None:
    program = """\
import threading
from autograph.pipeline import convert_text

deep = "def f(x):\\n    return " + " + ".join(["int(x)"] * 300) + "\\n"

class Odd:
    def __eq__(self, other):
        return not (self == other)

def recurse():
    for _ in range(30):
        try:
            Odd() == Odd()
        except RecursionError:
            pass

threads = [threading.Thread(target=recurse) for _ in range(4)]
for thread in threads:
    thread.start()
for _ in range(3):
    convert_text(deep)
for thread in threads:
    thread.join()
print("survived")
"""
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False
    )
    assert (result.returncode, result.stdout) == (0, "survived\n"), result.stderr


# ---- the tool itself ----


def test_a_recursion_goes_on_in_other_threads_and_comes_back() -> None:
    threads = set()

    @stack.any_depth
    def count(n: int) -> int:
        threads.add(threading.get_ident())
        return n and 1 + count(n - 1)

    assert count(3) == 3 and len(threads) == 1
    assert count(2000) == 2000 and len(threads) > 1


def test_errors_and_context_variables_cross_stacks() -> None:
    import contextvars

    level = contextvars.ContextVar("level", default=0)

    @stack.any_depth
    def fail(n: int) -> int:
        if n == 0:
            raise KeyError(level.get())
        return fail(n - 1)

    level.set(7)
    with pytest.raises(KeyError, match="7"):
        fail(500)


def test_the_stack_size_of_other_threads_stays() -> None:
    before = threading.stack_size()
    assert stack.on_own_stack(len, "abc") == 3
    assert threading.stack_size() == before


def test_without_threads_the_call_is_made_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert stack.on_own_stack(threading.get_ident) == threading.get_ident()
    assert "ag__.and_" in convert_text("def f(x):\n    return x and x\n").text


def test_a_thread_with_a_small_stack_can_convert() -> None:
    before = threading.stack_size(256 << 10)
    try:
        text = "def f(x):\n    return " + " and ".join(["x"] * 3000) + "\n"
        assert len(call_in_thread(lambda: convert_text(text).text)) == 1
    finally:
        threading.stack_size(before)


@pytest.mark.slow
def test_the_cost_grows_with_the_text() -> None:
    """Eight times the text takes about eight times as long; a square would be 64."""

    def cost(kind: str, size: int) -> float:
        text = DEEP[kind](size)
        begin = time.process_time()
        convert_text(text, positions=True)
        return time.process_time() - begin

    for kind in ("elif", "elif that returns", "guards", "guards with work between"):
        cost(kind, 5)
        small = min(cost(kind, 40) for _ in range(2))
        assert cost(kind, 320) < 20 * small, kind


def test_a_stack_size_that_the_program_sets_while_a_thread_starts_stays(monkeypatch):
    start = threading.Thread.start

    def start_and_set(thread):
        start(thread)
        threading.stack_size(1 << 20)

    monkeypatch.setattr(threading.Thread, "start", start_and_set)
    before = threading.stack_size(0)
    try:
        stack.on_own_stack(int)
        assert threading.stack_size(0) == 1 << 20
    finally:
        threading.stack_size(before)
