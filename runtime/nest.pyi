from runtime.core.nest import assert_same_structure as assert_same_structure
from runtime.core.nest import flatten as flatten
from runtime.core.nest import is_nested as is_nested
from runtime.core.nest import map_structure as map_structure
from runtime.core.nest import pack_sequence_as as pack_sequence_as
