//! Reduces orders that exceed the store's storage, taking packs from the items with the longest cover.

use larder_domain::{BusinessDay, Qty};
use larder_planning::Refusal;
use larder_planning::replenish::storage::{Line, fit};

use super::super::queries::Store;
use super::line::{Choice, Need};
use super::{PlanContext, number, quantity};

/// Type of storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Limited by weight.
    Frozen,
    /// Limited by volume.
    Dry,
}

/// Removes what does not fit. Stock on hand at the time of delivery takes up storage first.
///
/// # Errors
/// Invalid figures.
pub fn keep_within(
    context: &PlanContext,
    store: &Store,
    needs: &mut [Need<'_>],
    arrives: impl Fn(&Need<'_>) -> BusinessDay,
    first: BusinessDay,
) -> Result<(), Refusal> {
    for (kind, room, unit) in
        [(Kind::Frozen, store.frozen_storage_kg, "kg"), (Kind::Dry, store.dry_storage_cbm, "m³")]
    {
        let Some(room) = room else { continue };
        let size = |choice: &Choice<'_>| size(context, kind, choice);
        let lying: f64 = needs
            .iter()
            .filter_map(|need| {
                let days = usize::try_from(arrives(need).0 - first.0).unwrap_or(0);
                // What cannot be used takes up storage too.
                let left = match need.ends(days).last() {
                    Some(left) => left.max(0.0) + number(need.position.unusable),
                    None => number(need.position.on_hand()).max(0.0),
                };
                Some(left * size(&need.from.first()?.choice))
            })
            .sum();
        let free = (number(room) - lying).max(0.0);
        let mut places = Vec::new();
        let mut lines = Vec::new();
        for (at, need) in needs.iter().enumerate() {
            let others = |nth: usize| -> f64 {
                need.from
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| *at != nth)
                    .map(|(_, part)| part.quantity())
                    .sum()
            };
            for (nth, part) in need.from.iter().enumerate().filter(|(_, part)| part.packs > 0) {
                places.push((at, nth));
                lines.push(Line {
                    id: &part.choice.product.id,
                    position: number(need.position.total()) + others(nth),
                    rate: need.rate(),
                    quantity: part.quantity(),
                    pack: number(part.choice.pack),
                    size: size(&part.choice),
                });
            }
        }
        let fitted = fit(&lines, free)?;
        for ((at, nth), off) in places.into_iter().zip(fitted.packs_off).filter(|(_, off)| *off > 0) {
            let part = &mut needs[at].from[nth];
            let off = i64::try_from(off).unwrap_or(0).min(part.packs);
            part.packs -= off;
            part.packs_off += off;
            part.free = Some((quantity(free), unit));
        }
    }
    Ok(())
}

/// Storage that one root unit of a product takes up.
fn size(context: &PlanContext, kind: Kind, choice: &Choice<'_>) -> f64 {
    let product = choice.product;
    let cold = product.storage_requirement_id.as_ref().is_some_and(|id| context.frozen.contains(id));
    let each: Option<Qty> = match kind {
        Kind::Frozen if cold => product.base_uom_weight,
        Kind::Dry if !cold => product.base_uom_volume,
        _ => None,
    };
    let factor = product.root_item_conversions.first().map_or(0, |part| part.factor.0) as f64 / 1e9;
    if factor > 0.0 { each.map_or(0.0, |each| number(each).max(0.0) / factor) } else { 0.0 }
}
