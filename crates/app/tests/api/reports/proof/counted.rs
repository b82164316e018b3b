//! Actual use from counts over random weeks: every figure from counts, deliveries and sales by plain replay;
//! and the reports agree.

use larder_domain::BusinessDay;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use rstest::rstest;
use serde_json::{Value, json};

use super::world::centavos;
use crate::reports::root_item_movement::range;
use crate::stores::inventory::{Counted, Stage, make};
use crate::support::Engine;

const WEEKS: i32 = 7;
/// Centavos per kilo of rice.
const PRICE: i64 = 5_000;
const THOUSAND: i64 = 1_000;

/// A day's events in grams of rice; the count is the closing one, loose rice and sacks together.
#[derive(Debug, Clone, Copy, Default)]
struct Day {
    sold: i64,
    /// Whether there were sales.
    traded: bool,
    brought: i64,
    counted: Option<i64>,
}

/// The days from a Monday on.
struct Diary {
    first: i32,
    days: Vec<Day>,
}

/// Totals of a range of days.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stretch {
    opening: Option<i64>,
    brought: i64,
    sold: i64,
    closing: Option<i64>,
}

impl Stretch {
    fn actual(self) -> Option<i64> {
        Some(self.opening? + self.brought - self.closing?)
    }

    fn variance(self) -> Option<i64> {
        Some(self.sold - self.actual()?)
    }
}

impl Diary {
    fn day(&self, day: i32) -> Day {
        usize::try_from(day - self.first).ok().and_then(|at| self.days.get(at)).copied().unwrap_or_default()
    }

    fn last(&self) -> i32 {
        self.first + self.days.len() as i32 - 1
    }

    /// Closing stock of a day: its last count plus later movements.
    fn closing(&self, day: i32) -> Option<i64> {
        let counted = (self.first..=day).rev().find_map(|day| self.day(day).counted.map(|qty| (day, qty)));
        let (since, qty) = counted?;
        Some(qty + self.passed(since + 1, day))
    }

    /// Net movements.
    fn passed(&self, from: i32, to: i32) -> i64 {
        (from..=to).map(|day| self.day(day).brought - self.day(day).sold).sum()
    }

    fn stretch(&self, from: i32, to: i32) -> Stretch {
        let sum = |of: fn(Day) -> i64| (from..=to).map(|day| of(self.day(day))).sum();
        Stretch {
            opening: self.closing(from - 1),
            brought: sum(|day| day.brought),
            sold: sum(|day| day.sold),
            closing: self.closing(to),
        }
    }

    /// Difference between the last count of a range and the stock expected since the last count before the
    /// range, or the first one within it.
    fn variance(&self, from: i32, to: i32) -> Option<(i64, i64)> {
        let counts = |from: i32, to: i32| {
            (from..=to).filter_map(|day| self.day(day).counted.map(|qty| (day, qty))).collect::<Vec<_>>()
        };
        let base = counts(self.first, from - 1).last().copied().or(counts(from, to).first().copied())?;
        let last = counts(from, to).last().copied().filter(|(day, _)| *day > base.0)?;
        let expected = base.1 + self.passed(base.0 + 1, last.0);
        Some((last.1 - expected, (base.0 + 1..=last.0).map(|day| self.day(day).sold).sum()))
    }
}

async fn live(stage: &mut Stage, chance: &mut StdRng) -> Diary {
    let first = BusinessDay(stage.today()).week().0 - 7 * WEEKS;
    let mut diary = Diary { first, days: Vec::new() };
    for day in first..first + 7 * WEEKS {
        let mut lived = Day::default();
        if chance.random_bool(0.8) {
            (lived.traded, lived.sold) = (true, chance.random_range(0..9_000));
            stage.sell(day, lived.sold).await;
        }
        if chance.random_bool(0.3) {
            lived.brought = chance.random_range(1..20_000);
            stage.bring(day, lived.brought).await;
        }
        if chance.random_bool(0.5) {
            let (loose, sacks) = (chance.random_range(0..40_000), chance.random_range(0..8) * THOUSAND);
            stage.count(&stage.loose, Counted { day, closing: true, qty: loose }).await;
            stage.count(&stage.sack, Counted { day, closing: true, qty: sacks }).await;
            lived.counted = Some(loose + 5 * sacks);
        }
        diary.days.push(lived);
    }
    diary
}

