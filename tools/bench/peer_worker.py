"""Runs in the peers' environment: reads tasks as lines of JSON, answers with seconds or bytes.

python peer_worker.py tensorflow|malt|jax|torch|numba|runtime
"""

import importlib
import importlib.util
import json
import os
import sys
import timeit
from collections.abc import Callable
from typing import Any

modules: dict[str, dict[str, Any]] = {}


def converter(library: Any) -> Any:
    """The object with the library's `to_code` and `to_graph`; None if it has none."""
    return getattr(library, "autograph", library if library.__name__ == "malt" else None)


def find(path: str, name: str) -> Callable[..., Any]:
    if path not in modules:
        spec = importlib.util.spec_from_file_location(f"measured_{len(modules)}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        modules[path] = vars(module)
    found: Callable[..., Any] = modules[path][name]
    return found


class Tasks:
    """What can be asked for; each method returns seconds, `peak` bytes."""

    def __init__(self, library: Any) -> None:
        self.library = library
        self.autograph = converter(library)
        self.graphs: dict[tuple[str, str], Callable[..., Any]] = {}
        self.made: dict[tuple[str, str], tuple[Callable[..., Any], list[Any]]] = {}

    def to_code(self, path: str, name: str) -> float:
        function = find(path, name)
        return timeit.timeit(lambda: self.autograph.to_code(function), number=1)

    def plain(self, path: str, name: str, arguments: list[Any], number: int) -> float:
        function = find(path, name)
        return timeit.timeit(lambda: function(*arguments), number=number) / number

    def to_graph(self, path: str, name: str, arguments: list[Any], number: int) -> float:
        if (path, name) not in self.graphs:
            function = self.autograph.to_graph(find(path, name))
            function(*arguments)
            self.graphs[path, name] = function
        graph = self.graphs[path, name]
        return timeit.timeit(lambda: graph(*arguments), number=number) / number

    def graph(self, path: str, name: str, number: int) -> float:
        if (path, name) not in self.made:
            function, arguments = find(path, name)(self.library)
            for _ in range(3):
                function(*arguments)
            self.made[path, name] = function, arguments
        function, arguments = self.made[path, name]
        return timeit.timeit(lambda: function(*arguments), number=number) / number

    def first_call(self, path: str, name: str) -> float:
        """Seconds of the first call of a program: tracing, optimizing, and running once."""
        function, arguments = find(path, name)(self.library)
        return timeit.timeit(lambda: function(*arguments), number=1)

    def checksum(self, path: str, name: str) -> float:
        """Sum of the magnitudes of all results of a program."""
        import numpy

        function, arguments = find(path, name)(self.library)
        results = function(*arguments)
        leaves = results if isinstance(results, (tuple, list)) else [results]
        return float(sum(numpy.abs(numpy.asarray(x, numpy.float64)).sum() for x in leaves))

    def making(self, path: str, name: str) -> float:
        """Seconds of making a program, which for a model is its first epoch."""
        return timeit.timeit(lambda: find(path, name)(self.library), number=1)

    def peak(self, path: str, name: str) -> float:
        """Most memory of the process so far, after a program was made and run."""
        function, arguments = find(path, name)(self.library)
        function(*arguments)
        return float(peak_memory())


def peak_memory() -> int:
    """Most memory of this process, in bytes.

    On Linux `ru_maxrss` starts at the memory of the process that started this one.
    """
    if os.path.exists("/proc/self/status"):
        with open("/proc/self/status") as status:
            fields = dict(line.split(":", 1) for line in status)
        return int(fields["VmHWM"].split()[0]) * 1024
    import resource

    return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)  # bytes on macOS


def main(library: str) -> None:
    answers = os.fdopen(os.dup(1), "w")
    # What the libraries print must not get among the answers.
    os.dup2(2, 1)
    tasks = Tasks(importlib.import_module(library))
    for line in sys.stdin:
        request = json.loads(line)
        task = request.pop("task")
        try:
            answer: dict[str, Any] = {"value": getattr(tasks, task)(**request)}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
