//! Products: made or stocked by the commissary, ordered by stores.

use std::collections::HashSet;

use larder_db::{Json, Tx};
use larder_domain::ledger::{DocumentType, ItemKind};
use larder_domain::{BusinessDay, Factor, Money, Qty, units};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::{PartialSchema, ToSchema};

use super::barcodes::{Barcode, Barcodes, check_barcodes, keep_barcodes, move_barcodes};
use super::items::{decimal, id, read_items, repeated, stock_moved};
use crate::engine::Part::{If, Member, Says};
use crate::engine::{Cell, Draft, FieldType, Found, Hidden, Items, Kind, MovedUses, Retires, list};
use larder_ledgers::barcodes;
use larder_ledgers::prices::products::AtLevels;
use larder_ledgers::store_items as book;
use larder_ledgers::{place_stock, prices, stock};
use larder_platform::http::error::{ApiError, FieldError};

/// How a product is accounted for.
const TYPES: &[&str] = &["Inventory", "Non-inventory", "Service"];

/// A further unit of a product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OtherUom {
    /// The id the line was sent with.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    pub uom_id: String,
    /// Whether only whole numbers are allowed.
    pub whole: bool,
}

/// Conversion between two units of a product.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Conversion {
    /// The id the line was sent with.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    /// One of this unit …
    pub from_uom_id: String,
    /// … is `factor` of this one.
    pub to_uom_id: String,
    pub factor: Factor,
}

/// How much of a root item is in one base unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RootItemConversion {
    /// The id the line was sent with.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    pub root_item_id: String,
    /// Units of the root item in one base unit of the product.
    pub factor: Factor,
}

/// The price of one default selling unit at a price level.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriceLevelPrice {
    /// The id the line was sent with.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    pub price_level_id: String,
    pub price: Money,
}

/// The units of a product besides its base unit, as stored.
pub type OtherUoms = Json<Vec<OtherUom>>;
/// The unit conversions of a product, as stored.
pub type Conversions = Json<Vec<Conversion>>;
/// The root items of a product, as stored.
pub type RootItemConversions = Json<Vec<RootItemConversion>>;
/// The prices of a product, as stored.
pub type PriceLevelPrices = Json<Vec<PriceLevelPrice>>;

macro_rules! items {
    ($ty:ty, $item:ty, $read:ident, $refs:expr, $line:expr) => {
        impl FieldType for $ty {
            const KIND: Kind =
                Kind::Items(&Items { refs: $refs, schema: <$item>::schema, line: $line, read: $read });
            const REQUIRED: bool = false;
        }
    };
}
items!(
    OtherUoms,
    OtherUom,
    read_other_uoms,
    &[("uomId", "uoms")],
    &[Member("uomId"), If("whole", " (whole only)")]
);
items!(
    Conversions,
    Conversion,
    read_conversions,
    &[("fromUomId", "uoms"), ("toUomId", "uoms")],
    &[Says("1 "), Member("fromUomId"), Says(" = "), Member("factor"), Says(" "), Member("toUomId")]
);
items!(
    RootItemConversions,
    RootItemConversion,
    read_root_items,
    &[("rootItemId", "root_items")],
    &[Member("rootItemId"), Says(" = "), Member("factor")]
);
items!(
    PriceLevelPrices,
    PriceLevelPrice,
    read_prices,
    &[("priceLevelId", "price_levels")],
    &[Member("priceLevelId"), Says(" = "), Member("price")]
);

