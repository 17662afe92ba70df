"""The variables of one staged statement as arrays: which they are, and how to get them back.

A *layout* says for each variable what form covers all its values, and when it has one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, TypeVar

from autograph.adapters.failures import FAILURE
from autograph.adapters.forms import NUMBERS, Fixed, Form, Forms, FromNone, Leaf, Mismatch
from autograph.adapters.possibly import (
    Claim,
    Guard,
    Maybe,
    Possibly,
    claims_about,
    has_value,
    outcomes,
)
from autograph.adapters.refusals import branches_differ, iterations_differ, never_settles
from autograph.operators.variables import Undefined
from autograph.staging import CannotRoll

_ROUNDS = 8
"""How often the body of a loop is run before its types are said to change for ever."""

COUNTER = "the number of the iteration"
"""What errors call the variable that counts."""

Values = tuple[Any, ...]


@dataclass(frozen=True)
class Kept:
    """A variable that both branches leave as it is; no array represents it."""

    value: Any


@dataclass(frozen=True)
class Layout:
    """What represents the variables.

    Attributes:
      forms: of the library.
      names: the user's names.
      entries: the form of each variable.
      claims: which flags among the variables say that another has a value.
      guards: for each variable the tests outside that say so.
    """

    forms: Forms
    names: tuple[str, ...]
    entries: tuple[Form | Kept, ...]
    claims: frozenset[Claim] = frozenset()
    guards: tuple[tuple[Guard, ...], ...] = ()

    def leaves(self) -> list[Leaf]:
        """What the arrays are."""
        return [leaf for form in self.entries if isinstance(form, Form) for leaf in form.arrays]

    def flat(self, values: Values) -> list[Any]:
        """Return the arrays for these values."""
        return [
            array
            for form, value in zip(self.entries, values, strict=True)
            if isinstance(form, Form)
            for array in self.forms.arrays_of(form, _held(value))
        ]

    def originals(self, values: Values) -> list[Any]:
        """What among these values becomes an array; None where a variable has no value."""
        return [
            original
            for form, value in zip(self.entries, values, strict=True)
            if isinstance(form, Form)
            for original in self.forms.originals_of(form, _held(value))
        ]

    def position(self, variable: int) -> int:
        """Return the position of the first array of a variable."""
        forms = (form for form in self.entries[:variable] if isinstance(form, Form))
        return sum(len(form.arrays) for form in forms)

    def paths(self) -> list[str]:
        """What the user calls each of the arrays."""
        return [
            name + path
            for form, name in zip(self.entries, self.names, strict=True)
            if isinstance(form, Form)
            for leaf, path in zip(form.leaves, form.paths, strict=True)
            if isinstance(leaf, Leaf)
        ]

    def values(self, arrays: Iterable[Any]) -> Values:
        """Return the values that these arrays represent."""
        source = iter(arrays)
        values = [
            form.value if isinstance(form, Kept) else self._value(form, name, source)
            for form, name in zip(self.entries, self.names, strict=True)
        ]
        for position in self._uncertain():
            guards = self._guards(position, values)
            if guards or type(values[position]) is not Undefined:
                name = self.names[position]
                values[position] = self.forms.possibly(values[position], name, guards)
        return tuple(values)

    def _uncertain(self) -> list[int]:
        return [
            position
            for position, form in enumerate(self.entries)
            if isinstance(form, Form) and not form.defined
        ]

    def described(self) -> str:
        """Return the variables and their forms in words."""
        return ", ".join(
            f"`{name}` ({form.described()})"
            for name, form in zip(self.names, self.entries, strict=True)
            if isinstance(form, Form)
        )

    def _value(self, form: Form, name: str, source: Any) -> Any:
        if form.defined is False:
            return Undefined(name)
        value = self.forms.value_from(form, source)
        if isinstance(value, Maybe):
            value.name = name
        return value

    def _guards(self, position: int, values: list[Any]) -> tuple[Guard, ...]:
        inside = [
            Guard(values[claim.flag], claim.outcome)
            for claim in self.claims
            if claim.variable == position
        ]
        return (*inside, *(self.guards[position] if self.guards else ()))

    def _claims(self) -> list[Claim]:
        return claims_about(self._uncertain(), self.flags())

    def flags(self) -> list[int]:
        """Return the positions of the variables that are bool scalars."""
        return [
            position
            for position, form in enumerate(self.entries)
            if isinstance(form, Form) and form.defined and _is_flag(form.leaves)
        ]


def _is_flag(leaves: tuple[Leaf | Fixed, ...]) -> bool:
    if len(leaves) != 1 or not isinstance(leaves[0], Leaf):
        return False
    return leaves[0].shape == () and str(leaves[0].dtype).endswith("bool")


def _held(value: object) -> Any:
    return value.held if isinstance(value, Possibly) else value


def leaves_of(forms: Forms, values: Values) -> list[Any]:
    """Return the leaves of the values of variables; a variable without a value has none."""
    return [leaf for value in values for leaf in forms.leaves(_held(value))]


def with_arrays(forms: Forms, value: object, arrays: Iterator[Any]) -> Any:
    """Return the value of a variable with other arrays."""
    if isinstance(value, Possibly):
        return type(value)(with_arrays(forms, value.held, arrays), value.name, value.guards)
    return forms.map(lambda leaf: next(arrays) if forms.is_array(leaf) else leaf, value)


def _form(forms: Forms, value: object) -> Form:
    if isinstance(value, Possibly) and type(value.held) is not Undefined:
        return replace(forms.of(value.held), defined=None)
    return forms.of(_held(value))


def once_run(layout: Layout, after: Values) -> Layout:
    """Return the layout after a loop that surely ran: what an iteration assigns has a value."""
    entries = tuple(
        replace(form, defined=True)
        if isinstance(form, Form) and form.defined is None and _is_there(value)
        else form
        for form, value in zip(layout.entries, after, strict=True)
    )
    return replace(layout, entries=entries)


def flags_of(state: Values, test: object, outcome: bool) -> list[tuple[int, bool]]:
    """Return the flags of a state, with their values, that the outcome of a loop's test tells."""
    known = outcomes(test, outcome)
    return [
        (position, guard.outcome)
        for position, value in enumerate(state)
        for guard in known
        if guard.test is value
    ]


