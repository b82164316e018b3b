//! Decides how a further file of a store-day joins what is there, and composes the store-day from its parts.
//!
//! A store-day of a source is its standing parts, one for each batch, applied in the order of posting. The first part
//! is the day; each later one is added, or takes the place of receipts, tills or the whole day. Taking a part back
//! composes the day from the others.

mod outcomes;

use std::collections::{BTreeSet, HashMap, HashSet};

use super::day::family::moved;
use super::day::{DayLine, Receipt, SoldItem, StoreDay, Tender, Totals};
use super::facts;
pub use outcomes::{Outcomes, distinct};

/// How a part joins the parts before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = OnExisting))]
#[serde(rename_all = "camelCase")]
pub enum How {
    /// Everything there stays.
    Add,
    /// Receipts of the same till and number give way; lines without a receipt give way to such lines.
    ReplaceReceipts,
    /// All receipts of the tills that come give way; lines without a receipt give way to such lines.
    ReplaceTills,
    /// Everything there gives way.
    ReplaceDays,
}

impl How {
    /// All of them, in the order they are offered: the plainest first.
    pub const ALL: [Self; 4] = [Self::Add, Self::ReplaceReceipts, Self::ReplaceTills, Self::ReplaceDays];

    /// How a file joins unasked. Of what counts, nothing gives way then. Should the part that replaced receipts before be
    /// taken back, they do not come back beside the same receipts of the file.
    pub const UNASKED: Self = Self::ReplaceReceipts;

    /// The stored name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::ReplaceReceipts => "replaceReceipts",
            Self::ReplaceTills => "replaceTills",
            Self::ReplaceDays => "replaceDays",
        }
    }

    /// Parses a stored name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|how| how.as_str() == name)
    }
}

/// What happens to a store-day when a further file brings sales of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The part at this position has the same content and counts as a whole: nothing changes.
    Same(usize),
    /// It is added without a question, by [`How::UNASKED`].
    Add,
    /// A user must choose.
    Ask,
}

/// A store-day composed from its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Composed {
    /// The store-day. Its lines keep their numbers if they come from one part, else they are numbered from 1.
    pub day: StoreDay,
    /// The part of each line, and the line's position in it.
    pub origins: Vec<(usize, usize)>,
    /// How many lines, receipts, payments and receipt-level figures of each part the day has.
    pub kept: Vec<usize>,
}

/// A receipt number split for comparison, with its till.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    till: String,
    /// The letters before the first digit, upper case; empty for a number without digits.
    prefix: String,
    /// The rest, upper case, without leading zeros.
    rest: String,
}

impl Key {
    fn of(receipt: &Receipt) -> Self {
        let (prefix, rest) = split(&receipt.number);
        Self { till: till(&receipt.terminal), prefix, rest }
    }

    fn bare(&self) -> Self {
        Self { prefix: String::new(), ..self.clone() }
    }
}

/// Upper case, spaces at the ends removed, each run of digits without leading zeros.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut digits = false;
    let mut chars = text.trim().chars().peekable();
    while let Some(c) = chars.next() {
        let leads = c == '0' && !digits && chars.peek().is_some_and(char::is_ascii_digit);
        if leads {
            continue;
        }
        digits = c.is_ascii_digit();
        out.extend(c.to_uppercase());
    }
    out
}

/// The letters before the first digit, and the rest; a text without digits is all rest.
fn split(text: &str) -> (String, String) {
    let text = plain(text);
    match text.find(|c: char| c.is_ascii_digit()) {
        Some(at) => (text[..at].to_owned(), text[at..].to_owned()),
        None => (String::new(), text),
    }
}

/// A till's name for comparison.
fn till(name: &str) -> String {
    plain(name)
}

/// A receipt's till and number as they are compared: upper case, without spaces at the ends and leading zeros.
#[must_use]
pub fn till_and_number(receipt: &Receipt) -> (String, String) {
    (till(&receipt.terminal), plain(&receipt.number))
}

/// The receipts of a part, for comparison.
struct Keys {
    /// One for each receipt.
    of: Vec<Key>,
    all: HashSet<Key>,
    /// Tills whose numbers all have the same prefix.
    one_prefix: HashSet<String>,
    /// The numbers of these tills without it.
    bare: HashSet<Key>,
    tills: HashSet<String>,
    /// Whether anything has no receipt.
    loose: bool,
}

