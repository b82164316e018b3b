//! Products × stores: ordered, on hand, short.

use std::collections::{BTreeMap, HashMap};

use axum::extract::State;
use larder_domain::ledger::{Place, PlaceKind};
use larder_domain::production::batches;
use larder_domain::{BusinessDay, Qty};

use super::model::{CommissaryOrders, MatrixCell, MatrixOrder, MatrixProduct, MatrixQuery, MatrixStore};
use super::queries;
use larder_documents::orders::kitchen::{self, OpenLine, OpenOrder};
use larder_documents::productions::recipes;
use larder_documents::productions::recipes::Recipes;
use larder_documents::products;
use larder_documents::products::Product;
use larder_ledgers::place_stock::{self, Balance};
use larder_platform::AppState;
use larder_platform::http::json::Query;
use larder_platform::http::question::date;
use larder_platform::http::{ApiError, ApiResult, Json, Who};

/// What stores ordered from a commissary up to a day and have not received, and its stock.
#[utoipa::path(get, path = "/api/commissary/orders", tag = "commissary orders", params(MatrixQuery),
    responses((status = 200, body = CommissaryOrders)))]
pub(crate) async fn get_commissary_orders(
    State(state): State<AppState>,
    who: Who,
    Query(query): Query<MatrixQuery>,
) -> ApiResult<Json<CommissaryOrders>> {
    let open_orders = OpenOrders::read(&state, &who, &query.commissary_id, &query.needed_date).await?;
    Ok(Json(open_orders.matrix(&state).await?))
}

/// Open orders to a commissary up to a day, and its stock, as read from the database.
pub(super) struct OpenOrders {
    pub commissary_id: String,
    pub until: BusinessDay,
    /// The caller's business day.
    pub today: BusinessDay,
    pub orders: Vec<OpenOrder>,
    pub lines: Vec<OpenLine>,
    /// Stock by product, in base units.
    pub stock: HashMap<String, Balance>,
    pub incoming: HashMap<String, Qty>,
    pub recipes: Recipes,
}

impl OpenOrders {
    /// Reads it for the stores the caller may access.
    ///
    /// # Errors
    /// 422 for an invalid day or an unknown commissary.
    pub async fn read(state: &AppState, who: &Who, commissary_id: &str, day: &str) -> ApiResult<Self> {
        let db = &state.db;
        let until = date("neededDate", Some(day)).map_err(|error| ApiError::invalid(vec![error]))?;
        let until = until.ok_or_else(|| ApiError::field("neededDate", "Choose a day."))?;
        if !queries::is_commissary(db, commissary_id).await? {
            return Err(ApiError::field("commissaryId", "Choose a commissary."));
        }
        let stores = who.stores(None)?;
        let orders = kitchen::open_orders(db, commissary_id, Some(until), stores.as_deref()).await?;
        let ids: Vec<&str> = orders.iter().map(|order| order.id.as_str()).collect();
        let lines = kitchen::lines(db, &ids).await?;
        let mut incoming: HashMap<String, Qty> = HashMap::new();
        for batch in kitchen::being_made(db, commissary_id).await?.into_iter().filter(|it| it.day <= until) {
            let sum = incoming.entry(batch.product_id).or_default();
            *sum = Qty(sum.0.saturating_add(batch.qty.0));
        }
        let today = BusinessDay::of(who.at);
        let place = Place { kind: PlaceKind::Commissary, id: commissary_id.to_owned() };
        Ok(Self {
            commissary_id: commissary_id.to_owned(),
            until,
            today,
            orders,
            lines,
            stock: place_stock::usable_balances(db, &place, today).await?,
            incoming,
            recipes: recipes::read(db).await?,
        })
    }

    /// Usable stock of a product, and the quantity in production.
    pub fn there(&self, product: &str) -> (Qty, Qty) {
        let stock = self.stock.get(product).copied().unwrap_or_default();
        (stock.usable(), self.incoming.get(product).copied().unwrap_or_default())
    }

    /// What can cover orders of a product: stock and batches.
    pub fn covers(&self, product: &str) -> Qty {
        let (on_hand, incoming) = self.there(product);
        Qty(on_hand.0.max(0).saturating_add(incoming.0))
    }

    /// The row of every ordered product.
    pub fn rows(&self) -> HashMap<&str, kitchen::Row> {
        kitchen::rows(&self.lines, |product| self.covers(product))
    }

    /// A line in the unit that most lines of a product are ordered in.
    pub fn usual_line(&self, product: &str) -> Option<&OpenLine> {
        let mut units: BTreeMap<&str, (usize, &OpenLine)> = BTreeMap::new();
        for line in self.lines.iter().filter(|line| line.product_id == product) {
            units.entry(&line.uom_id).or_insert((0, line)).0 += 1;
        }
        units.into_values().max_by_key(|(lines, _)| *lines).map(|(_, line)| line)
    }

