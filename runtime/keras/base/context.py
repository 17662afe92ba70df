"""What the layers of this thread share during a call."""

from __future__ import annotations

import threading
from typing import Any


class _Context(threading.local):
    training: Any = None
    calling: bool = False
    path: tuple[str, ...] = ()
    compute_dtype: Any = None
    losses: bool = False


CONTEXT = _Context()
"""The calls that this thread is in.

`training` is that of the outermost call, None if it did not say. `calling` is true inside a call of
a layer. `path` holds the names of the layers that are being built, the outermost first. Float
variables are read in `compute_dtype`, None for their own. `losses` is true after any `add_loss`.
"""
