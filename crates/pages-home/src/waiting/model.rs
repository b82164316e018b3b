//! A kind of what waits, and what is found of it.

use futures::future::BoxFuture;
use larder_db::{Db, Query};
use larder_domain::{Action, BusinessDay, Money, StoreScope, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use larder_platform::AppState;
use larder_platform::http::{ApiResult, Who};

/// A kind of what waits.
#[derive(Debug)]
pub struct Kind {
    /// Its name on the wire: `ordersToApprove`.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Pages with what must be allowed there; one of them is enough. None: whoever has a role.
    pub needs: &'static [(&'static str, Action)],
    /// Which of its things are told as notifications.
    pub rings: Rings,
    /// Whether Home shows it.
    pub on_home: bool,
    /// The kinds of records whose changes may change it.
    pub changes: &'static [&'static str],
    /// How it is read.
    pub read: Read,
}

/// Which things of a kind are told as notifications.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rings {
    Never,
    Always,
    /// Only what is overdue.
    WhenLate,
    /// All of them together, as one; it is news again when one of them is.
    Together,
}

/// Reads what waits of a kind.
pub type Read = for<'a> fn(&'a Asked<'a>) -> BoxFuture<'a, ApiResult<Waiting>>;

impl Kind {
    /// Whether somebody may see what waits of it.
    #[must_use]
    pub fn open_to(&self, who: &Who) -> bool {
        let has_role = who.super_admin || who.role_id.is_some();
        has_role && (self.needs.is_empty() || self.needs.iter().any(|(page, action)| who.can(page, *action)))
    }
}

/// Who asks, and when.
pub struct Asked<'a> {
    pub state: &'a AppState,
    pub who: &'a Who,
    /// The stores within reach; none is all.
    pub stores: Option<Vec<String>>,
    pub today: BusinessDay,
    /// At most so many things of a kind.
    pub most: usize,
}

impl<'a> Asked<'a> {
    /// Somebody, for at most so many things of a kind.
    #[must_use]
    pub fn of(state: &'a AppState, who: &'a Who, most: usize) -> Self {
        let stores = match &who.scope {
            StoreScope::All => None,
            StoreScope::Only(ids) => Some(ids.iter().cloned().collect()),
        };
        Self { state, who, stores, today: BusinessDay::of(who.at), most }
    }

    pub(super) fn db(&self) -> &'a Db {
        &self.state.db
    }

    /// Only of the stores within reach.
    pub(super) fn within<'q>(&self, query: Query<'q>, column: &'static str) -> Query<'q> {
        match &self.stores {
            Some(stores) => query.push(" and ").push(column).push(" in ").push_ids(stores),
            None => query,
        }
    }

    /// As a limit of a query.
    pub(super) fn limit(&self) -> i64 {
        i64::try_from(self.most).unwrap_or(i64::MAX)
    }
}

/// What waits of a kind.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Waiting {
    /// How many things there are.
    pub count: i64,
    /// How many of them are overdue.
    pub late: i64,
    /// Of how many, where there is a whole: counts that were due.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of: Option<i64>,
    /// What they are worth, where that is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Money>,
    /// A few words beside the figure: «2 for tomorrow»; may be empty.
    pub words: String,
    /// How many by day, the earliest first; days without any are left out.
    pub days: Vec<DayCount>,
    /// The things themselves, the most pressing first, as many as were asked for.
    pub items: Vec<WaitingItem>,
    /// The page of them, with the filter set.
    pub href: String,
}

/// How many things belong to a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct DayCount {
    /// The day.
    pub day: BusinessDay,
    /// How many.
    pub count: i64,
    /// Whether those are overdue.
    pub late: bool,
}

/// One thing that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingItem {
    /// The same as long as it is the same thing.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// More about it, in a few words.
    pub text: String,
    /// The store it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_id: Option<String>,
    /// Since when it waits.
    pub at: Timestamp,
    /// Whether it is overdue.
    pub late: bool,
    /// The page where it is dealt with.
    pub href: String,
}

/// A day in words, `26 Nov 2026`.
pub(super) fn day_words(day: BusinessDay) -> String {
    day.date().strftime("%-d %b %Y").to_string()
}

/// A number with its word: `1 order`, `3 orders`.
pub(super) fn so_many(count: i64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
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
            (so_many(1, "order", "orders"), so_many(0, "order", "orders")),
            ("1 order".into(), "0 orders".into())
        );
        assert_eq!(BusinessDay::from_ymd(2026, 11, 5).map(day_words).as_deref(), Some("5 Nov 2026"));
    }

    #[test]
    fn every_kind_has_a_name_of_its_own() {
        let mut names: Vec<&str> = crate::waiting::ALL.iter().map(|kind| kind.name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
        for kind in crate::waiting::ALL {
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
