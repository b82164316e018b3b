//! Tenders.

use super::super::fields::CustomType::{Count, Money};
use super::super::fields::{Adds, Dataset, Field, Of, STORE, Source, Sql, WHEN, Words};
use super::sales::SOURCES;

/// Tender types, as in the tender report.
const KINDS: Words = Words::Labelled(&[
    ("cash", "Cash"),
    ("card", "Card"),
    ("eWallet", "E-wallet"),
    ("voucher", "Voucher"),
    ("onAccount", "On account"),
]);

/// The tender type that a till's label maps to. Not a column: see `paid`.
pub const KIND: &str = "kind of paying";
/// The till's own label.
pub const LABEL: &str = "t.kind";
/// Source of the sales.
pub const SOURCE: &str = "t.source";

/// Dimensions only receipts have.
const OF_RECEIPTS: &[&str] = &["kind", "source"];

/// A figure of the tender report, known by store, day and tender type.
const fn figure(key: &'static str, label: &'static str) -> Field {
    Field::measure(key, label, Money, Adds::Sum(key)).not_by(OF_RECEIPTS)
}

const fn days(key: &'static str, label: &'static str) -> Field {
    Field::measure(key, label, Count, Adds::Sum(key)).not_by(OF_RECEIPTS)
}

/// Tenders, from the till to the bank.
pub const TENDERS: Dataset = Dataset {
    key: "tenders",
    label: "Tenders",
    about: "How sales were paid, as the tills say, and how far the money came: declared, deposited, settled.",
    right: Some("sales/tenderReport"),
    source: Source::Paid(Sql {
        from: " from sales_tenders t",
        day: "t.business_date",
        store: "t.store_id",
        item: None,
        unit: None,
        only: "",
        besides: None,
    }),
    items: None,
    ahead: false,
    sales: false,
    fields: &[
        WHEN,
        STORE,
        &[
            Field::dim("tender", "Tender", "Payment", Of::Own(KIND, KINDS)),
            Field::dim("kind", "Tender in the till’s words", "Payment", Of::Own(LABEL, Words::Plain)),
            Field::dim("source", "Source of the sales", "Payment", Of::Own(SOURCE, SOURCES)),
            Field::measure("amount", "Amount", Money, Adds::Sum("sum(t.amount)")),
            Field::measure("payments", "Payments", Count, Adds::Sum("count(*)")),
            Field::measure("average", "Average payment", Money, Adds::Ratio("amount", "payments")),
            figure("pos", "POS, each sale once"),
            figure("z", "Z-reading"),
            figure("declared", "Declared"),
            figure("deposited", "Deposited"),
            figure("settled", "Settled"),
            figure("fee", "Fee"),
            figure("expectedFee", "Fee expected"),
            figure("variance", "Last difference"),
            days("differs", "Days with a difference"),
            figure("missing", "Missing"),
            days("missingDays", "Days with money missing"),
            days("undeclared", "Days without cash declaration"),
        ],
    ],
};

#[cfg(test)]
mod tests {
    use larder_domain::tender;

    use super::*;

    #[test]
    fn tender_types_match_the_tender_report() {
        let Words::Labelled(labels) = KINDS else { panic!("words") };
        assert_eq!(labels.to_vec(), tender::KINDS.map(|kind| (kind.as_str(), kind.title())));
    }
}
