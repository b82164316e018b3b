//! Creates orders from a plan: one draft per store, source and day, each line with its reason.

use std::collections::{BTreeMap, HashMap};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use larder_db::Tx;
use larder_domain::delivery_calendar;
use larder_domain::document::quantity;
use larder_domain::{Action, BusinessDay, Qty};
use serde_json::{Map, Value};

use super::model::{MadeOrder, MadeOrders, MakeOrders, SkippedLine};
use super::queries;
use larder_documents::orders;
use larder_documents::orders::{Planned, PlannedLine, order_planned};
use larder_documents::products;
use larder_documents::products::Product;
use larder_documents::{Ctx, typed};
use larder_ledgers::delivery_calendar as calendar;
use larder_ledgers::delivery_calendar::Source;
use larder_ledgers::plans;
use larder_ledgers::plans::Line;
use larder_platform::AppState;
use larder_platform::http::question::known_id;
use larder_platform::http::retry::{Key, once};
use larder_platform::http::{ApiError, ApiResult, FieldError, Json, Who, scope};

/// How old a plan may be to create orders from it, in days.
const PLAN_DAYS: i32 = 2;
/// How many days ahead to look for a delivery day.
const WITHIN: i32 = 62;

/// Create draft orders from a plan or some of its lines: one per store, source and needed day. An existing draft gets
/// the products it lacks. Lines already ordered are skipped.
#[utoipa::path(post, path = "/api/dashboard/drp-new/orders", tag = "replenishment plan", request_body = MakeOrders,
    responses((status = 200, body = MadeOrders)))]
pub(crate) async fn make_plan_orders(
    State(state): State<AppState>,
    who: Who,
    headers: HeaderMap,
    Json(body): Json<Map<String, Value>>,
) -> ApiResult<Json<MadeOrders>> {
    let key = Key::of(&headers, "make orders of a plan".to_owned(), &body)?;
    let body: MakeOrders = typed(body)?;
    if !who.can(orders::PAGE, Action::Create) {
        let words = "You need the right to create store orders as well.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "forbidden", words));
    }
    let request = OrdersRequest::read(&state, &who, &body).await?;
    let (ctx, actor) = (Ctx::new(&state, &who), who.actor());
    let (request, run_id) = (&request, &body.plan_run_id);
    let made = once(&state.db, &actor, key.as_ref(), async |tx| {
        let mut made = MadeOrders { orders: Vec::new(), skipped: request.unknown.clone() };
        for store in &request.stores {
            of_store(tx, ctx, run_id, store, request, &mut made).await?;
        }
        serde_json::to_value(&made).map_err(ApiError::internal)
    });
    serde_json::from_value(made.await?).map(Json).map_err(ApiError::internal)
}

/// A validated request.
struct OrdersRequest {
    /// Sorted by id.
    stores: Vec<String>,
    /// Quantity and index in the body, by line. `None` for all suggestions.
    marked: Option<HashMap<String, (Option<Qty>, usize)>>,
    /// Lines not in the plan.
    unknown: Vec<SkippedLine>,
}

impl OrdersRequest {
    async fn read(state: &AppState, who: &Who, body: &MakeOrders) -> ApiResult<Self> {
        let run = plans::find_run(&state.db, known_id(&body.plan_run_id, "plan")?).await?;
        let run = run.ok_or_else(|| ApiError::not_found("plan"))?;
        if run.plan_date < BusinessDay::of(who.at).plus(-PLAN_DAYS) {
            let words = format!("This is the plan of {}. Run it again first.", run.plan_date.display());
            return Err(ApiError::conflict("oldPlan", words));
        }
        let within = who.stores(body.store_ids.as_deref())?;
        let found = plans::of_run(&state.db, &run.id, within.as_deref()).await?;
        let mut stores: Vec<String> = found.into_iter().map(|store| store.store_id).collect();
        let Some(lines) = &body.lines else { return Ok(Self { stores, marked: None, unknown: Vec::new() }) };
        let (mut marked, mut unknown, mut wrong) = (HashMap::new(), Vec::new(), Vec::new());
        let mut of_lines: Vec<&str> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let qty = match line.qty.as_ref().filter(|qty| !qty.is_null()) {
                None => None,
                some => match products::qty(some) {
                    Ok(qty) => Some(qty),
                    Err(words) => {
                        wrong.push(FieldError::new(format!("lines.{at}.qty"), words));
                        continue;
                    }
                },
            };
            // A line id contains its run and store.
            let mut parts = line.line_id.split('_');
            match (parts.next(), parts.next()) {
                (Some(run_id), Some(store)) if run_id == run.id => {
                    scope::check(Some(store), &who.scope)?;
                    of_lines.push(store);
                    marked.insert(line.line_id.clone(), (qty, at));
                }
                _ => unknown.push(skipped(&line.line_id, "This line is not in the plan.")),
            }
        }
        if !wrong.is_empty() {
            return Err(ApiError::invalid(wrong));
        }
        stores.retain(|store| of_lines.contains(&store.as_str()));
        Ok(Self { stores, marked: Some(marked), unknown })
    }
}

fn skipped(line_id: &str, why: impl Into<String>) -> SkippedLine {
    SkippedLine { line_id: line_id.to_owned(), why: why.into() }
}

/// Source, and day needed.
type Group = (String, String, BusinessDay);

