//! Items sold at the till, with their bills of materials.
//!
//! A variant (a size, a price point) is an item of its own that names the item it is a variant of. It inherits by copies: one
//! without a bill of materials of its own gets that of its item, with all earlier versions if it never had one, and follows
//! its item's changes as long as both are the same. So every item's sales use its own versions, and a version in use is
//! never changed by an edit of another item.

use std::collections::HashSet;

use larder_db::Json;
use larder_db::Tx;
use larder_domain::{BusinessDay, Factor, Money};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::{PartialSchema, ToSchema};

use super::items::with_id;
use crate::engine::Part::{Member, Says};
use crate::engine::{Cell, Draft, FieldType, Found, Items, Kind, ListOption, fold, list, update, wrong};
use larder_ledgers::sales;
use larder_ledgers::sales::bom;
use larder_ledgers::sales::bom::BomFrom;
use larder_platform::http::error::{ApiError, FieldError};

/// A root item in a bill of materials.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BomLine {
    /// The id the line was sent with.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    /// The root item's id; its own rootProductId is also accepted when writing.
    pub root_product_id: String,
    /// Quantity per POS item.
    pub multiplier: Factor,
}

/// The lines of a bill of materials, as stored.
pub type Bom = Json<Vec<BomLine>>;

impl FieldType for Bom {
    const KIND: Kind = Kind::Items(&Items {
        refs: &[("rootProductId", "root_items")],
        line: &[Member("rootProductId"), Says(" = "), Member("multiplier")],
        schema: BomLine::schema,
        read: read_bom,
    });
    const REQUIRED: bool = false;
}

list! {
    /// An item sold at the till.
    PosItem = "posItem" in "pos_items", "lists/allLists", "/api/lists/pos-items" {
        pos_item_id: Option<String> = "POS item id" [keyed, searched, max(100)],
        description: String = "Description" [keyed, searched],
        price: Option<Money> = "Price",
        service_type: Option<String> = "Service type" [max(100)],
        category: Option<String> = "Category" [searched, max(100)],
        variant_of: Option<String> = "Variant of" [to("pos_items")],
        bom: Bom = "Bill of materials",
    }
    one: "POS item", many: "POS items", icon: "IconReceipt", merges: true, unique: &[&["posItemId"]], name: "description",
    code: Some("posItemId"),
    options: &[
        ListOption { name: "bomFrom", label: "First day the bill of materials counts from.", kind: Kind::Day },
        ListOption { name: "recompute", label: "Whether sales from that day on are recalculated.", kind: Kind::Bool },
    ],
    ;

    async fn prepare(tx: &mut Tx<'_>, draft: &mut Draft) -> Result<(), ApiError> {
        inherit_bom(tx, draft).await?;
        find_root_items(tx, draft).await
    }

    async fn after_write(
        tx: &mut Tx<'_>,
        before: Option<&Self>,
        after: &Self,
        options: &Map<String, Value>,
    ) -> Result<(), ApiError> {
        check_variant(tx, after).await?;
        write_bom(tx, before, after, options).await
    }

    async fn before_merge(tx: &mut Tx<'_>, id: &str, into: &str) -> Result<(), ApiError> {
        leave(tx, into, id).await?;
        sales::replace_pos_item(tx, id, into).await
    }

    async fn before_delete(tx: &mut Tx<'_>, record: &Self) -> Result<(), ApiError> {
        // It was checked before that it has no sales; the remaining versions are unreferenced.
        bom::forget(tx, &record.id).await?;
        Ok(())
    }
}

/// The most lines of one bill of materials.
const MAX_LINES: usize = 200;

