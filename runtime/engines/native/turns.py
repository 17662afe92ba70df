"""Turns of other threads and of signal handlers, between iterations of loops."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from runtime.engines.native.memory import Memory
from runtime.engines.native.types import INT64

_MOST = 1 << 16
"""Iterations between two turns: under 1 ms for simple bodies."""


class Turns:
    """Counts the iterations of all loops.

    Args:
      builder: inserts instructions.
      memory: makes variables.
      call: calls a function of Python's C API.
      stopped: the block to which a loop jumps if Ctrl-C was pressed.
    """

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

    def is_short(self, most: ir.Value) -> ir.Value:
        """Return whether a loop of at most `most` iterations needs no turn; -1: there are more.

        A loop without turns makes no calls, so that LLVM may vectorize it.
        """
        return self._build.icmp_unsigned("<=", most, INT64(_MOST))

    def add(self, count: ir.Value) -> None:
        """Count iterations that are over."""
        left = self._build.load(self._left, typ=INT64)
        self._build.store(self._build.sub(left, count), self._left)

    def end(self, head: ir.Block, is_short: ir.Value) -> None:
        """Emit the end of an iteration, which goes on at `head`; most skip the turn."""
        build = self._build
        counts, asks = build.append_basic_block(), build.append_basic_block()
        build.cbranch(is_short, head, counts)
        build.position_at_end(counts)
        self.add(INT64(1))
        due = build.icmp_signed("<=", build.load(self._left, typ=INT64), INT64(0))
        build.cbranch(due, asks, head)
        build.position_at_end(asks)
        build.store(INT64(_MOST), self._left)
        self._call("PyEval_RestoreThread", self._call("PyEval_SaveThread"))
        found = self._call("PyErr_CheckSignals")
        build.cbranch(build.icmp_signed("!=", found, found.type(0)), self._stopped, head)
