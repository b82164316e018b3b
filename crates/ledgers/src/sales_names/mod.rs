//! Resolves names in files and connectors: by an earlier decision, else by an exact and unambiguous match.

pub mod queries;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use larder_db::{Db, DbError};
use larder_domain::sales::KnownItems;
use larder_domain::sales::line::SeenItem;
use larder_domain::sales::names::key;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::day_starts;

/// A suggested store for a name.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoreSuggestion {
    pub store_id: String,
    pub name: String,
}

/// A suggested POS item for a name.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ItemSuggestion {
    pub pos_item_id: String,
    /// Its description; with its code if another POS item has the same one.
    pub name: String,
    /// Why it is suggested, where the name is a variant of it: what a new item would inherit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

/// What the items of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, sqlx::Type)]
#[serde(rename_all = "camelCase")]
#[sqlx(type_name = "text", rename_all = "camelCase")]
pub enum Subject {
    /// POS items.
    PosItems,
    /// Root items: quantities used, recorded by hand where no till reports sales.
    RootItems,
}

impl Subject {
    /// The source of its store days in the ledger.
    #[must_use]
    pub fn source(self) -> &'static str {
        match self {
            Self::PosItems => "file",
            Self::RootItems => "rootItems",
        }
    }

    /// The kind of decisions about its items' names.
    #[must_use]
    pub fn alias(self) -> &'static str {
        match self {
            Self::PosItems => "item",
            Self::RootItems => "root",
        }
    }
}

/// Stores, POS items and decisions, for look-ups.
pub struct Directory {
    stores: HashMap<String, Option<Arc<str>>>,
    codes: HashMap<String, Arc<str>>,
    descriptions: HashMap<String, Option<Arc<str>>>,
    store_aliases: HashMap<String, Arc<str>>,
    item_aliases: HashMap<String, Arc<str>>,
    terminals: HashSet<String>,
    store_names: Vec<(Arc<str>, String)>,
    /// The stores with a code, as places in `store_names`.
    store_codes: HashMap<String, Vec<usize>>,
    item_names: Vec<(Arc<str>, String)>,
    item_codes: Vec<Option<String>>,
    day_starts: day_starts::OfStores,
}

impl Directory {
    /// For POS items.
    pub async fn load(db: &Db) -> Result<Self, DbError> {
        Self::of(db, Subject::PosItems).await
    }

    /// Reads them all; there are some thousands at most.
    pub async fn of(db: &Db, subject: Subject) -> Result<Self, DbError> {
        let stores = queries::stores(db).await?;
        let items = match subject {
            Subject::PosItems => queries::items(db).await?,
            Subject::RootItems => queries::root_items(db).await?,
        };
        let aliases = queries::aliases(db).await?;
        let terminals = queries::terminals(db).await?;
        let mut book = Self {
            stores: HashMap::new(),
            codes: HashMap::new(),
            descriptions: HashMap::new(),
            store_aliases: HashMap::new(),
            item_aliases: HashMap::new(),
            terminals: terminals
                .iter()
                .flat_map(|till| [key(&till.pos_code), key(&till.terminal_id)])
                .collect(),
            store_names: Vec::new(),
            store_codes: HashMap::new(),
            item_names: Vec::new(),
            item_codes: Vec::new(),
            day_starts: day_starts::of_stores(db, None).await?,
        };
        book.terminals.remove("");
        let known: HashSet<String> =
            stores.iter().map(|s| s.id.clone()).chain(items.iter().map(|i| i.id.clone())).collect();
        for store in stores {
            let id: Arc<str> = store.id.into();
            let words = [
                Some(&store.name),
                store.code.as_ref(),
                store.pos_code.as_ref(),
                store.pos_branch_name.as_ref(),
            ];
            for word in words.into_iter().flatten().map(|w| key(w)).chain([key(&id)]) {
                note(&mut book.stores, word, &id);
            }
            let place = book.store_names.len();
            let codes = [&store.code, &store.pos_code].into_iter().flatten().map(|code| key(code));
            for code in codes.filter(|code| !code.is_empty()) {
                let stores = book.store_codes.entry(code).or_default();
                if stores.last() != Some(&place) {
                    stores.push(place);
                }
            }
            book.store_names.push((id, store.name));
        }
        for item in items {
            let id: Arc<str> = item.id.into();
            if let Some(code) = &item.pos_item_id {
                book.codes.insert(key(code), id.clone());
            }
            note(&mut book.descriptions, key(&item.description), &id);
            book.item_names.push((id, item.description));
            book.item_codes.push(item.pos_item_id);
        }
        // The target of a decision may have been deleted since.
        for alias in aliases.into_iter().filter(|alias| known.contains(&alias.target_id)) {
            let names = match alias.kind.as_str() {
                "store" => &mut book.store_aliases,
                kind if kind == subject.alias() => &mut book.item_aliases,
                _ => continue,
            };
            names.insert(alias.name_key, alias.target_id.into());
        }
        Ok(book)
    }

