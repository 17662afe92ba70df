# %% new_attribute: (-3,), (3,)
import string
vars(string).pop("marker", None)
def program(x):
    if x > 0:
        string.marker = 5
    return hasattr(string, "marker")

# %% attribute_known_before: (-3,), (3,)
import string
string.marker = 1
def program(x):
    if x > 0:
        string.marker = 5
    return string.marker

# %% constant: (-3.0,), (3.0,)
import math
math.pi = 3.5
def program(x):
    if x > 0:
        math.pi = 3.0
    return math.pi * x

# %% constant_in_either_branch: (-3.0,), (3.0,)
import math
math.tau = 6.5
def program(x):
    if x > 0:
        math.tau = 6.0
    else:
        math.tau = 7.0
    return math.tau * x

# %% assigned_by_a_helper: (-3,), (3,)
import string
string.marker = 1
def mark(value):
    string.marker = value
def program(x):
    if x > 0:
        mark(7)
    return string.marker

# %% assigned_by_setattr: (-3,), (3,)
import string
string.marker = 1
def program(x):
    if x > 0:
        setattr(string, "mar" + "ker", 5)
    return string.marker

# %% augmented: (-3,), (3,)
import string
string.marker = 1
def program(x):
    if x > 0:
        string.marker += 2
    return string.marker

# %% deleted: (-3,), (3,)
import string
string.marker = 1
def program(x):
    if x > 0:
        del string.marker
    return getattr(string, "marker", 9)

# %% in_a_loop: (-3,), (3,)
import string
string.marker = 1
def program(x):
    while x > 0:
        string.marker += x
        x -= 1
    return string.marker

# %% tensor_left: (-3,), (3,)
import string
string.marker = 1
def program(x):
    string.marker = x * 2
    return string.marker

# %% tensor_left_by_a_branch: (-3,), (3,)
import string
string.marker = 1
def program(x):
    if x > 0:
        string.marker = x * 2
    return string.marker + 1

# %% imported_in_the_function: (-3,), (3,)
import string
string.marker = 1
def program(x):
    import string as names
    if x > 0:
        names.marker = 5
    return names.marker

# %% imported_from: (-3,), (3,)
import string
string.marker = 1
def program(x):
    if x > 0:
        string.marker = 5
    from string import marker
    return marker

# %% module_in_a_list: (-3,), (3,)
import string
string.marker = 1
modules = [string]
def program(x):
    if x > 0:
        modules[0].marker = 5
    return modules[0].marker

# %% submodule: (-3,), (3,)
import os
os.path.marker = 1
def program(x):
    if x > 0:
        os.path.marker = 5
    return os.path.marker

# %% module_of_numpy: (-3,), (3,)
import numpy as np
np.marker = 1
def program(x):
    if x > 0:
        np.marker = 5
    return np.marker

# %% new_name_of_numpy: (-3,), (3,)
import numpy as np
vars(np).pop("marker", None)
def program(x):
    if x > 0:
        np.marker = 5
    return getattr(np, "marker", 1)

# %% class_of_a_library: (-3,), (3,)
import argparse
argparse.Namespace.marker = 1
def program(x):
    if x > 0:
        argparse.Namespace.marker = 5
    return argparse.Namespace.marker

# %% function_of_a_library: (-3,), (3,)
import textwrap
textwrap.dedent.marker = 1
def program(x):
    if x > 0:
        textwrap.dedent.marker = 5
    return textwrap.dedent.marker

# %% patched_function: (-3,), (3,)
import string
string.capwords = len
def program(x):
    if x > 0:
        string.capwords = abs
    return string.capwords([-4]) if x < 0 else string.capwords(-4)

# %% changed_between_calls: (-3,), (3,)
import string
string.marker = 1
def program(x):
    return x + string.marker
def between():
    string.marker = 5

# %% constant_changed_between_calls: (-3.0,), (3.0,)
import math
math.e = 2.5
def program(x):
    return x * math.e
def between():
    math.e = 3.0

# %% function_patched_between_calls: (-3,), (3,)
import string
string.capwords = len
def program(x):
    return x + string.capwords("abc")
def between():
    string.capwords = lambda text: 7

# %% submodule_changed_between_calls: (-3,), (3,)
import os
os.path.marker = 1
def program(x):
    return x + os.path.marker
def between():
    os.path.marker = 5

# %% constant_of_numpy_changed_between_calls: (-3.0,), (3.0,)
import numpy as np
np.marker = 2.5
def program(x):
    return x * np.marker
def between():
    np.marker = 3.0

# %% created_between_calls: (-3,), (3,)
import string
vars(string).pop("marker", None)
def program(x):
    return x + getattr(string, "marker", 0)
def between():
    string.marker = 5

# %% deleted_between_calls: (-3,), (3,)
import string
string.marker = 4
def program(x):
    return x + (string.marker if hasattr(string, "marker") else 0)
def between():
    del string.marker

# %% new_global_of_own_module: (-3,), (3,)
import sys
own = sys.modules[__name__] if __name__ in sys.modules else __import__("types").ModuleType("own")
def program(x):
    if x > 0:
        own.marker = 5
    return getattr(own, "marker", 1)

# %% untouched: (-3.0,), (3.0,)
import math, string
def program(x):
    if x > 0:
        y = x * math.pi
    else:
        y = x * 2.0
    return y + len(string.digits) + math.floor(2.5)

# %% thread_name: (-3,), (3,)
import threading
def program(x):
    t = threading.Thread(name="a")
    if x > 0:
        t.name = "bb"
    return len(t.name)

# %% thread_daemon: (-3,), (3,)
import threading
t = threading.Thread(name="a")
def program(x):
    if x > 0:
        t.daemon = True
    return t.daemon

# %% thread_name_changed_between_calls: (-3,), (3,)
import threading
t = threading.Thread(name="a")
def program(x):
    return x + len(t.name)
def between():
    t.name = "abc"

# %% timer: (-3,), (3,)
import threading
t = threading.Timer(10, abs)
t.name = "alarm"
def program(x):
    if x > 0:
        t.interval = 3
    return t.interval

# %% own_thread_class: (-3,), (3,)
import threading
class Worker(threading.Thread):
    def __init__(self):
        super().__init__(name="w")
        self.total = 1
def program(x):
    t = Worker()
    if x > 0:
        t.total = 4
        t.name = "other"
    return t.total + len(t.name)

# %% logger_attribute: (-3,), (3,)
import logging
log = logging.getLogger("of_the_corpus")
log.marker = 1
def program(x):
    if x > 0:
        log.marker = 5
    return log.marker

# %% finalizer_called: (-3,), (3,)
import weakref
class Box:
    pass
box = Box()
calls = []
end = weakref.finalize(box, calls.append, 1)
def program(x):
    if x > 0:
        end()
    return len(calls)

# %% finalizer_made: (-3,), (3,)
import weakref
class Box:
    pass
box = Box()
calls = []
made = []
def program(x):
    if x > 0:
        made.append(weakref.finalize(box, calls.append, 1))
    return len(made)

# %% finalizer_asked: (-3,), (3,)
import weakref
class Box:
    pass
box = Box()
end = weakref.finalize(box, abs, 1)
def program(x):
    if x > 0:
        end.detach()
    return end.alive

# %% finalizer_atexit: (-3,), (3,)
import weakref
class Box:
    pass
box = Box()
end = weakref.finalize(box, abs, 1)
end.atexit = False
def program(x):
    if x > 0:
        end.atexit = True
    return end.atexit
