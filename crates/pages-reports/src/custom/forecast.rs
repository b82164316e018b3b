//! Forecasts as facts: for each day, the latest run made before it, with the actual use.

use std::collections::{BTreeMap, HashMap};
use std::pin::pin;

use futures::TryStreamExt;
use larder_domain::sales::rollup::Grain;
use larder_domain::span::Run;
use larder_domain::{BusinessDay, Span};

use super::keys::{FIGURES, Fact, OWN, Texts};
use super::load::Takes;
use super::plan::Plan;
use super::queries::{self, expression};
use larder_ledgers::forecasts::packed::Ahead;
use larder_ledgers::sales::{numbers, sums};
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Forecast and use, in millionths.
type Pair = (Option<i64>, i64);

/// Reads them.
///
/// # Errors
/// When the database does not answer; errors of the consumer.
pub async fn read(
    state: &AppState,
    plan: &Plan,
    texts: &mut Texts,
    span: Span,
    stores: &[String],
    takes: &mut impl Takes,
) -> ApiResult<()> {
    let db = &state.db;
    // In order, so that units and rows do not change places from run to run.
    let mut pairs: BTreeMap<(u32, u32, i32), Pair> = BTreeMap::new();
    let runs = queries::forecast_runs(db, span).await?;
    for (at, run) in runs.iter().enumerate() {
        let end = runs.get(at + 1).map_or(span.to, |next| next.first_day.plus(-1)).min(span.to);
        let mut rows = pin!(queries::forecast_series(db, &run.run_id, stores));
        while let Some((store, item, packed)) = rows.try_next().await? {
            let (store, item) = (texts.stores.of(&store), texts.items.of(&item));
            for (ahead, said) in (0i32..).zip(Ahead::unpack(&packed)?.forecast) {
                let day = run.first_day.plus(ahead);
                if day >= span.from && day <= end {
                    pairs.entry((store, item, day.0)).or_default().0 = Some(millionths(said));
                }
            }
        }
    }
    let past = Span { from: span.from, to: span.to.min(plan.today.plus(-1)) };
    if past.from <= past.to {
        let ids = numbers::all(db).await?;
        let items: HashMap<u32, u32> = ids.iter().map(|(number, id)| (*number, texts.items.of(id))).collect();
        let places: HashMap<&str, u32> = stores.iter().map(|id| (id.as_str(), texts.stores.of(id))).collect();
        let run = Run { grain: Grain::Day, first: past.from, last: past.to };
        let seen = |store: &str, day: BusinessDay, item: u32, [qty]: [i64; 1]| {
            if let (Some(item), Some(store)) = (items.get(&item), places.get(store)) {
                pairs.entry((*store, *item, day.0)).or_default().1 += qty;
            }
        };
        sums::each(db, sums::ROOT, &[run], stores, seen).await?;
    }
    let (unit, own) = (texts.units.of(""), std::array::from_fn::<u32, OWN, _>(|at| texts.own[at].of("")));
    for ((store, item, day), (said, used)) in pairs {
        let both = said.filter(|_| day < plan.today.0).map(|said| said - used);
        let mut fact = Fact { day, store, item, unit, own, figures: [0; FIGURES] };
        for (place, field) in fact.figures.iter_mut().zip(&plan.figures) {
            *place = match expression(field) {
                "forecast" => said.unwrap_or_default(),
                "actual" => used,
                "difference" => both.unwrap_or_default(),
                _ => both.unwrap_or_default().abs(),
            };
        }
        takes(&fact, texts)?;
    }
    Ok(())
}

#[expect(clippy::cast_possible_truncation, reason = "a forecast never exceeds nine billion")]
fn millionths(said: f64) -> i64 {
    if said.is_finite() { (said * 1_000_000.0).round() as i64 } else { 0 }
}
