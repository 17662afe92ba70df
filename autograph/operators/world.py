"""Side effects of library calls: a table, and the checks during a trace.

A trace runs the program once, and its graph runs many times. Three effects would differ:

- `Effect.READS`: the call reads outside state, such as the clock, random numbers, files or the
  environment. It runs once, during the trace, and every run of the graph sees that value.
- `Effect.WRITES`: the call has an effect that cannot be undone. A staged statement traces blocks
  that may never run, so all their effects must be undone.
- `Effect.SHOWS`: the call returns the text of a value. For a staged value that would be the text of
  a placeholder, so it is an error.

Outside staged statements a call that reads warns (`FrozenValueWarning`), and one that writes runs
once, while the function is traced. Inside a staged statement both are errors at the user's line.
A callable without a row computes, or changes what the state of staged statements covers.

>>> import time, io
>>> row_of(time.time).effect, row_of(io.StringIO().write).effect
(<Effect.READS: 'reads'>, <Effect.WRITES: 'writes'>)
>>> row_of(abs) is None
True
"""

from __future__ import annotations

import enum
import sys
import warnings
from types import BuiltinFunctionType, FunctionType, MethodType, MethodWrapperType, ModuleType
from typing import Any, NamedTuple

from autograph.errors import FrozenValueWarning, StagingError
from autograph.staging import optional, trace
from autograph.values import Value


class Effect(enum.Enum):
    """The side effect of a call."""

    READS = "reads"
    WRITES = "writes"
    SHOWS = "shows"


class Row(NamedTuple):
    """An entry of the table, for one callable.

    Attributes:
      effect: the side effect.
      call: the name of the callable in messages.
      topic: selects the remedy, see `_REMEDIES`.
    """

    effect: Effect
    call: str
    topic: str


_REMEDIES = {
    "time": "Pass the time as an argument, or ask for it with an operation that runs with the "
    "graph.",
    "random": "Draw it with the random operations of the tensor library, or pass it as an "
    "argument.",
    "files": "Read it before, and pass the content as an argument, or use an operation that runs "
    "with the graph.",
    "system": "Read it before, and pass the value as an argument.",
    "object": "Do it after the statement, or use an operation that runs with the graph.",
}
"""Remedies by topic; a tracing library may replace them."""

_EVERY = "*"

_FUNCTIONS: tuple[tuple[Effect, str, str, str], ...] = (
    (Effect.READS, "time", "time",
     "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time "
     "process_time_ns thread_time thread_time_ns localtime gmtime ctime"),
    (Effect.WRITES, "object", "time", "sleep"),
    (Effect.READS, "random", "uuid", "uuid1 uuid4"),
    (Effect.READS, "random", "secrets", "token_bytes token_hex token_urlsafe randbelow randbits"),
    (Effect.WRITES, "random", "numpy.random", "seed"),
    (Effect.READS, "system", "builtins", "input"),
    (Effect.READS, "files", "builtins", "open"),
    (Effect.READS, "system", "os",
     "getenv getenvb urandom getcwd getpid getppid getlogin cpu_count getloadavg times uname "
     "get_terminal_size"),
    (Effect.READS, "system", "platform", _EVERY),
    (Effect.READS, "system", "getpass", _EVERY),
    (Effect.READS, "system", "socket", "gethostname getfqdn gethostbyname getaddrinfo"),
    (Effect.READS, "files", "os", "open read listdir scandir walk stat lstat access readlink"),
    (Effect.READS, "files", "os.path",
     "exists lexists isfile isdir islink ismount getsize getmtime getatime getctime samefile"),
    (Effect.READS, "files", "glob", "glob iglob"),
    (Effect.READS, "files", "linecache", "getline getlines"),
    (Effect.READS, "files", "urllib.request", "urlopen"),
    (Effect.READS, "files", "numpy", "load loadtxt genfromtxt fromfile memmap"),
    (Effect.WRITES, "object", "numpy", "save savez savez_compressed savetxt"),
    (Effect.WRITES, "object", "os",
     "write close mkdir makedirs remove unlink rename renames replace rmdir removedirs chdir "
     "chmod chown putenv unsetenv system kill link symlink truncate utime"),
    (Effect.WRITES, "object", "shutil", _EVERY),
    (Effect.WRITES, "object", "subprocess", _EVERY),
    (Effect.WRITES, "object", "tempfile", _EVERY),
    (Effect.WRITES, "object", "logging", "debug info warning error critical exception log"),
    (Effect.WRITES, "object", "json", "dump"),
    (Effect.WRITES, "object", "pickle", "dump load"),
    (Effect.WRITES, "object", "struct", "pack_into"),
    (Effect.WRITES, "object", "xml.etree.ElementTree", "SubElement"),
    (Effect.SHOWS, "object", "json", "dumps"),
    (Effect.SHOWS, "object", "pprint", "pformat saferepr"),
    (Effect.SHOWS, "object", "reprlib", "repr"),
)  # fmt: skip
"""Functions by module; `*` is every public function of the module."""

