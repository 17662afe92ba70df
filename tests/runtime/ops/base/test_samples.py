import numpy as np

from runtime.ops.base.samples import numbers


def test_the_numbers_of_a_sample_differ_so_that_a_wrong_order_shows():
    assert len(np.unique(numbers(2, 4, 3, 2))) == 48
