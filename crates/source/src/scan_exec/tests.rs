use std::path::PathBuf;

use arrow::array::RecordBatch;

use super::*;
use crate::{HiddenScreenshots, Location, Privacy, SourceHealth};

/// A source that returns the same results for all scans.
#[derive(Debug)]
struct FixedSource {
    privacy: Privacy,
    results: Vec<ReadRows>,
}

impl HistorySource for FixedSource {
    fn name(&self) -> &'static str {
        "fixed"
    }

    fn label(&self) -> &'static str {
        "Fixed"
    }

    fn privacy(&self) -> &Privacy {
        &self.privacy
    }

    fn with_privacy(&self, privacy: Privacy) -> Arc<dyn HistorySource> {
        Arc::new(Self { privacy, results: self.results.clone() })
    }

    fn location(&self) -> Result<Location, Error> {
        Err(no_files_error())
    }

    fn folders(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn contents(&self) -> Result<Arc<Contents>, Error> {
        Ok(Arc::default())
    }

    fn read(&self, _scans: &[(&ScanRequest, ScanExtent)], _handle: &ReadHandle) -> Result<Vec<ReadRows>, Error> {
        Ok(self.results.clone())
    }

    fn describe(&self, _scan: &ScanRequest) -> String {
        String::new()
    }

    fn hidden_screenshots(&self) -> Result<Arc<HiddenScreenshots>, Error> {
        Ok(Arc::default())
    }

    fn health(&self) -> Result<SourceHealth, Error> {
        Err(no_files_error())
    }

    fn settings(&self) -> serde_json::Result<serde_json::Value> {
        Ok(serde_json::Value::Null)
    }
}

fn no_files_error() -> Error {
    Error { kind: ErrorKind::NotFound, message: "there are no files".to_owned(), hint: String::new() }
}

/// Returns a scan of these columns of `devices`.
fn scan(columns: &[usize]) -> ScanRequest {
    let selection = Selection { projection: columns.to_vec(), predicates: Vec::new(), limit: None };
    ScanRequest { table: Table::Devices, selection }
}

/// Loads one scan for each item of `requested`. The source returns one result for each item of `returned`. An item
/// contains indexes of columns of the table `devices`. Returns the result, and the number of scans that were loaded.
fn load_devices(requested: &[&[usize]], returned: &[&[usize]]) -> (Result<(), Error>, usize) {
    let rows = |columns: &&[usize]| ReadRows::Batches(Arc::new(vec![RecordBatch::new_empty(scan(columns).schema())]));
    let results = returned.iter().map(rows).collect();
    let source: Arc<dyn HistorySource> = Arc::new(FixedSource { privacy: Privacy::default(), results });
    let node = |columns: &&[usize]| -> Arc<dyn ExecutionPlan> {
        Arc::new(ScanExec::new(Arc::clone(&source), scan(columns), Vec::new()))
    };
    let nodes: Vec<_> = requested.iter().map(node).collect();
    let unread = || nodes.iter().filter_map(|node| unread_scan(node, ScanExtent::Whole).unwrap());
    let loaded = load(&*source, &unread().collect::<Vec<_>>(), &ReadHandle::default());
    (loaded, nodes.len() - unread().count())
}

#[test]
fn source_that_returns_another_number_of_results_is_an_error() {
    assert_eq!(load_devices(&[&[0], &[1]], &[&[0], &[1]]), (Ok(()), 2));
    for count in [1, 3] {
        let (loaded, scans) = load_devices(&[&[0], &[0]], &vec![&[0][..]; count]);
        let message = format!("cannot read the history: the source returned {count} results for 2 scans");
        assert_eq!((loaded.unwrap_err().message, scans), (message, 0));
    }
}

#[test]
fn source_that_returns_other_columns_is_an_error() {
    for returned in [[2_usize, 0], [0, 1]] {
        let (loaded, scans) = load_devices(&[&[0], &[0, 2]], &[&[0], &returned]);
        let message = "cannot read the history: the source returned other columns of `devices` than requested";
        assert_eq!((loaded.unwrap_err().message.as_str(), scans), (message, 0));
    }
}