/// Creates a store's orders.
async fn of_store(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    run_id: &str,
    store_id: &str,
    request: &OrdersRequest,
    made: &mut MadeOrders,
) -> ApiResult<()> {
    if !plans::take_hold(tx, run_id, store_id).await? {
        return Ok(());
    }
    let lines = plans::find_lines(tx, run_id, store_id).await?;
    let ids: Vec<&str> = lines.iter().map(|line| line.product_id.as_str()).collect();
    let known = products::by_id(tx, &ids).await?;
    let ordered = ordered(tx, &lines).await?;
    let mut groups: BTreeMap<Group, Vec<(&Line, Qty)>> = BTreeMap::new();
    for line in &lines {
        let (wished, at) = match &request.marked {
            None => (None, None),
            Some(marked) => match marked.get(&line.id) {
                Some((qty, at)) => (*qty, Some(*at)),
                None => continue,
            },
        };
        let qty = wished.unwrap_or(line.suggested);
        if let Some(number) = line.order_id.as_ref().and_then(|id| ordered.get(id)) {
            made.skipped.push(skipped(&line.id, format!("{number} has it already.")));
            continue;
        }
        if wished.is_none() && qty.0 == 0 {
            if at.is_some() {
                made.skipped.push(skipped(&line.id, "There is nothing to order."));
            }
            continue;
        }
        let product = known.get(&line.product_id).filter(|product| !product.inactive);
        let Some(product) = product else {
            made.skipped.push(skipped(&line.id, format!("{} is inactive.", line.name)));
            continue;
        };
        check(line, product, qty, at)?;
        match needed(tx, line).await? {
            Ok(day) => {
                let group = (line.source_type.clone(), line.source_id.clone(), day);
                groups.entry(group).or_default().push((line, qty));
            }
            Err(why) => made.skipped.push(skipped(&line.id, why)),
        }
    }
    for ((source_type, source_id, needed_date), lines) in groups {
        let planned = Planned {
            plan_run_id: run_id.to_owned(),
            store_id: store_id.to_owned(),
            source_type,
            source_id,
            needed_date,
            lines: lines.iter().map(|(line, qty)| wanted(line, *qty)).collect(),
        };
        let planned = &planned;
        let order = match tx.savepoint(async |tx| order_planned(tx, ctx, planned).await).await {
            Ok(order) => order,
            // An error in one order does not stop the others.
            Err(refusal) if refusal.status.is_client_error() => {
                let why =
                    refusal.fields.first().map_or(refusal.detail.clone(), |field| field.message.clone());
                made.skipped.extend(lines.iter().map(|(line, _)| skipped(&line.id, why.clone())));
                continue;
            }
            Err(failure) => return Err(failure),
        };
        let (there, new): (Vec<&Line>, Vec<&Line>) =
            lines.iter().map(|(line, _)| *line).partition(|line| order.there.contains(&line.product_id));
        for line in there {
            let why = format!("{} has it already; change it there.", order.number);
            made.skipped.push(skipped(&line.id, why));
        }
        if order.added > 0 {
            let ids: Vec<&str> = new.iter().map(|line| line.id.as_str()).collect();
            plans::mark_ordered(tx, &ids, &order.id).await?;
            made.orders.push(MadeOrder {
                id: order.id,
                number: order.number,
                store_id: store_id.to_owned(),
                needed_date,
                lines: order.added,
            });
        }
    }
    tx.announce("replenishmentPlan", run_id, Some(store_id));
    Ok(())
}

fn wanted(line: &Line, qty: Qty) -> PlannedLine {
    PlannedLine {
        product_id: line.product_id.clone(),
        uom_id: line.uom_id.clone(),
        qty,
        suggested: line.suggested,
        why: line.why.0.clone(),
    }
}

/// Refuses an invalid order quantity, at its field.
fn check(line: &Line, product: &Product, qty: Qty, at: Option<usize>) -> ApiResult<()> {
    let whole = product.unit(&line.uom_id).is_some_and(|unit| unit.whole);
    quantity::check(qty, line.factor, whole).map_err(|wrong| {
        let field = at.map_or_else(|| "lines".to_owned(), |at| format!("lines.{at}.qty"));
        ApiError::field(field, wrong.message(&line.uom_code))
    })
}

/// Orders created from the lines and not cancelled: numbers by line id.
async fn ordered(tx: &mut Tx<'_>, lines: &[Line]) -> ApiResult<HashMap<String, String>> {
    let ids: Vec<&str> = lines.iter().filter_map(|line| line.order_id.as_deref()).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    Ok(queries::alive(tx, &ids).await?.into_iter().collect())
}

/// The day a line is needed or, if too late, the next day that can still be ordered for; or the reason there
/// is none.
async fn needed(tx: &mut Tx<'_>, line: &Line) -> ApiResult<Result<BusinessDay, String>> {
    let now = tx.actor().at;
    let source =
        Source { store_id: &line.store_id, source_type: &line.source_type, source_id: &line.source_id };
    let Some(kept) = calendar::of_in(tx, source).await? else {
        let today = BusinessDay::of(now);
        return Ok(Ok(if line.needed_date < today { today.plus(1) } else { line.needed_date }));
    };
    if delivery_calendar::check(kept.rule(), line.needed_date, now).is_ok() {
        return Ok(Ok(line.needed_date));
    }
    let choices = kept.rule().choices(now, WITHIN as usize, WITHIN);
    let later = choices.iter().map(|choice| choice.date).find(|day| *day >= line.needed_date);
    Ok(later.ok_or_else(|| "Nothing is delivered in the next weeks.".to_owned()))
}
