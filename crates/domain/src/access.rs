//! Who may do what: permissions by category, page and action, and the stores they reach.

mod catalogue;
mod grant;
#[cfg(test)]
mod granting;

use std::collections::{BTreeMap, BTreeSet};

pub use catalogue::{CATALOGUE, category_label, meaningful, page_exists, page_label};
pub use grant::{
    Giver, Holder, Overreach, change_role, change_user, keeps_a_super_admin, may_change_role, may_manage,
    sees_person,
};

macro_rules! actions {
    ($($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)?) => {
        /// What can be done on a page; the whole vocabulary.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub enum Action { $($(#[$doc])* $variant),+ }

        impl Action {
            /// Every action.
            pub const ALL: &[Action] = &[$(Action::$variant),+];

            /// As it is written in permission maps.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Action::$variant => $text),+ }
            }
        }
    };
}

actions! {
    /// See it.
    View = "view",
    /// Make a new one.
    Create = "create",
    /// Change one.
    Edit = "edit",
    /// Remove one.
    Delete = "delete",
    /// Bring in a file.
    Import = "import",
    /// Take out a file.
    Export = "export",
    /// Approve a document.
    Approve = "approve",
    /// Post a document to a ledger.
    Post = "post",
    /// Go past a check, with a reason.
    Override = "override",
    /// Count stock.
    Count = "count",
    /// Open a locked session.
    Unlock = "unlock",
}

/// One right: a page (`category/page`) and an action on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Permission {
    /// `category/page`, as in [`CATALOGUE`].
    pub page: &'static str,
    /// What is done there.
    pub action: Action,
}

impl std::fmt::Display for Permission {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.page, self.action.as_str())
    }
}

/// A role's permission map: category → page → action → granted. It holds only what can be granted: what a map saved by
/// an earlier version has beyond that is left out.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize)]
#[serde(transparent)]
pub struct Permissions(BTreeMap<String, BTreeMap<String, BTreeMap<String, bool>>>);

impl<'de> serde::Deserialize<'de> for Permissions {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let kept = Self(serde::Deserialize::deserialize(from)?);
        let mut known = Self::default();
        for right in kept.rights() {
            known.grant(right.page, &[right.action]);
        }
        Ok(known)
    }
}

impl Permissions {
    /// Everything there is, as a super admin has it.
    #[must_use]
    pub fn everything() -> Self {
        let mut all = Self::default();
        for (category, pages) in CATALOGUE {
            for page in *pages {
                all.grant(&format!("{category}/{page}"), Action::ALL);
            }
        }
        all
    }

    /// Grants `actions` on a page, as far as they can be granted there.
    pub fn grant(&mut self, page: &str, actions: &[Action]) {
        let known = meaningful(page);
        let granted =
            actions.iter().filter(|action| known.contains(action)).map(|a| (a.as_str().to_owned(), true));
        let granted: Vec<(String, bool)> = granted.collect();
        let Some((category, page)) = page.split_once('/').filter(|_| !granted.is_empty()) else { return };
        self.0.entry(category.to_owned()).or_default().entry(page.to_owned()).or_default().extend(granted);
    }

    /// Reads a map as it is written on the wire: unknown names are refused with their path, what is
    /// not granted or cannot be granted on its page is left out, and any right on a page includes seeing it.
    ///
    /// # Errors
    /// Every path that cannot be followed, with what to do about it.
    pub fn read(value: &serde_json::Value) -> Result<Self, Vec<(String, String)>> {
        catalogue::read(value)
    }

    /// Every right granted that can be, as `category/page` and action, in the catalogue's order.
    pub fn rights(&self) -> impl Iterator<Item = Permission> {
        let pages = catalogue::pages();
        pages
            .flat_map(|page| meaningful(page).iter().map(move |action| Permission { page, action: *action }))
            .filter(|right| self.allows(*right))
    }

