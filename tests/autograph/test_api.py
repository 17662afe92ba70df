"""Functions in, converted functions out."""

from __future__ import annotations

import enum
import functools
import importlib.util
import inspect
import io
import linecache
import pickle
import subprocess
import sys
import textwrap
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import autograph
from autograph import ConversionError, NoSourceError, StaleSourceError, staging
from autograph.api import operators
from autograph.boundary import public_error
from autograph.conversion.cache import Conversions
from autograph.options import ConversionOptions
from tests.autograph.staged import Staged

ROOT = Path(autograph.__file__).parent.parent


@pytest.fixture(autouse=True)
def nothing_staged() -> None:
    Staged.seen.clear()


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


class Model:
    scale = 3

    def method(self, x: Any) -> Any:
        if x > 0:
            return x
        return -x

    def __call__(self, x: Any) -> Any:
        return x if x > 0 else -x

    @property
    def positive(self) -> bool:
        return not self.scale < 0

    @staticmethod
    def double(x: Any) -> Any:
        return 2 * x if x > 0 else 0

    @classmethod
    def make(cls, x: Any) -> Any:
        return cls if x > 0 else None


@autograph.convert()
def decorated(x: Any, y: Any = 1) -> Any:
    """Doc."""
    if x > 0:
        return x
    return y


# ---- to_code and to_graph ----


def test_to_code_shows_a_function_ready_to_read() -> None:
    text = autograph.to_code(Model.method)
    assert text.startswith("def method(self, x: Any) -> Any:\n")
    assert "ag__.if_stmt" in text
    compile(text, "x", "exec")


@pytest.mark.parametrize(
    ("entity", "part"),
    [
        (Model().method, "def method("),
        (functools.partial(absolute, 1), "def absolute("),
        (Model(), "def __call__("),
        (decorated, "def decorated("),
        (functools.lru_cache(absolute), "def absolute("),
        (lambda x: x if x > 0 else -x, "lambda x: ag__.if_exp("),
    ],
)
def test_to_code_of_every_kind_of_callable(entity: Any, part: str) -> None:
    assert autograph.to_code(entity).startswith(part)


class Color(enum.Enum):
    RED = 5

    def larger(self):
        return self.value if self.value > 3 else 3


def test_to_graph_refuses_an_enumeration_with_members() -> None:
    with pytest.raises(TypeError, match="Color is an enumeration with members"):
        autograph.to_graph(Color)


def test_to_code_of_a_class_gives_all_methods() -> None:
    text = autograph.to_code(Model)
    for name in ("method", "__call__", "positive", "double", "make"):
        assert f"def {name}(" in text


def test_to_code_of_what_has_no_text() -> None:
    for entity in (len, 3, int):
        with pytest.raises(TypeError):
            autograph.to_code(entity)


@pytest.mark.parametrize("x", [2, -2])
def test_to_graph_of_every_kind_of_callable(x: int) -> None:
    assert autograph.to_graph(absolute)(x) == 2
    assert autograph.to_graph(Model().method)(x) == 2
    assert autograph.to_graph(Model.method)(Model(), x) == 2
    assert autograph.to_graph(Model())(x) == 2
    assert autograph.to_graph(functools.partial(absolute, x))() == 2
    assert autograph.to_graph(lambda v: v if v > 0 else -v)(x) == 2
    assert autograph.to_graph(Model.make)(2) is Model


def test_to_graph_stages() -> None:
    autograph.to_graph(absolute)(Staged())
    autograph.to_graph(Model().method)(Staged())
    autograph.to_graph(Model())(Staged())
    assert Staged.seen == ["cond"] * 3


def calls_absolute(x: Any) -> Any:
    return absolute(x)


def test_recursive_converts_the_functions_that_are_called() -> None:
    autograph.to_graph(calls_absolute)(Staged())
    assert Staged.seen == ["cond"]
    with pytest.raises(TypeError, match="no truth"):
        autograph.to_graph(calls_absolute, recursive=False)(Staged())


def test_to_graph_looks_like_the_original() -> None:
    graph = autograph.to_graph(absolute)
    assert (graph.__name__, graph.__qualname__, graph.__module__) == (
        "absolute", "absolute", __name__,
    )  # fmt: skip
    assert inspect.signature(graph) == inspect.signature(absolute)
    assert graph.__wrapped__ is absolute
    assert graph.__code__.co_filename == __file__
    assert graph.__globals__ is globals()
    assert autograph.to_graph(graph) is graph


def test_to_graph_in_a_class_body_binds() -> None:
    class Local:
        method = autograph.to_graph(Model.method)

    assert Local().method(-3) == 3


