"""What prints models and training leaves the random numbers of a program alone."""

import random
import subprocess
import sys

PROGRAM = """
import random, runtime as tf
random.seed(7)
model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(tf.zeros([4, 2]), tf.zeros([4, 1]), verbose=0)
print(random.random())
"""


def test_a_first_model_draws_no_number_from_pythons_generator():
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    random.seed(7)
    assert float(found.stdout) == random.random()
