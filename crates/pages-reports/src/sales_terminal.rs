//! `/reports/sales-terminal`, Sales by terminal: sales by till and day.

use std::collections::{BTreeMap, HashMap};

use larder_domain::{BusinessDay, Money, Span};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::store_queries as queries;
use larder_engines::reports::figures::{add, share};
use larder_engines::reports::gaps::StoreGap;
use larder_engines::reports::queries::stores;
use larder_engines::reports::queries::without_sales;
use larder_engines::reports::{Column, NoParams, Question, Report, Sheet};
use larder_ledgers::sales::tickets::{self, Tickets};
use larder_platform::AppState;
use larder_platform::http::ApiResult;

/// Content of a file's cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TerminalMeasure {
    /// Net sales.
    #[default]
    Net,
    Receipts,
    /// The average ticket.
    Ticket,
    /// Share of the day's net sales.
    Share,
}

/// Query parameters of a file.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct TerminalCells {
    /// Cells: `net`, `receipts`, `ticket` or `share`.
    #[param(inline)]
    pub measure: TerminalMeasure,
}

/// Sales by till and day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TerminalSales {
    /// First day.
    pub from: BusinessDay,
    /// Last day.
    pub to: BusinessDay,
    /// The columns.
    pub days: Vec<BusinessDay>,
    /// Largest net sales first.
    pub items: Vec<TillSales>,
    /// All tills.
    pub total: TillSales,
    /// Stores with open days without sales, up to yesterday.
    pub stores_without_sales: Vec<StoreGap>,
}

/// A till, or a store's sales without a till.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TillSales {
    /// Store and till, separated by a slash.
    pub id: String,
    pub store_id: String,
    pub store_name: String,
    /// The till; empty for sales without one.
    pub terminal: String,
    /// Net sales by day.
    pub nets: Vec<Money>,
    /// Number of receipts by day.
    pub receipts: Vec<i64>,
    /// The average ticket by day: net sales, without returns, of receipts with an item sold and not voided; null without
    /// such receipts.
    pub tickets: Vec<Option<Money>>,
    /// Share of the day's net sales, 0 to 1; null without sales.
    pub shares: Vec<Option<f64>>,
    /// Total net sales.
    pub net: Money,
    /// Total number of receipts.
    pub receipt_count: i64,
    /// Total number of tickets: receipts with at least one item sold and not voided.
    pub ticket_count: i64,
    /// The average ticket.
    pub ticket: Option<Money>,
    /// Share of all net sales.
    pub share: Option<f64>,
}

/// Report definition.
pub struct SalesTerminal;

impl Report for SalesTerminal {
    const NAME: &'static str = "sales-terminal";
    const SUMMARY: &'static str = "Sales by till and day.";
    /// One quarter.
    const MOST_DAYS: i32 = 92;
    type Params = NoParams;
    type ExportParams = TerminalCells;
    type Answer = TerminalSales;

    async fn answer(state: &AppState, question: &Question, _: &NoParams) -> ApiResult<TerminalSales> {
        let (db, span) = (&state.db, question.span);
        let stores = stores(db, question.stores.as_deref()).await?;
        let ids: Vec<String> = stores.iter().map(|(id, _)| id.clone()).collect();
        let (days, tills) =
            tokio::try_join!(queries::nets(db, &ids, span), tickets::by_till(db, &ids, span))?;
        let mut by_till = ByTill::over(span, stores);
        // Sales without a receipt have no till: the day's total less its tills.
        let mut rest = vec![vec![Money::ZERO; days_of(span)]; by_till.stores.len()];
        for one in days {
            if let Some((store, day)) = by_till.place(&one.store_id, one.business_date) {
                add(&mut rest[store][day], one.net)?;
            }
        }
        for till in tills {
            let Some((store, day)) = by_till.place(&till.store_id, till.business_date) else { continue };
            by_till.add(store, &till.terminal_id, day, Sold { net: till.net, tickets: till.tickets })?;
            add(&mut rest[store][day], Money(-till.net.0))?;
        }
        for (store, nets) in rest.iter().enumerate() {
            for (day, net) in nets.iter().enumerate().filter(|(_, net)| !net.is_zero()) {
                by_till.add(store, "", day, Sold { net: *net, tickets: Tickets::default() })?;
            }
        }
        by_till.finish(without_sales(db, question).await?)
    }

    fn sheet(report: &TerminalSales, _: &NoParams, cells: &TerminalCells) -> ApiResult<Sheet> {
        type Col<'a> = Column<'a, TillSales>;
        let mut columns = vec![
            Col::text("Store", 24, |row| row.store_name.clone()),
            Col::text("Till", 14, |row| till_word(&row.terminal)),
        ];
        let days = report.days.iter().map(BusinessDay::to_string).enumerate();
        columns.extend(days.map(|(at, day)| match cells.measure {
            TerminalMeasure::Net => Col::money(day, 12, move |row| row.nets[at]),
            TerminalMeasure::Receipts => Col::count(day, 10, move |row| row.receipts[at]),
            TerminalMeasure::Ticket => Col::price(day, 10, move |row| row.tickets[at]),
            TerminalMeasure::Share => Col::share(day, 10, move |row| row.shares[at]),
        }));
        columns.push(match cells.measure {
            TerminalMeasure::Net => Col::money("Total", 14, |row| row.net),
            TerminalMeasure::Receipts => Col::count("Total", 12, |row| row.receipt_count),
            TerminalMeasure::Ticket => Col::price("All days", 12, |row| row.ticket),
            TerminalMeasure::Share => Col::share("All days", 12, |row| row.share),
        });
        Sheet::of(Span { from: report.from, to: report.to }, &report.items, columns).with_totals()
    }
}

