//! Words, lines and tables by their position on a picture.

use serde::{Deserialize, Serialize};

use crate::engine::RawWord;
use crate::picture::transform::Transform;

/// A rectangle in fractions of the upright picture: (0, 0) is its upper left corner, (1, 1) its lower right one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, Default)]
pub struct Area {
    pub x: f32,
    pub y: f32,
    pub w: f32,
    pub h: f32,
}

impl Area {
    /// The smallest rectangle around both.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let (x, y) = (self.x.min(other.x), self.y.min(other.y));
        let right = (self.x + self.w).max(other.x + other.w);
        let bottom = (self.y + self.h).max(other.y + other.h);
        Self { x, y, w: right - x, h: bottom - y }
    }

    /// The intersection over the union of both.
    #[must_use]
    pub fn shared(self, other: Self) -> f32 {
        let across = (self.x + self.w).min(other.x + other.w) - self.x.max(other.x);
        let down = (self.y + self.h).min(other.y + other.h) - self.y.max(other.y);
        let both = across.max(0.0) * down.max(0.0);
        let either = self.w * self.h + other.w * other.h - both;
        if either > 0.0 { both / either } else { 0.0 }
    }
}

/// A word and its position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Word {
    pub text: String,
    /// 0 to 1.
    pub confidence: f32,
    #[serde(rename = "box")]
    pub area: Area,
    /// Left, top, width, height on the prepared page, where lines are level.
    #[serde(skip)]
    pub(crate) place: [f32; 4],
}

impl Word {
    pub(crate) const fn left(&self) -> f32 {
        self.place[0]
    }

    pub(crate) fn right(&self) -> f32 {
        self.place[0] + self.place[2]
    }

    /// The width of a letter.
    pub(crate) fn letter(&self) -> f32 {
        self.place[2] / self.text.chars().count().max(1) as f32
    }
}

/// A line of words, from left to right.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    pub text: String,
    #[serde(rename = "box")]
    pub area: Area,
    pub words: Vec<Word>,
}

/// Groups an engine's words into lines. Columns that an engine separated are joined where they are at one height.
pub(crate) fn lines(words: Vec<RawWord>, to_whole: &Transform) -> Vec<Line> {
    let mut groups: Vec<(u32, Vec<Word>)> = Vec::new();
    for raw in words {
        let line = raw.line;
        let Some(word) = placed(raw, to_whole) else { continue };
        match groups.last_mut() {
            Some((number, group)) if *number == line => group.push(word),
            _ => groups.push((line, vec![word])),
        }
    }
    let mut rows: Vec<Vec<Word>> = Vec::new();
    for (_, group) in groups {
        match rows.iter_mut().find(|row| beside(row, &group)) {
            Some(row) => row.extend(group),
            None => rows.push(group),
        }
    }
    for row in &mut rows {
        row.sort_by(|a, b| a.left().total_cmp(&b.left()));
    }
    rows.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
    rows.into_iter().filter_map(line).collect()
}

fn line(words: Vec<Word>) -> Option<Line> {
    let area = words.iter().map(|word| word.area).reduce(Area::with)?;
    let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    Some(Line { text, area, words })
}

fn placed(raw: RawWord, to_whole: &Transform) -> Option<Word> {
    let [left, top, width, height] = [raw.left, raw.top, raw.width, raw.height];
    if !(width >= 1.0 && height >= 1.0) {
        return None;
    }
    let corner = |x: f32, y: f32| {
        let (x, y) = to_whole.apply(f64::from(x), f64::from(y));
        (x.clamp(0.0, 1.0) as f32, y.clamp(0.0, 1.0) as f32)
    };
    let corners = [
        corner(left, top),
        corner(left + width, top),
        corner(left + width, top + height),
        corner(left, top + height),
    ];
    let (mut low, mut high) = ((1.0f32, 1.0f32), (0.0f32, 0.0f32));
    for (x, y) in corners {
        low = (low.0.min(x), low.1.min(y));
        high = (high.0.max(x), high.1.max(y));
    }
    let area = Area { x: low.0, y: low.1, w: (high.0 - low.0).max(0.0), h: (high.1 - low.1).max(0.0) };
    Some(Word { text: raw.text, confidence: raw.confidence, area, place: [left, top, width, height] })
}

/// Top and bottom of a group: those of its median words, so that a rule read as a letter does not count.
fn span(words: &[Word]) -> (f32, f32) {
    let middle = |mut values: Vec<f32>| {
        values.sort_by(f32::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    let top = middle(words.iter().map(|word| word.place[1]).collect());
    (top, top + middle(words.iter().map(|word| word.place[3]).collect()))
}

fn middle(words: &[Word]) -> f32 {
    let (top, bottom) = span(words);
    f32::midpoint(top, bottom)
}

/// Whether two groups are side by side at one height.
fn beside(a: &[Word], b: &[Word]) -> bool {
    let (a_span, b_span) = (span(a), span(b));
    let both = a_span.1.min(b_span.1) - a_span.0.max(b_span.0);
    let lower = (a_span.1 - a_span.0).min(b_span.1 - b_span.0);
    let ends = |words: &[Word]| {
        let left = words.iter().map(Word::left).fold(f32::MAX, f32::min);
        (left, words.iter().map(Word::right).fold(f32::MIN, f32::max))
    };
    let (a_ends, b_ends) = (ends(a), ends(b));
    both > 0.55 * lower && (a_ends.1 <= b_ends.0 + lower * 0.5 || b_ends.1 <= a_ends.0 + lower * 0.5)
}

/// A guess at the table in lines: words more than two letters apart are in different cells, and vertically overlapping
/// cells form a column. Every row has as many cells as there are columns.
#[must_use]
pub fn table(lines: &[Line]) -> Vec<Vec<String>> {
    let rows: Vec<Vec<(f32, f32, String)>> = lines.iter().map(cells).collect();
    let mut columns: Vec<(f32, f32)> = Vec::new();
    // Rows with several cells determine the columns; a heading across the page would join them all.
    let mut spans: Vec<(f32, f32)> =
        rows.iter().filter(|row| row.len() > 1).flatten().map(|(left, right, _)| (*left, *right)).collect();
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (left, right) in spans {
        match columns.last_mut() {
            Some(column) if left < column.1 => column.1 = column.1.max(right),
            _ => columns.push((left, right)),
        }
    }
    if columns.is_empty() {
        columns.push((0.0, 0.0));
    }
    rows.into_iter()
        .map(|row| {
            let mut out = vec![String::new(); columns.len()];
            let alone = row.len() == 1;
            for (left, right, text) in row {
                let overlap = |column: &(f32, f32)| right.min(column.1) - left.max(column.0);
                let best =
                    (0..columns.len()).max_by(|a, b| overlap(&columns[*a]).total_cmp(&overlap(&columns[*b])));
                let at =
                    if alone && right - left > columns[0].1 - columns[0].0 { 0 } else { best.unwrap_or(0) };
                if !out[at].is_empty() {
                    out[at].push(' ');
                }
                out[at].push_str(&text);
            }
            out
        })
        .collect()
}

fn cells(line: &Line) -> Vec<(f32, f32, String)> {
    let mut out: Vec<(f32, f32, String)> = Vec::new();
    for word in &line.words {
        match out.last_mut() {
            Some((_, right, text)) if word.left() - *right < 2.2 * word.letter().max(4.0) => {
                text.push(' ');
                text.push_str(&word.text);
                *right = right.max(word.right());
            }
            _ => out.push((word.left(), word.right(), word.text.clone())),
        }
    }
    out
}
