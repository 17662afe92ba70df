"""The text found for a function is exactly the text that is running."""

from __future__ import annotations

import ast
import importlib.util
import linecache
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

import autograph
from autograph.errors import NoSourceError, StaleSourceError
from autograph.source import function_source


def load(folder: Path, text: str, name: str = "user_module") -> ModuleType:
    path = folder / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def text_of(function: object) -> str:
    assert isinstance(function, FunctionType)
    return function_source(function).text


def test_plain_function(tmp_path: Path) -> None:
    module = load(tmp_path, "import os\n\n\ndef f(x):  # why\n    return x  # last\n\n\ny = 1\n")
    source = function_source(module.f)
    assert source.text == "def f(x):  # why\n    return x  # last\n"
    assert source.first_line == 4
    assert source.filename == str(tmp_path / "user_module.py")
    assert source.exact


def test_decorators_are_left_out_but_count_for_the_first_line(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        "def same(f):\n    return f\n\n\n@same\n@same\ndef f(x):\n    return x\n",
    )
    source = function_source(module.f)
    assert source.text.startswith("def f")
    assert (source.code_line, source.first_line) == (5, 7)


def test_method_is_moved_to_the_left_without_touching_strings(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        textwrap.dedent(
            '''
            class Model:
                class Inner:
                    async def f(self):
                        """First
                    second
                        """
                        text = f"""a
                {self!r}
                        b"""
            # a comment further left
                        return (text,
              "implicit"
                                "joined")
            '''
        ),
    )
    source = function_source(module.Model.Inner.f)
    assert source.text == (
        "async def f(self):\n"
        '    """First\n'
        "        second\n"
        '            """\n'
        '    text = f"""a\n'
        "    {self!r}\n"
        '            b"""\n'
        "# a comment further left\n"
        "    return (text,\n"
        '"implicit"\n'
        '            "joined")\n'
    )
    assert source.class_name == "Inner"
    compile(source.text, "x", "exec")


@pytest.mark.parametrize("warm", [False, True])
def test_lambdas_on_one_line(tmp_path: Path, warm: bool) -> None:
    module = load(
        tmp_path,
        "def make(k):\n"
        "    a, b, c = (lambda x: x + 1), (lambda x: x + k), lambda x: lambda y: (x, y)\n"
        "    return a, b, c, c(1), (lambda é, z='é': é + 1), lambda x: (\n"
        "        x + 2)\n",
    )
    functions = module.make(5)
    if warm:
        for _ in range(50):
            [each(1) for each in functions]
    assert [text_of(each) for each in functions] == [
        "lambda x: x + 1\n",
        "lambda x: x + k\n",
        "lambda x: lambda y: (x, y)\n",
        "lambda y: (x, y)\n",
        "lambda é, z='é': é + 1\n",
        "(lambda x: (\n        x + 2))\n",
    ]
    assert function_source(functions[1]).free == ("k",)


def test_identical_lambdas_on_one_line_are_told_apart(tmp_path: Path) -> None:
    module = load(tmp_path, "a, b = lambda x: x, lambda x: x\n")
    assert function_source(module.a).columns[0] == 7
    assert function_source(module.b).columns[0] == 20


def test_without_columns_lambdas_on_one_line_are_refused(tmp_path: Path) -> None:
    (tmp_path / "two.py").write_text(
        "a, b = (lambda x: x + 1), (lambda x: x - 1)\nc = lambda x: x\n"
    )
    program = (
        "import two\nfrom autograph.source import function_source\n"
        "print(function_source(two.c).text)\n"
        "try: function_source(two.a)\nexcept Exception as error: print(error)\n"
    )
    result = subprocess.run(
        [sys.executable, "-B", "-X", "no_debug_ranges", "-c", program],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PYTHONPATH": f"{tmp_path}:{Path(autograph.__file__).parent.parent}"},
        check=True,
    )
    assert result.stdout.startswith("lambda x: x\n")
    assert "one of several lambdas in this line" in result.stdout


