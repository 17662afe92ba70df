# %% two_sum: ([2, 7, 11, 15], 9), ([3, 2, 4], 6), ([1, 2, 3], 99)
def program(nums, target):
    for i in range(len(nums)):
        for j in range(i + 1, len(nums)):
            if nums[i] + nums[j] == target:
                return [i, j]
    return [-1, -1]


# %% largest_sum_of_a_run: ([-2, 1, -3, 4, -1, 2, 1, -5, 4],), ([-1, -2],), ([5],)
def program(nums):
    best = current = nums[0]
    for n in nums[1:]:
        current = max(n, current + n)
        best = max(best, current)
    return best


# %% climbing_stairs: (1,), (5,), (0,)
def program(n):
    a, b = 1, 1
    for _ in range(n):
        a, b = b, a + b
    return a


# %% coin_change: (11,), (3,), (0,)
def program(amount):
    coins = [1, 2, 5]
    best = [0] + [999] * 12
    for a in range(1, 13):
        for coin in coins:
            if coin <= a:
                best[a] = min(best[a], best[a - coin] + 1)
    return -1 if best[amount] == 999 else best[amount]


# %% longest_rising_subsequence: ([10, 9, 2, 5, 3, 7],), ([1, 2, 3],), ([3, 2, 1],)
def program(nums):
    length = [1] * len(nums)
    for i in range(len(nums)):
        for j in range(i):
            if nums[j] < nums[i]:
                length[i] = max(length[i], length[j] + 1)
    return max(length)


# %% valid_brackets: ([1, -1, 1, -1],), ([1, 1, -1],), ([-1, 1],)
def program(moves):
    depth = 0
    for move in moves:
        depth += move
        if depth < 0:
            return False
    return depth == 0


# %% binary_search: ([1, 3, 5, 7, 9], 7), ([1, 3, 5, 7, 9], 4), ([1, 3, 5, 7, 9], 1)
def program(nums, target):
    low, high = 0, len(nums) - 1
    while low <= high:
        middle = (low + high) // 2
        if nums[middle] == target:
            return middle
        if nums[middle] < target:
            low = middle + 1
        else:
            high = middle - 1
    return -1


# %% permutations_that_sum: (3,), (6,)
def program(target):
    nums = [1, 2, 3]
    found = 0
    used = [False] * 3

    def place(total, count):
        nonlocal found
        if count == 3:
            return
        if total == target:
            found += 1
        for i in range(3):
            if not used[i]:
                used[i] = True
                place(total + nums[i], count + 1)
                used[i] = False

    place(0, 0)
    return found


# %% subsets_with_a_sum: (5,), (0,), (99,)
def program(target):
    nums = [1, 2, 3, 5]

    def count(i, left):
        if i == len(nums):
            return 1 if left == 0 else 0
        return count(i + 1, left) + count(i + 1, left - nums[i])

    return count(0, target)


# %% number_of_islands: ([1, 1, 0, 0, 1, 0, 1, 0, 1],), ([0] * 9,), ([1] * 9,)
def program(cells):
    grid = [cells[0:3], cells[3:6], cells[6:9]]

    def sink(r, c):
        if r < 0 or c < 0 or r == 3 or c == 3:
            return
        if grid[r][c] == 0:
            return
        grid[r][c] = 0
        sink(r + 1, c)
        sink(r - 1, c)
        sink(r, c + 1)
        sink(r, c - 1)

    islands = 0
    for r in range(3):
        for c in range(3):
            if grid[r][c] == 1:
                islands += 1
                sink(r, c)
    return islands


# %% merge_sorted: ([1, 4, 6], [2, 3, 9]), ([1, 2, 3], [4, 5, 6])
def program(a, b):
    out = []
    i = j = 0
    for _ in range(len(a) + len(b)):
        if j == len(b) or (i < len(a) and a[i] <= b[j]):
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    return out


# %% merge_sort: ([3, 1, 2],), ([1, 2, 3],), ([2, 2, 1],)
def merge(a, b):
    out = []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            out.append(a[i])
            i += 1
        else:
            out.append(b[j])
            j += 1
    return out + a[i:] + b[j:]


def sort(v):
    if len(v) < 2:
        return v
    middle = len(v) // 2
    return merge(sort(v[:middle]), sort(v[middle:]))


def program(v):
    return sort(v)


# %% game_of_life: ([0, 1, 0, 0, 1, 0, 0, 1, 0],), ([1, 1, 0, 1, 1, 0, 0, 0, 0],)
def program(cells):
    new = []
    for r in range(3):
        for c in range(3):
            alive = 0
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    if (dr or dc) and 0 <= r + dr < 3 and 0 <= c + dc < 3:
                        alive += cells[(r + dr) * 3 + c + dc]
            now = cells[r * 3 + c]
            new.append(1 if alive == 3 or (now and alive == 2) else 0)
    return new


# %% happy_number: (19,), (4,), (1,)
def program(n):
    seen = [False] * 200
    while n != 1 and not seen[n]:
        seen[n] = True
        total = 0
        while n > 0:
            total += (n % 10) ** 2
            n //= 10
        n = total
    return n == 1


