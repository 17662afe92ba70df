"""The cache of conversions: one for each code object, made once, freed with it."""

from __future__ import annotations

import gc
import importlib.util
import textwrap
import threading
import time
import traceback
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import autograph
from autograph.api import operators
from autograph.conversion.cache import Conversions, pipeline_text
from autograph.options import ConversionOptions


def load(folder: Path, text: str, name: str = "user_program") -> ModuleType:
    path = folder / f"{name}.py"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def absolute(x: Any) -> Any:
    y = 0
    if x > 0:
        y = x
    elif x < 0:
        y = -x
    return y


def test_nothing_to_convert_gives_the_function_itself() -> None:
    def plain(x: int) -> int:
        return x

    assert Conversions(operators).function(plain, ConversionOptions()) is plain


def test_many_threads_convert_once() -> None:
    count = 0

    def slow(source: Any, function: Any) -> Any:
        nonlocal count
        count += 1
        time.sleep(0.05)
        return pipeline_text(source, function)

    conversions = Conversions(operators, slow)
    started = threading.Barrier(64)

    def run(x: int) -> Any:
        started.wait()
        return conversions.function(absolute, ConversionOptions())(x)  # type: ignore[arg-type]

    with ThreadPoolExecutor(64) as pool:
        assert list(pool.map(run, range(-32, 32))) == [abs(x) for x in range(-32, 32)]
    assert count == 1


def test_conversions_go_with_their_code() -> None:
    conversions = Conversions(operators)
    space = autograph.exec("def f(x):\n    return 1 if x else 2\n")
    conversions.function(space["f"], ConversionOptions())
    code = weakref.ref(space["f"].__code__)
    space.clear()
    gc.collect()
    assert code() is None


def test_equal_code_in_two_files_keeps_its_own_name(tmp_path: Path) -> None:
    text = "def f(x):\n    if x:\n        return 1 / 0\n"
    modules = [load(tmp_path, text, name) for name in ("one", "two")]
    for module in modules:
        with pytest.raises(ZeroDivisionError) as caught:
            autograph.to_graph(module.f)(1)
        files = [each.filename for each in traceback.extract_tb(caught.value.__traceback__)]
        assert module.__file__ in files
        assert not {other.__file__ for other in modules if other is not module} & set(files)


def test_a_construct_that_libcst_cannot_read_is_named_at_its_line_in_the_file(
    tmp_path: Path,
) -> None:
    text = "\n\nclass C:\n    def f(x):\n        (x): int = 4\n        return x\n"
    module = load(tmp_path, text, "annotated")
    with pytest.raises(autograph.ConversionError) as caught:
        autograph.to_graph(module.C.f)
    assert f'File "{module.__file__}", line 5\n    (x): int = 4\n    ^\n' in str(caught.value)


def test_failed_conversion_names_the_function() -> None:
    def broken(source: Any, function: Any) -> Any:
        raise ValueError("inside")

    with pytest.raises(ValueError, match="inside") as caught:
        Conversions(operators, broken).function(absolute, ConversionOptions())  # type: ignore[arg-type]
    assert "While converting absolute" in caught.value.__notes__[0]
