"""`runtime.sysconfig`: how the package was built."""

from runtime.core.build import get_build_info as get_build_info
from runtime.core.build import get_compile_flags as get_compile_flags
from runtime.core.build import get_lib as get_lib
from runtime.core.build import get_link_flags as get_link_flags
