//! Every document of a store, newest first. Each type is read separately, only as far as the page needs, and
//! only with the permission for that type.

use std::collections::HashMap;

use axum::extract::State;
use axum::response::Response;
use larder_db::Db;
use larder_domain::{Action, BusinessDay};

use super::kind::{EntryKind, Stage};
use super::model::{BookEntry, BookPage, BookPerson, BookQuery, BookRoot, RootsQuery};
use super::queries::{self, Rest, Row, Wanted};
use larder_platform::AppState;
use larder_platform::http::export;
use larder_platform::http::export::{Cell, Column, Format};
use larder_platform::http::json::Query;
use larder_platform::http::question::{date, is_id, like};
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who};

/// Default and maximum number of entries per page.
const USUAL: i64 = 100;
const MOST: i64 = 200;
/// Number of entries an export reads at once.
const AT_ONCE: i64 = 1_000;

/// The store ledger: orders, deliveries, receipts, transfers, waste, counts, adjustments, sales days and
/// Z-readings, each if you have its permission.
#[utoipa::path(get, path = "/api/stores/transactions", tag = "store transactions", params(BookQuery),
    responses((status = 200, body = BookPage)))]
pub(crate) async fn list_store_transactions(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<BookQuery>,
) -> ApiResult<Json<BookPage>> {
    let limit = query.limit.unwrap_or(USUAL);
    if !(1..=MOST).contains(&limit) {
        return Err(ApiError::field("limit", format!("Ask for 1 to {MOST} at once.")));
    }
    let ledger_query = LedgerQuery::read(&state.db, &who, &query, Action::View).await?;
    let (items, next) = ledger_query.page(&state.db, ledger_query.after.clone(), limit).await?;
    let kinds = EntryKind::all().iter().copied().filter(|kind| kind.is_shown(&who, Action::View)).collect();
    Ok(Json(BookPage { items, next: next.map(|place| place.to_string()), kinds }))
}

/// The root items in a product, for running stock: stores count and use root items, not products.
#[utoipa::path(get, path = "/api/stores/transactions/root-items", tag = "store transactions", params(RootsQuery),
    responses((status = 200, body = Vec<BookRoot>)))]
pub(crate) async fn list_root_items_of_product(
    State(state): State<AppState>,
    Query(query): Query<RootsQuery>,
) -> ApiResult<Json<Vec<BookRoot>>> {
    let product = given(&query.product_id);
    let product = product.ok_or_else(|| ApiError::field("productId", "Choose a product."))?;
    let roots = if is_id(product) { queries::roots_of(&state.db, product).await? } else { Vec::new() };
    Ok(Json(roots.into_iter().map(|(id, name)| BookRoot { id, name }).collect()))
}

/// The ledger as a file, with the types you may export.
#[utoipa::path(get, path = "/api/stores/transactions/export", tag = "store transactions", params(BookQuery),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub(crate) async fn export_store_transactions(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<BookQuery>,
) -> ApiResult<Response> {
    let format = Format::read(query.format.as_deref())?;
    let ledger_query = LedgerQuery::read(&state.db, &who, &query, Action::Export).await?;
    let (mut rows, mut after) = (Vec::new(), None);
    loop {
        let (items, next) = ledger_query.page(&state.db, after, AT_ONCE).await?;
        let others: Vec<&str> = items.iter().filter_map(|entry| entry.other_id.as_deref()).collect();
        let names: HashMap<String, String> = queries::names(&state.db, &others).await?.into_iter().collect();
        rows.extend(items.into_iter().map(|entry| cells(entry, &names)));
        export::check_rows(i64::try_from(rows.len()).unwrap_or(i64::MAX))?;
        if next.is_none() {
            break;
        }
        after = next;
    }
    let columns = [
        ("Date", 12),
        ("Kind", 16),
        ("Number", 20),
        ("State", 18),
        ("From or to", 24),
        ("About", 24),
        ("Lines", 8),
        ("Amount", 14),
        ("By", 20),
        ("Changed", 20),
    ];
    let columns = columns.into_iter().map(|(title, width)| Column::new(title, width)).collect();
    let name = format!("store-transactions-{}-{}", ledger_query.name, BusinessDay::of(who.at));
    export::respond(format, &name, columns, futures::stream::iter(rows.into_iter().map(Ok))).await
}

