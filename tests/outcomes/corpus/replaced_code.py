# %% of_a_helper: (3,), (-3,)
def helper(x):
    return x + 1
def other(x):
    return x * 10
def program(x):
    if x > 0:
        return helper(x)
    return x
def between():
    helper.__code__ = other.__code__

# %% of_a_method: (3,), (-3,)
class Box:
    def put(self, x):
        return x + 1
def other(self, x):
    return x * 10
box = Box()
def program(x):
    return box.put(x)
def between():
    Box.put.__code__ = other.__code__

# %% of_a_closure: (3,), (-3,)
def make(k):
    def add(x):
        return x + k
    return add
def make_other(k):
    def multiply(x):
        return x * k
    return multiply
add = make(2)
def program(x):
    if x > 0:
        x = add(x)
    return x
def between():
    add.__code__ = make_other(2).__code__

# %% of_a_function_in_a_list: (3,), (-3,)
steps = [lambda x: x + 1]
def program(x):
    for step in steps:
        x = step(x)
    return x
def between():
    steps[0].__code__ = (lambda x: x * 10).__code__

# %% of_a_function_that_is_not_called: (3,), (-3,)
def unused(x):
    return x
def program(x):
    return x + 1
def between():
    unused.__code__ = (lambda x: x * 10).__code__

# %% of_a_property: (3,), (-3,)
class Box:
    @property
    def size(self):
        return 2
box = Box()
def program(x):
    return x + box.size
def between():
    Box.size.fget.__code__ = (lambda self: 10).__code__
