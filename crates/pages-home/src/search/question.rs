//! Parses a question: `domain::asked` extracts topic and dates; the remaining names are looked up among the
//! stores, areas and items the caller may see.

use larder_domain::search_query::{self, Topic};
use larder_domain::{BusinessDay, StoreScope};
use serde::Serialize;
use utoipa::ToSchema;

use larder_platform::search::{Entry, Hit, Needle, OfKind, find};

/// Entity types a question may name, in order of preference for equal matches.
pub(super) const NAMED: [&str; 6] =
    ["location", "regionalArea", "operationalArea", "rootItem", "posItem", "product"];
const STORES: &str = "location";
const AREAS: [&str; 2] = ["regionalArea", "operationalArea"];
/// Maximum number of words in a name.
const LONGEST: usize = 5;
/// Maximum number of records considered for a name.
const MOST: usize = 200;
/// Score at which every word of the name matches fully or as a prefix; below it is a guess.
const SURE: u32 = 650;

/// A record named in a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct NamedRecord {
    pub id: String,
    pub name: String,
}

/// An item named in a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NamedItems {
    /// The words that name it.
    pub q: String,
    /// Number of matching root items.
    pub root_items: usize,
    /// Number of matching POS items.
    pub pos_items: usize,
    /// Number of matching products.
    pub products: usize,
    /// Its name, if only one record matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// The dates of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct AskedDays {
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    /// The report's name for this range, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub named: Option<&'static str>,
}

/// A parsed question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct AskedQuestion {
    /// Topic.
    pub topic: Topic,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days: Option<AskedDays>,
    /// Accessible stores.
    pub stores: Vec<NamedRecord>,
    pub areas: Vec<NamedRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<NamedItems>,
    /// Words without a match.
    pub unknown: Vec<String>,
}

/// Parses a question; `None` for a single name, or without a word that sets the topic. `records` are of the
/// types in [`NAMED`].
pub(super) fn read(
    typed: &str,
    today: BusinessDay,
    records: &[(&'static str, std::sync::Arc<OfKind>)],
    scope: &StoreScope,
) -> Option<AskedQuestion> {
    let query = search_query::read(typed, today);
    if query.topic.is_none() && query.days.is_none() {
        return None;
    }
    let names = |needle: &Needle| {
        find(records, needle, MOST, |_, entry: &Entry| scope.includes(entry.store.as_deref()))
    };
    let mut question = AskedQuestion {
        topic: query.topic.unwrap_or(Topic::Sales),
        days: query.days.map(|days| AskedDays { from: days.span.from, to: days.span.to, named: days.named }),
        stores: Vec::new(),
        areas: Vec::new(),
        items: None,
        unknown: Vec::new(),
    };
    for words in &query.names {
        let mut rest = &words[..];
        while !rest.is_empty() {
            let longest = (1..=rest.len().min(LONGEST)).rev();
            let named = longest.into_iter().find_map(|n| {
                let hits = names(&Needle::read(&rest[..n].join(" "))?);
                let first = hits.first()?;
                // A single misspelt word is too ambiguous.
                (first.score >= SURE || n > 1 || rest[0].chars().count() > 4).then_some((n, hits))
            });
            let Some((n, hits)) = named else {
                question.unknown.push(rest[0].clone());
                rest = &rest[1..];
                continue;
            };
            question.take(&rest[..n].join(" "), hits);
            rest = &rest[n..];
        }
    }
    let says = question.days.is_some() || question.names_something();
    let asks = query.topic.is_some() || question.names_something();
    (says && asks).then_some(question)
}

impl AskedQuestion {
    fn names_something(&self) -> bool {
        !self.stores.is_empty() || !self.areas.is_empty() || self.items.is_some()
    }

    /// Adds the matches for a name.
    fn take(&mut self, q: &str, hits: Vec<Hit>) {
        let best = hits.iter().map(|hit| hit.score).max().unwrap_or_default();
        let place = |kind: &str| NAMED.iter().position(|one| *one == kind).unwrap_or(NAMED.len());
        // An exact match comes before a name containing it.
        let fits = |hit: &&Hit| hit.score >= best.min(SURE);
        let Some(kind) =
            hits.iter().filter(|hit| hit.score == best).map(|hit| hit.kind).min_by_key(|k| place(k))
        else {
            return;
        };
        let named = |hit: &Hit| NamedRecord { id: hit.entry.id.clone(), name: hit.entry.title.clone() };
        let of = |kinds: &[&str]| -> Vec<NamedRecord> {
            let mut found: Vec<_> =
                hits.iter().filter(fits).filter(|hit| kinds.contains(&hit.kind)).map(named).collect();
            found.sort_by(|a, b| a.name.cmp(&b.name));
            found
        };
        if kind == STORES {
            self.stores.extend(of(&[STORES]));
        } else if AREAS.contains(&kind) {
            self.areas.extend(of(&AREAS));
        } else {
            let count = |kind: &str| hits.iter().filter(fits).filter(|hit| hit.kind == kind).count();
            let (root_items, pos_items, products) = (count("rootItem"), count("posItem"), count("product"));
            let one = (root_items + pos_items + products == 1).then(|| of(&[kind]).pop()).flatten();
            let name = one.map(|one| one.name);
            match &mut self.items {
                // A report takes one item: a second match only narrows the first.
                Some(items) => items.q = format!("{} {q}", items.q),
                None => {
                    self.items = Some(NamedItems { q: q.to_owned(), root_items, pos_items, products, name })
                }
            }
        }
    }
}
