"""What the runtime knows of an op type, and the registry of all of them."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.spec import TensorSpec

Kernel = Callable[..., Any]
Infer = Callable[..., TensorSpec | tuple[TensorSpec, ...]]
Grad = Callable[..., Sequence[Any]]
Backward = Callable[[Any, Sequence[Any], Sequence[bool]], Sequence[Any]]


def NOT_DIFFERENTIABLE(g: Any, y: Any, *inputs: Any, **attrs: Any) -> tuple[None, ...]:
    """The gradient rule of an op through which no gradient flows."""
    return (None,) * len(inputs)


def PASSED_ON(g: Any, y: Any, *inputs: Any, **attrs: Any) -> tuple[Any, ...]:
    """The gradient rule of an op that gives its first input as it is: so it does its gradient."""
    return (g, *(None for _ in inputs[1:]))


class Effect(enum.Enum):
    """How an op takes part in what a program does besides computing its result."""

    NONE = "none"
    READ = "read"
    WRITE = "write"


class Failure(enum.Enum):
    """What can make an op fail when a graph runs; dtypes are checked while it is recorded.

    Passes move and remove operations that cannot fail.
    """

    NEVER = "never"
    SHAPES = "shapes"
    """Only shapes that do not fit: it cannot fail if all shapes are static."""
    VALUES = "values"
    """Values of inputs too: an index out of range, a division by zero."""


class Storage(enum.Enum):
    """How the memory of an output relates to that of the inputs."""

    NEW = "new"
    """The outputs are new arrays, and the op does not retain its inputs."""
    REDUCED = "reduced"
    """`NEW` if the output has fewer elements than the input."""
    VIEW = "view"
    """The output may share memory with the first input; the op does not retain the others."""
    IN_PLACE = "in place"
    """The op changes the array that its first input, a resource, holds."""
    ANY = "any"


class Control(enum.Enum):
    """How an op runs the graphs among its attributes."""

    IF = "if"
    """`then_branch` or `else_branch`, with all inputs but the first."""
    CASE = "case"
    """One of all graphs, with all inputs but the first."""
    WHILE = "while"
    """`body` as long as `cond` holds; both take all inputs, `count` of which the loop carries."""
    CALL = "call"
    """`f`, with all inputs."""
    RECURSION = "recursion"
    """`f`, with all inputs; the graphs contain operations that call them again."""
    RECUR = "recur"
    """A graph of the `RECURSION` around it."""


class Overflow(enum.Enum):
    """What happens to a result on Python ints that the dtype cannot represent."""

    WRAPS = "wraps"
    RAISES = "raises"
    NEVER = "never"
    """There are no such results."""
    UNLIKE = "unlike"
    """The kernel differs from Python's operator in more: on ints only the kernel is right."""


@dataclass(frozen=True)
class PythonOperator:
    """The computation of an op on Python numbers.

    Attributes:
      text: the expression; `{}` stands for an operand.
      apply: the function.
      overflow: how the kernel treats ints that the operator takes out of the range of the dtype.
      vector: whether the kernel rounds arrays and scalars alike.

    >>> import operator
    >>> PythonOperator("{} + {}", operator.add).text.format("x", 1)
    'x + 1'
    """

    text: str
    apply: Callable[..., Any]
    overflow: Overflow = Overflow.WRAPS
    vector: bool = True

    @property
    def infix(self) -> bool:
        """True for an operator between two operands that NumPy's arrays have too."""
        return re.fullmatch(r"\{\} [^\w{}]+ \{\}", self.text) is not None


class DTypes:
    """The dtypes that an input may have.

    Inputs of one op that name the same group have one dtype, unless the group is `mixed`.
    """

    def __init__(
        self, name: str, *members: DType, mixed: bool = False, exact: bool = False
    ) -> None:
        """Names the group for messages."""
        self.name = name
        self.members = frozenset(members)
        self.mixed = mixed
        self.exact = exact

    def __contains__(self, dtype: DType) -> bool:
        """Whether the dtype belongs to the group."""
        return dtype in self.members


_FLOATS = tuple(dtype for dtype in dtypes.ALL if dtype.is_floating)
_INTS = tuple(dtype for dtype in dtypes.ALL if dtype.is_integer)
_COMPLEX = tuple(dtype for dtype in dtypes.ALL if dtype.is_complex)

ANY = DTypes("any dtype", *dtypes.ALL)
NUMERIC = DTypes("a number", *_FLOATS, *_INTS, *_COMPLEX)
NUMERIC_OR_STRING = DTypes("a number or a string", *_FLOATS, *_INTS, *_COMPLEX, dtypes.string)
REAL = DTypes("a real number", *_FLOATS, *_INTS)
REAL_OR_STRING = DTypes("a real number or a string", *_FLOATS, *_INTS, dtypes.string)
FLOATING = DTypes("a floating-point or complex number", *_FLOATS, *_COMPLEX)
FLOAT = DTypes("a floating-point number", *_FLOATS)
INTEGER = DTypes("an integer", *_INTS)
INT32 = DTypes("int32", dtypes.int32)
INDEX = DTypes("int32 or int64", dtypes.int32, dtypes.int64)
BOOL = DTypes("bool", dtypes.bool)
STRING = DTypes("string", dtypes.string)
MIXED = DTypes("any dtype", *dtypes.ALL, mixed=True)
EXACT = DTypes("any dtype", *dtypes.ALL, mixed=True, exact=True)


