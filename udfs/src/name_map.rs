//! A map from names to values, for columns in which many rows share a few names.

use hashbrown::HashMap;

/// One value for each distinct name, in order of first use.
#[derive(Debug)]
pub(crate) struct NameMap<'a, T> {
    places: HashMap<Option<&'a str>, usize>,
    last: Option<(Option<&'a str>, usize)>,
    values: Vec<T>,
}

impl<'a, T: Default> NameMap<'a, T> {
    pub(crate) fn new() -> Self {
        Self { places: HashMap::new(), last: None, values: Vec::new() }
    }

    /// Returns the value of a name. Adds a default value if the name is new. This is fast if the
    /// name is the same as in the previous call.
    pub(crate) fn entry(&mut self, name: Option<&'a str>) -> &mut T {
        let place = match self.last {
            Some((last, place)) if last == name => place,
            _ => *self.places.entry(name).or_insert_with(|| {
                self.values.push(T::default());
                self.values.len() - 1
            }),
        };
        self.last = Some((name, place));
        &mut self.values[place]
    }

    /// Returns the values in order of their names. The value of the null name is last.
    pub(crate) fn into_sorted_values(self) -> Vec<T> {
        let mut named: Vec<_> = self.values.into_iter().map(|value| (None, value)).collect();
        for (name, place) in self.places {
            named[place].0 = name;
        }
        // The order of a hash map is random, but segments must be numbered in a fixed order of
        // devices.
        named.sort_by_key(|(name, _)| (name.is_none(), *name));
        named.into_iter().map(|(_, value)| value).collect()
    }
}