def test_bytecode_without_columns_is_still_compared(tmp_path: Path) -> None:
    path = tmp_path / "bare.py"
    path.write_text("def f(x):\n    return [x + 1, lambda: (x,\n        3)]\n")
    environment = {"PYTHONPATH": f"{tmp_path}:{Path(autograph.__file__).parent.parent}"}
    subprocess.run(
        [sys.executable, "-X", "no_debug_ranges", "-m", "compileall", "-q", str(tmp_path)],
        env=environment,
        check=True,
    )
    program = (
        "import bare, os\nfrom autograph.source import function_source\n"
        "print(function_source(bare.f).exact)\n"
        "with open(bare.__file__, 'w') as f: f.write('def f(x):\\n    return [x + 2]\\n')\n"
        "try: function_source(bare.f)\nexcept Exception as error: print(type(error).__name__)\n"
    )
    result = subprocess.run(
        [sys.executable, "-B", "-c", program],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    assert result.stdout.split() == ["True", "StaleSourceError"]


def test_equal_functions_in_two_files_keep_their_files(tmp_path: Path) -> None:
    one = load(tmp_path, "def f(x):\n    return x\n", "one")
    two = load(tmp_path, "def f(x):\n    return x\n", "two")
    assert one.f.__code__ == two.f.__code__
    assert function_source(one.f).filename.endswith("one.py")
    assert function_source(two.f).filename.endswith("two.py")


@pytest.mark.parametrize(
    "edited",
    [
        "def f(x):\n    return x + 1000\n",
        "def f(x):\n    return x + 1.0\n",
        "\ndef f(x):\n    return x + 1\n",
        "def g(x):\n    return x + 1\n",
        "def f(x:\n",
        "",
    ],
)
def test_edited_file_is_refused(tmp_path: Path, edited: str) -> None:
    module = load(tmp_path, "def f(x):\n    return x + 1\n")
    (tmp_path / "user_module.py").write_text(edited)
    with pytest.raises(StaleSourceError, match=r"f \(File .*user_module.py.*[Rr]eload"):
        function_source(module.f)


def reloaded(function: Any, text: str) -> None:
    """Replace the code of a function as IPython's autoreload does: compiled alone, at line 1."""
    node = next(
        each
        for each in ast.walk(ast.parse(text))
        if isinstance(each, ast.FunctionDef) and each.name == function.__name__
    )
    alone = ast.unparse(node)
    if "." in function.__qualname__:
        alone = "class Reloaded:\n" + textwrap.indent(alone, "    ")
    space: dict[str, Any] = {}
    exec(compile(alone, function.__code__.co_filename, "exec"), function.__globals__, space)
    owner = vars(space["Reloaded"]) if "Reloaded" in space else space
    function.__code__ = owner[function.__name__].__code__


def test_functions_that_ipython_reloads_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "import os\n\ndef f(x):\n    return os.fspath(x)\n\nclass C:\n    def g(self): pass\n"
    module = load(tmp_path, text)
    edited = (
        "import os\n\ny = 1\n\ndef f(x):\n    # A comment.\n    return os.fspath( x + 'a' )\n\n"
        "class C:\n    def g(self):\n        return self.x if self else 1\n"
    )
    (tmp_path / "user_module.py").write_text(edited)
    linecache.checkcache()
    for function in (module.f, module.C.g):
        reloaded(function, edited)
        with pytest.raises(StaleSourceError, match="was edited"):
            function_source(function)
    monkeypatch.setitem(
        sys.modules, "IPython.extensions.deduperreload.deduperreload", ModuleType("reload")
    )
    assert "os.fspath( x + 'a' )" in text_of(module.f)
    assert function_source(module.f).first_line == 5
    assert "return self.x if self else 1" in text_of(module.C.g)
    (tmp_path / "user_module.py").write_text(edited.replace("'a'", "'b'"))
    linecache.checkcache()
    with pytest.raises(StaleSourceError, match="was edited"):
        function_source(module.f)


def test_edit_elsewhere_in_the_file_does_not_matter(tmp_path: Path) -> None:
    module = load(tmp_path, "def f(x):\n    return x + 1\n\n\ny = 1\n")
    (tmp_path / "user_module.py").write_text("def f(x):\n    return x + 1\n\n\ny = 2\n")
    assert text_of(module.f) == "def f(x):\n    return x + 1\n"


def test_deleted_file_is_read_from_what_linecache_has_kept(tmp_path: Path) -> None:
    module = load(tmp_path, "def f(x):\n    return x + 1\n")
    linecache.getlines(str(tmp_path / "user_module.py"))
    (tmp_path / "user_module.py").unlink()
    assert text_of(module.f) == "def f(x):\n    return x + 1\n"


def test_looking_for_a_source_leaves_linecache_alone(tmp_path: Path) -> None:
    module = load(tmp_path, "def f(x):\n    return x + 1\n")
    function_source(module.f)
    assert module.f.__code__.co_filename not in linecache.cache


@pytest.mark.parametrize(
    "imports",
    [
        "import os",
        "from os import path as os",
        "try:\n    import nothing\nexcept ImportError:\n    import os",
        "if True:\n    while True:\n        import os\n        break",
        "from __future__ import annotations\nfrom os import *\nimport os",
    ],
)
def test_calls_into_imported_modules(tmp_path: Path, imports: str) -> None:
    module = load(tmp_path, f"{imports}\n\n\ndef f(x):\n    return os.fspath(x), x.y()\n")
    assert function_source(module.f).exact


def test_what_else_a_module_does_may_matter(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        "import types\n\n\nclass C:\n    def f(self):\n        return super().__str__()\n\n\n"
        "@types.coroutine\ndef g():\n    yield\n\n\nplain = super\n",
    )
    assert function_source(module.C.f).exact
    assert function_source(module.g).exact


def test_supplied_text_with_calls_into_imported_modules() -> None:
    space: dict[str, FunctionType] = {}
    text = "import os\n\n\ndef f(x):\n    return os.fspath(x)\n"
    exec(text, space)
    assert function_source(space["f"], text).first_line == 4
    alone = text.partition("\n\n\n")[2]
    assert function_source(space["f"], alone).first_line == 1


def compiled_by_statement(path: Path, text: str) -> dict[str, Any]:
    """What notebooks do: they compile each statement of a cell alone."""
    path.write_text(text)
    space: dict[str, Any] = {"__name__": "__main__"}
    for statement in ast.parse(text).body:
        exec(compile(ast.Module([statement], []), str(path), "exec"), space)
    return space


@pytest.mark.parametrize("imports", ["import os", "import os.path as os", "from sys import os"])
def test_statements_compiled_alone(tmp_path: Path, imports: str) -> None:
    text = (
        f"{imports}\n\ndef f(x):\n    return os.fspath(x), x.y()\n\n"
        "class C:\n    g = lambda self: os.getpid()\n\nif True:\n    import os\n    def h():\n"
        "        return os.getpid()\n"
    )
    space = compiled_by_statement(tmp_path / "cell.py", text.replace("from sys", "from shutil"))
    assert text_of(space["f"]) == "def f(x):\n    return os.fspath(x), x.y()\n"
    assert text_of(vars(space["C"])["g"]) == "lambda self: os.getpid()\n"
    assert text_of(space["h"]) == "def h():\n    return os.getpid()\n"
    assert all(function_source(space[name]).exact for name in "fh")


def test_statements_compiled_alone_are_still_compared(tmp_path: Path) -> None:
    path = tmp_path / "cell.py"
    text = "import os\n\ndef f(x):\n    return os.fspath(x)\n"
    space = compiled_by_statement(path, text)
    path.write_text(text.replace("(x)", "(x) "))
    assert text_of(space["f"]) == "def f(x) :\n    return os.fspath(x) \n"
    path.write_text(text.replace("fspath", "getenv"))
    with pytest.raises(StaleSourceError, match="was edited"):
        function_source(space["f"])


def test_zip_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = tmp_path / "program.zip"
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("zipped_module.py", "def f(x):\n    return x + 1\n")
    monkeypatch.syspath_prepend(archive)
    import zipped_module  # type: ignore[import-not-found]

    assert text_of(zipped_module.f) == "def f(x):\n    return x + 1\n"


def test_file_that_is_gone(tmp_path: Path) -> None:
    module = load(tmp_path, "def f(x):\n    return x + 1\n")
    (tmp_path / "user_module.py").unlink()
    with pytest.raises(NoSourceError, match=r"f \(File .* has no source text.*source="):
        function_source(module.f)


def test_exec_keeps_no_source_and_a_command_does() -> None:
    space: dict[str, FunctionType] = {}
    exec("def f(x):\n    return x\n", space)
    with pytest.raises(NoSourceError, match=r"autograph\.exec"):
        function_source(space["f"])
    program = (
        "from autograph.source import function_source\n"
        "def f(x):\n    return x\n"
        "try:\n    print(function_source(f).text)\n"
        "except Exception as error: print(type(error).__name__)\n"
    )
    folder = Path(autograph.__file__).parent.parent
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=folder, check=True
    )
    assert result.stdout.strip() == "def f(x):\n    return x"


