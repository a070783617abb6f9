//! Restricts a connection so that a malicious file can do no harm.
//!
//! An `SQLite` file can contain code, because a query of a view runs the SQL of the view. All of these restrictions
//! apply before anything is read from the file:
//!
//! - Nothing is written. Intermediate results stay in memory and never go to a temporary file.
//! - Functions with side effects are rejected in views (`TRUSTED_SCHEMA`). Recursive statements are
//!   also rejected.
//! - Only fast functions are allowed, because the deadline can't stop a function while it runs.
//! - The memory is limited, both for a single value and for all connections together.
//! - Pages are checked when they are read (`cell_size_check`).
//! - The file isn't memory-mapped. So if the file shrinks during a read, the read fails, but the process doesn't crash.

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;

/// The maximum size of a value in bytes.
const VALUE_BYTES: i32 = 64 << 20;
/// The maximum length of a `LIKE` pattern in bytes. A call of `LIKE` takes longer for longer texts and for longer
/// patterns.
const PATTERN_BYTES: i32 = 128;

/// The settings of every connection. `hard_heap_limit` limits the memory of all connections together
/// to 512 MiB.
const SETTINGS: &str = "PRAGMA query_only = ON; PRAGMA cache_size = -16384; PRAGMA mmap_size = 0; \
                        PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA hard_heap_limit = 536870912;";

/// The functions that statements and views may call. Functions that search for a text in another text aren't in this
/// list. Functions that can return a text longer than their arguments aren't in the list either.
const FUNCTIONS: &str = "abs avg coalesce count date datetime first_value glob if ifnull iif julianday length like \
                         likely lower max min nullif octet_length rank round row_number sign strftime substr \
                         substring sum time timediff total typeof unicode unixepoch unlikely upper";

/// Applies all restrictions to a connection that hasn't read anything yet.
pub(crate) fn restrict(connection: &mut Connection) -> rusqlite::Result<()> {
    for (setting, value) in [
        (DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true),
        (DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false),
        (DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false),
    ] {
        connection.set_db_config(setting, value)?;
    }
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_LENGTH, VALUE_BYTES),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, PATTERN_BYTES),
        // `ATTACH` could open any file that the user can read.
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        connection.set_limit(limit, value)?;
    }
    connection.authorizer(Some(authorize))?;
    connection.execute_batch(SETTINGS)
}

fn authorize(context: AuthContext<'_>) -> Authorization {
    let is_permitted = match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Transaction { .. } => true,
        // Pragmas are allowed only in dayledger's own statements. Views can't use them.
        AuthAction::Pragma { .. } => context.accessor.is_none(),
        AuthAction::Function { function_name } => {
            FUNCTIONS.split(' ').any(|permitted| permitted.eq_ignore_ascii_case(function_name))
        }
        _ => false,
    };
    if is_permitted { Authorization::Allow } else { Authorization::Deny }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Creates a database in memory with the statements `sql`, and returns a restricted connection to the database.
    fn connection_with(sql: &str) -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(sql).unwrap();
        restrict(&mut connection).unwrap();
        connection
    }

    #[test]
    fn connection_cannot_write_or_open_other_files() {
        let connection = connection_with("CREATE TABLE t (x); INSERT INTO t VALUES (1)");
        for sql in [
            "INSERT INTO t VALUES (2)",
            "UPDATE t SET x = 2",
            "DELETE FROM t",
            "DROP TABLE t",
            "CREATE TABLE u (x)",
            "CREATE TEMP TABLE u (x)",
            "ATTACH ':memory:' AS other",
            "VACUUM",
            "PRAGMA user_version = 7",
            "SELECT load_extension('x')",
        ] {
            assert!(connection.execute_batch(sql).is_err(), "{sql}");
        }
        assert_eq!(connection.query_row("SELECT x FROM t", [], |row| row.get(0)), Ok(1));
    }

    #[test]
    fn view_can_always_be_interrupted() {
        let connection = connection_with(
            "CREATE TABLE t (x); INSERT INTO t VALUES ('word');
             CREATE VIEW recursion AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
             CREATE VIEW search AS SELECT instr(x, 'o') FROM t;
             CREATE VIEW exchange AS SELECT replace(x, 'o', 'oo') FROM t;
             CREATE VIEW growth AS SELECT printf('%*d', 1000000, 7) FROM t;
             CREATE VIEW settings AS SELECT * FROM pragma_database_list;
             CREATE VIEW plain AS SELECT upper(x) FROM t WHERE x LIKE '%or%';",
        );
        for view in ["recursion", "search", "exchange", "growth", "settings"] {
            let read = connection.query_row(&format!("SELECT * FROM {view}"), [], |_| Ok(()));
            assert!(read.is_err(), "{view}");
        }
        assert_eq!(connection.query_row("SELECT * FROM plain", [], |row| row.get(0)), Ok("WORD".to_owned()));
    }
}
