"""Summaries of values, in the form in which TensorBoard's plugins read them."""

from __future__ import annotations

import io
import wave
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array
from runtime.core.context import get_current_name_scope
from runtime.core.errors import FailedPreconditionError
from runtime.core.opdef import MIXED, NOT_DIFFERENTIABLE, Effect, sample
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.image.adjusting import convert_image_dtype
from runtime.io.images import png_of
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import define_op
from runtime.ops.strings.elements import invalid
from runtime.summary.context import (
    DEFAULTS,
    Writer,
    ambient,
    ambient_condition,
    as_step,
    holds,
    should_record_summaries,
    step_number,
)
from runtime.summary.writer import proto

_WAV = b"\x10\x0b"
"""`AudioPluginData` with the encoding WAV, of TensorBoard's `plugin_data.proto`."""


NO_STEP = "The summary {!r} has no step: set `step`, or that of `writer.as_default(step)`."


@dataclass(frozen=True)
class Summary:
    """The metadata of a summary.

    Attributes:
      tag: its name.
      plugin: the plugin of TensorBoard that shows it; "" for none.
      encode: from the data to the value that the plugin reads.
      content: data of the plugin.
      description: text in Markdown.
    """

    tag: str
    plugin: str
    encode: Callable[[Any], Any]
    content: bytes = b""
    description: str | None = None

    def metadata(self) -> Any:
        """Return the metadata as TensorBoard's message, or None."""
        if not self.plugin:
            return None
        kind = proto("summary").SummaryMetadata
        plugin = kind.PluginData(plugin_name=self.plugin, content=self.content)
        return kind(plugin_data=plugin, summary_description=self.description or "")


def _write(
    xp: object, data: object, *rest: Any, summary: Summary, writer: Writer | None, stepped: bool
) -> Any:
    """Write a summary if there is a writer and the condition holds; return whether.

    `rest` has the step, if `stepped`, and the condition that a context in the trace gives.
    """
    target = writer or DEFAULTS.writer
    if target is None or not holds(rest[stepped:]):
        return np.bool_(False)
    number = int(rest[0]) if stepped else step_number()
    if number is None:
        raise FailedPreconditionError.of(NO_STEP.format(summary.tag))
    value = np.asarray(summary.encode(np.asarray(data)))
    target.add_value(summary.tag, number, value, summary.metadata())
    return np.bool_(True)


_ABSOLUTE = Summary("a", "", abs)
_WRITE = define_op(
    "WriteSummary",
    {"data": MIXED, "*rest": MIXED},
    lambda data, *rest, **attrs: spec_of(dtypes.bool, ()),
    _write,
    effect=Effect.WRITE,
    grad=NOT_DIFFERENTIABLE,
    samples=(
        sample(1.0, summary=_ABSOLUTE, writer=None, stepped=False),
        sample(1.0, np.int64(3), False, summary=_ABSOLUTE, writer=None, stepped=True),
    ),
)


def _record(
    name: str,
    data: TensorLike,
    step: TensorLike | None,
    plugin: str,
    encode: Callable[[Any], Any],
    description: str | None = None,
    content: bytes = b"",
) -> Tensor:
    """Write a summary, or record that the graph does."""
    if not isinstance(name, str):
        raise TypeError(f"The name of a summary is text, not {name!r}.")
    scope, own = get_current_name_scope(), ambient()
    summary = Summary(f"{scope}/{name}" if scope else name, plugin, encode, content, description)
    chosen = own.step if step is None else step
    if chosen is None and STATE.graph is None and DEFAULTS.step is None:
        if should_record_summaries():
            raise ValueError(NO_STEP.format(summary.tag))
        return convert_to_tensor(False)
    rest = () if chosen is None else (as_step(chosen),)
    stepped = chosen is not None
    return _WRITE(
        data, *rest, *ambient_condition(), summary=summary, writer=own.writer, stepped=stepped
    )


def scalar(
    name: str, data: TensorLike, step: TensorLike | None = None, description: str | None = None
) -> Tensor:
    """Write a number, which TensorBoard shows as a curve over the steps.

    Args:
      name: name of the summary, after the name scopes around it.
      data: real scalar; it is written as float32.
      step: the step, an integer; None is the default step.
      description: text in Markdown.

    Returns: Whether it was written, a bool scalar: False without a default writer, and where
      `record_if` does not hold.

    Raises:
      ValueError: if it is written and there is no step; in a graph FailedPreconditionError.
      InvalidArgumentError: if it is written and `data` is not a scalar.

    >>> print(scalar("loss", 0.5, step=1))
    tf.Tensor(False, shape=(), dtype=bool)
    """
    return _record(name, data, step, "scalars", _scalar, description)


def _scalar(data: Array) -> Any:
    if data.shape:
        raise invalid(f"Expected scalar shape, saw shape: {data.shape}.")
    return _real(data).astype(np.float32)


def _real(data: Array) -> Any:
    if data.dtype == object or data.dtype.kind == "c":
        raise invalid(f"Expected real numbers, saw {data.ravel()[:1]}: strings need summary.text.")
    return data


def histogram(
    name: str,
    data: TensorLike,
    step: TensorLike | None = None,
    buckets: int | None = None,
    description: str | None = None,
) -> Tensor:
    """Write the distribution of numbers.

    Args:
      name, step, description: as in `scalar`.
      data: real tensor of any shape.
      buckets: number of intervals of equal width from the least number to the largest; None is 30.

    Returns: Whether it was written, a bool scalar.

    Raises:
      ValueError: if `buckets` is negative.
      InvalidArgumentError: if it is written and a number is not finite.

    >>> print(histogram("weights", [1.0, 2.0], step=1))
    tf.Tensor(False, shape=(), dtype=bool)
    """
    count = 30 if buckets is None else int(buckets)
    if count < 0:
        raise ValueError(f"`buckets` must be 0 or more, not {buckets}.")
    encode = partial(_histogram, buckets=count)
    return _record(name, data, step, "histograms", encode, description)


