//! What the words of a question may say.

use serde::Serialize;

use crate::tender::Kind as TenderKind;

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
    /// Discounts by law and others.
    Discounts,
    /// Root item usage by sales.
    Usage,
    /// Goods received by and sent from stores.
    Movement,
    Waste,
    Counts,
    /// Counted against expected stock.
    Variance,
    Stock,
    /// Lots, their expiry and recalls.
    Lots,
    Orders,
    /// What stores ordered of a kitchen.
    Kitchen,
    /// Batches that kitchens make.
    Production,
    Deliveries,
    Receipts,
    Transfers,
    /// Cash, cards, deposits.
    Tenders,
    Readings,
    /// The certified monthly sales report.
    Cmsr,
    /// Days on their way to NetSuite.
    Netsuite,
    Forecast,
    Plan,
    FoodCost,
    /// Rent against sales.
    Occupancy,
    /// Comparison of stores.
    Performance,
}

impl Topic {
    /// Whether its figures are sales, so that the word «sales» adds nothing to it.
    pub(super) const fn of_sales(self) -> bool {
        matches!(
            self,
            Self::Mix
                | Self::Terminals
                | Self::Tickets
                | Self::Growth
                | Self::Discounts
                | Self::Tenders
                | Self::Cmsr
                | Self::Netsuite
                | Self::Forecast
                | Self::Performance
        )
    }
}

/// The state asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum AskedState {
    Missing,
    /// Not in the bank.
    Unpaid,
    Late,
    ToVerify,
    Disputed,
    Differs,
    ToApprove,
    /// Ordered, but not covered by stock.
    Short,
    /// About to run out.
    AtRisk,
    Recalled,
    Expiring,
    /// Counts held for approval.
    Held,
    OnTheWay,
    Undeclared,
    Blocked,
    Failed,
}

impl AskedState {
    /// The topic that it implies on its own; `None` if it fits several.
    #[must_use]
    pub const fn topic(self) -> Option<Topic> {
        match self {
            Self::Unpaid | Self::Undeclared => Some(Topic::Tenders),
            Self::ToVerify | Self::Disputed => Some(Topic::Readings),
            Self::ToApprove => Some(Topic::Orders),
            Self::Short => Some(Topic::Kitchen),
            Self::AtRisk => Some(Topic::Stock),
            Self::Recalled | Self::Expiring => Some(Topic::Lots),
            Self::Held => Some(Topic::Counts),
            Self::OnTheWay => Some(Topic::Deliveries),
            Self::Blocked => Some(Topic::Netsuite),
            Self::Missing | Self::Late | Self::Differs | Self::Failed => None,
        }
    }
}

/// What figures are broken down by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum AskedBy {
    Store,
    Area,
    Item,
    Category,
    Till,
    Tender,
    Hour,
    Weekday,
    Day,
    Week,
    Month,
}

/// Which end of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum AskedEnd {
    Top,
    Bottom,
}

/// «top 10».
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AskedRank {
    pub end: AskedEnd,
    /// How many, 1 to 500; if said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u16>,
}

/// A discount.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum AskedDiscount {
    Senior,
    Pwd,
    SoloParent,
    /// Of athletes.
    Naac,
    /// Of holders of the Medal of Valor.
    Valor,
    Employee,
    Vip,
    Promo,
}

/// What figures are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum AskedAgainst {
    /// The days before.
    Before,
    /// The same days a year before.
    YearBefore,
}

/// A moment or a range of days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// Days before today; a negative number is ahead.
    Ago(i32),
    /// A range that reports have a name for.
    Range(&'static str),
    NextWeek,
    /// 0 is Monday.
    Weekday(i32),
    /// 1 is January.
    Month(i8),
    /// A month only beside a number: «mayo 5»; alone the word means something else.
    MonthOfDate(i8),
}

/// What a phrase says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Topic(Topic),
    State(AskedState),
    By(AskedBy),
    /// As [`Meaning::By`], but only after [`Meaning::Each`] or a rank: «per store», «top stores».
    Noun(AskedBy),
    /// «by», «per», «which».
    Each,
    Rank(AskedEnd),
    Discount(AskedDiscount),
    Tender(TenderKind),
    Against(AskedAgainst),
    /// «vs»: a range follows.
    Versus,
    When(When),
    /// It adds nothing.
    Filler,
}
