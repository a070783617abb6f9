"""Tests the official Inspector's command-line mode with both protocol versions. Each check is one run of the
Inspector.
"""

import concurrent.futures
import json

import installation
from failure import Failure, outcome
from ways import Ways, can_be_asked

LAUNCHER = "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
ERAS = ("legacy", "modern")
RUN_SECONDS = 90
# The exit status of the Inspector for a result with `isError`.
IS_ERROR = 5
AT_ONCE = 2


def install(installed):
    return installation.npm_package(installed, LAUNCHER)


def run(command, place):
    for era in ERAS:
        Session(command, place, era).drive()


class Session:
    """Runs the Inspector with one protocol version."""

    def __init__(self, command, place, era):
        self.command, self.place, self.era = command, place, era

    def drive(self):
        tools = self.strict_list()
        self.passed(f"tools/list --strict, {len(tools)} tools")
        tools = [tool for tool in tools if can_be_asked(tool)]
        timelines = self.call("get_timelines", {})["structuredContent"]["timelines"]
        ways = Ways(timelines)
        self.each([(self.call, tool["name"], ways.plain(tool)) for tool in tools])
        self.passed(f"tools/call, {len(tools)} tools")
        self.each([(self.refused, tool["name"], {**ways.plain(tool), "nonsense": 1}) for tool in tools[:2]])
        self.passed("wrong calls refused")
        resources = self.ask("resources/list")["resources"]
        self.each([(self.ask, "resources/read", "--uri", resource["uri"]) for resource in resources])
        templates = self.ask("resources/templates/list")["resourceTemplates"]
        self.passed(f"{len(resources)} resources read, {len(templates)} templates listed")
        prompts = self.ask("prompts/list")["prompts"]
        self.each([(self.prompt, prompt["name"], ways.prompt(prompt)) for prompt in prompts])
        self.passed(f"{len(prompts)} prompts")

    def passed(self, what):
        print(f"inspector, {self.era}: {what}", flush=True)

    def each(self, checks):
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as threads:
            for check in [threads.submit(*check) for check in checks]:
                check.result()

    def inspect(self, *arguments):
        """Returns the status, standard output and standard error of one run."""
        command = [*self.command, "--cli", *self.place.server, "--protocol-era", self.era, "--format", "json", "-q"]
        command += ["--method", *arguments]
        return outcome(command, self.named(arguments), RUN_SECONDS, environment=self.place.environment)

    def named(self, arguments):
        return f"the Inspector's `{' '.join(arguments)}` ({self.era})"

    def ask(self, *arguments):
        """Returns the result of a method. Fails if the method fails."""
        status, output, complaint = self.inspect(*arguments)
        if status != 0:
            raise Failure(f"{self.named(arguments)} ended with status {status}:\n{complaint or output}")
        return json.loads(output)["result"]

    def strict_list(self):
        """Returns the tools. Fails if the Inspector warns about a schema that isn't portable. The status of the
        Inspector is 0 in spite of the warning.
        """
        status, output, complaint = self.inspect("tools/list", "--strict")
        if status != 0 or complaint:
            raise Failure(f"the Inspector's strict check ({self.era}) ended with status {status}:\n{complaint}")
        return json.loads(output)["result"]["tools"]

    def call(self, tool, arguments):
        result = self.ask(*called(tool, arguments))
        if json.loads(result["content"][0]["text"]) != result["structuredContent"]:
            raise Failure(f"`{tool}` ({self.era}): the text and the structured answer differ")
        return result

    def refused(self, tool, arguments):
        """Checks that a call is rejected with the correct status."""
        command = called(tool, arguments)
        status, output, complaint = self.inspect(*command)
        if status != IS_ERROR:
            details = complaint or output
            raise Failure(f"{self.named(command)} ended with status {status}, not {IS_ERROR}:\n{details}")

    def prompt(self, name, arguments):
        pairs = [f"{argument}={value}" for argument, value in arguments.items()]
        self.ask("prompts/get", "--prompt-name", name, *(["--prompt-args", *pairs] if pairs else []))


def called(tool, arguments):
    return ["tools/call", "--tool-name", tool, "--tool-args-json", json.dumps(arguments)]
