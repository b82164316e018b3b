//! What was counted, compared with what the ledger had at that time.

use axum::extract::State;
use larder_db::Reader;
use larder_domain::Worth;
use larder_domain::prices::Prices;

use super::*;
use crate::store;
use larder_ledgers::prices;
use larder_platform::http::json::Path;
use larder_platform::http::question::known_id;
use larder_platform::http::{Json, Who};

/// A line compared with the ledger.
#[derive(Debug, Clone, Copy)]
pub(super) struct Compared {
    /// What the ledger had when it was counted; now, if it was not. In base units.
    pub book: Qty,
    pub difference: Option<Qty>,
    pub worth: Option<Money>,
}

/// A line's difference, in base units.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StockTakeDifference {
    line_id: String,
    /// What the ledger had when it was counted. If it was not counted: now, or when the stock-take was posted.
    book: Qty,
    /// Counted less `book`; null if it was not counted.
    #[schema(required)]
    difference: Option<Qty>,
    /// In pesos, if its root items have prices.
    #[schema(required)]
    worth: Option<Money>,
}

/// The differences of a stock-take.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StockTakeDifferences {
    /// The revision they are of.
    revision: i64,
    lines: Vec<StockTakeDifference>,
    /// The sum in pesos of those that have a worth.
    #[schema(required)]
    worth: Option<Money>,
}

/// The differences between a stock-take and the ledger: as posted, or as they would be posted now.
#[utoipa::path(get, path = "/api/commissary/stock-takes/{id}/differences", tag = "commissary stock-takes",
    params(("id" = String, Path)), responses((status = 200, body = StockTakeDifferences)))]
pub(crate) async fn get_stock_take_differences(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
) -> ApiResult<Json<StockTakeDifferences>> {
    let found = store::read::<StockTake>(&state.db, known_id(&id, StockTake::FLOW.one)?).await?;
    let doc = found.ok_or_else(|| ApiError::not_found(StockTake::FLOW.one))?;
    let open = matches!(doc.head.state, StockTakeState::Draft | StockTakeState::Counting);
    if open && doc.details.blind && !who.can(PAGE, Action::Post) {
        return Err(ApiError::may_not("This stock-take is blind: the ledger is shown when it is posted."));
    }
    let lines: Vec<StockTakeDifference> = if open {
        let asked = Asked::of(&doc);
        let book = place_stock::book_of(&state.db, &place(&doc)?, &asked.products, asked.since).await?;
        let ids: Vec<&str> = asked.products.iter().copied().collect();
        let known = products::by_id_now(&state.db, &ids).await?;
        let prices = prices::of(&mut Reader::Db(&state.db), &roots_of(&known)).await?;
        let compared = compare(&doc.lines, &book, &known, (&prices, doc.head.on_date))?;
        doc.lines.iter().zip(compared).map(|(line, it)| shown(line, it)).collect()
    } else {
        let posted = doc.lines.iter().filter_map(|line| {
            let (difference, worth) = (line.difference, line.worth);
            Some(shown(line, Compared { book: line.book?, difference, worth }))
        });
        posted.collect()
    };
    let worth = sum(lines.iter().filter_map(|line| line.worth));
    Ok(Json(StockTakeDifferences { revision: doc.head.revision, lines, worth }))
}

fn shown(line: &StockTakeLine, compared: Compared) -> StockTakeDifference {
    let Compared { book, difference, worth } = compared;
    StockTakeDifference { line_id: line.id.clone(), book, difference, worth }
}

/// What the ledger is asked for.
pub(super) struct Asked<'a> {
    pub products: BTreeSet<&'a str>,
    /// The earliest count.
    pub since: Timestamp,
}

impl<'a> Asked<'a> {
    /// The products and the time from which movements matter to a comparison.
    pub fn of(doc: &'a Doc<StockTake>) -> Self {
        let products = doc.lines.iter().map(|line| line.product_id.as_str()).collect();
        let first = doc.lines.iter().filter_map(|line| line.counted_at).min();
        Self { products, since: first.unwrap_or(doc.head.updated_at) }
    }
}

/// The root items of some products.
pub(super) fn roots_of(known: &HashMap<String, Product>) -> Vec<&str> {
    let conversions = known.values().flat_map(|product| product.root_item_conversions.iter());
    let roots: BTreeSet<&str> = conversions.map(|part| part.root_item_id.as_str()).collect();
    roots.into_iter().collect()
}

/// Compares each line with the ledger; differences cost what their root items cost on a day.
///
/// # Errors
/// 422 at a line whose difference is too large.
pub(super) fn compare(
    lines: &[StockTakeLine],
    book: &Book,
    known: &HashMap<String, Product>,
    prices: (&Prices, BusinessDay),
) -> ApiResult<Vec<Compared>> {
    let compared = lines.iter().enumerate().map(|(at, line)| -> ApiResult<Compared> {
        let of = line.of_lot();
        let balance = book.balance(&of);
        let Some((counted, counted_at)) = line.base().zip(line.counted_at) else {
            return Ok(Compared { book: balance, difference: None, worth: None });
        };
        let since = book.moved(&of).iter().map(|moved| (moved.at, moved.qty));
        let too_large = || {
            let words = quantity::Wrong::TooLarge.message("");
            ApiError::field(format!("lines.{at}.counted"), words)
        };
        let book = book_at(balance, since, counted_at).ok_or_else(too_large)?;
        let difference = counted.checked_sub(book).ok_or_else(too_large)?;
        let worth = known.get(&line.product_id).and_then(|product| worth(product, difference, prices));
        Ok(Compared { book, difference: Some(difference), worth })
    });
    compared.collect()
}

/// What a quantity in base units costs; `None` if a root item has no price, or the product has no root items.
fn worth(product: &Product, base: Qty, (prices, day): (&Prices, BusinessDay)) -> Option<Money> {
    if product.root_item_conversions.is_empty() {
        return None;
    }
    let sum = product.root_item_conversions.iter().try_fold(Worth::ZERO, |sum, part| {
        Some(sum.plus(Worth::of(base.scaled(part.factor)?, prices.on(&part.root_item_id, day)?)))
    });
    sum?.money()
}

/// The sum of some amounts; `None` if there are none, or it is too large.
pub(super) fn sum(mut amounts: impl Iterator<Item = Money>) -> Option<Money> {
    let first = amounts.next()?;
    amounts.try_fold(first, Money::checked_add)
}
