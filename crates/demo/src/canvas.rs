//! A till's paper as a picture: lines of a label and a figure in a 5×7 dot font.

use std::io::Cursor;

use image::{GrayImage, ImageFormat, Luma};
use larder_ledgers::readings::Place;

use super::pictures::is_lit;

/// Pixels per dot: a letter is six dots wide and a line twelve high, with 38 letters per line.
const DOT: u32 = 4;
const LETTER: u32 = 6;
const LINE: u32 = 12;
const ACROSS: u32 = 38;
const MARGIN: u32 = 2;

/// 0 to 9, then point, comma, dash and colon: five bits per row, from the top.
const SIGNS: [(char, [u8; 7]); 14] = [
    ('0', [0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e]),
    ('1', [0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e]),
    ('2', [0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f]),
    ('3', [0x1f, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0e]),
    ('4', [0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02]),
    ('5', [0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e]),
    ('6', [0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e]),
    ('7', [0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08]),
    ('8', [0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e]),
    ('9', [0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c]),
    ('.', [0, 0, 0, 0, 0, 0x0c, 0x0c]),
    (',', [0, 0, 0, 0, 0x0c, 0x04, 0x08]),
    ('-', [0, 0, 0, 0x1f, 0, 0, 0]),
    (':', [0, 0x0c, 0x0c, 0, 0x0c, 0x0c, 0]),
];

/// A line: left and right text.
pub type Line = (String, String);

/// The paper as PNG, and the position of each line's figure.
pub fn print(lines: &[Line]) -> Option<(Vec<u8>, Vec<Place>)> {
    let (width, height) =
        ((ACROSS + 2 * MARGIN) * LETTER, (u32::try_from(lines.len()).ok()? + 2 * MARGIN) * LINE);
    let mut image = GrayImage::from_pixel(width * DOT, height * DOT, Luma([0xf4]));
    let mut places = Vec::with_capacity(lines.len());
    for (nth, (left, right)) in lines.iter().enumerate() {
        let top = (u32::try_from(nth).ok()? + MARGIN) * LINE;
        let long = u32::try_from(right.chars().count()).ok()?;
        let begins = (MARGIN + ACROSS.saturating_sub(long)) * LETTER;
        write(&mut image, left, MARGIN * LETTER, top);
        write(&mut image, right, begins, top);
        let share = |part: u32, whole: u32| f64::from(part) / f64::from(whole);
        places.push(Place {
            x: share(begins, width),
            y: share(top, height),
            w: share(long * LETTER, width),
            h: share(7, height),
        });
    }
    let mut out = Cursor::new(Vec::new());
    image.write_to(&mut out, ImageFormat::Png).ok()?;
    Some((out.into_inner(), places))
}

fn write(image: &mut GrayImage, text: &str, left: u32, top: u32) {
    for (nth, letter) in (0..).zip(text.chars()) {
        for (row, column) in (0..7).flat_map(|row| (0..5).map(move |column| (row, column))) {
            if !is_inked(letter, column, row) {
                continue;
            }
            for (x, y) in (0..DOT).flat_map(|x| (0..DOT).map(move |y| (x, y))) {
                let at = ((left + nth * LETTER + column) * DOT + x, (top + row) * DOT + y);
                if at.0 < image.width() && at.1 < image.height() {
                    image.put_pixel(at.0, at.1, Luma([0x28]));
                }
            }
        }
    }
}

fn is_inked(letter: char, column: u32, row: u32) -> bool {
    match SIGNS.iter().find(|(sign, _)| *sign == letter) {
        Some((_, rows)) => rows[row as usize] >> (4 - column) & 1 == 1,
        None => is_lit(letter.to_ascii_uppercase(), column, row),
    }
}
