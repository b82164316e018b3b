//! A simulated group that proves Larder: it knows the physical truth, acts on Larder only as staff would, and every
//! evening holds what the pages say against the truth.
//!
//! A seed becomes a [`Story`](days::Story): a group and everything that happens in it. [`play`] lets it happen on a
//! server, over HTTP. [`pages`] asks the pages and computes what each must say. [`errors`] plants what people do wrong,
//! and compares with a twin without it. [`story`] shortens a story that shows a difference.
//!
//! The crate depends on none of Larder's, so that no code is held against itself. Quantities are millionths, money is
//! centavos; there are no floats.

pub mod calendar;
pub mod catalogue;
pub mod client;
pub mod days;
pub mod errors;
pub mod host;
pub mod pages;
pub mod play;
pub mod quantity;
pub mod staff;
pub mod story;
pub mod truth;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use client::Done;
use days::Story;
use errors::Error;
use pages::{KNOWN, Reason};
use play::{Difference, End, Host, Met, Outcome, play};
use story::{Shown, shorten};

/// From this many figures on, a known difference that never showed is gone.
const ENOUGH: usize = 60;

/// What to play.
#[derive(Debug, Clone)]
pub struct Options {
    pub seeds: Vec<u64>,
    pub days: usize,
    /// Stories played side by side.
    pub at_once: usize,
    /// Whether errors are planted besides.
    pub errors: bool,
    /// After this time no further seed is begun.
    pub most: Option<Duration>,
    /// Makes names unique on a server that has seen other worlds.
    pub tag: String,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Report {
    /// In plain sentences.
    pub text: String,
    pub failed: bool,
    /// Seeds that were played.
    pub seeds: usize,
    /// Figures compared.
    pub compared: usize,
    known: BTreeMap<Reason, Met>,
}

impl Report {
    fn say(&mut self, line: impl AsRef<str>) {
        let _ = writeln!(self.text, "{}", line.as_ref());
    }

    fn fail(&mut self, line: impl AsRef<str>) {
        self.failed = true;
        self.say(line);
    }

    fn add(&mut self, outcome: &Outcome) {
        self.compared += outcome.compared;
        for (reason, met) in &outcome.known {
            let sum = self.known.entry(*reason).or_default();
            sum.figures += met.figures;
            sum.differed += met.differed;
        }
    }

    /// Names the known differences, so that none is silent, and those that are gone.
    fn name_known(&mut self) {
        for (reason, words) in KNOWN {
            let Met { figures, differed } = self.known.get(reason).copied().unwrap_or_default();
            self.say(format!("Known: {words} {figures} figures may differ, {differed} did."));
            if figures >= ENOUGH && differed == 0 {
                self.fail(format!("{reason:?} no longer occurs: take it out of KNOWN in pages.rs."));
            }
        }
    }
}

/// Plays stories on a server and reports.
///
/// # Errors
/// If the server cannot be reached, or refuses to set a group up.
pub async fn run<H: Host>(host: &mut H, options: &Options) -> Done<Report> {
    let begun = Instant::now();
    let in_time = || options.most.is_none_or(|most| begun.elapsed() < most);
    let mut report = Report::default();
    let mut first: Option<Shown> = None;
    for (turn, seeds) in options.seeds.chunks(options.at_once.max(1)).enumerate() {
        if !in_time() {
            break;
        }
        let stories: Vec<Story> = seeds.iter().map(|seed| Story::of(*seed, options.days)).collect();
        let of: Vec<&Story> = stories.iter().collect();
        let outcomes = play(host, &of, &format!("{}w{turn}g", options.tag), End::AtFirstDifference).await?;
        for (story, outcome) in stories.into_iter().zip(outcomes) {
            report.seeds += 1;
            report.add(&outcome);
            let Some(difference) = outcome.differences.into_iter().next() else { continue };
            report.fail(format!("Seed {}, day {}: {}", story.seed, difference.day + 1, difference.text));
            first.get_or_insert(Shown { story, difference });
        }
    }
    if options.errors {
        for (turn, seed) in options.seeds.iter().take(report.seeds.max(1)).enumerate() {
            let error = Error::ALL[turn % Error::ALL.len()];
            if in_time() {
                twin(host, error, *seed, (options, turn), &mut report).await?;
            }
        }
    }
    if let Some(shown) = first {
        let shortest = shorten(host, shown, &format!("{}s", options.tag)).await?;
        report.say(shortest.tell());
    }
    report.name_known();
    report.say(format!(
        "{} seeds of {} days, {} figures compared: {}.",
        report.seeds,
        options.days,
        report.compared,
        if report.failed { "differences found" } else { "all as in truth" }
    ));
    Ok(report)
}

/// Plays a story with an error beside its twin without.
async fn twin<H: Host>(
    host: &mut H,
    error: Error,
    seed: u64,
    (options, turn): (&Options, usize),
    report: &mut Report,
) -> Done<()> {
    let plain = Story::of(seed, options.days);
    let Some(planted) = error.plant(&plain, seed) else { return Ok(()) };
    let tag = format!("{}e{turn}g", options.tag);
    let mut outcomes = play(host, &[&plain, &planted], &tag, End::AtLastDay).await?.into_iter();
    let (Some(without), Some(with)) = (outcomes.next(), outcomes.next()) else { return Ok(()) };
    let name = format!("Seed {seed} with {}", error.name());
    let new = |found: &&Difference| {
        without.differences.iter().all(|other| (found.day, &found.text) != (other.day, &other.text))
    };
    let found: Vec<&Difference> = with.differences.iter().filter(new).collect();
    if let Some(words) = error.known() {
        report.say(format!("Known: {words} {name}: {} figures differ.", found.len()));
        if found.is_empty() {
            report.fail(format!("{name} is shown as it is: take it out of known in errors.rs."));
        }
        return Ok(());
    }
    if let Some(first) = found.first() {
        report.fail(format!("{name}, day {}: {}", first.day + 1, first.text));
    }
    if without.receipts != with.receipts {
        // The error emptied a shelf and changed what could be sold: the twins live different lives.
        report.say(format!("{name}: customers bought something else, so the pages are not compared."));
        return Ok(());
    }
    let differs = |(key, said): (&(usize, pages::Row, String), &Option<i64>)| {
        without.said.get(key).filter(|other| *other != said).map(|_| key.clone())
    };
    let changed: Vec<(usize, pages::Row, String)> = with.said.iter().filter_map(differs).collect();
    for (day, row, about) in changed.iter().filter(|(_, row, _)| !error.rows().contains(row)) {
        report.fail(format!(
            "{name}, day {}: it changes {} ({about}), which it may not touch.",
            day + 1,
            row.name()
        ));
    }
    if changed.is_empty() && !error.rows().is_empty() {
        report.fail(format!("{name} shows nowhere."));
    }
    report.say(format!("{name}: {} figures changed, all where they may.", changed.len()));
    Ok(())
}
