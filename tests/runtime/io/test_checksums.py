"""Checksums of record files."""

import pytest

from runtime.io import checksums


class TestChecksums:
    @pytest.mark.parametrize(
        ("data", "crc"),
        # RFC 3720, appendix B.4.
        [
            (b"\0" * 32, 0x8A9136AA),
            (b"\xff" * 32, 0x62A8AB43),
            (bytes(range(32)), 0x46DD794E),
            (bytes(range(31, -1, -1)), 0x113FDB5C),
            (b"", 0),
        ],
    )
    def test_published_values(self, data, crc):
        assert checksums.crc32c(data) == crc

    @pytest.mark.parametrize("size", [2048, 2049, 4095, 70_001])
    def test_lanes_agree_with_a_loop_over_bytes(self, size):
        data = bytes(i * 7 % 251 for i in range(size))
        assert checksums._wide_register(data) == checksums._register(data)
