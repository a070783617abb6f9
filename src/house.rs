//! The one composition of all rooms: what a question asks is made here and nowhere else, so that wiring that is missing
//! does not compile.

use std::io;
use std::sync::Arc;

use crate::activity::{self, History, Pictures};
use crate::calendar::Calendars;
use crate::engine::{Engine, Model, Progress};
use crate::export::{self, Archive};
use crate::manictime::{Privacy, Redaction, Source};
use crate::notes::{self, Notebook};
use crate::question::{Error, Pool, Question, Room};
use crate::screenshots::Screenshots;
use crate::timesheet::{self, Setup, Sheet};

/// How many pictures are read or written at once: each may take a core, and the memory of its pixels. Looking which there
/// are does not wait for them.
const PICTURES_AT_ONCE: usize = 2;

/// All rooms over one history. Cheap to clone.
#[derive(Debug, Clone)]
pub struct House(Arc<Rooms>);

#[derive(Debug)]
struct Rooms {
    history: History,
    pictures: Pictures,
    sheet: Sheet,
    notebook: Notebook,
}

impl House {
    /// The rooms over the history of `source`; nothing is opened yet.
    ///
    /// # Errors
    /// When the operating system gives no threads.
    pub fn over(source: Source) -> io::Result<Self> {
        Self::with_screenshots(source.clone(), Screenshots::of(source))
    }

    /// The same for who may not see screenshots: answers know of none, and questions about them find none.
    ///
    /// # Errors
    /// When the operating system gives no threads.
    pub fn over_activities(source: Source) -> io::Result<Self> {
        let screenshots = Screenshots::of(source.clone()).withheld();
        let model = model(&source);
        let pictures = pictures(source, model, screenshots)?;
        Ok(Self::new(History::without_pictures(&pictures), pictures))
    }

    /// The same for an export, whose rows have no titles, notes, addresses and paths; what a screenshot's row tells is none
    /// of them. The user's rules read them all the same.
    ///
    /// # Errors
    /// When the operating system gives no threads.
    pub fn without_titles(source: Source) -> io::Result<Self> {
        let privacy = Privacy::new(Redaction::ALL, [], []).with_rules_reading_all();
        Self::with_screenshots(source.clone().with_privacy(privacy), Screenshots::of(source))
    }

    fn with_screenshots(source: Source, screenshots: Screenshots) -> io::Result<Self> {
        let model = activity::register_screenshots(model(&source), screenshots.clone());
        let pictures = pictures(source, model, screenshots)?;
        Ok(Self::new(History::of(&pictures), pictures))
    }

    fn new(history: History, pictures: Pictures) -> Self {
        let sheet = Sheet::none(history.engine());
        Self(Arc::new(Rooms { history, pictures, sheet, notebook: Notebook::default() }))
    }

    /// The same rooms, with the timesheet that is set up so, also in SQL. Statements of others run in this process.
    #[must_use]
    pub fn with_timesheet(&self, setup: Setup) -> Self {
        let sheet = self.sheet().set_up(setup);
        let engine = self.engine().remodelled(|model| timesheet::register(model, &sheet));
        let (history, pictures) = (self.history().around(&engine), self.pictures().around(&engine));
        let notebook = self.notebook().clone();
        Self(Arc::new(Rooms { history, pictures, sheet: sheet.around(&engine), notebook }))
    }

    /// The same rooms, with the notes that are set up so, also in SQL. Statements of others run in this process.
    #[must_use]
    pub fn with_notes(&self, setup: notes::Setup) -> Self {
        let notebook = Notebook::set_up(setup, self.history().source().privacy().clone());
        let screens = match self.history().pictures() {
            Some(_) => notes::Screens::Pictured,
            None => notes::Screens::Unpictured,
        };
        let engine = self.engine();
        let engine = engine.remodelled(|model| notes::register(model, &notebook, engine, screens));
        let (history, pictures) = (self.history().around(&engine), self.pictures().around(&engine));
        Self(Arc::new(Rooms { history, pictures, sheet: self.sheet().around(&engine), notebook }))
    }

    /// The same rooms around another engine.
    #[must_use]
    pub(crate) fn around(&self, engine: &Engine) -> Self {
        let (history, pictures) = (self.history().around(engine), self.pictures().around(engine));
        let notebook = self.notebook().clone();
        Self(Arc::new(Rooms { history, pictures, sheet: self.sheet().around(engine), notebook }))
    }

    /// The same rooms, whose questions tell `progress` how far they are. For one question at a time.
    #[must_use]
    pub fn watched_by(&self, progress: &Progress) -> Self {
        self.around(&self.engine().watched_by(progress))
    }

    /// The history.
    pub fn history(&self) -> &History {
        &self.0.history
    }

    /// The screenshots of the history.
    pub fn pictures(&self) -> &Pictures {
        &self.0.pictures
    }

    /// The timesheet.
    pub fn sheet(&self) -> &Sheet {
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
    /// Those of [`Question::answer`].
    pub async fn ask<Q: Question<Of: Room<Self>>>(&self, question: Q) -> Result<Q::Answer, Error> {
        question.answer(Q::Of::of(self)).await
    }
}

impl Room<House> for Engine {
    fn of(house: &House) -> &Self {
        house.engine()
    }
}

impl Room<House> for History {
    fn of(house: &House) -> &Self {
        house.history()
    }
}

impl Room<House> for Sheet {
    fn of(house: &House) -> &Self {
        house.sheet()
    }
}

impl Room<House> for Notebook {
    fn of(house: &House) -> &Self {
        house.notebook()
    }
}

impl Room<House> for Pictures {
    fn of(house: &House) -> &Self {
        house.pictures()
    }
}

/// An engine over the files of an export.
///
/// # Errors
/// A file that cannot be read as Parquet, or when the operating system gives no threads.
pub fn engine_over_archive(archive: &Archive) -> Result<Engine, export::Error> {
    let refused = |source| export::Error::Unreadable(archive.folder().to_owned(), source);
    Engine::of_tables(model_of_archive(archive)?).map_err(refused)
}

/// What can be asked of the files of an export.
///
/// # Errors
/// A file that cannot be read as Parquet.
pub fn model_of_archive(archive: &Archive) -> Result<Model, export::Error> {
    let model = activity::register(Model::default(), &archive.rules(), &Calendars::default(), &Privacy::default());
    archive.register(without_others(model))
}

/// The model of a history, with what its user says of it, and without a timesheet and notes.
fn model(source: &Source) -> Model {
    let model = activity::register(Model::default(), source.rules(), source.calendars(), source.privacy());
    without_others(model)
}

/// A model without what is beside a history.
fn without_others(model: Model) -> Model {
    notes::unavailable(timesheet::unavailable(model))
}

fn pictures(source: Source, model: Model, screenshots: Screenshots) -> io::Result<Pictures> {
    let engine = Engine::new(source.clone(), model)?;
    Ok(Pictures::new(engine, source, screenshots, Pool::new(PICTURES_AT_ONCE)?))
}
