//! Whether something may be posted on a day that has passed: the only place that asks for frozen weeks before it posts.

use larder_db::Tx;
use larder_domain::backdating::{Known, Verdict};
use larder_domain::{Action, BusinessDay};
use serde_json::json;

use larder_platform::http::text::said;
use larder_platform::http::{ApiError, ApiResult, FieldError, Who};

/// The day of a posting, and whether it may be further back than the limit.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    pub day: BusinessDay,
    /// The field that refusals name.
    pub field: &'a str,
    /// The page whose right to override counts.
    pub page: &'static str,
    /// Whether it is wanted further back than the limit.
    pub overridden: bool,
    pub reason: Option<&'a str>,
}

/// Refuses a day ahead of today, one in a frozen week, and one further back than the rule allows unless it is overridden
/// with the right and a reason. Answers the reason where it took an override.
///
/// # Errors
/// 422 `backdated` where an override would do, 409 `frozenWeek` where a snapshot has to be reopened, 422 and 403 otherwise.
pub async fn check<'a>(tx: &mut Tx<'_>, who: &Who, asked: Asked<'a>) -> ApiResult<Option<&'a str>> {
    let verdict = verdict(tx, BusinessDay::of(who.at), asked.day).await?;
    answer(who, asked, verdict)
}

fn answer<'a>(who: &Who, asked: Asked<'a>, verdict: Verdict) -> ApiResult<Option<&'a str>> {
    let field = |words: &str| vec![FieldError::new(asked.field, words)];
    match verdict {
        Verdict::Open => Ok(None),
        Verdict::Ahead => Err(ApiError::field(asked.field, "Choose today or a day before it.")),
        Verdict::Frozen(week) => {
            let words = format!(
                "The week of {} is frozen. Choose a later day, or have its snapshot reopened first (Tools, Root item weekly snapshot).",
                week.display()
            );
            Err(ApiError::conflict("frozenWeek", words.clone()).at(field(&words)).with("week", json!(week)))
        }
        Verdict::NeedsOverride(earliest) => {
            if asked.overridden {
                return reason_of(who, asked.page, asked.reason).map(Some);
            }
            let first = earliest.display();
            let (code, words) = if who.can(asked.page, Action::Override) {
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

/// The reason of an override, by a user with the right.
fn reason_of<'a>(who: &Who, page: &'static str, reason: Option<&'a str>) -> ApiResult<&'a str> {
    if !who.can(page, Action::Override) {
        return Err(ApiError::forbidden());
    }
    said(reason).ok_or_else(|| ApiError::field("reason", "Say why it is dated so far back."))
}

/// As [`check`] for a draft, which is posted later: what an override can allow is left to that moment.
///
/// # Errors
/// 422 and 409 for a day that this user cannot post on at all.
pub async fn check_draft(tx: &mut Tx<'_>, who: &Who, asked: Asked<'_>) -> ApiResult<()> {
    let verdict = verdict(tx, BusinessDay::of(who.at), asked.day).await?;
    if matches!(verdict, Verdict::NeedsOverride(_)) && who.can(asked.page, Action::Override) {
        return Ok(());
    }
    answer(who, asked, verdict).map(drop)
}

/// The day that what happens to an earlier posting today belongs to: its own day, or today where that is in a frozen week or
/// further back than the limit.
///
/// # Errors
/// When the database does not answer.
pub async fn day_of_follow_up(
    tx: &mut Tx<'_>,
    today: BusinessDay,
    day: BusinessDay,
) -> ApiResult<BusinessDay> {
    Ok(if verdict(tx, today, day).await? == Verdict::Open { day } else { today })
}

/// Judges many days, such as those of a file's rows, by the frozen weeks read once.
#[derive(Debug)]
pub struct Days {
    today: BusinessDay,
    frozen: Vec<BusinessDay>,
    /// Whether a user with the right gave a reason for days further back than the limit.
    overridden: bool,
}

impl Days {
    /// Reads what days are judged by; `reason` and the right of the page let them be further back.
    ///
    /// # Errors
    /// 403 and 422 for an override without the right or the reason.
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

    /// Why a row of this day is not taken.
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
