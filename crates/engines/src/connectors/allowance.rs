//! Limits on what a till's key or a feed may write unattended: recent days only, and a number of lines and
//! new names per hour, so that a leaked key or a faulty till cannot flood the ledgers or the list of names.

use std::collections::BTreeSet;

use axum::http::StatusCode;
use larder_domain::sales::{StoreDay, UNMAPPED};
use larder_domain::{BusinessDay, Span, plural};

use larder_ledgers::sales::numbers;
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult};

/// Days that tills, feeds and schedules may write; other days require a run started by hand.
#[must_use]
pub fn open_days(state: &AppState) -> Span {
    let today = BusinessDay::of(state.now());
    let back = i32::try_from(state.config.feed_days_back).unwrap_or(i32::MAX);
    Span { from: BusinessDay(today.0.saturating_sub(back)), to: today }
}

/// Whether a store day is in the open range.
#[must_use]
pub fn is_open(open: Span, day: &StoreDay) -> bool {
    (open.from.0..=open.to.0).contains(&day.day)
}

/// The message about store days outside the range; `None` if there are none.
#[must_use]
pub fn left_out(open: Span, days: &[StoreDay]) -> Option<String> {
    let others = || days.iter().filter(move |day| !is_open(open, day));
    let dates: BTreeSet<i32> = others().map(|day| day.day).collect();
    let (first, last) = (dates.first()?, dates.last()?);
    let lines: usize = others().map(|day| day.lines.len()).sum();
    let which = if first == last {
        BusinessDay(*first).display()
    } else {
        format!(
            "{} days from {} to {}",
            dates.len(),
            BusinessDay(*first).display(),
            BusinessDay(*last).display()
        )
    };
    Some(format!(
        "{} of {which} left out: tills and feeds write from {} to {}. Import older sales in the console.",
        plural(lines, "line", "lines"),
        open.from.display(),
        open.to.display()
    ))
}

/// Takes lines and new names from the hourly allowance of a key or feed.
///
/// # Errors
/// 422 for more than a whole hour's allowance, 429 if this hour's is used up.
pub async fn spend(state: &AppState, whose: &str, days: &[StoreDay]) -> ApiResult<()> {
    let lines: usize = days.iter().map(|day| day.lines.len()).sum();
    let unmapped: BTreeSet<&str> = days
        .iter()
        .flat_map(|day| &day.items)
        .map(|item| &*item.pos_item_id)
        .filter(|id| id.starts_with(UNMAPPED))
        .collect();
    let unmapped: Vec<&str> = unmapped.into_iter().collect();
    let known = if unmapped.is_empty() { 0 } else { numbers::count_of(&state.db, &unmapped).await? };
    let names = unmapped.len().saturating_sub(usize::try_from(known).unwrap_or(0));
    let config = &state.config;
    let shares =
        [("unknown names", names, config.feed_names_per_hour), ("lines", lines, config.feed_lines_per_hour)];
    for (what, wanted, share) in shares {
        if share > 0 && wanted > share as usize {
            let words = format!(
                "This delivery has {wanted} {what}; a till or feed may write {share} in an hour. Check its columns, or send \
                 it in parts."
            );
            return Err(ApiError::unprocessable("tooMany", words));
        }
    }
    let keys = shares.map(|(what, ..)| format!("{whose} {what}"));
    let asked: Vec<(&str, i64, i64)> = keys
        .iter()
        .zip(shares)
        .map(|(key, (_, wanted, share))| {
            (key.as_str(), i64::try_from(wanted).unwrap_or(i64::MAX), i64::from(share))
        })
        .collect();
    state.limits.take_of_hour(&asked, state.now()).map_err(|short| {
        let (what, _, share) = shares[short.at];
        let words = format!(
            "This till or feed wrote as many {what} as it may in an hour ({share}). Send this again in {}.",
            plural((short.wait_ms / 60_000) + 1, "minute", "minutes")
        );
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "tooMany", words)
    })
}
