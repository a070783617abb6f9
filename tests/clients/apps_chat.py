"""Opens the server's apps in headless Chromium, in a chat that is made with the official kit for hosts.

    apps_chat.py BROWSER MODULES PICTURES SERVER ...

MODULES contains the kit's packages. SERVER is the command of a server with the timesheet tools and its own home folder.
Screenshots are saved in PICTURES.

The server must declare an app only to clients that support apps. An app must show its tool's result, and must report a
truncated, empty or failed result. It must work under the strictest policy and send no request of its own. It must
follow the chat's theme, and be readable in each theme. Corrections of a draft must become calls, and nothing may be
logged twice.
"""

import json
import os
import pathlib
import subprocess
import sys

from contrast import CONTRAST
from failure import end_with_status, holds
from playwright.sync_api import sync_playwright

HERE = pathlib.Path(__file__).resolve().parent / "chat"
EXTENSION = "io.modelcontextprotocol/ui"
MIME_TYPE = "text/html;profile=mcp-app"
SHOWS_APPS = {"extensions": {EXTENSION: {"mimeTypes": [MIME_TYPE]}}}
# The specification's default policy for a resource that declares no origins.
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "media-src 'self' data:; connect-src 'none'"
)
MODULES = {
    "@modelcontextprotocol/ext-apps/app-bridge": "@modelcontextprotocol/ext-apps/dist/src/app-bridge.js",
    "@modelcontextprotocol/client": "@modelcontextprotocol/client/dist/index.mjs",
    "@modelcontextprotocol/client/_shims": "@modelcontextprotocol/client/dist/shimsBrowser.mjs",
    "@modelcontextprotocol/core": "@modelcontextprotocol/core/dist/index.mjs",
    "@modelcontextprotocol/core/internal": "@modelcontextprotocol/core/dist/internal.mjs",
    "zod/v4": "zod/v4/index.js",
    "pkce-challenge": "pkce-challenge/dist/index.browser.js",
    "eventsource": "eventsource/dist/index.js",
    "eventsource-parser": "eventsource-parser/dist/index.js",
    "eventsource-parser/stream": "eventsource-parser/dist/stream.js",
}
TIME, DRAFT = "ui://dayledger/time", "ui://dayledger/draft"
SIZES = {"desk": 740, "phone": 390}
# The CSS variables of a chat's own style. A host sends them for both themes.
OWN_LOOK = {
    "--color-background-primary": "light-dark(#ffffff, #30302e)",
    "--color-text-primary": "light-dark(#141413, #faf9f5)",
    "--color-text-secondary": "light-dark(#5e5d59, #c2c0b6)",
    "--font-sans": "Georgia, serif",
}
HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

# Finds texts with too little contrast or size, and marks whose colour is too similar to their background. Compares the
# painted colours.
READABLE = """
() => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  const painted = color => {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = color;
    brush.fillRect(0, 0, 1, 1);
    return [...brush.getImageData(0, 0, 1, 1).data];
  };
  CONTRAST
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const color = painted(getComputedStyle(at).backgroundColor);
      if (color[3] === 255) return color;
    }
    return [255, 255, 255, 255];
  };
  const wrong = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    const text = texts.currentNode.textContent.trim();
    if (!text || element.closest("script, .inside, .unseen, option, :disabled") || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    if (parseFloat(style.fontSize) < 11) wrong.push(`${text}: ${style.fontSize}`);
    const ratio = contrast(painted(style.color), ground(element));
    if (ratio < 4.5) wrong.push(`${text}: contrast ${ratio.toFixed(2)}`);
  }
  for (const path of document.querySelectorAll(".lane path")) {
    const ratio = contrast(painted(getComputedStyle(path).fill), ground(path.closest(".lane")));
    if (ratio < 2.95) wrong.push(`a mark: contrast ${ratio.toFixed(2)}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page scrolls sideways");
  return wrong;
}
""".replace("CONTRAST", CONTRAST)


