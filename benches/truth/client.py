"""A client's session with a server over standard input and output."""

import dataclasses
import json

from failure import Failure
from server import WAIT_SECONDS, begin, request


@dataclasses.dataclass(frozen=True)
class Answer:
    text: str
    failed: bool


class Session:
    """A client's session with a server. The session makes each distinct call once. A repeated call gets the stored
    answer.
    """

    def __init__(self, process):
        self.process, self.number, self.answers = process, 1, {}
        self.instructions = begin(process).get("instructions", "")
        self.tools = self.ask("tools/list")["result"]["tools"]

    def ask(self, method, **parameters):
        self.number += 1
        answer = self.process.ask(request(self.number, method, **parameters), WAIT_SECONDS)
        if answer is None or answer.get("id") != self.number:
            raise Failure(f"{self.process.what} does not answer `{method}`: {json.dumps(answer)[:500]}")
        return answer

    def call(self, tool, arguments):
        asked = written(tool, arguments)
        if asked not in self.answers:
            answer = self.ask("tools/call", name=tool, arguments=arguments)
            result = answer.get("result") or {"content": [{"type": "text", "text": json.dumps(answer)}], "isError": True}
            text = "".join(block.get("text", "") for block in result["content"])
            self.answers[asked] = Answer(text, result.get("isError", False))
        return self.answers[asked]

    def shown_tools(self):
        """Returns the tools as a model sees them before the first question."""
        shown = [{key: tool.get(key) for key in ("name", "description", "inputSchema")} for tool in self.tools]
        return self.instructions + json.dumps(shown, ensure_ascii=False, separators=(",", ":"))


def written(tool, arguments):
    """Returns a call in the form in which a model writes it."""
    return json.dumps({"name": tool, "arguments": arguments}, ensure_ascii=False, separators=(",", ":"))