    async fn matrix(self, state: &AppState) -> ApiResult<CommissaryOrders> {
        let mut ids: Vec<&str> = self.lines.iter().map(|line| line.product_id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        let known = products::by_id_now(&state.db, &ids).await?;
        let names: HashMap<String, String> = queries::names(&state.db).await?.into_iter().collect();
        let rows = self.rows();
        let of_lines: Vec<&str> = self.lines.iter().map(|line| line.id.as_str()).collect();
        let loaded = kitchen::loaded(&state.db, &of_lines).await?;
        let waiting =
            kitchen::short_waiting(&self.orders, &self.lines, &loaded, |product| self.covers(product));
        let mut products: Vec<MatrixProduct> = rows
            .iter()
            .filter_map(|(id, row)| {
                let short_waiting = waiting.get(id).copied().unwrap_or_default();
                Some(MatrixProduct { short_waiting, ..self.product(known.get(*id)?, row, &names)? })
            })
            .collect();
        products.sort_by_cached_key(|p| {
            let storage = (p.storage_requirement.is_none(), p.storage_requirement.clone());
            (storage, p.name.to_lowercase(), p.product_id.clone())
        });
        let store_of: HashMap<&str, &str> =
            self.orders.iter().map(|order| (order.id.as_str(), order.store_id.as_str())).collect();
        let cells = self.lines.iter().map(|line| {
            let it = line.standing();
            MatrixCell {
                store_id: store_of
                    .get(line.document_id.as_str())
                    .map(|id| (*id).to_owned())
                    .unwrap_or_default(),
                product_id: line.product_id.clone(),
                order_id: line.document_id.clone(),
                order_line_id: line.id.clone(),
                uom_code: line.uom_code.clone(),
                factor: line.factor,
                ordered: it.asked,
                cut: it.cut,
                approved: it.approved,
                sent: it.sent,
                to_send: it.to_send,
                sendable: it.sendable,
                closed_short: it.closed_short,
                share: line.share.as_ref().map(|share| share.0.clone()),
            }
        });
        let cells = cells.collect();
        Ok(CommissaryOrders {
            stores: self.stores(),
            commissary_id: self.commissary_id,
            needed_date: self.until,
            products,
            cells,
        })
    }

    fn stores(&self) -> Vec<MatrixStore> {
        let mut stores: Vec<MatrixStore> = Vec::new();
        for order in &self.orders {
            if stores.last().is_none_or(|last| last.store_id != order.store_id) {
                let (store_id, name) = (order.store_id.clone(), order.store.clone());
                stores.push(MatrixStore { store_id, name, orders: Vec::new() });
            }
            let Some(store) = stores.last_mut() else { continue };
            store.orders.push(MatrixOrder {
                id: order.id.clone(),
                order_no: order.number.clone(),
                status: order.state.clone(),
                needed_date: order.on_date,
                revision: order.revision,
                late: order.on_date < self.today,
                urgent_reason: order.details.0.urgent_reason.clone(),
            });
        }
        stores
    }

    fn product(
        &self,
        product: &Product,
        row: &kitchen::Row,
        names: &HashMap<String, String>,
    ) -> Option<MatrixProduct> {
        let line = self.usual_line(&product.id)?;
        let (uom_id, it, short) = (line.uom_id.as_str(), row.standing, row.short);
        let (on_hand, incoming) = self.there(&product.id);
        let recipe = self.recipes.of_product.get(&product.id);
        let to_produce = recipe.and_then(|recipe| {
            Some(Qty(batches(short, recipe.batch.yields)?.checked_mul(recipe.batch.yields.0)?))
        });
        let code = |id: &str| names.get(id).cloned().unwrap_or_default();
        let storage = product.storage_requirement_id.clone();
        Some(MatrixProduct {
            product_id: product.id.clone(),
            sku: product.sku.clone(),
            name: product.name.clone(),
            image_url: product.image_url.clone(),
            storage_requirement: storage.as_deref().map(code),
            storage_requirement_id: storage,
            uom_id: uom_id.to_owned(),
            uom_code: code(uom_id),
            whole: product.unit(uom_id).is_some_and(|unit| unit.whole),
            factor: line.factor,
            base_uom_code: product.base_uom_id.as_deref().map(code).unwrap_or_default(),
            made: recipe.is_some(),
            ordered: it.asked,
            cut: it.cut,
            approved: it.approved,
            sent: it.sent,
            closed_short: it.closed_short,
            to_send: it.to_send,
            sendable: it.sendable,
            on_hand,
            unusable: self.stock.get(&product.id).map(|stock| stock.unusable).unwrap_or_default(),
            incoming,
            covered: row.covered,
            short,
            short_waiting: Qty::ZERO,
            to_produce: to_produce.unwrap_or_default(),
        })
    }
}
