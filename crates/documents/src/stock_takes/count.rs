//! Numbers from devices. Each is applied once however often it arrives, so that a device without a network keeps its
//! numbers until it gets an answer for each.

use axum::extract::State;
use larder_domain::count::{Op, Saved, Seen, counted_at, stands_at};
use larder_domain::document::stock_take::{Arrival, Typed, arrives};
use serde_json::Value;

use super::sheet::Sheet;
use super::*;
use crate::store;
use crate::write::{self, MAX_LOT, MAX_NAME, short_text};
use larder_platform::http::json::Path;
use larder_platform::http::question::{date, known_id};
use larder_platform::http::{Json, Who};

/// Most numbers at once.
const MOST: usize = 500;

/// Numbers typed on a device.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StockTakeCounts {
    /// The time on the device's clock when it was sent: corrects its error.
    sent_at: Timestamp,
    /// At most 500.
    entries: Vec<StockTakeCount>,
}

/// A number for a product, or for a lot of it. A lot or product that is not on the sheet is added to it.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StockTakeCount {
    /// `device:seq`, the name of this entry.
    op: String,
    product_id: String,
    /// Absent: what has no lot.
    #[serde(default)]
    lot: Option<String>,
    /// Expiry date of a lot that is not known yet.
    #[serde(default)]
    #[schema(format = Date)]
    expiry: Option<String>,
    /// The unit of the number; the line's if absent.
    #[serde(default)]
    uom_id: Option<String>,
    /// Null: not counted.
    #[serde(default)]
    #[schema(value_type = Option<Qty>)]
    counted: Option<Value>,
    /// When it was typed, by the device's clock.
    at: Timestamp,
    /// Whether it was counted again. By default another number within ten minutes corrects the one before.
    #[serde(default)]
    recount: Option<bool>,
    /// An empty text clears it; if absent, it stays.
    #[serde(default)]
    note: Option<String>,
}

/// What became of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum StockTakeOutcome {
    Applied,
    Duplicate,
    /// A number typed later stands.
    Superseded,
    /// It cannot be applied, for this reason.
    Rejected,
}

/// The answer for an entry.
#[derive(Debug, Serialize, ToSchema)]
pub struct StockTakeCountAnswer {
    op: String,
    outcome: StockTakeOutcome,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// An answer for each entry.
#[derive(Debug, Serialize, ToSchema)]
pub struct StockTakeCountsAnswer {
    results: Vec<StockTakeCountAnswer>,
    /// The stock-take's revision now.
    revision: i64,
}

/// Send numbers of a stock-take. Each entry gets its own answer and is applied once, however often it is sent.
#[utoipa::path(post, path = "/api/commissary/stock-takes/{id}/counts", tag = "commissary stock-takes",
    params(("id" = String, Path)), request_body = StockTakeCounts,
    responses((status = 200, body = StockTakeCountsAnswer)))]
pub(crate) async fn send_stock_take_counts(
    State(state): State<AppState>,
    who: Who,
    Path(id): Path<String>,
    Json(body): Json<StockTakeCounts>,
) -> ApiResult<Json<StockTakeCountsAnswer>> {
    if body.entries.len() > MOST {
        return Err(ApiError::too_large("Send at most 500 numbers at once."));
    }
    let (ctx, id) = (Ctx::new(&state, &who), known_id(&id, StockTake::FLOW.one)?.to_owned());
    let (id, body) = (&id, &body);
    let actor = who.actor();
    let answer = state.db.write(&actor, async |tx| take(tx, ctx, id, body).await).await?;
    Ok(Json(answer))
}

async fn take(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    id: &str,
    body: &StockTakeCounts,
) -> ApiResult<StockTakeCountsAnswer> {
    let held = store::hold::<StockTake>(tx, &[id.to_owned()]).await?;
    let mut doc = held.into_iter().next().ok_or_else(|| ApiError::not_found(StockTake::FLOW.one))?;
    if doc.head.state != StockTakeState::Counting {
        let label = StockTake::FLOW.label(doc.head.state);
        let words = format!("{} is {label}: this number was not taken.", doc.head.number);
        let results = body.entries.iter().map(|entry| answer(entry, Err(words.clone())));
        return Ok(StockTakeCountsAnswer { results: results.collect(), revision: doc.head.revision });
    }
    let of: Vec<(&str, Option<&str>)> =
        body.entries.iter().map(|entry| (entry.product_id.as_str(), entry.lot.as_deref())).collect();
    let started = doc.head.last(StockTakeStep::Start).map_or(doc.head.created_at, |step| step.at);
    let sheet = Sheet::read(tx, ctx, &of).await?;
    let counting = Counting { ctx, sent_at: body.sent_at, started, sheet };
    let before = doc.told();
    let mut results = Vec::with_capacity(body.entries.len());
    let mut changed = false;
    for entry in &body.entries {
        let outcome = counting.apply(entry, &mut doc.lines);
        changed |= outcome == Ok(Arrival::Applied);
        results.push(answer(entry, outcome));
    }
    if changed {
        doc.head.revision += 1;
        store::save(tx, &mut doc).await?;
        write::record(tx, Some(before), &doc).await?;
    }
    Ok(StockTakeCountsAnswer { results, revision: doc.head.revision })
}

