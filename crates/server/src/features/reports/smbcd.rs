//! `/reports/smbcd`, Sales Mix By Category, Daily: what each category of POS items sold day by day.

use larder_domain::sales::UNMAPPED;

use super::queries;
use crate::AppState;
use crate::http::ApiResult;
use crate::reports::daily::{Daily, DailyCells, DailySales};
use crate::reports::queries::pos_names;
use crate::reports::{Nothing, Question, Report, Sheet};

/// The declaration.
pub struct Smbcd;

impl Report for Smbcd {
    const NAME: &'static str = "smbcd";
    const SUMMARY: &'static str = "Sales Mix By Category, Daily.";
    const MOST_DAYS: i32 = 366;
    type Asks = Nothing;
    type InFile = DailyCells;
    type Answer = DailySales;

    async fn answer(state: &AppState, question: &Question, _: &Nothing) -> ApiResult<DailySales> {
        let mut daily = Daily::over(question.span);
        let (sums, names) = tokio::try_join!(
            queries::pos_by_period(&state.db, daily.run(), question.stores.as_deref()),
            pos_names(&state.db)
        )?;
        for sum in sums {
            let category = names.kind(&sum.item_id).unwrap_or_default();
            let name = if category.is_empty() { "No category" } else { &category };
            daily.add((&category, name), sum.period, sum.qty, sum.net)?;
            if sum.item_id.starts_with(UNMAPPED) {
                daily.add_unmapped(sum.item_id, sum.period, sum.qty)?;
            }
        }
        daily.finish()
    }

    fn sheet(report: &DailySales, _: &Nothing, cells: &DailyCells) -> ApiResult<Sheet> {
        report.sheet("Category", *cells)
    }
}
