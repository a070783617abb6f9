// The activity page: one or more days as tracks along the hours, or the days of a period as bars.

const FILTERS = ["device", "filter"];
const MAX_DAYS = 31;
const MAX_KEYS = 7;
// The minimum length of the axis. `crates/render/src/html/lanes.rs` draws the same lanes for reports, with its own
// `MIN_AXIS_HOURS`: if you change one, look at the other.
const MIN_AXIS_HOURS = 8;
const FEW_DAYS = 10;
const MAX_TOPS = 6;
const LIST_IS_OPEN_TO = 16;
const BASES = { "active+calls": "Active time including calls", recorded: "Recorded time" };
const LIMITS = {
  maxSegments: "requested limit",
  limit: "requested limit",
  answerSize: "size limit of responses",
  cap: "limit of the tool",
};

const main = document.querySelector("main");
/** The stack of views, the current one last: a tool, its arguments, its response, and day totals if requested. */
const views = [];
let pending = {};

/** The tool of a response: from the host if it uses the server's name, otherwise from the shape of the response. */
function toolOf(answer, args) {
  const named = textOf(host.context.toolInfo?.tool?.name);
  if (host.knows(named)) return named;
  if (answer.aggregate) return "get_period_summary";
  return args.date === undefined ? "get_activity_narrative" : "get_daily_summary";
}

const filtersOf = (args) =>
  Object.fromEntries(FILTERS.filter((name) => args[name] !== undefined).map((name) => [name, args[name]]));

/** Calls a tool and passes its response to `show`. An error appears at the end of the page. */
async function callTool(button, tool, args, show) {
  button.disabled = true;
  let answer;
  try {
    answer = read(await host.call(tool, args));
  } catch (error) {
    answer = { error: { message: error.message } };
  }
  button.disabled = false;
  if (answer.error) main.append(notice("alarm", "Request failed.", words(answer.error)));
  else show(answer);
}

// Segments