impl Keys {
    fn new(day: &StoreDay) -> Self {
        let of: Vec<Key> = day.receipts.iter().map(Key::of).collect();
        let mut prefixes: HashMap<&str, HashSet<&str>> = HashMap::new();
        for key in &of {
            prefixes.entry(&key.till).or_default().insert(&key.prefix);
        }
        let tills = prefixes.keys().map(|till| (*till).to_owned()).collect();
        let one_prefix: HashSet<String> =
            prefixes.iter().filter(|(_, all)| all.len() == 1).map(|(till, _)| (*till).to_owned()).collect();
        let bare = of.iter().filter(|key| one_prefix.contains(&key.till)).map(Key::bare).collect();
        Self { all: of.iter().cloned().collect(), one_prefix, bare, tills, loose: is_loose(day), of }
    }

    /// Whether it has a receipt with the same till and number as the receipt at `at` of `other`. A prefix that all
    /// numbers of a till share may be missing on the other side.
    fn has(&self, other: &Self, at: usize) -> bool {
        let key = &other.of[at];
        if self.all.contains(key) {
            return true;
        }
        if key.prefix.is_empty() {
            return self.bare.contains(key);
        }
        other.one_prefix.contains(&key.till) && self.all.contains(&key.bare())
    }

    /// Whether the receipt at `at` of `before` (`None`: all without a receipt) gives way to these.
    fn displaces(&self, how: How, before: &Self, at: Option<usize>) -> bool {
        match (how, at) {
            (How::Add, _) => false,
            (How::ReplaceDays, _) => true,
            (_, None) => self.loose,
            (How::ReplaceReceipts, Some(at)) => self.has(before, at),
            (How::ReplaceTills, Some(at)) => self.tills.contains(&before.of[at].till),
        }
    }
}

/// Whether a line, payment or figure of the day belongs to no receipt.
fn is_loose(day: &StoreDay) -> bool {
    day.lines.iter().any(|line| line.receipt < 0)
        || day.tenders.iter().any(|tender| tender.receipt < 0)
        || day.facts.iter().any(|(receipt, _)| *receipt < 0)
}

/// What of a part stays.
struct Stays {
    receipts: Vec<bool>,
    loose: bool,
}

impl Stays {
    fn has(&self, receipt: i32) -> bool {
        match usize::try_from(receipt) {
            Ok(at) => self.receipts.get(at).copied().unwrap_or(self.loose),
            Err(_) => self.loose,
        }
    }

    fn all(&self, keys: &Keys) -> bool {
        (self.loose || !keys.loose) && self.receipts.iter().all(|stays| *stays)
    }
}

/// What stays of each part. A part gives way to a later one with the same content, however that joins.
fn stays(parts: &[(How, &StoreDay)], keys: &[Keys]) -> Vec<Stays> {
    let mut all: Vec<Stays> = Vec::with_capacity(parts.len());
    for (n, (how, day)) in parts.iter().enumerate() {
        for (at, (before, known)) in all.iter_mut().zip(keys).enumerate() {
            let how = if is_same(parts[at].1, day) { &How::ReplaceDays } else { how };
            before.loose &= !keys[n].displaces(*how, known, None);
            for (at, stays) in before.receipts.iter_mut().enumerate().filter(|(_, stays)| **stays) {
                *stays = !keys[n].displaces(*how, known, Some(at));
            }
        }
        all.push(Stays { receipts: vec![true; day.receipts.len()], loose: true });
    }
    all
}

/// Composes a store-day from its parts, in the order of posting; `None` without parts. A part alone is returned as it
/// is.
#[must_use]
pub fn compose(parts: &[(How, &StoreDay)]) -> Option<Composed> {
    let last = parts.last()?;
    let keys: Vec<Keys> = parts.iter().map(|(_, day)| Keys::new(day)).collect();
    let stay = stays(parts, &keys);
    let mut kept: Vec<usize> = Vec::with_capacity(parts.len());
    for ((_, day), stay) in parts.iter().zip(&stay) {
        let lines = day.lines.iter().filter(|line| stay.has(line.receipt)).count();
        let tenders = day.tenders.iter().filter(|tender| stay.has(tender.receipt)).count();
        let facts = day.facts.iter().filter(|(receipt, _)| stay.has(*receipt)).count();
        kept.push(lines + tenders + facts + stay.receipts.iter().filter(|stays| **stays).count());
    }
    let counting: Vec<usize> = (0..parts.len()).filter(|at| kept[*at] > 0).collect();
    // A day of one part is that part.
    let alone = if parts.len() == 1 { Some(0) } else { counting.first().copied() };
    if let Some(at) = alone
        && counting.len() <= 1
        && stay[at].all(&keys[at])
    {
        let day = parts[at].1.clone();
        let origins = (0..day.lines.len()).map(|line| (at, line)).collect();
        return Some(Composed { day, origins, kept });
    }
    let mut joined = Joined::new(last.1);
    for (at, ((_, day), stay)) in parts.iter().zip(&stay).enumerate() {
        joined.add(at, day, stay);
    }
    let Joined { mut day, origins, .. } = joined;
    if counting.len() > 1 {
        for (number, line) in (1..).zip(&mut day.lines) {
            line.line_no = number;
        }
    }
    // What belongs to no receipt comes first, as in a plain store-day.
    day.facts.sort_by_key(|(receipt, _)| *receipt);
    Some(Composed { day, origins, kept })
}

