# %% two_sum: ((2, 7, 11, 15), 9), ((3, 2, 4), 6), ((1, 1, 1), 9)
def program(nums, target):
    seen = {}
    for i, n in enumerate(nums):
        if target - n in seen:
            return [seen[target - n], i]
        seen[n] = i
    return [-1, -1]

# %% two_sum_brute_force: ((2, 7, 11, 15), 9), ((3, 2, 4), 6), ((1, 1, 1), 9)
def program(nums, target):
    for i in range(len(nums)):
        for j in range(i + 1, len(nums)):
            if nums[i] + nums[j] == target:
                return (i, j)
    return (-1, -1)

# %% two_sum_sorted_pointers: ((2, 7, 11, 15), 9), ((1, 2, 4), 6), ((1, 1, 1), 9)
def program(nums, target):
    left, right = 0, len(nums) - 1
    while left < right:
        total = nums[left] + nums[right]
        if total == target:
            return [left, right]
        if total < target:
            left += 1
        else:
            right -= 1
    return []

# %% best_time_to_buy: ((7, 1, 5, 3),), ((7, 6, 4),)
def program(prices):
    lowest = float("inf")
    best = 0
    for p in prices:
        lowest = min(lowest, p)
        best = max(best, p - lowest)
    return best

# %% maximum_subarray: ((-2, 1, -3, 4, -1),), ((-1, -2),)
def program(nums):
    best = current = nums[0]
    for n in nums[1:]:
        current = max(n, current + n)
        best = max(best, current)
    return best

# %% maximum_subarray_bounds: ((-2, 1, -3, 4, -1),), ((-1, -2),)
def program(nums):
    best, start, end = nums[0], 0, 0
    current, begin = 0, 0
    for i, n in enumerate(nums):
        if current <= 0:
            current, begin = n, i
        else:
            current += n
        if current > best:
            best, start, end = current, begin, i
    return {"sum": best, "range": (start, end)}

# %% contains_duplicate: ((1, 2, 3, 1),), ((1, 2, 3),)
def program(nums):
    return len(set(nums)) != len(nums)

# %% contains_duplicate_loop: ((1, 2, 3, 1),), ((1, 2, 3),)
def program(nums):
    seen = set()
    for n in nums:
        if n in seen:
            return True
        seen.add(n)
    return False

# %% product_except_self: ((1, 2, 3, 4),), ((0, 2, 3),)
def program(nums):
    result = [1] * len(nums)
    prefix = 1
    for i in range(len(nums)):
        result[i] = prefix
        prefix *= nums[i]
    suffix = 1
    for i in range(len(nums) - 1, -1, -1):
        result[i] *= suffix
        suffix *= nums[i]
    return result

# %% container_with_most_water: ((1, 8, 6, 2, 5),), ((1, 1),)
def program(height):
    i, j, best = 0, len(height) - 1, 0
    while i < j:
        best = max(best, min(height[i], height[j]) * (j - i))
        if height[i] < height[j]:
            i += 1
        else:
            j -= 1
    return best

# %% three_sum: ((-1, 0, 1, 2, -1, -4),), ((0, 1, 1),)
def program(nums):
    nums = sorted(nums)
    result = []
    for i in range(len(nums) - 2):
        if i > 0 and nums[i] == nums[i - 1]:
            continue
        lo, hi = i + 1, len(nums) - 1
        while lo < hi:
            s = nums[i] + nums[lo] + nums[hi]
            if s == 0:
                result.append([nums[i], nums[lo], nums[hi]])
                lo += 1
                hi -= 1
                while lo < hi and nums[lo] == nums[lo - 1]:
                    lo += 1
            elif s < 0:
                lo += 1
            else:
                hi -= 1
    return result

# %% binary_search: ((1, 3, 5, 7, 9), 7), ((1, 3, 5), 4)
def program(nums, target):
    lo, hi = 0, len(nums) - 1
    while lo <= hi:
        mid = (lo + hi) // 2
        if nums[mid] == target:
            return mid
        elif nums[mid] < target:
            lo = mid + 1
        else:
            hi = mid - 1
    return -1

# %% search_insert_recursive: ((1, 3, 5, 7, 9), 7), ((1, 3, 5), 4)
def search(nums, target, lo, hi):
    if lo >= hi:
        return lo
    mid = (lo + hi) // 2
    if nums[mid] < target:
        return search(nums, target, mid + 1, hi)
    return search(nums, target, lo, mid)
def program(nums, target):
    return search(nums, target, 0, len(nums))

# %% climbing_stairs: (5,), (1,)
def program(n):
    a, b = 1, 1
    for _ in range(n):
        a, b = b, a + b
    return a

# %% coin_change: ((1, 2, 5), 11), ((2, 4), 3)
def program(coins, amount):
    dp = [0] + [float("inf")] * amount
    for a in range(1, amount + 1):
        for c in coins:
            if c <= a:
                dp[a] = min(dp[a], dp[a - c] + 1)
    return dp[amount] if dp[amount] != float("inf") else -1

