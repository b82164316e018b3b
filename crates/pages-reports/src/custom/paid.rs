//! Tenders as facts: from receipts to the bank, by the rules of the tender report.

use larder_domain::tender::{Kind, PairState, last_difference};
use larder_domain::{BusinessDay, Money, Span};

use super::datasets::tenders::{KIND, LABEL, SOURCE};
use super::fields::Field;
use super::keys::{FIGURES, Fact, OWN, Texts};
use super::load::Takes;
use super::plan::Plan;
use larder_ledgers::paid;
use larder_ledgers::paid::{Line, PosTender, Types};
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Number of days kept in memory at once. Readings around them are read too, so fewer would read more.
const AT_ONCE: i32 = 92;

fn is_of_days(field: &Field) -> bool {
    !matches!(field.key, "amount" | "payments")
}

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
    let types = Types::read(db).await?;
    let today = BusinessDay::of(state.now());
    let (of_days, of_receipts): (Vec<&Field>, Vec<&Field>) =
        plan.figures.iter().partition(|field| is_of_days(field));
    let mut from = span.from;
    while from <= span.to {
        let part = Span { from, to: from.plus(AT_ONCE - 1).min(span.to) };
        from = part.to.plus(1);
        if !of_receipts.is_empty() {
            for one in paid::pos_counted(db, &types, stores, part).await? {
                let at = (one.store_id.as_str(), one.business_date, types.kind(&one.label));
                let mut fact = fact(plan, texts, at, (&one.label, &one.source));
                fill(plan, &mut fact, |key| of_receipt(key, &one));
                takes(&fact, texts)?;
            }
        }
        if !of_days.is_empty() {
            for ((store, day, kind), line) in paid::days(db, &types, stores, part, today).await? {
                let mut fact = fact(plan, texts, (&store, day, kind), ("", ""));
                fill(plan, &mut fact, |key| of_day(key, kind, &line));
                takes(&fact, texts)?;
            }
        }
    }
    Ok(())
}

/// A fact without figures.
fn fact(
    plan: &Plan,
    texts: &mut Texts,
    (store, day, kind): (&str, BusinessDay, Kind),
    (label, source): (&str, &str),
) -> Fact {
    let word = |at: usize| match plan.own.get(at).copied() {
        Some(KIND) => kind.as_str(),
        Some(LABEL) => label,
        Some(SOURCE) => source,
        _ => "",
    };
    Fact {
        day: day.0,
        store: texts.stores.of(store),
        item: texts.items.of(""),
        unit: texts.units.of(""),
        own: std::array::from_fn::<u32, OWN, _>(|at| texts.own[at].of(word(at))),
        figures: [0; FIGURES],
    }
}

fn fill(plan: &Plan, fact: &mut Fact, figure: impl Fn(&str) -> i64) {
    for (place, field) in fact.figures.iter_mut().zip(&plan.figures) {
        *place = figure(field.key);
    }
}

fn of_receipt(key: &str, one: &PosTender) -> i64 {
    match key {
        "amount" => one.amount.0,
        "payments" => one.receipts,
        _ => 0,
    }
}

/// A figure of a store's day and tender type; missing values add nothing.
fn of_day(key: &str, kind: Kind, line: &Line) -> i64 {
    let figures = &line.cell.figures;
    let amount = |amount: Option<Money>| amount.unwrap_or_default().0;
    match key {
        "pos" => amount(figures.pos),
        "z" => amount(figures.z),
        "declared" => amount(figures.declared),
        "deposited" => amount(figures.deposited),
        "settled" => amount(figures.settled),
        "fee" => amount(figures.fee),
        "expectedFee" => amount(line.cell.expected_fee),
        "variance" => amount(last_difference(&line.pairs)),
        "differs" => i64::from(line.pairs.iter().any(|pair| pair.state == PairState::Differs)),
        "missing" => amount(line.missing),
        "missingDays" => i64::from(line.missing.is_some()),
        "undeclared" => i64::from(kind == Kind::Cash && line.is_undeclared()),
        _ => 0,
    }
}