    /// The store with this name.
    pub fn store(&self, name: &str) -> Option<Arc<str>> {
        let name = key(name);
        self.store_aliases.get(&name).or_else(|| self.stores.get(&name)?.as_ref()).cloned()
    }

    /// The store of a name in a file, beside which the file has a code. A code that stands in for a missing name is resolved
    /// by decisions and names of stores only: another system's store 8 may be any of ours.
    pub fn store_with_code(&self, name: &str, code: Option<&str>) -> Option<Arc<str>> {
        let name_key = key(name);
        if code.is_none_or(|code| key(code) != name_key) {
            return self.store(name);
        }
        let decided = self.store_aliases.get(&name_key).cloned();
        decided.or_else(|| {
            let mut named = self.store_names.iter().filter(|(_, known)| key(known) == name_key);
            let only = named.next().filter(|_| named.next().is_none());
            only.map(|(id, _)| id.clone())
        })
    }

    /// The stores whose code or POS code this is: their ids and names.
    pub fn stores_of_code(&self, code: &str) -> impl Iterator<Item = (&str, &str)> {
        let places = self.store_codes.get(&key(code)).into_iter().flatten();
        places.filter_map(move |at| self.store_names.get(*at)).map(|(id, name)| (id.as_ref(), name.as_str()))
    }

    /// When the days of stores begin, by store; a store whose days were never set is missing.
    pub fn day_starts(&self) -> &day_starts::OfStores {
        &self.day_starts
    }

    /// The POS item of a file's item.
    pub fn item(&self, item: &SeenItem) -> Option<Arc<str>> {
        self.item_by(&item.key, &item.name)
    }

    /// The POS item of a key and name.
    pub fn item_by(&self, item_key: &str, name: &str) -> Option<Arc<str>> {
        self.item_aliases
            .get(item_key)
            .or_else(|| self.codes.get(item_key))
            .or_else(|| self.descriptions.get(item_key)?.as_ref())
            .or_else(|| self.descriptions.get(&key(name))?.as_ref())
            .cloned()
    }

    /// The items that names in files are known to mean, as [`Self::item`] finds them.
    #[must_use]
    pub fn known_items(&self) -> KnownItems {
        let described = self.descriptions.iter().filter(|(_, id)| id.is_some()).map(|(name, _)| name.clone());
        let names: HashSet<String> = described.collect();
        let decided = self.item_aliases.keys().chain(self.codes.keys()).cloned();
        KnownItems { keys: decided.chain(names.iter().cloned()).collect(), names }
    }

    /// Whether any store has this till.
    pub fn knows_terminal(&self, terminal: &str) -> bool {
        self.terminals.contains(&key(terminal))
    }

    /// The name of a store by id.
    pub fn store_name(&self, id: &str) -> Option<&str> {
        self.store_names.iter().find(|(known, _)| known.as_ref() == id).map(|(_, name)| name.as_str())
    }

