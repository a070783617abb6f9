// The page's side of MCP Apps (2026-01-26): JSON-RPC messages with the window around the page, and no other connection.

"use strict";

const LOOKS = ["theme", "styles", "displayMode", "availableDisplayModes"];

const host = (() => {
  const waiting = new Map();
  const listeners = new Map();
  const context = {};
  let capabilities = {};
  let last = 0;
  let height = 0;

  // A page in a sandbox doesn't know the origin of its host. Only the window around the page gets these messages.
  const post = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

  function sendRequest(method, params) {
    last += 1;
    const id = last;
    post({ id, method, params });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  }

  const notify = (method, params = {}) => post({ method, params });

  function receiveResponse({ id, result, error }) {
    const request = waiting.get(id);
    if (!request) return;
    waiting.delete(id);
    if (error) request.reject(new Error(String(error.message ?? "the client refused the request")));
    else request.resolve(result ?? {});
  }

  function answerRequest({ id, method }) {
    if (method === "ping" || method === "ui/resource-teardown") post({ id, result: {} });
    else post({ id, error: { code: -32601, message: "method not found" } });
  }

  function applyContext(given) {
    Object.assign(context, given);
    const root = document.documentElement;
    if (given.theme === "light" || given.theme === "dark") root.dataset.theme = given.theme;
    for (const [name, value] of Object.entries(given.styles?.variables ?? {})) {
      if (!name.startsWith("--")) continue;
      if (typeof value === "string") root.style.setProperty(name, value);
      else root.style.removeProperty(name);
    }
    for (const [side, width] of Object.entries(given.safeAreaInsets ?? {})) {
      if (["top", "right", "bottom", "left"].includes(side) && width > 0) {
        document.body.style.setProperty(`margin-${side}`, `${Number(width)}px`);
      }
    }
    // Other changes, such as a change of the available space, don't require rendering again.
    if (LOOKS.some((name) => name in given)) listeners.get("context")?.(context);
  }

  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => listeners.get("context")?.(context));

  window.addEventListener("message", (event) => {
    const message = event.data;
    if (event.source !== window.parent || message?.jsonrpc !== "2.0") return;
    if (typeof message.method !== "string") receiveResponse(message);
    else if (message.id !== undefined) answerRequest(message);
    else if (message.method === "ui/notifications/host-context-changed") applyContext(message.params ?? {});
    else listeners.get(message.method.replace("ui/notifications/", ""))?.(message.params ?? {});
  });

  // Reports the height of the page when it changes.
  function measure() {
    const style = getComputedStyle(document.body);
    const around = parseFloat(style.marginTop) + parseFloat(style.marginBottom);
    const now = Math.ceil(document.body.getBoundingClientRect().height + around);
    if (now === height) return;
    height = now;
    notify("ui/notifications/size-changed", { height });
  }

  async function begin(title) {
    const { hostCapabilities, hostContext } = await sendRequest("ui/initialize", {
      appInfo: { name: "dayledger", title, version: document.documentElement.dataset.version },
      appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
      protocolVersion: "2026-01-26",
    });
    capabilities = hostCapabilities ?? {};
    applyContext(hostContext ?? {});
    notify("ui/notifications/initialized");
    new ResizeObserver(measure).observe(document.body);
  }

  // The tools that the server offers. The page calls no other tools.
  const tools = new Set((document.documentElement.dataset.tools ?? "").split(" "));

  return {
    begin,
    context,
    /** Calls `listener` with the parameters of the host's notification `name`, such as `tool-result`. */
    on: (name, listener) => listeners.set(name, listener),
    /** Whether the server offers the tool. */
    knows: (name) => tools.has(name),
    /** Whether the server has the tool and the host forwards calls. */
    hasTool: (name) => tools.has(name) && capabilities.serverTools !== undefined,
    call: (name, args) => sendRequest("tools/call", { name, arguments: args }),
    /** Passes text to the model for its next turn. It replaces the text that was passed before. */
    async informModel(text) {
      if (capabilities.updateModelContext === undefined) return;
      // This is optional: if the host refuses it, the user doesn't need to know.
      await sendRequest("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {});
    },
    canFill: () => (context.availableDisplayModes ?? []).includes("fullscreen"),
    isFull: () => context.displayMode === "fullscreen",
    async fill(mode) {
      const response = await sendRequest("ui/request-display-mode", { mode }).catch(() => ({}));
      if (response.mode) applyContext({ displayMode: response.mode });
    },
  };
})();
