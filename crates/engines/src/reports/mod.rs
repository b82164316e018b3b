//! The engine of reports. A report is one declaration: what it is asked, what it answers, the columns of its file. Its
//! two routes with their rights, the contract, CSV and XLSX, and the rule of totals come from here.
//!
//! | file | what it does |
//! |---|---|
//! | `question` | what every report is asked: from when to when, for which stores |
//! | `routes` | answers as JSON and as a file |
//! | `contract` | what the routes say in `openapi.json` |
//! | `sheet` | typed columns over rows, with totals, on their way into a file |
//! | `units` | quantities added up within one unit |
//! | `daily` | sales by day: quantity, net, share of the day, change against a week before |
//! | `figures` | sums, shares and changes |
//! | `gaps` | what a report cannot place |
//! | `picture` | charts as pictures, for letters |
//! | `queries` | stores, areas and what items are called |

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

use std::future::Future;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::{IntoParams, ToSchema};

use larder_platform::AppState;
use larder_platform::http::ApiResult;

pub use question::{Asked, Question};
pub use routes::routes;
pub use sheet::{Column, Sheet};

/// The page whose rights reports ask for.
pub const PAGE: &str = "reports/reports";

/// The declaration of a report.
pub trait Report: Send + Sync + 'static {
    /// Its name in addresses and files: `count-people`.
    const NAME: &'static str;
    /// Where its address begins.
    const BASE: &'static str = "/api/reports";
    /// What it tells, for the contract.
    const SUMMARY: &'static str;
    /// The page whose rights it asks for: to view it, and to export it.
    const PAGE: &'static str = PAGE;
    /// The longest range.
    const MOST_DAYS: i32 = question::MOST_DAYS;

    /// What it is asked beside range and stores.
    type Asks: DeserializeOwned + IntoParams + Send + Sync + 'static;
    /// What only its file is asked, beside the format.
    type InFile: DeserializeOwned + IntoParams + Send + Sync + 'static;
    /// What it answers.
    type Answer: Serialize + ToSchema + Send + Sync + 'static;

    /// The answer, as a file needs it: all of it.
    fn answer(
        state: &AppState,
        question: &Question,
        asks: &Self::Asks,
    ) -> impl Future<Output = ApiResult<Self::Answer>> + Send;

    /// Refuses what makes no sense of a page; a file has all of it.
    ///
    /// # Errors
    /// 422 at the fields that are wrong.
    fn check_page(_asks: &Self::Asks) -> ApiResult<()> {
        Ok(())
    }

    /// What of the answer is shown on a page.
    fn on_page(answer: Self::Answer, _asks: &Self::Asks) -> Self::Answer {
        answer
    }

    /// The answer as a table.
    ///
    /// # Errors
    /// 422 where totals are too large.
    fn sheet(answer: &Self::Answer, asks: &Self::Asks, in_file: &Self::InFile) -> ApiResult<Sheet>;
}

/// A report that is asked nothing more.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub struct Nothing {}

impl IntoParams for Nothing {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        Vec::new()
    }
}
