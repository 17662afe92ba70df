"""Converted code looks like the user's code to every tool."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import sys
import traceback
import typing
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

from autograph.api import ag__
from autograph.code_objects import BY_OPERATORS, CONVERTED
from autograph.loading import compile_module, function_code, make_function
from autograph.source import function_source

Span = tuple[int, int, int, int]


@dataclass(frozen=True)
class Stub:
    """A conversion as the pipeline would give it."""

    text: str
    spans: dict[Span, Span]
    changed: bool = True
    refusals: tuple[Any, ...] = field(default=())
    operators: str = "ag__"


def span_of(text: str, part: str, occurrence: int = 0) -> Span:
    start = -1
    for _ in range(occurrence + 1):
        start = text.index(part, start + 1)
    before, inside = text[:start].split("\n"), text[: start + len(part)].split("\n")
    return len(before), len(before[-1]), len(inside), len(inside[-1])


def stub(generated: str, original: str, pairs: list[tuple[str, str]]) -> Stub:
    return Stub(generated, {span_of(generated, new): span_of(original, old) for new, old in pairs})


def load(folder: Path, text: str) -> ModuleType:
    path = folder / "user_module.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("user_module", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def loaded(function: Any, conversion: Stub) -> FunctionType:
    source = function_source(function)
    code = function_code(conversion, source, function.__code__)
    return make_function(code, function, {"ag__": ag__})


USER = """\


class Model:
    def f(self, x):
        y = 0
        é = "é"; y = [n for n in range(3)]
        if x > 0:
            class Local:
                def g(self):
                    return (lambda: self)
            y = Local, x / 0
        return y
"""

# What stands in for the user's method, moved to column 0.
ORIGINAL = "\n".join(line[4:] for line in USER.split("\n")[3:])

GENERATED = """\
def f(self, x):
    y = 0
    é = "é"; y = [n for n in range(3)]

    def get_state():
        return (y,)

    def set_state(vars_):
        nonlocal y
        (y,) = vars_

    def if_body():
        nonlocal y
        class Local:
            def g(self):
                return (lambda: self)
        y = Local, ag__.not_(x / 0)
    ag__.if_stmt(ag__.and_(True, lambda: x > 0), if_body, None, get_state, set_state, ('y',))
    return y
