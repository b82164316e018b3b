//! Services from the command line: run them now, show their results.

use larder_app as app;
use larder_domain::Timestamp;
use larder_domain::business_day::BUSINESS_UTC_OFFSET_HOURS;
use larder_platform::AppState;
use larder_platform::calculations::{Ask, Run, RunState};

use crate::{Common, config};

/// Last runs searched for one in progress.
const LOOKED_AT: i64 = 100;

/// Runs services to completion. A running server may do the work; this waits for it.
pub async fn run(common: &Common, services: &[String]) -> anyhow::Result<()> {
    let state = app::open(config::load(common)?).await?;
    let known: Vec<&str> = state.calculations.names().map(|(name, _)| name).collect();
    for name in services {
        anyhow::ensure!(
            known.contains(&name.as_str()),
            "there is no service «{name}»; there are {}",
            known.join(", ")
        );
    }
    let nightly: Vec<String> = state.calculations.nightly().map(str::to_owned).collect();
    let mut failed = 0;
    for name in if services.is_empty() { &nightly } else { services } {
        let id = started(&state, name).await?;
        let run = ended(&state, &id).await?;
        tell(&run);
        failed += usize::from(run.state != RunState::Done);
    }
    state.db.close().await;
    anyhow::ensure!(failed == 0, "{failed} of the services did not end well");
    Ok(())
}

/// Starts a run, or joins the one in progress.
async fn started(state: &AppState, name: &str) -> anyhow::Result<String> {
    let refused = match state.calculations.start(state, name, Ask::default()).await {
        Ok(id) => return Ok(id),
        Err(refused) => refused,
    };
    let open = |run: &Run| run.service == name && matches!(run.state, RunState::Queued | RunState::Running);
    match state.calculations.last_runs(state, LOOKED_AT).await?.into_iter().find(open) {
        Some(run) => {
            println!("{name} is under way since {}: going on with it.", clock(run.created_at));
            Ok(run.id)
        }
        None => Err(refused.into()),
    }
}

/// Processes queued jobs until a run has ended.
async fn ended(state: &AppState, id: &str) -> anyhow::Result<Run> {
    loop {
        state.jobs.drain(state).await?;
        let run = state.calculations.run(state, id).await?;
        if !matches!(run.state, RunState::Queued | RunState::Running) {
            return Ok(run);
        }
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
}

/// Lists services and runs.
pub async fn status(common: &Common, runs: i64) -> anyhow::Result<()> {
    let state = app::open(config::load(common)?).await?;
    let schedules = state.calculations.schedules(&state).await?;
    for (name, next) in schedules {
        let next = next.map_or_else(|| "by hand".to_owned(), |at| format!("next at {}", clock(at)));
        println!("{name:<32} {next}");
    }
    let last = state.calculations.last_runs(&state, runs).await?;
    state.db.close().await;
    println!();
    if last.is_empty() {
        println!("Nothing was run yet.");
    }
    last.iter().for_each(tell);
    Ok(())
}

fn tell(run: &Run) {
    let state = match run.state {
        RunState::Queued => "waits",
        RunState::Running => "runs",
        RunState::Done => "done",
        RunState::Failed => "failed",
        RunState::Cancelled => "stopped",
    };
    let took = run.duration_ms.map_or_else(String::new, |ms| format!(" in {:.1} s", ms as f64 / 1_000.0));
    println!("{} {} {state}{took}", clock(run.created_at), run.service);
    match (&run.outcome, &run.error) {
        (Some(outcome), _) => {
            println!("  {}", outcome.words);
            for figure in &outcome.figures {
                let unit = figure.unit.as_deref().map_or_else(String::new, |unit| match unit {
                    "%" => unit.to_owned(),
                    unit => format!(" {unit}"),
                });
                let before = figure.before.map_or_else(String::new, |it| format!(" (before: {})", plain(it)));
                println!("  {}: {}{unit}{before}", figure.label, plain(figure.value));
            }
            for failed in outcome.failed.iter().take(5) {
                println!("  {}: {}", failed.what, failed.why);
            }
        }
        (None, Some(why)) => println!("  {why}"),
        (None, None) if run.total > 0 => println!("  {} of {}: {}", run.done, run.total, run.message),
        (None, None) => {}
    }
}

/// With at most one decimal place.
fn plain(figure: f64) -> String {
    if figure.fract() == 0.0 { format!("{figure:.0}") } else { format!("{figure:.1}") }
}

/// A moment in business time: `2026-11-23 02:30`.
fn clock(at: Timestamp) -> String {
    let local = at.plus_seconds(BUSINESS_UTC_OFFSET_HOURS * 3_600).to_string();
    local.get(..16).map_or_else(|| local.clone(), |text| text.replace('T', " "))
}
