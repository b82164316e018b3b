//! Fills a reading with what was read from its picture.

use larder_db::{Json, Tx};
use larder_domain::{BusinessDay, Money};

use super::judging::PictureRead;
use super::{Reading, Seen, store, write};
use crate::verified_readings::Tender;
use larder_platform::http::ApiResult;

/// Fills a reading that was not edited since with the values read from its picture. Unreliable values are
/// included and stay doubtful; nothing is verified. The till comes from the machine number.
///
/// # Errors
/// If the statement fails.
pub async fn put_seen(tx: &mut Tx<'_>, id: &str, read: &PictureRead) -> ApiResult<Option<Reading>> {
    let Some(mut reading) = store::hold(tx, id).await? else { return Ok(None) };
    if reading.state != "captured" {
        return Ok(Some(reading));
    }
    let before = reading.audit_snapshot();
    if let Some(till) = read.till.as_ref().filter(|_| reading.terminal_id.is_empty()) {
        reading.terminal_id.clone_from(&till.terminal_id);
    }
    fill(&mut reading, &read.seen, BusinessDay::of(tx.actor().at));
    "needsReview".clone_into(&mut reading.state);
    reading.read = Some(Json(read.seen.clone()));
    yield_counter(tx, &mut reading).await?;
    write::write(tx, before, &mut reading).await?;
    keep_votes(tx, id, read).await?;
    Ok(Some(reading))
}

/// Leaves out a counter that belongs to another reading; the reviewer sees both.
pub(super) async fn yield_counter(tx: &mut Tx<'_>, reading: &mut Reading) -> ApiResult<()> {
    if store::same_counter(tx, reading).await?.is_some() {
        reading.z_counter = None;
    }
    Ok(())
}

/// Keeps the votes of a reading's picture, instead of those of an earlier layout.
async fn keep_votes(tx: &mut Tx<'_>, reading_id: &str, read: &PictureRead) -> ApiResult<()> {
    let Some(votes) = &read.votes else {
        tx.sql("delete from z_reading_votes where reading_id = ").push_bind(reading_id).execute().await?;
        return Ok(());
    };
    tx.sql(
        "insert into z_reading_votes (reading_id, business_date, votes) values ($1, $2, $3)
         on conflict (reading_id) do update set business_date = excluded.business_date, votes = excluded.votes",
    )
    .bind(reading_id)
    .bind(read.day)
    .bind(Json(votes.clone()))
    .execute()
    .await?;
    Ok(())
}

/// Sets the figures that a picture shows; a figure that was not read becomes null.
pub(super) fn fill(reading: &mut Reading, seen: &Seen, today: BusinessDay) {
    let text = |field: &str| seen.value(field).map(str::to_owned);
    let count = |field: &str| seen.value(field).and_then(|value| value.parse::<i64>().ok());
    let money = |field: &str| seen.value(field).and_then(|value| Money::parse(value).ok());
    if let Some(day) = seen.value("date").and_then(|day| day.parse::<BusinessDay>().ok())
        && day <= today
    {
        reading.business_date = day;
    }
    (reading.tin, reading.min) = (text("tin"), text("min"));
    (reading.first_si, reading.last_si) = (text("beg"), text("end"));
    (reading.z_counter, reading.transactions) = (count("z"), count("tx"));
    (reading.previous_total, reading.present_total) = (money("old"), money("new"));
    (reading.gross, reading.net) = (money("gross"), money("net"));
    (reading.vatable, reading.vat) = (money("vatable"), money("vat"));
    (reading.exempt, reading.zero_rated) = (money("exempt"), money("zero"));
    (reading.senior, reading.pwd, reading.other_discount) = (money("sc"), money("pwd"), money("other"));
    (reading.voids, reading.returns) = (money("void"), money("refund"));
    reading.vat_adjustment = money("vadj");
    let tenders = [("cash", "cash", "Cash"), ("card", "card", "Card"), ("ewal", "eWallet", "E-wallet")];
    let tender = |(field, kind, label): (&str, &str, &str)| {
        Some(Tender { kind: kind.to_owned(), label: label.to_owned(), amount: money(field)? })
    };
    reading.tenders = Json(tenders.into_iter().filter_map(tender).collect());
}
