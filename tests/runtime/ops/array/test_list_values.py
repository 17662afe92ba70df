"""Values of lists of tensors: versions share their storage, and none sees another's entries."""

import threading

from runtime.ops.array.list_values import ListValue


def test_threads_that_append_to_one_list_do_not_see_entries_of_each_other():
    begun = ListValue.of([0])
    found = {}

    def extend(name):
        longer = begun
        for number in range(200):
            longer = longer.appended((name, number))
        found[name] = longer.entries()

    threads = [threading.Thread(target=extend, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {name: [0, *((name, number) for number in range(200))] for name in "abcd"}
    assert begun.entries() == [0]
