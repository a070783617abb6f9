//! Differences between two trees of git.
//!
//! For each session, the trees before and after the session are compared. A tree can contain thousands of notes, but a
//! session changes only one note. So the equal beginnings and ends of two trees are compared as bytes, which is faster
//! than a comparison of entries.

use std::cmp::Ordering;

use gix::bstr::ByteSlice;
use gix::hash::Kind;
use gix::objs::TreeRefIter;
use gix::objs::tree::EntryRef;

use super::repository::corrupt_history;
use crate::refusal::Refusal;

/// The number of bytes that are compared in a step.
const BLOCK: usize = 256;

/// An entry of the later tree that is new or changed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference<'t> {
    /// The entry with the same name in the earlier tree, or `None` if the entry is new.
    pub(super) before: Option<EntryRef<'t>>,
    /// The entry in the later tree.
    pub(super) after: EntryRef<'t>,
}

/// Returns the entries of the later tree that are new or changed since the earlier tree.
///
/// # Errors
///
/// `PARSE_ERROR` if the bytes aren't a valid tree.
pub(super) fn changed_entries<'t>(
    mut before: &'t [u8],
    mut after: &'t [u8],
    hash: Kind,
) -> Result<Vec<Difference<'t>>, Refusal> {
    let mut differences = Vec::new();
    loop {
        let same = equal_entries_length(before, after, hash)?;
        (before, after) = (&before[same..], &after[same..]);
        let (earlier, rest_before) = first_entry(before, hash)?;
        let (later, rest_after) = first_entry(after, hash)?;
        let Some(later) = later else { return Ok(differences) };
        // Both trees are sorted, so the loop advances in the tree with the smaller key.
        let order = earlier.map_or(Ordering::Greater, |earlier| sort_key(&earlier).cmp(&sort_key(&later)));
        if order.is_le() {
            before = rest_before;
        }
        if order.is_ge() {
            after = rest_after;
            differences.push(Difference { before: earlier.filter(|_| order.is_eq()), after: later });
        }
    }
}

/// Returns the total length in bytes of the equal entries at the start of both trees.
fn equal_entries_length(before: &[u8], after: &[u8], hash: Kind) -> Result<usize, Refusal> {
    let alike = common_prefix_length(before, after);
    if alike == after.len() && alike == before.len() {
        return Ok(alike);
    }
    let mut entries = TreeRefIter::from_bytes(after, hash);
    let mut same = 0;
    while let Some(entry) = entries.next() {
        entry.map_err(corrupt_history)?;
        let end = entries.offset_to_next_entry(after);
        if end > alike {
            break;
        }
        same = end;
    }
    Ok(same)
}

/// Returns the first entry of a tree, if any, and the bytes after this entry.
fn first_entry(tree: &[u8], hash: Kind) -> Result<(Option<EntryRef<'_>>, &[u8]), Refusal> {
    let mut entries = TreeRefIter::from_bytes(tree, hash);
    let entry = entries.next().transpose().map_err(corrupt_history)?;
    Ok((entry, &tree[entries.offset_to_next_entry(tree)..]))
}

/// Returns the sort key of an entry: its name, followed by `/` for folders.
fn sort_key<'t>(entry: &EntryRef<'t>) -> impl Ord + use<'t> {
    // git sorts the entries of a tree as if the names of folders ended with a slash.
    let slash: &[u8] = if entry.mode.is_tree() { b"/" } else { b"" };
    [entry.filename.as_bytes(), slash].concat()
}

/// Returns the length of the common prefix in bytes. For speed, compares whole blocks before single bytes.
fn common_prefix_length(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.chunks_exact(BLOCK).zip(other.chunks_exact(BLOCK));
    let same = blocks.take_while(|(one, other)| one == other).count() * BLOCK;
    same + one[same..].iter().zip(&other[same..]).take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn tree(entries: &BTreeMap<String, u8>) -> Vec<u8> {
        let entry = |(name, hash): (&String, &u8)| [b"100644 ", name.as_bytes(), b"\0", &[*hash; 20]].concat();
        entries.iter().flat_map(entry).collect()
    }

    #[test]
    fn new_and_changed_entries_are_found() {
        // Names and hashes consist of the same characters. So the same bytes can occur in the name of one entry and in
        // the hash of another entry.
        let names = ["1", "10", "100644 a", "a", "aa", "aaa"];
        let chosen = |mut number: u32| -> BTreeMap<String, u8> {
            let mut entries = BTreeMap::new();
            for name in names {
                let hash = [None, Some(b'a'), Some(b'1'), Some(0)][number as usize % 4];
                entries.extend(hash.map(|hash| (name.to_owned(), hash)));
                number /= 4;
            }
            entries
        };
        for number in (0..4096).step_by(5) {
            for other in (0..4096).step_by(97) {
                let (before, after) = (chosen(number), chosen(other));
                let expected: Vec<_> = after
                    .iter()
                    .filter(|(name, hash)| before.get(*name) != Some(hash))
                    .map(|(name, hash)| (before.get(name).copied(), name.clone(), *hash))
                    .collect();
                let (before, after) = (tree(&before), tree(&after));
                let hash = |entry: &EntryRef<'_>| entry.oid.as_bytes()[0];
                let found: Vec<_> = changed_entries(&before, &after, Kind::Sha1)
                    .unwrap()
                    .iter()
                    .map(|found| {
                        (found.before.as_ref().map(hash), found.after.filename.to_string(), hash(&found.after))
                    })
                    .collect();
                assert_eq!(found, expected, "{number} {other}");
            }
        }
    }

    #[test]
    fn damaged_trees_are_refused() {
        for (before, after) in [(&b""[..], &b"100644 a\0short"[..]), (b"100644 a\0short", b"100644 b\0short, too")] {
            assert!(changed_entries(before, after, Kind::Sha1).is_err());
        }
    }
}