/// Thousandths, if there is a figure.
fn grams(row: &Value, field: &str) -> Option<i64> {
    row[field].as_f64().map(|number| (number * 1_000.0).round() as i64)
}

/// Value in centavos, rounded half away from zero.
fn worth(grams: i64) -> i64 {
    let worth = grams * PRICE;
    (worth.abs() * 2 + THOUSAND) / (2 * THOUSAND) * worth.signum()
}

fn assert_stretch(row: &Value, stretch: Stretch, what: &str) {
    assert_eq!(
        (grams(row, "opening"), grams(row, "received"), grams(row, "theoreticalUse"), grams(row, "closing")),
        (stretch.opening, Some(stretch.brought), Some(stretch.sold), stretch.closing),
        "{what}: {row}"
    );
    assert_eq!(
        (grams(row, "actualUse"), grams(row, "variance")),
        (stretch.actual(), stretch.variance()),
        "{what}: {row}"
    );
    let value = row["varianceValue"].as_f64().map(|_| centavos(&row["varianceValue"]));
    assert_eq!(value, stretch.variance().map(worth), "{what}: {row}");
}

#[rstest]
#[tokio::test]
async fn every_figure_of_counted_stock_equals_a_replay(
    #[values(Engine::Sqlite, Engine::Postgres)] on: Engine,
) {
    let mut stage = Stage::build(on).await;
    let mut chance = StdRng::seed_from_u64(20_261_125);
    let diary = live(&mut stage, &mut chance).await;
    let ask = async |report: &str, from: i32, to: i32| {
        stage.admin.get(&format!("/api/reports/{report}?{}", range(from, to))).await.expect(200)
    };
    for _ in 0..14 {
        let from = diary.first + chance.random_range(0..7 * WEEKS - 1);
        let to = chance.random_range(from..=diary.last());
        let what = range(from, to);
        let stretch = diary.stretch(from, to);
        let moved = ask("root-item-movement-by-store", from, to).await;
        assert_stretch(&moved["items"][0], stretch, &format!("movement, {what}"));
        let compared = ask("count-variance", from, to).await;
        let row = &compared["items"][0];
        let found = diary.variance(from, to);
        assert_eq!(grams(row, "variance"), found.map(|it| it.0), "count variance, {what}: {compared}");
        if let Some((variance, used)) = found {
            assert_eq!(
                (grams(row, "used"), centavos(&row["varianceValue"])),
                (Some(used), worth(variance)),
                "count variance, {what}: {compared}"
            );
        }
        // A range between two closing counts is the same in both.
        if let (Some(_), Some(_)) = (diary.day(from - 1).counted, diary.day(to).counted) {
            assert_eq!(
                (&row["variance"], &row["varianceValue"], &row["counted"]),
                (
                    &moved["items"][0]["variance"],
                    &moved["items"][0]["varianceValue"],
                    &moved["items"][0]["closing"]
                ),
                "count variance and movement, {what}"
            );
        }
    }
    // A store without activity whose counts were still due.
    make(&stage.admin, "/api/stores/locations", json!({ "name": "Pasig", "code": "P" })).await;
    weeks(&stage, &diary).await;
}

