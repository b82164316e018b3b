//! Sales, payments and readings of tills.

use super::super::fields::CustomType::{Count, Money, Qty, Share};
use super::super::fields::{
    Adds, Dataset, Field, Items, Of, POS_ITEM, ROOT_ITEM, STORE, Source, Sql, WHEN, Words,
};
use larder_ledgers::sales_count;

/// Sales lines: store-day × POS item.
pub const SALES: Dataset = Dataset {
    key: "sales",
    label: "Sales lines",
    about: "What each store sold of each POS item, day by day.",
    right: None,
    source: Source::Pos,
    items: Some(Items::Pos),
    ahead: false,
    sales: true,
    fields: &[
        WHEN,
        STORE,
        POS_ITEM,
        &[
            Field::measure("net", "Net sales", Money, Adds::Sum("net")),
            Field::measure("gross", "Gross sales", Money, Adds::Sum("gross")),
            Field::measure("discount", "Discounts", Money, Adds::Sum("discount")),
            Field::measure("qty", "Quantity sold", Qty, Adds::Sum("qty")),
            Field::measure("lines", "Lines", Count, Adds::Sum("lines")),
            Field::measure("price", "Net price of one", Money, Adds::Ratio("net", "qty")),
            Field::measure("discountShare", "Discount %", Share, Adds::Ratio("discount", "gross")),
        ],
    ],
};

/// The same by store-day only, for queries without items.
pub const SALES_BY_DAY: Sql = Sql {
    from: " from sales_days d",
    day: "d.business_date",
    store: "d.store_id",
    item: None,
    unit: None,
    only: sales_count!("d"),
    besides: None,
};

/// A stored measure of [`SALES`] in terms of [`SALES_BY_DAY`].
#[must_use]
pub fn by_day(figure: &str) -> &'static str {
    match figure {
        "net" => "sum(d.net)",
        "gross" => "sum(d.gross)",
        "discount" => "sum(d.gross) - sum(d.net)",
        "qty" => "sum(d.qty)",
        _ => "sum(d.lines)",
    }
}

/// Root item use: store-day × root item.
pub const ROOT_USE: Dataset = Dataset {
    key: "rootUse",
    label: "Root items used by sales",
    about: "What the sales of each store used of each root item by its bill of materials, day by day.",
    right: None,
    source: Source::Root,
    items: Some(Items::Root),
    ahead: false,
    sales: true,
    fields: &[WHEN, STORE, ROOT_ITEM, &[Field::qty("qty", "Quantity used", Adds::Sum("qty"))]],
};

/// Tickets of a store-day, and their net sales without returns; of days not counted yet all receipts, and their net sales.
const DAY_TICKETS: &str = "sum((select sum(coalesce(t.tickets, t.receipts)) from sales_tills t
    where t.store_id = d.store_id and t.business_date = d.business_date and t.source = d.source))";
const DAY_TICKET_NET: &str = "sum((select sum(coalesce(t.ticket_net, t.net)) from sales_tills t
    where t.store_id = d.store_id and t.business_date = d.business_date and t.source = d.source))";
/// The same of a till's day.
const TILL_TICKETS: &str = "sum((select coalesce(t.tickets, t.receipts) from sales_tills t
    where t.store_id = f.store_id and t.business_date = f.business_date and t.source = f.source
      and t.terminal_id = f.terminal_id))";
const TILL_TICKET_NET: &str = "sum((select coalesce(t.ticket_net, t.net) from sales_tills t
    where t.store_id = f.store_id and t.business_date = f.business_date and t.source = f.source
      and t.terminal_id = f.terminal_id))";

