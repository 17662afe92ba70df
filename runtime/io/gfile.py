"""`runtime.io.gfile`: files and directories."""

from runtime.io.file_system import copy as copy
from runtime.io.file_system import exists as exists
from runtime.io.file_system import get_registered_schemes as get_registered_schemes
from runtime.io.file_system import glob as glob
from runtime.io.file_system import isdir as isdir
from runtime.io.file_system import join as join
from runtime.io.file_system import listdir as listdir
from runtime.io.file_system import makedirs as makedirs
from runtime.io.file_system import mkdir as mkdir
from runtime.io.file_system import remove as remove
from runtime.io.file_system import rename as rename
from runtime.io.file_system import rmtree as rmtree
from runtime.io.file_system import stat as stat
from runtime.io.file_system import walk as walk
from runtime.io.text_files import GFile as GFile
