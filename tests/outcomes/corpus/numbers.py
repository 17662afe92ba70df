# %% max_with_nan_first: (1.0,), (-1.0,)
def program(x):
    return max(float("nan"), x)


# %% max_with_nan_last: (1.0,), (-1.0,)
def program(x):
    return max(x, float("nan"))


# %% min_with_nan_first: (1.0,), (-1.0,)
def program(x):
    return min(float("nan"), x)


# %% min_with_nan_last: (1.0,), (-1.0,)
def program(x):
    return min(x, float("nan"))


# %% max_of_nan_made: (0.0,), (1.0,)
def program(x):
    inf = float("inf")
    n = x * inf
    return max(n, 5.0), max(5.0, n), min(n, 5.0), min(5.0, n)


# %% max_of_list_with_nan: (1.0,), (3.0,)
def program(x):
    return max([x, float("nan"), 2.0]), max([float("nan"), x, 2.0])


# %% max_of_tensor_with_nan: ((1.0, float("nan"), 2.0),), ((float("nan"), 1.0, 2.0),)
def program(xs):
    return max(xs), min(xs)


# %% sorted_keeps_equal: (3,), (-3,)
def program(x):
    return sorted([x, 0, 1])


# %% max_three: (1,), (5,), (-1,)
def program(x):
    return max(x, 0, 4)


# %% max_default: (1,), (5,)
def program(x):
    return max([], default=x)


# %% max_of_int_and_float: (1,), (5,)
def program(x):
    return max(x, 2.5)


# %% list_repeated: (3,), (0,)
def program(x):
    return [7] * x


# %% list_repeated_left: (3,), (0,)
def program(x):
    return x * [7]


# %% list_repeated_negative: (-2,), (2,)
def program(x):
    return len([7] * x)


# %% list_repeated_then_written: (3,), (4,)
def program(x):
    v = [0] * x
    v[1] = 5
    return v


# %% tuple_repeated: (3,), (0,)
def program(x):
    return (1, 2) * x


# %% tenth: (0.1,), (0.2,)
def program(x):
    return x + 0.2 == 0.30000000000000004


# %% float_literal_precision: (1,), (2,)
def program(x):
    y = 0.1
    if x > 1:
        y = 0.2
    return y == 0.1, y == 0.2


# %% float_sum_in_loop: (10,), (0,)
def program(n):
    total = 0.0
    for i in range(n):
        total += 0.1
    return total == 0.9999999999999999


# %% float_state_in_double: (10,), (0,)
def program(n):
    total = 0.0
    i = 0
    while i < n:
        total += 0.1
        i += 1
    return total


# %% big_float_literal: (1,), (2,)
def program(x):
    y = 16777217.0
    if x > 1:
        y = 2.0
    return y


# %% true_division: (7,), (-7,)
def program(x):
    return x / 2


# %% true_division_of_big: (16777217,), (1,)
def program(x):
    return x / 1


# %% floor_division: (7,), (-7,)
def program(x):
    return x // 2, x % 3, -x // 2


# %% floor_division_by_negative: (7,), (-7,)
def program(x):
    return x // -2, x % -3


# %% float_modulo: (7.5,), (-7.5,)
def program(x):
    return x // 2, x % 2, x % -2


# %% divmod_function: (7,), (-7,)
def program(x):
    return divmod(x, 3)


# %% divmod_of_floats: (7.5,), (-7.5,)
def program(x):
    return divmod(x, 2.0)


# %% divmod_reversed: (7,), (-7,)
def program(x):
    return divmod(50, x)


# %% zero_division: (1,), (0,)
def program(x):
    return 10 // x


# %% zero_division_in_untaken_branch: (1,), (0,)
def program(x):
    if x != 0:
        y = 10 // x
    else:
        y = 0
    return y


# %% modulo_zero: (1,), (0,)
def program(x):
    return 10 % x


# %% shift_left: (3,), (0,)
def program(x):
    return 1 << x, x << 2


