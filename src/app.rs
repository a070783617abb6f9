//! Creates the services that execute requests over one history, and connects them. Services are connected only here, so
//! a missing connection is a compile error.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use crate::activity::{self, History, ScreenshotService};
use crate::calendar::Calendars;
use crate::engine::worker::Launch;
use crate::engine::{Engine, Model};
use crate::notes::{self, Notebook, ScreenshotPolicy};
use crate::request::{Error, Pool, Request};
use crate::rules::Rules;
use crate::screenshots::{ConfiguredFolder, Screenshots};
use crate::source::{self, HistorySource, Location, Privacy, Redaction};
use crate::timesheet::{self, Setup, TimesheetService};

/// The maximum number of screenshots that are read or written simultaneously. Each screenshot can use a core, and
/// memory for its pixels. Listing screenshots does not count towards this limit.
const MAX_PARALLEL_IMAGES: usize = 2;

/// All services over one history. Cheap to clone.
#[derive(Debug, Clone)]
pub struct App(Arc<Services>);

#[derive(Debug)]
struct Services {
    history: History,
    screenshots: ScreenshotService,
    calendars: Calendars,
    timesheet: TimesheetService,
    notebook: Notebook,
}

/// Options of an [`App`]. The order in which the options are set doesn't matter.
#[derive(Debug, Clone)]
#[must_use]
pub struct AppBuilder {
    /// The history, including its titles.
    pub(crate) source: Arc<dyn HistorySource>,
    pub(crate) removes_titles: bool,
    pub(crate) rules: Rules,
    pub(crate) calendars: Calendars,
    pub(crate) screenshots_folder: Option<ConfiguredFolder>,
    pub(crate) shows_screenshots: bool,
    pub(crate) timesheet: Option<Setup>,
    pub(crate) notes: Option<notes::Setup>,
}

