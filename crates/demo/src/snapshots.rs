//! The weekly snapshots of the last weeks; accounting has frozen the older ones.

use std::sync::Arc;

use larder_domain::Span;
use larder_ledgers::snapshots;
use larder_platform::http::ApiError;

use super::demand::World;
use super::demo_actor::{DemoActor, moment};

/// Number of weeks.
const WEEKS: i32 = 4;
/// The newest of them, still open.
const OPEN: i32 = 2;
/// The responsible user.
const ACCOUNTANT: usize = 1;

/// Creates the snapshots as of Monday mornings.
pub async fn load(demo: &DemoActor<'_>, world: &World, stores: &[Arc<str>]) -> Result<(), ApiError> {
    let this = world.last.plus(1).week();
    let weeks = (1..=WEEKS).rev().map(|ago| this.plus(-7 * ago)).filter(|monday| *monday >= world.first);
    let weeks: Vec<Span> = weeks.map(|from| Span { from, to: from.plus(6) }).collect();
    let db = &demo.state.db;
    for store in stores {
        let movements = snapshots::of_store(db, store, &weeks).await?;
        for (at, week) in weeks.iter().enumerate() {
            let rows = &snapshots::rows_of(&movements, at);
            let actor = demo.actor(ACCOUNTANT, moment(week.to.plus(1), 4, 0));
            db.write(&actor, async |tx| snapshots::make(tx, week.from, store, rows).await).await?;
        }
    }
    for week in weeks.iter().filter(|week| week.from <= this.plus(-7 * (OPEN + 1))) {
        let actor = demo.actor(ACCOUNTANT, moment(week.to.plus(2), 10, 20));
        db.write(&actor, async |tx| snapshots::freeze(tx, week.from).await).await?;
    }
    Ok(())
}
