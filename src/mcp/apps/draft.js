// The page of a timesheet draft. The user corrects rows and logs them with a button. A row is never logged twice,
// because the server knows the rows of each draft.

const NOTES = {
  noSuchProject: "No project is known by this name: choose one",
  inactiveProject: "No hours can be logged on this project: choose another",
  noSuchTask: "The project has no such task: choose one",
  noTask: "The task is unknown: choose one",
  unconfirmed: "Away from the computer and in no total: log it only if it was work",
};
const REASONS = {
  tooShort: "too short for a row",
  roundedAway: "rounded to zero",
};

const main = document.querySelector("main");
let draftArguments = {};
let draft;
let rows = [];
let projects = [];
let isBusy = false;
/** The Log button, and the elements next to it. Created with the page. */
let foot;

const canLog = () => host.hasTool("log_time");

// Rows

/** A row with the content of its fields and its result. */
function rowOf(drafted, day) {
  const start = {
    projectCode: textOf(drafted.projectCode),
    task: textOf(drafted.task),
    standardHours: String(numberOf(drafted.hours)),
    description: textOf(drafted.description),
    issueId: textOf(drafted.issueId),
  };
  const isReady = Boolean(start.projectCode && start.task) && !listOf(drafted.notes).length;
  return {
    drafted,
    day,
    start,
    now: { ...start },
    isTicked: isReady,
    isLogged: false,
    outcome: "",
    isAlarm: false,
    fields: {},
  };
}

/** The changed fields of a row, as arguments of `log_time`. A changed task is always passed with its project. */
function changesOf({ start, now }) {
  const isOther = (name) =>
    name === "standardHours" ? Number(now[name]) !== Number(start[name]) : now[name].trim() !== start[name].trim();
  const isElsewhere = isOther("projectCode") || isOther("task");
  const isPassed = (name) => isOther(name) || (isElsewhere && (name === "projectCode" || name === "task"));
  const value = (name) => (name === "standardHours" ? Number(now[name]) : now[name].trim());
  return Object.fromEntries(
    Object.keys(now)
      .filter(isPassed)
      .map((name) => [name, value(name)]),
  );
}

const hoursOf = (row) => Number(row.now.standardHours);

/** The field that a row lacks before it can be logged; empty if it is complete. */
function lackOf(row) {
  if (!row.now.projectCode.trim()) return "project";
  if (!row.now.task.trim()) return "task";
  if (row.now.standardHours.trim() === "" || !(hoursOf(row) > 0)) return "hours";
  const isAsDrafted = changesOf(row).projectCode === undefined;
  const obstacles = listOf(row.drafted.notes).filter((note) => note !== "unconfirmed");
  return isAsDrafted && obstacles.length ? "another project or task" : "";
}

// Fields

const projectOf = (code) => projects.find((project) => project.code === code);

function fillChoices(field, values, value, labels) {
  const all = values.includes(value) || !value ? values : [value, ...values];
  const options = [
    make("option", { value: "" }, "Choose …"),
    ...all.map((one) => make("option", { value: one }, labels(one))),
  ];
  field.replaceChildren(...options);
  field.value = value;
}

/** A field of a row: a list if the values are known, otherwise a text field. */
function fieldOf(row, name, title, attributes = {}) {
  const isList = (name === "projectCode" || name === "task") && projects.length > 0;
  const tag = isList ? "select" : name === "description" ? "textarea" : "input";
  const field = make(tag, { ...attributes, name });
  if (!isList) field.value = row.now[name];
  row.fields[name] = field;
  field.addEventListener(isList ? "change" : "input", () => {
    row.now[name] = field.value;
    if (name === "projectCode" && isList) {
      const tasks = listOf(projectOf(field.value)?.tasks);
      if (!tasks.includes(row.now.task)) row.now.task = tasks.length === 1 ? tasks[0] : "";
    }
    if (isList) row.isTicked = !lackOf(row);
    refresh(row);
    updateTotal();
  });
  return make("label", { class: name }, make("span", {}, title), field);
}

