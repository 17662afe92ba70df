"""What is said where a library cannot stage a program: names, values, place and a remedy."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NamedTuple

from autograph.adapters.forms import Mismatch
from autograph.errors import StagingError, named_file
from autograph.staging import ATTRIBUTE, is_registered

_OTHERS = frozenset({"autograph", "contextlib", "functools", "jax", "jaxlib", "torch"})


class Unsettled(StagingError):
    """The variables of a loop look different after an iteration; another way may do."""


@contextmanager
def no_other_way() -> Iterator[None]:
    """Around a whole loop: what no way settled is refused for good."""
    try:
        yield
    except Unsettled as unsettled:
        raise StagingError(unsettled.message, unsettled.public) from None


class Place(NamedTuple):
    """A line of the user's program."""

    filename: str
    line: int
    function: str

    def __str__(self) -> str:
        """Gives the place as tracebacks write it."""
        return f"{named_file(self.filename)}, line {self.line}, in {self.function}"


def _is_users(frame: FrameType) -> bool:
    module = str(frame.f_globals.get("__name__", ""))
    # PyTorch evaluates a text around each function that it traces.
    is_text = not module and frame.f_code.co_filename == "<string>"
    root = module.partition(".")[0]
    is_library = root in _OTHERS or is_registered(root) or ATTRIBUTE in frame.f_globals
    return not (is_text or is_library)


def asked_by_program() -> bool:
    """Return whether the user's program, and no library, reads the property that calls this."""
    frame = sys._getframe(2)
    while frame.f_globals.get("__name__") == "abc" and frame.f_back is not None:
        frame = frame.f_back
    return _is_users(frame)


def user_place() -> Place | None:
    """The line of the user's program that is being executed."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if _is_users(frame):
            return Place(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
        frame = frame.f_back
    return None


def places_of(error: BaseException) -> list[Place]:
    """The lines of the user's program, and of libraries that it uses, in a traceback."""
    places = []
    traceback = error.__traceback__
    while traceback is not None:
        if _is_users(traceback.tb_frame):
            code = traceback.tb_frame.f_code
            places.append(Place(code.co_filename, traceback.tb_lineno, code.co_name))
        traceback = traceback.tb_next
    return places


def place_of(error: BaseException) -> Place | None:
    """The innermost line of the user's program in a traceback; without one the current line."""
    places = places_of(error)
    return places[-1] if places else user_place()


def refusal(
    what: str,
    remedy: str,
    public: type[Exception] | Exception = TypeError,
    place: Place | None = None,
) -> StagingError:
    """The error with the user's line, or another place, between cause and remedy."""
    return StagingError(_text(what, remedy, place), public)


def _text(what: str, remedy: str, place: Place | None = None) -> str:
    place = place or user_place()
    where = f"\n  {place}" if place else ""
    return f"{what}{where}\n{remedy}"


def branches_differ(mismatch: Mismatch) -> StagingError:
    """One variable has two values after an `if` that nothing covers."""
    left, right = mismatch.left, mismatch.right
    for one, other, branch in ((left, right, "`if`"), (right, left, "`else`")):
        if one == "None":
            return refusal(
                f"{mismatch.subject} is None after the {branch} branch, and {other} after the "
                "other.",
                "A staged `if` cannot choose between None and a value. Use a value of the same "
                f"type in place of None, and a bool variable that says whether {mismatch.subject} "
                "is set.",
            )
    if mismatch.kind:
        return refusal(
            f"{mismatch.subject} is one {mismatch.kind} after the `if` branch and another one "
            "after the `else` branch, and the library has no structure for this class.",
            _structures(mismatch),
        )
    runs, one = "Either branch of a staged `if` may run", "one type, shape and structure"
    if _are_both(mismatch, "a list of"):
        runs += ", or an iteration that a staged `break` or `return` leaves out"
        one = "one length and structure"
        remedy = "Make an array of the final size before, assign its elements, and count them."
    elif _are_both(mismatch, "a dict of"):
        remedy = "Give it the same keys in both branches, or before the `if`."
    elif _are_both(mismatch, _TEXT):
        remedy = _OF_TEXTS
    else:
        remedy = "Convert one side, or test a Python value, which is decided while tracing."
    return refusal(
        f"{mismatch.subject} is {left} after the `if` branch and {right} after the `else` branch"
        f"{mismatch.because}.",
        f"{runs}, so {mismatch.subject} needs {one}. {remedy}",
    )


_TEXT = "the Python str"
_OF_TEXTS = "Use a bool or a number in place of the text, and test that."


def _are_both(mismatch: Mismatch, kind: str) -> bool:
    return mismatch.left.startswith(kind) and mismatch.right.startswith(kind)


def _structures(mismatch: Mismatch) -> str:
    kind = mismatch.kind
    return (
        f"Make {kind} a named tuple{mismatch.registered}, or assign attributes of one {kind} in "
        "place of making another."
    )


def iterations_differ(mismatch: Mismatch) -> Unsettled:
    """One variable looks different after an iteration."""
    left, right = mismatch.left, mismatch.right
    if mismatch.kind:
        remedy = _structures(mismatch)
    elif left == "None":
        remedy = (
            "A staged loop cannot carry None in place of a value. Start with a value of the same "
            f"type, and with a bool variable that says whether {mismatch.subject} is set."
        )
    elif _are_both(mismatch, _TEXT):
        remedy = _OF_TEXTS
    else:
        remedy = (
            f"A staged loop needs one type, shape and structure for {mismatch.subject}. Start "
            "with a value of that kind, or convert in the loop."
        )
    if _are_both(mismatch, "a list of"):
        remedy = (
            f"A staged loop cannot change the length of the list {mismatch.subject}, as the number "
            "of iterations is known only when the program runs. Make an array of the final size "
            "before the loop, and assign its elements."
        )
    what = (
        f"{mismatch.subject} is {left} before the loop and {right} after an iteration"
        f"{mismatch.because}."
    )
    return Unsettled(_text(what, remedy))


def never_settles(shown: str) -> Unsettled:
    """The types of a loop change with every iteration."""
    what = f"the type of a variable of the loop changes with every iteration: {shown}."
    return Unsettled(_text(what, "A staged loop needs one type for each variable."))


def not_one_truth(shown: str, public: type[Exception] = ValueError) -> StagingError:
    """An array of several elements is tested."""
    return refusal(
        f"the truth of {shown} is tested, which has not exactly one element.",
        "Use any(...) or all(...) of the library, or test one element.",
        public,
    )
