//! The file of the store: permissions, durability and migrations.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags, Transaction, TransactionBehavior};

/// The application id in the file's header ("dayl"), which identifies the file as a store.
const APPLICATION: i32 = 0x6461_796c;

/// The maximum time that a program waits until another program finishes writing. Writing normally takes milliseconds.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// The migrations, each with the schema version that it produces. A released migration never changes.
const MIGRATIONS: [(i32, &str); 10] = [
    (1, include_str!("../../sql/migrations/001_timesheet.sql")),
    (2, include_str!("../../sql/migrations/002_sendings.sql")),
    (3, include_str!("../../sql/migrations/003_drafts.sql")),
    (4, include_str!("../../sql/migrations/004_days.sql")),
    (5, include_str!("../../sql/migrations/005_sessions.sql")),
    (6, include_str!("../../sql/migrations/006_running.sql")),
    (7, include_str!("../../sql/migrations/007_known_by.sql")),
    (8, include_str!("../../sql/migrations/008_utc_offset.sql")),
    (9, include_str!("../../sql/migrations/009_pushes.sql")),
    (NEWEST, include_str!("../../sql/migrations/010_push_users.sql")),
];

/// The schema version after the last migration.
const NEWEST: i32 = 10;

/// The maximum size of a file that is opened. The entries of a lifetime need a few hundred megabytes.
const MAX_BYTES: u64 = 1 << 30;

/// The reason why a store couldn't be opened, with the path of its file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder or the file can't be created, or its permissions can't be changed.
    #[error("cannot create `{path}`: {1}", path = .0.display())]
    Io(PathBuf, io::Error),
    /// The path is a pipe, a device or a folder. Opening a pipe could block, and reading a device could be endless.
    #[error("cannot open `{}`: it is not a regular file", .0.display())]
    NotAFile(PathBuf),
    /// The file is larger than any store can be.
    #[error("cannot open `{}`: it is larger than {} MiB", .0.display(), MAX_BYTES >> 20)]
    TooLarge(PathBuf),
    /// `SQLite` can't open the file.
    #[error("cannot open `{path}`: {1}", path = .0.display())]
    Sqlite(PathBuf, rusqlite::Error),
    /// The file is a database of another program.
    #[error("cannot open `{}`: it is a database of another program, not a timesheet", .0.display())]
    Foreign(PathBuf),
    /// A newer version of this program wrote the file. Contains the schema version of the file.
    #[error("cannot open `{path}`: it has version {1}, and this version of dayledger supports up to {known}", path = .0.display(), known = NEWEST)]
    Newer(PathBuf, i32),
    /// The file system doesn't support a write-ahead log, for example because it is a network drive.
    #[error("cannot open `{}`: its drive does not support a write-ahead log. Move it to a local drive", .0.display())]
    WithoutLog(PathBuf),
}

/// The kind of a file, determined before the file is changed.
enum FileKind {
    Empty,
    Store { version: i32 },
    Foreign,
}

/// Ensures that this process opens only one store at a time. This is necessary because a new file is closed once before
/// `SQLite` opens it. Closing a file releases the locks that other connections of this process have on this file.
static OPENING: Mutex<()> = Mutex::new(());

pub(super) fn open(path: &Path) -> Result<Connection, StoreError> {
    let _alone = OPENING.lock().unwrap_or_else(PoisonError::into_inner);
    make_private(path).map_err(|error| StoreError::Io(path.to_owned(), error))?;
    check_regular(path)?;
    let sqlite = |error| StoreError::Sqlite(path.to_owned(), error);
    // Closing a writable database merges its write-ahead log. A database of another program must not be changed like
    // this, so the file is first opened read-only.
    let mut reading = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(sqlite)?;
    check_kind(path, reading.transaction().and_then(|state| detect_kind(&state)).map_err(sqlite)?)?;
    drop(reading);
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(sqlite)?;
    tighten(path).map_err(|error| StoreError::Io(path.to_owned(), error))?;
    let mode = enable_write_ahead_log(&connection).map_err(sqlite)?;
    if mode != "wal" {
        return Err(StoreError::WithoutLog(path.to_owned()));
    }
    connection.pragma_update(None, "synchronous", "full").map_err(sqlite)?;
    connection.pragma_update(None, "foreign_keys", true).map_err(sqlite)?;
    migrate(path, &mut connection)?;
    Ok(connection)
}

