"""`runtime.debugging`: checks of whole tensors."""

from runtime.ops.checks import assert_equal as assert_equal
from runtime.ops.checks import assert_greater as assert_greater
from runtime.ops.checks import assert_greater_equal as assert_greater_equal
from runtime.ops.checks import assert_less as assert_less
from runtime.ops.checks import assert_less_equal as assert_less_equal
from runtime.ops.checks import assert_near as assert_near
from runtime.ops.checks import assert_negative as assert_negative
from runtime.ops.checks import assert_non_negative as assert_non_negative
from runtime.ops.checks import assert_non_positive as assert_non_positive
from runtime.ops.checks import assert_none_equal as assert_none_equal
from runtime.ops.checks import assert_positive as assert_positive
from runtime.ops.dtype_checks import assert_integer as assert_integer
from runtime.ops.dtype_checks import assert_proper_iterable as assert_proper_iterable
from runtime.ops.dtype_checks import assert_same_float_dtype as assert_same_float_dtype
from runtime.ops.dtype_checks import assert_type as assert_type
from runtime.ops.dtype_checks import is_numeric_tensor as is_numeric_tensor
from runtime.ops.finite_checks import assert_all_finite as assert_all_finite
from runtime.ops.finite_checks import check_numerics as check_numerics
from runtime.ops.numerics_watch import disable_check_numerics as disable_check_numerics
from runtime.ops.numerics_watch import enable_check_numerics as enable_check_numerics
from runtime.ops.output import Assert as Assert
from runtime.ops.rank_checks import assert_rank as assert_rank
from runtime.ops.rank_checks import assert_rank_at_least as assert_rank_at_least
from runtime.ops.rank_checks import assert_rank_in as assert_rank_in
from runtime.ops.rank_checks import assert_scalar as assert_scalar
from runtime.ops.rank_checks import assert_shapes as assert_shapes
