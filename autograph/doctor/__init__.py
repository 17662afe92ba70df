"""Whether the converter works with the Python and the packages that are here.

Every function of a built-in set is converted, and the plain and the converted one are called
with the same arguments: they must give the same result or the same error.
"""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.resources
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import autograph
from autograph.doctor import corpus
from autograph.syntax import grammar
from autograph.version import __version__

PACKAGES = ("gast", "libcst", "astor", "numpy", "rich")


@dataclass(frozen=True)
class Case:
    """One function of the set.

    Args:
      name: the function.
      shows: what it is there for, in a few words.
      difference: how the converted function differs from the plain one; None: not at all.
    """

    name: str
    shows: str
    difference: str | None

    @property
    def agrees(self) -> bool:
        """Return whether the converted function does what the plain one does."""
        return self.difference is None


@dataclass(frozen=True)
class Diagnosis:
    """What was found: the version of each part (None: missing), and each case."""

    versions: dict[str, str | None]
    cases: tuple[Case, ...]

    @property
    def healthy(self) -> bool:
        """Return whether everything is there and every case agrees."""
        return None not in self.versions.values() and all(case.agrees for case in self.cases)

    @property
    def verdict(self) -> str:
        """Return the result in a sentence, with a remedy where there is something to do."""
        failed = [case.name for case in self.cases if not case.agrees]
        missing = [name for name, version in self.versions.items() if version is None]
        if missing:
            return f"Not installed: {', '.join(missing)}. Run `pip install {' '.join(missing)}`."
        if failed:
            return (
                f"{len(failed)} of {len(self.cases)} functions differ once converted: "
                f"{', '.join(failed)}. Please report this output."
            )
        return f"All {len(self.cases)} functions give the same results once converted."

    def as_dict(self) -> dict[str, Any]:
        """Return the diagnosis as JSON data."""
        return {
            "healthy": self.healthy,
            "versions": self.versions,
            "cases": [asdict(case) | {"agrees": case.agrees} for case in self.cases],
        }


def examine() -> Diagnosis:
    """Convert and run the built-in set.

    >>> [case.name for case in examine().cases if not case.agrees]
    []
    """
    text = (importlib.resources.files(__name__) / "corpus.py").read_text("utf-8")
    functions = [node for node in grammar.parse(text).body if isinstance(node, ast.FunctionDef)]
    cases = (_case(node, ast.get_source_segment(text, node) or "") for node in functions)
    return Diagnosis(_versions(), tuple(cases))


def _versions() -> dict[str, str | None]:
    found = {"python": platform.python_version(), "autograph": __version__}
    return found | {name: _version_of(name) for name in PACKAGES}


def _version_of(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _case(node: ast.FunctionDef, text: str) -> Case:
    shows = (ast.get_docstring(node) or "").rstrip(".")
    # Compiled here: test runners rewrite the assertions of the modules that they import.
    plain = _compiled(node.name, _HEADER + text)
    try:
        converted = _compiled(node.name, _converted(node.name, text))
    except Exception as error:
        return Case(node.name, shows, f"not converted: {type(error).__name__}: {error}")
    for arguments in corpus.ARGUMENTS[node.name]:
        expected, found = _result(plain, arguments), _result(converted, arguments)
        if expected != found:
            call = f"{node.name}({', '.join(map(repr, arguments))})"
            return Case(node.name, shows, f"{call} is {expected}, but {found} once converted")
    return Case(node.name, shows, None)


_HEADER = "from __future__ import annotations\n"


def _converted(name: str, text: str) -> str:
    converted = autograph.convert_source(_HEADER + text, filename=f"<doctor: {name}>")
    if converted == _HEADER + text:
        raise ValueError("the text comes back as it was")
    return converted


def _compiled(name: str, text: str) -> Callable[..., object]:
    namespace: dict[str, Any] = dict(vars(corpus))
    exec(compile(text, f"<doctor: {name}>", "exec"), namespace)
    function: Callable[..., object] = namespace[name]
    return function


def _result(function: Callable[..., object], arguments: tuple[object, ...]) -> str:
    try:
        return repr(function(*arguments))
    except Exception as error:
        return f"{type(error).__name__}({error})"
