"""Metrics of binary decisions: counts of true and false positives and negatives by threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import runtime as tf
from runtime.keras.base.names import auto_name
from runtime.keras.losses import EPSILON, weights_with_mask
from runtime.keras.metrics.metric import Metric

COUNTS = ("true_positives", "false_positives", "true_negatives", "false_negatives")


class ConfusionMetric(Metric):
    """Counts of labels 0 and 1 by the decision `y_pred > threshold`.

    Args:
      thresholds: increasing thresholds.
      counts: those of `COUNTS` that are kept.
      top_k: number of the highest predictions that may be positive at all; None: no bound.
      class_id: the only class that counts; None: all.
      name, dtype: those of `Metric`.

    Raises: ValueError for a threshold outside [0, 1].
    """

    def __init__(
        self,
        thresholds: Sequence[float],
        counts: Sequence[str] = COUNTS,
        top_k: int | None = None,
        class_id: int | None = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(dtype, name)
        # The end points of a curve lie just outside [0, 1].
        wrong = [t for t in thresholds if not -2 * EPSILON <= t <= 1 + 2 * EPSILON]
        if wrong:
            raise ValueError(f"{self.name}: thresholds must be in [0, 1]. Received: {wrong}")
        self._thresholds = list(thresholds)
        self.top_k = top_k
        self.class_id = class_id
        self._counts = {name: self.add_weight((len(thresholds),), name=name) for name in counts}

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Count samples.

        Args:
          y_true: labels 0 and 1, of the shape of `y_pred`.
          y_pred: numbers in [0, 1].
          sample_weight: factor of each sample; None: 1.
        """
        y_pred = tf.cast(y_pred, self._dtype)
        y_true = tf.reshape(tf.cast(y_true, self._dtype), tf.shape(y_pred))
        if self.top_k is not None:
            lowest = tf.math.top_k(y_pred, self.top_k)[0][..., -1:]
            y_pred = tf.where(y_pred >= lowest, y_pred, -1.0)
        if self.class_id is not None:
            y_true, y_pred = y_true[..., self.class_id], y_pred[..., self.class_id]
        weight = weights_with_mask(sample_weight, None, self._dtype, rescaled=False)
        if weight is None:
            weight = tf.ones_like(y_pred)
        else:
            missing = (y_pred.shape.rank or 0) - (weight.shape.rank or 0)
            weight = weight[(..., *[tf.newaxis] * missing)] if missing > 0 else weight
            weight = tf.broadcast_to(weight, tf.shape(y_pred))
        self._count(*(tf.reshape(x, [-1]) for x in (y_true, y_pred, weight)))

    def _count(self, y_true: tf.Tensor, y_pred: tf.Tensor, weight: tf.Tensor) -> None:
        """Sum weights by the number of thresholds that a prediction exceeds, then from above."""
        size = len(self._thresholds)
        exceeded = tf.searchsorted(tf.constant(self._thresholds, self._dtype), y_pred)
        for name, share in (("positives", y_true), ("negatives", 1.0 - y_true)):
            sums = tf.math.unsorted_segment_sum(weight * share, exceeded, size + 1)
            above = tf.cumsum(sums, exclusive=True, reverse=True)[:-1]
            below = tf.reduce_sum(sums) - above
            accepted, refused = (above, below) if name == "positives" else (below, above)
            right = "true_positives" if name == "positives" else "true_negatives"
            wrong = "false_negatives" if name == "positives" else "false_positives"
            for kind, value in ((right, accepted), (wrong, refused)):
                if kind in self._counts:
                    self._counts[kind].assign_add(value, read_value=False)

    def _read(self) -> list[Any]:
        return [count.read_value() for count in self._counts.values()]

    def _shaped(self, values: Any) -> Any:
        return values[0] if len(self._thresholds) == 1 else values


