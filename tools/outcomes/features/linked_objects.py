"""Objects that refer to each other, which staged values choose.

def program(x, y, n, xs):
    a, b, c = x, 1, y
    p, q = Node(1, Node(2, Node(x))), Node(4)
    node = p
    if x > b:
        node = node.rest
    for _ in range(3):
        if not node:
            break
        c += node.key
        node = node.rest
    return a, b, c, keys(p), keys(q), node is None
"""

from __future__ import annotations

from tools.outcomes.feature_programs import Feature

PRELUDE = """\
class Node:
    def __init__(self, key, rest=None):
        self.key = key
        self.rest = rest

    def second(self):
        return self.rest.key if self.rest else self.key


def keys(node):
    found = 0
    for _ in range(4):
        if node:
            found = (found * 7 + node.key) % 101
            node = node.rest
    return found
"""

FEATURE = Feature(
    prelude=PRELUDE,
    start=(
        ("p = Node(1, Node(2, Node(x)))", "p = Node(y, Node(n))", "p = Node(3)"),
        ("q = Node(4)", "q = Node(5, Node(y))", "q = p.rest", "q = Node(6, p)"),
        ("node = p", "node = q", "node = None", "node = p if x > 1 else q"),
    ),
    tables={
        "O": ("p", "q", "node", "p", "q"),
        "R": ("p", "q", "node", "O.rest", "None", "Node(N)", "Node(N, O)", "(O if T else O)",
              "(O if T else None)", "(O.rest or O)"),
    },
    numbers=("O.key", "(O.rest.key if O.rest else N)", "O.second()", "keys(O)"),
    tests=("O", "O.rest", "O is None", "O is O", "O.rest is not None", "O.rest is O", "not O",
           "O is not None and O.key > N", "O and O.rest"),
    statements=(
        "node = R", "node = O.rest", "O.key = N", "O.rest = R", "O.key += N", "p, q = q, p",
        "W = N", ("if T:", "    S"), ("if T:", "    S", "else:", "    S"),
        ("for _ in range(3):", "    if node is None:", "        break", "    W += node.key",
         "    node = node.rest"),
        ("for _ in range(n):", "    if node and node.rest:", "        node = node.rest"),
        ("if node:", "    B"),
        ("while node and T and c < 40:", "    c += 9", "    node = node.rest"),
    ),
    shown="keys(p), keys(q), keys(node), node is None, p is q, node is p",
)  # fmt: skip
