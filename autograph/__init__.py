"""AutoGraph without TensorFlow: rewrite plain Python control flow into functional, stageable code.

`to_code(f)` returns the converted text of a function, `to_graph(f)` the converted function, and
`convert` is the decorator. `convert_source(text)` converts the text of a module.
"""

from autograph import namespaces

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__)
