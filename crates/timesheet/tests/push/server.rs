//! A server on this machine that simulates the documented APIs of Harvest and Kimai, with their rules, messages and
//! limits. It also simulates network failures. The black-box tests use it too.
//!
//! The server has its own clock. This clock advances only while a client waits, or when a test advances it.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDateTime, TimeDelta, Timelike, Utc};
use dayledger_timesheet::push::Clock;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::{Method, Response};
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// The token of the first user. An administrator of the Harvest account, so Harvest shows them all entries.
pub(crate) const TOKEN: &str = "7.pt.not-a-real-token-0123456789";
/// The token of another user.
pub(crate) const OTHER_TOKEN: &str = "8.pt.not-a-real-token-9876543210";
/// The ID of the user to whom [`TOKEN`] belongs.
pub(crate) const USER: i64 = 17;
/// The ID of the user to whom [`OTHER_TOKEN`] belongs.
const OTHER_USER: i64 = 18;
/// The account at Harvest that the server accepts.
pub(crate) const ACCOUNT: &str = "1234567";
/// Harvest's documented limit: the maximum number of requests, and the period in seconds to which it applies.
const HARVEST_LIMIT: (usize, i64) = (100, 15);

/// A failure of one request that creates an entry.
#[derive(Clone)]
pub(crate) enum ServerFailure {
    /// The server returns this status without creating the entry.
    Status(u16),
    /// The server creates the entry, but then returns this status, as a proxy does.
    StatusAfter(u16),
    /// The server reports too many requests, with this text in the header `Retry-After`.
    Busy(&'static str),
    /// The connection is closed before the entry is created.
    Drop,
    /// The connection is closed after the entry was created.
    DropAfter,
    /// The server never responds, and doesn't create the entry.
    Silence,
    /// The server creates the entry, but never responds.
    SilenceAfter,
    /// The connection is closed, and the entry is created after this time.
    Late(Duration),
    /// The connection is closed after the entry was created. From then on, the server returns the status 503.
    Outage,
    /// The server refuses the token, with a message that contains the token.
    Echo,
    /// This isn't a failure: the hook runs, and then the entry is created.
    Before(Hook),
    /// This isn't a failure: the entry is created, then the hook runs, and then the server responds.
    After(Hook),
}

/// A function that runs when a request arrives.
pub(crate) type Hook = Arc<dyn Fn() + Send + Sync>;

/// The settings of a server that its administrator can change.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub(crate) struct ServerSettings {
    /// The message with which all entries of a day are refused, for example because the day is locked.
    pub(crate) locked: Option<(&'static str, &'static str)>,
    /// Kimai rounds times down to this many minutes.
    pub(crate) rounding_minutes: Option<i64>,
    /// Kimai refuses entries that overlap in time.
    pub(crate) refuses_overlaps: bool,
    /// Kimai ignores tags that don't exist, because the user can't create tags.
    pub(crate) ignores_tags: bool,
    /// Kimai doesn't let the user set whether hours are billable.
    pub(crate) forbids_billable: bool,
    /// Kimai's project of Northwind has ended, and has a successor with the same name. Both accept hours on their own
    /// days.
    pub(crate) has_ended_project: bool,
    /// The tasks of Northwind are hidden. They accept no hours, and aren't listed.
    pub(crate) hides_northwind: bool,
    /// Harvest limits the number of requests.
    pub(crate) limits_requests: bool,
    /// Harvest tracks time by start and end.
    pub(crate) tracks_times: bool,
    /// The status of every response, such as 403.
    pub(crate) refusal: Option<u16>,
}

#[derive(Default)]
struct State {
    settings: ServerSettings,
    now: DateTime<Utc>,
    waits: Vec<Duration>,
    entries: Vec<Value>,
    /// The requests so far, each as `METHOD path`.
    requests: Vec<String>,
    times_of_requests: Vec<DateTime<Utc>>,
    failures: Vec<ServerFailure>,
    /// Requests for entries that will be created later.
    late: Vec<(DateTime<Utc>, Request)>,
}

