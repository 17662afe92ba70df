"""A test suite run with its package converted, as a user runs it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

import autograph

ROOT = Path(autograph.__file__).parent.parent

CLIP = """\
def clip(x, limit):
    if x > limit:
        x = limit
    return x
"""
STAYS = """\
def totals(stream):
    result = 0
    for x in stream:
        result += x
        yield result
"""
TESTS = """\
import pytest
from mypkg import clip


@pytest.mark.parametrize("x", [1, 2, 3, 4])
def test_clip(x):
    assert clip.clip(x, 3) == min(x, 3)
    assert "ag__" in clip.clip.__code__.co_names
"""
TESTS_OF_OTHER = TESTS.replace("from mypkg import clip", "import other as clip")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A package with a test suite that passes only where the package is converted."""
    files = {
        "mypkg/__init__.py": "",
        "mypkg/clip.py": CLIP,
        "other.py": CLIP,
        "tests/test_clip.py": TESTS,
        "pytest.ini": "[pytest]\npythonpath = .\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def run(project: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """`pytest ...` in the project with this plugin alone, named: it need not be installed."""
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **variables}
    return run_bare(project, "-p", "autograph.pytest_plugin", *arguments, **alone)


def run_bare(project: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if "PYTEST" not in key}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments],
        cwd=project,
        env={**environment, "PYTHONPATH": str(ROOT), **variables},
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_the_option_nothing_is_converted(project: Path) -> None:
    done = run(project)
    assert done.returncode == 1
    assert "4 failed" in done.stdout
    assert "autograph: " not in done.stdout


def test_with_the_option_the_package_is(project: Path) -> None:
    done = run(project, "--autograph-convert=mypkg")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\nautograph: converting mypkg\n" in done.stdout
    assert (
        "autograph: 2 modules converted, 0 functions with statements left in Python" in done.stdout
    )
    assert "4 passed" in done.stdout


@pytest.mark.parametrize("options", [("mypkg,other",), ("mypkg", "other")])
def test_several_packages(project: Path, options: tuple[str, ...]) -> None:
    (project / "tests/test_other.py").write_text(TESTS_OF_OTHER)
    done = run(project, *(f"--autograph-convert={each}" for each in options))
    assert "\nautograph: converting mypkg, other\n" in done.stdout
    assert "8 passed" in done.stdout
    assert "autograph: 3 modules converted" in done.stdout


def test_options_in_the_settings_and_in_the_environment(project: Path) -> None:
    (project / "pytest.ini").write_text(
        "[pytest]\npythonpath = .\naddopts = --autograph-convert=mypkg\n"
    )
    done = run(project, PYTEST_ADDOPTS="--autograph-strict --autograph-convert=other")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "converting mypkg, other (strict)\n" in done.stdout
    assert "autograph: other was not imported by any test" in done.stdout


def test_a_conftest_that_imports_the_package_comes_after_the_hook(project: Path) -> None:
    (project / "conftest.py").write_text("import mypkg.clip\n")
    assert run(project, "--autograph-convert=mypkg").returncode == 0


def test_so_does_a_plugin_named_after_it(project: Path) -> None:
    (project / "early.py").write_text("import mypkg.clip\n")
    assert run(project, "-p", "early", "--autograph-convert=mypkg").returncode == 0


def test_a_package_that_a_plugin_has_imported_before_is_a_usage_error(project: Path) -> None:
    (project / "early.py").write_text("import mypkg.clip\n")
    done = run(project, "--autograph-convert=mypkg", PYTEST_PLUGINS="")
    assert done.returncode == 0
    done = run_bare(
        project, "-p", "early", "-p", "autograph.pytest_plugin", "--autograph-convert=mypkg"
    )
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "mypkg, mypkg.clip are imported before the tests" in done.stderr
    assert "Put `-p autograph.pytest_plugin` first on the command line" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_name_that_is_no_package_is_a_usage_error(project: Path) -> None:
    done = run(project, "--autograph-convert=mypkg/clip.py")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "'mypkg/clip.py' is not the dotted name of a module" in done.stderr


def test_what_stays_python_is_counted_and_with_v_named(project: Path) -> None:
    (project / "mypkg/__init__.py").write_text(STAYS)
    done = run(project, "--autograph-convert=mypkg", "-v")
    assert "2 modules converted, 1 function with statements left in Python" in done.stdout
    assert f"  {project}/mypkg/__init__.py:3: " in done.stdout


def test_strict_fails_where_a_statement_would_stay_python(project: Path) -> None:
    (project / "mypkg/__init__.py").write_text(STAYS)
    done = run(project, "--autograph-convert=mypkg", "--autograph-strict")
    assert done.returncode == pytest.ExitCode.INTERRUPTED
    assert "ConversionError" in done.stdout
    assert 'mypkg/__init__.py", line 3' in done.stdout


def test_tests_inside_the_package_keep_their_assertions(project: Path) -> None:
    (project / "mypkg/test_inside.py").write_text(TESTS + "\n\ndef test_it():\n    assert 1 == 2\n")
    done = run(project, "--autograph-convert=mypkg", "mypkg/test_inside.py")
    assert "4 passed" in done.stdout and "1 failed" in done.stdout
    assert "E       assert 1 == 2" in done.stdout


def test_failures_show_the_users_lines(project: Path) -> None:
    (project / "mypkg/clip.py").write_text(CLIP.replace("x = limit", "x = limit / 0"))
    done = run(project, "--autograph-convert=mypkg")
    assert ">           x = limit / 0\n" in done.stdout or ">       x = limit / 0\n" in done.stdout
    assert "mypkg/clip.py:3: ZeroDivisionError" in done.stdout


@pytest.mark.skipif(importlib.util.find_spec("xdist") is None, reason="pytest-xdist is not there")
def test_workers_of_xdist_convert_too_and_their_counts_add_up(project: Path) -> None:
    (project / "tests/test_other.py").write_text(TESTS_OF_OTHER)
    (project / "mypkg/__init__.py").write_text(STAYS)
    done = run(project, "-p", "xdist", "--autograph-convert=mypkg,other", "-n", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 passed" in done.stdout
    assert "autograph: 3 modules converted, 1 function with statements left" in done.stdout


def test_the_converter_is_not_loaded_without_the_option(project: Path) -> None:
    (project / "tests/test_clip.py").write_text(
        "import sys\n\n\ndef test_it():\n    assert 'libcst' not in sys.modules\n"
    )
    assert "1 passed" in run(project).stdout


def test_a_suite_that_takes_warnings_for_errors_passes(project: Path) -> None:
    done = run(project, "-W", "error", "--autograph-convert=mypkg")
    assert done.returncode == 0, done.stdout + done.stderr


def test_installed_it_needs_no_naming(project: Path) -> None:
    names = {each.name: each.value for each in importlib.metadata.entry_points(group="pytest11")}
    if "autograph" not in names:
        pytest.skip("autograph is not installed here")
    assert names["autograph"] == "autograph.pytest_plugin"
    done = run_bare(project, "--autograph-convert=mypkg")
    assert "4 passed" in done.stdout
    assert "4 passed" in run_bare(project, "-p", "autograph", "--autograph-convert=mypkg").stdout
