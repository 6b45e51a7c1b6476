"""What `caller.response_format: parsed` stands for."""

import pydantic


class Parsed(pydantic.BaseModel):
    """A class that takes any JSON object."""

    model_config = pydantic.ConfigDict(extra="allow")
