//! Proposed prices: requests and responses.

use larder_domain::BusinessDay;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use larder_ledgers::prices::proposals::{Proposal, Since};

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

/// A price of a root item that a receipt proposes.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriceProposal {
    #[serde(flatten)]
    pub proposal: Proposal,
    /// The day from which it counts once accepted.
    pub from: BusinessDay,
    pub since: Since,
}

/// Proposed prices, newest receipts first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PriceProposals {
    pub items: Vec<PriceProposal>,
    /// Number of all in this state.
    pub total: i64,
}

/// A proposal that a user saw.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SeenProposal {
    pub id: String,
    pub revision: i64,
}

/// Proposals to accept or dismiss, all or none.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DecideProposals {
    /// At most 200.
    pub items: Vec<SeenProposal>,
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
