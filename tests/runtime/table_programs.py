"""Programs with tables: plain Python, to be run with tensors in place of their numbers.

Each entry of `PROGRAMS` is a function and arguments for it; int and float arguments become scalar
tensors, lists of numbers stay lists unless the program is in `OF_TENSORS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

FAR = 10**6


def knapsack(weights, values, capacity):
    best = [0] * 31
    for k in range(len(weights)):
        room = capacity
        while room >= weights[k]:
            best[room] = max(best[room], best[room - weights[k]] + values[k])
            room -= 1
    return best[capacity]


def longest_common_subsequence(a, b, n, m):
    table = [[0] * 9 for _ in range(9)]
    i = 1
    while i <= n:
        j = 1
        while j <= m:
            if a[i - 1] == b[j - 1]:
                table[i][j] = table[i - 1][j - 1] + 1
            else:
                table[i][j] = max(table[i - 1][j], table[i][j - 1])
            j += 1
        i += 1
    return table[n][m], table


def edit_distance(a, b, n, m):
    row = list(range(9))
    i = 1
    while i <= n:
        diagonal, row[0] = row[0], i
        j = 1
        while j <= m:
            cost = 0 if a[i - 1] == b[j - 1] else 1
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + cost)
            j += 1
        i += 1
    return row[m]


def floyd_warshall(n, a, b):
    far = [
        [0, 3, FAR, 7],
        [8, 0, 2, FAR],
        [5, FAR, 0, 1],
        [2, FAR, FAR, 0],
    ]
    k = 0
    while k < n:
        for i in range(n):
            for j in range(n):
                if far[i][k] + far[k][j] < far[i][j]:
                    far[i][j] = far[i][k] + far[k][j]
        k += 1
    return far[a][b], far


def dijkstra(source, target):
    weights = [
        [0, 4, 0, 0, 8],
        [4, 0, 8, 0, 11],
        [0, 8, 0, 7, 0],
        [0, 0, 7, 0, 9],
        [8, 11, 0, 9, 0],
    ]
    distance = [FAR] * 5
    done = [False] * 5
    distance[source] = 0
    for _ in range(5):
        best, node = FAR, -1
        for v in range(5):
            if not done[v] and distance[v] < best:
                best, node = distance[v], v
        if node >= 0:
            done[node] = True
            for v in range(5):
                w = weights[node][v]
                if w > 0 and distance[node] + w < distance[v]:
                    distance[v] = distance[node] + w
    return distance[target], distance


def union_find(pairs, a, b):
    parent = list(range(8))

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for first, second in pairs:
        parent[find(first)] = find(second)
    return find(a) == find(b), parent


def sieve(n):
    is_prime = [True] * 50
    is_prime[0] = is_prime[1] = False
    i = 2
    while i * i < n:
        if is_prime[i]:
            multiple = i * i
            while multiple < n:
                is_prime[multiple] = False
                multiple += i
        i += 1
    return is_prime


def binary_search(xs, wanted):
    low, high = 0, len(xs) - 1
    while low <= high:
        middle = (low + high) // 2
        if xs[middle] == wanted:
            return middle
        if xs[middle] < wanted:
            low = middle + 1
        else:
            high = middle - 1
    return -1


def bubble_sort(xs, n):
    xs = list(xs)
    i = 0
    while i < n:
        j = 0
        while j < n - 1 - i:
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
            j += 1
        i += 1
    return xs


def bubble_sort_in_place(xs, n):
    for i in range(n):
        for j in range(0, n - i - 1):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
    return xs


def insertion_sort(xs, n):
    xs = xs[:]
    i = 1
    while i < n:
        key = xs[i]
        j = i - 1
        while j >= 0 and xs[j] > key:
            xs[j + 1] = xs[j]
            j -= 1
        xs[j + 1] = key
        i += 1
    return xs


def selection_sort(xs, n):
    xs = xs.copy()
    for i in range(n):
        least = i
        for j in range(i + 1, n):
            if xs[j] < xs[least]:
                least = j
        xs[i], xs[least] = xs[least], xs[i]
    return xs


def game_of_life(rounds, size):
    grid = [[0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 0, 1], [0, 0, 0, 1]]
    step = 0
    while step < rounds:
        new = [[0] * 4 for _ in range(4)]
        i = 0
        while i < size:
            j = 0
            while j < size:
                alive = 0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        if di != 0 or dj != 0:
                            alive += grid[(i + di) % 4][(j + dj) % 4]
                if alive == 3 or (alive == 2 and grid[i][j] == 1):
                    new[i][j] = 1
                j += 1
            i += 1
        for i in range(4):
            for j in range(4):
                grid[i][j] = new[i][j]
        step += 1
    return grid


def matrix_product(n):
    a = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.5]]
    b = [[0.5, 1.0, 0.0], [2.0, 0.25, 1.0], [0.0, 1.0, 3.0]]
    c = [[0.0] * 3 for _ in range(3)]
    for i in range(n):
        for j in range(n):
            for k in range(n):
                c[i][j] += a[i][k] * b[k][j]
    return c


def prefix_sums(xs, n, low, high):
    sums = [0] * (len(xs) + 1)
    i = 0
    while i < n:
        sums[i + 1] = sums[i] + xs[i]
        i += 1
    return sums[high] - sums[low], sums


def counting_sort(xs, n):
    counts = [0] * 10
    for x in xs:
        counts[x] += 1
    result = [0] * len(xs)
    place = 0
    value = 0
    while value < 10:
        while counts[value] > 0:
            result[place] = value
            place += 1
            counts[value] -= 1
        value += 1
    return result, n


def fibonacci_memo(n):
    memo = {0: 0, 1: 1, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0, 7: 0, 8: 0}
    i = 2
    while i <= n:
        memo[i] = memo[i - 1] + memo[i - 2]
        i += 1
    return memo[n], memo


def histogram(a, b, c):
    counts = {3: 0, 5: 0, 9: 0}
    for x in (a, b, c, a):
        counts[x] += 1
    return counts, counts[a]


def lookup(i, x):
    names = ["zero", "one", "two"]
    prices = {1: 10, 2: 20}
    return names[i], prices[x], prices.get(x, 0), prices.get(i, -1), (1.5, 2.5, 3.5)[i]


def negative_indexes(i):
    xs = [10, 20, 30]
    xs[-i] += 1
    return xs[-1], xs[-i], xs[i - 3], xs


def aliases(i):
    row = [1, 2, 3]
    both = [row, row, [4, 5, 6]]
    same = row
    both[i][i] = 50
    chosen = both[i]
    chosen[0] += 7
    row[1] = 9
    return both, same, chosen[0], chosen[1], len(chosen)


def taken_or_not(x):
    table = [1, 2, 3, 4]
    other = table
    if x > 1:
        table[x] = 10
        other[x - 1] *= 2
    return table, other


def in_closures(i):
    table = {"rows": [0, 0, 0], "n": 0}

    def put(value):
        table["rows"][i] = value
        table["n"] += 1

    if i > 0:
        put(5)
    put(6)
    return table


def of_objects(i, v):
    class Holder:
        def __init__(self):
            self.rows = [[0, 0], [1, 1]]
            self.w = [1, 2, 3]

        def update(self):
            self.w[i] = v
            self.w[i] += 1
            self.rows[i][1 - i] = v * 2

    holder = Holder()
    if v > 2:
        holder.update()
    holder.w[i] //= 2
    return holder.w, holder.rows


def records(i, v):
    people = [{"age": 1, "pets": [0, 0]}, {"age": 2, "pets": [1, 0]}]
    people[i]["age"] += v
    people[i]["pets"][i] = v
    return people, people[i]["age"], people[1 - i]["pets"][0]


def tuples(i):
    points = [(0, 0.5), (1, 1.5), (2, 2.5)]
    x, y = points[i]
    points[i] = (x + 10, y)
    return points[i], points


def mixed_numbers(i):
    xs = [1, 2.5, 3]
    xs[i] = 0.25
    return xs[0] + xs[i], xs[i] * 2


def targets(i, v):
    a, b, d = [0, 0, 0], [1, 1, 1], {"k": [5, 6, 7]}
    a[i] = b[-i] = v
    a[0], (b[i], *rest), d["k"][i] = v, (v + 1, 7, 8), 3
    for a[i] in range(3):
        b[0] += a[i]
    a[i], a[i - 1] = a[i - 1], a[i]
    a[i] |= 4
    a[i] *= 2
    return a, b, d, rest


def text(i):
    word = "hello"
    return word[i], word[-i]


def of_range(i):
    return range(10)[i], range(20, 0, -3)[i]


def jagged(node):
    neighbors = [[1, 2], [2], [0, 3], []]
    total, count = 0, 0
    for v in neighbors[node]:
        total = total * 10 + v
        count += 1
    return total, count, len(neighbors[node])


def breadth_first(source):
    neighbors = {0: [1, 2], 1: [3, 0], 2: [3, 1], 3: [4, 4], 4: [4, 4]}
    distance = [-1] * 5
    queue = [0] * 16
    head, tail = 0, 1
    queue[0] = source
    distance[source] = 0
    while head < tail:
        node = queue[head]
        head += 1
        for v in neighbors[node]:
            if distance[v] < 0:
                distance[v] = distance[node] + 1
                queue[tail] = v
                tail += 1
    return distance


def slices(low, high):
    xs = [1, 2, 3, 4, 5, 6]
    return sum(xs[low:high]), len(xs[low:]), max(xs[:high])


def slices_in_loops(low, high):
    xs = [1.5, 2.5, 3.5, 4.5]
    total = 0.0
    for x in xs[low:high]:
        total += x
    return total


def grid_keys(i, j):
    board = {(0, 0): 1, (0, 1): 2, (1, 0): 3, (1, 1): 4}
    board[i, j] += 10
    return board[(i, j)], board[i, 0], board


PROGRAMS: tuple[tuple[Callable[..., Any], tuple[Any, ...]], ...] = (
    (knapsack, ([3, 4, 5, 9], [3, 4, 4, 10], 11)),
    (knapsack, ([3, 4, 5, 9], [3, 4, 4, 10], 30)),
    (longest_common_subsequence, ([1, 3, 4, 1, 2], [3, 4, 1, 2, 1, 3], 5, 6)),
    (edit_distance, ([11, 9, 20, 20, 5, 14], [19, 9, 20, 20, 9, 14, 7], 6, 7)),
    (floyd_warshall, (4, 1, 3)),
    (dijkstra, (0, 3)),
    (dijkstra, (2, 4)),
    (union_find, ([(0, 1), (2, 3), (1, 3), (5, 6)], 0, 2)),
    (union_find, ([(0, 1), (2, 3), (5, 6)], 0, 6)),
    (sieve, (50,)),
    (sieve, (10,)),
    (binary_search, ([1, 3, 5, 7, 9, 11], 7)),
    (binary_search, ([1, 3, 5, 7, 9, 11], 4)),
    (bubble_sort, ([5, 2, 9, 1, 7], 5)),
    (bubble_sort, ([5, 2, 9, 1, 7], 3)),
    (insertion_sort, ([5, 2, 9, 1, 7], 5)),
    (selection_sort, ([5, 2, 9, 1, 7], 5)),
    (game_of_life, (3, 4)),
    (matrix_product, (3,)),
    (matrix_product, (2,)),
    (prefix_sums, ([3, 1, 4, 1, 5], 5, 1, 4)),
    (counting_sort, ([3, 1, 4, 1, 5, 9, 2, 6], 3)),
    (fibonacci_memo, (8,)),
    (fibonacci_memo, (1,)),
    (histogram, (3, 9, 5)),
    (lookup, (1, 2)),
    (lookup, (2, 1)),
    (negative_indexes, (1,)),
    (negative_indexes, (2,)),
    (aliases, (0,)),
    (aliases, (1,)),
    (aliases, (2,)),
    (taken_or_not, (1,)),
    (taken_or_not, (3,)),
    (in_closures, (0,)),
    (in_closures, (2,)),
    (of_objects, (0, 2)),
    (of_objects, (1, 5)),
    (records, (0, 3)),
    (records, (1, 4)),
    (tuples, (0,)),
    (tuples, (2,)),
    (mixed_numbers, (1,)),
    (mixed_numbers, (2,)),
    (targets, (1, 4)),
    (targets, (2, 9)),
    (text, (1,)),
    (text, (4,)),
    (of_range, (0,)),
    (of_range, (5,)),
    (jagged, (0,)),
    (jagged, (1,)),
    (jagged, (2,)),
    (jagged, (3,)),
    (breadth_first, (0,)),
    (breadth_first, (2,)),
    (slices, (1, 4)),
    (slices, (-2, -1)),
    (slices_in_loops, (0, 3)),
    (slices_in_loops, (2, 2)),
    (grid_keys, (1, 0)),
    (grid_keys, (0, 1)),
)
