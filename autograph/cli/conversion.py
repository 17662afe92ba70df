"""Converting one file for the command line: from a path to an outcome, nothing written."""

from __future__ import annotations

import ast
import difflib
import traceback
import warnings
from collections.abc import Set
from dataclasses import dataclass

from autograph.cli import sources
from autograph.cli.problems import Problem
from autograph.cli.sources import Source, SourceError
from autograph.conversion_result import Conversion, Refusal
from autograph.errors import ConversionError
from autograph.syntax import grammar
from autograph.syntax.qualnames import functions_in


@dataclass(frozen=True)
class Outcome:
    """What became of one file.

    Args:
      path: the file, as the user named it.
      source: the file as it was read; None if that failed.
      text: the converted text; None if there is none.
      refusals: the statements that stay Python.
      problems: why there is no converted text.
      functions: the qualified names of the functions in the file; filled where only some of
        them are to be converted.
    """

    path: str
    source: Source | None = None
    text: str | None = None
    refusals: tuple[Refusal, ...] = ()
    problems: tuple[Problem, ...] = ()
    functions: frozenset[str] = frozenset()

    @property
    def changed(self) -> bool:
        """Return whether the converted text differs from the text that was read."""
        return self.source is not None and self.text not in (None, self.source.text)

    def data(self) -> bytes:
        """Return the converted file, stored as the original is."""
        assert self.source is not None and self.text is not None
        return self.source.encode(self.text)


def convert_file(path: str, *, only: Set[str] | None = None, strict: bool = False) -> Outcome:
    """Read and convert one file.

    Args:
      path: the file; `-` is standard input.
      only: qualified names of the functions to convert; None: all.
      strict: count statements that stay Python as errors.
    """
    try:
        source = sources.read(path)
    except SourceError as error:
        return Outcome(path, problems=(error.problem,))
    tree = parse(source)
    if isinstance(tree, Problem):
        return Outcome(path, source, problems=(tree,))
    if only is None:
        return _finish(source, convert_source(source, None), strict)
    functions = frozenset(place.name for place in functions_in(tree))
    if only.isdisjoint(functions):
        return Outcome(source.path, source, source.text, functions=functions)
    conversion = convert_source(source, frozenset(only & functions))
    return _finish(source, conversion, strict, functions)


def parse(source: Source) -> ast.Module | Problem:
    """Return the syntax tree of a file, or Python's own words for why it has none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python gives them again where the file is run.
        try:
            tree = grammar.parse(source.text, source.path)
            compile(tree, source.path, "exec", dont_inherit=True)
        except SyntaxError as error:
            return _syntax_problem(source, error)
        except (RecursionError, MemoryError):
            return Problem(
                source.path,
                "an expression is nested too deeply for Python to parse",
                "Split it into several statements.",
            )
        except ValueError as error:
            return Problem(source.path, str(error), "Python itself cannot compile this file.")
    return tree


def convert_source(
    source: Source, only: frozenset[str] | None, *, positions: bool = False
) -> Conversion | Problem:
    """Convert a text that is known to be Python; a failure becomes a problem of that file.

    Args:
      source: the text.
      only: qualified names of the functions to convert; None: all.
      positions: whether to say which line comes from which.
    """
    from autograph import pipeline

    try:
        conversion = pipeline.convert_text(
            source.text, filename=source.path, only=only, positions=positions
        )
        source.encode(conversion.text)
    except ConversionError as error:
        return _refused(source, error)
    except UnicodeEncodeError as error:
        remedy = "Save the file as UTF-8."
        return Problem(source.path, f"the result does not fit its encoding: {error}", remedy)
    except RecursionError:
        return Problem(
            source.path,
            "an expression or block is nested too deeply to be converted",
            "Split it into several statements or functions.",
        )
    except Exception as error:
        # A fault of the converter, which must not keep the other files from being converted.
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return Problem(
            source.path,
            f"the converter failed with {type(error).__name__}: {error} ({frame.name}, "
            f"line {frame.lineno} of {frame.filename})",
            "This is a fault of autograph, not of the file; please report it with the file.",
        )
    return conversion


def _finish(
    source: Source,
    conversion: Conversion | Problem,
    strict: bool,
    functions: frozenset[str] = frozenset(),
) -> Outcome:
    if isinstance(conversion, Problem):
        return Outcome(source.path, source, problems=(conversion,), functions=functions)
    refusals = conversion.refusals
    if strict and refusals:
        problems = tuple(refusal_problem(source, each) for each in refusals)
        return Outcome(source.path, source, None, refusals, problems, functions)
    return Outcome(source.path, source, conversion.text, refusals, (), functions)


def refusal_problem(source: Source, refusal: Refusal) -> Problem:
    """Return a statement that stays Python, as an error or a note."""
    first_line = source.lines[refusal.line - 1]
    one_line = refusal.line == refusal.end_line
    return Problem(
        source.path,
        f"`{refusal.construct}` stays Python: {refusal.reason}",
        _sentence(refusal.remedy),
        refusal.line,
        refusal.col + 1,
        1 + (refusal.end_col if one_line else len(first_line)),
        first_line,
    )


def missing_name(name: str, where: str, known: Set[str]) -> Problem:
    """What to say about a function that was asked for and is not there, naming near ones."""
    near = sorted(each for each in known if each.rpartition(".")[2] == name)[:3]
    near = near or difflib.get_close_matches(name, sorted(known), n=3, cutoff=0.5)
    remedy = f"Did you mean {' or '.join(near)}?" if near else "Names are qualified: Class.method."
    return Problem(where, f"there is no function {name}", remedy)


def _refused(source: Source, error: ConversionError) -> Problem:
    return Problem(
        source.path,
        f"{error.message}: {error.reason}" if error.reason else error.message,
        _sentence(error.remedy or "keep this code in a file that is not converted"),
        error.lineno,
        None if error.col is None else error.col + 1,
        None if error.end_col is None else error.end_col + 1,
        error.source_line,
    )


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def _syntax_problem(source: Source, error: SyntaxError) -> Problem:
    # Python numbers the lines of its message in characters, from 1, with 0 for "unknown".
    one_line = error.end_lineno == error.lineno
    lines = source.lines
    shown = lines[error.lineno - 1] if error.lineno and error.lineno <= len(lines) else None
    return Problem(
        source.path,
        f"{type(error).__name__}: {error.msg}",
        "Correct the syntax; Python itself cannot run this file.",
        error.lineno or None,
        error.offset or 1,
        error.end_offset if one_line else None,
        shown,
    )
