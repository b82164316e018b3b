//! Receipts that an earlier file put on another day than a store's start hour does now.

use std::collections::{HashMap, HashSet};

use larder_db::{Db, DbError};
use larder_domain::BusinessDay;
use larder_domain::day_starts::LATEST_MINUTES;
use larder_domain::sales::day::{Receipt, Resolved};
use larder_domain::sales::existing::till_and_number;
use larder_domain::sales::line::{Line, NONE, Tables};
use larder_domain::sales::names::Interner;

use larder_ledgers::sales::existing::{Standing, standing_receipts};

const DAY_SECONDS: i32 = 86_400;

/// The lines of a receipt in the night, before or after the hour at which a store's days begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct NightSlip {
    /// Numbers of the file's tables.
    store: u32,
    terminal: u32,
    receipt: u32,
    /// The date as written.
    day: i32,
    /// Whether it belongs to the evening before.
    moves: bool,
}

impl NightSlip {
    /// That of a line; `None` if its day does not depend on when the store's days begin.
    fn of(line: &Line, resolved: &Resolved) -> Option<Self> {
        let set = resolved.store_of(line).is_some_and(|store| resolved.starts.contains_key(store));
        let at_night = (0..60 * LATEST_MINUTES).contains(&line.seconds);
        let Line { store, terminal, receipt, day, .. } = *line;
        let moves = resolved.placed(*line).day != day;
        (set && at_night && receipt != NONE).then_some(Self { store, terminal, receipt, day, moves })
    }

    /// The line on the evening before, or on its date as written.
    fn placed(line: Line, evening: bool) -> Line {
        if evening { Line { day: line.day - 1, seconds: line.seconds + DAY_SECONDS, ..line } } else { line }
    }
}

/// Leaves receipts on the day on which an earlier file put them, where the days of their store begin at another hour
/// since: they would stand on two days. The lines are placed then, and `resolved` moves them no more.
pub(super) async fn keep_days(
    db: &Db,
    lines: &mut [Line],
    tables: &Tables,
    resolved: &mut Resolved,
    source: &str,
) -> Result<(), DbError> {
    if !resolved.calendar_days || resolved.starts.is_empty() {
        return Ok(());
    }
    // The first line and the net of each receipt.
    let mut slips: HashMap<NightSlip, (Line, i64)> = HashMap::new();
    for line in &*lines {
        if let Some(slip) = NightSlip::of(line, resolved) {
            let (_, net) = slips.entry(slip).or_insert((*line, 0));
            *net = net.saturating_add(if line.counts() { line.net } else { 0 });
        }
    }
    let days: Vec<(&str, BusinessDay)> = slips
        .values()
        .filter_map(|(line, _)| Some((&**resolved.store_of(line)?, BusinessDay(line.day))))
        .flat_map(|(store, day)| [(store, day), (store, day.plus(-1))])
        .collect();
    if days.is_empty() {
        return Ok(());
    }
    let standing = standing_receipts(db, &days, source).await?;
    let text = |names: &Interner, id: u32| {
        if id == NONE { String::new() } else { names.text(id).into_owned() }
    };
    let stands = |line: &Line, net: i64, evening: bool| {
        let receipt = Receipt {
            terminal: text(&tables.terminals, line.terminal),
            number: text(&tables.receipts, line.receipt),
            ..Receipt::default()
        };
        let placed = NightSlip::placed(*line, evening);
        resolved.store_of(line).is_some_and(|store| {
            standing.contains(&Standing {
                store_id: store.to_string(),
                day: BusinessDay(placed.day),
                till_and_number: till_and_number(&receipt),
                seconds: placed.seconds,
                net,
            })
        })
    };
    let kept: HashSet<NightSlip> = slips
        .iter()
        .filter(|(slip, (line, net))| stands(line, *net, !slip.moves) && !stands(line, *net, slip.moves))
        .map(|(slip, _)| *slip)
        .collect();
    if kept.is_empty() {
        return Ok(());
    }
    for line in lines {
        *line = match NightSlip::of(line, resolved).filter(|slip| kept.contains(slip)) {
            Some(slip) => NightSlip::placed(*line, !slip.moves),
            None => resolved.placed(*line),
        };
    }
    resolved.starts.clear();
    Ok(())
}
