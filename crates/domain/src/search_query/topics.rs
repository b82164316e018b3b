//! The topics of a question.

use serde::Serialize;

/// What a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Topic {
    /// Sales amounts and quantities.
    Sales,
    /// Shares of categories.
    Mix,
    /// Sales per till.
    Terminals,
    /// Tickets: average, items, hours, items bought together.
    Tickets,
    /// Sales against the week and the year before.
    Growth,
    /// Root item usage by sales.
    Usage,
    /// Goods received by and sent from stores.
    Movement,
    Waste,
    Counts,
    /// Counted against expected stock.
    Variance,
    Stock,
    Orders,
    Deliveries,
    Receipts,
    Transfers,
    /// Cash, cards, deposits.
    Tenders,
    Readings,
    /// The certified monthly sales report.
    Cmsr,
    Forecast,
    Plan,
    FoodCost,
    /// Rent against sales.
    Occupancy,
    /// Comparison of stores.
    Performance,
}

/// Words for each topic; longer phrases before their prefixes.
const WORDS: &[(&[&str], Topic)] = &[
    (&["food", "cost"], Topic::FoodCost),
    (&["food", "costs"], Topic::FoodCost),
    (&["sales", "mix"], Topic::Mix),
    (&["mix"], Topic::Mix),
    (&["categories"], Topic::Mix),
    (&["category"], Topic::Mix),
    (&["smbcd"], Topic::Mix),
    (&["sales", "by", "terminal"], Topic::Terminals),
    (&["sales", "by", "category"], Topic::Mix),
    (&["terminals"], Topic::Terminals),
    (&["terminal"], Topic::Terminals),
    (&["tills"], Topic::Terminals),
    (&["till"], Topic::Terminals),
    (&["average", "ticket"], Topic::Tickets),
    (&["average", "check"], Topic::Tickets),
    (&["tickets"], Topic::Tickets),
    (&["ticket"], Topic::Tickets),
    (&["hours"], Topic::Tickets),
    (&["baskets"], Topic::Tickets),
    (&["bought", "together"], Topic::Tickets),
    (&["sales", "growth"], Topic::Growth),
    (&["growth"], Topic::Growth),
    (&["compare"], Topic::Growth),
    (&["sales", "comparison"], Topic::Growth),
    (&["sales"], Topic::Sales),
    (&["sale"], Topic::Sales),
    (&["sold"], Topic::Sales),
    (&["sell"], Topic::Sales),
    (&["revenue"], Topic::Sales),
    (&["turnover"], Topic::Sales),
    (&["benta"], Topic::Sales),
    (&["usage"], Topic::Usage),
    (&["used"], Topic::Usage),
    (&["use"], Topic::Usage),
    (&["consumption"], Topic::Usage),
    (&["movements"], Topic::Movement),
    (&["movement"], Topic::Movement),
    (&["waste"], Topic::Waste),
    (&["wasted"], Topic::Waste),
    (&["wastage"], Topic::Waste),
    (&["spoilage"], Topic::Waste),
    (&["spoiled"], Topic::Waste),
    (&["thrown", "away"], Topic::Waste),
    (&["count", "variance"], Topic::Variance),
    (&["variance"], Topic::Variance),
    (&["shrinkage"], Topic::Variance),
    (&["missing", "stock"], Topic::Variance),
    (&["missing", "counts"], Topic::Counts),
    (&["counts"], Topic::Counts),
    (&["counted"], Topic::Counts),
    (&["on", "hand"], Topic::Stock),
    (&["stock"], Topic::Stock),
    (&["inventory"], Topic::Stock),
    (&["orders"], Topic::Orders),
    (&["order"], Topic::Orders),
    (&["ordered"], Topic::Orders),
    (&["deliveries"], Topic::Deliveries),
    (&["delivery"], Topic::Deliveries),
    (&["delivered"], Topic::Deliveries),
    (&["receipts"], Topic::Receipts),
    (&["received"], Topic::Receipts),
    (&["receiving"], Topic::Receipts),
    (&["transfers"], Topic::Transfers),
    (&["transfer"], Topic::Transfers),
    (&["tenders"], Topic::Tenders),
    (&["tender"], Topic::Tenders),
    (&["cash"], Topic::Tenders),
    (&["deposits"], Topic::Tenders),
    (&["deposit"], Topic::Tenders),
    (&["z", "readings"], Topic::Readings),
    (&["z", "reading"], Topic::Readings),
    (&["z-readings"], Topic::Readings),
    (&["z-reading"], Topic::Readings),
    (&["readings"], Topic::Readings),
    (&["cmsr"], Topic::Cmsr),
    (&["certified", "sales"], Topic::Cmsr),
    (&["forecasts"], Topic::Forecast),
    (&["forecast"], Topic::Forecast),
    (&["plan"], Topic::Plan),
    (&["drp"], Topic::Plan),
    (&["replenishment"], Topic::Plan),
    (&["occupancy"], Topic::Occupancy),
    (&["rent"], Topic::Occupancy),
    (&["performance"], Topic::Performance),
    (&["ranking"], Topic::Performance),
    (&["best", "stores"], Topic::Performance),
    (&["worst", "stores"], Topic::Performance),
];

/// The topic at the start of these words, and how many words it takes; the longest match.
pub(super) fn read(words: &[&str]) -> Option<(Topic, usize)> {
    WORDS
        .iter()
        .filter(|(said, _)| words.starts_with(said))
        .max_by_key(|(said, _)| said.len())
        .map(|(said, topic)| (*topic, said.len()))
}
