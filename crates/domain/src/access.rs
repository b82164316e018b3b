//! Authorization: permissions by category, page and action, and store scope.

mod catalogue;
mod grant;
#[cfg(test)]
mod granting;
mod refusal;

use std::collections::{BTreeMap, BTreeSet};

pub use catalogue::{CATALOGUE, category_label, meaningful, page_exists, page_label};
pub use grant::{
    Giver, Holder, Overreach, change_role, change_user, keeps_a_super_admin, may_change_role, may_manage,
    sees_person,
};

macro_rules! actions {
    ($($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)?) => {
        /// What can be done on a page; the complete set of actions.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub enum Action { $($(#[$doc])* $variant),+ }

        impl Action {
            pub const ALL: &[Action] = &[$(Action::$variant),+];

            /// The name in permission maps.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Action::$variant => $text),+ }
            }
        }
    };
}

actions! {
    View = "view",
    Create = "create",
    Edit = "edit",
    Delete = "delete",
    /// Upload a file.
    Import = "import",
    /// Download a file.
    Export = "export",
    /// Approve a document.
    Approve = "approve",
    /// Post a document to a ledger.
    Post = "post",
    /// Bypass a check, with a reason.
    Override = "override",
    /// Count stock.
    Count = "count",
    /// Reopen a locked session.
    Unlock = "unlock",
}

/// A permission: a page (`category/page`) and an action on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Permission {
    /// `category/page`, as in [`CATALOGUE`].
    pub page: &'static str,
    pub action: Action,
}

impl std::fmt::Display for Permission {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.page, self.action.as_str())
    }
}

/// A role's permission map: category → page → action → granted. It contains only grantable permissions: others in a map
/// saved by an earlier version are dropped.
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
    /// All permissions, as a super admin has them.
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

    /// Grants `actions` on a page, ignoring those that cannot be granted there.
    pub fn grant(&mut self, page: &str, actions: &[Action]) {
        let known = meaningful(page);
        let granted =
            actions.iter().filter(|action| known.contains(action)).map(|a| (a.as_str().to_owned(), true));
        let granted: Vec<(String, bool)> = granted.collect();
        let Some((category, page)) = page.split_once('/').filter(|_| !granted.is_empty()) else { return };
        self.0.entry(category.to_owned()).or_default().entry(page.to_owned()).or_default().extend(granted);
    }

    /// Reads a map from its wire format: unknown names are refused with their path, permissions that are false or
    /// cannot be granted on their page are dropped, and any permission on a page includes viewing it.
    ///
    /// # Errors
    /// Every invalid path, with what to do about it.
    pub fn read(value: &serde_json::Value) -> Result<Self, Vec<(String, String)>> {
        catalogue::read(value)
    }

    /// The granted permissions, in the catalogue's order.
    pub fn rights(&self) -> impl Iterator<Item = Permission> {
        let pages = catalogue::pages();
        pages
            .flat_map(|page| meaningful(page).iter().map(move |action| Permission { page, action: *action }))
            .filter(|right| self.allows(*right))
    }

    /// Whether every permission granted here is granted there too.
    #[must_use]
    pub fn within(&self, other: &Self) -> bool {
        self.missing_from(other).next().is_none()
    }

    /// The permissions granted here and not there.
    pub fn missing_from(&self, other: &Self) -> impl Iterator<Item = Permission> {
        self.rights().filter(|right| !other.allows(*right))
    }

    /// The permissions granted here or there.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        let mut both = Self::default();
        for right in self.rights().chain(other.rights()) {
            both.grant(right.page, &[right.action]);
        }
        both
    }

    /// Whether the permission is granted.
    #[must_use]
    pub fn allows(&self, permission: Permission) -> bool {
        permission.page.split_once('/').is_some_and(|(category, page)| {
            self.0.get(category).and_then(|c| c.get(page)).and_then(|p| p.get(permission.action.as_str()))
                == Some(&true)
        })
    }

    /// Whether this is the role of people who work in stores: they count, order, receive, transfer or report waste, and
    /// nothing they may change concerns all stores. Seeing and downloading do not matter.
    #[must_use]
    pub fn of_store(&self) -> bool {
        let works = IN_A_STORE.iter().any(|(page, _, work)| {
            work.iter().any(|action| self.allows(Permission { page, action: *action }))
        });
        let stays = |right: &Permission| {
            matches!(right.action, Action::View | Action::Export)
                || IN_A_STORE.iter().any(|(page, more, work)| {
                    *page == right.page && (more.contains(&right.action) || work.contains(&right.action))
                })
        };
        works && self.rights().all(|right| stays(&right))
    }
}

