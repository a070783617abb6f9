// Shared by both pages: elements, dates, durations, responses and colours. Data is inserted as text, never as markup.

/** Creates an element with attributes, listeners (`on…`) and children. Strings become text nodes. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

const listOf = (value) => (Array.isArray(value) ? value : []);
const textOf = (value) => (typeof value === "string" ? value : "");
const numberOf = (value) => (typeof value === "number" && Number.isFinite(value) ? value : 0);

/** The response of a tool, from its structured content or, for older hosts, from its text; `{ error }` if it failed. */
function read(result) {
  const block = listOf(result?.content).find((one) => one?.type === "text");
  let answer = result?.isError ? undefined : result?.structuredContent;
  if (typeof answer !== "object" || answer === null) {
    try {
      answer = JSON.parse(block?.text);
    } catch {
      answer = { error: { message: block?.text || "the response is unreadable" } };
    }
  }
  if (result?.isError && !answer?.error) return { error: { message: block?.text || "the tool failed" } };
  return typeof answer === "object" && answer !== null ? answer : { error: { message: "the response is unreadable" } };
}

/** An error as text: the message, the allowed values, the hint. */
function words(error) {
  const allowed = listOf(error.allowedValues).map(String);
  const first = textOf(error.message) || textOf(error.code) || "unknown error";
  const parts = [first.charAt(0).toUpperCase() + first.slice(1)];
  if (allowed.length) parts.push(`Allowed: ${allowed.slice(0, 12).join(", ")}${allowed.length > 12 ? " …" : ""}`);
  if (error.hint) parts.push(error.hint.charAt(0).toUpperCase() + error.hint.slice(1));
  return parts.join(". ");
}

const notice = (kind, title, text, ...more) =>
  make(
    "div",
    { class: `notice ${kind}`, role: kind === "alarm" ? "alert" : "note" },
    make("b", {}, title),
    text ? ` ${text}` : "",
    more,
  );

// Dates and times are local and have no zone. `Date` is only used to count their days, in UTC. A day is the midnight at
// which its date starts, even if the day itself starts at another time.

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const DAY = 1440;
/** The minutes from midnight to the start of a day; negative for a start on the evening before. */
let dayStart = 0;

/** Reads the start of days from a response. It is absent if days start at midnight. */
function readDayStart(answer) {
  const [, sign, hours, minutes] = /^(-?)(\d\d):(\d\d)$/.exec(textOf(answer.dayStart)) ?? [];
  dayStart = hours === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
}

/** Returns the minutes since 1970 of a local date or time; `undefined` for other text. */
function instant(text) {
  const parts = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?$/.exec(textOf(text));
  if (!parts) return undefined;
  const [, year, month, day, hour = 0, minute = 0, second = 0] = parts
    .map(Number)
    .map((part) => (Number.isNaN(part) ? 0 : part));
  return Date.UTC(year, month - 1, day, hour, minute, second) / 60000;
}

/** Returns the time at which a range starts or ends. A date means the start of that day. */
function limit(text) {
  const minutes = instant(text);
  return minutes !== undefined && text.length === "2025-01-15".length ? minutes + dayStart : minutes;
}

/** Returns the day that contains a time. */
const dayOf = (minutes) => Math.floor((minutes - dayStart) / DAY) * DAY;
const isDayStart = (minutes) => minutes === dayOf(minutes) + dayStart;
const isoDay = (minutes) => new Date(minutes * 60000).toISOString().slice(0, 10);

function date(minutes, { long = false, year = false } = {}) {
  const at = new Date(minutes * 60000);
  const [weekday, month] = [WEEKDAYS[at.getUTCDay()], MONTHS[at.getUTCMonth()]];
  const named = long
    ? `${weekday}, ${at.getUTCDate()} ${month}`
    : `${weekday.slice(0, 3)} ${at.getUTCDate()} ${month.slice(0, 3)}`;
  return year || long ? `${named} ${at.getUTCFullYear()}` : named;
}

/** Returns an hour of a day with two digits. Only the end of a day that starts at midnight is 24. */
const hourText = (hour) => String(hour === 24 && dayStart === 0 ? hour : (hour + 24) % 24).padStart(2, "0");

/** Returns the time of day on `day`. The end of a day that starts at midnight is 24:00. */
function clock(minutes, day = dayOf(minutes)) {
  const within = Math.floor(minutes - day);
  const hour = Math.floor(within / 60);
  return `${hourText(hour)}:${String(within - hour * 60).padStart(2, "0")}`;
}

/** Returns a range in words. The end is exclusive. */
function range(start, end) {
  if (start === undefined || end === undefined) return "";
  if (!isDayStart(start) || !isDayStart(end)) {
    const last = dayOf(end - 1);
    if (dayOf(start) === last) return `${date(start, { year: true })}, ${clock(start)}–${clock(end, last)}`;
    return `${date(start)} ${clock(start)} – ${date(last, { year: true })} ${clock(end, last)}`;
  }
  if (end - start <= DAY) return date(dayOf(start), { long: true });
  return `${date(dayOf(start))} – ${date(dayOf(end - 1), { year: true })}`;
}

/** Returns a duration in words, in whole minutes. */
function length(minutes) {
  const whole = Math.round(numberOf(minutes));
  if (whole === 0) return numberOf(minutes) > 0 ? "< 1 min" : "0 min";
  const [hours, rest] = [Math.floor(whole / 60), whole % 60];
  if (!hours) return `${rest} min`;
  return rest ? `${hours} h ${String(rest).padStart(2, "0")} min` : `${hours} h`;
}

/** Returns the length of time away from the computer, or nothing for less than a minute, as in reports. */
const awayLength = (minutes) => (numberOf(minutes) < 1 ? "" : length(minutes));

