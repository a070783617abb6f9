//! A surface to draw pictures of screens on.
//!
//! Purpose: rectangles and lines of text in pixels, and the files that they become. A crate of its own because both the
//! fonts and the encoders are generic code, which is compiled, and optimised or not, with the crate that calls it: in
//! an unoptimised program a picture took half a second.
//!
//! Owns: areas, faces, clipping, encoding. Does not own: what is drawn, where, and where files lie.
//!
//! Invariants: whatever is drawn outside of the surface is left out; the same calls give the same bytes on every
//! machine.

mod area;
mod canvas;

pub use area::Area;
pub use canvas::{Canvas, Color, Face};
pub use image::ImageError;

#[cfg(test)]
mod tests;