/// What can be changed within a store, by page: first what office staff do too, then the work of a store.
const IN_A_STORE: &[(&str, &[Action], &[Action])] = &[
    ("stores/storeCount", &[Action::Edit, Action::Approve, Action::Unlock], &[Action::Count]),
    ("stores/storeOrders", &[Action::Edit, Action::Delete], &[Action::Create]),
    ("stores/storeReceive", &[Action::Edit, Action::Post], &[Action::Create]),
    ("stores/storeTransactions", &[Action::Edit, Action::Post], &[Action::Create]),
    ("sales/zReading", &[Action::Create, Action::Edit], &[]),
    ("sales/tenderReport", &[Action::Edit], &[]),
    ("tools/zReadingOcr", &[Action::Create], &[]),
    ("reports/reports", &[Action::Create, Action::Edit, Action::Delete], &[]),
];

/// The stores a user has access to. Checked after the role: without a role, there is no access at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoreScope {
    All,
    Only(BTreeSet<String>),
}

impl StoreScope {
    /// From a user's flags: super admins and users without a list are unrestricted.
    #[must_use]
    pub fn of(super_admin: bool, store_ids: Option<&[String]>) -> Self {
        match store_ids {
            Some(ids) if !super_admin => Self::Only(ids.iter().cloned().collect()),
            _ => Self::All,
        }
    }

    /// Whether a store is in scope.
    #[must_use]
    pub fn contains(&self, store_id: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(ids) => ids.contains(store_id),
        }
    }

    /// Whether a record is in scope: it belongs to a store in scope, or to none.
    #[must_use]
    pub fn includes(&self, store_id: Option<&str>) -> bool {
        store_id.is_none_or(|store| self.contains(store))
    }

    /// Whether every store of this scope is in another.
    #[must_use]
    pub fn within(&self, other: &Self) -> bool {
        match (self, other) {
            (_, Self::All) => true,
            (Self::All, Self::Only(_)) => false,
            (Self::Only(ids), Self::Only(theirs)) => ids.is_subset(theirs),
        }
    }

    /// The requested stores within scope: `None` requests all of them. `Ok(None)` means unrestricted.
    ///
    /// # Errors
    /// The id of the first requested store outside the scope.
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
    fn a_permission_is_written_as_in_the_contract() {
        let permission = Permission { page: "reports/reports", action: Action::View };
        assert_eq!(permission.to_string(), "reports/reports:view");
    }

    #[test]
    fn a_role_of_a_store_works_there_and_changes_nothing_for_all_stores() {
        let role = |rights: &[(&str, &[Action])]| {
            let mut role = Permissions::default();
            for (page, actions) in rights {
                role.grant(page, actions);
            }
            role.of_store()
        };
        let counts: (&str, &[Action]) = ("stores/storeCount", &[Action::View, Action::Count]);
        let receives: (&str, &[Action]) = ("stores/storeReceive", &[Action::Create, Action::Post]);
        assert!(role(&[counts]));
        assert!(role(&[receives, ("reports/reports", &[Action::View, Action::Export])]));
        assert!(!role(&[]), "nothing to do in a store");
        assert!(!role(&[("stores/storeCount", &[Action::View, Action::Edit])]), "sets counting up");
        assert!(!role(&[("apps/branchOps", &[Action::View]), ("stores/storeOrders", &[Action::View])]));
        assert!(!role(&[counts, ("stores/storeOrders", &[Action::Approve])]), "approves for all stores");
        assert!(!role(&[receives, ("products/products", &[Action::Edit])]));
        assert!(!Permissions::everything().of_store());
    }

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
