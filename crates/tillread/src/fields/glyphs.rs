//! Comparison of the digits of one paper with each other. A till prints one font: all its zeros look alike, slashed or
//! not. The digits passes agree on give a mean image of each digit; each digit is then compared with all of them. Its
//! errors are independent of those of an engine trained on other fonts.

use image::GrayImage;

use crate::text::Area;

use super::extract::Figure;
use super::likeness::{Decided, Examples, Glyph, HIGH, SHIFT, WIDE, decide};

/// Samples of a digit and its surroundings.
const PATCH: usize = (WIDE + 2 * SHIFT) * (HIGH + 2 * SHIFT);
/// The weight of each pass with the same segmentation, relative to similarity.
const PASS: f32 = 0.15;

/// A figure as segmented into glyphs by some pass.
struct Division {
    figure: usize,
    text: Vec<char>,
    /// The number of passes with this segmentation.
    passes: usize,
    /// The text position of each glyph that is not punctuation.
    at: Vec<usize>,
}

/// Minimum overlap of two readings of one figure.
const SAME_FIGURE: f32 = 0.4;

/// Figures as compared by their glyphs.
#[derive(Debug, Default)]
pub struct Reread {
    pub figures: Vec<Figure>,
    /// Digits that the engine takes for another on this paper: as read, and as it is.
    confused: Vec<(usize, usize)>,
}

/// Rereads the figures of a pass by comparing glyphs; those with an undecided glyph are left out. `picture` is the
/// pass's input, `others` are other passes' readings: where they found more or fewer glyphs, the segmentation that
/// looks most like digits is used.
pub fn reread(picture: &GrayImage, figures: &[Figure], others: &[&[Figure]], examples: Examples) -> Reread {
    let Some(height) = digit_height(figures) else { return Reread::default() };
    let (mut divisions, mut glyphs) = (Vec::new(), Vec::new());
    for (index, figure) in figures.iter().enumerate() {
        let peers: Vec<Vec<char>> = others.iter().filter_map(|other| peer(figure.area, other)).collect();
        let Some(place) = place(figure) else { continue };
        let mut texts: Vec<Vec<char>> = vec![figure.text.chars().collect()];
        for peer in &peers {
            if texts.iter().all(|text| shape(text) != shape(peer)) {
                texts.push(peer.clone());
            }
        }
        for (rank, text) in texts.into_iter().enumerate() {
            let alike: Vec<&Vec<char>> = peers.iter().filter(|peer| shape(peer) == shape(&text)).collect();
            let cells = cells(picture, &text, place, height);
            let mut at = Vec::new();
            for (it, (glyph, (left, right))) in text.iter().zip(cells).enumerate() {
                if marks(*glyph) {
                    continue;
                }
                let read = glyph.to_digit(10).map(|digit| digit as usize);
                let agreed = rank == 0 && !alike.is_empty() && alike.iter().all(|peer| peer[it] == *glyph);
                let patch = patch(picture, f32::midpoint(left, right), right - left, place[1], height);
                let here = alike.iter().map(|peer| peer[it]).chain((rank == 0).then_some(*glyph));
                let reads = here.filter_map(digit_like).collect();
                let seed = agreed && read.is_some();
                glyphs.push(Glyph { division: divisions.len(), read, reads, patch, seed });
                at.push(it);
            }
            divisions.push(Division {
                figure: index,
                passes: alike.len() + usize::from(rank == 0),
                text,
                at,
            });
        }
    }
    let Some(Decided { digits: decided, confused }) = decide(&glyphs, examples) else {
        return Reread::default();
    };
    let mut best: Vec<Option<(f32, Figure)>> = vec![None; figures.len()];
    for (index, division) in divisions.iter().enumerate() {
        let mine = glyphs.iter().zip(&decided).filter(|(glyph, _)| glyph.division == index);
        let Some(digits) = mine.map(|(_, decided)| *decided).collect::<Option<Vec<_>>>() else { continue };
        let mut text = division.text.clone();
        for (at, (digit, _)) in division.at.iter().zip(&digits) {
            text[*at] = char::from_digit(*digit as u32, 10).unwrap_or('0');
        }
        let least = digits.iter().map(|it| it.1).fold(1.0, f32::min);
        let slot = &mut best[division.figure];
        let score = least + PASS * division.passes as f32;
        if !digits.is_empty() && slot.as_ref().is_none_or(|it| score > it.0) {
            let figure = &figures[division.figure];
            *slot = Some((
                score,
                Figure { text: text.into_iter().collect(), confidence: least, ..figure.clone() },
            ));
        }
    }
    Reread { figures: best.into_iter().flatten().map(|it| it.1).collect(), confused }
}