_METHODS: tuple[tuple[Effect, str, str, str], ...] = (
    (Effect.READS, "time", "datetime.datetime", "now utcnow today"),
    (Effect.READS, "time", "datetime.date", "today"),
    (Effect.WRITES, "random", "random.Random", "seed setstate"),
    (Effect.READS, "random", "random.Random",
     "random uniform randint randrange choice choices sample shuffle gauss normalvariate "
     "lognormvariate expovariate vonmisesvariate gammavariate betavariate paretovariate "
     "weibullvariate triangular binomialvariate getrandbits randbytes"),
    (Effect.WRITES, "random", "numpy.random.mtrand.RandomState", "seed set_state"),
    (Effect.READS, "random", "numpy.random.mtrand.RandomState", _EVERY),
    (Effect.READS, "random", "numpy.random._generator.Generator", _EVERY),
    (Effect.READS, "system", "os._Environ",
     "get __getitem__ __contains__ items keys values copy"),
    (Effect.WRITES, "object", "os._Environ",
     "__setitem__ __delitem__ setdefault pop popitem update clear"),
    (Effect.READS, "object", "_io.StringIO", "getvalue tell"),
    (Effect.READS, "object", "_io.BytesIO", "getvalue getbuffer tell"),
    (Effect.READS, "files", "_io._IOBase", "read read1 readline readlines readinto readall peek"),
    (Effect.WRITES, "object", "_io._IOBase", "write writelines truncate seek flush close"),
    (Effect.READS, "files", "pathlib.Path",
     "read_text read_bytes open exists is_file is_dir iterdir glob rglob stat cwd home"),
    (Effect.WRITES, "object", "pathlib.Path",
     "write_text write_bytes touch mkdir rmdir unlink rename replace chmod"),
    (Effect.READS, "files", "socket.socket", "recv recvfrom recv_into accept"),
    (Effect.WRITES, "object", "socket.socket", "send sendall sendto connect bind listen close"),
    (Effect.READS, "object", "_contextvars.ContextVar", "get"),
    (Effect.WRITES, "object", "_contextvars.ContextVar", "set reset"),
    (Effect.WRITES, "object", "functools._lru_cache_wrapper", "cache_clear"),
    (Effect.WRITES, "object", "contextlib._BaseExitStack",
     "callback push enter_context pop_all close"),
    (Effect.WRITES, "object", "logging.Logger",
     "debug info warning error critical exception log setLevel addHandler removeHandler"),
    (Effect.WRITES, "object", "queue.Queue", "put put_nowait get get_nowait task_done join"),
    (Effect.WRITES, "object", "_queue.SimpleQueue", "put put_nowait get get_nowait"),
    (Effect.WRITES, "object", "multiprocessing.queues.Queue", "put put_nowait get get_nowait"),
    (Effect.WRITES, "object", "threading.Thread", "start join"),
    (Effect.WRITES, "object", "threading.Event", "set clear wait"),
    (Effect.WRITES, "object", "_thread.lock", "acquire release"),
    (Effect.WRITES, "object", "_thread.RLock", "acquire release"),
    (Effect.WRITES, "object", "sqlite3.Connection", "execute executemany executescript commit"),
    (Effect.WRITES, "object", "sqlite3.Cursor", "execute executemany executescript fetchone"),
    (Effect.WRITES, "object", "mmap.mmap", "write write_byte resize move flush seek read"),
    (Effect.WRITES, "object", "_csv.writer", "writerow writerows"),
    (Effect.WRITES, "object", "_hashlib.HASH", "update"),
    (Effect.WRITES, "object", "hmac.HMAC", "update"),
    (Effect.WRITES, "object", "zlib.Compress", "compress flush"),
    (Effect.WRITES, "object", "zlib.Decompress", "decompress flush"),
    (Effect.WRITES, "object", "xml.etree.ElementTree.Element",
     "set append insert extend remove clear"),
    (Effect.SHOWS, "object", "string.Template", "substitute safe_substitute"),
    (Effect.SHOWS, "object", "string.Formatter", "format vformat"),
    (Effect.SHOWS, "object", "reprlib.Repr", "repr"),
)  # fmt: skip
"""Methods by class, derived classes included. A name takes precedence over `*`."""

_STORES = {"builtins.memoryview": "memoryview", "os._Environ": "os.environ", "mmap.mmap": "mmap"}
"""Classes whose item assignments cannot be undone."""

_MODULES = {
    "posix": "os", "nt": "os", "io": "builtins", "_io": "builtins",
    "genericpath": "os.path", "posixpath": "os.path",
    "ntpath": "os.path", "_elementtree": "xml.etree.ElementTree", "_socket": "socket",
    "_pickle": "pickle", "_struct": "struct",
}  # fmt: skip
"""From the module that defines a function to the one that programs import."""

_ROWS = (*_FUNCTIONS, *_METHODS)
NAMES = frozenset(name for _, _, _, names in _ROWS for name in names.split())
"""Names of the callables in the table."""