/** Updates a row's fields from its values. */
function refresh(row) {
  const { fields, now, start } = row;
  if (projects.length && fields.projectCode) {
    const nameOf = (code) =>
      projectOf(code) ? [code, textOf(projectOf(code).name)].filter(Boolean).join(" · ") : code;
    fillChoices(
      fields.projectCode,
      projects.map((project) => project.code),
      now.projectCode,
      nameOf,
    );
    fillChoices(fields.task, listOf(projectOf(now.projectCode)?.tasks), now.task, (task) => task);
  }
  for (const [name, field] of Object.entries(fields)) {
    field.classList.toggle("changed", now[name].trim() !== start[name].trim());
    field.disabled = isBusy || !canLog();
  }
  const lack = lackOf(row);
  fields.projectCode?.classList.toggle("wanted", lack === "project" || lack.startsWith("another"));
  fields.task?.classList.toggle("wanted", lack === "task");
  fields.standardHours?.classList.toggle("wanted", lack === "hours");
  row.box.checked = row.isTicked;
  row.box.disabled = isBusy || Boolean(lack);
  if (lack) row.isTicked = row.box.checked = false;
}

/** The times of a row, and the reason for its project. */
function reasonsOf({ drafted }) {
  const times = listOf(drafted.times).map(textOf).join(", ").replaceAll("-", "–");
  const more = drafted.moreTimes ? `, and ${count(drafted.moreTimes, "more period", "more periods")}` : "";
  const away = awayPart(drafted.awayMinutes);
  const said = [
    times ? `${times}${more}` : "",
    away ? `${length(drafted.minutes)} (${away})` : `${length(drafted.minutes)} active`,
    listOf(drafted.activity).map(textOf).join(", "),
    drafted.loggedMinutes ? `${length(drafted.loggedMinutes)} already logged for this task` : "",
    listOf(drafted.namedBy).map(textOf).join("; ") || "no match",
    drafted.confidence ? `confidence ${drafted.confidence} %` : "",
  ];
  return make(
    "p",
    { class: "why" },
    said.filter(Boolean).map((part) => make("span", {}, part)),
  );
}

function element(row) {
  const { drafted } = row;
  if (row.isLogged) {
    const name = [row.now.projectCode, row.now.task].join(" / ");
    return make(
      "div",
      { class: "row logged" },
      make("span", { class: "tick", "aria-hidden": "true" }, "✓"),
      make(
        "div",
        {},
        make(
          "p",
          { class: "kept" },
          make("b", {}, `${hoursText(hoursOf(row))} ${name}`),
          row.now.description ? ` ${row.now.description}` : "",
        ),
        make("p", { class: "outcome done", role: "status" }, row.outcome),
      ),
    );
  }
  const name = row.now.projectCode ? `${row.now.projectCode} ${row.now.task}` : "a row without a project";
  row.box = make("input", {
    type: "checkbox",
    "aria-label": `Log ${name} on ${date(row.day)}`,
    onchange: () => {
      row.isTicked = row.box.checked;
      updateTotal();
    },
  });
  row.fields = {};
  const notes = listOf(drafted.notes).map((note) => make("p", { class: "why alarm" }, NOTES[note] ?? String(note)));
  const fields = make(
    "div",
    { class: "fields" },
    fieldOf(row, "projectCode", "Project", { maxlength: "10" }),
    fieldOf(row, "task", "Task", { maxlength: "100" }),
    fieldOf(row, "standardHours", "Hours", { type: "number", min: "0", max: "24", step: "0.25", inputmode: "decimal" }),
    fieldOf(row, "issueId", "Ticket", { maxlength: "30", placeholder: "Ticket" }),
    fieldOf(row, "description", "Description", { rows: "1", placeholder: "Description" }),
  );
  const whole = make(
    "fieldset",
    { class: "row" },
    make("legend", { class: "unseen" }, `${name}, ${date(row.day)}`),
    row.box,
    make(
      "div",
      {},
      fields,
      notes,
      reasonsOf(row),
      make(
        "p",
        { class: `outcome${row.isAlarm ? " alarm" : ""}`, role: row.isAlarm ? "alert" : undefined },
        row.outcome,
      ),
    ),
  );
  refresh(row);
  return whole;
}

/** Renders a row again in place. */
function replace(row) {
  const now = element(row);
  row.element.replaceWith(now);
  row.element = now;
}

// The page

function days() {
  return listOf(draft.days).map((drafted) => {
    const day = instant(drafted.day);
    const own = rows.filter((row) => row.day === day);
    for (const row of own) row.element = element(row);
    const rests = listOf(drafted.leftOut).map(
      (rest) => `${length(rest.minutes)} ${REASONS[rest.reason] ?? textOf(rest.reason)}`,
    );
    const logged = drafted.loggedMinutes ? ` · ${length(drafted.loggedMinutes)} already logged` : "";
    const away = awayPart(drafted.awayMinutes);
    const time = `${length(drafted.activeMinutes)} of active time${away && ` and ${away}`}${logged}`;
    const isOnly = draft.days.length === 1;
    return make(
      "section",
      {},
      make(
        "div",
        { class: `date${isOnly ? " unseen" : ""}` },
        make("h2", {}, date(day, { long: true })),
        make("p", {}, `${hoursText(drafted.hours)} drafted from ${time}`),
      ),
      own.map((row) => row.element),
      rests.length ? make("p", { class: "rest" }, `Not included: ${rests.join(", ")}`) : undefined,
    );
  });
}

