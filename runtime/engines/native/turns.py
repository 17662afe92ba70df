"""Turns of other threads and of signal handlers, between iterations of loops."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from llvmlite import ir

from runtime.engines.native.arrays import Dim, constant, known_count
from runtime.engines.native.memory import Memory
from runtime.engines.native.types import INT64

_MOST = 1 << 16
"""Work between two turns, where an iteration and an element count 1: under 1 ms if they are simple.
"""


class Loop(NamedTuple):
    """A loop of the graph.

    Attributes:
      most: the largest number of iterations; -1: it is unknown.
      bound: the largest number of iterations without turns, known when the body is.
      is_short: whether the loop needs no turn.
      begun: what `Turns` had counted before the loop.
    """

    most: ir.Value
    bound: ir.Constant
    is_short: ir.Value
    begun: tuple[int, int]


class Turns:
    """Counts the iterations of all loops."""

    def __init__(
        self,
        builder: ir.IRBuilder,
        memory: Memory,
        call: Callable[..., ir.Value],
        stopped: ir.Block,
    ) -> None:
        """Start to count."""
        self._build = builder
        self._call = call
        self._stopped = stopped
        self._left = memory.variable(INT64, INT64(_MOST))
        self._around: list[Dim] = []
        self._elements = 0
        self._varying = 0

    @contextmanager
    def elements(self, count: Dim) -> Iterator[None]:
        """Enclose the code of a loop over `count` elements, which has no turns of its own."""
        self._around.append(count)
        known = known_count(self._around)
        if known is None:
            self._add(constant(count))
            self._varying += 1
        else:
            self._elements += known
        yield
        self._around.pop()

    def begin(self, most: ir.Value) -> Loop:
        """Begin a loop of at most `most` iterations; -1: there may be any number.

        A short loop makes no calls, so that LLVM may vectorize it.
        """
        bound = ir.Constant(INT64, 0)
        is_short = self._build.icmp_unsigned("<=", most, bound)
        return Loop(most, bound, is_short, (self._elements, self._varying))

    def end(self, loop: Loop, head: ir.Block, after: ir.Block) -> None:
        """Emit the end of an iteration, which goes on at `head`; most skip the turn.

        Then emit what follows the loop in the block `after`.
        """
        build = self._build
        elements, varying = loop.begun
        work = 1 + self._elements - elements
        loop.bound.constant = 0 if self._varying > varying else _MOST // work
        counts, asks = build.append_basic_block(), build.append_basic_block()
        build.cbranch(loop.is_short, head, counts)
        build.position_at_end(counts)
        self._add(INT64(work))
        due = build.icmp_signed("<=", build.load(self._left, typ=INT64), INT64(0))
        build.cbranch(due, asks, head)
        build.position_at_end(asks)
        build.store(INT64(_MOST), self._left)
        self._call("PyEval_RestoreThread", self._call("PyEval_SaveThread"))
        found = self._call("PyErr_CheckSignals")
        build.cbranch(build.icmp_signed("!=", found, found.type(0)), self._stopped, head)
        build.position_at_end(after)
        done = build.mul(loop.most, INT64(work))
        self._add(build.select(loop.is_short, done, INT64(0)))

    def _add(self, work: ir.Value) -> None:
        """Count work that is over."""
        left = self._build.load(self._left, typ=INT64)
        self._build.store(self._build.sub(left, work), self._left)
