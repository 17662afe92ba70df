"""Loops over tensors and with conditions on tensors."""

from tests.runtime.oracle.corpus import differs


def while_counts(tf):
    @tf.function
    def count(n):
        i = tf.constant(0)
        while i * i < n:
            i += 1
        return i

    return count(tf.constant(50)), count(tf.constant(0))


def greatest_common_divisor(tf):
    @tf.function
    def gcd(a, b):
        while b != 0:
            a, b = b, a % b
        return a

    return gcd(tf.constant(48), tf.constant(36)), gcd(tf.constant(7), tf.constant(0))


def collatz(tf):
    @tf.function
    def steps(n):
        count = 0
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            count += 1
        return count

    return [steps(tf.constant(n)) for n in (1, 6, 27)]


def fibonacci(tf):
    @tf.function
    def fib(n):
        a, b = tf.constant(0), tf.constant(1)
        for _ in tf.range(n):
            a, b = b, a + b
        return a

    return [fib(tf.constant(n)) for n in (0, 1, 10)]


def for_over_rows(tf):
    @tf.function
    def sum_rows(x):
        total = tf.zeros([2])
        for row in x:
            total += row
        return total

    return sum_rows(tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))


def for_over_range_with_step(tf):
    @tf.function
    def total(n):
        s = 0
        for i in tf.range(1, n, 3):
            s += i
        return s

    return total(tf.constant(20)), total(tf.constant(1))


def for_over_unknown_length(tf):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def alternate(x):
        sign = 1
        total = 0
        for v in x:
            total += sign * v
            sign = -sign
        return total

    return alternate(tf.constant([5, 3, 1])), alternate(tf.constant([], tf.int32))


def unrolled_python_loop(tf):
    @tf.function
    def power(x):
        y = x
        for _ in range(3):
            y = y * x
        return y

    return power(tf.constant(2.0))


@differs(
    "`while True` with a break on a tensor is staged",
    tensorflow="NotImplementedError",
    here="int32[] 128",
)
def break_out_of_while(tf):
    @tf.function
    def first_power_above(limit):
        x = tf.constant(1)
        while True:
            if x > limit:
                break
            x *= 2
        return x

    return first_power_above(tf.constant(100))


def break_out_of_for(tf):
    @tf.function
    def first_negative(x):
        found = tf.constant(0)
        for v in x:
            if v < 0:
                found = v
                break
        return found

    return first_negative(tf.constant([3, -4, -5])), first_negative(tf.constant([1]))


def continue_in_for(tf):
    @tf.function
    def sum_odd(x):
        total = 0
        for v in x:
            if v % 2 == 0:
                continue
            total += v
        return total

    return sum_odd(tf.constant([1, 2, 3, 4, 5]))


@differs(
    "a return may leave a loop over a tensor",
    tensorflow="NotImplementedError",
    here="[int32[] 2, int32[] -1]",
)
def return_from_a_loop(tf):
    @tf.function
    def index_of(x, wanted):
        i = 0
        for v in x:
            if v == wanted:
                return i
            i += 1
        return -1

    x = tf.constant([4, 5, 6])
    return index_of(x, tf.constant(6)), index_of(x, tf.constant(9))


def nested_loops(tf):
    @tf.function
    def pairs(n):
        count = 0
        for i in tf.range(n):
            for j in tf.range(i):
                if (i + j) % 3 == 0:
                    count += 1
        return count

    return pairs(tf.constant(6))


def primes_below(tf):
    @tf.function
    def count_primes(n):
        count = 0
        for candidate in tf.range(2, n):
            is_prime = True
            divisor = 2
            while divisor * divisor <= candidate:
                if candidate % divisor == 0:
                    is_prime = False
                    break
                divisor += 1
            if is_prime:
                count += 1
        return count

    return count_primes(tf.constant(30))


def loop_with_else_free_flag(tf):
    @tf.function
    def contains(x, v):
        found = False
        for e in x:
            found = found or e == v
        return found

    return contains(tf.constant([1, 2]), tf.constant(2)), contains(tf.constant([1]), tf.constant(7))


def loop_state_in_a_tuple(tf):
    @tf.function
    def mean_and_max(x):
        total, biggest = tf.constant(0.0), tf.constant(-1e9)
        for v in x:
            total, biggest = total + v, tf.maximum(biggest, v)
        return total / tf.cast(tf.size(x), tf.float32), biggest

    return mean_and_max(tf.constant([1.0, 4.0, 2.5]))


