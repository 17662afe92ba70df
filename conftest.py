"""Imports the packages before the tests of their files are collected.

pytest imports the package of a file and then runs the file itself, without looking whether the
package has imported it. A file that is tested alone would run twice, and define its ops twice.
"""

from __future__ import annotations

import runtime as runtime
