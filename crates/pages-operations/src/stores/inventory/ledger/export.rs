//! The derivation of a figure as a file: one line per count and movement, two for a day's results.

use axum::extract::State;
use axum::response::Response;
use larder_domain::Qty;
use larder_domain::count::Session;

use super::answer;
use super::model::{Ledger, LedgerCount, LedgerDay, LedgerQuery};
use crate::stores::inventory::on_hand::unanswered;
use larder_platform::AppState;
use larder_platform::http::export;
use larder_platform::http::export::{Cell, Column, Format};
use larder_platform::http::json::Query;
use larder_platform::http::{ApiResult, Who};

/// The derivation as a file.
#[utoipa::path(get, path = "/api/stores/inventory/ledger/export", tag = "store inventory", params(LedgerQuery),
    responses((status = 200, content_type = "text/csv", body = String)))]
pub(crate) async fn export_inventory_ledger(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<LedgerQuery>,
) -> ApiResult<Response> {
    let format = Format::read(query.format.as_deref())?;
    let ledger = answer(&state, &who, &query).await?;
    let columns = [
        ("Date", 12),
        ("What", 18),
        ("Of", 24),
        ("Reference", 28),
        ("By", 18),
        ("In all", 12),
        ("This item", 12),
        ("Expected", 12),
        ("Variance", 12),
        ("On hand", 12),
        ("Close goods", 14),
    ];
    let columns = columns.into_iter().map(|(title, width)| Column::new(title, width)).collect();
    let name = format!("inventory-ledger-{}-{}-{}", ledger.store_name, ledger.item.name, ledger.to);
    let rows = lines(&ledger);
    export::respond(format, &name, columns, futures::stream::iter(rows.into_iter().map(Ok))).await
}

/// The column of the stock at the end of a day.
const ON_HAND: usize = 9;

fn lines(ledger: &Ledger) -> Vec<Vec<Cell>> {
    let mut lines = vec![line(
        Cell::Day(ledger.from.plus(-1)),
        "On hand",
        [Cell::Empty, Cell::Empty, Cell::Empty],
        [None, None, None, None, ledger.start],
    )];
    for day in &ledger.days {
        lines.extend(lines_of(ledger, day));
        if let (Some(on_hand), Some(balance)) =
            (lines.last_mut().and_then(|line| line.get_mut(ON_HAND)), day.balance)
        {
            *on_hand = Cell::Qty(balance);
        }
    }
    lines
}

/// The lines of a day in order of time: what moved and was used up to each count, that count, and the rest.
fn lines_of(ledger: &Ledger, day: &LedgerDay) -> Vec<Vec<Cell>> {
    let mut lines = Vec::new();
    let last = day.counts.len();
    let less = |sum: Qty, part: Qty| Qty(sum.0.saturating_sub(part.0));
    let counted = |of: fn(&LedgerCount) -> Qty| day.counts.iter().map(of).fold(Qty::ZERO, plus);
    let rest = (less(day.moved, counted(|count| count.moved)), less(day.used, counted(|count| count.used)));
    // In all, as far as it was moved before the last count.
    let mut in_all = Qty::ZERO;
    for at in 0..=last {
        let next = day.counts.get(at);
        let (moved, used) = next.map_or(rest, |count| (count.moved, count.used));
        let mut whole = Qty::ZERO;
        let mut any = false;
        for moved in day.movements.iter().filter(|moved| moved.after_counts == at) {
            (whole, any) = (plus(whole, moved.qty), true);
            let root = ledger.item.roots.iter().find(|root| root.id == moved.root_item_id);
            let of = moved.product_name.as_ref().or(root.map(|root| &root.name));
            lines.push(line(
                Cell::Day(day.date),
                &moved.kind,
                [text(of), Cell::Text(moved.document_id.clone()), text(moved.by.as_ref())],
                [Some(moved.qty), None, None, None, None],
            ));
        }
        let sum = |what, whole: Option<Qty>, part: Qty| {
            let figures = [whole, Some(part), None, None, None];
            line(Cell::Day(day.date), what, [Cell::Empty, Cell::Empty, Cell::Empty], figures)
        };
        if next.is_none() {
            whole = less(day.moved_in_all, in_all);
        }
        in_all = plus(in_all, whole);
        if any || !moved.is_zero() || !whole.is_zero() {
            lines.push(sum("Moved", Some(whole), moved));
        }
        let of_nothing = next.is_none() && day.used.is_zero() && !day.sales.is_empty();
        if !used.is_zero() || of_nothing {
            // Of sales that a count divides, only the parts of this item are known.
            let whole = (used == day.used).then(|| Qty(day.used_in_all.0.saturating_neg()));
            lines.push(sum("Used by sales", whole, Qty(used.0.saturating_neg())));
        }
        lines.extend(next.map(|found| count(day, found)));
    }
    lines
}

fn plus(sum: Qty, more: Qty) -> Qty {
    Qty(sum.0.saturating_add(more.0))
}

fn count(day: &LedgerDay, count: &LedgerCount) -> Vec<Cell> {
    let what = match count.session {
        Session::Opening => "Opening count",
        Session::Closing => "Closing count",
        Session::Whole => "Count",
    };
    let mut cells = line(
        Cell::Day(day.date),
        what,
        [Cell::Text(count.item_name.clone()), Cell::Empty, text(count.by.as_ref())],
        [None, Some(count.qty), count.expected, count.variance, None],
    );
    if let Some(close) = cells.last_mut() {
        *close = unanswered(count.close);
    }
    cells
}

fn text(text: Option<&String>) -> Cell {
    text.map_or(Cell::Empty, |text| Cell::Text(text.clone()))
}

fn line(date: Cell, what: &str, about: [Cell; 3], figures: [Option<Qty>; 5]) -> Vec<Cell> {
    let figures = figures.into_iter().map(|qty| qty.map_or(Cell::Empty, Cell::Qty));
    let figures = figures.chain([Cell::Empty]);
    [date, Cell::Text(what.to_owned())].into_iter().chain(about).chain(figures).collect()
}