function gapNotice() {
  const all = listOf(draft.beyondEvidence);
  if (!all.length) return undefined;
  const lines = all.map(
    (one) => `${textOf(one.startDate)} ${textOf(one.projectCode)} / ${textOf(one.task)}: ${length(one.minutes)}`,
  );
  return notice("", "Hours not backed by activity:", `${lines.join("; ")}.`);
}

function render() {
  if (!draft) return;
  const [first, last] = [draft.days?.[0], draft.days?.[draft.days.length - 1]].map((day) => instant(day?.day));
  const title = first === undefined ? "Nothing to draft" : `Draft for ${range(first, last + DAY)}`;
  const figures = [
    ["Drafted", hoursText(draft.hours)],
    ["Active time", length(draft.activeMinutes)],
    ["Away", awayLength(draft.awayMinutes)],
    ["Already logged", numberOf(draft.loggedMinutes) > 0 && length(draft.loggedMinutes)],
    ["Not included", numberOf(draft.leftOutMinutes) > 0 && length(draft.leftOutMinutes)],
  ].filter(([, value]) => value);
  const { truncation } = draft;
  const shown = `${rows.length} of ${count(numberOf(truncation?.totalAvailable), "row", "rows")}`;
  const why = "size limit of responses. Totals are complete; draft fewer days to see the other rows.";
  const cut = truncation?.truncated && notice("cut", "Incomplete draft.", `${shown}: ${why}`);
  const button = make("button", { class: "main", onclick: log }, "");
  const again = host.hasTool("suggest_time_entries") && make("button", { onclick: draftAgain }, "Draft again");
  foot = { button, again, status: make("p", { role: "status" }) };
  const isWritable = canLog() && rows.length > 0;
  const none =
    !rows.length &&
    notice(
      "",
      "Nothing left to log.",
      numberOf(draft.loggedMinutes) > 0
        ? "All activity is logged already."
        : "There is no activity to log.",
    );
  main.replaceChildren(
    ...[
      make("div", { class: "top" }, make("h1", {}, title), make("div", {}, fillButton())),
      make(
        "dl",
        { class: "figures" },
        figures.map(([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value))),
      ),
      cut,
      none,
      gapNotice(),
      ...days(),
      rows.length > 0 &&
        !canLog() &&
        make("p", { class: "remark" }, "You can't log rows on this page. Ask in the chat instead."),
      (isWritable || again) && make("div", { class: "foot" }, foot.status, again, isWritable && button),
    ].filter(Boolean),
  );
  updateTotal();
}

/** Updates the total of the selected rows. */
function updateTotal() {
  const ticked = rows.filter((row) => row.isTicked && !row.isLogged);
  const open = rows.filter((row) => !row.isLogged).length - ticked.length;
  const hours = ticked.reduce((sum, row) => sum + hoursOf(row), 0);
  foot.button.textContent = ticked.length ? `Log ${count(ticked.length, "row", "rows")}, ${hoursText(hours)}` : "Log";
  foot.button.disabled = isBusy || !ticked.length;
  if (foot.again) foot.again.disabled = isBusy;
  const logged = rows.filter((row) => row.isLogged);
  const all = logged.reduce((sum, row) => sum + hoursOf(row), 0);
  const said = logged.length ? [`${hoursText(all)} logged`] : ["Nothing is logged until you press Log"];
  if (open) said.push(`${count(open, "row", "rows")} not selected`);
  foot.status.textContent = isBusy ? "Logging …" : `${said.join(" · ")}.`;
}

// Logging

/** The calls of `log_time`: one for all unchanged rows, and one for each changed row. */
function logCalls(ticked) {
  const asDrafted = ticked.filter((row) => !Object.keys(changesOf(row)).length);
  const corrected = ticked.filter((row) => !asDrafted.includes(row));
  return [asDrafted, ...corrected.map((row) => [row])].filter((group) => group.length);
}

