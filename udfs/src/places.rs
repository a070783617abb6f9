//! Numbers for the few names that many rows share.

use std::collections::HashMap;

/// Gives each distinct name a number, in order of their first use.
#[derive(Debug, Default)]
pub(crate) struct Places<'a> {
    known: HashMap<Option<&'a str>, usize>,
    last: Option<(Option<&'a str>, usize)>,
}

impl<'a> Places<'a> {
    /// Returns the number of a name. Quick for the name that was asked last.
    pub(crate) fn of(&mut self, name: Option<&'a str>) -> usize {
        if let Some((last, place)) = self.last
            && last == name
        {
            return place;
        }
        let next = self.known.len();
        let place = *self.known.entry(name).or_insert(next);
        self.last = Some((name, place));
        place
    }

    /// Returns the numbers in the order of their names, absent ones last.
    pub(crate) fn in_order(&self) -> Vec<usize> {
        let mut known: Vec<_> = self.known.iter().map(|(name, place)| (name.is_none(), *name, *place)).collect();
        known.sort_unstable();
        known.into_iter().map(|(_, _, place)| place).collect()
    }
}
