"""Layers that encode categories, values and texts as numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

import runtime as tf
from runtime.keras.base.conversion import user_code
from runtime.keras.base.standard import REQUIRED, StandardLayer
from runtime.keras.families import check_choice

_MODES = ("int", "one_hot", "multi_hot", "count")


def encode(indices: Any, mode: str, depth: int, dtype: Any) -> Any:
    """Encode indices as they are, as a row for each, or as a row for those along the last axis.

    Rows have `depth` elements of `dtype`; negative indices count nowhere.
    """
    if mode == "int":
        return indices
    kind, rank = tf.as_dtype(dtype), len(indices.shape)
    if mode == "one_hot":
        is_column = rank and indices.shape[-1] == 1
        return tf.one_hot(tf.squeeze(indices, -1) if is_column else indices, depth, dtype=kind)
    reduce: Any = tf.reduce_max if mode == "multi_hot" else tf.reduce_sum
    return reduce(tf.one_hot(indices, depth, dtype=kind), -2 if rank else [])


class CategoryEncoding(StandardLayer):
    """Encode integers from 0 to `num_tokens - 1` as rows.

    Args:
      num_tokens: the length of the rows.
      output_mode: `multi_hot`, `one_hot` or `count`.

    Raises: InvalidArgumentError, when it is called, for an integer out of range.

    >>> print(CategoryEncoding(num_tokens=3)([[0, 2]]).numpy())
    [[1. 0. 1.]]
    """

    parameters = {"num_tokens": REQUIRED, "output_mode": "multi_hot"}
    choices = {"output_mode": _MODES[1:]}

    def call(self, inputs: Any) -> Any:
        """Encode integers of shape [batch], or [batch, tokens]."""
        indices: Any = tf.cast(tf.convert_to_tensor(inputs), tf.int64)
        text = (
            "Input values must be in the range 0 <= values < num_tokens with num_tokens="
            f"{self.num_tokens}."
        )
        tf.debugging.assert_non_negative(indices, text)
        tf.debugging.assert_less(indices, tf.constant(self.num_tokens, tf.int64), text)
        return encode(indices, self.output_mode, self.num_tokens, self.compute_dtype)


class Discretization(StandardLayer):
    """Map each value to the index of its bin.

    Args:
      bin_boundaries: ends of the intervals, ascending; None: those of `adapt`.
      num_bins: the number of intervals that `adapt` finds.

    Raises: ValueError for none of `bin_boundaries` and `num_bins`.

    >>> print(Discretization([0.0, 1.0])(tf.constant([-0.5, 0.5, 1.5])).numpy())
    [0 1 2]
    """

    parameters = {"bin_boundaries": None, "num_bins": None}

    def _set_up(self) -> None:
        ends: Any = self.bin_boundaries
        if ends is None and self.num_bins is None:
            raise ValueError(
                "You need to set either `num_bins` or `bin_boundaries`. Received: "
                f"num_bins={self.num_bins}, bin_boundaries={ends}"
            )
        self.bin_boundaries: Any = None if ends is None else list(ends)

    def adapt(self, data: object) -> None:
        """Take quantiles of data as ends of the intervals.

        Args:
          data: array, tensor, or dataset of batches.

        Raises: ValueError if the layer has no `num_bins`, or there is no data.
        """
        if self.num_bins is None:
            raise ValueError(
                f"Layer '{self.name}' has `bin_boundaries`: create it with `num_bins` to adapt it."
            )
        values = weights = np.zeros(0)
        for batch in data if isinstance(data, tf.data.Dataset) else [data]:
            found = np.sort(np.ravel(np.asarray(batch, np.float32)))
            step = max(found.size / 100, 1)  # Keras keeps a hundred values of each batch.
            found = found[int(step - 1) :: int(step)]
            values = np.concatenate([found, values])
            weights = np.concatenate([np.full(found.size, step), weights])
            order = np.argsort(values)
            values, weights = _summary(values[order], weights[order], 0.01)
        if not values.size:
            raise ValueError(f"`adapt` of layer '{self.name}' received no data.")
        ends, _ = _summary(values, weights, 1.0 / self.num_bins)
        self.bin_boundaries = ends[: self.num_bins - 1].tolist()

    def call(self, inputs: Any) -> Any:
        """Return the numbers of the intervals.

        Raises:
          ValueError: if the layer has no intervals yet.
        """
        known = self.bin_boundaries
        if known is None:
            raise ValueError(
                f"Layer '{self.name}' has no intervals: pass `bin_boundaries=` to Discretization, "
                "or call `adapt(data)` before."
            )
        inputs = tf.cast(tf.convert_to_tensor(inputs), tf.float32)
        ends = tf.constant(known, tf.float32)
        flat = tf.searchsorted(ends, tf.reshape(inputs, [-1]), side="right")
        return tf.ensure_shape(tf.reshape(flat, tf.shape(inputs)), inputs.shape)


def _summary(values: Any, weights: Any, share: float) -> tuple[Any, Any]:
    """Return the quantiles of weighted values in ascending order, with the weights between them.

    There is one for each `share` of the weight; fewer values stay as they are.
    """
    if values.size * share < 1:
        return values, weights
    shares = share + np.arange(0.0, 1.0, share)
    sums = weights.cumsum()
    known = sums / sums[-1]
    return np.interp(shares, known, values), np.diff(np.interp(shares, known, sums), prepend=0.0)


class Hashing(StandardLayer):
    """Map categories to buckets by a hash.

    Args:
      num_bins: the number of buckets.

    >>> print(Hashing(3)(tf.constant(["a", "b", "c", "d"])).numpy())
    [0 1 1 2]
    """

    parameters = {"num_bins": REQUIRED}

    def call(self, inputs: Any) -> Any:
        """Return the numbers of the buckets."""
        inputs = tf.convert_to_tensor(inputs)
        texts = inputs if inputs.dtype == tf.string else tf.strings.as_string(inputs)
        return tf.strings.to_hash_bucket_fast(texts, self.num_bins)


def _lookup_parameters(oov_token: object) -> dict[str, Any]:
    return {
        "max_tokens": None, "num_oov_indices": 1, "mask_token": None, "oov_token": oov_token,
        "*": None, "vocabulary": None, "idf_weights": None, "invert": False, "output_mode": "int",
        "name": None,
    }  # fmt: skip


class _Lookup(StandardLayer):
    """Base class of layers with a vocabulary; a token is bytes or an int.

    The indices are first those of `_special` tokens, then those of the vocabulary. `adapt` orders
    tokens by their number, equal ones by the token, the last one first.
    """

    docs = {
        "max_tokens": "the largest size of the vocabulary; None: no limit.",
        "num_oov_indices": "the number of indices of unknown tokens; 0: they are errors.",
        "mask_token": "token of index 0, for inputs that do not count; None: there is none.",
        "oov_token": "what `get_vocabulary` and an inverted layer show for unknown tokens.",
        "invert": "whether the inputs are indices, the outputs tokens.",
        "vocabulary": "the tokens, or the path of a file with one in each line; None: `adapt`.",
        "idf_weights": "weights of the tokens, for `tf_idf`.",
        "output_mode": "`int`, `one_hot`, `multi_hot`, `count` or `tf_idf`.",
    }
    choices = {"output_mode": (*_MODES, "tf_idf")}
    num_oov_indices = 1
    invert = False
    oov_token: Any = "[UNK]"
    mask_token: Any = None

    def _set_up(self) -> None:
        if self.output_mode != "int" and (self.invert or self.mask_token is not None):
            raise ValueError(
                f"`mask_token` and `invert` need output_mode='int', not '{self.output_mode}'."
            )
        self.padding = () if self.mask_token is None else (self.mask_token,)
        self._special = [*self.padding, *[self.oov_token] * self.num_oov_indices]
        if self.vocabulary is not None:
            self._set_vocabulary(self.vocabulary, self.idf_weights)

    def _token(self, value: Any) -> Any:
        raise NotImplementedError

    def _typed(self, inputs: Any) -> Any:
        """Return inputs in the dtype of tokens."""
        raise NotImplementedError

    def _bucket(self, inputs: object) -> Any:
        raise NotImplementedError

    def _set_vocabulary(self, vocabulary: Any, idf_weights: Any) -> None:
        if isinstance(vocabulary, str):
            with open(vocabulary, encoding="utf-8") as file:
                vocabulary = file.read().splitlines()
        words, special = np.asarray(vocabulary).tolist(), self._special
        if special and words[: len(special)] == special:
            words = words[len(special) :]
        words = [self._token(each) for each in words]
        repeated = [_display(word) for word, count in Counter(words).items() if count > 1]
        if repeated:
            raise ValueError(
                "The passed vocabulary has at least one repeated term. Please uniquify your "
                f"dataset. The repeated terms are: {repeated}"
            )
        size = len(words) + len(special)
        if self.max_tokens is not None and size > self.max_tokens:
            raise ValueError(
                f"Attempted to set a vocabulary larger than the maximum vocab size. Received: "
                f"vocabulary size {size}, max_tokens={self.max_tokens}."
            )
        if self.output_mode == "tf_idf":
            self.idf_weights: Any = [float(each) for each in idf_weights]
        self.vocabulary: Any = [*map(_display, words)]
        self._table = {word: number for number, word in enumerate(words, len(special))}
        self._table |= {self._token(each): 0 for each in self.padding}

    def get_vocabulary(self) -> list[Any]:
        """Return the tokens in the order of their indices, those of unknown inputs included."""
        return [*self._special, *(self.vocabulary or [])]

    def vocabulary_size(self) -> int:
        """Return the number of tokens, those of unknown inputs included."""
        return len(self.get_vocabulary())

    def adapt(self, data: object) -> None:
        """Take the tokens of data as vocabulary.

        Args:
          data: array, tensor or list, or dataset of elements or batches of them.
        """
        counts: Counter[Any] = Counter()
        seen: Counter[Any] = Counter()
        number = 0
        for document in self._documents(data):
            counts.update(document)
            seen.update(set(document))
            number += 1
        for token in self._special:
            counts.pop(self._token(token), None)
        words = sorted(sorted(counts, reverse=True), key=lambda word: -counts[word])
        if self.max_tokens is not None:
            words = words[: max(self.max_tokens - len(self._special), 0)]
        weights = [np.log(1.0 + number / (1.0 + seen[word])) for word in words]
        self._set_vocabulary([*map(_display, words)], weights)

    def _documents(self, data: object) -> Iterable[list[Any]]:
        """Yield the tokens of each element of data."""
        return ([*map(self._token, np.ravel(each).tolist())] for each in _elements(data))

    def call(self, inputs: Any) -> Any:
        """Return int64 indices of tokens of shape [...], or their encodings; or tokens."""
        inputs = tf.convert_to_tensor(inputs)
        if self.invert:
            return self._tokens(inputs)
        return self._encode(self._indices(self._typed(inputs)))

    def _tokens(self, indices: Any) -> Any:
        """Return the tokens of indices; `oov_token` for other numbers."""
        self._check_vocabulary()
        known = self.get_vocabulary()
        indices = tf.cast(indices, tf.int64)
        is_known = (indices >= 0) & (indices < len(known))
        tokens = tf.constant(np.asarray([*known, self.oov_token]))
        return tf.gather(tokens, tf.where(is_known, indices, len(known)))

    def _check_vocabulary(self) -> None:
        if self.vocabulary is None:
            raise RuntimeError(
                f"Layer '{self.name}' has no vocabulary: pass `vocabulary=` to "
                f"{type(self).__name__}, or call `adapt(data)` before."
            )

    def _indices(self, inputs: Any) -> Any:
        self._check_vocabulary()
        found = tf.ensure_shape(tf.numpy_function(self._find, [inputs], tf.int64), inputs.shape)
        if self.num_oov_indices == 1:
            return tf.where(found < 0, tf.constant(len(self.padding), tf.int64), found)
        if self.num_oov_indices > 1:
            return tf.where(found < 0, self._bucket(inputs), found)
        missing = "When `num_oov_indices=0` all inputs should be in vocabulary, found OOV values."
        check = tf.debugging.assert_greater_equal(found, tf.constant(0, tf.int64), missing)
        with tf.control_dependencies([check]):
            return tf.identity(found)

    def _find(self, array: object) -> Any:
        """Return the indices of an array of tokens; -1 for unknown ones."""
        values = np.asarray(array)
        flat = [self._table.get(each, -1) for each in values.ravel().tolist()]
        return np.array(flat, np.int64).reshape(values.shape)

    def _encode(self, indices: object) -> Any:
        depth = len(self.get_vocabulary())
        if self.output_mode != "tf_idf":
            return encode(indices, self.output_mode, depth, tf.int64)
        unknown = [np.mean(self.idf_weights)] * self.num_oov_indices
        weights = np.array([*unknown, *self.idf_weights], np.float32)
        return encode(indices, "count", depth, tf.float32) * weights


def _display(token: object) -> Any:
    """Return a token as programs see it."""
    return token.decode() if isinstance(token, bytes) else token


def _elements(data: object) -> Iterator[Any]:
    """Yield the elements along the first axis of an array or of the batches of a dataset."""
    for batch in data if isinstance(data, tf.data.Dataset) else [data]:
        array = batch.numpy() if hasattr(batch, "numpy") else np.asarray(batch)
        yield from np.atleast_1d(array)


class StringLookup(_Lookup):
    """Map strings to indices.

    >>> layer = StringLookup(vocabulary=["a", "b"])
    >>> print(layer(["b", "x"]).numpy(), layer.get_vocabulary())
    [2 0] ['[UNK]', 'a', 'b']
    >>> print(StringLookup(vocabulary=["a", "b"], invert=True)([2, 0]).numpy())
    [b'b' b'[UNK]']
    """

    parameters = _lookup_parameters("[UNK]")

    def _token(self, value: Any) -> Any:
        if not isinstance(value, (str, bytes)):
            raise TypeError(f"{type(self).__name__} '{self.name}' takes strings, not {value!r}.")
        return value.encode() if isinstance(value, str) else value

    def _typed(self, inputs: Any) -> Any:
        if inputs.dtype != tf.string:
            raise TypeError(
                f"{type(self).__name__} '{self.name}' takes strings, not {inputs.dtype.name}. "
                "Convert numbers by `tf.strings.as_string`, or use IntegerLookup."
            )
        return inputs

    def _bucket(self, inputs: object) -> Any:
        return tf.strings.to_hash_bucket_fast(inputs, self.num_oov_indices)


class IntegerLookup(_Lookup):
    """Map integers to indices.

    >>> print(IntegerLookup(vocabulary=[10, 20])(tf.constant([20, 7])).numpy())
    [2 0]
    """

    parameters = _lookup_parameters(-1)

    def _token(self, value: Any) -> Any:
        return int(value)

    def _typed(self, inputs: Any) -> Any:
        is_text = inputs.dtype == tf.string
        return tf.strings.to_number(inputs, tf.int64) if is_text else tf.cast(inputs, tf.int64)

    def _bucket(self, inputs: object) -> Any:
        return tf.math.floormod(inputs, self.num_oov_indices)


_PUNCTUATION = re.compile(rb"""[!"#$%&()*+,\-./:;<=>?@\[\\\]^_`{|}~']""")
_STANDARDIZE: dict[str | None, Callable[[bytes], bytes]] = {
    None: bytes,
    "lower": bytes.lower,
    "strip_punctuation": lambda text: _PUNCTUATION.sub(b"", text),
    "lower_and_strip_punctuation": lambda text: _PUNCTUATION.sub(b"", text.lower()),
}
_SPLIT: dict[str, Callable[[bytes], list[bytes]]] = {
    "whitespace": bytes.split,
    "character": lambda text: [each.encode() for each in text.decode()],
}


