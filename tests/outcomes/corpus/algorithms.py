# %% two_sum: ((2, 7, 11, 15), 9), ((3, 2, 4), 6), ((1, 2), 9)
def program(nums, target):
    for i in range(len(nums)):
        for j in range(i + 1, len(nums)):
            if nums[i] + nums[j] == target:
                return i, j
    return -1, -1

# %% max_subarray: ((-2, 1, -3, 4, -1, 2, 1, -5, 4),), ((-1, -2),)
def program(nums):
    best = cur = nums[0]
    for x in nums[1:]:
        cur = max(x, cur + x)
        best = max(best, cur)
    return best

# %% climbing: (5,), (1,), (2,)
def program(n):
    a, b = 1, 1
    for _ in range(n - 1):
        a, b = b, a + b
    return b

# %% climb_early: (5,), (1,), (2,)
def program(n):
    if n <= 2:
        return n
    a, b = 1, 2
    for i in range(3, n + 1):
        a, b = b, a + b
    return b

# %% house_robber: ((2, 7, 9, 3, 1),), ((1, 2, 3, 1),)
def program(nums):
    prev, cur = 0, 0
    for n in nums:
        prev, cur = cur, max(cur, prev + n)
    return cur

# %% move_zeroes: ((0, 1, 0, 3, 12),), ((1, 2, 0),)
def program(nums):
    nums = list(nums)
    k = 0
    for i in range(len(nums)):
        if nums[i] != 0:
            nums[k], nums[i] = nums[i], nums[k]
            k += 1
    return nums

# %% majority: ((3, 2, 3),), ((2, 2, 1, 1, 1, 2, 2),)
def program(nums):
    count, cand = 0, None
    for x in nums:
        if count == 0:
            cand = x
        count += 1 if x == cand else -1
    return cand

# %% coin_change: ((1, 2, 5), 11), ((2,), 3)
def program(coins, amount):
    dp = [0] + [float("inf")] * 11
    for a in range(1, 12):
        for c in coins:
            if a - c >= 0:
                dp[a] = min(dp[a], dp[a - c] + 1)
    return dp[amount] if dp[amount] != float("inf") else -1

# %% coin_change_n: ((1, 2, 5), 11), ((2,), 3)
def program(coins, amount):
    dp = [amount + 1] * (amount + 1)
    dp[0] = 0
    for a in range(1, amount + 1):
        for c in coins:
            if a >= c:
                dp[a] = min(dp[a], dp[a - c] + 1)
    return dp[amount] if dp[amount] <= amount else -1

# %% lis: ((10, 9, 2, 5, 3, 7, 101, 18),), ((7, 7, 7),)
def program(nums):
    dp = [1] * len(nums)
    for i in range(len(nums)):
        for j in range(i):
            if nums[j] < nums[i]:
                dp[i] = max(dp[i], dp[j] + 1)
    return max(dp)

# %% lis_bisect: ((10, 9, 2, 5, 3, 7, 101, 18),), ((7, 7, 7),)
def program(nums):
    tails = []
    for x in nums:
        lo, hi = 0, len(tails)
        while lo < hi:
            mid = (lo + hi) // 2
            if tails[mid] < x:
                lo = mid + 1
            else:
                hi = mid
        if lo == len(tails):
            tails.append(x)
        else:
            tails[lo] = x
    return len(tails), tails

# %% lis_bisect_lib: ((10, 9, 2, 5, 3, 7, 101, 18),), ((7, 7, 7),)
import bisect
def program(nums):
    tails = []
    for x in nums:
        i = bisect.bisect_left(tails, x)
        if i == len(tails):
            tails.append(x)
        else:
            tails[i] = x
    return tails

# %% lcs: ((1, 3, 4, 1, 2), (3, 4, 1, 2, 1)), ((1, 2), (3, 4))
def program(a, b):
    dp = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                dp[i][j] = dp[i - 1][j - 1] + 1
            else:
                dp[i][j] = max(dp[i - 1][j], dp[i][j - 1])
    return dp[-1][-1]

