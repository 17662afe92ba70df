# %% function_raises: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    try:
        return g(x)
    except ValueError:
        return 0

# %% helper_raises: (3,), (-3,)
def g(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    try:
        return g(x)
    except ValueError:
        return 0

# %% helper_raises_exception: (3,), (-3,)
def g(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    try:
        return g(x)
    except Exception:
        return 0

# %% helper_of_helper: (3,), (-3,)
def h(x):
    if x > 0:
        raise ValueError("positive")
    return x

def g(x):
    return h(x) + 1

def program(x):
    try:
        return g(x)
    except ValueError:
        return 0

# %% function_raises_exception: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    try:
        return g(x)
    except Exception:
        return 0

# %% function_asserts: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    assert x > 0
    return x

def program(x):
    try:
        return g(x)
    except AssertionError:
        return 0

# %% helper_asserts: (3,), (-3,)
def g(x):
    assert x > 0
    return x

def program(x):
    try:
        return g(x)
    except AssertionError:
        return 0

# %% function_bare: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    try:
        return g(x)
    except:
        return 0

# %% function_in_function: (3,), (-3,)
import runtime as tf
@tf.function
def h(x):
    if x > 0:
        raise ValueError("positive")
    return x

@tf.function
def g(x):
    return h(x)

def program(x):
    try:
        return g(x)
    except ValueError:
        return 0

# %% function_in_helper: (3,), (-3,)
import runtime as tf
@tf.function
def h(x):
    if x > 0:
        raise ValueError("positive")
    return x

def g(x):
    return h(x)

def program(x):
    try:
        return g(x)
    except ValueError:
        return 0

# %% function_index_error: (3,), (0,)
import runtime as tf
@tf.function
def g(x):
    return [1, 2][x]

def program(x):
    try:
        return g(x)
    except IndexError:
        return 0

# %% function_division: (3,), (0,)
import runtime as tf
@tf.function
def g(x):
    return 6 // x

def program(x):
    try:
        return g(x)
    except ZeroDivisionError:
        return 0

# %% function_division_exception: (3,), (0,)
import runtime as tf
@tf.function
def g(x):
    return 6 // x

def program(x):
    try:
        return g(x)
    except Exception:
        return 0

# %% helper_division: (3,), (0,)
def g(x):
    return 6 // x

def program(x):
    try:
        return g(x)
    except ZeroDivisionError:
        return 0

# %% own_exception_class: (3,), (-3,)
import runtime as tf
class Bad(Exception):
    pass

@tf.function
def g(x):
    if x > 0:
        raise Bad("positive")
    return x

def program(x):
    try:
        return g(x)
    except Bad:
        return 0

# %% own_exception_base: (3,), (-3,)
import runtime as tf
class Bad(LookupError):
    pass

@tf.function
def g(x):
    if x > 0:
        raise Bad("positive")
    return x

def program(x):
    try:
        return g(x)
    except LookupError:
        return 0

# %% other_error: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    if x > 0:
        raise KeyError("positive")
    return x

def program(x):
    try:
        return g(x)
    except ValueError:
        return 0

# %% no_raise: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    if x > 0:
        return x + 1
    return x

def program(x):
    try:
        return g(x)
    except ValueError:
        return 0

# %% suppress_around: (3,), (-3,)
import contextlib
import runtime as tf
@tf.function
def g(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    with contextlib.suppress(ValueError):
        return g(x)
    return 0

# %% finally_around: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    y = 0
    try:
        y = g(x)
    finally:
        y += 1
    return y

# %% alias_of_error: (3,), (-3,)
import runtime as tf
Wrong = ValueError
@tf.function
def g(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    try:
        return g(x)
    except Wrong:
        return 0

# %% errors_in_tuple: (3,), (-3,)
import runtime as tf
ERRORS = (ValueError, KeyError)
@tf.function
def g(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    try:
        return g(x)
    except ERRORS:
        return 0

# %% in_loop_while: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    while x > 0:
        if x == 2:
            raise ValueError("two")
        x -= 1
    return x

def program(x):
    try:
        return g(x)
    except ValueError:
        return 0

# %% inside_branch: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    y = 0
    if x > 1:
        try:
            y = g(x)
        except ValueError:
            y = 7
    return y

# %% manager_that_swallows: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    if x > 0:
        raise ValueError("positive")
    return x

class Swallow:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace):
        return True

def program(x):
    y = 0
    with Swallow():
        y = g(x)
    return y

# %% raised_in_manager: (3,), (-3,)
class Swallow:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, trace):
        return kind is ValueError

def program(x):
    y = 0
    with Swallow():
        if x > 0:
            raise ValueError("positive")
        y = 1
    return y

# %% gather_out_of_range: (3,), (0,)
import runtime as tf
@tf.function
def g(x):
    return tf.gather([1, 2], x)

def program(x):
    try:
        return g(x)
    except tf.errors.InvalidArgumentError:
        return 0

# %% gather_direct: (3,), (0,)
import runtime as tf
def program(x):
    try:
        return tf.gather([1, 2], x)
    except tf.errors.InvalidArgumentError:
        return 0

# %% gather_exception: (3,), (0,)
import runtime as tf
@tf.function
def g(x):
    return tf.gather([1, 2], x)

def program(x):
    try:
        return g(x)
    except Exception:
        return 0

# %% concrete_called: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    if x > 0:
        raise ValueError("positive")
    return x
c = g.get_concrete_function(tf.TensorSpec((), tf.int32))

def program(x):
    try:
        return c(x)
    except ValueError:
        return 0

# %% unconditional_raise: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    raise ValueError("always")

def program(x):
    try:
        return g(x)
    except ValueError:
        return 0

# %% unconditional_raise_after: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    if x > 0:
        raise KeyError("k")
    raise ValueError("always")

def program(x):
    try:
        return g(x)
    except ValueError:
        return 0

# %% recursion_raises: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    if x > 5:
        raise ValueError("big")
    if x > 0:
        return g(x + 1)
    return x

def program(x):
    try:
        return g(x)
    except ValueError:
        return 0

# %% raise_in_handler_chain: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    try:
        return g(x)
    except ValueError as error:
        raise KeyError("other") from error

# %% handler_in_caller: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    if x > 0:
        raise ValueError("positive")
    return x

def mid(x):
    return g(x) + 1

def program(x):
    try:
        return mid(x)
    except ValueError:
        return 0

# %% else_clause: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    try:
        y = g(x)
    except ValueError:
        y = 5
    else:
        y = y + 1
    return y

# %% retry_loop: (3,), (-3,)
import runtime as tf
@tf.function
def g(x):
    if x > 1:
        raise ValueError("positive")
    return x

def program(x):
    for i in range(4):
        try:
            return g(x - i)
        except ValueError:
            continue
    return 0

# %% handled_plain_in_staged: (3,), (-3,)
def parse(s):
    try:
        return int(s)
    except ValueError:
        return 0
def program(x):
    if x > 0:
        y = parse("12")
    else:
        y = parse("q")
    return y

# %% handled_certain_raise: (3,), (-3,)
def f(x):
    raise KeyError("k")
def program(x):
    y = 0
    if x > 0:
        try:
            f(x)
        except KeyError:
            y = 1
    return y

# %% handled_unrelated: (3,), (-3,)
def f(x):
    if x > 5:
        raise KeyError("k")
    return x
def program(x):
    try:
        y = f(x)
    except ValueError:
        y = -1
    return y

# %% handled_with_finally_only: (3,), (-3,)
def f(x):
    if x > 5:
        raise KeyError("k")
    return x
def program(x):
    n = [0]
    try:
        y = f(x)
    finally:
        n[0] += 1
    return y, n[0]

# %% raise_from_caller: (3,), (9,)
class Bad(ValueError):
    pass
def f(x):
    if x > 5:
        raise Bad("big")
    return x
def program(x):
    return f(x) + f(1)

# %% else_of_try_raises: (3,), (9,)
def program(x):
    try:
        y = x
    except ValueError:
        y = 0
    else:
        if x > 5:
            raise ValueError("big")
    return y

# %% handler_body_raises: (3,), (9,)
def program(x):
    try:
        int("q")
    except ValueError:
        if x > 5:
            raise KeyError("late")
        y = 1
    return y

# %% manager_swallows_its_kind: (-3,), (3,)
class Swallow:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, traceback):
        return kind is ValueError

def program(x):
    y = x
    with Swallow():
        if x > 0:
            raise ValueError("positive")
        y = x + 1
    return y

# %% manager_swallows_all: (-3,), (3,)
class Swallow:
    def __enter__(self):
        return self
    def __exit__(self, *error):
        return True

swallow = Swallow()

def program(x):
    y = x
    with swallow:
        assert x < 0
        y = x + 1
    return y

# %% manager_in_attribute: (-3,), (3,)
class Swallow:
    def __enter__(self):
        return self
    def __exit__(self, *error):
        return error[0] is not None

class Holder:
    swallow = Swallow()

holder = Holder()

def program(x):
    y = x
    with holder.swallow:
        if x > 0:
            raise KeyError("positive")
        y = x + 1
    return y

# %% manager_that_passes_on: (-3,), (3,)
log = []
class Timer:
    def __enter__(self):
        log.append("in")
        return self
    def __exit__(self, *error):
        log.append("out")
        return False

def program(x):
    with Timer():
        if x > 5:
            raise ValueError("large")
        y = x + 1
    return y

# %% generator_manager_swallows: (-3,), (3,)
import contextlib
@contextlib.contextmanager
def swallow():
    try:
        yield
    except ValueError:
        pass

def program(x):
    y = x
    with swallow():
        if x > 0:
            raise ValueError("positive")
        y = x + 1
    return y

# %% generator_manager_passes_on: (-3,), (3,)
import contextlib
@contextlib.contextmanager
def around():
    try:
        yield 2
    finally:
        pass

def program(x):
    with around() as two:
        if x > 5:
            raise ValueError("large")
        y = x + two
    return y

# %% exit_stack_swallows: (-3,), (3,)
import contextlib
def program(x):
    y = x
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.suppress(ValueError))
        if x > 0:
            raise ValueError("positive")
        y = x + 1
    return y

# %% suppress_or_nothing: (-3,), (3,)
import contextlib
quiet = True
def program(x):
    y = x
    with contextlib.suppress(ValueError) if quiet else contextlib.nullcontext():
        if x > 0:
            raise ValueError("positive")
        y = x + 1
    return y

# %% debugging_assert_handled: (-3,), (3,)
import runtime as tf
def program(x):
    try:
        tf.debugging.assert_less(x, 0)
        y = 1
    except tf.errors.InvalidArgumentError:
        y = 2
    return y

# %% debugging_assert_in_called_graph: (-3,), (3,)
import runtime as tf
@tf.function
def g(x):
    tf.debugging.assert_less(x, 0)
    return x
def program(x):
    try:
        y = g(x)
    except tf.errors.InvalidArgumentError:
        y = 2
    return y

# %% numerics_handled: (-3.0,), (0.0,)
import runtime as tf
def program(x):
    try:
        y = tf.debugging.check_numerics(tf.math.log(tf.convert_to_tensor(x)), "log")
    except tf.errors.InvalidArgumentError:
        y = tf.constant(2.0)
    return y

# %% end_of_iterator_handled: (3,), (4,)
import runtime as tf
def program(x):
    numbers = iter(tf.data.Dataset.range(2))
    total = x
    try:
        for _ in range(3):
            total = total + tf.cast(numbers.get_next(), tf.int32)
    except tf.errors.OutOfRangeError:
        total = total * 2
    return total

# %% tuple_of_kinds_by_name: (3,), (-3,)
KINDS = (KeyError, ValueError)
def helper(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    try:
        return helper(x)
    except KINDS:
        return 7

# %% other_name_of_a_kind: (3,), (-3,)
def helper(x):
    if x > 0:
        raise OSError("positive")
    return x

def program(x):
    try:
        return helper(x)
    except IOError:
        return 7

# %% kind_in_attribute: (3,), (-3,)
class Reader:
    kind = ValueError
    def one(self, x):
        if x > 0:
            raise ValueError("positive")
        return x
    def read(self, x):
        try:
            return self.one(x)
        except self.kind:
            return 7
def program(x):
    return Reader().read(x)

# %% kind_from_a_call: (3,), (-3,)
def kinds():
    return (ValueError, TypeError)
def helper(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    try:
        return helper(x)
    except kinds():
        return 7

# %% kind_of_another_name_not_raised: (3,), (-3,)
KINDS = (KeyError, IndexError)
def helper(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    try:
        return helper(x)
    except KINDS:
        return 7

# %% except_star: (3,), (-3,)
def helper(x):
    if x > 0:
        raise ExceptionGroup("several", [ValueError(1)])
    return x

def program(x):
    y = 0
    try:
        y = helper(x)
    except* ValueError:
        y = 7
    return y

# %% return_in_finally: (3,), (-3,)
def helper(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(x):
    y = 5
    try:
        y = helper(x)
    finally:
        return y

# %% continue_in_finally: ([3, -3],), ([-3, -3],)
def helper(x):
    if x > 0:
        raise ValueError("positive")
    return x

def program(xs):
    total = 0
    for x in xs:
        try:
            total += helper(x)
        finally:
            continue
    return total

# %% suppress_by_another_name: (3,), (-3,)
from contextlib import suppress as ignoring
def program(x):
    y = 0
    with ignoring(KeyError, ValueError):
        if x > 0:
            raise ValueError("positive")
        y = 1
    return y

# %% suppress_made_before: (3,), (-3,)
import contextlib
def program(x):
    y = 0
    ignored = contextlib.suppress(ValueError)
    with ignored:
        if x > 0:
            raise ValueError("positive")
        y = 1
    return y

# %% manager_in_list: (3,), (-3,)
class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        return True
def program(x):
    y = 0
    managers = [Quiet()]
    with managers[0]:
        if x > 0:
            raise ValueError("positive")
        y = 1
    return y

# %% manager_from_function: (3,), (-3,)
class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        return True
def quiet():
    return Quiet()
def program(x):
    y = 0
    with quiet():
        if x > 0:
            raise ValueError("positive")
        y = 1
    return y

# %% manager_in_manager: (3,), (-3,)
import contextlib
@contextlib.contextmanager
def inner():
    try:
        yield
    except ValueError:
        pass
@contextlib.contextmanager
def outer():
    with inner():
        yield
def program(x):
    y = 0
    with outer():
        if x > 0:
            raise ValueError("positive")
        y = 1
    return y

# %% manager_of_class_method: (3,), (-3,)
import contextlib
class Guard:
    @classmethod
    @contextlib.contextmanager
    def around(cls):
        try:
            yield
        except ValueError:
            pass
def program(x):
    y = 0
    with Guard.around():
        if x > 0:
            raise ValueError("positive")
        y = 1
    return y

# %% exit_is_a_lambda: (3,), (-3,)
class Quiet:
    __enter__ = lambda self: self
    __exit__ = lambda self, *exc: True
def program(x):
    y = 0
    with Quiet():
        if x > 0:
            raise ValueError("positive")
        y = 1
    return y

# %% pushed_on_exit_stack: (3,), (-3,)
import contextlib
def program(x):
    y = 0
    with contextlib.ExitStack() as stack:
        stack.push(lambda *exc: True)
        if x > 0:
            raise ValueError("positive")
        y = 1
    return y

# %% manager_of_library: (3,), (-3,)
import contextlib, threading
LOCK = threading.Lock()
def program(x):
    with LOCK, contextlib.nullcontext():
        if x > 0:
            raise ValueError("positive")
        return x

# %% system_exit: (3,), (-3,)
import sys
def program(x):
    if x > 0:
        sys.exit(3)
    return x

# %% system_exit_in_loop: ([3, -3],), ([-3, -3],)
def program(xs):
    total = 0
    for x in xs:
        if x > 0:
            raise SystemExit("positive")
        total += x
    return total

# %% kind_outside_of_exception: (3,), (-3,)
class Stop(BaseException):
    pass
def program(x):
    if x > 0:
        raise Stop(x)
    return x

# %% kind_outside_of_exception_handled: (3,), (-3,)
class Stop(BaseException):
    pass
class Quiet:
    def __enter__(self):
        return self
    def __exit__(self, *exc):
        return True
def program(x):
    y = 0
    with Quiet():
        if x > 0:
            raise Stop(x)
        y = 1
    return y

# %% system_exit_in_while: (3,), (30,)
def program(n):
    i = 0
    while i < n:
        i += 2
        if i > 9:
            raise SystemExit(i)
    return i
