"""Golden cases: files that say what a text becomes, and for which calls it must do the same.

The first line says what is shown; `# 3.12+: ...` if an older Python cannot read it. Then come the
text, a marker, what it becomes, a marker, and lines that are evaluated in both. What stays as it
is has the marker `# ---- stays ----`, and nothing behind it.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import re
import sys
import types
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DIRECTORY = Path(__file__).parent.parent / "golden"

BECOMES = "# ---- becomes ----\n"
STAYS = "# ---- stays ----\n"
SAME_RESULT = "# ---- same result for ----\n"


@dataclass(frozen=True)
class Case:
    """One file.

    since: the Python that can read it. calls: lines to evaluate.
    """

    path: Path
    title: str
    since: tuple[int, ...]
    text: str
    becomes: str
    calls: tuple[str, ...]

    @classmethod
    def read(cls, path: Path) -> Case:
        with path.open(encoding="utf-8", newline="") as file:
            title, _, rest = file.read().partition("\n")
        rest, _, calls = rest.partition(SAME_RESULT)
        text, marker, becomes = rest.partition(BECOMES)
        if not marker:
            text = becomes = rest.partition(STAYS)[0]
        version = re.match(r"# (\d+)\.(\d+)\+: ", title)
        since = (3, 11) if version is None else (int(version[1]), int(version[2]))
        return cls(path, title, since, text, becomes, tuple(calls.splitlines()))

    def write(self, becomes: str) -> None:
        """Writes the file with another outcome."""
        middle = STAYS if becomes == self.text else BECOMES + becomes
        calls = "".join(f"{line}\n" for line in self.calls)
        parts = [f"{self.title}\n", self.text, middle, SAME_RESULT, calls]
        with self.path.open("w", encoding="utf-8", newline="") as file:
            file.write("".join(parts))

    def module(self, text: str) -> dict[str, Any]:
        """The names of a module with this text."""
        module = types.ModuleType(f"golden_{self.path.parent.name}_{self.path.name[:-7]}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            code = compile(text, str(self.path), "exec", dont_inherit=True)
        sys.modules[module.__name__] = module
        exec(code, vars(module))
        return vars(module)


def cases() -> list[Case]:
    """All cases that this Python can read."""
    every = [Case.read(path) for path in sorted(DIRECTORY.glob("*/*.py.txt"))]
    return [case for case in every if sys.version_info >= case.since]


def outcome(line: str, names: dict[str, Any]) -> list[Any]:
    """What evaluating a line gives, prints, warns of, raises, and makes of the arguments."""
    printed = io.StringIO()
    arguments: list[Any] = []
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            result = seen(_evaluated(line, names, arguments))
        except Exception as error:
            result = seen(error)
    texts = [str(each.message) for each in warned]
    return [result, printed.getvalue(), texts, [seen(each) for each in arguments]]


def _evaluated(line: str, names: dict[str, Any], arguments: list[Any]) -> Any:
    tree = ast.parse(line).body[0]
    if not isinstance(tree, ast.Expr):
        exec(line, names)
        return None
    call = tree.value
    plain = isinstance(call, ast.Call) and not any(
        isinstance(each, ast.Starred) for each in call.args
    )
    if not plain or not isinstance(call, ast.Call) or call.keywords:
        return eval(line, names)
    function = eval(ast.unparse(call.func), names)
    arguments += [eval(ast.unparse(each), names) for each in call.args]
    return function(*arguments)


def seen(value: Any, depth: int = 0) -> Any:
    """A value as something that can be compared: without identity, one-shot iterators drained."""
    if depth > 6:
        return "..."
    if isinstance(value, BaseException):
        inner = [seen(each, depth + 1) for each in getattr(value, "exceptions", ())]
        cause = type(value.__cause__).__name__
        return type(value).__name__, seen(value.args, depth + 1), cause, inner
    if inspect.iscoroutine(value):
        return seen(_run(value), depth + 1)
    if inspect.isgenerator(value):
        return ["generator", *(seen(each, depth + 1) for each in value)]
    if inspect.isasyncgen(value):
        return ["async generator", *(seen(each, depth + 1) for each in _run(_collect(value)))]
    if isinstance(value, dict):
        return {key: seen(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return type(value).__name__, [seen(each, depth + 1) for each in value]
    if callable(value):
        return "callable", getattr(value, "__name__", None)
    if type(value).__repr__ is object.__repr__:
        return type(value).__name__, seen(dict(vars(value)), depth + 1)
    return type(value).__name__, repr(value)


async def _collect(values: Any) -> list[Any]:
    return [each async for each in values]


def _run(coroutine: Any) -> Any:
    """Runs a coroutine that waits for nothing from outside."""
    try:
        while True:
            coroutine.send(None)
    except StopIteration as stopped:
        return stopped.value