/** Shows the result of a call next to each of its rows. */
function settle(group, answer) {
  const said = new Map(listOf(answer.rows).map((one) => [one.row, one]));
  const unassigned = new Set(listOf(answer.unassigned));
  for (const row of group) {
    const one = said.get(row.drafted.row);
    const error =
      answer.error ??
      one?.error ??
      (one?.id
        ? undefined
        : { message: unassigned.has(row.drafted.row) ? "it lacks a project or task" : "the server did not report it" });
    row.isAlarm = Boolean(error);
    if (error) {
      row.outcome = `Not logged. ${words(error)}`;
    } else {
      const wasChanged = Object.keys(changesOf(row)).length > 0;
      row.isLogged = true;
      row.id = one.id;
      row.wasLogged = Boolean(one.wasLogged);
      row.outcome = row.wasLogged ? `Already logged${wasChanged ? "; the earlier entry is unchanged" : ""}` : "Logged";
    }
    replace(row);
  }
}

async function log() {
  const ticked = rows.filter((row) => row.isTicked && !row.isLogged && !lackOf(row));
  isBusy = true;
  updateTotal();
  for (const row of rows.filter((row) => !row.isLogged)) refresh(row);
  const session = draft.session === undefined ? {} : { session: draft.session };
  for (const group of logCalls(ticked)) {
    const args = { draft: draft.draft, rows: group.map((row) => row.drafted.row), ...changesOf(group[0]), ...session };
    let answer;
    try {
      answer = read(await host.call("log_time", args));
    } catch (error) {
      answer = {
        error: {
          message: `${error.message}. It is unknown whether this was logged. Log it again: rows are never logged twice`,
        },
      };
    }
    settle(group, answer);
  }
  isBusy = false;
  for (const row of rows.filter((row) => !row.isLogged)) refresh(row);
  updateTotal();
  // The button was disabled, and a disabled element loses the focus.
  if (document.activeElement === document.body) (foot.button.disabled ? foot.again : foot.button)?.focus?.();
  await host.informModel(describeState());
}

/** The state of the draft for the model's next turn. It is complete each time, because it replaces the previous one. */
function describeState() {
  const line = (row) => {
    const where = `${row.now.projectCode} / ${row.now.task}`;
    return `- ${isoDay(row.day)} ${where}, ${hoursText(hoursOf(row))}, row ${row.drafted.row}`;
  };
  const entry = (row) => `${line(row)}, entry ${row.id}${row.wasLogged ? ", logged earlier" : ""}`;
  const refusal = (row) => `${line(row)}: ${row.outcome}`;
  const logged = rows.filter((row) => row.isLogged);
  const refused = rows.filter((row) => row.isAlarm && !row.isLogged);
  const left = rows.length - logged.length - refused.length;
  const parts = [`The user reviewed the draft ${draft.draft} on its page. Log none of its rows unless asked.`];
  if (logged.length) parts.push("Logged:", ...logged.map(entry));
  if (refused.length) parts.push("Refused:", ...refused.map(refusal));
  if (left) parts.push(`Not logged: ${count(left, "row", "rows")}`);
  return parts.join("\n");
}

// Responses

function show(answer) {
  if (answer.error) {
    draft = undefined;
    main.replaceChildren(notice("alarm", "No draft.", words(answer.error)));
    return;
  }
  const session = answer.session ?? draft?.session;
  draft = session === undefined ? answer : { ...answer, session };
  rows = listOf(draft.days).flatMap((day) => listOf(day.rows).map((row) => rowOf(row, instant(day.day))));
  render();
}

async function draftAgain() {
  isBusy = true;
  updateTotal();
  let answer;
  try {
    answer = read(await host.call("suggest_time_entries", draftArguments));
  } catch (error) {
    answer = { error: { message: error.message } };
  }
  isBusy = false;
  if (!answer.error) show(answer);
  else {
    updateTotal();
    main.append(notice("alarm", "Draft failed.", words(answer.error)));
  }
}

/** Loads the projects. Without them, the user types the project and task. */
async function learnProjects() {
  if (!host.hasTool("get_available_projects") || !canLog()) return;
  const answer = read(await host.call("get_available_projects", {}).catch(() => undefined));
  projects = listOf(answer.projects).filter((project) => textOf(project?.code));
  if (projects.length && !isBusy) render();
}

host.on("tool-input", ({ arguments: args }) => {
  draftArguments = args ?? {};
});
host.on("tool-result", (result) => {
  show(read(result));
  if (draft && rows.length && !projects.length) learnProjects();
});
host.on("tool-cancelled", () => main.replaceChildren(notice("", "Cancelled.", "Nothing was drafted.")));
host.on("context", ({ displayMode }) => {
  // Rendering again would discard what the user is typing, so do it only if the display mode changes.
  if (displayMode !== main.dataset.mode) render();
  main.dataset.mode = displayMode ?? "";
});
host.begin("Timesheet draft");
