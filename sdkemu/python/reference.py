"""The reference for the emulation of the Python SDKs: the real package, run on recorded bytes.

Reads one JSON object a line from standard input and answers one a line, in the form of `reassay sdk run`. The package
is whatever the interpreter's environment holds; its requests end in a transport of our own that plays the body in
chunks, so no socket is opened. Retries are off. One process serves any number of streams.
"""

import base64
import datetime
import json
import math
import sys
import time
import warnings

import schema
from jiter import from_json
from package import held, http
from pydantic_core import to_jsonable_python

warnings.simplefilter("ignore")

LIMIT = sys.getrecursionlimit()
# How deep a line may be nested, read or written: the package itself runs with the interpreter's own limit.
LINE_DEPTH = 20 * LIMIT


class Played(http.SyncByteStream):
    """A response body in chunks, and then perhaps a transport that breaks."""

    def __init__(self, chunks, broken):
        self.chunks = chunks
        self.broken = broken
        self.begun = False

    def __iter__(self):
        for chunk in self.chunks:
            if chunk:
                self.begun = True
            yield chunk
        if self.broken is not None:
            raise http.RemoteProtocolError(self.broken)


class Transport(http.BaseTransport):
    """Answers every request with the reply that was set last."""

    reply = None

    def handle_request(self, request):
        return self.reply


transport = Transport()
client = held.client(http.Client(transport=transport, follow_redirects=True))


def body_of(line):
    if "body_base64" in line:
        return base64.b64decode(line["body_base64"])
    return line.get("body", "").encode("utf-8", "surrogatepass")


def cut(body, line):
    """The chunks of a body: at the offsets in "cuts" if there are any, else as "chunking" says."""
    chunking = line.get("chunking", "whole")
    if "cuts" in line:
        ends = [c for c in line["cuts"] if 0 < c < len(body)]
    elif chunking == "byte":
        ends = range(1, len(body))
    else:
        ends = []
    chunks, begin = [], 0
    for end in ends:
        chunks.append(body[begin:end])
        begin = end
    chunks.append(body[begin:])
    return chunks


def rendered(value):
    """A value as the contract prints it: numbers that JSON lacks as {"$": name}, datetimes as to_json() has them."""
    if isinstance(value, datetime.datetime):
        return to_jsonable_python(value)
    if isinstance(value, float) and not math.isfinite(value):
        return {"$": "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"}
    if isinstance(value, dict):
        return {k: rendered(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [rendered(v) for v in value]
    return value


def dumped(event):
    """An event with to_dict() called on it; on each object in it where the data of the event was a list."""
    if isinstance(event, list):
        return [v.to_dict() if isinstance(v, held.BaseModel) else v for v in event]
    return event.to_dict() if isinstance(event, held.BaseModel) else event


class Run:
    """What one stream has come to so far."""

    def __init__(self):
        self.yielded = 0
        self.final = False
        self.events = None
        self.result = None


def built(line):
    """One of the reply classes, by its key in the schema file, built of a JSON text."""
    if not schema.named:
        for root in held.ROOTS.values():
            schema.described(root)
    out = {"id": line["id"]}
    try:
        made = held.construct_type(type_=schema.named[line["construct"]], value=json.loads(line["value"]))
        return {**out, "outcome": "ok", "assembled": dumped(made)}
    except Exception as e:
        exception = {"class": type(e).__name__, "message": str(e), "thrown": "error", "at_event": None}
        return {**out, "outcome": "exception", "exception": exception}


def grown(line):
    """Texts, each the beginning of the next, parsed as the stream helper parses JSON that is not complete yet."""
    for at, text in enumerate(line["partial"]):
        try:
            value = from_json(bytes(text, "utf-8"), partial_mode=True)
        except ValueError as e:
            exception = {"class": type(e).__name__, "message": str(e), "thrown": "error", "at_event": at}
            return {"id": line["id"], "outcome": "exception", "exception": exception}
    return {"id": line["id"], "outcome": "ok", "assembled": value}


def answer(line):
    if "construct" in line:
        return built(line)
    if "partial" in line:
        return grown(line)
    out = {k: line[k] for k in ("id", "sdk", "version") if k in line}
    if line.get("sdk") != held.SDK or line.get("version") != held.VERSION or line.get("api") not in held.APIS:
        return {**out, "outcome": "error", "reason": "not what this environment holds"}
    broken = line.get("error")
    if isinstance(broken, dict):
        broken = broken.get("message", "")
    body = Played(cut(body_of(line), line), broken)
    headers = [(k, v) for k, values in (line.get("headers") or {}).items() for v in values]
    if not any(k.lower() == "content-type" for k, _ in headers) and line.get("content_type"):
        headers.append(("content-type", line["content_type"]))
    transport.reply = http.Response(line.get("status") or 200, headers=headers, stream=body)
    run = Run()
    try:
        held.APIS[line["api"]](client, line, run)
        out["outcome"] = "ok"
    except Exception as e:
        out["outcome"] = "exception"
        at = "final" if run.final else run.yielded if body.begun and transport.reply.is_success else None
        out["exception"] = {"class": type(e).__name__, "message": str(e), "thrown": "error", "at_event": at}
    try:
        if run.events is not None:
            assembled = [dumped(event) for event in run.events]
        elif run.result is not None:
            assembled = run.result.to_dict()
        else:
            return out
    except Exception as e:
        return {**out, "unrendered": f"{type(e).__name__}: {e}"}
    return {**out, "assembled": assembled}


def main():
    for text in sys.stdin:
        if text.strip():
            sys.setrecursionlimit(LINE_DEPTH)
            line = json.loads(text)
            sys.setrecursionlimit(LIMIT)
            begun = time.process_time()
            out = answer(line)
            out["seconds"] = time.process_time() - begun
            sys.setrecursionlimit(LINE_DEPTH)
            if "assembled" in out:
                out["assembled"] = rendered(out["assembled"])
            sys.stdout.write(json.dumps(out) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
