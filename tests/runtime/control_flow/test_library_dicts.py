"""`Counter`, `defaultdict` and `OrderedDict` that gain keys in staged statements."""

from collections import Counter, OrderedDict, defaultdict

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check

SIGNS = [(3,), (-3,), (0,)]
ROWS = [((3, -1, 2),), ((-5, -4),), ((0, 1),)]


def counts_in_branches(x):
    c = Counter()
    if x > 0:
        c["pos"] += 1
    else:
        c["neg"] += 1
    return c["pos"], c["neg"], c["other"], c


def counts_again(x):
    c = Counter(a=1)
    if x > 0:
        c["a"] += 1
    c["a"] += 5
    c["b"] += x
    if x < 2:
        c["b"] += 1
    c.update("ab")
    c.subtract({"a": 1})
    return c, len(c), c.total()


def counts_of_python_keys(x):
    c = Counter("aab")
    for key in "abc":
        if x > 0:
            c[key] += x
    return c


def takes_a_count_out(x):
    c = Counter(a=1)
    if x > 0:
        del c["other"]
        del c["a"]
    return c


def default_in_a_branch(x):
    d = defaultdict(int)
    if x > 0:
        d["a"] += x
    return d


def default_that_is_read(x):
    d = defaultdict(lambda: 7)
    if x > 0:
        d["a"] += x
    y = d["b"]
    return d, y, d["a"]


def default_of_a_while(x):
    d = defaultdict(float)
    while x > 0:
        d["half"] += 0.5
        x -= 1
    return d["half"], x


def moved_to_the_end(x):
    d = OrderedDict([("a", 1), ("b", 2)])
    if x > 0:
        d.move_to_end("a")
    else:
        d["c"] = x
    d.move_to_end("b")
    return d


def taken_out_of_an_ordered_dict(x):
    d = OrderedDict([("a", 1), ("b", 2)])
    if x > 0:
        del d["a"]
        d.setdefault("c", 4)
    return d


class Books:
    def __init__(self):
        self.counts = Counter()
        self.sums = defaultdict(int)

    def add(self, key, amount):
        if amount > 0:
            self.counts[key] += 1
            self.sums[key] += amount


def attributes_of_an_object(x):
    books = Books()
    books.add("a", x)
    books.add("b", -x)
    books.add("a", x)
    return books.counts, books.sums, books.counts["other"], books.sums["read"], len(books.sums)


def _counted(c, x):
    if x > 0:
        c["k"] += 2


def passed_to_a_function(x):
    c = Counter(a=1)
    _counted(c, x)
    _counted(c, x)
    return c


def under_another_name(x):
    c = Counter()
    box = [c]
    if x > 0:
        c["a"] += 1
    box[0]["b"] += 1
    return c["a"], c["b"]


def asked_for_truth_and_keys(x):
    c = Counter()
    if x > 0:
        c["a"] += 1
    key = "a"
    return (1 if c else 0), key in c


@pytest.mark.parametrize(
    "program",
    [
        counts_in_branches,
        counts_again,
        counts_of_python_keys,
        takes_a_count_out,
        default_in_a_branch,
        default_that_is_read,
        default_of_a_while,
        moved_to_the_end,
        taken_out_of_an_ordered_dict,
        attributes_of_an_object,
        passed_to_a_function,
        under_another_name,
        asked_for_truth_and_keys,
    ],
    ids=lambda each: each.__name__,
)
def test_dicts_of_the_library_agree_with_plain_python(program):
    check(program, *SIGNS)


def counts_in_a_loop(xs):
    c = Counter({"neg": 2})
    for x in xs:
        if x > 0:
            c["pos"] += 1
        else:
            c["neg"] += 1
    return c, c["zero"]


def sums_in_a_loop(xs):
    d = defaultdict(int)
    for x in xs:
        if x != 0:
            d["sum"] += x
        d["rounds"] += 1
    return d


@pytest.mark.parametrize("program", [counts_in_a_loop, sums_in_a_loop])
def test_they_gain_keys_in_loops(program):
    check(program, *ROWS)


def most_common(x):
    c = Counter()
    if x > 0:
        c["a"] += 1
    return c.most_common(1)


def added(x):
    c = Counter()
    if x > 0:
        c["a"] += 1
    return c + Counter("b")


def popped(x):
    d = OrderedDict(a=1)
    if x > 0:
        d["b"] = 2
    return d.popitem(last=False)


@pytest.mark.parametrize(
    "program, message",
    [
        (most_common, "the Counter `c` .* all of its keys"),
        (added, "the Counter `c` .* joined with another"),
        (popped, "the OrderedDict `d` .* all of its keys"),
    ],
)
def test_what_needs_all_keys_is_refused_by_name(program, message):
    with pytest.raises(TypeError, match=message):
        tf.function(program)(tf.constant(3))


class Zeros(dict):
    def __missing__(self, key):
        return 0


def own_class(x):
    d = Zeros()
    if x > 0:
        d["a"] += x
    return d["a"]


def test_a_class_of_the_program_is_refused_by_name():
    with pytest.raises(TypeError, match="`d`, of type Zeros"):
        tf.function(own_class)(tf.constant(3))