class Server:
    """A server as a chat uses it, over the server's standard input and output."""

    def __init__(self, command, capabilities, version="2025-11-25"):
        self.running = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        self.last, self.meta = 0, None
        who = {"name": "chat", "version": "1"}
        if version >= "2026":
            key = "io.modelcontextprotocol/"
            self.meta = {
                f"{key}protocolVersion": version,
                f"{key}clientCapabilities": capabilities,
                f"{key}clientInfo": who,
            }
        else:
            start = {"protocolVersion": version, "capabilities": capabilities, "clientInfo": who}
            self.ask("initialize", start)
            self.say({"method": "notifications/initialized"})

    def say(self, message):
        self.running.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.running.stdin.flush()

    def asked(self, method, params=None):
        """Returns the complete response to a request."""
        self.last += 1
        params = dict(params or {})
        if self.meta:
            params["_meta"] = self.meta
        self.say({"id": self.last, "method": method, "params": params})
        while True:
            answer = json.loads(self.running.stdout.readline())
            if answer.get("id") == self.last:
                return answer

    def ask(self, method, params=None):
        answer = self.asked(method, params)
        holds("result" in answer, f"{method}: {answer}")
        return answer["result"]

    def call(self, name, arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments})

    def page(self, uri):
        """Returns the text of an app, and its metadata."""
        contents = self.ask("resources/read", {"uri": uri})["contents"]
        holds(len(contents) == 1 and contents[0]["mimeType"] == MIME_TYPE, f"{uri} is not an app")
        return contents[0]["text"], contents[0].get("_meta", {}).get("ui", {})

    def end(self):
        self.running.stdin.close()
        self.running.wait()


def check_declared(command):
    """Checks that both protocol versions declare apps only to clients that support them. All other declarations are
    the same.
    """
    for version in ("2025-11-25", "2026-07-28"):
        lists = {}
        for name, capabilities in {"shows": SHOWS_APPS, "plain": {}, "other": other_type()}.items():
            server = Server(command, capabilities, version)
            lists[name] = [server.ask("tools/list")["tools"], server.ask("resources/list")["resources"]]
            server.end()
            for resource in lists[name][1]:
                # The start time of the server is removed, because it differs between servers.
                resource["annotations"].pop("lastModified", None)
        holds(lists["plain"] == lists["other"], f"{version}: the server lists apps for an unknown type")
        apps = {}
        for tool in lists["shows"][0]:
            if "_meta" in tool:
                apps[tool["name"]] = tool.pop("_meta")["ui"]["resourceUri"]
        holds(lists["shows"] == lists["plain"], f"{version}: the lists differ beyond the apps of tools")
        expected = dict.fromkeys(("get_daily_summary", "get_activity_narrative", "get_period_summary"), TIME)
        holds(apps == {**expected, "suggest_time_entries": DRAFT}, f"{version}: {apps}")
        holds("_meta" not in json.dumps(lists["plain"]), f"{version}: a client without apps gets their metadata")


def other_type():
    return {"extensions": {EXTENSION: {"mimeTypes": ["text/html"]}}}