    /// Whether every right granted here is granted there too.
    #[must_use]
    pub fn within(&self, other: &Self) -> bool {
        self.missing_from(other).next().is_none()
    }

    /// The rights granted here and not there.
    pub fn missing_from(&self, other: &Self) -> impl Iterator<Item = Permission> {
        self.rights().filter(|right| !other.allows(*right))
    }

    /// The rights granted here or there.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        let mut both = Self::default();
        for right in self.rights().chain(other.rights()) {
            both.grant(right.page, &[right.action]);
        }
        both
    }

    /// Whether the right is granted.
    #[must_use]
    pub fn allows(&self, permission: Permission) -> bool {
        permission.page.split_once('/').is_some_and(|(category, page)| {
            self.0.get(category).and_then(|c| c.get(page)).and_then(|p| p.get(permission.action.as_str()))
                == Some(&true)
        })
    }
}

/// The stores a person reaches. Checked after the role: no role means nothing at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreScope {
    /// Every store.
    All,
    /// Only these.
    Only(BTreeSet<String>),
}

impl StoreScope {
    /// Of a user's flags: a super admin and a user without a list are unrestricted.
    #[must_use]
    pub fn of(super_admin: bool, store_ids: Option<&[String]>) -> Self {
        match store_ids {
            Some(ids) if !super_admin => Self::Only(ids.iter().cloned().collect()),
            _ => Self::All,
        }
    }

    /// Whether a store lies inside.
    #[must_use]
    pub fn contains(&self, store_id: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(ids) => ids.contains(store_id),
        }
    }

    /// Whether a record is within reach: it belongs to a store inside, or to none.
    #[must_use]
    pub fn reaches(&self, store_id: Option<&str>) -> bool {
        store_id.is_none_or(|store| self.contains(store))
    }

    /// Whether every store of this scope lies inside another.
    #[must_use]
    pub fn within(&self, other: &Self) -> bool {
        match (self, other) {
            (_, Self::All) => true,
            (Self::All, Self::Only(_)) => false,
            (Self::Only(ids), Self::Only(theirs)) => ids.is_subset(theirs),
        }
    }

    /// What of a wish lies inside: `None` asks for everything reachable. The outer `None` answer
    /// means unrestricted; an `Err` names the first store out of reach.
    ///
    /// # Errors
    /// The id of a wished store that lies outside the scope.
    pub fn narrow(&self, wished: Option<&[String]>) -> Result<Option<Vec<String>>, String> {
        match (self, wished) {
            (Self::All, None) => Ok(None),
            (Self::Only(ids), None) => Ok(Some(ids.iter().cloned().collect())),
            (scope, Some(wished)) => match wished.iter().find(|id| !scope.contains(id)) {
                Some(outside) => Err(outside.clone()),
                None => Ok(Some(wished.to_vec())),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_are_page_and_action() {
        let mut rights = Permissions::default();
        rights.grant("lists/allLists", &[Action::View]);
        assert!(rights.allows(Permission { page: "lists/allLists", action: Action::View }));
        assert!(!rights.allows(Permission { page: "lists/allLists", action: Action::Edit }));
        assert!(!rights.allows(Permission { page: "lists/commissaries", action: Action::View }));
    }

    #[test]
    fn no_list_of_stores_means_all_and_an_empty_one_means_none() {
        assert_eq!(StoreScope::of(false, None), StoreScope::All);
        assert!(!StoreScope::of(false, Some(&[])).contains("a"));
        assert_eq!(StoreScope::of(true, Some(&[])), StoreScope::All);
    }

    #[test]
    fn wishes_are_narrowed_or_refused() {
        let scope = StoreScope::of(false, Some(&["a".into(), "b".into()]));
        assert_eq!(scope.narrow(None), Ok(Some(vec!["a".into(), "b".into()])));
        assert_eq!(scope.narrow(Some(&["a".into()])), Ok(Some(vec!["a".into()])));
        assert_eq!(scope.narrow(Some(&["c".into()])), Err("c".into()));
    }
}