fn till_word(terminal: &str) -> String {
    if terminal.is_empty() { "No till named".to_owned() } else { terminal.to_owned() }
}

/// Sales of a till.
#[derive(Clone, Copy)]
struct Sold {
    net: Money,
    tickets: Tickets,
}

/// A row under construction, with its tickets by day and in total.
struct Gathered {
    row: TillSales,
    tickets: Vec<Tickets>,
    all: Tickets,
}

impl Gathered {
    fn new(row: TillSales, days: i32) -> Self {
        let days = usize::try_from(days).unwrap_or_default();
        let row = TillSales { nets: vec![Money::ZERO; days], receipts: vec![0; days], ..row };
        Self { row, tickets: vec![Tickets::default(); days], all: Tickets::default() }
    }

    fn add(&mut self, at: usize, sold: Sold) -> ApiResult<()> {
        let row = &mut self.row;
        if at >= row.nets.len() {
            return Ok(());
        }
        for net in [&mut row.nets[at], &mut row.net] {
            add(net, sold.net)?;
        }
        for receipts in [&mut row.receipts[at], &mut row.receipt_count] {
            add(receipts, sold.tickets.receipts)?;
        }
        self.tickets[at].add(sold.tickets);
        self.all.add(sold.tickets);
        Ok(())
    }

    /// Completes the row with tickets and its shares of these totals.
    fn against(self, nets: &[Money], net: Money) -> TillSales {
        let Self { mut row, tickets, all } = self;
        row.tickets = tickets.iter().map(Tickets::average).collect();
        row.shares = row.nets.iter().zip(nets).map(|(part, whole)| share(*part, *whole)).collect();
        (row.ticket, row.ticket_count) = (all.average(), all.tickets);
        row.share = share(row.net, net);
        row
    }
}

struct ByTill {
    span: Span,
    /// Id and name.
    stores: Vec<(String, String)>,
    places: HashMap<String, usize>,
    /// By store and till.
    rows: Vec<BTreeMap<String, Gathered>>,
}

/// Number of days in a range.
fn days_of(span: Span) -> usize {
    usize::try_from(span.days()).unwrap_or_default()
}

impl ByTill {
    fn over(span: Span, stores: Vec<(String, String)>) -> Self {
        let places = stores.iter().enumerate().map(|(at, (id, _))| (id.clone(), at)).collect();
        let rows = stores.iter().map(|_| BTreeMap::new()).collect();
        Self { span, stores, places, rows }
    }

    /// Indexes of a store and a day of the range.
    fn place(&self, store: &str, day: BusinessDay) -> Option<(usize, usize)> {
        let day = usize::try_from(day.0 - self.span.from.0).ok().filter(|day| *day < days_of(self.span))?;
        Some((*self.places.get(store)?, day))
    }

    fn add(&mut self, store: usize, terminal: &str, day: usize, sold: Sold) -> ApiResult<()> {
        let rows = &mut self.rows[store];
        if let Some(row) = rows.get_mut(terminal) {
            return row.add(day, sold);
        }
        let (id, name) = &self.stores[store];
        let row = TillSales {
            id: format!("{id}/{terminal}"),
            store_id: id.clone(),
            store_name: name.clone(),
            terminal: terminal.to_owned(),
            ..TillSales::default()
        };
        let mut row = Gathered::new(row, self.span.days());
        row.add(day, sold)?;
        rows.insert(terminal.to_owned(), row);
        Ok(())
    }

    fn finish(self, stores_without_sales: Vec<StoreGap>) -> ApiResult<TerminalSales> {
        let mut all = Gathered::new(TillSales::default(), self.span.days());
        for of in self.rows.iter().flat_map(BTreeMap::values) {
            for (at, (net, tickets)) in of.row.nets.iter().zip(&of.tickets).enumerate() {
                all.add(at, Sold { net: *net, tickets: *tickets })?;
            }
        }
        let (nets, net) = (all.row.nets.clone(), all.row.net);
        let rows = self.rows.into_iter().flat_map(BTreeMap::into_values).map(|row| row.against(&nets, net));
        let mut items: Vec<_> = rows.collect();
        items.sort_by(|a, b| b.net.cmp(&a.net).then_with(|| a.id.cmp(&b.id)));
        Ok(TerminalSales {
            from: self.span.from,
            to: self.span.to,
            days: (0..self.span.days()).map(|n| self.span.from.plus(n)).collect(),
            items,
            total: all.against(&nets, net),
            stores_without_sales,
        })
    }
}
