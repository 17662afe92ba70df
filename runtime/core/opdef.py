"""Op definitions: the facts about each op type, and their registry."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypedDict

from runtime.core import dtypes
from runtime.core.aliases import Array
from runtime.core.dtypes import DType
from runtime.core.node_form import NodeForm
from runtime.core.spec import TensorSpec

Kernel = Callable[..., Any]
Infer = Callable[..., TensorSpec | tuple[TensorSpec, ...]]
Grad = Callable[..., Sequence[Any]]
Entries = Callable[..., Sequence[Any] | None]
Backward = Callable[[Any, Sequence[Any], Sequence[bool]], Sequence[Any]]


def NOT_DIFFERENTIABLE(g: object, y: object, *inputs: object, **attrs: object) -> tuple[None, ...]:
    """Block gradients: the rule of an op through which none flows."""
    return (None,) * len(inputs)


def PASSED_ON(g: object, y: object, *inputs: object, **attrs: object) -> tuple[Any, ...]:
    """Pass the gradient on: the rule of an op that returns its first input unchanged."""
    return (g, *(None for _ in inputs[1:]))


class Effect(enum.Enum):
    """Side effects of an op."""

    NONE = "none"
    READ = "read"
    WRITE = "write"


class Marks(enum.Enum):
    """A statement of an op about its first inputs, which are its outputs."""

    GRADIENT = "gradient"
    """Gradients treat them otherwise: it means nothing in a graph that only runs."""
    ORDER = "order"
    """They are read later: it means nothing once the operations have their order."""


class Failure(enum.Enum):
    """The possible causes of a failure at run time; dtypes are checked during recording.

    Passes move and remove operations that cannot fail.
    """

    NEVER = "never"
    SHAPES = "shapes"
    """Only incompatible shapes: it cannot fail if all shapes are static."""
    VALUES = "values"
    """Input values too: an index out of range, a division by zero."""


class Storage(enum.Enum):
    """The relation of the memory of an output to that of the inputs."""

    NEW = "new"
    """The outputs are new arrays, and the op does not retain its inputs."""
    REDUCED = "reduced"
    """`NEW` if the output has fewer elements than the input."""
    VIEW = "view"
    """The output may share memory with the first input; the op does not retain the others."""
    IN_PLACE = "in place"
    """The op changes the array in its first input, a resource."""
    ANY = "any"


class Control(enum.Enum):
    """The way in which an op runs the graphs among its attributes."""

    IF = "if"
    """Runs `then_branch` or `else_branch`, with all inputs except the first."""
    CASE = "case"
    """Runs one of the graphs, with all inputs except the first."""
    WHILE = "while"
    """Runs `body` while `cond` holds; both take all inputs, and the loop carries `count` of them.
    """
    CALL = "call"
    """Runs `f`, with all inputs."""
    RECURSION = "recursion"
    """Runs `f`, with all inputs; the graphs contain operations that call them again."""
    RECUR = "recur"
    """Calls a graph of the enclosing `RECURSION`."""


class Reads(enum.Enum):
    """The part of its inputs on which the outputs of an op depend, besides their dtypes."""

    VALUES = "values"
    SHAPE = "shape"
    RANK = "rank"


class Emit(enum.Enum):
    """A computation for which engines have code instead of a call of the kernel; the value shows
    it.
    """

    CONSTANT = "value"
    ALIAS = "x"
    CONVERSION = "x.astype(dtype)"
    PRODUCT = "np.matmul(x, y)"
    TOTAL = "np.add.reduce(x, axis)"
    LOGISTIC = "1 / (1 + np.exp(-x))"
    ROW = "x[i]"
    ROWS = "x[0], x[1], ..."
    PARTS = "x[:n], x[n : 2 * n], ..."
    SLICE = "x[i, j]"
    ASSIGN = "="
    """`x[i, j] = y`"""
    ADD = "+="
    """`x[i, j] += y`"""
    POSITION = "i if i >= 0 else i + n"
    NEW_LIST = "n * [None]"
    ENTRY = "items[i]"
    SET_ENTRY = "items[i] = x"
    STACK = "np.stack(items)"
    LIST_OF_ROWS = "list(x)"
    PUSHED = "[*items, x]"
    RESIZED = "items[:n]"
    REMOVED = "[*items[:i], *items[i + 1 :]]"
    INSERTED = "[*items[:i], x, *items[i:]]"
    LENGTH = "len(items)"
    ENTRY_LIKE = "items[i] or np.zeros_like(x)"
    STACK_LIKE = "np.stack(items) or np.zeros_like(x)"
    SUM_OF_LISTS = "list(map(np.add, items, others))"
    COUNT = "len(range(x, y, z))"
    ASSERT = "assert x"
    RAISE = "if x: raise"
    FUNCTION = "math.floor(x)"
    """A function of Python on numbers, or its error."""
    RECIPROCAL = "1 / x"
    RSQRT = "1 / np.sqrt(x)"
    SIGN = "np.sign(x)"
    PRODUCT_OR_ZERO = "x * y if y else 0"
    RESHAPE = "x.reshape(dims)"
    TRANSPOSE = "x.transpose(axes)"
    NEW_AXIS = "x[None]"
    SQUEEZE = "x.squeeze(axes)"
    BROADCAST = "np.broadcast_to(x, dims)"
    FILL = "np.full(dims, x)"
    ZEROS = "np.zeros_like(x)"
    ONES = "np.ones_like(x)"
    SHAPE = "x.shape"
    SIZE = "x.size"
    ROWS_OF = "np.stack([x, y, ...])"
    JOINED = "np.concatenate([x, y, ...])"
    ROLLED = "np.roll(x, shift, axis)"
    DIAGONAL = "x.diagonal(k)"
    MAX = "np.max(x, axis)"
    MIN = "np.min(x, axis)"
    MEAN = "np.mean(x, axis)"
    PROD = "np.prod(x, axis)"
    ANY = "np.any(x, axis)"
    ALL = "np.all(x, axis)"
    ARGMAX = "np.argmax(x, axis)"
    ARGMIN = "np.argmin(x, axis)"
    SORTED = "np.sort(x, axis)"
    PADDED = "np.pad(x, amounts)"
    ONE_HOT = "np.eye(n)[x]"
    SPREAD = "zeros[i, j] = x"
    SCATTERED = "np.add.at(zeros, indices, x)"
    SCATTER_UPDATE = "x[indices] = y"
    SCATTER_ADD = "np.add.at(x, indices, y)"
    SCATTER_SUB = "np.subtract.at(x, indices, y)"
    SCATTER_MAX = "np.maximum.at(x, indices, y)"
    SCATTER_MIN = "np.minimum.at(x, indices, y)"
    SEGMENT_SUM = "np.add.at(zeros, ids, x)"
    SEGMENT_PROD = "np.multiply.at(ones, ids, x)"
    SEGMENT_MAX = "np.maximum.at(lowest, ids, x)"
    SEGMENT_MIN = "np.minimum.at(highest, ids, x)"
    SOFTMAX = "np.exp(x) / np.sum(np.exp(x))"
    CROSS_ENTROPY = "-log_softmax(x)[y]"
    CORRELATED = "np.sum(patches[..., None] * filters, axes)"
    CORRELATED_BY_IMAGE = "gradient of the patches, added where they overlap"
    CORRELATED_BY_FILTER = "np.sum(patches[..., None] * gradient, axes)"
    POOLED = "np.max(patches, axes)"
    POOLED_BACK = "gradient of the patches, at their first largest elements"
    ERF = "math.erf(x)"
    ERFC = "math.erfc(x)"
    LEFT_SHIFT = "x << y"
    RIGHT_SHIFT = "x >> y"
    COMPLEX = "x + 1j * y"
    REAL = "x.real"
    IMAG = "x.imag"
    CONJUGATE = "x.conj()"


class Overflow(enum.Enum):
    """The treatment of a Python int result that the dtype cannot represent."""

    WRAPS = "wraps"
    RAISES = "raises"
    NEVER = "never"
    """No such results exist."""
    UNLIKE = "unlike"
    """The kernel differs from Python's operator in other ways: ints need the kernel."""