/// A store-day while parts are joined.
struct Joined {
    day: StoreDay,
    origins: Vec<(usize, usize)>,
    places: HashMap<SoldItem, u32>,
}

impl Joined {
    fn new(like: &StoreDay) -> Self {
        let day = StoreDay {
            store_id: like.store_id.clone(),
            day: like.day,
            source: like.source.clone(),
            items: Vec::new(),
            receipts: Vec::new(),
            tenders: Vec::new(),
            facts: Vec::new(),
            lines: Vec::new(),
        };
        Self { day, origins: Vec::new(), places: HashMap::new() }
    }

    fn add(&mut self, part: usize, from: &StoreDay, stay: &Stays) {
        let mut places: Vec<i32> = Vec::with_capacity(from.receipts.len());
        for (receipt, stays) in from.receipts.iter().zip(&stay.receipts) {
            if *stays {
                self.day.receipts.push(receipt.clone());
            }
            places.push(i32::try_from(self.day.receipts.len()).unwrap_or(i32::MAX) - 1);
        }
        let place = |receipt: i32| moved(receipt, &places);
        let before = self.day.lines.len();
        let mut to = vec![-1; from.lines.len()];
        for (at, line) in from.lines.iter().enumerate().filter(|(_, line)| stay.has(line.receipt)) {
            let item = usize::try_from(line.item).ok().and_then(|at| from.items.get(at));
            let Some(item) = item else { continue };
            let items = &mut self.day.items;
            let item = *self.places.entry(item.clone()).or_insert_with(|| {
                items.push(item.clone());
                u32::try_from(items.len() - 1).unwrap_or(u32::MAX)
            });
            to[at] = i32::try_from(self.day.lines.len()).unwrap_or(-1);
            self.day.lines.push(DayLine { receipt: place(line.receipt), item, ..*line });
            self.origins.push((part, at));
        }
        // A line stays or gives way with its receipt, and so with the lines that belong to it.
        for line in &mut self.day.lines[before..] {
            line.parent = moved(line.parent, &to);
        }
        for tender in from.tenders.iter().filter(|tender| stay.has(tender.receipt)) {
            self.day.tenders.push(Tender { receipt: place(tender.receipt), ..tender.clone() });
        }
        for (receipt, facts) in from.facts.iter().filter(|(receipt, _)| stay.has(*receipt)) {
            let receipt = place(*receipt);
            match self.day.facts.iter_mut().find(|(at, _)| receipt < 0 && *at == receipt) {
                Some((_, sum)) => sum.add(facts),
                None => self.day.facts.push((receipt, *facts)),
            }
        }
    }
}

/// Decides what happens when `comes` brings further sales of a store-day with these parts. It may be the sales of one
/// part under another till's name, or of all, so that its net is compared with each part that counts and with the day.
#[must_use]
pub fn decide(parts: &[(How, &StoreDay)], comes: &StoreDay) -> Decision {
    let Some(there) = compose(parts) else { return Decision::Add };
    let same = |at: &usize| {
        let day = parts[*at].1;
        let all = day.lines.len() + day.receipts.len() + day.tenders.len() + day.facts.len();
        there.kept[*at] == all && is_same(day, comes)
    };
    if let Some(at) = (0..parts.len()).rev().find(same) {
        return Decision::Same(at);
    }
    let apart = looks_apart(parts, &there, comes);
    let there = &there.day;
    if there.lines.is_empty() && there.receipts.is_empty() && there.tenders.is_empty() {
        return Decision::Add;
    }
    if apart && has_other_receipts(there, comes) { Decision::Add } else { Decision::Ask }
}

