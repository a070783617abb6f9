//! The screen around a window: desktop, frame, taskbar with the clock.
//!
//! **Owns** where window, title bar and clock are. **Does not own** what the window shows (`bodies`).

use dayledger_canvas::{Area, Canvas, Color, Face};

use super::super::cast::{APPS, Use};
use super::bodies;
use super::scene::{Scene, color, ink_on, surface};

const TASKBAR: u32 = 44;
pub(super) const TITLE_BAR: u32 = 32;
const TASKBAR_COLOR: Color = [24, 27, 33];

/// Draws the screen as it was.
pub(super) fn draw(scene: &Scene) -> Canvas {
    let wallpaper = if scene.on_laptop { [38, 92, 92] } else { [44, 76, 118] };
    let mut canvas = surface(scene, wallpaper);
    let (taskbar, desktop) = canvas.area().split_bottom(TASKBAR);
    hills(&mut canvas, desktop, wallpaper);
    icons(&mut canvas, desktop);
    let window = window(scene, desktop);
    canvas.fill(Area::new(window.left + 6, window.top + 6, window.width, window.height), [20, 34, 48]);
    canvas.fill(window, [255, 255, 255]);
    let (bar, body) = window.split_top(TITLE_BAR);
    title_bar(&mut canvas, bar, scene);
    bodies::draw(&mut canvas, body, scene);
    canvas.outline(window, [60, 66, 76]);
    self::taskbar(&mut canvas, taskbar, scene);
    canvas
}

/// Returns where the window is: small programs take a part of the desktop, all others nearly the whole.
pub(super) fn window(scene: &Scene, desktop: Area) -> Area {
    if scene.app().used_for == Use::Small {
        return desktop.centred(560, 460);
    }
    desktop.split_left(104).1.inset(16)
}

/// Two bands of a lighter colour, so that the wallpaper is not one flat field.
fn hills(canvas: &mut Canvas, desktop: Area, wallpaper: Color) {
    let (lower, upper) = desktop.split_bottom(desktop.height / 2);
    canvas.fill(upper, wallpaper.map(|part| part.saturating_add(18)));
    canvas.fill(lower.split_bottom(lower.height / 2).0, wallpaper.map(|part| part.saturating_sub(14)));
}

fn icons(canvas: &mut Canvas, desktop: Area) {
    let names = [
        ("Projects", [242, 193, 78]),
        ("Invoices", [29, 111, 66]),
        ("Notes", [124, 58, 237]),
        ("Bin", [150, 160, 170]),
    ];
    for (cell, (name, color)) in desktop.split_left(96).0.inset(12).rows(84).zip(names) {
        let (picture, label) = cell.split_top(54);
        let picture = picture.centred(38, 38);
        canvas.fill(picture, color);
        canvas.fill(picture.split_top(10).0, color.map(|part| part.saturating_add(34)));
        let letters = u32::try_from(name.len()).unwrap_or(0);
        let label = label.split_top(16).0.centred(letters * Face::Small.size().0, 16);
        canvas.text(label, name, Face::Small, [255, 255, 255]);
    }
}

fn title_bar(canvas: &mut Canvas, bar: Area, scene: &Scene) {
    let (color, ink) = (scene.color(), ink_on(scene.color()));
    canvas.fill(bar, color);
    let (buttons, bar) = bar.split_right(96);
    for (button, sign) in buttons.columns(32).zip(["_", "o", "x"]) {
        canvas.text(button.centred(9, 15), sign, Face::Bold, ink);
    }
    let bar = bar.split_left(10).1;
    let name = scene.app_name();
    let letters = u32::try_from(name.chars().count()).unwrap_or(0);
    let (left, rest) = bar.split_left(letters * Face::Bold.size().0 + 18);
    canvas.text(left, name, Face::Bold, ink);
    canvas.fill(Area::new(rest.left - 10, bar.top + 7, 1, bar.height - 14), ink);
    canvas.text(rest.split_right(8).1, &scene.title, Face::Plain, ink);
}

fn taskbar(canvas: &mut Canvas, bar: Area, scene: &Scene) {
    canvas.fill(bar, TASKBAR_COLOR);
    let (start, rest) = bar.split_left(TASKBAR);
    for (row, colors) in
        start.centred(22, 22).rows(11).zip([[[242, 80, 34], [127, 186, 0]], [[0, 164, 239], [255, 185, 0]]])
    {
        for (tile, color) in row.columns(11).zip(colors) {
            canvas.fill(tile.inset(1), color);
        }
    }
    let (clock, rest) = rest.split_right(100);
    let local = scene.local();
    let date = if scene.on_laptop { local.format("%d.%m.%Y") } else { local.format("%Y-%m-%d") };
    let (time, day) = clock.split_top(TASKBAR / 2);
    canvas.text(time, &local.format("%H:%M:%S").to_string(), Face::Bold, [255, 255, 255]);
    canvas.text(day, &date.to_string(), Face::Small, [190, 196, 205]);
    for (button, app) in rest.columns(136).zip(running(scene)) {
        let (button, is_front) = (button.inset(4), app == scene.app);
        if is_front {
            canvas.fill(button, [58, 64, 76]);
            canvas.fill(button.split_bottom(3).0, color(APPS[app].color));
        }
        let (icon, label) = button.split_left(30);
        canvas.fill(icon.centred(16, 16), color(APPS[app].color));
        let ink = if is_front { [255, 255, 255] } else { [176, 182, 192] };
        canvas.text(label, super::super::screen::name_on_device(app, scene.on_laptop), Face::Small, ink);
    }
}

/// The applications on the taskbar: what is always open, and what is in front if that is none of them.
fn running(scene: &Scene) -> impl Iterator<Item = usize> {
    let browser = if scene.on_laptop { "Microsoft Edge" } else { "Google Chrome" };
    let pinned = ["Windows Explorer", browser, "Visual Studio Code", "Microsoft Outlook", "Slack"];
    let always = pinned.into_iter().filter_map(|name| APPS.iter().position(|app| app.name == name));
    let front = Some(scene.app).filter(|app| !pinned.contains(&APPS[*app].name));
    always.chain(front)
}
