//! Barcodes of products: several of one product, each with the unit that it is printed on.

use std::collections::HashSet;

use larder_db::{Json, Tx};
use larder_domain::sales::names::spoiled;
use larder_domain::{barcode, units};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::{PartialSchema, ToSchema};

use super::Product;
use super::items::{id, read_items, repeated};
use crate::engine::Part::{Member, Says};
use crate::engine::{self, FieldType, Found, Items, Kind, MovedUses};
use larder_ledgers::barcodes::{self, Coded};
use larder_platform::http::error::{ApiError, FieldError};
use larder_platform::http::text::has_unseen;

/// The longest barcode, in characters.
const MAX_CODE: usize = 100;

/// A code that stands for one of a unit of a product, as scanners read it from the pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Barcode {
    /// The id the line was sent with.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub id: Option<String>,
    /// At most 100 characters; one product of the group has it.
    pub code: String,
    /// The unit that it is printed on, one of the product's.
    pub uom_id: String,
}

/// The barcodes of a product, as stored.
pub type Barcodes = Json<Vec<Barcode>>;
impl FieldType for Barcodes {
    const KIND: Kind = Kind::Items(&Items {
        refs: &[("uomId", "uoms")],
        schema: Barcode::schema,
        line: &[Member("code"), Says(" = "), Member("uomId")],
        read: read_barcodes,
    });
    const REQUIRED: bool = false;
}

/// A barcode stands for a unit that the product has.
pub(super) fn check_barcodes(barcodes: &[Barcode], used: &units::Used<'_>, wrong: &mut Vec<FieldError>) {
    let ids = [used.base, used.selling].into_iter().flatten().chain(used.others.iter().copied());
    let known: HashSet<&str> =
        ids.chain(used.conversions.iter().flat_map(|line| [line.from, line.to])).collect();
    for (i, line) in barcodes.iter().enumerate().filter(|(_, line)| !known.contains(line.uom_id.as_str())) {
        let words = format!("The product does not have the unit of {}. Add the unit first.", line.code);
        wrong.push(FieldError::new(format!("barcodes.{i}.uomId"), words));
    }
}

/// Stores the barcodes of a saved product where a code names one product.
pub(super) async fn keep_barcodes(
    tx: &mut Tx<'_>,
    before: Option<&Product>,
    after: &Product,
) -> Result<(), ApiError> {
    let coded = |product: &Product| -> Vec<Coded> {
        let lines = product.barcodes.iter();
        lines.map(|line| Coded { code: line.code.clone(), uom_id: line.uom_id.clone() }).collect()
    };
    let (earlier, now) = (before.map(coded).unwrap_or_default(), coded(after));
    if earlier == now {
        return Ok(());
    }
    let Some(taken) = barcodes::replace(tx, &after.id, &now).await? else { return Ok(()) };
    let code = &now[taken.at].code;
    let message = format!("«{}» has the barcode {code} already. Remove it there first.", taken.product);
    let mut refusal = ApiError::conflict("duplicate", message.clone());
    refusal.fields.push(FieldError::new(format!("barcodes.{}.code", taken.at), message));
    Err(refusal)
}

/// Moves the barcodes of a product that is merged to the one that stays.
pub(super) async fn move_barcodes(
    tx: &mut Tx<'_>,
    id: &str,
    into: &str,
) -> Result<Option<MovedUses>, ApiError> {
    let going: Product = engine::get_in(tx, id).await?.ok_or_else(|| ApiError::not_found("product"))?;
    if going.barcodes.is_empty() {
        return Ok(None);
    }
    let staying: Product = engine::get_in(tx, into).await?.ok_or_else(|| ApiError::not_found("product"))?;
    let known = units_of(&staying);
    if let Some(line) = going.barcodes.iter().find(|line| !known.contains(line.uom_id.as_str())) {
        let words = format!(
            "«{}» does not have the unit of the barcode {}. Add the unit there, or remove the barcode here.",
            staying.name, line.code
        );
        return Err(ApiError::field("into", words));
    }
    let all: Vec<&Barcode> = staying.barcodes.iter().chain(going.barcodes.iter()).collect();
    // The code is free only once its product has lost it.
    for (product, lines) in [(&going, json!([])), (&staying, json!(all))] {
        let patch = Map::from_iter([
            ("barcodes".to_owned(), lines),
            ("revision".to_owned(), json!(product.stamp.revision)),
        ]);
        engine::update::<Product>(tx, &product.id, patch).await?;
    }
    let count = i64::try_from(going.barcodes.len()).unwrap_or(i64::MAX);
    Ok(Some(MovedUses { kind: "product", label: "barcodes", count }))
}

/// Ids of all units that a product is handled in or converted by.
fn units_of(product: &Product) -> HashSet<&str> {
    let ids = [product.base_uom_id.as_deref(), product.default_selling_uom_id.as_deref()];
    let others = product.other_uoms.iter().map(|other| other.uom_id.as_str());
    let converted =
        product.conversions.iter().flat_map(|line| [line.from_uom_id.as_str(), line.to_uom_id.as_str()]);
    ids.into_iter().flatten().chain(others).chain(converted).collect()
}

fn read_barcodes(value: &Value) -> Result<Value, Found> {
    let mut seen = HashSet::new();
    read_items(value, "barcodes", |row, _| {
        let code = read_code(row).and_then(|code| {
            let taken = repeated(&mut seen, &barcode::key(&code));
            if taken {
                Err(("code".to_owned(), "This barcode is listed already.".to_owned()))
            } else {
                Ok(code)
            }
        });
        match (code, id(row, "uomId", "Choose a unit.")) {
            (Ok(code), Ok(uom)) => Ok(Some(json!({ "code": code, "uomId": uom }))),
            (code, uom) => Err([code.err(), uom.err()].into_iter().flatten().collect()),
        }
    })
}

/// A code of one line that a scanner can have read.
fn read_code(row: &Map<String, Value>) -> Result<String, (String, String)> {
    let text = row.get("code").and_then(Value::as_str).map(str::trim).unwrap_or_default();
    let words = match text {
        "" => "Enter a barcode.",
        _ if text.chars().count() > MAX_CODE || has_unseen(text) => "Use at most 100 visible characters.",
        _ if spoiled(text.as_bytes()) => {
            "A spreadsheet changed this code. Enter it again, in a column formatted as text."
        }
        _ => return Ok(text.to_owned()),
    };
    Err(("code".to_owned(), words.to_owned()))
}
