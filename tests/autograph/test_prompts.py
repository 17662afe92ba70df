"""Functions without a file: notebooks, IPython, doctest, `python -c`, standard input, the prompt.

One program, written as several statements that import and define, is run in each of these ways.
"""

from __future__ import annotations

import importlib.util
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

import autograph
from tests.autograph.command_line import run_python

ROOT = Path(autograph.__file__).parent.parent
NOTEBOOK = ROOT / "fixtures" / "notebook.ipynb"

needs_ipython = pytest.mark.skipif(
    importlib.util.find_spec("IPython") is None, reason="IPython is not installed"
)
needs_kernel = pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("nbconvert", "ipykernel"))),
    reason="nbconvert and ipykernel are not installed",
)
needs_registered_source = pytest.mark.skipif(
    sys.version_info < (3, 13) or sys.platform == "win32",
    reason="before Python 3.13 the prompt keeps no source; it is driven through a pseudo-terminal",
)

IMPORTS = "import math\nimport autograph\nimport runtime as tf"
STATEMENT = """\
@tf.function
def distance(x):
    if x > 0:
        x = tf.abs(x) + math.floor(1.5)
    return tf.abs(x)"""
LAMBDA = "choose = tf.function(lambda x: tf.abs(x) if x > 0 else tf.zeros_like(x))"
CLOSURE = """\
def make(k):
    import math as m
    def scaled(x):
        while x < k:
            x = tf.multiply(x, m.floor(2.5))
        return x
    return scaled"""
METHOD = """\
class Model:
    def energy(self, x):
        total = tf.constant(0)
        for row in x:
            if row > 0:
                total += tf.abs(row)
        return total"""
DEFINITIONS = (STATEMENT, LAMBDA, CLOSURE, METHOD)
CALLS = """\
print("taken", distance(tf.constant(3.0)).numpy(), choose(tf.constant(2.0)).numpy())
print("not taken", distance(tf.constant(-3.0)).numpy(), choose(tf.constant(-2.0)).numpy())
scaled = autograph.to_graph(make(10))
print("closure", scaled(tf.constant(3)).numpy(), int(scaled(3)))
print("method", tf.function(Model().energy)(tf.constant([1, -1, 2])).numpy())"""
PRINTED = "taken 4.0 2.0\nnot taken 3.0 0.0\nclosure 12 12\nmethod 3\n"

REFUSED = """\
def sign(x):
    if x > 0:
        return 1
    return -1

def outer(x):
    def inner(y):
        return 1 if y > 0 else -1
    return inner(x)

for function in (sign, outer):
    try:
        tf.function(function)(tf.constant(2.0))
    except tf.errors.OperatorNotAllowedInGraphError as error:
        print(error)
try:
    autograph.to_graph(sign)
except autograph.NoSourceError as error:
    print(error)
"""


def program(*parts: str) -> str:
    return "\n\n".join(parts) + "\n"


# ---- each statement compiled alone ----


@needs_kernel
def test_a_kernel_gives_what_the_notebook_shows() -> None:
    import nbformat  # type: ignore[import-not-found]
    from nbconvert.preprocessors import ExecutePreprocessor  # type: ignore[import-not-found]

    shown = nbformat.read(NOTEBOOK, as_version=4)
    run = nbformat.read(NOTEBOOK, as_version=4)
    folder = {"metadata": {"path": str(ROOT)}}
    # A kernel may send one line in several pieces.
    ExecutePreprocessor(timeout=120, coalesce_streams=True).preprocess(run, folder)
    for before, after in zip(shown.cells, run.cells, strict=True):
        assert after.get("outputs") == before.get("outputs"), before.source


IN_IPYTHON = """\
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for cell in {cells!r}:
    shell.run_cell(cell).raise_error()
"""


@needs_ipython
@pytest.mark.parametrize(
    "cells",
    [
        [program(IMPORTS, *DEFINITIONS, CALLS)],
        [IMPORTS, program(*DEFINITIONS), CALLS],
        [program(IMPORTS, *DEFINITIONS), program(IMPORTS, CALLS)],
        [program(IMPORTS, each) for each in DEFINITIONS] + [CALLS],
    ],
    ids=["one cell", "imports in another cell", "calls in another cell", "a cell for each"],
)
def test_functions_in_ipython_are_converted(cells: list[str]) -> None:
    assert run_python("-c", IN_IPYTHON.format(cells=cells)) == PRINTED


@needs_ipython
def test_functions_of_a_cell_that_is_timed_are_converted() -> None:
    earlier = f"%%time\n{IMPORTS}\n{DEFINITIONS[0].replace('1.5', '7.5')}"
    cells = [earlier, f"%%time\n{program(IMPORTS, *DEFINITIONS, CALLS)}", "print('next')", CALLS]
    stored = IN_IPYTHON.replace("(cell)", "(cell, store_history=True)")
    shown = run_python("-c", stored.format(cells=cells))
    lines = shown.splitlines(keepends=True)
    untimed = "".join(line for line in lines if not line.startswith(("CPU times", "Wall time")))
    assert untimed == f"{PRINTED}next\n{PRINTED}"


