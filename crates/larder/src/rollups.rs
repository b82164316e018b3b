//! Verifies and repairs the sales rollups.

use larder_app as app;
use larder_ledgers::sales;

use crate::{Common, admin, config};

/// Recomputes everything; fails when a rollup differs from its lines.
pub async fn verify(common: &Common) -> anyhow::Result<()> {
    let state = app::open(config::load(common)?).await?;
    let differences = sales::verify(&state.db).await?;
    state.db.close().await;
    for difference in differences.iter().take(50) {
        let sales::Difference { table, key, stands, counted } = difference;
        println!("{table} {key}: stored {stands:?}, recomputed {counted:?} (quantity, gross, net, lines)");
    }
    anyhow::ensure!(
        differences.is_empty(),
        "{} rollups differ; `larder rollups rebuild` repairs them",
        differences.len()
    );
    println!("All rollups agree with the sales lines.");
    Ok(())
}

/// Recomputes everything and corrects the rollups.
pub async fn rebuild(common: &Common) -> anyhow::Result<()> {
    let state = app::open(config::load(common)?).await?;
    sales::rebuild(&state.db, &admin::actor(&state)).await?;
    state.db.close().await;
    println!("All rollups were recounted from the sales lines.");
    Ok(())
}