#[derive(Clone)]
struct Request {
    method: Method,
    path: String,
    query: BTreeMap<String, String>,
    body: Value,
    /// The user to whom the token belongs.
    user: i64,
}

/// A running server. The server stops when this value is dropped.
pub(crate) struct TrackerServer {
    state: Arc<Mutex<State>>,
    address: SocketAddr,
    server: tokio::task::JoinHandle<()>,
}

impl Drop for TrackerServer {
    fn drop(&mut self) {
        self.server.abort();
    }
}

impl TrackerServer {
    /// Starts a server on a free port of this machine.
    pub(crate) async fn start() -> Self {
        let now = DateTime::from_timestamp(1_761_000_000, 0).unwrap();
        let state = Arc::new(Mutex::new(State { now, ..State::default() }));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = tokio::spawn({
            let state = Arc::clone(&state);
            async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let state = Arc::clone(&state);
                    let service = hyper::service::service_fn(move |request| answer(Arc::clone(&state), request));
                    let stream = hyper_util::rt::TokioIo::new(stream);
                    // An error means that a simulated failure has closed the connection.
                    tokio::spawn(async move {
                        let _ = hyper::server::conn::http1::Builder::new().serve_connection(stream, service).await;
                    });
                }
            }
        });
        Self { state, address, server }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the clock of the server.
    pub(crate) fn clock(&self) -> ServerClock {
        ServerClock(Arc::clone(&self.state))
    }

    /// Returns the duration of each wait of the clients.
    pub(crate) fn waits(&self) -> Vec<Duration> {
        self.state.lock().unwrap().waits.clone()
    }

    /// Advances the clock of the server.
    pub(crate) fn advance(&self, duration: Duration) {
        self.state.lock().unwrap().advance(duration);
    }

    /// Adds a failure to a queue. Each request that creates an entry takes the first failure from the queue.
    pub(crate) fn fail_next(&self, failure: ServerFailure) {
        self.state.lock().unwrap().failures.push(failure);
    }

    pub(crate) fn change_settings(&self, change: impl FnOnce(&mut ServerSettings)) {
        change(&mut self.state.lock().unwrap().settings);
    }

    /// Returns all entries in the form of the API, in the order in which they were created.
    pub(crate) fn entries(&self) -> Vec<Value> {
        self.state.lock().unwrap().entries.clone()
    }

    /// Changes the entries, as a person does in the tracker.
    pub(crate) fn change_entries(&self, change: impl FnOnce(&mut Vec<Value>)) {
        change(&mut self.state.lock().unwrap().entries);
    }

    /// Returns the number of requests whose method and path start with this text.
    pub(crate) fn count(&self, start: &str) -> usize {
        self.state.lock().unwrap().requests.iter().filter(|request| request.starts_with(start)).count()
    }
}

/// The clock of a server. Waiting advances this clock, but takes no real time.
#[derive(Clone)]
pub(crate) struct ServerClock(Arc<Mutex<State>>);

#[async_trait]
impl Clock for ServerClock {
    fn now(&self) -> DateTime<Utc> {
        self.0.lock().unwrap().now
    }

    async fn wait(&self, duration: Duration, _why: &str) {
        let mut state = self.0.lock().unwrap();
        state.waits.push(duration);
        state.advance(duration);
    }
}

impl fmt::Debug for ServerClock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ServerClock")
    }
}

