//! A task type and its query result.

use std::collections::BTreeMap;

use futures::future::BoxFuture;
use larder_db::{Db, DbError, Query};
use larder_domain::business_day::BUSINESS_UTC_OFFSET_HOURS;
use larder_domain::{Action, BusinessDay, Money, StoreScope, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use larder_platform::AppState;
use larder_platform::http::{ApiResult, Who};

/// A type of inbox task.
#[derive(Debug)]
pub struct TaskType {
    /// Name in the API: `ordersToApprove`.
    pub name: &'static str,
    /// Label on screen.
    pub title: &'static str,
    /// Permissions to view it; any one suffices. Empty: any signed-in user with a role.
    pub needs: &'static [(&'static str, Action)],
    /// Which of its items become notifications.
    pub rings: Rings,
    /// Whether Home shows it.
    pub on_home: bool,
    /// Whether its tasks come from stores, so that without a store there are none to find.
    pub of_stores: bool,
    /// Record types whose changes may change it.
    pub changes: &'static [&'static str],
    pub read: Read,
}

/// Which items of a type become notifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rings {
    Never,
    Always,
    /// Only overdue ones.
    WhenLate,
    /// All of them as one notification, renewed when any of them is.
    Together,
}

/// The query of a task type.
pub type Read = for<'a> fn(&'a TaskContext<'a>) -> BoxFuture<'a, ApiResult<TaskSummary>>;

impl TaskType {
    /// Whether a user may see tasks of this type.
    #[must_use]
    pub fn open_to(&self, who: &Who) -> bool {
        let has_role = who.super_admin || who.role_id.is_some();
        has_role && (self.needs.is_empty() || self.needs.iter().any(|(page, action)| who.can(page, *action)))
    }
}

/// The context of a query: user, time and limits.
pub struct TaskContext<'a> {
    pub state: &'a AppState,
    pub who: &'a Who,
    /// The stores the user may see; `None` is all.
    pub stores: Option<Vec<String>>,
    pub today: BusinessDay,
    /// The most items to return per type.
    pub most: usize,
    /// Whether to return the single items where a tile names groups of them.
    pub each: bool,
    /// The user's last visit, to count what arose since.
    pub since: Option<Timestamp>,
}

impl<'a> TaskContext<'a> {
    /// For a user, with at most `most` items per type.
    #[must_use]
    pub fn of(state: &'a AppState, who: &'a Who, most: usize) -> Self {
        let stores = match &who.scope {
            StoreScope::All => None,
            StoreScope::Only(ids) => Some(ids.iter().cloned().collect()),
        };
        Self { state, who, stores, today: BusinessDay::of(who.at), most, each: false, since: None }
    }

    /// Counts what arose since the user's last visit, too.
    #[must_use]
    pub fn since(self, visit: Option<Timestamp>) -> Self {
        Self { since: visit, ..self }
    }

    /// Whether a moment is since the user's last visit, and not ahead.
    pub(super) fn is_new(&self, at: Timestamp) -> bool {
        self.since.is_some_and(|from| at > from && at <= self.who.at)
    }