/** The last part of a path or URL. */
function fileName(document) {
  const name = textOf(document).split(/[\\/]/).filter(Boolean).pop() ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** A segment with its times as numbers, or `undefined` if it has no times. */
function segmentOf(data) {
  const start = instant(data?.start);
  let end = instant(data?.end);
  if (start === undefined || end === undefined) return undefined;
  // At the autumn clock change, an end can be before its start.
  if (end < start) end = start + numberOf(data.durationMinutes);
  return { data, start, end };
}

/** The intervals away from the computer, as segments. */
const awayOf = (answer) => listOf(answer.presence?.away).map(segmentOf).filter(Boolean);

/**
 * The state of an interval away, and its evidence. A tag of the interval can be about other work than the meeting.
 * `crates/render/src/away.rs` describes the same intervals for the terminal: if you change one, look at the other.
 */
function awayText({ data }) {
  const tags = listOf(data.tags).map(textOf).filter(Boolean);
  const meetings = listOf(data.meetings).map(textOf).filter(Boolean).join(", ");
  const notes = listOf(data.notesTaken).map((path) => `note: ${fileName(path)}`);
  const ofTag = (tag) => (tag === clientOf(tag) ? tag : `${tag.slice(clientOf(tag).length + 2)} (${clientOf(tag)})`);
  const planned = meetings && `calendar: ${meetings}`;
  const evidence = [...tags.map(ofTag), planned, ...notes].filter(Boolean).join(", ");
  const state = data.state === "unknown" ? "not recorded" : textOf(data.state);
  return [state, evidence].filter(Boolean).join(" · ");
}

/** A client's time, and its part away from the computer. */
function clientTime({ clientMinutes, awayMinutes }) {
  if (clientMinutes === undefined) return "";
  const away = awayPart(awayMinutes);
  return away ? `${length(clientMinutes)} (${away})` : length(clientMinutes);
}

const subjectOf = ({ data }) => textOf(data.subject) || listOf(data.tags).map(textOf).find(Boolean) || "";
const applicationOf = ({ data }) => textOf(data.application);
const siteOf = ({ data }) => textOf(data.website);

/** The name of a segment, and further names in it. */
function segmentNames({ data }) {
  const name = textOf(data.subject) || textOf(data.application) || "unknown";
  const rest = [data.subject ? textOf(data.application) : "", fileName(data.document), textOf(data.website)];
  return { name, rest: rest.filter((part) => part && part !== name) };
}

/** Names with minutes, longest first. */
function parts(minutes) {
  const all = Object.entries(minutes ?? {}).sort(([, one], [, other]) => other - one);
  return all.map(([name, minutes]) => `${name} ${length(minutes)}`).join(", ");
}

// Lanes

/** The tracks of these segments: the title, the name of a segment in it, and whether it is the main track. */
function lanesOf(segments, isBlocks) {
  const lanes = [
    { title: isBlocks ? "Subjects" : "Tags", nameOf: subjectOf, isMain: isBlocks },
    { title: "Applications", nameOf: applicationOf, isMain: !isBlocks },
    { title: "Sites", nameOf: siteOf, isMain: false },
  ].filter((lane) => segments.some(lane.nameOf));
  if (isBlocks && lanes.every((lane) => !lane.isMain) && lanes.length) lanes[0].isMain = true;
  return lanes;
}

/** Adds the names of each track, longest first, and their colours. */
function addColors(lanes, segments, answer, ground) {
  const tags = colorsByName(answer.topTags);
  const applications = colorsByName(answer.topApplications);
  for (const lane of lanes) {
    const minutes = new Map();
    for (const segment of segments) {
      const name = lane.nameOf(segment);
      if (name) minutes.set(name, (minutes.get(name) ?? 0) + numberOf(segment.data.durationMinutes));
    }
    lane.names = [...minutes].sort(([, one], [, other]) => other - one).map(([name]) => name);
    if (lane.nameOf === subjectOf) lane.colors = tagColorsOn(lane.names, ground, tags);
    else if (lane.nameOf === siteOf) lane.colors = colorsOn(lane.names, ground, undefined, SITES);
    else lane.colors = colorsOn(lane.names, ground, applications);
  }
  return lanes;
}

/** The parts of segments in each day, in minutes of that day, and the hours that contain all of them. */
function daysOf(segments, start, end, isCut) {
  const days = new Map();
  for (const segment of segments) {
    for (let day = dayOf(segment.start); day + dayStart < segment.end || day === dayOf(segment.start); day += DAY) {
      const [first, next] = [day + dayStart, day + DAY + dayStart];
      const piece = { segment, from: Math.max(segment.start, first) - day, to: Math.min(segment.end, next) - day };
      days.set(day, [...(days.get(day) ?? []), piece]);
    }
  }
  // Days without a segment appear too, unless the response was cut before them.
  const last = isCut ? Math.max(...days.keys()) + DAY + dayStart : end;
  if (start !== undefined && last - start <= MAX_DAYS * DAY) {
    for (let day = dayOf(start); day + dayStart < last; day += DAY) if (!days.has(day)) days.set(day, []);
  }
  const all = [...days.values()].flat();
  let from = Math.floor(Math.min(...all.map((piece) => piece.from)) / 60);
  let to = Math.ceil(Math.max(...all.map((piece) => piece.to)) / 60);
  const least = Math.min(MIN_AXIS_HOURS, Math.max(1, Math.ceil((end - start) / 60) || MIN_AXIS_HOURS));
  const [first, next] = [Math.floor(dayStart / 60), Math.ceil((dayStart + DAY) / 60)];
  while (to - from < least) {
    if (to < next) to += 1;
    if (to - from < least && from > first) from -= 1;
  }
  return { days: new Map([...days].sort(([one], [other]) => one - other)), from: from * 60, to: to * 60 };
}

/** One track of one day: a path for each colour, and names inside bars that are wide enough. */
function laneOf(lane, pieces, { from, to }, isNamed) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${to - from} 1`);
  svg.setAttribute("preserveAspectRatio", "none");
  const element = make("div", { class: `lane ${lane.isMain ? "main" : "minor"}` });
  const shapes = new Map();
  let before;
  for (const piece of pieces) {
    const name = lane.nameOf(piece.segment);
    if (!name) continue;
    shapes.set(name, `${shapes.get(name) ?? ""}M${piece.from - from} 0H${piece.to - from}V1H${piece.from - from}Z`);
    if (isNamed) {
      // After a block of the same client, the label shows only the task.
      const client = clientOf(name);
      const isClear = lane.nameOf === subjectOf && client === before && name !== client;
      const label = isClear ? name.slice(client.length + 2) : name;
      const inside = make("div", { class: "inside", "--on": lane.colors.get(name).on }, make("span", {}, label));
      before = client;
      inside.style.left = `${((piece.from - from) / (to - from)) * 100}%`;
      inside.style.width = `${((piece.to - piece.from) / (to - from)) * 100}%`;
      element.append(inside);
    }
  }
  for (const [name, shape] of shapes) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", shape);
    path.style.setProperty("--mark", lane.colors.get(name).mark);
    svg.append(path);
  }
  element.prepend(svg);
  return element;
}

/** The hours along the top, as many as fit. */
function axisOf({ from, to }) {
  const hours = (to - from) / 60;
  const step = hours > 12 ? 2 : 1;
  const axis = make("div", { class: "axis", "aria-hidden": "true" });
  for (let hour = 0; hour <= hours; hour += step) {
    const mark = make("span", {}, hourText(from / 60 + hour));
    mark.style.left = `${(hour / hours) * 100}%`;
    axis.append(mark);
  }
  return axis;
}

// Details

/** The area with the details of the selected segment. */
function detailsArea() {
  const element = make("div", { class: "data", "aria-live": "polite" });
  const rest = make("p", {}, "Point at a bar, or use the arrow keys to move through a day.");
  element.append(rest);
  const show = (segment) => {
    const { data, start, end } = segment;
    const { name, rest } = segmentNames(segment);
    const when = `${date(start)}, ${clock(start)}–${clock(end, dayOf(end - 1 / 60))} · ${length(data.durationMinutes)}`;
    const more = [
      data.title,
      data.onSubjectMinutes === undefined ? "" : `${length(data.onSubjectMinutes)} on the subject`,
      parts(data.applications),
      parts(data.websites),
      parts(data.documents),
      listOf(data.tags)
        .map(textOf)
        .filter((tag) => tag && tag !== name)
        .join(" · "),
      data.device,
    ];
    element.replaceChildren(
      make("p", {}, when),
      make("p", { class: "what", title: textOf(data.document) }, [name, ...rest].join(" · ")),
      ...more.filter(Boolean).map((line) => make("p", { class: "parts" }, line)),
    );
  };
  return { element, show };
}

/** One device's tracks of a day. The pointer and the arrow keys select a segment. */
function stripOf(lanes, pieces, hours, { isNamed, title, choose }) {
  const { from, to } = hours;
  const strip = make("div", { class: "lanes", "--hours": String((to - from) / 60) });
  strip.append(...lanes.map((lane) => laneOf(lane, pieces, hours, isNamed && lane.isMain)));
  if (!pieces.length) return strip;
  const mark = make("i", { class: "mark", hidden: true });
  strip.append(mark);
  let at = -1;
  const pick = (place) => {
    at = Math.min(pieces.length - 1, Math.max(0, place));
    const piece = pieces[at];
    mark.style.left = `${((piece.from - from) / (to - from)) * 100}%`;
    mark.style.width = `${((piece.to - piece.from) / (to - from)) * 100}%`;
    choose(piece.segment, mark);
  };
  const point = (event) => {
    const box = strip.getBoundingClientRect();
    const minute = from + ((event.clientX - box.left) / box.width) * (to - from);
    const away = (piece) => Math.max(piece.from - minute, minute - piece.to, 0);
    const nearest = pieces.reduce((best, piece, place) => (away(piece) < away(pieces[best]) ? place : best), 0);
    // A few pixels next to a bar still select it.
    if (away(pieces[nearest]) <= (6 / box.width) * (to - from) && nearest !== at) pick(nearest);
  };
  const steps = { ArrowRight: 1, ArrowLeft: -1, Home: -pieces.length, End: pieces.length };
  strip.tabIndex = 0;
  strip.setAttribute("role", "group");
  strip.setAttribute("aria-roledescription", "timeline");
  strip.setAttribute(
    "aria-label",
    `${title}: ${count(pieces.length, "segment", "segments")}; use the arrow keys to move through them`,
  );
  strip.addEventListener("pointermove", point);
  strip.addEventListener("pointerdown", point);
  strip.addEventListener("focus", () => strip.matches(":focus-visible") && pick(Math.max(at, 0)));
  strip.addEventListener("keydown", (event) => {
    if (steps[event.key] === undefined) return;
    event.preventDefault();
    pick(at + steps[event.key]);
  });
  return strip;
}

// The parts of a page

function header(title, eyebrow, figures) {
  const back =
    views.length > 1 &&
    make(
      "button",
      {
        class: "plain",
        onclick: () => {
          views.pop();
          render();
        },
      },
      "Back",
    );
  const items = figures
    .filter(([, value]) => value)
    .map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value)));
  return [
    make("div", { class: "top" }, make("h1", {}, title), make("div", {}, back, fillButton())),
    eyebrow && make("p", { class: "faint" }, eyebrow),
    make("dl", { class: "figures" }, items),
  ];
}

/** The filters of the response, as text. */
function partWords(args) {
  const texts = Object.entries({ device: args.device, ...args.filter });
  const filters = texts.filter(([, text]) => textOf(text)).map(([name, text]) => `${name} ${text}`);
  return filters.length ? `Filter: ${filters.join(", ")}` : "";
}

function totals(answer, args) {
  const all = [[BASES[answer.timeBasis] ?? "Active time", length(answer.totalActiveMinutes)]];
  if (answer.matchingMinutes !== undefined) all.push(["Matching time", length(answer.matchingMinutes)]);
  all.push(["For clients", clientTime(answer.aggregate ?? answer)]);
  if (numberOf(answer.presence?.breakMinutes) > 0) all.push(["Breaks", length(answer.presence.breakMinutes)]);
  return all;
}

/** The hint of a response as a sentence; empty if it has none. */
function hintOf({ diagnostics }) {
  const hint = textOf(diagnostics?.remediationHint);
  return hint && `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`;
}

function remark(answer) {
  const hint = hintOf(answer);
  if (!hint && !answer.diagnostics?.degraded) return undefined;
  return make("p", { class: "remark" }, hint || "The history is incomplete.");
}

function empty(answer) {
  const isUnmatched = answer.diagnostics?.reasonCode === "FILTER_MATCHES_NOTHING";
  return notice(
    "",
    isUnmatched ? "Nothing matches here." : "Nothing was tracked here.",
    answer.diagnostics?.remediationHint ? "" : "The range contains no activity.",
  );
}

/** A notice that the response was cut, with the reason and a button that loads more. */
function truncationNotice(view, shown, words) {
  const { truncation } = view.answer;
  if (!truncation?.truncated) return undefined;
  const why = LIMITS[truncation.limitedBy] ? ` (${LIMITS[truncation.limitedBy]})` : "";
  const of = count(numberOf(truncation.totalAvailable), ...words);
  const text = `${shown.toLocaleString("en")} of ${of}${why}. Totals are complete.`;
  const next = truncation.nextCursor && host.hasTool(view.tool);
  const more =
    next &&
    make(
      "button",
      {
        onclick: (event) =>
          callTool(event.target, view.tool, { ...view.args, cursor: truncation.nextCursor }, (answer) => {
            const segments = [...listOf(view.answer.segments), ...listOf(answer.segments)];
            const away = [...listOf(view.answer.presence?.away), ...listOf(answer.presence?.away)];
            const presence = view.answer.presence && { ...view.answer.presence, away };
            view.answer = { ...view.answer, segments, presence, truncation: answer.truncation };
            render();
          }),
      },
      "Show more",
    );
  return notice("cut", "Incomplete list.", text, more ? make("div", {}, more) : []);
}

function tops(answer, ground) {
  const clients = listOf(answer.topClients ?? answer.aggregate?.topClients);
  const lists = [
    ["Clients", clients.map((client) => ({ ...client, totalMinutes: client.clientMinutes }))],
    ["Applications", answer.topApplications ?? answer.aggregate?.topApps, answer.topApplicationsAvailable],
    ["Websites", answer.topWebsites ?? answer.aggregate?.topWebsites, answer.topWebsitesAvailable],
    ["Documents", answer.topDocuments ?? answer.aggregate?.topDocuments],
  ];
  const shown = lists
    .filter(([, totals]) => listOf(totals).length)
    .map(([title, totals, available]) => {
      const first = totals.slice(0, MAX_TOPS);
      const most = Math.max(...first.map((one) => numberOf(one.totalMinutes)), 1);
      const all = Math.max(numberOf(available), totals.length);
      const names = totals.map((one) => textOf(one.name));
      const colors =
        title === "Clients"
          ? tagColorsOn(names, ground, colorsByName(totals))
          : colorsOn(names, ground, colorsByName(totals), title === "Websites" ? SITES : PALETTE);
      const rows = first.map((one) =>
        make(
          "li",
          {},
          make("span", { title: textOf(one.name) }, textOf(one.name)),
          make("span", {}, title === "Clients" ? clientTime(one) : length(one.totalMinutes)),
          make(
            "div",
            { class: "bar" },
            make("i", {
              "--share": String((numberOf(one.totalMinutes) / most) * 100),
              "--mark": colors.get(textOf(one.name)).mark,
            }),
          ),
        ),
      );
      const untagged = title === "Clients" ? (answer.untaggedMinutes ?? answer.aggregate?.untaggedMinutes) : undefined;
      const of = all > first.length ? make("small", {}, `${first.length} of ${all}`) : undefined;
      return make(
        "section",
        {},
        make("h2", {}, title, of),
        make("ol", {}, rows),
        untagged === undefined ? undefined : make("p", { class: "remark" }, `Untagged: ${length(untagged)}`),
      );
    });
  return shown.length ? make("div", { class: "tops" }, shown) : undefined;
}

/** An interval away from the computer as a table row. */
function awayRow(interval) {
  const when = `${clock(interval.start)}–${clock(interval.end, dayOf(interval.end - 1 / 60))}`;
  return make(
    "tr",
    { class: "break" },
    make("th", { scope: "row" }, when),
    make("td", {}, length(interval.data.durationMinutes)),
    make("td", {}, awayText(interval)),
  );
}

/** Every segment as a table row, and intervals away between them. Rows are created when the list is opened. */
function list(segments, away, colorsOf, isBlocks, link) {
  const words = isBlocks ? ["block", "blocks"] : ["segment", "segments"];
  const body = make("tbody");
  const fill = () => {
    let day;
    const waiting = [...away];
    const addUntil = (time) => {
      while (waiting.length && waiting[0].start <= time) body.append(awayRow(waiting.shift()));
    };
    for (const segment of segments) {
      addUntil(segment.start);
      if (dayOf(segment.start) !== day && dayOf(segments[0].start) !== dayOf(segments[segments.length - 1].start)) {
        body.append(
          make(
            "tr",
            { class: "dayrow" },
            make("th", { colspan: "3", scope: "rowgroup" }, date(dayOf(segment.start), { long: true })),
          ),
        );
      }
      day = dayOf(segment.start);
      const { name, rest } = segmentNames(segment);
      const row = make(
        "tr",
        {},
        make("th", { scope: "row" }, `${clock(segment.start)}–${clock(segment.end, dayOf(segment.end - 1 / 60))}`),
        make("td", {}, length(segment.data.durationMinutes)),
        make(
          "td",
          { title: textOf(segment.data.document) || undefined },
          make("i", { class: "swatch", "--mark": colorsOf(segment) }),
          make("b", {}, name),
          rest.length ? ` ${rest.join(" · ")}` : "",
          segment.data.title ? make("small", {}, segment.data.title) : undefined,
        ),
      );
      row.addEventListener("pointerenter", () => link(segment));
      body.append(row);
    }
    addUntil(Infinity);
  };
  const table = make(
    "table",
    {},
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        ["Time", "Active", "Activity"].map((title) => make("th", { scope: "col" }, title)),
      ),
    ),
    body,
  );
  const details = make(
    "details",
    { open: segments.length <= LIST_IS_OPEN_TO },
    make("summary", {}, `List: ${count(segments.length, ...words)}`),
    table,
  );
  if (details.open) fill();
  else details.addEventListener("toggle", fill, { once: true });
  return details;
}

function key(lanes) {
  const rows = lanes.map((lane) => {
    const names = lane.names
      .slice(0, MAX_KEYS)
      .map((name) => make("li", {}, make("i", { class: "swatch", "--mark": lane.colors.get(name).mark }), name));
    const more = lane.names.length - names.length;
    if (more > 0) names.push(make("li", { class: "faint" }, `and ${more} more`));
    return make("div", {}, make("dt", {}, lane.title), make("dd", {}, make("ul", {}, names)));
  });
  return make("dl", { class: "key" }, rows);
}

/** A day's name, as a button that opens the day if the server offers the tool. */
function dayName(day, args) {
  const name = date(day);
  if (!host.hasTool("get_daily_summary")) return make("h2", {}, name);
  const request = { date: isoDay(day), ...filtersOf(args) };
  const show = (answer) => {
    views.push({ tool: "get_daily_summary", args: request, answer });
    render();
  };
  const button = make(
    "button",
    { class: "plain", onclick: (event) => callTool(event.target, "get_daily_summary", request, show) },
    name,
  );
  return make("h2", {}, button);
}

const isWeekend = (day) => [0, 6].includes(new Date(day * 60000).getUTCDay());

// Whole pages

function narrative(view) {
  const { answer, args } = view;
  const [start, end] = [limit(answer.startDate), limit(answer.endDate)];
  const segments = listOf(answer.segments)
    .map(segmentOf)
    .filter(Boolean)
    .sort((one, other) => one.start - other.start);
  const isBlocks = answer.detail === "blocks";
  const isOneDay = end - start <= DAY && dayOf(start) === dayOf(end - 1);
  const figures = totals(answer);
  if (segments.length && isOneDay && !answer.truncation?.truncated) {
    const last = Math.max(...segments.map((segment) => segment.end));
    figures.push(["First and last use", `${clock(segments[0].start)}–${clock(last, dayOf(start))}`]);
  }
  if (segments.length)
    figures.push([
      isBlocks ? "Blocks" : "Segments",
      numberOf(answer.truncation?.totalAvailable || segments.length).toLocaleString("en"),
    ]);
  const ground = groundOf("--track");
  const top = header(range(start, end), partWords(args), figures);
  if (!segments.length) {
    const away = awayOf(answer);
    const nothing = answer.segments === undefined ? undefined : empty(answer);
    return [...top, away.length ? list([], away, undefined, true) : nothing, remark(answer), tops(answer, ground)];
  }

  const lanes = addColors(lanesOf(segments, isBlocks), segments, answer, ground);
  const isCut = Boolean(answer.truncation?.truncated);
  const { days, from, to } = daysOf(segments, start, end, isCut);
  const details = detailsArea();
  let marked;
  const choose = (segment, mark) => {
    if (marked && marked !== mark) marked.hidden = true;
    marked = mark;
    if (mark) mark.hidden = false;
    details.show(segment);
  };
  const chart = make(
    "div",
    { class: `chart${isOneDay ? " one" : ""}${isBlocks ? " blocks" : " full"}` },
    axisOf({ from, to }),
  );
  const devices = [...new Set(segments.map(({ data }) => textOf(data.device)))];
  for (const [day, pieces] of days) {
    const strips = devices.flatMap((device) => {
      const own = pieces.filter((piece) => textOf(piece.segment.data.device) === device);
      if (!own.length && pieces.length) return [];
      if (!own.length && device !== devices[0]) return [];
      const title = devices.length > 1 && device ? `${date(day)}, ${device}` : date(day);
      const named = devices.length > 1 && own.length > 0 && make("p", { class: "device" }, device);
      return [named, stripOf(lanes, own, { from, to }, { isNamed: isBlocks && isOneDay, title, choose })];
    });
    const [first, last] = [Math.min(...pieces.map(({ from }) => from)), Math.max(...pieces.map(({ to }) => to))];
    const span = pieces.length ? `${clock(first, 0)}–${clock(last, 0)}` : "–";
    const total = view.totals?.get(isoDay(day));
    const label = make(
      "div",
      { class: "label" },
      dayName(day, args),
      make("p", {}, total === undefined ? span : `${length(total)} · ${span}`),
    );
    chart.append(make("div", { class: `day${isWeekend(day) ? " weekend" : ""}` }, label, make("div", {}, strips)));
  }
  const lane = lanes.find((one) => one.isMain) ?? lanes[0];
  const colorsOf = (segment) => (lane?.colors.get(lane.nameOf(segment)) ?? { mark: "var(--edge)" }).mark;
  const words = isBlocks ? ["block", "blocks"] : ["segment", "segments"];
  return [
    ...top,
    truncationNotice(view, segments.length, words),
    chart,
    details.element,
    key(lanes),
    totalsButton(view, start, end, isOneDay),
    list(segments, awayOf(answer), colorsOf, isBlocks, (segment) => choose(segment)),
    notes(answer),
    remark(answer),
    tops(answer, ground),
  ];
}

/** A button that loads day totals, because segments don't have to add up to the total of a day. */
function totalsButton(view, start, end, isOneDay) {
  const isWhole = isDayStart(start) && isDayStart(end) && end - start <= MAX_DAYS * DAY;
  if (isOneDay || !isWhole || view.totals || !host.hasTool("get_period_summary")) return undefined;
  const request = { startDate: view.answer.startDate, endDate: view.answer.endDate, ...filtersOf(view.args) };
  const show = (answer) => {
    view.totals = new Map(listOf(answer.days).map((day) => [day.date, day.matchingMinutes ?? day.totalActiveMinutes]));
    render();
  };
  const click = (event) => callTool(event.target, "get_period_summary", request, show);
  return make("p", { class: "remark" }, make("button", { onclick: click }, "Totals of each day"));
}

function notes(answer) {
  const taken = listOf(answer.notesTaken);
  if (!taken.length) return undefined;
  const more = numberOf(answer.notesTakenAvailable) - taken.length;
  const rows = taken.map((note) => {
    const start = instant(note.start);
    return make(
      "li",
      {},
      make("span", {}, textOf(note.title)),
      make("span", { class: "faint" }, start === undefined ? "" : `${date(start)}, ${clock(start)}`),
    );
  });
  return make(
    "div",
    { class: "tops" },
    make(
      "section",
      {},
      make("h2", {}, "Notes taken"),
      make("ul", {}, rows),
      more > 0 ? make("p", { class: "remark" }, `and ${more} more`) : undefined,
    ),
  );
}

function period(view) {
  const { answer, args } = view;
  const [start, end] = [limit(answer.startDate), limit(answer.endDate)];
  const dayByDate = new Map(listOf(answer.days).map((day) => [instant(day.date), day]));
  const { aggregate = {}, comparison } = answer;
  const figures = totals(answer);
  const first = limit(answer.historyStart) ?? start;
  const spanned = Math.round((end - first) / DAY);
  if (!answer.truncation?.truncated) figures.push(["Days with activity", `${dayByDate.size} of ${spanned}`]);
  if (aggregate.avgDailyMinutes) figures.push(["Average day", length(aggregate.avgDailyMinutes)]);
  const busiest = dayByDate.size > 1 ? instant(aggregate.busiestDay) : undefined;
  if (busiest !== undefined) figures.push(["Longest day", date(busiest)]);
  const ground = groundOf("--track");
  const top = header(range(start, end), partWords(args), figures);
  if (!dayByDate.size) return [...top, empty(answer), remark(answer)];

  const minutesOf = (day) => numberOf(day?.matchingMinutes ?? day?.totalActiveMinutes);
  const most = Math.max(...[...dayByDate.values()].map(minutesOf), 1);
  const chart = make("div", { class: "chart period" });
  for (let day = dayOf(first); day + dayStart < end; day += DAY) {
    const one = dayByDate.get(day);
    if (!one && answer.truncation?.truncated) continue;
    const [from, to] = [instant(one?.firstActivity), instant(one?.lastActivity)];
    const span = from === undefined || to === undefined ? "" : `${clock(from)}–${clock(to, day)}`;
    chart.append(
      make(
        "div",
        { class: `day${isWeekend(day) ? " weekend" : ""}` },
        make(
          "div",
          { class: "label" },
          one ? dayName(day, args) : make("h2", {}, date(day)),
          one && spanned <= FEW_DAYS && make("p", {}, textOf(one.topApp)),
        ),
        make("div", { class: "bar" }, one && make("i", { "--share": String((minutesOf(one) / most) * 100) })),
        make("p", {}, make("b", {}, one ? length(minutesOf(one)) : "–"), span),
      ),
    );
  }
  return [
    ...top,
    truncationNotice(view, dayByDate.size, ["day", "days"]),
    comparisonRemark(answer, comparison),
    chart,
    remark(answer),
    tops(answer, ground),
  ];
}

/** The comparison with another period. */
function comparisonRemark(answer, comparison) {
  const [start, end] = [limit(comparison?.startDate), limit(comparison?.endDate)];
  if (start === undefined || end === undefined) return undefined;
  const [mine, other] = [answer, comparison].map((one) => numberOf(one.matchingMinutes ?? one.totalActiveMinutes));
  const than = mine === other ? "the same" : `${length(Math.abs(mine - other))} ${mine > other ? "less" : "more"}`;
  return make(
    "p",
    { class: "remark" },
    `${range(start, end)}: ${length(other)}, ${than}; average day ${length(comparison.aggregate?.avgDailyMinutes)}.`,
    hintOf(comparison) && ` ${hintOf(comparison)}`,
  );
}

function render() {
  const view = views[views.length - 1];
  if (!view) return;
  readDayStart(view.answer);
  const whole = view.answer.aggregate ? period(view) : narrative(view);
  main.replaceChildren(...whole.flat().filter((part) => part !== undefined && part !== false && part !== ""));
}

host.on("tool-input", ({ arguments: args }) => {
  pending = args ?? {};
});
host.on("tool-result", (result) => {
  const answer = read(result);
  views.length = 0;
  if (answer.error) {
    main.replaceChildren(notice("alarm", "Request failed.", words(answer.error)));
    return;
  }
  views.push({ tool: toolOf(answer, pending), args: pending, answer });
  render();
});
host.on("tool-cancelled", () => main.replaceChildren(notice("", "Cancelled.", "No data was requested.")));
host.on("context", render);
host.begin("Activity");
