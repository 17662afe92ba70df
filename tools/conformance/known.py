"""Tests that look at what conversion changes by its nature, each with the reason.

They say nothing about the meaning of a program: they count frames and calls, list the names of a
module, compare the text of lines, or set a limit for recursion that leaves no room for the frames
of operators.
"""

from __future__ import annotations

import fnmatch
from dataclasses import dataclass

NAMES = "`ag__` is one more name of a converted module"
FRAMES = "it looks at the frames between two functions; operators have frames of their own"
TRACED = "it lists the calls that a tracing function sees; operators are called too"
TEXT = "it compares lines of the module's text, or its file, with those of the original"
LIMIT = "it sets a limit for recursion; converted calls need more frames"
SIZE = "its work grows with the square of the recursion limit, which is raised for operators"
LIFETIME = "it expects an object to be freed at once; a block keeps its variables until it ends"


@dataclass(frozen=True)
class Known:
    """Tests of one subject, by patterns of their names, and why they fail converted."""

    subject: str
    tests: tuple[str, ...]
    reason: str


DIFFERENCES = (
    Known("argparse", ("*TestImportStar.test_all_exports_everything_but_modules",), NAMES),
    Known("asyncio", ("*.test_task_exc_handler_correct_context",), LIFETIME),
    Known("bdb", ("*BreakpointTestCase.*", "*IssuesTestCase.*", "*StateTestCase.*"), TRACED),
    Known("contextlib", ("*ExitStack.test_exit_exception_traceback",), FRAMES),
    Known("decimal", ("*SignatureTest.test_inspect_module",), NAMES),
    Known("difflib", ("*.test_recursion_limit",), SIZE),
    Known(
        "doctest",
        ("*.test_DocFileSuite", "*.test_testfile", "*.test_unittest_reportflags"),
        FRAMES,
    ),
    Known("functools", ("*.test_lru_reentrancy_with_len",), LIMIT),
    Known(
        "logging",
        (
            "*ExceptionTest.test_formatting",
            "*HTTPHandlerTest.test_output",
            "*LoggerAdapterTest.*",
            "*LoggerTest.test_find_caller_with_stacklevel",
        ),
        FRAMES,
    ),
    Known("subprocess", ("*MiscTests.test__all__",), NAMES),
    Known("tempfile", ("*TestExports.test_exports",), NAMES),
    Known("tomllib", ("*.test_inline_*_recursion_limit",), LIMIT),
    Known("trace", ("*TestCallers.*", "*TestFuncs.*", "*TestLineCounts.*", "*TestTrace.*"), TRACED),
    Known("traceback", ("*TestStack.test_custom_format_frame",), FRAMES),
    Known("traceback", ("*TestStack.test_format_locals",), TEXT),
    Known("unittest", ("*.test_addFailure_filter_traceback_frames*",), TEXT),
)


def reason_for(subject: str, test: str) -> str | None:
    """Why a test of a subject is known to fail converted; None if it is not.

    >>> reason_for("argparse", "test.TestImportStar.test_all_exports_everything_but_modules")
    '`ag__` is one more name of a converted module'
    >>> reason_for("argparse", "test.TestOptional.test_parse") is None
    True
    """
    for known in DIFFERENCES:
        if known.subject == subject and any(fnmatch.fnmatch(test, each) for each in known.tests):
            return known.reason
    return None