    /// Suggests the store with the most similar name among those `within` reach, else the one with the code.
    pub fn suggest_store(
        &self,
        name: &str,
        code: Option<&str>,
        within: impl Fn(&str) -> bool,
    ) -> Option<StoreSuggestion> {
        let near = nearest(name, self.store_names.iter().filter(|(id, _)| within(id)));
        // Another system's store 8 may be any of ours, so a code suggests a store but never decides.
        let coded = || {
            let id = self.stores.get(&key(code?))?.as_ref().filter(|id| within(id))?;
            self.store_names.iter().find(|(known, _)| known == id).map(|(id, name)| (id, name))
        };
        let (id, name) = near.or_else(coded)?;
        Some(StoreSuggestion { store_id: id.to_string(), name: name.clone() })
    }

    /// An index of the POS items, for many suggestions.
    pub fn suggester(&self) -> Suggester<'_> {
        let mut holders: HashMap<u64, Vec<usize>> = HashMap::new();
        let mut sizes = Vec::with_capacity(self.item_names.len());
        for (at, (_, name)) in self.item_names.iter().enumerate() {
            let parts = trigrams(name);
            sizes.push(parts.len());
            for part in parts {
                holders.entry(part).or_default().push(at);
            }
        }
        Suggester { book: self, holders, sizes }
    }
}

/// A name shared by two records resolves to neither.
fn note(names: &mut HashMap<String, Option<Arc<str>>>, name: String, id: &Arc<str>) {
    if name.is_empty() {
        return;
    }
    names
        .entry(name)
        .and_modify(|known| {
            if known.as_ref().is_some_and(|k| k != id) {
                *known = None;
            }
        })
        .or_insert_with(|| Some(id.clone()));
}

/// Finds similar POS items by common trigrams.
pub struct Suggester<'a> {
    book: &'a Directory,
    holders: HashMap<u64, Vec<usize>>,
    sizes: Vec<usize>,
}

impl Suggester<'_> {
    /// The POS item with the most similar name, if similar enough.
    pub fn item(&self, name: &str) -> Option<ItemSuggestion> {
        let parts = trigrams(name);
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for part in &parts {
            for at in self.holders.get(part).into_iter().flatten() {
                *shared.entry(*at).or_default() += 1;
            }
        }
        let (at, _) = shared
            .into_iter()
            .map(|(at, common)| (at, common * 100 / (parts.len() + self.sizes[at] - common).max(1)))
            .filter(|(at, percent)| *percent >= SIMILAR && may_be_same(name, &self.book.item_names[*at].1))
            .max_by_key(|(at, percent)| (*percent, std::cmp::Reverse(*at)))?;
        let (id, name) = &self.book.item_names[at];
        // Items with the same name are told apart by their codes.
        let shared = self.book.descriptions.get(&key(name)).is_some_and(Option::is_none);
        let name = match &self.book.item_codes[at] {
            Some(code) if shared => format!("{name} · {code}"),
            _ => name.clone(),
        };
        Some(ItemSuggestion { pos_item_id: id.to_string(), name, about: None })
    }

    /// The POS item that the name is a variant of, if `parent` is the key of one, else the one with the most similar name.
    pub fn item_or_parent(&self, name: &str, parent: Option<&str>) -> Option<ItemSuggestion> {
        let id = parent.and_then(|parent| self.book.item_by(parent, parent));
        let known = id.and_then(|id| self.book.item_names.iter().find(|(known, _)| *known == id));
        let variant = known.map(|(id, name)| ItemSuggestion {
            pos_item_id: id.to_string(),
            name: name.clone(),
            about: Some(format!("A variant of «{name}». A new item inherits its bill of materials.")),
        });
        variant.or_else(|| self.item(name))
    }
}

/// Common trigrams, in percent, required for a suggestion.
const SIMILAR: usize = 40;

/// Words that tell variants of an item apart.
const SIZES: [&str; 24] = [
    "small", "medium", "large", "regular", "reg", "grande", "venti", "tall", "solo", "mini", "jumbo",
    "family", "half", "whole", "double", "triple", "single", "s", "m", "l", "xl", "xs", "hot", "iced",
];