async fn answer(state: Arc<Mutex<State>>, request: hyper::Request<Incoming>) -> io::Result<Response<Full<Bytes>>> {
    let header = |name: &str| request.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    let (token, account, agent) = (header("authorization"), header("harvest-account-id"), header("user-agent"));
    let uri = request.uri().clone();
    let decode = |text: &str| percent_decode_str(&text.replace('+', " ")).decode_utf8().unwrap().into_owned();
    let query = uri.query().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    let query = query.map(|(name, value)| (decode(name), decode(value))).collect();
    let (method, path) = (request.method().clone(), uri.path().to_owned());
    let body = request.into_body().collect().await.map_err(io::Error::other)?.to_bytes();
    let body = if body.is_empty() { Value::Null } else { serde_json::from_slice(&body).unwrap() };
    let bearer = |token: &str| format!("Bearer {token}");
    let user = [(TOKEN, USER), (OTHER_TOKEN, OTHER_USER)].into_iter().find(|(known, _)| token == Some(bearer(known)));
    let request = Request { method, path, query, body, user: user.map_or(0, |(_, user)| user) };

    let failure = {
        let mut state = state.lock().unwrap();
        state.requests.push(format!("{} {}", request.method, request.path));
        let is_harvest = request.path.starts_with("/v2/");
        if let Some(status) = state.settings.refusal {
            return Ok(response(status, &json!({"message": "Refused for this test"})));
        }
        if user.is_none() {
            return Ok(response(401, &json!({"message": "Invalid credentials."})));
        }
        if is_harvest {
            assert!(agent.is_some_and(|agent| agent.starts_with("dayledger/")), "Harvest wants to know the program");
            if account.as_deref() != Some(ACCOUNT) {
                return Ok(response(404, &json!({"message": "Account not found"})));
            }
            if let Some(seconds) = state.count_harvest_request() {
                return Ok(busy(&seconds.to_string()));
            }
        }
        let creates = request.method == Method::POST && !state.failures.is_empty();
        creates.then(|| state.failures.remove(0))
    };
    let carry_out = || state.lock().unwrap().carry_out(&request);
    let closed = || Err(io::ErrorKind::ConnectionAborted.into());
    match failure {
        None => Ok(carry_out()),
        Some(ServerFailure::Status(status)) => Ok(response(status, &json!({"message": "Simulated"}))),
        Some(ServerFailure::StatusAfter(status)) => {
            carry_out();
            Ok(response(status, &Value::Null))
        }
        Some(ServerFailure::Busy(seconds)) => Ok(busy(seconds)),
        Some(ServerFailure::Drop) => closed(),
        Some(ServerFailure::DropAfter) => {
            carry_out();
            closed()
        }
        Some(ServerFailure::Silence) => std::future::pending().await,
        Some(ServerFailure::SilenceAfter) => {
            carry_out();
            std::future::pending().await
        }
        Some(ServerFailure::Late(delay)) => {
            let mut state = state.lock().unwrap();
            let due = state.now + delay;
            state.late.push((due, request));
            closed()
        }
        Some(ServerFailure::Outage) => {
            carry_out();
            state.lock().unwrap().settings.refusal = Some(503);
            closed()
        }
        Some(ServerFailure::Echo) => {
            Ok(response(401, &json!({"message": format!("Token {TOKEN} ({}) is revoked", &TOKEN[3..])})))
        }
        Some(ServerFailure::Before(hook)) => {
            hook();
            Ok(carry_out())
        }
        Some(ServerFailure::After(hook)) => {
            let answer = carry_out();
            hook();
            Ok(answer)
        }
    }
}

impl State {
    fn advance(&mut self, duration: Duration) {
        self.now += TimeDelta::from_std(duration).unwrap();
        let (due, late) = std::mem::take(&mut self.late).into_iter().partition(|(due, _)| *due <= self.now);
        self.late = late;
        for (_, request) in due {
            let due: &Request = &request;
            self.carry_out(due);
        }
    }

    /// Counts a request. If there are too many requests, returns the number of seconds to wait.
    fn count_harvest_request(&mut self) -> Option<i64> {
        let (limit, seconds) = HARVEST_LIMIT;
        let start = self.now - TimeDelta::seconds(seconds);
        self.times_of_requests.retain(|time| *time > start);
        if !self.settings.limits_requests || self.times_of_requests.len() < limit {
            self.times_of_requests.push(self.now);
            return None;
        }
        Some((self.times_of_requests[0] - start).num_seconds().max(1))
    }