/// Fails if the store's file, or a file that `SQLite` opens with it, isn't a regular file or is too large. Opening a
/// pipe would wait for its other end, and reading a device could be endless. Links are followed. The files aren't
/// opened here, because closing them would release the locks of `SQLite`.
fn check_regular(path: &Path) -> Result<(), StoreError> {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let mut file = path.as_os_str().to_owned();
        file.push(suffix);
        let path = PathBuf::from(file);
        match fs::metadata(&path) {
            Ok(data) if !data.is_file() => return Err(StoreError::NotAFile(path)),
            Ok(data) if data.len() > MAX_BYTES => return Err(StoreError::TooLarge(path)),
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(StoreError::Io(path, error)),
            _ => {}
        }
    }
    Ok(())
}

fn connect(path: &Path, access: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    connection.busy_timeout(LOCK_TIMEOUT)?;
    Ok(connection)
}

/// Enables the write-ahead log if it isn't enabled yet. `SQLite` fails immediately if another process also enables the
/// log of a new file at this moment, so this function retries.
fn enable_write_ahead_log(connection: &Connection) -> rusqlite::Result<String> {
    let asked = Instant::now();
    loop {
        match connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0)) {
            Err(error) if is_busy(&error) && asked.elapsed() < LOCK_TIMEOUT => thread::sleep(Duration::from_millis(5)),
            mode => return mode,
        }
    }
}

/// Applies the missing migrations. Another process may do the same simultaneously, because the migrations run in an
/// immediate transaction.
fn migrate(path: &Path, connection: &mut Connection) -> Result<(), StoreError> {
    let sqlite = |error| StoreError::Sqlite(path.to_owned(), error);
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(sqlite)?;
    let version = match check_kind(path, detect_kind(&transaction).map_err(sqlite)?)? {
        FileKind::Store { version } => version,
        _ => 0,
    };
    for (_, migration) in MIGRATIONS.iter().filter(|(makes, _)| *makes > version) {
        transaction.execute_batch(migration).map_err(sqlite)?;
    }
    if version < NEWEST {
        transaction.pragma_update(None, "application_id", APPLICATION).map_err(sqlite)?;
        transaction.pragma_update(None, "user_version", NEWEST).map_err(sqlite)?;
    }
    transaction.commit().map_err(sqlite)
}

/// Determines the kind of the file in one transaction.
fn detect_kind(connection: &Transaction<'_>) -> rusqlite::Result<FileKind> {
    let number = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    if application == APPLICATION {
        return Ok(FileKind::Store { version });
    }
    let statement = include_str!("../../sql/count_tables.sql");
    let is_empty = connection.query_row(statement, [], |row| row.get::<_, i64>(0))? == 0;
    Ok(if is_empty && application == 0 && version == 0 { FileKind::Empty } else { FileKind::Foreign })
}

/// Whether the error means that another program has locked the file.
pub(super) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn check_kind(path: &Path, kind: FileKind) -> Result<FileKind, StoreError> {
    let path = path.to_owned();
    match kind {
        FileKind::Foreign => Err(StoreError::Foreign(path)),
        FileKind::Store { version } if version > NEWEST => Err(StoreError::Newer(path, version)),
        _ => Ok(kind),
    }
}

/// Creates the file and its folder, unless they exist. Only the user can access them. `SQLite` creates its log and
/// index files with the same permissions.
fn make_private(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = fs::DirBuilder::new();
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    builder.recursive(true).create(folder)?;
    match options.open(path) {
        Ok(_) => sync_folder(folder),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Syncs the folder of a new file, because otherwise the file may be missing after a crash of the machine.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Removes the access of other users to the store and the files of `SQLite`. Other users may have access if, for
/// example, the store was copied.
#[cfg(unix)]
fn tighten(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;

    for beside in ["", "-wal", "-shm"] {
        let mut file = path.as_os_str().to_owned();
        file.push(beside);
        match fs::metadata(&file) {
            Ok(data) if data.permissions().mode() & 0o077 != 0 => {
                fs::set_permissions(&file, fs::Permissions::from_mode(0o600))?;
            }
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Does nothing on systems other than Unix, because the permissions of the user's folder apply there.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "it can fail elsewhere")]
fn tighten(_path: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn committed_changes_are_on_disk() {
        let folder = tempfile::TempDir::new().unwrap();
        let connection = open(&folder.path().join("timesheet.db")).unwrap();
        let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!((pragma("synchronous"), pragma("foreign_keys")), (2, 1));
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        assert_eq!(mode, "wal");
    }
}
