# %% f_string: (3,), (-3,)
def program(x):
    return f"value {x}"


# %% f_string_of_float: (1.5,), (-0.25,)
def program(x):
    return f"value {x}"


# %% f_string_of_whole_float: (2.0,), (-0.0,)
def program(x):
    return f"value {x}"


# %% f_string_of_bool: (True,), (False,)
def program(x):
    return f"value {x}"


# %% f_string_two_digits: (1.5,), (-0.126,), (1000.0,)
def program(x):
    return f"{x:.2f}"


# %% f_string_right_aligned: (3,), (-12345,)
def program(x):
    return f"[{x:>4}]"


# %% f_string_left_aligned: (3,), (-12345,)
def program(x):
    return f"[{x:<6}]"


# %% f_string_centered: (3,), (-12345,)
def program(x):
    return f"[{x:^7}]"


# %% f_string_zeros: (3,), (-3,)
def program(x):
    return f"{x:05d}"


# %% f_string_sign: (3,), (-3,), (0,)
def program(x):
    return f"{x:+d}"


# %% f_string_hex: (255,), (-255,)
def program(x):
    return f"{x:x} {x:#X} {x:b} {x:o}"


# %% f_string_thousands: (1234567,), (-1,)
def program(x):
    return f"{x:,}"


# %% f_string_percent: (0.25,), (-1.5,)
def program(x):
    return f"{x:.1%}"


# %% f_string_exponent: (1234.5,), (0.0,)
def program(x):
    return f"{x:e} {x:.3g}"


# %% f_string_repr: (3,), (-3,)
def program(x):
    return f"{x!r}"


# %% f_string_debug: (3,), (-3,)
def program(x):
    return f"{x=}"


# %% f_string_nested_width: (3,), (-3,)
def program(x):
    w = 6
    return f"{x:>{w}}"


# %% f_string_in_branch: (3,), (-3,)
def program(x):
    if x > 0:
        s = f"+{x}"
    else:
        s = f"{x}"
    return s


# %% f_string_of_expression: (3,), (-3,)
def program(x):
    return f"{x + 1} and {x * 2}"


# %% str_of_number: (3,), (-3,)
def program(x):
    return str(x)


# %% str_of_float: (0.1,), (1e20,), (1e-7,)
def program(x):
    return str(x * 1.0)[:2]


# %% repr_of_number: (3,), (-3,)
def program(x):
    return repr(x)


# %% length_of_str: (3,), (-3,), (12345,)
def program(x):
    return len(str(x))


# %% digits: (3,), (908,)
def program(x):
    total = 0
    for c in str(x):
        total += int(c)
    return total


# %% palindrome: (121,), (123,)
def program(x):
    s = str(x)
    return s == s[::-1]


# %% format_function: (3,), (-3,)
def program(x):
    return format(x, "4d")


# %% format_method: (3,), (-3,)
def program(x):
    return "{} and {:>3}".format(x, x)


# %% format_method_names: (3,), (-3,)
def program(x):
    return "{a}{b}".format(a=x, b=1)


# %% format_map: (3,), (-3,)
def program(x):
    return "{a}".format_map({"a": x})


# %% percent: (3,), (-3,)
def program(x):
    return "%d items" % x


# %% percent_of_two: (3,), (-3,)
def program(x):
    return "%s-%s" % (x, x + 1)


# %% percent_float: (1.5,), (-1.0,)
def program(x):
    return "%.3f" % x


# %% join: (3,), (-3,)
def program(x):
    return ",".join([str(x), "b"])


# %% join_generator: (3,), (-3,)
def program(x):
    return ",".join(str(x + k) for k in range(3))


# %% join_map: (3,), (-3,)
def program(x):
    return " ".join(map(str, [x, x + 1]))


# %% concatenation: (3,), (-3,)
def program(x):
    return "n=" + str(x)


# %% concatenation_in_loop: (3,), (0,)
def program(n):
    s = ""
    for i in range(n):
        s += str(i)
    return s


# %% letters_in_loop: (3,), (0,)
def program(n):
    s = ""
    i = 0
    while i < n:
        s = s + "ab"
        i += 1
    return s


# %% repetition: (3,), (0,)
def program(n):
    return "ab" * n


# %% repetition_left: (3,), (0,)
def program(n):
    return n * "ab"


# %% choice_of_texts: (3,), (-3,)
def program(x):
    return "positive" if x > 0 else "other"


# %% choice_then_length: (3,), (-3,)
def program(x):
    s = "positive" if x > 0 else "other"
    return len(s)


# %% choice_then_compare: (3,), (-3,)
def program(x):
    s = "yes" if x > 0 else "no"
    if s == "yes":
        return 1
    return 2


# %% choice_then_upper: (3,), (-3,)
def program(x):
    s = "yes" if x > 0 else "no"
    return s.upper()


# %% choice_then_index: (3,), (-3,)
def program(x):
    s = "yes" if x > 0 else "no"
    return s[0]


# %% choice_then_in: (3,), (-3,)
def program(x):
    s = "yes" if x > 0 else "no"
    return "e" in s


# %% choice_then_dict: (3,), (-3,)
def program(x):
    s = "yes" if x > 0 else "no"
    return {"yes": 1, "no": 2}[s]


# %% char_of_text: (1,), (0,)
def program(i):
    return "abc"[i]


# %% chr_ord: (1,), (2,)
def program(i):
    return chr(ord("a") + i)


