//! Receipt facts beside lines, summed by store, day, source and till.

use larder_db::{Db, DbError, Query, Tx, table_row};
use larder_domain::sales::day::TillFacts;
use larder_domain::sales::facts::COUNT;
use larder_domain::sales::{Facts, StoreDay};
use larder_domain::{BusinessDay, Span};

use crate::sales_count;

/// Number of figures in a row.
pub(super) const FIGURES: usize = 5 + COUNT;

/// The figures of a till, in the order of [`names`].
pub(super) fn figures(till: &TillFacts) -> [i64; FIGURES] {
    let mut all = [0; FIGURES];
    all[..5].copy_from_slice(&[till.receipts, till.gross, till.net, till.returns, till.voids]);
    all[5..].copy_from_slice(&till.facts.0);
    all
}

/// Receipts of one till of a store day from one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayFacts {
    pub store_id: String,
    pub date: BusinessDay,
    pub source: String,
    pub till: TillFacts,
}

table_row! {
    #[derive(larder_db::FromRow)]
    FactsRow in "sales_day_facts" {
        store_id: String,
        business_date: BusinessDay,
        source: String,
        terminal_id: String,
        receipts: i64,
        gross: i64,
        net: i64,
        returns: i64,
        voids: i64,
        pax: i64,
        senior: i64,
        pwd: i64,
        naac: i64,
        solo_parent: i64,
        valor: i64,
        employee: i64,
        vip: i64,
        promo: i64,
        other_discount: i64,
        vatable: i64,
        vat: i64,
        exempt: i64,
        zero_rated: i64,
        service_charge: i64,
        local_tax: i64,
    }
}

/// Names of [`figures`].
pub(super) fn names() -> &'static [&'static str] {
    &FactsRow::COLUMNS[4..]
}

impl FactsRow {
    fn of(day: &StoreDay, till: &TillFacts) -> Self {
        let [
            pax,
            senior,
            pwd,
            naac,
            solo_parent,
            valor,
            employee,
            vip,
            promo,
            other_discount,
            vatable,
            vat,
            exempt,
            zero_rated,
            service_charge,
            local_tax,
        ] = till.facts.0;
        let TillFacts { terminal, receipts, gross, net, returns, voids, .. } = till.clone();
        Self {
            store_id: day.store_id.to_string(),
            business_date: BusinessDay(day.day),
            source: day.source.to_string(),
            terminal_id: terminal,
            receipts,
            gross,
            net,
            returns,
            voids,
            pax,
            senior,
            pwd,
            naac,
            solo_parent,
            valor,
            employee,
            vip,
            promo,
            other_discount,
            vatable,
            vat,
            exempt,
            zero_rated,
            service_charge,
            local_tax,
        }
    }

    fn read(self) -> DayFacts {
        let facts = Facts([
            self.pax,
            self.senior,
            self.pwd,
            self.naac,
            self.solo_parent,
            self.valor,
            self.employee,
            self.vip,
            self.promo,
            self.other_discount,
            self.vatable,
            self.vat,
            self.exempt,
            self.zero_rated,
            self.service_charge,
            self.local_tax,
        ]);
        let Self { receipts, gross, net, returns, voids, .. } = self;
        let till = TillFacts { terminal: self.terminal_id, receipts, gross, net, returns, voids, facts };
        DayFacts { store_id: self.store_id, date: self.business_date, source: self.source, till }
    }
}

async fn read(query: Query<'_>) -> Result<Vec<DayFacts>, DbError> {
    let rows: Vec<FactsRow> = query.all().await?;
    Ok(rows.into_iter().map(FactsRow::read).collect())
}

/// Receipt facts of some stores' days, by store, day, source and till. Sources with lines only are left out.
///
/// # Errors
/// If the database fails.
pub async fn of_days<S: AsRef<str>>(db: &Db, stores: &[S], span: Span) -> Result<Vec<DayFacts>, DbError> {
    let query =
        db.sql("select * from sales_day_facts where business_date between $1 and $2 and store_id in ");
    let query = query.bind(span.from).bind(span.to).push_ids(stores);
    read(query.push(" order by store_id, business_date, source, terminal_id")).await
}

/// As [`of_days`], of the sources that count.
///
/// # Errors
/// If the database fails.
pub async fn counted<S: AsRef<str>>(db: &Db, stores: &[S], span: Span) -> Result<Vec<DayFacts>, DbError> {
    let query =
        db.sql("select * from sales_day_facts where business_date between $1 and $2 and store_id in ");
    let query = query.bind(span.from).bind(span.to).push_ids(stores).push(sales_count!("sales_day_facts"));
    read(query.push(" order by store_id, business_date, source, terminal_id")).await
}

/// All rows of one store.
pub(super) async fn of_store(db: &Db, store: &str) -> Result<Vec<DayFacts>, DbError> {
    read(db.sql("select * from sales_day_facts where store_id = $1").bind(store)).await
}

/// Writes the sums of store days.
pub(super) async fn write<'a>(
    tx: &mut Tx<'_>,
    days: impl Iterator<Item = (&'a StoreDay, &'a [TillFacts])>,
) -> Result<(), DbError> {
    let rows: Vec<FactsRow> =
        days.flat_map(|(day, tills)| tills.iter().map(|till| FactsRow::of(day, till))).collect();
    tx.insert_rows(FactsRow::TABLE, FactsRow::COLUMNS, &rows, "").await?;
    Ok(())
}