@dataclass(frozen=True)
class Sample:
    """Arguments with which the tests run an op."""

    args: tuple[Any, ...]
    attrs: Mapping[str, Any] = field(default_factory=dict)


def sample(*args: Any, **attrs: Any) -> Sample:
    """Arguments with which the tests run an op."""
    return Sample(args, attrs)


@dataclass(frozen=True)
class Ufunc:
    """A kernel that is one function of the array namespace, applied element by element.

    Attributes:
      name: the name of the function.
      constants: further operands, in the dtype of the first array.
    """

    name: str
    constants: tuple[int, ...] = ()

    def __call__(self, xp: Any, *arrays: Any) -> Any:
        """Applies it."""
        further = (arrays[0].dtype.type(number) for number in self.constants)
        return getattr(xp, self.name)(*arrays, *further)

    def source(self, operands: Sequence[str], dtype: str, out: str | None = None) -> str:
        """Return the call as Python.

        Args:
          operands: the arrays as expressions.
          dtype: the name of the dtype of the first one.
          out: the array for the result; None: a new one.

        >>> Ufunc("maximum", (0,)).source(["x"], "float32", "y")
        'np.maximum(x, float32(0), out=y)'
        """
        words = [*operands, *(f"{dtype}({number})" for number in self.constants)]
        words += [] if out is None else [f"out={out}"]
        return f"np.{self.name}({', '.join(words)})"


@dataclass(frozen=True, eq=False)
class OpDef:
    """One op type.

    Attributes:
      name: the name that graphs and saved models show.
      inputs: name and dtypes of each input; a name that begins with `*` stands for any number.
      infer: `infer(*inputs, **attrs)` is the spec of the output, or a tuple of specs.
      kernel: `kernel(xp, *arrays, **attrs)` computes the output, or a tuple, with the functions
        of an array namespace. A graph among the attributes arrives as a function on arrays.
      outputs: the number of outputs; None if `infer` decides it (it gives a tuple then).
      effect: whether it touches anything besides its inputs and outputs.
      elementwise: whether each element of the output depends on one element of each input.
      boxed: whether outputs are Python objects for which `infer` gives the spec.
      grad: `grad(g, y, *inputs, **attrs)` gives the gradient of each input, or None where none
        flows; `g` is the gradient of the output `y`, both are tuples unless there is one output.
        It computes with tensors, so that it can be recorded and differentiated again; it need not
        undo broadcasting. `NOT_DIFFERENTIABLE`: no gradient flows, which is meant so. None: there
        is no rule, an error where one is needed; no rule is needed where no output is a floating
        or complex number.
      partial: whether `grad` takes None as the gradient of outputs that nothing depends on; it gets
        zeros otherwise.
      backward: the rule of an op type that carries graphs, in place of `grad`:
        `backward(step, gradients, wanted)` gets the operation itself, the gradient of each output
        or None, and for each input whether its gradient is wanted.
      samples: arguments for the tests.
      commutative: whether the two inputs in the other order give the same result, bit for bit.
      failure: what can make it fail.
      fusable: whether engines may compute it block by block, in a group with others.
      python: the same computation on Python numbers, if there is one.
      storage: how the memory of outputs relates to that of inputs.
      control: how it runs the graphs among its attributes; None if it has none.
      shape_only: whether it depends on the shapes and dtypes of its inputs, not on their values.
      debug: whether it only checks or prints, for the developer; it returns its input, or nothing.
      staged_raise: whether it is an `assert` or `raise` of the program.
    """

    name: str
    inputs: Mapping[str, DTypes]
    infer: Infer
    kernel: Kernel
    outputs: int | None = 1
    effect: Effect = Effect.NONE
    elementwise: bool = False
    boxed: bool = False
    grad: Grad | None = None
    partial: bool = False
    backward: Backward | None = None
    samples: Sequence[Sample] = ()
    commutative: bool = False
    failure: Failure = Failure.VALUES
    fusable: bool = False
    python: PythonOperator | None = None
    storage: Storage = Storage.ANY
    control: Control | None = None
    shape_only: bool = False
    debug: bool = False
    staged_raise: bool = False

    def __repr__(self) -> str:
        """Gives the name."""
        return f"<op {self.name}>"


class Facts(TypedDict, total=False):
    """What passes and engines know of an op type, as keyword arguments; see `OpDef`."""

    commutative: bool
    failure: Failure
    fusable: bool
    python: PythonOperator
    storage: Storage
    control: Control
    shape_only: bool
    debug: bool
    staged_raise: bool


class Options(Facts, total=False):
    """The optional attributes of `OpDef`, as keyword arguments."""

    outputs: int | None
    effect: Effect
    elementwise: bool
    boxed: bool
    grad: Grad | None
    partial: bool
    backward: Backward | None
    samples: Sequence[Sample]


_registry: dict[str, OpDef] = {}


def register(op: OpDef) -> OpDef:
    """Adds an op type. Raises ValueError if the name is taken."""
    if op.name in _registry:
        raise ValueError(f"the op type {op.name} is defined twice")
    _registry[op.name] = op
    return op


def lookup(name: str) -> OpDef:
    """The op type of that name. Raises KeyError if there is none."""
    return _registry[name]


def all_ops() -> tuple[OpDef, ...]:
    """Every op type, in the order of definition."""
    return tuple(_registry.values())
