"""Folders of tests, and what they write to streams."""

import os


class TestFiles:
    def test_a_directory_for_one_test(self, case):
        assert case.get_temp_dir() == case.get_temp_dir()

    def test_it_is_gone_after_the_test(self, outcome):
        kept = []
        outcome(lambda self: kept.append(self.get_temp_dir()))
        assert not os.path.exists(kept[0])

    def test_what_is_written_to_a_stream(self, case, tmp_path):
        with open(tmp_path / "out", "w") as stream:
            with case.captureWritesToStream(stream) as captured:
                stream.write("inside")
            stream.write("after")
        assert captured.contents() == "inside"
        assert (tmp_path / "out").read_text() == "after"
