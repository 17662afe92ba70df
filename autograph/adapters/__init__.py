"""The staging protocol for tensor libraries that are not ours, one module each.

A module is imported when the first value of its library appears.
"""