# %% edit_distance: ((1, 2, 3), (1, 3, 4, 5)), ((1,), (1,))
def program(a, b):
    prev = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        cur = [i]
        for j, y in enumerate(b, 1):
            cost = 0 if x == y else 1
            cur.append(min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + cost))
        prev = cur
    return prev[-1]

# %% valid_parens: ("(())",), ("(()",), (")(",)
def program(s):
    stack = []
    pairs = {")": "(", "]": "["}
    for ch in s:
        if ch in "([":
            stack.append(ch)
        else:
            if not stack or stack.pop() != pairs[ch]:
                return False
    return not stack

# %% paren_codes: ((1, 1, 2, 2),), ((1, 2, 2),), ((1,),)
def program(codes):
    stack = []
    for c in codes:
        if c == 1:
            stack.append(c)
        elif stack:
            stack.pop()
        else:
            return False
    return len(stack) == 0

# %% binary_search: ((1, 3, 5, 7), 5), ((1, 3, 5, 7), 4)
def program(a, x):
    lo, hi = 0, len(a) - 1
    while lo <= hi:
        mid = (lo + hi) // 2
        if a[mid] == x:
            return mid
        if a[mid] < x:
            lo = mid + 1
        else:
            hi = mid - 1
    return -1

# %% trap_rain: ((0, 1, 0, 2, 1, 0, 1, 3),), ((3, 2, 1),)
def program(h):
    l, r = 0, len(h) - 1
    lm = rm = total = 0
    while l < r:
        if h[l] < h[r]:
            lm = max(lm, h[l])
            total += lm - h[l]
            l += 1
        else:
            rm = max(rm, h[r])
            total += rm - h[r]
            r -= 1
    return total

# %% product_except_self: ((1, 2, 3, 4),), ((0, 2, 3),)
def program(nums):
    n = len(nums)
    res = [1] * n
    left = 1
    for i in range(n):
        res[i] = left
        left *= nums[i]
    right = 1
    for i in range(n - 1, -1, -1):
        res[i] *= right
        right *= nums[i]
    return res

# %% rotate_array: ((1, 2, 3, 4, 5), 2), ((1, 2), 3)
def program(nums, k):
    nums = list(nums)
    k %= len(nums)
    return nums[-k:] + nums[:-k]

# %% rotate_inplace: ((1, 2, 3, 4, 5), 2), ((1, 2), 3)
def program(nums, k):
    nums = list(nums)
    def reverse(i, j):
        while i < j:
            nums[i], nums[j] = nums[j], nums[i]
            i += 1
            j -= 1
    n = len(nums)
    k = k % n
    reverse(0, n - 1)
    reverse(0, k - 1)
    reverse(k, n - 1)
    return nums

# %% next_permutation: ((1, 2, 3),), ((3, 2, 1),), ((1, 3, 2),)
def program(nums):
    nums = list(nums)
    i = len(nums) - 2
    while i >= 0 and nums[i] >= nums[i + 1]:
        i -= 1
    if i >= 0:
        j = len(nums) - 1
        while nums[j] <= nums[i]:
            j -= 1
        nums[i], nums[j] = nums[j], nums[i]
    l, r = i + 1, len(nums) - 1
    while l < r:
        nums[l], nums[r] = nums[r], nums[l]
        l += 1
        r -= 1
    return nums

# %% spiral: (3,), (1,)
def program(k):
    m = [[k + i * 3 + j for j in range(3)] for i in range(3)]
    out = []
    while m:
        out += m.pop(0)
        m = [list(r) for r in zip(*m)][::-1]
    return out

# %% rotate_image: (3,), (1,)
def program(k):
    m = [[k * i + j for j in range(3)] for i in range(3)]
    n = len(m)
    for i in range(n):
        for j in range(i, n):
            m[i][j], m[j][i] = m[j][i], m[i][j]
    for row in m:
        row.reverse()
    return m