fn cells(entry: BookEntry, names: &HashMap<String, String>) -> Vec<Cell> {
    let text = |text: Option<String>| text.map_or(Cell::Empty, Cell::Text);
    let other = entry.other_id.as_ref().and_then(|id| names.get(id)).cloned();
    let about = match entry.kind {
        EntryKind::Count | EntryKind::SalesDay => Some(entry.id),
        _ => entry.about,
    };
    vec![
        Cell::Day(entry.date),
        Cell::Text(entry.kind.label().to_owned()),
        text(entry.number),
        Cell::Text(entry.state),
        text(other),
        text(about),
        entry.lines.map_or(Cell::Empty, Cell::Int),
        entry.amount.map_or(Cell::Empty, Cell::Money),
        text(entry.by.map(|by| by.name)),
        Cell::Time(entry.at),
    ]
}

/// A position in the ledger: after this entry.
#[derive(Debug, Clone)]
struct Place {
    day: BusinessDay,
    /// Index in [`EntryKind::all`].
    kind: usize,
    key: String,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}~{}~{}", self.day, self.kind, self.key)
    }
}

impl Place {
    fn read(text: &str) -> ApiResult<Self> {
        let wrong = || ApiError::field("after", "Say what `next` of the page before said.");
        let mut parts = text.splitn(3, '~');
        let mut part = || parts.next().ok_or_else(wrong);
        let (day, kind, key) = (part()?, part()?, part()?);
        let day = date("after", Some(day)).ok().flatten().ok_or_else(wrong)?;
        let kind = kind.parse().ok().filter(|kind| *kind < EntryKind::all().len()).ok_or_else(wrong)?;
        if !is_id(key) {
            return Err(wrong());
        }
        Ok(Self { day, kind, key: key.to_owned() })
    }
}

/// A validated query.
struct LedgerQuery {
    /// The store's name.
    name: String,
    wanted: Wanted,
    kinds: Vec<EntryKind>,
    stage: Option<Stage>,
    state: Option<String>,
    after: Option<Place>,
}

impl LedgerQuery {
    async fn read(db: &Db, who: &Who, query: &BookQuery, action: Action) -> ApiResult<Self> {
        let store = given(&query.store_id).ok_or_else(|| ApiError::field("storeId", "Choose a store."))?;
        who.check_store(store)?;
        let name = if is_id(store) { queries::store_name(db, store).await? } else { None };
        let name = name.ok_or_else(|| ApiError::not_found("store"))?;
        let mut wrong = Vec::new();
        let mut day = |field: &str, text: &Option<String>| {
            date(field, text.as_deref()).map_err(|error| wrong.push(error)).ok().flatten()
        };
        let (from, to) = (day("from", &query.from), day("to", &query.to));
        let kinds = kinds(given(&query.kinds), &mut wrong);
        let stage = given(&query.stage).and_then(|text| {
            let stage = serde_json::from_value(text.into()).ok();
            if stage.is_none() {
                wrong.push(FieldError::new("stage", "Choose open, done or cancelled."));
            }
            stage
        });
        let word = |field: &str, text: &Option<String>, wrong: &mut Vec<FieldError>| {
            let text = given(text)?;
            if !is_id(text) {
                wrong.push(FieldError::new(field, "Choose one that there is."));
            }
            Some(text.to_owned())
        };
        let (state, person) =
            (word("state", &query.state, &mut wrong), word("person", &query.person, &mut wrong));
        if !wrong.is_empty() {
            return Err(ApiError::invalid(wrong));
        }
        let like = like(query.q.as_deref())?;
        // Types without numbers are skipped in a search by number.
        let numbered = |kind: &EntryKind| {
            like.is_none() || matches!(kind, EntryKind::Documents(_) | EntryKind::ZReading)
        };
        let kinds = kinds.into_iter().filter(|kind| kind.is_shown(who, action)).filter(numbered).collect();
        let after = given(&query.after).map(Place::read).transpose()?;
        let store = store.to_owned();
        let wanted = Wanted { store, from, to, states: None, like, person, after: None, limit: 0 };
        Ok(Self { name, wanted, kinds, stage, state, after })
    }

