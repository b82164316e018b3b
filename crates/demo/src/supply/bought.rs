//! Goods that some stores buy from suppliers themselves: their receipts have prices, which change and are then proposed for
//! the root items. Head office accepts most of them the next morning.

use larder_db::Reader;
use larder_ledgers::prices;
use larder_ledgers::prices::proposals::{self, Decision};
use larder_ledgers::prices::{NewPrice, Source};

use super::*;
use crate::prices::change_record;

/// Stores that buy goods themselves, and the number of root items of each.
const BUYERS: usize = 2;
const ITEMS_EACH: usize = 2;
/// Packs of fewer root units would not tell a price to the centavo.
const LEAST_IN_PACK: f64 = 2.0;
/// The price changes of each bought root item.
const CHANGES: [&[PriceChange]; BUYERS * ITEMS_EACH] = [
    &[change(38, 107, true), change(16, 105, true)],
    &[change(27, 94, true), change(6, 109, false)],
    &[change(12, 104, true)],
    &[change(33, 103, true), change(6, 112, false)],
];

#[derive(Debug, Clone, Copy)]
struct PriceChange {
    /// Days before the last one.
    days_ago: i32,
    percent: i64,
    /// Whether head office has accepted it.
    accepted: bool,
}

const fn change(days_ago: i32, percent: i64, accepted: bool) -> PriceChange {
    PriceChange { days_ago, percent, accepted }
}

/// A root item that a store buys.
pub(super) struct Bought {
    store: String,
    supplier: String,
    /// Of a root unit before the changes.
    price: Money,
    changes: &'static [PriceChange],
}

impl Bought {
    /// The price of a root unit on a day, and whether head office accepts it.
    fn on(&self, day: BusinessDay, last: BusinessDay) -> (Money, bool) {
        let until = self.changes.iter().filter(|change| last.plus(-change.days_ago) <= day);
        until.fold((self.price, true), |(price, _), change| {
            (Money((price.0 * change.percent + 50) / 100), change.accepted)
        })
    }
}

impl Supply {
    /// Lets a store buy what it uses most, if it is one of the first.
    pub async fn buys(
        &mut self,
        demo: &DemoActor<'_>,
        store: &str,
        usual: &[(String, f64)],
    ) -> Result<(), ApiError> {
        let (db, at) = (&demo.state.db, self.bought.len());
        if at >= CHANGES.len() || !self.open.contains(store) {
            return Ok(());
        }
        let roots: Vec<&str> = usual.iter().map(|(root, _)| root.as_str()).collect();
        let known = prices::of(&mut Reader::Db(db), &roots).await?;
        let suppliers: Vec<(String,)> =
            db.sql("select id from suppliers order by name_key, id").all().await?;
        let Some((supplier,)) = suppliers.get(at * 3 % suppliers.len().max(1)) else { return Ok(()) };
        let fits = |root: &&str| {
            let in_pack = self.brings.get(*root).map_or(0.0, |brings| brings.in_root);
            in_pack >= LEAST_IN_PACK && !self.bought.contains_key(*root)
        };
        let priced =
            roots.into_iter().filter(fits).filter_map(|root| Some((root, known.on(root, self.last)?)));
        let chosen: Vec<(&str, Money)> = priced.take(ITEMS_EACH).collect();
        for ((root, price), changes) in chosen.into_iter().zip(&CHANGES[at..]) {
            let (store, supplier) = (store.to_owned(), supplier.clone());
            self.bought.insert(root.to_owned(), Bought { store, supplier, price, changes });
        }
        Ok(())
    }

    /// Whether a store buys a root item itself.
    pub(super) fn is_bought(&self, store: &str, root: &str) -> bool {
        self.bought.get(root).is_some_and(|bought| bought.store == store)
    }

    /// Receives packs of root items that a store buys; returns the quantities, in root units.
    pub(super) async fn buy(
        &self,
        demo: &DemoActor<'_>,
        store: &str,
        day: BusinessDay,
        lines: &[(String, i64)],
    ) -> Result<BTreeMap<String, f64>, ApiError> {
        let (mut came, mut sent, mut accepted) = (BTreeMap::new(), Vec::new(), BTreeSet::new());
        let mut supplier = None;
        for (root, packs) in lines {
            let (Some(brings), Some(bought)) = (self.brings.get(root), self.bought.get(root)) else {
                continue;
            };
            let (price, is_accepted) = bought.on(day, self.last);
            let in_base = brings.product.root_item_conversions.first().map(|part| part.factor);
            let in_pack = Qty(1_000_000).scaled(brings.unit.factor).zip(in_base);
            let unit_price = in_pack.and_then(|(base, in_base)| base.scaled(in_base)?.times(price));
            sent.push(json!({
                "productId": brings.product.id, "uomId": brings.unit.uom_id, "received": packs, "unitPrice": unit_price,
            }));
            came.insert(root.clone(), brings.in_root * f64::from(i32::try_from(*packs).unwrap_or(0)));
            if is_accepted {
                accepted.insert(root.as_str());
            }
            supplier = Some(bought.supplier.as_str());
        }
        if sent.is_empty() {
            return Ok(came);
        }
        let work = self.work(demo);
        let at = moment(day, 9, 35);
        let draft = typed::<ReceiptDraft>(json!({
            "storeId": store, "sourceType": "supplier", "sourceId": supplier, "businessDate": day, "lines": sent,
            "signatureName": "Ana Dela Cruz",
        }))?;
        let receipt: Doc<Receipt> = work.create(MANAGER, at, draft).await?;
        let happened = json!({ "happenedAt": at.min(work.last) });
        let receipt = work.step(MANAGER, at.plus_seconds(600), &receipt, "post", happened).await?;
        let next = moment(day.plus(1), 10, 5);
        if next <= work.last {
            work.step(HEAD_OFFICE, next, &receipt, "reconcile", Value::Null).await?;
        }
        self.accept(&work, &receipt.head.id, &accepted, next).await?;
        Ok(came)
    }

    /// Head office accepts the prices that a receipt proposes for these root items.
    async fn accept(
        &self,
        work: &Work<'_, '_>,
        receipt: &str,
        roots: &BTreeSet<&str>,
        at: Timestamp,
    ) -> Result<(), ApiError> {
        let db = &work.demo.state.db;
        let (open, _) = proposals::in_state(db, "open", &StoreScope::All, (1_000, 0)).await?;
        let of_receipt =
            |it: &&proposals::Proposal| it.receipt_id == receipt && roots.contains(it.root_item_id.as_str());
        let actor = work.demo.actor(HEAD_OFFICE, at.min(work.last));
        for proposal in open.iter().filter(of_receipt) {
            db.write(&actor, async |tx| {
                proposals::decide(tx, proposal, Decision::Accepted(proposal.on_date)).await?;
                let new = NewPrice {
                    root_item_id: &proposal.root_item_id,
                    from: proposal.on_date,
                    price: Some(proposal.price),
                    source: Source::Receipt,
                    receipt_id: Some(receipt),
                    reason: None,
                };
                prices::set(tx, &new, None).await?;
                change_record(tx, &proposal.root_item_id, proposal.price).await
            })
            .await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_follows_its_changes() {
        let bought = Bought {
            store: String::new(),
            supplier: String::new(),
            price: Money(1_000),
            changes: CHANGES[1],
        };
        let last = BusinessDay(100);
        let on = |days_ago: i32| bought.on(last.plus(-days_ago), last);
        assert_eq!((on(28), on(27)), ((Money(1_000), true), (Money(940), true)));
        assert_eq!((on(7), on(6)), ((Money(940), true), (Money(1_025), false)));
    }
}