def test_supplied_text_may_stand_alone_or_in_its_program() -> None:
    space: dict[str, FunctionType] = {}
    program = "import os\n\n\nclass C:\n    def f(self, x):\n        return self.__p + x\n"
    exec(program, space)
    f = vars(space["C"])["f"]
    whole = function_source(f, program)
    assert (whole.first_line, whole.class_name) == (5, "C")
    exec("def g(x):\n    return [y for y in x]\n", space)
    alone = function_source(space["g"], "# a comment\ndef g(x):\n    return [y for y in x]\n")
    assert alone.text == "def g(x):\n    return [y for y in x]\n"
    with pytest.raises(StaleSourceError, match="does not define g"):
        function_source(space["g"], "def g(x):\n    return [y + 1 for y in x]\n")


def test_relative_file_name_after_a_change_of_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "script.py").write_text("def f(x):\n    return x\n")
    space = {"__file__": str(tmp_path / "script.py"), "__name__": "script"}
    exec(compile((tmp_path / "script.py").read_text(), "script.py", "exec"), space)
    monkeypatch.chdir("/")
    f = space["f"]
    assert text_of(f) == "def f(x):\n    return x\n"


def test_function_under_rewritten_assertions() -> None:
    def checked(x: int) -> int:
        assert x > 0, "positive"
        return x + 1

    source = function_source(checked)
    assert "assert x > 0" in source.text
    assert checked(1) == 2


