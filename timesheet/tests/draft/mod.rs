//! The draft, over invented weeks and beside a second one that counts each second by hand.

mod conservation;
mod corrections;
mod naive;
mod overlaps;
mod rows;
mod saved_drafts;
mod text;
mod versions;
mod world;
