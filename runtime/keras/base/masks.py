"""Masks that layers attach to tensors: which steps of a sequence count."""

from __future__ import annotations

import weakref
from typing import Any

import runtime as tf

_masks: dict[int, tuple[weakref.ref[Any], Any]] = {}


def attach_mask(tensor: object, mask: object) -> None:
    """Keep a mask [batch, steps] for as long as its tensor lives; None: no mask."""
    if mask is None or not isinstance(tensor, tf.Tensor):
        return
    number = id(tensor)
    reference = weakref.ref(tensor, lambda _: _masks.pop(number, None))
    _masks[number] = reference, mask


def mask_of(tensor: object) -> Any:
    """Return the mask of a tensor, or None."""
    found = _masks.get(id(tensor)) if _masks else None
    return None if found is None or found[0]() is not tensor else found[1]


def masks_of(tensors: object) -> Any:
    """Return the masks of a structure of tensors in the same structure; None if none has a mask."""
    if isinstance(tensors, tf.Tensor) or not tf.nest.is_nested(tensors):
        return mask_of(tensors)
    masks = [mask_of(tensor) for tensor in tf.nest.flatten(tensors)]
    if all(mask is None for mask in masks):
        return None
    return tf.nest.pack_sequence_as(tensors, masks)