def loop_state_in_a_dict(tf):
    @tf.function
    def tally(x):
        state = {"odd": 0, "even": 0}
        for v in x:
            if v % 2 == 0:
                state = {"odd": state["odd"], "even": state["even"] + 1}
            else:
                state = {"odd": state["odd"] + 1, "even": state["even"]}
        return state

    return tally(tf.constant([1, 2, 3, 5]))


def public_while_loop(tf):
    i, total = tf.while_loop(
        lambda i, total: i < 5,
        lambda i, total: (i + 1, total + i),
        (tf.constant(0), tf.constant(0)),
    )
    return i, total


def public_while_loop_in_function(tf):
    @tf.function
    def halve(x):
        return tf.while_loop(lambda x, n: x > 1.0, lambda x, n: (x / 2.0, n + 1), (x, 0))

    return halve(tf.constant(20.0))


def while_loop_with_growing_shape(tf):
    @tf.function
    def grow(n):
        return tf.while_loop(
            lambda i, x: i < n,
            lambda i, x: (i + 1, tf.concat([x, [i]], 0)),
            (tf.constant(0), tf.constant([], tf.int32)),
            shape_invariants=(tf.TensorShape([]), tf.TensorShape([None])),
        )[1]

    return grow(tf.constant(4))


def while_loop_with_maximum_iterations(tf):
    return tf.while_loop(
        lambda i: i < 100, lambda i: (i + 1,), (tf.constant(0),), maximum_iterations=7
    )


@differs(
    "a loop variable that changes its shape is given a shape that fits, as in Python",
    tensorflow="ValueError",
    here="int32[4] [9, 0, 1, 2]",
)
def loop_with_growing_shape(tf):
    @tf.function
    def grow(n):
        x = tf.constant([9])
        for i in tf.range(n):
            x = tf.concat([x, [i]], 0)
        return x

    return grow(tf.constant(3))


@differs(
    "an int that becomes a float in a loop is one Python number, a float as in Python",
    tensorflow="TypeError",
    here="float32[] 1.5",
)
def loop_from_int_to_float(tf):
    @tf.function
    def total(n):
        s = 0
        for _ in tf.range(n):
            s += 0.5
        return s

    return total(tf.constant(3))


def loop_changes_dtype_of_tensor(tf):
    @tf.function
    def f(n):
        x = tf.constant(1)
        while n > 0:
            x = tf.cast(x, tf.float32)
            n -= 1
        return x

    if tf.config.functions_run_eagerly():
        raise TypeError("without a graph the dtype may change")
    return f(tf.constant(2))


@differs(
    "the exception is the one that is raised eagerly",
    tensorflow="ValueError",
    here="TypeError",
)
def loop_over_scalar(tf):
    @tf.function
    def f(x):
        s = 0
        for v in x:
            s += v
        return s

    return f(tf.constant(3))


def loop_variable_after_loop(tf):
    @tf.function
    def last(x):
        v = tf.constant(-1)
        for v in x:
            pass
        return v

    return last(tf.constant([4, 7]))


@differs(
    "enumerate takes a tensor, as it does eagerly",
    tensorflow="OperatorNotAllowedInGraphError",
    here="int32[] 20",
)
def enumerate_tensor(tf):
    @tf.function
    def weighted(x):
        total = 0
        for i, v in enumerate(x):
            total += i * v
        return total

    return weighted(tf.constant([5, 6, 7]))


@differs(
    "zip takes tensors, as it does eagerly",
    tensorflow="OperatorNotAllowedInGraphError",
    here="int32[] 32",
)
def zip_tensors(tf):
    @tf.function
    def dot(a, b):
        total = 0
        for x, y in zip(a, b):
            total += x * y
        return total

    return dot(tf.constant([1, 2, 3]), tf.constant([4, 5, 6]))


def bisection(tf):
    @tf.function
    def root(low, high):
        for _ in tf.range(40):
            middle = (low + high) / 2.0
            if middle * middle > 2.0:
                high = middle
            else:
                low = middle
        return low

    return root(tf.constant(0.0, tf.float64), tf.constant(2.0, tf.float64))


def matrix_power(tf):
    @tf.function
    def power(m, n):
        result = tf.eye(2)
        while n > 0:
            if n % 2 == 1:
                result = result @ m
            m = m @ m
            n = n // 2
        return result

    return power(tf.constant([[1.0, 1.0], [1.0, 0.0]]), tf.constant(10))
