"""Converted modules beside the bytecode: for this text, these options and this converter."""

from __future__ import annotations

import importlib
import importlib.resources
import importlib.util
import os
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import autograph
from tests.autograph.modules import CLIP, is_converted, python, write


def cache_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.opt-autograph*.pyc"))


class TestCache:
    def import_converted(self, **options: bool) -> bool:
        """Imports the module and says whether it came from the cache."""
        with autograph.importing("cached", **options) as hook:
            module = importlib.import_module("cached")
        assert is_converted(module.clip)
        assert module.clip(5, 3) == 3
        del sys.modules["cached"]
        return hook.modules["cached"].from_cache

    def test_lies_beside_the_bytecode(self, here: Path) -> None:
        write(here, {"cached.py": CLIP})
        assert [self.import_converted() for _ in range(3)] == [False, True, True]
        [path] = cache_files(here)
        assert path.parent == here / "__pycache__"
        assert importlib.util.source_from_cache(str(path)) == str(here / "cached.py")
        assert not is_converted(importlib.import_module("cached").clip)

    def test_counts_for_this_text_only_whatever_its_time(self, here: Path) -> None:
        write(here, {"cached.py": CLIP})
        self.import_converted()
        before = (here / "cached.py").stat()
        write(here, {"cached.py": CLIP.replace("below", "under")})
        os.utime(here / "cached.py", ns=(before.st_atime_ns, before.st_mtime_ns))
        assert not self.import_converted()
        os.utime(here / "cached.py")
        assert self.import_converted()

    def test_counts_for_these_options_only(self, here: Path) -> None:
        write(here, {"cached.py": CLIP})
        self.import_converted()
        assert not self.import_converted(strict=True)

    def test_counts_for_this_converter_only(
        self, here: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(here, {"cached.py": CLIP})
        self.import_converted()
        monkeypatch.setattr(autograph.code_cache, "converter_version", lambda: "another")
        assert not self.import_converted()

    def test_counts_for_this_place_only(self, here: Path) -> None:
        write(here, {"cached.py": CLIP})
        self.import_converted()
        (here / "moved").mkdir()
        for name in ("cached.py", "__pycache__"):
            (here / name).rename(here / "moved" / name)
        sys.path.insert(0, str(here / "moved"))
        assert not self.import_converted()

    @pytest.mark.parametrize("cut", [0, 10, 60, 90, 200, -1])
    def test_a_file_cut_short_is_written_anew(self, here: Path, cut: int) -> None:
        write(here, {"cached.py": CLIP})
        self.import_converted()
        [path] = cache_files(here)
        whole = path.read_bytes()
        path.write_bytes(whole[:cut])
        assert not self.import_converted()
        assert path.read_bytes() == whole

    def test_so_is_a_damaged_one(self, here: Path) -> None:
        write(here, {"cached.py": CLIP})
        self.import_converted()
        [path] = cache_files(here)
        whole = path.read_bytes()
        for place in range(0, len(whole), len(whole) // 10):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
            assert not self.import_converted()
            assert path.read_bytes() == whole

    def test_is_not_written_where_bytecode_is_not_wanted(
        self, here: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sys, "dont_write_bytecode", True)
        write(here, {"cached.py": CLIP})
        assert not self.import_converted()
        assert not cache_files(here)

    def test_lies_below_the_prefix(self, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "pycache_prefix", str(here / "elsewhere"))
        write(here, {"cached.py": CLIP})
        assert [self.import_converted() for _ in range(2)] == [False, True]
        assert [path.is_relative_to(here / "elsewhere") for path in cache_files(here)] == [True]

    def test_a_folder_that_cannot_be_written_is_no_error(self, here: Path) -> None:
        write(here, {"cached.py": CLIP, "__pycache__": "a file where the folder should be"})
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert [self.import_converted() for _ in range(2)] == [False, False]

    def test_a_source_file_that_is_gone_is_no_error(self, here: Path) -> None:
        write(here, {"cached.py": CLIP + "import os\nos.unlink(__file__)\n"})
        assert not self.import_converted()

    def test_two_processes_write_at_once(self, here: Path) -> None:
        names = [f"shared{number}" for number in range(8)]
        write(here, {f"{name}.py": CLIP for name in names})
        program = f"""
            import autograph, importlib
            with autograph.importing(*{names}) as hook:
                for name in {names}:
                    assert importlib.import_module(name).clip(5, 3) == 3
            print(sum(module.from_cache for module in hook.modules.values()))
        """
        for _ in range(3):
            with ThreadPoolExecutor(3) as pool:
                results = list(pool.map(lambda _: python(program, here), range(3)))
            assert [result.stderr for result in results] == ["", "", ""]
        assert python(program, here).stdout == "8\n"
        assert not [path for path in here.rglob("*") if path.suffix == ".tmp"]

    def test_from_the_cache_no_parser_is_needed(self, here: Path) -> None:
        write(here, {"cached.py": CLIP})
        program = """
            import autograph, sys
            with autograph.importing("cached"):
                import cached
            print(cached.clip(5, 3), "libcst" in sys.modules)
        """
        assert python(program, here).stdout == "3 True\n"
        assert python(program, here).stdout == "3 False\n"