/// Store-days.
pub const STORE_DAYS: Dataset = Dataset {
    key: "storeDays",
    label: "Store-days",
    about: "One line for each day of a store that has sales: totals, receipts, averages.",
    right: None,
    source: Source::Sql(SALES_BY_DAY),
    items: None,
    ahead: false,
    sales: true,
    fields: &[
        WHEN,
        STORE,
        &[
            Field::measure("net", "Net sales", Money, Adds::Sum("sum(d.net)")),
            Field::measure("gross", "Gross sales", Money, Adds::Sum("sum(d.gross)")),
            Field::measure("discount", "Discounts", Money, Adds::Sum("sum(d.discount)")),
            Field::measure("qty", "Quantity sold", Qty, Adds::Sum("sum(d.qty)")),
            Field::measure("receipts", "Receipts", Count, Adds::Sum("sum(d.receipts)")),
            Field::measure("lines", "Lines", Count, Adds::Sum("sum(d.lines)")),
            Field::measure(
                "days",
                "Store-days",
                Count,
                Adds::Sum("count(distinct d.store_id || '/' || cast(d.business_date as text))"),
            ),
            Field::measure("tickets", "Tickets", Count, Adds::Sum(DAY_TICKETS)),
            Field::measure("ticketNet", "Net sales on tickets", Money, Adds::Sum(DAY_TICKET_NET)),
            Field::measure("averageTicket", "Average ticket", Money, Adds::Ratio("ticketNet", "tickets")),
            Field::measure("itemsPerReceipt", "Items per receipt", Qty, Adds::Ratio("qty", "receipts")),
            Field::measure("netPerStoreDay", "Net sales per store-day", Money, Adds::Ratio("net", "days")),
        ],
    ],
};

/// Sources of sales.
pub(super) const SOURCES: Words = Words::Labelled(&[
    ("file", "Imported files"),
    ("api", "Sales API"),
    ("w3p", "POS feed"),
    ("bigquery", "BigQuery"),
]);

/// Receipt data besides lines.
pub const RECEIPTS: Dataset = Dataset {
    key: "receipts",
    label: "Receipts' facts",
    about: "What receipts say beside their lines, by till and day: guests, discounts by law, taxes, voids.",
    right: None,
    source: Source::Sql(Sql {
        from: " from sales_day_facts f",
        day: "f.business_date",
        store: "f.store_id",
        item: None,
        unit: None,
        only: sales_count!("f"),
        besides: None,
    }),
    items: None,
    ahead: false,
    sales: true,
    fields: &[
        WHEN,
        STORE,
        &[
            Field::dim("terminal", "Terminal", "Till", Of::Own("f.terminal_id", Words::Plain)),
            Field::dim("source", "Source of the sales", "Till", Of::Own("f.source", SOURCES)),
            Field::measure("receipts", "Receipts", Count, Adds::Sum("sum(f.receipts)")),
            Field::measure("guests", "Guests", Count, Adds::Sum("sum(f.pax)")),
            Field::measure("net", "Net sales", Money, Adds::Sum("sum(f.net)")),
            Field::measure("gross", "Gross sales", Money, Adds::Sum("sum(f.gross)")),
            Field::measure("tickets", "Tickets", Count, Adds::Sum(TILL_TICKETS)),
            Field::measure("ticketNet", "Net sales on tickets", Money, Adds::Sum(TILL_TICKET_NET)),
            Field::measure("averageTicket", "Average ticket", Money, Adds::Ratio("ticketNet", "tickets")),
            Field::measure("perGuest", "Net sales per guest", Money, Adds::Ratio("net", "guests")),
            Field::measure("senior", "Senior discount", Money, Adds::Sum("sum(f.senior)")),
            Field::measure("pwd", "PWD discount", Money, Adds::Sum("sum(f.pwd)")),
            Field::measure("naac", "Athletes’ discount", Money, Adds::Sum("sum(f.naac)")),
            Field::measure("soloParent", "Solo parent discount", Money, Adds::Sum("sum(f.solo_parent)")),
            Field::measure("valor", "Medal of Valor discount", Money, Adds::Sum("sum(f.valor)")),
            Field::measure("employee", "Employee discount", Money, Adds::Sum("sum(f.employee)")),
            Field::measure("vip", "VIP discount", Money, Adds::Sum("sum(f.vip)")),
            Field::measure("promo", "Promo discount", Money, Adds::Sum("sum(f.promo)")),
            Field::measure("otherDiscount", "Other discounts", Money, Adds::Sum("sum(f.other_discount)")),
            Field::measure("vatable", "VATable sales", Money, Adds::Sum("sum(f.vatable)")),
            Field::measure("vat", "VAT", Money, Adds::Sum("sum(f.vat)")),
            Field::measure("exempt", "VAT-exempt sales", Money, Adds::Sum("sum(f.exempt)")),
            Field::measure("zeroRated", "Zero-rated sales", Money, Adds::Sum("sum(f.zero_rated)")),
            Field::measure("serviceCharge", "Service charge", Money, Adds::Sum("sum(f.service_charge)")),
            Field::measure("localTax", "Local tax", Money, Adds::Sum("sum(f.local_tax)")),
            Field::measure("returns", "Returns", Money, Adds::Sum("sum(f.returns)")),
            Field::measure("voids", "Voids", Money, Adds::Sum("sum(f.voids)")),
        ],
    ],
};