# %% roman: (4,), (9,), (58,)
def program(n):
    text = ""
    for value, sign in ((50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        while n >= value:
            text += sign
            n -= value
    return text


# %% rotate: ([1, 2, 3, 4], 1), ([1, 2, 3, 4], 0), ([1, 2, 3, 4], 6)
def program(v, k):
    n = len(v)
    out = [0] * n
    for i in range(n):
        out[(i + k) % n] = v[i]
    return out


# %% trapped_water: ([0, 1, 0, 2, 1, 0, 3],), ([3, 2, 1],)
def program(heights):
    left, right = 0, len(heights) - 1
    most_left = most_right = water = 0
    while left < right:
        if heights[left] < heights[right]:
            most_left = max(most_left, heights[left])
            water += most_left - heights[left]
            left += 1
        else:
            most_right = max(most_right, heights[right])
            water += most_right - heights[right]
            right -= 1
    return water


# %% edit_distance: ([1, 2, 3], [1, 3]), ([1], [2, 2, 2]), ([1, 2], [1, 2])
def program(a, b):
    row = list(range(len(b) + 1))
    for i in range(1, len(a) + 1):
        previous, row[0] = row[0], i
        for j in range(1, len(b) + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + cost)
    return row[-1]


# %% majority: ([2, 2, 1, 1, 2],), ([3, 3, 4],)
def program(nums):
    count, candidate = 0, None
    for n in nums:
        if count == 0:
            candidate = n
        count += 1 if n == candidate else -1
    return candidate


# %% next_greater: ([2, 1, 2, 4, 3],), ([5, 4, 3],)
def program(nums):
    result = [-1] * len(nums)
    stack = []
    for i in range(len(nums)):
        while stack and nums[stack[-1]] < nums[i]:
            result[stack.pop()] = nums[i]
        stack.append(i)
    return result


# %% linked_list_reversed: (3,), (-3,)
class Node:
    def __init__(self, value, following=None):
        self.value = value
        self.following = following


def program(x):
    head = Node(1, Node(2, Node(x)))
    if x > 0:
        previous = None
        while head:
            head.following, previous, head = previous, head, head.following
        head = previous
    values = []
    while head:
        values.append(head.value)
        head = head.following
    return values


# %% tree_depth_and_sum: (3, 1), (-3, 1)
class Tree:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right


def depth(tree):
    return 0 if tree is None else 1 + max(depth(tree.left), depth(tree.right))


def path(tree, total):
    if tree is None:
        return False
    if tree.left is None and tree.right is None:
        return total == tree.value
    return path(tree.left, total - tree.value) or path(tree.right, total - tree.value)


def program(x, y):
    tree = Tree(x, Tree(y), Tree(x + y, Tree(1)))
    return depth(tree), path(tree, 4), path(tree, x + y)


# %% insert_into_a_tree: (3,), (7,), (5,)
class Tree:
    def __init__(self, value):
        self.value = value
        self.left = self.right = None


def insert(tree, value):
    if value < tree.value:
        if tree.left is None:
            tree.left = Tree(value)
        else:
            insert(tree.left, value)
    elif tree.right is None:
        tree.right = Tree(value)
    else:
        insert(tree.right, value)


def program(x):
    tree = Tree(5)
    insert(tree, x)
    insert(tree, 4)
    return (tree.left is None, tree.right is None)


# %% josephus: (5, 2), (1, 3), (7, 3)
def program(n, k):
    return 0 if n == 1 else (program(n - 1, k) + k) % n


# %% power_modulo: (3, 13), (2, 0), (5, 3)
def program(base, exponent):
    result = 1
    while exponent > 0:
        if exponent & 1:
            result = result * base % 101
        base = base * base % 101
        exponent >>= 1
    return result


# %% greatest_common_divisor: (12, 18), (7, 0), (17, 5)
def program(a, b):
    return a if b == 0 else program(b, a % b)


# %% primes_up_to: (10,), (2,), (1,)
def program(n):
    is_prime = [True] * 20
    count = 0
    for i in range(2, 20):
        if i > n:
            break
        if is_prime[i]:
            count += 1
            for j in range(i * i, 20, i):
                is_prime[j] = False
    return count


# %% queens: (4,), (1,)
def program(n):
    columns = [-1] * 4

    def place(row):
        if row >= n:
            return 1
        count = 0
        for column in range(4):
            free = column < n
            for other in range(4):
                if other < row:
                    at = columns[other]
                    if at == column or at - column == row - other or column - at == row - other:
                        free = False
            if free:
                columns[row] = column
                count += place(row + 1)
        return count

    return place(0)


# %% run_length: ([1, 1, 2, 3, 3, 3],), ([4],)
def program(v):
    out = []
    i = 0
    while i < len(v):
        j = i
        while j < len(v) and v[j] == v[i]:
            j += 1
        out.append((v[i], j - i))
        i = j
    return out


# %% matrix_spiral: (1, 2), (3, 4)
def program(a, b):
    rows = [[a, 2, 3], [4, b, 6], [7, 8, 9]]
    out = []
    while rows:
        out += rows.pop(0)
        rows = [list(each) for each in zip(*rows)][::-1]
    return out


# %% word_counts: (1, 2, 1), (0, 0, 0), (2, 1, 0)
def program(a, b, c):
    counts = {0: 0, 1: 0, 2: 0}
    for n in (a, b, c):
        counts[n] += 1
    best = max(counts, key=counts.get)
    return counts, best


# %% kadane_with_positions: ([-2, 1, -3, 4, -1],), ([-1, -2, -3],)
def program(v):
    best, start, end, current, first = v[0], 0, 0, 0, 0
    for i, n in enumerate(v):
        if current <= 0:
            current, first = n, i
        else:
            current += n
        if current > best:
            best, start, end = current, first, i
    return best, start, end