/// Whether both sides name tills, and none is on both.
#[must_use]
pub fn has_other_tills(parts: &[(How, &StoreDay)], comes: &StoreDay) -> bool {
    let Some(there) = compose(parts).map(|composed| composed.day) else { return true };
    let bare = |day: &StoreDay| -> HashSet<String> {
        day.receipts.iter().map(|receipt| split(&till(&receipt.terminal)).1).collect()
    };
    names_tills(&there) && names_tills(comes) && bare(&there).is_disjoint(&bare(comes))
}

/// Whether `comes` may take the place of the same receipts of these parts unasked, where its sender corrects receipts by
/// sending them again: both sides name tills, and nothing suggests the same sales under other numbers.
#[must_use]
pub fn may_replace_receipts(parts: &[(How, &StoreDay)], comes: &StoreDay) -> bool {
    compose(parts).is_none_or(|there| looks_apart(parts, &there, comes))
}

/// Whether receipts of `comes` are there, by till and number.
#[must_use]
pub fn has_receipts_of(there: &StoreDay, comes: &StoreDay) -> bool {
    let (old, new) = (Keys::new(there), Keys::new(comes));
    (0..new.of.len()).any(|at| old.has(&new, at))
}

/// How a chosen way is kept: where adding comes to the same as replacing receipts, as [`How::UNASKED`].
#[must_use]
pub fn kept_as(parts: &[(How, &StoreDay)], how: How, comes: &StoreDay) -> How {
    let after = |how: How| compose(&[parts, &[(how, comes)]].concat()).map(|composed| composed.day);
    if how == How::Add && after(How::Add) == after(How::UNASKED) { How::UNASKED } else { how }
}

/// Whether both sides name tills, no channel may be on both, and no net of `there`, or of a part of it, is near.
fn looks_apart(parts: &[(How, &StoreDay)], there: &Composed, comes: &StoreDay) -> bool {
    let counting = parts.iter().zip(&there.kept).filter(|(_, kept)| **kept > 0);
    let mut nets = counting.map(|((_, day), _)| day.totals().net).chain([there.day.totals().net]);
    let net = comes.totals().net;
    let there = &there.day;
    names_tills(there)
        && names_tills(comes)
        && !shares_channel(there, comes)
        && !nets.any(|there| near(there, net))
}

/// Whether two parts of a store-day have the same content: the same receipts with the same lines, payments and figures.
/// The rows they have in the file do not matter, nor does their order.
#[must_use]
pub fn is_same(one: &StoreDay, other: &StoreDay) -> bool {
    let sizes = |day: &StoreDay| [day.lines.len(), day.receipts.len(), day.tenders.len(), day.facts.len()];
    sizes(one) == sizes(other) && one.totals() == other.totals() && slips(one) == slips(other)
}

