# %% variable_named_ag: (3,), (-3,)
def program(x):
    ag__ = 1
    if x > 0:
        ag__ = x
    return ag__


# %% parameter_named_vars: (3,), (-3,)
def program(vars_):
    y = 0
    if vars_ > 0:
        y = vars_
    return y


# %% variables_named_state: (3,), (-3,)
def program(x):
    get_state = 1
    set_state = 2
    if x > 0:
        get_state, set_state = set_state, get_state
    return get_state, set_state


# %% functions_named_body: (3,), (-3,)
def program(x):
    def if_body():
        return 1

    def else_body():
        return 2

    y = 0
    if x > 0:
        y = if_body()
    else:
        y = else_body()
    return y


# %% variable_named_do_return: (3,), (-3,)
def program(x):
    do_return = 5
    retval_ = 6
    for i in range(3):
        if x > i:
            return do_return + i
    return retval_


# %% variable_named_loop_body: (3,), (0,)
def program(n):
    loop_body = 0
    loop_test = 1
    while loop_test <= n:
        loop_body += loop_test
        loop_test += 1
    return loop_body


# %% global_named_ag: (3,), (-3,)
ag__ = 7


def program(x):
    if x > 0:
        return ag__
    return x


# %% builtins_shadowed: (3,), (-3,)
def program(x):
    range = [1, 2]
    len = 0
    for i in range:
        if x > i:
            len += i
    return len


# %% max_shadowed: (3,), (-3,)
def max(a, b):
    return a * 100 + b


def program(x):
    return max(x, 1)


# %% print_shadowed: (3,), (-3,)
def program(x):
    seen = [0]

    def print(v):
        seen[0] = v

    if x > 0:
        print(x)
    return seen


# %% unicode_names: (3,), (-3,)
def program(x):
    größe = 1
    ﬁt = 2
    if x > 0:
        größe = x
        ﬁt = größe
    return größe, fit


# %% docstring_like_header: (3,), (-3,)
def program(x):
    """from autograph import ag__"""
    if x > 0:
        return 1
    return 2


# %% underscore: (3,), (0,)
def program(n):
    _ = 5
    for _ in range(n):
        pass
    return _


# %% dunder_class: (3,), (-3,)
class Box:
    def kind(self, x):
        if x > 0:
            return __class__.__name__
        return "none"


def program(x):
    return Box().kind(x)


# %% parameter_named_self: (3,), (-3,)
def program(self):
    y = 0
    if self > 0:
        y = self
    return y


# %% variable_named_undefined: (3,), (-3,)
def program(x):
    Undefined = 1
    undefined = 2
    if x > 0:
        Undefined = undefined
    return Undefined


# %% variable_named_tf: (3,), (-3,)
def program(x):
    tf = 1
    np = 2
    if x > 0:
        tf, np = np, x
    return tf, np


# %% numbered_names: (3,), (-3,)
def program(x):
    if_body = get_state_1 = get_state = 0
    if x > 0:
        if_body = 1
        if x > 1:
            get_state = 2
            get_state_1 = 3
    return if_body, get_state, get_state_1
