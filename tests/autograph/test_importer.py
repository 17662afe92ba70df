"""Modules converted while they are imported."""

from __future__ import annotations

import importlib
import importlib.resources
import importlib.util
import inspect
import py_compile
import sys
import threading
import traceback
import types
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import autograph
from autograph.errors import ConversionError
from autograph.importer import AlreadyImportedError, ConvertingLoader
from tests.autograph.modules import CLIP, STAYS, is_converted, python, write


class TestWhatIsConverted:
    def test_a_module(self, here: Path) -> None:
        write(here, {"clipping.py": CLIP})
        with autograph.importing("clipping"):
            module = importlib.import_module("clipping")
        assert is_converted(module.clip)
        assert (module.clip(5, 3), module.clip(2, 3)) == (3, 2)

    def test_a_package_and_everything_below_it_and_nothing_else(self, here: Path) -> None:
        write(
            here,
            {
                "pkg/__init__.py": "from pkg.sub import clip as deep\n" + CLIP,
                "pkg/sub/__init__.py": "from .mod import clip\n",
                "pkg/sub/mod.py": CLIP,
                "pkgs.py": CLIP,
            },
        )
        with autograph.importing("pkg") as hook:
            module = importlib.import_module("pkg")
            other = importlib.import_module("pkgs")
        assert is_converted(module.clip) and is_converted(module.deep)
        assert not is_converted(other.clip)
        assert list(hook.modules) == ["pkg", "pkg.sub", "pkg.sub.mod"]

    def test_namespace_packages(self, here: Path) -> None:
        write(here / "one", {"space/a.py": CLIP})
        write(here / "two", {"space/b.py": CLIP})
        sys.path[:0] = [str(here / "one"), str(here / "two")]
        with autograph.importing("space"):
            modules = [importlib.import_module(f"space.{name}") for name in "ab"]
        assert all(is_converted(module.clip) for module in modules)

    @pytest.mark.parametrize("with_bytecode", [False, True])
    def test_modules_in_a_zip_file(self, here: Path, with_bytecode: bool) -> None:
        write(here, {"clip.py": CLIP})
        with zipfile.ZipFile(here / "lib.zip", "w") as archive:
            archive.writestr("zipped/__init__.py", "from .clip import clip, fail\n")
            archive.writestr("zipped/clip.py", CLIP)
            if with_bytecode:
                py_compile.compile(str(here / "clip.py"), str(here / "clip.pyc"))
                archive.write(here / "clip.pyc", "zipped/clip.pyc")
        sys.path.insert(0, str(here / "lib.zip"))
        with autograph.importing("zipped"):
            module = importlib.import_module("zipped")
        assert is_converted(module.clip)
        assert module.clip.__code__.co_filename == str(here / "lib.zip/zipped/clip.py")
        with pytest.raises(ValueError) as caught:
            module.fail(1)
        assert "".join(traceback.format_tb(caught.tb)).endswith(
            f'{here}/lib.zip/zipped/clip.py", line 10, in fail\n'
            '    raise ValueError("from the user\'s line")\n'
        )

    def test_only_the_functions_that_are_named(self, here: Path) -> None:
        write(here, {"pkg/__init__.py": "", "pkg/a.py": CLIP, "pkg/b.py": CLIP})
        with autograph.importing("pkg", only=["pkg.a:clip"]):
            a, b = (importlib.import_module(f"pkg.{name}") for name in "ab")
        assert is_converted(a.clip)
        assert not any(map(is_converted, (a.fail, b.clip, b.fail)))

    def test_declared_encodings_and_empty_files(self, here: Path) -> None:
        write(here, {"pkg/__init__.py": ""})
        (here / "pkg/latin.py").write_bytes(f"# coding: latin-1\nN = 'é'\n{CLIP}".encode("latin-1"))
        with autograph.importing("pkg"):
            module = importlib.import_module("pkg.latin")
        assert module.N == "é"
        assert is_converted(module.clip)

    def test_two_hooks_side_by_side(self, here: Path) -> None:
        write(here, {"first.py": CLIP, "second.py": CLIP})
        with autograph.importing("first"), autograph.importing("second", "first"):
            assert is_converted(importlib.import_module("first").clip)
            assert is_converted(importlib.import_module("second").clip)

    def test_nothing_after_the_block(self, here: Path) -> None:
        write(here, {"late.py": CLIP})
        finders = list(sys.meta_path)
        with autograph.importing("late"):
            pass
        assert sys.meta_path == finders
        assert not is_converted(importlib.import_module("late").clip)

    def test_until_the_hook_is_uninstalled(self, here: Path) -> None:
        write(here, {"early.py": CLIP, "later.py": CLIP})
        hook = autograph.install_import_hook("early", "later")
        early = importlib.import_module("early")
        hook.uninstall()
        hook.uninstall()
        assert is_converted(early.clip)
        assert not is_converted(importlib.import_module("later").clip)

    def test_reloading_converts_again(self, here: Path) -> None:
        write(here, {"reloaded.py": CLIP})
        with autograph.importing("reloaded"):
            module = importlib.import_module("reloaded")
            write(here, {"reloaded.py": CLIP.replace("x = limit", "x = limit + 1")})
            importlib.reload(module)
        assert is_converted(module.clip)
        assert module.clip(5, 3) == 4