class Chat:
    """A chat in a browser, with the kit's bridge between an app and the server."""

    def __init__(self, browser, modules, server, width, scheme):
        self.server, self.modules, self.requests, self.errors, self.instead = server, modules, [], [], {}
        self.context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.context.route("**/*", self.serve)
        self.page = self.context.new_page()
        self.page.on("console", self.listen)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.expose_function("callTool", self.call)
        self.page.goto("http://chat.test/")
        self.page.wait_for_function("() => window.ready")

    def listen(self, message):
        """Collects the browser's errors. Ignores the errors that the specification's sandbox causes."""
        if message.type in ("error", "warning") and "can escape its sandboxing" not in message.text:
            self.errors.append(message.text)

    def serve(self, route):
        """Serves the chat, its sandbox and the kit's modules. Rejects all other requests, because apps may not send
        any.
        """
        url = route.request.url
        if url == "http://chat.test/":
            imports = {name: f"http://chat.test/modules/{path}" for name, path in MODULES.items()}
            text = (HERE / "host.html").read_text("utf-8").replace("IMPORTS", json.dumps({"imports": imports}))
            route.fulfill(body=text, content_type="text/html")
        elif url.startswith("http://chat.test/modules/"):
            path = self.modules / url.removeprefix("http://chat.test/modules/")
            route.fulfill(body=path.read_text("utf-8"), content_type="text/javascript")
        elif url == "http://sandbox.test/":
            text = (HERE / "sandbox.html").read_text("utf-8")
            route.fulfill(body=text, content_type="text/html", headers={"Content-Security-Policy": POLICY})
        else:
            if not url.endswith("/favicon.ico"):
                self.requests.append(url)
            route.abort()

    def call(self, params):
        """Returns the response to an app's call. It is the response that a check has set, otherwise the server's
        response.
        """
        name, arguments = params["name"], params.get("arguments", {})
        if name in self.instead:
            return self.instead.pop(name)
        answer = self.server.asked("tools/call", {"name": name, "arguments": arguments})
        return answer.get("result") or {"failed": answer["error"]["message"]}

    def show(self, uri, tool, args, result, *, theme=None, variables=None, capabilities=None):
        """Opens the app with a tool's result, waits until the app is ready, and returns its frame."""
        html, ui = self.server.page(uri)
        context = {"theme": theme} if theme else {}
        if variables:
            context["styles"] = {"variables": variables}
        if capabilities is None:
            capabilities = {"serverTools": {}, "updateModelContext": {"text": {}}}
        shown = {
            "html": html,
            "csp": ui.get("csp"),
            "tool": {"name": tool, "inputSchema": {"type": "object"}},
            "args": args,
            "result": result,
            "context": context,
            "capabilities": capabilities,
        }
        who = self.page.evaluate("shown => window.show(shown)", shown)
        holds(who["name"] == "dayledger", f"the app is called {who}")
        frame = self.frame()
        if result:
            frame.wait_for_selector("main :not(.waiting)")
        return frame

    def frame(self):
        return self.page.frames[-1]

    def heard(self, what):
        return self.page.evaluate("what => window.heard[what]", what)

    def tell(self, context):
        self.page.evaluate("context => window.bridge.sendHostContextChange(context)", context)

    def settle(self, frame):
        """Waits until the chat has resized the app to the size that the app requested."""
        frame.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.page.wait_for_timeout(80)

    def keep(self, frame, pictures, name):
        self.settle(frame)
        holds(frame.evaluate(READABLE) == [], f"{name}: {frame.evaluate(READABLE)[:8]}")
        room = self.page.evaluate("document.querySelector('iframe').clientHeight")
        needed = frame.evaluate("Math.ceil(document.body.getBoundingClientRect().height)")
        holds(room == needed, f"{name}: {room} dots for {needed}")
        width = self.page.viewport_size["width"]
        self.page.set_viewport_size({"width": width, "height": max(room, 100)})
        self.page.wait_for_timeout(150)
        self.page.screenshot(path=pictures / f"{name}.png")
        self.page.set_viewport_size({"width": width, "height": 900})

    def end(self):
        holds(self.requests == [], f"an app requested {self.requests}")
        holds(self.errors == [], f"the browser reports {self.errors[:5]}")
        self.context.close()


def length(minutes):
    """Formats a duration in the style of an app."""
    whole = int(minutes + 0.5)
    if not whole:
        return "< 1 min" if minutes > 0 else "0 min"
    hours, rest = divmod(whole, 60)
    if not hours:
        return f"{rest} min"
    return f"{hours} h {rest:02} min" if rest else f"{hours} h"


def structure(result):
    return result["structuredContent"]


def rows(frame):
    """Returns the rows of the app's list. Expands the list if it is collapsed."""
    frame.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    frame.wait_for_selector("tbody tr")
    cells = "row => [...row.querySelectorAll('th, td')].map(cell => cell.innerText)"
    return frame.evaluate(f"[...document.querySelectorAll('tbody tr:not(.dayrow)')].map({cells})")


