//! Pictures of the demo's screens: what a person would have seen at the time.
//!
//! **Owns** when a picture is taken, what is drawn, and the folders `Screenshots/YYYY-MM-DD/` with their files. **Does
//! not own** what was on the screen (`screen`) nor when the history appears (`super::write`).
//!
//! Invariants: nothing is pictured while nobody is at the keyboard; a picture shows the window that the history has in
//! front in that second; asking for pictures changes no row of the history; the same plan gives the same bytes.

mod bodies;
mod desktop;
mod files;
mod moments;
mod scene;
#[cfg(test)]
mod tests;
mod words;

use std::path::Path;

use chrono::{Days, NaiveDate};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::clock::WallClock;
use super::day::MINUTE;
use super::screen::Window;
use super::{Error, Plan};
use scene::Scene;

/// Which screenshots a demo history has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pictures {
    /// For how many days back they are kept, the last day of the history included.
    pub days: u32,
    /// How many minutes of use pass between two of them, on average; 0 counts as 1.
    pub minutes: u32,
}

impl Default for Pictures {
    /// Ten days of them, some thirty on a day of work.
    fn default() -> Self {
        Self { days: 10, minutes: 15 }
    }
}

/// The pictures of a history, before they are drawn.
#[derive(Debug)]
pub(super) struct Album {
    /// The first local day that has pictures; `None` when none has.
    first: Option<NaiveDate>,
    pace: i64,
    seed: u64,
    shots: Vec<(Scene, bool)>,
}

impl Album {
    pub(super) fn begin(plan: &Plan) -> Self {
        let kept = plan.pictures.filter(|pictures| pictures.days > 0);
        let first =
            kept.map(|kept| plan.until.checked_sub_days(Days::new(u64::from(kept.days - 1))).unwrap_or(NaiveDate::MIN));
        let pace = i64::from(kept.map_or(1, |kept| kept.minutes).max(1)) * MINUTE;
        Self { first, pace, seed: plan.seed, shots: Vec::new() }
    }

    /// Takes the pictures of a period of use: windows and its two ends in seconds after `midnight`.
    pub(super) fn add(
        &mut self,
        on_laptop: bool,
        windows: &[Window],
        used: (i64, i64),
        midnight: i64,
        clock: &WallClock,
    ) {
        let Some(first) = self.first else { return };
        // Numbers of their own: the history's must not depend on whether there are pictures.
        let seed = self.seed.rotate_left(32) ^ (midnight + used.0).cast_unsigned() ^ u64::from(on_laptop);
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        for shot in moments::shots(windows, used, self.pace, &mut rng) {
            let scene = Scene {
                moment: clock.at(midnight + shot.at),
                on_laptop,
                app: shot.window.app,
                title: shot.window.title.clone(),
                content: shot.window.content.clone(),
            };
            if scene.local().date() >= first {
                self.shots.push((scene, shot.changed));
            }
        }
    }

    /// Draws all pictures into day folders below `root`, tells after each day how many are done, and returns how many
    /// pictures there are.
    pub(super) fn write(self, root: &Path, done: &mut dyn FnMut(u64)) -> Result<u64, Error> {
        let pictures = files::numbered(self.shots);
        files::write(root, &pictures, done)?;
        Ok(pictures.len() as u64)
    }
}
