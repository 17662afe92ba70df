# %% caught_value_error: (3,), (-3,)
def program(x):
    try:
        if x > 0:
            raise ValueError("positive")
        y = x
    except ValueError:
        y = 0
    return y

# %% caught_name_error: (3,), (-3,)
def program(x):
    try:
        if x > 0:
            y = x
        z = y + 1
    except NameError:
        z = 0
    return z

# %% caught_unbound: (3,), (-3,)
def program(x):
    if x > 0:
        y = x
    try:
        z = y + 1
    except UnboundLocalError:
        z = 0
    return z

# %% caught_key_error: (3,), (-3,)
def program(x):
    d = {}
    if x > 0:
        d["a"] = x
    try:
        z = d["a"]
    except KeyError:
        z = 0
    return z

# %% caught_key_error_in_branch: (3,), (-3,)
def program(x):
    d = {"b": 1}
    try:
        if x > 0:
            z = d["a"]
        else:
            z = d["b"]
    except KeyError:
        z = 0
    return z

# %% caught_attribute_error: (3,), (-3,)
class Box:
    pass

def program(x):
    b = Box()
    if x > 0:
        b.v = x
    try:
        z = b.v
    except AttributeError:
        z = 0
    return z

# %% caught_index_error: (3,), (-3,), (1,)
def program(x):
    a = [1, 2]
    try:
        z = a[x]
    except IndexError:
        z = 0
    return z

# %% caught_index_error_growing: (3,), (-3,), (1,)
def program(x):
    a = []
    if x > 0:
        a.append(x)
    try:
        z = a[0]
    except IndexError:
        z = 0
    return z

# %% caught_zero_division: (3,), (0,), (1,)
def program(x):
    try:
        z = 6 // x
    except ZeroDivisionError:
        z = 0
    return z

# %% caught_zero_division_true: (3,), (0,), (1,)
def program(x):
    try:
        z = 6 / x
    except ZeroDivisionError:
        z = 0
    return z

# %% caught_zero_division_mod: (3,), (0,), (1,)
def program(x):
    try:
        z = 6 % x
    except ZeroDivisionError:
        z = 0
    return z

# %% caught_zero_division_float: (3.0,), (0.0,), (1.0,)
def program(x):
    try:
        z = 6.0 / x
    except ZeroDivisionError:
        z = 0.0
    return z

# %% zero_division_uncaught: (3,), (0,), (1,)
def program(x):
    return 6 // x

# %% caught_exception: (3,), (-3,)
def program(x):
    try:
        if x > 0:
            raise RuntimeError("no")
        y = x
    except Exception:
        y = 0
    return y

# %% caught_bare: (3,), (-3,)
def program(x):
    try:
        if x > 0:
            raise RuntimeError("no")
        y = x
    except:
        y = 0
    return y

# %% caught_else: (3,), (-3,)
def program(x):
    try:
        if x > 0:
            raise RuntimeError("no")
    except RuntimeError:
        y = 0
    else:
        y = 1
    return y

# %% finally_only: (3,), (-3,)
LOG = []
def program(x):
    y = 0
    try:
        if x > 0:
            raise RuntimeError("no")
        y = 1
    finally:
        y = y + 2
    return y

# %% caught_other_kind: (3,), (-3,)
def program(x):
    try:
        if x > 0:
            raise RuntimeError("no")
        y = x
    except KeyError:
        y = 0
    return y