const awayPart = (minutes) => awayLength(minutes) && `${awayLength(minutes)} away`;

const hoursText = (hours) => `${Number(numberOf(hours).toFixed(2))} h`;
const count = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

// Colours: from the history or the palette of reports, adjusted only if the contrast to the background is below 3.

// The palettes and the shades are those of `crates/render/src/html/colors.rs`: if you change one, look at the other.
const PALETTE = ["5b8dc9", "c27b4e", "5aa06c", "b56b9d", "9a8f3c", "4a9f9f", "c46a6a", "8a7cc2", "8c8c8c", "a8836a"];
const CLIENTS = ["1f6fd0", "d9541e", "1f9148", "c02f8f", "a98600", "00909a", "d03048", "7a4fd0", "6f9000", "8a6a52"];
const SITES = ["a17469", "987a59", "858358", "6c8a68", "578c80", "548a96", "6583a3", "7d7ba3", "917596", "9e7180"];
const CONTRAST = 3.05;
const BRIGHTEST = 0.62;
// How many tasks of a client have a shade of their own.
const SHADES = 4;

const channels = (hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
const linear = (share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
const gamma = (share) =>
  Math.round(Math.min(1, Math.max(0, share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055)) * 255);
const luminance = ([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

/** The luminance of a colour of the style sheet, measured by painting it. */
function groundOf(variable) {
  const probe = make("i", { hidden: true });
  document.body.append(probe);
  const brush = make("canvas", { width: 1, height: 1 }).getContext("2d");
  // A transparent colour shows the window's own colour below it.
  for (const color of ["Canvas", `var(${variable})`]) {
    probe.style.backgroundColor = color;
    brush.fillStyle = getComputedStyle(probe).backgroundColor;
    brush.fillRect(0, 0, 1, 1);
  }
  probe.remove();
  return luminance([...brush.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => linear(part / 255)));
}

/** The linear colour `light`, made darker or lighter until it has that luminance. */
function withLuminance(light, wanted) {
  const now = luminance(light);
  if (now > wanted) return light.map((part) => (part * wanted) / now);
  return light.map((part) => part + (1 - part) * ((wanted - now) / (1 - now)));
}

/** The colour `hex`, or a shade of it, with enough contrast to a background of that luminance. */
function onGround(hex, ground, shade = 0) {
  const light = channels(hex).map(linear);
  const isLight = ground > 0.18;
  const most = isLight ? (ground + 0.05) / CONTRAST - 0.05 : BRIGHTEST;
  const least = isLight ? 0 : CONTRAST * (ground + 0.05) - 0.05;
  let wanted = Math.min(most, Math.max(least, luminance(light)));
  if (shade % SHADES) {
    const own = Math.cbrt(wanted);
    const [low, high] = [Math.max(least * 1.07, 0.035), most * 0.95].map(Math.cbrt);
    const levels = [0, 1, 2, 3, 4].map((step) => low + ((high - low) * step) / SHADES);
    // The two nearest shades can look like the colour itself.
    wanted = levels.sort((one, other) => Math.abs(one - own) - Math.abs(other - own))[1 + (shade % SHADES)] ** 3;
  }
  const moved = withLuminance(light, wanted);
  return { mark: `rgb(${moved.map(gamma).join(" ")})`, on: luminance(moved) > 0.179 ? "#000" : "#fff" };
}

/** The index of a name's colour in the palette: a hash of the name (FNV-1a), so it is the same on every page. */
function placeOf(name) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(name)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return Number(hash % BigInt(PALETTE.length));
}

/** A colour for each of `names`, in order: from `known`, otherwise its own of the palette, otherwise an unused one. */
function legend(names, known, palette) {
  const [colors, free] = [new Map(), new Set(palette)];
  for (const name of names) {
    if (colors.has(name)) continue;
    const own = palette[placeOf(name)];
    const chosen = known.get(name) ?? (free.has(own) || !free.size ? own : [...free].pop());
    free.delete(chosen);
    colors.set(name, chosen);
  }
  return colors;
}

/** The colours of `names` on a background of that luminance. */
function colorsOn(names, ground, known = new Map(), palette = PALETTE) {
  return new Map([...legend(names, known, palette)].map(([name, color]) => [name, onGround(color, ground)]));
}

/** The first level of a tag, or the project of a rule: usually a client. */
const clientOf = (name) => name.split(", ", 1)[0];

/** The displayed colours of tags: one for each client, and a shade of that colour for each task. */
function tagColorsOn(names, ground, known) {
  // If a client has several colours, the colour of its first name is used. That colour is set last, because the order
  // is reversed.
  const colors = new Map([...known].reverse().map(([name, color]) => [clientOf(name), color]));
  const clients = legend(names.map(clientOf), colors, CLIENTS);
  const tasks = new Map();
  const colorOf = (name) => {
    const client = clientOf(name);
    const shade = tasks.get(client) ?? 0;
    tasks.set(client, shade + 1);
    return onGround(clients.get(client), ground, shade);
  };
  return new Map(names.map((name) => [name, colorOf(name)]));
}

/** The colours in totals, by name. */
function colorsByName(totals) {
  const isColor = (color) => /^[0-9a-f]{6}$/i.test(color);
  return new Map(
    listOf(totals)
      .filter((one) => isColor(textOf(one.color)))
      .map((one) => [one.name, one.color]),
  );
}

/** A button for full screen, if the host supports it. */
function fillButton() {
  if (!host.canFill()) return undefined;
  const full = host.isFull();
  return make(
    "button",
    { class: "plain", onclick: () => host.fill(full ? "inline" : "fullscreen") },
    full ? "Leave full screen" : "Full screen",
  );
}
