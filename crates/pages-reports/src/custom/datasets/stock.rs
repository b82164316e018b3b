//! Stock movements, counts and forecasts.

use super::super::fields::CustomType::{Count, Money, Share};
use super::super::fields::{
    Adds, Dataset, Field, Items, Of, OfItem, ROOT_ITEM, STORE, Source, Sql, WHEN, Words,
};

const PLACES: Words = Words::Labelled(&[
    ("store", "Store"),
    ("commissary", "Commissary"),
    ("warehouse", "Warehouse"),
    ("coldStorage", "Cold storage"),
    ("inTransit", "On its way"),
]);
const KINDS: Words = Words::Labelled(&[("product", "Product"), ("rootItem", "Root item")]);

/// The stock ledger.
pub const MOVEMENTS: Dataset = Dataset {
    key: "movements",
    label: "Stock movements",
    about: "What came and went, as the ledger has it. Places other than stores are for people of all stores.",
    right: Some("stores/storeInventory"),
    source: Source::Sql(Sql {
        from: " from stock_movements m",
        day: "m.business_date",
        store: "case when m.place_kind = 'store' then m.place_id else '' end",
        item: Some("m.item_id"),
        unit: None,
        only: "",
        besides: Some("m.place_kind <> 'store'"),
    }),
    items: Some(Items::Stocked),
    ahead: false,
    sales: false,
    fields: &[
        WHEN,
        STORE,
        &[
            Field::dim("item", "Item", "Item", Of::Item(OfItem::Itself)),
            Field::dim("itemKind", "Product or root item", "Item", Of::Own("m.item_kind", KINDS)),
            Field::dim("category", "Category or type", "Item", Of::Item(OfItem::Kind)),
            Field::dim("place", "Kind of place", "Movement", Of::Own("m.place_kind", PLACES)),
            Field::dim("document", "Document type", "Movement", Of::Own("m.document_type", Words::Plain)),
            Field::dim("reason", "Reason", "Movement", Of::Own("m.reason", Words::Plain)),
            Field::qty("qty", "Net movement", Adds::Sum("sum(m.qty)")),
            Field::qty("in", "Came in", Adds::Sum("sum(case when m.qty > 0 then m.qty else 0 end)")),
            Field::qty("out", "Went out", Adds::Sum("sum(case when m.qty < 0 then -m.qty else 0 end)")),
            Field::measure("movements", "Movements", Count, Adds::Sum("count(*)")),
        ],
    ],
};

const SESSIONS: Words = Words::Labelled(&[("opening", "Opening"), ("closing", "Closing"), ("", "Whole day")]);

/// Counts by stores.
pub const COUNTS: Dataset = Dataset {
    key: "counts",
    label: "Counts",
    about: "What stores counted. A quantity is the stock on the last day that was counted.",
    right: Some("stores/storeCount"),
    source: Source::Sql(Sql {
        from: " from store_counts c left join store_inventory_items i on i.id = c.item_id \
               left join uoms u on u.id = i.uom_id",
        day: "c.date",
        store: "c.store_id",
        item: Some("c.item_id"),
        unit: Some("u.code"),
        only: " and c.qty is not null",
        besides: None,
    }),
    items: Some(Items::Counted),
    ahead: false,
    sales: false,
    fields: &[
        WHEN,
        STORE,
        &[
            Field::dim("item", "Counted item", "Item", Of::Item(OfItem::Itself)),
            Field::dim("area", "Storage area", "Item", Of::Item(OfItem::Kind)),
            Field::dim("session", "Session", "Count", Of::Own("c.session", SESSIONS)),
            Field::dim("by", "Counted by", "Count", Of::Own("c.counted_by ->> 'name'", Words::Plain)),
            Field::measure("counts", "Counts", Count, Adds::Sum("count(*)")),
            Field::measure(
                "late",
                "Late counts",
                Count,
                Adds::Sum("sum(case when c.late then 1 else 0 end)"),
            ),
            Field::measure("lateShare", "Late %", Share, Adds::Ratio("late", "counts")),
            Field::qty("qty", "Quantity counted last", Adds::Last("sum(c.qty)")),
        ],
    ],
};

/// Forecasts with the actual use.
pub const FORECASTS: Dataset = Dataset {
    key: "forecasts",
    label: "Forecasts",
    about: "What was forecast of each root item, by the newest forecast made before the day, and what sales then used.",
    right: Some("tools/services"),
    source: Source::Forecast,
    items: Some(Items::Root),
    ahead: true,
    sales: false,
    fields: &[
        WHEN,
        STORE,
        ROOT_ITEM,
        &[
            Field::qty("forecast", "Forecast", Adds::Sum("forecast")),
            Field::qty("actual", "Used by sales", Adds::Sum("actual")),
            Field::qty("difference", "Forecast less used", Adds::Sum("difference")),
            Field::qty("error", "Absolute error", Adds::Sum("error")),
        ],
    ],
};

/// Weekly snapshots.
pub const SNAPSHOTS: Dataset = Dataset {
    key: "snapshots",
    label: "Weekly snapshots",
    about: "How root items moved in stores, week by week, as recorded. A date is a week’s Monday.",
    right: None,
    source: Source::Sql(Sql {
        from: " from root_item_snapshots s",
        day: "s.week",
        store: "s.store_id",
        item: Some("s.root_item_id"),
        unit: None,
        only: "",
        besides: None,
    }),
    items: Some(Items::Root),
    ahead: false,
    sales: false,
    fields: &[
        WHEN,
        STORE,
        ROOT_ITEM,
        &[
            Field::qty("opening", "Opening", Adds::First("sum(s.opening)")),
            Field::qty("received", "Received", Adds::Sum("sum(s.received)")),
            Field::qty("transfersIn", "Transfers in", Adds::Sum("sum(s.transfers_in)")),
            Field::qty("transfersOut", "Transfers out", Adds::Sum("sum(s.transfers_out)")),
            Field::qty("waste", "Waste", Adds::Sum("sum(s.waste)")),
            Field::qty("theoreticalUse", "Theoretical use", Adds::Sum("sum(s.theoretical_use)")),
            Field::qty("actualUse", "Actual use", Adds::Sum("sum(s.actual_use)")),
            Field::qty("closing", "Closing", Adds::Last("sum(s.closing)")),
            Field::qty("variance", "Variance", Adds::Sum("sum(s.variance)")),
            Field::measure("varianceValue", "Variance ₱", Money, Adds::Worth("sum(s.variance_worth)")),
        ],
    ],
};
