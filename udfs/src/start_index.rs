//! What has a start and an end, to be found by the time that it shares with something else.

/// A start and an end in seconds of UTC.
type Span = (i64, i64);

/// Values in order of start.
#[derive(Debug)]
pub(crate) struct StartIndex<T> {
    values: Vec<(Span, T)>,
    /// The greatest end of the values up to each: finds the first overlap even where they overlap one another.
    reached: Vec<i64>,
}

impl<T> Default for StartIndex<T> {
    fn default() -> Self {
        Self { values: Vec::new(), reached: Vec::new() }
    }
}

impl<T> StartIndex<T> {
    /// Adds a value, which is found once [`StartIndex::finish`] was called.
    pub(crate) fn push(&mut self, span: Span, value: T) {
        self.values.push((span, value));
    }

    /// Puts the values in their order.
    pub(crate) fn finish(&mut self) {
        self.values.sort_by_key(|(span, _)| *span);
        let reached = self.values.iter().scan(i64::MIN, |reached, ((_, end), _)| {
            *reached = (*end).max(*reached);
            Some(*reached)
        });
        self.reached = reached.collect();
    }

    /// Returns all that share time with a span, and some before it that may not, in order of start.
    pub(crate) fn find_near(&self, (start, end): Span) -> impl Iterator<Item = &(Span, T)> {
        let first = self.reached.partition_point(|reached| *reached <= start);
        self.values[first..].iter().take_while(move |((begins, _), _)| *begins < end)
    }
}
