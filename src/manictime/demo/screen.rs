//! What the screen shows during a session: windows, their titles, the page or file in them.
//!
//! **Owns** which application follows which, and for how long. **Does not own** when somebody is at the keyboard.
//! Invariant: windows of a session follow each other without overlap.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::cast::{APPS, CHANNELS, JUNK_SITES, LEISURE_PAGES, PROJECTS, Page, Project, Use, WORK_PAGES};
use super::day::{Doing, Session, Stretch};

/// A page or file in a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Page { host: &'static str, url: String },
    File { path: String },
}

/// A window in front, in seconds after midnight.
#[derive(Clone, Debug)]
pub(super) struct Window {
    pub(super) start: i64,
    pub(super) end: i64,
    /// Index into [`APPS`].
    pub(super) app: usize,
    pub(super) title: String,
    pub(super) content: Option<Content>,
    /// Whether ManicTime linked the content to the window; now and then it does not.
    pub(super) linked: bool,
}

/// What shapes the windows of a session.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habits {
    pub(super) on_laptop: bool,
    /// How long a window stays on average, in milliseconds.
    pub(super) mean_window: i64,
    /// Where numbers of issues and threads have got to.
    pub(super) issue: i64,
}

/// How long windows stay, in percent of the mean: most are short, few are long. The mean of the table is 100.
const STAYS: [i64; 10] = [8, 12, 20, 30, 45, 65, 90, 130, 200, 400];

/// What is used in each kind of stretch, with weights.
const FOCUS: [(Use, u32); 12] = [
    (Use::Editor, 40),
    (Use::Browser, 22),
    (Use::Terminal, 13),
    (Use::Database, 5),
    (Use::ApiClient, 3),
    (Use::Containers, 2),
    (Use::Design, 2),
    (Use::Outline, 4),
    (Use::Reader, 2),
    (Use::Sheet, 3),
    (Use::Folder, 2),
    (Use::Small, 2),
];
const OFFICE: [(Use, u32); 9] = [
    (Use::Mail, 34),
    (Use::Chat, 18),
    (Use::Browser, 16),
    (Use::Sheet, 10),
    (Use::Letter, 8),
    (Use::Folder, 5),
    (Use::Reader, 4),
    (Use::Slides, 3),
    (Use::Small, 2),
];
const MEETING: [(Use, u32); 6] =
    [(Use::Call, 60), (Use::Outline, 12), (Use::Browser, 9), (Use::Slides, 6), (Use::Sheet, 4), (Use::Chat, 9)];
const LEISURE: [(Use, u32); 3] = [(Use::Browser, 80), (Use::Music, 12), (Use::Chat, 8)];

/// Returns the windows of a session, in order.
pub(super) fn windows(session: &Session, habits: Habits, rng: &mut Pcg64Mcg) -> Vec<Window> {
    let mut screen = Screen { windows: Vec::new(), habits, thread: 0, rng };
    for stretch in &session.stretches {
        match stretch.doing {
            Doing::Focus(project) => screen.fill(*stretch, &FOCUS, project),
            Doing::Office(project) => screen.fill(*stretch, &OFFICE, project),
            Doing::Meeting(project) => screen.fill(*stretch, &MEETING, project),
            Doing::Leisure => screen.fill(*stretch, &LEISURE, PROJECTS.len() - 1),
            Doing::Away => screen.stay_on(*stretch),
            Doing::Locked => screen.lock(*stretch),
        }
    }
    screen.windows
}

struct Screen<'a> {
    windows: Vec<Window>,
    habits: Habits,
    /// What the stretch is about: the same few files and one topic come back while it lasts.
    thread: usize,
    rng: &'a mut Pcg64Mcg,
}

