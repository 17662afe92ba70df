"""Programs whose conditions are tensors: which of them work, and which are refused at a line.

Of the files named here each program that is not listed as refused agrees with plain Python.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator

import pytest

from tools.outcomes.programs import Program, corpus
from tools.outcomes.workers import Worker

REFUSED: dict[str, str] = {
    "alternatives": """
        appended_in_branch callable_of_value class_of_value
        compared_with_number filter_lambda filter_none
        function_in_map functions_capture_of_branch
        in_set isinstance_of_value key_written
        lru_cached match_class match_sequence number_or_string
        operator_module printed_in_list property_getter slice_of_list
        sorted_by_none try_around type_of_value
    """,
    "caches": """
        cached_assigned_by_method cached_assigned_in_branch cached_changed_between
        cached_changed_between_branch cached_global_read cached_in_branch cached_tensor
        cached_then_changed lru_in_branch lru_method_tensor lru_of_tensor_in_branch
    """,
    "caught_errors": """
        as_name assert_caught caught_arithmetic caught_attribute_error caught_bare
        caught_else caught_exception caught_in_caller caught_index_error
        caught_index_error_growing caught_key_error caught_key_error_in_branch
        caught_name_error caught_tuple caught_unbound caught_value_error
        caught_zero_division caught_zero_division_float caught_zero_division_mod
        caught_zero_division_true del_name_error dict_tensor_key division_helper_caught
        divmod_caught globals_caught index_value_error int_text next_default none_type_error
        pop_empty pow_caught raise_around_staged_loop raise_in_loop_caught
        raise_in_staged_loop_caught reraised sqrt_error suppress unstack_caught
        zero_division_uncaught
    """,
    "containers_as_operands": """
        deque_as_value
    """,
    "equality_in_libraries": """
        assert_equal_unittest chainmap defaultdict_in_library
        deque_of_lists dict_equal filter_eq getitem_slice_lib groupby_lists
        helper_unconverted_global helper_unconverted_nested length_nested
        lengths_differ_from_guard namespace_equal operator_contains remove_list
        set_of_lengths sorted_rows unconverted_count unconverted_index
        index_of_grown_row count_of_grown_row grown_row_counted operator_of_grown_row
    """,
    "grown_or_new_lists": """
        append_or_new_two_names grown_then_replaced_the_old_one_has_a_name grown_then_swapped
        grown_then_replaced_in_a_loop either_of_two_grown_lists_is
        either_of_two_grown_lists_is_written either_of_two_grown_lists_grows_again
        either_of_two_grown_dicts one_of_two_lists_in_a_nested_branch
        one_of_two_lists_in_a_nested_branch_is
    """,
    "length_and_truth": "",
    "lists_under_new_keys": """
        defaultdict_global defaultdict_new_key defaultdict_set
    """,
    "membership": "",
    "merged_objects": """
        aliased_old_written argument_object_changed cached_property_in_it changed_in_loop
        different_attributes dtype_differ equality_identity equality_in_list
        identity_asked in_loop_changed kept_outside key_of_dict linked_list list_attribute
        method_changes_self nested_objects new_kept_in_list new_or_old_then_written new_two_names
        other_changed_after other_changed_in_branch other_changed_in_helper outside_attribute
        own_getattr
    """,
    "optional_results": """
        leak_map none_returned_out
    """,
    "parted_dicts": """
        alias_in_helper alias_in_helper_get alias_in_helper_subscript alias_then_key
        alias_then_key_in two_keys
    """,
    "searches": """
        join_map max_partial_set sorted_partial_dict
    """,
    "swapped_lists": """
        alias_old both_chosen both_chosen_by_key chosen_and_its_row swap_arguments
        swap_third_name swapped_after_one_is_kept_by_key
    """,
}
SLOW = pytest.mark.slow


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.stop()


def cases() -> list[object]:
    """Every program of the files; all but one in sixteen are left to the slow run."""
    return [
        pytest.param(
            program,
            id=program.key,
            marks=[] if zlib.crc32(program.key.encode()) % 16 == 0 else SLOW,
        )
        for program in corpus(list(REFUSED))
    ]


@pytest.mark.parametrize("program", cases())
def test_a_program_agrees_unless_it_is_listed_as_refused(program: Program, worker: Worker) -> None:
    verdict = worker.judge(program)
    refused = program.name in REFUSED[program.item].split()
    expected = "refused" if refused else "agreed"
    assert verdict.outcome == expected, f"{verdict.reason}\n{verdict.got}"


def test_refusals_name_programs_of_the_corpus() -> None:
    known = {program.key for program in corpus(list(REFUSED))}
    assert {f"{item}/{name}" for item, names in REFUSED.items() for name in names.split()} <= known
