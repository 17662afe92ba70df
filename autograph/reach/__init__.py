"""What a piece of a program can reach, what it held, and what of it changed.

A block of a staged statement is traced whether or not it will run, so it has to leave the objects
of the program as they were, and what it changed in them becomes state of the statement. `Reach`
looks over everything that functions and values lead to before the block is traced. Afterwards it
says which places hold something else, and puts them back. It sees every write, whoever made it:
converted code, a method, a property, a library written in Python or in C.

Files: `places` are what can hold another value, `records` remember what one object held, `walk`
finds the objects, `closures` tells which functions nested statements need not look at, `reads`
restricts the walk to what code can read, `classes` answers questions about classes and code.
"""
