"""Symbolic tensors: the tensors of a graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from autograph.boundary import public_error
from runtime.core import dtypes
from runtime.core.errors import (
    OUT_OF_SCOPE,
    InaccessibleTensorError,
    NoArrayInGraphError,
    OperatorNotAllowedInGraphError,
    StagingError,
)
from runtime.core.places import called, user_name
from runtime.core.shapes import as_dims
from runtime.core.spec import Mixed, TensorSpec, Weak
from runtime.core.tensor import Operator, Tensor
from runtime.core.thread import STATE, session_for

if TYPE_CHECKING:
    from runtime.core.graph import Graph
    from runtime.core.operation import Operation


class SymbolicTensor(Tensor):
    """A tensor that gets its value when its graph runs.

    >>> import runtime as tf
    >>> @tf.function
    ... def double(x):
    ...     print(x + x)
    ...     return x + x
    >>> _ = double(tf.constant([1.0, 2.0]))
    Tensor("add:0", shape=(2,), dtype=float32)
    """

    __slots__ = ("_known", "op", "value_index", "weak")

    strict = False
    """Whether an error of its operation is one of the program, also where nothing reads it."""

    text_method: Operator
    """Return a method of the Python string that the tensor represents; None if it has no
    operation.
    """

    def __init__(self, op: Operation, value_index: int, spec: TensorSpec, weak: Weak) -> None:
        """Create output number `value_index` of an operation.

        A `weak` tensor represents a Python number: its dtype yields to that of other operands.
        """
        self.op = op
        self.value_index = value_index
        self._known = spec
        self.weak = weak

    @property
    def spec(self) -> TensorSpec:
        """Dtype and shape."""
        return self._known

    def __autograph_type__(self) -> type:
        """Return the type of the Python number or string that the tensor may represent, if any."""
        return type(self) if self.weak is False else _PYTHON_TYPES[self.dtype.kind]

    @property
    def __autograph_other_type__(self) -> type:
        """The type on other ways to here than those of `__autograph_type__`, if they differ."""
        is_mixed = isinstance(self.weak, Mixed) and self.dtype.is_floating
        return int if is_mixed else self.__autograph_type__()

    def __autograph_check_type__(self) -> None:
        """Raise StagingError if only some ways to here give a Python number, or an int."""
        if self.weak is True or self.weak is False:
            return
        if isinstance(self.weak, Mixed) and self.dtype.is_floating:
            raise int_or_float(called(self, "the value"), "type")
        if self.weak:
            return
        name, kind = user_name(self) or "the value", self.__autograph_type__().__name__
        raise StagingError(
            f"`{name}` is a tensor or Python's {kind}, as a staged statement decides, so its "
            "type is known only when the graph runs.",
            remedy=f"Give `{name}` a tensor on every way, for instance "
            f"runtime.constant(0, runtime.{self.dtype.name}), or a number on every way.",
        )

    @property
    def graph(self) -> Graph:
        """The graph that the tensor belongs to."""
        return self.op.graph

    @property
    def name(self) -> str:
        """The name of the operation, a colon, and the number of the output."""
        return f"{self.op.name}:{self.value_index}"

    @property
    def device(self) -> str:
        """The requested device, or an empty string."""
        return self.op.device

    @property
    def ndim(self) -> int | None:
        """The rank, or None if it is unknown."""
        return self.shape.rank

    def consumers(self) -> list[Operation]:
        """Return the operations of the graph that read the tensor."""
        return [op for op in self.graph.operations if any(read is self for read in op.inputs)]

    def eval(self, feed_dict: Mapping[Any, Any] | None = None, session: object = None) -> Any:
        """Evaluate the tensor in a Session.

        Args:
          feed_dict: values of placeholders and other tensors.
          session: the Session; None: the default one.

        Returns: A NumPy array or scalar.
        Raises: ValueError if there is no Session.
        """
        text = "evaluate tensor using `eval()`"
        return session_for(session, text, "eval").run(self, feed_dict)

    def set_shape(self, shape: object) -> None:
        """Refine the static shape. Raises ValueError if it contradicts the known shape."""
        merged = self.shape.merge_with(shape)
        self._known = self.spec.with_dims(as_dims(merged))

    def _refuse(
        self,
        wanted: str,
        remedy: str,
        words: str = "",
        public: type[Exception] = OperatorNotAllowedInGraphError,
    ) -> NoReturn:
        if STATE.graph is None:
            raise self.left_over()
        error = StagingError(
            f"{words}{self._subject()}: it gets its value when the graph runs, and {wanted} asks "
            "for it while the graph is being recorded.",
            public=public,
            remedy=remedy,
        )
        raise for_the_graph(STATE.graph, error)

    def _subject(self) -> str:
        return f"{called(self, 'the operand')} is a symbolic tensor ({self.name}, {self.spec})"

    def left_over(self) -> InaccessibleTensorError:
        """Return the error for a tensor that is used after its graph was recorded."""
        made = f"\n  made at {self.op.place}" if self.op.place else ""
        return InaccessibleTensorError(
            f"{self._subject()} of the graph `{self.graph.name}`, which was stored somewhere while "
            f"the graph was recorded; it has no value outside: it {OUT_OF_SCOPE}.{made}\nReturn "
            "it from the function, or keep it in a runtime.Variable."
        )

    def __hash__(self) -> int:
        """Hash by identity in a graph built by hand, where tensors are keys of feeds.

        Raises in a function graph, past handlers of TypeError: a number of Python has a hash.
        """
        if not self.op.graph.building_function:
            return id(self)
        try:
            return super().__hash__()
        except TypeError as error:
            raise StagingError(str(error), public=TypeError) from None

    def __bool__(self) -> bool:
        """Raise: the value is known only when the graph runs."""
        self._refuse(
            "Python's `bool()` (an `if`, `while`, `and`, `or` or `not`)",
            "Write it in code that is converted (the function given to runtime.function, or one "
            "it calls, not excluded with do_not_convert), or use runtime.cond or runtime.where.",
            "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed: ",
        )

    def __iter__(self) -> Iterator[Any]:
        """Return the rows if the first dimension is known; raise otherwise.

        A comprehension over a tensor comes here: it is unrolled.
        """
        dims = self.spec.dims
        if dims and dims[0] is not None:
            return (self[row] for row in range(dims[0]))
        self._refuse(
            "iterating over it in Python",
            "Write a `for` statement in code that is converted, and append to a list there.",
            "Iterating over a symbolic `tf.Tensor` is not allowed: ",
        )

    def __int__(self) -> int:
        """Raise: the value is known only when the graph runs."""
        self._refuse("Python's `int()`", "Use runtime.cast(x, runtime.int32).")

    def __float__(self) -> float:
        """Raise: the value is known only when the graph runs."""
        self._refuse("Python's `float()`", "Use runtime.cast(x, runtime.float32).")

    def __complex__(self) -> complex:
        """Raise: the value is known only when the graph runs."""
        self._refuse("Python's `complex()`", "Use runtime.cast(x, runtime.complex128).")

    def __index__(self) -> int:
        """Raise: the value is known only when the graph runs."""
        self._refuse(
            "using it as a Python integer (an index of a list, `range()`, a shape)",
            "Use the operations of the runtime in its place (runtime.gather, runtime.range), or "
            "pass a Python integer.",
        )

    def __len__(self) -> int:
        """Return the first dimension if it is known; raise otherwise."""
        dims = self.spec.dims
        if dims is not None and not dims:
            raise TypeError("a scalar tensor has no len()")
        if dims is not None and dims[0] is not None:
            return dims[0]
        self._refuse(
            "Python's `len()`",
            "Use runtime.shape(x)[0].",
            f"len is not well defined for a symbolic Tensor ({self.name}): ",
        )

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Any:
        """Raise: NumPy cannot compute with a symbolic tensor."""
        self._refuse(
            "NumPy",
            "Use the operation of the runtime that does the same, or decorate the "
            "function with `function(numpy=True)`.",
            f"Cannot convert a symbolic tf.Tensor ({self.name}) to a numpy array: ",
            NoArrayInGraphError,
        )

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Raise: the value is known only when the graph runs."""
        self._refuse("pickling it", "Return it from the function, and pickle the result.")

    def __contains__(self, item: object) -> bool:
        """Raise: the value is known only when the graph runs."""
        remedy = "Use runtime.reduce_any(x == item)."
        if self.spec.dtype is dtypes.string:
            remedy = "In converted code, give the text a name: `part in x`."
        self._refuse("Python's `in`", remedy)

    def __getattr__(self, name: str) -> Any:
        """Raise AttributeError; programs use `hasattr(x, "numpy")` to test for a value."""
        text = f"'{type(self).__name__}' object has no attribute {name!r}"
        if name in SymbolicTensor.__slots__:
            raise AttributeError(text)
        if self.weak and self.spec.dtype is dtypes.string and hasattr(str, name):
            return self._method_of_text(name)
        if name in ("assign", "assign_add", "assign_sub"):
            raise AttributeError(
                f"{text}: {self._subject()}, a value, as is one of several variables that a tensor "
                "chooses. Assign to a variable itself: `for k in range(n):` with `if i == k: "
                f"variables[k].{name}(...)` in it assigns to the one at `i`."
            )
        if name != "numpy":
            raise AttributeError(text)
        if STATE.graph is None:
            raise AttributeError(f"{text}: {self.left_over()}")
        raise AttributeError(
            f"{text}: {self._subject()}, which gets its value when the graph runs. Return the "
            "tensor, and call .numpy() on the result."
        )

    def _method_of_text(self, name: str) -> Any:
        method = self.text_method(name)
        if method is None:
            self._refuse(f"`str.{name}`", "Use the operations of runtime.strings.")
        return method

    def __format__(self, spec: str) -> str:
        """Return `str(self)`; a format specification cannot apply before the graph runs."""
        return str(self)

    def __str__(self) -> str:
        STATE.texts_shown += 1
        dims = "" if self.shape.rank is None else f", shape={self.shape}"
        return f'Tensor("{self.name}"{dims}, dtype={self.dtype.name})'

    def __repr__(self) -> str:
        STATE.texts_shown += 1
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"


