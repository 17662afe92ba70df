r'''A tour of the project, one idea after another; each example runs as a doctest.

    python -m pytest tests/tour.py

## Python in, functional code out

`to_code` shows what the converter makes of a function: each statement that may depend on a tensor
becomes a call that gets its blocks as functions, and `get_state` and `set_state` for the variables
that the blocks assign.

>>> import autograph
>>> def collatz(n):
...     steps = 0
...     while n != 1:
...         n = n // 2 if n % 2 == 0 else 3 * n + 1
...         steps += 1
...     return steps
>>> print(autograph.to_code(collatz))
def collatz(n):
    steps = 0
    def get_state():
        return (n, steps)
    def set_state(vars_):
        nonlocal n, steps
        (n, steps) = vars_
    def loop_body():
        nonlocal n, steps
        n = ag__.if_exp(n % 2 == 0, lambda: n // 2, lambda: 3 * n + 1)
        steps += 1
    ag__.while_stmt(lambda: n != 1, loop_body, get_state, set_state, ('n', 'steps'))
    return steps
<BLANKLINE>

Given Python values the converted function does what the original does.

>>> autograph.to_graph(collatz)(27) == collatz(27) == 111
True

## A graph that runs on NumPy

`runtime` has TensorFlow's names. `function` converts and records a function once for each type of
call.

>>> import numpy as np
>>> import runtime as tf
>>> staged = tf.function(collatz)
>>> print(staged(tf.constant(27)))
tf.Tensor(111, shape=(), dtype=int32)
>>> concrete = staged.get_concrete_function(tf.TensorSpec([], tf.int32))
>>> print(concrete.graph)  # doctest: +ELLIPSIS
graph collatz(n: int32[]) -> int32[]
  ...
  return Identity

The passes simplify the graph, and the default engine prints it as Python that runs: real loops and
branches, plain ints where they are exact. The comments name your lines.

>>> print(concrete.plan_source)  # doctest: +ELLIPSIS
def collatz(n):
    n_int = int(n)
    n_2 = n_int
    steps = 0
    while n_2 != 1:  # ...
        if (n_2 & 1) == 0:  # ...
            cond = n_2 >> 1
        else:
            cond = (3 * n_2) + 1
            if not -2147483648 <= cond < 2147483648: cond = wrap(cond, 32)
        add = steps + 1  # ...
        if add >= 2147483648: raise OverflowError(add)
        n_2, steps = cond, add
    return (int32(steps),)
<BLANKLINE>

## No third outcome

A converted program gives the answer of plain Python or an error at your own line.

>>> @tf.function
... def half_of_positive(x):
...     if x > 0:
...         y = x / 2
...     return y
>>> print(half_of_positive(tf.constant(3.0)))
tf.Tensor(1.5, shape=(), dtype=float32)
>>> try:
...     half_of_positive(tf.constant(-3.0))
... except UnboundLocalError as error:
...     print(error, *error.__notes__, sep="\n")  # doctest: +ELLIPSIS
cannot access local variable 'y' where it is not associated with a value
  File "...", line 5, in half_of_positive

Objects, lists and dicts that a branch changes are state of the branch.

>>> class Account:
...     def __init__(self, balance):
...         self.balance, self.history = balance, []
...     def withdraw(self, amount):
...         if amount <= self.balance:
...             self.balance -= amount
...             self.history.append(amount)
>>> @tf.function
... def shop(prices):
...     account = Account(tf.constant(10))
...     for price in prices:
...         account.withdraw(price)
...     return account.balance, len(account.history)
>>> [int(part) for part in shop(tf.constant([3, 9, 4]))]
[3, 2]

## Gradients

Gradients flow through branches and loops.

>>> def root(x):
...     y = x
...     while abs(y * y - x) > 1e-5:
...         y = 0.5 * (y + x / y)
...     return y
>>> x = tf.Variable(2.0)
>>> with tf.GradientTape() as tape:
...     y = tf.function(root)(x)
>>> print(f"{float(y):.4f} {float(tape.gradient(y, x)):.4f} {0.5 / np.sqrt(2.0):.4f}")
1.4142 0.3536 0.3536

## Training

>>> tf.keras.utils.set_random_seed(1)
>>> inputs = np.linspace(-1.0, 1.0, 64, dtype=np.float32)[:, None]
>>> model = tf.keras.Sequential([tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(1)])
>>> model.compile(tf.keras.optimizers.Adam(0.05), "mse")
>>> history = model.fit(inputs, inputs**2, epochs=60, batch_size=16, verbose=0)
>>> history.history["loss"][-1] < 0.01 < history.history["loss"][0]
True

## Saving

A saved model is a folder of JSON and safetensors. It runs without the program that made it, and
loading it runs no code.

>>> import pathlib
>>> import tempfile
>>> folder = tempfile.TemporaryDirectory()
>>> path = pathlib.Path(folder.name) / "parabola.keras"
>>> model.save(path)
>>> loaded = tf.keras.models.load_model(path)
>>> bool(np.allclose(loaded(inputs), model(inputs), atol=1e-6))
True
>>> folder.cleanup()

## From the command line

`autograph convert` prints the module that it makes of a file; with `-i` it writes in place.

>>> import subprocess
>>> import sys
>>> program = """def sign(x):
...     if x < 0:
...         return -1
...     return 1
... """
>>> command = [sys.executable, "-m", "autograph", "convert", "-"]
>>> done = subprocess.run(command, input=program, capture_output=True, text=True)
>>> print(done.stdout)
from autograph import ag__
<BLANKLINE>
<BLANKLINE>
def sign(x):
    return ag__.if_stmt(x < 0, lambda: -1, lambda: 1)
<BLANKLINE>

## Other tensor libraries

`autograph.adapters` stages the same text with JAX (`lax.cond`, `lax.while_loop`) and PyTorch
(`torch.cond`, `while_loop`): decorate a function with `autograph.convert()` below `jax.jit`.
'''
