"""The reference, and which lines of the package it ran: python cover.py FILE..., files as paths within the package.

Answers as reference.py does. When its input ends it writes one line more: for every file its lines that hold code, each
with the function or class that it stands in, its text, and whether it ran.
"""

import importlib.util
import json
import os
import sys
import types

PACKAGES = ("openai", "anthropic")

held = next(filter(None, map(importlib.util.find_spec, PACKAGES)))
files = {os.path.join(os.path.dirname(held.origin), name): name for name in sys.argv[1:]}
ran = {path: set() for path in files}


def called(frame, event, arg):
    lines = ran.get(frame.f_code.co_filename)
    if lines is None:
        return None
    lines.add(frame.f_lineno)

    def stepped(frame, event, arg):
        if event == "line":
            lines.add(frame.f_lineno)
        return stepped

    return stepped


def scopes(code, found):
    """Each line that holds code, with the name of what it stands in: the innermost wins."""
    for _, _, line in code.co_lines():
        if line:
            found[line] = "" if code.co_name == "<module>" else code.co_qualname.replace(".<locals>", "")
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            scopes(inner, found)
    return found


def told(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    lines = text.splitlines()
    found = scopes(compile(text, path, "exec"), {})
    return [{"line": n, "in": found[n], "text": lines[n - 1].strip(), "ran": n in ran[path]} for n in sorted(found)]


sys.settrace(called)
import reference  # noqa: E402, after tracing began: what runs when a module is imported counts too

answer = reference.answer


def traced(line):
    sys.settrace(called)  # anew: a RecursionError ends it
    return answer(line)


reference.answer = traced
reference.main()
sys.settrace(None)
print(json.dumps({name: told(path) for path, name in files.items()}))
