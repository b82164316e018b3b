//! Columns that say whether a row counts.

use std::collections::BTreeMap;

use super::header::{Header, WORDS};
use super::profile::ColumnProfile;
use super::together::Together;
use crate::sales::mapping::{Field, Flag, Word};
use crate::sales::names::key;
use crate::sales::words::is_plain;

/// More different words are no status.
const MOST_WORDS: usize = 40;
/// More different words under «State» are places.
const MOST_STATES: usize = 8;

/// The status columns of a file.
#[derive(Debug, Default)]
pub(super) struct Statuses {
    /// All of them but the one that is [`Field::Kind`].
    pub columns: Vec<usize>,
    pub flags: BTreeMap<usize, Flag>,
    /// Words that mean something else in this file than usual.
    pub words: BTreeMap<String, Word>,
    /// Whether only the first line of a receipt has a status, which is that of the whole receipt.
    pub of_receipts: bool,
}

/// What a header promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Promise {
    /// «Cancelled at».
    When,
    /// «Void?».
    Void,
    /// «Paid».
    Paid,
    /// «Order status».
    Status,
    /// «State».
    State,
    /// «Event type».
    Type,
    /// A name that tills use for the kind of a line.
    Kind,
}

/// Words about something else than whether a line is a sale.
const ELSEWHERE: [&str; 37] = [
    "by",
    "reason",
    "id",
    "no",
    "number",
    "amount",
    "amt",
    "qty",
    "quantity",
    "count",
    "remarks",
    "note",
    "notes",
    "user",
    "name",
    "code",
    "tax",
    "vat",
    "city",
    "country",
    "province",
    "inventory",
    "stock",
    "member",
    "membership",
    "customer",
    "employee",
    "kitchen",
    "loyalty",
    "table",
    "sync",
    "print",
    "email",
    "account",
    "shift",
    "discount",
    "price",
];

fn promise(header: &Header) -> Option<Promise> {
    let struck = header.has(&[
        "void",
        "voided",
        "cancelled",
        "canceled",
        "cancellation",
        "deleted",
        "isvoid",
        "isvoided",
        "iscancelled",
        "iscanceled",
        "isdeleted",
    ]);
    if struck && header.has(&["at", "on", "date", "time", "datetime"]) {
        return Some(Promise::When);
    }
    if header.has(&ELSEWHERE) || header.has(&["at", "on", "date", "time", "datetime", "total"]) {
        let named =
            WORDS.iter().any(|(field, words)| *field == Field::Kind && words.contains(&header.bare.as_str()));
        return named.then_some(Promise::Kind);
    }
    if struck {
        return Some(Promise::Void);
    }
    if header.has(&["status"]) {
        return Some(Promise::Status);
    }
    if header.has(&["paid", "ispaid"]) {
        return Some(Promise::Paid);
    }
    if header.has(&["state"]) {
        return Some(Promise::State);
    }
    if WORDS.iter().any(|(field, words)| *field == Field::Kind && words.contains(&header.bare.as_str())) {
        return Some(Promise::Kind);
    }
    let other = [
        "payment",
        "tender",
        "card",
        "dining",
        "service",
        "item",
        "product",
        "itemization",
        "channel",
        "unit",
    ];
    (header.has(&["type", "event", "kind"]) && !header.has(&other)).then_some(Promise::Type)
}

/// Whether a column is a status column, and how it is read.
fn is_status(promise: Promise, column: &ColumnProfile) -> Option<Option<Flag>> {
    if promise == Promise::When {
        return Some(Some(Flag::CancelledAt));
    }
    if column.filled == 0 {
        return matches!(promise, Promise::Void | Promise::Status).then_some(None);
    }
    if column.distinct.len() > MOST_WORDS || column.is_date() || column.mostly(column.clocks) {
        return None;
    }
    let words: Vec<String> = column.distinct.iter().map(|cell| key(&String::from_utf8_lossy(cell))).collect();
    let plain = |word: &String| is_plain(word);
    if column.is_number() {
        let bits = words.iter().all(plain);
        return match promise {
            Promise::Void if bits => Some(Some(Flag::CancelledAt)),
            Promise::Paid if bits => Some(Some(Flag::Paid)),
            _ => None,
        };
    }
    let known = |word: &String| !plain(word) && Word::of_key(word).is_some();
    let (some, all) = (words.iter().any(known), words.iter().all(known));
    let strikes = |word: &String| known(word) && Word::of_key(word) != Some(Word::Counts);
    match promise {
        Promise::Void => {
            (words.iter().any(|word| plain(word) || known(word)) || words.len() <= 3).then_some(None)
        }
        Promise::Paid => words.iter().any(|word| plain(word) || known(word)).then_some(Some(Flag::Paid)),
        Promise::Status if words.iter().all(plain) => None,
        Promise::Status => Some(None),
        Promise::State => (some || (words.len() <= MOST_STATES && !words.iter().all(plain))).then_some(None),
        Promise::Kind => some.then_some(None),
        Promise::Type => (all || words.iter().any(strikes)).then_some(None),
        Promise::When => None,
    }
}

/// Assigns [`Field::Kind`] and finds the other status columns.
pub(super) fn statuses(
    headers: &[Header],
    columns: &[ColumnProfile],
    together: &Together,
    taken: &mut BTreeMap<Field, usize>,
) -> Statuses {
    let mut found = Statuses::default();
    let mut ordinary: Vec<usize> = Vec::new();
    taken.remove(&Field::Kind);
    for (at, (header, column)) in headers.iter().zip(columns).enumerate() {
        if taken.values().any(|used| *used == at) {
            continue;
        }
        let Some(promise) = promise(header) else { continue };
        match is_status(promise, column) {
            None => {}
            Some(Some(flag)) => {
                found.flags.insert(at, flag);
                found.columns.push(at);
            }
            Some(None) if promise == Promise::Kind && !taken.contains_key(&Field::Kind) => {
                taken.insert(Field::Kind, at);
            }
            Some(None) => ordinary.push(at),
        }
        if promise != Promise::Status && promise != Promise::State {
            continue;
        }
        // The status of an order given back, whose sale is not in the file as a row of its own.
        let Some(&quantity) = taken.get(&Field::Quantity) else { continue };
        let receipt = taken.get(&Field::Receipt).copied();
        for cell in &column.distinct {
            let word = key(&String::from_utf8_lossy(cell));
            if Word::of_key(&word) == Some(Word::Returns) && together.given_back(at, cell, quantity, receipt)
            {
                found.words.insert(word, Word::LeaveOut);
            }
        }
    }
    if !taken.contains_key(&Field::Kind) && !ordinary.is_empty() {
        taken.insert(Field::Kind, ordinary.remove(0));
    }
    found.columns.extend(ordinary);
    found.columns.sort_unstable();
    if let Some(&receipt) = taken.get(&Field::Receipt) {
        let mut all = taken.get(&Field::Kind).into_iter().chain(&found.columns);
        found.of_receipts = all.any(|at| together.first_lines_only(receipt, *at));
    }
    found
}
