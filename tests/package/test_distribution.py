"""The built package: what the archives hold, and what a type checker of a user sees."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
from typing import reveal_type

import runtime as tf


@tf.function
def scaled(x: tf.Tensor, times: int = 2) -> tf.Tensor:
    return x * times


@tf.function(autograph=False)
def label(number: int) -> str:
    return str(number)


class Model:
    @tf.function
    def loss(self, x: tf.Tensor) -> tf.Tensor:
        return tf.math.add(x, 1.0)


reveal_type(scaled(tf.constant(1.0)))
reveal_type(label(1))
reveal_type(Model().loss(tf.constant(1.0)))
reveal_type(tf.exp(1.0))
scaled(tf.constant(1.0), "two")
"""


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    target = tmp_path_factory.mktemp("dist")
    code, words = run(
        sys.executable, "-m", "build", "--no-isolation", "--outdir", str(target), str(ROOT)
    )
    assert code == 0, words
    return next(target.glob("*.tar.gz")), next(target.glob("*.whl"))


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "client.py"
    path.write_text(PROGRAM)
    return str(path)


@pytest.fixture(scope="module")
def installed(archives, tmp_path_factory):
    target = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(archives[1]) as wheel:
        wheel.extractall(target)
    return target


def members(path):
    with tarfile.open(path) as archive:
        return {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}


def test_source_archive_holds_what_the_commands_of_the_readme_need(archives):
    names = members(archives[0])
    for needed in ("README.md", "LICENSE", "CHANGELOG.md", "pyproject.toml", ".ci/run"):
        assert needed in names


def test_source_archive_holds_each_tracked_file(archives):
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    folders = ("autograph", "runtime", "tests", "fixtures", "tools")
    code, words = run("git", "ls-files", *folders, cwd=ROOT)
    if code != 0:
        pytest.skip("this is no checkout of git")
    assert set(words.splitlines()) <= members(archives[0])


def test_wheel_holds_the_two_packages_and_marks_them_as_typed(archives):
    with zipfile.ZipFile(archives[1]) as wheel:
        names = wheel.namelist()
    folders = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert folders == {"autograph", "runtime"}
    assert {"autograph/py.typed", "runtime/py.typed", "runtime/__init__.pyi"} <= set(names)
    assert not any("conftest" in name for name in names)


def test_mypy_keeps_the_signature_of_a_decorated_function(installed, program, tmp_path):
    environment = {**os.environ, "MYPYPATH": str(installed)}
    command = ("mypy", "--follow-imports=silent", "--cache-dir", str(tmp_path), program)
    code, words = run(sys.executable, "-m", *command, env=environment, cwd=tmp_path)
    assert code == 1
    assert words.count('Revealed type is "runtime.core.tensor.Tensor"') == 3
    assert words.count('Revealed type is "str"') == 1
    assert 'incompatible type "str"; expected "int"' in words
    assert words.rstrip().endswith("Found 1 error in 1 file (checked 1 source file)")


def test_pyright_keeps_the_signature_of_a_decorated_function(installed, program, tmp_path):
    settings = tmp_path / "pyrightconfig.json"
    settings.write_text(
        f'{{"extraPaths": ["{installed}"], "include": ["{program}"], "typeCheckingMode": "basic"}}'
    )
    code, words = run(sys.executable, "-m", "basedpyright", "-p", str(settings), cwd=tmp_path)
    assert code == 1
    assert words.count('is "Tensor"') == 3
    assert words.count('is "str"') == 1
    assert 'Literal[\'two\']" cannot be assigned to parameter "times"' in words
    assert "1 error" in words