# %% islands: (1,), (0,)
def program(a):
    grid = [[1, a, 0], [0, a, 0], [1, 0, 1]]
    def sink(i, j):
        if i < 0 or j < 0 or i >= 3 or j >= 3 or grid[i][j] == 0:
            return
        grid[i][j] = 0
        sink(i + 1, j)
        sink(i - 1, j)
        sink(i, j + 1)
        sink(i, j - 1)
    count = 0
    for i in range(3):
        for j in range(3):
            if grid[i][j] == 1:
                count += 1
                sink(i, j)
    return count

# %% islands_stack: (1,), (0,)
def program(a):
    grid = [[1, a, 0], [0, a, 0], [1, 0, 1]]
    count = 0
    for i in range(3):
        for j in range(3):
            if grid[i][j] == 1:
                count += 1
                stack = [(i, j)]
                while stack:
                    r, c = stack.pop()
                    if 0 <= r < 3 and 0 <= c < 3 and grid[r][c] == 1:
                        grid[r][c] = 0
                        stack.append((r + 1, c))
                        stack.append((r - 1, c))
                        stack.append((r, c + 1))
                        stack.append((r, c - 1))
    return count

# %% bfs_shortest: (0, 3), (2, 2), (3, 0)
from collections import deque
def program(s, t):
    graph = {0: [1, 2], 1: [3], 2: [3], 3: []}
    dist = [-1] * 4
    dist[s] = 0
    q = deque([s])
    while q:
        u = q.popleft()
        for v in graph[u]:
            if dist[v] == -1:
                dist[v] = dist[u] + 1
                q.append(v)
    return dist[t]

# %% bfs_matrix: (0, 3), (2, 2), (3, 0)
from collections import deque
def program(s, t):
    adj = [[0, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]]
    dist = [-1] * 4
    dist[s] = 0
    q = deque([s])
    while q:
        u = q.popleft()
        for v in range(4):
            if adj[u][v] and dist[v] == -1:
                dist[v] = dist[u] + 1
                q.append(v)
    return dist[t]