const READING_STATES: Words = Words::Labelled(&[
    ("captured", "Captured"),
    ("needsReview", "Needs review"),
    ("verified", "Verified"),
    ("reconciled", "Reconciled"),
    ("disputed", "Disputed"),
]);

/// End-of-day readings of tills.
pub const READINGS: Dataset = Dataset {
    key: "readings",
    label: "Z-readings",
    about: "What each till said at its day’s end.",
    right: Some("sales/zReading"),
    source: Source::Sql(Sql {
        from: " from z_readings z",
        day: "z.business_date",
        store: "z.store_id",
        item: None,
        unit: None,
        only: " and z.state <> 'discarded'",
        besides: None,
    }),
    items: None,
    ahead: false,
    sales: false,
    fields: &[
        WHEN,
        STORE,
        &[
            Field::dim("terminal", "Terminal", "Till", Of::Own("z.terminal_id", Words::Plain)),
            Field::dim("state", "State", "Till", Of::Own("z.state", READING_STATES)),
            Field::dim(
                "reading",
                "Reading",
                "Till",
                Of::Own(
                    "z.id || '|' || z.terminal_id || ' Z' || coalesce(cast(z.z_counter as text), '?')",
                    Words::Named,
                ),
            )
            .leading("reading"),
            Field::measure("readings", "Readings", Count, Adds::Sum("count(*)")),
            Field::measure("gross", "Gross sales", Money, Adds::Sum("sum(z.gross)")),
            Field::measure("net", "Net sales", Money, Adds::Sum("sum(z.net)")),
            Field::measure("transactions", "Transactions", Count, Adds::Sum("sum(z.transactions)")),
            Field::measure(
                "averageTicket",
                "Average per transaction (Z)",
                Money,
                Adds::Ratio("net", "transactions"),
            ),
            Field::measure("vatable", "VATable sales", Money, Adds::Sum("sum(z.vatable)")),
            Field::measure("vat", "VAT", Money, Adds::Sum("sum(z.vat)")),
            Field::measure("exempt", "VAT-exempt sales", Money, Adds::Sum("sum(z.exempt)")),
            Field::measure("zeroRated", "Zero-rated sales", Money, Adds::Sum("sum(z.zero_rated)")),
            Field::measure("senior", "Senior discount", Money, Adds::Sum("sum(z.senior)")),
            Field::measure("pwd", "PWD discount", Money, Adds::Sum("sum(z.pwd)")),
            Field::measure("naac", "Athletes’ discount", Money, Adds::Sum("sum(z.naac)")),
            Field::measure("soloParent", "Solo parent discount", Money, Adds::Sum("sum(z.solo_parent)")),
            Field::measure("valor", "Medal of Valor discount", Money, Adds::Sum("sum(z.valor)")),
            Field::measure("otherDiscount", "Other discounts", Money, Adds::Sum("sum(z.other_discount)")),
            Field::measure("voids", "Voids", Money, Adds::Sum("sum(z.voids)")),
            Field::measure("returns", "Returns", Money, Adds::Sum("sum(z.returns)")),
            Field::measure("serviceCharge", "Service charge", Money, Adds::Sum("sum(z.service_charge)")),
            Field::measure("cash", "Cash in drawer", Money, Adds::Sum("sum(z.cash_in_drawer)")),
            Field::measure("shortOver", "Short or over", Money, Adds::Sum("sum(z.short_over)")),
        ],
    ],
};
