//! The page and its files.

use larder_domain::Span;
use serde::Deserialize;
use utoipa::IntoParams;

use super::PAGE;
use super::compute::{Ground, compute};
use super::model::{
    BoughtTogether, HourCell, Insights, InsightsState, InsightsWork, StoreTickets, TicketFigures, TicketSize,
    TransactionInsights,
};
use super::queries;
use super::question::{self, InsightsQuery, MOST_DAYS, Order};
use super::together;
use super::work::oldest;
use larder_engines::reports::queries::without_sales;
use larder_engines::reports::{Column, Question, Report, Sheet};
use larder_platform::AppState;
use larder_platform::http::{ApiError, ApiResult};
use larder_platform::jobs::JobState;
use larder_platform::jobs::queries::Owner;

/// Maximum number of receipts for a synchronous result.
const AT_ONCE: i64 = 100_000;

/// Report definition.
pub struct TransactionInsightsReport;

/// Query parameters of a file only.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct InsightsExportParams {
    /// Table to export: `pairs` (default), `triples`, `hours`, `sizes`, `stores` or `dayparts`.
    pub table: Option<String>,
}

impl Report for TransactionInsightsReport {
    const NAME: &'static str = "transaction-insights";
    const BASE: &'static str = "/api/tools";
    const SUMMARY: &'static str = "Tickets: what they come to, when people come, what they buy together.";
    const PAGE: &'static str = PAGE;
    const MOST_DAYS: i32 = MOST_DAYS;
    type Params = InsightsQuery;
    type ExportParams = InsightsExportParams;
    type Answer = TransactionInsights;

    async fn answer(
        state: &AppState,
        question: &Question,
        query: &InsightsQuery,
    ) -> ApiResult<TransactionInsights> {
        let filter = query.read()?;
        query.order()?;
        let ground = Ground::read(&state.db, question, &filter).await?;
        ground.check()?;
        let (coverage, coverage_before) = ground.coverage();
        let stores_without_sales_before = match filter.against() {
            Some(span) => without_sales(&state.db, &Question { span, ..question.clone() }).await?,
            None => Vec::new(),
        };
        let mut insights = TransactionInsights {
            from: question.span.from,
            to: question.span.to,
            state: InsightsState::Large,
            coverage,
            coverage_before,
            stores_without_sales: without_sales(&state.db, question).await?,
            stores_without_sales_before,
            work: None,
            made_at: None,
            stale: false,
            answer: None,
        };
        if ground.receipts() <= AT_ONCE {
            let answer = compute(&state.db, &ground, &filter, |_, _, _| Ok::<_, ApiError>(())).await?;
            (insights.state, insights.answer) = (InsightsState::Ready, Some(answer));
            return Ok(insights);
        }
        let kept = queries::kept(&state.db, &question::key(question, &filter)).await?;
        let recent =
            kept.filter(|kept| kept.is_open() || kept.made_at.is_none_or(|at| at >= oldest(question.at)));
        if let Some(kept) = recent {
            insights.take(kept, ground.posted_at());
        }
        Ok(insights)
    }

    fn check_page(query: &InsightsQuery) -> ApiResult<()> {
        query.order().map(drop)
    }

    fn on_page(mut insights: TransactionInsights, query: &InsightsQuery) -> TransactionInsights {
        let order = query.order().unwrap_or_default();
        if let Some(answer) = &mut insights.answer {
            together::on_page(&mut answer.pairs, order);
            together::on_page(&mut answer.triples, order);
        }
        insights
    }

    fn sheet(
        insights: &TransactionInsights,
        query: &InsightsQuery,
        export_params: &InsightsExportParams,
    ) -> ApiResult<Sheet> {
        let Some(answer) = &insights.answer else {
            let words =
                "This is still to be worked out. Open the page, have it worked out, then take the file.";
            return Err(ApiError::conflict("notReady", words));
        };
        let span = Span { from: insights.from, to: insights.to };
        table(span, answer, query.order()?, export_params.table.as_deref().unwrap_or("pairs"))
    }
}

impl TransactionInsights {
    fn take(&mut self, kept: queries::Kept, posted_at: Option<larder_domain::Timestamp>) {
        let state = kept.state;
        if state != JobState::Done {
            let queries::Kept { job_id, owner, done, total, message, error, .. } = kept;
            let Owner { uid: started_by, name: started_by_name, .. } = owner.0;
            self.work = Some(InsightsWork {
                job_id,
                state,
                started_by,
                started_by_name,
                done,
                total,
                message,
                error,
            });
        }
        self.made_at = kept.made_at;
        self.stale = kept.made_at.is_some_and(|made| posted_at.is_some_and(|posted| posted >= made));
        self.answer = kept.answer.map(|answer| answer.0);
        self.state = match (&self.answer, state) {
            (Some(_), _) => InsightsState::Ready,
            (None, JobState::Queued | JobState::Running) => InsightsState::Working,
            (None, JobState::Failed) => InsightsState::Failed,
            (None, JobState::Cancelled) => InsightsState::Stopped,
            (None, JobState::Done) => InsightsState::Large,
        };
    }
}

