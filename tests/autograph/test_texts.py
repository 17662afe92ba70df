"""Texts that were registered, or are kept by loaders of templates."""

from __future__ import annotations

import linecache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

import autograph
from autograph.errors import NoSourceError
from autograph.source import function_source


def text_of(function: object) -> str:
    assert isinstance(function, FunctionType)
    return function_source(function).text


def test_code_that_names_a_template_has_no_source(tmp_path: Path) -> None:
    """As a template engine does; the template happens to be valid Python."""
    template = tmp_path / "page.html"
    template.write_text("hello\n")
    text = "def root(context):\n    if context:\n        yield 'hello'\n"
    space: dict[str, Any] = {"__file__": str(template)}
    exec(compile(text, str(template), "exec"), space)
    with pytest.raises(NoSourceError, match="has no source text"):
        function_source(space["root"])
    render = autograph.to_graph(lambda context: list(space["root"](context)))
    assert render(True) == ["hello"]


def test_registered_text() -> None:
    space = autograph.exec("def f(x):\n    return x\n\n\ng = lambda y: y\n")
    assert text_of(space["f"]) == "def f(x):\n    return x\n"
    assert text_of(space["g"]) == "lambda y: y\n"
    assert linecache.getline(space["f"].__code__.co_filename, 2) == "    return x\n"


class TemplateLoader:
    """A loader of a template engine: it knows the text that it compiled."""

    def __init__(self, text: str) -> None:
        self.text = text

    def get_source(self, name: str) -> str:
        return self.text


def template(name: str, text: str) -> ModuleType:
    """A module that a template engine compiles in memory, under the name of a template."""
    module = ModuleType(name)
    module.__loader__ = TemplateLoader(text)  # type: ignore[assignment]
    exec(compile(text, name, "exec"), module.__dict__)
    return module


def test_the_text_of_an_earlier_template_of_one_name_is_not_taken() -> None:
    old = template("base_html", "def render(x):\n    if x:\n        return 2\n    return x\n")
    new = template("base_html", "def render(x):\n    if x:\n        return 2\n    return 3\n")
    linecache.getlines("base_html", old.__dict__)  # As a traceback does.
    try:
        for module, results in ((old, (2, False)), (new, (2, 3))):
            render = autograph.to_graph(module.render)
            assert (render(True), render(False)) == results
    finally:
        linecache.cache.pop("base_html", None)
