"""Runs inside the interpreter under test, which needs to have nothing but itself installed.

    python -P child.py locate          (a request on standard input, the answer on standard output)
    python -P child.py run REQUEST RESULTS

A run imports `autograph` while the standard library is still plain, then forgets every module that
was loaded since the interpreter started, puts the overlay first, and imports the tests: they, and
`unittest` with them, meet the overlay's modules wherever they import them, while what `autograph`
itself stands on stays plain. Without that order a converted `functools` would call operators that
are themselves waiting for `functools`.
"""

import sys

# Before any other import: what is loaded now is the interpreter's own start.
AT_START = frozenset(sys.modules)

import importlib.machinery  # noqa: E402
import importlib.util  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402
import pkgutil  # noqa: E402
import traceback  # noqa: E402
from collections.abc import Container, Iterator, Sequence  # noqa: E402
from importlib.machinery import ModuleSpec  # noqa: E402
from types import ModuleType  # noqa: E402
from typing import Any, TextIO  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
STAYING = ("autograph", "importlib", "encodings", "__main__")


class OverlayFinder:
    """Finds the modules of the overlay ahead of every other finder."""

    def __init__(self, files: dict[str, dict[str, Any]]) -> None:
        self.files = files

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        entry = self.files.get(fullname)
        if entry is None:
            return None
        return importlib.util.spec_from_file_location(
            fullname, entry["path"], submodule_search_locations=entry["package"]
        )


def find_plain(name: str) -> ModuleSpec | None:
    """The spec of a module as a file, without importing it or its parents."""
    parent, _, _ = name.rpartition(".")
    path = None
    if parent:
        package = find_plain(parent)
        if package is None or package.submodule_search_locations is None:
            return None
        path = list(package.submodule_search_locations)
    return importlib.machinery.PathFinder.find_spec(name, path)


def expand(name: str) -> Iterator[str]:
    """`package.*` stands for the package and every module in it except its programs and tests."""
    package, star, _ = name.partition(".*")
    yield package
    spec = find_plain(package)
    if not star or spec is None or spec.submodule_search_locations is None:
        return
    for module in pkgutil.iter_modules(list(spec.submodule_search_locations)):
        if module.name not in ("__main__", "test", "tests"):
            yield from expand(f"{package}.{module.name}" + (".*" if module.ispkg else ""))


def locate(request: dict[str, Any]) -> dict[str, Any]:
    """Where the named modules' texts are, and which of the named tests exist."""
    modules: dict[str, dict[str, Any]] = {}
    for pattern in request["modules"]:
        for name in expand(pattern):
            spec = find_plain(name)
            if spec is None or not isinstance(spec.loader, importlib.machinery.SourceFileLoader):
                continue
            locations = spec.submodule_search_locations
            modules[name] = {
                "path": spec.origin,
                "package": None if locations is None else list(locations),
            }
    tests = []
    for test in request["tests"]:
        name = test if test.startswith("unittest.") else f"test.{test}"
        if find_plain(name) is not None:
            tests.append(name)
    return {"modules": modules, "tests": tests}


def forget(tested: set[str]) -> None:
    """Drop what was imported since the start, and the modules under test in any case."""
    for name, module in list(sys.modules.items()):
        kept = name in AT_START or is_within(name, STAYING) or not is_python(module)
        # A package that is imported anew must also be the one that its modules are found in.
        if not kept or is_within(name, tested):
            del sys.modules[name]


def is_python(module: ModuleType) -> bool:
    """Whether a module is Python text: others cannot in general be imported a second time."""
    return (getattr(module, "__file__", None) or "").endswith(".py")


def is_within(name: str, packages: Container[str]) -> bool:
    """Whether a module or one of the packages that it lies in is among `packages`."""
    parts = name.split(".")
    return any(".".join(parts[:count]) in packages for count in range(1, len(parts) + 1))


def run(request: dict[str, Any], results: TextIO) -> None:
    """Import the tests in a world that sees the overlay, run them, write one line per event."""

    def write(event: dict[str, Any]) -> None:
        results.write(json.dumps(event) + "\n")
        results.flush()

    def render(error: BaseException) -> str:
        return "".join(traceback.format_exception(error))

    sys.path.insert(0, request["autograph"])
    leave_callees_alone()
    sys.path.remove(request["autograph"])
    forget(set(request["overlay"]))
    for name in request["blocked"]:
        sys.modules[name] = None  # type: ignore[assignment]  # how Python spells "absent"
    sys.meta_path.insert(0, OverlayFinder(request["overlay"]))
    recorder = load_recorder()
    suite = recorder.load(request["tests"], request["resources"])
    recorder.run(recorder.without(suite, set(request["done"])), write, render)
    write({"event": "finished"})


FRAMES_PER_CALL = 4
"""A call inside a staged statement: the frames of the operator, the block, and those of a loop."""


def leave_callees_alone() -> None:
    """Have converted modules call what is not converted as it is: no converter is installed here.

    Every other decision about a callee is made as it always is.
    """
    import autograph
    from autograph.operators.calls import CallConverter
    from autograph.operators.namespace import Operators

    converted = CallConverter(lambda function: function, True).converted
    autograph.ag__ = Operators(converted, (operators, ()))
    sys.setrecursionlimit(FRAMES_PER_CALL * sys.getrecursionlimit())


def operators() -> object:
    """The operators of this process, for what is pickled in it."""
    import autograph

    return autograph.ag__


def load_recorder() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "conformance_recorder", os.path.join(HERE, "recorder.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def main(arguments: list[str]) -> None:
    if arguments[0] == "locate":
        json.dump(locate(json.load(sys.stdin)), sys.stdout)
        return
    _, request_path, results_path = arguments
    with open(request_path, encoding="utf-8") as file:
        request = json.load(file)
    with open(results_path, "w", encoding="utf-8") as results:
        run(request, results)


if __name__ == "__main__":
    main(sys.argv[1:])