impl Reread {
    /// A reading of a figure as it is where the engine took one digit for another; `None` where nothing was confused.
    pub fn corrected(&self, figure: &Figure) -> Option<String> {
        let here = self.figures.iter().find(|it| it.area.shared(figure.area) > SAME_FIGURE)?;
        let (read, is): (Vec<char>, Vec<char>) = (figure.text.chars().collect(), here.text.chars().collect());
        let confused = |read: char, is: char| {
            let pair = read.to_digit(10).zip(is.to_digit(10));
            pair.is_some_and(|(read, is)| self.confused.contains(&(read as usize, is as usize)))
        };
        let same = read.len() == is.len() && read.iter().zip(&is).all(|(a, b)| a == b || confused(*a, *b));
        (same && read != is).then(|| here.text.clone())
    }
}

/// The digit that a character is, or is taken for.
const fn digit_like(glyph: char) -> Option<usize> {
    match glyph {
        '0'..='9' => Some(glyph as usize - '0' as usize),
        'O' | 'o' | 'Q' | 'D' | 'Ø' | 'ø' | '@' => Some(0),
        'l' | 'I' | '|' => Some(1),
        'Z' | 'z' => Some(2),
        'S' | 's' => Some(5),
        'B' => Some(8),
        _ => None,
    }
}

/// The bounding box of its words: left, median top, width, height.
fn place(figure: &Figure) -> Option<[f32; 4]> {
    let places = || figure.parts.iter().map(|part| part.1);
    let long = figure.parts.iter().max_by_key(|part| part.0.len())?.1;
    let left = places().map(|it| it[0]).fold(f32::MAX, f32::min);
    let right = places().map(|it| it[0] + it[2]).fold(f32::MIN, f32::max);
    Some([left, long[1], right - left, long[3]])
}

/// Which characters of a text are punctuation and which are digits.
fn shape(text: &[char]) -> Vec<bool> {
    text.iter().map(|glyph| marks(*glyph)).collect()
}

const fn marks(glyph: char) -> bool {
    matches!(
        glyph,
        '.' | ','
            | '-'
            | '/'
            | ':'
            | ';'
            | '\''
            | '’'
            | '‘'
            | '`'
            | '('
            | ')'
            | '_'
            | '—'
            | '–'
            | '*'
            | '='
            | '#'
            | '~'
            | '"'
            | '“'
            | '”'
            | '+'
    )
}

/// The digit height: the median of words without punctuation below the baseline.
fn digit_height(figures: &[Figure]) -> Option<f32> {
    let parts = figures.iter().flat_map(|figure| &figure.parts);
    let mut heights: Vec<f32> = parts
        .filter(|(text, _)| {
            text.len() > 1 && text.chars().all(|glyph| glyph.is_ascii_digit() || glyph == '.')
        })
        .map(|(_, place)| place[3])
        .collect();
    heights.sort_by(f32::total_cmp);
    heights.get(heights.len() / 2).copied().filter(|height| *height >= 6.0)
}

/// Another pass's reading at the same place.
fn peer(area: Area, others: &[Figure]) -> Option<Vec<char>> {
    let best = others.iter().max_by(|a, b| a.area.shared(area).total_cmp(&b.area.shared(area)))?;
    (best.area.shared(area) > SAME_FIGURE).then(|| best.text.chars().collect())
}