def check_list(frame, answer):
    """Checks that the list contains every segment of the answer with its times, minutes and names."""
    shown = rows(frame)
    segments = answer["segments"]
    holds(len(shown) == len(segments), f"{len(shown)} lines for {len(segments)} segments")
    for (when, minutes, what), segment in zip(shown, segments):
        holds(when.startswith(segment["start"][11:16]), f"{when}: {segment}")
        holds(minutes == length(segment["durationMinutes"]), f"{minutes}: {segment}")
        holds(segment["application"] in what, f"{what}: {segment}")
        holds(segment.get("subject", "") in what, f"{what}: {segment}")
        holds(segment.get("website", "") in what, f"{what}: {segment}")
    figures = frame.locator(".figures").inner_text()
    holds(length(answer["totalActiveMinutes"]) in figures, figures)


def check_time(chat, pictures, name, theme):
    """Checks days and weeks: their segments, marks that work with mouse and keyboard, and the actions on marks."""
    server = chat.server

    def show(tool, args, **how):
        result = server.call(tool, args)
        return structure(result), chat.show(TIME, tool, args, result, theme=theme, **how)

    answer, frame = show("get_daily_summary", {"date": "2025-01-21"})
    check_list(frame, answer)
    chat.keep(frame, pictures, f"day-{name}")
    frame.locator(".lanes").first.focus()
    frame.page.keyboard.press("End")
    last = answer["segments"][-1]
    holds(last["start"][11:16] in frame.locator(".told").inner_text(), "the keys do not lead to the last block")
    box = frame.locator(".inside").first.bounding_box()
    frame.page.mouse.move(box["x"] + 3, box["y"] + 5)
    named = next(segment for segment in answer["segments"] if "subject" in segment)
    holds(named["start"][11:16] in frame.locator(".told").inner_text(), "pointing at a block does not show it")

    answer, frame = show("get_activity_narrative", {"startDate": "2025-01-20", "endDate": "2025-01-22", "includeTitles": True})
    check_list(frame, answer)
    cut = f"Incomplete list. {len(answer['segments'])} of {answer['truncation']['totalAvailable']} segments"
    holds(cut in frame.locator(".cut").inner_text(), "the page does not show that the list is shortened")
    chat.keep(frame, pictures, f"two-days-{name}")
    frame.locator(".cut button").click()
    frame.wait_for_function("cut => document.querySelector('.cut')?.innerText.startsWith(cut) !== true", arg=cut)
    called = chat.heard("called")[-1]
    cursor = answer["truncation"]["nextCursor"]
    holds(called == {"name": "get_activity_narrative", "arguments": called["arguments"]}, called)
    holds(called["arguments"]["cursor"] == cursor and called["arguments"]["includeTitles"], called)

    answer, frame = show("get_activity_narrative", {"startDate": "2025-01-20", "endDate": "2025-01-27", "detail": "blocks"})
    check_list(frame, answer)
    holds(frame.locator(".day").count() == 7, "a week has seven days")
    frame.get_by_role("button", name="Totals of each day").click()
    frame.wait_for_selector(".label p:has-text('h')")
    period = structure(server.call("get_period_summary", {"startDate": "2025-01-20", "endDate": "2025-01-27"}))
    labels = frame.locator(".chart").inner_text()
    for day in period["days"]:
        holds(length(day["totalActiveMinutes"]) in labels, f"{day} is not in {labels}")
    frame.evaluate("document.querySelectorAll('details').forEach(one => { one.open = false })")
    chat.keep(frame, pictures, f"week-{name}")
    frame.get_by_role("button", name="Wed 22 Jan").click()
    frame.wait_for_selector("h1:has-text('Wednesday, 22 January 2025')")
    check_list(frame, structure(server.call("get_daily_summary", {"date": "2025-01-22"})))
    frame.get_by_role("button", name="Back").click()
    frame.wait_for_selector("h1:has-text('26 Jan')")

    args = {"startDate": "2025-01-13", "endDate": "2025-01-20", "compareTo": "previous"}
    answer, frame = show("get_period_summary", args, variables=OWN_LOOK)
    shown = frame.locator(".chart").inner_text()
    for day in answer["days"]:
        holds(length(day["totalActiveMinutes"]) in shown, f"{day} is not in {shown}")
    holds("6 Jan" in frame.locator("main").inner_text(), "the page does not show the other week")
    chat.keep(frame, pictures, f"period-{name}")

    many = {"startDate": "2025-01-01", "endDate": "2025-01-31", "maxSegments": 2000, "includeWebsites": False}
    answer, frame = show("get_activity_narrative", many)
    holds(len(rows(frame)) == len(answer["segments"]), "some segments have no line")


