//! Product pictures without photos: a coloured tile with two letters.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};

/// A product picture in both stored sizes.
#[derive(Debug)]
pub struct Picture {
    /// For the product's own page.
    pub full: Vec<u8>,
    /// For a row.
    pub thumb: Vec<u8>,
}

/// Letters are drawn on a grid with this many cells per side.
const CELLS: u32 = 20;
const LETTER: (u32, u32) = (5, 7);
/// Dark enough for white letters.
const COLOURS: [[u8; 3]; 8] = [
    [0x9a, 0x3b, 0x2e],
    [0x2f, 0x6b, 0x4f],
    [0x35, 0x54, 0x8c],
    [0x8a, 0x5a, 0x1c],
    [0x6a, 0x3d, 0x7c],
    [0x1f, 0x6f, 0x78],
    [0x7c, 0x2f, 0x55],
    [0x4f, 0x5b, 0x2a],
];

/// The picture for a name, in the colour of its section; `None` when it cannot be encoded.
pub fn picture(name: &str, section: u64) -> Option<Picture> {
    let colour = COLOURS[usize::try_from(section % COLOURS.len() as u64).unwrap_or(0)];
    let letters = initials(name);
    Some(Picture { full: draw(&letters, colour, 32)?, thumb: draw(&letters, colour, 8)? })
}

/// The first letters of the first two words.
fn initials(name: &str) -> Vec<char> {
    let words = name.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| !word.is_empty());
    words.filter_map(|word| word.chars().next()).take(2).map(|c| c.to_ascii_uppercase()).collect()
}

fn draw(letters: &[char], colour: [u8; 3], cell: u32) -> Option<Vec<u8>> {
    let count = u32::try_from(letters.len()).unwrap_or(0);
    let width = count * (LETTER.0 + 1) - u32::from(count > 0);
    let (left, top) = ((CELLS - width) / 2, (CELLS - LETTER.1) / 2);
    let image = RgbImage::from_fn(CELLS * cell, CELLS * cell, |x, y| {
        let (x, y) = (x / cell, y / cell);
        let inside = (left..left + width).contains(&x) && (top..top + LETTER.1).contains(&y);
        let lit = inside && {
            let (nth, column) = ((x - left) / (LETTER.0 + 1), (x - left) % (LETTER.0 + 1));
            column < LETTER.0 && is_lit(letters[nth as usize], column, y - top)
        };
        if lit { Rgb([0xff; 3]) } else { Rgb(colour) }
    });
    let mut out = Cursor::new(Vec::new());
    image.write_to(&mut out, ImageFormat::Png).ok()?;
    Some(out.into_inner())
}

/// Whether a cell of a letter is drawn.
pub fn is_lit(letter: char, column: u32, row: u32) -> bool {
    let Some(nth) = u32::from(letter).checked_sub(u32::from('A')).filter(|nth| *nth < 26) else {
        return false;
    };
    let rows = LETTERS[nth as usize];
    rows >> ((LETTER.1 - 1 - row) * LETTER.0 + (LETTER.0 - 1 - column)) & 1 == 1
}

/// A to Z, five bits per row, from the top.
const LETTERS: [u64; 26] = {
    const ROWS: [[u8; 7]; 26] = [
        [0x0e, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11],
        [0x1e, 0x11, 0x11, 0x1e, 0x11, 0x11, 0x1e],
        [0x0e, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0e],
        [0x1e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1e],
        [0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x1f],
        [0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x10],
        [0x0e, 0x11, 0x10, 0x17, 0x11, 0x11, 0x0e],
        [0x11, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11],
        [0x0e, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0e],
        [0x01, 0x01, 0x01, 0x01, 0x11, 0x11, 0x0e],
        [0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11],
        [0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1f],
        [0x11, 0x1b, 0x15, 0x15, 0x11, 0x11, 0x11],
        [0x11, 0x19, 0x15, 0x13, 0x11, 0x11, 0x11],
        [0x0e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e],
        [0x1e, 0x11, 0x11, 0x1e, 0x10, 0x10, 0x10],
        [0x0e, 0x11, 0x11, 0x11, 0x15, 0x12, 0x0d],
        [0x1e, 0x11, 0x11, 0x1e, 0x14, 0x12, 0x11],
        [0x0f, 0x10, 0x10, 0x0e, 0x01, 0x01, 0x1e],
        [0x1f, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04],
        [0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0e],
        [0x11, 0x11, 0x11, 0x11, 0x11, 0x0a, 0x04],
        [0x11, 0x11, 0x11, 0x15, 0x15, 0x1b, 0x11],
        [0x11, 0x11, 0x0a, 0x04, 0x0a, 0x11, 0x11],
        [0x11, 0x11, 0x0a, 0x04, 0x04, 0x04, 0x04],
        [0x1f, 0x01, 0x02, 0x04, 0x08, 0x10, 0x1f],
    ];
    let mut packed = [0; 26];
    let mut letter = 0;
    while letter < 26 {
        let mut row = 0;
        while row < 7 {
            packed[letter] = packed[letter] << 5 | ROWS[letter][row] as u64;
            row += 1;
        }
        letter += 1;
    }
    packed
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_drawn_correctly() {
        let drawn = |letter: char| -> Vec<String> {
            let row = |y| (0..5).map(|x| if is_lit(letter, x, y) { '#' } else { '.' }).collect();
            (0..7).map(row).collect()
        };
        assert_eq!(drawn('L').last().map(String::as_str), Some("#####"));
        assert_eq!(drawn('T')[..2], ["#####", "..#.."]);
    }

    #[test]
    fn a_picture_has_two_sizes() {
        let picture = picture("Pork tocino, 1 kg pack", 3).expect("a picture");
        let size = |bytes: &[u8]| image::load_from_memory(bytes).map(|i| (i.width(), i.height())).ok();
        assert_eq!((size(&picture.full), size(&picture.thumb)), (Some((640, 640)), Some((160, 160))));
        assert_eq!(initials("Cups 12 oz with lids"), ['C', 'O']);
    }
}