impl AppBuilder {
    /// Adds the user's rules [default: none].
    pub fn with_rules(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    /// Adds the user's calendars [default: none].
    pub fn with_calendars(self, calendars: Calendars) -> Self {
        Self { calendars, ..self }
    }

    /// Replaces the source's privacy settings with these settings.
    pub fn with_privacy(self, privacy: Privacy) -> Self {
        Self { source: self.source.with_privacy(privacy), ..self }
    }

    /// Reads screenshots from `folder` [default: the folder in which the tracker saves them].
    pub fn with_screenshots_folder(self, folder: impl Into<Option<ConfiguredFolder>>) -> Self {
        Self { screenshots_folder: folder.into(), ..self }
    }

    /// Returns the current location of the history.
    ///
    /// # Errors
    /// Fails like [`HistorySource::location`].
    pub fn location(&self) -> Result<Location, source::Error> {
        self.row_source().location()
    }

    /// Returns the tracker's own folders, to which dayledger never writes ([`Screenshots::own_folders`]).
    pub fn own_folders(&self) -> Vec<PathBuf> {
        Screenshots::new(Arc::clone(&self.source), self.screenshots_folder.clone()).own_folders()
    }

    /// Shows or hides all screenshots [default: shown]. If they are hidden, responses don't mention them, and
    /// requests for screenshots don't find any.
    pub fn with_screenshots(self, are_shown: bool) -> Self {
        Self { shows_screenshots: are_shown, ..self }
    }

    /// Removes titles, notes, URLs and paths from the rows, for an export without titles. The rows of screenshots don't
    /// contain such texts. The user's rules still read the original texts, unless the history has privacy settings.
    pub fn without_titles(self) -> Self {
        Self { removes_titles: true, ..self }
    }

    /// Returns the history, without titles if [`Self::without_titles`] was called.
    fn row_source(&self) -> Arc<dyn HistorySource> {
        if !self.removes_titles {
            return Arc::clone(&self.source);
        }
        let privacy = self.source.privacy();
        let untitled = privacy.clone().with_redacted(Redaction::ALL);
        self.source.with_privacy(if privacy.is_empty() { untitled.with_rules_on_original_text() } else { untitled })
    }

    /// Adds a timesheet and its SQL tables [default: none].
    pub fn with_timesheet(self, setup: impl Into<Option<Setup>>) -> Self {
        Self { timesheet: setup.into(), ..self }
    }

    /// Adds notes and their SQL tables [default: none].
    pub fn with_notes(self, setup: impl Into<Option<notes::Setup>>) -> Self {
        Self { notes: setup.into(), ..self }
    }

    /// Builds the app. SQL statements of users and models run in this process. The history isn't opened yet.
    ///
    /// # Errors
    /// Fails if the operating system cannot start threads.
    pub fn build(self) -> io::Result<App> {
        self.build_with(None)
    }

    /// Builds the app. With `launch`, SQL statements of users and models run in worker processes that `launch` starts.
    pub(crate) fn build_with(self, launch: Option<Launch>) -> io::Result<App> {
        let source = self.row_source();
        // The original source is used here, because a source without titles hides all screenshots.
        let mut screenshots = Screenshots::new(self.source, self.screenshots_folder);
        let model = activity::register(Model::default(), &self.rules, &self.calendars, source.privacy());
        // If the timesheet or the notes aren't set up, statements that use their tables fail with an explanation.
        let mut model = notes::register_unavailable(timesheet::register_unavailable(model));
        if self.shows_screenshots {
            model = activity::register_screenshots(model, screenshots.clone());
        } else {
            screenshots = screenshots.with_all_hidden();
        }
        let mut engine = Engine::new(Arc::clone(&source), model)?;
        let mut notebook = Notebook::default();
        if let Some(setup) = self.notes {
            notebook = Notebook::new(setup, source.privacy().clone());
            let policy = if self.shows_screenshots { ScreenshotPolicy::Include } else { ScreenshotPolicy::Exclude };
            engine = engine.with_model(|model| notes::register(model, &notebook, &engine, policy));
        }
        // Drafts read notes, so the timesheet's tables query the engine that includes the notes.
        let mut service = TimesheetService::without_setup(&engine);
        if let Some(setup) = self.timesheet {
            service = service.with_setup(setup);
            engine = engine.with_model(|model| timesheet::register(model, &service));
        }
        if let Some(launch) = launch {
            // Only a process that answers many requests starts workers.
            engine = engine.with_workers(launch).with_preloading();
        }
        // The timesheet's tables need the service, and the service needs an engine. Therefore the service first got the
        // engine without these tables, and gets the complete engine here.
        let timesheet = service.with_engine(&engine);
        let pool = Pool::new(MAX_PARALLEL_IMAGES)?;
        let screenshots = ScreenshotService::new(engine.clone(), screenshots, pool);
        let history = History::new(engine, source, self.rules, screenshots.clone(), self.shows_screenshots);
        Ok(App(Arc::new(Services { history, screenshots, calendars: self.calendars, timesheet, notebook })))
    }
}

impl App {
    /// Returns the options of an app over the history of `source`. By default, the app doesn't have rules, calendars, a
    /// timesheet or notes.
    pub fn builder(source: Arc<dyn HistorySource>) -> AppBuilder {
        AppBuilder {
            source,
            removes_titles: false,
            rules: Rules::default(),
            calendars: Calendars::default(),
            screenshots_folder: None,
            shows_screenshots: true,
            timesheet: None,
            notes: None,
        }
    }

    /// Returns the history.
    pub fn history(&self) -> &History {
        &self.0.history
    }

    /// Returns the screenshots of the history.
    pub fn screenshots(&self) -> &ScreenshotService {
        &self.0.screenshots
    }

    /// Returns the user's calendars.
    pub fn calendars(&self) -> &Calendars {
        &self.0.calendars
    }

    /// Returns the timesheet.
    pub fn timesheet(&self) -> &TimesheetService {
        &self.0.timesheet
    }

    /// Returns the notes.
    pub fn notebook(&self) -> &Notebook {
        &self.0.notebook
    }

    /// Returns the engine for the history.
    pub fn engine(&self) -> &Engine {
        self.history().engine()
    }

    /// Runs `request` on its service.
    ///
    /// # Errors
    /// Fails like [`Request::execute`].
    pub async fn run<Q: Request>(&self, request: Q) -> Result<Q::Response, Error>
    where
        Self: AsRef<Q::Service>,
    {
        request.execute(self.as_ref()).await
    }
}

impl AsRef<Engine> for App {
    fn as_ref(&self) -> &Engine {
        self.engine()
    }
}

impl AsRef<History> for App {
    fn as_ref(&self) -> &History {
        self.history()
    }
}

impl AsRef<TimesheetService> for App {
    fn as_ref(&self) -> &TimesheetService {
        self.timesheet()
    }
}

impl AsRef<Notebook> for App {
    fn as_ref(&self) -> &Notebook {
        self.notebook()
    }
}

impl AsRef<ScreenshotService> for App {
    fn as_ref(&self) -> &ScreenshotService {
        self.screenshots()
    }
}
