//! The one composition of all rooms: what a question asks is made here and nowhere else, so that wiring that is missing
//! does not compile.

use std::io;
use std::sync::Arc;

use crate::activity::{self, History, ScreenshotService};
use crate::calendar::Calendars;
use crate::engine::{Engine, Model};
use crate::export::{self, Archive};
use crate::manictime::{Privacy, Redaction, Source};
use crate::notes::{self, Notebook};
use crate::request::{Error, Pool, Request, Service};
use crate::screenshots::Screenshots;
use crate::timesheet::{self, Setup, TimesheetService};

/// How many pictures are read or written at once: each may take a core, and the memory of its pixels. Looking which there
/// are does not wait for them.
const PICTURES_AT_ONCE: usize = 2;

/// All rooms over one history. Cheap to clone.
#[derive(Debug, Clone)]
pub struct App(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    history: History,
    pictures: ScreenshotService,
    sheet: TimesheetService,
    notebook: Notebook,
}

impl App {
    /// The rooms over the history of `source`; nothing is opened yet.
    ///
    /// # Errors
    /// When the operating system gives no threads.
    pub fn from_source(source: Source) -> io::Result<Self> {
        Self::with_screenshots(source.clone(), Screenshots::new(source))
    }

    /// The same for who may not see screenshots: answers know of none, and questions about them find none.
    ///
    /// # Errors
    /// When the operating system gives no threads.
    pub fn without_screenshots(source: Source) -> io::Result<Self> {
        let screenshots = Screenshots::new(source.clone()).with_all_hidden();
        let model = build_model(&source);
        let pictures = open_pictures(source, model, screenshots)?;
        Ok(Self::new(History::without_screenshots(&pictures), pictures))
    }

    /// The same for an export, whose rows have no titles, notes, addresses and paths; what a screenshot's row tells is none
    /// of them. The user's rules read them all the same.
    ///
    /// # Errors
    /// When the operating system gives no threads.
    pub fn without_titles(source: Source) -> io::Result<Self> {
        let privacy = Privacy::new(Redaction::ALL, [], []).with_rules_on_original_text();
        Self::with_screenshots(source.clone().with_privacy(privacy), Screenshots::new(source))
    }

    fn with_screenshots(source: Source, screenshots: Screenshots) -> io::Result<Self> {
        let model = activity::register_screenshots(build_model(&source), screenshots.clone());
        let pictures = open_pictures(source, model, screenshots)?;
        Ok(Self::new(History::with_screenshots(&pictures), pictures))
    }

    fn new(history: History, pictures: ScreenshotService) -> Self {
        let sheet = TimesheetService::without_setup(history.engine());
        Self(Arc::new(Inner { history, pictures, sheet, notebook: Notebook::default() }))
    }

    /// The same rooms, with the timesheet that is set up so, also in SQL. Statements of others run in this process.
    #[must_use]
    pub fn with_timesheet(&self, setup: Setup) -> Self {
        let sheet = self.timesheet().with_setup(setup);
        let engine = self.engine().with_model(|model| timesheet::register(model, &sheet));
        let (history, pictures) = (self.history().with_engine(&engine), self.pictures().with_engine(&engine));
        let notebook = self.notebook().clone();
        Self(Arc::new(Inner { history, pictures, sheet: sheet.with_engine(&engine), notebook }))
    }

    /// The same rooms, with the notes that are set up so, also in SQL. Statements of others run in this process.
    #[must_use]
    pub fn with_notes(&self, setup: notes::Setup) -> Self {
        let notebook = Notebook::new(setup, self.history().source().privacy().clone());
        let screens = match self.history().screenshots() {
            Some(_) => notes::ScreenshotPolicy::Pictured,
            None => notes::ScreenshotPolicy::Unpictured,
        };
        let engine = self.engine();
        let engine = engine.with_model(|model| notes::register(model, &notebook, engine, screens));
        let (history, pictures) = (self.history().with_engine(&engine), self.pictures().with_engine(&engine));
        Self(Arc::new(Inner { history, pictures, sheet: self.timesheet().with_engine(&engine), notebook }))
    }

    /// The same rooms around another engine.
    #[must_use]
    pub(crate) fn with_engine(&self, engine: &Engine) -> Self {
        let (history, pictures) = (self.history().with_engine(engine), self.pictures().with_engine(engine));
        let notebook = self.notebook().clone();
        Self(Arc::new(Inner { history, pictures, sheet: self.timesheet().with_engine(engine), notebook }))
    }

    /// The history.
    pub fn history(&self) -> &History {
        &self.0.history
    }

    /// The screenshots of the history.
    pub fn pictures(&self) -> &ScreenshotService {
        &self.0.pictures
    }

    /// The timesheet.
    pub fn timesheet(&self) -> &TimesheetService {
        &self.0.sheet
    }

    /// The notes.
    pub fn notebook(&self) -> &Notebook {
        &self.0.notebook
    }

    /// The engine over the history.
    pub fn engine(&self) -> &Engine {
        self.history().engine()
    }

    /// Asks the room that `question` is for.
    ///
    /// # Errors
    /// Those of [`Request::answer`].
    pub async fn run<Q: Request<Service: Service<Self>>>(&self, question: Q) -> Result<Q::Response, Error> {
        question.execute(Q::Service::from_app(self)).await
    }
}

impl Service<App> for Engine {
    fn from_app(house: &App) -> &Self {
        house.engine()
    }
}

impl Service<App> for History {
    fn from_app(house: &App) -> &Self {
        house.history()
    }
}

impl Service<App> for TimesheetService {
    fn from_app(house: &App) -> &Self {
        house.timesheet()
    }
}

impl Service<App> for Notebook {
    fn from_app(house: &App) -> &Self {
        house.notebook()
    }
}

impl Service<App> for ScreenshotService {
    fn from_app(house: &App) -> &Self {
        house.pictures()
    }
}

/// An engine over the files of an export.
///
/// # Errors
/// A file that cannot be read as Parquet, or when the operating system gives no threads.
pub fn engine_for_archive(archive: &Archive) -> Result<Engine, export::Error> {
    let refused = |source| export::Error::Unreadable(archive.folder().to_owned(), source);
    Engine::from_tables(model_for_archive(archive)?).map_err(refused)
}

/// What can be asked of the files of an export.
///
/// # Errors
/// A file that cannot be read as Parquet.
pub fn model_for_archive(archive: &Archive) -> Result<Model, export::Error> {
    let model = activity::register(Model::default(), &archive.rules(), &Calendars::default(), &Privacy::default());
    archive.register(without_integrations(model))
}

/// The model of a history, with what its user says of it, and without a timesheet and notes.
fn build_model(source: &Source) -> Model {
    let model = activity::register(Model::default(), source.rules(), source.calendars(), source.privacy());
    without_integrations(model)
}

/// A model without what is beside a history.
fn without_integrations(model: Model) -> Model {
    notes::register_unavailable(timesheet::register_unavailable(model))
}

fn open_pictures(source: Source, model: Model, screenshots: Screenshots) -> io::Result<ScreenshotService> {
    let engine = Engine::new(source.clone(), model)?;
    Ok(ScreenshotService::new(engine, source, screenshots, Pool::new(PICTURES_AT_ONCE)?))
}
