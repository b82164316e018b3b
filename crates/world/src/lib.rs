//! A simulated group that proves Larder: it knows the physical truth, acts on Larder only as staff would, and every
//! evening holds what the pages say against the truth.
//!
//! A seed becomes a [`Story`](days::Story): a group and everything that happens in it ([`happen`]). [`play`] plays it on a
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
pub mod happen;
pub mod host;
pub mod pages;
pub mod play;
pub mod quantity;
pub mod staff;
pub mod story;
pub mod truth;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use client::Done;
use days::Story;
use errors::{Error, WRONG};
use pages::{KNOWN, Reason, Row};
use play::{Difference, Host, Look, Met, Outcome, play};
use story::{Shown, shorten};

/// Days of stories with errors, at most: all errors are played side by side.
const DAYS_WITH_ERRORS: usize = 14;

/// Stories among which one is looked for that gives occasions for all errors.
const STORIES_TRIED: u64 = 30;

/// Differences of a seed that are named.
const MOST_NAMED: usize = 8;

/// From this many figures on, a known difference that never showed is gone.
const ENOUGH: usize = 60;

/// What to play.
#[derive(Debug, Clone)]
pub struct Options {
    pub seeds: Vec<u64>,
    pub days: usize,
    /// Stories played side by side.
    pub at_once: usize,
    /// On how many of the seeds errors are planted.
    pub errors: usize,
    /// After this time no further seed is begun; planting errors does not count.
    pub most: Option<Duration>,
    /// Whether the shortest story of the first difference is looked for.
    pub shorten: bool,
    /// Makes names unique on a server that has seen other worlds.
    pub tag: String,
}

/// Seeds after which a known error that never showed is gone: in one seed it may have no effect.
const ENOUGH_PLANTED: usize = 5;

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
    /// Errors that are known to be shown wrongly, and why.
    wrong: &'static [(Error, &'static str)],
    /// Those of them so far: how often they were planted, and how often that showed.
    planted: BTreeMap<Error, (usize, usize)>,
}

impl Report {
    fn say(&mut self, line: impl AsRef<str>) {
        let _ = writeln!(self.text, "{}", line.as_ref());
    }

    fn fail(&mut self, line: impl AsRef<str>) {
        self.failed = true;
        // At once: shortening takes minutes.
        eprintln!("{}", line.as_ref());
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
                self.fail(format!("{reason:?} no longer occurs: take it out of KNOWN in figure.rs."));
            }
        }
        for (error, (planted, shown)) in std::mem::take(&mut self.planted) {
            if planted >= ENOUGH_PLANTED && shown == 0 {
                self.fail(format!("{} is shown as it is: take it out of WRONG in errors.rs.", error.name()));
            }
        }
    }
}

