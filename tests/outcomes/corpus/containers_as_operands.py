# %% maximum_of_windows: ((1, 3, -1, -3, 5),), ((5, 4, 3, 2, 1),)
from collections import deque
def program(xs):
    k = 3
    q, out = deque(), []
    for i in range(len(xs)):
        while q and xs[q[-1]] <= xs[i]:
            q.pop()
        q.append(i)
        if q[0] <= i - k:
            q.popleft()
        if i >= k - 1:
            out.append(xs[q[0]])
    return out

# %% deque_and_test: (3,), (-3,)
from collections import deque
def program(x):
    q = deque([1])
    if x > 0:
        q.append(x)
    n = 0
    while q and q[0] < 5:
        n += q.popleft()
    return n, len(q)

# %% deque_or_test: (3,), (-3,)
from collections import deque
def program(x):
    q = deque()
    if x > 0:
        q.append(x)
    return 1 if q or x < -5 else 2

# %% deque_after_test: (3,), (-3,)
from collections import deque
def program(x):
    q = deque()
    if x > 0:
        q.append(x)
    return 1 if x > 1 and q else 2, 1 if not (q and x) else 2

# %% set_and_test: (3,), (-3,)
def program(x):
    s = set()
    if x > 0:
        s.add(1)
    r = 0
    if s and x > 2:
        r = 1
    if s or x < 0:
        r += 2
    return r

# %% dict_and_test: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["a"] = x
    return 1 if d and x > 2 else 2, 3 if d or x > 5 else 4

# %% list_and_test: (3,), (-3,)
def program(x):
    v = []
    if x > 0:
        v.append(x)
    return 1 if v and v[-1] > 2 else 2, 3 if x > 5 or v else 4

# %% deque_as_value: (3,), (-3,)
from collections import deque
def program(x):
    q = deque()
    if x > 0:
        q.append(x)
    w = q and x
    return w
