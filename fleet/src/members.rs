//! Whose rows a statement needs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use datafusion::arrow::array::{AsArray, RecordBatch, StringViewArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::catalog::Session;
use datafusion::common::{self, DFSchema};
use datafusion::logical_expr::Expr;
use dayledger::engine::{Engine, Error};
use dayledger::export::{self, OpenedExport, Person};
use dayledger::model_for_export;

/// The column that tells whose rows they are.
pub(crate) const PERSON: &str = "person";

/// One person and her export. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    person: Arc<(Person, PathBuf)>,
    pub(crate) titles: Titles,
    /// When her export was written that is known of; no older one is asked.
    pub(crate) written_utc: Option<DateTime<Utc>>,
}

/// Whether exports may have titles, notes, addresses and paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Titles {
    /// They may, and whoever asks is told.
    Allowed,
    /// One that has them is not asked.
    Refused,
}

impl Member {
    /// A person of whose export nothing is known but its folder.
    pub(crate) fn new(person: Person, folder: PathBuf) -> Self {
        Self { person: Arc::new((person, folder)), titles: Titles::Allowed, written_utc: None }
    }

    /// The same person, of whose export that holds.
    pub(crate) fn with_titles(self, titles: Titles) -> Self {
        Self { titles, ..self }
    }

    /// The same person, of whom no export is asked that was written before.
    pub(crate) fn with_written_utc(self, written_utc: Option<DateTime<Utc>>) -> Self {
        Self { written_utc, ..self }
    }

    pub(crate) fn name(&self) -> &str {
        self.person.0.as_str()
    }

    /// Who it is, and the folder of her export.
    pub(crate) fn parts(&self) -> (&Person, &Path) {
        (&self.person.0, &self.person.1)
    }

    /// Her export as it is now.
    ///
    /// # Errors
    /// Those of [`OpenedExport::open`], the export of another person, one that has titles which are refused, and one
    /// that is older than what is known of.
    pub(crate) fn open_export(&self) -> Result<OpenedExport, MemberError> {
        let export = OpenedExport::open(&self.person.1)?;
        if export.person() != Some(&self.person.0) {
            return Err(MemberError::Misnamed);
        }
        if export.includes_titles() && self.titles == Titles::Refused {
            return Err(MemberError::Titles);
        }
        match self.written_utc {
            Some(known) if export.written_utc() < Some(known) => Err(MemberError::Older { known }),
            _ => Ok(export),
        }
    }

    /// The engine over her export alone, on the threads of `engine`.
    ///
    /// # Errors
    /// A file that cannot be read as Parquet, and titles that are refused.
    pub(crate) async fn engine(&self, engine: &Engine) -> Result<Engine, MemberError> {
        let member = self.clone();
        let made = move || Ok::<_, MemberError>(model_for_export(&member.open_export()?)?);
        let model = engine.with_own_turns().run_blocking(made).await??;
        Ok(engine.with_model(|_| model))
    }
}

/// Why a person's export could not be asked.
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
    #[error("this copy is older than the export of {known}: run `pull` on every worker that reads a copy")]
    Older { known: DateTime<Utc> },
}

/// Persons in the order of their names. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Members {
    /// What their folders lie in.
    folder: Arc<Path>,
    all: Arc<[Member]>,
    /// The place of the first of them with the most tables.
    pub(crate) fullest: usize,
}

impl Members {
    /// Those of `members`, whose folders lie in `folder`. `fullest` is the place of the first of them with the most tables.
    pub(crate) fn new(folder: &Path, members: Vec<Member>, fullest: usize) -> Self {
        Self { folder: folder.into(), all: members.into(), fullest }
    }

    /// The same persons, of whose exports that holds.
    pub(crate) fn with_titles(self, titles: Titles) -> Self {
        Self { all: self.all.iter().map(|member| member.clone().with_titles(titles)).collect(), ..self }
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Member> {
        self.all.iter()
    }

    /// Who has an export of that name now, be it that she came after these were looked for.
    pub(crate) fn find(&self, name: &str) -> Option<Member> {
        let person: Person = name.parse().ok()?;
        let folder = self.folder.join(person.folder());
        folder.is_dir().then(|| Member::new(person, folder))
    }

    /// The first member with the most tables, whose tables, views and functions a model over all members has.
    pub(crate) fn first(&self) -> Option<&Member> {
        self.all.get(self.fullest)
    }

    /// The members that all those of `filters` let through which look at nothing but who it is.
    ///
    /// # Errors
    /// A filter that cannot be evaluated.
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

/// Whether a filter compares the person, and nothing else, with what is the same for all.
pub(crate) fn is_person_filter(filter: &Expr) -> bool {
    let columns = filter.column_refs();
    !columns.is_empty() && columns.iter().all(|column| column.name == PERSON) && !filter.is_volatile()
}
