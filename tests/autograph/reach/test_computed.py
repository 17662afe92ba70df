"""Names of attributes that code computes, and those that it passes as constants."""

from autograph.reach.computed import Asked, names_asked_for


def constant(x):
    return getattr(x.first, "rate", 1.0) + (hasattr(x, "scale") and x.scale)


def computed(x, name):
    return getattr(x, "rate") + getattr(x, name)  # noqa: B009


def of_all(x):
    return vars(x)["rate"]


def by_dict(x):
    return x.__dict__["rate"]


def passed_on(xs):
    return list(map(getattr, xs, "ab"))


def renamed(x, name):
    from builtins import getattr as read

    return getattr(x, "rate") + read(x, name)  # noqa: B009


def nested(x):
    def inner():
        return getattr(x, "depth")  # noqa: B009

    return inner() + x.other


KEY = "rate"


def of_a_global(x):
    return getattr(x, KEY, None), getattr(x, "scale")  # noqa: B009


def of_a_cell(x):
    key = KEY
    return lambda: getattr(x, key)


def asked(*names, variables=()):
    return Asked(frozenset(names), frozenset(variables))


def test_constant_names_are_known():
    assert names_asked_for(constant.__code__) == asked("rate", "scale")
    assert names_asked_for(nested.__code__) == asked("depth")
    assert names_asked_for(of_a_global.__code__) == asked("scale", variables=["KEY"])
    assert names_asked_for((lambda x: x.rate).__code__) == asked()


def test_computed_names_are_unknown():
    for function in (computed, of_all, by_dict, passed_on, of_a_cell, renamed):
        assert names_asked_for(function.__code__) is None


def test_code_without_a_text_may_compute_names():
    code = compile("getattr(x, 'rate')", "<no file>", "eval")
    assert names_asked_for(code) is None
