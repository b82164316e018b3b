//! Forecasts as of the last weeks' Mondays, and last night's, as data for the accuracy page and the service history.

use larder_domain::BusinessDay;
use larder_platform::services::Ask;

use super::author::{Author, moment};
use super::demand::World;

/// Past Mondays with a forecast.
const MONDAYS: i32 = 4;

/// Runs the services, each as of its day.
pub async fn load(author: &Author<'_>, world: &World) -> anyhow::Result<()> {
    let today = world.last.plus(1);
    for week in (1..=MONDAYS).rev() {
        run(author, "daily-moving-average", today.week().plus(-7 * week)).await?;
    }
    run(author, "daily-sales-coverage", today).await?;
    run(author, "advanced-forecast", today).await
}

async fn run(author: &Author<'_>, service: &str, day: BusinessDay) -> anyhow::Result<()> {
    let at = author.not_later(moment(day, 2, 30));
    author.state.services.start_at(author.state, service, Ask::default(), at).await?;
    author.state.jobs.drain(author.state).await?;
    Ok(())
}
