//! Parses a question: `domain::search_query` extracts what it is about; the remaining names are looked up among the
//! stores, areas and items the caller may see.

use larder_domain::search_query::{
    self, AskedAgainst, AskedBy, AskedDiscount, AskedRank, AskedState, Days, Topic,
};
use larder_domain::tender::Kind;
use larder_domain::{BusinessDay, StoreScope};
use serde::Serialize;
use utoipa::ToSchema;

use larder_platform::search::{Entry, Hit, Needle, OfKind, find, plain};

/// Entity types a question may name, in order of preference for equal matches.
pub(super) const NAMED: [&str; 6] =
    ["location", "regionalArea", "operationalArea", "rootItem", "posItem", "product"];
const STORES: &str = "location";
const AREAS: [&str; 2] = ["regionalArea", "operationalArea"];
/// Maximum number of words in a name.
const LONGEST: usize = 5;
/// Maximum number of records considered for a name.
const MOST: usize = 200;
/// Score at which every word of the name matches fully or as a prefix; below it one has a typing error.
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
    /// The state that it asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only: Option<AskedState>,
    /// What its figures are broken down by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<AskedBy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<AskedRank>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discount: Option<AskedDiscount>,
    /// How it was paid: `cash`, `card`, `eWallet`, `voucher` or `onAccount`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tender: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<AskedAgainst>,
    /// Accessible stores.
    pub stores: Vec<NamedRecord>,
    pub areas: Vec<NamedRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<NamedItems>,
    /// Words without a match.
    pub unknown: Vec<String>,
}

/// Parses a question; `None` for a single name, state or topic, or if nothing sets the topic. `records` are of the
/// types in [`NAMED`].
pub(super) fn read(
    typed: &str,
    today: BusinessDay,
    records: &[(&'static str, std::sync::Arc<OfKind>)],
    scope: &StoreScope,
) -> Option<AskedQuestion> {
    let begins = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| plain(word)).collect();
        let entries = records.iter().flat_map(|(_, of_kind)| of_kind.values());
        let seen = entries.filter(|entry| scope.includes(entry.store.as_deref()));
        seen.map(|entry| entry.words.begins_with(&words, search_query::AND)).max().unwrap_or_default()
    };
    let query = search_query::read_with(typed, today, &begins);
    let topic = topic_of(&query)?;
    let names = |needle: &Needle| {
        find(records, needle, MOST, |_, entry: &Entry| scope.includes(entry.store.as_deref()))
    };
    let days = |days: Days| AskedDays { from: days.span.from, to: days.span.to, named: days.named };
    let mut question = AskedQuestion {
        topic,
        days: query.days.map(days),
        only: query.only,
        by: query.by,
        rank: query.rank,
        discount: query.discount,
        tender: query.tender.map(Kind::as_str),
        against: query.against,
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
                let hits = names(&Needle::named(&rest[..n].join(" "))?);
                (!hits.is_empty()).then_some((n, hits))
            });
            let Some((n, hits)) = named else {
                if !search_query::adds_nothing(&rest[0]) {
                    question.unknown.push(rest[0].clone());
                }
                rest = &rest[1..];
                continue;
            };
            question.take(&rest[..n].join(" "), hits);
            rest = &rest[n..];
        }
    }
    (question.facts(&query) >= 2).then_some(question)
}

/// The topic of a question; without a word for it that of its state, else sales. `None` if nothing but names is said,
/// or a state that fits several topics.
fn topic_of(query: &search_query::SearchQuery) -> Option<Topic> {
    if query.topic.is_some() {
        return query.topic;
    }
    match query.only {
        Some(only) => only.topic(),
        None => {
            let says =
                query.days.is_some() || query.by.is_some() || query.rank.is_some() || query.against.is_some();
            says.then_some(Topic::Sales)
        }
    }
}

impl AskedQuestion {
    /// How many things it says. «cash» and «senior discount» say one: a kind of what they are about.
    fn facts(&self, query: &search_query::SearchQuery) -> usize {
        let says = [
            query.topic.is_some(),
            self.days.is_some(),
            self.only.is_some(),
            self.by.is_some(),
            self.rank.is_some(),
            self.against.is_some(),
            !self.stores.is_empty() || !self.areas.is_empty(),
            self.items.is_some(),
        ];
        says.into_iter().filter(|says| *says).count()
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
