# %% bases_assigned_between: (3, 2), (-3, 1)
class A:
    def get(self):
        return 1
class B:
    def get(self):
        return 2
class C(A):
    pass
O = C()
def between():
    C.__bases__ = (B,)
def program(x, y):
    if x > 0:
        y = y + O.get()
    return y


# %% bases_assigned_between_isinstance: (3, 2), (-3, 1)
class A:
    def get(self):
        return 1
class B:
    def get(self):
        return 2
class C(A):
    pass
O = C()
def between():
    C.__bases__ = (B,)
def program(x, y):
    if isinstance(O, B):
        y = y + 7
    return y


# %% bases_of_base_assigned_between: (3, 2), (-3, 1)
class A:
    k = 1
class B:
    k = 2
class C(A):
    pass
class D(C):
    pass
def between():
    C.__bases__ = (B,)
def program(x, y):
    d = D()
    if issubclass(D, B):
        y = y + 7
    return y + d.k


# %% abc_registered_between: (3, 2), (-3, 1)
import abc
class A(abc.ABC):
    pass
class C:
    pass
O = C()
def between():
    A.register(C)
def program(x, y):
    if isinstance(O, A):
        y = y + 7
    return y


# %% abc_registered_between_issubclass: (3, 2), (-3, 1)
import abc
from collections.abc import Sequence
class C:
    pass
class D(C):
    pass
def between():
    Sequence.register(C)
def program(x, y):
    if issubclass(D, Sequence):
        y = y + 7
    d = D()
    if isinstance(d, Sequence):
        y = y + x
    match d:
        case Sequence():
            y = y + 100
    return y


# %% bases_method_object_argument: (3, 2), (-3, 1)
class A:
    def get(self):
        return 1
class B:
    def get(self):
        return 2
class C(A):
    pass
def between():
    C.__bases__ = (B,)
def program(x, y):
    o = C()
    r = y
    for i in range(x):
        r = r + o.get()
    return r + super(C, o).get()


# %% bases_passed: (3, 2), (-3, 1)
class A:
    k = 1
class B:
    k = 2
class C(A):
    pass
ROWS = [C()]
def between():
    C.__bases__ = (B,)
def program(x, y):
    if x > 0:
        y = y + ROWS[0].k
    return y


# %% bases_of_metaclass: (3, 2), (-3, 1)
class A:
    pass
class B(A):
    n = 5
class C(A):
    n = 4
class D(C):
    pass
def between():
    D.__bases__ = (B, A)
def helper(kind, y):
    return kind.n + y
def program(x, y):
    if x > 0:
        return helper(D, y)
    return y


# %% registered_by_module_name: (3, 2), (-3, 1)
import collections.abc
import numbers
class C:
    pass
O = C()
def between():
    numbers.Number.register(C)
def program(x, y):
    if isinstance(O, numbers.Number):
        y = y + 7
    if isinstance(O, collections.abc.Sized):
        y = y + 7
    return y


# %% sized_later: (3, 2), (-3, 1)
from collections.abc import Sized, Iterable
class C:
    pass
O = C()
def between():
    C.__len__ = lambda self: 3
    C.__iter__ = lambda self: iter((1,))
def program(x, y):
    if isinstance(O, Sized):
        y = y + 7
    if isinstance(O, Iterable):
        y = y + 70
    return y


# %% registered_singledispatch: (3, 2), (-3, 1)
import abc, functools
class A(abc.ABC):
    pass
class C:
    pass
O = C()
@functools.singledispatch
def f(x):
    return 1
@f.register(A)
def g(x):
    return 2
def between():
    A.register(C)
def program(x, y):
    if x > 0:
        y = y + f(O)
    return y


# %% registered_matched: (3, 2), (-3, 1)
import abc
class A(abc.ABC):
    pass
class C:
    pass
O = C()
def between():
    A.register(C)
def program(x, y):
    match O:
        case A():
            y = y + x
        case C():
            y = y + 100
    return y