class _AtThresholds(ConfusionMetric):
    """A metric with an argument `thresholds`: a number, or a sequence of numbers."""

    kept: tuple[str, ...]

    def __init__(
        self,
        thresholds: Any = None,
        top_k: int | None = None,
        class_id: int | None = None,
        name: str | None = None,
        dtype: Any = None,
    ) -> None:
        self.thresholds = thresholds
        if thresholds is None:
            # Of the best k all are positive, however low their prediction.
            thresholds = 0.5 if top_k is None else -EPSILON
        several = list(thresholds) if isinstance(thresholds, Sequence) else [thresholds]
        name = name or auto_name(type(self).__name__)
        super().__init__(several, self.kept, top_k, class_id, name, dtype)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal metric without state."""
        own = {"thresholds": self.thresholds, "top_k": self.top_k, "class_id": self.class_id}
        return super().get_config() | own


class Precision(_AtThresholds):
    """The fraction of positive decisions that are right; 0 if there are none.

    Args:
      thresholds: numbers in [0, 1] above which a prediction is positive; None: 0.5.
      top_k: number of the highest predictions that may be positive at all; None: no bound.
      class_id: the only class that counts; None: all.
      name, dtype: those of `Metric`.

    >>> print(Precision()([0, 1, 1, 1], [1.0, 0.0, 0.9, 0.8]).numpy().round(3))
    0.667
    """

    kept = ("true_positives", "false_positives")

    def result(self) -> Any:
        """Return one number for each threshold, a scalar for one."""
        right, wrong = self._read()
        return self._shaped(tf.math.divide_no_nan(right, right + wrong))


class Recall(_AtThresholds):
    """The fraction of positive labels that are found; 0 if there are none.

    Args: those of `Precision`.

    >>> print(Recall()([0, 1, 1, 1], [1.0, 0.0, 0.9, 0.8]).numpy().round(3))
    0.667
    """

    kept = ("true_positives", "false_negatives")

    def result(self) -> Any:
        """Return one number for each threshold, a scalar for one."""
        right, wrong = self._read()
        return self._shaped(tf.math.divide_no_nan(right, right + wrong))


class AUC(ConfusionMetric):
    """The area under a curve of true and false positives, by Riemann sums over thresholds.

    Source of the interpolation under precision-recall curves: Davis and Goadrich, "The
    Relationship Between Precision-Recall and ROC Curves", 2006.

    Args:
      num_thresholds: number of evenly spaced thresholds, at least 2.
      curve: `ROC` or `PR`.
      summation_method: `interpolation`, `minoring` or `majoring`.
      name, dtype: those of `Metric`.
      thresholds: thresholds in [0, 1] in place of evenly spaced ones.
      from_logits: whether predictions are logits.

    Raises: ValueError for another value.

    >>> print(AUC()([0, 0, 1, 1], [0.0, 0.5, 0.3, 0.9]).numpy())
    0.75
    """

    def __init__(
        self,
        num_thresholds: int = 200,
        curve: str = "ROC",
        summation_method: str = "interpolation",
        name: str | None = None,
        dtype: Any = None,
        thresholds: Sequence[float] | None = None,
        from_logits: bool = False,
    ) -> None:
        for word, value, known in (
            ("curve", curve, ("ROC", "PR")),
            ("summation_method", summation_method, ("interpolation", "minoring", "majoring")),
        ):
            if value not in known:
                raise ValueError(f"`{word}` is one of {known}. Received: {word}={value!r}")
        if thresholds is None and num_thresholds < 2:
            raise ValueError(f"`num_thresholds` must be > 1. Received: {num_thresholds}")
        gaps = num_thresholds - 1
        inner = [i / gaps for i in range(1, gaps)] if thresholds is None else sorted(thresholds)
        self.curve = curve
        self.summation_method = summation_method
        self.num_thresholds = len(inner) + 2
        self.thresholds = None if thresholds is None else list(thresholds)
        self.from_logits = from_logits
        ends = (-EPSILON, 1 + EPSILON)
        super().__init__([ends[0], *inner, ends[1]], name=name, dtype=dtype)

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Count samples."""
        y_pred = tf.cast(y_pred, self._dtype)
        super().update_state(
            y_true, tf.sigmoid(y_pred) if self.from_logits else y_pred, sample_weight
        )

    def result(self) -> Any:
        """Return the area."""
        tp, fp, tn, fn = self._read()
        if self.curve == "PR" and self.summation_method == "interpolation":
            return _interpolated(tp, fp, fn)
        recall = tf.math.divide_no_nan(tp, tp + fn)
        if self.curve == "ROC":
            x, y = tf.math.divide_no_nan(fp, fp + tn), recall
        else:
            x, y = recall, tf.math.divide_no_nan(tp, tp + fp)
        heights = {
            "interpolation": (y[:-1] + y[1:]) / 2.0,
            "minoring": tf.minimum(y[:-1], y[1:]),
            "majoring": tf.maximum(y[:-1], y[1:]),
        }[self.summation_method]
        return tf.reduce_sum((x[:-1] - x[1:]) * heights)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal metric without state."""
        config = super().get_config()
        names = ("num_thresholds", "curve", "summation_method", "thresholds", "from_logits")
        return config | {name: getattr(self, name) for name in names}


def _interpolated(tp: Any, fp: Any, fn: Any) -> Any:
    """Integrate precision over recall, with true positives linear in positives in between."""
    p = tp + fp
    slope = tf.math.divide_no_nan(tp[:-1] - tp[1:], tf.nn.relu(p[:-1] - p[1:]))
    intercept = tp[1:] - slope * p[1:]
    both = (p[:-1] > 0) & (p[1:] > 0)
    ratio = tf.where(both, tf.math.divide_no_nan(p[:-1], p[1:]), tf.ones_like(p[1:]))
    areas = slope * (tp[:-1] - tp[1:] + intercept * tf.math.log(ratio))
    return tf.reduce_sum(tf.math.divide_no_nan(areas, tp[1:] + fn[1:]))


CLASSES = (Precision, Recall, AUC)