def check_exceptions(chat, pictures, name, theme):
    """Checks missing data, errors, hostile names, answers without structured content, and hosts that don't forward
    calls.
    """
    server = chat.server
    args = {"date": "2023-01-20"}
    frame = chat.show(TIME, "get_daily_summary", args, server.call("get_daily_summary", args), theme=theme)
    holds("Nothing was tracked" in frame.locator("main").inner_text(), "the page does not say that the day is empty")
    chat.keep(frame, pictures, f"empty-{name}")

    args = {"date": "nope"}
    frame = chat.show(TIME, "get_daily_summary", args, server.call("get_daily_summary", args), theme=theme)
    text = frame.locator("main").inner_text()
    holds("Invalid date `nope`" in text and "2025-01-15" in text, text)
    chat.keep(frame, pictures, f"error-{name}")

    args = {"date": "2025-01-21", "includeSegments": False}
    result = server.call("get_daily_summary", args)
    answer = structure(result)
    frame = chat.show(TIME, "get_daily_summary", args, result, theme=theme, capabilities={})
    holds(length(answer["topApplications"][0]["totalMinutes"]) in frame.locator(".tops").inner_text(), "no tops")
    result.pop("structuredContent")
    frame = chat.show(TIME, "get_daily_summary", args, result, theme=theme)
    holds(length(answer["totalActiveMinutes"]) in frame.locator(".figures").inner_text(), "a text response is not read")

    segment = {"start": "2025-01-21T23:30:00", "end": "2025-01-22T00:40:00", "durationMinutes": 70.0, "application": HOSTILE}
    bare = {"startDate": "2025-01-21", "endDate": "2025-01-23", "segments": [segment, {"application": "no times"}]}
    frame = chat.show(TIME, "get_activity_narrative", {}, {"content": [], "structuredContent": bare}, theme=theme)
    holds(HOSTILE in frame.locator("tbody").inner_text() and frame.locator("img").count() == 0, "a name became markup")
    holds(frame.locator(".day .mark").count() == 2, "a segment across midnight is on one day")

    late = {"startDate": "2025-01-21", "endDate": "2025-01-22", "dayStart": "04:00", "segments": [segment]}
    frame = chat.show(TIME, "get_activity_narrative", {}, {"content": [], "structuredContent": late}, theme=theme)
    holds(frame.locator("h1").inner_text() == "Tuesday, 21 January 2025", "an evening until 00:40 is on two days")
    holds(frame.locator(".day .mark").count() == 1, "a segment before the start of the next day is cut")
    hours = frame.locator(".axis span").all_inner_texts()
    holds("23" in hours and "00" in hours and "24" not in hours, f"the axis has the hours {hours}")

    cancelled = chat.show(TIME, "get_daily_summary", {"date": "2025-01-21"}, None, theme=theme)
    chat.page.evaluate("window.bridge.sendToolCancelled({ reason: 'user' })")
    cancelled.wait_for_selector(".notice")
    chat.page.evaluate("window.bridge.teardownResource({})")


def check_theme(chat):
    """Checks that the chat's theme overrides the system's theme, and that colours follow the chat's theme
    immediately.
    """
    args = {"date": "2025-01-21"}
    frame = chat.show(TIME, "get_daily_summary", args, chat.server.call("get_daily_summary", args), theme="light")

    def look():
        chat.settle(frame)
        ground = frame.evaluate("getComputedStyle(document.body).backgroundColor")
        return ground, frame.evaluate("[...document.querySelectorAll('.lane path')].map(one => getComputedStyle(one).fill)")

    light = look()
    chat.tell({"theme": "dark"})
    dark = look()
    holds(light[0] == "rgb(251, 250, 247)" and dark[0] == "rgb(23, 25, 27)", f"{light[0]}, {dark[0]}")
    holds(light[1] != dark[1], "the marks do not follow the theme")
    chat.tell({"styles": {"variables": {"--color-background-primary": "rgb(1, 2, 3)"}}})
    holds(look()[0] == "rgb(1, 2, 3)", "the page ignores the colour of the chat")
    frame.get_by_role("button", name="Full screen").click()
    frame.get_by_role("button", name="Leave full screen").wait_for()

    # If the chat doesn't send a theme, the app uses the system's theme.
    frame = chat.show(TIME, "get_daily_summary", args, chat.server.call("get_daily_summary", args))
    for scheme, expected in (("light", light), ("dark", dark)):
        chat.page.emulate_media(color_scheme=scheme)
        holds(look() == expected, f"{scheme}: {look()} is not {expected}")