def rewritten(folder: Path, text: str) -> ModuleType:
    import ast

    from _pytest.assertion.rewrite import rewrite_asserts

    path = folder / "test_rewritten.py"
    path.write_text(text)
    tree = ast.parse(text)
    rewrite_asserts(tree, text.encode(), str(path))
    module = ModuleType("test_rewritten")
    module.__file__ = str(path)
    module.__dict__["__loader__"] = type("Hook", (), {"__module__": "_pytest.assertion.rewrite"})()
    exec(compile(tree, str(path), "exec"), module.__dict__)
    return module


@pytest.mark.parametrize(
    ("old", "new"), [("x - 1", "x + 1"), ("x - 1", "x - 2"), ("x > 0", "x < 0"), ("y = ", "z = ")]
)
def test_edits_are_seen_behind_rewritten_assertions(tmp_path: Path, old: str, new: str) -> None:
    text = "def f(x):\n    assert x > 0\n    y = x - 1\n    return x\n"
    module = rewritten(tmp_path, text)
    assert not function_source(module.f).exact
    (tmp_path / "test_rewritten.py").write_text(text.replace(old, new))
    with pytest.raises(StaleSourceError):
        function_source(module.f)


def test_function_without_assertions_is_compared_exactly_under_pytest(tmp_path: Path) -> None:
    module = rewritten(tmp_path, "def f(x):\n    return not x\n")
    assert function_source(module.f).exact
    (tmp_path / "test_rewritten.py").write_text("def f(x):\n    return x\n")
    with pytest.raises(StaleSourceError):
        function_source(module.f)


def test_optimised_and_future_compiled_functions(tmp_path: Path) -> None:
    (tmp_path / "opt.py").write_text(
        "from __future__ import annotations\n\n\ndef f(x: No) -> Such:\n"
        '    """Doc."""\n    assert x\n    return x\n'
    )
    program = (
        "import opt\nfrom autograph.source import function_source\n"
        "print(function_source(opt.f).exact)\n"
    )
    for level in ("-O", "-OO", "-E"):
        result = subprocess.run(
            [
                sys.executable,
                level,
                "-c",
                f"import sys; sys.path[:0] = {paths(tmp_path)}\n{program}",
            ],
            capture_output=True,
            text=True,
            check=True,
        )
        assert result.stdout == "True\n"


def paths(folder: Path) -> list[str]:
    return [str(folder), str(Path(autograph.__file__).parent.parent)]


def test_function_under_a_tracer(tmp_path: Path) -> None:
    module = load(tmp_path, "def f(x):\n    y = x\n    return y\n")
    lines = []

    def tracer(frame, event, arg):  # type: ignore[no-untyped-def]
        lines.append(frame.f_lineno)
        return tracer

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        module.f(1)
        text = text_of(module.f)
    finally:
        sys.settrace(before)
    assert text.startswith("def f")


def test_statements_that_share_a_line_are_told_apart() -> None:
    text = "v = 1; f = lambda v: v * v; g = lambda v: v + v\ndef h(): pass\n"
    space = autograph.exec(text)
    assert function_source(space["f"]).text == "lambda v: v * v\n"
    assert function_source(space["g"]).text == "lambda v: v + v\n"


def test_functions_nested_deeply_are_compared_in_linear_time(tmp_path: Path) -> None:
    """CPython's comparison of code objects would double with each level: years for 60."""
    depth = 60
    text = "".join(f"(lambda a{i}: " for i in range(depth)) + "a0" + ")(x)" * depth
    module = load(tmp_path, f"def f(x):\n    return {text}\n")
    assert text_of(module.f) == f"def f(x):\n    return {text}\n"


def test_an_edit_in_a_nested_function_is_seen(tmp_path: Path) -> None:
    module = load(tmp_path, "def f(x):\n    return (lambda a: (lambda b: b + 1)(a))(x)\n")
    (tmp_path / "user_module.py").write_text(
        "def f(x):\n    return (lambda a: (lambda b: b + 2)(a))(x)\n", encoding="utf-8"
    )
    linecache.checkcache()
    with pytest.raises(StaleSourceError):
        text_of(module.f)


def test_code_of_a_document_runs_as_written_in_the_namespace_of_a_module(tmp_path: Path) -> None:
    module = load(tmp_path, "def apply(f, x):\n    if x:\n        return f(x)\n    return 0\n")
    code = compile("double = lambda x: x * 2 if x else 1\n", "chapter.rst", "exec")
    exec(code, vars(module))
    with pytest.raises(NoSourceError, match=r"File .*chapter.rst.* has no source text"):
        function_source(module.double)
    assert autograph.to_graph(module.apply)(module.double, 3) == 6
