"""Runs one session with the server, which works with any client. Uses every feature that the server declares, both
correctly and incorrectly.

`python_modern.py` and `python_legacy.py` provide the clients. Both clients return JSON in the format of the protocol.
The clients themselves validate every structured result against the tool's output schema.
"""

import asyncio
import json
import re
import sys
import tempfile

from jsonschema import Draft202012Validator

from failure import Failure, holds
from ways import FREE_TEXT, KNOWN, OF_A_SCREENSHOT, Ways, can_be_asked, is_code

HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
MANY = 12


def main(connect):
    """Runs the session as a program. Its arguments are the server's command, or the URL of a running server.

    `connect` takes these arguments and a file for the server's log. It returns a client as a context manager.
    """
    with tempfile.TemporaryFile("w+") as log:
        failure = asyncio.run(outcome(connect, sys.argv[1:], log))
        log.seek(0)
        log_text = log.read()
    if failure is None and log_text:
        failure = f"the server complained:\n{log_text}"
    if failure is not None:
        sys.exit(f"failed: {failure}")


def is_url(server):
    """Whether the arguments are a URL instead of a command."""
    return server[0].startswith("http://")


async def outcome(connect, server, log):
    """Returns the failure that ended the session, or `None`."""
    async with connect(server, log) as client:
        try:
            await (drive_briefly if is_url(server) else drive)(client)
        except (Failure, client.ProtocolError) as error:
            # The error is returned, because raising it here would wrap it in the exception groups of the client's
            # tasks.
            return error


async def drive(client):
    """Runs every check, in the order of a client's session."""
    greeting(client)
    tools = {name: tool for name, tool in (await tool_list(client)).items() if can_be_asked(tool)}
    ways = Ways((await answer(client, tools["get_timelines"], "plain", {}))["timelines"])
    await right_calls(client, tools, ways)
    await wrong_calls(client, tools, ways)
    await many_calls_at_once(client, tools, ways)
    await pages(client, tools, ways)
    if "resources" in client.capabilities:
        await resources(client, ways)
    if "prompts" in client.capabilities:
        await prompts(client, ways)


async def drive_briefly(client):
    """Runs a short session for a second transport: calls each tool correctly and incorrectly, and one tool many
    times simultaneously.
    """
    greeting(client)
    tools = {name: tool for name, tool in (await tool_list(client)).items() if can_be_asked(tool)}
    ways = Ways((await answer(client, tools["get_timelines"], "plain", {}))["timelines"])
    for tool in tools.values():
        await answer(client, tool, "the required arguments", ways.plain(tool))
        what, field, arguments = next(ways.wrong(tool))
        refusal(await client.call(tool["name"], arguments), f"`{tool['name']}` with {what}", field)
    passed(client, f"tools/call, {len(tools)} tools, and as many wrong calls refused")
    await many_calls_at_once(client, tools, ways)


def passed(client, what):
    print(f"{client.name}: {what}", flush=True)


async def is_refused(client, call):
    """Whether `call` ends with a protocol error."""
    try:
        await call
    except client.ProtocolError:
        return True
    return False


def greeting(client):
    holds(client.version == client.expected_version, f"the client settled on `{client.version}`")
    holds(client.server.get("name") == "dayledger", f"the server's name is {client.server}")
    holds(client.instructions, "the server gives no instructions")
    passed(client, f"connected by {client.version}")


async def tool_list(client):
    tools = await every_page(client.list_tools, "tools")
    holds(tools, "no tool is listed")
    for tool in tools:
        name = tool["name"]
        for field in ("title", "description", "inputSchema", "outputSchema", "annotations"):
            holds(tool.get(field), f"`{name}` has no {field}")
        holds(all(hint in tool["annotations"] for hint in HINTS), f"`{name}` does not set every hint")
        for field in ("inputSchema", "outputSchema"):
            Draft202012Validator.check_schema(tool[field])
            holds(tool[field].get("type") == "object", f"the {field} of `{name}` has no object at its root")
    by_name = {tool["name"]: tool for tool in tools}
    holds(len(by_name) == len(tools), "a tool is listed twice")
    passed(client, f"tools/list, {len(tools)} tools")
    return by_name


async def every_page(list_page, field):
    """Returns the items of all pages of a list."""
    items, cursor = [], None
    while True:
        page = await list_page(cursor)
        items += page[field]
        cursor = page.get("nextCursor")
        if cursor is None:
            return items


async def answer(client, tool, what, arguments):
    """Returns the structured result of a call. Fails if the call fails."""
    call = f"`{tool['name']}` with {what}"
    try:
        result = await client.call(tool["name"], arguments)
    except RuntimeError as error:
        # The clients raise this error if a result doesn't match the output schema.
        raise Failure(f"{call}: {error}") from error
    text = "".join(block.get("text", "") for block in result["content"])
    holds(not result.get("isError"), f"{call}: {text}")
    structured = result["structuredContent"]
    holds(json.loads(text) == structured, f"{call}: the text and the structured answer differ")
    return structured


async def right_calls(client, tools, ways):
    for name, tool in tools.items():
        count = 0
        for what, arguments in ways.right(tool):
            await answer(client, tool, what, arguments)
            count += 1
        passed(client, f"tools/call {name}, {count} ways")


async def wrong_calls(client, tools, ways):
    count = 0
    for name, tool in tools.items():
        for what, field, arguments in ways.wrong(tool):
            refusal(await client.call(name, arguments), f"`{name}` with {what}", field)
            count += 1
    holds(await is_refused(client, client.call("get_nonsense", {})), "an unknown tool is answered")
    passed(client, f"{count} wrong calls refused, and an unknown tool")


