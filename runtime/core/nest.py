"""Structures as `tf.nest` defines them: lists, tuples, named tuples, mappings and attrs classes.

Mappings flatten in sorted key order, so two dicts with the same entries flatten alike. Everything
else is an atom: tensors, arrays, strings and dataclasses too. A list or dict whose parts only the
running graph knows is a structure, but one that cannot be taken apart.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from runtime.core.errors import OperatorNotAllowedInGraphError, StagingError
from runtime.core.places import called
from runtime.core.structure import endless, rebuild
from runtime.core.tensor import Tensor

_ATOMS = (str, bytes, bytearray)


def is_nested(seq: object) -> bool:
    """Return whether a value is a structure, not an atom.

    Args:
      seq: any value.

    >>> is_nested([1]), is_nested({}), is_nested("text"), is_nested(1)
    (True, True, False, False)
    """
    if isinstance(seq, (*_ATOMS, Tensor)):
        return False
    return issubclass(_class_of(seq), (Mapping, Sequence)) or hasattr(seq, "__attrs_attrs__")


def _class_of(value: object) -> type:
    """Return the class that a program sees."""
    asked = getattr(type(value), "__autograph_type__", None)
    kind: type = type(value) if asked is None else asked(value)
    return kind


def _keys(structure: object) -> list[Any] | None:
    """Return the keys of a mapping or attrs class in order; None if parts are positional."""
    if isinstance(structure, Mapping):
        return sorted(structure)
    if hasattr(structure, "__attrs_attrs__"):
        return [field.name for field in structure.__attrs_attrs__]
    return None


def _parts(structure: Any) -> list[Any]:
    _require_parts(structure)
    keys = _keys(structure)
    if keys is None:
        return list(structure)
    if isinstance(structure, Mapping):
        return [structure[key] for key in keys]
    return [getattr(structure, key) for key in keys]


def _require_parts(structure: object) -> None:
    """Raise StagingError for a structure whose parts only the running graph knows."""
    kind = _class_of(structure)
    if kind is not type(structure):
        raise StagingError(
            f"the parts of {called(structure, f'a {kind.__name__}')} are asked for as "
            "those of a structure, and only the running graph knows them.",
            public=OperatorNotAllowedInGraphError,
            remedy="Use runtime.stack, or a loop over the items in code that is converted.",
        )


def _rebuilt(structure: object, parts: Iterable[Any]) -> Any:
    keys = _keys(structure)
    if keys is None:
        values = list(parts)
        plain = isinstance(structure, (list, tuple))
        return rebuild(type(structure) if plain else list, len(values), values)
    entries = dict(zip(keys, parts, strict=True))
    if not isinstance(structure, Mapping):
        return type(structure)(**entries)
    ordered = {key: entries[key] for key in structure}
    if isinstance(structure, defaultdict):
        return defaultdict(structure.default_factory, ordered)
    kind: Any = type(structure)
    return kind(ordered)


def flatten(structure: object, expand_composites: bool = False) -> list[Any]:
    """Return the atoms of a structure from left to right, keys in sorted order.

    Args:
      structure: a structure or an atom.
      expand_composites: ignored: there are no composite tensors.

    Raises:
      TypeError: if keys cannot be sorted.
      ValueError: if the structure contains itself.

    >>> flatten({"b": [1, 2], "a": (3, None)})
    [3, None, 1, 2]
    """
    try:
        return _atoms(structure)
    except RecursionError:
        raise endless(structure) from None


def _atoms(structure: object) -> list[Any]:
    if not is_nested(structure):
        return [structure]
    return [atom for part in _parts(structure) for atom in _atoms(part)]


def pack_sequence_as(
    structure: object, flat_sequence: Sequence[Any], expand_composites: bool = False
) -> Any:
    """Return the structure with its atoms replaced.

    Args:
      structure: a structure or an atom.
      flat_sequence: the new atoms, as many as `structure` has.
      expand_composites: ignored: there are no composite tensors.

    Raises:
      TypeError: if `flat_sequence` is not a sequence.
      ValueError: if the number of atoms differs.

    >>> pack_sequence_as({"b": 0, "a": [0, 0]}, [1, 2, 3])
    {'b': 3, 'a': [1, 2]}
    """
    if not isinstance(flat_sequence, (Sequence, Mapping)) or isinstance(flat_sequence, _ATOMS):
        raise TypeError(
            f"Attempted to pack value:\n  {flat_sequence!r}\ninto a structure, but found "
            f"incompatible type `{type(flat_sequence)}` instead."
        )
    atoms = list(flat_sequence)
    if not is_nested(structure):
        if len(atoms) != 1:
            raise ValueError(
                f"The target structure is of type `{type(structure)}`\n  {structure}\nHowever the "
                f"input is a sequence ({type(flat_sequence)}) of length {len(atoms)}.\n  "
                f"{flat_sequence}\nnest cannot guarantee that it is safe to map one to the other."
            )
        return atoms[0]
    count = len(flatten(structure))
    if count != len(atoms):
        raise ValueError(
            f"Could not pack sequence. Structure had {count} atoms, but flat_sequence had "
            f"{len(atoms)} items.  Structure: {structure}, flat_sequence: {flat_sequence}."
        )
    return _packed(structure, iter(atoms))


def _packed(structure: object, atoms: Iterator[Any]) -> Any:
    if not is_nested(structure):
        return next(atoms)
    return _rebuilt(structure, [_packed(part, atoms) for part in _parts(structure)])


def map_structure(func: Callable[..., Any], *structure: Any, **kwargs: Any) -> Any:
    """Apply `func` to the corresponding atoms of structures.

    Args:
      func: takes one atom of each structure.
      structure: structures that are equal except for their atoms.
      kwargs: `check_types` (True): whether the classes must be equal too.

    Returns: A structure like the first one, of the results.

    Raises:
      TypeError: if `func` is not callable, or classes differ.
      ValueError: if structures differ, or there is none.

    >>> map_structure(lambda x, y: x + y, {"a": 1, "b": [2]}, {"a": 10, "b": [20]})
    {'a': 11, 'b': [22]}
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structure:
        raise ValueError("Must provide at least one structure")
    check_types = kwargs.pop("check_types", True)
    kwargs.pop("expand_composites", False)
    if kwargs:
        raise ValueError(
            "Only valid keyword arguments are `check_types` and `expand_composites`, not: "
            f"`{'`, `'.join(kwargs)}`"
        )
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types)
    columns = zip(*map(flatten, structure), strict=True)
    return pack_sequence_as(structure[0], [func(*column) for column in columns])


