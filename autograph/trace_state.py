"""The state of the traces of a thread."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograph.protocol import StagingLibrary


@dataclass(frozen=True, eq=False)
class Alias:
    """Two objects that may be the same one, decided by a staged statement.

    Args:
      one, other: lists, dicts or other structures.
      label: the variable that refers to one of them.
      place: the line of the statement.
      items: their items at that line.

    Attributes:
      one, other: lists, dicts or other structures.
      label: the variable that refers to one of them.
      place: the line of the statement.
      items: their items at that line.

    >>> first, second = [1], [2]
    >>> Alias(first, second, "row", "line 3", ([1], [2])).label
    'row'
    """

    one: Any
    other: Any
    label: str
    place: str
    items: tuple[list[Any], list[Any]]


class Choices:
    """The possible aliases known in a block or function.

    Args:
      outer: the aliases known in the enclosing code.

    >>> inner = Choices(outer=Choices())
    >>> len(list(inner.layers())), inner.knows([])
    (2, False)
    """

    def __init__(self, outer: Choices | None = None) -> None:
        self.outer = outer
        self.known: dict[int, list[Alias]] = {}
        self.settled: set[Alias] = set()
        self.parted: dict[int, tuple[Any, Any]] = {}
        self.moved: list[tuple[Any, Any]] = []

    def of(self, value: object) -> list[Alias]:
        """Return the open aliases of an object, without those that a change resolved.

        Args:
          value: the object.
        """
        layers = list(self.layers())
        return [
            alias
            for layer in layers
            for alias in layer.known.get(id(value), ())
            if not any(alias in each.settled for each in layers)
        ]

    def knows(self, value: object) -> bool:
        """Return whether an object ever had an alias.

        Args:
          value: the object.
        """
        return any(id(value) in layer.known for layer in self.layers())

    def layers(self) -> Iterator[Choices]:
        """Yield this object and the enclosing ones, inner first."""
        layer: Choices | None = self
        while layer is not None:
            yield layer
            layer = layer.outer


class Callers:
    """What the callers of a traced function pass: here each call is traced anew, so it is known.

    >>> Callers().may_pass_one([], [])
    False
    """

    def pass_anew(self, value: object) -> bool:
        """Return whether each call may pass another object in place of the value.

        Args:
          value: an argument, or a part of one.
        """
        return False

    def may_pass_one(self, left: object, right: object) -> bool:
        """Return whether two objects may be one at another call, or two.

        Args:
          left, right: arguments, or parts of them.
        """
        return False

    def outliving(self) -> Callable[[Any], bool]:
        """Return a test of lists, dicts and objects: whether they are reached after the call."""
        return lambda value: True


class Trace(threading.local):
    """The trace state of a thread.

    Attributes:
      running: the number of active traces.
      declared: the number of active traces that a library declared by `tracing`.
      block: the library of the innermost staged statement whose block runs, or None.
      reach: the objects reachable from the innermost staged statement (`reach.walk.Reach`).
      found: what the traces of that statement found (`operators.state.Found`).
      depth: the nesting depth of staged statements.
      nested: by code of a first block, the nesting depth of its statement.
      rolling: whether one iteration of a Python loop is traced for all, see `operators/rolling.py`.
      stepping: the frame that runs the innermost block for a generator, see `steps.py`.
      library: the tracing library, if it declared itself.
      texts_shown: the number of placeholder texts that replaced a value; see `texts_shown` of
        libraries.
      raises: the number of staged `raise` and `assert` statements.
      by_library: whether a library calls functions of the program for items that it computes.
      moved: by their ids, the lists and dicts whose items moved, with their placeholders; None:
        every use of the container is an error. See `operators/moved.py`.
      alternatives: the number of `Alternatives` created, see `operators/alternatives.py`.
      choices: the aliases in the innermost block, see `operators/aliases.py`.
      changed_places: by code of the first block, the places that the last trace of a staged
        statement changed.
      dropped: cached properties computed in blocks: object, name and label, by the ids of object
        and name.
      computed: their records, see `operators/computed.py`.
      ends: by file and line, how often the end of an iterator was staged, see `operators/state.py`.
      unrolled: by code of its test or body, how often a loop over numbers was not staged at once.
      lines: by identity of a place, the last program line that changed it.
      compared: the lists, dicts and sets that `is` compared with one another.
      callers: what the callers of the function pass that is being traced.
      suspended: `reach` of each active trace when the next one began.
      updated: the item that `target[index] op= value` is computing anew, before it is assigned.

    >>> trace.running, trace.block is None
    (0, True)
    """

    running = 0
    declared = 0
    texts_shown = 0
    alternatives = 0
    raises = 0
    by_library = False
    updated: Any = None
    callers = Callers()
    block: StagingLibrary | None = None
    reach: Any = None
    found: Any = None
    depth = 0
    rolling = False
    stepping: FrameType | None = None
    library: StagingLibrary | None = None

    def __init__(self) -> None:
        self.choices = Choices()
        self.moved: dict[int, tuple[Any, list[Any] | None]] = {}
        self.changed_places: dict[CodeType | None, list[Any]] = {}
        self.dropped: dict[Any, tuple[Any, str, str]] = {}
        self.computed: dict[Any, Any] = {}
        self.ends: dict[tuple[str, int], int] = {}
        self.unrolled: Counter[CodeType | None] = Counter()
        self.lines: dict[Any, str] = {}
        self.compared: list[Any] = []
        self.suspended: list[Any] = []
        self.nested: Counter[CodeType | None] = Counter()


trace = Trace()


@contextmanager
def before_statements() -> Iterator[None]:
    """Have changes of attributes and items inside count as made before the staged statements.

    Otherwise these restore what their blocks change, as a trace runs blocks that a program may not.

    Returns: A context manager.
    """
    records = [record for reach in _enclosing() for record in reach.accepting()]
    marks = [record.now() for record in records]
    yield
    for record, mark in zip(records, marks, strict=True):
        record.accept_since(mark)


def _enclosing() -> Iterator[Any]:
    """Yield what the staged statements reach whose blocks are traced."""
    for reach in (trace.reach, *trace.suspended):
        while reach is not None:
            yield reach
            reach = reach.outer