@needs_ipython
def test_a_cell_that_awaits_is_converted() -> None:
    cell = program(
        IMPORTS,
        "import asyncio",
        "pick, _ = [tf.function(lambda x: tf.abs(x) if x < 0 else x + 1)"
        " for _ in range(await asyncio.sleep(0, 2))]",
        "print(pick(tf.constant(-4)).numpy(), pick(tf.constant(4)).numpy())",
    )
    assert run_python("-c", IN_IPYTHON.format(cells=[cell])) == "4 5\n"


def test_functions_in_a_doctest_are_converted(tmp_path: Path) -> None:
    examples = [*IMPORTS.splitlines(), *DEFINITIONS, *CALLS.splitlines()]
    lines = [">>> " + example.replace("\n", "\n... ") for example in examples]
    printed = iter(PRINTED.splitlines())
    lines = [f"{line}\n{next(printed)}" if "print(" in line else line for line in lines]
    path = tmp_path / "examples.txt"
    path.write_text("\n".join(lines) + "\n")
    shown = run_python("-m", "doctest", "-v", str(path))
    assert f"{len(lines)} passed" in shown, shown


# ---- no text in a file, but Python has it ----


def test_functions_of_a_command_are_converted() -> None:
    text = program(IMPORTS, *DEFINITIONS, CALLS)
    assert run_python("-c", text) == PRINTED
    assert run_python("-Bc", text, "an argument") == PRINTED
    assert run_python("-X", "dev", "-c", text) == PRINTED


def test_another_text_with_the_name_of_a_command_has_no_source() -> None:
    printed = run_python("-c", program(IMPORTS, f"exec({REFUSED!r})"))
    assert printed.count("has no source text") == 3


@needs_registered_source
@pytest.mark.parametrize(
    "inputs", [[*IMPORTS.splitlines(), *DEFINITIONS], [program(IMPORTS, *DEFINITIONS)]]
)
def test_functions_typed_at_the_prompt_are_converted(inputs: list[str]) -> None:
    screen = at_prompt([*inputs, *CALLS.splitlines()])
    assert [line for line in PRINTED.splitlines() if f"\n{line}\n" not in screen] == [], screen


def at_prompt(inputs: list[str]) -> str:
    """What a terminal shows in which a person pastes inputs at the prompt, without escapes."""
    import pty

    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-q"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm-256color", "PYTHON_COLORS": "0"},
    )
    os.close(terminal)
    try:
        # The prompt asks the terminal to mark what is pasted, each time it is shown.
        shown = _read_until(b"\x1b[?2004h", controller)
        for text in inputs:
            os.write(controller, b"\x1b[200~" + text.rstrip().encode() + b"\n\x1b[201~\r")
            shown += _read_until(b"\x1b[?2004l", controller)
            shown += _read_until(b"\x1b[?2004h", controller)
    finally:
        process.kill()
        process.wait()
        os.close(controller)
    return re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]|\x1b[=>]|\r", "", shown.decode())


def _read_until(marker: bytes, controller: int) -> bytes:
    shown = b""
    deadline = time.monotonic() + 60
    while not shown.endswith(marker):
        assert time.monotonic() < deadline, f"the prompt does not answer: {shown.decode()}"
        if select.select([controller], [], [], 1)[0]:
            # One byte at a time: what comes after the marker belongs to the next part.
            shown += os.read(controller, 1)
    return shown


# ---- no text ----


def test_functions_from_standard_input_say_that_they_have_no_source() -> None:
    printed = run_python("-", given=program(IMPORTS, REFUSED)).splitlines()
    places = [("sign", 5), ("outer", 10), ("sign", 5)]
    assert len(printed) == len(places)
    for text, (name, line) in zip(printed, places, strict=True):
        assert f'{name} (File "<stdin>", line {line}) has no source text' in text
        assert "autograph.exec" in text and "source=" in text
        assert "do_not_convert" not in text


def test_given_text_takes_the_place_of_a_file() -> None:
    text = program(
        IMPORTS,
        f"TEXT = {STATEMENT.partition(chr(10))[2]!r}",
        "exec(TEXT)",
        "print(autograph.to_graph(distance, source=TEXT)(tf.constant(3.0)).numpy())",
        'kept = autograph.exec(TEXT, {"tf": tf, "math": math})["distance"]',
        "print(tf.function(kept)(tf.constant(3.0)).numpy())",
    )
    assert run_python("-", given=text) == "4.0\n4.0\n"
