//! Tests of areas and pixels.

use image::RgbImage;

use super::*;

const PAPER: Color = [255, 255, 255];
const INK: Color = [200, 30, 60];

fn pixels(canvas: &Canvas) -> RgbImage {
    image::load_from_memory(&canvas.png().unwrap()).unwrap().to_rgb8()
}

/// Columns and rows of all pixels that are not paper.
fn inked(canvas: &Canvas) -> Vec<(u32, u32)> {
    pixels(canvas).enumerate_pixels().filter(|(.., pixel)| pixel.0 != PAPER).map(|(x, y, _)| (x, y)).collect()
}

#[test]
fn what_lies_outside_is_left_out() {
    let mut canvas = Canvas::new(20, 10, PAPER);
    canvas.fill(Area::new(18, 8, 50, u32::MAX), INK);
    assert_eq!(inked(&canvas), [(18, 8), (19, 8), (18, 9), (19, 9)]);
    canvas.fill(Area::new(50, 50, 5, 5), INK);
    canvas.text(Area::new(15, 5, 300, 15), "outside", Face::Large, INK);
    assert!(inked(&canvas).len() < 60);
}

#[test]
fn an_outline_leaves_the_inside_alone() {
    let mut canvas = Canvas::new(6, 6, PAPER);
    canvas.outline(Area::new(1, 1, 4, 4), INK);
    assert_eq!(inked(&canvas).len(), 12);
    assert!(!inked(&canvas).contains(&(2, 2)));
}

#[test]
fn text_stays_within_the_width_of_its_area_and_says_that_it_is_cut() {
    for face in [Face::Small, Face::Plain, Face::Bold, Face::Large, Face::Heading] {
        let (width, height) = face.size();
        let mut canvas = Canvas::new(400, 60, PAPER);
        let area = Area::new(10, 5, width * 6 + 3, height + 4);
        canvas.text(area, "WWWWWWWWWW", face, INK);
        let inked = inked(&canvas);
        assert!(inked.len() > 40, "{face:?} writes nothing");
        assert!(
            inked.iter().all(|(x, y)| (10..10 + area.width).contains(x) && (5..5 + area.height).contains(y)),
            "{face:?}"
        );
        let mut cut = Canvas::new(400, 60, PAPER);
        cut.text(area, "WWWW..", face, INK);
        assert_eq!(pixels(&canvas), pixels(&cut), "{face:?}");
    }
}

#[test]
fn letters_that_the_fonts_lack_have_others_in_their_place() {
    let drawn = |text: &str| {
        let mut canvas = Canvas::new(60, 20, PAPER);
        canvas.text(canvas.area(), text, Face::Plain, INK);
        inked(&canvas)
    };
    assert_eq!(drawn("a – b"), drawn("a - b"));
    assert_ne!(drawn("ü"), drawn("?"));
}

#[test]
fn parts_of_an_area_make_up_the_whole() {
    let area = Area::new(3, 4, 50, 40);
    assert_eq!(area.split_top(15), (Area::new(3, 4, 50, 15), Area::new(3, 19, 50, 25)));
    assert_eq!(area.split_bottom(15), (Area::new(3, 29, 50, 15), Area::new(3, 4, 50, 25)));
    assert_eq!(area.split_left(60), (area, Area::new(53, 4, 0, 40)));
    assert_eq!(area.split_right(10), (Area::new(43, 4, 10, 40), Area::new(3, 4, 40, 40)));
    assert_eq!(area.rows(15).collect::<Vec<_>>(), [Area::new(3, 4, 50, 15), Area::new(3, 19, 50, 15)]);
    assert_eq!(area.columns(0).count(), 0);
    assert_eq!(area.centred(10, 60), Area::new(23, 4, 10, 40));
    assert_eq!(area.inset(30).height, 0);
}

#[test]
fn a_smaller_picture_has_the_same_colours_at_the_same_places() {
    let mut canvas = Canvas::new(64, 64, PAPER);
    canvas.fill(Area::new(32, 0, 32, 64), INK);
    let small = pixels(&canvas.scaled(16, 16));
    assert_eq!((small.get_pixel(3, 8).0, small.get_pixel(12, 8).0), (PAPER, INK));
    let photo = image::load_from_memory(&canvas.jpeg().unwrap()).unwrap().to_rgb8();
    assert!(photo.get_pixel(50, 20).0.iter().zip(INK).all(|(seen, meant)| seen.abs_diff(meant) < 8));
}
