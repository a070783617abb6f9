"""Runs the session with the official Python client `mcp` 2, in its default protocol version, which has no handshake."""

import contextlib

from mcp import Client, MCPError
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import PromptReference, ResourceTemplateReference

import session

ANSWER_SECONDS = 30


def wire(result):
    """Returns a result in the format of the protocol."""
    return result.model_dump(mode="json", by_alias=True, exclude_unset=True)


class Modern:
    """The client, with the names of methods that the session uses."""

    ProtocolError = MCPError
    name = "python 2, modern"
    expected_version = "2026-07-28"

    def __init__(self, client):
        self.client = client
        self.version = client.protocol_version
        self.server = wire(client.server_info)
        self.instructions = client.instructions
        self.capabilities = wire(client.server_capabilities)

    async def list_tools(self, cursor):
        return wire(await self.client.list_tools(cursor=cursor))

    async def list_resources(self, cursor):
        return wire(await self.client.list_resources(cursor=cursor))

    async def list_resource_templates(self, cursor):
        return wire(await self.client.list_resource_templates(cursor=cursor))

    async def list_prompts(self, cursor):
        return wire(await self.client.list_prompts(cursor=cursor))

    async def call(self, name, arguments):
        return wire(await self.client.call_tool(name, arguments))

    async def read(self, uri):
        return wire(await self.client.read_resource(uri))

    async def prompt(self, name, arguments):
        return wire(await self.client.get_prompt(name, arguments))

    async def complete(self, reference, argument, value):
        return wire(await self.client.complete(reference, {"name": argument, "value": value}))

    def prompt_reference(self, name):
        return PromptReference(type="ref/prompt", name=name)

    def template_reference(self, template):
        return ResourceTemplateReference(type="ref/resource", uri=template)

    async def subscribe(self, uri):
        async with self.client.listen(resource_subscriptions=[uri]):
            pass


@contextlib.asynccontextmanager
async def connect(server, log):
    """Yields a client of a server. `server` is the command that starts the server, or the server's URL."""
    if session.is_url(server):
        transport = server[0]
    else:
        program, *arguments = server
        transport = stdio_client(StdioServerParameters(command=program, args=arguments), errlog=log)
    async with Client(transport, read_timeout_seconds=ANSWER_SECONDS) as client:
        yield Modern(client)


if __name__ == "__main__":
    session.main(connect)
