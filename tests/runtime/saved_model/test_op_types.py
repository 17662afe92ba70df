"""Op types are defined by the time that something names them."""

import re
import subprocess
import sys
from pathlib import Path

import runtime

ROOT = Path(runtime.__file__).parent
CALLS = re.compile(r'\b(?:call|lookup)\(\s*"([^"]+)"')
IS_INSTALLED = (
    "importlib.util.find_spec('jax') or not found.name.startswith('runtime.engines.xla.')"
)


def run(text):
    subprocess.run([sys.executable, "-c", text], check=True)


def test_op_types_are_all_of_the_runtime():
    run(
        "import importlib.util, pkgutil, runtime, runtime.saved_model.op_types\n"
        "from runtime.core.opdef import all_ops\n"
        "before = {op.name for op in all_ops()}\n"
        "for found in pkgutil.walk_packages(runtime.__path__, 'runtime.'):\n"
        f"    if {IS_INSTALLED}: importlib.import_module(found.name)\n"
        "assert before == {op.name for op in all_ops()}\n"
    )


def test_what_a_module_calls_by_name_is_defined_once_it_is_loaded():
    """`Recur` is called by a module that the one that defines it loads."""
    named = {
        ".".join(("runtime", *path.relative_to(ROOT).with_suffix("").parts)): found
        for path in ROOT.rglob("*.py")
        if (found := set(CALLS.findall(path.read_text(encoding="utf-8"))) - {"Recur"})
    }
    run(
        "import importlib, runtime\n"
        "from runtime.core import opdef\n"
        f"for module, names in sorted({named!r}.items()):\n"
        "    importlib.import_module(module)\n"
        "    for name in names:\n"
        "        opdef.lookup(name)\n"
    )


def test_loading_modules_while_a_graph_is_recorded_adds_nothing_to_it():
    run(
        "import importlib.util, pkgutil, runtime as tf\n"
        "with tf.Graph().as_default() as graph:\n"
        "    for found in pkgutil.walk_packages(tf.__path__, 'runtime.'):\n"
        f"        if {IS_INSTALLED}: importlib.import_module(found.name)\n"
        "assert not graph.operations, graph\n"
    )


def test_a_saved_model_may_name_op_types_that_the_program_has_not_loaded(tmp_path):
    path = str(tmp_path / "model")
    run(
        "import runtime as tf\n"
        "module = tf.Module()\n"
        "spec = tf.TensorSpec([], tf.string)\n"
        "module.run = tf.function(tf.strings.upper, input_signature=[spec])\n"
        f"tf.saved_model.save(module, {path!r})\n"
    )
    run(f"import runtime as tf\nassert tf.saved_model.load({path!r}).run('a').numpy() == b'A'\n")
