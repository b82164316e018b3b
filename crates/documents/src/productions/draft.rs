//! Planning a batch, and recording what was made of what.

use std::collections::HashMap;

use larder_domain::production::base_of;

use super::recipes::Recipe;
use super::*;
use crate::products;
use crate::products::{LineDraft, Product};
use crate::write::{MAX_LOT, note, short};
use larder_ledgers::stock;
use larder_platform::http::question::date;

/// The most batches at once.
const MOST_BATCHES: i64 = 100_000;

/// An ingredient to save.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UsedDraft {
    /// The line to change; absent for a new one.
    #[serde(default)]
    id: Option<String>,
    #[serde(default)]
    product_id: Option<String>,
    #[serde(default)]
    uom_id: Option<String>,
    /// Quantity used, in the unit; null if unknown.
    #[serde(default, alias = "used")]
    #[schema(value_type = Option<Qty>)]
    qty: Option<Value>,
    #[serde(default)]
    lot: Option<String>,
}

/// A draft of a batch, or a partial change.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProductionDraft {
    #[serde(default)]
    commissary_id: Option<String>,
    /// The recipe; or the product, made by its first recipe.
    #[serde(default)]
    recipe_id: Option<String>,
    #[serde(default)]
    product_id: Option<String>,
    #[serde(default)]
    batches: Option<i64>,
    #[serde(default)]
    #[schema(format = Date)]
    planned_date: Option<String>,
    #[serde(default)]
    notes: Option<String>,
    /// Quantity made, in the product's base unit.
    #[serde(default)]
    #[schema(value_type = Option<Qty>)]
    made: Option<Value>,
    /// The lot that was made.
    #[serde(default)]
    lot: Option<String>,
    #[serde(default)]
    #[schema(format = Date)]
    expiry: Option<String>,
    /// All ingredients; by the recipe when absent.
    #[serde(default)]
    lines: Option<Vec<UsedDraft>>,
}

impl ProductionDraft {
    /// Batches of a recipe.
    #[must_use]
    pub fn of_recipe(commissary_id: &str, recipe_id: &str, batches: i64, day: BusinessDay) -> Self {
        Self {
            commissary_id: Some(commissary_id.to_owned()),
            recipe_id: Some(recipe_id.to_owned()),
            batches: Some(batches),
            planned_date: Some(day.to_string()),
            ..Self::default()
        }
    }

    /// The final quantity, in the product's base unit.
    #[must_use]
    pub fn made(qty: Qty) -> Self {
        Self { made: serde_json::to_value(qty).ok(), ..Self::default() }
    }
}

pub(super) async fn write(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    draft: &ProductionDraft,
    doc: &mut Doc<Production>,
) -> ApiResult<()> {
    let mut wrong = Vec::new();
    match date("plannedDate", draft.planned_date.as_deref()) {
        Ok(Some(day)) => doc.head.on_date = day,
        Ok(None) => {}
        Err(error) => wrong.push(error),
    }
    if draft.batches.is_some_and(|batches| !(1..=MOST_BATCHES).contains(&batches)) {
        wrong.push(FieldError::new("batches", "Enter a whole number of batches above zero."));
    }
    note(&mut wrong, "notes", draft.notes.as_deref(), &mut doc.head.notes);
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    let new = doc.is_new();
    if new {
        choose_kitchen(tx, draft, doc).await?;
    }
    let changed = draft.batches.is_some_and(|batches| batches != doc.details.batches);
    if new || changed {
        plan(tx, ctx, draft, doc).await?;
    }
    write_made(draft, doc)?;
    if let Some(lines) = &draft.lines {
        write_used(tx, ctx, lines, doc).await?;
    }
    Ok(())
}

async fn choose_kitchen(
    tx: &mut Tx<'_>,
    draft: &ProductionDraft,
    doc: &mut Doc<Production>,
) -> ApiResult<()> {
    let place = match draft.commissary_id.as_deref().filter(|id| !id.is_empty()) {
        Some(id) => Some(Place { kind: PlaceKind::Commissary, id: id.to_owned() }),
        None => stock::default_commissary(tx).await?.map(|(place, _)| place),
    };
    let known = match &place {
        Some(place) => stock::find_place(tx, place).await?,
        None => false,
    };
    let Some(place) = place.filter(|_| known) else {
        return Err(ApiError::field("commissaryId", "Choose a commissary."));
    };
    doc.head.source_type = Some(place.kind.as_str().to_owned());
    doc.head.source_id = Some(place.id);
    Ok(())
}

