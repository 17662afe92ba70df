# %% cached_between_calls: (3,), (-3,)
from functools import cached_property
COUNT = []

class Box:
    def __init__(self):
        self.n = 5

    @cached_property
    def value(self):
        COUNT.append(1)
        return self.n * 2

B = Box()

def program(x):
    return x + B.value

# %% cached_in_branch: (3,), (-3,)
from functools import cached_property

class Box:
    def __init__(self):
        self.n = 5

    @cached_property
    def value(self):
        return self.n * 2

B = Box()

def program(x):
    if x > 0:
        return x + B.value
    return x

# %% cached_then_changed: (3,), (-3,)
from functools import cached_property

class Box:
    def __init__(self):
        self.n = 5

    @cached_property
    def value(self):
        return self.n * 2

B = Box()

def program(x):
    if x > 0:
        x = x + B.value
    B.n += 1
    return x

# %% cached_tensor: (3,), (-3,)
from functools import cached_property

class Box:
    def __init__(self, x):
        self.n = x

    @cached_property
    def value(self):
        return self.n * 2

def program(x):
    b = Box(x)
    if x > 0:
        x = x + b.value
    b.n = 7
    return x + b.value

# %% cached_changed_between: (3,), (-3,), (4,)
from functools import cached_property

class Box:
    def __init__(self):
        self.n = 5

    @cached_property
    def value(self):
        return self.n * 2

B = Box()

def program(x):
    y = x + B.value
    B.n += 1
    return y

# %% cached_changed_between_branch: (3,), (-3,), (4,)
from functools import cached_property

class Box:
    def __init__(self):
        self.n = 5

    @cached_property
    def value(self):
        return self.n * 2

B = Box()

def program(x):
    y = x
    if x > 0:
        y = x + B.value
    return y

def between():
    B.n = 100

# %% cached_changed_by_between: (3,), (-3,), (4,)
from functools import cached_property

class Box:
    def __init__(self):
        self.n = 5

    @cached_property
    def value(self):
        return self.n * 2

B = Box()

def program(x):
    return x + B.value

def between():
    B.n = 100

# %% cached_global_read: (3,), (-3,), (4,)
from functools import cached_property
N = 5
class Box:
    @cached_property
    def value(self):
        return N * 2

B = Box()

def program(x):
    y = x
    if x > 0:
        y = x + B.value
    return y

def between():
    global N
    N = 100

# %% cached_argument: (3,), (-3,)
from functools import cached_property
class Box:
    n = 5
    @cached_property
    def value(self):
        return self.n * 2

B = Box()

def program(x):
    if x > 0:
        x = x + B.value
    x = x + B.value
    return x, "value" in vars(B)

# %% lru_method: (3,), (-3,)
from functools import lru_cache

class Box:
    def __init__(self):
        self.n = 5
    @lru_cache(maxsize=None)
    def value(self, k):
        return self.n * k

B = Box()
def program(x):
    return x + B.value(2)

# %% lru_method_tensor: (3,), (-3,)
from functools import lru_cache

class Box:
    def __init__(self):
        self.n = 5
    @lru_cache(maxsize=None)
    def value(self, k):
        if k > 0:
            return self.n * k
        return k

B = Box()
def program(x):
    return x + B.value(x)

# %% lru_function: (3,), (-3,)
from functools import lru_cache

@lru_cache
def value(k):
    return 2 * k

def program(x):
    return x + value(3)

# %% lru_in_branch: (3,), (-3,)
from functools import lru_cache
CALLS = []
@lru_cache
def value(k):
    CALLS.append(k)
    return 2 * k

def program(x):
    if x > 0:
        x = x + value(3)
    return x

# %% cache_method_self_changes: (3,), (-3,)
from functools import cache

class Box:
    def __init__(self):
        self.n = 5
    @cache
    def value(self):
        return self.n

B = Box()
def program(x):
    y = x + B.value()
    B.n = 9
    return y + B.value()

# %% lru_in_branch_pure: (3,), (-3,)
from functools import lru_cache
@lru_cache
def value(k):
    return 2 * k

def program(x):
    if x > 0:
        x = x + value(3)
    return x

# %% lru_of_tensor_in_branch: (3,), (-3,)
from functools import lru_cache
@lru_cache
def value(k):
    return 2 * k

def program(x):
    if x > 0:
        x = x + value(x)
    return x

# %% lru_counts_before: (3,), (-3,)
from functools import lru_cache
CALLS = []
@lru_cache
def value(k):
    CALLS.append(k)
    return 2 * k

def program(x):
    value(3)
    if x > 0:
        x = x + value(3)
    return x

# %% cached_assigned_in_branch: (3,), (-3,)
from functools import cached_property

class Box:
    def __init__(self):
        self.n = 5

    @cached_property
    def value(self):
        return self.n * 2

def program(x):
    box = Box()
    if x > 0:
        box.value = 100
    return box.value + x

# %% cached_assigned_by_method: (3,), (-3,)
import functools

class Box:
    def __init__(self):
        self.n = 5

    @functools.cached_property
    def value(self):
        return self.n * 2

    def put(self, value):
        self.value = value

def program(x):
    box = Box()
    if x > 0:
        box.put(x * 7)
    return box.value + x

# %% cached_assigned_after_read: (3,), (-3,)
from functools import cached_property

class Box:
    def __init__(self):
        self.n = 5

    @cached_property
    def value(self):
        return self.n * 2

def program(x):
    box = Box()
    before = box.value
    if x > 0:
        box.value = 100
    return box.value + x + before
