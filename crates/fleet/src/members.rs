//! The members of a team, and the selection of the members that a statement has to read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{AsArray, RecordBatch, StringViewArray};
use arrow::datatypes::{DataType, Field, Schema};
use chrono::{DateTime, Utc};
use datafusion::catalog::Session;
use datafusion::common::{self, DFSchema};
use datafusion::logical_expr::Expr;
use dayledger_core::local_days::DayStart;
use dayledger_engine::{Engine, Error};
use dayledger_export::{self as export, OpenedExport, Person};

/// The name of the column that contains the person's name.
pub(crate) const PERSON: &str = "person";

/// A person and their export. Cloning is cheap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    person: Arc<(Person, PathBuf)>,
    pub(crate) titles: Titles,
    /// The time at which the member's export was written, as read when this value was created. If the folder contains
    /// an older export later, the older export isn't read.
    pub(crate) written_utc: Option<DateTime<Utc>>,
}

/// Whether statements may read exports that contain titles, notes, URLs and paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Titles {
    /// Such exports may be read.
    Allowed,
    /// Reading an export that contains titles fails.
    Refused,
}

impl Member {
    /// Creates a member from a person and the folder of their export.
    pub(crate) fn new(person: Person, folder: PathBuf) -> Self {
        Self { person: Arc::new((person, folder)), titles: Titles::Allowed, written_utc: None }
    }

    /// Returns the member with another rule for titles.
    pub(crate) fn with_titles(self, titles: Titles) -> Self {
        Self { titles, ..self }
    }

    /// Returns the member with another value of `written_utc`.
    pub(crate) fn with_written_utc(self, written_utc: Option<DateTime<Utc>>) -> Self {
        Self { written_utc, ..self }
    }

    pub(crate) fn name(&self) -> &str {
        self.person.0.as_str()
    }

    /// Returns the person and the folder of their export.
    pub(crate) fn parts(&self) -> (&Person, &Path) {
        (&self.person.0, &self.person.1)
    }

    /// Opens the current export of the member.
    ///
    /// # Errors
    /// The errors of [`OpenedExport::open`]. Also fails if the export belongs to another person, contains titles
    /// although titles are refused, or was written before `written_utc`.
    pub(crate) fn open_export(&self) -> Result<OpenedExport, MemberError> {
        let export = OpenedExport::open(&self.person.1)?;
        if export.person() != Some(&self.person.0) {
            return Err(MemberError::Misnamed);
        }
        if export.includes_titles() && self.titles == Titles::Refused {
            return Err(MemberError::Titles);
        }
        let day_start = export.manifest().day_start;
        if !day_start.is_midnight() {
            return Err(MemberError::OtherDays(day_start));
        }
        match self.written_utc {
            Some(known) if export.written_utc() < Some(known) => Err(MemberError::Older { known }),
            _ => Ok(export),
        }
    }

    /// Returns the engine over the member's export. It uses the threads of `engine`.
    ///
    /// # Errors
    /// Fails if a file isn't valid Parquet, and with the errors of [`Self::open_export`].
    pub(crate) async fn engine(&self, engine: &Engine) -> Result<Engine, MemberError> {
        let member = self.clone();
        let made = move || Ok::<_, MemberError>(member.open_export()?.model()?);
        let model = engine.with_own_turns().run_blocking(made).await??;
        Ok(engine.with_model(|_| model))
    }
}

/// The reason why a person's export could not be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MemberError {
    #[error(transparent)]
    Engine(#[from] Error),
    #[error(transparent)]
    Export(#[from] export::Error),
    #[error("this folder contains the export of another person")]
    Misnamed,
    #[error("this export contains titles, notes, URLs and paths, which must not be shown here")]
    Titles,
    #[error("the days of this export start at {0}, not at midnight: export it without `day_start` in `[time]`")]
    OtherDays(DayStart),
    #[error("this copy is older than the export of {known}: run `pull` on every worker that reads a copy")]
    Older { known: DateTime<Utc> },
}

/// The members of a team, sorted by name. Cloning is cheap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Members {
    /// The folder that contains the members' folders.
    folder: Arc<Path>,
    all: Arc<[Member]>,
    /// The index of the member with the most tables. If several members have this number of tables, it is the first of
    /// them.
    pub(crate) fullest: usize,
}

impl Members {
    /// Creates the list of `members`. Their folders are in `folder`. `fullest` is the index of the first member with
    /// the most tables.
    pub(crate) fn new(folder: &Path, members: Vec<Member>, fullest: usize) -> Self {
        Self { folder: folder.into(), all: members.into(), fullest }
    }

    /// Returns the members with another rule for titles.
    pub(crate) fn with_titles(self, titles: Titles) -> Self {
        Self { all: self.all.iter().map(|member| member.clone().with_titles(titles)).collect(), ..self }
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Member> {
        self.all.iter()
    }

    /// Returns the member with this name, if a folder for their export exists now. The export may be newer than this
    /// list.
    pub(crate) fn find(&self, name: &str) -> Option<Member> {
        let person: Person = name.parse().ok()?;
        let folder = self.folder.join(person.folder());
        folder.is_dir().then(|| Member::new(person, folder))
    }

    /// Returns the first member with the most tables. The model over all members has the same tables, views and
    /// functions as the model of this member.
    pub(crate) fn first(&self) -> Option<&Member> {
        self.all.get(self.fullest)
    }

    /// Returns the members that match all filters on the column `person`.
    ///
    /// # Errors
    /// Fails if a filter can't be evaluated.
    pub(crate) fn filter(&self, filters: &[Expr], session: &dyn Session) -> common::Result<Vec<Member>> {
        let field = Field::new(PERSON, DataType::Utf8View, false);
        let schema = Arc::new(Schema::new(vec![field]));
        let names: StringViewArray = self.all.iter().map(|member| Some(member.name())).collect();
        let names = RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(names)])?;
        let schema = DFSchema::try_from(schema)?;
        let mut wanted = vec![true; self.len()];
        for filter in filters.iter().filter(|filter| is_person_filter(filter)) {
            let passes = session.create_physical_expr(filter.clone(), &schema)?.evaluate(&names)?;
            let passes = passes.into_array(self.len())?;
            for (wanted, passes) in wanted.iter_mut().zip(passes.as_boolean()) {
                *wanted &= passes == Some(true);
            }
        }
        Ok(self.all.iter().zip(wanted).filter(|(_, wanted)| *wanted).map(|(member, _)| member.clone()).collect())
    }
}

/// Whether a filter uses only the column `person`, and gives the same result each time it is evaluated.
pub(crate) fn is_person_filter(filter: &Expr) -> bool {
    let columns = filter.column_refs();
    !columns.is_empty() && columns.iter().all(|column| column.name == PERSON) && !filter.is_volatile()
}
