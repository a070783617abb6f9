//! When pictures are taken: while the computer is used, at an even pace, and when the application changes.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::super::screen::Window;

/// A picture to be taken, in seconds after midnight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shot<'a> {
    pub(super) at: i64,
    pub(super) window: &'a Window,
    /// Whether another application had just come to the front.
    pub(super) changed: bool,
}

/// Returns the pictures of a period in which the computer was used, about one in `pace` seconds.
pub(super) fn shots<'a>(
    windows: &'a [Window],
    (start, end): (i64, i64),
    pace: i64,
    rng: &mut Pcg64Mcg,
) -> Vec<Shot<'a>> {
    let mut shots = Vec::new();
    let mut due = start + rng.random_range(2..=pace);
    while due < end {
        let waits = rng.random_ratio(1, 2);
        let shot = if waits { next_change(windows, due, end) } else { in_front(windows, due, end) };
        let Some(shot) = shot.or_else(|| in_front(windows, due, end)) else { break };
        due = shot.at + pace * rng.random_range(70..=130) / 100;
        shots.push(shot);
    }
    shots
}

/// The second after an application came to the front, if it stayed for so long.
fn next_change(windows: &[Window], due: i64, end: i64) -> Option<Shot<'_>> {
    windows.windows(2).find_map(|pair| {
        let [before, window] = pair else { return None };
        let at = window.start + 1;
        (at >= due && at < end.min(window.end) && before.app != window.app).then_some(Shot {
            at,
            window,
            changed: true,
        })
    })
}

/// What is in front when a picture is due; where nothing is, the next window.
fn in_front(windows: &[Window], due: i64, end: i64) -> Option<Shot<'_>> {
    let window = windows.iter().find(|window| window.end > due)?;
    let at = due.max(window.start);
    (at < end).then_some(Shot { at, window, changed: false })
}
