"""Writes what this interpreter's Unicode tables say, as data: python unicode.py > unicode-python-<version>.txt

Line "unprintable": the ranges of code points for which str.isprintable() is false, in hexadecimal.
Line "digit": the code points of the digits zero; nine more digits follow each (str.isdecimal()).
"""

import unicodedata


def ranges(holds):
    begin = None
    for c in range(0x110001):
        is_in = c < 0x110000 and holds(chr(c))
        if is_in and begin is None:
            begin = c
        elif not is_in and begin is not None:
            yield f"{begin:x}-{c - 1:x}"
            begin = None


print("unicode", unicodedata.unidata_version)
print("unprintable", *ranges(lambda c: not c.isprintable()))
print("digit", *(f"{c:x}" for c in range(0x110000) if unicodedata.decimal(chr(c), None) == 0))