MODULES = frozenset(owner for _, _, owner, names in _FUNCTIONS if names == _EVERY) | {
    "numpy.random"
}
"""Modules with all functions in the table."""

_Names = dict[str, tuple[Effect, str]]


def _by_owner(table: tuple[tuple[Effect, str, str, str], ...]) -> dict[str, _Names]:
    found: dict[str, _Names] = {}
    for effect, topic, owner, names in table:
        found.setdefault(owner, {}).update(dict.fromkeys(names.split(), (effect, topic)))
    return found


_functions = _by_owner(_FUNCTIONS)
_methods = _by_owner(_METHODS)


def row_of(function: object) -> Row | None:
    """Return the entry of a callable; None if it has no side effect.

    >>> import os
    >>> row_of(os.environ.get).call
    'os.environ.get'
    """
    if hasattr(type(function), "__getattr__"):  # may invent names
        return None
    owner = getattr(function, "__self__", None)
    name = getattr(function, "__name__", None)
    if type(name) is not str:
        return None
    if isinstance(function, _BOUND) and owner is not None and type(owner) is not ModuleType:
        return _row_of_method(function, owner if isinstance(owner, type) else type(owner), name)
    module = getattr(function, "__module__", None)
    if type(module) is not str or not _is_of_module(function):
        return None
    module = _MODULES.get(module, module)
    found = _entry(_functions.get(module), name)
    return (
        None
        if found is None
        else Row(found[0], f"{module}.{name}".removeprefix("builtins."), found[1])
    )


_BOUND = (MethodType, BuiltinFunctionType, MethodWrapperType)


def _is_of_module(function: object) -> bool:
    """Return whether a function belongs to the standard module, not a user's of the same name."""
    if type(function) is not FunctionType:
        return True
    own = str(function.__globals__.get("__name__")).partition(".")[0]
    return own == function.__module__.partition(".")[0] and "." not in function.__qualname__


def _row_of_method(function: object, kind: type, name: str) -> Row | None:
    for base in kind.__mro__:
        found = _entry(_methods.get(f"{base.__module__}.{base.__qualname__}"), name)
        if found is not None:
            return Row(found[0], f"{_owner(function, kind, name)}.{name}", found[1])
    return None


def _owner(function: object, kind: type, name: str) -> str:
    """Return the expression before the method name in messages."""
    if f"{kind.__module__}.{kind.__qualname__}" == "os._Environ":
        return "os.environ"
    for module in ("random", "numpy.random"):
        if function == getattr(sys.modules.get(module), name, None):
            return module
    return kind.__name__


def _entry(names: _Names | None, name: str) -> tuple[Effect, str] | None:
    if names is None:
        return None
    return names.get(name) or (names.get(_EVERY) if not name.startswith("_") else None)


def check_call(function: object) -> Row | None:
    """Check a call during a trace: warn of its side effect, and return its entry.

    Does nothing unless this thread is tracing.

    Raises:
      StagingError: inside a staged statement.
    """
    row = row_of(function) if trace.running else None
    if row is None or row.effect is Effect.SHOWS:
        return row
    if trace.block is not None:
        raise StagingError(
            f"`{row.call}()` is called in a staged statement, whose blocks are traced once, "
            f"whether they run or not: {_WHY[row.effect]}.",
            remedy=_remedy(row.topic),
        )
    if row.effect is Effect.READS:
        warnings.warn(
            f"`{row.call}()` is called once, while the function is traced: "
            f"{_WHY[row.effect]}. {_remedy(row.topic)}",
            FrozenValueWarning,
            stacklevel=_frames_to_user(),
        )
    return row


_WHY = {
    Effect.READS: "every run of the graph would see the value of the trace",
    Effect.WRITES: "what it changes cannot be put back",
}


def check_read(container: Value) -> None:
    """Check `key in container` as `check_call` checks a call.

    Raises:
      StagingError: inside a staged statement.
    """
    if type(container).__name__ == "_Environ":
        check_call(container.__contains__)


def _remedy(topic: str) -> str:
    own: dict[str, str] = optional(trace.library, "remedies", {})
    return own.get(topic, _REMEDIES[topic])


def refuse_store(container: Value) -> None:
    """Refuse item assignment and deletion if they cannot be undone.

    Does nothing outside of staged statements.

    Raises:
      StagingError: with the name of the container.
    """
    if trace.block is None:
        return
    kind = type(container)
    name = _STORES.get(f"{kind.__module__}.{kind.__qualname__}")
    if name is None and kind is dict and _is_of_globals(container):
        name = "globals()"
    if name is not None:
        raise StagingError(
            f"An item of `{name}` is assigned in a staged statement, and cannot be put back.",
            remedy=_remedy("object"),
        )


def _is_of_globals(names: dict[Any, Any]) -> bool:
    return "__name__" in names and "__builtins__" in names


def _frames_to_user() -> int:
    """Return the `stacklevel` of the innermost frame outside of this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).startswith(
        "autograph."
    ):
        level, frame = level + 1, frame.f_back
    return level
