//! Document lines: ordered, delivered, received, wasted. Quantities are in the lines' units.

use super::super::fields::CustomType::{Count, Money, Qty, Share};
use super::super::fields::{Adds, Dataset, Field, Items, Of, PRODUCT, STORE, Source, Sql, WHEN, Words};
use larder_engines::reports::queries::{LINES_ORDERED, SHARES_RECEIVED};

const fn lines(from: &'static str, only: &'static str) -> Source {
    Source::Sql(Sql {
        from,
        day: "d.on_date",
        store: "d.store_id",
        item: Some("l.product_id"),
        unit: Some("l.uom_code"),
        only,
        besides: None,
    })
}

const NUMBER: Of = Of::Own("d.id || '|' || d.number", Words::Named);

const WASTE_REASONS: Words = Words::Labelled(&[
    ("expired", "Expired"),
    ("spoiled", "Spoiled"),
    ("damaged", "Damaged"),
    ("dropped", "Dropped"),
    ("overproduced", "Overproduced"),
    ("recalled", "Recalled"),
    ("returned", "Returned by a customer"),
    ("staffMeal", "Staff meal"),
    ("other", "Other"),
]);

/// Waste of stores.
pub const WASTE: Dataset = Dataset {
    key: "waste",
    label: "Waste lines",
    about: "What stores threw away, why, and what it was worth. Posted reports only.",
    right: Some("stores/storeTransactions"),
    source: lines(
        " from documents d join waste_lines l on l.document_id = d.id",
        " and d.kind = 'waste' and d.state = 'posted'",
    ),
    items: Some(Items::Product),
    ahead: false,
    sales: false,
    fields: &[
        WHEN,
        STORE,
        PRODUCT,
        &[
            Field::dim("reason", "Reason", "Waste", Of::Own("l.reason", WASTE_REASONS)),
            Field::dim("document", "Waste report", "Waste", NUMBER).leading("waste"),
            Field::measure(
                "value",
                "Value",
                Money,
                Adds::Sum("sum((l.qty * coalesce(l.unit_price, 0) + 500000) / 1000000)"),
            ),
            Field::qty("qty", "Quantity", Adds::Sum("sum(l.qty)")),
            Field::measure("lines", "Lines", Count, Adds::Sum("count(*)")),
        ],
    ],
};

const ORDER_STATES: Words = Words::Labelled(&[
    ("submitted", "Submitted"),
    ("rejected", "Rejected"),
    ("approved", "Approved"),
    ("inFulfilment", "In fulfilment"),
    ("partiallyReceived", "Partially received"),
    ("received", "Received"),
    ("closed", "Closed"),
]);
const FROM: Words = Words::Labelled(&[
    ("commissary", "Commissary"),
    ("warehouse", "Warehouse"),
    ("supplier", "Supplier"),
    ("store", "Store"),
]);

/// Store orders.
pub const ORDERS: Dataset = Dataset {
    key: "orders",
    label: "Order lines",
    about: "What stores ordered, what was approved and what came. Drafts and cancelled orders are left out.",
    right: Some("stores/storeOrders"),
    source: lines(
        " from documents d join order_lines l on l.document_id = d.id",
        " and d.kind = 'storeOrder' and d.state not in ('draft', 'cancelled')",
    ),
    items: Some(Items::Product),
    ahead: true,
    sales: false,
    fields: &[
        WHEN,
        STORE,
        PRODUCT,
        &[
            Field::dim("from", "Ordered from", "Order", Of::Own("d.source_type", FROM)),
            Field::dim("state", "State", "Order", Of::Own("d.state", ORDER_STATES)),
            Field::dim("document", "Order", "Order", NUMBER).leading("order"),
            Field::qty("ordered", "Ordered", Adds::Sum("sum(l.qty_ordered)")),
            Field::qty("approved", "Approved", Adds::Sum("sum(coalesce(l.qty_approved, 0))")),
            Field::qty("dispatched", "Dispatched", Adds::Sum("sum(l.qty_dispatched)")),
            Field::qty("received", "Received", Adds::Sum("sum(l.qty_received)")),
            Field::qty("shortClosed", "Closed short", Adds::Sum("sum(l.qty_short_closed)")),
            Field::measure(
                "value",
                "Value ordered",
                Money,
                Adds::Sum("sum((l.qty_ordered * coalesce(l.unit_price, 0) + 500000) / 1000000)"),
            ),
            Field::measure("lines", "Lines", Count, Adds::Sum("count(*)")),
            Field::measure(
                "full",
                "Lines received in full",
                Count,
                Adds::Sum("sum(case when l.qty_received >= l.qty_ordered then 1 else 0 end)"),
            ),
            Field::measure("shares", "Shares of lines received", Qty, Adds::Sum(SHARES_RECEIVED)),
            Field::measure("asked", "Lines without backorders", Qty, Adds::Sum(LINES_ORDERED)),
            Field::measure("fillRate", "Fill rate", Share, Adds::Ratio("shares", "asked")),
        ],
    ],
};

