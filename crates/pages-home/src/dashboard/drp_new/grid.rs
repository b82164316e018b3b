//! A product's time-phased grid, for a store or for the commissary supplying the stores.

use axum::extract::State;
use larder_domain::ledger::{self, PlaceKind};
use larder_domain::{BusinessDay, Factor};
use larder_planning::Refusal;
use larder_planning::drp::{self, Grid, Place, Truck, commissary_gross};

use super::chosen::{Chosen, chosen};
use super::heat::{dates, round};
use super::model::{GridChild, GridQuery, PastDueRelease, PlanGrid};
use super::plan::{SHOWN, number};
use super::queries;
use larder_documents::orders::kitchen;
use larder_documents::productions::recipes;
use larder_documents::products;
use larder_documents::products::Product;
use larder_ledgers::place_stock;
use larder_ledgers::plans;
use larder_ledgers::plans::{Line, Suggestion, Wanted};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::question::known_id;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// Days from starting a batch to dispatch.
pub(super) const KITCHEN_LEAD: i64 = 1;

/// The time-phased grid of a product, in its base unit: for a store, or for a commissary across the
/// accessible stores.
#[utoipa::path(get, path = "/api/dashboard/drp-new/grid", tag = "replenishment plan", params(GridQuery),
    responses((status = 200, body = PlanGrid)))]
pub(crate) async fn get_plan_grid(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<GridQuery>,
) -> ApiResult<Json<PlanGrid>> {
    let product_id = known_id(&query.product_id, "product")?;
    let mut found = products::by_id_now(&state.db, &[product_id]).await?;
    let product = found.remove(product_id).ok_or_else(|| ApiError::not_found("product"))?;
    let text = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let (store, kitchen) = (text(&query.store_id), text(&query.commissary_id));
    let chosen = chosen(&state, &who, store.as_deref(), query.date.as_deref(), None).await?;
    match (store, kitchen) {
        (Some(_), None) => of_store(&state, &chosen, &product).await.map(Json),
        (None, Some(kitchen)) => of_kitchen(&state, &who, &chosen, &product, &kitchen).await.map(Json),
        _ => Err(ApiError::field("storeId", "Choose a store or a commissary.")),
    }
}

/// The lines of a product in the chosen plans.
pub(super) async fn lines_of(
    state: &AppState,
    chosen: &Chosen,
    product: Option<&str>,
) -> ApiResult<Vec<Line>> {
    let pairs = chosen.pairs();
    let wanted = Wanted { of: &pairs, product_id: product, ..Wanted::default() };
    Ok(plans::read_lines(&state.db, &wanted).await?)
}

async fn of_store(state: &AppState, chosen: &Chosen, product: &Product) -> ApiResult<PlanGrid> {
    let lines = lines_of(state, chosen, Some(&product.id)).await?;
    let unit = unit(state, product).await?;
    let (Some(day), Some(line)) = (chosen.date, lines.first()) else {
        return Ok(PlanGrid { unit, ..PlanGrid::default() });
    };
    let store = Store::of(line, day);
    let grid = store.plan(line, day).map_err(refused)?;
    let trucks = line.ahead.trucks.as_ref();
    Ok(PlanGrid {
        next_date: trucks.map(|trucks| trucks.next),
        delivery_dates: trucks.map(|trucks| trucks.open.iter().map(|(arrives, _)| *arrives).collect()),
        without_order: store.ends(line, day, Suggestion::Without),
        with_order: store.ends(line, day, Suggestion::With),
        outlook: line.outlook(),
        ..wire(unit, day, store.on_hand, grid, number_of(line.factor), line.lead_days, store.safety_stock)
    })
}

/// A line's figures in base units of its product.
pub(super) struct Store {
    gross: Vec<f64>,
    scheduled: Vec<f64>,
    on_hand: f64,
    safety_stock: f64,
    /// The product's part of a root unit, in base units.
    part: f64,
}

impl Store {
    /// Figures from `day` on.
    pub fn of(line: &Line, day: BusinessDay) -> Self {
        let part = number(line.share) / 100.0 / number_of(line.root_factor);
        let parts = |figures: Vec<f64>| figures.into_iter().map(|figure| figure * part).collect();
        Self {
            gross: parts(line.ahead.forecast(day, SHOWN)),
            scheduled: parts(line.ahead.arrivals(day, SHOWN)),
            on_hand: line.usable() * part,
            safety_stock: number(line.safety_stock) * part,
            part,
        }
    }

    /// Planned receipts and releases: on the days of trucks and of their cut-offs, or the lead days apart.
    ///
    /// # Errors
    /// Invalid figures.
    pub fn plan(&self, line: &Line, day: BusinessDay) -> Result<Grid, Refusal> {
        let place = Place {
            gross: &self.gross,
            scheduled: &self.scheduled,
            on_hand: self.on_hand,
            safety_stock: self.safety_stock,
            lead: usize::try_from(line.lead_days).unwrap_or(0),
            pack: number_of(line.factor),
        };
        let Some(trucks) = &line.ahead.trucks else { return drp::plan(&place) };
        let bucket = |of: BusinessDay| usize::try_from(of.0 - day.0).unwrap_or(0);
        let open = trucks.open.iter().filter(|(arrives, _)| *arrives >= day);
        let trucks: Vec<Truck> = open
            .map(|(arrives, closes)| Truck { arrives: bucket(*arrives), closes: bucket(*closes) })
            .collect();
        drp::plan_by_trucks(&place, &trucks)
    }