class _Difference(Exception):
    """Two structures differ; `kind` is the class of the public error."""

    def __init__(self, kind: type[Exception], text: str) -> None:
        super().__init__(text)
        self.kind = kind


def assert_same_structure(
    nest1: object, nest2: object, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Check that two structures are equal except for their atoms.

    Args:
      nest1, nest2: structures or atoms.
      check_types: whether the classes of sequences must be equal too.
      expand_composites: ignored: there are no composite tensors.

    Raises:
      ValueError: if the structures differ.
      TypeError: if only the classes differ.

    >>> assert_same_structure([1, (2,)], [3, (4,)])
    >>> assert_same_structure([1], (1,), check_types=False)
    """
    try:
        _compare(nest1, nest2, check_types)
    except _Difference as difference:
        raise difference.kind(
            "The two structures don't have the same nested structure.\n\n"
            f"First structure: {_shown(nest1)}\n\nSecond structure: {_shown(nest2)}\n\n"
            f"More specifically: {difference}\nEntire first structure:\n{_outline(nest1)}\n"
            f"Entire second structure:\n{_outline(nest2)}"
        ) from None


def _compare(a: object, b: object, check_types: bool) -> None:
    if is_nested(a) != is_nested(b):
        nested, atom = (a, b) if is_nested(a) else (b, a)
        raise _Difference(
            ValueError,
            f'Substructure "{_shown(nested)}" is a sequence, while substructure "{_shown(atom)}" '
            "is not",
        )
    if not is_nested(a):
        return
    if check_types and not _same_class(a, b):
        raise _Difference(
            TypeError,
            "The two namedtuples don't have the same sequence type. First structure "
            f"{_shown(a)} has type {type(a).__name__}, while second structure {_shown(b)} has "
            f"type {type(b).__name__}",
        )
    if isinstance(a, Mapping) and isinstance(b, Mapping) and set(a) != set(b):
        raise _Difference(
            ValueError,
            "The two dictionaries don't have the same set of keys. First structure has keys "
            f"{_shown(list(a))}, while second structure has keys {_shown(list(b))}",
        )
    own, other = _parts(a), _parts(b)
    if len(own) != len(other):
        raise _Difference(
            ValueError,
            "The two structures don't have the same number of elements. First structure: "
            f"{_shown(a)}. Second structure: {_shown(b)}",
        )
    for x, y in zip(own, other, strict=True):
        _compare(x, y, check_types)


_DICTS = (dict, OrderedDict, defaultdict)


def _same_class(a: object, b: object) -> bool:
    first, second = type(a), type(b)
    if first is second or (first in _DICTS and second in _DICTS):
        return True
    fields = getattr(first, "_fields", None)
    same_name = first.__name__ == second.__name__
    return fields is not None and same_name and fields == getattr(second, "_fields", None)


def _shown(value: object) -> str:
    return f"type={type(value).__name__} str={value}"


def _outline(structure: object) -> str:
    """Return the structure with a dot for each atom."""
    return str(map_structure(lambda _: _Dot(), structure))


class _Dot:
    def __repr__(self) -> str:
        return "."