    fn carry_out(&mut self, request: &Request) -> Response<Full<Bytes>> {
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/v2/company") => ok(&json!({"wants_timestamp_timers": self.settings.tracks_times})),
            ("GET", "/v2/users/me" | "/api/users/me") => ok(&json!({"id": request.user})),
            ("GET", "/v2/users/me/project_assignments") => {
                let mut page = assignments(&request.query);
                if self.settings.hides_northwind && request.query["page"] == "1" {
                    page["project_assignments"] = json!([]);
                }
                ok(&page)
            }
            ("GET", "/v2/time_entries") => {
                let (id, user) = (&request.query["external_reference_id"], request.query.get("user_id"));
                let is_found = |entry: &&Value| {
                    let of_user = user.is_none_or(|user| user.parse().ok() == entry["user"]["id"].as_i64());
                    of_user && entry["external_reference"]["id"] == json!(id)
                };
                let found = self.entries.iter().filter(is_found);
                ok(&json!({"time_entries": found.collect::<Vec<_>>(), "next_page": null}))
            }
            ("POST", "/v2/time_entries") => self.create_in_harvest(&request.body, request.user),
            ("GET", "/api/projects") => ok(&self.kimai_projects(request.query.contains_key("ignoreDates"))),
            ("GET", "/api/activities") => ok(&json!([
                {"id": 8, "name": "Billing", "project": null, "billable": true},
                {"id": 9, "name": "Billing", "project": 4, "billable": true},
                {"id": 10, "name": "Stock", "project": null, "billable": true},
            ])),
            ("GET", "/api/timesheets") => {
                let is_found = |entry: &&Value| {
                    let begin = entry["begin"].as_str().unwrap()[..19].to_owned();
                    entry["user"] == json!(request.user)
                        && begin >= request.query["begin"]
                        && begin <= request.query["end"]
                };
                ok(&json!(self.entries.iter().filter(is_found).collect::<Vec<_>>()))
            }
            ("POST", "/api/timesheets") => self.create_in_kimai(&request.body, request.user),
            _ => response(404, &json!({"message": "Not found"})),
        }
    }

    /// See the page about time entries in the documentation of Harvest's API.
    fn create_in_harvest(&mut self, body: &Value, user: i64) -> Response<Full<Bytes>> {
        assert!(body["hours"].is_number(), "without hours, Harvest starts a timer");
        let day = body["spent_date"].as_str().unwrap();
        if let Some((_, message)) = self.settings.locked.filter(|(locked, _)| *locked == day) {
            return response(422, &json!({"message": message}));
        }
        let mut entry = body.clone();
        (entry["id"], entry["user"]) = (json!(self.entries.len() + 636_709_355), json!({"id": user}));
        self.entries.push(entry.clone());
        response(201, &entry)
    }

    /// Returns the visible projects. Unless `ignores_dates`, leaves out projects that have ended.
    fn kimai_projects(&self, ignores_dates: bool) -> Value {
        let project = |id: u32, name: &str, client: &str| {
            json!({
                "id": id, "name": name, "parentTitle": client, "billable": client != "Harbour Foods",
                "globalActivities": true, "start": null, "end": null,
            })
        };
        let mut projects = vec![project(5, "Stock", "Harbour Foods"), project(6, "NW", "Another client")];
        let mut northwind = project(4, "NW", "Northwind Ltd");
        if self.settings.has_ended_project {
            northwind["end"] = json!("2025-10-20");
            let mut successor = project(7, "NW", "Northwind Ltd");
            successor["start"] = json!("2025-10-21");
            projects.push(successor);
        }
        if !self.settings.hides_northwind && (ignores_dates || northwind["end"].is_null()) {
            projects.push(northwind);
        }
        json!(projects)
    }

    /// See Kimai's form for time entries.
    fn create_in_kimai(&mut self, body: &Value, user: i64) -> Response<Full<Bytes>> {
        let mut form = vec!["begin", "end", "project", "activity", "description", "tags"];
        if !self.settings.forbids_billable {
            form.push("billable");
        }
        // Kimai lists all fields of its form. A message without a field belongs to the whole form.
        let invalid = |field: Option<&str>, message: &str| {
            let errors_of = |name| if field == name { json!({"errors": [message]}) } else { json!({}) };
            let fields: serde_json::Map<_, _> =
                form.iter().map(|name| ((*name).to_owned(), errors_of(Some(*name)))).collect();
            let of_form = if field.is_none() { json!([message]) } else { json!([]) };
            let errors = json!({"errors": of_form, "children": fields});
            response(400, &json!({"code": 400, "message": "Validation Failed", "errors": errors}))
        };
        if body.as_object().unwrap().keys().any(|name| !form.contains(&name.as_str())) {
            return invalid(None, "This form should not contain extra fields.");
        }
        let time = |name: &str| NaiveDateTime::parse_from_str(body[name].as_str().unwrap(), "%Y-%m-%dT%H:%M:%S");
        let (Ok(begin), Ok(end)) = (time("begin"), time("end")) else {
            return invalid(Some("begin"), "Enter a valid date and time.");
        };
        if let Some((_, message)) = self.settings.locked.filter(|(day, _)| *day == begin.date().to_string()) {
            return invalid(Some("begin"), message);
        }
        let round = |time: NaiveDateTime| {
            let seconds = i64::from(time.num_seconds_from_midnight());
            let unit = self.settings.rounding_minutes.unwrap_or(0) * 60;
            if unit == 0 { time } else { time - TimeDelta::seconds(seconds % unit) }
        };
        let zoned = |time: NaiveDateTime| format!("{}+0100", time.format("%Y-%m-%dT%H:%M:%S"));
        let (begin, end) = (zoned(round(begin)), zoned(round(end)));
        let overlaps = |entry: &Value| {
            let text = |name: &str| entry[name].as_str().unwrap();
            text("begin") < &*end && &*begin < text("end")
        };
        if self.settings.refuses_overlaps && self.entries.iter().any(overlaps) {
            return invalid(Some("begin"), "You already have an entry for this time.");
        }
        let mut entry = body.clone();
        let tags: Vec<_> = body["tags"].as_str().unwrap().split(',').filter(|_| !self.settings.ignores_tags).collect();
        (entry["begin"], entry["end"], entry["tags"]) = (json!(begin), json!(end), json!(tags));
        (entry["id"], entry["user"]) = (json!(self.entries.len() + 71), json!(user));
        self.entries.push(entry.clone());
        ok(&entry)
    }
}