/// Splits a word into as many cells as it has glyphs, where there is least ink: once with punctuation as wide as
/// digits, once half as wide, taking the better result.
fn cells(picture: &GrayImage, text: &[char], place: [f32; 4], height: f32) -> Vec<(f32, f32)> {
    let width = place[2].round().max(1.0) as usize;
    if text.is_empty() || text.len() > 40 || width > 2_000 {
        return Vec::new();
    }
    let ink: Vec<f32> = (0..=width).map(|x| column(picture, place[0] + x as f32, place[1], height)).collect();
    let total: f32 = ink.iter().sum::<f32>().max(1e-3);
    let ink: Vec<f32> = ink.iter().map(|value| value / total * ink.len() as f32).collect();
    let tried = [1.0, 0.5].map(|mark| {
        let shares: Vec<f32> = text.iter().map(|glyph| if marks(*glyph) { mark } else { 1.0 }).collect();
        cut(&ink, &shares)
    });
    let [one, two] = tried;
    let cuts = if one.0 <= two.0 { one.1 } else { two.1 };
    cuts.windows(2).map(|pair| (place[0] + pair[0] as f32, place[0] + pair[1] as f32)).collect()
}

/// The cheapest cuts: little ink under them, cells close to their expected widths.
fn cut(ink: &[f32], shares: &[f32]) -> (f32, Vec<usize>) {
    let width = ink.len() - 1;
    let unit = width as f32 / shares.iter().sum::<f32>();
    let mut best = vec![(0.0f32, 0usize); (shares.len() + 1) * (width + 1)];
    best.iter_mut().for_each(|it| it.0 = f32::INFINITY);
    best[0].0 = 0.0;
    for (at, share) in shares.iter().enumerate() {
        let wanted = share * unit;
        let (least, most) = ((wanted * 0.5) as usize, (wanted * 1.6).ceil() as usize + 1);
        for from in 0..=width {
            let cost = best[at * (width + 1) + from].0;
            if !cost.is_finite() {
                continue;
            }
            for to in (from + least.max(1))..=(from + most).min(width) {
                let off = ((to - from) as f32 - wanted) / unit;
                let under = if to == width { 0.0 } else { ink[to] };
                let whole = cost + 4.0 * off * off + under;
                let slot = &mut best[(at + 1) * (width + 1) + to];
                if whole < slot.0 {
                    *slot = (whole, from);
                }
            }
        }
    }
    let cost = best[shares.len() * (width + 1) + width].0;
    let mut cuts = vec![width];
    let mut here = width;
    for at in (1..=shares.len()).rev() {
        here =
            if cost.is_finite() { best[at * (width + 1) + here].1 } else { width * (at - 1) / shares.len() };
        cuts.push(here);
    }
    cuts.reverse();
    (cost, cuts)
}

fn ink(picture: &GrayImage, x: f32, y: f32) -> f32 {
    let x = (x.max(0.0) as u32).min(picture.width().saturating_sub(1));
    let y = (y.max(0.0) as u32).min(picture.height().saturating_sub(1));
    f32::from(255 - picture.get_pixel(x, y).0[0])
}

fn column(picture: &GrayImage, x: f32, top: f32, height: f32) -> f32 {
    // A word an engine claims to be higher than its picture must not take longer than one that fills it.
    let rows = (height.ceil() as usize).min(picture.height() as usize);
    (0..rows).map(|y| ink(picture, x, top + y as f32)).sum()
}

/// The surroundings of a glyph, sampled; large enough for shifts by [`SHIFT`].
fn patch(picture: &GrayImage, middle: f32, width: f32, top: f32, height: f32) -> Vec<f32> {
    // Digits are a little more than half as wide as high, even if a cell was cut badly.
    let cell = width.clamp(0.5 * height, 0.9 * height);
    let (sx, sy) = (cell / WIDE as f32, height * 1.1 / HIGH as f32);
    let (left, top) = (middle - cell / 2.0 - SHIFT as f32 * sx, top - 0.05 * height - SHIFT as f32 * sy);
    let mut out = Vec::with_capacity(PATCH);
    for y in 0..HIGH + 2 * SHIFT {
        for x in 0..WIDE + 2 * SHIFT {
            let (px, py) = (left + (x as f32 + 0.25) * sx, top + (y as f32 + 0.25) * sy);
            let four = ink(picture, px, py)
                + ink(picture, px + sx / 2.0, py)
                + ink(picture, px, py + sy / 2.0)
                + ink(picture, px + sx / 2.0, py + sy / 2.0);
            out.push(four / 4.0);
        }
    }
    out
}
