//! Reads a picture in several engine passes.

use std::thread;

use image::GrayImage;
use serde::Serialize;

use crate::Refusal;
use crate::advice::{Advice, advice};
use crate::engine::{Engine, EngineError, Mode};
use crate::fields::extract::{Figure, Seen, extract};
use crate::fields::field::Field;
use crate::fields::glyphs::{Reread, reread};
use crate::fields::label::Labels;
use crate::fields::likeness::Examples;
use crate::fields::parse::parse;
use crate::fields::template::Template;
use crate::judge::checks::Context;
use crate::judge::verdict::{Doubt, Judgement, Verdict, judge};
use crate::judge::votes::Votes;
use crate::picture::decode::{decode, grey};
use crate::picture::page::{Page, Style};
use crate::text::{Line, Word, lines, table};

/// The settings of a pass.
#[derive(Debug, Clone, Copy)]
struct Pass {
    style: Style,
    mode: Mode,
}

const fn pass(pitch: f64, blur: f32, flat: bool, mode: Mode) -> Pass {
    Pass { style: Style { pitch, blur, flat }, mode }
}

/// The two passes every picture gets, in parallel; they differ in size, blur and line detection, so that they make
/// different mistakes.
const FIRST: [Pass; 2] = [pass(44.0, 1.1, true, Mode::Block), pass(36.0, 1.0, true, Mode::Column)];
/// Further passes, one by one, while a check fails.
const MORE: [Pass; 2] = [pass(40.0, 0.5, true, Mode::Block), pass(44.0, 1.8, true, Mode::Column)];
/// With fewer labels than this the page is probably upside down.
const FEW: usize = 4;
/// With this many confident words it probably is not.
const SURE: usize = 8;
/// The weight of the glyph comparison relative to a pass.
const COMPARED: f32 = 3.0;

/// A decoded picture: grey, upright and of limited size. It can be reread when more is known.
#[derive(Debug, Clone)]
pub struct Picture(GrayImage);

impl Picture {
    /// Decodes a file. See [`larder_pictures::look`] for the memory needed.
    ///
    /// # Errors
    /// [`Refusal`]: the file cannot be opened as a picture.
    pub fn open(bytes: &[u8]) -> Result<Self, Refusal> {
        decode(bytes).map(Self)
    }
}

impl From<image::DynamicImage> for Picture {
    fn from(image: image::DynamicImage) -> Self {
        Self(grey(image))
    }
}

/// The reading of a Z-reading's picture.
#[derive(Debug, Clone, Serialize)]
pub struct Reading {
    #[serde(flatten)]
    pub judgement: Judgement,
    /// Advice for a better picture; `None` if all holds.
    pub advice: Option<Advice>,
    /// All text of the picture, from top to bottom, from the first pass.
    pub lines: Vec<Line>,
    /// The number of passes.
    pub passes: usize,
    /// The readings of each pass, to be judged again when more is known.
    #[serde(skip)]
    pub votes: Votes,
}

/// The text of any picture.
#[derive(Debug, Clone, Serialize)]
pub struct Text {
    pub lines: Vec<Line>,
    /// A guess at rows and columns: every row has as many cells as there are columns.
    pub table: Vec<Vec<String>>,
}

/// See [`crate::read`].
pub fn read(
    picture: &Picture,
    template: &Template,
    context: &Context,
    engine: &dyn Engine,
) -> Result<Reading, Refusal> {
    let source = picture.0.clone();
    let labels = Labels::of(template);
    let look = |page: &Page, pass: Pass| -> Looked {
        let (lines, picture) = see(page, pass, engine)?;
        let seen = extract(&lines, &labels, template.date_order);
        Ok(Look { lines, picture, seen })
    };
    let mut page = Page::find(source, None);
    let mut looks = both(&page, look)?;
    if (page.rhythm || page.turned) && most_found(&looks) < FEW && !looks.iter().any(Look::upright) {
        // Widely spaced columns of figures look like vertical lines: the page may have been upright all along.
        for turned in if page.turned { [0, 3, 2] } else { [2, 1, 3] } {
            let other = Page::find(page.source().clone(), Some(turned));
            let first = look(&other, FIRST[0])?;
            if first.seen.found.len() >= 2 * FEW {
                page = other;
                looks = vec![first, look(&page, FIRST[1])?];
                break;
            }
        }
    }
    let (mut votes, mut judgement) = judged(&looks, template, context);
    for pass in MORE {
        // A page that two passes could not read at all gains nothing from more.
        if judgement.sums_hold() || judgement.verdict == Verdict::Unreadable {
            break;
        }
        looks.push(look(&page, pass)?);
        (votes, judgement) = judged(&looks, template, context);
    }
    let advice = match judgement.verdict {
        Verdict::Holds => None,
        verdict => advice(&page, verdict == Verdict::Unreadable, most_found(&looks) >= FEW),
    };
    Ok(Reading { judgement, advice, passes: looks.len(), lines: looks.swap_remove(0).lines, votes })
}

/// See [`crate::read_text`].
pub fn read_text(picture: &Picture, engine: &dyn Engine) -> Result<Text, Refusal> {
    let page = Page::find(picture.0.clone(), None);
    let (mut lines, _) = see(&page, FIRST[0], engine)?;
    let letters: usize =
        lines.iter().map(|line| line.text.chars().filter(|c| c.is_alphanumeric()).count()).sum();
    if sure_words(&lines).count() < SURE && sure_letters(&lines) * 2 <= letters {
        // A page of a line or two does not show its orientation: the one with confident words is right.
        for turned in if page.turned { [0, 3, 2] } else { [2, 1, 3] } {
            let other = Page::find(page.source().clone(), Some(turned));
            let (seen, _) = see(&other, FIRST[0], engine)?;
            if sure_letters(&seen) > sure_letters(&lines) {
                lines = seen;
            }
        }
    }
    Ok(Text { table: table(&lines), lines })
}

