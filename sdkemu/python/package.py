"""The package whose replies are read: the one that the interpreter's environment holds, and its HTTP library."""

import importlib
import importlib.util

PACKAGES = ("openai", "anthropic")

http = importlib.import_module("httpx2" if importlib.util.find_spec("httpx2") else "httpx")
held = importlib.import_module("package_" + next(p for p in PACKAGES if importlib.util.find_spec(p)))
