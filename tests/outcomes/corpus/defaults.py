# %% own_defaults: (1,), (2,)
def program(x, k=1):
    if x > 0:
        return x + k
    return x - k

def between():
    program.__defaults__ = (50,)

# %% own_kwdefaults: (1,), (-2,)
def program(x, *, k=1):
    if x > 0:
        return x + k
    return x - k

def between():
    program.__kwdefaults__ = {"k": 50}

# %% own_kwdefaults_item: (1,), (-2,)
def program(x, *, k=1):
    return x + k

def between():
    program.__kwdefaults__["k"] = 50

# %% own_defaults_added: (1, 2), (-2, 2)
def program(x, k):
    return x + k

def between():
    program.__defaults__ = (50,)

# %% helper_defaults: (1,), (-2,)
def helper(x, k=1):
    if x > 0:
        return x + k
    return x

def program(x):
    return helper(x)

def between():
    helper.__defaults__ = (50,)

# %% helper_kwdefaults: (1,), (-2,)
def helper(x, *, k=1):
    if x > 0:
        return x + k
    return x

def program(x):
    return helper(x)

def between():
    helper.__kwdefaults__ = {"k": 50}

# %% helper_kwdefaults_item: (1,), (-2,)
def helper(x, *, k=1):
    if x > 0:
        return x + k
    return x

def program(x):
    return helper(x)

def between():
    helper.__kwdefaults__["k"] = 50

# %% helper_defaults_in_branch: (1,), (-2,)
def helper(x, k=1):
    return x + k

def program(x):
    if x > 0:
        return helper(x)
    return x

def between():
    helper.__defaults__ = (50,)

# %% helper_defaults_added: (1,), (-2,)
def helper(x, k=None, j=3):
    return x + (k or 3) + j

def program(x):
    return helper(x, 4)

def between():
    helper.__defaults__ = (50,7)

# %% method_defaults: (1,), (-2,)
class Box:
    def f(self, x, k=1):
        if x > 0:
            return x + k
        return x

B = Box()

def program(x):
    return B.f(x)

def between():
    Box.f.__defaults__ = (50,)

# %% method_defaults_local_object: (1,), (-2,)
class Box:
    def f(self, x, k=1):
        if x > 0:
            return x + k
        return x

def program(x):
    return Box().f(x)

def between():
    Box.f.__defaults__ = (50,)

# %% lambda_defaults: (1,), (-2,)
f = lambda x, k=1: x + k

def program(x):
    return f(x)

def between():
    f.__defaults__ = (50,)

# %% set_inside: (1,), (-2,)
def helper(x, k=1):
    return x + k

def program(x):
    a = helper(x)
    helper.__defaults__ = (helper.__defaults__[0] + 1,)
    return a, helper(x)

# %% set_inside_staged: (1,), (-2,)
def helper(x, k=1):
    return x + k

def program(x):
    a = helper(x)
    if x > 0:
        helper.__defaults__ = (7,)
    b = helper(x)
    helper.__defaults__ = (1,)
    return a, b

# %% own_defaults_read: (1,), (-2,)
def program(x, k=1):
    return x + program.__defaults__[0]

def between():
    program.__defaults__ = (50,)

# %% init_defaults: (1,), (-2,)
class Box:
    def __init__(self, k=1):
        self.k = k

def program(x):
    return Box().k + x

def between():
    Box.__init__.__defaults__ = (50,)

# %% mutable_default: (1,), (-2,)
def program(x, acc=[]):
    acc.append(1)
    return x + len(acc)

# %% generator_defaults: (1,), (-2,)
def gen(x, n=2):
    for i in range(n):
        yield x + i

def program(x):
    return sum(gen(x))

def between():
    gen.__defaults__ = (4,)

# %% partial_keywords_changed: (1,), (-2,)
import functools
def helper(x, k=1):
    return x + k

p = functools.partial(helper, k=3)

def program(x):
    return p(x)

def between():
    p.keywords["k"] = 9

# %% namedtuple_new_defaults: (1,), (-2,)
class Box:
    def __new__(cls, k=1):
        self = object.__new__(cls)
        self.k = k
        return self

