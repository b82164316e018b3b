//! Figures of pages, and those that are known to be wrong.

use crate::quantity::{money, qty};

/// A row of the table of what pages must agree on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Row {
    /// Stock per root item and store, as of complete sales.
    Stock,
    /// Expected at the count, and the variance in quantity and pesos.
    Variance,
    /// What a store received, sent on, threw away and used on a day.
    Movement,
    /// What is on the road.
    InTransit,
    /// What the kitchen has.
    Kitchen,
    /// What the kitchen made: its lots, and where they went.
    Made,
    /// What was ordered, granted, sent and received.
    Orders,
    /// Lots at stores.
    Lots,
    /// Which stores have a recalled lot.
    Recalls,
    /// Sales and tickets by till and day.
    Sales,
    /// Sales by tender and day.
    Tenders,
    /// What the sold items were, and what they used.
    Usage,
    /// Food cost by recipes.
    FoodCost,
    /// Readings: tills without one, and their money.
    Readings,
    /// Declared and deposited money.
    Money,
    /// Home, the bell, and the lists behind them, of the whole server.
    Home,
    /// The plan: what it starts from, what comes, and when it runs out.
    Plan,
    /// What the staff could not do.
    Staff,
}

impl Row {
    /// Its name in a report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Stock => "stock",
            Self::Variance => "variance",
            Self::Movement => "movement",
            Self::InTransit => "in transit",
            Self::Kitchen => "kitchen",
            Self::Made => "made",
            Self::Orders => "orders",
            Self::Lots => "lots",
            Self::Recalls => "recalls",
            Self::Sales => "sales",
            Self::Tenders => "tenders",
            Self::Usage => "usage",
            Self::FoodCost => "food cost",
            Self::Readings => "readings",
            Self::Money => "money",
            Self::Home => "home",
            Self::Plan => "plan",
            Self::Staff => "staff",
        }
    }
}

/// A reason for which pages are known to differ from the truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Packs that did not arrive, as long as nobody says what became of them.
    Undecided,
    /// Which tills a reading is expected of.
    ExpectedTills,
}

/// The known differences: take a reason out when its pages are mended.
pub const KNOWN: &[(Reason, &str)] = &[
    (
        Reason::Undecided,
        "Shipments in transit leave out packs that did not arrive and are undecided; the inventory counts them.",
    ),
    (
        Reason::ExpectedTills,
        "The calendar misses readings of each day between a till's readings, not of each day with its sales.",
    ),
];

/// What a figure is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Millionths of a unit.
    Quantity,
    /// Centavos.
    Money,
    /// A number of things.
    Number,
}

/// A figure of a page, and the truth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    pub row: Row,
    pub measure: Measure,
    /// What it is of: «on hand of Rice at Cubao, day 3».
    pub about: String,
    /// As the page says; `None` if it says nothing.
    pub said: Option<i64>,
    pub truth: Option<i64>,
    /// Why it may differ.
    pub known: Option<Reason>,
}

impl Figure {
    pub(super) fn of(
        row: Row,
        measure: Measure,
        about: String,
        (said, truth): (Option<i64>, Option<i64>),
    ) -> Self {
        Self { row, measure, about, said, truth, known: None }
    }

    pub(super) fn qty(row: Row, about: String, said: Option<i64>, truth: Option<i64>) -> Self {
        Self::of(row, Measure::Quantity, about, (said, truth))
    }

    pub(super) fn money(row: Row, about: String, said: Option<i64>, truth: Option<i64>) -> Self {
        Self::of(row, Measure::Money, about + " in pesos", (said, truth))
    }

    /// Whether the page differs from the truth.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.said != self.truth
    }

    /// The difference in words.
    #[must_use]
    pub fn sentence(&self) -> String {
        let text = |figure: Option<i64>| match (figure, self.measure) {
            (None, _) => "nothing".to_owned(),
            (Some(figure), Measure::Quantity) => qty(figure).to_string(),
            (Some(figure), Measure::Money) => format!("₱{}", money(figure)),
            (Some(figure), Measure::Number) => figure.to_string(),
        };
        let (said, truth) = (text(self.said), text(self.truth));
        format!("{}: the page says {said} for {}; it must be {truth}.", self.row.name(), self.about)
    }
}