/// The known name that `name` most likely stands for: the same words, but for spelling, or all words of one in the other.
/// Names that differ in a word, a number or a size are different things.
fn nearest<'a>(
    name: &str,
    known: impl Iterator<Item = &'a (Arc<str>, String)>,
) -> Option<(&'a Arc<str>, &'a String)> {
    let parts = trigrams(name);
    known
        .map(|(id, other)| {
            let others = trigrams(other);
            let common = parts.intersection(&others).count();
            (common * 100 / (parts.len() + others.len() - common).max(1), id, other)
        })
        .filter(|(percent, _, other)| *percent >= SIMILAR && may_be_same(name, other))
        .max_by_key(|(percent, ..)| *percent)
        .map(|(_, id, other)| (id, other))
}

/// Whether each word of one name is in the other, but for spelling, and what the longer has besides is no number and no
/// size.
fn may_be_same(one: &str, other: &str) -> bool {
    let words = |name: &str| -> Vec<String> {
        let name = key(name);
        name.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (mut short, mut long) = (words(one), words(other));
    if short.len() > long.len() {
        std::mem::swap(&mut short, &mut long);
    }
    for word in &short {
        let Some(at) = long.iter().position(|other| is_spelling_of(word, other)) else { return false };
        long.swap_remove(at);
    }
    let tells_apart =
        |word: &String| SIZES.contains(&word.as_str()) || word.chars().any(|c| c.is_ascii_digit());
    !long.iter().any(tells_apart)
}

/// Whether two words are the same, but for one wrong, missing or additional letter for every four; the first and the last
/// letter are the same.
fn is_spelling_of(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if one.iter().chain(&other).any(char::is_ascii_digit) {
        return false;
    }
    let ends = one.first() == other.first() && one.last() == other.last();
    ends && distance(&one, &other) <= one.len().min(other.len()) / 4
}

/// The Levenshtein distance of two words.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.iter().enumerate() {
        let mut before = row[0];
        row[0] = at + 1;
        for (to, known) in other.iter().enumerate() {
            let changed = before + usize::from(letter != known);
            before = row[to + 1];
            row[to + 1] = changed.min(before + 1).min(row[to] + 1);
        }
    }
    row[other.len()]
}

/// The trigrams of a name, with word boundaries marked by spaces.
fn trigrams(name: &str) -> HashSet<u64> {
    let padded: Vec<char> = format!(" {} ", key(name)).chars().collect();
    padded.windows(3).map(|w| w.iter().fold(0u64, |sum, c| (sum << 21) | u64::from(u32::from(*c)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_suggested_and_others_not() {
        let known =
            [(Arc::from("a"), "Chicken Tikka Masala".to_owned()), (Arc::from("b"), "Plain Naan".to_owned())];
        let found = |name| nearest(name, known.iter()).map(|(id, _)| id.to_string());
        assert_eq!(found("chicken tikka masalla").as_deref(), Some("a"));
        assert_eq!(found("PLAIN NAAN BREAD").as_deref(), Some("b"));
        assert_eq!(found("Mango Lassi"), None);
    }

    #[test]
    fn names_that_differ_in_a_word_or_a_size_are_not_suggested() {
        let known =
            ["Chicken Tinola", "Ube Latte Large", "Chicken Mami", "Coke 1.5L", "Store 5", "Larkspur Mall"];
        let known: Vec<(Arc<str>, String)> =
            known.iter().map(|name| (Arc::from(*name), (*name).to_owned())).collect();
        let found = |name| nearest(name, known.iter()).map(|(id, _)| id.to_string());
        for other in [
            "Chicken Tikka Masala",
            "Ube Latte (Small)",
            "Ube Latte",
            "Madras - Chicken",
            "Coke 2L",
            "Store 3",
        ] {
            assert_eq!(found(other), None, "{other}");
        }
        for (name, same) in [
            ("Ube Late - Large", "Ube Latte Large"),
            ("CHICKEN TINOLLA", "Chicken Tinola"),
            ("Larkspur Mall Branch", "Larkspur Mall"),
            ("Coke 1.5L", "Coke 1.5L"),
        ] {
            assert_eq!(found(name).as_deref(), Some(same), "{name}");
        }
    }
}