/// Plays stories on a server and reports.
///
/// # Errors
/// If the server cannot be reached, or refuses to set a group up.
pub async fn run<H: Host>(host: &mut H, options: &Options) -> Done<Report> {
    let mut report = Report { wrong: WRONG, ..Report::default() };
    let mut first: Option<Shown> = None;
    for (turn, seed) in options.seeds.iter().take(options.errors).enumerate() {
        plant_errors(host, *seed, (options, turn), &mut report).await?;
    }
    let begun = Instant::now();
    let in_time = || options.most.is_none_or(|most| begun.elapsed() < most);
    for (turn, seeds) in options.seeds.chunks(options.at_once.max(1)).enumerate() {
        if !in_time() {
            break;
        }
        // Two hundred seeds take long.
        eprintln!("{} of {} seeds after {} s.", report.seeds, options.seeds.len(), begun.elapsed().as_secs());
        let stories: Vec<Story> = seeds.iter().map(|seed| Story::of(*seed, options.days)).collect();
        let of: Vec<&Story> = stories.iter().collect();
        // Unless it is to be shortened, a story is played to its end, and each kind of difference is named.
        let look = if options.shorten { Look::UntilItDiffers } else { Look::EveryEvening };
        let outcomes = play(host, &of, &format!("{}w{turn}g", options.tag), look).await?;
        for (story, outcome) in stories.into_iter().zip(outcomes) {
            report.seeds += 1;
            report.add(&outcome);
            let Outcome { differences, journal, .. } = outcome;
            let mut kinds = BTreeSet::new();
            let kind = |text: &str| text.replace(|letter: char| letter.is_ascii_digit(), "");
            let new = |found: &&Difference| kinds.insert((found.row, kind(&found.text)));
            for found in differences.iter().filter(new).take(MOST_NAMED) {
                report.fail(format!("Seed {}, day {}: {}", story.seed, found.day + 1, found.text));
            }
            let Some(difference) = differences.into_iter().next() else { continue };
            // What all groups did together cannot be shortened.
            if difference.row != Row::Home {
                first.get_or_insert(Shown { story, difference, journal });
            }
        }
    }
    if let Some(shown) = first.filter(|_| options.shorten) {
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

/// Of some stories the one that gives occasions for most errors, and of those the shortest; and its twins with one each.
fn with_occasions(seed: u64, days: usize) -> (Story, Vec<(Error, Story)>) {
    let plant = |story: Story| {
        let twin = |error: &Error| Some((*error, error.plant(&story, seed)?));
        let planted: Vec<(Error, Story)> = Error::ALL.iter().filter_map(twin).collect();
        (story, planted)
    };
    let mut best = plant(Story::of(seed, days));
    for turn in 1..STORIES_TRIED {
        let other = plant(Story::of(seed.wrapping_add(turn << 32), days));
        let rank = |(story, planted): &(Story, Vec<_>)| (planted.len(), Reverse(story.steps.len()));
        if rank(&other) > rank(&best) {
            best = other;
        }
    }
    best
}

/// Plays a story without errors beside its twins, each with one error.
async fn plant_errors<H: Host>(
    host: &mut H,
    seed: u64,
    (options, turn): (&Options, usize),
    report: &mut Report,
) -> Done<()> {
    let (plain, planted) = with_occasions(seed, options.days.min(DAYS_WITH_ERRORS));
    for error in Error::ALL.iter().filter(|error| planted.iter().all(|(of, _)| of != *error)) {
        report.say(format!("Seed {seed} with {}: no story gives an occasion for it.", error.name()));
    }
    let stories: Vec<&Story> =
        std::iter::once(&plain).chain(planted.iter().map(|(_, story)| story)).collect();
    let outcomes = play(host, &stories, &format!("{}e{turn}g", options.tag), Look::EveryEvening).await?;
    let Some((without, with)) = outcomes.split_first() else { return Ok(()) };
    for ((error, _), with) in planted.iter().zip(with) {
        report.compared += with.compared;
        report.compare((*error, seed), without, with);
    }
    Ok(())
}

impl Report {
    /// Compares what the pages say of a story with an error and of its twin without.
    fn compare(&mut self, (error, seed): (Error, u64), without: &Outcome, with: &Outcome) {
        let name = format!("Seed {seed} with {}", error.name());
        let new = |found: &&Difference| {
            without.differences.iter().all(|other| (found.day, &found.text) != (other.day, &other.text))
        };
        let found: Vec<&Difference> = with.differences.iter().filter(new).collect();
        let wrong = self.wrong;
        if let Some((_, words)) = wrong.iter().find(|(wrong, _)| *wrong == error) {
            self.say(format!("Known: {words} {name}: {} figures differ.", found.len()));
            let (planted, shown) = self.planted.entry(error).or_default();
            *planted += 1;
            *shown += usize::from(!found.is_empty());
            return;
        }
        if let Some(first) = found.first() {
            self.fail(format!("{name}, day {}: {}", first.day + 1, first.text));
        }
        if without.receipts != with.receipts {
            // The error emptied a shelf and changed what could be sold: the twins live different lives.
            self.say(format!("{name}: customers bought something else, so the pages are not compared."));
            return;
        }
        let differs = |key: &&(usize, Row, String)| {
            let differs = without.said.get(*key).is_some_and(|other| with.said.get(*key) != Some(other));
            // Home is that of both.
            differs && key.1 != Row::Home
        };
        let changed: Vec<&(usize, Row, String)> = with.said.keys().filter(differs).collect();
        let (may, may_not): (Vec<_>, Vec<_>) =
            changed.into_iter().partition(|key| error.rows().contains(&key.1));
        if let Some((day, row, about)) = may_not.first() {
            self.fail(format!(
                "{name} changes {} figures that it may not touch, first on day {} {}: {about}.",
                may_not.len(),
                day + 1,
                row.name()
            ));
        }
        if may.is_empty() && !error.rows().is_empty() {
            self.fail(format!("{name} shows nowhere."));
        }
        self.say(format!("{name}: {} figures changed where they may.", may.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(stock: i64, sales: i64) -> Outcome {
        let of = |row: Row, figure: i64| ((2, row, row.name().to_owned()), Some(figure));
        let said = [of(Row::Stock, stock), of(Row::Sales, sales)].into();
        Outcome { said, ..Outcome::default() }
    }

    #[test]
    fn an_error_must_show_where_it_may_and_nowhere_else() {
        for (with, failed) in [(said(7, 2), false), (said(1, 2), true), (said(7, 3), true)] {
            let mut report = Report::default();
            report.compare((Error::Theft, 1), &said(1, 2), &with);
            assert_eq!(report.failed, failed, "{}", report.text);
        }
    }

    #[test]
    fn all_errors_are_planted_side_by_side() {
        for seed in [7, 966_920_223] {
            let (plain, planted) = with_occasions(seed, DAYS_WITH_ERRORS);
            assert_eq!(planted.len(), Error::ALL.len(), "seed {seed}");
            assert!(planted.iter().all(|(_, story)| story.seed == plain.seed));
        }
    }

    #[test]
    fn a_known_error_that_is_shown_right_fails() {
        for (planted, failed) in [(1, false), (ENOUGH_PLANTED, true)] {
            let mut report = Report { wrong: &[(Error::Theft, "Nothing vanishes.")], ..Report::default() };
            for _ in 0..planted {
                report.compare((Error::Theft, 1), &said(1, 2), &said(7, 2));
            }
            report.name_known();
            assert_eq!(report.failed, failed, "{}", report.text);
        }
    }

    #[test]
    fn a_known_difference_that_is_gone_fails() {
        for (differed, failed) in [(1, false), (0, true)] {
            let met = Met { figures: ENOUGH, differed };
            let mut report = Report { known: [(Reason::Undecided, met)].into(), ..Report::default() };
            report.name_known();
            assert_eq!(report.failed, failed, "{}", report.text);
        }
    }
}
