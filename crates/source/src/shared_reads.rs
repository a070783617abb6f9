//! Shares reads: if several scans select the same rows, a source reads these rows only once.

use std::sync::Arc;

use arrow::array::RecordBatch;

use super::{Batches, ScanRequest};

/// Merges scans that select the same rows into one scan with the columns of all these scans.
pub fn merge_scans(scans: &[&ScanRequest]) -> Vec<ScanRequest> {
    let mut shared: Vec<ScanRequest> = Vec::new();
    for scan in scans {
        if let Some(other) = shared.iter_mut().find(|other| other.selects_same_rows_as(scan)) {
            other.selection.projection.extend(&scan.selection.projection);
            other.selection.projection.sort_unstable();
            other.selection.projection.dedup();
        } else {
            let mut scan = (*scan).clone();
            scan.selection.projection.sort_unstable();
            shared.push(scan);
        }
    }
    shared
}

/// Returns the rows and columns of `scan`. `shared` are the scans from [`merge_scans`], and `batches` are their rows.
/// Returns `None` if `shared` doesn't contain `scan`.
pub fn rows_of_scan(scan: &ScanRequest, shared: &[ScanRequest], batches: &[Batches]) -> Option<Batches> {
    let (read, batches) = shared.iter().zip(batches).find(|(read, _)| read.selects_same_rows_as(scan))?;
    if read.selection.projection == scan.selection.projection {
        return Some(Arc::clone(batches));
    }
    let places: Option<Vec<usize>> =
        scan.selection.projection.iter().map(|column| read.selection.projection.binary_search(column).ok()).collect();
    let places = places?;
    let picked: Result<Vec<_>, _> = batches.iter().map(|batch: &RecordBatch| batch.project(&places)).collect();
    picked.ok().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Table;
    use crate::selection::Selection;

    fn scan(columns: &[usize], limit: Option<usize>) -> ScanRequest {
        let selection = Selection { projection: columns.to_vec(), predicates: Vec::new(), limit };
        ScanRequest { table: Table::Devices, selection }
    }

    #[test]
    fn scans_of_the_same_rows_are_one_read_with_all_their_columns() {
        let scans = [scan(&[2, 0], None), scan(&[0], Some(1)), scan(&[1], None)];
        let shared = merge_scans(&scans.each_ref());
        assert_eq!(shared, [scan(&[0, 1, 2], None), scan(&[0], Some(1))]);
        let batches: Vec<Batches> =
            shared.iter().map(|scan| Arc::new(vec![RecordBatch::new_empty(scan.schema())])).collect();
        for scan in &scans {
            assert_eq!(*rows_of_scan(scan, &shared, &batches).unwrap()[0].schema_ref(), scan.schema());
        }
        assert!(rows_of_scan(&scan(&[0], Some(2)), &shared, &batches).is_none());
    }
}