class TextVectorization(StringLookup):
    """Texts as sequences of indices, or as rows of counts, of words.

    Args:
      standardize: how texts are changed before: `lower_and_strip_punctuation`, `lower`,
        `strip_punctuation`, None for not at all, or a function from strings to strings.
      split: `whitespace` or `character`.
      output_sequence_length: the number of indices of each text, by zeros or without its end; None:
        that of the longest text.
      ragged: False: all tensors are dense.

    Raises: ValueError for ragged outputs.

    >>> layer = TextVectorization(vocabulary=["hello", "you"])
    >>> print(layer(["Hello, you there!", "you"]).numpy())
    [[2 3 1]
     [3 0 0]]
    """

    parameters = {
        "max_tokens": None, "standardize": "lower_and_strip_punctuation", "split": "whitespace",
        "*": None, "output_mode": "int", "output_sequence_length": None, "vocabulary": None,
        "idf_weights": None, "ragged": False, "name": None,
    }  # fmt: skip
    choices = {
        "output_mode": ("int", "multi_hot", "count", "tf_idf"), "ragged": (False,),
        "split": tuple(_SPLIT),
    }  # fmt: skip

    def _set_up(self) -> None:
        if not callable(self.standardize):
            check_choice("standardize", self.standardize, _STANDARDIZE)
        self.mask_token = "" if self.output_mode == "int" else None
        super()._set_up()

    def _documents(self, data: object) -> Iterable[list[Any]]:
        rows = map(np.ravel, map(self._standardized, _elements(data)))
        return (self._words(text) for row in rows for text in row)

    def _standardized(self, texts: Any) -> Any:
        return user_code(self.standardize)(texts) if callable(self.standardize) else texts

    def _words(self, text: Any) -> list[bytes]:
        own = bytes(self._token(text))
        change = bytes if callable(self.standardize) else _STANDARDIZE[self.standardize]
        return _SPLIT[self.split](change(own))

    def _split(self, texts: Any) -> Any:
        """Words of all texts, padded with empty ones to the longest text or the given length."""
        rows = [self._words(text)[: self.output_sequence_length] for text in np.ravel(texts)]
        length = self.output_sequence_length or max(map(len, rows), default=0)
        result = np.full((len(rows), length), b"", object)
        for row, words in zip(result, rows, strict=True):
            row[: len(words)] = words
        return result

    def call(self, inputs: Any) -> Any:
        """Vectorize texts.

        Args:
          inputs: strings of shape [batch], [batch, 1] or [].

        Returns: int64 indices of shape [batch, words], 0 after the end of a text; or rows.
        """
        inputs = self._standardized(self._typed(tf.convert_to_tensor(inputs)))
        is_one = len(inputs.shape) == 0
        words = tf.numpy_function(self._split, [inputs], tf.string)
        words = tf.ensure_shape(
            words, [1 if is_one else inputs.shape[0], self.output_sequence_length]
        )
        indices = self._indices(words)
        if self.output_mode != "int":
            indices = tf.where(tf.equal(words, ""), tf.constant(-1, tf.int64), indices)
        outputs = self._encode(indices)
        return tf.squeeze(outputs, 0) if is_one else outputs
