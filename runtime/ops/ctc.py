"""Losses of sequences whose labels are not aligned with what is predicted.

Source: Graves, Fernandez, Gomez, Schmidhuber, "Connectionist temporal classification" (2006).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import FLOAT, INTEGER, DTypes, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.arguments import static_int
from runtime.ops.arranging import sequence_mask
from runtime.ops.casting import cast
from runtime.ops.comparison import logical_and, not_equal
from runtime.ops.convert import convert_to_tensor
from runtime.ops.define import call, define_op
from runtime.ops.gathering import gather_nd
from runtime.ops.gradient_parts import shape_of
from runtime.ops.joining import concat, stack
from runtime.ops.reduction import reduce_max, reduce_sum
from runtime.ops.running import cumsum
from runtime.ops.sample_values import numbers
from runtime.ops.scattering import scatter_nd
from runtime.ops.selecting import where
from runtime.ops.shaping import expand_dims, transpose

_LENGTHS = DTypes("an integer", *INTEGER.members, mixed=True)


class _Lattice:
    """The states through which sequences go: labels, with blanks around each of them."""

    def __init__(self, labels: Any, counts: Any, classes: int, blank: int) -> None:
        """Raises InvalidArgumentError for labels that are no classes."""
        batch, most = labels.shape
        used = np.arange(most)[None] < counts[:, None]
        wrong = labels[used & ((labels < 0) | (labels >= classes))]
        if wrong.size:
            raise InvalidArgumentError(
                None, None, f"label {wrong[0]} is not in [0, {classes}), the range of the classes"
            )
        self.ends = 2 * counts.astype(int)
        self.classes = np.full((batch, 2 * most + 1), blank)
        self.classes[:, 1::2] = np.where(used, labels, blank)
        skips = np.zeros(self.classes.shape, bool)
        skips[:, 3::2] = self.classes[:, 3::2] != self.classes[:, 1:-2:2]
        self.skips = np.where(skips, 0.0, -np.inf)
        places = np.arange(2 * most + 1)[None]
        last = (places == self.ends[:, None]) | (places == self.ends[:, None] - 1)
        self.last = np.where(last, 0.0, -np.inf)
        self.first = np.where(places < np.minimum(2, self.ends + 1)[:, None], 0.0, -np.inf)

    def onwards(self, scores: Any) -> Any:
        """The scores of states from those of the states before: the same, the last, one skipped."""
        one, two = _moved(scores, 1), _moved(scores, 2) + self.skips
        return np.logaddexp(np.logaddexp(scores, one), two)

    def backwards(self, scores: Any) -> Any:
        """The scores of states from those of the states that follow."""
        skipped = _moved(scores + self.skips, -2)
        return np.logaddexp(np.logaddexp(scores, _moved(scores, -1)), skipped)


def _moved(scores: Any, by: int) -> Any:
    result = np.full_like(scores, -np.inf)
    count = scores.shape[1] - abs(by)
    if count > 0 and by > 0:
        result[:, by:] = scores[:, :count]
    elif count > 0:
        result[:, :count] = scores[:, -by:]
    return result


def _total(scores: Any, axis: int) -> Any:
    most = np.max(scores, axis=axis, keepdims=True)
    most = np.where(np.isfinite(most), most, 0.0)
    return np.log(np.sum(np.exp(scores - most), axis=axis)) + np.squeeze(most, axis)


def _forward(lattice: _Lattice, logits: Any, lengths: Any) -> tuple[Any, list[Any], Any]:
    """Logarithms: of the chances of classes, of states after each step, of the labels."""
    wide = logits.astype(np.float64)
    chances = wide - _total(wide, 2)[..., None]
    # Before the first step stands a state from which only the first two can be reached.
    scores = np.full(lattice.classes.shape, -np.inf)
    all_scores = []
    for step in range(len(chances)):
        own = np.take_along_axis(chances[step], lattice.classes, axis=1)
        scores = (lattice.first if step == 0 else lattice.onwards(scores)) + own
        all_scores.append(scores)
    empty = np.where(lattice.ends == 0, 0.0, -np.inf)
    ending = [empty, *(_total(scores + lattice.last, 1) for scores in all_scores)]
    return chances, all_scores, np.stack(ending)[lengths, np.arange(len(lengths))]


def _checked(logits: Any, labels: Any, counts: Any, lengths: Any) -> None:
    time, batch, _ = logits.shape
    if labels.ndim != 2 or not len(labels) == len(counts) == len(lengths) == batch:
        raise ValueError(
            f"logits of {batch} sequences need as many labels and lengths; labels are "
            f"{list(labels.shape)}, their lengths {list(counts.shape)}, those of logits "
            f"{list(lengths.shape)}"
        )
    for what, values, most in (("label", counts, labels.shape[1]), ("logit", lengths, time)):
        wrong = values[(values < 0) | (values > most)]
        if wrong.size:
            raise ValueError(f"{what}_length {wrong[0]} is not in [0, {most}]")


def _loss(xp: Any, logits: Any, labels: Any, counts: Any, lengths: Any, blank: int) -> Any:
    _checked(logits, labels, counts, lengths)
    lattice = _Lattice(labels, counts, logits.shape[2], blank)
    return (-_forward(lattice, logits, lengths)[2]).astype(logits.dtype)


def _by_logits(xp: Any, logits: Any, labels: Any, counts: Any, lengths: Any, blank: int) -> Any:
    """The chances of classes, less how often each is expected if the labels are as they are."""
    _checked(logits, labels, counts, lengths)
    lattice = _Lattice(labels, counts, logits.shape[2], blank)
    chances, scores, total = _forward(lattice, logits, lengths)
    result = np.zeros(logits.shape)
    rest = np.full(lattice.classes.shape, -np.inf)
    rows = np.arange(len(lengths))[:, None]
    for step in reversed(range(len(chances))):
        rest = np.where((lengths == step + 1)[:, None], lattice.last, lattice.backwards(rest))
        expected = np.zeros(chances[step].shape)
        shares = np.exp(scores[step] + rest - total[:, None])
        np.add.at(expected, (rows, lattice.classes), shares)
        inside = (step < lengths)[:, None]
        result[step] = np.where(inside, np.exp(chances[step]) - expected, 0.0)
        rest = rest + np.take_along_axis(chances[step], lattice.classes, axis=1)
    return result.astype(logits.dtype)


def _loss_spec(logits: Tensor, labels: Tensor, *lengths: Tensor, blank: int) -> TensorSpec:
    dims = logits.spec.dims
    if dims is not None and len(dims) != 3:
        raise ValueError(f"logits must be of rank 3, got shape {list(dims)}")
    return spec_of(logits.spec.dtype, (None if dims is None else dims[1],))


_INPUTS = {
    "logits": FLOAT,
    "labels": _LENGTHS,
    "label_length": _LENGTHS,
    "logit_length": _LENGTHS,
}
_SAMPLE = sample(numbers(4, 2, 3), [[1, 1], [2, 0]], [2, 1], [4, 3], blank=0)


def _loss_grad(
    g: Tensor,
    y: Tensor,
    logits: Tensor,
    labels: Tensor,
    counts: Tensor,
    lengths: Tensor,
    blank: int,
) -> Any:
    each = call("CtcLossDenseGrad", logits, labels, counts, lengths, blank=blank)
    return expand_dims(g, -1) * each, None, None, None


_LOSS = define_op("CtcLossDense", _INPUTS, _loss_spec, _loss, grad=_loss_grad, samples=(_SAMPLE,))
define_op(
    "CtcLossDenseGrad",
    _INPUTS,
    lambda logits, *others, blank: logits.spec,
    _by_logits,
    samples=(_SAMPLE,),
)


def ctc_loss(
    labels: TensorLike,
    logits: TensorLike,
    label_length: TensorLike,
    logit_length: TensorLike,
    logits_time_major: bool = True,
    unique: Any = None,
    blank_index: int | None = None,
    name: str | None = None,
) -> Tensor:
    """How unlikely labels are, whichever way they are aligned with what is predicted.

    Args:
      labels: integers [batch, labels], the classes; none of them is the blank.
      logits: floating-point numbers [time, batch, classes] whose `softmax` is the prediction.
      label_length: integers [batch], how many of the labels count.
      logit_length: integers [batch], how many steps of time count.
      logits_time_major: whether time comes first in `logits`; otherwise the batch does.
      unique: what `ctc_unique_labels` gives; it makes no difference.
      blank_index: the class that stands for no label, from the end if negative; None: 0.
      name: the name of the operation.

    Returns: [batch]; infinite where the labels need more steps than there are.
    Raises: InvalidArgumentError if a label is no class, or shapes and lengths do not fit.

    >>> print(ctc_loss([[1]], [[[0.0, 0.0]]], [1], [1]))
    tf.Tensor([0.6931472], shape=(1,), dtype=float32)
    """
    x = convert_to_tensor(logits)
    if not logits_time_major:
        x = transpose(x, [1, 0, 2])
    blank = 0 if blank_index is None else static_int("blank_index", blank_index)
    classes = x.shape[-1]
    if blank < 0:
        if classes is None:
            raise ValueError("a negative `blank_index` needs a known number of classes")
        blank += classes
    return _LOSS(x, labels, label_length, logit_length, blank=blank, name=name)


def _unique_rows(xp: Any, labels: Any) -> tuple[Any, Any]:
    if labels.ndim != 2:
        raise ValueError(f"labels must be a matrix, got shape {list(labels.shape)}")
    values = np.zeros(labels.shape, np.int64)
    places = np.zeros(labels.shape, np.int32)
    for row, own in enumerate(labels.tolist()):
        known = {label: at for at, label in enumerate(dict.fromkeys(own))}
        values[row, : len(known)] = list(known)
        places[row] = [known[label] for label in own]
    return values, places


_UNIQUE = define_op(
    "UniqueOfRows",
    {"labels": INTEGER},
    lambda x: (x.spec.with_dtype(dtypes.int64), x.spec.with_dtype(dtypes.int32)),
    _unique_rows,
    outputs=2,
    samples=(sample([[3, 1, 3], [2, 2, 2]]),),
)


def ctc_unique_labels(labels: TensorLike, name: str | None = None) -> list[Tensor]:
    """The different labels of each row, and where each label is among them.

    Args:
      labels: integers [batch, labels].
      name: the name of the operation.

    Returns: int64 [batch, labels], the different labels in their order, then zeros; and int32
      [batch, labels].

    >>> values, places = ctc_unique_labels([[3, 1, 3]])
    >>> print(values, places)
    tf.Tensor([[3 1 0]], shape=(1, 3), dtype=int64) tf.Tensor([[0 1 0]], shape=(1, 3), dtype=int32)
    """
    return list(_UNIQUE.outputs(labels, name=name))


def collapse_repeated(
    labels: TensorLike, seq_length: TensorLike, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Rows of labels, each label once where it was repeated.

    Args:
      labels: integers [batch, labels].
      seq_length: integers [batch], how many of the labels count.
      name: not used.

    Returns: the labels that are left, [batch, most of any row], then zeros; how many there are,
      of the dtype of `seq_length`.

    >>> rows, lengths = collapse_repeated([[1, 1, 2, 2, 1]], [5])
    >>> print(rows, lengths)
    tf.Tensor([[1 2 1]], shape=(1, 3), dtype=int32) tf.Tensor([3], shape=(1,), dtype=int32)
    """
    rows, lengths = convert_to_tensor(labels), convert_to_tensor(seq_length)
    first = call("OnesLike", rows[:, :1], dtype=dtypes.bool)
    new = concat([first, not_equal(rows[:, 1:], rows[:, :-1])], 1)
    kept = logical_and(new, sequence_mask(lengths, shape_of(rows)[1]))
    ones = cast(kept, dtypes.int32)
    counts = reduce_sum(ones, 1)
    found = where(kept)
    places = cast(gather_nd(cumsum(ones, 1), found) - 1, dtypes.int64)
    shape = stack([shape_of(rows)[0], reduce_max(counts)])
    at = stack([found[:, 0], places], 1)
    result = scatter_nd(at, gather_nd(rows, found), cast(shape, dtypes.int64))
    return result, cast(counts, lengths.dtype)
