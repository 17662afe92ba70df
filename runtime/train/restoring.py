"""Restoring: values of a checkpoint go to the objects that have the same names.

What the checkpoint has and the program does not have yet is restored when the program creates it:
the assignment of an attribute of a module or a checkpoint looks for it, and the first use of a
variable that was created since then (`AwaitingCell`).
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from autograph.forks import Lock
from runtime.core.context import get_logger
from runtime.core.observed import awaited
from runtime.state.object_graph import SavedState, is_walked, object_graph, part, path_text
from runtime.state.variable import Variable
from runtime.train.format import Node, is_state, open_checkpoint

SHOWN = 10
"""Maximum number of objects that a message lists."""


class _Missing(NamedTuple):
    """A node for which the program has no object yet.

    Attributes:
      anchor: returns the last object on the way to it that can be held weakly, or None.
      names: the names from there to the node.
      node: the node.
    """

    anchor: Callable[[], Any]
    names: tuple[str, ...]
    node: int


class Restoration:
    """A checkpoint that is being restored into the objects that one object holds.

    `model` has the parts of `root` and may outlive it, or is None.

    Raises: NotFoundError, DataLossError for a checkpoint that cannot be read; ValueError or
      InvalidArgumentError if a value does not fit its variable. No variable has changed then.
    """

    def __init__(self, root: object, prefix: str, model: object = None) -> None:
        self._model = _reference(model)
        self._file, self.nodes = open_checkpoint(prefix)
        self._lock = Lock()
        self._missing: list[_Missing] = []
        self._bound: dict[int, tuple[Callable[[], Any], int]] = {}
        self._restored: set[int] = set()
        self._restore([_Missing(_reference(root), (), 0)])
        if self._missing:
            awaited.append(self.look)
        self._warning = weakref.finalize(self, _warn, prefix, self.nodes, self._restored)

    def look(self) -> None:
        """Restore what the program has created since the last look."""
        self._restore(self._missing)
        if not self._missing and self.look in awaited:
            awaited.remove(self.look)

    def _restore(self, missing: Iterable[_Missing]) -> None:
        with self._lock:
            still: list[_Missing] = []
            pairs: dict[int, tuple[SavedState, int]] = {}
            for each in missing:
                anchor = each.anchor()
                if anchor is not None:
                    self._match(anchor, each, still, pairs)
            self._assign(pairs)
            self._missing = still

    def _assign(self, pairs: dict[int, tuple[SavedState, int]]) -> None:
        """Give objects their values, after a check of all of them."""
        arrays = {}
        for value, position in pairs.values():
            node = self.nodes[position]
            assert node.key is not None
            value.check_state(node.key, *self._file.spec(node.key))
            arrays[position] = self._file.array(node.key)
        # The dataset of an iterator may not have the position; no variable has changed then.
        for value, position in sorted(
            pairs.values(), key=lambda pair: isinstance(pair[0], Variable)
        ):
            value.restore(arrays[position])
            self._bound[id(value)] = _reference(value), position
            self._restored.add(position)

    def _match(
        self,
        anchor: object,
        start: _Missing,
        still: list[_Missing],
        pairs: dict[int, tuple[SavedState, int]],
    ) -> None:
        """Find the objects of a node, and of those that it holds."""
        held, names = anchor, list(start.names)
        while names and held is not None:
            held = part(held, names.pop(0))
        if held is None:
            still.append(start)
            return
        waiting = [(held, start.node, anchor, start.names)]
        seen: set[tuple[int, int]] = set()
        while waiting:
            value, position, anchor, names_to = waiting.pop()
            node = self.nodes[position]
            if (id(value), position) in seen:
                continue
            seen.add((id(value), position))
            if isinstance(value, SavedState) and node.key is not None:
                self._pair(value, position, pairs)
                continue
            if not isinstance(value, (list, tuple, dict)):
                model = self._model() if position == 0 else None
                anchor, names_to = value if model is None else model, ()
            for name, child in node.children.items():
                inner = part(value, name)
                if inner is None or not (is_state(inner) or is_walked(inner)):
                    still.append(_Missing(_reference(anchor), (*names_to, name), child))
                else:
                    waiting.append((inner, child, anchor, (*names_to, name)))

    def _pair(
        self, value: SavedState, position: int, pairs: dict[int, tuple[SavedState, int]]
    ) -> None:
        known = pairs.get(id(value), (None, self._position_of(value)))[1]
        if known is not None and known != position:
            self._require_same(value, known, position)
            self._restored.add(position)
            return
        pairs[id(value)] = value, position

    def _position_of(self, value: object) -> int | None:
        reference, position = self._bound.get(id(value), (lambda: None, None))
        return position if reference() is value else None

    def _require_same(self, value: object, known: int, position: int) -> None:
        """Raise ValueError if one object would get two values."""
        keys = [self.nodes[known].key, self.nodes[position].key]
        first, other = (self._file.array(key) for key in keys if key is not None)
        if first.dtype == object:
            is_same = np.array_equal(first, other)
        else:
            is_same = (first.shape, first.tobytes()) == (other.shape, other.tobytes())
        if not is_same:
            name = getattr(value, "name", type(value).__name__)
            raise ValueError(
                f"Inconsistent references when loading the checkpoint into this object graph: "
                f"'{name}' is one variable of the program, and the checkpoint has two values for "
                f"it, {keys[0]} and {keys[1]}. Restore into objects that share what the saved ones "
                "shared."
            )

    def unbound(self, root: object) -> list[Any]:
        """Return the objects with state that an object holds and that got no value."""
        return [
            value
            for value in object_graph(root, is_state).objects
            if is_state(value) and self._position_of(value) is None
        ]

    def unresolved(self) -> list[Node]:
        """Return the nodes with state that went to no object."""
        found = enumerate(self.nodes)
        return [node for i, node in found if node.key is not None and i not in self._restored]

    def is_trivial(self) -> bool:
        """Return whether nothing was restored."""
        return not self._restored

    def expect_partial(self) -> None:
        """Have no warning say what was not restored."""
        self._warning.detach()


def _reference(value: object) -> Callable[[], Any]:
    """Return a weak reference if the class allows one."""
    try:
        return weakref.ref(value)
    except TypeError:
        return lambda: value


def _warn(prefix: str, nodes: list[Node], restored: set[int]) -> None:
    left = [n for i, n in enumerate(nodes) if n.key is not None and i not in restored]
    for node in left[:SHOWN]:
        get_logger().warning(
            f"Value in checkpoint {prefix} could not be found in the restored object: "
            f"{path_text(node.path)}"
        )
    if left:
        get_logger().warning(
            "Detecting that an object or model or tf.train.Checkpoint is being deleted with "
            "unrestored values: see the names above. `expect_partial()` on the result of "
            "`restore` silences this, `assert_consumed()` makes it an error."
        )


class CheckpointLoadStatus:
    """The status of a restoration; returned by `Checkpoint.restore`.

    Args:
      root: the object.
      restoration: its restoration; None: no checkpoint was given.
      exempt: a part that needs no value.

    >>> import runtime as tf, tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     path = tf.train.Checkpoint(v=tf.Variable(1.0)).save(f"{home}/ckpt")
    ...     v = tf.Variable(0.0)
    ...     _ = tf.train.Checkpoint(v=v).restore(path).assert_consumed()
    ...     print(v.numpy())
    1.0
    """

    def __init__(
        self, root: object, restoration: Restoration | None, exempt: object = None
    ) -> None:
        self._root = root
        self._restoration = restoration
        self._exempt = exempt

    def _looked(self) -> Restoration:
        """Return the restoration, with what the program has created by now."""
        if self._restoration is None:
            raise AssertionError(
                "No checkpoint specified (save_path=None); nothing is being restored."
            )
        self._restoration.look()
        return self._restoration

    def _unbound(self) -> list[Any]:
        found = self._looked().unbound(self._root)
        return [value for value in found if value is not self._exempt]

    def assert_consumed(self) -> CheckpointLoadStatus:
        """Require that all values were restored, and that all objects got one.

        Raises: AssertionError that names what is left.
        """
        self.assert_existing_objects_matched()
        for node in self._looked().unresolved():
            raise AssertionError(
                f"Unresolved object in checkpoint {path_text(node.path)}: the program has no "
                f"object of that name for the value {node.key}"
            )
        return self

    def assert_existing_objects_matched(self) -> CheckpointLoadStatus:
        """Require that all objects of the program with state got a value.

        Raises: AssertionError that lists the others.
        """
        left = self._unbound()
        if left:
            raise AssertionError(
                f"Found {len(left)} Python objects that were not bound to checkpointed values, "
                f"likely due to changes in the Python program. Showing {min(SHOWN, len(left))} of "
                f"{len(left)} unmatched objects: {left[:SHOWN]}"
            )
        return self

    def assert_nontrivial_match(self) -> CheckpointLoadStatus:
        """Require that something was restored. Raises AssertionError if nothing was."""
        if self._looked().is_trivial():
            raise AssertionError(
                "Nothing except the root object matched a checkpointed value. Typically this means "
                "that the checkpoint does not match the Python program. The following objects have "
                f"no matching checkpointed value: {self._unbound()[:SHOWN]}"
            )
        return self

    def expect_partial(self) -> CheckpointLoadStatus:
        """Have no warning say what was not restored."""
        if self._restoration is not None:
            self._restoration.expect_partial()
        return self
