"""Process-wide settings of passes and engines; a change takes effect at the next call."""

from __future__ import annotations

import importlib.util
import os
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from autograph.forks import Lock
from runtime.core.graph import Graph
from runtime.core.machine.extras import load_extra
from runtime.core.machine.threads import use_threads
from runtime.engines import hot_loops, interpreter, native, plan, xla
from runtime.passes.pipeline import ALL_OFF, OPTIONS, optimize

_JIT = "autoclustering"

AUTO = "auto"
"""Names, in place of an engine, the selected one, and the native engine after a number of runs."""

Executable = Callable[..., tuple[Any, ...]]
"""Maps the arrays of the graph's inputs to those of its outputs."""


def plan_source(graph: Graph, engine: str | None = None) -> str:
    """Return the Python source text of the plan of a graph.

    Args:
      graph: the graph, after the passes.
      engine: the engine; None: the selected one. That of the interpreter is the plan's.
    """
    name = _engine(engine)
    if name in _EXTRAS:
        return (native if name == "native" else xla).source(graph)  # type: ignore[no-any-return]
    return plan.source(graph)


ENGINES: dict[str, Callable[[Graph], Executable]] = {
    "plan": plan.executable,
    "interpreter": interpreter.executable,
    "native": lambda graph: native.executable(graph),
    "xla": lambda graph: xla.executable(graph),
}

_EXTRAS = {"native": ("llvmlite", "the native engine"), "xla": ("jax", "the XLA engine")}
"""Engines that need an extra of their name: the library, and what messages call the engine."""


class _Settings:
    def __init__(self) -> None:
        self.engine = _initial_engine()
        self.options: dict[str, bool] = {}
        self.compiles_hot_loops = True
        self.compiled: weakref.WeakSet[Compiled] = weakref.WeakSet()
        self.lock = Lock()
        self.watch: Callable[[Graph, Graph], None] | None = None


def require(engine: str) -> None:
    """Check that an engine exists on this machine.

    Raises:
      ValueError: if no engine has the name.
      ImportError: if it needs a package that is not installed.

    >>> require("plan")
    """
    if engine not in ENGINES:
        raise ValueError(f"there is no engine {engine!r}; there are {', '.join(ENGINES)}")
    if engine in _EXTRAS:
        library, user = _EXTRAS[engine]
        load_extra(library, engine, user)


def jit_engine() -> str:
    """Return the engine of `jit_compile=True`: the first installed one of "native" and "xla".

    Raises:
      ModuleNotFoundError: if neither is installed.
    """
    for engine, (library, _) in _EXTRAS.items():
        if importlib.util.find_spec(library) is not None:
            require(engine)
            return engine
    raise ModuleNotFoundError(
        'jit_compile=True needs llvmlite or jax: pip install "autograph-numpy[native]" or '
        '"autograph-numpy[xla]"'
    )


def _initial_engine() -> str:
    engine = os.environ.get("AUTOGRAPH_ENGINE") or "plan"
    try:
        require(engine)
    except ValueError as error:
        raise ValueError(f"the environment variable AUTOGRAPH_ENGINE: {error}") from None
    return engine


_SETTINGS = _Settings()


def _engine(name: str | None) -> str:
    """Return the engine that runs a graph first."""
    return name if name and name != AUTO else _SETTINGS.engine


def executable(graph: Graph) -> Executable:
    """Return a function from input arrays to output arrays, which the selected engine runs.

    Args:
      graph: the graph, after the passes.
    """
    return ENGINES[_SETTINGS.engine](graph)


class Compiled:
    """A graph that is compiled at its first run, and again after the settings change.

    Attributes:
      graph: the graph before the passes.
      engine: the engine that runs it, or `AUTO`; None: the selected one.
      code: the function from input arrays to output arrays; None before the first run.
      makes_new: whether the caller may change the arrays that it returns.
    """

    makes_new = False

    def __init__(self, graph: Graph, engine: str | None = None) -> None:
        """Start without code."""
        self.graph = graph
        self.engine = engine
        self.code: Executable | None = None
        self._compiling = Lock()

    @property
    def executable(self) -> Executable:
        """The function from input arrays to output arrays."""
        return self.code or self._compiled()

    def _compiled(self) -> Executable:
        with self._compiling:
            if self.code is None:
                with _SETTINGS.lock:
                    _SETTINGS.compiled.add(self)
                made = self._by_engine(_engine(self.engine))
                self.makes_new = getattr(made, "makes_new", False)
                self.code = made
            return self.code

    def _by_engine(self, engine: str) -> Executable:
        graph = optimized(self.graph)
        if _SETTINGS.watch is not None:
            _SETTINGS.watch(self.graph, graph)
        run = ENGINES[engine](graph)
        if engine != "plan" or not get_jit():
            return run

        def replace(code: Executable) -> None:
            with self._compiling:
                if self.code is first:
                    self.code = code

        first = run
        if self.engine == AUTO:
            first = hot_loops.counted(graph, run, replace)
        elif hot_loops.may_run_long(graph):
            first = hot_loops.timed(graph, run, replace)
        return first

    def forget(self) -> None:
        """Drop the code: the engine or the passes changed."""
        self.code = None


