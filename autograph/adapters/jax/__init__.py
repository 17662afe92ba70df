"""Converted code with values of JAX; the public functions."""

from autograph.adapters.jax.staging import checkify as checkify
from autograph.adapters.jax.staging import raising as raising