list! {
    /// A product.
    Product = "product" in "products", "products/products", "/api/products" {
        sku: Option<String> = "SKU" [keyed, searched, max(100)],
        name: String = "Name" [keyed, searched],
        category_id as "category": Option<String> = "Category" [to("categories")],
        product_kind as "type": String = "Type" [one_of(TYPES), usual("Inventory")],
        product_type_id as "productType": Option<String> = "Product type" [to("product_types")],
        food_type_id as "foodType": Option<String> = "Food type" [to("food_types")],
        base_uom_id as "baseUom": Option<String> = "Base unit" [to("uoms")],
        base_uom_weight: Option<Qty> = "Weight of a base unit (kg)",
        base_uom_volume: Option<Qty> = "Volume of a base unit (m³)",
        default_selling_uom_id as "defaultSellingUom": Option<String> = "Selling unit" [to("uoms")],
        other_uoms: OtherUoms = "Other units",
        conversions: Conversions = "Conversions",
        barcodes: Barcodes = "Barcodes" [searched],
        root_item_conversions: RootItemConversions = "Root items",
        price_level_prices: PriceLevelPrices = "Prices",
        storage_requirement_id as "storageRequirement": Option<String> = "Storage requirement" [to("storage_requirements")],
        shelf_life: Option<i64> = "Shelf life (days)",
        description: Option<String> = "Description" [lines, searched],
        quantity: Qty = "Quantity" [booked, signed],
        reorder_point: Option<Qty> = "Reorder point",
        inactive: bool = "Inactive",
        image_url: Option<String> = "Picture" [web],
        inventory_asset_account_id: Option<String> = "Inventory asset account" [to("chart_accounts")],
        inventory_asset_account_number: Option<String> = "Inventory asset account number" [kept],
        inventory_asset_account_name: Option<String> = "Inventory asset account name" [kept],
        expense_account_id: Option<String> = "Expense account" [to("chart_accounts")],
        expense_account_number: Option<String> = "Expense account number" [kept],
        expense_account_name: Option<String> = "Expense account name" [kept],
    }
    one: "product", many: "Products", icon: "IconPackage", merges: true, unique: &[&["sku"]],
    opened_at: Some("/products/:id"), code: Some("sku"), opening: Some("quantity"),
    hidden: Some(Hidden { column: "inactive", when: true, unless: "includeInactive" }),
    retires: Some(Retires { field: "inactive", value: true, always: false }),
    ;

    async fn before_merge(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<(), ApiError> {
        refuse_other_unit(tx, id, into).await?;
        refuse_open_documents(tx, id).await
    }

    async fn move_uses(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<Vec<MovedUses>, ApiError> {
        let mut moved = stock_moved(stock::move_stock(tx, ItemKind::Product, id, into).await?)?;
        moved.extend(move_barcodes(tx, id, into).await?);
        Ok(moved)
    }

    fn check(draft: &Draft, wrong: &mut Vec<FieldError>) {
        check_units(draft, wrong);
    }

    fn missing(body: &Map<String, Value>) -> Vec<FieldError> {
        let text = |name: &str| body.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
        let counted = text("type").is_none_or(|kind| kind == "Inventory");
        let words = "Choose the unit that stock of it is counted in.";
        let needed = counted && text("baseUom").is_none();
        needed.then(|| FieldError::new("baseUom", words)).into_iter().collect()
    }

    async fn before_write(tx: &mut Tx<'_>, id: &str, body: &Map<String, Value>) -> Result<(), ApiError> {
        keep_base_unit(tx, id, body.get("baseUom").and_then(Value::as_str)).await
    }

    async fn after_write(
        tx: &mut Tx<'_>,
        before: Option<&Self>,
        after: &Self,
        _options: &Map<String, Value>,
    ) -> Result<(), ApiError> {
        let earlier = before.map(at_levels).unwrap_or_default();
        prices::products::follow(tx, &after.id, &earlier, &at_levels(after)).await?;
        keep_barcodes(tx, before, after).await?;
        let Some(before) = before else { return Ok(()) };
        book::note_product(tx, &after.id, parts(before), &parts(after)).await?;
        Ok(())
    }

    async fn before_delete(tx: &mut Tx<'_>, record: &Self) -> Result<(), ApiError> {
        barcodes::forget(tx, &record.id).await?;
        Ok(prices::products::forget(tx, &record.id).await?)
    }

    async fn open(tx: &mut Tx<'_>, record: &Self, opening: i64) -> Result<(), ApiError> {
        open_stock(tx, record, Qty(opening)).await
    }

    async fn prepare(tx: &mut Tx<'_>, draft: &mut Draft) -> Result<(), ApiError> {
        name_account(tx, draft, "inventoryAssetAccount").await?;
        name_account(tx, draft, "expenseAccount").await
    }
}

fn at_levels(product: &Product) -> AtLevels<'_> {
    product.price_level_prices.iter().map(|line| (line.price_level_id.as_str(), line.price)).collect()
}

fn parts(product: &Product) -> book::Parts {
    let parts = product.root_item_conversions.iter();
    parts.map(|part| (part.root_item_id.clone(), part.factor)).collect()
}

/// Validates the units and their conversions.
fn check_units(draft: &Draft, wrong: &mut Vec<FieldError>) {
    let conversions: Vec<Conversion> = items_in(draft, "conversions");
    let others: Vec<OtherUom> = items_in(draft, "otherUoms");
    let lines: Vec<units::Conversion<'_>> = conversions
        .iter()
        .map(|line| units::Conversion { from: &line.from_uom_id, to: &line.to_uom_id, factor: line.factor })
        .collect();
    let others: Vec<&str> = others.iter().map(|other| other.uom_id.as_str()).collect();
    let used = units::Used {
        base: draft.text("baseUom"),
        selling: draft.text("defaultSellingUom"),
        others: &others,
        conversions: &lines,
    };
    let found = units::check(&used);
    wrong.extend(found.into_iter().map(|finding| FieldError::new(finding.field, finding.message)));
    check_barcodes(&items_in::<Barcode>(draft, "barcodes"), &used, wrong);
}

fn items_in<T: serde::de::DeserializeOwned>(draft: &Draft, name: &str) -> Vec<T> {
    match draft.cell(name) {
        Some(Cell::Json(items)) => serde_json::from_value(items.clone()).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Balances and lots are in base units: while there are any, changing the unit would change the quantity. What a store
/// counted is in units of root items, and what moved there is converted by what was in force then, so no unit changes that.
async fn keep_base_unit(tx: &mut Tx<'_>, id: &str, wanted: Option<&str>) -> Result<(), ApiError> {
    let known: Option<(Option<String>,)> =
        tx.sql("select base_uom_id from products where id = $1").bind(id).optional().await?;
    let Some((Some(unit),)) = known else { return Ok(()) };
    if wanted == Some(unit.as_str()) {
        return Ok(());
    }
    if stock::is_kept(tx, &stock::product(id)).await? {
        return Err(ApiError::field(
            "baseUom",
            "There is stock counted in this unit. Adjust it to zero first, then choose another unit.",
        ));
    }
    let today = BusinessDay::of(tx.actor().at);
    let Some(store) = place_stock::store_with_lots(tx, id, today).await? else { return Ok(()) };
    let words = format!(
        "{store} may have lots counted in this unit. Choose another unit when they have expired or are written off."
    );
    Err(ApiError::field("baseUom", words))
}

/// Posts the opening stock of a new product at the default commissary, as «Adjust quantity» does.
async fn open_stock(tx: &mut Tx<'_>, product: &Product, qty: Qty) -> Result<(), ApiError> {
    let refuse = |words: &str| ApiError::field("quantity", words);
    if product.product_kind == "Service" {
        return Err(refuse("A service is not kept in stock; leave the quantity out."));
    }
    let (place, _) = stock::default_commissary(tx)
        .await?
        .ok_or_else(|| refuse("Add a commissary first: stock needs a place."))?;
    stock::hold_balance(tx, &stock::product(&product.id), &place).await?;
    let adjustment = stock::Adjustment {
        product_id: &product.id,
        // A product has one opening, so its id serves as the document id.
        document: stock::Document::first(DocumentType::Adjustment, &product.id),
        place,
        before: Qty::ZERO,
        difference: qty,
        reason: Some("Opening quantity"),
    };
    stock::adjust(tx, adjustment).await?;
    Ok(())
}

/// Copies an account's number and name beside its id.
async fn name_account(tx: &mut Tx<'_>, draft: &mut Draft, which: &str) -> Result<(), ApiError> {
    let named: Option<(Option<String>, String)> = match draft.text(&format!("{which}Id")) {
        None => None,
        Some(id) => {
            tx.sql("select number, name from chart_accounts where id = $1").bind(id).optional().await?
        }
    };
    let (number, name) = named.map_or((None, None), |(number, name)| (number, Some(name)));
    for (field, text) in [("Number", number), ("Name", name)] {
        if let Some(cell) = draft.cell_mut(&format!("{which}{field}")) {
            *cell = Cell::Text(text);
        }
    }
    Ok(())
}

fn read_other_uoms(value: &Value) -> Result<Value, Found> {
    let mut seen = HashSet::new();
    read_items(value, "units", |row, _| {
        let uom = id(row, "uomId", "Choose a unit.").map_err(|found| vec![found])?;
        if repeated(&mut seen, &uom) {
            return Err(vec![("uomId".to_owned(), "This unit is listed already.".to_owned())]);
        }
        let whole = row.get("whole").and_then(Value::as_bool).unwrap_or(false);
        Ok(Some(json!({ "uomId": uom, "whole": whole })))
    })
}

fn read_conversions(value: &Value) -> Result<Value, Found> {
    read_items(value, "conversions", |row, _| {
        let from = id(row, "fromUomId", "Choose a unit.");
        let to = id(row, "toUomId", "Choose a unit.");
        let factor = factor(row, "Enter how many, above zero.");
        match (from, to, factor) {
            (Ok(from), Ok(to), Ok(factor)) => {
                Ok(Some(json!({ "fromUomId": from, "toUomId": to, "factor": factor })))
            }
            (from, to, factor) => Err([from.err(), to.err(), factor.err()].into_iter().flatten().collect()),
        }
    })
}

fn read_root_items(value: &Value) -> Result<Value, Found> {
    let mut seen = HashSet::new();
    read_items(value, "root items", |row, _| {
        let root = id(row, "rootItemId", "Choose a root item.");
        let factor = factor(row, "Enter how much, above zero.");
        match (root, factor) {
            (Ok(root), Ok(_)) if repeated(&mut seen, &root) => {
                Err(vec![("rootItemId".to_owned(), "This root item is listed already.".to_owned())])
            }
            (Ok(root), Ok(factor)) => Ok(Some(json!({ "rootItemId": root, "factor": factor }))),
            (root, factor) => Err([root.err(), factor.err()].into_iter().flatten().collect()),
        }
    })
}

fn read_prices(value: &Value) -> Result<Value, Found> {
    let mut seen = HashSet::new();
    read_items(value, "prices", |row, _| {
        let level = id(row, "priceLevelId", "Choose a price level.");
        // A level without a price is not sold at.
        if level.is_ok() && row.get("price").is_none_or(|price| price.is_null() || price == "") {
            return Ok(None);
        }
        let price = match decimal::<Money>(row, "price", "Enter a price.") {
            Ok(Money(..0 | 1_000_000_000_000_000..)) => {
                Err(("price".to_owned(), "Enter a price of zero or more.".to_owned()))
            }
            other => other,
        };
        match (level, price) {
            (Ok(level), Ok(_)) if repeated(&mut seen, &level) => {
                Err(vec![("priceLevelId".to_owned(), "This price level is listed already.".to_owned())])
            }
            (Ok(level), Ok(price)) => Ok(Some(json!({ "priceLevelId": level, "price": price }))),
            (level, price) => Err([level.err(), price.err()].into_iter().flatten().collect()),
        }
    })
}

/// A factor above zero that a JSON number can represent.
pub fn factor(row: &serde_json::Map<String, Value>, missing: &str) -> Result<Factor, (String, String)> {
    match decimal::<Factor>(row, "factor", missing)? {
        Factor(..=0) => Err(("factor".to_owned(), missing.to_owned())),
        Factor(1_000_000_000_000_000..) => {
            Err(("factor".to_owned(), "Enter a number below 1,000,000.".to_owned()))
        }
        factor => Ok(factor),
    }
}

/// Stock is counted in base units: if there is any, both products must have the same one.
async fn refuse_other_unit(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<(), ApiError> {
    let differing: Option<(String,)> = tx
        .sql(
            "select a.id from products a join products b on b.id = $2
             where a.id = $1 and coalesce(a.base_uom_id, '') <> coalesce(b.base_uom_id, '')",
        )
        .bind(id)
        .bind(into)
        .optional()
        .await?;
    if differing.is_none() || !stock::is_booked(tx, &stock::product(id)).await? {
        return Ok(());
    }
    Err(ApiError::field(
        "into",
        "The two are counted in different base units; bring the stock of one to zero first.",
    ))
}

/// Documents that a refusal names.
const NAMED: usize = 5;

/// A product that is still ordered or on its way stays until that is done: what arrives would be stock of a product that
/// is gone.
async fn refuse_open_documents(tx: &mut Tx<'_>, id: &str) -> Result<(), ApiError> {
    let open: Vec<(String,)> = tx
        .sql(
            "select distinct d.number from documents d join (
               select document_id, product_id,
                 qty_received + qty_short_closed < coalesce(qty_approved, qty_ordered) as due from order_lines
               union all select document_id, product_id, settled_base < dispatched_base from shipment_lines
               union all select document_id, product_id, false from receipt_lines
               union all select document_id, product_id, false from production_lines
               union all select document_id, product_id, false from waste_lines
               union all select document_id, product_id, false from supplier_return_lines
             ) l on l.document_id = d.id
             where l.product_id = $1 and (
               d.state in ('draft', 'submitted', 'rejected', 'picking', 'packed', 'inProgress')
               or (l.due and d.state in ('approved', 'inFulfilment', 'dispatched', 'partiallyReceived', 'received')))
             order by d.number",
        )
        .bind(id)
        .all()
        .await?;
    if open.is_empty() {
        return Ok(());
    }
    let more = format!("{} more", open.len().saturating_sub(NAMED));
    let mut names: Vec<&str> = open.iter().take(NAMED).map(|(number,)| number.as_str()).collect();
    if open.len() > NAMED {
        names.push(&more);
    }
    let words = format!("It is still in {}. Finish or cancel that first.", names.join(", "));
    Err(ApiError::field("into", words))
}
