"""`autograph show`: one function, converted, for a person to read. Nothing is imported."""

from __future__ import annotations

import argparse
import ast
import importlib.machinery
import os
import sys
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograph.cli import conversion, output, sources
from autograph.cli.conversion import convert_source
from autograph.cli.problems import Problem
from autograph.cli.sources import Source, SourceError
from autograph.conversion_result import Conversion, Span
from autograph.syntax import grammar
from autograph.syntax.qualnames import FunctionPlace, functions_in

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

DESCRIPTION = """\
Prints what a function becomes: colored in a terminal, plain otherwise. The module is found as
an import would find it, from the current folder first, but it is neither imported nor run.
"""


def add_parser(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "show", help="print one function, converted", description=DESCRIPTION
    )
    parser.add_argument(
        "function",
        metavar="MODULE:FUNCTION|FILE:FUNCTION",
        help="such as pkg.train:step, pkg.model:Net.call or src/train.py:step",
    )
    parser.add_argument(
        "--side-by-side", action="store_true", help="the original on the left, line by line"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit code."""
    try:
        shown = _look_up(arguments.function)
    except SourceError as error:
        output.note(str(error))
        return 2
    if arguments.side_by_side:
        _print_side_by_side(shown)
    else:
        _print_code("\n".join(shown.converted))
    return 0


@dataclass(frozen=True)
class Shown:
    """A function before and after, as lines.

    Args:
      original: its lines in the file, without common indentation.
      converted: the lines it becomes.
      origins: for the number of a converted line, the number of the original line that it
        comes from; both count from 0, and lines that come from nowhere are left out.
    """

    original: list[str]
    converted: list[str]
    origins: Mapping[int, int]


def _look_up(named: str) -> Shown:
    where, colon, name = named.rpartition(":")
    if not (where and colon and name):
        remedy = "Write module:function or file.py:function, such as pkg.train:step."
        raise SourceError(Problem(named, "this names no function", remedy))
    source = sources.read(where if _is_file(where) else file_of_module(where))
    tree = conversion.parse(source)
    if isinstance(tree, Problem):
        raise SourceError(tree)
    before = _place(source, tree, name)
    result = convert_source(source, frozenset([before.name]), positions=True)
    if isinstance(result, Problem):
        raise SourceError(result)
    return _cut_out(source, result, before)


def _cut_out(source: Source, result: Conversion, before: FunctionPlace) -> Shown:
    earlier = _same_name_before(source.text, before)
    places = [each for each in functions_in(grammar.parse(result.text)) if each.name == before.name]
    after = places[earlier]
    origins = {
        line - after.first: origin - before.first for line, origin in _origins(result.spans, after)
    }
    return Shown(
        _lines(source.text, before.first, before.last),
        _lines(result.text, after.first, after.last),
        origins,
    )


def _same_name_before(text: str, place: FunctionPlace) -> int:
    same = [each for each in functions_in(grammar.parse(text)) if each.name == place.name]
    return same.index(place)


def _origins(spans: Mapping[Span, Span], after: FunctionPlace) -> Iterator[tuple[int, int]]:
    # Of the spans that start in a line the last one given wins: the one furthest left.
    for generated, original in sorted(spans.items(), key=lambda pair: -pair[0][1]):
        if after.first <= generated[0] <= after.last:
            yield generated[0], original[0]


def _is_file(where: str) -> bool:
    return where.endswith(".py") or os.sep in where or "/" in where or os.path.isfile(where)


def file_of_module(name: str) -> str:
    """Return the source file of a module, found without importing it or the packages around it.

    Args:
      name: the dotted name.
    Raises: SourceError if there is none, or it has no source file.
    """
    path: list[str] | None = None
    spec = None
    parts = name.split(".")
    for depth in range(1, len(parts) + 1):
        spec = _find_spec(".".join(parts[:depth]), path)
        if spec is None:
            missing = ".".join(parts[:depth])
            remedy = "Check the spelling, or name the file: path/to/file.py:function."
            raise SourceError(Problem(name, f"there is no module {missing}", remedy))
        path = list(spec.submodule_search_locations or ())
    assert spec is not None
    if not spec.has_location or not str(spec.origin).endswith(".py"):
        remedy = "Only modules that are .py files can be shown."
        raise SourceError(Problem(name, "the module has no source file", remedy))
    return os.path.relpath(str(spec.origin)) if _is_below_here(spec) else str(spec.origin)


def _is_below_here(spec: importlib.machinery.ModuleSpec) -> bool:
    return str(spec.origin).startswith(os.getcwd() + os.sep)


def _find_spec(name: str, path: list[str] | None) -> importlib.machinery.ModuleSpec | None:
    if path is None:
        # The current folder is where `python -m` looks first.
        here = importlib.machinery.PathFinder.find_spec(name, [os.getcwd()])
        if here is not None:
            return here
    for finder in sys.meta_path:
        spec = finder.find_spec(name, path)
        if spec is not None:
            return spec
    return None


def _place(source: Source, tree: ast.Module, name: str) -> FunctionPlace:
    places = list(functions_in(tree))
    for place in places:
        if name in (place.name, place.name.replace(".<locals>", "")):
            return place
    raise SourceError(conversion.missing_name(name, source.path, {place.name for place in places}))


def _lines(text: str, first: int, last: int) -> list[str]:
    lines = sources.lines_of(text)[first - 1 : last]
    return textwrap.dedent("\n".join(lines)).split("\n")


def paired(shown: Shown) -> Iterator[tuple[str, str]]:
    """Yield the lines in two columns, each original line beside one that it has become.

    >>> before, after = ["def f(x):", "    if x:", "        pass"], ["def f(x):", "    ag__()"]
    >>> list(paired(Shown(before, after, {0: 0, 1: 1})))
    [('def f(x):', 'def f(x):'), ('    if x:', '    ag__()'), ('        pass', '')]
    """
    partners = _partners(shown)
    done = 0  # How many original lines stand in a row already.
    for number, line in enumerate(shown.converted):
        origin = partners.get(number)
        if origin is None and done < len(shown.original) and _same(shown, done, number):
            origin = done  # A comment or a line in a string, which are no statements.
        if origin is None or origin < done:
            yield "", line
            continue
        yield from ((skipped, "") for skipped in shown.original[done:origin])
        yield shown.original[origin], line
        done = origin + 1
    yield from ((rest, "") for rest in shown.original[done:])


def _partners(shown: Shown) -> dict[int, int]:
    """For converted lines the original line to put beside them: one that reads the same, or
    the first that comes from it.
    """
    lines: dict[int, list[int]] = {}
    for number, origin in sorted(shown.origins.items()):
        if origin < len(shown.original):
            lines.setdefault(origin, []).append(number)
    return {
        next((each for each in numbers if _same(shown, origin, each)), numbers[0]): origin
        for origin, numbers in lines.items()
    }


def _same(shown: Shown, origin: int, number: int) -> bool:
    return shown.original[origin].strip() == shown.converted[number].strip()


def _print_code(code: str) -> None:
    if not sys.stdout.isatty():
        output.write_text(code + "\n")
        return
    from rich.console import Console
    from rich.syntax import Syntax

    Console().print(Syntax(code, "python", theme="ansi_dark", background_color="default"))


def _print_side_by_side(shown: Shown) -> None:
    rows = list(paired(shown))
    if not sys.stdout.isatty():
        width = max(len(left) for left, _ in rows)
        plain = (f"{left:{width}} | {right}".rstrip() for left, right in rows)
        output.write_text("\n".join(plain) + "\n")
        return
    from rich.console import Console
    from rich.syntax import Syntax
    from rich.table import Table

    table = Table("original", "converted", show_edge=False, pad_edge=False)
    for left, right in rows:
        table.add_row(
            *(
                Syntax(line, "python", theme="ansi_dark", background_color="default")
                for line in (left, right)
            )
        )
    Console().print(table)
