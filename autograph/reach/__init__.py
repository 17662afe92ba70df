"""Reachability: the objects that code can reach, and the changes of them.

A block of a staged statement is traced whether or not it will run. So its changes must be undone,
and become state of the statement. `Reach` records all objects reachable from functions and values
before the trace of a block. Afterwards it lists the changed places and restores them. It detects
every write: by converted code, a method, a property, a library in Python or C.

`places`: variables, attributes and contents. `record`, `records`, `sealed`: the saved values of one
object, which can be state or not. `walk`: the graph traversal. `referents`: what objects refer to
that no attribute shows. `closures`: functions that nested statements look at as a whole. `reads`:
the traversal restricted to names that code reads. `classes`: predicates on classes and code.
"""
