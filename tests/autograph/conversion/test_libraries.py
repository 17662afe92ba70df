"""Which functions run unconverted: those of known libraries, and converted ones."""

import functools
import json
import os
from pathlib import Path

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.conversion import libraries


def program(x):
    return x + 1 if x > 0 else x


def test_functions_of_the_standard_library_and_of_tensor_libraries_stay():
    for function in (os.path.join, json.dumps, np.stack.__wrapped__, tf.reduce_sum, pytest.raises):
        function = getattr(function, "__wrapped__", function)
        assert libraries.is_known_library(getattr(function, "__globals__", vars(tf)))
    assert not libraries.stays_python(program)


def test_a_converted_function_stays_and_so_do_those_inside():
    converted = autograph.to_graph(program)
    assert libraries.is_converted(converted)
    assert libraries.stays_python(converted)


def test_a_module_of_the_user_may_have_the_name_of_a_standard_one():
    here = str(Path(__file__))
    assert libraries.is_standard_library({"__name__": "queue", "__file__": os.__file__})
    assert not libraries.is_standard_library({"__name__": "queue", "__file__": here})
    assert not libraries.is_standard_library({"__name__": "mine", "__file__": os.__file__})
    assert not libraries.is_known_library({"__name__": None})


def test_a_package_that_models_lead_to_stays_and_a_module_of_its_name_does_not():
    installed = "/usr/lib/python3/site-packages/requests/api.py"
    assert libraries.is_known_library({"__name__": "requests.api", "__file__": installed})
    assert not libraries.is_known_library({"__name__": "requests.api", "__file__": "requests.py"})
    other = installed.replace("requests", "mine")
    assert not libraries.is_known_library({"__name__": "mine.api", "__file__": other})


def test_a_library_says_by_a_global_that_it_stages_itself():
    assert libraries.is_known_library({"__name__": "mine", "__autograph_staging__": object()})


def test_what_functools_puts_in_place_of_a_function_of_the_program_does_not_stay():
    @functools.singledispatch
    def size(value):
        return 0

    @functools.total_ordering
    class Version:
        def __lt__(self, other):
            return False

    for function in (size, Version.__le__, Version.__gt__, Version.__ge__):
        assert not libraries.stays_python(function)
    for function in (functools.wraps, functools.update_wrapper, functools.singledispatch):
        assert libraries.stays_python(function)