# %% dijkstra_heap: (0, 3), (2, 5)
import heapq
def program(s, w):
    graph = {0: [(1, w), (2, 1)], 1: [(3, 1)], 2: [(1, 1), (3, 5)], 3: []}
    dist = {v: 1000 for v in graph}
    dist[s] = 0
    heap = [(0, s)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > dist[u]:
            continue
        for v, c in graph[u]:
            if d + c < dist[v]:
                dist[v] = d + c
                heapq.heappush(heap, (d + c, v))
    return list(dist.values())

# %% dijkstra_array: (0, 3), (2, 5)
def program(s, w):
    inf = 1000
    g = [[inf, w, 1, inf], [inf, inf, inf, 1], [inf, 1, inf, 5], [inf] * 4]
    dist = [inf] * 4
    done = [False] * 4
    dist[s] = 0
    for _ in range(4):
        u = -1
        for i in range(4):
            if not done[i] and (u == -1 or dist[i] < dist[u]):
                u = i
        done[u] = True
        for v in range(4):
            if dist[u] + g[u][v] < dist[v]:
                dist[v] = dist[u] + g[u][v]
    return dist

# %% floyd: (3, 1), (7, 9)
def program(a, b):
    inf = 999
    d = [[0, a, inf], [inf, 0, b], [2, inf, 0]]
    for k in range(3):
        for i in range(3):
            for j in range(3):
                if d[i][k] + d[k][j] < d[i][j]:
                    d[i][j] = d[i][k] + d[k][j]
    return d

# %% bellman_ford: (3, 1), (7, -9)
def program(a, b):
    edges = [(0, 1, a), (1, 2, b), (0, 2, 4), (2, 3, 1)]
    dist = [0, 99, 99, 99]
    for _ in range(3):
        for u, v, w in edges:
            if dist[u] + w < dist[v]:
                dist[v] = dist[u] + w
    for u, v, w in edges:
        if dist[u] + w < dist[v]:
            return None
    return dist

# %% topo_sort: (0, 1), (2, 3)
def program(a, b):
    edges = [(0, 1), (1, 2), (a, b)]
    indeg = [0] * 4
    for u, v in edges:
        indeg[v] += 1
    queue = [i for i in range(4) if indeg[i] == 0]
    order = []
    while queue:
        u = queue.pop(0)
        order.append(u)
        for x, y in edges:
            if x == u:
                indeg[y] -= 1
                if indeg[y] == 0:
                    queue.append(y)
    return order

# %% knapsack: ((1, 3, 4), (15, 20, 30), 4), ((5, 6), (1, 2), 3)
def program(weights, values, cap):
    dp = [0] * (cap + 1)
    for w, v in zip(weights, values):
        for c in range(cap, w - 1, -1):
            dp[c] = max(dp[c], dp[c - w] + v)
    return dp[cap]

# %% sieve: (20,), (2,), (7,)
def program(n):
    is_prime = [True] * (n + 1)
    is_prime[0] = is_prime[1] = False
    p = 2
    while p * p <= n:
        if is_prime[p]:
            for m in range(p * p, n + 1, p):
                is_prime[m] = False
        p += 1
    return [i for i in range(n + 1) if is_prime[i]]

# %% sieve_count: (20,), (2,), (7,)
def program(n):
    flags = [True] * 30
    count = 0
    for i in range(2, n + 1):
        if flags[i]:
            count += 1
            for j in range(i * i, n + 1, i):
                flags[j] = False
    return count

# %% happy_number: (19,), (2,)
def program(n):
    seen = set()
    while n != 1 and n not in seen:
        seen.add(n)
        n = sum(int(d) ** 2 for d in str(n))
    return n == 1

# %% happy_floyd: (19,), (2,)
def nxt(n):
    t = 0
    while n > 0:
        n, d = divmod(n, 10)
        t += d * d
    return t
def program(n):
    slow, fast = n, nxt(n)
    while fast != 1 and slow != fast:
        slow = nxt(slow)
        fast = nxt(nxt(fast))
    return fast == 1

# %% palindrome_number: (121,), (-121,), (10,)
def program(x):
    if x < 0 or (x % 10 == 0 and x != 0):
        return False
    rev = 0
    while x > rev:
        rev = rev * 10 + x % 10
        x //= 10
    return x == rev or x == rev // 10

# %% palindrome_str: (121,), (-121,), (10,)
def program(x):
    return str(x) == str(x)[::-1]

# %% roman: (1994,), (3,), (58,)
def program(num):
    vals = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    out = ""
    for v, s in vals:
        while num >= v:
            out += s
            num -= v
    return out

# %% add_digits: (38,), (0,)
def program(n):
    while n > 9:
        t = 0
        while n:
            t += n % 10
            n //= 10
        n = t
    return n

# %% hamming: (1, 4), (3, 1)
def program(x, y):
    return bin(x ^ y).count("1")

# %% single_number: ((2, 2, 1),), ((4, 1, 2, 1, 2),)
from functools import reduce
import operator
def program(nums):
    return reduce(operator.xor, nums)

# %% missing_number: ((3, 0, 1),), ((0, 1),)
def program(nums):
    n = len(nums)
    return n * (n + 1) // 2 - sum(nums)

# %% contains_duplicate: ((1, 2, 3, 1),), ((1, 2, 3),)
def program(nums):
    return len(set(nums)) != len(nums)

# %% contains_duplicate_seen: ((1, 2, 3, 1),), ((1, 2, 3),)
def program(nums):
    seen = []
    for x in nums:
        if x in seen:
            return True
        seen.append(x)
    return False

# %% intersection: ((1, 2, 2, 1), (2, 2)), ((4, 9), (9, 4, 8))
def program(a, b):
    return [x for x in a if x in b]

# %% merge_sorted: ((1, 3, 5), (2, 4)), ((1,), (2, 3))
def program(a, b):
    i = j = 0
    out = []
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    out.extend(a[i:])
    out.extend(b[j:])
    return out

# %% merge_intervals: (2, 6), (5, 6)
def program(a, b):
    intervals = [(1, 3), (a, b), (8, 10)]
    intervals.sort(key=lambda t: t[0])
    merged = [list(intervals[0])]
    for s, e in intervals[1:]:
        if s <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], e)
        else:
            merged.append([s, e])
    return merged

