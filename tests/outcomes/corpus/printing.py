# %% in_branch: (3,), (-3,)
def program(x):
    if x > 0:
        print("positive", x)
    return x


# %% in_both_branches: (3,), (-3,)
def program(x):
    if x > 0:
        print("positive")
    else:
        print("negative")
    return x


# %% in_loop: (3,), (0,)
def program(n):
    for i in range(n):
        print(i)
    return n


# %% in_while: (3,), (0,)
def program(n):
    while n > 0:
        print("left:", n)
        n -= 1
    return n


# %% in_helper_called_in_branch: (3,), (-3,)
def say(x):
    print("value", x)


def program(x):
    if x > 0:
        say(x)
    return x


# %% f_string_in_branch: (3,), (-3,)
def program(x):
    if x > 0:
        print(f"value {x}")
    return x


# %% end_and_sep: (3,), (-3,)
def program(x):
    if x > 0:
        print(1, x, sep="-", end="!")
    return x


# %% text_only: (3,), (-3,)
def program(x):
    if x > 0:
        print("one")
        print()
        print("two")
    return x


# %% float_in_branch: (1.5,), (-1.5,)
def program(x):
    if x > 0:
        print(x)
    return x


# %% bool_in_branch: (3,), (-3,)
def program(x):
    if x > 0:
        print(x > 2, x == 7)
    return x


# %% list_in_branch: (3,), (-3,)
def program(x):
    if x > 0:
        print([x, 1])
    return x


# %% order_with_loop: (2,), (0,)
def program(n):
    for i in range(n):
        print("a", i)
        print("b", i)
    if n > 0:
        print("end")
    return n


# %% in_elif: (3,), (-3,), (0,)
def program(x):
    if x > 0:
        print("+")
    elif x < 0:
        print("-")
    else:
        print("0")
    return x


# %% break_stops: (5,), (0,)
def program(n):
    for i in range(n):
        if i == 2:
            break
        print(i)
    return n


# %% after_early_return: (3,), (-3,)
def program(x):
    if x < 0:
        return 0
    if x > 1:
        print("big")
    return x


# %% to_stderr: (3,), (-3,)
import sys


def program(x):
    if x > 0:
        print("oops", file=sys.stderr)
    return x


# %% by_alias: (3,), (-3,)
say = print


def program(x):
    if x > 0:
        say("hello")
    return x


# %% by_write: (3,), (-3,)
import sys


def program(x):
    if x > 0:
        sys.stdout.write("hello\n")
    return x


# %% of_state: (3,), (-3,)
def program(x):
    v = [0]
    if x > 0:
        v[0] = x
        print(v[0])
    return v


# %% only_effect_of_loop: ((1, 2),), ((3, 4),)
def program(xs):
    for v in xs:
        print(v)
    return 0


# %% conditional_expression: (3,), (-3,)
def program(x):
    print("yes") if x > 0 else print("no")
    return x


# %% and_operand: (3,), (-3,)
def program(x):
    x > 0 and print("yes")
    return x


# %% in_nested_loops: (2,), (0,)
def program(n):
    for i in range(n):
        for j in range(n):
            print(i, j)
    return n

# %% txt_print_obj: (3,), (-3,)
class P:
    def __init__(self, v): self.v = v
    def __repr__(self): return f"P<{self.v}>"
def program(x):
    if x > 0:
        print(P(x), [P(1)])
    return x

# %% txt_print_partial: (3,), (-3,)
from functools import partial
p = partial(print, "tag")
def program(x):
    if x > 0:
        p(x)
    return x

# %% txt_print_alias: (3,), (-3,)
p = print
def program(x):
    if x > 0:
        p("alias", x)
    return x

# %% txt_print_map: (3,), (-3,)
def program(x):
    if x > 0:
        list(map(print, [x, 1]))
    return x

# %% txt_print_sep: (3,), (-3,)
def program(x):
    if x > 0:
        print("a", x, sep="-", end="!\n")
    else:
        print(x, [x, 1], {"k": x})
    return x