/// The content of a receipt, without its rows in the file; no receipt for what belongs to none.
#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Slip<'a> {
    /// Till, number, service, channel and time.
    receipt: Option<([&'a str; 4], i32)>,
    /// POS item and name, kind and time, quantity, price, discount and net.
    lines: Vec<([&'a str; 2], u8, i32, [i64; 4])>,
    /// Kind, reference and amount.
    tenders: Vec<([&'a str; 2], i64)>,
    facts: Vec<[i64; facts::COUNT]>,
}

/// The receipts of a day with their content, and first what has no receipt; sorted.
fn slips(day: &StoreDay) -> Vec<Slip<'_>> {
    let mut all = vec![Slip::default()];
    all.extend(day.receipts.iter().map(|it| {
        let texts = [it.terminal.as_str(), it.number.as_str(), it.service.as_str(), it.channel.as_str()];
        Slip { receipt: Some((texts, it.seconds)), ..Slip::default() }
    }));
    let place = |receipt: i32| usize::try_from(receipt).ok().filter(|at| *at < day.receipts.len());
    let place = |receipt: i32| place(receipt).map_or(0, |at| at + 1);
    for line in &day.lines {
        let item = usize::try_from(line.item).ok().and_then(|at| day.items.get(at));
        let names = item.map_or(["", ""], |item| [&*item.pos_item_id, &*item.source_item]);
        let figures = [line.qty, line.unit_price, line.discount, line.net];
        all[place(line.receipt)].lines.push((names, line.kind.code(), line.seconds, figures));
    }
    for tender in &day.tenders {
        let names = [tender.kind.as_str(), tender.reference.as_str()];
        all[place(tender.receipt)].tenders.push((names, tender.amount));
    }
    for (receipt, facts) in &day.facts {
        all[place(*receipt)].facts.push(facts.0);
    }
    for slip in &mut all {
        slip.lines.sort_unstable();
        slip.tenders.sort_unstable();
    }
    all.sort_unstable();
    all
}

/// Whether everything is of a receipt, and every receipt of a till.
fn names_tills(day: &StoreDay) -> bool {
    !is_loose(day) && day.receipts.iter().all(|receipt| !receipt.terminal.trim().is_empty())
}

/// Whether the amounts are within 2% of each other: perhaps the same sales.
fn near(one: i64, other: i64) -> bool {
    let (one, other) = (i128::from(one), i128::from(other));
    (one - other).abs() * 50 <= one.abs().max(other.abs())
}

/// Whether one side's channel may be in the other: among its payments, or, for a file of one channel, its channels.
fn shares_channel(one: &StoreDay, other: &StoreDay) -> bool {
    let (a, b) = (Ways::of(one), Ways::of(other));
    a.within(&b) || b.within(&a)
}

/// The channels and tenders of a day, in lower case without spaces and punctuation.
struct Ways {
    channels: BTreeSet<String>,
    tenders: BTreeSet<String>,
    /// Whether all receipts have the same channel.
    one: bool,
}

impl Ways {
    fn of(day: &StoreDay) -> Self {
        let name = |text: &str| -> String {
            text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
        };
        let all: BTreeSet<String> = day.receipts.iter().map(|receipt| name(&receipt.channel)).collect();
        let mut tenders: BTreeSet<String> = day.tenders.iter().map(|tender| name(&tender.kind)).collect();
        tenders.remove("");
        let mut channels = all.clone();
        channels.remove("");
        Self { one: all.len() == 1 && !channels.is_empty(), channels, tenders }
    }

    fn within(&self, other: &Self) -> bool {
        let among = |names: &BTreeSet<String>| {
            self.channels.iter().any(|own| names.iter().any(|name| alike(own, name)))
        };
        among(&other.tenders) || (self.one && among(&other.channels))
    }
}

/// Whether two names may mean the same: equal, or one begins with the other, as in «Grab» and «GrabFood».
fn alike(one: &str, other: &str) -> bool {
    let begins = |long: &str, short: &str| short.chars().count() >= 4 && long.starts_with(short);
    one == other || begins(one, other) || begins(other, one)
}

/// Whether the tills differ, or the receipts of common tills do within one numbering.
fn has_other_receipts(there: &StoreDay, comes: &StoreDay) -> bool {
    let (a, b) = (Keys::new(there), Keys::new(comes));
    // «POS1» and «1» may be one till, so that names without letters are compared too.
    let bare = |keys: &Keys| -> HashSet<String> { keys.tills.iter().map(|name| split(name).1).collect() };
    let common: HashSet<String> = bare(&a).intersection(&bare(&b)).cloned().collect();
    common.iter().all(|till| {
        let prefixes = |keys: &Keys| -> BTreeSet<String> {
            let own = keys.of.iter().filter(|key| split(&key.till).1 == *till);
            own.map(|key| key.prefix.clone()).collect()
        };
        let numbers = |keys: &Keys| -> HashSet<String> {
            let own = keys.of.iter().filter(|key| split(&key.till).1 == *till);
            own.map(|key| key.rest.clone()).collect()
        };
        prefixes(&a) == prefixes(&b) && numbers(&a).is_disjoint(&numbers(&b))
    })
}

/// The receipts that are there and come again: their number and sums. Lines without a receipt count as one.
#[must_use]
pub fn overlap(there: &StoreDay, comes: &StoreDay) -> (usize, Totals) {
    let (old, new) = (Keys::new(there), Keys::new(comes));
    let both: Vec<bool> = (0..old.of.len()).map(|at| new.has(&old, at)).collect();
    let loose = old.loose && new.loose;
    let is_both = |receipt: i32| match usize::try_from(receipt) {
        Ok(at) => both.get(at).copied().unwrap_or(loose),
        Err(_) => loose,
    };
    let lines = there.lines.iter().filter(|line| is_both(line.receipt)).copied().collect();
    let again = StoreDay { lines, ..there.clone() };
    (both.iter().filter(|both| **both).count(), again.totals())
}

/// The names of a day's tills, sorted; without an empty one.
#[must_use]
pub fn tills(day: &StoreDay) -> Vec<String> {
    let names: BTreeSet<&str> = day.receipts.iter().map(|receipt| receipt.terminal.trim()).collect();
    names.into_iter().filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
