//! Extracts fields from lines of words.

use crate::text::{Area, Line, Word};

use super::field::{Field, Kind};
use super::label::Labels;
use super::parse::{DateOrder, Parsed, figure_like, only_marks, parse};

/// A figure on the paper: adjacent words that look like a number or a date.
#[derive(Debug, Clone)]
pub struct Figure {
    pub text: String,
    /// That of its least certain word, 0 to 1.
    pub confidence: f32,
    pub area: Area,
    /// The words it was joined from: text, and left, top, width, height on the prepared page.
    pub parts: Vec<(String, [f32; 4])>,
}

/// One pass's reading of a field.
#[derive(Debug, Clone)]
pub struct Found {
    pub field: Field,
    pub parsed: Parsed,
    pub figure: Figure,
    /// Similarity of the label, 0 to 1.
    pub label: f32,
}

/// The result of one pass: values found by label, all figures, and where values were misread.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// Its weight relative to other passes.
    pub weight: f32,
    pub found: Vec<Found>,
    pub figures: Vec<Figure>,
    /// Fields whose label was found before a figure that cannot be theirs, as a date in month 88, and where it is.
    pub misread: Vec<(Field, Area)>,
}

/// Reads labels and figures from the lines of one pass.
pub fn extract(lines: &[Line], labels: &Labels, order: DateOrder) -> Seen {
    let mut seen = Seen { weight: 1.0, ..Seen::default() };
    let mut waiting: Option<(Field, f32)> = None;
    for line in lines {
        let figures = figures(&line.words);
        let before = seen.found.len();
        for (at, (start, end, figure)) in figures.iter().enumerate() {
            let from = if at == 0 { 0 } else { figures[at - 1].1 };
            let said = named(&line.words, from, *start, labels).or(if at == 0 && *start == 0 {
                waiting
            } else {
                None
            });
            if let Some((field, label)) = said
                && let Some(parsed) = parse(field, &figure.text, order)
            {
                seen.found.push(Found { field, parsed, figure: figure.clone(), label });
            } else if let Some(found) = glued(&line.words[*start..*end], labels, order) {
                seen.found.push(found);
            } else if let Some((field, _)) = said {
                seen.misread.push((field, figure.area));
            }
        }
        if seen.found.len() == before
            && let Some(found) = dated(&line.words, labels, order)
        {
            seen.found.push(found);
        }
        // A label alone may have its figure on the next line.
        waiting = if figures.is_empty() { labels.best(&line.text).filter(|it| it.1 > 0.9) } else { None };
        seen.figures.extend(figures.into_iter().map(|(_, _, figure)| figure));
    }
    seen
}

/// The field named by the words before a figure.
fn named(words: &[Word], from: usize, to: usize, labels: &Labels) -> Option<(Field, f32)> {
    let text = |from: usize| {
        words[from.min(to)..to].iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
    };
    let mut tried = vec![labels.best(&text(from)), labels.best(&text(0))];
    // A speck at the edge is often read as a letter.
    let speck = |at: usize| {
        words.get(at).is_some_and(|word| word.text.chars().filter(|c| c.is_alphanumeric()).count() < 2)
    };
    if speck(from) && from + 1 < to {
        tried.push(labels.best(&text(from + 1)));
    }
    if speck(to.saturating_sub(1)) && from + 1 < to {
        let short = words[from..to - 1].iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        tried.push(labels.best(&short));
    }
    // Labels of store and machine occur in running text: «… VAT REG TIN: 123».
    let tail = (to.saturating_sub(4).max(from)..to).filter_map(|start| labels.best(&text(start)));
    tried.extend(
        tail.filter(|it| matches!(it.0.kind(), Kind::Digits))
            .map(|(field, score)| Some((field, score * 0.98))),
    );
    tried.into_iter().flatten().max_by(|a, b| a.1.total_cmp(&b.1))
}

/// A label and its figure read as one word, as in `MIN:123`.
fn glued(words: &[Word], labels: &Labels, order: DateOrder) -> Option<Found> {
    let [word] = words else { return None };
    let (label, rest) = word.text.split_once([':', '#'])?;
    let (field, score) = labels.best(label)?;
    let parsed = parse(field, rest, order)?;
    let figure =
        Figure { text: rest.to_owned(), confidence: word.confidence, area: word.area, parts: Vec::new() };
    Some(Found { field, parsed, figure, label: score })
}

/// A date with a month's name is no figure: it is searched for after each word that may end its label.
fn dated(words: &[Word], labels: &Labels, order: DateOrder) -> Option<Found> {
    for end in 1..words.len().min(6) {
        let label = words[..end].iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        let Some((Field::Date, score)) = labels.best(&label) else { continue };
        let rest = &words[end..];
        let text = rest.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        let Some(parsed) = parse(Field::Date, &text, order) else { continue };
        return Some(Found { field: Field::Date, parsed, figure: joined(rest, text)?, label: score });
    }
    words.iter().find_map(|word| glued(std::slice::from_ref(word), labels, order))
}

fn joined(words: &[Word], text: String) -> Option<Figure> {
    let area = words.iter().map(|word| word.area).reduce(Area::with)?;
    let confidence = words.iter().map(|word| word.confidence).fold(1.0, f32::min);
    let parts = words.iter().map(|word| (word.text.clone(), word.place)).collect();
    Some(Figure { text, confidence, area, parts })
}

/// The figures of a line, each with its words. Engines split figures at punctuation: parts closer than a space belong
/// together.
fn figures(words: &[Word]) -> Vec<(usize, usize, Figure)> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if !figure_like(&words[at].text) {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while end < words.len() && goes_on(words, at, end) {
            end += 1;
        }
        while end > at + 1 && only_marks(&words[end - 1].text) {
            end -= 1;
        }
        let text = words[at..end].iter().map(|word| word.text.as_str()).collect();
        if let Some(figure) = joined(&words[at..end], text) {
            out.push((at, end, figure));
        }
        at = end;
    }
    out
}

/// Whether the word at `next` continues the figure started at `start`.
fn goes_on(words: &[Word], start: usize, next: usize) -> bool {
    let (word, before) = (&words[next], &words[next - 1]);
    let letter = words[start..next].iter().map(Word::letter).fold(f32::MAX, f32::min).max(1.0);
    let gap = word.left() - before.right();
    let marked = |text: &str, end: bool| {
        let glyph = if end { text.chars().last() } else { text.chars().next() };
        glyph.is_some_and(|glyph| ".,-/".contains(glyph))
    };
    // Punctuation leaves more space beside it than a digit does.
    let room = if marked(&before.text, true) || marked(&word.text, false) { 1.6 } else { 0.75 };
    (figure_like(&word.text) || only_marks(&word.text)) && gap < room * letter
}
