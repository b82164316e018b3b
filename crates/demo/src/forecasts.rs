//! Forecasts as of the last weeks' Mondays, and last night's, as data for the accuracy page and the service history.

use larder_domain::BusinessDay;
use larder_platform::calculations::Ask;

use super::demand::World;
use super::demo_actor::{DemoActor, moment};

/// Past Mondays with a forecast.
const MONDAYS: i32 = 4;

/// Runs the services, each as of its day.
pub async fn load(demo: &DemoActor<'_>, world: &World) -> anyhow::Result<()> {
    let today = world.last.plus(1);
    for week in (1..=MONDAYS).rev() {
        run(demo, "daily-moving-average", today.week().plus(-7 * week)).await?;
    }
    run(demo, "daily-sales-coverage", today).await?;
    run(demo, "advanced-forecast", today).await
}

async fn run(demo: &DemoActor<'_>, service: &str, day: BusinessDay) -> anyhow::Result<()> {
    let at = demo.not_later(moment(day, 2, 30));
    demo.state.calculations.start_at(demo.state, service, Ask::default(), at).await?;
    demo.state.jobs.drain(demo.state).await?;
    Ok(())
}
