//! Weight and volume of a delivery against the store's storage.

use super::*;
use crate::products;

/// Sets weight, volume and warnings from the quantities to send.
pub(super) async fn weigh<D: Shipment>(tx: &mut Tx<'_>, doc: &mut Doc<D>) -> ApiResult<()> {
    let ids: BTreeSet<&str> = doc.lines.iter().map(|line| line.product_id.as_str()).collect();
    let known = products::by_id(tx, &ids.into_iter().collect::<Vec<_>>()).await?;
    let frozen = frozen(tx).await?;
    let (mut kg, mut cbm, mut frozen_kg, mut dry_cbm) = (0_i64, 0_i64, 0_i64, 0_i64);
    for line in &doc.lines {
        let Some(product) = known.get(&line.product_id) else { continue };
        let qty = line.picked.unwrap_or(line.ordered);
        let base = quantity::base(qty, line.factor).unwrap_or_default();
        let times = |each: Option<Qty>| {
            let product = i128::from(base.0) * i128::from(each.unwrap_or_default().0) / 1_000_000;
            i64::try_from(product).unwrap_or(i64::MAX)
        };
        let (weighs, room) = (times(product.base_uom_weight), times(product.base_uom_volume));
        (kg, cbm) = (kg.saturating_add(weighs), cbm.saturating_add(room));
        let cold = product.storage_requirement_id.as_ref().is_some_and(|id| frozen.contains(id));
        if cold {
            frozen_kg = frozen_kg.saturating_add(weighs);
        } else {
            dry_cbm = dry_cbm.saturating_add(room);
        }
    }
    let most = Qty(larder_domain::quantity::MOST - 1);
    doc.details.load_kg = Some(Qty(kg).min(most));
    doc.details.load_cbm = Some(Qty(cbm).min(most));
    let store: Option<(String, Option<Qty>, Option<Qty>)> = tx
        .sql("select name, frozen_storage_kg, dry_storage_cbm from locations where id = $1")
        .bind(doc.head.store_id.as_deref())
        .optional()
        .await?;
    let mut warnings = Vec::new();
    if let Some((name, room_kg, room_cbm)) = store {
        if let Some(room) = room_kg.filter(|room| frozen_kg > room.0) {
            warnings.push(format!(
                "{} kg of frozen goods; {name} has room for {room} kg.",
                Qty(frozen_kg).min(most)
            ));
        }
        if let Some(room) = room_cbm.filter(|room| dry_cbm > room.0) {
            warnings
                .push(format!("{} m³ of dry goods; {name} has room for {room} m³.", Qty(dry_cbm).min(most)));
        }
    }
    doc.details.warnings = warnings;
    Ok(())
}

/// Names of storage requirements that need a freezer.
async fn frozen(tx: &mut Tx<'_>) -> ApiResult<BTreeSet<String>> {
    let found: Vec<(String,)> = tx
        .sql("select id from storage_requirements where name_key like '%frozen%' or name_key like '%freez%'")
        .all()
        .await?;
    Ok(found.into_iter().map(|(id,)| id).collect())
}
