"""Notebook cells: after `%load_ext autograph.ipython`, `%%autograph` converts a cell.

%%autograph --show
def clip(x, limit):
    if x > limit:
        x = limit
    return x
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from typing import Any, Protocol

from autograph.syntax import grammar
from autograph.texts import register_text

OPTIONS = ("--show", "--strict")


class Shell(Protocol):
    """The part of `IPython.core.interactiveshell.InteractiveShell` that is used."""

    user_ns: dict[str, Any]

    def register_magic_function(
        self, func: Callable[[str, str], None], magic_kind: str, magic_name: str
    ) -> None:
        """Register a function as a magic."""


def load_ipython_extension(shell: Shell) -> None:
    """Register the magic. IPython calls this for `%load_ext autograph.ipython`."""
    magic = functools.partial(run_cell, shell)
    shell.register_magic_function(magic, magic_kind="cell", magic_name="autograph")


def run_cell(shell: Shell, line: str, cell: str) -> None:
    """Convert the functions of a cell and run it; the value of a last expression is displayed.

    Args:
      shell: where the cell runs.
      line: what stands after `%%autograph`: `--show` prints the converted text, `--strict`
        refuses statements that would stay Python.
      cell: the rest of the cell.
    Raises: ValueError for another option; SyntaxError; ConversionError.
    """
    # Import late: loading the extension is fast, the first cell imports the parser.
    from autograph import loading, pipeline

    options = line.split()
    for option in options:
        if option not in OPTIONS:
            raise ValueError(f"%%autograph has no option {option}; it has {', '.join(OPTIONS)}")
    filename = register_text(cell)
    tree = grammar.parse(cell, filename)
    text, last = _split(tree, cell)
    conversion = pipeline.convert_text(
        text, filename=filename, strict="--strict" in options, positions=True
    )
    if "--show" in options:
        print(conversion.text)
    exec(loading.compile_module(conversion, filename, cell), shell.user_ns)
    if last is not None:
        exec(compile(last, filename, "single"), shell.user_ns)


def _split(tree: ast.Module, cell: str) -> tuple[str, ast.Interactive | None]:
    """Split a cell into its statements and a last expression to display, if any."""
    last = tree.body[-1] if tree.body else None
    # As in IPython: an expression is not displayed if it shares its line or ends in a semicolon.
    alone = isinstance(last, ast.Expr) and last.col_offset == 0 and not cell.rstrip().endswith(";")
    if not alone or last is None:
        return cell, None
    lines = cell.splitlines(keepends=True)
    return "".join(lines[: last.lineno - 1]), ast.Interactive([last])
