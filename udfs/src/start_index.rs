//! An index of values with a start and an end. It finds the values that overlap a span.

/// A start and an end in seconds of UTC.
type Span = (i64, i64);

/// Values in order of start.
#[derive(Debug)]
pub(crate) struct StartIndex<T> {
    values: Vec<(Span, T)>,
    /// For each position, the latest end among the values up to this position. It never decreases, so a binary search
    /// can find the first overlap even if values overlap each other.
    reached: Vec<i64>,
}

impl<T> Default for StartIndex<T> {
    fn default() -> Self {
        Self { values: Vec::new(), reached: Vec::new() }
    }
}

impl<T> StartIndex<T> {
    /// Adds a value. The value can be found after [`StartIndex::finish`].
    pub(crate) fn push(&mut self, span: Span, value: T) {
        self.values.push((span, value));
    }

    /// Sorts the values.
    pub(crate) fn finish(&mut self) {
        self.values.sort_by_key(|(span, _)| *span);
        let reached = self.values.iter().scan(i64::MIN, |reached, ((_, end), _)| {
            *reached = (*end).max(*reached);
            Some(*reached)
        });
        self.reached = reached.collect();
    }

    /// Returns all values that overlap a span, in order of start. May also return values that end before the span.
    pub(crate) fn find_near(&self, (start, end): Span) -> impl Iterator<Item = &(Span, T)> {
        let first = self.reached.partition_point(|reached| *reached <= start);
        self.values[first..].iter().take_while(move |((begins, _), _)| *begins < end)
    }
}