fn read_bom(value: &Value) -> Result<Value, Found> {
    let lines = match value {
        Value::Null => return Ok(json!([])),
        Value::Array(lines) if lines.len() <= MAX_LINES => lines,
        _ => {
            return Err(vec![(
                String::new(),
                format!("List at most {MAX_LINES} root items with a multiplier each."),
            )]);
        }
    };
    let mut findings = Vec::new();
    let mut seen = HashSet::new();
    let mut read = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let id = line.get("rootProductId").and_then(Value::as_str).map(str::trim).unwrap_or_default();
        if id.is_empty() || id.len() > 100 {
            findings.push((format!("{i}.rootProductId"), "Choose a root item.".to_owned()));
        } else if !seen.insert(id) {
            findings.push((
                format!("{i}.rootProductId"),
                "This root item is listed already; keep one line.".to_owned(),
            ));
        }
        match read_multiplier(line.get("multiplier")) {
            Ok(multiplier) => {
                let item = json!({ "rootProductId": id, "multiplier": multiplier });
                match with_id(line.as_object().unwrap_or(&Map::new()), item) {
                    Ok(item) => read.push(item),
                    Err((path, message)) => findings.push((format!("{i}.{path}"), message)),
                }
            }
            Err(message) => findings.push((format!("{i}.multiplier"), message)),
        }
    }
    if findings.is_empty() { Ok(Value::Array(read)) } else { Err(findings) }
}

fn read_multiplier(value: Option<&Value>) -> Result<Factor, String> {
    const WHAT: &str = "Enter a multiplier above zero.";
    let Some(value) = value.filter(|value| value.is_number() || value.is_string()) else {
        return Err(WHAT.to_owned());
    };
    match serde_json::from_value::<Factor>(value.clone()) {
        Ok(Factor(..=0)) => Err(WHAT.to_owned()),
        Ok(Factor(1_000_000_000_000_000..)) => Err("Enter a multiplier below 1,000,000.".to_owned()),
        Ok(factor) => Ok(factor),
        Err(error) => Err(error.to_string()),
    }
}

/// Gives a variant without a bill of materials that of its item.
async fn inherit_bom(tx: &mut Tx<'_>, draft: &mut Draft) -> Result<(), ApiError> {
    let Some(item) = draft.text("variantOf").map(str::to_owned) else { return Ok(()) };
    let found: Option<(Json<Vec<Value>>,)> =
        tx.sql("select bom from pos_items where id = $1").bind(&item).optional().await?;
    let Some((Json(inherited),)) = found else {
        return Err(ApiError::field("variantOf", "This POS item does not exist; choose one from the list."));
    };
    match draft.cell_mut("bom") {
        Some(Cell::Json(Value::Array(lines))) if lines.is_empty() => *lines = inherited,
        _ => {}
    }
    Ok(())
}

/// Why an item cannot be chosen as the one that another is a variant of.
pub(crate) const IS_VARIANT: &str = "This item is a variant itself; choose the item that it is a variant of.";
/// Why an item cannot be a variant.
pub(crate) const HAS_VARIANTS: &str = "This item has variants, so it cannot be one.";

/// Refuses a variant of a variant: an item inherits from one other.
async fn check_variant(tx: &mut Tx<'_>, item: &PosItem) -> Result<(), ApiError> {
    let Some(of) = &item.variant_of else { return Ok(()) };
    let above: Option<(String,)> = tx
        .sql("select variant_of from pos_items where id = $1 and variant_of is not null")
        .bind(of)
        .optional()
        .await?;
    if above.is_some() {
        return Err(ApiError::field("variantOf", IS_VARIANT));
    }
    let below: Option<(String,)> =
        tx.sql("select id from pos_items where variant_of = $1 limit 1").bind(&item.id).optional().await?;
    if below.is_some() {
        return Err(ApiError::field("variantOf", HAS_VARIANTS));
    }
    Ok(())
}

/// Makes an item no variant of another one that is merged into it.
async fn leave(tx: &mut Tx<'_>, id: &str, of: &str) -> Result<(), ApiError> {
    let row: Option<(i64,)> = tx
        .sql("select revision from pos_items where id = $1 and variant_of = $2")
        .bind(id)
        .bind(of)
        .optional()
        .await?;
    if let Some((revision,)) = row {
        let patch = [("variantOf", Value::Null), ("revision", json!(revision))];
        let patch = patch.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        update::<PosItem>(tx, id, patch).await?;
    }
    Ok(())
}