/// Words confident enough to show that the page is not upside down.
fn sure_words(lines: &[Line]) -> impl Iterator<Item = &Word> {
    let words = lines.iter().flat_map(|line| &line.words);
    words.filter(|it| it.confidence > 0.8 && it.text.chars().filter(|c| c.is_alphabetic()).count() > 3)
}

/// The number of letters and digits in confident words and figures.
fn sure_letters(lines: &[Line]) -> usize {
    let words = lines.iter().flat_map(|line| &line.words).filter(|it| it.confidence > 0.8);
    words
        .map(|it| it.text.chars().filter(|c| c.is_alphanumeric()).count())
        .filter(|letters| *letters > 2)
        .sum()
}

/// The result of one pass, and its input picture.
struct Look {
    lines: Vec<Line>,
    picture: GrayImage,
    seen: Seen,
}

impl Look {
    /// Whether confident words show that the page is not upside down.
    fn upright(&self) -> bool {
        sure_words(&self.lines).count() >= SURE
    }
}

type Looked = Result<Look, EngineError>;

fn see(page: &Page, pass: Pass, engine: &dyn Engine) -> Result<(Vec<Line>, GrayImage), EngineError> {
    let prepared = page.prepare(pass.style);
    let words = engine.words(&prepared.picture, pass.mode)?;
    Ok((lines(words, &prepared.to_whole), prepared.picture))
}

/// The most fields that one pass found by label.
fn most_found(looks: &[Look]) -> usize {
    looks.iter().map(|look| look.seen.found.len()).max().unwrap_or(0)
}

/// The judgement of all passes. Where a sum fails, digits that look alike are told apart anew: the result counts if more
/// sums hold with it.
fn judged(looks: &[Look], template: &Template, context: &Context) -> (Votes, Judgement) {
    let votes = vote(looks, template, Examples::Agreed);
    let judgement = judge(&votes, template, context);
    // Comparing costs as much as a quarter of a pass: it is tried with the first passes and with all of them.
    let tries = looks.len() == FIRST.len() || looks.len() == FIRST.len() + MORE.len();
    if judgement.sums_hold() || judgement.verdict == Verdict::Unreadable || !tries {
        return (votes, judgement);
    }
    let mut best = (votes, judgement);
    for other in [false, true] {
        let votes = vote(looks, template, Examples::Alike { other });
        let judgement = judge(&votes, template, context);
        if sums_of(&judgement) > sums_of(&best.1) {
            best = (votes, judgement);
        }
        if best.1.sums_hold() {
            break;
        }
    }
    best
}

/// How many sums hold of figures that were read, and how many figures contradict nothing.
fn sums_of(judgement: &Judgement) -> (usize, usize) {
    let read = |field: &Field| {
        judgement
            .fields
            .get(field)
            .is_some_and(|it| !matches!(it.why, Some(Doubt::Supplied | Doubt::Missing)))
    };
    let holds = judgement.checks.iter().filter(|it| it.exact && !it.known && it.fields.iter().all(read));
    let sure = judgement.fields.values().filter(|it| matches!(it.why, None | Some(Doubt::Unproven)));
    (holds.count(), sure.count())
}

/// The votes of all passes, and of the glyph comparison in the pictures of the first two.
fn vote(looks: &[Look], template: &Template, examples: Examples) -> Votes {
    let reread: Vec<Reread> = looks
        .iter()
        .enumerate()
        .take(FIRST.len())
        .map(|(at, look)| {
            let others = looks.iter().enumerate().filter(|it| it.0 != at);
            let others: Vec<&[Figure]> = others.map(|(_, other)| other.seen.figures.as_slice()).collect();
            reread(&look.picture, &look.seen.figures, &others, examples)
        })
        .collect();
    let read: Vec<Seen> = looks.iter().map(|look| corrected(&look.seen, &reread, template)).collect();
    let compared =
        reread.into_iter().map(|it| Seen { weight: COMPARED, figures: it.figures, ..Seen::default() });
    let seen: Vec<Seen> = read.into_iter().chain(compared).collect();
    let seen: Vec<&Seen> = seen.iter().collect();
    Votes::of(&seen, template)
}

/// The reading of a pass, but for digits that the engine takes for others on this paper.
fn corrected(seen: &Seen, reread: &[Reread], template: &Template) -> Seen {
    let mut seen = seen.clone();
    let right = |figure: &Figure| reread.iter().find_map(|it| it.corrected(figure));
    for found in &mut seen.found {
        if let Some(text) = right(&found.figure)
            && let Some(parsed) = parse(found.field, &text, template.date_order)
        {
            (found.figure.text, found.parsed) = (text, parsed);
        }
    }
    for figure in &mut seen.figures {
        if let Some(text) = right(figure) {
            figure.text = text;
        }
    }
    seen
}

/// The first two passes, in parallel.
fn both(page: &Page, look: impl Fn(&Page, Pass) -> Looked + Sync) -> Result<Vec<Look>, EngineError> {
    thread::scope(|scope| {
        let second = scope.spawn(|| look(page, FIRST[1]));
        let first = look(page, FIRST[0]);
        let second = second.join().unwrap_or_else(|_| Err(EngineError::Failed("a pass broke off".into())));
        Ok(vec![first?, second?])
    })
}