class TestTheModuleIsTheUsers:
    @pytest.fixture
    def module(self, here: Path) -> types.ModuleType:
        write(here, {"pkg/__init__.py": "", "pkg/mod.py": CLIP, "pkg/data.txt": "data"})
        with autograph.importing("pkg"):
            return importlib.import_module("pkg.mod")

    def test_file_and_spec(self, here: Path, module: types.ModuleType) -> None:
        assert module.__file__ == str(here / "pkg/mod.py")
        assert module.__spec__ is not None
        assert module.__spec__.origin == module.__file__
        assert isinstance(module.__loader__, ConvertingLoader)
        assert module.__loader__ is module.__spec__.loader
        assert module.__package__ == "pkg"

    def test_source_is_the_original_text(self, module: types.ModuleType) -> None:
        assert isinstance(module.__loader__, ConvertingLoader)
        assert module.__loader__.get_source("pkg.mod") == CLIP
        assert inspect.getsource(module) == CLIP
        assert inspect.getsource(module.clip) == CLIP[: CLIP.index("\n\n") + 1]

    def test_tracebacks_show_the_users_line(self, here: Path, module: types.ModuleType) -> None:
        with pytest.raises(ValueError) as caught:
            module.fail(1)
        last = traceback.extract_tb(caught.tb)[-1]
        assert (last.filename, last.lineno, last.name) == (str(here / "pkg/mod.py"), 10, "fail")

    def test_its_functions_can_be_shown_and_converted_again(self, module: types.ModuleType) -> None:
        assert "# keeps x below limit" in autograph.to_code(module.clip)
        assert autograph.to_graph(module.clip)(5, 3) == 3

    def test_names_of_functions_in_blocks(self, here: Path) -> None:
        text = (
            "def f(xs, y):\n"
            "    while y < 1:\n"
            "        y += 1\n"
            "        one = [(lambda: x).__qualname__ for x in xs if x or y]\n"
            "        two = list((lambda: xs and (lambda: x))().__qualname__ for x in xs if x)\n"
            "    return one + two\n"
        )
        write(here, {"named.py": text, "plain.py": text})
        with autograph.importing("named"):
            named = importlib.import_module("named")
        plain = importlib.import_module("plain")
        assert named.f([[]], 0) == plain.f([[]], 0)

    def test_resources(self, module: types.ModuleType) -> None:
        assert importlib.resources.files("pkg").joinpath("data.txt").read_text() == "data"

    def test_run_as_a_program(self, here: Path) -> None:
        write(
            here,
            {
                "app/__init__.py": "",
                "app/__main__.py": CLIP + "\nprint(__name__, clip(5, 3), 'ag__' in globals())\n",
            },
        )
        program = "import autograph, runpy, sys; autograph.install_import_hook('app'); "
        program += "runpy.run_module('app', run_name='__main__', alter_sys=True)"
        assert python(program, here).stdout == "__main__ 3 True\n"

    def test_errors_at_module_level_name_no_part_of_the_converter(self, here: Path) -> None:
        write(here, {"broken.py": CLIP + "fail(1)\n"})
        with autograph.importing("broken"), pytest.raises(ValueError) as caught:
            importlib.import_module("broken")
        shown = "".join(traceback.format_exception(caught.value))
        assert "autograph/importer.py" not in shown
        assert 'broken.py", line 11, in <module>\n    fail(1)\n' in shown


