"""Operations, a file for each family; each op type is defined in one place.

The argument `name` of every function is the name of its operation in a graph.
"""