def refusal(result, call, field):
    """Checks that a result reports an error, and that the error is text only."""
    holds(result.get("isError"), f"{call} is answered")
    holds("structuredContent" not in result, f"{call}: an error has structured content, which fits no output schema")
    error = json.loads(result["content"][0]["text"])["error"]
    holds(is_code(error["code"]) and error["message"] and error["hint"], f"{call}: {error} lacks a code, a message or a hint")
    holds(error.get("field") == field, f"{call}: the error names `{error.get('field')}`")


async def many_calls_at_once(client, tools, ways):
    """Checks that each of many simultaneous calls gets its own result."""
    tool = tools["get_application_usage"]
    days = [f"2025-01-{day:02}" for day in range(1, MANY + 2)]
    ranges = list(zip(days, days[1:]))
    calls = (answer(client, tool, "others at once", {"startDate": s, "endDate": e}) for s, e in ranges)
    for (start, end), structured in zip(ranges, await asyncio.gather(*calls)):
        holds((structured["startDate"], structured["endDate"]) == (start, end), "a response belongs to another request")
    passed(client, f"{MANY} calls at once")


async def pages(client, tools, ways):
    """Checks that many short pages contain the same rows as a few long pages."""
    for name, tool in tools.items():
        parameters = tool["inputSchema"]["properties"]
        limit = next((parameter for parameter in ("limit", "maxSegments") if parameter in parameters), None)
        if limit is None or "cursor" not in parameters:
            continue
        whole, _ = await every_row(client, tool, {**ways.plain(tool), limit: 1000})
        rows, count = await every_row(client, tool, {**ways.plain(tool), limit: max(1, len(whole) // 3)})
        holds(count > 2 and rows == whole, f"`{name}`: {len(rows)} rows in {count} pages are not the {len(whole)}")
        passed(client, f"{name}, {len(whole)} rows in {count} pages")


async def every_row(client, tool, arguments):
    """Returns the rows of all pages, and the number of pages."""
    rows, count, cursor = [], 0, None
    while count == 0 or cursor is not None:
        page = await answer(client, tool, f"page {count + 1}", {**arguments, **({"cursor": cursor} if cursor else {})})
        # The number in `truncation` identifies the list that is split into pages.
        lists = [value for value in page.values() if isinstance(value, list)]
        counted = page["truncation"]["returnedCount"]
        rows += next(value for value in lists if len(value) == counted)
        cursor, count = page["truncation"].get("nextCursor", page.get("nextCursor")), count + 1
        holds(count < 100, f"`{tool['name']}` never reaches its last page")
    return rows, count


async def resources(client, ways):
    listed = await every_page(client.list_resources, "resources")
    templates = await every_page(client.list_resource_templates, "resourceTemplates")
    for resource in listed:
        await readable(client, resource["uri"], resource.get("mimeType"))
    for template in templates:
        uri = template["uriTemplate"]
        if OF_A_SCREENSHOT in uri:
            continue
        for variable in re.findall(r"{(\w+)}", uri):
            value = str(ways.value(variable))
            if "completions" in client.capabilities:
                await completed(client, client.template_reference(template["uriTemplate"]), variable, value)
            uri = uri.replace(f"{{{variable}}}", value)
        await readable(client, uri, template.get("mimeType"))
    holds(await is_refused(client, client.read("manictime://nonsense")), "an unknown resource is read")
    if listed and client.capabilities["resources"].get("subscribe"):
        await client.subscribe(listed[0]["uri"])
    passed(client, f"{len(listed)} resources and {len(templates)} templates read, an unknown resource refused")


async def readable(client, uri, mime_type):
    content = (await client.read(uri))["contents"][0]
    holds(content["uri"] == uri, f"`{uri}` is answered with `{content['uri']}`")
    holds(content.get("mimeType") == mime_type, f"`{uri}` has two MIME types")
    holds(content.get("text") or content.get("blob"), f"`{uri}` is empty")
    if mime_type == "application/json":
        json.loads(content["text"])


async def completed(client, reference, argument, value):
    """Checks that the server completes the beginning of a valid value to that value."""
    typed = value[:-1]
    values = (await client.complete(reference, argument, typed))["completion"]["values"]
    holds(value in values, f"`{typed}` of `{argument}` is completed to {values}, without `{value}`")
    holds(all(value.startswith(typed) for value in values), f"`{typed}` of `{argument}` is completed to {values}")


async def prompts(client, ways):
    listed = await every_page(client.list_prompts, "prompts")
    for prompt in listed:
        name, arguments = prompt["name"], ways.prompt(prompt)
        messages = (await client.prompt(name, arguments))["messages"]
        holds(messages and messages[0]["content"].get("text"), f"the prompt `{name}` is empty")
        for argument in prompt.get("arguments", []):
            given = argument["name"]
            rest = {key: value for key, value in arguments.items() if key != given}
            refused = await is_refused(client, client.prompt(name, rest))
            holds(refused == argument.get("required", False), f"`{name}` and no `{given}`: required or not?")
            if given in KNOWN and given not in FREE_TEXT:
                wrong = {**arguments, given: "nonsense"}
                holds(await is_refused(client, client.prompt(name, wrong)), f"`{name}` accepts an invalid value for `{given}`")
            if "completions" in client.capabilities:
                await completed(client, client.prompt_reference(name), given, arguments[given])
        wrong = {**arguments, "nonsense": "1"}
        holds(await is_refused(client, client.prompt(name, wrong)), f"`{name}` takes an unknown argument")
    holds(await is_refused(client, client.prompt("nonsense", {})), "an unknown prompt is answered")
    passed(client, f"{len(listed)} prompts, wrong ones refused")
