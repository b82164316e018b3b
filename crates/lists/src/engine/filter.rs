//! Query parameters of a list, parsed by its declaration.

use larder_domain::StoreScope;
use serde_json::Value;

use super::define::{Field, Kind, ListDef};
use super::draft::{Cell, read_cell, wrong};
use super::text::{anywhere, fold, has_unseen};
use larder_platform::http::error::ApiError;

/// Default page size.
pub const PAGE_SIZE: u32 = 50;
/// The largest page.
pub const MAX_PAGE_SIZE: u32 = 1_000;
/// The most rows of `pageSize=all`.
pub const ALL_ROWS: u32 = 10_000;
/// The longest `q`, in characters.
const MAX_Q: usize = 200;

/// Sort key of a list.
#[derive(Debug, Clone, Copy)]
pub enum SortBy {
    Field(&'static Field),
    /// A column common to all lists.
    Frame(&'static str),
}

/// A requested page of a list.
#[derive(Debug, Clone)]
pub struct Filter {
    /// A `like` pattern over the case-folded searched fields.
    pub like: Option<String>,
    /// The text searched for, for a fuzzy search if there is no exact match.
    pub typed: Option<String>,
    /// Results of a fuzzy search, in place of `like`.
    pub ids: Option<Vec<String>>,
    /// Fields and their accepted values.
    pub equals: Vec<(&'static Field, Vec<Cell>)>,
    /// Whether hidden records are included.
    pub hidden_too: bool,
    /// The order; the id breaks ties.
    pub sort: SortBy,
    pub descending: bool,
    pub offset: i64,
    pub limit: i64,
    /// The stores the user may see, if the list is the stores.
    pub scope: StoreScope,
}

impl Filter {
    /// All records, in the list's default order.
    #[must_use]
    pub fn everything(def: &'static ListDef) -> Self {
        Self {
            like: None,
            typed: None,
            ids: None,
            equals: Vec::new(),
            hidden_too: false,
            sort: def.field(def.name).map_or(SortBy::Frame("created_at"), SortBy::Field),
            descending: false,
            offset: 0,
            limit: i64::from(PAGE_SIZE),
            scope: StoreScope::All,
        }
    }

    /// Parses query parameters.
    ///
    /// # Errors
    /// 422 with every invalid parameter.
    pub fn read(
        def: &'static ListDef,
        pairs: &[(String, String)],
        scope: &StoreScope,
    ) -> Result<Self, ApiError> {
        let mut filter = Self { scope: scope.clone(), ..Self::everything(def) };
        let mut findings = Vec::new();
        let (mut page, mut size) = (1, PAGE_SIZE);
        for (name, value) in pairs {
            let read = match name.as_str() {
                "q" => filter.read_q(value),
                "sort" => filter.read_sort(def, value),
                "page" => whole(value, 1, 1_000_000).map(|n| page = n),
                "pageSize" if value == "all" => {
                    size = ALL_ROWS;
                    Ok(())
                }
                "pageSize" => whole(value, 1, MAX_PAGE_SIZE).map(|n| size = n),
                other if def.hidden.is_some_and(|hidden| hidden.unless == other) => {
                    yes_or_no(value).map(|yes| filter.hidden_too = yes)
                }
                other => filter.read_field(def, other, value),
            };
            if let Err(message) = read {
                findings.push(wrong(&shown(name), message));
            }
        }
        filter.limit = i64::from(size);
        filter.offset = i64::from(page - 1) * i64::from(size);
        if findings.is_empty() { Ok(filter) } else { Err(ApiError::invalid(findings)) }
    }

    fn read_q(&mut self, value: &str) -> Result<(), String> {
        if has_unseen(value) || value.chars().count() > MAX_Q {
            return Err(format!("Search for at most {MAX_Q} visible characters."));
        }
        let folded = fold(value);
        self.like = (!folded.is_empty()).then(|| anywhere(&folded));
        self.typed = (!folded.is_empty()).then_some(folded);
        Ok(())
    }

    fn read_sort(&mut self, def: &'static ListDef, value: &str) -> Result<(), String> {
        let (name, descending) = value.strip_prefix('-').map_or((value, false), |name| (name, true));
        self.descending = descending;
        self.sort = match name {
            "createdAt" => SortBy::Frame("created_at"),
            "updatedAt" => SortBy::Frame("updated_at"),
            _ => match def.field(name) {
                Some(field) if !matches!(field.kind, Kind::Items(_)) => SortBy::Field(field),
                _ => return Err(format!("Sort by one of: {}.", sortable(def))),
            },
        };
        Ok(())
    }

    fn read_field(&mut self, def: &'static ListDef, name: &str, value: &str) -> Result<(), String> {
        let Some(field) = def.field(name).filter(|field| !matches!(field.kind, Kind::Items(_) | Kind::Lines))
        else {
            return Err("The list has no field of this name to filter by.".to_owned());
        };
        let cell = parse(field, value)?;
        match self.equals.iter_mut().find(|(known, _)| known.name == field.name) {
            Some((_, cells)) if cells.len() >= 100 => return Err("Filter by at most 100 values.".to_owned()),
            Some((_, cells)) => cells.push(cell),
            None => self.equals.push((field, vec![cell])),
        }
        if def.hidden.is_some_and(|hidden| hidden.column == field.column) {
            self.hidden_too = true;
        }
        Ok(())
    }
}

/// The value of one filter; an empty one matches records without the field.
fn parse(field: &Field, value: &str) -> Result<Cell, String> {
    let json = match (field.kind, value) {
        (Kind::Bool, "true") => Value::Bool(true),
        (Kind::Bool, "false") => Value::Bool(false),
        (Kind::Bool, _) => return Err("Say true or false.".to_owned()),
        _ => Value::String(value.to_owned()),
    };
    let optional = Field { required: false, ..*field };
    let cell = read_cell(&optional, &json).map_err(|errors| {
        errors
            .into_iter()
            .next()
            .map_or_else(|| "This cannot be followed.".to_owned(), |(_, message)| message)
    })?;
    Ok(match cell {
        Cell::Text(Some(text)) if field.key().is_some() => Cell::Text(Some(fold(&text))),
        other => other,
    })
}

fn whole(value: &str, least: u32, most: u32) -> Result<u32, String> {
    match value.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("Enter a whole number from {least} to {most}.")),
    }
}

fn yes_or_no(value: &str) -> Result<bool, String> {
    value.parse().map_err(|_| "Say true or false.".to_owned())
}

fn sortable(def: &ListDef) -> String {
    let fields = def.fields.iter().filter(|field| !matches!(field.kind, Kind::Items(_)));
    fields.map(|field| field.name).chain(["createdAt", "updatedAt"]).collect::<Vec<_>>().join(", ")
}

/// A parameter's name, sanitised for messages.
fn shown(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(100).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::catalog::{ALL, Location};

    /// Known and unknown parameter names.
    fn name() -> impl Strategy<Value = String> {
        prop_oneof![
            prop::sample::select(vec![
                "q",
                "sort",
                "page",
                "pageSize",
                "includeInactive",
                "openingDate",
                "inactive"
            ])
            .prop_map(str::to_owned),
            any::<String>(),
        ]
    }

    proptest! {
        #[test]
        fn any_query_is_parsed_or_refused(pairs in prop::collection::vec((name(), any::<String>()), 0..8)) {
            for def in ALL {
                if let Ok(filter) = Filter::read(def, &pairs, &StoreScope::All) {
                    prop_assert!(filter.limit >= 1 && filter.limit <= 10_000 && filter.offset >= 0);
                }
            }
        }
    }

    #[test]
    fn pages_are_counted_from_one() {
        let pairs = |text: &[(&str, &str)]| -> Vec<_> {
            text.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        };
        let filter =
            Filter::read(&Location::DEF, &pairs(&[("page", "3"), ("pageSize", "20")]), &StoreScope::All);
        let filter = filter.expect("a page");
        assert_eq!((filter.offset, filter.limit), (40, 20));
        let refused =
            Filter::read(&Location::DEF, &pairs(&[("page", "-1"), ("pageSize", "ALL")]), &StoreScope::All);
        assert_eq!(refused.expect_err("no page").fields.len(), 2);
    }
}