/// Sets output and ingredients by the current recipe.
async fn plan(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    draft: &ProductionDraft,
    doc: &mut Doc<Production>,
) -> ApiResult<()> {
    let text = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let wished = if doc.is_new() { text(&draft.recipe_id) } else { Some(doc.details.recipe_id.clone()) };
    let product = text(&draft.product_id);
    if wished.is_none() && product.is_none() {
        return Err(ApiError::field("recipeId", "Choose a recipe."));
    }
    let found = recipes::find(tx, wished.as_deref(), product.as_deref()).await?;
    let Some((recipe, product)) = found else {
        let words =
            "This recipe makes no product, or its yield is missing. Complete it under Lists, Recipes.";
        return Err(ApiError::field("recipeId", words));
    };
    let batches = draft.batches.unwrap_or_else(|| doc.details.batches.max(1));
    let too_much = || ApiError::field("batches", "This is more than can be made.");
    let planned = recipe.batch.yields.0.checked_mul(batches).map(Qty).ok_or_else(too_much)?;
    let base = product.base_uom_id.clone().unwrap_or_default();
    let unit = product.unit(&base).ok_or_else(|| {
        ApiError::field("recipeId", format!("{} has no base unit; give it one.", product.name))
    })?;
    quantity::check(planned, unit.factor, false).map_err(|_| too_much())?;
    doc.details.recipe_id.clone_from(&recipe.id);
    doc.details.recipe_name.clone_from(&recipe.name);
    doc.details.product_id.clone_from(&product.id);
    doc.details.batches = batches;
    let made = doc.lines.iter().find(|line| line.side == MADE).cloned();
    let code = products::unit_codes(tx, &[&base]).await?.remove(&base).unwrap_or_default();
    let mut line = of_product(made.as_ref().map_or_else(|| ctx.new_id(), |line| line.id.clone()), &product);
    line.side = MADE.to_owned();
    line.uom_id = base;
    line.uom_code = code;
    line.planned = planned;
    if let Some(made) = made {
        (line.lot, line.expiry) = (made.lot, made.expiry);
    }
    let (used, unposted) = used(tx, ctx, doc, &recipe, batches).await?;
    doc.details.unposted = unposted;
    doc.lines = std::iter::once(line).chain(used).collect();
    Ok(())
}

fn of_product(id: String, product: &Product) -> ProductionLine {
    ProductionLine {
        id,
        document_id: String::new(),
        position: 0,
        product_id: product.id.clone(),
        sku: product.sku.clone(),
        name: product.name.clone(),
        uom_id: String::new(),
        uom_code: String::new(),
        factor: larder_domain::Factor(1_000_000_000),
        side: USED.to_owned(),
        root_item_id: None,
        planned: Qty::ZERO,
        actual: None,
        lot: None,
        expiry: None,
    }
}

/// Ingredients: for each root item, the matching product with the most stock. Returns the names of root items
/// without one.
async fn used(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    doc: &Doc<Production>,
    recipe: &Recipe,
    batches: i64,
) -> ApiResult<(Vec<ProductionLine>, Vec<String>)> {
    let roots: Vec<&str> = recipe.batch.parts.iter().map(|(root, _)| root.as_str()).collect();
    let candidates = stand_for(tx, &kitchen(doc), &roots).await?;
    let names: HashMap<String, String> = tx
        .sql("select id, name from root_items where id in ")
        .push_ids(&roots)
        .all::<(String, String)>()
        .await?
        .into_iter()
        .collect();
    let bases: Vec<&str> = candidates.values().filter_map(|it| it.0.base_uom_id.as_deref()).collect();
    let codes = products::unit_codes(tx, &bases).await?;
    let (mut lines, mut unposted): (Vec<ProductionLine>, Vec<String>) = (Vec::new(), Vec::new());
    for (root, qty) in &recipe.batch.parts {
        let needed = qty.0.checked_mul(batches).map(Qty);
        let needed = needed.ok_or_else(|| ApiError::field("batches", "This is more than can be made."))?;
        let Some((product, factor)) = candidates.get(root) else {
            unposted.push(names.get(root).cloned().unwrap_or_else(|| root.clone()));
            continue;
        };
        let base = product.base_uom_id.clone().unwrap_or_default();
        let planned = base_of(needed, *factor)
            .filter(|base| quantity::check_some(*base, larder_domain::Factor(1_000_000_000), false).is_ok());
        let planned = planned.ok_or_else(|| ApiError::field("batches", "This is more than can be made."))?;
        let known = doc.lines.iter().find(|line| line.root_item_id.as_ref() == Some(root));
        let mut line = of_product(known.map_or_else(|| ctx.new_id(), |line| line.id.clone()), product);
        line.uom_code = codes.get(&base).cloned().unwrap_or_default();
        line.uom_id = base;
        line.root_item_id = Some(root.clone());
        line.planned = planned;
        lines.push(line);
    }
    Ok((lines, unposted))
}

/// The product to take a root item from in a kitchen: of those consisting of it alone, the one with the most
/// stock, else the first by name. With the root units in one base unit.
async fn stand_for(
    tx: &mut Tx<'_>,
    place: &Place,
    roots: &[&str],
) -> ApiResult<HashMap<String, (Product, larder_domain::Factor)>> {
    let found = products::of_root_items(tx, roots).await?;
    let ids: Vec<&str> = found.iter().map(|product| product.id.as_str()).collect();
    let lying = stock::balances_of(tx, place, &ids).await?;
    let mut chosen: HashMap<String, (Product, larder_domain::Factor)> = HashMap::new();
    let lies = |id: &str| lying.get(id).copied().unwrap_or_default().0.max(0);
    for product in found {
        let [part] = product.root_item_conversions.as_slice() else { continue };
        let (root, factor) = (part.root_item_id.clone(), part.factor);
        if !roots.contains(&root.as_str()) || factor.0 <= 0 {
            continue;
        }
        let better = chosen.get(&root).is_none_or(|(known, of)| {
            // Compared in root units, since packs differ.
            let in_root =
                |id: &str, factor: larder_domain::Factor| i128::from(lies(id)) * i128::from(factor.0);
            in_root(&product.id, factor) > in_root(&known.id, *of)
        });
        if better {
            chosen.insert(root, (product, factor));
        }
    }
    Ok(chosen)
}

