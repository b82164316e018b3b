//! Entity types that are not lists, and the registry of all types. Lists declare their own.

use std::sync::LazyLock;

use larder_domain::document::DocumentKind;

use larder_lists::catalog;
use larder_platform::entity_types::{EntityType, EntityTypes, Place, SeenBy};
use larder_platform::people::USERS_PAGE as USERS;

const COUNTS: &str = "stores/storeCount";
const STORE_ITEMS: &str = "lists/storeInventoryItems";
const PEOPLE: &[&str] = &["people", "history", "search"];
const COUNTED: &[&str] =
    &["store-count/entries", "store-count/state", "store-count/held", "stores/inventory", BOOK, BRANCH];
const SALES: &[&str] = &[
    "import-sales",
    "reports",
    "sales/z-reading",
    "sales/cmsr",
    "sales/netsuite",
    "sales/tender-report",
    BOOK,
    BRANCH,
];
/// Pages that say which readings a day must have.
const DUE: &[&str] = &["sales/z-reading", "sales/cmsr", "sales/netsuite", "sales/tender-report"];
const TENDERS: &str = "sales/tenderReport";
const TENDERED: &[&str] = &["sales/tender-report", BRANCH];
const CMSR: &str = "sales/cmsr";
const NETSUITE: &str = "sales/netsuite";
/// The page of a store's stock ledger.
const BOOK: &str = "stores/transactions";
/// The page of a store's day.
const BRANCH: &str = "branch-ops";

