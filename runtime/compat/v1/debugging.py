"""`compat.v1.debugging`: checks under the arguments of version 1."""

from typing import Any

from runtime import debugging as _later
from runtime.compat.v1 import numbers
from runtime.compat.v1.checks import assert_equal as assert_equal
from runtime.compat.v1.checks import assert_greater as assert_greater
from runtime.compat.v1.checks import assert_greater_equal as assert_greater_equal
from runtime.compat.v1.checks import assert_less as assert_less
from runtime.compat.v1.checks import assert_less_equal as assert_less_equal
from runtime.compat.v1.checks import assert_near as assert_near
from runtime.compat.v1.checks import assert_negative as assert_negative
from runtime.compat.v1.checks import assert_non_negative as assert_non_negative
from runtime.compat.v1.checks import assert_non_positive as assert_non_positive
from runtime.compat.v1.checks import assert_none_equal as assert_none_equal
from runtime.compat.v1.checks import assert_positive as assert_positive
from runtime.compat.v1.checks import assert_rank as assert_rank
from runtime.compat.v1.checks import assert_rank_at_least as assert_rank_at_least
from runtime.compat.v1.checks import assert_rank_in as assert_rank_in
from runtime.compat.v1.checks import assert_scalar as assert_scalar
from runtime.math import is_finite as is_finite
from runtime.math import is_inf as is_inf
from runtime.math import is_nan as is_nan
from runtime.math import is_non_decreasing as is_non_decreasing
from runtime.math import is_strictly_increasing as is_strictly_increasing

assert_all_finite = numbers.verify_tensor_all_finite


def __getattr__(name: str) -> Any:
    """What means the same in both versions. Raises AttributeError if there is no such name."""
    return getattr(_later, name)


def __dir__() -> list[str]:
    """The names of both versions."""
    return sorted({*globals(), *dir(_later)})
