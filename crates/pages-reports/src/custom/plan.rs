//! A definition resolved for its dataset and reader: the usable part, and notices.

use std::collections::HashSet;

use larder_domain::{Action, BusinessDay, Span, StoreScope};
use serde::Serialize;
use utoipa::ToSchema;

use super::datasets;
use super::definition::{CustomCompare, CustomDefinition, CustomOp, CustomRule, CustomTopBy, CustomUnit};
use super::fields::{Adds, CustomType, Dataset, Field, Measure, Of, OfItem, OfStore, Part, What, Words};
use super::keys::{FIGURES, OWN, Shift, month_at};
use super::names::Names;
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult, Who};

/// A notice about a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, serde::Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomNotice {
    /// `gone` for deleted things, `left` for what is not shown, `scope` for stores the reader may not access,
    /// `order` if rows are not sorted as asked.
    pub code: String,
    pub message: String,
}

impl CustomNotice {
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into() }
    }
}

/// A dimension in use.
#[derive(Debug, Clone, Copy)]
pub struct DimAt {
    pub field: &'static Field,
    pub of: Of,
    /// Index among the text dimensions.
    pub own: usize,
}

/// A measure in use.
#[derive(Debug, Clone, Copy)]
pub struct MeasureAt {
    pub field: &'static Field,
    pub measure: Measure,
    pub rule: CustomRule,
    /// Indexes of a fact's figures: the measure itself, or dividend and divisor.
    pub figures: (usize, Option<usize>),
    /// Whether the divisor is a quantity.
    pub by_quantity: bool,
}

/// What a filter accepts.
#[derive(Debug, Clone)]
pub enum Lets {
    Keys(HashSet<String>),
    NotKeys(HashSet<String>),
    /// Lower case.
    Text(String),
}

/// Where running totals run: a date field of the rows or of the columns, by its index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Along {
    Rows(usize),
    Columns(usize),
}

/// What to read, group and show.
#[derive(Debug)]
pub struct Plan {
    pub dataset: &'static Dataset,
    pub span: Span,
    pub today: BusinessDay,
    /// The earlier period and its shift, if a change is requested and it has days to compare with.
    pub before: Option<(Span, Shift)>,
    /// Where running totals run, if one is requested.
    pub along: Option<Along>,
    pub rows: Vec<DimAt>,
    pub columns: Vec<DimAt>,
    pub measures: Vec<MeasureAt>,
    /// The figures of a fact.
    pub figures: Vec<&'static Field>,
    pub filters: Vec<(DimAt, Lets)>,
    /// Limits on rows by measure: index, whether it is a minimum, the number as entered.
    pub limits: Vec<(usize, bool, String)>,
    /// The accessible stores; `None` for all.
    pub stores: Option<Vec<String>>,
    /// The stores left by a filter.
    pub only_stores: Option<Vec<String>>,
    /// Expressions of the text dimensions.
    pub own: Vec<&'static str>,
    pub notices: Vec<CustomNotice>,
    pub definition: CustomDefinition,
}

impl Plan {
    /// Resolves a definition for a reader.
    ///
    /// # Errors
    /// 422 for an invalid definition, 403 for a dataset without permission.
    pub fn of(definition: &CustomDefinition, who: &Who, names: &Names) -> ApiResult<Self> {
        definition.check()?;
        let dataset = dataset_for(definition, who)?;
        let today = BusinessDay::of(who.at);
        let span = definition.range.span(today)?;
        let stores = match &who.scope {
            StoreScope::All => None,
            _ => who.stores(None)?,
        };
        let mut plan = Self {
            dataset,
            span,
            today,
            before: None,
            along: None,
            rows: Vec::new(),
            columns: Vec::new(),
            measures: Vec::new(),
            figures: Vec::new(),
            filters: Vec::new(),
            limits: Vec::new(),
            stores,
            only_stores: None,
            own: Vec::new(),
            notices: Vec::new(),
            definition: definition.clone(),
        };
        for key in &definition.rows {
            if let Some(dim) = plan.dim(key)? {
                plan.rows.push(dim);
            }
        }
        for key in &definition.columns {
            if let Some(dim) = plan.dim(key)? {
                plan.columns.push(dim);
            }
        }
        plan.measure()?;
        plan.run()?;
        plan.filter(names)?;
        plan.compare();
        Ok(plan)
    }

    fn gone(&mut self, what: &str) {
        self.notices.push(CustomNotice::new("gone", format!("{what} The rest is shown.")));
    }

