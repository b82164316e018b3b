//! Whether a posting may be dated in the past: the one place that checks frozen weeks before posting.

use larder_db::Tx;
use larder_domain::backdating::{Known, Verdict};
use larder_domain::{Action, BusinessDay, Permission};
use serde_json::json;

use larder_platform::http::text::said;
use larder_platform::http::{ApiError, ApiResult, FieldError, Who};

/// The date of a posting, and whether the limit is overridden.
#[derive(Debug, Clone, Copy)]
pub struct PostingDate<'a> {
    pub day: BusinessDay,
    /// The field errors refer to.
    pub field: &'a str,
    /// The page whose override permission is required.
    pub page: &'static str,
    /// Whether the limit is to be overridden.
    pub overridden: bool,
    pub reason: Option<&'a str>,
}

/// Refuses a future date, one in a frozen week, and one further back than the limit without an override by
/// permission and reason. Returns the reason if an override was needed.
///
/// # Errors
/// 422 `backdated` if an override would help, 409 `frozenWeek` if a snapshot has to be reopened, 422 and 403
/// otherwise.
pub async fn check<'a>(tx: &mut Tx<'_>, who: &Who, posting: PostingDate<'a>) -> ApiResult<Option<&'a str>> {
    let verdict = verdict(tx, BusinessDay::of(who.at), posting.day).await?;
    answer(who, posting, verdict)
}

fn answer<'a>(who: &Who, posting: PostingDate<'a>, verdict: Verdict) -> ApiResult<Option<&'a str>> {
    let field = |words: &str| vec![FieldError::new(posting.field, words)];
    match verdict {
        Verdict::Open => Ok(None),
        Verdict::Ahead => Err(ApiError::field(posting.field, "Choose today or a day before it.")),
        Verdict::Frozen(week) => {
            let words = format!(
                "The week of {} is frozen. Choose a later day, or have its snapshot reopened first (Tools, Root item weekly snapshot).",
                week.display()
            );
            Err(ApiError::conflict("frozenWeek", words.clone()).at(field(&words)).with("week", json!(week)))
        }
        Verdict::NeedsOverride(earliest) => {
            if posting.overridden {
                return reason_of(who, posting.page, posting.reason).map(Some);
            }
            let first = earliest.display();
            let (code, words) = if who.can(posting.page, Action::Override) {
                ("backdated", format!("Days before {first} need a reason. Choose a later day, or say why."))
            } else {
                let words = format!(
                    "Choose {first} or a later day. A user with the right to override can go further back."
                );
                ("invalid", words)
            };
            let refused = ApiError::unprocessable(code, words.clone()).at(field(&words));
            Err(refused.with("earliest", json!(earliest)))
        }
    }
}

/// The reason of an override by a user with the permission.
fn reason_of<'a>(who: &Who, page: &'static str, reason: Option<&'a str>) -> ApiResult<&'a str> {
    if !who.can(page, Action::Override) {
        return Err(ApiError::lacks(Permission { page, action: Action::Override }));
    }
    said(reason).ok_or_else(|| ApiError::field("reason", "Say why it is dated so far back."))
}

/// As [`check`] for a draft, which is posted later: overrides are checked at posting.
///
/// # Errors
/// 422 and 409 for a date this user cannot post on at all.
pub async fn check_draft(tx: &mut Tx<'_>, who: &Who, posting: PostingDate<'_>) -> ApiResult<()> {
    let verdict = verdict(tx, BusinessDay::of(who.at), posting.day).await?;
    if matches!(verdict, Verdict::NeedsOverride(_)) && who.can(posting.page, Action::Override) {
        return Ok(());
    }
    answer(who, posting, verdict).map(drop)
}

/// The business date of a follow-up to an earlier posting: its own date, or today if that is in a frozen week
/// or beyond the limit.
///
/// # Errors
/// If the database fails.
pub async fn day_of_follow_up(
    tx: &mut Tx<'_>,
    today: BusinessDay,
    day: BusinessDay,
) -> ApiResult<BusinessDay> {
    Ok(if verdict(tx, today, day).await? == Verdict::Open { day } else { today })
}

/// The business date of a reversal: that of the original, so that no day shows the original alone; today if the
/// original's week is frozen, and the Monday of that week.
///
/// # Errors
/// If the database fails.
pub async fn day_of_reversal(
    tx: &mut Tx<'_>,
    day: BusinessDay,
) -> ApiResult<(BusinessDay, Option<BusinessDay>)> {
    let today = BusinessDay::of(tx.actor().at);
    Ok(match verdict(tx, today, day).await? {
        Verdict::Open | Verdict::NeedsOverride(_) => (day, None),
        Verdict::Frozen(week) => (today, Some(week)),
        Verdict::Ahead => (today, None),
    })
}

/// Checks many dates, such as those of a file's rows, reading the frozen weeks once.
#[derive(Debug)]
pub struct Days {
    today: BusinessDay,
    frozen: Vec<BusinessDay>,
    /// Whether the limit is overridden by permission and reason.
    overridden: bool,
}

impl Days {
    /// Loads frozen weeks and limit; `reason` and the page's permission override the limit.
    ///
    /// # Errors
    /// 403 and 422 for an override without permission or reason.
    pub async fn read(
        tx: &mut Tx<'_>,
        who: &Who,
        page: &'static str,
        overridden: bool,
        reason: Option<&str>,
    ) -> ApiResult<Self> {
        if overridden {
            reason_of(who, page, reason)?;
        }
        let frozen = super::snapshots::all_frozen(tx).await?;
        Ok(Self { today: BusinessDay::of(who.at), frozen, overridden })
    }

    /// Why a row with this date is refused.
    #[must_use]
    pub fn fault(&self, day: BusinessDay) -> Option<String> {
        let frozen = self.frozen.binary_search_by(|week| day.week().cmp(week)).is_ok();
        let known = Known { today: self.today, newest_frozen: self.frozen.first().copied(), frozen };
        match known.judge(day) {
            Verdict::Open => None,
            Verdict::NeedsOverride(_) if self.overridden => None,
            Verdict::NeedsOverride(first) => {
                Some(format!("{} is before {}: that takes an override.", day.display(), first.display()))
            }
            Verdict::Frozen(week) => Some(format!(
                "The week of {} is frozen. Its snapshot has to be reopened first.",
                week.display()
            )),
            Verdict::Ahead => Some(format!("{} has not come yet.", day.display())),
        }
    }
}

async fn verdict(tx: &mut Tx<'_>, today: BusinessDay, day: BusinessDay) -> ApiResult<Verdict> {
    let (newest_frozen, frozen) = super::snapshots::frozen(tx, day.week()).await?;
    Ok(Known { today, newest_frozen, frozen }.judge(day))
}