# %% shift_right: (9,), (-9,)
def program(x):
    return x >> 1, 1024 >> 3


# %% shift_by_negative: (1,), (-1,)
def program(x):
    return 1 << x


# %% augmented_shift: (9,), (-9,)
def program(x):
    x <<= 2
    x >>= 1
    return x


# %% bit_operations: (12,), (-12,)
def program(x):
    return x & 10, x | 3, x ^ 5, ~x


# %% bool_operations: (3,), (-3,)
def program(x):
    a, b = x > 0, x < 10
    return a & b, a | b, a ^ b


# %% bool_plus_one: (3,), (-3,)
def program(x):
    return (x > 0) + 1


# %% bool_call_plus_one: (3,), (0,)
def program(x):
    return bool(x) + 1


# %% bool_times: (3,), (-3,)
def program(x):
    return (x > 0) * 5 - (x < 0) * 7


# %% bool_sum: (3,), (-3,)
def program(x):
    return sum([x > 0, x > 1, x > 5])


# %% int_of_bool: (3,), (-3,)
def program(x):
    return int(x > 0)


# %% not_number: (3,), (0,)
def program(x):
    return not x


# %% int_of_float: (2.7,), (-2.7,)
def program(x):
    return int(x)


# %% float_of_int: (2,), (-2,)
def program(x):
    return float(x)


# %% round_half: (2.5,), (3.5,), (-2.5,)
def program(x):
    return round(x)


# %% round_digits: (2.345,), (-1.005,)
def program(x):
    return round(x, 1)


# %% round_of_int: (15,), (25,)
def program(x):
    return round(x), round(x, -1)


# %% math_floor: (2.7,), (-2.7,)
import math


def program(x):
    return math.floor(x), math.ceil(x), math.trunc(x)


# %% math_roots: (4.0,), (2.25,)
import math


def program(x):
    return math.sqrt(x), math.pow(x, 2), math.hypot(x, 3.0)


# %% math_sqrt_of_negative: (4.0,), (-1.0,)
import math


def program(x):
    return math.sqrt(x)


# %% math_log_of_zero: (4.0,), (0.0,)
import math


def program(x):
    return math.log(x)


# %% math_exp_log: (1.0,), (0.5,)
import math


def program(x):
    return math.exp(x), math.log(x), math.log2(x), math.log10(x), math.log1p(x)


# %% math_log_base: (8.0,), (2.0,)
import math


def program(x):
    return math.log(x, 2)


# %% math_trigonometry: (1.0,), (0.5,)
import math


def program(x):
    return math.sin(x), math.cos(x), math.tan(x), math.atan2(x, 2.0), math.degrees(x)


# %% math_of_int: (4,), (9,)
import math


def program(x):
    return math.sqrt(x)


# %% math_isqrt: (10,), (16,)
import math


def program(x):
    return math.isqrt(x)


# %% math_gcd: (12,), (7,)
import math


def program(x):
    return math.gcd(x, 18)


# %% math_factorial: (5,), (0,)
import math


def program(x):
    return math.factorial(x)


# %% math_comb: (5,), (2,)
import math


def program(x):
    return math.comb(x, 2)


# %% math_isnan: (1.0,), (float("nan"),)
import math


def program(x):
    return math.isnan(x), math.isinf(x), math.isfinite(x)


# %% math_copysign: (1.0,), (-1.0,)
import math


def program(x):
    return math.copysign(3.0, x), math.fabs(x), math.fmod(x, 2.0)


# %% math_prod: (3,), (-3,)
import math


def program(x):
    return math.prod([x, 2, x])


# %% math_fsum: (0.5,), (-3.0,)
import math


def program(x):
    return math.fsum([x, 2.0, x])


# %% math_isclose: (0.5,), (0.5000001,)
import math


def program(x):
    return math.isclose(x, 0.5, rel_tol=1e-3)


# %% math_modf: (2.75,), (-2.75,)
import math


def program(x):
    return math.modf(x)


# %% math_frexp: (2.75,), (-8.0,)
import math


