"""Version 1: graphs built by hand and run by a Session.

Names with the same meaning in both versions are here too: `import runtime.compat.v1 as tf`.

>>> import runtime.compat.v1 as tf
>>> with tf.Graph().as_default():
...     x = tf.placeholder(tf.float32, [2])
...     w = tf.Variable([3.0, 4.0])
...     y = tf.reduce_sum(x * w)
...     with tf.Session() as session:
...         session.run(tf.global_variables_initializer())
...         print(session.run(y, feed_dict={x: [1.0, 2.0]}))
11.0
"""

from typing import Any

import runtime
from autograph import namespaces

_load, _, __all__ = namespaces.on_demand(__name__)

_OTHERWISE = {
    *("cond", "debugging", "gradients", "initializers", "io", "math", "nn"),
    *("random", "strings", "tuple", "where", "while_loop"),
}
"""Names of both versions whose arguments or results differ in version 1."""


def __getattr__(name: str) -> Any:
    """Return a name of version 1, or one of version 2 with the same meaning.

    Raises: AttributeError if there is no such name, or its meaning differs in version 1.
    """
    if name in __all__:
        return _load(name)
    if name.startswith("__") and name != "__version__":
        raise AttributeError(name)
    if name in _OTHERWISE:
        raise AttributeError(
            f"module 'runtime.compat.v1' has no attribute {name!r}: its arguments have another "
            f"meaning in version 1. Use `runtime.{name}`, with the arguments of version 2."
        )
    try:
        return getattr(runtime, name)
    except AttributeError:
        message = f"module 'runtime.compat.v1' has no attribute {name!r}"
        raise AttributeError(message, name=name) from None


def __dir__() -> list[str]:
    """Return the names of both versions."""
    return sorted({*__all__, *dir(runtime)} - _OTHERWISE)
