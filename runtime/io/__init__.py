"""`runtime.io`: files, and tensors as bytes."""

from runtime.io import gfile as gfile
from runtime.io.base64 import decode_base64 as decode_base64
from runtime.io.base64 import encode_base64 as encode_base64
from runtime.io.compressed import decode_compressed as decode_compressed
from runtime.io.files import matching_files as matching_files
from runtime.io.files import read_file as read_file
from runtime.io.files import write_file as write_file
from runtime.io.graphs import write_graph as write_graph
from runtime.io.raw_bytes import decode_raw as decode_raw
from runtime.io.tables import decode_csv as decode_csv
from runtime.io.tensors import parse_tensor as parse_tensor
from runtime.io.tensors import serialize_tensor as serialize_tensor