def optimized(graph: Graph) -> Graph:
    """Run the enabled passes on a graph and return the result."""
    return optimize(graph, _SETTINGS.options)


def _changed() -> None:
    with _SETTINGS.lock:
        compiled = list(_SETTINGS.compiled)
    for each in compiled:
        each.forget()


def watch_graphs(watch: Callable[[Graph, Graph], None] | None) -> None:
    """Call a function for each graph at its next run, with the graph before and after the passes.

    All graphs are compiled again.

    Args:
      watch: the function; None: stop.

    >>> watch_graphs(None)
    """
    _SETTINGS.watch = watch
    if watch is not None:
        _changed()


def set_engine(engine: str) -> None:
    """Select the engine that runs functions.

    The environment variable AUTOGRAPH_ENGINE selects the one that a program starts with.

    Args:
      engine: "plan"; "native": a plan whose parts are machine code; "interpreter": slow, simple,
        for comparisons; "xla": a plan whose parts JAX compiles, for its default device.

    Raises:
      ValueError: for any other name.
      ImportError: for "native" without llvmlite, for "xla" without JAX.

    >>> set_engine("interpreter")
    >>> get_engine()
    'interpreter'
    >>> set_engine("plan")
    """
    require(engine)
    _SETTINGS.engine = engine
    _changed()


def get_engine() -> str:
    """Return the name of the engine that runs functions.

    >>> get_engine()
    'plan'
    """
    return _SETTINGS.engine


def set_jit(enabled: bool | str) -> None:
    """Set whether machine code replaces the plan of graphs that run long.

    The loops of a graph, its elementwise operations on large arrays, or on any arrays if there are
    at least 32 of them, and pooling are compiled in a thread, once its plan has run for 0.5 s, and
    its next runs use the machine code. Results do not change, not
    in the last bit: loops and operations that machine code rounds differently (`exp`, powers, sums
    of arrays, matrix products of floating-point numbers) stay Python. Only `function` with
    `jit_compile=True` compiles them. The default is "autoclustering" if llvmlite is installed.

    Args:
      enabled: True or "autoclustering"; False: never.

    Raises:
      ValueError: for another text.
      ImportError: for True without llvmlite.

    >>> before = get_jit()
    >>> set_jit(False)
    >>> get_jit()
    ''
    >>> set_jit(before or False)
    """
    if enabled not in (True, False, _JIT):
        raise ValueError(f"set_jit takes True, False or {_JIT!r}, not {enabled!r}")
    if enabled:
        require("native")
    _SETTINGS.compiles_hot_loops = bool(enabled)
    _changed()


def get_jit() -> str:
    """Return "autoclustering" if graphs are compiled once their plan ran long, else "".

    >>> get_jit() in ("autoclustering", "")
    True
    """
    return _JIT if _SETTINGS.compiles_hot_loops and hot_loops.is_installed() else ""


def set_experimental_options(options: Mapping[str, bool]) -> None:
    """Enable or disable passes; passes that are not named keep their setting.

    Args:
      options: switches by name: `function_optimization` (inlining), `constant_folding`,
        `dependency_optimization` (branches and loops of constant condition),
        `arithmetic_optimization` (identities, powers), `common_subgraph_elimination`,
        `loop_optimization` (invariant operations), `remapping` (groups of
        elementwise operations), `debug_stripper` (removes assertions, checks of numerics and
        prints; off by default), and `disable_meta_optimizer`, which disables all.

    Raises:
      ValueError: for any other name.

    >>> set_experimental_options({"constant_folding": False})
    >>> get_experimental_options()["constant_folding"]
    False
    >>> set_experimental_options({"constant_folding": True})
    """
    known = (*OPTIONS, ALL_OFF)
    unknown = [name for name in options if name not in known]
    if unknown:
        raise ValueError(
            f"there is no optimizer option {unknown[0]!r}; there are {', '.join(known)}"
        )
    _SETTINGS.options.update({name: bool(value) for name, value in options.items()})
    _changed()


def get_experimental_options() -> dict[str, bool]:
    """Return the switches that were set, and `disable_meta_optimizer`.

    >>> get_experimental_options()["disable_meta_optimizer"]
    False
    """
    return {ALL_OFF: False, **_SETTINGS.options}


def set_intra_op_parallelism_threads(num_threads: int) -> None:
    """Set the number of threads of one operation, or of one loop in machine code.

    Matrix products have the threads of NumPy's BLAS, which reads an environment variable at the
    start of a program, for instance OPENBLAS_NUM_THREADS or MKL_NUM_THREADS.

    Args:
      num_threads: int >= 0; 0: one thread for each core, for long computations. Functions in
        machine code that were compiled before keep their number.

    Raises:
      ValueError: for a negative number.

    >>> set_intra_op_parallelism_threads(0)
    """
    count = int(num_threads)
    if count < 0:
        raise ValueError(f"a number of threads is 0 or more, not {num_threads}")
    use_threads(count)