    fn dim(&mut self, key: &str) -> ApiResult<Option<DimAt>> {
        let Some(field) = self.dataset.field(key) else {
            self.gone(&format!("The field «{}» no longer exists.", shown(key)));
            return Ok(None);
        };
        let What::Dim(of) = field.what else {
            let words = format!("«{}» is a figure: put it among the figures.", field.label);
            return Err(ApiError::field("rows", words));
        };
        let own = match of {
            Of::Own(sql, _) => match self.own.iter().position(|known| *known == sql) {
                Some(at) => at,
                None if self.own.len() == OWN => {
                    let words = format!("Use at most {OWN} fields of «{}» at once.", self.dataset.label);
                    return Err(ApiError::field("rows", words));
                }
                None => {
                    self.own.push(sql);
                    self.own.len() - 1
                }
            },
            _ => 0,
        };
        Ok(Some(DimAt { field, of, own }))
    }

    fn figure(&mut self, field: &'static Field) -> usize {
        match self.figures.iter().position(|known| known.key == field.key) {
            Some(at) => at,
            None => {
                self.figures.push(field);
                self.figures.len() - 1
            }
        }
    }

    fn measure(&mut self) -> ApiResult<()> {
        let wished = self.definition.measures.clone();
        for (at, wish) in wished.iter().enumerate() {
            let Some(field) = self.dataset.field(&wish.field) else {
                self.gone(&format!("The figure «{}» no longer exists.", shown(&wish.field)));
                continue;
            };
            let What::Measure(measure) = field.what else {
                let words = format!("«{}» is no figure: put it into the rows or columns.", field.label);
                return Err(ApiError::field(format!("measures.{at}.field"), words));
            };
            if !field.rules().contains(&wish.rule) {
                let words = format!("«{}» cannot be shown that way.", field.label);
                return Err(ApiError::field(format!("measures.{at}.rule"), words));
            }
            let (figures, by_quantity) = match measure.adds {
                Adds::Ratio(top, bottom) => {
                    let part = |key: &str| self.dataset.field(key).unwrap_or(field);
                    let (top, bottom) = (part(top), part(bottom));
                    let by_quantity = bottom.of() == CustomType::Qty && top.of() != CustomType::Qty;
                    ((self.figure(top), Some(self.figure(bottom))), by_quantity)
                }
                _ => ((self.figure(field), None), false),
            };
            self.known(at, field)?;
            self.measures.push(MeasureAt { field, measure, rule: wish.rule, figures, by_quantity });
        }
        if self.figures.len() > FIGURES {
            return Err(ApiError::field("measures", "Choose fewer figures at once."));
        }
        Ok(())
    }

    /// Whether a measure is calculated so.
    pub fn has(&self, rule: CustomRule) -> bool {
        self.measures.iter().any(|measure| measure.rule == rule)
    }

    /// Determines where running totals run.
    fn run(&mut self) -> ApiResult<()> {
        if !self.has(CustomRule::Running) {
            return Ok(());
        }
        let runs = |dim: &DimAt| matches!(dim.of, Of::Date(part) if part != Part::Weekday);
        let in_rows = self.rows.iter().rposition(runs).map(Along::Rows);
        self.along = in_rows.or_else(|| self.columns.iter().rposition(runs).map(Along::Columns));
        if self.along.is_none() {
            let asked = &self.definition.measures;
            let at = asked.iter().position(|measure| measure.rule == CustomRule::Running).unwrap_or_default();
            let words = "A running total needs a date in the rows or columns.";
            return Err(ApiError::field(format!("measures.{at}.rule"), words));
        }
        if in_rows.is_none() {
            return Ok(());
        }
        if self.definition.top.is_some() {
            let words = "A running total down the rows needs all of them. Show all rows, or put the date into the columns.";
            return Err(ApiError::field("top", words));
        }
        let sort = self.definition.sort.take();
        if sort.is_some_and(|sort| sort.measure.is_some() || sort.descending) {
            let words = "The rows are in the order of their names and dates, because a total runs down them.";
            self.notices.push(CustomNotice::new("order", words));
        }
        Ok(())
    }

    /// Determines what changes are against.
    fn compare(&mut self) {
        if !self.has(CustomRule::Change) {
            return;
        }
        let by_week = self.uses(|of| matches!(of, Of::Date(Part::Week | Part::Weekday)));
        let step = match self.definition.compare {
            CustomCompare::Range => self.definition.range.running_shift(),
            CustomCompare::Week => Some(CustomUnit::Week.shift(1)),
            CustomCompare::Month => Some(CustomUnit::Month.shift(1)),
            CustomCompare::Quarter => Some(CustomUnit::Quarter.shift(1)),
            CustomCompare::Year if by_week => Some(CustomUnit::Week.shift(52)),
            CustomCompare::Year => Some(CustomUnit::Year.shift(1)),
        };
        self.before = match step {
            Some(shift) => shift.before(self.span).map(|span| (span, shift)),
            None => Some(before(self.span)),
        };
        if self.before.is_none() {
            let words =
                "There is nothing to compare with: these days have none before them in a shorter month.";
            self.notices.push(CustomNotice::new("left", words));
        }
    }