# %% merge_intervals_tuple: (2, 6), (5, 6)
def program(a, b):
    intervals = sorted([(1, 3), (a, b), (8, 10)])
    out = []
    for s, e in intervals:
        if out and s <= out[-1][1]:
            out[-1] = (out[-1][0], max(out[-1][1], e))
        else:
            out.append((s, e))
    return out

# %% stock: ((7, 1, 5, 3, 6, 4),), ((7, 6, 4),)
def program(prices):
    lowest = float("inf")
    best = 0
    for p in prices:
        if p < lowest:
            lowest = p
        elif p - lowest > best:
            best = p - lowest
    return best

# %% quicksort: ((3, 6, 1, 5),), ((1, 2),)
def program(a):
    def qs(v):
        if len(v) <= 1:
            return v
        p = v[0]
        return qs([x for x in v[1:] if x < p]) + [p] + qs([x for x in v[1:] if x >= p])
    return qs(list(a))

# %% quicksort_inplace: ((3, 6, 1, 5),), ((1, 2),)
def program(a):
    a = list(a)
    def part(lo, hi):
        p = a[hi]
        i = lo
        for j in range(lo, hi):
            if a[j] < p:
                a[i], a[j] = a[j], a[i]
                i += 1
        a[i], a[hi] = a[hi], a[i]
        return i
    def qs(lo, hi):
        if lo < hi:
            p = part(lo, hi)
            qs(lo, p - 1)
            qs(p + 1, hi)
    qs(0, len(a) - 1)
    return a

# %% quicksort_stack: ((3, 6, 1, 5),), ((1, 2),)
def program(a):
    a = list(a)
    stack = [(0, len(a) - 1)]
    while stack:
        lo, hi = stack.pop()
        if lo >= hi:
            continue
        p = a[hi]
        i = lo
        for j in range(lo, hi):
            if a[j] < p:
                a[i], a[j] = a[j], a[i]
                i += 1
        a[i], a[hi] = a[hi], a[i]
        stack.append((lo, i - 1))
        stack.append((i + 1, hi))
    return a

# %% mergesort: ((3, 6, 1, 5),), ((1, 2),)
def program(a):
    def ms(v):
        if len(v) <= 1:
            return v
        m = len(v) // 2
        l, r = ms(v[:m]), ms(v[m:])
        out = []
        i = j = 0
        while i < len(l) and j < len(r):
            if l[i] < r[j]:
                out.append(l[i])
                i += 1
            else:
                out.append(r[j])
                j += 1
        return out + l[i:] + r[j:]
    return ms(list(a))