"""

PAIRS = [
    ("def f(self, x)", "def f(self, x)"),
    ("f", "f"),
    ("y = 0", "y = 0"),
    ('é = "é"', 'é = "é"'),
    ("y = [n for n in range(3)]", "y = [n for n in range(3)]"),
    ("[n for n in range(3)]", "[n for n in range(3)]"),
    ("def get_state():\n        return (y,)", "if x > 0:"),
    ("def set_state(vars_):\n        nonlocal y\n        (y,) = vars_", "if x > 0:"),
    ("def if_body():", "if x > 0:"),
    ("class Local:", "class Local:"),
    ("def g(self):", "def g(self):"),
    ("g", "g"),
    ("return (lambda: self)", "return (lambda: self)"),
    ("lambda: self", "lambda: self"),
    ("y = Local, ag__.not_(x / 0)", "y = Local, x / 0"),
    ("Local, ag__.not_(x / 0)", "Local, x / 0"),
    ("x / 0", "x / 0"),
    ("x > 0", "x > 0"),
    (GENERATED.split("\n")[-3].strip(), "if x > 0:"),
    ("return y\n", "return y\n"),
]


def conversion() -> Stub:
    made = stub(GENERATED, ORIGINAL, PAIRS)
    # "f" and "g" as names of functions, not as the letters of `def` and the like.
    names = {"f": "def f(", "g": "def g("}
    spans = dict(made.spans)
    for name, text in names.items():
        for where in (GENERATED, ORIGINAL):
            line, _, _, end = span_of(where, text)
            assert where.split("\n")[line - 1][end - 2] == name
        new, old = span_of(GENERATED, text), span_of(ORIGINAL, text)
        spans[(new[0], new[3] - 2, new[0], new[3] - 1)] = (old[0], old[3] - 2, old[0], old[3] - 1)
    return Stub(GENERATED, spans)


@pytest.fixture
def module(tmp_path: Path) -> ModuleType:
    return load(tmp_path, USER)


@pytest.fixture
def converted(module: ModuleType) -> FunctionType:
    return loaded(module.Model.f, conversion())


def frames(error: BaseException, filename: str) -> list[traceback.FrameSummary]:
    return [each for each in traceback.extract_tb(error.__traceback__) if each.filename == filename]


def test_traceback_shows_the_users_lines_columns_and_names(
    module: ModuleType, converted: FunctionType
) -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        converted(None, 1)
    shown = frames(caught.value, str(module.__file__))
    assert [(each.lineno, each.name) for each in shown] == [(7, "f"), (11, "f")]
    last = shown[-1]
    assert (last.colno, last.end_colno) == (23, 28)
    assert last.line == "y = Local, x / 0"


def test_columns_count_bytes_in_lines_that_are_not_ascii(converted: FunctionType) -> None:
    places = {place for place in converted.__code__.co_positions() if place[0] == 6}
    assert {(6, 6, 8, 17), (6, 6, 19, 44)} <= places


def test_names_do_not_show_the_added_functions(module: ModuleType, converted: FunctionType) -> None:
    y = converted(None, 0)
    assert y == [0, 1, 2]
    names = {}

    def walk(code: Any) -> None:
        for each in code.co_consts:
            if hasattr(each, "co_qualname"):
                names.setdefault(each.co_qualname, each.co_name)
                walk(each)

    walk(converted.__code__)
    names.pop("Model.f.<locals>.<listcomp>", None)
    assert names == {
        "Model.f": "f",
        "Model.f.<locals>.Local": "Local",
        "Model.f.<locals>.Local.g": "g",
        "Model.f.<locals>.Local.g.<locals>.<lambda>": "<lambda>",
    }


def test_classes_and_functions_inside_report_the_users_qualified_names(
    tmp_path: Path,
) -> None:
    user = "def f(x):\n    if x:\n        class K:\n            def m(self): pass\n    return K\n"
    generated = (
        "def f(x):\n    K = None\n    def if_body():\n        nonlocal K\n"
        "        class K:\n            def m(self): pass\n"
        "    ag__.if_stmt(x, if_body)\n    return K\n"
    )
    pairs = [
        ("def if_body():", "if x:"),
        ("class K:", "class K:"),
        ("m(self)"[:1], "m"),
    ]
    made = stub(generated, user, pairs)
    new, old = span_of(generated, "def m("), span_of(user, "def m(")
    made.spans[(new[0], new[3] - 2, new[0], new[3] - 1)] = (old[0], old[3] - 2, old[0], old[3] - 1)
    module = load(tmp_path, user)
    kind = loaded(module.f, made)(True)
    assert kind.__qualname__ == "f.<locals>.K" == module.f(True).__qualname__
    assert kind.m.__qualname__ == "f.<locals>.K.m"


def test_tracers_see_the_users_lines(module: ModuleType, converted: FunctionType) -> None:
    def lines_of(function: Any) -> set[int]:
        seen = set()

        def tracer(frame: Any, event: str, arg: Any) -> Any:
            if frame.f_code.co_filename != str(module.__file__):
                return None
            if event == "line":
                seen.add(frame.f_lineno)
            return tracer

        before = sys.gettrace()
        sys.settrace(tracer)
        try:
            function(None, 1)
        except ZeroDivisionError:
            pass
        finally:
            sys.settrace(before)
        return seen

    assert lines_of(converted) == lines_of(module.Model.f)


def test_warnings_show_the_users_line(tmp_path: Path) -> None:
    text = "import warnings\n\n\ndef f():\n    warnings.warn('careful')\n"
    module = load(tmp_path, text)
    new = "def f():\n    ag__.converted(warnings.warn)('careful')\n"
    old = "def f():\n    warnings.warn('careful')\n"
    pairs = [("ag__.converted(warnings.warn)('careful')", "warnings.warn('careful')")]
    f = loaded(module.f, stub(new, old, pairs))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        f()
    assert (caught[0].filename, caught[0].lineno) == (str(module.__file__), 5)


@pytest.mark.parametrize("text", [USER, "def f(x):\n    return [\n        x,\n        x]\n"])
def test_unconverted_text_gives_the_same_code(tmp_path: Path, text: str) -> None:
    module = load(tmp_path, text)
    f = module.Model.f if "Model" in text else module.f
    source = function_source(f)
    tree = ast.parse(source.text)
    spans: dict[Span, Span] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.stmt, ast.expr)):
            # Characters and bytes agree in the nodes that matter here.
            assert node.end_lineno is not None and node.end_col_offset is not None
            start = len(source.lines[node.lineno - 1].encode()[: node.col_offset].decode())
            end = len(source.lines[node.end_lineno - 1].encode()[: node.end_col_offset].decode())
            spans[(node.lineno, start, node.end_lineno, end)] = (
                node.lineno, start, node.end_lineno, end,
            )  # fmt: skip
    for name in ("def f(", "def g("):
        if name in source.text:
            line, _, _, end = span_of(source.text, name)
            spans[(line, end - 2, line, end - 1)] = (line, end - 2, line, end - 1)
    made = function_code(Stub(source.text, spans), source, f.__code__)
    assert unmarked(made) == f.__code__


def unmarked(code: CodeType) -> CodeType:
    marks = (CONVERTED, BY_OPERATORS)
    constants = [each for each in code.co_consts if not (type(each) is str and each in marks)]
    return code.replace(
        co_consts=tuple(
            unmarked(each) if isinstance(each, CodeType) else each for each in constants
        )
    )


def test_everything_else_is_that_of_the_original(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        "def make():\n    total = 0\n"
        "    def add(n: int, /, m: 'text' = [1], *, k: print = {}) -> float:\n"
        "        'Adds.'\n        nonlocal total\n        total += n\n        return total\n"
        "    add.mark = 'kept'\n"
        "    return add, lambda: total\n",
    )
    add, total = module.make()
    made = loaded(add, Stub(function_source(add).text, {}))
    assert made(5) == 5 and total() == 5 and add(1) == 6 and made(1) == 7
    assert made.__closure__ is not None and made.__closure__[0] is add.__closure__[0]
    assert made.__wrapped__ is add  # type: ignore[attr-defined]
    assert made.mark == "kept"  # type: ignore[attr-defined]
    assert made.__globals__ is add.__globals__
    assert made.__defaults__ is add.__defaults__ and made.__kwdefaults__ is add.__kwdefaults__
    for name in ("__annotations__", "__name__", "__qualname__", "__module__", "__doc__"):
        assert getattr(made, name) == getattr(add, name), name
    assert inspect.signature(made) == inspect.signature(add)


def test_private_names_super_and_the_class_cell(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        "class A:\n    def value(self, *, __k=1): return 1 + __k\n\n\n"
        "class B(A):\n    __secret = 40\n"
        "    def value(self, *, __k=1):\n"
        "        return super().value() + self.__secret + __k, __class__, B\n"
        "    def outer(self):\n        def inner(): return super(B, self).value(), self.__secret\n"
        "        return inner\n",
    )
    made = loaded(module.B.value, Stub(function_source(module.B.value).text, {}))
    assert made(module.B()) == module.B().value() == (43, module.B, module.B)
    inner = module.B().outer()
    assert loaded(inner, Stub(function_source(inner).text, {}))() == inner()


def test_recursive_functions_find_themselves_where_the_original_does(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        "def outer():\n    return outer\n\n\n"
        "def make():\n    def inner(): return inner, outer\n    return inner\n",
    )
    made = loaded(module.outer, Stub(function_source(module.outer).text, {}))
    assert made() is module.outer
    inner = module.make()
    made = loaded(inner, Stub(function_source(inner).text, {}))
    assert made() == (inner, module.outer)


def test_function_with_the_name_of_its_class_and_of_a_variable(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        "_ = 3\n"
        "def make():\n    class K:\n        def K(self): return K, outer, self.__x, _\n"
        "        __x = 1\n    outer = 2\n    return K\n",
    )
    kind = module.make()
    made = loaded(kind.K, Stub(function_source(kind.K).text, {}))
    assert made(kind()) == (kind, 2, 1, 3)


def test_defaults_annotations_and_decorators_are_not_run_again(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        "ran = []\n\n\ndef note(x):\n    ran.append(x)\n    return lambda f: f\n\n\n"
        "@note('decorator')\ndef f(x: note('annotation') = note('default')):\n    return 1\n"
        "g = lambda x=(lambda: 1), *, y=lambda: 2: (x(), y())\n",
    )
    before = list(module.ran)
    made = loaded(module.f, Stub(function_source(module.f).text, {}))
    assert made() == 1 and module.ran == before
    assert made.__code__.co_firstlineno == module.f.__code__.co_firstlineno == 9
    assert loaded(module.g, Stub(function_source(module.g).text, {}))() == (1, 2)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters came with 3.12")
def test_type_parameters(tmp_path: Path) -> None:
    module = load(tmp_path, "def f[T](x: T) -> tuple[T, object]:\n    return x, T\n")
    made = loaded(module.f, Stub(function_source(module.f).text, {}))
    assert made(1) == (1, module.f.__type_params__[0])
    assert made.__type_params__ == module.f.__type_params__  # type: ignore[attr-defined]
    assert typing.get_type_hints(made) == typing.get_type_hints(module.f)


def test_nothing_is_left_behind(tmp_path: Path, converted: FunctionType) -> None:
    before = set(sys.modules)
    converted(None, 0)
    assert set(sys.modules) == before
    assert [each.name for each in tmp_path.iterdir() if each.name != "__pycache__"] == [
        "user_module.py"
    ]


def test_module_code_has_the_users_names_and_places() -> None:
    user = "é = 1\ndef f(x):\n    if x:\n        x = 1 / 0\n"
    generated = (
        "from autograph import ag__\né = 1\ndef f(x):\n    def if_body():\n        nonlocal x\n"
        "        x = 1 / 0\n    ag__.if_stmt(x, if_body)\n"
    )
    pairs = [
        ("é = 1", "é = 1"),
        ("def f(x):", "def f(x):"),
        ("def if_body():", "if x:"),
        ("x = 1 / 0", "x = 1 / 0"),
        ("1 / 0", "1 / 0"),
        ("ag__.if_stmt(x, if_body)", "if x:"),
    ]
    made = stub(generated, user, pairs)
    new, old = span_of(generated, "def f("), span_of(user, "def f(")
    made.spans[(new[0], new[3] - 2, new[0], new[3] - 1)] = (old[0], old[3] - 2, old[0], old[3] - 1)
    space: dict[str, Any] = {}
    exec(compile_module(made, "/user/file.py", user), space)
    assert space["f"].__code__.co_firstlineno == 2
    with pytest.raises(ZeroDivisionError) as caught:
        space["f"](1)
    shown = frames(caught.value, "/user/file.py")
    assert [(each.lineno, each.name) for each in shown] == [(3, "f"), (4, "f")]