def test_to_graph_of_a_class_converts_properties_and_operators_too() -> None:
    class Vector:
        def __init__(self, x: Any) -> None:
            self.x = x

        def __add__(self, other: Any) -> Any:
            return Vector(self.x if self.x > 0 else other)

        @property
        def size(self) -> Any:
            return self.x if self.x > 0 else -self.x

        @classmethod
        def of(cls, x: Any) -> Any:
            return cls(x)

    converted = autograph.to_graph(Vector)
    assert issubclass(converted, Vector) and converted.__qualname__ == Vector.__qualname__
    value = converted.of(Staged())
    _ = value.size, value + 1
    assert Staged.seen == ["cond", "cond"]
    with pytest.raises(TypeError, match="no truth"):
        _ = Vector(Staged()).size


def test_closures_get_their_own_functions() -> None:
    def make(k: int) -> Any:
        def f(x: int) -> int:
            return k if x > 0 else -k

        return f

    one, two = make(1), make(2)
    assert autograph.to_graph(one)(1) == 1 and autograph.to_graph(two)(1) == 2


# ---- sources ----


def test_source_can_be_supplied() -> None:
    space: dict[str, Any] = {}
    text = "def f(x):\n    return x if x > 0 else -x\n"
    exec(text, space)
    with pytest.raises(NoSourceError, match="source="):
        autograph.to_graph(space["f"])
    assert autograph.to_graph(space["f"], source=text)(-2) == 2
    assert "if_exp" in autograph.to_code(space["f"], source=text)


def test_exec_keeps_its_text() -> None:
    space = autograph.exec("def f(x):\n    if x > 0:\n        return 1 / 0\n    return 0\n")
    with pytest.raises(ZeroDivisionError) as caught:
        autograph.to_graph(space["f"])(1)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.line, last.lineno) == ("return 1 / 0", 3)
    named = autograph.exec("def g(): pass", {"__name__": "mine"}, filename="/some/where.py")
    assert named["g"].__code__.co_filename == "/some/where.py"
    assert "/some/where.py" not in linecache.cache


def test_edited_file_is_an_error_also_for_callees(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        """
        def inner(x):
            return 1 if x else 2
        def outer(x):
            return inner(x)
        """,
    )
    outer = autograph.to_graph(module.outer)
    path = tmp_path / "user_program.py"
    path.write_text(path.read_text().replace("else 2", "else 5000"))
    with pytest.raises(StaleSourceError, match=r"inner .*user_program\.py"):
        outer(0)
    with staging.tracing(), pytest.raises(autograph.StagingError) as caught:
        outer(0)
    assert isinstance(public_error(caught.value), StaleSourceError)


def test_callee_without_source_stays_python_and_says_so_once() -> None:
    space: dict[str, Any] = {"__name__": "elsewhere"}
    exec("def inner(x):\n    return 1 if x else 2\n", space)
    inner = space["inner"]

    def outer(x: int) -> Any:
        return inner(x)

    stream = io.StringIO()
    autograph.set_verbosity(1, stream=stream)
    try:
        graph = autograph.to_graph(outer)
        assert [graph(0), graph(1)] == [2, 1]
    finally:
        autograph.set_verbosity(0)
    assert stream.getvalue().count("inner") == 1
    assert "has no source text" in stream.getvalue()
    with pytest.raises(NoSourceError):
        autograph.to_graph(outer, strict=True)(0)


def test_strict_refuses_with_the_place(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        """
        class C:
            def f(self, xs):
                def numbers():
                    for x in xs:
                        yield x
                return numbers
        """,
    )
    conversion = Conversions(operators).conversion(module.C.f, ConversionOptions()).conversion
    if not conversion.refusals:
        pytest.skip("the converter stages all of this")
    with pytest.raises(ConversionError) as caught:
        autograph.to_graph(module.C.f, strict=True)
    assert caught.value.filename == module.__file__
    assert caught.value.lineno is not None and caught.value.lineno >= 5


# ---- the cache ----


def fib(n: int) -> int:
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def returns_functions(k: Any) -> Any:
    def plain(x: Any) -> Any:
        return inspect.isfunction(x), k

    def branching(x: Any) -> Any:
        return k if x > 0 else -k

    return plain, branching, lambda x: k if x > 0 else -k


def uses_functions(functions: Any, x: Any) -> Any:
    return [function(x) for function in functions]


def test_functions_made_by_converted_functions_are_converted_already() -> None:
    functions = autograph.to_graph(returns_functions)(3)
    assert autograph.to_graph(uses_functions)(functions, -1) == [(False, 3), -3, -3]
    assert [autograph.to_graph(each)(-1) for each in functions] == [(False, 3), -3, -3]
    autograph.to_graph(uses_functions)(functions[1:], Staged())