# %% heapsort: ((3, 6, 1, 5),), ((1, 2),)
def program(a):
    a = list(a)
    n = len(a)
    def sift(i, n):
        while True:
            big = i
            l, r = 2 * i + 1, 2 * i + 2
            if l < n and a[l] > a[big]:
                big = l
            if r < n and a[r] > a[big]:
                big = r
            if big == i:
                return
            a[i], a[big] = a[big], a[i]
            i = big
    for i in range(n // 2 - 1, -1, -1):
        sift(i, n)
    for end in range(n - 1, 0, -1):
        a[0], a[end] = a[end], a[0]
        sift(0, end)
    return a

# %% insertion_sort: ((3, 6, 1, 5),), ((1, 2),)
def program(a):
    a = list(a)
    for i in range(1, len(a)):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key
    return a

# %% selection_sort: ((3, 6, 1, 5),), ((1, 2),)
def program(a):
    a = list(a)
    for i in range(len(a)):
        m = i
        for j in range(i + 1, len(a)):
            if a[j] < a[m]:
                m = j
        a[i], a[m] = a[m], a[i]
    return a

# %% counting_sort: ((3, 0, 1, 3),), ((1, 2),)
def program(a):
    counts = [0] * 5
    for x in a:
        counts[x] += 1
    out = []
    for v, c in enumerate(counts):
        out.extend([v] * c)
    return out

# %% counting_sort_loop: ((3, 0, 1, 3),), ((1, 2),)
def program(a):
    counts = [0] * 5
    for x in a:
        counts[x] += 1
    out = []
    for v in range(5):
        for _ in range(counts[v]):
            out.append(v)
    return out

# %% bubble_flag: ((3, 6, 1, 5),), ((1, 2),)
def program(a):
    a = list(a)
    swapped = True
    while swapped:
        swapped = False
        for i in range(len(a) - 1):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
                swapped = True
    return a

# %% permutations_of: (1, 2), (5, 5)
def program(a, b):
    out = []
    def go(path, rest):
        if not rest:
            out.append(path)
            return
        for i in range(len(rest)):
            go(path + [rest[i]], rest[:i] + rest[i + 1:])
    go([], [a, b, 3])
    return out

# %% subsets: (1, 2), (5, 5)
def program(a, b):
    res = [[]]
    for x in (a, b, 3):
        res += [r + [x] for r in res]
    return res

# %% combination_sum: (7,), (1,)
def program(target):
    out = []
    def go(start, rest, path):
        if rest == 0:
            out.append(list(path))
            return
        for i in range(start, 3):
            c = (2, 3, 6)[i]
            if c > rest:
                break
            path.append(c)
            go(i, rest - c, path)
            path.pop()
    go(0, target, [])
    return out

# %% n_queens_count: (4,), (1,)
def program(n):
    def go(row, cols, d1, d2):
        if row == n:
            return 1
        total = 0
        for c in range(n):
            if (cols >> c) & 1 or (d1 >> (row + c)) & 1 or (d2 >> (row - c + n)) & 1:
                continue
            total += go(row + 1, cols | (1 << c), d1 | (1 << (row + c)), d2 | (1 << (row - c + n)))
        return total
    return go(0, 0, 0, 0)

# %% gray_code: (3,), (1,)
def program(n):
    return [i ^ (i >> 1) for i in range(1 << n)]

# %% pascal: (4,), (1,)
def program(n):
    row = [1]
    for _ in range(n):
        row = [1] + [row[i] + row[i + 1] for i in range(len(row) - 1)] + [1]
    return row

# %% power_fast: (2, 10), (3, 0)
def program(x, n):
    result = 1
    while n:
        if n & 1:
            result *= x
        x *= x
        n >>= 1
    return result

# %% power_recursive: (2, 10), (3, 0)
def program(x, n):
    def power(b, e):
        if e == 0:
            return 1
        half = power(b, e // 2)
        return half * half if e % 2 == 0 else half * half * b
    return power(x, n)

# %% hanoi: (3,), (1,)
def program(n):
    def move(k, a, b, c):
        if k == 0:
            return 0
        return move(k - 1, a, c, b) + 1 + move(k - 1, c, b, a)
    return move(n, 0, 1, 2)

# %% hanoi_moves: (3,), (1,)
def program(n):
    moves = []
    def move(k, a, b, c):
        if k == 0:
            return
        move(k - 1, a, c, b)
        moves.append((a, c))
        move(k - 1, b, a, c)
    move(n, 0, 1, 2)
    return moves
