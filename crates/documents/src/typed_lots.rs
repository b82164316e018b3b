//! Lots that documents name, and their expiry dates: a known lot has the one it is registered with.

use std::collections::{BTreeMap, BTreeSet};

use larder_db::{DbError, Tx};
use larder_domain::document::quantity;
use larder_domain::ledger::{DocumentType, Place};
use larder_domain::{BusinessDay, Factor, Qty};
use larder_ledgers::stock::lots;

use super::overrides::Failed;
use super::products;
use larder_platform::http::{ApiError, ApiResult, FieldError};

/// What a line takes of a lot at a place with a balance.
pub(super) struct TakenLot<'a> {
    pub line_id: &'a str,
    /// The field of its quantity.
    pub field: String,
    pub product_id: &'a str,
    pub lot: &'a str,
    pub base: Qty,
    /// Of its unit.
    pub factor: Factor,
    pub uom_code: &'a str,
}

/// The lines that take more of a lot than a place has of it and of stock without a lot, which gets the lot by being taken.
/// `balances` are those of the products.
///
/// # Errors
/// If the database fails.
pub(super) async fn short_of_lot(
    tx: &mut Tx<'_>,
    place: &Place,
    taken: &[TakenLot<'_>],
    balances: &BTreeMap<&str, Qty>,
) -> Result<Vec<Failed>, DbError> {
    let ids: BTreeSet<&str> = taken.iter().map(|one| one.product_id).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    let there = lots::all_at(tx, place, &ids).await?;
    let mut free: BTreeMap<&str, i64> = balances.iter().map(|(id, qty)| (*id, qty.0)).collect();
    let mut left: BTreeMap<(&str, &str), i64> = BTreeMap::new();
    for (product, lot, qty) in &there {
        *free.entry(product).or_default() -= qty.0;
        left.insert((product, lot), qty.0.max(0));
    }
    let mut short = Vec::new();
    for one in taken {
        let of_lot = left.entry((one.product_id, one.lot)).or_default();
        let free = free.entry(one.product_id).or_default();
        let most = of_lot.saturating_add((*free).max(0));
        if one.base.0 > most {
            let unit = quantity::in_units(Qty(most), one.factor);
            let words = format!("Only {unit} {} of lot {} on hand.", one.uom_code, one.lot);
            short.push((one.line_id.to_owned(), FieldError::new(one.field.clone(), words)));
        }
        let labelled = one.base.0.min(*of_lot);
        *of_lot -= labelled;
        *free = free.saturating_sub(one.base.0 - labelled);
    }
    Ok(short)
}

/// A lot that a line of a document names.
pub(super) struct TypedLot {
    /// The field of its expiry date.
    pub field: String,
    pub product_id: String,
    pub lot: String,
    /// As typed.
    pub expiry: Option<BusinessDay>,
}

/// Registers lots and returns their expiry dates: the registered one, else the typed one. The document that registered a
/// lot may correct its date.
///
/// # Errors
/// 422 if another date is registered, or for a new lot without one of a product with a shelf life.
pub(super) async fn register(
    tx: &mut Tx<'_>,
    typed: &[TypedLot],
    kind: DocumentType,
    document_id: &str,
) -> ApiResult<Vec<Option<BusinessDay>>> {
    if typed.is_empty() {
        return Ok(Vec::new());
    }
    let key = |one: &TypedLot| (one.product_id.clone(), one.lot.clone());
    let named: Vec<(String, String)> = typed.iter().map(key).collect();
    let known = lots::expiries(tx, &named).await?;
    let own = lots::registered_by(tx, kind, document_id).await?;
    let ids: Vec<&str> = typed.iter().map(|one| one.product_id.as_str()).collect();
    let found = products::by_id(tx, &ids).await?;
    let (mut expiries, mut wrong) = (Vec::with_capacity(typed.len()), Vec::new());
    for one in typed {
        let is_own = own.contains(&key(one));
        let lot = &one.lot;
        let expiry = match (known.get(&key(one)).copied(), one.expiry) {
            (Some(Some(known)), Some(typed)) if known != typed && !is_own => {
                let known = known.display();
                let words = format!("Lot {lot} is known to expire on {known}. Check the lot and the date.");
                wrong.push(FieldError::new(&one.field, words));
                None
            }
            (Some(known), typed) => typed.or(known),
            (None, Some(typed)) => Some(typed),
            (None, None) => {
                let product = found.get(&one.product_id);
                if product.is_some_and(|it| it.shelf_life.is_some_and(|days| days > 0)) {
                    wrong.push(FieldError::new(&one.field, format!("When does lot {lot} expire?")));
                }
                None
            }
        };
        expiries.push(expiry);
    }
    if !wrong.is_empty() {
        return Err(ApiError::invalid(wrong));
    }
    for (one, expiry) in typed.iter().zip(&expiries) {
        let lot = lots::Lot { code: one.lot.clone(), expiry: *expiry };
        lots::register(tx, &one.product_id, &lot, kind, document_id).await?;
    }
    Ok(expiries)
}
