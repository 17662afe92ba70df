"""`Benchmark`: what benchmarks of programs on tensors inherit from."""

from __future__ import annotations

import inspect
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.core import nest

_OWN_NAMES = ("Benchmark", "TensorFlowBenchmark")


class Benchmark:
    """A class whose methods `benchmark...` measure and report.

    >>> import runtime as tf
    >>> class Products(tf.test.Benchmark):
    ...     def benchmark_matmul(self):
    ...         self.report_benchmark(iters=10, wall_time=0.25, extras={"size": 100})
    >>> products = Products()
    >>> products.benchmark_matmul()
    entry { name: "Products.benchmark_matmul" iters: 10 wall_time: 0.25 size: 100 }
    """

    @classmethod
    def is_abstract(cls) -> bool:
        """Whether it is the class that benchmarks inherit from."""
        return cls.__name__ in _OWN_NAMES

    def report_benchmark(
        self,
        iters: int | None = None,
        cpu_time: float | None = None,
        wall_time: float | None = None,
        throughput: float | None = None,
        extras: Mapping[str, float | str] | None = None,
        name: str | None = None,
        metrics: Sequence[Mapping[str, Any]] | None = None,
    ) -> None:
        """Print what was measured, on one line.

        Args:
          iters: the number of repetitions.
          cpu_time, wall_time: seconds for one repetition.
          throughput: bytes in a second.
          extras: further numbers and texts by name.
          name: the name of the benchmark; None: that of the method that calls.
          metrics: dicts with `name`, `value` and perhaps bounds.
        """
        values = {
            "iters": iters,
            "cpu_time": cpu_time,
            "wall_time": wall_time,
            "throughput": throughput,
            **(extras or {}),
            **{metric["name"]: metric["value"] for metric in metrics or ()},
        }
        shown = " ".join(f"{key}: {value}" for key, value in values.items() if value is not None)
        print(f'entry {{ name: "{name or self._calling_benchmark()}" {shown} }}')

    def _calling_benchmark(self) -> str:
        """The class and the innermost method `benchmark...` that is running."""
        for frame in inspect.stack():
            if frame.function.startswith("benchmark") and frame.frame.f_locals.get("self") is self:
                return f"{type(self).__name__}.{frame.function}"
        raise ValueError(
            "No calling Benchmark method found: call it in a method whose name begins with "
            "`benchmark`, or give a name."
        )

    def evaluate(self, tensors: Any) -> Any:
        """The values of tensors, or of a structure of them, as arrays."""
        return nest.map_structure(np.asarray, tensors)

    def run_op_benchmark(
        self,
        sess: Any,
        op_or_tensor: Any,
        feed_dict: Mapping[Any, Any] | None = None,
        burn_iters: int = 2,
        min_iters: int = 10,
        store_trace: bool = False,
        store_memory_usage: bool = True,
        name: str | None = None,
        extras: Mapping[str, float | str] | None = None,
        mbs: float = 0,
    ) -> dict[str, Any]:
        """Measure how long a Session takes to run an operation, and report it.

        Args:
          sess: the Session.
          op_or_tensor: what it runs.
          feed_dict: values for placeholders.
          burn_iters: repetitions before the clock starts.
          min_iters: repetitions that are measured.
          store_trace, store_memory_usage: no effect: nothing is traced.
          name: as for `report_benchmark`.
          extras: as for `report_benchmark`.
          mbs: how many megabytes an operation reads and writes; 0: no throughput is reported.

        Returns: `iters`, `wall_time` (the median in seconds), `throughput` and `extras`.
        """
        for _ in range(burn_iters):
            sess.run(op_or_tensor, feed_dict)
        seconds = []
        for _ in range(min_iters):
            start = time.perf_counter()
            sess.run(op_or_tensor, feed_dict)
            seconds.append(time.perf_counter() - start)
        median = float(np.median(seconds)) if seconds else -1.0
        result: dict[str, Any] = {
            "iters": min_iters,
            "wall_time": median,
            "throughput": mbs / median if mbs else None,
            "extras": {
                **(extras or {}),
                "wall_time_mean": float(np.mean(seconds)),
                "wall_time_stdev": float(np.std(seconds)),
            },
        }
        self.report_benchmark(name=name, **result)
        return result