def once_ended(layout: Layout, flags: Sequence[tuple[int, bool]]) -> Layout:
    """Return the layout after a loop that ended with these flags; see `flags_of`."""
    there = {claim.variable for claim in layout.claims if (claim.flag, claim.outcome) in flags}
    entries = tuple(
        replace(form, defined=True) if position in there and isinstance(form, Form) else form
        for position, form in enumerate(layout.entries)
    )
    return replace(layout, entries=entries)


# ---- branches ----


def of_branches(
    forms: Forms, names: tuple[str, ...], test: object, if_values: Values, else_values: Values
) -> Layout:
    """Return the layout that covers what both branches leave.

    Raises: StagingError that names the variable for which there is none.
    """
    pairs = list(zip(if_values, else_values, strict=True))
    entries = tuple(_joined(forms, name, *pair) for name, pair in zip(names, pairs, strict=True))
    guards = tuple(_guards_outside(test, *pair) for pair in pairs)
    layout = Layout(forms, names, entries, frozenset(), guards)
    told = (
        _with_outcomes(if_values, outcomes(test, True)),
        _with_outcomes(else_values, outcomes(test, False)),
    )
    claims = frozenset(
        claim for claim in layout._claims() if all(has_value(values, claim) for values in told)
    )
    return replace(layout, claims=claims)


def _with_outcomes(values: Values, known: Sequence[Guard]) -> Values:
    """Return the values of a branch, of which the tests that lead to it have an outcome."""
    told = {id(guard.test): guard.outcome for guard in known}
    return tuple(told.get(id(value), value) for value in values)


def _joined(forms: Forms, name: str, if_value: object, else_value: object) -> Form | Kept:
    if if_value is else_value:
        return Kept(if_value)
    try:
        return forms.join(
            name, _beside(forms, if_value, else_value), _beside(forms, else_value, if_value)
        )
    except Mismatch as mismatch:
        raise branches_differ(mismatch) from None


def _beside(forms: Forms, value: object, other: object) -> Form:
    """Return the form of a value; an array that is at the same place in the other one stays."""
    return forms.with_fixed(_form(forms, value), _held(value), forms.leaves(_held(other)))


def _guards_outside(test: object, if_value: object, else_value: object) -> tuple[Guard, ...]:
    """Return the tests from outside that say whether a variable has a value."""
    guards = []
    if _is_there(if_value):
        guards.append(Guard(test, True))
    if _is_there(else_value):
        guards.append(Guard(test, False))
    known = [guard for value in (if_value, else_value) for guard in _guards_of(value)]
    for guard in known:
        if all(_is_there(value) or _says(value, guard) for value in (if_value, else_value)):
            guards.append(guard)
    return tuple(guards)


def _says(value: object, wanted: Guard) -> bool:
    return any(guard.says(wanted) for guard in _guards_of(value))


def _is_there(value: object) -> bool:
    return type(value) is not Undefined and not isinstance(value, Possibly)


def _guards_of(value: object) -> tuple[Guard, ...]:
    return value.guards if isinstance(value, Possibly) else ()


