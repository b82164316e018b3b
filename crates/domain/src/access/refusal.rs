//! What to say to a user who lacks a right.

use super::Action::{Approve, Count, Create, Delete, Edit, Export, Import, Override, Post, Unlock, View};
use super::Permission;

impl Permission {
    /// The refusal to a user without this right, such as `You may not enter readings.`
    #[must_use]
    pub fn refusal(self) -> String {
        let what = match (self.page, self.action) {
            (_, View) => return "You don't have access to this page.".to_owned(),
            ("sales/zReading", Override) => "record that no reading exists",
            (_, Override) => "override this check",
            ("commissary/orders", Approve) => "approve orders or recall lots",
            ("commissary/orders", Create) => "plan batches",
            ("dashboard/drpNew", Approve) => "make orders from a plan",
            ("manageUsers/applications", Approve) => "decide on applications",
            ("sales/cmsr", Approve) => "certify monthly sales reports",
            ("sales/cmsr", Post) => "submit monthly sales reports",
            ("sales/netsuite", Edit) => "change NetSuite columns",
            ("sales/netsuite", Export) => "export sales to NetSuite",
            ("sales/netsuite", Import) => "import NetSuite results",
            ("sales/tenderReport", Edit) => "enter cash or deposits",
            ("sales/tenderReport", Import) => "import settlement files",
            ("sales/zReading", Approve) => "verify readings",
            ("sales/zReading", Create) => "enter readings",
            ("stores/storeCount", Approve) => "decide on held counts",
            ("stores/storeCount", Count) => "count stock",
            ("stores/storeCount", Edit) => "change how a store counts",
            ("stores/storeReceive", Approve) => "approve receipts",
            ("tools/importData", Import) => "import data",
            ("tools/services", Edit) => "run or change services",
            ("tools/zReadingOcr", Create) => "upload pictures of readings",
            _ => return format!("You may not {} {}.", self.verb(), self.things()),
        };
        format!("You may not {what}.")
    }

    const fn verb(self) -> &'static str {
        match self.action {
            View => "see",
            Create => "add",
            Edit => "change",
            Delete => "delete",
            Import => "import",
            Export => "export",
            Approve => "approve",
            Post => "post",
            Override => "override",
            Count => "count",
            Unlock => "unlock",
        }
    }

    fn things(self) -> &'static str {
        match self.page {
            "commissary/deliveries" => "deliveries",
            "commissary/orders" => "batches or commissary orders",
            "dashboard/drpNew" => "the replenishment plan",
            "lists/allLists" => "records of this list",
            "lists/commissaries" => "commissaries",
            "lists/storeInventoryItems" => "store inventory items",
            "manageUsers/users" => "users or roles",
            "products/products" => "products",
            "reports/reports" => "reports",
            "sales/cmsr" => "monthly sales reports",
            "sales/tenderReport" => "the tender report",
            "sales/zReading" => "readings",
            "stores/storeCount" => "counts",
            "stores/storeInventory" => "store inventory",
            "stores/storeList" => "stores",
            "stores/storeOrders" => "store orders",
            "stores/storeReceive" => "receipts",
            "stores/storeTransactions" => "transfers or waste",
            "tools/importSalesProduct" => "sales",
            "tools/transactionInsights" => "transaction insights",
            "yourCompany/chartOfAccounts" => "accounts",
            _ => "this",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Action, meaningful};
    use super::*;
    use crate::access::catalogue::pages;

    #[test]
    fn every_right_but_seeing_a_page_is_refused_by_what_may_not_be_done() {
        let say = |page, action| Permission { page, action }.refusal();
        assert_eq!(say("sales/zReading", View), "You don't have access to this page.");
        assert_eq!(say("sales/zReading", Create), "You may not enter readings.");
        assert_eq!(say("sales/zReading", Edit), "You may not change readings.");
        assert_eq!(say("products/products", Delete), "You may not delete products.");
        assert_eq!(say("stores/storeOrders", Override), "You may not override this check.");
        for page in pages() {
            for action in meaningful(page).iter().filter(|action| **action != Action::View) {
                let words = say(page, *action);
                assert!(words.starts_with("You may not ") && !words.ends_with(" this."), "{page}: {words}");
            }
        }
    }
}