# %% caught_in_caller: (3,), (-3,)
def check(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    try:
        y = check(x)
    except ValueError:
        y = -1
    return y

# %% raise_in_loop_caught: (3,), (-3,)
def program(x):
    total = 0
    for i in range(4):
        try:
            if i == x:
                raise ValueError("hit")
            total += i
        except ValueError:
            total += 100
    return total

# %% raise_in_staged_loop_caught: (3,), (-3,)
def program(x):
    total = 0
    while x > 0:
        try:
            if x == 2:
                raise ValueError("hit")
            total += x
        except ValueError:
            total += 100
        x -= 1
    return total

# %% raise_around_staged_loop: (3,), (-3,)
def program(x):
    total = 0
    try:
        while x > 0:
            if x == 2:
                raise ValueError("hit")
            total += x
            x -= 1
    except ValueError:
        total += 100
    return total

# %% assert_caught: (3,), (-3,)
def program(x):
    try:
        assert x > 0, "no"
        y = 1
    except AssertionError:
        y = 2
    return y

# %% suppress: (3,), (-3,)
import contextlib
def program(x):
    y = 1
    with contextlib.suppress(ValueError):
        if x > 0:
            raise ValueError("a")
        y = 2
    return y

# %% whole_try_in_branch: (3,), (-3,)
def program(x):
    y = 0
    if x > 0:
        try:
            raise ValueError("a")
        except ValueError:
            y = 1
    return y

# %% whole_key_try_in_branch: (3,), (-3,)
def program(x):
    d = {}
    y = 0
    if x > 0:
        try:
            y = d["k"]
        except KeyError:
            y = 1
    return y

# %% as_name: (3,), (-3,)
def program(x):
    try:
        if x > 0:
            raise ValueError("a", x)
        y = 2
    except ValueError as e:
        y = e.args[1]
    return y

# %% reraised: (3,), (-3,)
def program(x):
    try:
        if x > 0:
            raise ValueError("a")
        y = 2
    except ValueError:
        raise KeyError("b")
    return y

# %% next_default: (3,), (-3,)
def program(x):
    a = [1, 2]
    try:
        a.remove(x)
    except ValueError:
        a.append(7)
    return a

# %% index_value_error: (3,), (1,)
def program(x):
    a = [1, 2]
    try:
        y = a.index(x)
    except ValueError:
        y = -1
    return y

# %% dict_tensor_key: (3,), (1,)
def program(x):
    d = {1: 5, 2: 6}
    try:
        y = d[x]
    except KeyError:
        y = -1
    return y

# %% pop_empty: (3,), (-3,)
def program(x):
    a = []
    if x > 0:
        a.append(x)
    try:
        y = a.pop()
    except IndexError:
        y = -1
    return y

# %% int_text: (3,), (-3,)
def program(x):
    try:
        y = int(str(x))
    except ValueError:
        y = -1
    return y

# %% none_type_error: (3,), (-3,)
def program(x):
    y = None
    if x > 0:
        y = x
    try:
        z = y + 1
    except TypeError:
        z = 0
    return z

# %% sqrt_error: (4.0,), (-4.0,)
import math
def program(x):
    try:
        y = math.sqrt(x)
    except ValueError:
        y = -1.0
    return y

# %% del_name_error: (3,), (-3,)
def program(x):
    y = 1
    if x > 0:
        del y
    try:
        z = y
    except NameError:
        z = 2
    return z

# %% caught_tuple: (3,), (0,)
def program(x):
    try:
        z = 6 // x
    except (ZeroDivisionError, KeyError):
        z = 0
    return z

# %% caught_arithmetic: (3,), (0,)
def program(x):
    try:
        z = 6 // x
    except ArithmeticError:
        z = 0
    return z

# %% divmod_caught: (3,), (0,)
def program(x):
    try:
        q, r = divmod(6, x)
    except ZeroDivisionError:
        q, r = 0, 0
    return q, r

# %% division_helper_caught: (3,), (0,)
def ratio(a, b):
    return a // b

def program(x):
    try:
        return ratio(6, x)
    except ZeroDivisionError:
        return -1

# %% pow_caught: (3,), (0,)
def program(x):
    try:
        return 0 ** (x - 1)
    except ZeroDivisionError:
        return -1

# %% globals_caught: (3,), (-3,)
def program(x):
    global G
    if x > 0:
        G = 1
    try:
        return G
    except NameError:
        return -1

# %% unstack_caught: (3,), (-3,)
def program(x):
    a = []
    if x > 0:
        a.append(1)
    try:
        (b,) = a
    except ValueError:
        b = 9
    return b
