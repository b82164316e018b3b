//! Ways of paying.

use larder_domain::Qty;

use crate::engine::{Draft, Hidden, list, wrong};
use larder_platform::http::error::FieldError;

const KINDS: &[&str] = &["cash", "card", "eWallet", "voucher", "onAccount"];
const HUNDRED: Qty = Qty(100_000_000);

list! {
    /// A way of paying, as tills, cash drawers and the bank distinguish them.
    TenderType = "tenderType" in "tender_types", "lists/allLists", "/api/lists/tender-types" {
        name: String = "Name" [keyed, searched],
        code: Option<String> = "Code" [keyed, searched, max(20)],
        tender_kind as "kind": String = "Kind" [one_of(KINDS), usual("cash")],
        fee_percent: Option<Qty> = "Fee (%)",
        settlement_days: Option<i64> = "Settled after (days)",
        active: bool = "Active" [on],
    }
    one: "tender type", many: "Tender types", icon: "IconCreditCard", unique: &[&["name"], &["code"]],
    code: Some("code"),
    hidden: Some(Hidden { column: "active", when: false, unless: "includeInactive" }),
    ;

    fn check(draft: &Draft, findings: &mut Vec<FieldError>) {
        if draft.int("feePercent").is_some_and(|fee| fee > HUNDRED.0) {
            findings.push(wrong("feePercent", "Enter a fee of at most 100%."));
        }
    }
}