    /// Refuses a measure that cannot be broken down by a used dimension.
    fn known(&self, at: usize, figure: &Field) -> ApiResult<()> {
        let asked = &self.definition;
        let filtered = asked.filters.iter().filter(|filter| !filter.values.is_empty());
        let used = asked.rows.iter().chain(&asked.columns).chain(filtered.map(|filter| &filter.field));
        for key in used {
            let Some(dim) = self.dataset.field(key).filter(|dim| figure.not_by.contains(&dim.key)) else {
                continue;
            };
            let words =
                format!("«{}» is not known by «{}». Leave one of the two out.", figure.label, dim.label);
            return Err(ApiError::field(format!("measures.{at}.field"), words));
        }
        Ok(())
    }

    fn filter(&mut self, names: &Names) -> ApiResult<()> {
        let filters = self.definition.filters.clone();
        for (at, filter) in filters.iter().enumerate() {
            let place = |part: &str| format!("filters.{at}.{part}");
            if matches!(filter.op, CustomOp::AtLeast | CustomOp::AtMost) {
                let text = filter.values.first().map(|value| value.trim().to_owned()).unwrap_or_default();
                if text.parse::<f64>().is_ok_and(f64::is_finite) {
                    match self.measures.iter().position(|measure| measure.field.key == filter.field) {
                        Some(measure) => self.limits.push((measure, filter.op == CustomOp::AtLeast, text)),
                        None => self.gone("A filter looks at a figure that is not shown."),
                    }
                    continue;
                }
                return Err(ApiError::field(place("values"), "Enter a number."));
            }
            if self.dataset.field(&filter.field).is_none() {
                self.gone(&format!("The field «{}» of a filter no longer exists.", shown(&filter.field)));
                continue;
            }
            let Some(dim) = self.dim(&filter.field)? else { continue };
            if filter.op == CustomOp::Contains {
                let text = filter.values.first().map(|value| value.trim().to_lowercase()).unwrap_or_default();
                if !text.is_empty() {
                    self.filters.push((dim, Lets::Text(text)));
                }
                continue;
            }
            if filter.values.is_empty() {
                continue;
            }
            let mut keys = HashSet::new();
            for (nth, value) in filter.values.iter().enumerate() {
                if exists(dim.of, value, names) {
                    keys.insert(value.clone());
                    continue;
                }
                let called = filter.names.get(nth).map_or(value.as_str(), String::as_str);
                let words = format!(
                    "{} «{}» no longer exists and is left out of the filter.",
                    dim.field.label,
                    shown(called)
                );
                self.gone(&words);
            }
            if keys.is_empty() {
                continue;
            }
            if matches!(dim.of, Of::Store(OfStore::Itself)) && filter.op == CustomOp::Is {
                self.restrict_stores(&keys);
            }
            let lets = if filter.op == CustomOp::Is { Lets::Keys(keys) } else { Lets::NotKeys(keys) };
            self.filters.push((dim, lets));
        }
        Ok(())
    }

    /// Restricts reading to the filtered stores the reader may access.
    fn restrict_stores(&mut self, keys: &HashSet<String>) {
        let within = |id: &String| self.stores.as_ref().is_none_or(|stores| stores.contains(id));
        let mut only: Vec<String> = keys.iter().filter(|id| within(id)).cloned().collect();
        only.sort_unstable();
        if only.len() < keys.len() {
            let words = "Some of the stores that are filtered for are not among yours and are left out.";
            self.notices.push(CustomNotice::new("scope", words));
        }
        self.only_stores = Some(match self.only_stores.take() {
            Some(known) => known.into_iter().filter(|id| only.contains(id)).collect(),
            None => only,
        });
    }

    /// Every dimension in use.
    pub fn dims(&self) -> impl Iterator<Item = &DimAt> {
        self.rows.iter().chain(&self.columns).chain(self.filters.iter().map(|(dim, _)| dim))
    }

    /// Whether a source of this kind is used.
    pub fn uses(&self, of: impl Fn(&Of) -> bool) -> bool {
        self.dims().any(|dim| of(&dim.of))
    }

    /// Whether quantities have units.
    pub fn has_units(&self) -> bool {
        self.measures.iter().any(|measure| measure.measure.unit)
    }

    /// Whether items must be kept apart.
    pub fn needs_items(&self) -> bool {
        self.uses(|of| matches!(of, Of::Item(_))) || self.has_units() && !self.dataset.own_unit()
    }

    /// Whether stores must be kept apart.
    pub fn needs_stores(&self) -> bool {
        self.uses(|of| matches!(of, Of::Store(_)))
    }

