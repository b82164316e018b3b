//! What a question may be about.

use serde::Serialize;

/// What a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Subject {
    /// What was sold, for how much.
    Sales,
    /// Shares of categories.
    Mix,
    /// Sales of each till.
    Terminals,
    /// Tickets: average, items, hours, what goes together.
    Tickets,
    /// Sales against the week and the year before.
    Growth,
    /// Root items that sales used.
    Usage,
    /// What came into stores and left them.
    Movement,
    Waste,
    Counts,
    /// Counted against expected.
    Variance,
    /// On hand.
    Stock,
    Orders,
    Deliveries,
    Receipts,
    Transfers,
    /// Cash, cards, deposits.
    Tenders,
    /// Z-readings.
    Readings,
    /// The certified monthly sales report.
    Cmsr,
    Forecast,
    /// The replenishment plan.
    Plan,
    FoodCost,
    /// Rent against sales.
    Occupancy,
    /// Stores held against each other.
    Performance,
}

/// Words for each, longer ones before those they begin with.
const WORDS: &[(&[&str], Subject)] = &[
    (&["food", "cost"], Subject::FoodCost),
    (&["food", "costs"], Subject::FoodCost),
    (&["sales", "mix"], Subject::Mix),
    (&["mix"], Subject::Mix),
    (&["categories"], Subject::Mix),
    (&["category"], Subject::Mix),
    (&["smbcd"], Subject::Mix),
    (&["sales", "by", "terminal"], Subject::Terminals),
    (&["sales", "by", "category"], Subject::Mix),
    (&["terminals"], Subject::Terminals),
    (&["terminal"], Subject::Terminals),
    (&["tills"], Subject::Terminals),
    (&["till"], Subject::Terminals),
    (&["average", "ticket"], Subject::Tickets),
    (&["average", "check"], Subject::Tickets),
    (&["tickets"], Subject::Tickets),
    (&["ticket"], Subject::Tickets),
    (&["hours"], Subject::Tickets),
    (&["baskets"], Subject::Tickets),
    (&["bought", "together"], Subject::Tickets),
    (&["sales", "growth"], Subject::Growth),
    (&["growth"], Subject::Growth),
    (&["compare"], Subject::Growth),
    (&["sales", "comparison"], Subject::Growth),
    (&["sales"], Subject::Sales),
    (&["sale"], Subject::Sales),
    (&["sold"], Subject::Sales),
    (&["sell"], Subject::Sales),
    (&["revenue"], Subject::Sales),
    (&["turnover"], Subject::Sales),
    (&["benta"], Subject::Sales),
    (&["usage"], Subject::Usage),
    (&["used"], Subject::Usage),
    (&["use"], Subject::Usage),
    (&["consumption"], Subject::Usage),
    (&["movements"], Subject::Movement),
    (&["movement"], Subject::Movement),
    (&["waste"], Subject::Waste),
    (&["wasted"], Subject::Waste),
    (&["wastage"], Subject::Waste),
    (&["spoilage"], Subject::Waste),
    (&["spoiled"], Subject::Waste),
    (&["thrown", "away"], Subject::Waste),
    (&["count", "variance"], Subject::Variance),
    (&["variance"], Subject::Variance),
    (&["shrinkage"], Subject::Variance),
    (&["missing", "stock"], Subject::Variance),
    (&["missing", "counts"], Subject::Counts),
    (&["counts"], Subject::Counts),
    (&["counted"], Subject::Counts),
    (&["on", "hand"], Subject::Stock),
    (&["stock"], Subject::Stock),
    (&["inventory"], Subject::Stock),
    (&["orders"], Subject::Orders),
    (&["order"], Subject::Orders),
    (&["ordered"], Subject::Orders),
    (&["deliveries"], Subject::Deliveries),
    (&["delivery"], Subject::Deliveries),
    (&["delivered"], Subject::Deliveries),
    (&["receipts"], Subject::Receipts),
    (&["received"], Subject::Receipts),
    (&["receiving"], Subject::Receipts),
    (&["transfers"], Subject::Transfers),
    (&["transfer"], Subject::Transfers),
    (&["tenders"], Subject::Tenders),
    (&["tender"], Subject::Tenders),
    (&["cash"], Subject::Tenders),
    (&["deposits"], Subject::Tenders),
    (&["deposit"], Subject::Tenders),
    (&["z", "readings"], Subject::Readings),
    (&["z", "reading"], Subject::Readings),
    (&["z-readings"], Subject::Readings),
    (&["z-reading"], Subject::Readings),
    (&["readings"], Subject::Readings),
    (&["cmsr"], Subject::Cmsr),
    (&["certified", "sales"], Subject::Cmsr),
    (&["forecasts"], Subject::Forecast),
    (&["forecast"], Subject::Forecast),
    (&["plan"], Subject::Plan),
    (&["drp"], Subject::Plan),
    (&["replenishment"], Subject::Plan),
    (&["occupancy"], Subject::Occupancy),
    (&["rent"], Subject::Occupancy),
    (&["performance"], Subject::Performance),
    (&["ranking"], Subject::Performance),
    (&["best", "stores"], Subject::Performance),
    (&["worst", "stores"], Subject::Performance),
];

/// The subject these words begin with, and how many of them say it; the longest that fits.
pub(super) fn read(words: &[&str]) -> Option<(Subject, usize)> {
    WORDS
        .iter()
        .filter(|(said, _)| words.starts_with(said))
        .max_by_key(|(said, _)| said.len())
        .map(|(said, subject)| (*subject, said.len()))
}
