"""Layers that know a vocabulary: tokens as indices, and texts as sequences of indices."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

import runtime as tf
from runtime.keras.base.conversion import user_code
from runtime.keras.base.standard import StandardLayer
from runtime.keras.families import check_choice
from runtime.keras.layers.encoding import encode


class _Lookup(StandardLayer):
    """What both lookups share; a token is bytes or an int.

    The vocabulary is the mask token (for indices alone), the tokens of unknown inputs, and the
    tokens. `adapt` orders tokens by their number, equal ones by the token, the last one first.
    """

    docs = {
        "max_tokens": "the largest size of the vocabulary; None: no limit.",
        "num_oov_indices": "the number of indices of unknown tokens; 0: they are errors.",
        "mask_token": "the token of index 0, before the unknown ones; None: none.",
        "oov_token": "what `invert` returns for indices of unknown tokens.",
        "vocabulary": "the tokens, or the path of a file with one in each line; None: `adapt`.",
        "idf_weights": "weights of the tokens, for `tf_idf`.",
        "invert": "whether to return tokens for indices.",
        "output_mode": "`int`, `one_hot`, `multi_hot`, `count` or `tf_idf`.",
        "pad_to_max_tokens": "whether rows have length `max_tokens`.",
        "encoding": "the encoding of strings.",
    }
    choices = {"output_mode": ("int", "one_hot", "multi_hot", "count", "tf_idf")}
    _vocabulary: Any

    def _set_up(self) -> None:
        if self.invert and self.output_mode != "int":
            raise ValueError("`output_mode` must be 'int' when `invert` is true.")
        vocabulary, self._vocabulary = self._vocabulary, None
        if vocabulary is not None:
            self.set_vocabulary(vocabulary, self.idf_weights)

    def _token(self, value: object) -> Any:
        raise NotImplementedError

    def _bucket(self, inputs: object) -> Any:
        raise NotImplementedError

    @property
    def _special(self) -> list[Any]:
        """The mask token and the tokens of unknown inputs."""
        return [self.mask_token] * self._has_mask + [self.oov_token] * self.num_oov_indices

    @property
    def _has_mask(self) -> bool:
        return self.mask_token is not None and self.output_mode == "int"

    @property
    def vocabulary(self) -> list[Any] | None:
        """The tokens without the special ones; None before `adapt`."""
        return None if self._vocabulary is None else [*map(_display, self._vocabulary)]

    def set_vocabulary(self, vocabulary: Any, idf_weights: Any = None) -> None:
        """Set the tokens.

        Args:
          vocabulary: list, array or tensor of tokens, or the path of a text file with one in each
            line.
          idf_weights: weights of the tokens, for `tf_idf`.

        Raises: ValueError for a repeated token, or more than `max_tokens`.
        """
        if isinstance(vocabulary, str):
            with open(vocabulary, encoding="utf-8") as file:
                vocabulary = file.read().splitlines()
        words = [self._token(each) for each in np.asarray(vocabulary).tolist()]
        special = [self._token(each) for each in self._special]
        if special and words[: len(special)] == special:
            words = words[len(special) :]
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
            if idf_weights is None or len(idf_weights) != len(words):
                raise ValueError(
                    f"`idf_weights` must have a weight for each of the {len(words)} tokens if "
                    f"output_mode is 'tf_idf'. Received: idf_weights={idf_weights}"
                )
            self.idf_weights = [float(each) for each in idf_weights]
        self._vocabulary = words
        self._table = {word: number for number, word in enumerate(words, len(special))}
        if self._has_mask:
            self._table[self._token(self.mask_token)] = 0

    def get_vocabulary(self, include_special_tokens: bool = True) -> list[Any]:
        """Return the tokens in the order of their indices.

        Args:
          include_special_tokens: whether to return the mask token and those of unknown inputs.
        """
        words = self.vocabulary or []
        return [*self._special, *words] if include_special_tokens else words

    def vocabulary_size(self) -> int:
        """Return the number of tokens, special ones included."""
        return len(self.get_vocabulary())

    def adapt(self, data: object) -> None:
        """Take the tokens of data as vocabulary.

        Args:
          data: array, tensor or list of tokens, or dataset of batches of them.
        """
        self._adapt_to(map(self._token, np.ravel(array).tolist()) for array in _documents(data))

    def _adapt_to(self, documents: Iterable[Iterable[Any]]) -> None:
        counts: Counter[Any] = Counter()
        seen: Counter[Any] = Counter()
        number = 0
        for document in map(list, documents):
            counts.update(document)
            seen.update(set(document))
            number += 1
        for token in (self.mask_token, self.oov_token):
            counts.pop(self._token(token), None)
        words = sorted(sorted(counts, reverse=True), key=lambda word: -counts[word])
        if self.max_tokens is not None:
            words = words[: max(self.max_tokens - len(self._special), 0)]
        weights = [np.log(1.0 + number / (1.0 + seen[word])) for word in words]
        self.set_vocabulary([*map(_display, words)], weights)

    def _require_vocabulary(self) -> None:
        if self._vocabulary is None:
            raise RuntimeError(
                f"Layer '{self.name}' has no vocabulary: pass `vocabulary=` to "
                f"{type(self).__name__}, or call `adapt(data)` before."
            )

    def call(self, inputs: Any) -> Any:
        """Look up tokens.

        Args:
          inputs: tokens of shape [...]; with `invert` indices.

        Returns: int64 indices of shape [...], or their encodings; with `invert` tokens.
        """
        self._require_vocabulary()
        inputs = tf.convert_to_tensor(inputs)
        return self._inverse(inputs) if self.invert else self._encode(self._indices(inputs))

    def _indices(self, inputs: Any) -> Any:
        found = tf.numpy_function(self._find, [inputs], tf.int64)
        found = tf.ensure_shape(found, inputs.shape)
        start = int(self._has_mask)
        if self.num_oov_indices == 1:
            return tf.where(found < 0, tf.constant(start, tf.int64), found)
        if self.num_oov_indices > 1:
            return tf.where(found < 0, self._bucket(inputs) + start, found)
        missing = "When `num_oov_indices=0` all inputs should be in vocabulary, found OOV values."
        check = tf.debugging.assert_greater_equal(found, tf.constant(0, tf.int64), missing)
        with tf.control_dependencies([check]):
            return tf.identity(found)

    def _find(self, array: object) -> Any:
        """The indices of an array of tokens; -1 for unknown ones."""
        values = np.asarray(array)
        flat = [self._table.get(each, -1) for each in values.ravel().tolist()]
        return np.array(flat, np.int64).reshape(values.shape)

    def _encode(self, indices: object) -> Any:
        depth = self.vocabulary_size()
        if self.pad_to_max_tokens and self.max_tokens is not None:
            depth = self.max_tokens
        if self.output_mode != "tf_idf":
            return encode(indices, self.output_mode, depth, None, tf.int64)
        unknown = [np.mean(self.idf_weights)] * self.num_oov_indices
        known = np.array([*unknown, *self.idf_weights], np.float32)
        return encode(indices, "tf_idf", depth, np.pad(known, (0, depth - len(known))))

    def _inverse(self, indices: Any) -> Any:
        words = [self._token(each) for each in self.get_vocabulary()]
        unknown = tf.logical_or(indices < 0, indices >= len(words))
        safe = tf.where(unknown, tf.zeros_like(indices), indices)
        tokens = tf.gather(tf.constant(words), safe)
        return tf.where(unknown, tf.constant(self._token(self.oov_token), tokens.dtype), tokens)


def _display(token: object) -> Any:
    """A token as programs see it."""
    return token.decode() if isinstance(token, bytes) else token


def _documents(data: object) -> Iterator[Any]:
    """The elements along the first axis of an array or of the batches of a dataset."""
    for batch in data if isinstance(data, tf.data.Dataset) else [data]:
        array = batch.numpy() if hasattr(batch, "numpy") else np.asarray(batch)
        yield from np.atleast_1d(array)


class StringLookup(_Lookup):
    """Strings as indices.

    >>> layer = StringLookup(vocabulary=["a", "b"])
    >>> print(layer(["b", "x"]).numpy(), layer.get_vocabulary())
    [2 0] ['[UNK]', 'a', 'b']
    """

    parameters = {
        "max_tokens": None, "num_oov_indices": 1, "mask_token": None, "oov_token": "[UNK]",
        "vocabulary": None, "idf_weights": None, "invert": False, "output_mode": "int",
        "pad_to_max_tokens": False, "sparse": False, "encoding": "utf-8", "name": None,
    }  # fmt: skip

    def _token(self, value: object) -> Any:
        return value.encode(self.encoding) if isinstance(value, str) else value

    def _bucket(self, inputs: object) -> Any:
        return tf.strings.to_hash_bucket_fast(inputs, self.num_oov_indices)


class IntegerLookup(_Lookup):
    """Integers as indices.

    Args:
      vocabulary_dtype: the dtype of the integers.

    >>> print(IntegerLookup(vocabulary=[10, 20])(tf.constant([20, 7])).numpy())
    [2 0]
    """

    parameters = {
        "max_tokens": None, "num_oov_indices": 1, "mask_token": None, "oov_token": -1,
        "vocabulary": None, "vocabulary_dtype": "int64", "idf_weights": None, "invert": False,
        "output_mode": "int", "sparse": False, "pad_to_max_tokens": False, "name": None,
    }  # fmt: skip

    def _token(self, value: Any) -> Any:
        return None if value is None else int(value)

    def _bucket(self, inputs: object) -> Any:
        return tf.math.floormod(tf.cast(inputs, tf.int64), self.num_oov_indices)


_PUNCTUATION = re.compile(rb"""[!"#$%&()*+,\-./:;<=>?@\[\\\]^_`{|}~']""")