class Undefined(enum.Enum):
    """Where an op raises, as Python's operator does, although the dtype has a result."""

    NOWHERE = "nowhere"
    BY_ZERO = "where the second operand is zero"
    NOT_FINITE = "where finite floats have no finite result"


@dataclass(frozen=True)
class PythonOperator:
    """The computation of an op on Python numbers.

    Attributes:
      text: the expression, with `{}` for each operand.
      apply: the function.
      overflow: how the kernel treats int results outside the range of the dtype.
      vector: whether the kernel rounds arrays and scalars alike.
      undefined: where the op raises.
      by_power: `by_power(x, n)` returns an expression for ints whose right operand is `2 ** n`.

    >>> import operator
    >>> PythonOperator("{} + {}", operator.add).text.format("x", 1)
    'x + 1'
    """

    text: str
    apply: Callable[..., Any]
    overflow: Overflow = Overflow.WRAPS
    vector: bool = True
    undefined: Undefined = Undefined.NOWHERE
    by_power: Callable[[str, int], str] | None = None

    @property
    def infix(self) -> bool:
        """True for a binary operator that NumPy's arrays have too."""
        return re.fullmatch(r"\{\} [^\w{}]+ \{\}", self.text) is not None


class DTypes:
    """A group of dtypes that an input may have.

    Inputs of one op with the same group have one dtype, unless the group is `mixed`.

    Args:
      name: the description in messages.
      members: the dtypes.
      mixed: whether inputs of one op may have different dtypes.
      exact: whether Python numbers keep their exact dtype instead of the default one.
    """

    def __init__(
        self, name: str, *members: DType, mixed: bool = False, exact: bool = False
    ) -> None:
        self.name = name
        self.members = frozenset(members)
        self.mixed = mixed
        self.exact = exact

    def __contains__(self, dtype: DType) -> bool:
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


