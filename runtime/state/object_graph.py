"""The graph of objects that hold state, found by attributes, items and keys.

Nothing needs to be registered: the walk visits objects of the program's own classes, modules,
lists, tuples and dicts. It skips objects of the standard library and of NumPy, functions, tensors
and graphs.

`SavedState` is what checkpoints save of an object.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

from runtime.core.dtypes import DType

_WALKED_HERE = ("runtime.keras", "runtime.saved_model", "runtime.state", "runtime.train")
_NOT_WALKED = frozenset({*sys.stdlib_module_names, "builtins", "numpy", "runtime", "autograph"})
_kinds: dict[type, bool] = {}


def is_walked(value: object) -> bool:
    """Return whether to walk the parts of a value: structures and objects of the program."""
    kind = type(value)
    known = _kinds.get(kind)
    if known is None:
        module = getattr(kind, "__module__", "builtins")
        known = issubclass(kind, (list, tuple, dict)) or (
            not issubclass(kind, type)
            and (module.startswith(_WALKED_HERE) or module.partition(".")[0] not in _NOT_WALKED)
        )
        _kinds[kind] = known
    return known


def parts(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield names and values of the parts of an object: attributes, keys, or positions as strings.

    A class can define its parts with a method `__parts__` that returns a dict.

    >>> list(parts([3, 4])), list(parts({"a": 1}))
    ([('0', 3), ('1', 4)], [('a', 1)])
    """
    if hasattr(type(value), "__parts__"):
        yield from value.__parts__().items()
    elif isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, (list, tuple)):
        yield from ((str(position), part) for position, part in enumerate(value))
    elif is_walked(value):
        yield from _attributes(value)


def _attributes(value: object) -> Iterator[tuple[str, Any]]:
    yield from getattr(value, "__dict__", {}).items()
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                yield name, getattr(value, name)


def part(value: Any, name: str) -> Any:
    """Return the part with a name, or None.

    >>> part([3, 4], "1"), part({"a": 1}, "b")
    (4, None)
    """
    if hasattr(type(value), "__parts__"):
        return value.__parts__().get(name)
    if isinstance(value, dict):
        return value.get(name)
    if isinstance(value, (list, tuple)):
        within = name.isdecimal() and int(name) < len(value)
        return value[int(name)] if within else None
    if not is_walked(value):
        return None
    own = getattr(value, "__dict__", {})
    return own[name] if name in own else dict(_attributes(value)).get(name)


def path_text(names: tuple[Any, ...]) -> str:
    """Format a path for messages.

    >>> path_text(("layers", "0", "kernel"))
    '(root).layers.0.kernel'
    """
    return ".".join(("(root)", *map(str, names)))


@dataclass
class ObjectGraph:
    """Objects, the root first, with the names of their references to each other.

    Attributes:
      objects: the objects.
      children: for each object, the indices of its parts, by name.
      paths: for each object, the names on its shortest path from the root.
    """

    objects: list[Any] = field(default_factory=list)
    children: list[dict[Any, int]] = field(default_factory=list)
    paths: list[tuple[Any, ...]] = field(default_factory=list)

    def only(self, wanted: set[int]) -> ObjectGraph:
        """Return the subgraph of all objects on paths from the root to the `wanted` indices."""
        holders: dict[int, list[int]] = {}
        for holder, held in enumerate(self.children):
            for position in held.values():
                holders.setdefault(position, []).append(holder)
        kept, waiting = {0, *wanted}, list(wanted)
        while waiting:
            new = set(holders.get(waiting.pop(), ())) - kept
            kept |= new
            waiting += new
        order = sorted(kept)
        number = {position: new for new, position in enumerate(order)}
        return ObjectGraph(
            [self.objects[position] for position in order],
            [
                {name: number[p] for name, p in self.children[position].items() if p in kept}
                for position in order
            ],
            [self.paths[position] for position in order],
        )


def object_graph(
    root: object,
    is_state: Callable[[Any], bool],
    parts_of: Callable[[Any], Iterator[tuple[Any, Any]]] = parts,
) -> ObjectGraph:
    """Walk an object breadth first, visiting each object once; state has no parts.

    Private attributes count only for objects without a public path: lists in which a class keeps
    its parts a second time add no names.
    """
    graph = ObjectGraph([root], [{}], [()])
    known = {id(root): 0}
    public = deque([0])
    private: deque[tuple[int, Any, Any]] = deque()

    def link(holder: int, name: object, value: object) -> None:
        if id(value) not in known:
            public.append(len(graph.objects))
            known[id(value)] = len(graph.objects)
            graph.objects.append(value)
            graph.children.append({})
            graph.paths.append((*graph.paths[holder], name))
        graph.children[holder][name] = known[id(value)]

    while public or private:
        if not public:
            holder, name, value = private.popleft()
            if id(value) not in known:
                link(holder, name, value)
            continue
        holder = public.popleft()
        held = graph.objects[holder]
        if is_state(held):
            continue
        for name, value in parts_of(held):
            if not (is_state(value) or is_walked(value)):
                continue
            if str(name).startswith("_") and not isinstance(held, dict):
                private.append((holder, name, value))
            else:
                link(holder, name, value)
    return graph


class SavedState:
    """The base class of objects whose state is one array: variables, and iterators of datasets.

    Attributes:
      state_suffix: the last part of the name of the array in a checkpoint.
    """

    state_suffix: ClassVar[str]

    def saved_state(self) -> Any:
        """Return the array."""
        raise NotImplementedError

    def check_state(self, key: str, dtype: DType, dims: tuple[int, ...]) -> None:
        """Raise if an array of a checkpoint, of this name, dtype and shape, cannot be the state."""
        raise NotImplementedError

    def restore(self, array: object) -> None:
        """Set the state to a saved array for which `check_state` did not raise."""
        raise NotImplementedError
