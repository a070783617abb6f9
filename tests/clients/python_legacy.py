"""Runs the session with the official Python client `mcp` 1.30, in the protocol version with a handshake."""

import contextlib
import datetime

from mcp import ClientSession, McpError, StdioServerParameters, stdio_client
from mcp.types import PaginatedRequestParams, PromptReference, ResourceTemplateReference

import session as checks

ANSWER_TIME = datetime.timedelta(seconds=30)


def wire(result):
    """Returns a result in the format of the protocol."""
    return result.model_dump(mode="json", by_alias=True, exclude_unset=True)


class Legacy:
    """The client, with the names of methods that the session uses."""

    ProtocolError = McpError
    name = "python 1.30, legacy"
    expected_version = "2025-11-25"

    def __init__(self, session, greeting):
        self.session = session
        self.version = greeting.protocolVersion
        self.server = wire(greeting.serverInfo)
        self.instructions = greeting.instructions
        self.capabilities = wire(greeting.capabilities)

    async def list_tools(self, cursor):
        return wire(await self.session.list_tools(params=PaginatedRequestParams(cursor=cursor)))

    async def list_resources(self, cursor):
        return wire(await self.session.list_resources(params=PaginatedRequestParams(cursor=cursor)))

    async def list_resource_templates(self, cursor):
        return wire(await self.session.list_resource_templates(params=PaginatedRequestParams(cursor=cursor)))

    async def list_prompts(self, cursor):
        return wire(await self.session.list_prompts(params=PaginatedRequestParams(cursor=cursor)))

    async def call(self, name, arguments):
        return wire(await self.session.call_tool(name, arguments))

    async def read(self, uri):
        return wire(await self.session.read_resource(uri))

    async def prompt(self, name, arguments):
        return wire(await self.session.get_prompt(name, arguments))

    async def complete(self, reference, argument, value):
        return wire(await self.session.complete(reference, {"name": argument, "value": value}))

    def prompt_reference(self, name):
        return PromptReference(type="ref/prompt", name=name)

    def template_reference(self, template):
        return ResourceTemplateReference(type="ref/resource", uri=template)

    async def subscribe(self, uri):
        await self.session.subscribe_resource(uri)
        await self.session.unsubscribe_resource(uri)


@contextlib.asynccontextmanager
async def connect(command, log):
    """Yields a client of the server that `command` starts."""
    program, *arguments = command
    server = StdioServerParameters(command=program, args=arguments)
    async with stdio_client(server, errlog=log) as streams:
        async with ClientSession(*streams, read_timeout_seconds=ANSWER_TIME) as session:
            greeting = await session.initialize()
            await session.send_ping()
            yield Legacy(session, greeting)


if __name__ == "__main__":
    checks.main(connect)