_STANDARDIZE: dict[Any, Callable[[bytes], bytes]] = {
    None: lambda text: text,
    "lower": bytes.lower,
    "strip_punctuation": lambda text: _PUNCTUATION.sub(b"", text),
    "lower_and_strip_punctuation": lambda text: _PUNCTUATION.sub(b"", text.lower()),
}
_SPLIT: dict[Any, Callable[[bytes], list[bytes]]] = {
    None: lambda text: [text],
    "whitespace": bytes.split,
    "character": lambda text: [each.encode() for each in text.decode()],
}


class TextVectorization(StringLookup):
    """Texts as sequences of indices, or as rows of counts.

    Args:
      standardize: `lower_and_strip_punctuation`, `lower`, `strip_punctuation`, None, or a function
        of a tensor of strings.
      split: `whitespace`, `character` or None.
      ngrams: the lengths of token sequences that count as tokens: all up to a number, or those of a
        tuple; None: 1.
      output_sequence_length: the number of indices of a text, for `int`; None: that of the longest.

    >>> layer = TextVectorization(vocabulary=["hello", "you"])
    >>> print(layer(["Hello, you there!", "you"]).numpy())
    [[2 3 1]
     [3 0 0]]
    """

    parameters = {
        "max_tokens": None, "standardize": "lower_and_strip_punctuation", "split": "whitespace",
        "ngrams": None, "output_mode": "int", "output_sequence_length": None,
        "pad_to_max_tokens": False, "vocabulary": None, "idf_weights": None, "sparse": False,
        "ragged": False, "encoding": "utf-8", "name": None,
    }  # fmt: skip
    docs = _Lookup.docs | {"output_mode": "`int`, `multi_hot`, `count` or `tf_idf`."}
    choices = {"output_mode": ("int", "multi_hot", "count", "tf_idf"), "split": (*_SPLIT,)}
    mask_token, oov_token = "", "[UNK]"
    num_oov_indices = 1
    invert = False

    def _set_up(self) -> None:
        if not callable(self.standardize):
            check_choice("standardize", self.standardize, _STANDARDIZE)
        sizes = range(1, self.ngrams + 1) if isinstance(self.ngrams, int) else self.ngrams or (1,)
        self._sizes = tuple(sizes)
        super()._set_up()

    def adapt(self, data: Any, batch_size: int | None = None, steps: int | None = None) -> None:
        """Take the tokens of texts as vocabulary.

        Args:
          data: array, tensor or list of texts, or dataset of texts or batches of them.
          batch_size: has no effect.
          steps: the number of batches of a dataset that count; None: all.
        """
        documents = _documents(data if steps is None else data.take(steps))
        texts = (text for document in documents for text in np.ravel(self._standard(document)))
        self._adapt_to(self._tokens(text) for text in texts)

    def _standard(self, texts: object) -> Any:
        """Texts after a `standardize` of the program."""
        if not callable(self.standardize):
            return texts
        return user_code(self.standardize)(tf.convert_to_tensor(texts)).numpy()

    def _tokens(self, text: Any) -> list[bytes]:
        """The tokens of a text."""
        text = text.encode(self.encoding) if isinstance(text, str) else bytes(text)
        if not callable(self.standardize):
            text = _STANDARDIZE[self.standardize](text)
        words = _SPLIT[self.split](text)
        return [
            b" ".join(words[start : start + size])
            for size in self._sizes
            for start in range(len(words) - size + 1)
        ]

    def _split_all(self, texts: Any) -> Any:
        """Tokens of all texts, padded with empty ones to the longest text."""
        rows = [self._tokens(text) for text in np.ravel(texts)]
        length = self._length()
        length = max(map(len, rows), default=0) if length is None else length
        result = np.full((len(rows), length), b"", object)
        for row, words in zip(result, rows, strict=True):
            row[: len(words)] = words[:length]
        return result

    def _length(self) -> int | None:
        length: int | None = self.output_sequence_length
        return length if self.output_mode == "int" else None

    def call(self, inputs: Any) -> Any:
        """Vectorize texts.

        Args:
          inputs: strings of shape [batch], [batch, 1] or [].

        Returns: int64 indices of shape [batch, tokens], 0 after the end of a text; or rows.
        """
        self._require_vocabulary()
        inputs = tf.convert_to_tensor(inputs)
        is_one = len(inputs.shape) == 0
        if callable(self.standardize):
            inputs = user_code(self.standardize)(inputs)
        words = tf.numpy_function(self._split_all, [inputs], tf.string)
        words = tf.ensure_shape(words, [1 if is_one else inputs.shape[0], self._length()])
        indices = self._indices(words)
        if self.output_mode != "int":
            indices = tf.where(tf.equal(words, ""), tf.constant(-1, tf.int64), indices)
        elif self.split is None:
            indices = indices[:, 0]
        outputs = self._encode(indices)
        return tf.squeeze(outputs, 0) if is_one else outputs
