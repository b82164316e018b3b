//! `/reports/smbcd`, Sales Mix By Category, Daily: sales by category of POS items and day.

use std::collections::HashMap;

use larder_domain::sales::UNMAPPED;
use larder_domain::{Money, Qty};

use super::queries;
use larder_engines::reports::daily::{Daily, DailyCells, DailySales, WEEK};
use larder_engines::reports::queries::pos_names;
use larder_engines::reports::{NoParams, Question, Report, Sheet};
use larder_ledgers::sales::sums;
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// The place of net sales among the stored figures of POS items.
const NET: usize = 2;

/// Report definition.
pub struct Smbcd;

impl Report for Smbcd {
    const NAME: &'static str = "smbcd";
    const SUMMARY: &'static str = "Sales Mix By Category, Daily.";
    const MOST_DAYS: i32 = 366;
    type Params = NoParams;
    type ExportParams = DailyCells;
    type Answer = DailySales;

    async fn answer(state: &AppState, question: &Question, _: &NoParams) -> ApiResult<DailySales> {
        let mut daily = Daily::over(question.span);
        let (sums, names) = tokio::try_join!(
            queries::pos_sums(&state.db, daily.run(), question.stores.as_deref()),
            pos_names(&state.db)
        )?;
        // Each item's row is looked up once, not once per day.
        let mut rows: HashMap<u32, usize> = HashMap::new();
        for (day, item, [qty, net]) in sums.each() {
            let row = *rows.entry(item).or_insert_with(|| {
                let category = names.kind(sums.id(item)).unwrap_or_default();
                daily.row(&category, if category.is_empty() { "No category" } else { &category })
            });
            daily.add(row, day, Qty(qty), Money(net))?;
            if sums.id(item).starts_with(UNMAPPED) {
                daily.add_unmapped(sums.id(item), day, Qty(qty))?;
            }
        }
        let left_out = queries::left_out(&state.db, question, WEEK).await?;
        daily.count_left_out(left_out.pairs);
        daily.say_without_sales(queries::without_sales(&state.db, question).await?);
        for (day, item, net, sides) in left_out.figures(&state.db, sums::POS, NET).await? {
            if let Some(row) = rows.get(&item) {
                daily.leave_out(*row, day, Money(net), sides)?;
            }
        }
        daily.finish()
    }

    fn sheet(report: &DailySales, _: &NoParams, cells: &DailyCells) -> ApiResult<Sheet> {
        report.sheet("Category", *cells)
    }
}
