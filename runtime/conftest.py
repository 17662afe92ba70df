"""Has the package imported before the doctests of one of its files are collected.

pytest imports the package of a file and then runs the file itself, without looking whether the
package has imported it. A file that is tested alone would run twice, and define its ops twice. The
package of this file is imported first, so that pytest finds all the others there.
"""