# %% coin_change_plain_amount: ((1, 2, 5),), ((2, 4, 8),)
def program(coins):
    amount = 7
    dp = [0] + [amount + 1] * amount
    for a in range(1, amount + 1):
        for c in coins:
            if c <= a:
                dp[a] = min(dp[a], dp[a - c] + 1)
    return dp[amount] if dp[amount] <= amount else -1

# %% longest_increasing_subsequence: ((10, 9, 2, 5, 3, 7),), ((1, 1),)
def program(nums):
    dp = [1] * len(nums)
    for i in range(len(nums)):
        for j in range(i):
            if nums[j] < nums[i]:
                dp[i] = max(dp[i], dp[j] + 1)
    return max(dp)

# %% lis_with_bisect: ((10, 9, 2, 5, 3, 7),), ((1, 1),)
import bisect
def program(nums):
    tails = []
    for n in nums:
        i = bisect.bisect_left(tails, n)
        if i == len(tails):
            tails.append(n)
        else:
            tails[i] = n
    return len(tails)

# %% longest_common_subsequence: ((1, 3, 4, 1), (3, 4, 1)), ((1, 2), (3, 4))
def program(a, b):
    dp = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                dp[i][j] = dp[i - 1][j - 1] + 1
            else:
                dp[i][j] = max(dp[i - 1][j], dp[i][j - 1])
    return dp[-1][-1]