    /// Projected stock at the end of each day.
    fn ends(&self, line: &Line, day: BusinessDay, suggestion: Suggestion) -> Vec<f64> {
        line.ends(day, SHOWN, suggestion).into_iter().map(|left| round(left * self.part)).collect()
    }
}

async fn of_kitchen(
    state: &AppState,
    who: &Who,
    chosen: &Chosen,
    product: &Product,
    commissary_id: &str,
) -> ApiResult<PlanGrid> {
    let db = &state.db;
    if !queries::is_commissary(db, commissary_id).await? {
        return Err(ApiError::field("commissaryId", "Choose a commissary."));
    }
    let unit = unit(state, product).await?;
    let Some(day) = chosen.date else { return Ok(PlanGrid { unit, ..PlanGrid::default() }) };
    let lines = lines_of(state, chosen, Some(&product.id)).await?;
    let (mut grids, mut children) = (Vec::new(), Vec::new());
    for line in
        lines.iter().filter(|line| line.source_type == "commissary" && line.source_id == commissary_id)
    {
        let grid = Store::of(line, day).plan(line, day).map_err(refused)?;
        children.push(GridChild {
            store_id: line.store_id.clone(),
            releases: grid.release.iter().map(|qty| round(*qty)).collect(),
        });
        grids.push(grid);
    }
    let mut gross = commissary_gross(&grids).map_err(refused)?;
    gross.resize(SHOWN, 0.0);
    // Quantities already ordered by stores have to be sent too.
    let orders = kitchen::open_orders(db, commissary_id, None, who.stores(None)?.as_deref()).await?;
    let ids: Vec<&str> = orders.iter().map(|order| order.id.as_str()).collect();
    let ordered = kitchen::to_send(&orders, &kitchen::lines(db, &ids).await?);
    add(&mut gross, day, ordered.iter().filter(|row| row.product_id == product.id));
    let mut scheduled = vec![0.0; SHOWN];
    let made = kitchen::being_made(db, commissary_id).await?;
    add(&mut scheduled, day, made.iter().filter(|row| row.product_id == product.id));
    let stocked = ledger::Place { kind: PlaceKind::Commissary, id: commissary_id.to_owned() };
    let stock = place_stock::usable_balances(db, &stocked, BusinessDay::of(who.at)).await?;
    let on_hand = stock.get(&product.id).map_or(0.0, |stock| number(stock.usable()));
    let batch = recipes::read(db).await?.of_product.remove(&product.id).map(|recipe| recipe.batch.yields);
    let pack = batch.map(number).or_else(|| product.usual_unit().map(|unit| number_of(unit.factor)));
    let pack = pack.unwrap_or(1.0);
    let lead = usize::try_from(KITCHEN_LEAD).unwrap_or(0);
    let place = Place { gross: &gross, scheduled: &scheduled, on_hand, safety_stock: 0.0, lead, pack };
    let grid = drp::plan(&place).map_err(refused)?;
    Ok(PlanGrid { children, ..wire(unit, day, on_hand, grid, pack, KITCHEN_LEAD, 0.0) })
}

/// Adds quantities on their due dates; overdue ones on the first day.
fn add<'a>(figures: &mut [f64], day: BusinessDay, rows: impl Iterator<Item = &'a kitchen::Dated>) {
    for row in rows.filter(|row| row.qty.0 > 0) {
        let at = usize::try_from(row.day.0 - day.0).unwrap_or(0);
        if let Some(sum) = figures.get_mut(at) {
            *sum += number(row.qty);
        }
    }
}

fn wire(
    unit: Option<String>,
    day: BusinessDay,
    opening: f64,
    grid: Grid,
    pack: f64,
    lead_days: i64,
    safety_stock: f64,
) -> PlanGrid {
    let rounded = |figures: Vec<f64>| figures.into_iter().map(round).collect();
    let on = |days: usize| day.plus(i32::try_from(days).unwrap_or(0));
    PlanGrid {
        unit,
        dates: dates(day),
        past_due: grid
            .past_due
            .iter()
            .map(|late| PastDueRelease {
                date: day.plus(-i32::try_from(late.late_by).unwrap_or(0)),
                needed_date: on(late.needed),
                qty: round(late.quantity),
            })
            .collect(),
        gross: rounded(grid.gross),
        scheduled: rounded(grid.scheduled),
        opening: round(opening),
        on_hand: rounded(grid.on_hand),
        net: rounded(grid.net),
        receipts: rounded(grid.receipt),
        releases: rounded(grid.release),
        pack,
        lead_days,
        safety_stock: round(safety_stock),
        ..PlanGrid::default()
    }
}

async fn unit(state: &AppState, product: &Product) -> ApiResult<Option<String>> {
    let codes = queries::unit_codes(&state.db).await?;
    Ok(codes.into_iter().find(|(id, _)| Some(id) == product.base_uom_id.as_ref()).map(|(_, code)| code))
}

pub(super) fn number_of(factor: Factor) -> f64 {
    factor.0 as f64 / 1e9
}

pub(super) fn refused(refusal: Refusal) -> ApiError {
    ApiError::unprocessable("notPlannable", refusal.to_string())
}
