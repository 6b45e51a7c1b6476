"""What the reference needs to know of openai-python: its client, its calls, and the classes that replies are built into."""

import openai
from openai import BaseModel, _models as models
from openai._models import construct_type
from openai.lib._parsing import ResponseFormatT
from openai.lib._parsing._responses import TextFormatT
from openai.lib.streaming.chat import _types as chat_snapshots
from openai.lib.streaming.responses import _types as response_snapshots
from openai.types import chat, responses
from openai.types.chat.chat_completion import ChoiceLogprobs
from openai.types.chat.parsed_chat_completion import ParsedChatCompletion, ParsedChoice
from openai.types.responses import parsed_response

from parsed import Parsed

NAME = "openai"
SDK = "openai-python"
VERSION = openai.__version__
MAJOR = int(VERSION.partition(".")[0])


def final(generic, variable, bare):
    """The form of a class that a final reply is built into.

    1.x names the caller's class, or None without one: what comes of a reply is the same for either. 2.x names a type
    variable. 3.x names nothing where `bare`.
    """
    return generic[None] if MAJOR == 1 else generic if MAJOR == 3 and bare else generic[variable]


ROOTS = {
    "chunk": chat.ChatCompletionChunk,
    "completion": chat_snapshots.ParsedChatCompletionSnapshot,
    "message": chat_snapshots.ParsedChatCompletionMessageSnapshot,
    "choice": chat_snapshots.ParsedChoiceSnapshot,
    "logprobs": ChoiceLogprobs,
    "tool_call": chat.ParsedFunctionToolCall,
    "final_choice": final(ParsedChoice, ResponseFormatT, bare=False),
    "final_completion": final(ParsedChatCompletion, ResponseFormatT, bare=False),
    "event": responses.ResponseStreamEvent,
    "response": response_snapshots.ParsedResponseSnapshot,
    "function_call": responses.ParsedResponseFunctionToolCall,
    "output_message": parsed_response.ParsedResponseOutputMessage,
    "content": parsed_response.ParsedContent,
    "final_text": final(parsed_response.ParsedResponseOutputText, TextFormatT, bare=True),
    "final_output_message": final(parsed_response.ParsedResponseOutputMessage, TextFormatT, bare=True),
    "final_response": final(parsed_response.ParsedResponse, TextFormatT, bare=True),
}


def client(http_client):
    return openai.OpenAI(api_key="none", base_url="http://reference.invalid/v1", max_retries=0, http_client=http_client)


def read_chat(client, line, run):
    asked = line.get("request") or {}
    options = {"model": "none", "messages": []}
    if isinstance(asked.get("tools"), list):
        options["tools"] = asked["tools"]
    parsed = (line.get("caller") or {}).get("response_format") == "parsed"
    if isinstance(asked.get("response_format"), dict) and not parsed:
        options["response_format"] = asked["response_format"]
    if line["mode"] == "iterate":
        run.events = []
        for chunk in client.chat.completions.create(stream=True, **options):
            run.events.append(chunk)
            run.yielded += 1
        return
    if parsed:
        options["response_format"] = Parsed
    with client.chat.completions.stream(**options) as stream:
        for _ in stream:
            run.yielded += 1
        run.final = True
        run.result = stream.get_final_completion()


def read_responses(client, line, run):
    asked = line.get("request") or {}
    options = {"model": "none", "input": "none"}
    if isinstance(asked.get("tools"), list):
        options["tools"] = asked["tools"]
    parsed = (line.get("caller") or {}).get("response_format") == "parsed"
    if line["mode"] == "iterate":
        run.events = []
        for event in client.responses.create(stream=True, **options):
            run.events.append(event)
            run.yielded += 1
        return
    if parsed:
        options["text_format"] = Parsed
    with client.responses.stream(**options) as stream:
        for _ in stream:
            run.yielded += 1
        run.final = True
        run.result = stream.get_final_response()


APIS = {"chat": read_chat, "responses": read_responses}