# %% edit_distance: ((1, 3, 4, 1), (3, 4, 1)), ((1, 2), (3, 4))
def program(a, b):
    m, n = len(a), len(b)
    prev = list(range(n + 1))
    for i in range(1, m + 1):
        row = [i]
        for j in range(1, n + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            row.append(min(prev[j] + 1, row[j - 1] + 1, prev[j - 1] + cost))
        prev = row
    return prev[n]

# %% knapsack: ((1, 3, 4), (15, 20, 30), 4), ((5,), (10,), 4)
def program(weights, values, capacity):
    dp = [0] * (capacity + 1)
    for w, v in zip(weights, values):
        for c in range(capacity, w - 1, -1):
            dp[c] = max(dp[c], dp[c - w] + v)
    return dp[capacity]

# %% house_robber: ((2, 7, 9, 3, 1),), ((2, 1),)
def program(nums):
    rob, skip = 0, 0
    for n in nums:
        rob, skip = skip + n, max(rob, skip)
    return max(rob, skip)

# %% unique_paths_with_obstacles: ((0, 0, 0, 1, 0, 0),), ((0, 1, 0, 1, 0, 0),)
def program(cells):
    grid = [cells[0:3], cells[3:6]]
    dp = [[0] * 3 for _ in range(2)]
    for r in range(2):
        for c in range(3):
            if grid[r][c] == 1:
                dp[r][c] = 0
            elif r == 0 and c == 0:
                dp[r][c] = 1
            else:
                up = dp[r - 1][c] if r > 0 else 0
                left = dp[r][c - 1] if c > 0 else 0
                dp[r][c] = up + left
    return dp[1][2]

# %% spiral_matrix: ((1, 2, 3, 4, 5, 6),), ((6, 5, 4, 3, 2, 1),)
def program(xs):
    matrix = [list(xs[:3]), list(xs[3:])]
    result = []
    while matrix:
        result += matrix.pop(0)
        matrix = list(zip(*matrix))[::-1]
    return result

# %% spiral_fill: (3,), (2,)
def program(n):
    grid = [[0] * n for _ in range(n)]
    r, c, dr, dc = 0, 0, 0, 1
    for k in range(1, n * n + 1):
        grid[r][c] = k
        nr, nc = r + dr, c + dc
        if not (0 <= nr < n and 0 <= nc < n and grid[nr][nc] == 0):
            dr, dc = dc, -dr
        r, c = r + dr, c + dc
    return grid

# %% rotate_matrix: ((1, 2, 3, 4),), ((0, 0, 7, 1),)
def program(xs):
    m = [[xs[0], xs[1]], [xs[2], xs[3]]]
    n = len(m)
    for i in range(n):
        for j in range(i + 1, n):
            m[i][j], m[j][i] = m[j][i], m[i][j]
    for row in m:
        row.reverse()
    return m

# %% set_matrix_zeroes: ((1, 0, 3, 4),), ((1, 2, 3, 4),)
def program(xs):
    m = [[xs[0], xs[1]], [xs[2], xs[3]]]
    rows, cols = set(), set()
    for i in range(2):
        for j in range(2):
            if m[i][j] == 0:
                rows.add(i)
                cols.add(j)
    for i in range(2):
        for j in range(2):
            if i in rows or j in cols:
                m[i][j] = 0
    return m

# %% game_of_life: ((0, 1, 0, 0, 1, 0, 0, 1, 0),), ((1, 1, 0, 1, 1, 0, 0, 0, 0),)
def program(cells):
    board = [list(cells[3 * r : 3 * r + 3]) for r in range(3)]
    def neighbors(r, c):
        count = 0
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                if (dr, dc) != (0, 0) and 0 <= r + dr < 3 and 0 <= c + dc < 3:
                    count += board[r + dr][c + dc]
        return count
    new = [[0] * 3 for _ in range(3)]
    for r in range(3):
        for c in range(3):
            n = neighbors(r, c)
            if board[r][c] and n in (2, 3) or not board[r][c] and n == 3:
                new[r][c] = 1
    return new

# %% bfs_distances: (0,), (3,)
from collections import deque
def program(start):
    graph = {0: [1, 2], 1: [3], 2: [3], 3: [4], 4: []}
    dist = {start: 0}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for nxt in graph[node]:
            if nxt not in dist:
                dist[nxt] = dist[node] + 1
                queue.append(nxt)
    return dist.get(4, -1)

# %% bfs_with_table: (0,), (3,)
from collections import deque
def program(start):
    graph = [[1, 2], [3, 3], [3, 4], [4, 4], [4, 4]]
    dist = [-1] * 5
    dist[start] = 0
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for nxt in graph[node]:
            if dist[nxt] == -1:
                dist[nxt] = dist[node] + 1
                queue.append(nxt)
    return dist

# %% dfs_count_islands: ((1, 1, 0, 0, 0, 1),), ((0, 0, 0, 0, 0, 0),)
def program(cells):
    grid = [list(cells[:3]), list(cells[3:])]
    def sink(r, c):
        if r < 0 or r >= 2 or c < 0 or c >= 3 or grid[r][c] == 0:
            return
        grid[r][c] = 0
        sink(r + 1, c)
        sink(r - 1, c)
        sink(r, c + 1)
        sink(r, c - 1)
    count = 0
    for r in range(2):
        for c in range(3):
            if grid[r][c] == 1:
                count += 1
                sink(r, c)
    return count

# %% islands_with_stack: ((1, 1, 0, 0, 0, 1),), ((0, 0, 0, 0, 0, 0),)
def program(cells):
    grid = [list(cells[:3]), list(cells[3:])]
    count = 0
    for r in range(2):
        for c in range(3):
            if grid[r][c] == 1:
                count += 1
                stack = [(r, c)]
                while stack:
                    i, j = stack.pop()
                    if 0 <= i < 2 and 0 <= j < 3 and grid[i][j] == 1:
                        grid[i][j] = 0
                        stack.extend([(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)])
    return count

# %% union_find_class: (0, 1), (2, 3)
class UnionFind:
    def __init__(self, n):
        self.parent = list(range(n))
        self.size = [1] * n
        self.count = n
    def find(self, x):
        while self.parent[x] != x:
            self.parent[x] = self.parent[self.parent[x]]
            x = self.parent[x]
        return x
    def union(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return False
        if self.size[a] < self.size[b]:
            a, b = b, a
        self.parent[b] = a
        self.size[a] += self.size[b]
        self.count -= 1
        return True
def program(a, b):
    uf = UnionFind(5)
    merged = [uf.union(a, b), uf.union(0, 4), uf.union(1, 0)]
    return merged, uf.count, uf.size

# %% dijkstra: (4, 1), (1, 9)
import heapq
def program(a, b):
    graph = {"s": [("a", a), ("b", b)], "a": [("t", 5)], "b": [("t", 1), ("a", 1)], "t": []}
    dist = {node: float("inf") for node in graph}
    dist["s"] = 0
    heap = [(0, "s")]
    while heap:
        d, node = heapq.heappop(heap)
        if d > dist[node]:
            continue
        for nxt, w in graph[node]:
            if d + w < dist[nxt]:
                dist[nxt] = d + w
                heapq.heappush(heap, (d + w, nxt))
    return dist["t"]

# %% dijkstra_table: (4, 1), (1, 9)
def program(a, b):
    inf = 10 ** 6
    w = [[inf, a, b, inf], [inf, inf, inf, 5], [inf, 1, inf, 1], [inf] * 4]
    dist, done = [0, inf, inf, inf], [False] * 4
    for _ in range(4):
        u, best = -1, inf
        for i in range(4):
            if not done[i] and dist[i] < best:
                u, best = i, dist[i]
        if u == -1:
            break
        done[u] = True
        for v in range(4):
            if dist[u] + w[u][v] < dist[v]:
                dist[v] = dist[u] + w[u][v]
    return dist

# %% floyd_warshall: (4, 1), (1, 9)
def program(a, b):
    inf = float("inf")
    d = [[0, a, b], [inf, 0, 1], [1, inf, 0]]
    for k in range(3):
        for i in range(3):
            for j in range(3):
                if d[i][k] + d[k][j] < d[i][j]:
                    d[i][j] = d[i][k] + d[k][j]
    return d

# %% bellman_ford_edges: (4, 1), (1, 9)
def program(a, b):
    edges = [(0, 1, a), (0, 2, b), (2, 1, 2), (1, 3, 3)]
    dist = [0] + [99] * 3
    for _ in range(3):
        changed = False
        for u, v, w in edges:
            if dist[u] + w < dist[v]:
                dist[v] = dist[u] + w
                changed = True
        if not changed:
            break
    return dist

# %% kruskal: (4, 1, 3), (1, 9, 2)
def program(a, b, c):
    edges = sorted([(a, 0, 1), (b, 1, 2), (c, 0, 2)])
    parent = [0, 1, 2]
    def find(x):
        while parent[x] != x:
            x = parent[x]
        return x
    total = 0
    for w, u, v in edges:
        ru, rv = find(u), find(v)
        if ru != rv:
            parent[ru] = rv
            total += w
    return total

# %% topological_sort_indegree: (1, 0), (0, 1)
def program(a, b):
    indegree = [0, 0, 0]
    edges = [(a, 2), (b, 2)]
    for u, v in edges:
        indegree[v] += 1
    order = []
    ready = [i for i in range(3) if indegree[i] == 0]
    while ready:
        u = ready.pop()
        order.append(u)
        for s, t in edges:
            if s == u:
                indegree[t] -= 1
                if indegree[t] == 0:
                    ready.append(t)
    return order

# %% roman_to_int: ((0, 1),), ((1, 0),)
def program(digits):
    letters = "IVX"
    values = {"I": 1, "V": 5, "X": 10}
    total = 0
    prev = 0
    for d in reversed(digits):
        v = values[letters[d]]
        if v < prev:
            total -= v
        else:
            total += v
        prev = v
    return total

# %% int_to_roman: (14,), (9,)
def program(n):
    result = ""
    for value, numeral in [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]:
        while n >= value:
            result += numeral
            n -= value
    return result

# %% gcd_and_lcm: (12, 18), (7, 3)
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a
def program(a, b):
    return gcd(a, b), a * b // gcd(a, b)

# %% gcd_reduce: ((12, 18, 6),), ((7, 3),)
import functools
import math
def program(xs):
    return functools.reduce(math.gcd, xs), math.gcd(*xs)

# %% is_prime: (17,), (15,), (1,)
def program(n):
    if n < 2:
        return False
    i = 2
    while i * i <= n:
        if n % i == 0:
            return False
        i += 1
    return True

# %% sieve: (12,), (2,)
def program(n):
    sieve = [True] * (n + 1)
    primes = []
    for p in range(2, n + 1):
        if sieve[p]:
            primes.append(p)
            for m in range(p * p, n + 1, p):
                sieve[m] = False
    return primes

# %% prime_factors: (60,), (7,)
def program(n):
    factors = []
    d = 2
    while n > 1:
        while n % d == 0:
            factors.append(d)
            n //= d
        d += 1
    return factors

# %% prime_factors_counts: (60,), (7,)
from collections import Counter
def program(n):
    counts = Counter()
    for d in (2, 3, 5, 7):
        while n % d == 0:
            counts[d] += 1
            n //= d
    return dict(counts)

# %% perfect_number: (28,), (12,)
def program(n):
    return sum(d for d in range(1, n) if n % d == 0) == n

# %% bubble_sort: ((3, 1, 2),), ((1, 2, 3),)
def program(xs):
    xs = list(xs)
    for i in range(len(xs)):
        swapped = False
        for j in range(len(xs) - 1 - i):
            if xs[j] > xs[j + 1]:
                xs[j], xs[j + 1] = xs[j + 1], xs[j]
                swapped = True
        if not swapped:
            break
    return xs

# %% selection_sort: ((3, 1, 2),), ((1, 2, 3),)
def program(xs):
    xs = list(xs)
    for i in range(len(xs)):
        smallest = i
        for j in range(i + 1, len(xs)):
            if xs[j] < xs[smallest]:
                smallest = j
        xs[i], xs[smallest] = xs[smallest], xs[i]
    return xs

# %% insertion_sort: ((3, 1, 2),), ((1, 2, 3),)
def program(xs):
    xs = list(xs)
    for i in range(1, len(xs)):
        key = xs[i]
        j = i - 1
        while j >= 0 and xs[j] > key:
            xs[j + 1] = xs[j]
            j -= 1
        xs[j + 1] = key
    return xs

# %% merge_sort: ((3, 1, 2),), ((1, 2, 3, 0),)
def merge_sort(xs):
    if len(xs) <= 1:
        return xs
    mid = len(xs) // 2
    left, right = merge_sort(xs[:mid]), merge_sort(xs[mid:])
    merged, i, j = [], 0, 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    merged.extend(left[i:])
    merged.extend(right[j:])
    return merged
def program(xs):
    return merge_sort(list(xs))

# %% quick_sort_lists: ((3, 1, 2),), ((1, 2, 3),)
def quick_sort(xs):
    if len(xs) <= 1:
        return xs
    pivot = xs[0]
    smaller = [x for x in xs[1:] if x < pivot]
    larger = [x for x in xs[1:] if x >= pivot]
    return quick_sort(smaller) + [pivot] + quick_sort(larger)
def program(xs):
    return quick_sort(list(xs))

# %% quick_sort_in_place: ((3, 1, 2),), ((1, 2, 3),)
def partition(xs, lo, hi):
    pivot = xs[hi]
    i = lo
    for j in range(lo, hi):
        if xs[j] < pivot:
            xs[i], xs[j] = xs[j], xs[i]
            i += 1
    xs[i], xs[hi] = xs[hi], xs[i]
    return i
def program(xs):
    xs = list(xs)
    stack = [(0, len(xs) - 1)]
    while stack:
        lo, hi = stack.pop()
        if lo < hi:
            p = partition(xs, lo, hi)
            stack.append((lo, p - 1))
            stack.append((p + 1, hi))
    return xs

# %% counting_sort: ((3, 1, 2, 1),), ((0, 2),)
def program(xs):
    counts = [0] * 5
    for x in xs:
        counts[x] += 1
    result = []
    for value, count in enumerate(counts):
        result.extend([value] * count)
    return result

# %% heap_sort: ((3, 1, 2, 1),), ((0, 2),)
import heapq
def program(xs):
    heap = list(xs)
    heapq.heapify(heap)
    return [heapq.heappop(heap) for _ in range(len(heap))]

# %% k_largest: ((3, 1, 2, 1), 2), ((0, 2), 1)
import heapq
def program(xs, k):
    heap = []
    for x in xs:
        heapq.heappush(heap, x)
        if len(heap) > k:
            heapq.heappop(heap)
    return heap[0]

# %% top_k_frequent: ((1, 1, 2, 3, 3, 3),), ((4, 4),)
from collections import Counter
def program(xs):
    return Counter(xs).most_common(1)[0][0]

# %% majority_vote: ((1, 1, 2),), ((4, 3, 4),)
def program(xs):
    candidate, count = None, 0
    for x in xs:
        if count == 0:
            candidate = x
        count += 1 if x == candidate else -1
    return candidate

# %% sliding_window_sum: ((1, 3, 2, 6), 2), ((4, 3, 4), 3)
def program(xs, k):
    window = sum(xs[:2])
    best = window
    for i in range(2, len(xs)):
        window += xs[i] - xs[i - 2]
        best = max(best, window)
    return best * k

# %% shortest_window_at_least: ((2, 3, 1, 2, 4, 3), 7), ((1, 1), 9)
def program(nums, target):
    left = total = 0
    best = len(nums) + 1
    for right in range(len(nums)):
        total += nums[right]
        while total >= target:
            best = min(best, right - left + 1)
            total -= nums[left]
            left += 1
    return best if best <= len(nums) else 0

# %% longest_without_repeats: ((1, 2, 3, 1, 2),), ((4, 4),)
def program(xs):
    last = {}
    start = best = 0
    for i, x in enumerate(xs):
        if x in last and last[x] >= start:
            start = last[x] + 1
        last[x] = i
        best = max(best, i - start + 1)
    return best

# %% sliding_window_deque: ((1, 3, -1, -3, 5),), ((5, 4, 3),)
from collections import deque
def program(nums):
    k = 2
    window, result = deque(), []
    for i, n in enumerate(nums):
        while window and nums[window[-1]] <= n:
            window.pop()
        window.append(i)
        if window[0] <= i - k:
            window.popleft()
        if i >= k - 1:
            result.append(nums[window[0]])
    return result

# %% valid_parentheses: ((0, 1, 3, 2),), ((0, 2),)
def program(codes):
    closes = {1: 0, 2: 3}
    stack = []
    for c in codes:
        if c in closes:
            if not stack or stack.pop() != closes[c]:
                return False
        else:
            stack.append(c)
    return not stack

# %% daily_temperatures: ((73, 74, 71, 76),), ((5, 4),)
def program(temps):
    result = [0] * len(temps)
    stack = []
    for i, t in enumerate(temps):
        while stack and temps[stack[-1]] < t:
            j = stack.pop()
            result[j] = i - j
        stack.append(i)
    return result

# %% rpn_calculator: ((3, 4, -1, 2, -2),), ((5, 4, -1),)
def program(tokens):
    stack = []
    for t in tokens:
        if t == -1:
            b, a = stack.pop(), stack.pop()
            stack.append(a + b)
        elif t == -2:
            b, a = stack.pop(), stack.pop()
            stack.append(a * b)
        else:
            stack.append(t)
    return stack[-1]

# %% run_length: ((1, 1, 2),), ((4, 4, 4),)
def program(xs):
    result = []
    count = 1
    for i in range(1, len(xs)):
        if xs[i] == xs[i - 1]:
            count += 1
        else:
            result.append((xs[i - 1], count))
            count = 1
    result.append((xs[-1], count))
    return result

# %% run_length_in_place: ((1, 1, 2),), ((4, 4, 4),)
def program(xs):
    runs = []
    for x in xs:
        if runs and runs[-1][0] == x:
            runs[-1][1] += 1
        else:
            runs.append([x, 1])
    return runs

# %% merge_intervals: ((1, 2), (3, 4)), ((1, 5), (2, 3))
def program(a, b):
    intervals = sorted([(a[0], a[1]), (b[0], b[1])])
    merged = []
    for start, end in intervals:
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged

# %% bank_account: (50,), (500,)
class InsufficientFunds(Exception):
    pass
class Account:
    def __init__(self, balance=0):
        self.balance = balance
        self.history = []
    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        self.history.append(("deposit", amount))
    def withdraw(self, amount):
        if amount > self.balance:
            raise InsufficientFunds(f"balance {self.balance} < {amount}")
        self.balance -= amount
        self.history.append(("withdraw", amount))
def program(x):
    account = Account(100)
    account.deposit(20)
    account.withdraw(x)
    return account.balance, account.history

# %% bank_transfer: (50,), (500,)
from dataclasses import dataclass, field
@dataclass
class Account:
    owner: str
    balance: int = 0
    log: list = field(default_factory=list)
    def transfer(self, other, amount):
        if self.balance >= amount:
            self.balance -= amount
            other.balance += amount
            self.log.append(amount)
            return True
        return False
def program(x):
    a, b = Account("ann", 100), Account("bob")
    ok = a.transfer(b, x)
    return ok, a.balance, b.balance, len(a.log)

# %% dataclass_ordering: (3, 1), (0, 9)
from dataclasses import dataclass
@dataclass(order=True)
class Version:
    major: int
    minor: int
def program(a, b):
    versions = [Version(a, 0), Version(1, b), Version(1, 1)]
    return max(versions).minor, Version(a, b) < Version(1, 2), Version(a, b) == Version(3, 1)

# %% named_tuple_points: (3, 1), (0, 9)
from typing import NamedTuple
class Point(NamedTuple):
    x: int
    y: int
    def dist(self, other):
        return abs(self.x - other.x) + abs(self.y - other.y)
def program(a, b):
    p, q = Point(a, b), Point(1, 1)
    nearest = min([p, q], key=lambda r: r.dist(Point(0, 0)))
    return nearest, p < q, p._replace(x=5).dist(q)

# %% generator_pipeline: ((1, 2, 3, 4),), ((1, 3),)
def evens(xs):
    for x in xs:
        if x % 2 == 0:
            yield x
def squares(xs):
    for x in xs:
        yield x * x
def program(xs):
    return sum(squares(evens(xs)))

# %% generator_fibonacci: (10,), (1,)
def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b
def program(limit):
    total = 0
    for f in fibonacci():
        if f > limit:
            break
        if f % 2 == 0:
            total += f
    return total

# %% itertools_products: (2, 5), (1, 1)
import itertools
def program(a, b):
    pairs = [(x, y) for x, y in itertools.product([1, 2, 3], [a, b]) if x < y]
    combos = max(sum(c) for c in itertools.combinations([a, b, 3], 2))
    return len(pairs), combos

# %% reduce_max_pair: ((3, 1, 2),), ((1, 2, 3),)
import functools
def program(xs):
    best = functools.reduce(lambda a, b: a if a > b else b, xs)
    digits = functools.reduce(lambda acc, d: acc * 10 + d, xs, 0)
    return best, digits

# %% build_string: (3, 2), (0, 0)
def program(n, m):
    parts = []
    for i in range(n):
        parts.append(str(i * m))
    return ",".join(parts)

# %% fizz_buzz: (15,), (9,), (7,)
def program(n):
    if n % 15 == 0:
        return "FizzBuzz"
    if n % 3 == 0:
        return "Fizz"
    if n % 5 == 0:
        return "Buzz"
    return str(n)

# %% fizz_buzz_list: (15,), (2,)
def program(n):
    out = []
    for i in range(1, n + 1):
        s = ""
        if i % 3 == 0:
            s += "Fizz"
        if i % 5 == 0:
            s += "Buzz"
        out.append(s or str(i))
    return out

# %% matrix_multiply: ((1, 2, 3, 4),), ((0, 1, 1, 0),)
def program(xs):
    a = [[xs[0], xs[1]], [xs[2], xs[3]]]
    b = [[1, 2], [3, 4]]
    return [[sum(a[i][k] * b[k][j] for k in range(2)) for j in range(2)] for i in range(2)]

# %% matrix_power: (5,), (1,)
def multiply(a, b):
    return [[sum(x * y for x, y in zip(row, col)) for col in zip(*b)] for row in a]
def program(n):
    result, base = [[1, 0], [0, 1]], [[1, 1], [1, 0]]
    while n:
        if n % 2:
            result = multiply(result, base)
        base = multiply(base, base)
        n //= 2
    return result[0][1]

# %% gaussian_elimination: ((2.0, 1.0, 1.0, 3.0),), ((0.0, 1.0, 1.0, 0.0),)
def program(xs):
    m = [[xs[0], xs[1], 5.0], [xs[2], xs[3], 10.0]]
    n = 2
    for i in range(n):
        pivot = i
        for r in range(i + 1, n):
            if abs(m[r][i]) > abs(m[pivot][i]):
                pivot = r
        m[i], m[pivot] = m[pivot], m[i]
        for r in range(i + 1, n):
            f = m[r][i] / m[i][i]
            for c in range(i, n + 1):
                m[r][c] -= f * m[i][c]
    x = [0.0] * n
    for i in range(n - 1, -1, -1):
        x[i] = (m[i][n] - sum(m[i][j] * x[j] for j in range(i + 1, n))) / m[i][i]
    return x

# %% linked_list_sum: ((3, 1, 2), 2), ((1, 2, 3), 9)
class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next
def program(xs, target):
    head = None
    for x in reversed(xs):
        head = Node(x, head)
    position, node = 0, head
    while node is not None:
        if node.value == target:
            return position
        node = node.next
        position += 1
    return -1

# %% tree_insert_and_walk: (5,), (1,)
class Tree:
    def __init__(self, value):
        self.value = value
        self.left = None
        self.right = None
    def insert(self, value):
        if value < self.value:
            if self.left is None:
                self.left = Tree(value)
            else:
                self.left.insert(value)
        else:
            if self.right is None:
                self.right = Tree(value)
            else:
                self.right.insert(value)
    def walk(self):
        out = self.left.walk() if self.left else []
        out.append(self.value)
        return out + (self.right.walk() if self.right else [])
def program(x):
    t = Tree(3)
    t.insert(x)
    return t.walk()

# %% inventory: (3, 10), (7, 1)
from collections import defaultdict
def program(sold, price):
    stock = defaultdict(int)
    for name, n in [("a", 5), ("b", 2), ("a", 1)]:
        stock[name] += n
    if stock["a"] >= sold:
        stock["a"] -= sold
        revenue = sold * price
    else:
        revenue = 0
    return dict(stock), revenue, [k for k, v in stock.items() if v > 2]

# %% vending_machine_states: ((1, 1, 2),), ((2, 0, 0),)
def program(coins):
    state, dispensed = "idle", 0
    for c in coins:
        if state == "idle":
            state = "has_coin" if c == 1 else "idle"
        elif state == "has_coin":
            if c == 2:
                state = "idle"
                dispensed += 1
    return state, dispensed

# %% match_commands: ((0, 5), (1, 2)), ((1, 1), (2, 0))
def program(first, second):
    total = 0
    for command in (first, second):
        match command:
            case [0, n]:
                total = n
            case [1, n]:
                total += n
            case [_, _]:
                total = -1
    return total

# %% match_tuple_of_signs: (3, -1), (0, 0)
def program(x, y):
    match (x > 0, y > 0):
        case (True, True):
            return 1
        case (True, False):
            return 2
        case _:
            return 3

# %% elevator: ((3, 1),), ((0, 5),)
class Elevator:
    def __init__(self):
        self.floor = 0
        self.moved = 0
    def go(self, target):
        while self.floor != target:
            step = 1 if target > self.floor else -1
            self.floor += step
            self.moved += 1
def program(stops):
    e = Elevator()
    for s in stops:
        e.go(s)
    return e.floor, e.moved

# %% lru_cache_class: (1, 2), (2, 3)
from collections import OrderedDict
class LRU:
    def __init__(self, capacity):
        self.capacity = capacity
        self.data = OrderedDict()
    def get(self, key):
        if key not in self.data:
            return -1
        self.data.move_to_end(key)
        return self.data[key]
    def put(self, key, value):
        self.data[key] = value
        self.data.move_to_end(key)
        if len(self.data) > self.capacity:
            self.data.popitem(last=False)
def program(a, b):
    c = LRU(2)
    c.put("x", a)
    c.put("y", b)
    c.get("x")
    c.put("z", a + b)
    return c.get("x"), c.get("y"), c.get("z")

# %% parse_numbers_list: ((1, 2, -1, 3, 4),), ((-1, 5),)
def program(tokens):
    groups = [[]]
    for t in tokens:
        if t == -1:
            groups.append([])
        else:
            groups[-1].append(t)
    return [sum(g) for g in groups]

# %% parse_length_prefixed: ((2, 7, 8, 1, 9),), ((1, 5),)
def program(data):
    i, sums = 0, []
    while i < len(data):
        n = data[i]
        total = 0
        for j in range(i + 1, i + 1 + n):
            total += data[j]
        sums.append(total)
        i += 1 + n
    return sums

# %% monte_carlo_lcg: (7, 20), (1, 5)
def program(seed, n):
    inside = 0
    for _ in range(n):
        seed = (seed * 1103515245 + 12345) % 2147483648
        x = seed / 2147483648
        if x * x < 0.5:
            inside += 1
    return inside

# %% collatz_longest: (10,), (3,)
def program(limit):
    best, best_n = 0, 0
    for n in range(1, limit):
        k, steps = n, 0
        while k != 1:
            k = k // 2 if k % 2 == 0 else 3 * k + 1
            steps += 1
        if steps > best:
            best, best_n = steps, n
    return best_n, best

# %% tic_tac_toe_winner: ((1, 1, 1, 0, 2, 2, 0, 0, 0),), ((1, 2, 1, 0, 2, 2, 0, 0, 0),)
def program(board):
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    for a, b, c in lines:
        if board[a] != 0 and board[a] == board[b] == board[c]:
            return board[a]
    return 0

# %% n_queens_valid: ((1, 3, 0, 2),), ((0, 1, 2, 3),)
def program(queens):
    n = len(queens)
    return all(
        queens[i] != queens[j] and abs(queens[i] - queens[j]) != j - i
        for i in range(n)
        for j in range(i + 1, n)
    )

# %% hanoi_moves: (3,), (1,)
def hanoi(n, a, b, c):
    if n == 0:
        return 0
    return hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)
def program(n):
    return hanoi(n, "a", "b", "c")

# %% group_by_parity: ((1, 2, 3, 4),), ((1, 3),)
from collections import defaultdict
def program(xs):
    groups = defaultdict(list)
    for x in xs:
        groups["even" if x % 2 == 0 else "odd"].append(x)
    return groups["even"], groups["odd"]

# %% histogram_dict: ((1, 2, 2, 4),), ((1, 3),)
def program(xs):
    hist = {}
    for x in xs:
        hist[x] = hist.get(x, 0) + 1
    return hist

# %% students_sorted: (3, 7), (9, 1)
def program(a, b):
    students = [{"name": "ann", "grade": a}, {"name": "bob", "grade": b}]
    students.sort(key=lambda s: s["grade"], reverse=True)
    passed = [s["grade"] for s in students if s["grade"] > 4]
    return students[0]["grade"], len(passed)

# %% zip_dict_lookup: ((1, 2, 3),), ((4, 5, 6),)
def program(xs):
    scores = dict(zip("abc", xs))
    best = max(scores, key=scores.get)
    total = sum(scores.values())
    return scores, total, scores[best]

# %% any_all_next: ((1, 2, 3),), ((4, 5, 6),)
def program(xs):
    first = next((x for x in xs if x > 2), None)
    if first is None:
        first = -1
    return any(x > 5 for x in xs), all(x < 5 for x in xs), first

# %% decimal_to_binary: (10,), (0,)
def program(n):
    bits = []
    while n > 0:
        bits.append(n % 2)
        n //= 2
    return bits[::-1] or [0]

# %% pascal_triangle: (4,), (1,)
def program(n):
    row = [1]
    for _ in range(n):
        row = [1] + [row[i] + row[i + 1] for i in range(len(row) - 1)] + [1]
    return row

# %% bisection: (2.0,), (9.0,)
def program(x):
    lo, hi = 0.0, max(x, 1.0)
    while hi - lo > 1e-3:
        mid = (lo + hi) / 2
        if mid * mid < x:
            lo = mid
        else:
            hi = mid
    return abs(lo * lo - x) < 0.1

# %% newton: (2.0,), (9.0,)
def program(x):
    guess = x / 2
    for _ in range(50):
        new = 0.5 * (guess + x / guess)
        if abs(new - guess) < 1e-12:
            break
        guess = new
    else:
        return -1.0
    return guess

# %% move_zeroes: ((0, 1, 0, 3),), ((1, 2),)
def program(nums):
    nums = list(nums)
    slot = 0
    for i in range(len(nums)):
        if nums[i] != 0:
            nums[slot], nums[i] = nums[i], nums[slot]
            slot += 1
    return nums

# %% remove_duplicates: ((0, 0, 1, 1),), ((1, 2),)
def program(nums):
    nums = list(nums)
    k = 1
    for i in range(1, len(nums)):
        if nums[i] != nums[k - 1]:
            nums[k] = nums[i]
            k += 1
    return nums[:k], k

# %% rotate_by_k: ((1, 2, 3, 4), 1), ((1, 2), 3)
def program(nums, k):
    nums = list(nums)
    n = len(nums)
    k %= n
    return [nums[(i - k) % n] for i in range(n)], nums[-k:] + nums[:-k]

# %% walrus_stream: ((1, 2, 0, 4),), ((0, 3),)
def program(xs):
    it = iter(xs)
    total = 0
    while (x := next(it, 0)) != 0:
        total += x
    return total
