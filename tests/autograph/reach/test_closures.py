"""Functions of constants, and of each other, are looked at as a whole."""

from autograph.reach.closures import NO_CLOSURES, settled_closures

ATOMS = {int, str, type(None)}


def family(changing=None):
    """Return two functions that refer to each other, and to what may change."""
    limit = 3

    def even(n):
        return n == 0 or odd(n - 1)

    def odd(n):
        return n > limit or even(n - 1) or changing

    return even, odd


def found(*objects, known=NO_CLOSURES, blocks=()):
    return settled_closures(objects, blocks, ATOMS, known)


def test_functions_of_constants_and_of_each_other_are_settled():
    even, odd = family()
    closures = found(even, odd, 5)
    assert closures.functions == {id(even): even, id(odd): odd}
    assert closures.are_settled(ATOMS)


def test_one_that_refers_to_a_list_unsettles_those_that_refer_to_it():
    even, odd = family(changing=[])
    assert found(even, odd) is NO_CLOSURES


def test_blocks_and_functions_with_attributes_or_defaults_are_not_settled():
    even, odd = family()
    assert found(even, odd, blocks={id(odd)}) is NO_CLOSURES
    odd.calls = 0
    assert found(even, odd) is NO_CLOSURES
    assert found(lambda x=1: x) is NO_CLOSURES


def test_what_is_known_is_found_again_and_a_later_change_is_seen():
    even, odd = family()
    closures = found(even, odd)
    assert found(even, known=closures) is closures
    even.seen = True
    assert not closures.are_settled(ATOMS)
