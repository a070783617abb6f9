//! Projects as database rows.

use rusqlite::{Transaction, named_params};

use crate::local_store::Failure;
use crate::project::{Project, ProjectFilter, ProjectTag, ProjectTask};
use crate::refusal::Refusal;

/// Returns the project with the code, or `None` if it doesn't exist.
pub(super) fn find(transaction: &Transaction<'_>, code: &str) -> Result<Option<Project>, Failure> {
    Ok(read(transaction, Some(code), ProjectFilter::All)?.pop())
}

/// Returns the projects, ordered by code.
pub(super) fn list(transaction: &Transaction<'_>, asked: ProjectFilter) -> Result<Vec<Project>, Failure> {
    read(transaction, None, asked)
}

/// If the invalid field is `projectCode`, adds the codes of the active projects to the refusal.
pub(super) fn with_allowed_codes(transaction: &Transaction<'_>, refusal: Refusal) -> Failure {
    if refusal.field.as_deref() != Some("projectCode") {
        return refusal.into();
    }
    match list(transaction, ProjectFilter::Active) {
        Ok(projects) => refusal.with_allowed(projects.iter().map(|project| &*project.code)).into(),
        Err(failure) => failure,
    }
}

/// Inserts or replaces a project with its tasks and tags.
pub(super) fn put(transaction: &Transaction<'_>, project: &Project) -> Result<(), Failure> {
    let Project { code, name, is_active, tasks, tags } = project;
    transaction.execute(
        include_str!("../../sql/projects/put.sql"),
        named_params! {":code": code, ":name": name, ":is_active": is_active},
    )?;
    transaction.execute(include_str!("../../sql/projects/deactivate_tasks.sql"), named_params! {":project": code})?;
    for (position, ProjectTask { name, is_active }) in (0_i64..).zip(tasks) {
        transaction
            .prepare(include_str!("../../sql/projects/put_task.sql"))?
            .execute(named_params! {":project": code, ":name": name, ":position": position, ":is_active": is_active})?;
    }
    transaction.execute(include_str!("../../sql/projects/delete_tags.sql"), named_params! {":project": code})?;
    for (position, tag) in (0_i64..).zip(tags) {
        put_tag(transaction, code, position, tag)?;
    }
    Ok(())
}

fn put_tag(transaction: &Transaction<'_>, code: &str, position: i64, tag: &ProjectTag) -> Result<(), Failure> {
    transaction.prepare(include_str!("../../sql/projects/put_tag.sql"))?.execute(named_params! {
        ":project": code,
        ":name": tag.name,
        ":position": position,
        ":is_required": tag.is_required,
        ":is_active": tag.is_active,
    })?;
    for (position, value) in (0_i64..).zip(&tag.allowed_values) {
        transaction
            .prepare(include_str!("../../sql/projects/put_tag_value.sql"))?
            .execute(named_params! {":project": code, ":tag": tag.name, ":position": position, ":value": value})?;
    }
    Ok(())
}

fn read(transaction: &Transaction<'_>, code: Option<&str>, asked: ProjectFilter) -> Result<Vec<Project>, Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/projects/search.sql"))?;
    let mut rows = statement.query(named_params! {":code": code, ":active_only": asked == ProjectFilter::Active})?;
    let mut projects = Vec::new();
    while let Some(row) = rows.next()? {
        let code: String = row.get("code")?;
        let (tasks, tags) = (tasks(transaction, &code)?, tags(transaction, &code)?);
        projects.push(Project { code, name: row.get("name")?, is_active: row.get("is_active")?, tasks, tags });
    }
    Ok(projects)
}

fn tasks(transaction: &Transaction<'_>, code: &str) -> Result<Vec<ProjectTask>, Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/projects/tasks.sql"))?;
    let rows = statement.query_map(named_params! {":project": code}, |row| {
        Ok(ProjectTask { name: row.get("name")?, is_active: row.get("is_active")? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn tags(transaction: &Transaction<'_>, code: &str) -> Result<Vec<ProjectTag>, Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/projects/tags.sql"))?;
    let mut rows = statement.query(named_params! {":project": code})?;
    let mut tags = Vec::new();
    while let Some(row) = rows.next()? {
        let name: String = row.get("name")?;
        let allowed_values = values(transaction, code, &name)?;
        let (is_required, is_active) = (row.get("is_required")?, row.get("is_active")?);
        tags.push(ProjectTag { name, is_required, is_active, allowed_values });
    }
    Ok(tags)
}

fn values(transaction: &Transaction<'_>, code: &str, tag: &str) -> Result<Vec<String>, Failure> {
    let mut statement = transaction.prepare(include_str!("../../sql/projects/tag_values.sql"))?;
    let rows = statement.query_map(named_params! {":project": code, ":tag": tag}, |row| row.get("value"))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
