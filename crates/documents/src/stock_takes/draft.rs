//! Planning a stock-take: its place, its areas, and the sheet.

use super::*;
use crate::write::{SentHead, date_and_notes};
use larder_platform::http::text::fold;

/// Products of which nothing is left are on the sheet if they moved within this time: the ledger may be wrong.
const RECENTLY_MS: i64 = 60 * 24 * 3_600_000;

/// A draft of a stock-take, or a partial change. Once counting started, only date and notes change.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StockTakeDraft {
    /// `commissary`, `warehouse` or `coldStorage`.
    #[serde(default)]
    place_kind: Option<String>,
    #[serde(default)]
    place_id: Option<String>,
    /// A storage requirement; an empty text for all products.
    #[serde(default)]
    area_id: Option<String>,
    /// Hides the ledger's quantities until it is posted.
    #[serde(default)]
    blind: Option<bool>,
    #[serde(default)]
    #[schema(format = Date)]
    business_date: Option<String>,
    #[serde(default)]
    notes: Option<String>,
}

impl StockTakeDraft {
    fn changes_the_sheet(&self) -> bool {
        [&self.place_kind, &self.place_id, &self.area_id].into_iter().any(Option::is_some)
    }
}

pub(super) async fn write(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    draft: &StockTakeDraft,
    doc: &mut Doc<StockTake>,
) -> ApiResult<()> {
    if doc.head.state != StockTakeState::Draft && (draft.changes_the_sheet() || draft.blind.is_some()) {
        let words = "Counting started; only date and notes can be changed.";
        return Err(ApiError::conflict("wrongStep", words).with("state", doc.head.state.as_str().into()));
    }
    let mut wrong = Vec::new();
    let dated = SentHead { date: draft.business_date.as_deref(), notes: draft.notes.as_deref() };
    date_and_notes::<StockTake>(tx, ctx, dated, &mut doc.head, &mut wrong).await?;
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    if let Some(blind) = draft.blind {
        doc.details.blind = blind;
    }
    if !doc.is_new() && !draft.changes_the_sheet() {
        return Ok(());
    }
    write_place(tx, draft, doc).await?;
    write_area(tx, draft, doc).await?;
    propose(tx, ctx, doc).await
}

async fn write_place(tx: &mut Tx<'_>, draft: &StockTakeDraft, doc: &mut Doc<StockTake>) -> ApiResult<()> {
    let kind = match said(draft.place_kind.as_deref()) {
        None => doc.head.source_type.as_deref().and_then(PlaceKind::parse),
        Some(kind) => {
            Some(PlaceKind::parse(kind).filter(|kind| kind.counts_to_product()).ok_or_else(|| {
                ApiError::field("placeKind", "Choose a commissary, warehouse or cold storage.")
            })?)
        }
    };
    let id = said(draft.place_id.as_deref()).map(str::to_owned).or_else(|| doc.head.source_id.clone());
    let (Some(kind), Some(id)) = (kind, id) else {
        return Err(ApiError::field("placeId", "Choose where you count."));
    };
    let place = Place { kind, id };
    if !stock::find_place(tx, &place).await? {
        return Err(ApiError::field("placeId", "This place does not exist; choose one from the list."));
    }
    doc.head.source_type = Some(place.kind.as_str().to_owned());
    doc.head.source_id = Some(place.id);
    Ok(())
}

async fn write_area(tx: &mut Tx<'_>, draft: &StockTakeDraft, doc: &mut Doc<StockTake>) -> ApiResult<()> {
    let Some(id) = draft.area_id.as_deref() else { return Ok(()) };
    let Some(id) = said(Some(id)) else {
        (doc.details.area_id, doc.details.area) = (None, None);
        return Ok(());
    };
    let found: Option<(String,)> =
        tx.sql("select name from storage_requirements where id = $1").bind(id).optional().await?;
    let (name,) = found.ok_or_else(|| ApiError::field("areaId", "Choose a storage requirement."))?;
    (doc.details.area_id, doc.details.area) = (Some(id.to_owned()), Some(name));
    Ok(())
}

