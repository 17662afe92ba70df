# %% ns_read: (3,), (-3,)
import argparse
A = argparse.Namespace(lr=2, sub=argparse.Namespace(k=1))
def program(x):
    return x * A.lr + A.sub.k
def between():
    A.lr = 5
    A.sub.k = 7

# %% ns_read_arg: (3,), (-3,)
import argparse
A = argparse.Namespace(lr=2)
def use(a, x):
    return x * a.lr if x > 0 else x + a.lr
def program(x):
    return use(A, x)
def between():
    A.lr = 5

# %% ns_nested_write: (3,), (-3,)
import argparse
A = argparse.Namespace(sub=argparse.Namespace(k=[1]))
def program(x):
    if x > 0:
        A.sub.k[0] = x
    return A.sub.k[0]

# %% ns_method_write: (3,), (-3,)
import configparser
def program(x):
    c = configparser.ConfigParser()
    c.read_string("[a]\nb=3\n")
    if x > 0:
        c.set("a", "b", "9")
    return int(c.get("a", "b"))

# %% lib_ast_node: (3,), (-3,)
import ast
def program(x):
    n = ast.parse("1 + 2")
    if x > 0:
        n.body[0].value.left.value = 9
    return n.body[0].value.left.value

# %% lib_ast_new: (3,), (-3,)
import ast
def program(x):
    n = ast.Constant(value=1)
    if x > 0:
        n.value = 9
    return n.value

# %% lib_mock: (3,), (-3,)
from unittest import mock
def program(x):
    m = mock.Mock()
    if x > 0:
        m.go(1)
    return m.go.call_count

# %% lib_email: (3,), (-3,)
from email.message import Message
def program(x):
    m = Message()
    if x > 0:
        m["To"] = "me"
    return len(m)

# %% lib_optparse_values: (3,), (-3,)
from optparse import Values
def program(x):
    v = Values({"a": 1})
    if x > 0:
        v.a = 4
    return v.a

# %% lib_fraction_slots: (3,), (-3,)
import string
def program(x):
    t = string.Template("$a")
    if x > 0:
        t.template = "bb"
    return t.template

# %% lib_graphlib: (3,), (-3,)
from graphlib import TopologicalSorter
def program(x):
    t = TopologicalSorter()
    t.add(1)
    if x > 0:
        t.add(2, 1)
    return len(list(t.static_order()))