def check_draft(chat, pictures, name, theme, day):
    """Checks a draft: corrections become calls, rows show the responses, the model is informed, and nothing is
    logged twice.
    """
    server = chat.server
    args = {"startDate": day}
    result = server.call("suggest_time_entries", args)
    draft = structure(result)
    drafted = draft["days"][0]["rows"]
    frame = chat.show(DRAFT, "suggest_time_entries", args, result, theme=theme)
    frame.wait_for_selector("select[name=projectCode]")
    shown = frame.locator("fieldset.row")
    holds(shown.count() == len(drafted), f"{shown.count()} rows for {len(drafted)}")
    for place, row in enumerate(drafted):
        hours = shown.nth(place).locator("[name=standardHours]").input_value()
        holds(float(hours) == row["hours"], f"{hours}: {row}")
        holds(shown.nth(place).locator("[name=description]").input_value() == row.get("description", ""), row)
        is_ready = bool(row.get("projectCode") and row.get("task")) and not row.get("notes")
        is_ticked = shown.nth(place).locator("[type=checkbox]").is_checked()
        holds(is_ticked == is_ready, f"ticked: {is_ticked}, but ready: {is_ready}: {row}")
    chat.keep(frame, pictures, f"draft-{name}")
    holds(not [call for call in chat.heard("called") if call["name"] == "log_time"], "hours were logged without a click")

    # The first row is corrected. One row gets a project, and another row that is ready isn't logged. The other rows
    # stay unchanged.
    bare = next(row for row in drafted if "projectCode" not in row)
    ready = [row for row in drafted if row.get("projectCode") and row.get("task") and not row.get("notes")]
    holds(ready[0] == drafted[0] and len(ready) > 2, f"the day {day} is not suitable")
    first, left, given = (shown.nth(drafted.index(row)) for row in (drafted[0], ready[1], bare))
    first.locator("[name=standardHours]").fill("1.5")
    first.locator("[name=description]").fill(HOSTILE)
    first.locator("[name=issueId]").fill("AUR-7")
    left.locator("[type=checkbox]").set_checked(False)
    given.locator("[name=projectCode]").select_option("NORTHWIND")
    given.locator("[name=task]").select_option("Billing")
    chat.keep(frame, pictures, f"corrected-{name}")
    refused = {"code": "VALIDATION_ERROR", "field": "task", "message": "Task 'x' is not available", "allowedValues": ["Stock"]}
    answer = {"rows": [{"row": row["row"], "error": refused} for row in drafted]}
    chat.instead["log_time"] = {"content": [], "structuredContent": answer}
    frame.locator("button.main").click()
    frame.wait_for_selector(".foot p:not(:has-text('Logging'))")
    frame.wait_for_function("() => document.querySelectorAll('.row.logged').length === 2")
    holds("Allowed: Stock" in frame.locator(".outcome.alarm").first.inner_text(), "the refusal is not shown")
    chat.keep(frame, pictures, f"logged-{name}")
    calls = [call["arguments"] for call in chat.heard("called") if call["name"] == "log_time"]
    session = {"session": draft["session"]} if "session" in draft else {}
    expected = [
        {"rows": [row["row"] for row in ready[2:]]},
        {"rows": [drafted[0]["row"]], "standardHours": 1.5, "description": HOSTILE, "issueId": "AUR-7"},
        {"rows": [bare["row"]], "projectCode": "NORTHWIND", "task": "Billing"},
    ]
    expected = [{"draft": draft["draft"], **one, **session} for one in expected]
    holds(calls == expected, f"{calls}\nnot\n{expected}")
    shown_text = chat.heard("context")[-1]["content"][0]["text"]
    holds(f"row {drafted[0]['row']}, entry" in shown_text and "Refused" in shown_text and "Not logged" in shown_text, shown_text)
    entries = structure(server.call("query_time_entries", {"startDate": day, "endDate": day}))["entries"]
    holds(sorted(entry["standardHours"] for entry in entries) == sorted([1.5, bare["hours"]]), entries)

    # The same rows are logged again, as a user would do after a lost response.
    again = chat.show(DRAFT, "suggest_time_entries", args, result, theme=theme)
    again.wait_for_selector("select[name=projectCode]")
    shown = again.locator("fieldset.row")
    for row in ready[1:]:
        shown.nth(drafted.index(row)).locator("[type=checkbox]").set_checked(False)
    chat.instead["log_time"] = {"failed": "the connection broke"}
    again.locator("button.main").click()
    again.wait_for_selector(".outcome.alarm:has-text('the connection broke')")
    again.locator("button.main").click()
    again.wait_for_selector(".outcome.done:has-text('Already logged')")
    now = structure(server.call("query_time_entries", {"startDate": day, "endDate": day}))["entries"]
    holds(len(now) == len(entries), "a row was logged twice")

    again.get_by_role("button", name="Draft again").click()
    again.wait_for_function(f"() => document.querySelectorAll('fieldset.row').length < {len(drafted)}")
    args = {"startDate": "2023-01-20"}
    empty = chat.show(DRAFT, "suggest_time_entries", args, server.call("suggest_time_entries", args), theme=theme)
    holds("Nothing left to log" in empty.locator("main").inner_text(), "the page does not say that the draft is empty")
    args = {"startDate": "2025-01-01", "endDate": "2025-06-01"}
    wrong = chat.show(DRAFT, "suggest_time_entries", args, server.call("suggest_time_entries", args), theme=theme)
    holds("No draft" in wrong.locator("main").inner_text(), "the page does not show the error")


