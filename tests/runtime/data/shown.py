"""Elements of datasets as values of Python."""

import runtime as tf


def values(dataset):
    def plain(leaf):
        array = leaf.numpy()
        return array.tolist() if hasattr(array, "tolist") else array

    return [tf.nest.map_structure(plain, element) for element in dataset]