class Sample(NamedTuple):
    """Arguments with which the tests run an op."""

    args: tuple[Any, ...]
    attrs: Mapping[str, Any]


def sample(*args: object, **attrs: object) -> Sample:
    """Return arguments with which the tests run an op."""
    return Sample(args, attrs)


@dataclass(frozen=True)
class Ufunc:
    """A kernel that is one elementwise function of the array namespace.

    Attributes:
      name: the name of the function.
      constants: further operands, in the dtype of the first array.
      scalar: the operator on scalars of complex numbers, if NumPy's scalars round otherwise than
        its arrays, which have instructions that multiply and add.
    """

    name: str
    constants: tuple[int, ...] = ()
    scalar: Callable[..., Any] | None = None

    def __call__(self, xp: object, *arrays: Array) -> Any:
        """Apply the function."""
        scalar = self.scalar
        if scalar and arrays[0].dtype.kind == "c" and not any(array.ndim for array in arrays):
            return scalar(*(array[()] for array in arrays))
        further = map(arrays[0].dtype.type, self.constants) if self.constants else ()
        return getattr(xp, self.name)(*arrays, *further)

    def source(self, operands: Sequence[str], dtype: str, out: str | None = None) -> str:
        """Return the call as Python source; without `out` it makes a new array.

        >>> Ufunc("maximum", (0,)).source(["x"], "float32", "y")
        'np.maximum(x, float32(0), out=y)'
        """
        words = [*operands, *(f"{dtype}({number})" for number in self.constants)]
        words += [] if out is None else [f"out={out}"]
        return f"np.{self.name}({', '.join(words)})"


PLAIN = NodeForm()
"""The form of an op type that is equal in TensorFlow."""


