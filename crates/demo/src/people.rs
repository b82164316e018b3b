//! The demo's users and their roles.

use larder_domain::access::CATALOGUE;
use larder_domain::{Action, Permissions};

/// A user. The passwords are no secret: they are printed at startup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Person {
    pub name: &'static str,
    pub email: &'static str,
    /// Initial password.
    pub password: &'static str,
    /// The name of their role; `None` is a super admin.
    pub role: Option<&'static str>,
    /// Codes of the stores they are limited to; `None` is all.
    pub stores: Option<&'static [&'static str]>,
}

/// All users.
pub const PEOPLE: &[Person] = &[
    Person {
        name: "Maria Santos",
        email: "admin@larder.example",
        password: "pandesal-at-sunrise",
        role: None,
        stores: None,
    },
    Person {
        name: "Jose Villanueva",
        email: "head.office@larder.example",
        password: "kape-barako-two-cups",
        role: Some("Head office"),
        stores: None,
    },
    Person {
        name: "Ana Dela Cruz",
        email: "store.manager@larder.example",
        password: "halo-halo-extra-ube",
        role: Some("Store manager"),
        stores: Some(&["MKT01", "PSG01"]),
    },
    Person {
        name: "Ramon Bautista",
        email: "commissary@larder.example",
        password: "adobo-simmers-slowly",
        role: Some("Commissary"),
        stores: None,
    },
    Person {
        name: "Liza Ramos",
        email: "accounting@larder.example",
        password: "sinigang-by-the-book",
        role: Some("Accounting"),
        stores: None,
    },
    Person {
        name: "Carlo Reyes",
        email: "viewer@larder.example",
        password: "turon-behind-glass",
        role: Some("Viewer"),
        stores: None,
    },
];

/// The user for imports of sales: accounting.
pub const BOOKKEEPER: usize = 4;

/// Roles other than super admin: name, then pages with their actions.
const ROLES: &[(&str, &str)] = &[
    (
        "Store manager",
        "dashboard/home view
         stores/storeList view
         stores/storeInventory view export
         stores/storeCount view edit approve count unlock export
         stores/storeOrders view create edit export
         stores/storeReceive view create edit post export
         stores/storeTransactions view create edit post export
         sales/zReading view create edit
         sales/tenderReport view edit
         reports/reports view export
         lists/allLists view
         apps/backOffice view
         apps/branchOps view
         apps/storeCount view",
    ),
    (
        "Commissary",
        "dashboard/home view
         dashboard/drpNew view edit
         commissary/orders view create edit approve post export
         commissary/deliveries view create edit post override export
         products/products view create edit export
         stores/storeList view
         stores/storeInventory view export
         stores/storeOrders view approve export
         stores/storeReceive view
         reports/reports view export
         lists/allLists view create edit export
         lists/commissaries view create edit export
         lists/storeInventoryItems view create edit export
         tools/services view
         apps/backOffice view",
    ),
    (
        "Accounting",
        "dashboard/home view
         products/products view edit export
         stores/storeList view export
         stores/storeTransactions view export
         sales/cmsr view edit approve post export
         sales/netsuite view edit import export
         sales/zReading view edit approve export
         sales/tenderReport view edit import export
         reports/reports view create export
         lists/allLists view export
         yourCompany/chartOfAccounts view create edit delete export
         tools/importData view
         tools/importSalesProduct view edit import export
         tools/transactionInsights view export
         tools/zReadingOcr view create
         apps/backOffice view",
    ),
];

/// The description of a role.
pub fn purpose(role: &str) -> &'static str {
    match role {
        "Head office" => "Everything, in every store",
        "Store manager" => "Counts, orders and receives for the stores they lead",
        "Commissary" => "Plans production, packs and sends deliveries",
        "Accounting" => "Sales imports, monthly statements, chart of accounts",
        _ => "Sees every page but the people's, changes nothing",
    }
}

/// Every role with its permissions.
pub fn roles() -> Vec<(&'static str, Permissions)> {
    let mut viewer = Permissions::default();
    for (category, pages) in CATALOGUE.iter().filter(|(category, _)| *category != "manageUsers") {
        for page in pages.iter().filter(|page| **page != "testApi" && **page != "services") {
            viewer.grant(&format!("{category}/{page}"), &[Action::View]);
        }
    }
    let mut all = vec![("Head office", Permissions::everything())];
    all.extend(ROLES.iter().map(|(name, rights)| (*name, read(rights))));
    all.push(("Viewer", viewer));
    all
}

fn read(rights: &str) -> Permissions {
    let mut permissions = Permissions::default();
    for line in rights.lines() {
        let mut words = line.split_whitespace();
        let page = words.next().unwrap_or_default();
        let actions: Vec<Action> =
            words.filter_map(|word| Action::ALL.iter().find(|a| a.as_str() == word).copied()).collect();
        permissions.grant(page, &actions);
    }
    permissions
}

#[cfg(test)]
mod tests {
    use super::*;
    use larder_domain::Permission;
    use larder_domain::access::meaningful;
    use std::collections::HashSet;

    #[test]
    fn roles_grant_only_what_can_be_granted() {
        for (name, rights) in ROLES {
            for line in rights.lines() {
                let mut words = line.split_whitespace();
                let page = words.next().expect("a page");
                for word in words {
                    assert!(meaningful(page).iter().any(|a| a.as_str() == word), "{name}: {page} {word}");
                }
            }
        }
        let roles = roles();
        for person in PEOPLE.iter().filter_map(|person| person.role) {
            assert!(roles.iter().any(|(name, _)| *name == person));
        }
        let (_, viewer) = roles.last().expect("a role");
        assert!(viewer.allows(Permission { page: "reports/reports", action: Action::View }));
        assert!(!viewer.allows(Permission { page: "manageUsers/users", action: Action::View }));
    }

    #[test]
    fn passwords_are_long_and_different() {
        assert!(PEOPLE.iter().all(|person| person.password.len() >= 12));
        assert_eq!(PEOPLE.iter().map(|p| p.password).collect::<HashSet<_>>().len(), PEOPLE.len());
        assert_eq!(PEOPLE.iter().filter(|person| person.role.is_none()).count(), 1);
        assert_eq!(PEOPLE[BOOKKEEPER].role, Some("Accounting"));
    }
}
