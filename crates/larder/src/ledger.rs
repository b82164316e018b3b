//! Verifies the stock ledger.

use larder_app as app;
use larder_db::Db;
use larder_ledgers::stock;

use crate::{Common, config};

/// Adds up all movements; fails when a balance or a product's quantity differs.
pub async fn verify(common: &Common) -> anyhow::Result<()> {
    let state = app::open(config::load(common)?).await?;
    let outcome = prove(&state.db).await;
    state.db.close().await;
    println!("{}", outcome?);
    Ok(())
}

/// The message for a valid ledger; for another one, its differences.
async fn prove(db: &Db) -> anyhow::Result<String> {
    let differences = stock::verify(db).await?;
    for stock::Difference { what, kept, counted } in differences.iter().take(50) {
        println!("{what}: stored {kept} millionths, recomputed {counted}");
    }
    anyhow::ensure!(differences.is_empty(), "{} sums of the stock ledger differ", differences.len());
    let movements: i64 = db.sql("select cast(count(*) as bigint) from stock_movements").scalar().await?;
    Ok(format!("All balances and quantities agree with the {movements} movements of the stock ledger."))
}

#[cfg(test)]
mod tests {
    use larder_db::DbError;
    use larder_db::testing::clock;
    use larder_domain::ledger::{DocumentType, Leg, Movement, Place, PlaceKind};
    use larder_domain::{BusinessDay, Qty};
    use larder_lists as lists;
    use larder_lists::catalog::{Commissary, Product};
    use larder_platform::Config;
    use serde_json::json;

    use super::*;
    use crate::admin;

    #[tokio::test]
    async fn changes_from_outside_are_found() {
        let folder = std::env::temp_dir().join(format!("larder-ledger-{}", std::process::id()));
        let state = app::open(Config {
            data_dir: folder.clone(),
            clock_shift_ms: clock::shift_ms(),
            ..Config::default()
        })
        .await
        .expect("it opens");
        let none = prove(&state.db).await.expect("nothing cannot be wrong");
        assert!(none.contains("the 0 movements"), "{none}");

        let actor = &admin::actor(&state);
        let (product, kitchen) = (&state.new_id(), &state.new_id());
        let movement = Movement {
            item: stock::product(product),
            place: Place { kind: PlaceKind::Commissary, id: kitchen.clone() },
            qty: Qty::parse("12.5").expect("a quantity"),
            unit_cost: None,
            line: 1,
            leg: Leg::Only,
            lot: None,
        };
        let posting = &stock::Posting {
            document: stock::Document::first(DocumentType::Adjustment, "first"),
            business_date: BusinessDay::of(state.now()),
            happened_at: None,
            reason: None,
            movements: std::slice::from_ref(&movement),
        };
        let posted = state.db.write(actor, async |tx| {
            lists::insert::<Product>(tx, product, json!({ "name": "Pandesal" })).await?;
            lists::insert::<Commissary>(tx, kitchen, json!({ "name": "Pasig kitchen" })).await?;
            stock::post(tx, posting).await
        });
        posted.await.expect("it is posted");
        let sound = prove(&state.db).await.expect("it agrees");
        assert!(sound.contains("the 1 movements"), "{sound}");

        let changed = state.db.write(actor, async |tx| {
            tx.sql("update stock_balances set qty = qty + 1").execute().await?;
            Ok::<_, DbError>(())
        });
        changed.await.expect("nothing keeps an operator from it");
        let wrong = prove(&state.db).await.expect_err("a balance and a quantity differ");
        assert_eq!(wrong.to_string(), "2 sums of the stock ledger differ");
        state.db.close().await;
        let _ = std::fs::remove_dir_all(&folder);
    }
}