def _histogram(data: object, buckets: int) -> Any:
    """Return rows of left edge, right edge and count, float64, shape [buckets, 3]."""
    numbers = _real(data).astype(np.float64).ravel()
    if not numbers.size or not buckets:
        return np.zeros((buckets, 3))
    if not np.isfinite(numbers).all():
        raise invalid("A histogram is of finite numbers, but there are infinite ones or NaN.")
    least, largest = numbers.min(), numbers.max()
    if least == largest:
        places = np.full(numbers.size, buckets - 1)
    else:
        width = (largest - least) / buckets
        places = np.minimum(np.floor((numbers - least) / width).astype(np.int64), buckets - 1)
    edges = np.linspace(least, largest, buckets + 1)
    return np.stack([edges[:-1], edges[1:], np.bincount(places, minlength=buckets)], axis=1)


def image(
    name: str,
    data: TensorLike,
    step: TensorLike | None = None,
    max_outputs: int = 3,
    description: str | None = None,
) -> Tensor:
    """Write images (extra `image`).

    Args:
      name, step, description: as in `scalar`.
      data: tensor of shape [batch, height, width, channels] with 1 to 4 channels: uint8, or
        floating-point pixels from 0 to 1, which saturate.
      max_outputs: number of images that are written at most.

    Returns: Whether it was written, a bool scalar.
    Raises: InvalidArgumentError if it is written and has another rank or other channels.

    >>> print(image("digits", np.zeros((1, 2, 2, 1), np.uint8), step=1))
    tf.Tensor(False, shape=(), dtype=bool)
    """
    encode = partial(_images, max_outputs=int(max_outputs))
    return _record(name, data, step, "images", encode, description)


def _images(data: Array, max_outputs: int) -> Any:
    """Return width, height and the PNG files, as strings."""
    _require_rank("images", data, 4, "[batch, height, width, channels]")
    pixels = np.asarray(convert_image_dtype(data[:max_outputs], dtypes.uint8, saturate=True))
    files = [png_of(one) for one in pixels]
    sizes = [str(data.shape[2]).encode(), str(data.shape[1]).encode()]
    return np.array([*sizes, *files], object)


def _require_rank(what: str, data: Array, rank: int, shape: str) -> None:
    if data.ndim != rank:
        raise invalid(f"A summary of {what} needs data of shape {shape}, not {data.shape}.")


def text(
    name: str, data: TensorLike, step: TensorLike | None = None, description: str | None = None
) -> Tensor:
    """Write text in Markdown.

    Args:
      name, step, description: as in `scalar`.
      data: string tensor; TensorBoard shows a vector or matrix as a table.

    Returns: Whether it was written, a bool scalar.
    Raises: InvalidArgumentError if it is written and `data` is not a string tensor.

    >>> print(text("note", "**done**", step=1))
    tf.Tensor(False, shape=(), dtype=bool)
    """
    return _record(name, data, step, "text", _strings, description)


def _strings(data: Array) -> Any:
    if data.dtype != object:
        raise invalid(f"A summary of text needs strings, not {data.dtype}: use tf.as_string.")
    return data


def audio(
    name: str,
    data: TensorLike,
    sample_rate: int,
    step: TensorLike | None = None,
    max_outputs: int = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> Tensor:
    """Write sound as WAV files with 16 bits.

    Args:
      name, step, description: as in `scalar`.
      data: floating-point tensor of shape [clips, frames, channels], from -1 to 1; it saturates.
      sample_rate: frames per second.
      max_outputs: number of clips that are written at most.
      encoding: "wav" or None.

    Returns: Whether it was written, a bool scalar.

    Raises:
      ValueError: for another encoding.
      InvalidArgumentError: if it is written and has another rank.

    >>> print(audio("beep", np.zeros((1, 8, 1), np.float32), 8000, step=1))
    tf.Tensor(False, shape=(), dtype=bool)
    """
    if encoding not in (None, "wav"):
        raise ValueError(f"Unknown encoding: {encoding!r}; use 'wav'.")
    encode = partial(_clips, rate=int(sample_rate), max_outputs=int(max_outputs))
    return _record(name, data, step, "audio", encode, description, _WAV)


def _clips(data: Array, rate: int, max_outputs: int) -> Any:
    """Return pairs of a WAV file and its label, which is empty."""
    _require_rank("audio", data, 3, "[clips, frames, channels]")
    if np.isnan(data).any():
        raise invalid("A summary of audio needs samples from -1 to 1, but there are NaN.")
    # 1.0 is one more than the largest of 16 bits.
    samples = np.clip(np.rint(data[:max_outputs].astype(np.float64) * 2**15), -(2**15), 2**15 - 1)
    clips = np.empty((len(samples), 2), object)
    clips[:, 1] = b""
    for number, clip in enumerate(samples.astype("<i2")):
        clips[number, 0] = _wav(clip, rate)
    return clips


def _wav(clip: Array, rate: int) -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setparams((clip.shape[1], 2, rate, clip.shape[0], "NONE", ""))
        file.writeframes(clip.tobytes())
    return buffer.getvalue()