fn answer(entry: &StockTakeCount, outcome: Result<Arrival, String>) -> StockTakeCountAnswer {
    let op = entry.op.chars().take(100).collect();
    let (outcome, reason) = match outcome {
        Ok(Arrival::Applied) => (StockTakeOutcome::Applied, None),
        Ok(Arrival::Duplicate) => (StockTakeOutcome::Duplicate, None),
        Ok(Arrival::Superseded) => (StockTakeOutcome::Superseded, None),
        Err(reason) => (StockTakeOutcome::Rejected, Some(reason)),
    };
    StockTakeCountAnswer { op, outcome, reason }
}

/// What an entry is checked with.
struct Counting<'a> {
    ctx: Ctx<'a>,
    sent_at: Timestamp,
    /// When counting started.
    started: Timestamp,
    sheet: Sheet<'a>,
}

impl Counting<'_> {
    /// Applies an entry to its line, which is added if missing.
    fn apply(&self, entry: &StockTakeCount, lines: &mut Vec<StockTakeLine>) -> Result<Arrival, String> {
        let op = Op::parse(&entry.op).ok_or("Name each number by device and sequence.")?;
        let message = |error: FieldError| error.message;
        let lot = short_text("lot", entry.lot.as_deref(), MAX_LOT).map_err(message)?.map(str::to_owned);
        let expiry = date("expiry", entry.expiry.as_deref()).map_err(message)?;
        let note = match &entry.note {
            Some(text) => Some(short_text("note", Some(text), MAX_NAME).map_err(message)?.map(str::to_owned)),
            None => None,
        };
        let product =
            self.sheet.products.get(&entry.product_id).ok_or("This product does not exist any more.")?;
        let of_product = |line: &StockTakeLine| line.product_id == product.id;
        let found = lines.iter().position(|line| of_product(line) && line.lot == lot).or_else(|| {
            // Capitals tell no lots apart.
            let code = lot.as_ref()?.to_lowercase();
            let is_it =
                |line: &StockTakeLine| line.lot.as_ref().is_some_and(|lot| lot.to_lowercase() == code);
            lines.iter().position(|line| of_product(line) && is_it(line))
        });
        let mut line = match found {
            Some(at) => lines[at].clone(),
            None => self.new_line(product, lot, lines.len())?,
        };
        self.sheet.change_unit(&mut line, product, entry.uom_id.as_deref())?;
        let counted = number(entry, product, &line)?;
        let at = self.typed_at(entry.at);
        let standing_op = line.op.as_deref().and_then(Op::parse);
        let standing = standing_op.as_ref().zip(line.typed_at).map(|(op, at)| Typed { op, at });
        let arrival = arrives(Typed { op: &op, at }, standing);
        if arrival != Arrival::Applied {
            return Ok(arrival);
        }
        let seen = found.and_then(|at| {
            let line = &lines[at];
            Some(Seen { qty: Some(line.base()?), counted_at: line.counted_at? })
        });
        let qty = counted.and_then(|counted| quantity::base(counted, line.factor));
        let time = counted_at(Saved { qty, at, recounted: entry.recount }, seen);
        line.counted = counted;
        line.counted_at = counted.map(|_| time);
        line.counted_by = counted.map(|_| self.ctx.who.actor().name);
        line.op = Some(entry.op.clone());
        line.typed_at = Some(at);
        if let Some(note) = note {
            line.note = note;
        }
        self.sheet.date_lot(&mut line, expiry);
        match found {
            Some(at) => lines[at] = line,
            None => lines.push(line),
        }
        Ok(Arrival::Applied)
    }

    /// When a number was typed. A time before counting started comes from a wrong clock: the number is of now.
    fn typed_at(&self, at: Timestamp) -> Timestamp {
        let now = self.ctx.who.at;
        let at = stands_at(at, self.sent_at, now);
        if at < self.started { now } else { at }
    }

    fn new_line(
        &self,
        product: &Product,
        lot: Option<String>,
        count: usize,
    ) -> Result<StockTakeLine, String> {
        if count >= products::MOST_LINES {
            return Err(format!("This sheet has {} lines already.", products::MOST_LINES));
        }
        self.sheet.line(product, lot)
    }
}

/// The number, in the line's unit.
fn number(entry: &StockTakeCount, product: &Product, line: &StockTakeLine) -> Result<Option<Qty>, String> {
    let Some(value) = entry.counted.as_ref().filter(|value| !value.is_null()) else { return Ok(None) };
    let counted = products::qty(Some(value))?;
    let whole = product.unit(&line.uom_id).is_some_and(|unit| unit.whole);
    quantity::check_some(counted, line.factor, whole).map_err(|wrong| wrong.message(&line.uom_code))?;
    Ok(Some(counted))
}