/// Resolves the root items of the lines to ids, and reports unknown ones.
async fn find_root_items(tx: &mut Tx<'_>, draft: &mut Draft) -> Result<(), ApiError> {
    let Some(Cell::Json(Value::Array(lines))) = draft.cell_mut("bom") else { return Ok(()) };
    let named = |line: &Value| line["rootProductId"].as_str().unwrap_or_default().to_owned();
    let names: Vec<String> = lines.iter().map(named).collect();
    if names.is_empty() {
        return Ok(());
    }
    let known: Vec<(String, Option<String>)> = tx
        .sql("select id, root_product_id_key from root_items where id in ")
        .push_in(names.iter().cloned())
        .push(" or root_product_id_key in ")
        .push_in(names.iter().map(|name| fold(name)))
        .all()
        .await?;
    let mut findings: Vec<FieldError> = Vec::new();
    let mut seen = HashSet::new();
    for (i, (line, name)) in lines.iter_mut().zip(&names).enumerate() {
        let key = Some(fold(name));
        let found = known.iter().find(|(id, _)| id == name).or_else(|| known.iter().find(|(_, k)| *k == key));
        match found {
            Some((id, _)) if seen.insert(id.clone()) => line["rootProductId"] = json!(id),
            Some(_) => {
                findings.push(wrong(
                    &format!("bom.{i}.rootProductId"),
                    "This root item is listed already; keep one line.",
                ));
            }
            None => {
                findings.push(wrong(
                    &format!("bom.{i}.rootProductId"),
                    "This root item does not exist; choose one from the list.",
                ));
            }
        }
    }
    if findings.is_empty() { Ok(()) } else { Err(ApiError::invalid(findings)) }
}

/// Stores the new bill of materials as a version, and recalculates past sales if requested.
async fn write_bom(
    tx: &mut Tx<'_>,
    before: Option<&PosItem>,
    after: &PosItem,
    options: &Map<String, Value>,
) -> Result<(), ApiError> {
    let from = options.get("bomFrom").and_then(Value::as_str).and_then(|day| day.parse::<BusinessDay>().ok());
    let recompute = options.get("recompute") == Some(&Value::Bool(true));
    if recompute && from.is_none() {
        return Err(ApiError::field("bomFrom", "Choose the day to recalculate sales from."));
    }
    let was = before.map(|before| made_of(&before.bom)).unwrap_or_default();
    let lines = made_of(&after.bom);
    if was == lines && from.is_none() {
        return Ok(());
    }
    let inherited = match &after.variant_of {
        Some(item) if from.is_none() => bom::inherit(tx, &after.id, item, &lines).await?,
        _ => false,
    };
    if !inherited {
        bom::set(tx, &after.id, &lines, from.map_or(BomFrom::Now, BomFrom::Day)).await?;
    }
    if let (Some(day), true) = (from, recompute) {
        bom::recompute(tx, &after.id, day).await?;
    }
    match before {
        Some(_) if after.variant_of.is_none() => change_variants(tx, &was, after, options).await,
        _ => Ok(()),
    }
}

fn made_of(bom: &[BomLine]) -> Vec<(String, Factor)> {
    let mut lines: Vec<_> = bom.iter().map(|line| (line.root_product_id.clone(), line.multiplier)).collect();
    lines.sort();
    lines
}

/// Changes the variants that had the same bill of materials as their item in the same way, from the same day on.
async fn change_variants(
    tx: &mut Tx<'_>,
    was: &[(String, Factor)],
    after: &PosItem,
    options: &Map<String, Value>,
) -> Result<(), ApiError> {
    let variants: Vec<(String, i64, Bom)> = tx
        .sql("select id, revision, bom from pos_items where variant_of = $1 order by id")
        .bind(&after.id)
        .all()
        .await?;
    for (id, revision, bom) in variants {
        if made_of(&bom) != was {
            continue;
        }
        let mut patch = options.clone();
        patch.insert("bom".to_owned(), json!(after.bom));
        patch.insert("revision".to_owned(), json!(revision));
        update::<PosItem>(tx, &id, patch).await?;
    }
    Ok(())
}