class TestErrors:
    def test_a_module_that_is_imported_already(self, here: Path) -> None:
        write(here, {"pkg/__init__.py": "", "pkg/mod.py": CLIP})
        importlib.import_module("pkg.mod")
        finders = list(sys.meta_path)
        with pytest.raises(AlreadyImportedError) as caught:
            autograph.install_import_hook("pkg")
        assert str(caught.value).startswith("pkg, pkg.mod are already imported, so ")
        assert "Install the hook before the first import" in str(caught.value)
        assert sys.meta_path == finders

    def test_but_not_one_that_is_converted_in_the_same_way(self, here: Path) -> None:
        write(here, {"pkg/__init__.py": CLIP})
        for _ in range(2):
            with autograph.importing("pkg"):
                importlib.import_module("pkg")
        with pytest.raises(AlreadyImportedError), autograph.importing("pkg", strict=True):
            pass

    @pytest.mark.parametrize("name", ["", "a/b.py", "a.", "autograph.api", "libcst"])
    def test_names_that_cannot_be_meant(self, name: str) -> None:
        with pytest.raises(ValueError, match=r"module|converter"):
            autograph.install_import_hook(name)

    def test_no_name_at_all(self) -> None:
        with pytest.raises(ValueError, match="at least one package"):
            autograph.install_import_hook()

    @pytest.mark.parametrize("only", ["clip", "other:clip", "pkg:"])
    def test_only_names_a_function_of_the_packages(self, only: str) -> None:
        with pytest.raises(ValueError, match=f"only='{only}' does not name a function of pkg"):
            autograph.install_import_hook("pkg", only=[only])

    def test_strict_refuses_what_would_stay_python(self, here: Path) -> None:
        write(here, {"stays.py": STAYS})
        with autograph.importing("stays", strict=True), pytest.raises(ConversionError) as caught:
            importlib.import_module("stays")
        assert (caught.value.filename, caught.value.lineno) == (str(here / "stays.py"), 3)

    def test_otherwise_it_is_recorded(self, here: Path) -> None:
        write(here, {"stays.py": STAYS})
        for from_cache in (False, True):
            with autograph.importing("stays") as hook:
                importlib.import_module("stays")
            record = hook.modules["stays"]
            assert [(each.function, each.line) for each in record.left] == [("totals", 3)]
            assert record.from_cache is from_cache
            del sys.modules["stays"]

    @pytest.mark.parametrize("data", [b"def f(:\n", b"x = '\xe9'\n", b"return\n", b"x = \0\n"])
    def test_bad_files_fail_as_they_do_without_the_hook(self, here: Path, data: bytes) -> None:
        (here / "bad.py").write_bytes(data)
        with pytest.raises(Exception) as plain:
            importlib.import_module("bad")
        with autograph.importing("bad"), pytest.raises(type(plain.value)) as caught:
            importlib.import_module("bad")
        assert caught.value.args == plain.value.args

    def test_a_missing_module(self, here: Path) -> None:
        with autograph.importing("nowhere"), pytest.raises(ModuleNotFoundError):
            importlib.import_module("nowhere")

    def test_bytecode_without_source(self, here: Path) -> None:
        write(here, {"source.py": CLIP})
        py_compile.compile(str(here / "source.py"), str(here / "sourceless.pyc"))
        importlib.invalidate_caches()
        with (
            autograph.importing("sourceless") as hook,
            pytest.warns(RuntimeWarning, match="sourceless stays Python: .* no source"),
        ):
            importlib.import_module("sourceless")
        assert list(hook.skipped) == ["sourceless"]
        del sys.modules["sourceless"]
        with (
            autograph.importing("sourceless", strict=True),
            pytest.raises(ImportError, match="sourceless cannot be converted"),
        ):
            importlib.import_module("sourceless")

    def test_loaders_that_transform_the_code_themselves_are_left_alone(self, here: Path) -> None:
        class Loader(importlib.machinery.SourceFileLoader):
            def source_to_code(self, data: object, path: object, **_: object) -> types.CodeType:  # type: ignore[override]
                return compile("transformed = True", str(path), "exec")

        class Finder:
            @staticmethod
            def find_spec(name: str, path: object, target: object = None) -> object:
                if name != "special":
                    return None
                return importlib.util.spec_from_file_location(
                    name, here / "special.py", loader=Loader(name, str(here / "special.py"))
                )

        write(here, {"special.py": CLIP})
        sys.meta_path.insert(0, Finder)  # type: ignore[arg-type]
        with autograph.importing("special") as hook:
            assert importlib.import_module("special").transformed
        assert "Loader builds the code in its own way" in hook.skipped["special"]

    def test_files_of_another_language_are_left_alone(
        self, here: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        plain = importlib.machinery.SourceFileLoader

        class Finder:
            @staticmethod
            def find_spec(name: str, path: object, target: object = None) -> object:
                file = here / f"{name}.lisp"
                loader = plain(name, str(file))
                return importlib.util.spec_from_file_location(name, file, loader=loader)

        write(here, {"special.lisp": "(setv transformed True)"})
        monkeypatch.setattr(sys, "meta_path", [Finder, *sys.meta_path])
        monkeypatch.setattr(
            plain,
            "source_to_code",
            lambda self, data, path, **_: compile("transformed = True", path, "exec"),
        )
        with autograph.importing("special") as hook:
            assert importlib.import_module("special").transformed
        assert "not named" in hook.skipped["special"]


def test_many_threads_import_at_once(here: Path) -> None:
    names = [f"threaded{number}" for number in range(6)]
    write(here, {f"{name}.py": CLIP for name in names})
    start = threading.Barrier(6)

    def import_all(first: int) -> list[types.ModuleType]:
        start.wait()
        return [importlib.import_module(name) for name in names[first:] + names[:first]]

    with autograph.importing(*names) as hook, ThreadPoolExecutor(6) as pool:
        results = list(pool.map(import_all, range(6)))
    assert len({id(module) for modules in results for module in modules}) == 6
    assert all(is_converted(module.clip) for modules in results for module in modules)
    assert sorted(hook.modules) == names
