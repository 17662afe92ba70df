"""How long, wide and complete converted programs are: `python -m tools.figures [FILE ...]`.

Every outermost function and method of the files (by default the programs in `fixtures/`) is
compared with what conversion makes of it. Both sides count non-blank lines from the first
decorator to the last statement, nested functions included.
"""

from __future__ import annotations

import argparse
import ast
import io
import math
import re
import statistics
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import autograph

WIDTH = 100
ROOT = Path(__file__).resolve().parent.parent
NOT_PROGRAMS = {"__init__.py", "calls.py"}
SCAFFOLDING = re.compile(r"do_return|retval_")

LEFT_EARLY = (ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar)

Definition = ast.FunctionDef | ast.AsyncFunctionDef
Key = tuple[str, int]  # the qualified name, and which definition of that name it is


@dataclass(frozen=True)
class FunctionFigure:
    """One function before and after conversion.

    >>> FunctionFigure("m.f", 4, 10, scaffolding=False).ratio
    2.5
    """

    name: str
    source_lines: int
    generated_lines: int
    scaffolding: bool  # has a return flag although no return leaves a loop, `try` or `with`

    @property
    def ratio(self) -> float:
        return self.generated_lines / self.source_lines


@dataclass(frozen=True)
class FileFigures:
    """What conversion did to one file."""

    functions: tuple[FunctionFigure, ...]
    long_lines: tuple[str, ...]  # over the width, and not in the source
    lost_comments: tuple[str, ...]


@dataclass(frozen=True)
class Target:
    """A figure of all files together, and the most that it may be."""

    name: str
    value: float
    limit: float

    @property
    def met(self) -> bool:
        return self.value <= self.limit


def outermost(tree: ast.Module) -> Iterator[tuple[Key, Definition]]:
    """Functions of a module and methods of its classes, in order.

    >>> tree = ast.parse("class A:\\n    def f(self):\\n        def g(): pass\\ndef f(): pass")
    >>> [key for key, _ in outermost(tree)]
    [('A.f', 0), ('f', 0)]
    """
    seen: Counter[str] = Counter()
    pending: list[tuple[str, ast.AST]] = [("", tree)]
    while pending:
        prefix, node = pending.pop()
        if isinstance(node, Definition):
            name = prefix + node.name
            yield (name, seen[name]), node
            seen[name] += 1
            continue
        if isinstance(node, ast.ClassDef):
            prefix += f"{node.name}."
        pending += [(prefix, child) for child in reversed(list(ast.iter_child_nodes(node)))]


def count_lines(text: str, node: Definition) -> int:
    """Non-blank lines of a definition, from its first decorator on."""
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return sum(bool(line.strip()) for line in text.splitlines()[first - 1 : node.end_lineno])


def returns_early(node: ast.AST, inside: bool = False) -> bool:
    """Whether some `return` leaves a loop, `try` or `with`.

    >>> returns_early(ast.parse("def f():\\n    while x:\\n        return 1"))
    True
    >>> returns_early(ast.parse("def f():\\n    if x:\\n        return 1\\n    return 2"))
    False
    """
    if isinstance(node, ast.Return):
        return inside
    if isinstance(node, Definition | ast.Lambda):
        inside = False
    elif isinstance(node, LEFT_EARLY):
        inside = True
    return any(returns_early(child, inside) for child in ast.iter_child_nodes(node))


def comments(text: str) -> Counter[str]:
    """Every comment of a text and how often it stands there.

    >>> comments("x = 1  # one\\n# two")
    Counter({'# one': 1, '# two': 1})
    """
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def long_lines(text: str) -> Counter[str]:
    return Counter(line.strip() for line in text.splitlines() if len(line) > WIDTH)


def compare(module: str, source: str, generated: str) -> FileFigures:
    """Sets a file against its conversion.

    Args:
      module: what function names are prefixed with.
      source: the text of the file.
      generated: the same after conversion.
    Returns: the figures.
    Raises: KeyError if a function of `source` is missing from `generated`.

    >>> compare("m", "def f():\\n    return 1  # one\\n", "def f():\\n\\n    return 1\\n")
    ... # doctest: +NORMALIZE_WHITESPACE
    FileFigures(functions=(FunctionFigure(name='m.f', source_lines=2, generated_lines=2,
    scaffolding=False),), long_lines=(), lost_comments=('# one',))
    """
    after = dict(outermost(ast.parse(generated)))
    functions = []
    for key, node in outermost(ast.parse(source)):
        counterpart = after[key]
        flagged = SCAFFOLDING.search(ast.unparse(counterpart)) is not None
        functions.append(
            FunctionFigure(
                f"{module}.{key[0]}",
                count_lines(source, node),
                count_lines(generated, counterpart),
                scaffolding=flagged and not returns_early(node),
            )
        )
    return FileFigures(
        tuple(functions),
        tuple((long_lines(generated) - long_lines(source)).elements()),
        tuple((comments(source) - comments(generated)).elements()),
    )


def measure(paths: Sequence[Path], convert: Callable[[str], str]) -> list[FileFigures]:
    figures = []
    for path in paths:
        source = path.read_text()
        figures.append(compare(path.stem, source, convert(source)))
    return figures


def targets(files: Sequence[FileFigures]) -> list[Target]:
    """The figures that have a limit.

    >>> ratios = [FunctionFigure("f", 1, n, scaffolding=False) for n in (1, 2, 9)]
    >>> [(t.name, t.value, t.met) for t in targets([FileFigures(tuple(ratios), (), ())])][:2]
    [('median ratio', 2.0, True), ('90th percentile of ratios', 9.0, False)]
    """
    ratios = sorted(function.ratio for file in files for function in file.functions)
    ninetieth = ratios[math.ceil(0.9 * len(ratios)) - 1]
    return [
        Target("median ratio", statistics.median(ratios), 2.6),
        Target("90th percentile of ratios", ninetieth, 4.9),
        Target(f"new lines over {WIDTH} columns", sum(len(f.long_lines) for f in files), 0),
        Target("comments lost", sum(len(f.lost_comments) for f in files), 0),
    ]


def report(files: Sequence[FileFigures]) -> None:
    functions = [function for file in files for function in file.functions]
    print(f"{'function':<60} {'source':>7} {'result':>7} {'ratio':>6}")
    for function in sorted(functions, key=lambda f: f.ratio):
        lines = f"{function.source_lines:>7} {function.generated_lines:>7}"
        print(f"{function.name:<60} {lines} {function.ratio:>6.2f}")
    for file in files:
        for line in file.long_lines:
            print(f"too long: {line}")
        for comment in file.lost_comments:
            print(f"lost: {comment}")
    flagged = [function.name for function in functions if function.scaffolding]
    for name in flagged:
        print(f"needless return flag: {name}")
    print(f"\n{len(functions)} functions; {len(flagged)} with a needless return flag")


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures; 1 when a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m tools.figures", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="default: the programs in fixtures/")
    files = parser.parse_args(arguments).files or [
        path for path in sorted((ROOT / "fixtures").glob("*.py")) if path.name not in NOT_PROGRAMS
    ]
    figures = measure(files, autograph.convert_source)
    if not any(file.functions for file in figures):
        print("no functions to measure", file=sys.stderr)
        return 1
    report(figures)
    reached = targets(figures)
    for target in reached:
        verdict = "met" if target.met else "MISSED"
        print(f"{target.name}: {target.value:.3g} (at most {target.limit:g}): {verdict}")
    return 0 if all(target.met for target in reached) else 1


if __name__ == "__main__":
    sys.exit(main())