const OTHERS: &[EntityType] = &[
    EntityType {
        name: "companyDocument",
        one: "company document",
        many: "Company documents",
        page: "lists/allLists",
        named: Some(("company_documents", "title")),
        refreshes: &["lists/companies"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "salesDay",
        one: "sales day",
        many: "Sales days",
        page: "tools/importSalesProduct",
        heard_with: Some("reports/reports"),
        history: Some(SeenBy::Store),
        refreshes: SALES,
        ..EntityType::PLAIN
    },
    EntityType {
        name: "salesBatch",
        one: "sales import",
        many: "Sales imports",
        page: "tools/importSalesProduct",
        history: Some(SeenBy::Maker),
        refreshes: SALES,
        ..EntityType::PLAIN
    },
    EntityType {
        name: "importBatch",
        one: "import",
        many: "Imports",
        page: "tools/importData",
        history: Some(SeenBy::Maker),
        refreshes: &["import-data"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "storeCount",
        one: "store counts",
        many: "Store counts",
        page: COUNTS,
        history: Some(SeenBy::Store),
        refreshes: COUNTED,
        ..EntityType::PLAIN
    },
    EntityType {
        name: "storeCountHeld",
        one: "held counts",
        many: "Held counts",
        page: COUNTS,
        history: Some(SeenBy::Store),
        refreshes: COUNTED,
        ..EntityType::PLAIN
    },
    EntityType {
        name: "storeCountSession",
        one: "count sessions",
        many: "Count sessions",
        page: COUNTS,
        history: Some(SeenBy::Store),
        refreshes: COUNTED,
        ..EntityType::PLAIN
    },
    EntityType {
        name: "storeCountSettings",
        one: "count settings",
        many: "Count settings",
        page: COUNTS,
        history: Some(SeenBy::Store),
        refreshes: &["store-count", BRANCH],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "deliveryCalendar",
        one: "delivery days",
        many: "Delivery days",
        page: "stores/storeList",
        heard_with: Some("stores/storeOrders"),
        history: Some(SeenBy::Store),
        refreshes: &["stores/delivery-calendar", "stores/delivery-dates", BRANCH],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "rootItemPrice",
        one: "root item price",
        many: "Root item prices",
        page: "lists/allLists",
        heard_with: Some("reports/reports"),
        refreshes: &["lists/root-items", "lists/recipes/costs", "reports"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "priceProposal",
        one: "proposed price",
        many: "Proposed prices",
        page: "lists/allLists",
        refreshes: &["lists/price-proposals"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "openingDays",
        one: "opening days",
        many: "Opening days",
        page: "stores/storeList",
        history: Some(SeenBy::Store),
        refreshes: &["stores/opening-days"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "dayStart",
        one: "start of the day",
        many: "Starts of the day",
        page: "stores/storeList",
        history: Some(SeenBy::Store),
        refreshes: &["stores/day-starts"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "storeItemVisibility",
        one: "items stores count",
        many: "Items stores count",
        page: STORE_ITEMS,
        history: Some(SeenBy::Store),
        named: Some(("locations", "name")),
        ..EntityType::PLAIN
    },
    EntityType {
        name: "storeItemGroup",
        one: "visibility groups",
        many: "Visibility groups",
        page: STORE_ITEMS,
        history: Some(SeenBy::AllStores),
        named: Some(("store_item_groups", "name")),
        ..EntityType::PLAIN
    },
    EntityType {
        name: "storeItemMix",
        one: "mixes",
        many: "Mixes",
        page: STORE_ITEMS,
        history: Some(SeenBy::Store),
        ..EntityType::PLAIN
    },
    EntityType {
        name: "customReport",
        one: "custom report",
        many: "Custom reports",
        page: "reports/reports",
        history: Some(SeenBy::Maker),
        named: Some(("custom_reports", "name")),
        icon: Some("IconReportAnalytics"),
        refreshes: &["custom-reports"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "user",
        one: "user",
        many: "Users",
        page: USERS,
        searched: true,
        named: Some(("app_users", "name")),
        icon: Some("IconUser"),
        history: Some(SeenBy::People),
        refreshes: PEOPLE,
        ..EntityType::PLAIN
    },
    EntityType {
        name: "role",
        one: "role",
        many: "Roles",
        page: USERS,
        named: Some(("app_roles", "name")),
        refreshes: PEOPLE,
        ..EntityType::PLAIN
    },
    EntityType {
        name: "application",
        one: "application",
        many: "Applications",
        page: "manageUsers/applications",
        named: Some(("applications", "name")),
        history: Some(SeenBy::People),
        refreshes: PEOPLE,
        ..EntityType::PLAIN
    },
];

/// The entity type of a document type.
fn document(kind: DocumentKind) -> EntityType {
    let said = kind.declared();
    EntityType {
        name: kind.as_str(),
        one: said.one,
        many: said.many,
        page: said.page,
        history: Some(if said.of_stores { SeenBy::Store } else { SeenBy::AllStores }),
        searched: true,
        named: Some(("documents", "number")),
        icon: Some(said.icon),
        place: Some(Place { base: said.base, slug: said.slug, page: said.path }),
        refreshes: said.refreshes,
        ..EntityType::PLAIN
    }
}

/// Entity types listed after the documents.
const MORE: &[EntityType] = &[
    EntityType {
        name: "lot",
        one: "lot",
        many: "Lots",
        page: "products/products",
        heard_with: Some("stores/storeReceive"),
        history: Some(SeenBy::AllStores),
        refreshes: &["stock", BRANCH],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "wasteSettings",
        one: "waste settings",
        many: "Waste settings",
        page: "stores/storeTransactions",
        history: Some(SeenBy::AllStores),
        refreshes: &["stores/waste"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "receivingSettings",
        one: "receiving settings",
        many: "Receiving settings",
        page: "stores/storeReceive",
        history: Some(SeenBy::AllStores),
        refreshes: &["stores/receive", BRANCH],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "serviceRun",
        one: "service run",
        many: "Service runs",
        page: "tools/services",
        history: Some(SeenBy::Maker),
        refreshes: &["services"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "forecastOverride",
        one: "forecast override",
        many: "Forecast overrides",
        page: "tools/services",
        history: Some(SeenBy::Store),
        refreshes: &["forecast"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "forecastEvent",
        one: "forecast event",
        many: "Forecast events",
        page: "tools/services",
        history: Some(SeenBy::Everybody),
        named: Some(("forecast_events", "name")),
        refreshes: &["forecast"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "serviceSchedule",
        one: "service schedule",
        many: "Service schedules",
        page: "tools/services",
        history: Some(SeenBy::Everybody),
        refreshes: &["services"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "zReading",
        one: "Z-reading",
        many: "Z-readings",
        page: "sales/zReading",
        history: Some(SeenBy::Store),
        refreshes: &["sales/z-reading", "sales/cmsr", "sales/netsuite", "sales/tender-report", BOOK, BRANCH],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "zPicture",
        one: "picture without a store",
        many: "Pictures without a store",
        page: "tools/zReadingOcr",
        history: Some(SeenBy::AllStores),
        refreshes: &["sales/z-reading"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "zTerminal",
        one: "till",
        many: "Tills",
        page: "sales/zReading",
        history: Some(SeenBy::Store),
        refreshes: DUE,
        ..EntityType::PLAIN
    },
    EntityType {
        name: "zAbsence",
        one: "day without a Z-reading",
        many: "Days without a Z-reading",
        page: "sales/zReading",
        history: Some(SeenBy::Store),
        refreshes: DUE,
        ..EntityType::PLAIN
    },
    EntityType {
        name: "connector",
        one: "connector",
        many: "Connectors",
        page: "tools/services",
        heard_with: Some("tools/importSalesProduct"),
        history: Some(SeenBy::AllStores),
        named: Some(("connectors", "name")),
        refreshes: &["connectors"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "pushKey",
        one: "till key",
        many: "Till keys",
        page: "tools/importSalesProduct",
        history: Some(SeenBy::AllStores),
        named: Some(("push_keys", "name")),
        refreshes: &["push-keys"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "planRule",
        one: "plan setting",
        many: "Plan settings",
        page: "dashboard/drpNew",
        history: Some(SeenBy::Store),
        refreshes: &["dashboard/drp-new"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "snapshotWeek",
        one: "weekly snapshot",
        many: "Weekly snapshots",
        page: "tools/services",
        heard_with: Some("reports/reports"),
        history: Some(SeenBy::AllStores),
        refreshes: &["snapshot-weeks", "reports"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "tenderSettings",
        one: "tender settings",
        many: "Tender settings",
        page: TENDERS,
        history: Some(SeenBy::AllStores),
        refreshes: &["sales/tender-report"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "cashDeclaration",
        one: "cash declaration",
        many: "Cash declarations",
        page: TENDERS,
        history: Some(SeenBy::Store),
        refreshes: TENDERED,
        ..EntityType::PLAIN
    },
    EntityType {
        name: "cashDeposit",
        one: "deposit",
        many: "Deposits",
        page: TENDERS,
        history: Some(SeenBy::Store),
        refreshes: TENDERED,
        ..EntityType::PLAIN
    },
    EntityType {
        name: "cashSettlement",
        one: "settlement file",
        many: "Settlement files",
        page: TENDERS,
        history: Some(SeenBy::AllStores),
        named: Some(("cash_settlements", "file_name")),
        refreshes: TENDERED,
        ..EntityType::PLAIN
    },
    EntityType {
        name: "lease",
        one: "lease",
        many: "Leases",
        page: "stores/storeList",
        heard_with: Some(CMSR),
        history: Some(SeenBy::Store),
        refreshes: &["stores/leases", "sales/cmsr"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "cmsr",
        one: "monthly sales report",
        many: "Monthly sales reports",
        page: CMSR,
        history: Some(SeenBy::Store),
        refreshes: &["sales/cmsr"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "cmsrDay",
        one: "day of a monthly sales report",
        many: "Days of monthly sales reports",
        page: CMSR,
        history: Some(SeenBy::Store),
        refreshes: DUE,
        ..EntityType::PLAIN
    },
    EntityType {
        name: "cmsrLayout",
        one: "lessor's layout",
        many: "Lessors' layouts",
        page: CMSR,
        history: Some(SeenBy::AllStores),
        refreshes: &["sales/cmsr"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "netsuiteExport",
        one: "NetSuite export",
        many: "NetSuite exports",
        page: NETSUITE,
        history: Some(SeenBy::AllStores),
        refreshes: &["sales/netsuite"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "netsuiteMapping",
        one: "NetSuite layout",
        many: "NetSuite layouts",
        page: NETSUITE,
        history: Some(SeenBy::AllStores),
        refreshes: &["sales/netsuite"],
        ..EntityType::PLAIN
    },
    // Events without a record.
    EntityType {
        name: "replenishmentPlan",
        one: "replenishment plan",
        many: "Replenishment plans",
        page: "dashboard/drpNew",
        heard_with: Some("stores/storeOrders"),
        history: None,
        refreshes: &["dashboard/drp-new", "stores/orders"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "connectorRun",
        one: "connector run",
        many: "Connector runs",
        page: "tools/services",
        heard_with: Some("tools/importSalesProduct"),
        history: None,
        refreshes: &["connectors"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "jobFailed",
        one: "job that failed",
        many: "Jobs that failed",
        page: "tools/services",
        history: None,
        ..EntityType::PLAIN
    },
    EntityType {
        name: "session",
        one: "session",
        many: "Sessions",
        page: USERS,
        history: None,
        refreshes: PEOPLE,
        ..EntityType::PLAIN
    },
    EntityType {
        name: "stock",
        one: "stock",
        many: "Stock",
        page: "products/products",
        history: None,
        refreshes: &["lists/products"],
        ..EntityType::PLAIN
    },
    EntityType {
        name: "sales",
        one: "sales",
        many: "Sales",
        page: "reports/reports",
        history: None,
        refreshes: SALES,
        ..EntityType::PLAIN
    },
    EntityType {
        name: "salesAlias",
        one: "name of an item or a store in sales files",
        many: "Names in sales files",
        page: "tools/importSalesProduct",
        history: None,
        refreshes: SALES,
        ..EntityType::PLAIN
    },
];

/// All entity types.
pub fn all() -> &'static EntityTypes {
    static ALL: LazyLock<EntityTypes> = LazyLock::new(|| {
        let lists = catalog::ALL.iter().map(|def| def.entity_type());
        let documents = DocumentKind::ALL.iter().map(|kind| document(*kind));
        let others = OTHERS.iter().copied().chain(documents).chain(MORE.iter().copied());
        EntityTypes::of(lists.chain(others).map(refreshes_home))
    });
    &ALL
}

/// Marks Home and notifications as stale for every type they depend on. Runs once, when the registry is
/// built.
fn refreshes_home(mut kind: EntityType) -> EntityType {
    let waits = larder_pages_home::tasks::changes_with(kind.name);
    let mut more = Vec::new();
    if waits {
        more.push("notifications");
    }
    if waits || kind.refreshes == SALES || kind.name == "location" {
        more.push("dashboard/main");
    }
    if !more.is_empty() {
        kind.refreshes = Box::leak([kind.refreshes, more.as_slice()].concat().into_boxed_slice());
    }
    kind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_recorded_and_announced_types_are_declared() {
        let (mut missing, mut found) = (Vec::new(), 0);
        let crates = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).expect("read crates");
        let sources = crates.map(|entry| entry.expect("read directory entry").path().join("src"));
        let mut folders: Vec<_> = sources.filter(|folder| folder.is_dir()).collect();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("read sources") {
                let path = entry.expect("read directory entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| it == "rs") {
                    let text = std::fs::read_to_string(&path).expect("read source file");
                    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                    // Allow any formatting: only white space may separate these from the kind.
                    for (begin, then) in [
                        ("Change {", "kind: \""),
                        (".announce(", "\""),
                        (".announce_for(", "\""),
                        ("const KIND: &'static str =", "\""),
                    ] {
                        for part in code.split(begin).skip(1) {
                            let Some(named) = part.trim_start().strip_prefix(then) else { continue };
                            let kind = named.split('"').next().unwrap_or_default();
                            found += 1;
                            if all().get(kind).is_none() && kind != "job" {
                                missing.push(format!("{kind} in {}", path.display()));
                            }
                        }
                    }
                }
            }
        }
        assert!(missing.is_empty(), "declare these kinds: {missing:?}");
        assert!(found > 15, "only {found} places were found");
    }
}
