"""`Benchmark`: the base class of benchmarks."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from runtime.core import nest


class Benchmark:
    """A class whose methods `benchmark...` measure and report; programs derive from it.

    >>> import runtime as tf
    >>> class Products(tf.test.Benchmark):
    ...     def benchmark_matmul(self):
    ...         self.report_benchmark(iters=10, wall_time=0.25, extras={"size": 100})
    >>> products = Products()
    >>> products.benchmark_matmul()
    entry { name: "Products.benchmark_matmul" iters: 10 wall_time: 0.25 size: 100 }
    """

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
        """Print the measurements on one line.

        Args:
          iters: the number of repetitions.
          cpu_time, wall_time: seconds per repetition.
          throughput: bytes per second.
          extras: further numbers and strings by name.
          name: the name of the benchmark; None: that of the calling method.
          metrics: dicts with `name`, `value` and optional bounds.
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
        """Return the class and the innermost running method `benchmark...`."""
        for frame in inspect.stack():
            if frame.function.startswith("benchmark") and frame.frame.f_locals.get("self") is self:
                return f"{type(self).__name__}.{frame.function}"
        raise ValueError(
            "No calling Benchmark method found: call it in a method whose name begins with "
            "`benchmark`, or give a name."
        )

    def evaluate(self, tensors: object) -> Any:
        """Return the values of tensors, or of a structure of tensors, as arrays.

        Args:
          tensors: a structure of tensors.
        """
        return nest.map_structure(np.asarray, tensors)
