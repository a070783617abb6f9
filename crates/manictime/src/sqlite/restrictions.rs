//! How a connection is set up so that a file can do no harm, whoever made it.
//!
//! A history is data, but a `SQLite` file can hold code too: views, which a statement runs where it names them. What it
//! could do is taken away here, before anything of the file is read:
//!
//! - it writes nothing, and what it computes lies in memory alone, never in a temporary file beside or elsewhere;
//! - functions with effects are refused in views (`TRUSTED_SCHEMA`), so are recursion and all functions but those whose
//!   one call ends soon: between two steps a statement can be stopped, within a call it cannot;
//! - one value, and all connections together, take no more memory than is theirs;
//! - pages are checked as they are read (`cell_size_check`) and not mapped, so that a file that shrinks is an error.

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;

/// The longest value that is read at all, text or not; what is told of one is cut much earlier.
const VALUE_BYTES: i32 = 64 << 20;
/// The longest pattern of `LIKE`: a call takes as long as text and pattern are together.
const PATTERN_BYTES: i32 = 128;

/// All connections together; `heap` is what they may take of memory, 512 MiB.
const SETTINGS: &str = "PRAGMA query_only = ON; PRAGMA cache_size = -16384; PRAGMA mmap_size = 0; \
                        PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA hard_heap_limit = 536870912;";

/// What statements and views may call: nothing that looks for a text in a text, or makes one longer than its arguments.
const FUNCTIONS: &str = "abs avg coalesce count date datetime first_value glob if ifnull iif julianday length like \
                         likely lower max min nullif octet_length rank round row_number sign strftime substr \
                         substring sum time timediff total typeof unicode unixepoch unlikely upper";

/// Sets up a connection of which nothing was read yet.
pub(super) fn restrict(connection: &mut Connection) -> rusqlite::Result<()> {
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
        // Only a statement of ours, no view.
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

    /// A connection over those statements.
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
