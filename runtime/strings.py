"""`runtime.strings`: tensors of bytes."""

from runtime.ops.strings.elementwise import length as length
from runtime.ops.strings.elementwise import lower as lower
from runtime.ops.strings.elementwise import strip as strip
from runtime.ops.strings.elementwise import substr as substr
from runtime.ops.strings.elementwise import upper as upper
from runtime.ops.strings.encodings import unicode_decode as unicode_decode
from runtime.ops.strings.encodings import unicode_decode_with_offsets as unicode_decode_with_offsets
from runtime.ops.strings.encodings import unicode_encode as unicode_encode
from runtime.ops.strings.encodings import unicode_split as unicode_split
from runtime.ops.strings.encodings import unicode_split_with_offsets as unicode_split_with_offsets
from runtime.ops.strings.encodings import unicode_transcode as unicode_transcode
from runtime.ops.strings.hashing import to_hash_bucket as to_hash_bucket
from runtime.ops.strings.hashing import to_hash_bucket_fast as to_hash_bucket_fast
from runtime.ops.strings.hashing import to_hash_bucket_strong as to_hash_bucket_strong
from runtime.ops.strings.joining import bytes_split as bytes_split
from runtime.ops.strings.joining import join as join
from runtime.ops.strings.joining import reduce_join as reduce_join
from runtime.ops.strings.joining import split as split
from runtime.ops.strings.joining import unsorted_segment_join as unsorted_segment_join
from runtime.ops.strings.ngrams import ngrams as ngrams
from runtime.ops.strings.numbers import as_string as as_string
from runtime.ops.strings.numbers import format as format
from runtime.ops.strings.numbers import to_number as to_number
from runtime.ops.strings.patterns import regex_full_match as regex_full_match
from runtime.ops.strings.patterns import regex_replace as regex_replace
