//! What the screen showed at a moment.

use chrono::{DateTime, NaiveDateTime};
use dayledger_canvas::{Canvas, Color};

use super::super::cast::{APPS, App, PROJECTS, Project};
use super::super::clock::Moment;
use super::super::identity::fnv;
use super::super::screen::{Content, name_on_device};

/// The window in front at a moment, on one of the devices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Scene {
    pub(super) moment: Moment,
    pub(super) on_laptop: bool,
    /// Index into [`APPS`].
    pub(super) app: usize,
    pub(super) title: String,
    pub(super) content: Option<Content>,
}

impl Scene {
    /// Returns width and height of the device's screen, in pixels.
    pub(super) const fn size(&self) -> (u32, u32) {
        if self.on_laptop { (1024, 640) } else { (1152, 720) }
    }

    /// Returns the local time on the screen's clock.
    pub(super) fn local(&self) -> NaiveDateTime {
        DateTime::from_timestamp(self.moment.local_seconds(), 0).unwrap_or_default().naive_utc()
    }

    pub(super) const fn app(&self) -> &'static App {
        &APPS[self.app]
    }

    /// Returns the application's name in the language of the device.
    pub(super) fn app_name(&self) -> &'static str {
        name_on_device(self.app, self.on_laptop)
    }

    /// Returns the application's colour, as the history has it.
    pub(super) fn color(&self) -> Color {
        color(self.app().color)
    }

    /// Returns the address or path of what the window shows.
    pub(super) fn address(&self) -> Option<&str> {
        self.content.as_ref().map(|content| match content {
            Content::Page { url, .. } => url.as_str(),
            Content::File { path } => path.as_str(),
        })
    }

    /// Returns the project that the window is about; where it tells none, the last one, the person's own.
    pub(super) fn project(&self) -> &'static Project {
        let tells = |text: &str| {
            PROJECTS.iter().find(|project| {
                let about = [project.client, project.repository];
                about.iter().any(|name| text.contains(name))
                    || project.papers.contains(&text)
                    || project.topics.iter().any(|topic| text.contains(topic))
            })
        };
        self.address().and_then(tells).or_else(|| tells(&self.title)).unwrap_or(&PROJECTS[PROJECTS.len() - 1])
    }

    /// Returns a text with the names of the project and of its topic filled in.
    pub(super) fn filled(&self, text: &str) -> String {
        let project = self.project();
        let named = project.topics.iter().find(|topic| self.title.contains(*topic));
        let topic = named.copied().unwrap_or(project.topics[self.pick(0, project.topics.len())]);
        text.replace("{repo}", project.repository).replace("{client}", project.client).replace("{topic}", topic)
    }

    /// Returns a number below `below` that stays the same for this window and `what`.
    pub(super) fn pick(&self, what: usize, below: usize) -> usize {
        // The number comes first: the last letters hardly reach the upper bits.
        let hash = fnv(&format!("{what}/{}", self.title)) >> 20;
        usize::try_from(hash % below.max(1) as u64).unwrap_or(0)
    }

    /// Returns texts from one on that depends on the window and on the minute, without an end.
    pub(super) fn scrolled<'t, T>(&self, texts: &'t [T]) -> impl Iterator<Item = &'t T> + use<'t, T> {
        let minutes = usize::try_from(self.moment.utc / 300).unwrap_or(0);
        texts.iter().cycle().skip((self.pick(1, texts.len()) + minutes) % texts.len().max(1))
    }
}

/// Returns a colour of six hex digits; what is none is grey.
pub(super) fn color(hex: &str) -> Color {
    let value = u32::from_str_radix(hex, 16).unwrap_or(0x0080_8080);
    let [_, red, green, blue] = value.to_be_bytes();
    [red, green, blue]
}

/// Returns black or white, whichever can be read on a colour.
pub(super) fn ink_on(background: Color) -> Color {
    let [red, green, blue] = background.map(u32::from);
    if red * 3 + green * 6 + blue > 1_400 { [20, 20, 20] } else { [255, 255, 255] }
}

/// A theme: what is written on, what is written with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Theme {
    pub(super) paper: Color,
    pub(super) side: Color,
    pub(super) ink: Color,
    pub(super) faint: Color,
    pub(super) accent: Color,
}

pub(super) const DARK: Theme = Theme {
    paper: [30, 31, 36],
    side: [41, 43, 50],
    ink: [222, 224, 228],
    faint: [128, 134, 144],
    accent: [110, 178, 255],
};
pub(super) const LIGHT: Theme = Theme {
    paper: [255, 255, 255],
    side: [240, 242, 245],
    ink: [36, 38, 42],
    faint: [112, 117, 126],
    accent: [24, 92, 190],
};

/// A surface of a scene's size.
pub(super) fn surface(scene: &Scene, color: Color) -> Canvas {
    let (width, height) = scene.size();
    Canvas::new(width, height, color)
}
