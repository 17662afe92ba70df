"""Built-in functions of Python on arrays of any library."""

import pytest

import autograph
from autograph import staging
from fixtures.staging.lazy_arrays import LIBRARY, Lazy, run
from tests.autograph.adapters.compiled import in_jax, in_torch


def test_author_replaces_any_of_the_functions(monkeypatch):
    monkeypatch.setattr(Lazy, "__autograph_staging__", type(LIBRARY)(bool=lambda x: x > 5.0))
    monkeypatch.delitem(staging._found, Lazy, raising=False)

    @autograph.convert()
    def program(x):
        if bool(x):
            x = -x
        return x

    assert [run(program, x) for x in (3.0, 7.0)] == [3.0, -7.0]
    monkeypatch.delitem(staging._found, Lazy)


class Candidate:
    def __init__(self, score, name):
        self.score = score
        self.name = name


def best_of_objects(xs):
    found = [Candidate(x, i) for i, x in enumerate(xs)]
    found = sorted(found, key=lambda each: each.score, reverse=True)
    return found[0].score, found[0].name


def best_of_tuples(xs):
    found = [(x, i) for i, x in enumerate(xs)]
    found = sorted(found, key=lambda each: each[0], reverse=True)
    return found[0][0], found[0][1]


@pytest.mark.sample
@pytest.mark.parametrize("staged", [in_jax, in_torch])
def test_sorted_objects_are_refused_and_sorted_tuples_work(staged):
    text = r"a list of Candidate objects is sorted(.|\n)*in best_of_objects"
    with pytest.raises(Exception, match=text):
        staged(autograph.convert()(best_of_objects), [1.0, 3.0, 2.0])
    assert staged(autograph.convert()(best_of_tuples), [1.0, 3.0, 2.0]) == (3.0, 1)


def by_distance(xs):
    largest, nearest = max(xs, key=abs), min(xs, key=lambda x: (x - 1) ** 2)
    down = sorted(xs, key=abs, reverse=True)
    return largest, nearest, down[0], down[1], down[-1]


def by_several_keys(xs):
    return max(xs, key=lambda x: (x > 0, x))


def list_by_several_keys(xs):
    return max(list(xs), key=lambda x: (x > 0, x))


@pytest.mark.sample
@pytest.mark.parametrize("staged", [in_jax, in_torch])
def test_rows_of_an_array_are_compared_by_a_key(staged):
    xs = [1.0, -3.0, 2.0, 3.0, 0.5]
    found = staged(autograph.convert()(by_distance), xs)
    assert tuple(map(float, found)) == by_distance(xs)


@pytest.mark.sample
@pytest.mark.parametrize("staged", [in_jax, in_torch])
def test_keys_of_several_parts_are_refused_with_what_works(staged):
    xs = [1.0, -3.0, 2.0]
    text = r"keys that are no scalars(.|\n)*in by_several_keys(.|\n)*max\(list\(rows\), key=...\)"
    with pytest.raises(TypeError, match=text):
        staged(autograph.convert()(by_several_keys), xs)
    found = staged(autograph.convert()(list_by_several_keys), xs)
    assert float(found) == by_several_keys(xs)
