"""Sequences as rows of one length."""

from runtime.keras.utils.arrays import pad_sequences as pad_sequences