def program(x):
    return Box().k + x

def between():
    Box.__new__.__defaults__ = (50,)

# %% nested_defaults: (1,), (-2,)
def program(x):
    def inner(y, k=2):
        return y + k
    a = inner(x)
    inner.__defaults__ = (9,)
    return a + inner(x)

# %% decorated_defaults: (1,), (-2,)
import runtime as tf
@tf.function
def helper(x, k=1):
    if x > 0:
        return x + k
    return x - k

def program(x):
    return helper(x)

def between():
    helper.__defaults__ = (50,)

# %% decorated_by_convert: (1,), (-2,)
import autograph
@autograph.convert()
def _helper(x, k=1):
    if x > 0:
        return x + k
    return x - k

def program(x):
    return _helper(x)

def between():
    _helper.__defaults__ = (50,)

# %% wraps_defaults: (1,), (-2,)
import functools
def deco(f):
    @functools.wraps(f)
    def call(*a, **k):
        return f(*a, **k)
    return call

@deco
def program(x, k=1):
    if x > 0:
        return x + k
    return x - k

def between():
    program.__wrapped__.__defaults__ = (50,)

# %% wraps_outer_defaults: (1,), (-2,)
import functools
def deco(f):
    @functools.wraps(f)
    def call(x, *, scale=1):
        return f(x) * scale
    return call

@deco
def helper(x, k=1):
    if x > 0:
        return x + k
    return x - k

def program(x):
    return helper(x)

def between():
    helper.__kwdefaults__["scale"] = 3

# %% own_defaults_tensor: (1,), (-2,)
def program(x, k=1.5):
    if x > 0:
        return x + 2 if k > 2 else x
    return x - 1

def between():
    program.__defaults__ = (3.5,)

# %% defaults_gained: (1,), (-2,)
def helper(x, k):
    if x > 0:
        return x + k
    return x - k

calls = []

def program(x):
    return helper(x) if calls else helper(x, 1)

def between():
    calls.append(1)
    helper.__defaults__ = (50,)

# %% partial_program: (1,), (-2,)
import functools
def work(x, k=1):
    if x > 0:
        return x + k
    return x - k
program = functools.partial(work)

def between():
    work.__defaults__ = (50,)

# %% object_program: (1,), (-2,)
class Work:
    def __call__(self, x, k=1):
        if x > 0:
            return x + k
        return x - k
program = Work()

def between():
    Work.__call__.__defaults__ = (50,)

# %% method_program: (1,), (-2,)
class Work:
    def run(self, x, k=1):
        if x > 0:
            return x + k
        return x - k
program = Work().run

def between():
    Work.run.__defaults__ = (50,)

# %% defaults_evaluated_once: (3,), (-3,)
def program(x):
    base = [1]
    def f(v, acc=base):
        if v > 0:
            acc.append(v)
        return len(acc)
    return f(x), f(1), base

# %% defaults_of_lambda_loop: (3,), (-3,)
def program(x):
    fs = [lambda v, k=i: v + k if v > k else k for i in range(3)]
    return [f(x) for f in fs], fs[1].__defaults__

# %% defaults_changed_in_program: (3,), (-3,)
def program(x):
    def f(v, k=1):
        return v + k if v > 0 else k
    a = f(x)
    f.__defaults__ = (5,)
    b = f(x)
    f.__kwdefaults__ = None
    return a, b

# %% kwdefaults_changed_in_loop: (3,), (-3,)
def program(x):
    def f(v, *, k=1):
        return v + k if v > 0 else k
    out = []
    for i in range(3):
        f.__kwdefaults__["k"] = i
        out.append(f(x))
    return out

# %% signature_inspected: (3,), (-3,)
import inspect
def f(v, k=1):
    if v > 0:
        return v + k
    return k
def program(x):
    return len(inspect.signature(f).parameters), f.__defaults__[0] + x, f.__name__

# %% function_attributes: (3,), (-3,)
def f(v):
    f.calls += 1
    return v if v > 0 else -v
f.calls = 0
def program(x):
    f.calls = 0
    a = f(x)
    b = f(a)
    return b, f.calls