fn table(span: Span, answer: &Insights, order: Order, name: &str) -> ApiResult<Sheet> {
    let compared = answer.before.is_some();
    match name {
        "pairs" => Ok(sets(span, answer.pairs.items.clone(), order, 2, compared)),
        "triples" => Ok(sets(span, answer.triples.items.clone(), order, 3, compared)),
        "hours" => Ok(Sheet::of(span, &answer.hours, hours())),
        "sizes" => Ok(Sheet::of(span, &answer.sizes, sizes(compared))),
        "stores" => {
            type Col<'a> = Column<'a, StoreTickets>;
            let mut columns = vec![Col::text("Store", 24, |row| row.name.clone())];
            columns.extend(figures("", |row: &StoreTickets| Some(&row.figures)));
            if compared {
                columns.extend(figures(", before", |row: &StoreTickets| row.before.as_ref()));
            }
            Sheet::of(span, &answer.stores, columns).with_totals()
        }
        "dayparts" => {
            type Row = super::model::DaypartTickets;
            let mut columns =
                vec![Column::text("Part of the day", 16, |row: &Row| row.daypart.label().to_owned())];
            columns.extend(figures("", |row: &Row| Some(&row.figures)));
            if compared {
                columns.extend(figures(", before", |row: &Row| row.before.as_ref()));
            }
            Sheet::of(span, &answer.dayparts, columns).with_totals()
        }
        _ => Err(ApiError::field("table", "Choose pairs, triples, hours, sizes, stores or dayparts.")),
    }
}

fn sets(span: Span, mut rows: Vec<BoughtTogether>, order: Order, size: usize, compared: bool) -> Sheet {
    type Col<'a> = Column<'a, BoughtTogether>;
    together::sort(&mut rows, order);
    let mut columns: Vec<Col<'_>> = Vec::new();
    for at in 0..size {
        columns.push(Col::text(format!("Item {}", at + 1), 28, move |row| {
            Some(row.items.get(at)?.name.clone())
        }));
    }
    columns.push(Col::count("Tickets", 10, |row| row.count));
    columns.push(Col::share("Share of tickets", 12, |row| row.support));
    for at in 0..size {
        let title = format!("Item {} with the others", at + 1);
        columns.push(Col::share(title, 12, move |row| Some(row.items.get(at)?.confidence)));
    }
    columns.push(Col::share("Times as often", 12, |row| row.lift));
    if compared {
        columns.push(Col::count("Tickets, before", 12, |row| Some(row.before?.count)));
        columns.push(Col::share("Times as often, before", 12, |row| Some(row.before?.lift)));
    }
    Sheet::of(span, &rows, columns)
}

fn hours<'a>() -> Vec<Column<'a, HourCell>> {
    type Col<'a> = Column<'a, HourCell>;
    let day = |row: &HourCell| {
        let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
        days.get(usize::from(row.weekday) - 1).copied().unwrap_or_default().to_owned()
    };
    vec![
        Col::text("Weekday", 12, day),
        Col::text("Hour", 8, |row| format!("{:02}:00", row.hour)),
        Col::count("Tickets", 10, |row| row.tickets),
        Col::money("Net", 14, |row| row.net),
        Col::count("Open store-hours", 12, |row| row.open_hours),
        Col::share("Tickets an open hour", 12, |row| row.an_hour),
    ]
}

fn sizes<'a>(compared: bool) -> Vec<Column<'a, TicketSize>> {
    type Col<'a> = Column<'a, TicketSize>;
    let last = super::sums::LARGEST as i64;
    let name = move |row: &TicketSize| {
        if row.items < last { row.items.to_string() } else { format!("{last} or more") }
    };
    let mut columns = vec![Col::text("Items", 12, name), Col::count("Tickets", 10, |row| row.tickets)];
    if compared {
        columns.push(Col::count("Tickets, before", 12, |row| row.before));
    }
    columns
}

/// The columns of a row's figures.
fn figures<'a, R: 'a>(
    when: &str,
    of: impl Fn(&R) -> Option<&TicketFigures> + Copy + 'a,
) -> Vec<Column<'a, R>> {
    vec![
        Column::count(format!("Tickets{when}"), 10, move |row: &R| Some(of(row)?.tickets)),
        Column::money(format!("Net{when}"), 14, move |row: &R| Some(of(row)?.net)),
        Column::price(format!("Average ticket{when}"), 14, move |row: &R| of(row)?.average),
        Column::count(format!("Items{when}"), 10, move |row: &R| Some(of(row)?.units)),
        Column::share(format!("Items a ticket{when}"), 12, move |row: &R| of(row)?.items_a_ticket),
        Column::count(format!("Refunds{when}"), 10, move |row: &R| Some(of(row)?.refunds)),
        Column::money(format!("Refunded{when}"), 14, move |row: &R| Some(of(row)?.refunded)),
        Column::count(format!("Open store-hours{when}"), 12, move |row: &R| Some(of(row)?.open_hours)),
        Column::share(format!("Tickets an open hour{when}"), 12, move |row: &R| of(row)?.an_hour),
    ]
}
