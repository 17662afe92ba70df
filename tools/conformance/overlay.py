"""The texts of an interpreter's modules, converted by this interpreter, as files of their own."""

from __future__ import annotations

import io
import json
import subprocess
import tokenize
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.conformance.catalogue import Subject
from tools.conformance.interpreters import Interpreter

CHILD = Path(__file__).with_name("child.py")

Converter = Callable[[str, str], str]
"""From a module's text and file name to its converted text."""


def identity(text: str, filename: str) -> str:
    """The converter that changes nothing, and so shows what the harness itself does."""
    return text


def autograph_converter(text: str, filename: str) -> str:
    """`autograph.convert_source`."""
    from autograph import convert_source

    return convert_source(text, filename=filename)


@dataclass(frozen=True)
class Located:
    """What an interpreter has of a subject: its modules' places and the tests that exist."""

    modules: Mapping[str, Mapping[str, Any]]
    tests: tuple[str, ...]


@dataclass
class Overlay:
    """Files to be imported in place of modules; what could not be converted, and why.

    `newer` are modules whose syntax the converting interpreter does not know.
    """

    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    changed: list[str] = field(default_factory=list)
    newer: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


def locate(interpreter: Interpreter, subject: Subject) -> Located:
    """Ask the interpreter where the subject's modules and tests are."""
    answer = subprocess.run(
        [interpreter.executable, "-P", "-I", str(CHILD), "locate"],
        input=json.dumps({"modules": subject.modules, "tests": subject.tests}),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    found = json.loads(answer.stdout)
    return Located(found["modules"], tuple(found["tests"]))


def build(located: Located, convert: Converter, directory: Path) -> Overlay:
    """Write each module's converted text under `directory`."""
    overlay = Overlay()
    for name, place in located.modules.items():
        encoding, text = read_source(Path(place["path"]))
        if not parses(text, place["path"]):
            overlay.newer.append(name)
            converted = text
        else:
            converted = _converted(name, text, place["path"], convert, overlay)
        target = directory.joinpath(*name.split("."))
        target = target / "__init__.py" if place["package"] is not None else with_py(target)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(converted.encode(encoding))
        overlay.files[name] = {"path": str(target), "package": place["package"]}
        if converted != text:
            overlay.changed.append(name)
    return overlay


def _converted(name: str, text: str, path: str, convert: Converter, overlay: Overlay) -> str:
    """The converted text; where the converter fails in whatever way, that is a finding."""
    try:
        result = convert(text, path)
        compile(result, path, "exec", dont_inherit=True)
    except Exception as error:
        overlay.refused[name] = f"{type(error).__name__}: {error}"
        return text
    return result


def with_py(path: Path) -> Path:
    return path.with_name(path.name + ".py")


def read_source(path: Path) -> tuple[str, str]:
    """The encoding that a source file declares, and its text with newlines as Python reads them."""
    data = path.read_bytes()
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return encoding, io.TextIOWrapper(io.BytesIO(data), encoding).read()


def parses(text: str, filename: str) -> bool:
    try:
        compile(text, filename, "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True