    pub(super) fn db(&self) -> &'a Db {
        &self.state.db
    }

    /// Limits a query to the user's stores.
    pub(super) fn within<'q>(&self, query: Query<'q>, column: &'static str) -> Query<'q> {
        match &self.stores {
            Some(stores) => query.push(" and ").push(column).push(" in ").push_ids(stores),
            None => query,
        }
    }

    /// The stores the user may see, including closed ones.
    pub(super) async fn store_ids(&self) -> Result<Vec<String>, DbError> {
        if let Some(ids) = &self.stores {
            return Ok(ids.clone());
        }
        let all: Vec<(String,)> = self.db().sql("select id from locations order by id").all().await?;
        Ok(all.into_iter().map(|(id,)| id).collect())
    }

    /// The names of stores by id.
    pub(super) async fn store_names(&self, ids: &[&str]) -> Result<BTreeMap<String, String>, DbError> {
        let query = self.db().sql("select id, name from locations where id in ").push_ids(ids);
        Ok(query.all::<(String, String)>().await?.into_iter().collect())
    }

    /// Whether the user may see a store that is in use and has started, by its opening date or its first sale.
    pub(super) async fn has_stores(&self) -> Result<bool, DbError> {
        let query = self.db().sql(
            "select cast(count(*) as bigint) from locations l where not l.inactive and (l.opening_date is null
               or l.opening_date <= $1 or exists (select 1 from sales_days d where d.store_id = l.id and d.lines > 0))",
        );
        Ok(self.within(query.bind(self.today), "l.id").scalar::<i64>().await? > 0)
    }

    /// Whether something due at a moment is late, and whether it is late by so many days that it is urgent. Without
    /// days it never becomes urgent.
    pub(super) fn lateness(&self, due: Timestamp, urgent_after_days: Option<i64>) -> Lateness {
        let now = self.who.at;
        let urgent = urgent_after_days.is_some_and(|days| due.plus_ms(days.saturating_mul(DAY_MS)) <= now);
        Lateness { late: due <= now, urgent: due <= now && urgent, new: self.is_new(due) }
    }

    /// The limit as a query parameter.
    pub(super) fn limit(&self) -> i64 {
        i64::try_from(self.most).unwrap_or(i64::MAX)
    }
}

/// Milliseconds of a day.
const DAY_MS: i64 = 86_400_000;

/// Whether a deadline has passed, whether that is urgent, and whether it has passed since the user's last visit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Lateness {
    pub late: bool,
    pub urgent: bool,
    pub new: bool,
}

/// What arose since the user's last visit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Arisen {
    pub count: i64,
    /// Whether any of it is urgent.
    pub urgent: bool,
}

impl Arisen {
    fn add(&mut self, count: i64, is_urgent: bool) {
        self.count += count;
        self.urgent |= is_urgent && count > 0;
    }
}

/// The query result of a task type.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Waiting)]
pub struct TaskSummary {
    /// Number of open items.
    pub count: i64,
    /// Number of items past their own deadline.
    pub late: i64,
    /// Of these, the urgent ones. Only they are shown in red.
    pub urgent: i64,
    /// Out of how many, where there is a total: counts that were due.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<i64>,
    /// Their total value, where shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Money>,
    /// Whether nothing could be looked at: no store, no count due, no plan. Then 0 does not mean that all is done.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub empty: bool,
    /// A short note beside the figure: «2 for tomorrow»; may be empty.
    pub words: String,
    /// Counts per day, earliest first; days without items are left out.
    pub days: Vec<DayCount>,
    /// The items, the most pressing first, up to the limit asked for.
    pub items: Vec<Task>,
    /// The page that lists them, with the filter set.
    pub href: String,
    /// What arose since the user's last visit, of types that know when that was.
    #[serde(skip)]
    pub(super) arisen: Option<Arisen>,
    /// What became late since then.
    #[serde(skip)]
    pub(super) became_late: Arisen,
}

impl TaskSummary {
    /// Counts some items that arose at a moment, if it is since the user's last visit. Types for which nothing is counted
    /// arise by becoming late.
    pub(super) fn arose(
        &mut self,
        context: &TaskContext<'_>,
        at: Timestamp,
        (count, is_urgent): (i64, bool),
    ) {
        let new = if context.is_new(at) { count } else { 0 };
        self.arisen.get_or_insert_default().add(new, is_urgent);
    }

    /// What arose since the user's last visit.
    #[must_use]
    pub fn arisen(&self) -> Arisen {
        self.arisen.unwrap_or(self.became_late)
    }

    /// Counts some more items of a day. Days come in order.
    pub(super) fn add(&mut self, day: BusinessDay, count: i64, is: Lateness) {
        if is.new {
            self.became_late.add(count, is.urgent);
        }
        self.count += count;
        self.late += if is.late { count } else { 0 };
        self.urgent += if is.urgent { count } else { 0 };
        match self.days.last_mut() {
            Some(last) if last.day == day => {
                last.count += count;
                last.late |= is.late;
                last.urgent |= is.urgent;
            }
            _ => self.days.push(DayCount { day, count, late: is.late, urgent: is.urgent }),
        }
    }
}

