"""Starts a server from the JSON on the command line. Prints its tools, and its answer about the applications of a
day.
"""

import asyncio
import json
import sys

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client


async def main(started, day, next_day):
    async with Client(stdio_client(StdioServerParameters(**json.loads(started)))) as client:
        listed = await client.list_tools()
        usage = await client.call_tool("get_application_usage", {"startDate": day, "endDate": next_day})
        results = {"tools": [tool.name for tool in listed.tools], "usage": usage.content[0].text}
        print(json.dumps(results))


asyncio.run(main(*sys.argv[1:]))
