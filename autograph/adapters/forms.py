"""What a variable looks like to a tensor library, and what two such looks have in common.

A *form* is made from a value, gives the arrays that represent a value of that form, and the value
back from such arrays. `join` finds the form that covers two others: branches and loops need one
form for what a variable may hold afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from autograph.operators.stand_ins import Ref, Twin
from autograph.operators.variables import RETURN_VALUE, Undefined
from autograph.protocol import OptionalName, ProgramName
from autograph.reach.classes import is_plain_object, is_structure

NUMBERS = (bool, int, float, complex)


@dataclass(frozen=True)
class Leaf:
    """An array.

    Attributes:
      dtype, shape: as the library knows them.
      weak: whether it represents a Python number, which gives way to the dtypes of others.
      place: what else has to be the same, for instance the device.
    """

    dtype: Any
    shape: tuple[Any, ...]
    weak: bool = False
    place: Any = None

    def __post_init__(self) -> None:
        """Make a tuple of the shape, which some libraries give as a list."""
        if not isinstance(self.shape, tuple):
            object.__setattr__(self, "shape", tuple(self.shape))

    def __str__(self) -> str:
        """Return dtype and shape."""
        name = str(self.dtype).rpartition(".")[2]
        return f"{name}[{','.join(map(str, self.shape))}]"


def as_leaf(given: object, method: str) -> Leaf:
    """Return what a method of a library gave. Raises TypeError unless it is a Leaf."""
    if not isinstance(given, Leaf):
        raise TypeError(f"`{method}` gave {given!r}, which is no Leaf.")
    return given


@dataclass(frozen=True, eq=False)
class Fixed:
    """A value that no array represents: it is the same whenever the program runs."""

    value: Any

    def __eq__(self, other: object) -> bool:
        """Compare by identity; numbers and strings by type and value."""
        return isinstance(other, Fixed) and _same(self.value, other.value)

    def __hash__(self) -> int:
        """Hash the type."""
        return hash(type(self.value))

    def __str__(self) -> str:
        """Return a short text.

        >>> str(Fixed(3)), str(Fixed(Ref([1]))), str(Fixed(Twin(0)))
        ('the Python int 3', 'the Python list [1]', 'an object that another variable refers to')
        """
        value = self.value.value if type(self.value) is Ref else self.value
        if value is None:
            return "None"
        if type(value) is Twin:
            return "an object that another variable refers to"
        text = repr(value)
        shown = text if len(text) <= 40 else f"{text[:37]}..."
        return f"the Python {type(value).__name__} {shown}"


def _same(a: object, b: object) -> bool:
    if a is b:
        return True
    if type(a) is not type(b) or type(a) not in (*NUMBERS, str, bytes):
        return False
    # 0.0 and -0.0 are equal, and different values.
    return bool(a == b) and repr(a) == repr(b)


@dataclass(frozen=True)
class Form:
    """The leaves of a value and how they are put together.

    Attributes:
      tree: the structure, as the library knows it.
      leaves: what stands at its ends.
      paths: how the program writes the way to each leaf.
      kind: the name of the type of the whole.
      defined: False: the variable has no value; None: it may have one.
      optional: whether the value may be None; the first leaf says whether it is not.
    """

    tree: Any
    leaves: tuple[Leaf | Fixed, ...]
    paths: tuple[str, ...] = field(compare=False)
    kind: str = field(compare=False)
    defined: bool | None = True
    optional: bool = False

    def described(self) -> str:
        """Return the form in words."""
        if self.optional:
            return f"None or {self.inside().described()}"
        if self.defined is False:
            return "undefined"
        if self.paths == ("",):
            return str(self.leaves[0])
        return f"a {self.kind} of ({', '.join(map(str, self.leaves))})"

    def inside(self) -> Form:
        """Return the form of the value where an optional one is not None."""
        return replace(self, leaves=self.leaves[1:], paths=self.paths[1:], optional=False)

    @property
    def is_none(self) -> bool:
        """Return whether it is the form of None."""
        return self.paths == ("",) and self.leaves == (Fixed(None),)

    @property
    def arrays(self) -> list[Leaf]:
        """Return the leaves that are arrays."""
        return [leaf for leaf in self.leaves if isinstance(leaf, Leaf)]


class Mismatch(Exception):
    """Two values of one variable that no form covers.

    Args:
      subject: the variable or the part of it, as a sentence begins with it.
      left, right: the two values in words.
      because: why they do not go together; empty if that is plain.
      kind: the name of the class whose objects both are; empty for other values.
      registered: how a class becomes a structure of the library, as words of the remedy.
    """

    def __init__(
        self,
        subject: str,
        left: str,
        right: str,
        because: str = "",
        kind: str = "",
        registered: str = "",
    ) -> None:
        """Store the parts."""
        super().__init__(subject)
        self.subject = subject
        self.left = left
        self.right = right
        self.because = because
        self.kind = kind
        self.registered = registered


class Arrays(Protocol):
    """What a library knows of its arrays."""

    def leaf(self, value: object) -> Leaf | None:
        """Return the leaf of an array; None for other values."""

    def number(self, value: object) -> Leaf:
        """Return the leaf of a Python number."""

    def join(self, a: Leaf, b: Leaf) -> Leaf | None:
        """Return the leaf to which both can be converted."""

    def flatten(self, value: object) -> tuple[list[str], list[Any], Any]:
        """Return the paths to the leaves, the leaves, and the structure."""

    def unflatten(self, tree: object, leaves: list[Any]) -> Any:
        """Return the structure with these leaves."""

    def cast(self, value: object, leaf: Leaf) -> Any:
        """Return an array or a number as an array of that leaf."""

    def placeholder(self, leaf: Leaf) -> Any:
        """Return an array for a value that is not there."""


class Forms:
    """Forms of the arrays of one library."""

    def __init__(
        self,
        arrays: Arrays,
        possibly: Callable[[Any, str, Any], Any],
        maybe: type,
        registered: str = ", register it as a pytree",
    ) -> None:
        """For the arrays of a library, and its classes of variables without value, and of None.

        `registered` says, in remedies, how a class becomes a structure of the library.
        """
        self._arrays = arrays
        self._registered = registered
        self.possibly = possibly
        self.maybe: Any = maybe

    def of(self, value: object) -> Form:
        """Return the form of a value that is there, or of an `Undefined`."""
        if type(value) is Undefined:
            return Form("", (), (), "variable", defined=False)
        if isinstance(value, self.maybe):
            return self._optional(self.of(value.held))
        paths, leaves, tree = self._arrays.flatten(value)
        return Form(tree, tuple(map(self._found, leaves)), tuple(paths), type(value).__name__)

    def _found(self, value: object) -> Leaf | Fixed:
        leaf = self._arrays.leaf(value)
        return Fixed(value) if leaf is None else as_leaf(leaf, "leaf")

    def leaves(self, value: object) -> list[Any]:
        """What stands at the ends of a structure; nothing for an `Undefined`."""
        if isinstance(value, self.maybe):
            return [value.flag, *self.leaves(value.held)]
        return [] if type(value) is Undefined else self._arrays.flatten(value)[1]

    def map(self, function: Callable[[Any], Any], value: object) -> Any:
        """Return the structure with what a function makes of its leaves."""
        if type(value) is Undefined:
            return value
        if isinstance(value, self.maybe):
            flag = function(value.flag)
            return self.maybe(self.map(function, value.held), value.name, flag)
        _, leaves, tree = self._arrays.flatten(value)
        return self._arrays.unflatten(tree, [function(leaf) for leaf in leaves])

    def ready_to_change(self, form: Form) -> Form:
        """Return the form with arrays for numbers, which are in a loop because they change."""
        return replace(form, leaves=tuple(map(self._as_leaf, form.leaves)))

    def _as_leaf(self, leaf: Leaf | Fixed) -> Leaf | Fixed:
        if isinstance(leaf, Fixed) and type(leaf.value) in NUMBERS:
            return as_leaf(self._arrays.number(leaf.value), "number")
        return leaf

    def with_fixed(self, form: Form, value: object, known: list[Any]) -> Form:
        """The form of a value, in which an array stays that is the one known at its place."""
        leaves = self.leaves(value)
        if form.optional or len(leaves) != len(known):
            return form
        each = zip(form.leaves, leaves, known, strict=True)
        fixed = (Fixed(a) if a is b and self.is_array(a) else leaf for leaf, a, b in each)
        return replace(form, leaves=tuple(fixed))

    def is_array(self, value: object) -> bool:
        """Return whether a value is an array of the library."""
        return self._arrays.leaf(value) is not None

    def _without_fixed(self, form: Form) -> Form:
        return replace(form, leaves=tuple(map(self._free, form.leaves)))

    def _free(self, leaf: Leaf | Fixed) -> Leaf | Fixed:
        return leaf if isinstance(leaf, Leaf) else self._arrays.leaf(leaf.value) or leaf

    def join(self, name: str, a: Form, b: Form) -> Form:
        """Return the most exact form that covers both. Raises Mismatch if there is none."""
        if a == b:
            return a
        if a.defined is False:
            return replace(b, defined=None)
        if b.defined is False:
            return replace(a, defined=None)
        if a.optional or b.optional or (may_be_none(name) and a.is_none != b.is_none):
            return self._join_optional(name, a, b)
        if a.tree != b.tree:
            a, b = self._without_fixed(a), self._without_fixed(b)
            because = ""
            if a.described() == b.described():
                because = ", and their structures differ"
            raise Mismatch(subject(name), a.described(), b.described(), because)
        leaves = tuple(
            self._joined(name + path, x, y)
            for path, x, y in zip(a.paths, a.leaves, b.leaves, strict=True)
        )
        defined = None if None in (a.defined, b.defined) else True
        return replace(a, leaves=leaves, defined=defined)

    def _joined(self, path: str, a: Leaf | Fixed, b: Leaf | Fixed) -> Leaf | Fixed:
        if a == b:
            return a
        a, b = self._free(a), self._free(b)
        left, right = self._as_leaf(a), self._as_leaf(b)
        if isinstance(left, Fixed) or isinstance(right, Fixed):
            kind = _class_of_both(left, right)
            raise Mismatch(subject(path), str(a), str(b), "", kind, self._registered)
        if left.shape != right.shape:
            raise Mismatch(subject(path), str(a), str(b), ": their shapes differ")
        joined = self._arrays.join(left, right)
        if joined is None:
            places = left.place, right.place
            because = f": they are on {places[0]} and {places[1]}" if None not in places else ""
            raise Mismatch(subject(path), str(a), str(b), because)
        return as_leaf(joined, "join")

    def _join_optional(self, name: str, a: Form, b: Form) -> Form:
        values = [form for form in (a, b) if not form.is_none]
        inside = [form.inside() if form.optional else form for form in values]
        joined = self.join(name, *inside) if len(inside) == 2 else inside[0]
        defined = None if None in (a.defined, b.defined) else True
        return replace(self._optional(joined), defined=defined)

    def _optional(self, form: Form) -> Form:
        flag = self._arrays.number(True)
        leaves, paths = (flag, *form.leaves), (" is not None", *form.paths)
        return replace(form, leaves=leaves, paths=paths, defined=True, optional=True)

    def _parts(self, value: Any) -> tuple[Any, Any]:
        """Return whether an optional value is not None, and the value."""
        if value is None:
            return False, Undefined("")
        return (value.flag, value.held) if isinstance(value, self.maybe) else (True, value)

    def placeholder(self, leaf: Leaf) -> Any:
        """Return an array of that leaf, the elements of which do not matter."""
        return self._arrays.placeholder(leaf)

    def arrays_of(self, form: Form, value: object) -> list[Any]:
        """Return the arrays that represent a value, which the form covers."""
        if type(value) is Undefined:
            return [self._arrays.placeholder(leaf) for leaf in form.arrays]
        if form.optional:
            flag, held = self._parts(value)
            flags = [self._arrays.cast(flag, leaf) for leaf in form.arrays[:1]]
            return [*flags, *self.arrays_of(form.inside(), held)]
        originals = self.originals_of(form, value)
        return list(map(self._arrays.cast, originals, form.arrays))

    def originals_of(self, form: Form, value: object) -> list[Any]:
        """What in a value becomes an array; for an `Undefined` nothing but None."""
        if type(value) is Undefined:
            return [None] * len(form.arrays)
        if form.optional:
            return [None, *self.originals_of(form.inside(), self._parts(value)[1])]
        pairs = zip(self.leaves(value), form.leaves, strict=True)
        return [original for original, leaf in pairs if isinstance(leaf, Leaf)]

    def value_from(self, form: Form, arrays: Iterator[Any]) -> Any:
        """Return the value of a form that these arrays represent."""
        if form.optional:
            flag, inside = next(arrays), form.inside()
            return self.maybe(self.value_from(inside, arrays), "", flag)
        leaves = [leaf.value if isinstance(leaf, Fixed) else next(arrays) for leaf in form.leaves]
        return self._arrays.unflatten(form.tree, leaves)


def _class_of_both(a: Leaf | Fixed, b: Leaf | Fixed) -> str:
    kinds = {type(each.value if isinstance(each, Fixed) else each) for each in (a, b)}
    kind = kinds.pop()
    known = not kinds and (is_plain_object(kind) or is_structure(kind))
    return kind.__name__ if known else ""


class FromNone(OptionalName):
    """The name of a variable that is None before a loop, which may assign a value.

    >>> FromNone("best")
    'best'
    """

    __slots__ = ()


def may_be_none(name: str) -> bool:
    """Return whether the program can hold None there: tested variables, attributes and items."""
    is_place = isinstance(name, ProgramName) and ("." in name or "[" in name)
    return is_place or isinstance(name, OptionalName)


def subject(path: str) -> str:
    """What a sentence calls a variable, a part of one, or what a branch returns."""
    if path.startswith(RETURN_VALUE):
        return f"the {path}"
    return path if path.startswith("the ") else f"`{path}`"
