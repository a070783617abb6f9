//! Where something is drawn.

/// A rectangle in pixels, counted from the upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// The first column.
    pub left: u32,
    /// The first row.
    pub top: u32,
    /// How many columns.
    pub width: u32,
    /// How many rows.
    pub height: u32,
}

impl Area {
    /// Returns an area by its upper left corner and its size.
    pub const fn new(left: u32, top: u32, width: u32, height: u32) -> Self {
        Self { left, top, width, height }
    }

    /// Returns the area without a margin on each side; one that is too small for it becomes empty.
    #[must_use]
    pub const fn inset(self, margin: u32) -> Self {
        let (width, height) = (self.width.saturating_sub(2 * margin), self.height.saturating_sub(2 * margin));
        Self::new(self.left + margin, self.top + margin, width, height)
    }

    /// Cuts off the upper rows and returns them and the rest. No part is larger than the area.
    pub fn split_top(self, rows: u32) -> (Self, Self) {
        let rows = rows.min(self.height);
        (Self { height: rows, ..self }, Self { top: self.top + rows, height: self.height - rows, ..self })
    }

    /// Cuts off the lower rows and returns them and the rest.
    pub fn split_bottom(self, rows: u32) -> (Self, Self) {
        let (rest, bottom) = self.split_top(self.height.saturating_sub(rows));
        (bottom, rest)
    }

    /// Cuts off the columns at the left and returns them and the rest.
    pub fn split_left(self, columns: u32) -> (Self, Self) {
        let columns = columns.min(self.width);
        (Self { width: columns, ..self }, Self { left: self.left + columns, width: self.width - columns, ..self })
    }

    /// Cuts off the columns at the right and returns them and the rest.
    pub fn split_right(self, columns: u32) -> (Self, Self) {
        let (rest, right) = self.split_left(self.width.saturating_sub(columns));
        (right, rest)
    }

    /// Returns rows of one height from the top down, as many as fit.
    pub fn rows(self, height: u32) -> impl Iterator<Item = Self> {
        let fitting = self.height.checked_div(height).unwrap_or(0);
        (0..fitting).map(move |row| Self { top: self.top + row * height, height, ..self })
    }

    /// Returns columns of one width from left to right, as many as fit.
    pub fn columns(self, width: u32) -> impl Iterator<Item = Self> {
        let fitting = self.width.checked_div(width).unwrap_or(0);
        (0..fitting).map(move |column| Self { left: self.left + column * width, width, ..self })
    }

    /// Returns an area of a size in the middle of this one, no larger than this one.
    #[must_use]
    pub fn centred(self, width: u32, height: u32) -> Self {
        let (width, height) = (width.min(self.width), height.min(self.height));
        Self::new(self.left + (self.width - width) / 2, self.top + (self.height - height) / 2, width, height)
    }
}
