"""Small networks of a program, and the keys of a checkpoint."""

import runtime as tf

VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"


class Dense(tf.Module):
    def __init__(self, size):
        super().__init__()
        self.kernel = tf.Variable(tf.ones([size]))
        self.bias = tf.Variable(0.0)


class Net(tf.Module):
    def __init__(self):
        super().__init__()
        self.layers = [Dense(2), Dense(3)]
        self.table = {"scale": tf.Variable(2.0), "count": 7}
        self._layers = list(self.layers)


def keys(path):
    return [key.removesuffix(VALUE) for key, _ in tf.train.list_variables(path)]
