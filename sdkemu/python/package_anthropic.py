"""What the reference needs to know of anthropic-python: its client, its calls, and the classes that replies are built into."""

import importlib.util

import anthropic
from anthropic import BaseModel, _models as models
from anthropic._models import construct_type
from anthropic.types import RawMessageStreamEvent
from anthropic.types.parsed_message import ParsedContentBlock, ParsedMessage

from package import http
from parsed import Parsed

NAME = "anthropic"
SDK = "anthropic-python"
VERSION = anthropic.__version__

ROOTS = {
    "message_event": RawMessageStreamEvent,
    "parsed_message": ParsedMessage,
    "parsed_block": ParsedContentBlock,
}


def client(http_client):
    return anthropic.Anthropic(api_key="none", base_url="http://reference.invalid", max_retries=0, http_client=http_client)


def errors():
    """The exception class of each status that has one of its own, and of a status with an error code: "400 code"."""
    made = client(None)
    request = http.Request("GET", "http://reference.invalid")
    out = {}
    for status in range(300, 600):
        error = made._make_status_error("", body=None, response=http.Response(status, request=request))
        if type(error).__name__ != ("InternalServerError" if status >= 500 else "APIStatusError"):
            out[str(status)] = type(error).__name__
    if importlib.util.find_spec("anthropic._error_classes"):
        table = importlib.import_module("anthropic._error_classes").ERROR_CLASSES
        out.update({f"{status} {code}": c.__name__ for (status, code), c in sorted(table.items(), key=str) if code})
    return out


def read_messages(client, line, run):
    options = {"model": "none", "max_tokens": 1, "messages": []}
    asked = line.get("request") or {}
    if isinstance(asked.get("tools"), list):
        options["tools"] = asked["tools"]
    if line["mode"] == "iterate":
        run.events = []
        for event in client.messages.create(stream=True, **options):
            run.events.append(event)
            run.yielded += 1
        return
    if (line.get("caller") or {}).get("response_format") == "parsed":
        options["output_format"] = Parsed
    with client.messages.stream(**options) as stream:
        for _ in stream:
            run.yielded += 1
        run.final = True
        run.result = stream.get_final_message()


APIS = {"anthropic-messages": read_messages}