/// Returns a page of projects with tasks. There are two pages.
fn assignments(query: &BTreeMap<String, String>) -> Value {
    let project = |id: u32, client: &str, name: &str, tasks: &[(u32, &str)]| {
        let tasks = tasks.iter().map(
            |(id, name)| json!({"id": id + 100, "is_active": true, "billable": true, "task": {"id": id, "name": name}}),
        );
        json!({
            "id": id + 1000, "is_active": true, "project": {"id": id, "name": name, "code": "x"},
            "client": {"id": id + 2000, "name": client}, "task_assignments": tasks.collect::<Vec<_>>(),
        })
    };
    assert_eq!(query["per_page"], "2000");
    if query["page"] == "1" {
        let projects = [project(14, "Northwind Ltd", "NW", &[(8, "Billing")])];
        return json!({"project_assignments": projects, "next_page": 2});
    }
    assert_eq!(query["page"], "2", "no other page was announced");
    let projects = [project(15, "Harbour Foods", "Stock", &[(8, "Billing"), (9, "Stock")])];
    json!({"project_assignments": projects, "next_page": null})
}

fn ok(body: &Value) -> Response<Full<Bytes>> {
    response(200, body)
}

fn busy(seconds: &str) -> Response<Full<Bytes>> {
    let mut response = response(429, &Value::Null);
    response.headers_mut().insert("retry-after", seconds.parse().unwrap());
    response
}

fn response(status: u16, body: &Value) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body.to_string())));
    *response.status_mut() = status.try_into().unwrap();
    response
}
