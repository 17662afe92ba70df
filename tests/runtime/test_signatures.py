"""Public functions take what they take in TensorFlow: names, order and defaults of arguments."""

import functools
import inspect

import pytest

import runtime

tensorflow = pytest.importorskip("tensorflow")

NAMESPACES = (
    "", "bitwise", "compat", "compat.v1", "config",
    "config.experimental", "config.optimizer", "config.threading", "data", "data.experimental",
    "debugging", "dtypes", "errors", "image", "io", "linalg", "math",
    "nest", "nn", "profiler.experimental", "random", "strings", "summary",
    "summary.experimental", "test",
    "types.experimental",
)  # fmt: skip
DIFFERENT = {
    "Dataset": "no program makes one by its class",
    "ConcreteFunction": "no program makes one; it is a type to ask for",
    "DType": "no program makes one; `runtime.as_dtype` finds it",
    "GenericFunction": "no program makes one; it is a type to ask for",
    "Graph": "the graphs of functions, branches and loops have a name and a graph around them",
    "Iterator": "no program makes one by its class",
    "group": "`**kwargs` is `name` alone",
    "PolymorphicFunction": "no program makes one; it is a type to ask for",
    "meshgrid": "`**kwargs` is `indexing` and `name`",
    "SummaryWriter": "no program makes one by its class",
    "print": "`**kwargs` is the options, by name",
}


LEFT_OUT = {
    "CsvDataset", "TFRecordOptions", "Variable", "as_string", "band_part", "bincount",
    "create_file_writer", "decode_csv", "decode_jpeg", "decode_raw", "diag", "diag_part",
    "encode_jpeg", "eye", "fill", "gather", "gather_nd", "make_csv_dataset", "matmul", "matvec",
    "ones", "ones_like", "reduce_join", "resize", "scatter_nd", "set_diag", "split",
    "stateless_normal", "stateless_truncated_normal", "stateless_uniform",
    "tensor_scatter_nd_add", "tensor_scatter_nd_max", "tensor_scatter_nd_min",
    "tensor_scatter_nd_sub", "tensor_scatter_nd_update", "trace_on", "unicode_decode",
    "unicode_encode", "unicode_split", "zeros", "zeros_like",
}  # fmt: skip
"""Functions without some arguments of TensorFlow: those after a gap are taken by name alone."""

ADDED = {"function": {"numpy"}}
"""Arguments by name that TensorFlow's function lacks."""


def member(library, path):
    for part in filter(None, path.split(".")):
        library = getattr(library, part)
    return library


def shared():
    for namespace in NAMESPACES:
        ours, theirs = member(runtime, namespace), member(tensorflow, namespace)
        # Version 1 offers names of version 2 too, with the arguments of version 2.
        names = vars(ours) if namespace == "compat.v1" else dir(ours)
        for name in sorted(set(names) & set(dir(theirs))):
            value = getattr(ours, name)
            if not name.startswith("_") and callable(value) and name not in DIFFERENT:
                yield pytest.param(
                    value, getattr(theirs, name), id=f"{namespace}.{name}".strip(".")
                )


def default_of(parameter):
    """A default in a form in which the two libraries can be compared."""
    value = parameter.default
    if value is inspect.Parameter.empty:
        return "needed"
    if isinstance(value, (list, tuple)):
        return tuple(value)
    return getattr(value, "__name__", None) or str(getattr(value, "name", value))


def arguments(function):
    if isinstance(function, type) and issubclass(function, tensorflow.Variable):
        function = functools.partial(function.__init__, None)  # whose class hides the arguments
    parameters = inspect.signature(function).parameters.values()
    return [(p.name, p.kind.name, default_of(p)) for p in parameters]


@pytest.mark.parametrize(("ours", "theirs"), list(shared()))
def test_arguments_are_those_of_tensorflow(ours, theirs):
    try:
        expected = arguments(theirs)
    except ValueError:
        pytest.skip("TensorFlow's is written in another language")
    added = ADDED.get(ours.__name__, set())
    own = [each for each in arguments(ours) if each[0] not in added]
    if ours.__name__ in LEFT_OUT:
        by_position = [each for each in own if each[1] != "KEYWORD_ONLY"]
        assert by_position == expected[: len(by_position)]
        assert {(name, default) for name, _, default in own} <= {(n, d) for n, _, d in expected}
    else:
        assert own == expected


@pytest.mark.parametrize("name", DIFFERENT)
def test_declared_differences_are_there(name):
    differs = []
    for namespace in ("", "compat.v1", "data", "dtypes", "summary", "types.experimental"):
        ours, theirs = member(runtime, namespace), member(tensorflow, namespace)
        if hasattr(ours, name) and hasattr(theirs, name):
            differs.append(arguments(getattr(ours, name)) != arguments(getattr(theirs, name)))
    assert any(differs)