/// Items of a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct DayCount {
    pub day: BusinessDay,
    pub count: i64,
    /// Whether any of them is overdue.
    pub late: bool,
    /// Whether any of them is urgent.
    pub urgent: bool,
}

/// One item in the inbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WaitingItem)]
pub struct Task {
    /// Stable while the item stays open.
    pub id: String,
    pub title: String,
    /// A short detail line.
    pub text: String,
    /// The store it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_id: Option<String>,
    /// When it arose.
    pub at: Timestamp,
    /// How many of the tile's count it stands for: more than 1 where a tile lists stores.
    pub count: i64,
    /// Whether its own deadline has passed.
    pub late: bool,
    /// Whether it is shown in red.
    pub urgent: bool,
    /// The page where it is handled.
    pub href: String,
}

/// The page that lists the items of types without a page of their own.
const LIST: &str = "/dashboard/main/waiting";

/// The page that lists all items of a type, by its own query.
pub(super) fn listed(name: &str) -> String {
    format!("{LIST}?of={name}")
}

/// Midnight before a day, in UTC+8.
pub(super) fn day_start(day: BusinessDay) -> Timestamp {
    day_end(day.plus(-1))
}

/// Midnight after a day, in UTC+8.
pub(crate) fn day_end(day: BusinessDay) -> Timestamp {
    Timestamp((i64::from(day.0) + 1) * DAY_MS - BUSINESS_UTC_OFFSET_HOURS * 3_600_000)
}

/// A day as text, `26 Nov 2026`.
pub(super) fn day_words(day: BusinessDay) -> String {
    day.date().strftime("%-d %b %Y").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_and_numbers_are_written_as_people_write_them() {
        let written: Vec<String> =
            [0, 5, 123_450, -100_000_000].iter().map(|cents| Money(*cents).pesos()).collect();
        assert_eq!(written, ["₱0.00", "₱0.05", "₱1,234.50", "−₱1,000,000.00"]);
        assert_eq!(
            (larder_domain::plural(1, "order", "orders"), larder_domain::plural(0, "order", "orders")),
            ("1 order".into(), "0 orders".into())
        );
        assert_eq!(BusinessDay::from_ymd(2026, 11, 5).map(day_words).as_deref(), Some("5 Nov 2026"));
    }

    #[test]
    fn items_of_a_day_are_counted_together() {
        let day = BusinessDay(20_000);
        let mut summary = TaskSummary::default();
        summary.add(day, 2, Lateness { late: true, urgent: true, new: false });
        summary.add(day, 3, Lateness { late: true, urgent: false, new: true });
        summary.add(day.plus(1), 4, Lateness::default());
        assert_eq!((summary.count, summary.late, summary.urgent), (9, 5, 2));
        assert_eq!(summary.arisen(), Arisen { count: 3, urgent: false });
        let first = DayCount { day, count: 5, late: true, urgent: true };
        let second = DayCount { day: day.plus(1), count: 4, late: false, urgent: false };
        assert_eq!(summary.days, [first, second]);
    }

    #[test]
    fn a_day_ends_where_the_next_one_starts() {
        let day = BusinessDay(1);
        assert_eq!(day_start(day), Timestamp(16 * 3_600_000));
        assert_eq!(day_end(day), day_start(day.plus(1)));
    }

    #[test]
    fn every_kind_has_a_name_of_its_own() {
        let mut names: Vec<&str> = crate::tasks::ALL.iter().map(|kind| kind.name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
        for kind in crate::tasks::ALL {
            for (page, action) in kind.needs {
                assert!(
                    larder_domain::access::meaningful(page).contains(action),
                    "{} asks for {action:?} of {page}",
                    kind.name
                );
            }
        }
    }
}
