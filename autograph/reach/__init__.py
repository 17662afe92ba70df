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

from autograph.reach.classes import (
    attributes_of,
    holds_attributes,
    is_plain_object,
    object_with,
    program_class,
)
from autograph.reach.places import (
    MISSING,
    Carried,
    Cell,
    Contents,
    Entry,
    Place,
    SetMembers,
    items_of,
    own_attribute,
)
from autograph.reach.reads import Reads
from autograph.reach.walk import ATOMS, MOST_OBJECTS, Objects, Reach

__all__ = [
    "ATOMS",
    "MISSING",
    "MOST_OBJECTS",
    "Carried",
    "Cell",
    "Contents",
    "Entry",
    "Objects",
    "Place",
    "Reach",
    "Reads",
    "SetMembers",
    "attributes_of",
    "holds_attributes",
    "is_plain_object",
    "items_of",
    "object_with",
    "own_attribute",
    "program_class",
]