const DELIVERY_STATES: Words = Words::Labelled(&[
    ("draft", "Draft"),
    ("picking", "Being picked"),
    ("packed", "Packed"),
    ("dispatched", "Dispatched"),
    ("partiallyReceived", "Partially received"),
    ("received", "Received"),
    ("reconciled", "Reconciled"),
]);

/// Deliveries by commissaries.
pub const DELIVERIES: Dataset = Dataset {
    key: "deliveries",
    label: "Delivery lines",
    about: "What commissaries and warehouses sent to stores, and what became of it.",
    right: Some("commissary/deliveries"),
    source: lines(
        " from documents d join shipment_lines l on l.document_id = d.id",
        " and d.kind = 'delivery' and d.state <> 'cancelled'",
    ),
    items: Some(Items::Product),
    ahead: true,
    sales: false,
    fields: &[
        WHEN,
        STORE,
        PRODUCT,
        &[
            Field::dim("state", "State", "Delivery", Of::Own("d.state", DELIVERY_STATES)),
            Field::dim("document", "Delivery", "Delivery", NUMBER).leading("delivery"),
            Field::qty("ordered", "Ordered", Adds::Sum("sum(l.ordered)")),
            Field::qty("dispatched", "Dispatched", Adds::Sum("sum(l.dispatched)")),
            Field::qty("accepted", "Accepted", Adds::Sum("sum(l.accepted)")),
            Field::qty("returned", "Returned", Adds::Sum("sum(l.returned)")),
            Field::qty("writtenOff", "Written off", Adds::Sum("sum(l.written_off)")),
            Field::qty(
                "onItsWay",
                "On its way",
                Adds::Sum("sum(l.dispatched + l.overage - l.accepted - l.returned - l.written_off)"),
            ),
            Field::measure("lines", "Lines", Count, Adds::Sum("count(*)")),
            Field::measure(
                "full",
                "Lines sent in full",
                Count,
                Adds::Sum("sum(case when l.dispatched >= l.ordered then 1 else 0 end)"),
            ),
            Field::measure("fillRate", "Share of lines sent in full", Share, Adds::Ratio("full", "lines")),
        ],
    ],
};

const DIFFERENCES: Words = Words::Labelled(&[
    ("short", "Short"),
    ("over", "Over"),
    ("damaged", "Damaged"),
    ("expired", "Expired"),
    ("wrongItem", "Wrong item"),
    ("temperature", "Too warm"),
    ("notOrdered", "Not ordered"),
]);
const RESOLUTIONS: Words = Words::Labelled(&[
    ("pending", "Pending"),
    ("backorder", "Sent later"),
    ("credit", "Credited"),
    ("return", "Returned"),
    ("writeOff", "Written off"),
    ("acceptOver", "Surplus kept"),
]);

/// Receipts of stores.
pub const RECEIVED: Dataset = Dataset {
    key: "received",
    label: "Receipt lines",
    about: "What stores took in against what they expected, and why it differed. Posted receipts only.",
    right: Some("stores/storeReceive"),
    source: lines(
        " from documents d join receipt_lines l on l.document_id = d.id",
        " and d.kind = 'receipt' and d.state in ('posted', 'reconciled')",
    ),
    items: Some(Items::Product),
    ahead: false,
    sales: false,
    fields: &[
        WHEN,
        STORE,
        PRODUCT,
        &[
            Field::dim("reason", "Difference", "Receipt", Of::Own("l.reason", DIFFERENCES)),
            Field::dim("resolution", "How it was settled", "Receipt", Of::Own("l.resolution", RESOLUTIONS)),
            Field::dim("document", "Receipt", "Receipt", NUMBER).leading("receipt"),
            Field::qty("expected", "Expected", Adds::Sum("sum(l.expected)")),
            Field::qty("received", "Received", Adds::Sum("sum(l.received)")),
            Field::qty("accepted", "Accepted", Adds::Sum("sum(l.accepted)")),
            Field::qty("rejected", "Rejected", Adds::Sum("sum(l.rejected)")),
            Field::measure("lines", "Lines", Count, Adds::Sum("count(*)")),
            Field::measure(
                "differing",
                "Lines that differed",
                Count,
                Adds::Sum("sum(case when l.received <> l.expected or l.rejected > 0 then 1 else 0 end)"),
            ),
            Field::measure("differingShare", "Share that differed", Share, Adds::Ratio("differing", "lines")),
        ],
    ],
};
