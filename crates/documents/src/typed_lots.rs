//! Lots that documents name, and their expiry dates: a known lot has the one it is registered with.

use larder_db::Tx;
use larder_domain::BusinessDay;
use larder_domain::ledger::DocumentType;
use larder_ledgers::stock::lots;

use super::products;
use larder_platform::http::{ApiError, ApiResult, FieldError};

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
