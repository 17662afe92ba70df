"""Lists, dicts and partials among the arguments of a compiled function."""

import functools

import pytest

import autograph
from tests.autograph.adapters.torch.nets import compiled

torch = pytest.importorskip("torch")

OUTSIDE = [2.0]


def scaled(factor, x, *, shift=0.0):
    return x * factor + shift


@autograph.convert()
def applied(function, x):
    return function(x) if x.sum() > 0 else x


@pytest.mark.parametrize(
    "partials",
    [
        [functools.partial(scaled, number) for number in (2.0, 3.0, 4.0)],
        [functools.partial(scaled, 2, shift=number) for number in (2, 3)],
        [functools.partial(scaled, torch.tensor(number)) for number in (2.0, 3.0)],
        [functools.partial(functools.partial(scaled, 2.0), shift=1.0)],
    ],
)
def test_partial_is_read_anew(partials):
    made, x = compiled(applied), torch.ones(2)
    for each in partials:
        assert made(each, x).tolist() == each(x).tolist()


def test_partial_comes_back():
    @autograph.convert()
    def program(function, x):
        return function, (x + 1 if x.sum() > 0 else x)

    function, _ = compiled(program)(functools.partial(scaled, 2.0), torch.ones(2))
    assert function(torch.ones(2)).tolist() == [2, 2]


def same_as_outside(x, given=OUTSIDE):
    return x + 1 if x.sum() > 0 and given is OUTSIDE else x


def same_as_the_other(x, one, other=OUTSIDE):
    return x + 1 if x.sum() > 0 and one is other else x


@pytest.mark.parametrize("program, given", [(same_as_outside, ()), (same_as_the_other, (OUTSIDE,))])
def test_identity_of_a_list_that_the_caller_decides_is_refused(program, given):
    with pytest.raises(TypeError, match="`is` asks whether an argument and another list"):
        compiled(autograph.convert()(program))(torch.ones(2), *given)


def test_identity_of_other_lists_is_known():
    @autograph.convert()
    def program(x, given):
        made, outside = [1.0], OUTSIDE
        if x.sum() > 0 and given is given and made is not given and outside is OUTSIDE:
            return x + 1
        return x

    assert compiled(program)(torch.ones(2), [2.0]).tolist() == [2, 2]