def program(x):
    return math.frexp(x)


# %% math_erf: (0.5,), (-0.5,)
import math


def program(x):
    return math.erf(x), math.gamma(x + 3.0)


# %% math_cbrt: (8.0,), (-27.0,)
import math


def program(x):
    return math.cbrt(x)


# %% math_dist: (1.0,), (2.0,)
import math


def program(x):
    return math.dist([x, 0.0], [0.0, 1.0])


# %% math_in_branch: (4.0,), (-4.0,)
import math


def program(x):
    return math.sqrt(x) if x > 0 else math.floor(x)


# %% abs_pow: (3,), (-3,)
def program(x):
    return abs(x), pow(x, 2), x**3, pow(x, 2, 5)


# %% power_of_two: (3,), (0,)
def program(x):
    return 2**x


# %% negative_power: (3,), (-3,)
def program(x):
    return 2.0**x


# %% power_of_int_negative: (2,), (-1,)
def program(x):
    return 2**x


# %% chained_comparison: (3,), (7,), (-3,)
def program(x):
    return 0 < x < 5, 0 < x != 3


# %% equality_of_mixed: (1,), (2,)
def program(x):
    return x == 1.0, x != True, x in (1, 2.0)


# %% int_overflow_in_loop: (40,), (3,)
def program(n):
    y = 1
    for i in range(n):
        y = y * 2
    return y


# %% factorial: (5,), (12,)
def program(n):
    y = 1
    while n > 1:
        y *= n
        n -= 1
    return y


# %% fibonacci_overflow: (10,), (60,)
def program(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


# %% int_attributes: (5,), (8,)
def program(x):
    return x.bit_length()


# %% real_imag: (5,), (8,)
def program(x):
    return x.real, x.imag


# %% is_integer: (5.0,), (8.5,)
def program(x):
    return x.is_integer()


# %% bit_count: (5,), (8,)
def program(x):
    return x.bit_count()


# %% conjugate: (5,), (-8,)
def program(x):
    return x.conjugate()


# %% integer_sqrt_loop: (17,), (0,)
def program(n):
    r = 0
    while (r + 1) * (r + 1) <= n:
        r += 1
    return r


# %% gcd_loop: (12, 18), (7, 5)
def program(a, b):
    while b:
        a, b = b, a % b
    return a


# %% collatz: (6,), (1,)
def program(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


# %% mean_and_variance: ((1.0, 2.0, 4.0),), ((0.0, 0.0, 0.0),)
def program(xs):
    m = sum(xs) / len(xs)
    return m, sum((v - m) ** 2 for v in xs) / len(xs)


# %% complex_numbers: (1.0,), (-2.0,)
def program(x):
    z = complex(1.0, 2.0)
    y = 0.0
    if x > 0:
        y = z.real
    return y


# %% inf_and_comparison: (1.0,), (-2.0,)
def program(x):
    best = float("inf")
    if x < best:
        best = x
    return best


# %% inf_int_mix: (1,), (-2,)
def program(x):
    best = float("inf")
    if x > 0:
        best = min(best, x)
    return best


# %% inf_in_loop: ((3, 1, 2),), ((5, 5, 5),)
def program(xs):
    best = float("inf")
    for v in xs:
        if v < best:
            best = v
    return best

# %% nan_max_key: (float("nan"), 1.0), (1.0, float("nan"))
def program(a, b):
    return max(a, b, key=lambda v: -v), min([a, b], key=abs)

# %% nan_max_default: (float("nan"),), (1.0,)
def program(a):
    return max([a], default=0.0), max(a, 0.0), max(0.0, a), min(0.0, a)

# %% inf_minmax: (float("inf"), 1.0), (float("-inf"), 2.0)
def program(a, b):
    return max(a, b), min(a, b), -a

# %% signed_zero_max: (0.0, -0.0), (-0.0, 0.0)
import math
def program(a, b):
    return math.copysign(1.0, max(a, b)), math.copysign(1.0, min(a, b))
