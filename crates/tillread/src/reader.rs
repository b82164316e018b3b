//! A picture → passes of the engine → a reading.

use std::thread;

use serde::Serialize;

use crate::advice::{Advice, advice};
use crate::engine::{Engine, EngineError, Mode};
use crate::fields::extract::{Seen, extract};
use crate::fields::label::Labels;
use crate::fields::template::Template;
use crate::judge::checks::Context;
use crate::judge::verdict::{Judgement, Verdict, judge};
use crate::judge::votes::Votes;
use crate::picture::decode::decode;
use crate::picture::page::{Page, Style};
use crate::text::{Line, lines, table};
use crate::Refusal;

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
const FIRST: [Pass; 2] = [pass(44.0, 0.8, true, Mode::Block), pass(37.0, 0.5, true, Mode::Column)];
/// Those that follow, one by one, while something does not hold.
const MORE: [Pass; 3] =
    [pass(50.0, 1.2, false, Mode::Block), pass(56.0, 1.6, true, Mode::Column), pass(40.0, 1.0, true, Mode::Block)];
/// Fewer labels than this make it likely that the page stands on its head.
const FEW: usize = 4;

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
pub fn read(bytes: &[u8], template: &Template, context: &Context, engine: &dyn Engine) -> Result<Reading, Refusal> {
    let source = decode(bytes)?;
    let labels = Labels::of(template);
    let look = |page: &Page, pass: Pass| -> Result<(Vec<Line>, Seen), EngineError> {
        let read = see(page, pass, engine)?;
        let seen = extract(&read, &labels, template.date_order);
        Ok((read, seen))
    };
    let mut page = Page::find(source, None);
    let mut seen = Vec::new();
    let [one, two] = both(&page, look)?;
    let mut text = one.0;
    seen.extend([one.1, two.1]);
    if page.rhythm && count(&seen) < FEW {
        for turned in [2, 1, 3] {
            let other = Page::find(page.source().clone(), Some(turned));
            let (lines, found) = look(&other, FIRST[0])?;
            if found.found.len() >= 2 * FEW {
                page = other;
                let (_, more) = look(&page, FIRST[1])?;
                (text, seen) = (lines, vec![found, more]);
                break;
            }
        }
    }
    let mut votes = Votes::of(&seen, template);
    let mut judgement = judge(&votes, template, context);
    for pass in MORE {
        if judgement.sums_hold() || count(&seen) == 0 {
            break;
        }
        seen.push(look(&page, pass)?.1);
        votes = Votes::of(&seen, template);
        judgement = judge(&votes, template, context);
    }
    let advice = match judgement.verdict {
        Verdict::Holds => None,
        Verdict::Review => advice(&page, false),
        Verdict::Unreadable => advice(&page, true),
    };
    Ok(Reading { judgement, advice, lines: text, passes: seen.len(), votes })
}

/// See [`crate::read_text`].
pub fn read_text(bytes: &[u8], engine: &dyn Engine) -> Result<Text, Refusal> {
    let page = Page::find(decode(bytes)?, None);
    let lines = see(&page, FIRST[0], engine)?;
    Ok(Text { table: table(&lines), lines })
}

fn see(page: &Page, pass: Pass, engine: &dyn Engine) -> Result<Vec<Line>, EngineError> {
    let prepared = page.prepare(pass.style);
    let words = engine.words(&prepared.picture, pass.mode)?;
    Ok(lines(words, &prepared.to_whole))
}

/// How many fields were found by label.
fn count(seen: &[Seen]) -> usize {
    seen.iter().map(|it| it.found.len()).max().unwrap_or(0)
}

type Looked = Result<(Vec<Line>, Seen), EngineError>;

/// The first two passes, side by side.
fn both(page: &Page, look: impl Fn(&Page, Pass) -> Looked + Sync) -> Result<[(Vec<Line>, Seen); 2], EngineError> {
    thread::scope(|scope| {
        let second = scope.spawn(|| look(page, FIRST[1]));
        let first = look(page, FIRST[0]);
        let second = second.join().unwrap_or_else(|_| Err(EngineError::Failed("a pass broke off".into())));
        Ok([first?, second?])
    })
}
