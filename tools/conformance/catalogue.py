"""What is converted and which of CPython's tests then run.

A subject is a group of modules that are converted together and the tests that exercise them.
Where a C accelerator hides the Python text, CPython's tests mostly run both versions themselves;
`blocked` names accelerators to be hidden where they do not. `resources` are those of CPython's
test runner that a subject needs (`network` where its tests talk to themselves only). Names that an
interpreter lacks (a module or test of another version) are left out there.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Subject:
    """One row of the catalogue; `modules` may name a whole package as `package.*`."""

    name: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]
    blocked: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()


def _subject(
    name: str,
    *modules: str,
    tests: tuple[str, ...] = (),
    blocked: tuple[str, ...] = (),
    resources: tuple[str, ...] = (),
) -> Subject:
    return Subject(name, modules or (name,), tests or (f"test_{name}",), blocked, resources)


SUBJECTS: tuple[Subject, ...] = (
    _subject("_collections_abc", tests=("test_collections",)),
    _subject("_py_abc", tests=("test_abc",)),
    _subject("_pyio", tests=("test_io", "test_memoryio", "test_fileio", "test_bufio")),
    _subject("_strptime", tests=("test_strptime",)),
    _subject("_threading_local", tests=("test_threading_local",)),
    _subject("_weakrefset", tests=("test_weakset",)),
    _subject("abc"),
    _subject("argparse"),
    _subject("ast", tests=("test_ast", "test_unparse")),
    _subject("asyncio", "asyncio.*"),
    _subject("base64"),
    _subject("bdb"),
    _subject("bisect", blocked=("_bisect",)),
    _subject("calendar"),
    _subject("cmd"),
    _subject("code", tests=("test_code_module",)),
    _subject("codecs", tests=("test_codecs",)),
    _subject("codeop"),
    _subject(
        "collections",
        "collections",
        tests=(
            "test_collections",
            "test_ordered_dict",
            "test_defaultdict",
            "test_deque",
            "test_userdict",
            "test_userlist",
            "test_userstring",
        ),
    ),
    _subject("colorsys"),
    _subject("concurrent.futures", "concurrent.futures.*", tests=("test_concurrent_futures",)),
    _subject("configparser"),
    _subject("contextlib", tests=("test_contextlib", "test_contextlib_async")),
    _subject("copy"),
    _subject("copyreg"),
    _subject("csv"),
    _subject("dataclasses"),
    _subject("datetime", "datetime", "_pydatetime", "_strptime"),
    _subject("dbm.dumb", "dbm.dumb", tests=("test_dbm_dumb",)),
    _subject("decimal", "decimal", "_pydecimal"),
    _subject("difflib"),
    _subject("dis"),
    _subject("doctest", tests=("test_doctest",)),
    _subject("email", "email.*"),
    _subject("enum"),
    _subject("filecmp"),
    _subject("fileinput"),
    _subject("fnmatch"),
    _subject("fractions"),
    _subject("ftplib"),
    _subject("functools"),
    _subject("genericpath"),
    _subject("getopt"),
    _subject("getpass"),
    _subject("gettext"),
    _subject("glob"),
    _subject("graphlib"),
    _subject("gzip"),
    _subject("hashlib"),
    _subject("heapq", blocked=("_heapq",)),
    _subject("hmac"),
    _subject("html", "html", "html.entities", tests=("test_html",)),
    _subject("html.parser", "html.parser", "_markupbase", tests=("test_htmlparser",)),
    _subject("http.client", tests=("test_httplib",)),
    _subject("http.cookiejar", tests=("test_http_cookiejar",)),
    _subject("http.cookies", tests=("test_http_cookies",)),
    _subject("http.server", tests=("test_httpservers",)),
    _subject("imaplib"),
    _subject("inspect"),
    _subject("ipaddress"),
    _subject("json", "json.*"),
    _subject("keyword"),
    _subject("linecache"),
    _subject("locale"),
    _subject("logging", "logging.*"),
    _subject("mailbox"),
    _subject("mimetypes"),
    _subject("modulefinder"),
    _subject("netrc"),
    _subject("ntpath"),
    _subject("numbers", tests=("test_abstract_numbers", "test_numeric_tower")),
    _subject("opcode", tests=("test__opcode", "test_opcodes")),
    _subject("operator"),
    _subject("optparse"),
    _subject("os", tests=("test_os", "test_popen", "test_posix")),
    _subject("pathlib", "pathlib.*", "pathlib"),
    _subject("pickle", tests=("test_pickle", "test_picklebuffer")),
    _subject("pickletools"),
    _subject("pkgutil"),
    _subject("platform"),
    _subject("plistlib"),
    _subject("poplib"),
    _subject("posixpath"),
    _subject("pprint"),
    _subject("profile", "profile", "cProfile", tests=("test_profile", "test_cprofile")),
    _subject("pstats"),
    _subject("py_compile"),
    _subject("pyclbr"),
    _subject("queue"),
    _subject("quopri"),
    _subject("random"),
    _subject("re", "re.*"),
    _subject("reprlib"),
    _subject("rlcompleter"),
    _subject("runpy"),
    _subject("sched"),
    _subject("secrets"),
    _subject("selectors"),
    _subject("shelve"),
    _subject("shlex"),
    _subject("shutil"),
    _subject("smtplib"),
    _subject("socketserver", resources=("network",)),
    _subject("stat"),
    _subject("statistics"),
    _subject("string"),
    _subject("stringprep"),
    _subject("struct"),
    _subject("subprocess"),
    _subject("symtable"),
    _subject("tabnanny"),
    _subject("tarfile"),
    _subject("tempfile"),
    _subject("textwrap"),
    _subject("threading"),
    _subject("timeit"),
    _subject("token", "token", tests=("test_tokenize",)),
    _subject("tokenize"),
    _subject("tomllib", "tomllib.*"),
    _subject("trace"),
    _subject("traceback"),
    _subject("tracemalloc"),
    _subject("types"),
    _subject("typing"),
    _subject("unittest", "unittest.*", tests=("test_unittest", "unittest.test")),
    _subject(
        "unittest.mock",
        tests=("test_unittest.testmock", "unittest.test.testmock"),
    ),
    _subject("urllib.error", "urllib.response", "urllib.error", tests=("test_urllib_response",)),
    _subject("urllib.parse", tests=("test_urlparse",)),
    _subject("urllib.request", tests=("test_urllib", "test_urllib2")),
    _subject("urllib.robotparser", tests=("test_robotparser",)),
    _subject("uuid"),
    _subject("warnings"),
    _subject("wave"),
    _subject("weakref", "weakref", "_weakrefset", tests=("test_weakref", "test_weakset")),
    _subject("wsgiref", "wsgiref.*"),
    _subject("xml.dom", "xml.dom.*", tests=("test_minidom", "test_pulldom")),
    _subject(
        "xml.etree",
        "xml.etree.*",
        tests=("test_xml_etree", "test_xml_etree_c"),
    ),
    _subject("xml.sax", "xml.sax.*", tests=("test_sax",)),
    _subject("xmlrpc", "xmlrpc.*"),
    _subject("zipapp"),
    _subject("zipfile", "zipfile.*", "zipfile"),
    _subject("zipimport"),
    _subject("zoneinfo", "zoneinfo.*"),
)

SAMPLE = ("bisect", "fractions", "graphlib", "heapq", "textwrap")


def select(names: list[str]) -> tuple[Subject, ...]:
    """The subjects called `names`, all where the list is empty.

    Raises:
        KeyError: a name stands for no subject.
    """
    if not names:
        return SUBJECTS
    table = {subject.name: subject for subject in SUBJECTS}
    return tuple(table[name] for name in names)