/// Writes output quantity and lot.
fn write_made(draft: &ProductionDraft, doc: &mut Doc<Production>) -> ApiResult<()> {
    let mut wrong = Vec::new();
    let Some(line) = doc.lines.iter_mut().find(|line| line.side == MADE) else { return Ok(()) };
    match &draft.made {
        None => {}
        Some(Value::Null) => line.actual = None,
        Some(value) => match products::qty(Some(value)).and_then(|qty| {
            quantity::check_some(qty, line.factor, false)
                .map(|()| qty)
                .map_err(|error| error.message(&line.uom_code))
        }) {
            Ok(qty) => line.actual = Some(qty),
            Err(message) => wrong.push(FieldError::new("made", message)),
        },
    }
    short(&mut wrong, "lot", draft.lot.as_deref(), MAX_LOT, &mut line.lot);
    if draft.expiry.is_some() {
        match date("expiry", draft.expiry.as_deref()) {
            Ok(day) => line.expiry = day,
            Err(error) => wrong.push(error),
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(ApiError::invalid(wrong)) }
}

/// Writes ingredient lines as sent: those with an id change, others are new, missing ones are deleted.
async fn write_used(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    drafts: &[UsedDraft],
    doc: &mut Doc<Production>,
) -> ApiResult<()> {
    let made: Vec<ProductionLine> = doc.lines.iter().filter(|line| line.side == MADE).cloned().collect();
    let (mut lines, mut wrong) = (Vec::new(), Vec::new());
    if drafts.len() > products::MOST_LINES {
        return Err(ApiError::field("lines", format!("Send at most {} lines.", products::MOST_LINES)));
    }
    for (at, draft) in drafts.iter().enumerate() {
        let field = |name: &str| format!("lines.{at}.{name}");
        let known = doc.lines.iter().find(|line| line.side == USED && Some(&line.id) == draft.id.as_ref());
        let same = known.filter(|line| {
            let product = draft.product_id.as_deref().is_none_or(|id| id == line.product_id);
            product && draft.uom_id.as_deref().is_none_or(|id| id == line.uom_id)
        });
        let mut line = match (same, draft.id.is_some() && known.is_none()) {
            (_, true) => {
                let words = "This batch has no such line. Reload to continue.";
                wrong.push(FieldError::new(field("id"), words));
                continue;
            }
            (Some(line), _) => line.clone(),
            (None, _) => match fresh(tx, ctx, draft, known).await {
                Ok(line) => line,
                Err(error) if error.code == "invalid" => {
                    wrong.extend(error.fields.into_iter().map(|found| {
                        let name = found.field.strip_prefix("lines.0.").unwrap_or(&found.field).to_owned();
                        FieldError::new(field(&name), found.message)
                    }));
                    continue;
                }
                Err(error) => return Err(error),
            },
        };
        match &draft.qty {
            None | Some(Value::Null) => line.actual = None,
            Some(value) => match products::qty(Some(value)).and_then(|qty| {
                quantity::check_some(qty, line.factor, false)
                    .map(|()| qty)
                    .map_err(|error| error.message(&line.uom_code))
            }) {
                Ok(qty) => line.actual = Some(qty),
                Err(message) => wrong.push(FieldError::new(field("qty"), message)),
            },
        }
        short(&mut wrong, field("lot"), draft.lot.as_deref(), MAX_LOT, &mut line.lot);
        lines.push(line);
    }
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    doc.lines = made.into_iter().chain(lines).collect();
    Ok(())
}

/// A line with another product or unit than the recipe's.
async fn fresh(
    tx: &mut Tx<'_>,
    ctx: Ctx<'_>,
    draft: &UsedDraft,
    known: Option<&ProductionLine>,
) -> ApiResult<ProductionLine> {
    let one = LineDraft {
        id: None,
        product_id: draft.product_id.clone().or_else(|| known.map(|line| line.product_id.clone())),
        uom_id: draft.uom_id.clone(),
        qty: draft.qty.clone().filter(|qty| !qty.is_null()).or_else(|| Some(1.into())),
        reason: None,
    };
    let mut wanted = products::read_lines(tx, &[one]).await?;
    let wanted = wanted.pop().ok_or_else(|| ApiError::field("productId", "Choose a product."))?;
    let mut line = of_product(known.map_or_else(|| ctx.new_id(), |line| line.id.clone()), &wanted.product);
    line.uom_id = wanted.unit.uom_id;
    line.uom_code = wanted.uom_code;
    line.factor = wanted.unit.factor;
    line.root_item_id = known.and_then(|line| line.root_item_id.clone());
    Ok(line)
}