# %% int_of_text: (3,), (-3,)
def program(x):
    return int(str(x)) + 1


# %% fizzbuzz: (15,), (4,), (3,), (5,)
def program(n):
    if n % 15 == 0:
        return "FizzBuzz"
    elif n % 3 == 0:
        return "Fizz"
    elif n % 5 == 0:
        return "Buzz"
    return str(n)


# %% fizzbuzz_list: (3,), (1,)
def program(k):
    out = []
    for i in range(1, 6):
        if i % k == 0:
            out.append("Fizz")
        else:
            out.append(str(i))
    return " ".join(out)


# %% raise_message: (3,), (-3,)
def program(x):
    if x < 0:
        raise ValueError(f"negative: {x}")
    return x


# %% raise_message_caught: (3,), (-3,)
def program(x):
    try:
        if x < 0:
            raise ValueError(f"negative: {x}")
    except ValueError as e:
        return -1
    return x


# %% assert_message: (3,), (-3,)
def program(x):
    assert x > 0, f"got {x}"
    return x


# %% f_string_of_list: (3,), (-3,)
def program(x):
    return f"{[x, 1]}"


# %% f_string_of_tuple: (3,), (-3,)
def program(x):
    return f"{(x,)}"


# %% f_string_of_object: (3,), (-3,)
class P:
    def __init__(self, v):
        self.v = v

    def __str__(self):
        return f"P({self.v})"


def program(x):
    return f"{P(x)}"


# %% f_string_of_array: ((1, 2),), ((3, 4),)
def program(x):
    return f"{x[0]} {x[1]}"


# %% text_as_dict_key: (3,), (-3,)
def program(x):
    d = {}
    d[f"k{x}"] = 1
    return list(d)


# %% str_compare: (3,), (30,)
def program(x):
    return str(x) < "25"


# %% zfill: (3,), (30,)
def program(x):
    return str(x).zfill(4)


# %% split: (3,), (30,)
def program(x):
    return f"{x},{x + 1}".split(",")


# %% ascii_art: (3,), (1,)
def program(n):
    rows = []
    for i in range(3):
        rows.append("*" * (n + i))
    return "\n".join(rows)


# %% roman: (4,), (9,), (14,)
def program(n):
    out = ""
    for value, letter in ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        while n >= value:
            out += letter
            n -= value
    return out


# %% binary_digits: (5,), (8,)
def program(n):
    s = ""
    while n > 0:
        s = str(n % 2) + s
        n //= 2
    return s


# %% bin_function: (5,), (8,)
def program(n):
    return bin(n)


# %% hash_of_text: (5,), (8,)
def program(n):
    return str(n) in {"5", "6"}


# %% rjust_of_literal: (3,), (-3,)
def program(x):
    s = "ab".rjust(5)
    return s if x > 0 else s.strip()


# %% template: (3,), (-3,)
import string


def program(x):
    return string.Template("$a!").substitute(a=x)


# %% json_dump: (3,), (-3,)
import json


def program(x):
    return json.dumps({"a": 1}) + str(x)


# %% json_dump_of_tensor: (3,), (-3,)
import json


def program(x):
    return json.dumps({"a": x})


# %% text_as_attribute_name: (3,), (-3,)
class Box:
    a3 = 1


def program(x):
    return getattr(Box(), f"a{x}", 0)


# %% startswith: (3,), (-3,)
def program(x):
    return str(x).startswith("-")


# %% strip_sign: (3,), (-3,)
def program(x):
    return str(x).lstrip("-")


# %% log_message_in_list: (3,), (-3,)
def program(x):
    log = []
    if x > 0:
        log.append(f"got {x}")
    else:
        log.append("nothing")
    return log


# %% error_text_in_state: (3,), (-3,)
def program(x):
    state = {"error": ""}
    if x < 0:
        state["error"] = f"bad value {x}"
    return state

# %% txt_obj_str: (3,), (-3,)
class P:
    def __init__(self, v): self.v = v
    def __str__(self): return f"P({self.v})"
    def __repr__(self): return f"<{self.v}>"
    def __format__(self, spec): return f"{self.v:{spec or '>3'}}"
def program(x):
    p = P(x)
    return str(p), repr(p), f"{p}", f"{p!r}", "%s" % p, format(p, "<4")

# %% txt_dataclass_repr: (3,), (-3,)
from dataclasses import dataclass
@dataclass
class P:
    x: int
    y: int = 1
def program(x):
    return repr(P(x))

# %% txt_format_nested_spec: (3.5,), (-3.25,)
def program(x):
    w = 8
    return f"{x:{w}.2f}|{x!r:>10}"

# %% txt_percent_dict: (3,), (-3,)
def program(x):
    return "%(a)s %(b)d" % {"a": x, "b": x + 1}

# %% txt_chars: (312,), (-34,)
def program(x):
    t = 0
    for c in str(x):
        if c != "-":
            t += int(c)
    return t

# %% txt_reversed: (312,), (-34,)
def program(x):
    return str(x)[::-1], str(x) == str(x)[::-1]

# %% txt_ljust: (3,), (-3,)
def program(x):
    return str(x).rjust(5), str(x).zfill(4), str(x).center(7, "*")

# %% txt_bool_fmt: (True,), (False,)
def program(b):
    return f"{b}", str(not b), f"{b:d}", "%s" % b
