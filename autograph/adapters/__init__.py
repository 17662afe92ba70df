"""The staging protocol for tensor libraries that are not ours: what they share, and a room each.

A room is imported when the first value of its library appears.
"""
