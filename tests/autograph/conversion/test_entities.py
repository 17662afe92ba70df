"""The functions of classes that are converted, and those that their authors did not write."""

from __future__ import annotations

import dataclasses
import enum
import functools
import subprocess
import sys
import typing
from pathlib import Path
from typing import Any

import pytest

import autograph

ROOT = Path(autograph.__file__).parent.parent


class Cached:
    @functools.lru_cache  # noqa: B019
    def method(self, x: Any) -> Any:
        if x > 0:
            return x
        return -x


def test_to_code_of_a_cached_method_shows_the_function() -> None:
    assert "ag__.if_stmt(x > 0" in autograph.to_code(Cached().method)
    assert autograph.to_code(Cached().method) == autograph.to_code(Cached.method)


@dataclasses.dataclass
class Pair:
    low: int
    high: int = 3

    def larger(self):
        return self.low if self.low > self.high else self.high


class Point(typing.NamedTuple):
    x: int

    def larger(self):
        return self.x if self.x > 3 else 3


class Color(enum.Enum):
    RED = 5

    def larger(self):
        return self.value if self.value > 3 else 3


class Sized(typing.Protocol):
    def larger(self):
        return self.x if self.x > 3 else 3


@pytest.mark.parametrize("kind", [Pair, Point, Color, Sized])
def test_to_code_of_a_class_leaves_out_methods_that_its_author_did_not_write(kind) -> None:
    (first, *_) = autograph.to_code(kind).splitlines()
    assert first == "def larger(self):"
    assert autograph.to_code(kind).count("def ") == 1


@pytest.mark.parametrize("kind", [Pair, Point])
def test_to_graph_of_a_class_keeps_methods_that_its_author_did_not_write(kind) -> None:
    converted = autograph.to_graph(kind)
    assert repr(converted(5)) == repr(kind(5))
    assert [converted(n).larger() for n in (1, 5)] == [3, 5]


def test_function_that_took_the_place_of_the_original_is_pickled_by_name(tmp_path: Path) -> None:
    (tmp_path / "replaced.py").write_text(
        "import autograph\n\n\n@autograph.to_graph\ndef f(x):\n    return 1 if x else 2\n"
    )
    program = (
        "import pickle, replaced\n"
        "print(pickle.loads(pickle.dumps(replaced.f)) is replaced.f, replaced.f(0))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, env={"PYTHONPATH": f"{ROOT}:{tmp_path}"}, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert result.stdout == "True 2\n"
