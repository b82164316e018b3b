//! Proposed prices: requests and responses.

use larder_domain::{BusinessDay, Money, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::prices::proposals::{Proposal, Since};
use larder_platform::audit::Editor;

/// Query parameters: which proposals.
#[derive(Debug, Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PriceProposalsQuery {
    /// `open` (default), `accepted`, `dismissed` or `withdrawn`.
    pub state: Option<String>,
    /// At most 1,000; 200 if omitted.
    pub limit: Option<i64>,
    pub offset: Option<i64>,
}

/// Why a proposed price does not count from its receipt's date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PriceSince)]
pub enum SinceShown {
    /// It does.
    Receipt,
    /// That day's week is frozen: it counts from the day after the frozen weeks.
    Frozen,
    /// A user set a price for that day or a later one: it counts from today.
    SetLater,
}

impl From<Since> for SinceShown {
    fn from(since: Since) -> Self {
        match since {
            Since::Receipt => Self::Receipt,
            Since::Frozen => Self::Frozen,
            Since::SetLater => Self::SetLater,
        }
    }
}

/// A price of a root item that a receipt proposes.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriceProposal {
    pub id: String,
    pub root_item_id: String,
    pub root_item_name: Option<String>,
    pub product_id: String,
    pub product_name: Option<String>,
    pub receipt_id: String,
    pub receipt_no: Option<String>,
    pub store_id: Option<String>,
    pub supplier_id: Option<String>,
    /// The receipt's business date.
    pub on_date: BusinessDay,
    /// What the supplier charges for one of `uomCode`.
    pub unit_price: Option<Money>,
    pub uom_code: Option<String>,
    /// Of a unit of the root item.
    pub price: Money,
    /// The root item's price in force on the receipt's day.
    pub price_then: Option<Money>,
    /// The day from which it counts once accepted.
    pub from: BusinessDay,
    pub since: SinceShown,
    pub state: String,
    pub revision: i64,
    pub updated_at: Timestamp,
    pub updated_by: Editor,
}

impl PriceProposal {
    /// A proposal with the day from which it would count.
    pub fn of(proposal: Proposal, (from, since): (BusinessDay, Since)) -> Self {
        Self {
            id: proposal.id,
            root_item_id: proposal.root_item_id,
            root_item_name: proposal.root_item_name,
            product_id: proposal.product_id,
            product_name: proposal.product_name,
            receipt_id: proposal.receipt_id,
            receipt_no: proposal.receipt_no,
            store_id: proposal.store_id,
            supplier_id: proposal.supplier_id,
            on_date: proposal.on_date,
            unit_price: proposal.unit_price,
            uom_code: proposal.uom_code,
            price: proposal.price,
            price_then: proposal.price_then,
            from,
            since: since.into(),
            state: proposal.state,
            revision: proposal.revision,
            updated_at: proposal.updated_at,
            updated_by: proposal.updated_by.0,
        }
    }
}

/// Proposed prices, newest receipts first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriceProposals {
    pub items: Vec<PriceProposal>,
    /// Number of all in this state.
    pub total: i64,
}

/// A proposal to accept.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AcceptedProposal {
    pub id: String,
    pub revision: i64,
    /// Another price than the proposed one.
    #[serde(default)]
    pub price: Option<Money>,
    /// Another first day than the proposed one, up to today.
    #[serde(default)]
    pub from: Option<BusinessDay>,
}

/// Proposals to accept, all or none.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AcceptProposals {
    /// At most 200.
    pub items: Vec<AcceptedProposal>,
}

/// A proposal to dismiss.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DismissedProposal {
    pub id: String,
    pub revision: i64,
}

/// Proposals to dismiss, all or none.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DismissProposals {
    /// At most 200.
    pub items: Vec<DismissedProposal>,
}

/// What became of the proposals.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DecidedProposals {
    /// Number of proposals decided.
    pub decided: usize,
    /// Mondays of the weekly snapshots that are made again.
    pub weeks: Vec<BusinessDay>,
}
