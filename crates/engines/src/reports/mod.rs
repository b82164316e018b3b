//! The engine of reports. A report is one declaration: its query parameters, its answer, the columns of its
//! file. The engine provides the two routes with their permissions, the contract, CSV and XLSX, and totals.
//!
//! | file | what it does |
//! |---|---|
//! | `question` | common query parameters: days and stores |
//! | `routes` | responses as JSON and as a file |
//! | `contract` | the routes in `openapi.json` |
//! | `sheet` | typed columns over rows, with totals, for files |
//! | `units` | sums of quantities per unit |
//! | `daily` | sales by day: quantity, net, share of the day, change against a week before |
//! | `figures` | sums, shares and changes |
//! | `worths` | sums of what quantities are worth |
//! | `gaps` | what a report cannot assign |
//! | `picture` | charts as images, for emails |
//! | `queries` | stores, areas and item names |

mod contract;
pub mod daily;
pub mod figures;
pub mod gaps;
pub mod picture;
pub mod queries;
pub mod question;
mod routes;
pub mod sheet;
pub mod units;
pub mod worths;

use std::future::Future;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::{IntoParams, ToSchema};

use larder_platform::AppState;
use larder_platform::http::ApiResult;

pub use question::{Question, ReportQuery};
pub use routes::routes;
pub use sheet::{Column, Sheet};

/// The page whose permissions reports require.
pub const PAGE: &str = "reports/reports";

/// The declaration of a report.
pub trait Report: Send + Sync + 'static {
    /// Name in addresses and files: `count-people`.
    const NAME: &'static str;
    /// Prefix of its address.
    const BASE: &'static str = "/api/reports";
    /// Summary in the contract.
    const SUMMARY: &'static str;
    /// The page whose view and export permissions it requires.
    const PAGE: &'static str = PAGE;
    /// The longest range, in days.
    const MOST_DAYS: i32 = question::MOST_DAYS;

    /// Query parameters beside range and stores.
    type Params: DeserializeOwned + IntoParams + Send + Sync + 'static;
    /// Query parameters of its file beside the format.
    type ExportParams: DeserializeOwned + IntoParams + Send + Sync + 'static;
    type Answer: Serialize + ToSchema + Send + Sync + 'static;

    /// The complete answer, as a file needs it.
    fn answer(
        state: &AppState,
        question: &Question,
        params: &Self::Params,
    ) -> impl Future<Output = ApiResult<Self::Answer>> + Send;

    /// Validates paging parameters; a file has all rows.
    ///
    /// # Errors
    /// 422 at the invalid fields.
    fn check_page(_params: &Self::Params) -> ApiResult<()> {
        Ok(())
    }

    /// The part of the answer on the requested page.
    fn on_page(answer: Self::Answer, _params: &Self::Params) -> Self::Answer {
        answer
    }

    /// The answer as a table.
    ///
    /// # Errors
    /// 422 if a total overflows.
    fn sheet(
        answer: &Self::Answer,
        params: &Self::Params,
        export_params: &Self::ExportParams,
    ) -> ApiResult<Sheet>;
}

/// No further query parameters.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub struct NoParams {}

impl IntoParams for NoParams {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        Vec::new()
    }
}
