# %% manager_returns_true: (3,), (-3,)
class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        return True
def program(x):
    y = 0
    with Quiet():
        d = {}
        d[x] = 1
        y = d[x]
    return y

# %% manager_around_hash: (3,), (-3,)
class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        return True
def program(x):
    y = 0
    with Quiet():
        y = hash(x)
        y = 5
    return y

# %% exit_stack: (3,), (-3,)
import contextlib
def program(x):
    y = 0
    with contextlib.ExitStack() as stack:
        stack.push(lambda *exc: True)
        y = hash(x)
        y = 5
    return y

# %% return_in_finally: (3,), (-3,)
def helper(x):
    try:
        return hash(x)
    finally:
        return 7
def program(x):
    return helper(x)

# %% bare_except: (3,), (-3,)
def program(x):
    try:
        return hash(x)
    except:
        return 8

# %% broad_except: (3,), (-3,)
import concurrent.futures
def program(x):
    f = concurrent.futures.Future()
    try:
        f.set_result(hash(x))
    except Exception as e:
        f.set_exception(e)
    return 3 if f.exception() else f.result()

# %% in_unrolled_loop: (3,), (-3,)
class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        return True
def program(x):
    t = 0
    d = {}
    for i in range(20):
        with Quiet():
            d[i] = x + i
            t += d[i]
    return t

# %% bare_except_in_while: (3,), (-3,)
def program(x):
    t = 0
    i = 0
    d = {0: 1, 1: 5}
    while i < 12:
        try:
            t += d[i] + x
        except:
            t += 1
        i += 1
    return t

# %% nothing_swallowed: (3,), (-3,)
class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        return True
def program(x):
    y = 0
    if x > 0:
        with Quiet():
            y = x + 1
    return y

# %% error_of_python_swallowed: (3,), (-3,)
class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        return True
def program(x):
    y = x
    with Quiet():
        y = x + 1
        [][3]
        y = x + 2
    return y

# %% mismatch_in_manager: (3,), (-3,)
class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        return True
def program(x):
    y = x
    with Quiet():
        if x > 0:
            z = 1
        else:
            z = "a"
        y = len(str(z)) + x
    return y
