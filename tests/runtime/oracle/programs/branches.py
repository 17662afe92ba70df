"""Conditions on tensors inside of functions."""

from tests.runtime.oracle.corpus import differs, graph_only


def sign_of_a_number(tf):
    @tf.function
    def sign(x):
        if x > 0:
            return 1
        elif x < 0:
            return -1
        else:
            return 0

    return [sign(tf.constant(v)) for v in (3.0, -2.0, 0.0)]


def variable_set_in_both_arms(tf):
    @tf.function
    def scale(x):
        if tf.reduce_sum(x) > 10.0:
            y = x / 10.0
        else:
            y = x * 10.0
        return y

    return scale(tf.constant([1.0, 2.0])), scale(tf.constant([10.0, 2.0]))


def variable_changed_in_one_arm(tf):
    @tf.function
    def positive(x):
        if x < 0.0:
            x = -x
        return x

    return positive(tf.constant(-4.0)), positive(tf.constant(4.0))


def nested_conditions(tf):
    @tf.function
    def quadrant(x, y):
        if x >= 0.0:
            if y >= 0.0:
                q = 1
            else:
                q = 4
        else:
            if y >= 0.0:
                q = 2
            else:
                q = 3
        return q

    points = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]
    return [quadrant(tf.constant(x), tf.constant(y)) for x, y in points]


def condition_on_python_value(tf):
    traced = []

    @tf.function
    def maybe_double(x, flag):
        traced.append(flag)
        if flag:
            return x * 2
        return x

    x = tf.constant(5)
    return maybe_double(x, True), maybe_double(x, False), maybe_double(x, True)


def and_or_not_on_tensors(tf):
    @tf.function
    def inside(x):
        return x > 0 and x < 10 and not (x > 4 and x < 6)

    return [inside(tf.constant(v)) for v in (-1, 1, 5, 9, 10)]


def lazy_or(tf):
    @tf.function
    def safe(x):
        return x == 0 or 10 // x > 3

    return [safe(tf.constant(v)) for v in (0, 2, 5)]


def conditional_expression(tf):
    @tf.function
    def absolute(x):
        return x if x >= 0 else -x

    return absolute(tf.constant(-3)), absolute(tf.constant(3))


def chained_comparison(tf):
    @tf.function
    def between(x):
        if 0 < x < 10:
            return tf.constant("inside")
        return tf.constant("outside")

    return between(tf.constant(5)), between(tf.constant(10))


def early_return(tf):
    @tf.function
    def clipped(x):
        if x > 10:
            return tf.constant(10)
        if x < -10:
            return tf.constant(-10)
        return x

    return [clipped(tf.constant(v)) for v in (-20, 3, 20)]


def condition_with_structures(tf):
    @tf.function
    def order(a, b):
        if a > b:
            pair = {"small": b, "large": a}
        else:
            pair = {"small": a, "large": b}
        return pair

    return order(tf.constant(2), tf.constant(1)), order(tf.constant(1), tf.constant(2))


def public_cond(tf):
    x, y = tf.constant(2.0), tf.constant(5.0)
    return tf.cond(x < y, lambda: x + y, lambda: x - y), tf.cond(x > y, lambda: x, lambda: y * y)


def public_cond_in_function(tf):
    @tf.function
    def choose(x):
        return tf.cond(x > 0, lambda: (x, x + 1), lambda: (-x, x))

    return choose(tf.constant(4)), choose(tf.constant(-4))


def public_switch_case(tf):
    @tf.function
    def pick(i):
        return tf.switch_case(
            i, [lambda: tf.constant(10), lambda: tf.constant(20)], default=lambda: tf.constant(-1)
        )

    return [pick(tf.constant(i)) for i in (0, 1, 2, -3)]


def switch_case_eagerly_and_inside(tf):
    def pick(i, x):
        return tf.switch_case(
            i,
            {1: lambda: (x, {"k": x + 1}), 0: lambda: (-x, {"k": x * 2})},
            default=lambda: (x * 10, {"k": x}),
        )

    numbers = [tf.constant(i) for i in (-1, 0, 1, 2, 50)]
    x = tf.constant([1, 2])
    return [(pick(i, x), tf.function(pick)(i, x)) for i in numbers]


def switch_case_with_effects(tf):
    v = tf.Variable(1.0)

    @tf.function
    def step(i, x):
        y = tf.switch_case(
            i, [lambda: v.assign(x), lambda: v.assign_add(x), lambda: v.assign_sub(x)]
        )
        return tf.identity(y), v + 1.0

    return [step(tf.constant(i), tf.constant(3.0)) for i in (0, 1, 2, 3, -1)]


def switch_case_of_one(tf):
    @tf.function
    def only(i, x):
        return tf.switch_case(i, [lambda: x + 1])

    return [only(tf.constant(i), tf.constant(1)) for i in (0, 5)]


@graph_only("eagerly only one result is there")
def switch_case_results_that_differ(tf):
    return tf.function(
        lambda i: tf.switch_case(i, [lambda: tf.constant(1.0), lambda: tf.constant(1)])
    )(tf.constant(0))


def switch_case_number_that_is_a_vector(tf):
    return tf.function(lambda i: tf.switch_case(i, [lambda: i, lambda: -i]))(tf.constant([1, 0]))


def arms_of_different_shapes(tf):
    @tf.function
    def widen(x):
        if tf.size(x) > 2:
            y = x[:1]
        else:
            y = x
        return y

    return widen(tf.constant([1, 2, 3])), widen(tf.constant([1, 2]))


@differs(
    "an int and a float in two arms are one Python number, which is a float here as in Python",
    tensorflow="TypeError",
    here="float32[] 2.5",
)
def arms_of_int_and_float(tf):
    @tf.function
    def pick(x):
        if x > 0:
            y = 1
        else:
            y = 2.5
        return y

    return pick(tf.constant(-1))


def arms_with_tensors_of_two_dtypes(tf):
    @tf.function
    def pick(x):
        if x > 0:
            y = tf.constant(1)
        else:
            y = tf.constant(2.5)
        return y

    eager = tf.config.functions_run_eagerly()
    if eager:
        raise TypeError("without a graph one arm is enough")
    return pick(tf.constant(-1))


def condition_is_a_vector(tf):
    @tf.function
    def f(x):
        if x > 0:
            return x
        return -x

    return f(tf.constant([1, 2]))


@differs(
    "a variable that the arm taken has set can be used, as in Python",
    tensorflow="ValueError",
    here="int32[] 1",
)
def variable_undefined_in_one_arm(tf):
    @tf.function
    def f(x):
        if x > 0:
            y = x
        return y

    return f(tf.constant(1))


def condition_inside_called_function(tf):
    def relu(v):
        if v < 0.0:
            v = tf.zeros_like(v)
        return v

    @tf.function
    def twice(v):
        return relu(v) + relu(-v)

    return twice(tf.constant(3.0)), twice(tf.constant(-2.0))


def match_on_number(tf):
    @tf.function
    def name(x):
        result = tf.constant("many")
        if x == 1:
            result = tf.constant("one")
        elif x == 2:
            result = tf.constant("two")
        return result

    return [name(tf.constant(i)) for i in (1, 2, 3)]


def where_in_place_of_a_condition(tf):
    @tf.function
    def leaky(x):
        return tf.where(x > 0, x, 0.1 * x)

    return leaky(tf.constant([-1.0, 0.0, 2.0]))