_PYTHON_TYPES = {"b": bool, "i": int, "u": int, "f": float, "c": complex, "O": str}
"""Types of Python's values, by the kind of the dtype that represents them."""


def int_or_float(subject: str, what: str) -> StagingError:
    """Return the error for the text or type of a number that is an int on some ways to here."""
    return StagingError(
        f"{subject} is an int or a float, as a staged statement decides, so its {what} is known "
        "only when the graph runs.",
        remedy="Make it a float on every way, for instance by 0.0 in place of 0 or float(x) in "
        "place of x, or an int on every way.",
        public=TypeError,
    )


def for_the_graph(graph: Graph, error: StagingError) -> BaseException:
    """Return the staging error, or its public class for a graph built by hand, which has no
    trace.
    """
    return error if graph.building_function else public_error(error)


# Python's own messages, such as "'Tensor' object is not callable", show the class name.
SymbolicTensor.__name__ = SymbolicTensor.__qualname__ = "Tensor"


def is_symbolic_tensor(tensor: object) -> bool:
    """Return whether a value is a symbolic tensor.

    Args:
      tensor: any value.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     is_symbolic_tensor(tf.constant(1))
    True
    >>> is_symbolic_tensor(tf.constant(1))
    False
    """
    return isinstance(tensor, SymbolicTensor)