@dataclass(frozen=True, eq=False)
class OpDef:
    """One op type.

    Attributes:
      name: the name in graphs and saved models.
      inputs: name and dtypes of each input; a name with a leading `*` takes any number of tensors.
      infer: the shape rule: `infer(*inputs, **attrs)` returns the spec of the output, or a tuple.
      kernel: `kernel(xp, *arrays, **attrs)` computes the output, or a tuple, with an array
        namespace. A graph among the attributes is passed as a function on arrays.
      outputs: the number of outputs; None: `infer` returns a tuple that decides it.
      effect: whether it reads or writes state.
      elementwise: whether each element of the output depends on one element of each input.
      boxed: whether outputs are Python objects whose specs only `infer` knows.
      grad: `grad(g, y, *inputs, **attrs)` returns the gradient of each input, or None. `g` is the
        gradient of the output `y`; both are tuples unless there is one output. It uses tensor
        operations, so that it can be recorded and differentiated again, and need not undo
        broadcasting. `NOT_DIFFERENTIABLE` declares that no gradient flows. None: no rule, an error
        if one is needed; only floating-point and complex outputs need one.
      partial: whether `grad` accepts None as the gradient of an unused output; otherwise it gets
        zeros.
      backward: the rule of an op type that carries graphs, instead of `grad`: `backward(step,
        gradients, wanted)` takes the operation, the gradient of each output or None, and for each
        input whether its gradient is requested.
      samples: arguments with which the tests run it; their attributes are those of the op type.
      commutative: whether exchanging the two inputs gives the same result, bit for bit.
      failure: the possible causes of a failure.
      fusable: whether engines may compute it in cache blocks, in a group with others.
      python: the same computation on Python numbers, or None.
      storage: the relation of the memory of outputs and inputs.
      control: how it runs the graphs among its attributes; None: there are none.
      reads: the part of its inputs on which it depends.
      entries: `entries(read, *inputs, **attrs)` returns the elements of the output that are known
        during recording: for each an int, a tensor or None; None if their number is unknown.
        `read` returns those of an input.
      safe: `safe(operation)` is true if an operation cannot fail although its values may be wrong
        for others of the op type.
      emit: the computation for which engines may have cheaper code; None: there is none.
      node: the form of its operations as nodes of TensorFlow's graphs.
      random: whether each run draws other numbers, from a stream of its own.
      local: why the op means something in this process only; empty: it does not.
      debug: whether it only checks or prints, for the developer; it returns its input or nothing.
      staged_raise: whether it is an `assert` or `raise` of the program.
      marks: what it says of its first inputs, if these are its outputs; None: it computes.
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
    reads: Reads = Reads.VALUES
    entries: Entries | None = None
    safe: Callable[[Any], bool] | None = None
    emit: Emit | None = None
    node: NodeForm = PLAIN
    random: bool = False
    local: str = ""
    debug: bool = False
    staged_raise: bool = False
    marks: Marks | None = None

    @cached_property
    def carries(self) -> bool:
        """True if there may be graphs among the attributes."""
        return self.boxed or self.control is not None or self.backward is not None

    @property
    def sign(self) -> str:
        """The expression of the Python operator; empty if there is none."""
        return "" if self.python is None else self.python.text

    def __repr__(self) -> str:
        return f"<op {self.name}>"


class Facts(TypedDict, total=False):
    """Facts for passes and engines, as keyword arguments; see `OpDef`."""

    commutative: bool
    failure: Failure
    fusable: bool
    python: PythonOperator
    storage: Storage
    control: Control
    reads: Reads
    entries: Entries
    safe: Callable[[Any], bool] | None
    emit: Emit | None
    node: NodeForm
    random: bool
    local: str
    debug: bool
    staged_raise: bool
    marks: Marks


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
    """Register an op type. Raises ValueError if the name is taken."""
    if op.name in _registry:
        raise ValueError(f"the op type {op.name} is defined twice")
    _registry[op.name] = op
    return op


def lookup(name: str) -> OpDef:
    """Return an op type by name. Raises KeyError if there is none."""
    return _registry[name]


def all_ops() -> tuple[OpDef, ...]:
    """Return every op type, in the order of definition."""
    return tuple(_registry.values())
