# %% dc_mismatch: (3,), (-3,)
import dataclasses
@dataclasses.dataclass
class Point:
    n: int
    m: int
def program(x):
    p = Point(x, 1)
    r = 0
    for i in range(x):
        if Point(x > 0, 1) == p:
            r += 1
            if r > 1:
                return 5
    return r
# %% dc_mismatch_branch: (3,), (-3,)
import dataclasses
@dataclasses.dataclass
class Point:
    n: int
    m: int
def program(x):
    p = Point(x, 1)
    if x > 0:
        return Point(x > 0, 1) == p
    return True
# %% dc_mismatch_top: (3,), (-3,)
import dataclasses
@dataclasses.dataclass
class Point:
    n: int
    m: int
def program(x):
    return Point(x > 0, 1) == Point(x, 1)
