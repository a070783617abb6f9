"""A session with a server over standard input and output."""

import dataclasses
import json

from failure import Failure

VERSION = "2025-06-18"
WAIT_SECONDS = 60


@dataclasses.dataclass(frozen=True)
class Answer:
    text: str
    failed: bool


class Session:
    """What a client of a server knows and asks; each call is made once, whatever asks for it again."""

    def __init__(self, process):
        self.process, self.number, self.answers = process, 0, {}
        client = {"name": "truth", "version": "1"}
        greeting = self.ask("initialize", protocolVersion=VERSION, capabilities={}, clientInfo=client)
        self.instructions = greeting["result"].get("instructions", "")
        self.process.say(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}) + "\n")
        self.tools = self.ask("tools/list")["result"]["tools"]

    def ask(self, method, **parameters):
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters}
        answer = self.process.ask(json.dumps(message) + "\n", WAIT_SECONDS)
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
        """What a model is shown of the tools before the first question."""
        shown = [{key: tool.get(key) for key in ("name", "description", "inputSchema")} for tool in self.tools]
        return self.instructions + json.dumps(shown, ensure_ascii=False, separators=(",", ":"))


def written(tool, arguments):
    """A call as a model writes it."""
    return json.dumps({"name": tool, "arguments": arguments}, ensure_ascii=False, separators=(",", ":"))