/// Writes the sheet: everything that the ledger has at the place or had recently, each lot by itself, by area.
async fn propose(tx: &mut Tx<'_>, ctx: Ctx<'_>, doc: &mut Doc<StockTake>) -> ApiResult<()> {
    let place = place(doc)?;
    let after = Timestamp(ctx.who.at.0.saturating_sub(RECENTLY_MS));
    let (book, gone) = place_stock::sheet(tx, &place, after).await?;
    let mut wanted: BTreeSet<OfLot> = book.balances().map(|(of, _)| of.clone()).collect();
    let with_stock: HashSet<String> = wanted.iter().map(|(product, _)| product.clone()).collect();
    wanted.extend(gone.into_iter().filter(|id| !with_stock.contains(id)).map(|id| (id, None)));
    let ids: Vec<&str> = wanted.iter().map(|(product, _)| product.as_str()).collect();
    let known = products::by_id(tx, &ids).await?;
    let area_id = doc.details.area_id.as_deref();
    let in_area =
        |product: &Product| area_id.is_none() || product.storage_requirement_id.as_deref() == area_id;
    wanted.retain(|(id, _)| known.get(id).is_some_and(in_area));
    let named: Vec<(String, String)> =
        wanted.iter().filter_map(|(product, lot)| Some((product.clone(), lot.clone()?))).collect();
    let expiries = lots::expiries(tx, &named).await?;
    let names = Names::read(tx, known.values()).await?;
    let mut lines = Vec::with_capacity(wanted.len());
    for (id, lot) in wanted {
        let Some(product) = known.get(&id) else { continue };
        let balance = book.balance(&(id.clone(), lot.clone()));
        let Some(mut line) = names.line(ctx, product, lot, balance) else { continue };
        line.expiry = line.lot.as_ref().and_then(|lot| expiries.get(&(id, lot.clone())).copied().flatten());
        lines.push(line);
    }
    if lines.len() > products::MOST_LINES {
        let words = format!("More than {} lines. Count one area at a time.", products::MOST_LINES);
        return Err(ApiError::field("areaId", words));
    }
    // Areas by name, what has none last; lots that expire first come first, what has no lot last.
    lines.sort_by_cached_key(|line: &StockTakeLine| {
        (
            (line.area.is_none(), line.area.as_deref().map(fold)),
            (fold(&line.name), line.product_id.clone()),
            (line.lot.is_none(), line.expiry.is_none(), line.expiry, line.lot.clone()),
        )
    });
    doc.lines = lines;
    Ok(())
}

/// Names of areas and units.
pub(super) struct Names {
    areas: HashMap<String, String>,
    units: HashMap<String, String>,
}

impl Names {
    /// The names of the areas and units of some products.
    pub async fn read(tx: &mut Tx<'_>, products: impl Iterator<Item = &Product> + Clone) -> ApiResult<Self> {
        let areas: BTreeSet<&str> =
            products.clone().filter_map(|product| product.storage_requirement_id.as_deref()).collect();
        let areas: Vec<&str> = areas.into_iter().collect();
        let areas: Vec<(String, String)> =
            tx.sql("select id, name from storage_requirements where id in ").push_ids(&areas).all().await?;
        let units: BTreeSet<String> = products.flat_map(Product::all_units).map(|unit| unit.uom_id).collect();
        let units: Vec<&str> = units.iter().map(String::as_str).collect();
        Ok(Self { areas: areas.into_iter().collect(), units: products::unit_codes(tx, &units).await? })
    }

    /// The label of a unit.
    pub fn unit(&self, uom_id: &str) -> String {
        self.units.get(uom_id).cloned().unwrap_or_default()
    }

    /// A line that is not counted yet, in the usual unit of orders if it holds the balance without a rest, otherwise in
    /// base units.
    pub fn line(
        &self,
        ctx: Ctx<'_>,
        product: &Product,
        lot: Option<String>,
        balance: Qty,
    ) -> Option<StockTakeLine> {
        let fits = |factor: i64| i128::from(balance.0) * 1_000 % i128::from(factor.max(1)) == 0;
        let base = || product.unit(product.base_uom_id.as_deref()?);
        let unit = product.usual_unit().filter(|unit| !unit.whole || fits(unit.factor.0)).or_else(base)?;
        let area = product.storage_requirement_id.as_ref().and_then(|id| self.areas.get(id)).cloned();
        Some(StockTakeLine {
            id: ctx.new_id(),
            document_id: String::new(),
            position: 0,
            product_id: product.id.clone(),
            sku: product.sku.clone(),
            name: product.name.clone(),
            uom_code: self.unit(&unit.uom_id),
            uom_id: unit.uom_id,
            factor: unit.factor,
            area,
            lot,
            expiry: None,
            counted: None,
            counted_at: None,
            counted_by: None,
            op: None,
            typed_at: None,
            note: None,
            book: None,
            difference: None,
            worth: None,
        })
    }
}