def test_recursion() -> None:
    assert autograph.to_graph(fib)(12) == 144


# ---- errors and tools ----


class OddError(Exception):
    def __init__(self, *, code: int) -> None:
        super().__init__()
        self.code = code


def raises(error: BaseException, x: int) -> None:
    while x > 0:
        if x == 1:
            raise error
        x -= 1


def test_exceptions_of_the_user_pass_unchanged() -> None:
    for error in (OddError(code=3), KeyError("k"), StopIteration(1)):
        args = error.args
        with pytest.raises(type(error)) as caught:
            autograph.to_graph(raises)(error, 3)
        assert caught.value is error and error.args == args
        assert not hasattr(error, "__notes__")


def test_tracebacks_name_user_functions_and_lines() -> None:
    with pytest.raises(KeyError) as caught:
        autograph.to_graph(raises)(KeyError("k"), 2)
    shown = [
        (each.lineno, each.name)
        for each in traceback.extract_tb(caught.value.__traceback__)
        if each.filename == __file__
        and each.name != "test_tracebacks_name_user_functions_and_lines"
    ]
    first = raises.__code__.co_firstlineno
    assert shown == [(first + 1, "raises"), (first + 2, "raises"), (first + 3, "raises")]


def lines_run(function: Any, *args: Any) -> set[int]:
    seen: set[int] = set()

    def tracer(frame: Any, event: str, arg: Any) -> Any:
        if frame.f_code.co_filename != __file__:
            return None
        if event == "line":
            seen.add(frame.f_lineno)
        return tracer

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        function(*args)
    finally:
        sys.settrace(before)
    return seen


def walks(n: int) -> int:
    total = 0
    for i in range(n):
        if i % 2:
            continue
        elif i > 100:
            break
        while total < 3:
            total += 1
        total += i
    else:
        total = -total
    return total


def test_tracers_see_the_lines_that_python_runs() -> None:
    plain = lines_run(walks, 5)
    converted = lines_run(autograph.to_graph(walks), 5)
    assert plain - converted <= {walks.__code__.co_firstlineno + 4}  # `continue` does nothing
    # What decides between branches is evaluated in one go.
    assert converted - plain <= {walks.__code__.co_firstlineno}


