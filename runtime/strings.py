"""`runtime.strings`: tensors of bytes."""

from runtime.ops.string_hashing import to_hash_bucket as to_hash_bucket
from runtime.ops.string_hashing import to_hash_bucket_fast as to_hash_bucket_fast
from runtime.ops.string_joining import bytes_split as bytes_split
from runtime.ops.string_joining import join as join
from runtime.ops.string_joining import reduce_join as reduce_join
from runtime.ops.string_joining import split as split
from runtime.ops.string_joining import unsorted_segment_join as unsorted_segment_join
from runtime.ops.string_numbers import as_string as as_string
from runtime.ops.string_numbers import format as format
from runtime.ops.string_numbers import to_number as to_number
from runtime.ops.string_patterns import regex_full_match as regex_full_match
from runtime.ops.string_patterns import regex_replace as regex_replace
from runtime.ops.strings import length as length
from runtime.ops.strings import lower as lower
from runtime.ops.strings import strip as strip
from runtime.ops.strings import substr as substr
from runtime.ops.strings import upper as upper
