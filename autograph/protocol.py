"""The protocol that a tensor library implements for its values, and the values it may choose from.

`autograph.staging` has these names, too, and finds the library of a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol


class ProgramName(str):
    """The user's name for a variable, attribute, item or result.

    A library may return an `Alternatives` as its value: the program tests it for None by operators.

    Args:
      object: the name.

    >>> ProgramName("self.best")
    'self.best'
    """

    __slots__ = ()


class OptionalName(ProgramName):
    """The name of a variable that the program tests for None.

    Args:
      object: the name.

    >>> isinstance(OptionalName("best"), ProgramName)
    True
    """

    __slots__ = ()


class Alternatives:
    """A value that is one of several, decided at run time.

    Attributes:
      __autograph_values__: the values.

    >>> class Either(Alternatives):
    ...     def __init__(self, *values):
    ...         self.__autograph_values__ = values
    >>> is_one_of(Either(1, None))
    True
    """

    __slots__ = ()
    __autograph_values__: tuple[Any, ...]

    def __autograph_with__(self, values: Iterable[Any]) -> Any:
        """Return the same choice among other values.

        Args:
          values: the other values, in the order of `__autograph_values__`.
        """
        raise NotImplementedError

    def __autograph_split__(self, function: Callable[[Any], Any]) -> Any:
        """Call a function on each value, each in its own branch, and return the chosen result."""
        raise NotImplementedError

    def __autograph_settled__(self) -> Any:
        """Return the value that is not None; raise at run time if None was chosen."""
        raise NotImplementedError

    def __autograph_refusal__(self, use: str) -> BaseException:
        """Return the error for a use that needs a single type; `use` describes the use."""
        raise NotImplementedError


def is_one_of(value: object) -> bool:
    """Return whether a value is an `Alternatives`.

    Args:
      value: any value.

    >>> is_one_of(None)
    False
    """
    return issubclass(type(value), Alternatives)


class StagingLibrary(Protocol):
    """The methods of a tensor library that converted code calls for its values.

    The functions passed to it take and return plain tuples; the operators read and assign the
    user's variables. A tuple may contain tensors, Python values, None, nested structures, and
    `Undefined` for an unassigned variable. `names` are the user's names of its entries. An entry
    whose name is a `ProgramName` may be None in one branch and a value in the other.

    Attributes:
      name: the name of the library in messages.

    >>> class Library:
    ...     name = "mylib"
    ...     def stages(self, value):
    ...         return True
    >>> class Array:
    ...     __autograph_staging__ = Library()
    >>> from autograph import staging
    >>> staging.library_of(Array()).name
    'mylib'
    """

    name: str

    def stages(self, value: object) -> bool:
        """Return whether control flow on this value must be staged now.

        Args:
          value: an object of a class of the library.
        """

    def cond(
        self,
        test: object,
        if_fn: Callable[[], tuple[Any, ...]],
        else_fn: Callable[[], tuple[Any, ...]],
        names: tuple[str, ...],
    ) -> tuple[Any, ...]:
        """Return the outputs of `if_fn` or `else_fn`, chosen by `test` at run time.

        Args:
          test: a staged value.
          if_fn, else_fn: the branches, which take nothing and return the outputs.
          names: the user's names of the outputs.
        """

    def while_loop(
        self,
        test_fn: Callable[..., Any],
        body_fn: Callable[..., tuple[Any, ...]],
        init: tuple[Any, ...],
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> tuple[Any, ...]:
        """Return the final state of `while test_fn(*state): state = body_fn(*state)`.

        Args:
          test_fn: from the state to a staged or plain truth value.
          body_fn: from the state to the next state.
          init: the state before the loop.
          names: the user's names of the entries of the state.
          options: what the program set by `set_loop_options` for this loop.
        """

    def for_loop(
        self,
        iterable: object,
        body_fn: Callable[..., tuple[Any, ...]],
        extra_test: Callable[..., Any] | None,
        init: tuple[Any, ...],
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> tuple[Any, ...]:
        """Return the final state of `for item in iterable: state = body_fn(item, *state)`.

        The loop ends early if `extra_test(*state)` is false.

        Args:
          iterable: a staged value.
          body_fn: from an item and the state to the next state.
          extra_test: from the state to a truth value; None: the loop does not end early.
          init, names, options: as for `while_loop`.
        """

    def and_(self, a: object, b: Callable[[], Any]) -> Any:
        """Return `a and b()`.

        Args:
          a: a staged value.
          b: computes the second operand.
        """

    def or_(self, a: object, b: Callable[[], Any]) -> Any:
        """Return `a or b()`.

        Args:
          a: a staged value.
          b: computes the second operand.
        """

    def not_(self, a: object) -> Any:
        """Return `not a`.

        Args:
          a: a staged value.
        """

    def contains(self, container: object, item: object) -> Any:
        """Return `item in container`.

        Args:
          container, item: two values, at least one of them staged.
        """

    def assert_(self, test: object, message: Callable[[], Any]) -> None:
        """Check `assert test, message()` at run time.

        Args:
          test: a staged value.
          message: computes the message.
        """

    def raise_when(self, condition: object, error: BaseException) -> None:
        """Raise `error` at run time if `condition` is true.

        Args:
          condition: a staged value.
          error: the exception.
        """

    def text(self, value: object, conversion: str, spec: object) -> Any:
        """Return `format(value, spec)` as a staged string.

        `spec` may be staged. This method and the next two are optional: without them, formatting a
        staged value is an error.

        Args:
          value: a staged value.
          conversion: "", "s" (`str`), "r" (`repr`), "a" (`ascii`), or "%" for `spec % value`.
          spec: the format.
        """

    def join_text(self, parts: Sequence[Any]) -> Any:
        """Return `"".join(parts)` of strings, at least one of them staged.

        Args:
          parts: strings.
        """

    def print_text(self, text: object, stream: str) -> None:
        """Write a string to `sys.stdout` or `sys.stderr` each time this statement runs.

        Args:
          text: the string.
          stream: "stdout" or "stderr".
        """

    def raise_here(self, error: BaseException) -> None:
        """Raise an exception when this statement runs. Optional.

        Args:
          error: the exception.
        """

    def builtin(self, name: str, *args: object, **kwargs: object) -> Any:
        """Return the result of a built-in function; NotImplemented: call Python's own.

        Args:
          name: the name of the function.
          *args, **kwargs: its arguments, at least one of them staged.
        """

    def get_item(self, target: object, index: object) -> Any:
        """Return `target[index]` of a Python object, with a staged value in the index.

        Optional: without this method, such an index is an error.

        Args:
          target: a list, tuple, dict, string, or any other unstaged object.
          index: a staged value, or a slice or tuple that contains one.

        Returns:
          The item; NotImplemented for an object that the library does not support.
        """

    def call_method(self, target: object, name: str, *args: object, **kwargs: object) -> Any:
        """Call a list or dict method on staged arguments. Optional.

        Args:
          target: the list or dict, or a staged value in its place.
          name: one of `autograph.operators.items.METHODS`, or `__delitem__`.
          *args, **kwargs: the arguments.

        Returns:
          The result of the method; NotImplemented: call Python's own.
        """

    def set_item(self, target: object, index: object, value: object) -> Any:
        """Return the value of `target` after `target[index] = value`.

        The target is a staged value. In a library with `get_item` it may also be a Python object
        with a staged value in the index; change it in place and return it, or NotImplemented.

        Args:
          target: the staged value or Python object.
          index: the index.
          value: the value to assign.
        """

    # A library may have a method for what `convert` decorates besides functions:
    #
    # def convert_object(self, entity, decorate: Callable) -> Any:
    #     """Convert the methods of an object or class in place; return it, or NotImplemented."""
    #
    # A library with an attribute `stages_counts` stages loops over a `range` of Python, and `while`
    # loops on Python values, from the first iteration on; they stay Python where it raises.
    #
    # A library may have a method for `value is True`:
    #
    # def represents_bool(self, value) -> bool | None:
    #     """Whether a staged value represents True or False of Python; None: it may."""
    #
    # One for what `__len__` of the program returns:
    #
    # def check_length(self, value) -> None:
    #     """Raise, now or at run time, unless a staged value is an int that is not negative."""
    #
    # And one for `is` between two staged values:
    #
    # def may_be_one(self, left, right) -> bool:
    #     """Whether two staged values are one value, or not, as the running program decides."""
    #
    # A library may have the steps of `cond`, which need less stack; see `steps.py`:
    #
    # def cond_steps(self, test, if_steps, else_steps, names) -> Steps[tuple]:
    #     """As `cond`, of functions that return steps."""
    #
    # A library may replace the functions of the program that its functions are given:
    #
    # def lent(self, function: Callable) -> Callable:
    #     """What its function is given in place of a converted function."""
    #
    # A library that counts the calls of a function inside itself has an attribute
    # `notices_recursion`: statements on its values are nested as deeply as the stack has room.
    # `reports_leaks`: values of a trace that outlive it are errors, so no variable may keep them.
    # `needs_result`: a trace that ends with an error cannot be run for the checks before it.
    #
    # A library may have a method that Python loops are rolled by, see `operators/rolling.py`:
    #
    # def roll_for(self, items: range, body_fn, extra_test, before, init, names, numbers) -> tuple:
    #     """As `for_loop`, for entries that were `before` one iteration ago.
    #
    #     Args:
    #       numbers: for positions of Python numbers that the loop changes, what Python has there
    #         before each iteration and after the last. The body is given staged numbers.
    #
    #     Raises: CannotRoll unless the result is, bit for bit, that of the unrolled loop: no entry
    #       changes its type, nor its value if that is no tensor; and what the body computes from
    #       the item and the numbers alone is what Python computes, the next numbers included.
    #     """
    #
    # one for the leaves of the structures that users register with the library:
    #
    # def leaves(self, values: Sequence) -> list:
    #     """Return the leaves of the values."""
    #
    # one for calls of functions of the program, which may be recursive:
    #
    # def called(self, function, target) -> Callable:
    #     """Return what to call in place of the replacement `target` of a function."""
    #
    # one for loops that a number of Python's leaves by `break` or `return`:
    #
    # def steady(self, items: range, body_fn, init, names, numbers, flags) -> int:
    #     """The number of iterations before the one that sets one of the truth values `flags`.
    #
    #     Args:
    #       flags: the positions of truth values of Python's, which are false.
    #
    #     Raises: CannotRoll unless they follow from the item and the numbers alone.
    #     """
    #
    # and one for loops over other items than those of a range:
    #
    # def numbered(self, items: Sequence) -> Callable | None:
    #     """From a staged position to the item there, for items of one class; None: cannot."""