def test_coverage_counts_converted_lines(tmp_path: Path) -> None:
    (tmp_path / "covered.py").write_text(
        "import autograph\n\n\ndef f(x):\n    if x > 0:\n        y = 1\n    else:\n        y = 2\n"
        "    return y\n\n\nautograph.to_graph(f)(1)\n"
    )
    command = [sys.executable, "-m", "coverage", "run", "--data-file=data", "covered.py"]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    subprocess.run(command, cwd=tmp_path, env=environment, check=True)
    report = subprocess.run(
        [sys.executable, "-m", "coverage", "report", "--data-file=data", "-m", "covered.py"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "86%   8" in report.stdout


def test_debugger_stops_at_the_users_line(tmp_path: Path) -> None:
    (tmp_path / "debugged.py").write_text(
        "import autograph\n\n\ndef f(x):\n    y = 0\n    while x > 0:\n        y += x\n"
        "        x -= 1\n    return y\n\n\nf = autograph.to_graph(f)\nf(2)\n"
    )
    result = subprocess.run(
        [sys.executable, "-m", "pdb", "debugged.py"],
        input="b 7\nc\np x, y\nc\np x, y\ncl 1\nc\nq\n",
        cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "debugged.py(7)f()" in result.stdout
    assert "(2, 0)" in result.stdout and "(1, 2)" in result.stdout


def test_warnings_about_a_text_are_not_repeated(tmp_path: Path) -> None:
    (tmp_path / "careless.py").write_text(
        "import autograph\n\n\n@autograph.convert()\ndef f(x):\n"
        "    return '\\d' if x is 'a' else 2\n"
    )
    environment = {"PYTHONPATH": f"{ROOT}:{tmp_path}", "PYTHONDONTWRITEBYTECODE": "1"}
    program = (
        "import warnings\nwith warnings.catch_warnings():\n    warnings.simplefilter('ignore')\n"
        "    import careless\nwarnings.simplefilter('error')\n"
        "import autograph\nprint(autograph.to_graph(careless.f)(1), careless.f(1))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.stdout, result.stderr) == ("2 2\n", "")


def test_minus_c_says_that_there_is_no_source() -> None:
    program = (
        "import autograph\ndef f(x): return 1 if x else 2\n"
        "try:\n    autograph.to_graph(f)\n    print('kept by Python')\n"
        "except autograph.NoSourceError as error: print(error)\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "source=" in result.stdout or "kept by Python" in result.stdout


def test_doctests_can_convert(tmp_path: Path) -> None:
    (tmp_path / "documented.py").write_text(
        '"""\n>>> import autograph\n>>> def f(x):\n...     return x if x > 0 else -x\n'
        '>>> autograph.to_graph(f)(-3)\n3\n"""\n'
    )
    result = subprocess.run(
        [sys.executable, "-m", "doctest", "documented.py"],
        cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.stdout == "" and result.returncode == 0


# ---- pickle ----


def call_in_another_process(function: Any) -> Any:
    return function(-4)


reassigned = autograph.to_graph(absolute)


def test_pickle() -> None:
    graph = autograph.to_graph(absolute, recursive=False)
    again = pickle.loads(pickle.dumps(graph))
    assert again(-2) == 2 and again._options == graph._options
    assert pickle.loads(pickle.dumps(decorated)) is decorated
    assert pickle.loads(pickle.dumps(autograph.to_graph(Model().method)))(-1) == 1
    assert pickle.loads(pickle.dumps(autograph.ag__)) is autograph.ag__
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(autograph.to_graph(lambda x: 1 if x else 2))


# ---- the decorator ----


def test_generator_based_coroutines(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        """
        import types
        import autograph

        @types.coroutine
        def pause(n):
            while n > 0:
                yield
                n -= 1
            return "done"

        async def outer():
            return await converted(2)

        converted = autograph.to_graph(pause)
        """,
    )
    coroutine = module.outer()
    assert [coroutine.send(None), coroutine.send(None)] == [None, None]
    with pytest.raises(StopIteration, match="done"):
        coroutine.send(None)


def test_decorated_lambda_partial_and_callable_object() -> None:
    first = autograph.convert()(lambda x: 1 if x > 0 else 2)
    assert (first(1), first(1), first(-1), first(Staged())) == (1, 1, 2, 1)
    partial = autograph.convert()(functools.partial(absolute, Staged()))
    partial()
    autograph.convert()(Model())(Staged())
    assert Staged.seen == ["cond"] * 3
    with pytest.raises(TypeError, match="Model is a class"):
        autograph.convert()(Model)
    with pytest.raises(TypeError, match="cannot be called"):
        autograph.convert()(3)  # type: ignore[type-var]
    assert autograph.convert()(len) is len


def test_decorated_function_called_by_converted_code_keeps_its_own_options() -> None:
    @autograph.convert(recursive=False)
    def shallow(x: Any) -> Any:
        return absolute(x)

    def outer(x: Any) -> Any:
        return shallow(x)

    with pytest.raises(TypeError, match="no truth"):
        autograph.to_graph(outer)(Staged())


def test_decorated_function_without_source_runs_as_written() -> None:
    space: dict[str, Any] = {"convert": autograph.convert, "__name__": "elsewhere"}
    exec("@convert()\ndef f(x):\n    return x\n", space)
    assert space["f"](3) == 3
    with pytest.raises(NoSourceError):
        exec("@convert(strict=True)\ndef f(x):\n    return x\n", space)


def test_decorated_function_shows_its_lines(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        """
        import autograph

        @autograph.convert()
        def f(x):
            "Doc."
            return 1 / x
        """,
    )
    with pytest.raises(ZeroDivisionError) as caught:
        module.f(0)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.lineno, last.line, last.name) == (7, "return 1 / x", "f")


# ---- other names ----


def test_convert_source() -> None:
    text = autograph.convert_source("def f(x):\n    return x and g(x)\n")
    assert text.startswith("from autograph import ag__\n")
    assert autograph.convert_source(text) == text


def test_import_is_light() -> None:
    program = (
        "import sys, autograph\n"
        "print([name for name in ('libcst', 'gast', 'astor', 'numpy') if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


def test_public_names_are_there() -> None:
    for name in autograph.__all__:
        assert getattr(autograph, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = autograph.nothing


def test_processes_started_anew_can_use_converted_functions(tmp_path: Path) -> None:
    (tmp_path / "shared.py").write_text("def f(x):\n    return x if x > 0 else -x\n")
    program = (
        "import multiprocessing, shared, autograph\n"
        "if __name__ == '__main__':\n"
        "    f = autograph.to_graph(shared.f)\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.map(f, [1, -2]))\n"
    )
    (tmp_path / "spawning.py").write_text(program)
    result = subprocess.run(
        [sys.executable, "spawning.py"],
        cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.stdout == "[1, 2]\n", result.stderr


def test_declared_element_types_change_nothing():
    def squares(n):
        found = []
        autograph.experimental.set_element_type(found, int, shape=())
        for i in range(n):
            found.append(i * i)
        return found

    assert autograph.to_graph(squares)(4) == squares(4) == [0, 1, 4, 9]