    /// Whether days must be kept apart.
    pub fn needs_days(&self) -> bool {
        let level = |field: &&'static Field| {
            matches!(field.what, What::Measure(Measure { adds: Adds::First(_) | Adds::Last(_), .. }))
        };
        self.uses(|of| matches!(of, Of::Date(_))) || self.figures.iter().any(level)
    }

    /// Whether rows have parents: a field before the last.
    pub fn has_parents(&self) -> bool {
        self.rows.len() > 1
    }

    /// Whether the top rows are those of each parent.
    pub fn top_by_parent(&self) -> bool {
        let by = self.definition.top.as_ref().map(|top| top.by);
        self.has_parents() && by == Some(CustomTopBy::Parent)
    }

    /// Whether dates are only used by these parts.
    pub fn only_parts(&self, parts: &[Part]) -> bool {
        self.dims().all(|dim| !matches!(dim.of, Of::Date(part) if !parts.contains(&part)))
    }
}

/// The dataset, if the caller may read it.
///
/// # Errors
/// 422 at `dataset`, 403 without permission.
pub fn dataset_for(definition: &CustomDefinition, who: &Who) -> ApiResult<&'static Dataset> {
    let dataset = datasets::get(&definition.dataset)
        .ok_or_else(|| ApiError::field("dataset", "Choose what is asked of."))?;
    if may(who, dataset) { Ok(dataset) } else { Err(no_right(dataset)) }
}

/// Whether the user may read a dataset.
#[must_use]
pub fn may(who: &Who, dataset: &Dataset) -> bool {
    dataset.right.is_none_or(|page| who.can(page, Action::View))
}

fn no_right(dataset: &Dataset) -> ApiError {
    let page = dataset.right.and_then(larder_domain::access::page_label).unwrap_or("its page");
    let mut refused = ApiError::forbidden();
    refused.detail = format!(
        "«{}» is for people who may see {page}. Ask an administrator for that right, or choose something else.",
        dataset.label
    );
    refused
}

/// The preceding range of as many days, or as many months if the range is whole months.
fn before(span: Span) -> (Span, Shift) {
    let whole = span.from == span.from.month() && span.to.plus(1) == span.to.plus(1).month();
    if !whole {
        return (span.before(), Shift::Days(span.days()));
    }
    let (mut months, mut first) = (0, span.from);
    while first <= span.to {
        first = first.plus(31).month();
        months += 1;
    }
    (Span { from: month_at(span.from, -months), to: span.from.plus(-1) }, Shift::Months(months))
}

fn exists(of: Of, key: &str, names: &Names) -> bool {
    match of {
        Of::Store(OfStore::Itself) => key.is_empty() || names.store(key).is_some(),
        Of::Store(part) => {
            key.is_empty()
                || names.stores().any(|store| match part {
                    OfStore::Regional => store.regional == key,
                    OfStore::Operational => store.operational == key,
                    _ => store.format == key,
                })
        }
        Of::Item(OfItem::Itself) => {
            key.starts_with(larder_domain::sales::UNMAPPED) || names.item(key).is_some()
        }
        Of::Item(OfItem::Kind) => key.is_empty() || names.items().any(|item| item.kind == key),
        Of::Own(_, Words::Plain | Words::Named | Words::Labelled(_)) | Of::Date(_) => true,
    }
}

/// Shortens and cleans user input for display.
fn shown(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(80).collect()
}

/// The names a definition needs.
///
/// # Errors
/// When the database does not answer.
pub async fn names(state: &AppState, definition: &CustomDefinition) -> ApiResult<Names> {
    let Some(dataset) = datasets::get(&definition.dataset) else { return Ok(Names::default()) };
    Ok(Names::load(state, dataset, true).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_months_are_compared_with_whole_months() {
        let day = |text: &str| text.parse::<BusinessDay>().expect("a date");
        let span = |from: &str, to: &str| Span { from: day(from), to: day(to) };
        let (then, shift) = before(span("2026-03-01", "2026-03-31"));
        assert_eq!((then, shift), (span("2026-02-01", "2026-02-28"), Shift::Months(1)));
        assert_eq!(shift.of(day("2026-02-28")), day("2026-03-28"));
        let (then, shift) = before(span("2026-01-01", "2026-12-31"));
        assert_eq!((then, shift), (span("2025-01-01", "2025-12-31"), Shift::Months(12)));
        let (then, shift) = before(span("2026-03-02", "2026-03-08"));
        assert_eq!((then, shift), (span("2026-02-23", "2026-03-01"), Shift::Days(7)));
        assert_eq!(Shift::Months(1).of(day("2026-01-31")), day("2026-02-28"));
    }
}