# ---- loops ----


class Iteration(Protocol):
    """One run of the body of a loop, with the state that it left."""

    values: Values


_Run = TypeVar("_Run", bound=Iteration)


def of_loop(
    forms: Forms,
    names: tuple[str, ...],
    init: Values,
    may_stay: Callable[[Any], bool],
    iterate: Callable[[Layout], _Run],
) -> tuple[Layout, _Run]:
    """Return the layout that covers the state after any number of iterations, and the last one run.

    Args:
      forms: of the library.
      names, init: the state.
      may_stay: whether an array is no part of the state as long as iterations leave it.
      iterate: runs the body on a state of this layout.

    Raises: Unsettled, naming the variable for which there is none.
    """
    entries = tuple(_ready(forms, value, may_stay) for value in init)
    layout = _with_claims(Layout(forms, names, entries), init)
    for _ in range(_ROUNDS):
        run = iterate(layout)
        before, layout = layout, _after_iteration(layout, init, run.values)
        if layout == before:
            return layout, run
    raise never_settles(layout.described())


def of_rolled_loop(
    forms: Forms,
    names: tuple[str, ...],
    init: Values,
    may_stay: Callable[[Any], bool],
    iterate: Callable[[Layout], _Run],
) -> tuple[Layout, _Run]:
    """As `of_loop`, for a loop of Python's: no iteration changes the form of any variable.

    Args:
      forms, names, init, may_stay, iterate: as in `of_loop`.

    Raises: CannotRoll if one does.
    """
    entries = [_form(forms, value) for value in init]
    if any(map(_is_mixed, entries)):
        raise CannotRoll
    for position in _added(names):
        entries[position] = forms.ready_to_change(entries[position])
    starts = map(partial(_with_staying, forms, may_stay), entries, init)
    layout = _with_claims(Layout(forms, names, tuple(starts)), init)
    for _ in range(_ROUNDS):
        run = iterate(layout)
        after = [_form(forms, value) for value in run.values]
        for position in _added(names):
            after[position] = entries[position]
        if after != entries:
            raise CannotRoll
        earlier, layout = layout, _after_iteration(layout, init, run.values)
        if layout == earlier:
            return layout, run
    raise CannotRoll


def _added(names: tuple[str, ...]) -> list[int]:
    """Return the positions of what a loop carries besides the user's variables."""
    return [position for position, name in enumerate(names) if name in (COUNTER, FAILURE)]


def _is_mixed(form: Form) -> bool:
    """Return whether there are arrays in it and numbers of Python's, which would become arrays."""
    numbers = (isinstance(leaf, Fixed) and type(leaf.value) in NUMBERS for leaf in form.leaves)
    return bool(form.arrays) and any(numbers)


def _ready(forms: Forms, value: object, may_stay: Callable[[Any], bool]) -> Form:
    form = _form(forms, value)
    if form.defined is False:
        return form
    return _with_staying(forms, may_stay, forms.ready_to_change(form), value)


def _with_staying(forms: Forms, may_stay: Callable[[Any], bool], form: Form, value: object) -> Form:
    """Return the form of a value in which arrays are fixed, as long as iterations leave them."""
    staying = [leaf if may_stay(leaf) else None for leaf in forms.leaves(_held(value))]
    return forms.with_fixed(form, _held(value), staying)


def _with_claims(layout: Layout, init: Values) -> Layout:
    claims = frozenset(claim for claim in layout._claims() if has_value(init, claim))
    return replace(layout, claims=claims)


def _after_iteration(layout: Layout, init: Values, after: Values) -> Layout:
    """Return the layout that covers what an iteration leaves too; the same if it did already.

    Raises: Unsettled, naming the variable for which there is none.
    """
    entries = tuple(
        _settled(layout.forms, name, form, value)
        for name, form, value in zip(layout.names, layout.entries, after, strict=True)
    )
    if entries != layout.entries:
        # The values after this iteration were guarded by the flags of the earlier layout.
        return _with_claims(replace(layout, entries=entries), init)
    claims = frozenset(claim for claim in layout.claims if has_value(after, claim))
    return replace(layout, claims=claims)


def _settled(forms: Forms, name: str, before: Form | Kept, value: object) -> Form:
    assert isinstance(before, Form)
    known = [leaf.value if isinstance(leaf, Fixed) else None for leaf in before.leaves]
    after = forms.with_fixed(_form(forms, value), _held(value), known)
    try:
        # Where the first iteration can run before the loop, it may assign the value.
        return forms.join(name if isinstance(name, FromNone) else str(name), before, after)
    except Mismatch as mismatch:
        raise iterations_differ(mismatch) from None
