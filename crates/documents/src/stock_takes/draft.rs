//! Planning a stock-take: its place, its areas, and the sheet.

use super::sheet::{Names, Sheet, in_order};
use super::*;
use crate::write::{MAX_LOT, SentHead, date_and_notes, short_text};
use larder_platform::http::question::date;

/// Products of which nothing is left are on the sheet if they moved within this time: the ledger may be wrong.
const RECENTLY_MS: i64 = 60 * 24 * 3_600_000;

/// A line to save. One with an id stays as it is.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct StockTakeLineDraft {
    /// A line on the sheet; absent for a new one.
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    product_id: Option<String>,
    /// Absent: what has no lot.
    #[serde(default)]
    lot: Option<String>,
    /// Expiry date of a lot that is not known yet.
    #[serde(default)]
    #[schema(format = Date)]
    expiry: Option<String>,
    /// The unit to count in; the usual one if absent.
    #[serde(default)]
    uom_id: Option<String>,
}

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
    /// The sheet; lines left out are removed. If omitted, it is proposed for a new stock-take, or another place or area.
    #[serde(default)]
    lines: Option<Vec<StockTakeLineDraft>>,
}

impl StockTakeDraft {
    fn says_where(&self) -> bool {
        [&self.place_kind, &self.place_id, &self.area_id].into_iter().any(Option::is_some)
    }

    fn changes_the_sheet(&self) -> bool {
        self.says_where() || self.lines.is_some()
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
    let placed = doc.is_new() || draft.says_where();
    if placed {
        write_place(tx, draft, doc).await?;
        write_area(tx, draft, doc).await?;
    }
    match &draft.lines {
        Some(lines) => write_lines(tx, ctx, lines, doc).await,
        None if placed => propose(tx, ctx, doc).await,
        None => Ok(()),
    }
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
    in_order(&mut lines);
    doc.lines = lines;
    Ok(())
}

/// Writes the sheet as sent.
async fn write_lines(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    drafts: &[StockTakeLineDraft],
    doc: &mut Doc<StockTake>,
) -> ApiResult<()> {
    if drafts.len() > products::MOST_LINES {
        let words = format!("Send at most {} lines.", products::MOST_LINES);
        return Err(ApiError::field("lines", words));
    }
    let added: Vec<(&str, Option<&str>)> = drafts
        .iter()
        .filter(|draft| draft.id.is_none())
        .filter_map(|draft| Some((draft.product_id.as_deref()?, draft.lot.as_deref())))
        .collect();
    let sheet = Sheet::read(tx, ctx, &added).await?;
    let saved = std::mem::take(&mut doc.lines).into_iter().map(|line| (line.id.clone(), line));
    let mut saved: HashMap<String, StockTakeLine> = saved.collect();
    let (mut wrong, mut seen) = (Vec::new(), HashSet::new());
    let mut lines = Vec::with_capacity(drafts.len());
    for (at, draft) in drafts.iter().enumerate() {
        let line = match &draft.id {
            Some(id) => saved.remove(id).ok_or_else(|| {
                FieldError::new(
                    format!("lines.{at}.id"),
                    "This line is not on the sheet. Reload to continue.",
                )
            }),
            None => added_line(&sheet, at, draft),
        };
        match line {
            Ok(line) if seen.insert(line.of_lot()) => lines.push(line),
            Ok(line) => {
                let lot = line.lot.as_ref().map(|lot| format!(", lot {lot},")).unwrap_or_default();
                let words = format!("{}{lot} is on the sheet already.", line.name);
                wrong.push(FieldError::new(format!("lines.{at}.productId"), words));
            }
            Err(error) => wrong.push(error),
        }
    }
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    in_order(&mut lines);
    doc.lines = lines;
    Ok(())
}

/// A line for a product, or a lot of it, that was not proposed.
fn added_line(sheet: &Sheet<'_>, at: usize, draft: &StockTakeLineDraft) -> Result<StockTakeLine, FieldError> {
    let field = |name: &str| format!("lines.{at}.{name}");
    let product = draft.product_id.as_deref().and_then(|id| sheet.products.get(id));
    let product = product.ok_or_else(|| FieldError::new(field("productId"), "Choose a product."))?;
    let lot = short_text(field("lot"), draft.lot.as_deref(), MAX_LOT)?.map(str::to_owned);
    let expiry = date(&field("expiry"), draft.expiry.as_deref())?;
    let line = sheet.line(product, lot);
    let mut line = line.map_err(|words| FieldError::new(field("productId"), words))?;
    sheet.date_lot(&mut line, expiry);
    let changed = sheet.change_unit(&mut line, product, draft.uom_id.as_deref());
    changed.map_err(|words| FieldError::new(field("uomId"), words))?;
    Ok(line)
}
