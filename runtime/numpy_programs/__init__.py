"""NumPy programs as graphs: `function(numpy=True)`.

The array arguments of such a function are traced as mutable arrays with NumPy's dtypes. Each call
of NumPy on them becomes operations of the runtime, with NumPy's result:

- `values`: what represents scalars, arrays and views while a function is traced;
- `promotion`: NumPy's dtypes, with Python numbers weak as in NumPy 2;
- `ufuncs`, `reductions`, `choices`, `joining`, `products`, `creation`: tables from functions of
  NumPy to operations;
- `items`: indexing, assignment of items, views;
- `program`: arguments and results of a call, arrays that it changes included, and what converted
  code asks these values.
"""

from autograph import namespaces

__getattr__, __dir__, __all__ = namespaces.on_demand(__name__)
