//! A picture → passes of the engine → a reading.

use std::thread;

use image::GrayImage;
use serde::Serialize;

use crate::Refusal;
use crate::advice::{Advice, advice};
use crate::engine::{Engine, EngineError, Mode};
use crate::fields::extract::{Figure, Seen, extract};
use crate::fields::glyphs::reread;
use crate::fields::label::Labels;
use crate::fields::template::Template;
use crate::judge::checks::Context;
use crate::judge::verdict::{Judgement, Verdict, judge};
use crate::judge::votes::Votes;
use crate::picture::decode::{decode, grey};
use crate::picture::page::{Page, Style};
use crate::text::{Line, Word, lines, table};

/// A way to look at a page.
#[derive(Debug, Clone, Copy)]
struct Pass {
    style: Style,
    mode: Mode,
}

const fn pass(pitch: f64, blur: f32, flat: bool, mode: Mode) -> Pass {
    Pass { style: Style { pitch, blur, flat }, mode }
}

/// The two that every picture gets, at once; they differ in size, blur and the way lines are looked for, so that one
/// does not repeat the other's mistake.
const FIRST: [Pass; 2] = [pass(44.0, 1.1, true, Mode::Block), pass(36.0, 1.0, true, Mode::Column)];
/// Those that follow, one by one, while something does not hold.
const MORE: [Pass; 2] = [pass(40.0, 0.5, true, Mode::Block), pass(44.0, 1.8, true, Mode::Column)];
/// Fewer labels than this make it likely that the page stands on its head.
const FEW: usize = 4;
/// So many words read surely make it unlikely.
const SURE: usize = 8;
/// How much the comparison of glyphs counts beside a pass.
const COMPARED: f32 = 3.0;

/// A picture, opened: grey, upright and no larger than is looked at. It can be read as often as more is known.
#[derive(Debug, Clone)]
pub struct Picture(GrayImage);

impl Picture {
    /// Opens a file. What that takes, [`larder_pictures::look`] says.
    ///
    /// # Errors
    /// [`Refusal`]: the file is no picture that can be opened.
    pub fn open(bytes: &[u8]) -> Result<Self, Refusal> {
        decode(bytes).map(Self)
    }
}

impl From<image::DynamicImage> for Picture {
    fn from(image: image::DynamicImage) -> Self {
        Self(grey(image))
    }
}

/// A picture of a Z-reading, read.
#[derive(Debug, Clone, Serialize)]
pub struct Reading {
    #[serde(flatten)]
    pub judgement: Judgement,
    /// What to do for a better picture; none when all holds.
    pub advice: Option<Advice>,
    /// All text of the picture, from top to bottom, of the first pass.
    pub lines: Vec<Line>,
    /// How many passes were made.
    pub passes: usize,
    /// What each pass read, to be judged again when more is known.
    #[serde(skip)]
    pub votes: Votes,
}

/// The text of any picture.
#[derive(Debug, Clone, Serialize)]
pub struct Text {
    pub lines: Vec<Line>,
    /// A guess at rows and columns: each row has as many cells as there are columns.
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
        // Widely spaced figures below each other look like lines that stand: it may have been upright all along.
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
    let mut votes = vote(&looks, template);
    let mut judgement = judge(&votes, template, context);
    for pass in MORE {
        // What two passes could not make out at all, more will not.
        if judgement.sums_hold() || judgement.verdict == Verdict::Unreadable {
            break;
        }
        looks.push(look(&page, pass)?);
        votes = vote(&looks, template);
        judgement = judge(&votes, template, context);
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
        // A page of a line or two does not show which way it lies: the way that is read surely is right.
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

/// Words that were read so surely that the page does not stand on its head.
fn sure_words(lines: &[Line]) -> impl Iterator<Item = &Word> {
    let words = lines.iter().flat_map(|line| &line.words);
    words.filter(|it| it.confidence > 0.8 && it.text.chars().filter(|c| c.is_alphabetic()).count() > 3)
}

/// How many letters and digits stand in words and figures that were read surely.
fn sure_letters(lines: &[Line]) -> usize {
    let words = lines.iter().flat_map(|line| &line.words).filter(|it| it.confidence > 0.8);
    words
        .map(|it| it.text.chars().filter(|c| c.is_alphanumeric()).count())
        .filter(|letters| *letters > 2)
        .sum()
}

/// What came of one pass, and the picture it was given.
struct Look {
    lines: Vec<Line>,
    picture: GrayImage,
    seen: Seen,
}

impl Look {
    /// Whether words were read so surely that the page does not stand on its head.
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

/// How many fields the best pass found by label.
fn most_found(looks: &[Look]) -> usize {
    looks.iter().map(|look| look.seen.found.len()).max().unwrap_or(0)
}

/// The votes of all passes, and of the comparison of glyphs in the pictures of the first two.
fn vote(looks: &[Look], template: &Template) -> Votes {
    let compared: Vec<Seen> = looks
        .iter()
        .enumerate()
        .take(FIRST.len())
        .map(|(at, look)| {
            let others = looks.iter().enumerate().filter(|it| it.0 != at);
            let others: Vec<&[Figure]> = others.map(|(_, other)| other.seen.figures.as_slice()).collect();
            let figures = reread(&look.picture, &look.seen.figures, &others);
            Seen { weight: COMPARED, found: Vec::new(), figures }
        })
        .collect();
    let seen: Vec<&Seen> = looks.iter().map(|look| &look.seen).chain(&compared).collect();
    Votes::of(&seen, template)
}

/// The first two passes, side by side.
fn both(page: &Page, look: impl Fn(&Page, Pass) -> Looked + Sync) -> Result<Vec<Look>, EngineError> {
    thread::scope(|scope| {
        let second = scope.spawn(|| look(page, FIRST[1]));
        let first = look(page, FIRST[0]);
        let second = second.join().unwrap_or_else(|_| Err(EngineError::Failed("a pass broke off".into())));
        Ok(vec![first?, second?])
    })
}