    /// The next entries, and the position after them.
    async fn page(
        &self,
        db: &Db,
        after: Option<Place>,
        limit: i64,
    ) -> ApiResult<(Vec<BookEntry>, Option<Place>)> {
        let mut found: Vec<(usize, Row, bool)> = Vec::new();
        for kind in &self.kinds {
            let rank = rank(*kind);
            let Some(states) = self.states(*kind) else { continue };
            let after = after.as_ref().map(|place| {
                let rest = match rank.cmp(&place.kind) {
                    std::cmp::Ordering::Less => Rest::All,
                    std::cmp::Ordering::Equal => Rest::Behind(place.key.clone()),
                    std::cmp::Ordering::Greater => Rest::Nothing,
                };
                (place.day, rest)
            });
            let wanted = Wanted { states, after, limit: limit + 1, ..self.wanted.clone() };
            let rows = queries::of_kind(db, *kind, &wanted).await?;
            found.extend(rows.into_iter().map(|(row, sent)| (rank, row, sent)));
        }
        // Within a day, the last types come first: readings and sales, then counts, then movements.
        found.sort_by(|(a, one, _), (b, other, _)| (other.date, b, &other.key).cmp(&(one.date, a, &one.key)));
        let most = usize::try_from(limit).unwrap_or_default();
        let more = found.len() > most;
        found.truncate(most);
        let next = found.last().filter(|_| more).map(|(kind, row, _)| Place {
            day: row.date,
            kind: *kind,
            key: row.key.clone(),
        });
        Ok((
            found.into_iter().map(|(kind, row, sent)| entry(EntryKind::all()[kind], row, sent)).collect(),
            next,
        ))
    }

    /// The states of a type to filter by, if any; outer `None` if the type has none of them.
    #[expect(clippy::option_option, reason = "no state filter, or no state of this type matches")]
    fn states(&self, kind: EntryKind) -> Option<Option<(Vec<String>, bool)>> {
        let (done, cancelled) = kind.ends();
        let own = |states: &[&str]| states.iter().map(|state| (*state).to_owned()).collect::<Vec<_>>();
        let always = matches!(kind, EntryKind::Adjustment | EntryKind::SalesDay);
        if let Some(state) = &self.state {
            if always {
                return (state == "posted" && self.stage.is_none_or(|stage| stage == Stage::Done))
                    .then_some(None);
            }
            let fits = self.stage.is_none_or(|stage| stage == stage_of(kind, state));
            return fits.then(|| Some((vec![state.clone()], true)));
        }
        match self.stage {
            None => Some(None),
            Some(Stage::Done) if always => Some(None),
            Some(Stage::Done) => Some(Some((own(&done), true))),
            Some(_) if always => None,
            Some(Stage::Cancelled) if cancelled.is_empty() => None,
            Some(Stage::Cancelled) => Some(Some((own(&cancelled), true))),
            Some(Stage::Open) => {
                Some(Some((done.iter().chain(&cancelled).map(|state| (*state).to_owned()).collect(), false)))
            }
        }
    }
}

fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().map(str::trim).filter(|text| !text.is_empty())
}

fn kinds(text: Option<&str>, wrong: &mut Vec<FieldError>) -> Vec<EntryKind> {
    let Some(text) = text else { return EntryKind::all().to_vec() };
    let mut kinds = Vec::new();
    for name in text.split(',').filter(|name| !name.is_empty()) {
        match EntryKind::all().iter().copied().find(|kind| kind.name() == name) {
            Some(kind) if !kinds.contains(&kind) => kinds.push(kind),
            Some(_) => {}
            None => {
                let known: Vec<&str> = EntryKind::all().iter().map(|kind| kind.name()).collect();
                wrong.push(FieldError::new("kinds", format!("Choose among {}.", known.join(", "))));
                break;
            }
        }
    }
    kinds
}

fn rank(kind: EntryKind) -> usize {
    EntryKind::all().iter().position(|one| *one == kind).unwrap_or_default()
}

fn stage_of(kind: EntryKind, state: &str) -> Stage {
    let (done, cancelled) = kind.ends();
    if done.contains(&state) {
        Stage::Done
    } else if cancelled.contains(&state) {
        Stage::Cancelled
    } else {
        Stage::Open
    }
}

fn entry(kind: EntryKind, row: Row, sent: bool) -> BookEntry {
    let day = matches!(kind, EntryKind::Count) && row.id.is_empty();
    BookEntry {
        kind,
        id: if day { "day".to_owned() } else { row.id },
        key: format!("{}~{}~{}", kind.name(), row.date, row.key),
        number: row.number,
        date: row.date,
        stage: stage_of(kind, &row.state),
        state: row.state,
        other_kind: if sent { Some("store".to_owned()) } else { row.other_kind },
        other_id: row.other_id,
        sent,
        about: row.about,
        lines: row.lines,
        amount: row.amount,
        at: row.at,
        by: row.uid.map(|uid| BookPerson { uid, name: row.name.unwrap_or_default() }),
    }
}