# %% lib_htmlparser: (3,), (-3,)
from html.parser import HTMLParser
class P(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []
    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
def program(x):
    p = P()
    p.feed("<a>")
    if x > 0:
        p.feed("<b>")
    return len(p.tags)

# %% lib_textwrapper: (3,), (-3,)
from textwrap import TextWrapper
def program(x):
    w = TextWrapper()
    if x > 0:
        w.width = 5
    return w.width

# %% eff_setattr_lib_obj: (3,), (-3,)
import argparse
def program(x):
    ns = argparse.Namespace(a=1)
    if x > 0:
        ns.a = 5
    return ns.a

# %% eff_configparser: (3,), (-3,)
import configparser
C = configparser.ConfigParser()
C.read_string("[a]\nb=3\n")
def program(x):
    return x + C.getint("a", "b")
def between():
    C.set("a", "b", "9")

# %% argv_count: (3,), (-3,)
import sys
sys.argv[:] = ["a"]
def program(x):
    return x + sys.argv.count("eighta")
def between():
    sys.argv.append("eighta")

# %% argv_len: (3,), (-3,)
from sys import argv
argv[:] = ["a"]
def program(x):
    return x + len(argv)
def between():
    argv.append("eighta")

# %% sys_path_in: (3,), (-3,)
import sys
if "/nowhere8" in sys.path: sys.path.remove("/nowhere8")
def program(x):
    return x + ("/nowhere8" in sys.path)
def between():
    sys.path.append("/nowhere8")

# %% env_iter: (3,), (-3,)
import os
os.environ.pop("EIGHTB6", None)
def program(x):
    return x + len([k for k in os.environ if k.startswith("EIGHTB6")])
def between():
    os.environ["EIGHTB6"] = "8"

# %% env_len: (3,), (-3,)
import os
os.environ.pop("EIGHTB7", None)
def program(x):
    return x + len(os.environ)
def between():
    os.environ["EIGHTB7"] = "8"

# %% env_dict: (3,), (-3,)
import os
os.environ.pop("EIGHTB8", None)
def program(x):
    return x + len(dict(os.environ)) + len({**os.environ})
def between():
    os.environ["EIGHTB8"] = "8"

# %% env_for_loop: (3,), (-3,)
import os
os.environ.pop("EIGHTB9", None)
def program(x):
    n = 0
    for k in os.environ:
        if k == "EIGHTB9":
            n += 1
    return x + n
def between():
    os.environ["EIGHTB9"] = "8"

# %% hash_update: (3,), (-3,)
import hashlib
def program(x):
    h = hashlib.sha256()
    if x > 0:
        h.update(b"a")
    return h.hexdigest()[:4]

# %% et_element: (3,), (-3,)
import xml.etree.ElementTree as ET
def program(x):
    e = ET.Element("a")
    if x > 0:
        e.set("k", "v")
    return e.get("k") is None

# %% et_append: (3,), (-3,)
import xml.etree.ElementTree as ET
def program(x):
    e = ET.Element("a")
    if x > 0:
        ET.SubElement(e, "b")
    return len(e)

# %% zlib_obj: (3,), (-3,)
import zlib
def program(x):
    c = zlib.compressobj()
    if x > 0:
        c.compress(b"abc")
    return len(c.flush())

# %% path_obj: (3,), (-3,)
from pathlib import Path
P = Path("a")
def program(x):
    y = 0
    if x > 0:
        y = len(str(P / "b"))
    return y

# %% logger_check: (3,), (-3,)
import logging
L = logging.getLogger("q8")
def program(x):
    y = 0
    if x > 0:
        y = 1 if L.isEnabledFor(10) else 2
    return y

# %% fraction_arg: (3,), (-3,)
from fractions import Fraction
F = Fraction(3, 2)
def program(x):
    return x * F.numerator if x > 0 else F.denominator

# %% eff_local_decimal: (3,), (-3,)
import decimal
def program(x):
    with decimal.localcontext() as c:
        c.prec = 5
        y = x + 1 if x > 0 else x
    return y

# %% element_text_in_branch: (3,), (-3,)
import xml.etree.ElementTree as ET

def program(x):
    element = ET.Element("a")
    if x > 0:
        element.text = "yes"
    return 1 if element.text == "yes" else 2

# %% element_child_deleted_in_branch: (3,), (-3,)
import xml.etree.ElementTree as ET

def program(x):
    element = ET.Element("a")
    element.append(ET.Element("b"))
    if x > 0:
        del element[0]
    return len(element)

# %% element_attribute_in_branch: (3,), (-3,)
import xml.etree.ElementTree as ET

def program(x):
    element = ET.Element("a", k="v")
    if x > 0:
        element.attrib["k"] = "w"
    return 1 if element.get("k") == "w" else 2

# %% element_read_in_branch: (3,), (-3,)
import xml.etree.ElementTree as ET

def program(x):
    element = ET.Element("a", n="5")
    element.text = "7"
    if x > 0:
        return x + int(element.text)
    return x + int(element.get("n"))

# %% decimal_context_in_branch: (3,), (-3,)
import decimal

def program(x):
    context = decimal.Context(prec=28)
    if x > 0:
        context.prec = 3
    return x + context.prec

# %% decimal_context_read_in_branch: (3,), (-3,)
import decimal

def program(x):
    context = decimal.Context(prec=5)
    if x > 0:
        return x + int(context.divide(decimal.Decimal(70), decimal.Decimal(7)))
    return x