def check_read_only(browser, modules, command):
    """Checks that the draft of a read-only server offers no button for logging."""
    server = Server([*command, "--read-only"], SHOWS_APPS)
    chat = Chat(browser, modules, server, SIZES["desk"], "light")
    args = {"startDate": "2025-01-23"}
    frame = chat.show(DRAFT, "suggest_time_entries", args, server.call("suggest_time_entries", args))
    holds(frame.locator("fieldset.row").count() > 0 and frame.locator("button.main").count() == 0, "the page can log hours")
    holds(chat.heard("called") == [], "the page called a tool by itself")
    chat.end()
    server.end()


def main(browser_path, modules, pictures, *command):
    modules, pictures = pathlib.Path(modules), pathlib.Path(pictures)
    pictures.mkdir(parents=True, exist_ok=True)
    check_declared(command)
    print("declared to those that show apps, in both lives: ok", flush=True)
    # Without a screen, Chromium doesn't paint frames in a separate process.
    options = ["--disable-features=IsolateSandboxedIframes"]
    # Chromium's sandbox doesn't start for root.
    options += ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    # The newest day comes first, because a draft suggests projects from entries on earlier days.
    days = iter(("2025-01-30", "2025-01-27", "2025-01-20", "2025-01-16"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=options)
        for size, width in SIZES.items():
            for theme in ("light", "dark"):
                name = f"{size}-{theme}"
                server = Server(command, SHOWS_APPS, "2025-11-25" if theme == "light" else "2026-07-28")
                # The system's theme is the opposite of the chat's theme, to check that the app uses the chat's theme.
                chat = Chat(browser, modules, server, width, "dark" if theme == "light" else "light")
                check_time(chat, pictures, name, theme)
                check_exceptions(chat, pictures, name, theme)
                check_draft(chat, pictures, name, theme, next(days))
                check_theme(chat)
                chat.end()
                server.end()
                print(f"{name}: ok", flush=True)
        check_read_only(browser, modules, command)
        print("a server that writes nothing: ok", flush=True)
        browser.close()


if __name__ == "__main__":
    end_with_status(lambda: main(*sys.argv[1:]), "apps in a chat")