impl Screen<'_> {
    fn fill(&mut self, stretch: Stretch, uses: &[(Use, u32)], project: usize) {
        let mut at = stretch.start;
        self.thread = self.rng.random_range(0..1_000);
        while at < stretch.end {
            let used_for = self.weighted(uses);
            let app = self.app_for(used_for, project);
            let at_leisure = stretch.doing == Doing::Leisure;
            for _ in 0..self.rng.random_range(1..=5) {
                let (title, content) = self.shown(app, project, at_leisure);
                if self.windows.last().is_some_and(|last| last.app == app && last.title == title) {
                    // A window that stays is one row, not two: on to something else.
                    break;
                }
                at = self.show(at, stretch.end, app, title, content);
                at = self.glance_at_chat(at, stretch.end, used_for, project);
            }
        }
    }

    /// Puts a window in front for a while and returns when the next one comes.
    fn show(&mut self, at: i64, limit: i64, app: usize, title: String, content: Option<Content>) -> i64 {
        if at >= limit {
            return at;
        }
        let stay = STAYS[self.rng.random_range(0..STAYS.len())] * self.rng.random_range(80..=120_i64);
        // In a call the window rests.
        let calm = if APPS[app].used_for == Use::Call { 4 } else { 1 };
        let end = (at + (self.habits.mean_window * stay * calm / 10_000_000).max(1)).min(limit);
        let linked = !self.rng.random_ratio(1, 40);
        self.windows.push(Window { start: at, end, app, title, content, linked });
        // Now and then no window is in front for a moment.
        if self.rng.random_ratio(1, 60) { (end + self.rng.random_range(1..=3)).min(limit) } else { end }
    }

    /// Interrupts work for some seconds, and returns to the same window.
    fn glance_at_chat(&mut self, at: i64, limit: i64, used_for: Use, project: usize) -> i64 {
        let working = matches!(used_for, Use::Editor | Use::Browser | Use::Sheet | Use::Letter);
        if !working || at >= limit || !self.rng.random_ratio(1, 9) {
            return at;
        }
        let Some(interrupted) = self.windows.last().cloned() else { return at };
        let app = self.app_for(Use::Chat, project);
        let (title, content) = self.shown(app, project, false);
        let longest = (self.habits.mean_window / 2_400).clamp(2, 26);
        let end = (at + self.rng.random_range(longest.min(4)..=longest)).min(limit);
        self.windows.push(Window { start: at, end, app, title, content, linked: true });
        self.show(end, limit, interrupted.app, interrupted.title, interrupted.content)
    }

    /// Nobody is there: the last window often goes on, for a part of the time or all of it.
    fn stay_on(&mut self, stretch: Stretch) {
        let end = match self.rng.random_range(0..10) {
            0..3 => stretch.end,
            3..6 => self.rng.random_range(stretch.start..=stretch.end),
            _ => return,
        };
        if let Some(window) = self.windows.last_mut().filter(|window| window.end == stretch.start) {
            window.end = end;
        }
    }

    fn lock(&mut self, stretch: Stretch) {
        if self.rng.random_ratio(1, 2) {
            let app = self.app_for(Use::LockScreen, 0);
            let title = self.name_on_device(app).to_owned();
            let Stretch { start, end, .. } = stretch;
            self.windows.push(Window { start, end, app, title, content: None, linked: true });
        }
    }

    fn weighted(&mut self, uses: &[(Use, u32)]) -> Use {
        let mut left = self.rng.random_range(0..uses.iter().map(|(_, weight)| weight).sum());
        for (used_for, weight) in uses {
            if left < *weight {
                return *used_for;
            }
            left -= weight;
        }
        Use::Browser
    }

    fn app_for(&mut self, used_for: Use, project: usize) -> usize {
        let mut apps = (0..APPS.len()).filter(|app| APPS[*app].used_for == used_for);
        let first = apps.next().unwrap_or(0);
        let others = apps.count();
        // The applications of one use stand together in the list.
        let favourite = match used_for {
            Use::Editor => [1, 2, 0, 0].get(project).copied().unwrap_or(0),
            Use::Browser | Use::Terminal if self.habits.on_laptop => others,
            _ => 0,
        };
        first + if self.rng.random_ratio(5, 6) { favourite } else { self.rng.random_range(0..=others) }
    }

    /// Returns title and content of a window.
    fn shown(&mut self, app: usize, project: usize, at_leisure: bool) -> (String, Option<Content>) {
        let work = &PROJECTS[project];
        let repository = work.repository;
        let topic = self.topic(work);
        let channel = self.one_of(&CHANNELS);
        let title = match APPS[app].used_for {
            Use::Editor => return self.source(app, work),
            Use::Browser => return self.page(app, work, at_leisure),
            Use::Sheet => return self.paper(project, ".xlsx", "Excel"),
            Use::Letter => return self.paper(project, ".docx", "Word"),
            Use::Slides => return self.paper(project, ".pptx", "PowerPoint"),
            Use::Reader => return self.paper(project, ".pdf", APPS[app].name),
            Use::Terminal => match self.rng.random_range(0..4) {
                0 => format!("{repository}: tests"),
                1 => "git log".to_owned(),
                2 => format!("ssh deploy@{repository}-staging"),
                _ => format!(r"C:\Users\alex\source\repos\{repository}"),
            },
            Use::Database if self.rng.random_ratio(1, 2) => format!("{repository} - <postgres> Script-3 - DBeaver"),
            Use::Database => format!("{repository} - invoices - DBeaver"),
            Use::ApiClient => format!("{repository} / {} - Bruno", self.one_of(&["login", "list", "create"])),
            Use::Containers => "Containers - Docker Desktop".to_owned(),
            Use::Mail => match self.rng.random_range(0..4) {
                0 | 1 => format!("Inbox - alex@alexbuilds.example - {}", APPS[app].name.replace("Microsoft ", "")),
                2 => format!("RE: {topic} - Message (HTML)"),
                _ => "Calendar - alex@alexbuilds.example - Outlook".to_owned(),
            },
            Use::Chat if APPS[app].name == "Signal" => "Signal".to_owned(),
            Use::Chat => format!("{channel} - Alex Builds - Slack"),
            Use::Call if APPS[app].name == "Zoom Meetings" => "Zoom Meeting".to_owned(),
            Use::Call => {
                let name = ["Weekly sync", "Review", "Planning", "Questions"][self.thread % 4];
                let view = self.one_of(&["", "", "Chat | ", "Sharing | "]);
                format!("{view}{name} {} | Microsoft Teams", work.client)
            }
            Use::Design => format!("{repository} screens – Figma"),
            Use::Outline => {
                let note = self.one_of(&["Daily note", "Decisions", "Open questions", "Meeting notes"]);
                format!("{note} - {} - {}", work.client, APPS[app].name)
            }
            Use::Folder => self.one_of(&["Downloads", "Documents", "repos", "clients", "Screenshots"]).to_owned(),
            Use::Music => {
                self.one_of(&["Spotify Premium", "Tide Lines – Slow Water", "Grey Harbour – Lantern"]).to_owned()
            }
            Use::Small | Use::LockScreen => self.name_on_device(app).to_owned(),
        };
        (title, None)
    }

    fn source(&mut self, app: usize, work: &Project) -> (String, Option<Content>) {
        let few = self.thread + [0, 0, 0, 1, 1, 2][self.rng.random_range(0..6)];
        let source = work.sources[few % work.sources.len()];
        let (file, repository) = (file_name(source), work.repository);
        let unsaved = if self.rng.random_ratio(1, 4) { "● " } else { "" };
        let title = match APPS[app].name {
            "RustRover" => format!("{repository} – {file}"),
            name => format!("{unsaved}{file} - {repository} - {name}"),
        };
        let path = format!(r"C:\Users\alex\source\repos\{repository}\{source}");
        (title, self.rng.random_ratio(3, 4).then_some(Content::File { path }))
    }

    fn paper(&mut self, project: usize, extension: &str, program: &str) -> (String, Option<Content>) {
        let of_project = |project: &Project| {
            project.papers.iter().copied().filter(|paper| paper.ends_with(extension)).collect::<Vec<_>>()
        };
        let mut papers = of_project(&PROJECTS[project]);
        if papers.is_empty() {
            papers = PROJECTS.iter().flat_map(of_project).collect();
        }
        let paper = self.one_of(&papers);
        let title = format!("{} - {program}", file_name(paper));
        let content = Content::File { path: paper.to_owned() };
        (title, self.rng.random_ratio(9, 10).then_some(content))
    }

    fn page(&mut self, app: usize, work: &Project, at_leisure: bool) -> (String, Option<Content>) {
        let browser = match APPS[app].name {
            "Firefox" => " — Mozilla Firefox",
            "Microsoft Edge" => " - Work - Microsoft Edge",
            _ => " - Google Chrome",
        };
        if self.rng.random_ratio(1, 150) {
            let (host, url) = JUNK_SITES[self.rng.random_range(0..JUNK_SITES.len())];
            let content = Content::Page { host, url: url.to_owned() };
            return (format!("{}{browser}", file_name(url)), Some(content));
        }
        let Page { host, title, path } = if at_leisure {
            &LEISURE_PAGES[self.rng.random_range(0..LEISURE_PAGES.len())]
        } else {
            &WORK_PAGES[self.rng.random_range(0..WORK_PAGES.len())]
        };
        let number = (self.habits.issue + self.rng.random_range(0..9)).to_string();
        let topic = self.topic(work);
        let fill =
            |text: &str| text.replace("{repo}", work.repository).replace("{topic}", topic).replace("{n}", &number);
        let scheme = if *host == "localhost" { "http" } else { "https" };
        let url = format!("{scheme}://{host}{}", fill(path));
        let content = Content::Page { host, url };
        (format!("{}{browser}", fill(title)), self.rng.random_ratio(24, 25).then_some(content))
    }

    /// The topic of the stretch, now and then another one.
    fn topic(&mut self, work: &Project) -> &'static str {
        if self.rng.random_ratio(3, 4) {
            work.topics[self.thread % work.topics.len()]
        } else {
            self.one_of(work.topics)
        }
    }

    fn name_on_device(&self, app: usize) -> &'static str {
        name_on_device(app, self.habits.on_laptop)
    }

    fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.rng.random_range(0..texts.len())]
    }
}

/// Returns the name of an application in the language of the device.
pub(super) fn name_on_device(app: usize, on_laptop: bool) -> &'static str {
    let app = &APPS[app];
    app.german.filter(|_| on_laptop).unwrap_or(app.name)
}

/// Returns the last part of a path or address.
pub(super) fn file_name(path: &str) -> &str {
    path.rsplit(['\\', '/']).next().unwrap_or(path)
}
