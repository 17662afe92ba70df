"""Errors for what a NumPy program asks and a graph does not have."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from runtime.core.errors import StagingError

NEAREST = {
    "convolve": "runtime.nn.conv1d", "correlate": "runtime.nn.conv1d",
    "exp2": "`2.0 ** x`", "float_power": "`x ** y`", "hypot": "`np.sqrt(x * x + y * y)`",
    "log2": "`np.log(x) / np.log(2)`", "log10": "`np.log(x) / np.log(10)`",
    "histogram": "np.bincount", "interp": "np.searchsorted", "lexsort": "np.argsort",
    "partition": "np.sort", "argpartition": "np.argsort", "percentile": "np.sort",
    "quantile": "np.sort", "vectorize": "a loop",
    "fft": "runtime.signal.fft", "ifft": "runtime.signal.ifft", "rfft": "runtime.signal.rfft",
    "lstsq": "runtime.linalg.qr", "pinv": "runtime.linalg.svd", "eig": "runtime.linalg.eigh",
}  # fmt: skip
"""The nearest operation to a function that has no row in the tables."""


def unsupported(name: str, known: Iterable[str] = ()) -> StagingError:
    """Return the error for a function of NumPy that no table has.

    Args:
      name: the function, as programs write it: `np.interp`.
      known: the functions that the tables have.
    """
    last = name.rpartition(".")[2]
    alike = difflib.get_close_matches(name, known, 1, 0.7)
    nearest = NEAREST.get(last) or (alike[0] if alike else "")
    remedy = f"The nearest is {nearest}." if nearest else "Compute it outside, and pass the result."
    return StagingError(
        f"`{name}` of a traced array has no operation in this runtime.",
        public=NotImplementedError,
        remedy=remedy,
    )


def refuse(what: str, remedy: str, public: type[Exception] = TypeError) -> StagingError:
    """Return the error for a use of an array that a graph cannot express."""
    return StagingError(what, public=public, remedy=remedy)