/// Snapshots of whole weeks, and their reports.
async fn weeks(stage: &Stage, diary: &Diary) {
    let all: Vec<i32> = (0..WEEKS).map(|week| diary.first + 7 * week).collect();
    for monday in &all {
        let path = format!("/api/tools/root-item-weekly-snapshot/weeks/{}/make", BusinessDay(*monday));
        stage.admin.post(&path, &json!({})).await.expect(202);
        stage.app.drain().await;
    }
    let ask = async |report: &str, from: i32, to: i32| {
        stage.admin.get(&format!("/api/reports/{report}?{}", range(from, to))).await.expect(200)
    };
    for (from, to) in [(all[0], diary.last()), (all[1], all[3] + 6), (all[2] - 3, all[5] + 2)] {
        let what = range(from, to);
        let within: Vec<i32> =
            all.iter().copied().filter(|monday| *monday >= from && monday + 6 <= to).collect();
        // Thousandths: the value of a sum is rounded once.
        let mut variance = None;
        let mut sold = 0;
        for monday in &within {
            let stretch = diary.stretch(*monday, monday + 6);
            let kept = ask("root-item-weekly-snapshot", *monday, monday + 6).await;
            assert_stretch(&kept["items"][0], stretch, &format!("snapshot of {}", BusinessDay(*monday)));
            if let Some(found) = stretch.variance() {
                variance = Some(variance.unwrap_or(0) + found);
            }
            sold += stretch.sold;
        }
        let variance = variance.map(worth);
        let costs = [worth(sold), worth(sold) - variance.unwrap_or(0)];
        let food = ask("food-cost", from, to).await;
        let counted = &food["total"]["counted"];
        assert_eq!(
            [centavos(&counted["theoretical"]), centavos(&counted["actual"])],
            costs,
            "food cost and the weekly snapshots, {what}"
        );
        let traded = |day: &i32| diary.day(*day).traded;
        let days = within.iter().flat_map(|monday| *monday..monday + 7).filter(traded).count();
        assert_eq!(centavos(&counted["net"]), 100 * i64::try_from(days).expect("few"), "food cost, {what}");
        let score = ask("store-scorecard", from, to).await;
        let reply = &score["total"]["variance"];
        assert_eq!(
            (!reply.is_null()).then(|| centavos(reply)),
            variance,
            "the scorecard’s variance and the weekly snapshots, {what}"
        );
        if to - from < 62 {
            let compliance = ask("count-compliance", from, to).await;
            assert_eq!(
                score["total"]["countCompliance"], compliance["totals"]["share"],
                "the scorecard’s counts and count compliance, {what}"
            );
            let stores = |report: &Value, of: &str| report[of].as_array().expect("stores").len();
            assert_eq!(
                (stores(&score, "items"), stores(&compliance, "stores")),
                (2, 2),
                "everyone in the total has a row, {what}"
            );
        }
        built(stage, diary, (from, to), &within, &what).await;
    }
}

/// The same in the report builder.
async fn built(stage: &Stage, diary: &Diary, (from, to): (i32, i32), weeks: &[i32], what: &str) {
    let ask = async |dataset: &str, measures: &[&str], filters: Value| {
        let measures: Vec<Value> = measures.iter().map(|field| json!({ "field": field })).collect();
        let body = json!({
            "dataset": dataset, "measures": measures, "rows": ["store"], "filters": filters,
            "range": { "from": BusinessDay(from), "to": BusinessDay(to) },
        });
        let answer = stage.admin.post("/api/reports/custom/preview", &body).await.expect(200);
        answer["answer"]["rows"][0]["total"].clone()
    };
    let figures = ["received", "theoreticalUse", "actualUse", "variance"];
    let reply = ask("snapshots", &figures, json!([])).await;
    let whole: Vec<i32> = (0..WEEKS).map(|week| diary.first + 7 * week).collect();
    // The builder's date of a week is its Monday.
    let of_range: Vec<Stretch> = whole
        .iter()
        .filter(|monday| (from..=to).contains(*monday))
        .map(|monday| diary.stretch(*monday, monday + 6))
        .collect();
    assert!(of_range.len() >= weeks.len());
    let sum = |of: fn(&Stretch) -> Option<i64>| of_range.iter().filter_map(of).sum::<i64>();
    let expected = [
        sum(|week| Some(week.brought)),
        sum(|week| Some(week.sold)),
        sum(|week| week.actual()),
        sum(|week| week.variance()),
    ];
    let seen: Vec<i64> =
        (0..4).map(|at| (reply[at].as_f64().expect("a sum") * 1_000.0).round() as i64).collect();
    assert_eq!(seen, expected, "builder: weekly snapshots, {what}");
    let places = json!([{ "field": "place", "op": "is", "values": ["store"] }]);
    let came = ask("movements", &["in"], places).await;
    let came = came[0].as_f64().map_or(0, |qty| (qty * 1_000.0).round() as i64);
    assert_eq!(came, diary.stretch(from, to).brought, "builder: movements in, {what}");
    let counts = ask("counts", &["counts"], json!([])).await;
    let days = (from..=to).filter(|day| diary.day(*day).counted.is_some()).count();
    assert_eq!(
        counts[0].as_i64().unwrap_or(0),
        2 * i64::try_from(days).expect("few"),
        "builder: counts, {what}"
    );
}
