//! Tests of drafts of generated weeks. The results are compared with a simple count of each second.

mod conservation;
mod corrections;
mod descriptions;
mod naive;
mod overlaps;
mod recorded;
mod rows;
mod saved_drafts;
mod text;
mod versions;
mod world;
